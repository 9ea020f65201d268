"""Counts by listing, and by a sweep in turn where listing takes long.

How large a frontier becomes is not known beforehand if parts have items. So when an enumeration reports that it has
very many branches left, the frontier has a turn within that report: a small share of that work. If the turn does not
suffice, the enumeration goes on where it was.
"""

from __future__ import annotations

import time
from typing import Any

from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.counter import CountTask
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits, Progress
from latcover.core.cover.searchable import Searchable
from latcover.core.cover.solver_registry import counter
from latcover.core.solving.run import run
from latcover.core.solving.unlisted_count import count_without_list
from latcover.errors import UnsupportedError

SWEEP = "frontier"
BEFORE_A_TURN = 1 << 25  # branches before the frontier is tried; they take about a second
LONG = 1 << 31  # the least branches left for such a turn
SHARE = 0.05  # of the branches left: what all turns may take


def count_by_turns(prepared: Searchable[Any], solver: Backend, task: CountTask) -> SearchResult:
    """List the solutions, or count them by the frontier if that ends sooner.

    Args:
        solver: Lists them.
        task: The count of the problem of *prepared*; its budget is for the frontier.
    """
    sweep = _SweepInTurn(prepared, task)
    listed = run(prepared, solver, task.limits, on_progress=sweep.report)
    return sweep.found or listed


class _SweepInTurn:
    """Watches an enumeration, and lets the frontier have its turns.

    Attributes:
        found: What the frontier has found, if it came to an end.
    """

    def __init__(self, prepared: Searchable[Any], task: CountTask) -> None:
        self.found: SearchResult | None = None
        self._prepared, self._task, self._began = prepared, task, time.perf_counter()
        self._taken = 0  # by all turns, as branches
        self._fails = False

    def report(self, progress: Progress) -> bool:
        """Forward a report of the enumeration. False ends it."""
        if self._task.on_progress is not None and not self._task.on_progress(progress):
            return False
        turn = self.turn(progress)
        return not turn or self._sweep(turn, progress)

    def turn(self, progress: Progress) -> int:
        """The branches that take as long as a turn that is due now; 0 if none is."""
        if self._fails or not progress.share or progress.branches is None or progress.branches < BEFORE_A_TURN:
            return 0
        left = progress.branches * (1 - progress.share) / progress.share
        turn = int(SHARE * left) - self._taken
        return turn if left >= LONG and turn > self._taken else 0  # each takes longer than all before it

    def _sweep(self, branches: int, progress: Progress) -> bool:
        """Let the frontier count. Returns whether the enumeration is to go on."""
        self._taken += branches
        most = self._task.limits.seconds
        seconds = None if most is None else max(0.0, most - (time.perf_counter() - self._began))
        each = branches // (self._prepared.acting if self._prepared.tests_pending else 1)
        on_progress = self._task.on_progress and (lambda _: self._waits(progress))
        try:
            sweep = counter(SWEEP)
            if why_not := sweep.why_not(self._task.problem):
                raise UnsupportedError(why_not)
            turn = replace(self._task, limits=Limits(branches=each, seconds=seconds), on_progress=on_progress)
            swept = count_without_list(self._prepared, sweep, turn)
        except UnsupportedError:
            self._fails = True
            return True
        if swept.complete:
            self.found = swept
        return swept.stop in (Stop.BRANCH_LIMIT, Stop.TIME_LIMIT)

    def _waits(self, progress: Progress) -> bool:
        """What the caller sees meanwhile: the enumeration as it was left."""
        return self._task.on_progress is None or self._task.on_progress(progress)
