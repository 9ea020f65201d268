"""What `design sets` and `design cut` do with a puzzle that has goals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from latcover.apps.cli.shared.options import ReportOptions
from latcover.apps.cli.shared.output import echo_result, folder_for, write_new_file
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT
from latcover.apps.cli.shared.progress import watched, watcher
from latcover.errors import UnsupportedError
from latcover.system.files import plain_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from latcover.core.cover.events import Events
    from latcover.core.model.goals import Goals
    from latcover.core.model.puzzle import Bounds
    from latcover.lab.designing.goal_search import GoalDesign, GoalDesignRequest, GoalDesigns

    Find = Callable[[Goals, GoalDesignRequest, Events, Bounds], GoalDesigns]

HONOURED = {"--each", "--parts", "--output", "--seed", "--samples", "--walks", "--limit", "--time"}


def require_honoured(given: list[str]) -> None:
    """Refuse options that a search for many goals does not have.

    Raises:
        UnsupportedError: one of those *given*.
    """
    if unfit := [option for option in given if option not in HONOURED]:
        raise UnsupportedError(
            f"{', '.join(unfit)}: not known of designs for many goals, whose aim is --each; leave that out"
        )


def design_all(
    goals: Goals,
    name: str,
    request: GoalDesignRequest,
    find: Find,
    output: Path | None,
    bounds: Bounds,
    report: ReportOptions,
) -> int:
    """Find parts for all goals, show them, and write their files; return the exit code."""
    from latcover.files.formats.puzzle_files.puzzle_writer import goals_as_toml
    from latcover.show.reporting.design_report import goal_design_as_line, goal_designs_as_text

    folder_for(output)
    shown, number = watcher(report, covers="designs"), 0

    def show(design: GoalDesign) -> None:
        nonlocal number
        number += 1
        data, line = design.as_json(), goal_design_as_line(design)
        if output is not None:
            path = output / f"{plain_name(Path(name).stem, 'design')}-{number}.toml"
            path = write_new_file(path, goals_as_toml(design.goals), None)
            data["file"] = str(path)
            line += f"; {path}"
        shown.write(json.dumps(data) if report.as_json else line)

    with watched(shown, show) as events:
        found = find(goals, request, events, bounds)
    text = goal_designs_as_text(found, request)
    echo_result({"summary": found.as_json()}, text, as_json=report.as_json, answer=True)
    enough = found.complete or (bool(found.designs) and len(found.designs) == request.limit)
    return 0 if enough else EXIT_LIMIT
