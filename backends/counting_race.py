"""A count that chooses its method: the frontier and an enumeration take turns, and the first that ends wins.

First comes a short enumeration. Then the frontier counts for a part of the time that the whole enumeration should take,
which is estimated by probes. Then the enumeration starts again, unless the frontier surely ends sooner. If it takes
four times as long as expected, that becomes the new expectation, and the frontier continues. If the frontier fails, the
other methods take turns of doubling length. Dominoes on a wide board are counted by a determinant.
"""

from __future__ import annotations

import math
import time

import numpy as np
from msgspec.structs import replace

from latcover.backends.bitset import Bitset, EnumerationCounter, MemoCounter
from latcover.backends.components import ComponentCounter
from latcover.backends.frontier import FrontierCounter, WorkReports, orders_of
from latcover.backends.kasteleyn import MatchingCounter
from latcover.backends.kasteleyn import is_installed as kasteleyn_is_installed
from latcover.backends.matching_graph import graph_of
from latcover.backends.probing import Sampling, probe
from latcover.core.cover.counter import Counter, CountTask
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.search import Limits, Progress
from latcover.errors import BackendUnavailableError, UnsupportedError

FIRST_BRANCHES = 10_000  # of an enumeration; they take about as long as an order for the frontier
PROBES, MOST_PROBES = 16, 256  # of the tree of the enumeration
BRANCHES_OF_A_PROBE = 10_000  # that are expected, for each probe: probes take a small share of the time
WORK_OF_A_BRANCH = 24  # of a frontier of one word: takes as long as a branch of the enumeration
# Of the expected time of the enumeration: so long the frontier counts before it is judged, and at most.
FIRST_LOOK, PATIENCE = 0.1, 0.45
MARGIN = 4  # how many times the expected branches an enumeration may take
QUICK_WIDTH = 18  # up to this width a frontier counts faster than the libraries for determinants load
FIRST_TURN = 0.5  # seconds of each method, when the frontier has failed


def expected_branches(problem: CoverProblem, limits: Limits = Limits(), probes: int = PROBES) -> float:
    """The expected branches of an enumeration: the mean of a few probes, the same in every run.

    Infinite if the time limit ends the probes.
    """
    most = math.inf if limits.seconds is None else limits.seconds
    found = probe(problem, Bitset().tree(problem), Sampling(probes=probes), lambda *figures: figures[-1] < most)
    with np.errstate(over="ignore"):
        return float(np.exp(found.log_branches).mean()) if found.stop is Stop.EXHAUSTED else math.inf


def _work_of_a_branch(width: int) -> float:
    """The work of a frontier that takes as long as a branch of the enumeration; a state has one, two or four words."""
    return WORK_OF_A_BRANCH / (1 if width <= 64 else 2 if width <= 128 else 4)


def _most_work(problem: CoverProblem, width: int) -> float:
    """About the most work that a frontier can take: every option meets every state, and they are merged."""
    return 2.0**width * problem.n_options * max(4.0, math.log2(problem.n_options + 1))


