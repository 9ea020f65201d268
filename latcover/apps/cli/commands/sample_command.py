"""The command `sample`."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from latcover.apps.cli.shared.options import DiagramOptions, InputOptions, PuzzleName, ReportOptions, expanded, only_one
from latcover.apps.cli.shared.output import echo
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT, SolutionPrinter
from latcover.apps.cli.shared.progress import watched, watcher
from latcover.apps.cli.shared.subjects import load_subject
from latcover.core.model.request_values import Drawn, Positive, Seed


@expanded
def sample(
    puzzle: PuzzleName = None,
    *,
    number: Annotated[Drawn | None, typer.Option(show_default="1")] = None,
    seed: Annotated[Seed | None, typer.Option(show_default="0")] = None,
    nth: Annotated[Positive | None, typer.Option(metavar="K")] = None,
    among: DiagramOptions,
    color: bool | None = None,
    inputs: InputOptions,
    report: ReportOptions,
) -> None:
    from latcover.lab.asking.all_solutions import all_solutions
    from latcover.show.reporting.search_report import all_solutions_in_words, heading

    for name, value in (("--number", number), ("--seed", seed)):
        only_one({"--nth": nth is not None, name: value is not None})
    shown = watcher(report)
    with watched(shown) as events:
        every = all_solutions(load_subject(puzzle, inputs, report), among.request(), events, bounds=inputs.bounds())
        events.made(every)
    summary: dict[str, Any] = {"puzzle": every.subject.name, "complete": every.complete, "stop": every.stop.value}
    if every.complete:
        show = SolutionPrinter(shown, images=False, color=color, as_json=report.as_json)
        if not report.as_json:
            echo(f"{heading(every.subject)}\n")
        drawn, seed = 1 if number is None else number, seed or 0
        for solution in every.nth(nth) if nth is not None else every.sample(drawn * bool(every.total), seed):
            show(solution)
        chance = {} if nth is not None else {"number": drawn, "seed": seed}
        summary |= {"total": every.total, **chance, "method": every.method}
    echo(json.dumps({"summary": summary}) if report.as_json else all_solutions_in_words(every))
    if not every.complete:
        raise typer.Exit(EXIT_LIMIT)
