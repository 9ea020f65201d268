"""The commands of `runs`: searches and designs that a file keeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latcover.apps.cli.shared.foreign import performed_by_child
from latcover.apps.cli.shared.help_table import command_group
from latcover.apps.cli.shared.options import (
    AsJson,
    ClusterName,
    MessageOptions,
    ReportOptions,
    SearchOptions,
    ShowAll,
)
from latcover.apps.cli.shared.output import echo_result, require_writable, say, suffix_of, write_pieces
from latcover.apps.cli.shared.printed_answers import SolutionPrinter, finish, print_answer
from latcover.apps.cli.shared.progress import Watcher, watched, watcher
from latcover.apps.cli.shared.run_files import check_cluster
from latcover.core.model.request_values import Natural, Seconds, Threads
from latcover.errors import LatcoverError, UnsupportedError

if TYPE_CHECKING:
    from latcover.core.cover.searchable import AnySolution
    from latcover.lab.runs.run_file import RunFile

RunFileName = Annotated[Path, typer.Argument(metavar="FILE", show_default=False)]
runs = command_group("runs")


@runs.command(name="status")
def status(file: RunFileName, *, as_json: AsJson = False) -> None:
    from latcover.lab.runs.count_file import CountFile, count_state_as_text, is_count
    from latcover.lab.runs.design_run import design_state, is_design
    from latcover.lab.runs.run_file import RunFile
    from latcover.lab.runs.state import state_as_json, state_as_text

    if is_design(file):
        state, in_words = design_state(file)
    elif is_count(file):
        state = CountFile(file).state()
        in_words = count_state_as_text(state)
    else:
        with RunFile(file) as run:
            state = state_as_json(run)
            in_words = state_as_text(state)
    echo_result(state, in_words, as_json=as_json)


@runs.command(name="resume")
def resume(
    context: typer.Context,
    file: RunFileName,
    *,
    limit: Natural | None = None,
    time: Seconds | None = None,
    threads: Threads | None = None,
    cluster: ClusterName = None,
    images: bool = False,
    color: bool | None = None,
    every: ShowAll = False,
    search_anyway: bool = False,
    sat_exit_codes: bool = False,
    report: ReportOptions,
) -> None:
    from latcover.core.cover.search import Limits
    from latcover.core.solving.forestall import ruled_out
    from latcover.lab.runs.control import go_on
    from latcover.lab.runs.count_file import CountFile, is_count
    from latcover.lab.runs.design_run import is_design
    from latcover.lab.runs.run_file import RunFile
    from latcover.lab.runs.thread_crew import Orders

    if is_design(file):
        from latcover.apps.cli.commands.design_command import resume_design

        given = [name for name, is_given in {"--cluster": cluster, "--images": images}.items() if is_given]
        if given:
            raise UnsupportedError(f"{file} holds a design, not a search: leave {' and '.join(given)} out")
        limits = SearchOptions(time=time, threads=threads, limit=limit)
        resume_design(file, limits, report, every=every)
        return
    check_cluster(cluster, threads)
    if is_count(file):
        recipe, found_some = CountFile(file).recipe, False
    else:
        with RunFile(file) as run:
            recipe, found_some = run.recipe, run.figures().result.different > 0
    performed_by_child(context, recipe.request.backend)
    shown = watcher(report)
    solves = recipe.task == "solve"
    printer = SolutionPrinter(shown, images=images, color=color, as_json=report.as_json, every=every)
    show = printer if solves else None
    answer = None if found_some or search_anyway else ruled_out(recipe.prepared(), recipe.request.backend)
    if answer is None:
        with watched(shown) as watching:
            orders = Orders(threads, Limits(limit, None, time), images, cluster=cluster or "")
            answer = watching.ended(go_on(file, orders, show, on_progress=watching.on_progress))
    printer.end()
    print_answer(answer, recipe.prepared, report, run=file, in_summary=solves)
    finish(answer, sat_exit_codes)


@runs.command(name="solutions")
def solutions(
    file: RunFileName,
    *,
    output: Path | None = None,
    color: bool | None = None,
    every: ShowAll = False,
    as_json: AsJson = False,
    messages: MessageOptions,
) -> None:
    from latcover.lab.runs.count_file import is_count
    from latcover.lab.runs.design_run import is_design
    from latcover.lab.runs.run_file import RunFile

    if is_design(file):
        raise UnsupportedError(f"{file} holds a design, not a search: `latcover runs resume {file}` shows its designs")
    if is_count(file):
        raise UnsupportedError(f"{file}: a count keeps no solutions; list them with `latcover solve --run`")
    with RunFile(file) as run:
        if run.recipe.task == "count":
            raise UnsupportedError(f"{file}: a count keeps no solutions; list them with `latcover solve --run`")
        held, damage = _solutions_held(run, messages)
        if output is not None:
            _export(run, held, output, messages, whole=damage is None)
        else:
            show = SolutionPrinter(Watcher(), images=False, color=color, as_json=as_json, every=every)
            for solution in held:
                show(solution)
            show.end()
        if damage is not None:
            raise damage


def _solutions_held(run: RunFile, messages: MessageOptions) -> tuple[Iterator[AnySolution], LatcoverError | None]:
    """The solutions of a run. If the file is damaged: the intact ones, and the error to raise after them."""
    from latcover.errors import DamagedRunError
    from latcover.lab.runs.export import intact_solutions_of, solutions_of

    try:
        return solutions_of(run), None
    except DamagedRunError as fault:
        say(f"warning: {fault}", messages)
        words = "is damaged: the intact solutions were given, each verified; others may be missing"
        return intact_solutions_of(run), DamagedRunError(f"{run.path}: {words}")


def _export(run: RunFile, solutions: Iterator[Any], output: Path, messages: MessageOptions, *, whole: bool) -> None:
    from latcover.lab.runs.export import as_burrtools, as_json_lines, write_parquet

    require_writable(output)
    suffix = suffix_of(output, "solutions", (".jsonl", ".parquet", ".xmpuzzle"))
    if suffix == ".parquet":
        write_parquet(run, solutions, output)
        say(f"wrote {output}", messages)
    elif suffix == ".jsonl":
        write_pieces(output, as_json_lines(solutions), messages)
    else:
        write_pieces(output, as_burrtools(run, solutions, whole=whole), messages)
