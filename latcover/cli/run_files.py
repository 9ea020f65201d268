"""Searches in a file: what the options --run and --cluster of `solve`, `count` and `assemble` do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from latcover.cli.options import EncodingOptions, InputOptions, MethodName, RunOptions, SearchOptions, TalkOptions
from latcover.cli.progress import Watcher, watched
from latcover.cli.support import choices_of, make_backend, require_writable, say
from latcover.errors import UnsupportedError

if TYPE_CHECKING:
    from latcover.cover.search import Backend
    from latcover.cover.searchable import Searchable
    from latcover.runs.recipe import Task
    from latcover.solving.answer import Answer

Show = Callable[[Any], None]


def run_in_file(
    run: RunOptions,
    prepared: Searchable[Any],
    asked: tuple[Task, str | None, str],
    options: tuple[EncodingOptions, InputOptions, SearchOptions],
    shown: Watcher,
    show: tuple[Show | None, bool] = (None, False),
    *,
    anyway: bool = False,
) -> Answer:
    """Search in a file: begin a run, or continue it if the file holds the same one.

    Args:
        run: The file, and the cluster if there is one.
        prepared: The problem to search.
        asked: The task (to solve or to count), the puzzle as the user named it, and the backend's name.
        options: Those of the command.
        shown: Receives the progress.
        show: A function that receives each solution, and whether it receives all of its images.
        anyway: Whether to search even if a simple argument shows that there is no solution.
    """
    from latcover.formats.library import DEFAULT_PUZZLE
    from latcover.runs.control import begin, go_on
    from latcover.runs.crew import Orders
    from latcover.runs.recipe import Recipe, stored_file

    path = run.run
    assert path is not None
    task, puzzle, backend = asked
    encoding, given, search = options
    choices = choices_of(encoding)
    source = stored_file(puzzle or DEFAULT_PUZZLE)
    recipe = Recipe(task, prepared.name, source, choices, given.bounds(), backend, _options_of_run(backend, search))
    require_writable(path)
    begin(path, recipe, prepared, search.limits())
    settled = ruled_out(prepared, backend, anyway)
    if settled is not None:
        return settled
    orders = Orders(search.threads, search.limits(), show[1], cluster=run.cluster or "")
    with watched(shown) as watch:
        return watch.ended(go_on(path, orders, show[0], on_progress=watch.on_progress, prepared=prepared))


def ruled_out(prepared: Searchable[Any], backend: str, anyway: bool) -> Answer | None:
    """The answer that a simple argument gives before a run begins; None if there is none, or with *anyway*."""
    if anyway:
        return None
    from latcover.impossible.forestall import ruled_out as by_argument

    return by_argument(prepared, backend)


def check_backend(backend: str, search: SearchOptions, run: RunOptions, talk: TalkOptions) -> Backend:
    """The backend asked for. Refuse what it, or a run in a file, cannot honour, before anything that takes long.

    Raises:
        UnsupportedError: the backend or the run cannot honour an option.
    """
    if not run.in_jobs:
        return make_backend(backend, search, talk)
    from latcover.backends import create

    check_cluster(run.cluster, search.threads)
    return create(backend, **_options_of_run(backend, search))


def check_method(method: MethodName, search: SearchOptions, run: RunOptions, *, assemblable: bool = False) -> None:
    """Refuse options that a method of counting cannot honour.

    Raises:
        UnsupportedError: the method lists no solutions, and an option is about the list, or about a run in a file.
    """
    if method in (MethodName.auto, MethodName.enumeration):
        return
    lists = {"--limit": search.limit is not None, "--max-branches": search.max_branches is not None}
    lists |= {"--run": run.run is not None, "--cluster": run.cluster is not None, "--assemblable": assemblable}
    names = [name for name, is_given in lists.items() if is_given]
    if names:
        raise UnsupportedError(
            f"--method {method.value} lists no solutions, so it cannot honour {' and '.join(names)}: leave that out "
            "(--time limits every method), or take --method enumeration"
        )


def _options_of_run(backend: str, search: SearchOptions) -> dict[str, object]:
    """The options of the backend, without the threads, which belong to the run."""
    chosen = search.for_backend()
    if chosen.pop("threads", None) is not None and search.threads is None:
        raise UnsupportedError("a run in a file has its own threads, with a backend on each: give --threads N instead")
    return chosen


def check_cluster(address: str | None, threads: int | None) -> None:
    """Refuse a wrong address of a cluster, before anything that takes long."""
    if address is not None:
        from latcover.runs.cluster.connection import require

        require(address, threads)


@contextmanager
def named_or_temporary_file(run: RunOptions, talk: TalkOptions) -> Iterator[RunOptions]:
    """The same options with a file: the one that the user named, or a temporary one."""
    if run.run is not None:
        yield run
        return
    with TemporaryDirectory(prefix="latcover-run-", ignore_cleanup_errors=True) as folder:
        say("the run is kept in a temporary file, which is removed at the end; name one with --run FILE", talk)
        yield replace(run, run=Path(folder) / "run.db")
