"""Counts by listing, and by a sweep in turn where listing takes long.

How large a frontier becomes is not known beforehand if parts have items. So once an enumeration is seen to take long,
it is left, and the frontier gets a small share of the time that the enumeration seems to need. If that does not
suffice, the enumeration begins again. It is left only while it has done so little that this loses hardly anything.
"""

from __future__ import annotations

import math
import time
from typing import Any

from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.counter import CountTask
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits, OnProgress, Pieces, Progress
from latcover.core.cover.searchable import Searchable
from latcover.core.cover.solver_registry import counter
from latcover.core.solving.run import run
from latcover.core.solving.unlisted_count import count_without_list
from latcover.errors import UnsupportedError

SWEEP = "frontier"
BEFORE_A_TURN = 1.0  # seconds of enumeration before the frontier is tried
LONG = 60.0  # the least remaining time for such a turn, in seconds
SHARE = 0.05  # of the expected time of the enumeration: what all turns may take, and what may be done again


def count_by_turns(prepared: Searchable[Any], solver: Backend, task: CountTask) -> SearchResult:
    """List the solutions, or count them by the frontier if that ends sooner.

    Args:
        solver: Lists them.
        task: The count of the problem of *prepared*; its budget is for the frontier.
    """
    pieces, began, taken = Pieces(task.on_progress), time.perf_counter(), 0.0
    fails = False

    def left(most: float = math.inf) -> Limits:
        spent = time.perf_counter() - began
        rest = min(most, math.inf if task.limits.seconds is None else max(0.0, task.limits.seconds - spent))
        return Limits(seconds=None if rest == math.inf else rest)

    while True:
        watch = _Watch(task.problem, taken, pieces.next(), may_sweep=not fails)
        found = run(prepared, solver, left(), on_progress=watch.report)
        if watch.turn is None:
            return found
        turn = replace(task, limits=left(watch.turn), on_progress=watch.while_waiting)
        try:
            swept = count_without_list(prepared, counter(SWEEP), turn)
        except UnsupportedError:
            fails = True
        else:
            if swept.complete:
                return swept
            if swept.stop is Stop.CANCELLED:
                return found
        if left().seconds == 0:
            return replace(found, stop=Stop.TIME_LIMIT)
        taken += watch.turn


class _Watch:
    """Watches an enumeration, and ends it when the frontier is to have a turn.

    Attributes:
        turn: How many seconds the frontier may take; None if the enumeration was not left for it.
    """

    def __init__(self, problem: CoverProblem, taken: float, on_progress: OnProgress, *, may_sweep: bool) -> None:
        """*taken*: the seconds of all turns before."""
        self.turn: float | None = None
        self._problem, self._taken, self._on_progress, self._may_sweep = problem, taken, on_progress, may_sweep
        self._last = Progress(None, None, 0, 0.0)

    def report(self, progress: Progress) -> bool:
        """Forward a report of the enumeration. False ends it."""
        self._last = progress
        goes_on = self._on_progress(progress)
        left = progress.left or 0.0
        if not goes_on or left < LONG or not BEFORE_A_TURN <= progress.seconds <= SHARE * left:
            return goes_on
        turn = SHARE * left - self._taken
        if turn < self._taken or not self._can_sweep():  # each turn takes longer than all before it
            return True
        self.turn = turn
        return False

    def while_waiting(self, _: Progress) -> bool:
        """What the caller sees while the frontier has its turn: the enumeration as it was left."""
        return self._on_progress(self._last)

    def _can_sweep(self) -> bool:
        return self._may_sweep and not self._problem.has_colours and not counter(SWEEP).why_not(self._problem)
