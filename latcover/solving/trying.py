"""The counter that chooses a method: by probes of the search tree, and by trying."""

from __future__ import annotations

import math
import time
from dataclasses import replace

import numpy as np

from latcover.backends.bitset import Bitset
from latcover.backends.frontier import Narrow, narrow_order
from latcover.backends.kasteleyn import graph_of
from latcover.backends.kasteleyn import is_installed as kasteleyn_is_installed
from latcover.backends.probing import Sampling, probe
from latcover.cover.problem import CoverProblem
from latcover.cover.search import Limits, OnProgress, Progress, Stop
from latcover.errors import BackendUnavailableError, UnsupportedError
from latcover.solving.counters import (
    Counted,
    Counter,
    Method,
    by_components,
    by_enumeration,
    by_frontier,
    by_kasteleyn,
    by_memo,
)

# What is expected, in seconds of an ordinary machine. Seconds of the clock decide only what takes milliseconds.
STEP = 1e-9  # of the frontier, for each item or option and each set of open items that there might be
BRANCH = 3e-8  # of the enumeration, until it was measured
PROBES = 16  # of the tree of the enumeration: a tenth of a millisecond, and right within a factor of two or so
HOPELESS = 1e10  # branches by the first probe: the tree is deep, more probes would take long, and none says less
AT_ONCE = 5e-3  # a frontier that cannot take longer than that needs no probes

# When to try what.
MANY_ITEMS = 128  # beyond it, an order for the frontier takes longer than the first branches of an enumeration
FEW_BRANCHES = 10_000  # of that enumeration
QUICK_WIDTH = 18  # a frontier up to this width counts sooner than the libraries for determinants load
FIRST = 0.1  # an enumeration that is expected to take no longer comes before the frontier
HEAD = 0.25  # of what the enumeration is expected to take: so long may the frontier try to be faster
LEAST_HEAD = 5e-4  # seconds; a shorter try of the frontier is left out
MARGIN = 4  # an enumeration may take so many times what was expected
READY = 0.5  # beside the frontier: of what the enumeration is expected to take, when it is tried to its end
FIRST_TRY = 0.05  # seconds of the frontier before the others are tried; then whenever its time has doubled
SHARE_OF_A_TRY = 0.06  # of the time of the frontier so far, for each of the others
LEAST_TRIAL = 0.5  # seconds for each method, when the frontier has failed
SHARE_OF_A_TRIAL = 0.25  # of the time of the frontier


def by_trying(most_bytes: int, threads: int | None, *, tilings: bool) -> Counter:
    """A counter that chooses a method.

    A determinant comes first, where it is possible and likely to be faster. Then probes tell how many branches an
    enumeration would take. If they are few, it comes first, after a short try of the frontier. If they are many, or
    more than expected, the frontier counts, and stops now and then for a short try of the others; when it has taken
    half as long as the enumeration is expected to, that is tried to its end. If the frontier fails, each of the others
    is tried for the same time, and the one that gets furthest goes on to the end. What enumeration has met until the
    end is a lower bound.

    Args:
        most_bytes: The memory that each method may take; one runs at a time.
        threads: For enumeration.
        tilings: Whether the problem is of tilings, for which a memo without components pays.
    """

    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> Counted:
        return _Trying(problem, limits, on_progress, most_bytes, threads).count(tilings=tilings)

    return counter


def expected_branches(problem: CoverProblem) -> float:
    """How many branches an enumeration is likely to take: the mean of a few probes, always the same; inf if very many.

    A tree so deep that the probes take long is too large for an enumeration anyway, so they are given up.
    """
    expected = math.inf
    for probes in (1, PROBES):
        found = probe(problem, Bitset().tree(problem), Sampling(probes=probes), lambda *_: False)
        logs = found.log_branches
        if found.stop is not Stop.EXHAUSTED or not len(logs) or logs.max() > math.log(HOPELESS * PROBES):
            return math.inf
        expected = float(np.exp(logs).mean())
    return expected if expected < HOPELESS else math.inf


def most_seconds(problem: CoverProblem, width: int) -> float:
    """What a frontier takes if each set of its open items occurs; far less is usual, except for a narrow one."""
    return STEP * (problem.n_items + problem.n_options) * 2.0 ** min(width, 100)


