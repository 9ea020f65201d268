"""Which rectangles, or boxes, some shapes fill: each "yes" with a verified tiling, each "no" by a proof.

What is quick comes first: the area, the states of the strip of this width, a corner that cannot be filled, two parts
that are filled. What is left is searched, by exact cover at first and then by a SAT solver, which fills large
rectangles sooner.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from itertools import product

import numpy as np

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.search import Progress
from latcover.core.cover.time_limit import time_limit
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.core.model.strip import Strip
from latcover.errors import OutOfTimeError, UnsupportedError
from latcover.lab.asking.strip_lengths import MOST_STATES, StripLengths
from latcover.lab.asking.strips import strip_counts
from latcover.lab.exploring.boxes import Boxes, Sides, box_cells
from latcover.lab.exploring.decisions import UNDECIDED, Decision, Filled, colouring_of, decide
from latcover.lab.exploring.tilings import FIRST_SEARCH, Tiling, tile, tiling_puzzle

LARGEST_CORNER = 6
QUICK_STATES = 200_000  # of a strip, before a search is tried
CELLS_COLOURED = 150  # of the rectangles that are refuted by the states of a strip, and again by a colouring


class Rectangle(Decision, frozen=True, eq=False, kw_only=True):
    """A rectangle; on other lattices a parallelogram, in space a box, of units.

    Attributes:
        number: In how many ways it is filled, if they were counted.
    """

    sides: Sides
    number: int | None = None

    @classmethod
    def of(cls, sides: Sides, found: Decision, number: int | None = None) -> Rectangle:
        """A rectangle of which this is known; *number* counts if it is filled or not known."""
        counted = number if found.filled in (Filled.YES, Filled.UNKNOWN) else 0
        return cls(sides=sides, filled=found.filled, tiling=found.tiling, why=found.why, number=counted)


class RectangleSearch:
    """Tries rectangles one after the other.

    Attributes:
        found: Those that were tried.
        corner: No rectangle whose sides are all at least this is filled; None if that is not known.
    """

    def __init__(self, shapes: Sequence[Part], each: float, seconds: float | None, events: Events = SILENT) -> None:
        self.boxes = Boxes(shapes)
        self.shapes, self.lattice = self.boxes.shapes, self.boxes.lattice
        self.each, self.events = each, events
        self.found: dict[Sides, Rectangle] = {}
        self._begun = time.perf_counter()
        self._end = None if seconds is None else self._begun + seconds
        self._stopped = False
        self._lengths: dict[Sides, StripLengths] = {}
        self._counts: dict[Sides, list[int]] = {}
        self.corner = self._corner()

    def all_up_to(self, size: int, narrow: int) -> dict[Sides, Rectangle]:
        """The rectangles whose sides are at most *size*, one of them at most *narrow*; the smaller ones first."""
        for sides in self.boxes.up_to(size, narrow):
            unknown = Rectangle.of(sides, UNDECIDED)
            try:
                with self.limit():
                    self.found[sides] = unknown if self.is_over else self._tried(sides, size)
            except OutOfTimeError:
                self.found[sides] = unknown
        return self.found

    def _tried(self, sides: Sides, size: int) -> Rectangle:
        puzzle = self.boxes.puzzle(sides)
        if cannot_fill(puzzle):
            return Rectangle.of(sides, Decision(filled=Filled.AREA))
        tiling = self._of_two(sides)
        if tiling is not None:
            return Rectangle.of(sides, Decision(filled=Filled.YES, tiling=tiling), self._number(sides, size))
        quick = self.refuted(sides, QUICK_STATES)
        if quick is not None:
            why = colouring_of(puzzle) if len(puzzle.region.cells) <= CELLS_COLOURED else ""
            return Rectangle.of(sides, Decision(filled=Filled.COLOURING if why else quick, why=why))
        number = self._number(sides, size)
        found = decide(puzzle, self.left, self.events)
        if found.filled is Filled.UNKNOWN and self.left > 0:
            refuted = self.refuted(sides, MOST_STATES)
            found = found if refuted is None else Decision(filled=refuted)
        return Rectangle.of(sides, found, number)

    def refuted(self, sides: Sides, states: int) -> Filled | None:
        """Why a rectangle of any length is not filled, without a search; None if that is not known."""
        if self.corner is not None and min(sides) >= self.corner:
            return Filled.CORNER
        if self.left <= 0:
            return None
        axis = int(np.argmax(sides))
        cross = (*sides[:axis], 0, *sides[axis + 1 :])
        try:
            with time_limit(self.left, self.events):
                if cross not in self._lengths:
                    self._lengths[cross] = StripLengths(self._strip(cross), self.events)
                filled = self._lengths[cross].filled(sides[axis], most_states=states)
        except (UnsupportedError, OutOfTimeError):
            return None
        return Filled.STRIP if filled is False else None

    def _strip(self, cross: Sides) -> Strip:
        return Strip(self.lattice, self.shapes, tuple(side or None for side in cross))

    def _of_two(self, sides: Sides) -> Tiling | None:
        """A tiling of two parts that are filled."""
        for half in self.boxes.halves(sides):
            one, two = (self.found.get(self.boxes.least(part)) for part in (half.first, half.second))
            if one is not None and two is not None and one.tiling is not None and two.tiling is not None:
                return self.boxes.joined(sides, half, one.tiling, two.tiling)
        return None

    def no_longer_one(self, volume: int, size: int, *, odd: bool) -> bool:
        """Whether no rectangle of fewer cells than *volume*, but longer than *size*, is filled, as far as is quick.

        With *odd*, only such an odd number of copies is asked for.
        """
        nodes, dimension = len(self.lattice.nodes), self.lattice.dimension
        if self.is_over:
            return False
        most = (volume - 1) // nodes
        for cross in product(range(1, most // (size + 1) + 1), repeat=dimension - 1):
            for length in range(size + 1, most // int(np.prod(cross)) + 1):
                sides = self.boxes.least((*cross, length))
                even = len(self.shapes) == 1 and self.boxes.volume(sides) // self.shapes[0].size % 2 == 0
                if (odd and even) or cannot_fill(self.boxes.puzzle(sides)):
                    continue
                if self.refuted(sides, MOST_STATES) is None:
                    return False
        return True

    @property
    def left(self) -> float:
        """The seconds that the next search may take."""
        if self.is_over:
            return 0.0
        return self.each if self._end is None else max(0.0, min(self.each, self._end - time.perf_counter()))

    @property
    def is_over(self) -> bool:
        """Whether all the time is over, or somebody stops the work: then what is not decided yet stays so."""
        now = time.perf_counter()
        self._stopped = self._stopped or not self.events.on_progress(Progress(None, None, 0, now - self._begun))
        return self._stopped or (self._end is not None and now >= self._end)

    def limit(self) -> AbstractContextManager[None]:
        """What ends work without progress when the time is over: see `latcover.core.cover.time_limit`."""
        return time_limit(None if self._end is None else self._end - time.perf_counter(), self.events)

    def _number(self, sides: Sides, size: int) -> int | None:
        """In how many ways it is filled; None if that is not affordable."""
        axis = int(np.argmax(sides))
        cross = (*sides[:axis], 0, *sides[axis + 1 :])
        if cross not in self._counts:
            try:
                with time_limit(self.left, self.events):
                    self._counts[cross] = self._counted(cross, size)
            except (UnsupportedError, OutOfTimeError):
                self._counts[cross] = []
        counts = self._counts[cross]
        return counts[sides[axis]] if counts else None

    def _counted(self, cross: Sides, size: int) -> list[int]:
        """The numbers of fillings of each length from 0; of several shapes each is used."""
        return strip_counts(self._strip(cross), size, self.events, all_used=len(self.shapes) > 1)

    def _corner(self) -> int | None:
        """The least square in a corner that cannot be covered: then no rectangle that holds it is filled."""
        reach = max(int(np.ptp(shape.cells[:, 1:], axis=0).max()) for shape in self.shapes)
        dimension = self.lattice.dimension
        for size in range(1, LARGEST_CORNER + 1):
            cells = box_cells(self.lattice, [size + reach] * dimension)
            free = np.any(cells[:, 1:] >= size, axis=1)
            puzzle = tiling_puzzle("corner", self.lattice, cells, self.shapes)
            puzzle = Puzzle("corner", self.lattice, Region(cells, optional=free), puzzle.parts)
            if self.left <= 0:
                return None
            found = tile(puzzle, backend="dlx", seconds=min(self.left, FIRST_SEARCH), events=self.events)
            if found.refuted:
                return size
            if found.tiling is None:
                return None
        return None
