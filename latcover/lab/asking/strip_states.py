"""The states of a strip, between one column and the next, and the numbers of tilings that they give."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np

from latcover.core.cover.events import Events
from latcover.core.cover.search import Progress
from latcover.core.cover.time_limit import look_at_clock
from latcover.core.encoding.placement import placements
from latcover.core.model.orientation import orientations_of_each
from latcover.core.model.puzzle import Bounds
from latcover.core.model.strip import Strip
from latcover.errors import OutOfTimeError, StoppedError, UnsupportedError

MOST_STATES = 20_000
BETWEEN_REPORTS = 0.1  # seconds


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

    Attributes:
        states: How many both begin and can end.
    """

    def __init__(self, strip: Strip, pace: Pace, bounds: Bounds | None) -> None:
        self._pace, self._column = pace, strip.width
        self._placements = placements_by_first_row(strip, bounds)
        self._explore()

    def _explore(self) -> None:
        """Find the states that the empty one leads to, and keep those that lead back to it."""
        numbers, ways, queue = {0: 0}, [], [0]
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
        ends, back = {0}, [0]
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
        self.states = len(kept)

    def _after(self, state: int) -> dict[int, int]:
        """The states after one more column, with how many ways lead to each."""
        found = {state: 1}
        for row in range(self._column):
            filled: dict[int, int] = {}
            for mask, count in found.items():
                self._pace.look("finding states of the strip")  # one column of a wide strip has millions of them
                for shape in [0] if mask >> row & 1 else self._placements[row]:
                    if not mask & shape:
                        filled[mask | shape] = filled.get(mask | shape, 0) + count
            found = filled
        return {mask >> self._column: count for mask, count in found.items()}

    def next_terms(self, number: int) -> list[int]:
        """The next numbers of solutions, the first of all for length 0."""
        found: list[int] = []
        for _ in range(number):
            self._pace.look(f"counting by {self.states:,} states, {len(found):,} of {number:,} numbers")
            found.append(int(self._vector[0]))
            moved = np.zeros_like(self._vector)
            if len(self._from):
                moved[self._targets] = np.add.reduceat(self._vector[self._from] * self._count, self._starts)
            self._vector = moved
        return found


def placements_by_first_row(strip: Strip, bounds: Bounds | None) -> list[list[int]]:
    """For each row of the first column, the placements whose first cell it is, as sets of cells.

    A cell is a bit: those of the first column come first, those of each column in the order of its rows.
    """
    axis, column, width = 1 + strip.axis, strip.width, range(strip.lattice.dimension)
    shapes = [o.cells[:, axis] for each in orientations_of_each(strip.parts, width) for o in each]
    length = max(int(np.ptp(each)) + 1 for each in shapes)
    table = placements(strip.puzzle(length), bounds=bounds)
    cells = table.region.cells
    of_column = cells[:, axis] - cells[:, axis].min()
    rows = np.zeros(len(cells), np.int64)
    for k in range(length):
        rows[of_column == k] = np.arange(column)
    places = (of_column.astype(np.int64) * column + rows).tolist()
    found: list[list[int]] = [[] for _ in range(column)]
    for first, last in pairwise(table.starts.tolist()):
        bits = [places[cell] for cell in table.cells[first:last].tolist()]
        if min(bits) < column:
            found[min(bits)].append(sum(1 << bit for bit in bits))
    return found
