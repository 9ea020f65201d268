"""The command `sample`."""

from __future__ import annotations

import json
from time import perf_counter
from typing import Annotated, Any

import typer

from latcover.apps.cli.shared.options import (
    DiagramOptions,
    InputOptions,
    PuzzleName,
    ReportOptions,
    ShowAll,
    only_one,
)
from latcover.apps.cli.shared.output import echo
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT, SolutionPrinter
from latcover.apps.cli.shared.progress import Watch, watched, watcher
from latcover.apps.cli.shared.subjects import load_subject
from latcover.core.cover.result import Stop
from latcover.core.model.request_values import Drawn, Positive, Seed


def sample(
    puzzle: PuzzleName = None,
    *,
    number: Annotated[Drawn | None, typer.Option(show_default="1")] = None,
    seed: Annotated[Seed | None, typer.Option(show_default="0")] = None,
    nth: Annotated[Positive | None, typer.Option(metavar="K")] = None,
    among: DiagramOptions,
    color: bool | None = None,
    every: ShowAll = False,
    inputs: InputOptions,
    report: ReportOptions,
) -> None:
    from latcover.lab.asking.all_solutions import all_solutions
    from latcover.show.reporting.search_report import all_solutions_in_words, heading

    for name, value in (("--number", number), ("--seed", seed)):
        only_one({"--nth": nth is not None, name: value is not None})
    shown, begun = watcher(report), perf_counter()
    with watched(shown) as events:
        found = all_solutions(load_subject(puzzle, inputs, report), among.request(), events, bounds=inputs.bounds())
        events.made(found)
        stop, done = found.stop, 0
        if found.complete:
            show = SolutionPrinter(shown, images=False, color=color, as_json=report.as_json, every=every)
            if not report.as_json:
                echo(f"{heading(found.subject)}\n")
            wanted, seed = 1 if number is None else number, seed or 0
            for solution in found.nth(nth) if nth is not None else found.drawn(wanted * bool(found.total), seed):
                stop = _why_to_stop(begun, among.time, events)
                if stop is not Stop.EXHAUSTED:
                    break
                show(solution)
                done += 1
            show.end()
    complete = stop.is_complete
    summary: dict[str, Any] = {"puzzle": found.subject.name, "complete": complete, "stop": stop.value}
    if found.complete:
        chance = {} if nth is not None else {"number": done, "seed": seed}
        summary |= {"total": found.total, **chance, "method": found.method}
    echo(json.dumps({"summary": summary}) if report.as_json else all_solutions_in_words(found))
    if not complete:
        if found.complete and not report.as_json:
            echo(f"{stop.verdict}; {done:,} of {wanted:,} were drawn")
        raise typer.Exit(EXIT_LIMIT)


def _why_to_stop(begun: float, seconds: float | None, events: Watch) -> Stop:
    """Why no other solution is drawn; EXHAUSTED if one may be."""
    if events.interrupted:
        return Stop.CANCELLED
    return Stop.TIME_LIMIT if seconds is not None and perf_counter() - begun >= seconds else Stop.EXHAUSTED