class CountingRace:
    """One count. The covers that the enumeration has met are a lower bound.

    Only one method that needs memory runs at a time.
    """

    def __init__(self, task: CountTask) -> None:
        self._task, self._problem = task, task.problem
        self._enumeration: Counter = EnumerationCounter()
        self._start = time.perf_counter()
        self._done: SearchResult | None = None
        self._at_least = 0
        self._expected = 0.0  # branches of the enumeration
        self._work_of_a_branch = self._most_work = 0.0  # of the frontier
        self._until: float | None = None  # this work it counts without being judged; None before the first look
        self._cancelled = False

    def result(self) -> SearchResult:
        """Count."""
        if (found := self._try(self._enumeration, Limits(branches=FIRST_BRANCHES))) is not None:
            return found
        if self._is_over():
            return self._cut()
        orders = orders_of(self._problem)
        if (found := self._by_determinant(orders.width)) is not None:
            return found
        self._work_of_a_branch = _work_of_a_branch(orders.width)
        self._most_work = _most_work(self._problem, orders.width)
        self._expected = expected_branches(self._problem, self._left())
        reports = WorkReports(self._as_work(FIRST_LOOK), self._after_work)
        try:
            found = FrontierCounter().count(replace(self._task, limits=self._left()), orders, reports)
        except UnsupportedError as fault:
            return self._in_turn(str(fault))
        return self._done or (found if found.complete else found.with_figures(covers=self._at_least))

    def _left(self) -> Limits:
        most = self._task.limits.seconds
        return Limits(seconds=None if most is None else max(0.0, most - (time.perf_counter() - self._start)))

    def _is_over(self) -> bool:
        return self._cancelled or self._left().seconds == 0

    def _by_determinant(self, width: int) -> SearchResult | None:
        pairs = int(np.diff(self._problem.option_starts).max(initial=0)) <= 2
        if width <= QUICK_WIDTH or not pairs or not kasteleyn_is_installed():
            return None
        try:
            graph_of(self._problem)
            return MatchingCounter().count(replace(self._task, limits=self._left()))
        except (UnsupportedError, BackendUnavailableError):
            return None

    def _as_work(self, share: float) -> float:
        """A share of the time that is expected of the enumeration, as work of the frontier."""
        return share * self._work_of_a_branch * self._expected

    def _after_work(self, work: int, share: float) -> bool:
        """Try the enumeration if its turn has come. Returns whether the frontier should continue."""
        if work < (self._as_work(FIRST_LOOK) if self._until is None else self._until):
            return True
        if self._until is None:
            self._probe_more()
        self._until = 2 * work
        if work < self._as_work(PATIENCE) and work <= self._as_work(share):  # at this pace it ends earlier
            return True
        expected = max(FIRST_BRANCHES, MARGIN * self._expected)
        if self._most_work < self._work_of_a_branch * expected:  # the rest of the frontier takes less than this try
            return True
        self._expected = expected
        self._until = max(2 * work, self._as_work(PATIENCE))
        found = self._try(self._enumeration, Limits(branches=math.ceil(self._expected)))
        return found is None and not self._cancelled

    def _probe_more(self) -> None:
        """Estimate the branches of a large tree again, by as many probes as take a small share of its time."""
        probes = min(MOST_PROBES, self._expected / BRANCHES_OF_A_PROBE)
        if probes > PROBES:
            self._expected = expected_branches(self._problem, self._left(), int(probes))

    def _in_turn(self, reason: str) -> SearchResult:
        """Count by the remaining methods after the frontier has failed, in turns of doubling length."""
        seconds = time.perf_counter() - self._start
        note = f"counted in another way after {seconds:.1f} s: {reason}"
        seconds = max(FIRST_TURN, seconds)
        while True:
            for counter in (ComponentCounter(), MemoCounter(), self._enumeration):
                if (found := self._try(counter, Limits(seconds=seconds))) is not None:
                    return replace(found, notes=(*found.notes, note))
                if self._is_over():
                    return self._cut(note)
            seconds *= 2

    def _try(self, counter: Counter, budget: Limits) -> SearchResult | None:
        """The result of a method if it is complete within a budget; otherwise its lower bound is kept."""
        left = self._left().seconds
        if left is not None:
            budget = replace(budget, seconds=left if budget.seconds is None else min(left, budget.seconds))
        try:
            found = counter.count(replace(self._task, limits=budget, on_progress=self._watch))
        except UnsupportedError:
            return None
        if found.complete:
            self._done = found
        else:
            self._at_least = max(self._at_least, found.covers)
        return self._done

    def _watch(self, progress: Progress) -> bool:
        on_progress = self._task.on_progress
        self._cancelled = on_progress is not None and not on_progress(progress)
        return not self._cancelled

    def _cut(self, *notes: str) -> SearchResult:
        stop = Stop.CANCELLED if self._cancelled else Stop.TIME_LIMIT
        return SearchResult(stop, SearchFigures(self._at_least, None, None), Bitset.name, notes)
