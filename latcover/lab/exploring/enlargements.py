"""Enlargements: a shape, made larger and perhaps turned, as a region of the same lattice's cells.

A similar shape of *area* times the size has the root of *area* times the lengths. It is a region if each cell of the
lattice lies in it or beside it; that is a matter of the cells' drawings. All places count in which a corner of it lies
on a corner of cells, and turns by multiples of 15 degrees: others bring no sides of a shipped lattice's cells in line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import cos, isqrt, radians, sin, sqrt

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.puzzle import Part
from latcover.files.formats.puzzle_files.drawn_shapes import DrawnShape, common_size
from latcover.lab.exploring.atlas_answers import Least
from latcover.lab.exploring.rectangles import RectangleSearch
from latcover.lab.exploring.tilings import tile_in_stages, tiling_puzzle

TURN = 15  # degrees
CLOSE = 1e-4  # of a cell's area, or of a length

Points = npt.NDArray[np.float64]
Rows = tuple[tuple[int, ...], ...]


class Enlargement(Struct, frozen=True, eq=False):
    """A region that is similar to a shape, of so many times its area."""

    area: int
    cells: Cells

    @property
    def name(self) -> str:
        root = isqrt(self.area)
        return f"x{root}" if root * root == self.area else f"xsqrt({self.area})"


def smallest_enlargement(shape: Part, most: int, search: RectangleSearch) -> Least | None:
    """The smallest enlargement of up to *most* times that copies of the shape fill; None if there is none of cells."""
    assert shape.lattice
    least = None
    for each in enlargements(shape, most):
        sure = least is None or least.proved
        if search.is_over:
            return Least(proved=False, bound=f"up to x{most}")
        puzzle = tiling_puzzle(each.name, shape.lattice, each.cells, [shape])
        found = tile_in_stages(puzzle, search.left, search.events)
        if found.tiling is not None:
            return Least(each.name, each.area, found.tiling, sure)
        least = Least(proved=sure and found.refuted, bound=f"up to x{most}")
    return least


def enlargements(shape: Part, most: int) -> Iterator[Enlargement]:
    """The regions that are similar to *shape*, up to *most* times as long, the smallest first."""
    lattice = shape.lattice
    assert lattice
    if lattice.dimension != 2 or lattice.symbolic or lattice.has_gaps:
        return
    drawn = _Drawn(lattice)
    outline = [drawn.outline(cell) for cell in shape.cells.tolist()]
    for area in range(2, most * most + 1):
        seen = set()
        for degrees in range(0, drawn.least_turn, TURN):
            scaled = [sqrt(area) * each @ _rotation(degrees) for each in outline]
            if not drawn.runs_along(scaled):
                continue
            for corner in drawn.corners:
                cells = drawn.region(scaled, corner)
                if cells and cells not in seen:
                    seen.add(cells)
                    yield Enlargement(area, np.array(cells, np.int32))


def _rotation(degrees: int) -> Points:
    angle = radians(degrees)
    return np.array([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])


class _Drawn:
    """The drawings of the cells of a lattice.

    Attributes:
        corners: Of cells, up to translations of the lattice, shape (n, 2).
        least_turn: The angle of the lattice's smallest rotation, in degrees.
    """

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self._inverse = np.linalg.inv(lattice.basis)
        self._outlines = [node.drawing.vertices[:, :2] + node.position for node in lattice.nodes]
        within = np.concatenate(self._outlines) @ self._inverse
        unique = np.unique(np.round(within - np.floor(within + CLOSE), 4), axis=0)
        self.corners: Points = unique @ lattice.basis
        turns = {int(np.trace(t.matrix)) for t in lattice.transformations if t.proper}
        self.least_turn = next((angle for trace, angle in ((1, 60), (0, 90), (-1, 120)) if trace in turns), 180)
        sides = np.concatenate([np.roll(each, -1, axis=0) - each for each in self._outlines])
        self._directions = _directions(sides)

    def outline(self, cell: Sequence[int]) -> Points:
        """The corners of a cell, shape (n, 2)."""
        return self._outlines[cell[0]] + np.array(cell[1:]) @ self.lattice.basis

    def runs_along(self, outline: list[Points]) -> bool:
        """Whether all sides have directions that sides of cells have; else they would cut cells."""
        own = _directions(np.concatenate([np.roll(each, -1, axis=0) - each for each in outline]))
        apart = np.abs(own[:, None] - self._directions)
        return bool((np.minimum(apart, 180 - apart).min(axis=1) < 0.01).all())

    def region(self, scaled: list[Points], corner: Points) -> Rows:
        """The cells of an outline whose first corner is moved to *corner*; none if it cuts a cell."""
        shapes = [_Polygon(each + (corner - scaled[0][0])) for each in scaled]
        every = np.concatenate([each.corners for each in shapes]) @ self._inverse
        low, high = np.floor(every.min(axis=0)).astype(int) - 1, np.ceil(every.max(axis=0)).astype(int) + 1
        found = []
        for cell in product(range(len(self._outlines)), *map(range, low, high + 1)):
            own = _Polygon(self.outline(cell))
            share = sum(own.common(each) for each in shapes) / own.common(own)
            if share > 1 - CLOSE:
                found.append(cell)
            elif share > CLOSE:
                return ()
        least = [min(axis) for axis in zip(*found, strict=True)]
        return tuple((node, x - least[1], y - least[2]) for node, x, y in found)


class _Polygon:
    """A polygon, not necessarily convex, of these corners, shape (n, 2)."""

    def __init__(self, corners: Points) -> None:
        self.corners, self._low, self._high = corners, corners.min(axis=0), corners.max(axis=0)
        sides = [np.array(side) for side in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
        self._drawn = DrawnShape(np.zeros(2), sides, 0.0)

    def common(self, other: _Polygon) -> float:
        """The area that two polygons have in common."""
        if (np.minimum(self._high, other._high) - np.maximum(self._low, other._low)).min() < CLOSE:
            return 0.0
        return abs(common_size(self._drawn, other._drawn, np.zeros(2)))


def _directions(sides: Points) -> Points:
    """The directions of sides, in degrees from 0 to 180, each once."""
    found: Points = np.unique(np.round(np.degrees(np.arctan2(sides[:, 1], sides[:, 0])) % 180, 3))
    return found
