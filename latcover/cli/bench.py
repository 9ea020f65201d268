"""The commands of `bench`: measuring latcover, beside published figures and beside other programs."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from latcover.cli import completion
from latcover.cli.compare import MethodNames, chosen_of, run_methods, status_of
from latcover.cli.options import AsJson, TalkOptions, expanded
from latcover.cli.support import EXIT_LIMIT, echo, require_writable, say, say_error, write_file
from latcover.errors import UnsupportedError


def _require_page(output: Path | None) -> None:
    """Refuse a page that cannot be written. This is checked before anything is measured."""
    if output is not None and output.suffix != ".md":
        raise typer.BadParameter(f"--output {output}: the page is Markdown; name a file .md")
    require_writable(output)


def _write_page(output: Path, text: str, data: dict[str, Any]) -> None:
    """Write a page, and its data beside it."""
    write_file(output, text, None)
    write_file(output.with_suffix(".json"), json.dumps(data, indent=1), None)


bench = typer.Typer(
    help="Measure latcover: on this machine, beside other programs, and against what others have published.",
    invoke_without_command=True,
)
BENCHMARKS = """\
latcover bench suite --quick   measure latcover on this machine, in half a minute
latcover bench compared        set latcover beside other programs, in ten minutes
latcover bench table1          print our figures beside those of Barequet and Tal"""


@bench.callback()
def _bench(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        echo(BENCHMARKS)


@bench.command(name="table1")
@expanded
def table1(
    *,
    puzzles: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Which puzzles (default: all whose branches are printed).",
            autocompletion=completion.listed_puzzles,
        ),
    ] = None,
    counts: Annotated[
        bool, typer.Option("--counts", help="Also puzzles of which only the number of solutions is printed.")
    ] = False,
    methods: MethodNames = None,
    time: Annotated[
        float, typer.Option("--time", min=0, metavar="SECONDS", help="The longest search for each cell of the table.")
    ] = 60.0,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE.md", help="Write the page there, and its data beside it as .json.")
    ] = None,
    as_json: AsJson = False,
    talk: TalkOptions,
) -> None:
    """Print our figures beside Table 1 of Barequet and Tal and the table of Tal's thesis.

    The table marks each cell that the time limit cut short. Exit code 1: methods disagree or failed. 3: interrupted.
    """
    from latcover.benchmarks import table1 as tables

    _require_page(output)
    entries: list[tables.Entry] = []
    for row in tables.chosen_rows(puzzles, counts=counts):
        usual = tables.METHODS if row.printed else tables.COUNTING
        chosen = chosen_of(methods or ",".join(usual), None)
        entry = tables.run_row(row, chosen, time, partial(run_methods, talk=talk))
        entries.append(entry)
        as_one_line = json.dumps(tables.entry_as_json(entry)) if as_json else None
        echo(as_one_line or "\n".join([*tables.entry_lines(entry), ""]))
        if output is not None:  # after every puzzle, so that a late failure does not lose the earlier ones
            _write_page(output, tables.page(entries, time), tables.as_json(entries, time))
        if entry.comparison.interrupted:
            break
    if output is not None:
        say(f"wrote {output} and {output.with_suffix('.json')}", talk)
    if not all(entry.sound for entry in entries):
        raise typer.Exit(1)
    if entries[-1].comparison.interrupted:
        raise typer.Exit(EXIT_LIMIT)


@bench.command(name="suite")
@expanded
def suite(
    *,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Which sections: search, kernels, threads, size, setup, counting, delivery (default: all).",
            show_default=False,
            autocompletion=completion.sections,
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few rows, each measured once: half a minute.")] = False,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE.md", help="Write the page there, and its data beside it as .json.")
    ] = None,
    as_json: AsJson = False,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Draw the search, or each kernel, into this file.")
    ] = None,
    talk: TalkOptions,
) -> None:
    """Measure latcover on this machine: search, kernels, threads, sizes, set-up, counts, delivery.

    Exit code 1: two methods found different covers or branches, so the times mean nothing.
    """
    from latcover.benchmarks.suite_chart import draw_chart, require_chart
    from latcover.benchmarks.suite_registry import chosen_sections

    sections = chosen_sections(only)
    _require_page(output)
    require_writable(chart)
    if chart is not None:
        require_chart(chart, sections)
    from latcover.benchmarks import suite as suites

    given, tables = suites.conditions(quick=quick), []
    with status_of(talk) as show:
        for table in suites.run_suite(sections, quick=quick, say=show):
            tables.append(table)
            if not as_json:
                echo("\n".join([*table.lines(), ""]))
            if output is not None:  # after every section, so that a late failure does not lose the earlier ones
                _write_page(output, suites.page(tables, given), suites.as_json(tables, given))
    if as_json:
        echo(json.dumps(suites.as_json(tables, given)))
    if output is not None:
        say(f"wrote {output} and {output.with_suffix('.json')}", talk)
    if chart is not None:
        draw_chart(tables, given["machine"], chart)
        say(f"wrote {chart}", talk)


@bench.command(name="compared")
@expanded
def compared(
    *,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Which tasks: all, count, one, puzzle, apart (default: all of them).",
            show_default=False,
            autocompletion=completion.compared_tasks,
        ),
    ] = None,
    programs: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Which programs besides latcover (default: all that are here).",
            show_default=False,
            autocompletion=completion.compared_programs,
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="The smallest problems, each asked twice.")] = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.1, metavar="SECONDS", help="The processor time of each question (default: 1.5).", show_default=False
        ),
    ] = None,
    turns: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="How often each question is asked (default: 5).", show_default=False),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE.md", help="Write the page there, and its charts beside it.")
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json",
            help="Write every time there, and as .csv beside it (default: beside the page).",
            show_default=False,
        ),
    ] = None,
    given: Annotated[
        Path | None, typer.Option("--from", metavar="FILE.json", help="Measure nothing: take these results.")
    ] = None,
    talk: TalkOptions,
) -> None:
    """Set latcover beside other programs: all solutions, counts, one solution, whole puzzles, taking apart.

    Exit code 1: an answer of latcover is wrong.
    """
    try:
        from latcover.benchmarks.compared import run
    except ModuleNotFoundError as fault:  # `resource`, on Windows
        raise UnsupportedError("this measures by what only POSIX systems have: run it on Linux or macOS") from fault
    from latcover.benchmarks.compared.results import as_csv, as_json, told

    _require_page(output)
    if results is not None and results.suffix != ".json":
        raise typer.BadParameter(f"--results {results}: the results are JSON; name a file .json")
    if given is None and results is None and output is not None:
        results = output.with_suffix(".json")
    require_writable(results)
    run.require_what_it_needs(charts=output is not None)
    if given is not None:
        measured = run.read(given)
    else:
        with status_of(talk) as show:
            plan = run.plan_of(quick=quick, seconds=seconds, turns=turns)
            for measured in run.run(only, programs, plan, show):
                if results is not None:  # after every problem, so that a late failure does not lose the earlier ones
                    write_file(results, as_json(measured), None)
                    write_file(results.with_suffix(".csv"), as_csv(measured), None)
        if results is not None:
            say(f"wrote {results} and {results.with_suffix('.csv')}", talk)
    if output is None:
        echo(run.page_of(measured, None))
    else:
        write_file(output, run.page_of(measured, output), talk)
    for wrong in measured.ours_wrong:
        say_error(f"{wrong.problem}: {wrong.program} is wrong: {wrong.reason} ({told(wrong.expected)} are known)")
    if measured.ours_wrong:
        raise typer.Exit(1)
