"""Boxes of units: rectangles on squares, parallelograms on other flat lattices, boxes in space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from msgspec import Struct

from latcover.core.model.lattice import Cells, Lattice, Transformation
from latcover.core.model.puzzle import Part, Puzzle
from latcover.core.model.solution import Placed, Solution
from latcover.core.model.verifier import verify
from latcover.errors import InternalError
from latcover.lab.exploring.tilings import Tiling, tiling_puzzle

Sides = tuple[int, ...]  # in units along each axis; of those that are images of each other, the least


def box_cells(lattice: Lattice, sides: Sequence[int]) -> Cells:
    """The cells of a box of units, shape (n, dimension + 1)."""
    nodes = range(len(lattice.nodes))
    return np.array([(node, *at) for at in product(*map(range, sides)) for node in nodes], np.int32)


def named(sides: Sides) -> str:
    return "x".join(map(str, sides))


class Half(Struct, frozen=True, eq=False):
    """Two boxes that one box is cut into: their sides, and where along which axis the second begins."""

    first: Sides
    second: Sides
    axis: int
    at: int


class Boxes:
    """The boxes of a lattice, up to those motions of the shapes that exchange axes."""

    def __init__(self, shapes: Sequence[Part]) -> None:
        assert shapes[0].lattice
        self.shapes, self.lattice = tuple(shapes), shapes[0].lattice
        self._turns: dict[tuple[int, ...], Transformation] = {}  # by the axis along which each axis of the image was
        for turn in shapes[0].transformations:
            axes = self._exchanged(turn)
            if axes is not None:
                self._turns.setdefault(axes, turn)

    def _exchanged(self, turn: Transformation) -> tuple[int, ...] | None:
        matrix = np.abs(turn.matrix)
        if (matrix.sum(axis=0) != 1).any() or (matrix.sum(axis=1) != 1).any():
            return None
        axes = tuple(matrix.argmax(axis=1).tolist())
        sides = tuple(range(1, self.lattice.dimension + 1))
        image = _to_origin(turn.apply(box_cells(self.lattice, sides)))
        wanted = box_cells(self.lattice, [sides[axis] for axis in axes])
        return axes if {*map(tuple, image.tolist())} == {*map(tuple, wanted.tolist())} else None

    def least(self, sides: Sequence[int]) -> Sides:
        """Of the images of a box, the one that stands for all."""
        return min(tuple(sides[axis] for axis in axes) for axes in self._turns)

    def up_to(self, size: int, narrow: int) -> list[Sides]:
        """One box of each kind whose sides are at most *size*, one of them at most *narrow*; the smaller ones first."""
        sides = product(range(1, size + 1), repeat=self.lattice.dimension)
        every = {self.least(each) for each in sides if min(each) <= narrow}
        return sorted(every, key=lambda each: (self.volume(each), each))

    def volume(self, sides: Sides) -> int:
        """The number of cells."""
        return int(np.prod(sides)) * len(self.lattice.nodes)

    def copies(self, sides: Sides) -> int:
        """How many copies of a single shape fill a box, if any do."""
        return self.volume(sides) // self.shapes[0].size

    def halves(self, sides: Sides) -> Iterator[Half]:
        """The ways to cut a box into two, the larger part first."""
        for axis, side in enumerate(sides):
            for at in range(side - 1, (side - 1) // 2, -1):
                one, two = (tuple(n if k == axis else s for k, s in enumerate(sides)) for n in (at, side - at))
                yield Half(one, two, axis, at)

    def joined(self, sides: Sides, half: Half, one: Tiling, two: Tiling) -> Tiling:
        """The tiling of a box that tilings of two parts of it give.

        Raises:
            InternalError: it is none.
        """
        puzzle = self.puzzle(sides)
        placed = self._placed(one, half.first, half.axis, 0) + self._placed(two, half.second, half.axis, half.at)
        order = {part.name: number for number, part in enumerate(puzzle.parts)}
        solution = Solution(tuple(sorted(placed, key=lambda p: (order[p.part], p.cells))), puzzle=puzzle)
        if faults := verify(puzzle, solution):
            raise InternalError(f"a tiling of {puzzle.name} that was put together is wrong: {faults[0]}")
        return Tiling(puzzle, solution)

    def _placed(self, tiling: Tiling, sides: Sides, axis: int, at: int) -> list[Placed]:
        """The tiles of a box, turned to these sides and moved along an axis."""
        own = self.least(sides)
        turn = next(t for axes, t in self._turns.items() if tuple(own[k] for k in axes) == sides)
        tiles = tiling.solution.placements
        cells = turn.apply(np.array([cell for tile in tiles for cell in tile.cells], np.int32))
        cells = _to_origin(cells)
        cells[:, 1 + axis] += at
        rows, begin, found = [tuple(row) for row in cells.tolist()], 0, []
        for tile in tiles:
            found.append(Placed(tile.part, tuple(sorted(rows[begin : begin + len(tile.cells)]))))
            begin += len(tile.cells)
        return found

    def puzzle(self, sides: Sides) -> Puzzle:
        """The puzzle to fill a box; with several shapes, by one of each at least."""
        cells = box_cells(self.lattice, sides)
        return tiling_puzzle(named(sides), self.lattice, cells, self.shapes, all_used=len(self.shapes) > 1)


def _to_origin(cells: Cells) -> Cells:
    cells[:, 1:] -= cells[:, 1:].min(axis=0)
    return cells
