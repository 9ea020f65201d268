"""Brute force for cuts: every division of a small region into connected parts, and what follows from the whole list.

Cells are rows of whole numbers, and motions are signed permutations of the axes. It shares no code with latcover.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import permutations, product

import numpy as np
from msgspec import Struct

Cell = tuple[int, ...]
Piece = frozenset[Cell]
Division = tuple[Piece, ...]
Motion = tuple[tuple[int, int], ...]  # for each axis: the axis that goes there, and its sign


class Board(Struct, frozen=True):
    """Squares, cubes or sticks. A stick is the middle between its two ends, whose coordinates are even."""

    dimension: int
    sticks: bool = False
    turns_over: bool = False  # whether parts may be turned over

    def beside(self, cell: Cell) -> list[Cell]:
        unit = [
            tuple(s * (k == axis) for k in range(self.dimension)) for axis in range(self.dimension) for s in (1, -1)
        ]
        if not self.sticks:
            return [plus(cell, step) for step in unit]
        ends = [end for end in (plus(cell, step) for step in unit) if not any(x % 2 for x in end)]
        return [there for end in ends for step in unit if (there := plus(end, step)) != cell]

    def crossed(self, piece: Piece) -> list[Cell]:
        """The junctions that a piece runs straight through."""
        along = [(cell, tuple(x % 2 for x in cell)) for cell in piece if self.sticks]
        return [plus(cell, step) for cell, step in along if plus(plus(cell, step), step) in piece]

    def motions(self, *, mirrors: bool) -> list[Motion]:
        """The identity comes first."""
        n = self.dimension
        found = []
        for axes in permutations(range(n)):
            for signs in product((1, -1), repeat=n):
                matrix = np.zeros((n, n), int)
                matrix[range(n), axes] = signs
                if mirrors or round(np.linalg.det(matrix)) == 1:
                    found.append(tuple(zip(axes, signs, strict=True)))
        return sorted(found, key=lambda m: m != tuple((k, 1) for k in range(n)))

    def moved(self, piece: Piece, motion: Motion) -> tuple[Cell, ...]:
        """The image at a place of its own: sorted, least coordinates 0, or 0 and 1 for sticks."""
        image = [tuple(sign * cell[axis] for axis, sign in motion) for cell in piece]
        grid = 2 if self.sticks else 1
        low = [min(xs) // grid * grid for xs in zip(*image, strict=True)]
        return tuple(sorted(tuple(x - a for x, a in zip(cell, low, strict=True)) for cell in image))

    def shape(self, piece: Piece, *, mirrors: bool) -> tuple[Cell, ...]:
        return _shape(self, piece, mirrors)


@cache
def _shape(board: Board, piece: Piece, mirrors: bool) -> tuple[Cell, ...]:
    return min(board.moved(piece, motion) for motion in board.motions(mirrors=mirrors))


def plus(one: Cell, other: Cell) -> Cell:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def divisions(board: Board, region: Piece, n: int, sizes: range) -> Iterator[Division]:
    """Every division into n connected parts of these sizes, no two of which cross at a junction."""
    if n == 0:
        if not region:
            yield ()
        return
    if not (sizes.start * n <= len(region) < sizes.stop * n):
        return
    for part in grown(board, region, sizes.stop - 1):
        if len(part) in sizes:
            taken = set(board.crossed(part))
            for rest in divisions(board, region - part, n - 1, sizes):
                if not any(taken & set(board.crossed(other)) for other in rest):
                    yield (part, *rest)


def grown(board: Board, region: Piece, most: int) -> Iterator[Piece]:
    """Every connected set with the least cell of the region, of at most so many cells."""

    def grow(part: Piece, refused: Piece) -> Iterator[Piece]:
        yield part
        if len(part) == most:
            return
        near = {there for cell in part for there in board.beside(cell)} & region - part - refused
        for cell in sorted(near):
            yield from grow(part | {cell}, refused)
            refused |= {cell}

    yield from grow(frozenset([min(region)]), frozenset())


Shapes = tuple[tuple[Cell, ...], ...]


class Cuts:
    """All cuts of a region into n parts of these sizes, by the shapes of their parts."""

    def __init__(self, board: Board, region: Sequence[Cell], n: int, sizes: range) -> None:
        self.board, self.region, self.n, self.sizes = board, frozenset(region), n, sizes

    @cached_property
    def by_shapes(self) -> dict[Shapes, list[Division]]:
        found: dict[Shapes, list[Division]] = defaultdict(list)
        for division in divisions(self.board, self.region, self.n, self.sizes):
            found[self.shapes(division)].append(division)
        return found

    def shapes(self, division: Division) -> Shapes:
        return tuple(sorted(self.board.shape(piece, mirrors=self.board.turns_over) for piece in division))

    def single(self) -> dict[Shapes, Division]:
        """The cuts whose parts fill the region in one way, up to its rotations and reflections."""
        return {
            shapes: found[0]
            for shapes, found in self.by_shapes.items()
            if set(map(frozenset, found)) <= self.images(found[0])
        }

    def images(self, division: Division) -> set[frozenset[Piece]]:
        """Where the motions of the region take a cut."""
        lowest = self.board.moved(self.region, self.board.motions(mirrors=True)[0])
        found = set()
        for motion in self.board.motions(mirrors=True):
            if self.board.moved(self.region, motion) != lowest:
                continue
            turned = {cell: tuple(sign * cell[axis] for axis, sign in motion) for cell in self.region}
            back = [
                min(a) - min(b)
                for a, b in zip(zip(*self.region, strict=True), zip(*turned.values(), strict=True), strict=True)
            ]
            found.add(frozenset(frozenset(plus(turned[cell], tuple(back)) for cell in piece) for piece in division))
        return found

    def placements(self, piece: Piece) -> set[Piece]:
        """Every way to lay a piece of squares or cubes into the region."""
        found = set()
        for motion in self.board.motions(mirrors=self.board.turns_over):
            first, *rest = self.board.moved(piece, motion)
            for to in self.region:
                shift = tuple(a - b for a, b in zip(to, first, strict=True))
                found.add(frozenset(plus(cell, shift) for cell in (first, *rest)))
        return {placed for placed in found if placed <= self.region}

    # What may be asked of a cut.

    def different(self, division: Division) -> bool:
        return max(Counter(self.shapes(division)).values()) == 1

    def no_mirrors(self, division: Division) -> bool:
        return len({self.board.shape(piece, mirrors=True) for piece in division}) == len(division)

    def asymmetric(self, division: Division) -> bool:
        motions = self.board.motions(mirrors=self.board.turns_over)
        return all(
            self.board.moved(piece, motion) != self.board.moved(piece, motions[0])
            for piece in division
            for motion in motions[1:]
        )

    def rank(self, division: Division) -> int:
        """1 if some part is a rod (or a single cell), 2 if some part is flat."""
        return min(int(np.linalg.matrix_rank(np.array(sorted(piece)) - min(piece))) for piece in division)
