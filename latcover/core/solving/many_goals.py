"""Solves and counts all goals of a board.

There are two ways. Goal by goal: the placements of the board are found once, and each goal searches its own of them.
Together: one search finds the solutions of all goals, and tells them apart by the cells that they leave open and by
their parts. Which way takes less work depends on the board, so that a sample of goals is counted first: the search for
all may then take as many branches as all goals would take by themselves.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, cast

import numpy as np
from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Batch, Limits, OnProgress, Progress
from latcover.core.cover.searchable import Searchable
from latcover.core.cover.solver_registry import ENUMERATION
from latcover.core.encoding.goal_placements import GoalPlacements
from latcover.core.encoding.goals_together import GoalsTogether, why_not_together
from latcover.core.encoding.prepared import Prepared
from latcover.core.model.goals import Goals
from latcover.core.model.puzzle import Bounds
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.core.solving.collector import Collector
from latcover.core.solving.count import CountRequest, count_prepared
from latcover.core.solving.forestall import forestalled
from latcover.core.solving.goals_result import GoalsResult, Way
from latcover.core.solving.run import for_users, run
from latcover.core.solving.search_request import SearchRequest, library
from latcover.core.solving.solve import SolveRequest
from latcover.errors import InternalError, UnsupportedError

TOGETHER = "together"  # as a method of counting
NO_DIGEST = SearchResult(Stop.EXHAUSTED).digest  # nobody lists the solutions of one goal
FEW = 16  # goals that are counted one by one without a sample
SAMPLE = 8  # goals that are counted to predict the work of all
BRANCHES_OF_SETUP = 50_000  # that take as long as making a goal ready


def count_goals(
    goals: Goals | str | Path,
    request: CountRequest = CountRequest(),
    events: Events = SILENT,
    *,
    bounds: Bounds | None = None,
) -> GoalsResult:
    """Count the solutions of each goal.

    Args:
        goals: The goals, or the name or the path of a puzzle file that has some.
        request: The encoding, the backend and the limits: seconds are those of all goals, solutions and branches those
            of each. The method "together" counts all goals in one search, and "auto" does where that is less work.
        events: Receives the progress.
        bounds: How much the puzzle may ask for.

    Raises:
        PuzzleError: the board contradicts itself, or asks for too much.
        UnsupportedError: the method or the backend cannot count these goals.
    """
    return _Counting(goals, request, events, bounds).result()


def solve_goals(
    goals: Goals | str | Path,
    request: SolveRequest = SolveRequest(limit=1),
    events: Events = SILENT,
    *,
    bounds: Bounds | None = None,
) -> GoalsResult:
    """Find solutions of each goal; ``events.on_solution`` receives each, verified, with the goal as its puzzle.

    Args:
        goals, events, bounds: As for `count_goals`.
        request: The limit is that of each goal: by default one solution. None finds all.

    Raises:
        PuzzleError, UnsupportedError: as `solve`.
    """
    return _Solving(goals, request, events, bounds).result()


class _GoalByGoal:
    """Searches the goals of a board, one after the other."""

    way: Way = "one by one"

    def __init__(
        self, goals: Goals | str | Path, request: SearchRequest, events: Events, bounds: Bounds | None
    ) -> None:
        self.begun = time.perf_counter()
        self.request, self.events = request, events
        self.solver: Backend = request.solver()
        found = library().goals_called(goals, bounds)
        events.on_stage("placing the parts")
        self.shared = GoalPlacements(found, request.choices, bounds)
        self.goals = found.goals
        self.results: dict[int, SearchResult] = {}
        self.stop: Stop | None = None
        self.branches: int | None = 0
        events.on_stage("searching")

    def result(self) -> GoalsResult:
        """Search what was not searched yet, and sum up."""
        for number in range(len(self.goals)):
            if number not in self.results:
                self.search(number)
        results = tuple(self.results[number] for number in range(len(self.goals)))
        partial = next((each.stop for each in results if not self.is_answered(each)), Stop.EXHAUSTED)
        return GoalsResult(
            puzzle=self.shared.goals.name,
            goals=tuple(goal.name for goal in self.goals),
            results=results,
            stop=self.stop or partial,
            way=self.way,
            branches=self.branches,
            seconds=time.perf_counter() - self.begun,
        )

    def search(self, number: int) -> None:
        """Search one goal, unless the time is up."""
        goal = self.goals[number]
        left = self.seconds_left()
        if left == 0:
            self.stop = self.stop or Stop.TIME_LIMIT
        if self.stop is not None:
            self.results[number] = replace(SearchResult(self.stop), puzzle=self.shared.goals.puzzle(goal).name)
            return
        ready = self.shared.prepared(goal)
        if cannot_fill(ready.puzzle):
            found = for_users(SearchResult(Stop.IMPOSSIBLE, method="argument"), ready, self.solver.name)
        else:
            limits = replace(self.request.limits, seconds=left)
            found = forestalled(
                ready,
                lambda on_progress: self.answer(ready, limits, on_progress),
                self._reporting(len(self.results)),
                anyway=self.request.anyway,
            )
        if found.stop in (Stop.TIME_LIMIT, Stop.CANCELLED):
            self.stop = found.stop
        if found.branches is None or self.branches is None:
            self.branches = None
        else:
            self.branches += found.branches
        self.results[number] = found
        self.report(Progress(0.0, None, 0, 0.0), len(self.results))

    def answer(self, ready: Prepared, limits: Limits, on_progress: OnProgress) -> SearchResult:
        """The result of a goal."""
        raise NotImplementedError

    def is_answered(self, found: SearchResult) -> bool:
        """Whether all that was asked of a goal is known."""
        return found.complete

    def seconds_left(self) -> float | None:
        """What is left of the time; None without a limit."""
        most = self.request.seconds
        return None if most is None else max(0.0, most - (time.perf_counter() - self.begun))

    def _reporting(self, done: int) -> OnProgress:
        return lambda progress: self.report(progress, done)

    def report(self, progress: Progress, done: int) -> bool:
        """Report how many goals are done, and the part of the next one; False stops the work."""
        share = (done + (progress.share or 0.0)) / len(self.goals)
        covers = sum(each.covers for each in self.results.values()) + progress.covers
        branches = None if self.branches is None else self.branches + (progress.branches or 0)
        going = self.events.on_progress(Progress(share, branches, covers, time.perf_counter() - self.begun))
        if not going:
            self.stop = Stop.CANCELLED
        return going


class _Solving(_GoalByGoal):
    def is_answered(self, found: SearchResult) -> bool:
        return found.complete or found.stop is Stop.SOLUTION_LIMIT

    def answer(self, ready: Prepared, limits: Limits, on_progress: OnProgress) -> SearchResult:
        request, events = cast(SolveRequest, self.request), self.events
        return run(
            ready,
            self.solver,
            limits,
            events.on_solution,
            images=request.images,
            on_progress=on_progress,
            on_batch_end=events.on_batch_end,
        )


class _Counting(_GoalByGoal):
    def __init__(self, goals: Goals | str | Path, request: CountRequest, events: Events, bounds: Bounds | None) -> None:
        self.method = request.method
        super().__init__(goals, request, events, bounds)

    def answer(self, ready: Prepared, limits: Limits, on_progress: OnProgress) -> SearchResult:
        request = cast(CountRequest, self.request)
        return count_prepared(ready, self.solver, limits, on_progress, method=self.method, budget=request.budget)

    def result(self) -> GoalsResult:
        if self.method == TOGETHER:
            if why_not := why_not_together(self.shared):
                raise UnsupportedError(f"the goals of {self.shared.goals.name} cannot be counted together: {why_not}")
            self._together(None)
        elif self.method == "auto" and self._may_be_together():
            branches = self._predicted()
            if branches is not None:
                self._together(branches)
        return super().result()

    def _may_be_together(self) -> bool:
        request = self.request
        limited = request.limit is not None or request.branches is not None
        return len(self.goals) >= FEW and not limited and not why_not_together(self.shared)

    def _predicted(self) -> int | None:
        """How much work all goals are by themselves, as branches; None if they are not searched by branches."""
        sample = np.unique(np.linspace(0, len(self.goals) - 1, SAMPLE).astype(int)).tolist()
        for number in sample:
            self.search(number)
        found = [self.results[number] for number in sample]
        if self.stop is not None or any(each.branches is None or each.method != ENUMERATION for each in found):
            return None
        mean = sum(each.branches or 0 for each in found) / len(found)
        return int((mean + BRANCHES_OF_SETUP) * len(self.goals))

    def _together(self, most: int | None) -> None:
        """Count all goals in one search, if that takes no more than *most* branches; None is no limit.

        A goal with symmetries of its own is counted by itself, and must have as many solutions in all.
        """
        together = GoalsTogether(self.shared)
        collector = _CountedTogether(together.prepared, together, len(self.goals))
        limits = Limits(branches=most, seconds=self.seconds_left())
        start = time.perf_counter()
        found = collector.search(self.solver, together.prepared.problem, limits, self.events.on_progress)
        if self.branches is not None:
            self.branches = None if found.branches is None else self.branches + found.branches
        if found.stop is Stop.BRANCH_LIMIT:
            return
        self.way = "together"
        if not found.complete:
            self.stop = found.stop
        each = found.with_figures(branches=None, search_seconds=(time.perf_counter() - start) / len(self.goals))
        for number in range(len(self.goals)):
            different, total = collector.of_goals[:, number].tolist()
            asked = together.counts_all and total and number not in self.results and self.stop is None
            if asked and self.shared.symmetries_of(self.goals[number]) > 1:
                self.method = "auto"
                self.search(number)
            known = self.results.get(number)
            if known is None:
                self.results[number] = self._one_of_all(number, together, each, different, total)
            elif known.complete and found.complete and known.total != total:
                raise InternalError(
                    f"{known.puzzle!r} has {known.total:,} solutions by itself, and {total:,} among those of all goals"
                )

    def _one_of_all(
        self, number: int, together: GoalsTogether, found: SearchResult, different: int, total: int
    ) -> SearchResult:
        """The result of a goal that *found*, a search for all goals, gives."""
        name, symmetry = f"{self.shared.goals.name}:{self.goals[number].name}", self.shared.choices.symmetry
        stop = found.stop
        if self.stop is not None and together.counts_all and total:  # nobody looked at the goal's symmetries
            different, stop = 1, self.stop
        method = TOGETHER if found.complete else ENUMERATION  # whose total is a lower bound
        found = found.with_figures(covers=total)
        found = replace(found, stop=stop, different=different, total=total, method=method, digest=NO_DIGEST)
        return replace(for_users(found, together.prepared, self.solver.name), puzzle=name, symmetry=symmetry)


class _CountedTogether(Collector):
    """Counts the covers of each goal.

    Attributes:
        of_goals: The different solutions of each goal, and all of them, shape (2, n_goals), int64.
    """

    def __init__(self, subject: Searchable[Any], together: GoalsTogether, n_goals: int) -> None:
        super().__init__(subject)
        self._together = together
        self.of_goals = np.zeros((2, n_goals), np.int64)

    def take(self, batch: Batch) -> bool:
        """Judge a batch, and count the covers of each goal."""
        start = time.perf_counter()
        kept = self.judge(batch)
        goals = self._together.goals_of(batch)[kept.rows]
        np.add.at(self.of_goals[0], goals, 1)
        np.add.at(self.of_goals[1], goals, kept.orbits[kept.rows])
        self.add(kept)
        self.seconds += time.perf_counter() - start
        return True
