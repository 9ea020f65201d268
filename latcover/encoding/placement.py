"""Placements: every way to put an orientation of a part inside the region, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from latcover.cover.problem import Ints, Longs
from latcover.errors import PuzzleError
from latcover.model.lattice import Cells, beside
from latcover.model.orientation import Orientation, orientations
from latcover.model.puzzle import MAX_GRID, Bounds, Puzzle, Region

CELLS_OF_A_PLACEMENT = 20  # on average, as the bound on placements counts them


class CellIndex:
    """Finds the numbers of a region's cells, in one dense table over the bounding box."""

    def __init__(self, region: Region, margin: Sequence[int] | None = None) -> None:
        """*margin*: how far `place` may look outside the bounding box along each axis; by default 0."""
        margin = [0] * len(region.period) if margin is None else margin
        self.region = region
        vectors = region.cells[:, 1:]
        periodic = np.array([bool(p) for p in region.period])
        self.low = np.where(periodic, 0, vectors.min(axis=0)).astype(np.int64)
        self.margin = np.array(margin, dtype=np.int64)
        shape = (int(region.cells[:, 0].max()) + 1, *region.extents())
        if float(np.prod([float(s + 2 * m) for s, m in zip(shape, (0, *margin), strict=True)])) > MAX_GRID:
            raise PuzzleError("the region's bounding box is too large; move its cells closer together")
        grid = np.full(shape, -1, dtype=np.int32)
        grid[(region.cells[:, 0], *(vectors - self.low).T)] = np.arange(len(vectors), dtype=np.int32)
        for axis, m in enumerate(margin):
            if not m:
                continue  # a padding of width 0 would still take time
            width = [(0, 0)] * grid.ndim
            width[axis + 1] = (m, m)
            grid = np.pad(grid, width, mode="wrap") if periodic[axis] else np.pad(grid, width, constant_values=-1)
        self.flat = grid.reshape(-1)
        self.shape = grid.shape
        self.strides = np.array([s // grid.itemsize for s in grid.strides], dtype=np.int64)
        self.at = self._flat_places(region.cells)

    def _flat_places(self, cells: Cells) -> Longs:
        places: Longs = cells[:, 0] * self.strides[0] + (cells[:, 1:] - self.low + self.margin) @ self.strides[1:]
        return places

    def place(self, orientation: Orientation, also: Cells) -> Ints:
        """Every placement of *orientation*: numbers of its cells, shape (n, k), by ascending anchor.

        The cells *also* move with the orientation, and must lie in the region too. No cell may lie beyond the margin.
        """
        node = orientation.cells[0, 0]
        if max(orientation.cells[:, 0].max(), also[:, 0].max(initial=0)) >= self.shape[0]:
            return np.empty((0, len(orientation.cells)), np.int32)
        anchors = self.at[self.region.cells[:, 0] == node]
        n_cells = len(orientation.cells)
        cells = np.concatenate([orientation.cells, also])
        offsets = (cells[:, 0] - node) * self.strides[0] + cells[:, 1:] @ self.strides[1:]
        rows = np.empty((len(anchors), n_cells), dtype=np.int32)
        for k, offset in enumerate(offsets):  # each cell rules out anchors, most of them early
            found = self.flat[anchors + offset]
            inside = found >= 0
            if not inside.all():
                rows, anchors, found = rows[inside], anchors[inside], found[inside]
            if k < n_cells:
                rows[:, k] = found
        return rows

    def find(self, cells: Cells) -> Ints:
        """Number of each of *cells*, or -1 for a cell outside the region; the coordinates may be any."""
        cells = self.region.wrapped(cells)
        shifted = cells[:, 1:] - self.low + self.margin
        inside = ((shifted >= 0) & (shifted < self.shape[1:])).all(axis=1) & (cells[:, 0] < self.shape[0])
        found = np.full(len(cells), -1, dtype=np.int32)
        found[inside] = self.flat[self._flat_places(cells[inside])]
        return found

    def beside(self, node: int, neighbour: Sequence[int]) -> Ints:
        """The number of a neighbour of each cell of the region, shape (n_cells,); -1 if it lies outside.

        Args:
            node: The node of the cells; other cells get -1.
            neighbour: The neighbour ``(node, x, y, ...)`` of the cell of this node at the origin.
        """
        found = np.full(len(self.region.cells), -1, dtype=np.int32)
        here = np.flatnonzero(self.region.cells[:, 0] == node)
        found[here] = self.find(beside(self.region.cells[here], neighbour))
        return found


@dataclass(frozen=True, slots=True, eq=False)
class PlacementTable:
    """All placements of a puzzle's parts, sorted by part, orientation and anchor.

    Attributes:
        index: Finds the numbers of the region's cells.
        axes: The axes that number the cells, slowest first.
        orientations: The orientations of the first part, then those of the second, and so on.
        first_orientation: The first orientation of each part, shape (n_parts + 1,), int64.
        orientation, part_of: The orientation and the part of each placement, shape (n,), int32.
        starts, cells: Cell numbers of placement p are ``cells[starts[p]:starts[p + 1]]``, in the order of the
            orientation's cells, the anchor first.
        placed, placed_as: Keys ``orientation * n_cells + anchor``, ascending, and the placement of each key. In a
            periodic region several keys may have the same placement.
    """

    index: CellIndex
    axes: tuple[int, ...]
    orientations: tuple[Orientation, ...]
    first_orientation: Longs
    orientation: Ints
    part_of: Ints
    starts: Longs
    cells: Ints
    placed: Longs
    placed_as: Ints

    def __len__(self) -> int:
        return len(self.orientation)

    @property
    def region(self) -> Region:
        """The puzzle's region with its cells in anchor order; cell numbers refer to it."""
        return self.index.region

    def cells_of(self, placement: int) -> Cells:
        """Cells of a placement as lattice rows, shape (k, dimension + 1)."""
        return self.region.cells[self.cells[self.starts[placement] : self.starts[placement + 1]]]

    def fitting_by_part(self) -> list[int]:
        """How many orientations of each part have a placement."""
        fitting = np.unique(self.orientation)
        edges = np.searchsorted(fitting, self.first_orientation)
        return [int(n) for n in np.diff(edges)]


def _reach(all_orientations: Sequence[Orientation], dimension: int) -> list[int]:
    reach = np.zeros(dimension, dtype=int)
    for orientation in all_orientations:
        reach = np.maximum(reach, np.abs(orientation.cells[:, 1:]).max(axis=0))
    return [int(r) for r in reach]


def _cells_at_closed_sides(orientation: Orientation, puzzle: Puzzle) -> Cells:
    """The cells across the sides of *orientation* that may not face the outside; they must lie in the region."""
    shut = orientation.sides[~puzzle.rules.open_sides[orientation.sides[:, 2]]]
    edges, cells = puzzle.lattice.half_edges, orientation.cells.tolist()
    across = [edges[label].across(cells[k]) for k, label, _ in shut.tolist()]
    return np.array(across, dtype=np.int32).reshape(-1, orientation.cells.shape[1])


def _could_fit(orientation: Orientation, region: Region, extents: Sequence[int]) -> bool:
    spans = orientation.cells[:, 1:].max(axis=0) - orientation.cells[:, 1:].min(axis=0) + 1
    return all(p or s <= e for s, e, p in zip(spans, extents, region.period, strict=True))


def placements(puzzle: Puzzle, axes: Sequence[int] | None = None, bounds: Bounds | None = None) -> PlacementTable:
    """List every placement of every part of *puzzle*.

    Args:
        puzzle: The puzzle; the numbers of copies of its parts do not matter here.
        axes: The axes that number the cells, slowest first; None takes the default order of the region.
        bounds: How many placements are allowed.

    Raises:
        PuzzleError: there are more placements, or they would hold too many cells.

    Source: Barequet and Tal (2010), section 3.1; we sort differently, and match colours here.
    """
    bounds = bounds or Bounds()
    axes = tuple(axes) if axes is not None else puzzle.region.default_order()
    region = puzzle.region.ordered(axes)
    by_part = [orientations(part, axes) for part in puzzle.parts]
    flat = [orientation for of_part in by_part for orientation in of_part]
    extents = region.extents()
    fitting = [_could_fit(orientation, region, extents) for orientation in flat]
    reach = _reach([o for o, fits in zip(flat, fitting, strict=True) if fits], len(axes))
    sided = any(len(part.sides) for part in puzzle.parts)
    index = CellIndex(region, [r + w * sided for r, w in zip(reach, _step(puzzle), strict=True)])

    largest = max((part.size for part in puzzle.parts), default=0)
    if largest * len(region.cells) > CELLS_OF_A_PLACEMENT * bounds.placements:
        raise PuzzleError(
            f"parts of {largest:,} cells in a region of {len(region.cells):,} cells exceed the bound on placements; "
            "raise it with --max-placements"
        )
    blocks: list[Ints] = []
    total = 0
    for orientation, fits in zip(flat, fitting, strict=True):
        rows = (
            index.place(orientation, _cells_at_closed_sides(orientation, puzzle))
            if fits
            else np.empty((0, len(orientation.cells)), np.int32)
        )
        rows = _of_matching_colours(rows, orientation, puzzle, region)
        if any(region.period):
            rows = rows[(np.diff(np.sort(rows, axis=1), axis=1) != 0).all(axis=1)]  # no placement overlaps itself
        total += len(rows)
        if total > bounds.placements:
            raise PuzzleError(f"more than {bounds.placements:,} placements; raise the bound with --max-placements")
        blocks.append(rows)
    first = np.cumsum([0, *map(len, by_part)], dtype=np.int64)
    return _assemble(index, axes, tuple(flat), first, blocks)


def _step(puzzle: Puzzle) -> list[int]:
    """The widest step of a half-edge along each axis."""
    return [int(w) for w in np.abs([edge.step for edge in puzzle.lattice.half_edges]).max(axis=0)]


def _of_matching_colours(rows: Ints, orientation: Orientation, puzzle: Puzzle, region: Region) -> Ints:
    if not orientation.colours.any():
        return rows
    n = len(puzzle.colours)
    legal = np.eye(n, dtype=np.bool_)
    legal[0, :] = legal[:, 0] = True
    for own, there in puzzle.rules.stands_on:
        legal[own, there] = True
    matching: Ints = rows[legal[orientation.colours, region.colours[rows]].all(axis=1)]
    return matching


def _assemble(
    index: CellIndex,
    axes: tuple[int, ...],
    all_orientations: tuple[Orientation, ...],
    first: Longs,
    blocks: list[Ints],
) -> PlacementTable:
    n_cells, periodic = len(index.region.cells), any(index.region.period)
    lengths = np.array([len(rows) for rows in blocks], dtype=np.int64)
    orientation = np.repeat(np.arange(len(blocks), dtype=np.int32), lengths)
    anchors = np.concatenate([rows[:, 0] for rows in blocks]) if blocks else np.empty(0, np.int32)
    placed = orientation.astype(np.int64) * n_cells + anchors
    placed_as = np.arange(len(placed), dtype=np.int32)
    if periodic:
        keep, placed_as = _without_repeats(blocks, all_orientations, first)
        starts = np.cumsum([0, *lengths])
        blocks = [rows[keep[a:b]] for rows, a, b in zip(blocks, starts, starts[1:], strict=False)]
        orientation = orientation[keep]
    sizes = np.concatenate([np.full(len(rows), rows.shape[1], np.int64) for rows in blocks])
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    cells = np.concatenate([rows.reshape(-1) for rows in blocks])
    of_orientation = np.repeat(np.arange(len(first) - 1, dtype=np.int32), np.diff(first))
    part_of = of_orientation[orientation]
    return PlacementTable(index, axes, all_orientations, first, orientation, part_of, starts, cells, placed, placed_as)


def _without_repeats(
    blocks: list[Ints], all_orientations: tuple[Orientation, ...], first: Longs
) -> tuple[npt.NDArray[np.bool_], Ints]:
    """Which rows to keep, and the placement of each row. In a periodic region several rows may be one placement."""
    n_colours = 1 + max((int(o.colours.max(initial=0)) for o in all_orientations), default=0)
    keep: list[npt.NDArray[np.bool_]] = []
    stands_for: list[Ints] = []
    n_before = 0
    for a, b in pairwise(first):
        rows = np.concatenate([_decorated(blocks[o], all_orientations[o], n_colours) for o in range(a, b)])
        _, first_seen, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        kept = np.zeros(len(rows), np.bool_)
        kept[first_seen] = True
        number = np.cumsum(kept) - 1 + n_before
        keep.append(kept)
        stands_for.append(number[first_seen][inverse.reshape(-1)].astype(np.int32))
        n_before += int(kept.sum())
    return np.concatenate(keep), np.concatenate(stands_for)


def _decorated(rows: Ints, orientation: Orientation, n_colours: int) -> Longs:
    """Rows that are equal if and only if the same cells have the same colours and the same sides."""
    cells = np.sort(rows.astype(np.int64) * n_colours + orientation.colours, axis=1)
    k, label, value = orientation.sides.T.astype(np.int64)
    sides = np.sort((rows[:, k] * 10_000 + label) * 10_000 + value, axis=1)
    return np.concatenate([cells, sides], axis=1)
