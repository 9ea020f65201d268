"""``--group blocks`` of `solve` and `count`: solutions that differ only by blocks turned in place."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import typer

from latcover.apps.cli.shared.option_requests import made, with_rest_of_time
from latcover.apps.cli.shared.options import (
    EncodingOptions,
    InputOptions,
    PuzzleName,
    ReportOptions,
    RunOptions,
    SearchOptions,
)
from latcover.apps.cli.shared.output import echo, echo_answer
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT, SolutionPrinter, say_reasons
from latcover.apps.cli.shared.progress import watched, watcher
from latcover.apps.cli.shared.subjects import load_subject, prepare
from latcover.errors import UnsupportedError

if TYPE_CHECKING:
    from latcover.lab.asking.blocks import GroupedSolutions


def refuse_beside_groups(given: dict[str, bool]) -> None:
    """Refuse options that a list in groups cannot honour; *given* says of each whether it is there.

    Raises:
        UnsupportedError: one is.
    """
    if names := [name for name, is_there in given.items() if is_there]:
        raise UnsupportedError(f"--group lists all solutions and groups them at the end; leave {', '.join(names)} out")


def answer_in_groups(
    puzzle: PuzzleName,
    backend: str,
    encoding: EncodingOptions,
    search: SearchOptions,
    inputs: InputOptions,
    report: ReportOptions,
    *,
    printer: dict[str, bool | None] | None,
    anyway: bool,
) -> None:
    """Group the solutions of a puzzle; with the choices of a *printer*, print the first one of each group."""
    from latcover.core.solving.search_request import SearchRequest
    from latcover.lab.asking.blocks import group_by_blocks

    request = made(SearchRequest, backend, search, encoding, report, run=RunOptions(), anyway=anyway)
    began = time.perf_counter()
    prepared = prepare(load_subject(puzzle, inputs, report), encoding, inputs, request.seconds)
    request = with_rest_of_time(request, began)
    shown = watcher(report)
    with watched(shown) as events:
        found = group_by_blocks(prepared, request, events)
        events.ended(found.result)
    if printer is not None:
        show = SolutionPrinter(shown, images=False, as_json=report.as_json, **printer)  # type: ignore[arg-type]
        for number, group in enumerate(found.groups, 1):
            show(group.first, f" stands for group {number}, of {group.size:,}")
        show.end()
    _print(found, prepared, report, in_summary=printer is not None)
    if not found.complete:
        raise typer.Exit(EXIT_LIMIT)


def _print(found: GroupedSolutions, prepared: object, report: ReportOptions, *, in_summary: bool) -> None:
    from latcover.show.reporting.search_report import reasons_for

    data = say_reasons(found.as_json(), reasons_for(found.result, lambda: prepared), report)  # type: ignore[arg-type,return-value]
    if report.as_json:
        echo(json.dumps({"summary": data} if in_summary else data))
        return
    echo_answer(found.headline())
    for note in found.result.notes:
        echo(f"note: {note}")
    if found.groups and not in_summary:
        sizes = sorted((group.size for group in found.groups), reverse=True)
        echo(f"solutions in each group, most first: {', '.join(map(str, sizes[:20]))}{', …' * (len(sizes) > 20)}")
