"""The commands `resume` and `runs`: searches and designs that a file keeps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latcover.cli.options import (
    AsJson,
    ClusterName,
    SatExitCodes,
    SearchAnyway,
    SearchOptions,
    TalkOptions,
    WatchOptions,
    expanded,
)
from latcover.cli.progress import Silence, watched, watcher
from latcover.cli.run_files import check_cluster, ruled_out
from latcover.cli.search import solution_printer
from latcover.cli.support import (
    echo,
    finish,
    print_answer,
    require_writable,
    say,
    write_pieces,
)
from latcover.errors import LatcoverError, UnsupportedError

if TYPE_CHECKING:
    from latcover.cover.searchable import Shown
    from latcover.runs.file import RunFile

RunFileName = Annotated[Path, typer.Argument(metavar="FILE", help="The file that --run was given.", show_default=False)]


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


@expanded
def runs(
    file: RunFileName,
    *,
    solutions: Annotated[
        bool, typer.Option("--solutions", help="Show the solutions in the file, instead of its state.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Write the solutions to this file: as JSON lines (.jsonl), as a table (.parquet), or with the puzzle "
            "as a BurrTools file (.xmpuzzle)."
        ),
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
            _export(run, held, output, talk, whole=damage is None)
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


def _export(run: RunFile, solutions: Iterator[Any], output: Path, talk: TalkOptions, *, whole: bool) -> None:
    from latcover.runs.export import as_burrtools, as_json_lines, write_parquet

    require_writable(output)
    suffix = output.suffix.lower()
    if suffix == ".parquet":
        write_parquet(run, solutions, output)
        say(f"wrote {output}", talk)
    elif suffix == ".jsonl":
        write_pieces(output, as_json_lines(solutions), talk)
    elif suffix == ".xmpuzzle":
        write_pieces(output, as_burrtools(run, solutions, whole=whole), talk)
    else:
        raise UnsupportedError(
            f"cannot write solutions to a {suffix or 'file without suffix'}; name a file .jsonl, .parquet or .xmpuzzle"
        )
