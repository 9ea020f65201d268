"""The states of a strip, between one column and the next, and the numbers of tilings that they give."""

from __future__ import annotations

import time

import numpy as np

from latcover.core.cover.events import Events
from latcover.core.cover.search import Progress
from latcover.core.cover.time_limit import look_at_clock
from latcover.core.model.puzzle import Bounds
from latcover.core.model.strip import Strip
from latcover.errors import OutOfTimeError, StoppedError, UnsupportedError
from latcover.lab.asking.strip_columns import columns_of

MOST_STATES = 20_000
BETWEEN_REPORTS = 0.1  # seconds
BEFORE_ALL = -1  # the state before the first column, where placements may be forbidden


class Pace:
    """Looks at the clock, and reports how far the work is."""

    def __init__(self, events: Events) -> None:
        self._events = events
        self._next = time.perf_counter() + BETWEEN_REPORTS

    def look(self, doing: str) -> None:
        """Report what is being done, unless that was done just now.

        Raises:
            OutOfTimeError: the time is over.
        """
        now = time.perf_counter()
        if now < self._next:
            return
        self._next = now + BETWEEN_REPORTS
        self._events.on_stage(doing)
        try:
            look_at_clock()
        except StoppedError:
            raise
        except OutOfTimeError:
            raise OutOfTimeError(
                f"the time was over while {doing}; give more --time, or take a narrower strip"
            ) from None

    def goes_on(self, _: Progress) -> bool:
        """Let a count go on, and look at the clock."""
        self.look("counting again")
        return True


class Transfer:
    """The states of a strip, how many ways each column leads from one to another, and the numbers that follow.

    Where the rim forbids placements, the first column has a state of its own before it, and the last columns are
    counted from each state that may come before them.

    Attributes:
        states: How many both begin and can end, with one for each of the last columns that is counted by itself.
    """

    def __init__(self, strip: Strip, pace: Pace, bounds: Bounds | None) -> None:
        self._pace, self._columns = pace, columns_of(strip, bounds)
        every = [*self._columns.all_placements()]
        self._first = 0 if all(one.begins for one in every) else BEFORE_ALL
        self._last_columns = 0 if all(one.ends for one in every) else self._columns.reach
        self._cells = sum((1 << strip.width) - 1 << self._columns.bits * k for k in range(self._columns.reach))
        self._given = 0  # numbers that were handed out
        self._explore()

    def _explore(self) -> None:
        """Find the states that the first one leads to, and keep those from which a strip may end."""
        numbers, ways, queue = {self._first: 0}, [], [self._first]
        for done, state in enumerate(queue):
            self._pace.look(f"finding states of the strip: {done:,} of at least {len(queue):,}")
            after = self._after(state)
            for other in after:
                if numbers.setdefault(other, len(numbers)) == len(queue):
                    queue.append(other)
            if len(queue) > MOST_STATES:
                raise UnsupportedError(f"the strip has more than {MOST_STATES:,} states; take a narrower one")
            ways += [(numbers[state], numbers[other], count) for other, count in after.items()]
        leading: list[list[int]] = [[] for _ in queue]
        for source, target, _ in ways:
            leading[target].append(source)
        ending = [self._ways_to_end(state, self._last_columns) for state in queue]
        back = [0, *(number for number, count in enumerate(ending) if count and number)]
        ends = set(back)
        for state in back:
            new = [other for other in leading[state] if other not in ends]
            ends.update(new)
            back += dict.fromkeys(new)
        kept = {state: k for k, state in enumerate(sorted(ends))}
        steps = sorted((kept[t], kept[s], count) for s, t, count in ways if s in kept and t in kept)
        self._from = np.array([source for _, source, _ in steps], np.int64)
        self._count = np.array([count for *_, count in steps] + [None], object)[:-1]
        targets = np.array([target for target, *_ in steps], np.int64)
        self._targets, self._starts = np.unique(targets, return_index=True)
        self._vector = np.array([1] + [0] * (len(kept) - 1) + [None], object)[:-1]
        self._ending = np.array([ending[state] for state in kept] + [None], object)[:-1]
        self.states = len(kept) + self._last_columns

    def _after(self, state: int, left: int | None = None) -> dict[int, int]:
        """The states after one more column, with how many ways lead to each.

        *left*: how many columns are left, with this one; None if they are more than a placement reaches over.
        """
        found = {max(state, 0): 1}
        for row, of_row in enumerate(self._columns.by_row):
            ways = [
                (one.blocks, one.adds)
                for one in of_row
                if (one.begins or state != BEFORE_ALL)
                and (left is None or one.columns < left or (one.columns == left and one.ends))
            ]
            filled: dict[int, int] = {}
            for mask, count in found.items():
                self._pace.look("finding states of the strip")  # one column of a wide strip has millions of them
                if mask >> row & 1:
                    filled[mask] = filled.get(mask, 0) + count
                    continue
                for blocks, adds in ways:
                    if not mask & blocks:
                        filled[mask | adds] = filled.get(mask | adds, 0) + count
            found = filled
        after: dict[int, int] = {}
        for mask, count in found.items():
            rest = mask >> self._columns.bits
            after[rest] = after.get(rest, 0) + count
        return after

    def _ways_to_end(self, state: int, columns: int) -> int:
        """In how many ways the strip ends after so many more columns."""
        if not columns:
            return int(not max(state, 0) & self._cells)
        found = {state: 1}
        for left in range(columns, 0, -1):
            after: dict[int, int] = {}
            for each, count in found.items():
                for other, ways in self._after(each, left).items():
                    after[other] = after.get(other, 0) + count * ways
            found = after
        return sum(found.values())

    def next_terms(self, number: int) -> list[int]:
        """The next numbers of solutions, the first of all for length 0."""
        found: list[int] = []
        for _ in range(number):
            self._pace.look(f"counting by {self.states:,} states, {len(found):,} of {number:,} numbers")
            length, self._given = self._given, self._given + 1
            if length < self._last_columns:
                found.append(self._ways_to_end(self._first, length))
                continue
            found.append(int((self._vector * self._ending).sum()))
            moved = np.zeros_like(self._vector)
            if len(self._from):
                moved[self._targets] = np.add.reduceat(self._vector[self._from] * self._count, self._starts)
            self._vector = moved
        return found
