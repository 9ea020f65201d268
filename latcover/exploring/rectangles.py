"""Which rectangles some shapes fill: each "yes" with a verified tiling, each "no" by exhaustive search."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

import numpy as np

from latcover.cover.events import SILENT, Events
from latcover.cover.time_limit import time_limit
from latcover.errors import OutOfTimeError, UnsupportedError
from latcover.exploring.tilings import Tiling, puzzle_of, tile
from latcover.model.checks import cannot_fill
from latcover.model.lattice import Cells, Lattice
from latcover.model.puzzle import Part
from latcover.model.strip import Strip
from latcover.solving.strips import strip_counts

Sides = tuple[int, int]  # the shorter first


class Filled(StrEnum):
    """Whether a rectangle is filled, and how that is known."""

    YES = "yes"
    AREA = "no: area"  # no number of copies has its area
    COUNT = "no: counted"  # the strip of this width has no filling of this length
    SEARCH = "no: searched"
    UNKNOWN = "not known"


@dataclass(frozen=True, slots=True, eq=False)
class Rectangle:
    """A rectangle, or on other lattices a parallelogram, of units."""

    sides: Sides
    filled: Filled
    tiling: Tiling | None = None
    number: int | None = None  # of ways to fill it, if they were counted


def box_cells(lattice: Lattice, sides: Sequence[int]) -> Cells:
    """The cells of a box of units, shape (n, dimension + 1)."""
    nodes = range(len(lattice.nodes))
    return np.array([(node, *at) for at in product(*map(range, sides)) for node in nodes], np.int32)


class RectangleSearch:
    """Tries rectangles one after the other."""

    def __init__(self, shapes: Sequence[Part], each: float, seconds: float | None, events: Events = SILENT) -> None:
        assert shapes[0].lattice
        self.shapes, self.lattice, self.each, self.events = shapes, shapes[0].lattice, each, events
        self.counts: dict[int, list[int]] = {}  # by width, of each length from 0
        self._end = None if seconds is None else time.perf_counter() + seconds

    def all_up_to(self, size: int) -> Iterator[Rectangle]:
        """The rectangles whose sides are at most *size*, by the shorter side."""
        for short in range(1, size + 1):
            counts = self._counts(short, max(size, size * size // short))
            for long in range(short, size + 1):
                yield self.tried((short, long), None if counts is None else counts[long])

    def tried(self, sides: Sides, number: int | None = None) -> Rectangle:
        """One rectangle; *number* is in how many ways it is filled, if that is known."""
        puzzle = puzzle_of(
            "x".join(map(str, sides)),
            self.lattice,
            box_cells(self.lattice, sides),
            self.shapes,
            all_used=len(self.shapes) > 1,
        )
        if cannot_fill(puzzle):
            return Rectangle(sides, Filled.AREA, number=0)
        if number == 0:
            return Rectangle(sides, Filled.COUNT, number=0)
        if self.left <= 0:
            return Rectangle(sides, Filled.UNKNOWN, number=number)
        found = tile(puzzle, seconds=self.left, events=self.events)
        filled = Filled.YES if found.tiling else Filled.SEARCH if found.refuted else Filled.UNKNOWN
        return Rectangle(sides, filled, found.tiling, number)

    def longer_are_empty(self, area: int, size: int, *, odd: bool) -> bool:
        """Whether no rectangle of a smaller area than this, but longer than *size*, is filled, by the counts of strips.

        With *odd*, only such an odd number of copies is asked for.
        """
        nodes, cells = len(self.lattice.nodes), self.shapes[0].size
        for width in range(1, size + 1):
            counts = self.counts.get(width)
            for length in range(size + 1, (area - 1) // width + 1):
                copies, rest = divmod(width * length * nodes, cells)
                if len(self.shapes) == 1 and (rest or (odd and copies % 2 == 0)):
                    continue
                if counts is None or length >= len(counts) or counts[length]:
                    return False
        return True

    @property
    def left(self) -> float:
        """The seconds that the next search may take."""
        return self.each if self._end is None else max(0.0, min(self.each, self._end - time.perf_counter()))

    def _counts(self, width: int, length: int) -> list[int] | None:
        """In how many ways a strip of this width is filled; None for several shapes, or if that is not affordable."""
        if len(self.shapes) > 1:
            return None
        try:
            with time_limit(self.left):
                strip = Strip(self.lattice, tuple(self.shapes), (width, None))
                self.counts[width] = strip_counts(strip, length, self.events)
                return self.counts[width]
        except (UnsupportedError, OutOfTimeError):
            return None


class Prime(StrEnum):
    """Whether a rectangle that is filled can be cut into smaller ones that are."""

    STRONG = "strongly prime"  # into no number of them
    WEAK = "weakly prime"  # into several, but not into two
    OPEN = "prime"  # not into two; several were not decided
    COMPOSITE = "composite"


def primes(found: Mapping[Sides, Rectangle], search: RectangleSearch) -> dict[Sides, Prime]:
    """Each filled rectangle that cannot be cut into two filled ones, and whether into more."""
    filled = {sides for sides, rectangle in found.items() if rectangle.filled is Filled.YES}
    kinds: dict[Sides, Prime] = {}
    for sides in sorted(filled):
        if not any(one in filled and two in filled for one, two in _halves(sides)):
            smaller = [s for s in filled if s != sides and s[0] <= sides[0] and s[1] <= sides[1]]
            kinds[sides] = _cut_into_more(sides, smaller, search)
    return kinds


def _halves(sides: Sides) -> Iterator[tuple[Sides, Sides]]:
    short, long = sides
    for k in range(1, long // 2 + 1):
        yield _sorted(short, k), _sorted(short, long - k)
    for k in range(1, short // 2 + 1):
        yield _sorted(k, long), _sorted(short - k, long)


def _sorted(a: int, b: int) -> Sides:
    return (a, b) if a <= b else (b, a)


def _cut_into_more(sides: Sides, smaller: Sequence[Sides], search: RectangleSearch) -> Prime:
    lattice = search.lattice
    if not smaller:
        return Prime.STRONG
    parts = [Part("x".join(map(str, s)), box_cells(lattice, s), lattice=lattice) for s in smaller]
    puzzle = puzzle_of("cut", lattice, box_cells(lattice, sides), parts)
    if cannot_fill(puzzle):
        return Prime.STRONG
    found = tile(puzzle, seconds=search.left, events=search.events)
    return Prime.WEAK if found.tiling else Prime.STRONG if found.refuted else Prime.OPEN
