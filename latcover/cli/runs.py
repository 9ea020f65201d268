"""Runs in a file: the commands `resume` and `runs`, and the options --run and --cluster of `solve` and `count`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latcover.cli.options import (
    AsJson,
    ClusterName,
    EncodingOptions,
    InputOptions,
    MethodName,
    RunOptions,
    SatExitCodes,
    SearchAnyway,
    SearchOptions,
    TalkOptions,
    WatchOptions,
    expanded,
)
from latcover.cli.progress import Silence, Watcher, watched, watcher
from latcover.cli.support import (
    choices_of,
    echo,
    finish,
    make_backend,
    print_answer,
    require_writable,
    say,
    screen_width,
    wants_colour,
    write_pieces,
)
from latcover.errors import LatcoverError, UnsupportedError

if TYPE_CHECKING:
    from latcover.cover.search import Backend
    from latcover.cover.searchable import Searchable, Shown
    from latcover.runs.file import RunFile
    from latcover.runs.recipe import Task
    from latcover.solving.answer import Answer

RunFileName = Annotated[Path, typer.Argument(metavar="FILE", help="The file that --run was given.", show_default=False)]
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


@expanded
def resume(
    file: RunFileName,
    *,
    limit: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Stop when the run has N different solutions in all.")
    ] = None,
    time: Annotated[
        float | None, typer.Option("--time", min=0, metavar="SECONDS", help="Stop after so many seconds.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, max=1024, metavar="N", help="How many jobs to search at once.")
    ] = None,
    cluster: ClusterName = None,
    images: Annotated[bool, typer.Option("--images", help="List every symmetric image of each solution.")] = False,
    color: Annotated[bool | None, typer.Option("--color/--no-color", help="Coloured blocks, or letters alone.")] = None,
    search_anyway: SearchAnyway = False,
    as_json: AsJson = False,
    sat_exit_codes: SatExitCodes = False,
    watch: WatchOptions,
    talk: TalkOptions,
) -> None:
    """Continue the run of a file, whatever ended it. If the run is complete, print its answer again.

    A run of `latcover solve` shows the new solutions; `latcover runs FILE --solutions` shows all.
    """
    from latcover.cover.search import Limits
    from latcover.runs.control import go_on
    from latcover.runs.crew import Orders
    from latcover.runs.designing import is_design
    from latcover.runs.file import RunFile

    if is_design(file):
        from latcover.cli.design import resume_design

        require_not_of_a_search({"--cluster": cluster is not None, "--images": images}, file)
        limits = SearchOptions(time=time, threads=threads, limit=limit)
        resume_design(file, limits, watch, talk, as_json=as_json)
        return
    check_cluster(cluster, threads)
    with RunFile(file) as run:
        recipe, found_some = run.recipe, run.figures().different > 0
    shown = watcher(talk, watch)
    solves = recipe.task == "solve"
    show = solution_printer(shown, images=images, color=color, as_json=as_json) if solves else None
    answer = None if found_some else ruled_out(recipe.prepared(), recipe.backend, search_anyway)
    if answer is None:
        with watched(shown) as watching:
            orders = Orders(threads, Limits(limit, None, time), images, cluster=cluster or "")
            answer = watching.ended(go_on(file, orders, show, on_progress=watching.on_progress))
    form: Any = None if not as_json else "summary" if solves else "object"
    print_answer(answer, recipe.prepared, talk, run=file, as_json=form)
    finish(answer, sat_exit_codes)


def require_not_of_a_search(given: dict[str, bool], file: Path) -> None:
    """Refuse options that are about a search, where the file holds a design.

    Raises:
        UnsupportedError: one is given.
    """
    names = [name for name, is_given in given.items() if is_given]
    if names:
        raise UnsupportedError(f"{file} holds a design, not a search: leave {' and '.join(names)} out")


def solution_printer(shown: Watcher, *, images: bool, color: bool | None, as_json: bool) -> Callable[[Any], None]:
    """A function that shows a solution as `latcover solve` does."""
    from latcover.reporting.answer import JsonLines, solution_as_lines

    coloured, width, lines_of_json = wants_colour(color), screen_width(), JsonLines()

    def show(solution: Any) -> None:
        if as_json:
            shown.write(lines_of_json.line(solution))
            return
        image = f", image {solution.image} of {solution.orbit}" if images else ""
        lines = solution_as_lines(solution, colour=coloured, width=width)
        shown.write("\n".join([f"solution {solution.number}{image}", *lines, ""]))

    return show


@expanded
def runs(
    file: RunFileName,
    *,
    solutions: Annotated[
        bool, typer.Option("--solutions", help="Show the solutions in the file, instead of its state.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(help="Write the solutions to this file, as JSON lines (.jsonl) or as a table (.parquet)."),
    ] = None,
    color: Annotated[bool | None, typer.Option("--color/--no-color", help="Coloured blocks, or letters alone.")] = None,
    as_json: AsJson = False,
    talk: TalkOptions,
) -> None:
    """Print how far the run of a file is, even while it searches; or show or export its solutions."""
    from latcover.runs.designing import is_design
    from latcover.runs.file import RunFile
    from latcover.runs.state import state_as_json, state_as_text

    if is_design(file):
        from latcover.cli.design import design_state

        require_not_of_a_search({"--solutions": solutions, "--output": output is not None}, file)
        echo(design_state(file, as_json=as_json))
        return
    with RunFile(file) as run:
        if not solutions and output is None:
            state = state_as_json(run)
            echo(json.dumps(state) if as_json else state_as_text(state))
            return
        if run.recipe.task == "count":
            raise UnsupportedError(f"{file}: a count keeps no solutions; list them with `latcover solve --run`")
        held, damage = _solutions_held(run, talk)
        if output is not None:
            _export(run, held, output, talk)
        else:
            show = solution_printer(Silence(), images=False, color=color, as_json=as_json)
            for solution in held:
                show(solution)
        if damage is not None:
            raise damage


def _solutions_held(run: RunFile, talk: TalkOptions) -> tuple[Iterator[Shown], LatcoverError | None]:
    """The solutions of a run. If the file is damaged: the intact ones, and the error to raise after them."""
    from latcover.errors import DamagedRunError
    from latcover.runs.export import intact_solutions_of, solutions_of

    try:
        return solutions_of(run), None
    except DamagedRunError as fault:
        say(f"warning: {fault}", talk)
        words = "is damaged: the intact solutions were given, each verified; others may be missing"
        return intact_solutions_of(run), DamagedRunError(f"{run.path}: {words}")


def _export(run: RunFile, solutions: Iterator[Shown], output: Path, talk: TalkOptions) -> None:
    from latcover.runs.export import as_json_lines, write_parquet

    require_writable(output)
    suffix = output.suffix.lower()
    if suffix == ".parquet":
        write_parquet(run, solutions, output)
        say(f"wrote {output}", talk)
    elif suffix == ".jsonl":
        write_pieces(output, as_json_lines(solutions), talk)
    else:
        raise UnsupportedError(
            f"cannot write solutions to a {suffix or 'file without suffix'}; name a file .jsonl or .parquet"
        )
