"""A count that chooses its method: the frontier and an enumeration take turns, and the first that ends wins.

An enumeration begins, and after its first branches the frontier. From then on, the one that seems to have less work
left goes on; when it has done some more, they are compared again. Neither falls behind a thirty-second of the other's
work, so an error of what they expect costs little. Both go on where they paused: nothing is done twice. Work is counted
in branches and states, never in seconds, so load changes nothing.

If the frontier fails, the other methods have turns of doubling length in the pauses of the enumeration. Dominoes on a
wide board are counted by a determinant.
"""

from __future__ import annotations

import math
import time

import numpy as np
from msgspec.structs import replace

from latcover.backends.bitset import Bitset, EnumerationCounter, MemoCounter, Pauses
from latcover.backends.components import ComponentCounter
from latcover.backends.frontier import WORK_OF_A_BRANCH, FrontierCounter, FrontierSearch, Orders, orders_of
from latcover.backends.kasteleyn import MatchingCounter
from latcover.backends.kasteleyn import is_installed as kasteleyn_is_installed
from latcover.backends.matching_graph import graph_of, is_surely_not_planar
from latcover.core.cover.counter import Counter, CountTask
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.search import Limits, Progress
from latcover.errors import BackendUnavailableError, UnsupportedError

FIRST_BRANCHES = 4000  # of the enumeration, before its first pause
WORK_OF_AN_ITEM = 0.5  # of a frontier: of many items that a branch looks at, each takes as long
DOUBT = 3  # times as much as it seems has the frontier left: its states grow faster than they did
WORTH_ORDERS = 4  # times the work of finding orders must the enumeration have left, before they are found
FIRST_WORK = 1 << 17  # of the frontier, before it is judged
MORE = 0.25  # of its work: what a method does more before they are compared again
LEAST_SHARE = 1 / 32  # of the other's work
QUICK_WIDTH = 18  # up to this width a frontier counts faster than the libraries for determinants load
BRANCHES_OF_LIBRARIES = 1 << 22  # that take as long as these libraries load
FIRST_TURN = 1 << 20  # branches that take as long as the first turn of each other method, when the frontier has failed
OTHERS: tuple[type[Counter], ...] = (ComponentCounter, MemoCounter)