class _Trying:
    def __init__(
        self,
        problem: CoverProblem,
        limits: Limits,
        on_progress: OnProgress | None,
        most_bytes: int,
        threads: int | None,
    ) -> None:
        self._problem, self._limits, self._on_progress = problem, limits, on_progress
        self._most_bytes, self._threads = most_bytes, threads
        self._start = time.perf_counter()
        self._done: Counted | None = None
        self._at_least = 0
        self._next_try = FIRST_TRY
        self._spent_aside = 0.0
        self._cancelled = False
        self._share = 0.0  # that the running method has reached
        self._branches = math.inf  # that an enumeration is expected to take
        self._each = BRANCH  # seconds

    def count(self, *, tilings: bool) -> Counted:
        if self._problem.n_items > MANY_ITEMS and (found := self._at_once()) is not None:
            return found
        narrow = narrow_order(self._problem)
        if (found := self._by_determinant(narrow[1])) is not None:
            return found
        if (found := self._by_what_is_quick(narrow)) is not None:
            return found
        frontier = by_frontier(self._most_bytes, narrow)
        try:
            found = frontier(self._problem, self._left(), self._beside_the_frontier)
        except UnsupportedError as fault:
            return self._after_the_frontier(str(fault), tilings=tilings)
        return self._done or replace(found, at_least=self._at_least if found.covers is None else 0)

    def _seconds(self) -> float:
        return time.perf_counter() - self._start

    def _left(self) -> Limits:
        most = self._limits.seconds
        return Limits(seconds=None if most is None else max(0.0, most - self._seconds()))

    def _at_once(self) -> Counted | None:
        """The count, if the tree of the enumeration is tiny."""
        found = self._try(by_enumeration(1), None, self._watch, FEW_BRANCHES)
        self._each = BRANCH  # so few branches measure the set-up
        return found or (self._cut() if self._cancelled else None)

    def _by_determinant(self, width: int) -> Counted | None:
        pairs = int(np.diff(self._problem.option_starts).max(initial=0)) <= 2
        if width <= QUICK_WIDTH or not pairs or not kasteleyn_is_installed():
            return None
        try:
            graph_of(self._problem)
            return by_kasteleyn(self._most_bytes)(self._problem, self._left(), self._on_progress)
        except (UnsupportedError, BackendUnavailableError):
            return None

    def _by_what_is_quick(self, narrow: Narrow) -> Counted | None:
        """The count, if the enumeration is short; None leaves it to the frontier."""
        most = most_seconds(self._problem, narrow[1])
        if most <= AT_ONCE:
            return None
        self._branches = expected_branches(self._problem)
        expected = self._expected()
        if expected > FIRST or expected >= most:
            return None
        if HEAD * expected >= LEAST_HEAD:
            frontier = by_frontier(self._most_bytes, narrow)
            if (found := self._try(frontier, HEAD * expected, self._watch)) is not None:
                return found
        if not self._is_over() and (found := self._enumerate()) is not None:
            return found
        return self._cut() if self._is_over() else None

    def _expected(self) -> float:
        """The seconds that an enumeration is expected to take."""
        return self._branches * self._each

    def _is_over(self) -> bool:
        return self._cancelled or self._left().seconds == 0

    def _enumerate(self) -> Counted | None:
        """Try the enumeration until it has taken much longer than expected; then as much again is expected."""
        most = max(1, math.ceil(MARGIN * self._branches))
        found = self._try(by_enumeration(self._threads), None, self._watch_to_the_end, most)
        self._branches = most
        return found

    def _beside_the_frontier(self, progress: Progress) -> bool:
        """Take a report of the frontier, perhaps for a try of the others. False ends the frontier."""
        if self._on_progress is not None and not self._on_progress(progress):
            return False
        alone = progress.seconds - self._spent_aside
        if alone < self._next_try:
            return True
        self._next_try = 2 * alone
        start = time.perf_counter()
        going = self._tried_beside(alone)
        self._spent_aside += time.perf_counter() - start
        return going

    def _tried_beside(self, alone: float) -> bool:
        """Try the others, when the frontier has taken so many seconds. Returns whether the frontier should go on."""
        if READY * self._expected() <= alone:
            return self._enumerate() is None and not self._cancelled
        for counter in (by_components(self._most_bytes), by_enumeration(1)):
            if self._try(counter, SHARE_OF_A_TRY * alone, self._watch) is not None or self._cancelled:
                return False
        return True

    def _try(
        self, counter: Counter, seconds: float | None, watch: OnProgress, branches: int | None = None
    ) -> Counted | None:
        """What a method finds within so many seconds, if it counts all; what it met otherwise is kept."""
        self._share = 0.0
        left = self._left()
        if seconds is not None:
            left = Limits(seconds=seconds if left.seconds is None else min(seconds, left.seconds))
        start = time.perf_counter()
        try:
            found = counter(self._problem, replace(left, branches=branches), watch)
        except UnsupportedError:
            return None
        if found.branches is not None and found.branches > 0:
            self._each = (time.perf_counter() - start) / found.branches
        self._at_least = max(self._at_least, found.at_least)
        if found.covers is not None:
            self._done = found
        return self._done

    def _watch(self, progress: Progress) -> bool:
        """Take a report of a method that is tried. Its share is not the share of the whole count."""
        self._share = progress.share or self._share
        quiet = Progress(None, progress.branches, progress.covers, self._seconds())
        self._cancelled = self._on_progress is not None and not self._on_progress(quiet)
        return not self._cancelled

    def _watch_to_the_end(self, progress: Progress) -> bool:
        self._cancelled = self._on_progress is not None and not self._on_progress(progress)
        return not self._cancelled

    def _after_the_frontier(self, reason: str, *, tilings: bool) -> Counted:
        spent = self._seconds()
        note = f"counted in another way after {spent:.1f} s: {reason}"
        counters: dict[Method, Counter] = {"components": by_components(self._most_bytes)}
        if tilings:
            counters["memo"] = by_memo(self._most_bytes)
        counters["enumeration"] = by_enumeration(self._threads)
        seconds = max(LEAST_TRIAL, SHARE_OF_A_TRIAL * spent)
        reached: dict[Method, float] = {}
        for method, counter in counters.items():
            found = self._try(counter, seconds, self._watch)
            if found is not None:
                return replace(found, notes=(*found.notes, note))
            if self._is_over():
                return self._cut(note)
            reached[method] = self._share
        for method in sorted(reached, key=lambda each: -reached[each]):
            found = self._try(counters[method], None, self._watch_to_the_end)
            if found is not None:
                return replace(found, notes=(*found.notes, note))
            if self._is_over():
                break
        return self._cut(note)

    def _cut(self, *notes: str) -> Counted:
        stop = Stop.CANCELLED if self._cancelled else Stop.TIME_LIMIT
        return Counted(None, stop, {}, "enumeration", self._at_least, notes=notes)
