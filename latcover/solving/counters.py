"""The methods of counting covers, and the counter that tries them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from latcover.backends.bitset import MOST_MEMORY, Bitset
from latcover.backends.components import count_by_components
from latcover.backends.frontier import MOST_WIDTH, count_covers, narrow_order
from latcover.backends.kasteleyn import count_matchings, graph_of
from latcover.backends.kasteleyn import is_installed as kasteleyn_is_installed
from latcover.cover.problem import CoverProblem
from latcover.cover.search import Limits, OnProgress, Progress, Stop
from latcover.errors import BackendUnavailableError, UnsupportedError

Method = Literal["auto", "enumeration", "frontier", "components", "memo", "kasteleyn"]
COUNTED_BY: dict[Method, str] = {
    "enumeration": "bitset",
    "frontier": "frontier",
    "components": "components",
    "memo": "bitset",
    "kasteleyn": "kasteleyn",
}
LISTING = "count by enumeration (--method enumeration)"

# When "auto" tries what. The other methods together take less than 0.3 times as long as the frontier.
QUICK_WIDTH = 18  # a frontier up to this width counts sooner than the libraries for determinants load
FIRST_TRY = 0.05  # seconds of the frontier before the others are tried; then whenever its time has doubled
SHARE_OF_A_TRY = 0.06  # of the time of the frontier so far, for each of the others
LEAST_TRIAL = 0.5  # seconds for each method, when the frontier has failed
SHARE_OF_A_TRIAL = 0.25  # of the time of the frontier


@dataclass(frozen=True, slots=True)
class Counted:
    """What a method found out about one problem.

    Attributes:
        covers: The number of covers; None if the count was cut short.
        at_least: If it was cut short, how many covers were met.
        native: Figures of the method.
        branches: Options tried, if the method tells.
    """

    covers: int | None
    stop: Stop
    native: Mapping[str, Any]
    method: Method
    at_least: int = 0
    branches: int | None = None
    notes: tuple[str, ...] = ()


Counter = Callable[[CoverProblem, Limits, OnProgress | None], Counted]


class MakeCounter(Protocol):
    """Makes a counter that takes at most so much memory."""

    def __call__(self, most_bytes: int) -> Counter: ...


def by_frontier(most_bytes: int) -> Counter:
    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> Counted:
        found = count_covers(problem, limits, on_progress, most_bytes=most_bytes, most_width=MOST_WIDTH)
        figures = {"width": found.width, "states": found.states, "bytes": found.bytes}
        return Counted(found.covers, found.stop, figures, "frontier")

    return counter


def by_components(most_bytes: int) -> Counter:
    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> Counted:
        found = count_by_components(problem, limits, on_progress, most_bytes=most_bytes)
        return Counted(found.covers, found.stop, found.figures, "components")

    return counter


def by_kasteleyn(most_bytes: int) -> Counter:
    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> Counted:
        found = count_matchings(problem, limits, on_progress, most_bytes=most_bytes)
        figures = {"vertices": found.vertices, "edges": found.edges, "rows": found.rows}
        return Counted(found.covers, found.stop, figures, "kasteleyn")

    return counter


def by_memo(most_bytes: int) -> Counter:
    kernel = Bitset(memory=min(max(1, most_bytes >> 20), MOST_MEMORY))

    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> Counted:
        try:
            outcome = kernel.count(problem, limits, on_progress)
        except OverflowError as fault:
            raise UnsupportedError(str(fault)) from None
        covers = outcome.statistics.covers if outcome.stop is Stop.EXHAUSTED else None
        return Counted(covers, outcome.stop, outcome.statistics.native, "memo")

    return counter


def by_enumeration(threads: int | None) -> Counter:
    kernel = Bitset(threads=threads, memory=0)

    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> Counted:
        outcome = kernel.count(problem, limits, on_progress)
        figures, met = outcome.statistics, outcome.statistics.covers
        complete = outcome.stop is Stop.EXHAUSTED
        return Counted(
            met if complete else None,
            outcome.stop,
            figures.native,
            "enumeration",
            0 if complete else met,
            figures.branches,
            outcome.notes,
        )

    return counter


NAMED: dict[Method, MakeCounter] = {
    "frontier": by_frontier,
    "components": by_components,
    "memo": by_memo,
    "kasteleyn": by_kasteleyn,
}


def by_trying(most_bytes: int, threads: int | None, *, tilings: bool) -> Counter:
    """A counter that tries the methods.

    A determinant comes first, where it is possible and likely to be faster. Then the frontier counts, and stops now
    and then for a short try of the others. If the frontier fails, each of the others is tried for the same time, and
    the one that gets furthest goes on to the end. What enumeration has met until the end is a lower bound.

    Args:
        most_bytes: The memory that each method may take; one runs at a time.
        threads: For enumeration.
        tilings: Whether the problem is of tilings, for which a memo without components pays.
    """

    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> Counted:
        return _Trying(problem, limits, on_progress, most_bytes, threads).count(tilings=tilings)

    return counter


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
        self._failed: set[Method] = set()
        self._at_least = 0
        self._next_try = FIRST_TRY
        self._spent_aside = 0.0
        self._cancelled = False
        self._share = 0.0  # that the running method has reached

    def count(self, *, tilings: bool) -> Counted:
        if (found := self._by_determinant()) is not None:
            return found
        try:
            found = by_frontier(self._most_bytes)(self._problem, self._limits, self._beside_the_frontier)
        except UnsupportedError as fault:
            return self._after_the_frontier(str(fault), tilings=tilings)
        return self._done or replace(found, at_least=self._at_least if found.covers is None else 0)

    def _seconds(self) -> float:
        return time.perf_counter() - self._start

    def _left(self) -> Limits:
        most = self._limits.seconds
        return Limits(seconds=None if most is None else max(0.0, most - self._seconds()))

    def _by_determinant(self) -> Counted | None:
        if not kasteleyn_is_installed() or narrow_order(self._problem)[1] <= QUICK_WIDTH:
            return None
        try:
            graph_of(self._problem)
            return by_kasteleyn(self._most_bytes)(self._problem, self._limits, self._on_progress)
        except (UnsupportedError, BackendUnavailableError):
            return None

    def _beside_the_frontier(self, progress: Progress) -> bool:
        """Take a report of the frontier, perhaps for a try of the others. False ends the frontier."""
        if self._on_progress is not None and not self._on_progress(progress):
            return False
        alone = progress.seconds - self._spent_aside
        if alone < self._next_try:
            return True
        self._next_try = 2 * alone
        start = time.perf_counter()
        for counter in (by_components(self._most_bytes), by_enumeration(1)):
            if self._try(counter, SHARE_OF_A_TRY * alone, self._watch) is not None or self._cancelled:
                return False
        self._spent_aside += time.perf_counter() - start
        return True

    def _try(self, counter: Counter, seconds: float | None, watch: OnProgress) -> Counted | None:
        """What a method finds within so many seconds, if it counts all; what it met otherwise is kept."""
        self._share = 0.0
        left = self._left()
        if seconds is not None:
            left = Limits(seconds=seconds if left.seconds is None else min(seconds, left.seconds))
        try:
            found = counter(self._problem, left, watch)
        except UnsupportedError:
            return None
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
            if self._cancelled or self._left().seconds == 0:
                return self._cut(note)
            reached[method] = self._share
        for method in sorted(reached, key=lambda each: -reached[each]):
            found = self._try(counters[method], None, self._watch_to_the_end)
            if found is not None:
                return replace(found, notes=(*found.notes, note))
            if self._cancelled or self._left().seconds == 0:
                break
        return self._cut(note)

    def _cut(self, note: str) -> Counted:
        stop = Stop.CANCELLED if self._cancelled else Stop.TIME_LIMIT
        return Counted(None, stop, {}, "enumeration", self._at_least, notes=(note,))