def branches_of_orders(problem: CoverProblem) -> int:
    """About the branches that take as long as the orders of the items for the frontier (measured)."""
    n = problem.n_items
    return FIRST_BRANCHES + 8 * len(problem.option_items) + n * n * -(-n // 64) * 3 // 2


class CountingRace:
    """One count. The covers that the enumeration has met are a lower bound.

    Only one method that needs memory runs at a time.
    """

    def __init__(self, task: CountTask) -> None:
        self._task, self._problem = replace(task, on_progress=self._watch), task.problem
        self._on_progress = task.on_progress
        self._start = time.perf_counter()
        self._done: SearchResult | None = None
        self._stop: Stop | None = None  # why another method than the enumeration was cut short
        self._frontier: _FrontierInTurn | None = None
        self._note = ""  # why the frontier has failed
        self._budget = 0  # branches: of the next turn of the others

    def result(self) -> SearchResult:
        """Count."""
        pauses = Pauses(FIRST_BRANCHES, self._pause)
        try:
            found = EnumerationCounter().count(replace(self._task, limits=self._left()), pauses)
        finally:
            self._frontier = None  # its states take memory
        if self._done is not None:
            return self._done
        notes = (*found.notes, self._note) if self._note else found.notes
        if found.complete:
            return replace(found, notes=notes)
        return SearchResult(self._stop or found.stop, SearchFigures(found.covers, None, None), Bitset.name, notes)

    def _left(self, branches: int | None = None) -> Limits:
        most = self._task.limits.seconds
        seconds = None if most is None else max(0.0, most - (time.perf_counter() - self._start))
        return Limits(branches=branches, seconds=seconds)

    def _watch(self, progress: Progress) -> bool:
        goes_on = self._on_progress is None or self._on_progress(progress)
        if not goes_on:
            self._stop = Stop.CANCELLED
        return goes_on

    def _pause(self, branches: int, _: int, share: float) -> int:
        """What is done while the enumeration pauses. Returns the branches at its next pause, or 0 if it is to end."""
        left = branches / share - branches if share > 0 else math.inf
        try:
            following = self._others(branches) if self._note else self._by_turns(branches, left)
        except UnsupportedError as fault:
            seconds = time.perf_counter() - self._start
            self._note = f"counted in another way after {seconds:.1f} s: {fault}"
            self._frontier = None  # its states take memory
            following = self._others(branches)
        return 0 if self._done or self._stop else following

    def _by_turns(self, branches: int, left: float) -> int:
        """Let the frontier go on as long as it is its turn; *left*: the branches that the enumeration seems to need."""
        following = branches + max(FIRST_BRANCHES, int(MORE * branches))
        if self._frontier is None:
            if left < WORTH_ORDERS * branches_of_orders(self._problem):
                return following
            orders = orders_of(self._problem)
            self._done = self._by_determinant(orders.width, left)
            if self._done is not None:
                return 0
            self._frontier = _FrontierInTurn(replace(self._task, limits=self._left()), orders)
        frontier = self._frontier
        while frontier.left < left or frontier.done < LEAST_SHARE * branches:
            if branches < LEAST_SHARE * frontier.done:
                return max(following, int(2 * LEAST_SHARE * frontier.done))
            found = frontier.go_on(self._left())
            if found.stop is not Stop.BRANCH_LIMIT:
                self._end(found)
                break
        return following

    def _end(self, found: SearchResult) -> None:
        """A method has counted all, or was cut short."""
        if found.complete:
            self._done = found
        else:
            self._stop = found.stop

    def _by_determinant(self, width: int, left: float) -> SearchResult | None:
        pairs = int(np.diff(self._problem.option_starts).max(initial=0)) <= 2
        if width <= QUICK_WIDTH or left < BRANCHES_OF_LIBRARIES or not pairs or not kasteleyn_is_installed():
            return None
        if self._problem.has_colours or is_surely_not_planar(self._problem):
            return None
        try:
            graph_of(self._problem)
            return MatchingCounter().count(replace(self._task, limits=self._left()))
        except (UnsupportedError, BackendUnavailableError):
            return None

    def _others(self, branches: int) -> int:
        """Let the other methods try in as much work as was done. Each turn is twice as long as the one before."""
        self._budget = max(2 * self._budget, branches, FIRST_TURN)
        for counter in OTHERS:
            if self._problem.has_colours and not counter().honours_colours:
                continue
            try:
                found = counter().count(replace(self._task, limits=self._left(self._budget)))
            except UnsupportedError:
                continue
            if found.stop is not Stop.BRANCH_LIMIT:
                self._end(replace(found, notes=(*found.notes, self._note)))
                break
        return branches + self._budget


class _FrontierInTurn:
    """A frontier that pauses, and its work in branches of an enumeration: done, and still to do as far as it seems."""

    def __init__(self, task: CountTask, orders: Orders) -> None:
        self._search = FrontierSearch(task, orders)
        words_of_a_state = 1 if orders.width <= 64 else 2 if orders.width <= 128 else 4
        self._branches_of_work = words_of_a_state / max(WORK_OF_A_BRANCH, WORK_OF_AN_ITEM * task.problem.n_items)
        self._work = 0
        self.done, self.left = 0.0, 0.0

    def go_on(self, limits: Limits) -> SearchResult:
        """Do some more work."""
        found = self._search.count(limits, self._work + max(FIRST_WORK, MORE * self._work))
        self._work = found.work
        self.done = self._branches_of_work * found.work
        self.left = DOUBT * self._branches_of_work * found.left
        return FrontierCounter().result_of(found)
