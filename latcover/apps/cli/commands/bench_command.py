"""The commands of `bench`: measuring latcover, beside published figures and beside other programs."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Meta

from latcover.apps.cli.commands.compare_command import MethodNames, told_runs
from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.checkout import benchmark
from latcover.apps.cli.shared.help_table import command_group
from latcover.apps.cli.shared.options import AsJson, MessageOptions
from latcover.apps.cli.shared.output import echo, require_writable, say, say_error, write_file, write_or_echo
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT
from latcover.apps.cli.shared.progress import status_of
from latcover.core.model.request_values import Positive, Seconds

if TYPE_CHECKING:
    from latcover.lab.comparing.compare import Comparison
    from latcover.lab.comparing.methods import Method


def _require_page(output: Path | None) -> None:
    """Refuse a page that cannot be written. This is checked before anything is measured."""
    if output is not None and output.suffix != ".md":
        raise typer.BadParameter(f"--output {output}: the page is Markdown; name a file .md")
    require_writable(output)


def _write_page(output: Path, text: str, data: dict[str, Any]) -> None:
    """Write a page, and its data beside it."""
    write_file(output, text, None)
    write_file(output.with_suffix(".json"), json.dumps(data, indent=1), None)


bench = command_group("bench")


@bench.command(name="table1")
def table1(
    *,
    puzzles: Annotated[str | None, typer.Option(metavar="A,B,...", autocompletion=completion.listed_puzzles)] = None,
    counts: bool = False,
    methods: MethodNames = None,
    time: Seconds = 60.0,
    output: Annotated[Path | None, typer.Option(metavar="FILE.md")] = None,
    as_json: AsJson = False,
    messages: MessageOptions,
) -> None:
    from latcover.backends import names
    from latcover.lab.comparing.methods import chosen_methods

    tables = benchmark("table1")
    _require_page(output)
    entries: list[Any] = []
    for row in tables.chosen_rows(puzzles, counts=counts):
        usual = tables.METHODS if row.printed else tables.COUNTING
        chosen = chosen_methods(methods or ",".join(usual), names())
        entry = tables.run_row(row, chosen, time, partial(_run_methods, messages=messages))
        entries.append(entry)
        as_one_line = json.dumps(tables.entry_as_json(entry)) if as_json else None
        echo(as_one_line or "\n".join([*tables.entry_lines(entry), ""]))
        if output is not None:  # after every puzzle, so that a late failure does not lose the earlier ones
            _write_page(output, tables.page(entries, time), tables.as_json(entries, time))
        if entry.comparison.interrupted:
            break
    if output is not None:
        say(f"wrote {output} and {output.with_suffix('.json')}", messages)
    if not all(entry.sound for entry in entries):
        raise typer.Exit(1)
    if entries[-1].comparison.interrupted:
        raise typer.Exit(EXIT_LIMIT)


def _run_methods(
    puzzle: str, methods: tuple[Method, ...], arguments: list[str], figures: dict[str, Any], messages: MessageOptions
) -> Comparison:
    """Run the methods as child processes. If standard error is a terminal, it shows which one runs."""
    from latcover.lab.comparing.compare import compare as run_all
    from latcover.system.child_process import Children

    with Children() as children, told_runs(figures["puzzle"], methods, messages, None) as (on_start, on_end):
        return run_all(puzzle, methods, arguments, children, figures=figures, on_start=on_start, on_end=on_end)


@bench.command(name="suite")
def suite(
    *,
    only: Annotated[
        str | None, typer.Option(metavar="A,B,...", show_default=False, autocompletion=completion.sections)
    ] = None,
    quick: bool = False,
    output: Annotated[Path | None, typer.Option(metavar="FILE.md")] = None,
    as_json: AsJson = False,
    chart: Annotated[Path | None, typer.Option(metavar="FILE.svg")] = None,
    messages: MessageOptions,
) -> None:
    sections = benchmark("suite_registry").chosen_sections(only)
    _require_page(output)
    require_writable(chart)
    charts = benchmark("suite_chart")
    if chart is not None:
        charts.require_chart(chart, sections)
    suites = benchmark("suite")
    conditions, tables = suites.conditions(quick=quick), []
    with status_of(messages) as show:
        for table in suites.run_suite(sections, quick=quick, say=show):
            tables.append(table)
            if not as_json:
                echo("\n".join([*table.lines(), ""]))
            if output is not None:  # after every section, so that a late failure does not lose the earlier ones
                _write_page(output, suites.page(tables, conditions), suites.as_json(tables, conditions))
    if as_json:
        echo(json.dumps(suites.as_json(tables, conditions)))
    if output is not None:
        say(f"wrote {output} and {output.with_suffix('.json')}", messages)
    if chart is not None:
        charts.draw_chart(tables, conditions["machine"], chart)
        say(f"wrote {chart}", messages)


@bench.command(name="compared")
def compared(
    *,
    only: Annotated[
        str | None, typer.Option(metavar="A,B,...", show_default=False, autocompletion=completion.compared_tasks)
    ] = None,
    programs: Annotated[
        str | None, typer.Option(metavar="A,B,...", show_default=False, autocompletion=completion.compared_programs)
    ] = None,
    quick: bool = False,
    seconds: Annotated[float | None, Meta(ge=0.1, title="SECONDS"), typer.Option(show_default=False)] = None,
    turns: Annotated[Positive | None, typer.Option(show_default=False)] = None,
    output: Annotated[Path | None, typer.Option(metavar="FILE.md")] = None,
    results: Annotated[Path | None, typer.Option(metavar="FILE.json", show_default=False)] = None,
    earlier: Annotated[Path | None, typer.Option("--from", metavar="FILE.json")] = None,
    messages: MessageOptions,
) -> None:
    run, written = benchmark("compared.run"), benchmark("compared.results")
    _require_page(output)
    if results is not None and results.suffix != ".json":
        raise typer.BadParameter(f"--results {results}: the results are JSON; name a file .json")
    if earlier is None and results is None and output is not None:
        results = output.with_suffix(".json")
    require_writable(results)
    run.require_what_it_needs(charts=output is not None)
    if earlier is not None:
        measured = run.read(earlier)
    else:
        with status_of(messages) as show:
            plan = run.plan_of(quick=quick, seconds=seconds, turns=turns)
            for measured in run.run(only, programs, plan, show):
                if results is not None:  # after every problem, so that a late failure does not lose the earlier ones
                    write_file(results, written.as_json(measured), None)
                    write_file(results.with_suffix(".csv"), written.as_csv(measured), None)
        if results is not None:
            say(f"wrote {results} and {results.with_suffix('.csv')}", messages)
    write_or_echo(output, run.page_of(measured, output), messages)
    for wrong in measured.ours_wrong:
        known = written.told(wrong.task, wrong.expected)
        say_error(f"{wrong.problem}: {wrong.program} is wrong: {wrong.reason} ({known} are known)")
    if measured.ours_wrong:
        raise typer.Exit(1)
