"""`latcover solve --best`: the best solutions, each with its value, and what is proved of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, get_args

from latcover.cli.shared.answers import EXIT_LIMIT, solution_printer
from latcover.cli.shared.output import echo, say
from latcover.cli.shared.progress import watched, watcher
from latcover.errors import UnsupportedError

if TYPE_CHECKING:
    from latcover.cli.shared.options import ReportOptions
    from latcover.cover.searchable import Searchable
    from latcover.solving.best import BestRequest, ValuedSolution


def sense_of(given: tuple[str, str]) -> dict[str, Any]:
    """What the two words of --best ask for.

    Raises:
        UnsupportedError: the first is neither minimize nor maximize.
    """
    from latcover.solving.best import Sense

    sense, objective = given
    if sense not in get_args(Sense):
        raise UnsupportedError(f"--best takes minimize or maximize, and then what: --best minimize {objective}")
    return {"sense": sense, "objective": objective}


def find_best(prepared: Searchable[Any], request: BestRequest, report: ReportOptions, *, color: bool | None) -> int:
    """Find the best solutions, show them, and return the exit code."""
    from latcover.reporting.best import best_as_json, best_as_text
    from latcover.solving.best import best

    shown = watcher(report)
    show = solution_printer(shown, images=False, color=color, as_json=report.as_json)

    def show_better(better: ValuedSolution) -> None:
        say(f"so far: {better.text}", report)

    with watched(shown, show_better=show_better) as events:
        result = best(prepared, request, events)
        events.ended(result.search)
    for one in result.solutions:
        if report.as_json:
            echo(json.dumps(one.as_json()))
        else:
            echo(one.text)
            show(one.solution)
    echo(json.dumps({"summary": best_as_json(request, result)}) if report.as_json else best_as_text(request, result))
    return 0 if result.proved else EXIT_LIMIT
