"""What `solve`, `count` and `show` do with a puzzle that has goals, if none of them is chosen."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from latcover.apps.cli.shared.options import InputOptions, ReportOptions, RunOptions
from latcover.apps.cli.shared.output import echo, echo_answer, is_terminal
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT, EXIT_SATISFIABLE, EXIT_UNSATISFIABLE, SolutionPrinter
from latcover.apps.cli.shared.progress import Watcher, watched, watcher
from latcover.apps.cli.shared.screenful import ScreenOfLines
from latcover.errors import UnsupportedError, escaped

if TYPE_CHECKING:
    from latcover.core.model.goals import Goals
    from latcover.core.model.solution import Solution
    from latcover.core.solving.count import CountRequest
    from latcover.core.solving.goals_result import GoalsResult
    from latcover.core.solving.solve import SolveRequest


def require_no_run(run: RunOptions) -> None:
    """Refuse a run in a file, which keeps the search of one puzzle.

    Raises:
        UnsupportedError: there is one.
    """
    if run.in_jobs:
        option = "--run" if run.run is not None else "--cluster"
        raise UnsupportedError(f"{option} is about the search of one puzzle; choose a goal with --goal NAME")


def count_all(goals: Goals, request: CountRequest, inputs: InputOptions, report: ReportOptions, *, sat: bool) -> int:
    """Count the solutions of each goal, print a table and the sum; return the exit code."""
    from latcover.core.solving.many_goals import count_goals
    from latcover.show.reporting.goals_report import goal_as_json, goals_table

    shown = watcher(report, covers="solutions")
    with watched(shown) as events:
        found = count_goals(goals, request, events, bounds=inputs.bounds())
        _end(shown, found)
    if report.as_json:
        for goal, result in zip(found.goals, found.results, strict=True):
            echo(json.dumps(goal_as_json(goal, result)))
    else:
        head, rows = goals_table(found)
        lines = ScreenOfLines(echo, every=False, besides=len(found.lines()) + 1)
        lines(head)
        for row in rows:
            lines(row)
        lines.end("`| less` shows them")
    return _sum(found, report, sat=sat)


def solve_all(
    goals: Goals,
    request: SolveRequest,
    inputs: InputOptions,
    report: ReportOptions,
    *,
    color: bool | None,
    every: bool,
    sat: bool,
) -> int:
    """Show solutions of each goal, one unless the request has another limit; return the exit code."""
    from msgspec.structs import replace

    from latcover.core.solving.many_goals import solve_goals

    request = replace(request, limit=1 if request.limit is None else request.limit)
    shown = watcher(report, covers="solutions")
    printer = SolutionPrinter(
        shown, images=request.images, color=color, as_json=report.as_json, every=every, held=True, named=True
    )
    if not report.as_json:
        echo(escaped(f"{goals.name}: {goals.title}\n" if goals.title else f"{goals.name}\n"))
    with watched(shown, printer) as events:
        found = solve_goals(goals, request, events, bounds=inputs.bounds())
        _end(shown, found)
    printer.end()
    return _sum(found, report, sat=sat)


def _end(shown: Watcher, found: GoalsResult) -> None:
    from latcover.core.cover.search import Progress

    covers = sum(result.covers for result in found.results)
    shown.end(Progress(1.0 if found.complete else None, found.branches, covers, found.seconds))


def _sum(found: GoalsResult, report: ReportOptions, *, sat: bool) -> int:
    """Print the sum of all goals; return the exit code."""
    from latcover.show.reporting.goals_report import goals_as_text

    if report.as_json:
        echo(json.dumps({"summary": found.as_json()}))
    else:
        if is_terminal(sys.stdout):
            echo("")
        echo_answer(goals_as_text(found))
    if not found.complete:
        return EXIT_LIMIT
    if sat:
        return EXIT_SATISFIABLE if found.solved == len(found) else EXIT_UNSATISFIABLE
    return 0


def counted_goals(goals: Goals, inputs: InputOptions, report: ReportOptions) -> GoalsResult:
    """The solutions of each goal."""
    from latcover.core.solving.many_goals import count_goals

    with watched(watcher(report, covers="solutions")) as events:
        return count_goals(goals, events=events, bounds=inputs.bounds())


def one_of_each(goals: Goals, inputs: InputOptions, report: ReportOptions) -> tuple[dict[str, Solution], GoalsResult]:
    """A solution of each goal that has one, by the goals' names; and what is known of all."""
    from latcover.core.solving.many_goals import solve_goals

    found: dict[str, Solution] = {}

    def take(solution: Solution) -> None:
        assert solution.puzzle is not None
        found[solution.puzzle.name.removeprefix(f"{goals.name}:")] = solution

    with watched(watcher(report, covers="solutions"), take) as events:
        result = solve_goals(goals, events=events, bounds=inputs.bounds())
    return found, result
