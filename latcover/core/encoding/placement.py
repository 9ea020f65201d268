"""Placements: every way to put an orientation of a part inside the region, as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.problem import Ints, Longs
from latcover.core.cover.time_limit import look_at_clock
from latcover.core.model.lattice import Cells, beside
from latcover.core.model.orientation import Orientation, orientations_of_each
from latcover.core.model.puzzle import MAX_GRID, Bounds, Puzzle, Region
from latcover.core.model.rules.placement_arrays import PlacementArrays
from latcover.errors import PuzzleError
from latcover.system.sorted_sets import distinct

if TYPE_CHECKING:
    from latcover.core.encoding.confines import Confines

CELLS_OF_A_PLACEMENT = 20  # on average, as the bound on placements counts them
PAIRS = 1 << 18  # of a shape and an anchor that are tried together


def places_in(known: npt.NDArray[Any], wanted: npt.NDArray[Any]) -> Longs:
    """The place of each of *wanted* in *known*, which ascends and is not empty; -1 for what is not in it."""
    places = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[places] == wanted, places, -1)


class CellIndex:
    """Finds the numbers of a region's cells, in one dense table over the bounding box."""

    def __init__(self, region: Region, margin: Sequence[int] | None = None) -> None:
        """*margin*: how far `place` may look outside the bounding box along each axis; by default 0."""
        vectors = region.cells[:, 1:]
        self.region = region
        self.margin = np.zeros(vectors.shape[1], np.int64) if margin is None else np.array(margin, np.int64)
        self.low = vectors.min(axis=0).astype(np.int64)
        sizes = np.ptp(vectors, axis=0) + 1 + 2 * self.margin
        self.shape = (int(region.cells[:, 0].max()) + 1, *sizes.tolist())
        if float(np.prod(np.array(self.shape, np.float64))) > MAX_GRID:
            raise PuzzleError("the region's bounding box is too large; move its cells closer together")
        grid = np.full(self.shape, -1, dtype=np.int32)
        self.flat = grid.reshape(-1)
        self.strides = np.array([s // grid.itemsize for s in grid.strides], dtype=np.int64)
        self.at = self._flat_places(region.cells)
        self.flat[self.at] = np.arange(len(vectors), dtype=np.int32)
        if region.period and self.margin.any():
            self._repeat(grid.reshape(self.shape[0], -1))

    def _repeat(self, grid: Ints) -> None:
        """Give each place of the box the number of its home."""
        for first in range(0, grid.shape[1], PAIRS):
            places = np.arange(first, min(first + PAIRS, grid.shape[1]))
            vectors = np.stack(np.unravel_index(places, self.shape[1:]), axis=1) + self.low - self.margin
            home = self.region.period.home(vectors) - self.low + self.margin
            inside = ((home >= 0) & (home < self.shape[1:])).all(axis=1)
            grid[:, places] = np.where(inside, grid[:, np.where(inside, home @ self.strides[1:], 0)], -1)

    def _flat_places(self, cells: Cells) -> Longs:
        places: Longs = cells[:, 0] * self.strides[0] + (cells[:, 1:] - self.low + self.margin) @ self.strides[1:]
        return places

    def place(self, shapes: Sequence[Cells], also: Sequence[Cells]) -> Iterator[tuple[Ints, Ints]]:
        """Every placement of each of *shapes*, whose first cell is the anchor, in blocks of shapes of one size.

        Args:
            shapes: The cells of each shape. No cell may lie beyond the margin.
            also: Cells that move with each shape, and must lie in the region too.

        Yields:
            The index of the shape of each placement, shape (n,), and the numbers of its cells, shape (n, k). They
            ascend by shape, and then by anchor.
        """
        sizes = [(len(own), len(more)) for own, more in zip(shapes, also, strict=True)]
        starts = np.cumsum([0, *map(sum, sizes)])
        cells = np.concatenate([cells for pair in zip(shapes, also, strict=True) for cells in pair])
        node = cells[starts[:-1], 0]
        known = np.maximum.reduceat(cells[:, 0], starts[:-1]) < self.shape[0]
        offsets = (cells[:, 0] - np.repeat(node, np.diff(starts))) * self.strides[0] + cells[:, 1:] @ self.strides[1:]
        at_node = [self.at[self.region.cells[:, 0] == u] for u in range(self.shape[0])]
        at_once = max(1, PAIRS // len(self.at))
        for size, run in groupby(range(len(sizes)), sizes.__getitem__):
            alike = [*run]
            for first in range(0, len(alike), at_once):
                these = [shape for shape in alike[first : first + at_once] if known[shape]]
                if these:
                    table = offsets[starts[these][:, None] + np.arange(sum(size))]
                    which, anchors = self._inside(table, [at_node[u] for u in node[these].tolist()])
                    yield np.array(these, np.int32)[which], self.flat[anchors[:, None] + table[which, : size[0]]]

    def _inside(self, offsets: Longs, anchors: Sequence[Longs]) -> tuple[Longs, Longs]:
        """The shapes with these *offsets* of cells, and those of their *anchors* at which all cells are in the region.

        Each cell rules out anchors. Most are ruled out by the cells that are farthest from them.
        """
        farthest_first = np.take_along_axis(offsets, np.argsort(-np.abs(offsets), axis=1), axis=1)
        which = np.repeat(np.arange(len(offsets)), [len(of_shape) for of_shape in anchors])
        anchor = np.concatenate(anchors)
        for column in farthest_first.T:
            inside = self.flat[anchor + column[which]] >= 0
            if not inside.all():
                which, anchor = which[inside], anchor[inside]
        return which, anchor

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

        *neighbour*, ``(node, x, y, ...)``, is that of the cell of this *node* at the origin. Other cells get -1.
        """
        found = np.full(len(self.region.cells), -1, dtype=np.int32)
        here = np.flatnonzero(self.region.cells[:, 0] == node)
        found[here] = self.find(beside(self.region.cells[here], neighbour))
        return found


class Block(Struct, frozen=True, eq=False):
    """Placements of orientations of one size.

    Attributes:
        orientation: The orientation of each placement, ascending, shape (n,), int32.
        rows: The numbers of its cells, the anchor first, shape (n, k), int32.
    """

    orientation: Ints
    rows: Ints

    def where(self, keep: npt.NDArray[np.bool_]) -> Block:
        """Only the placements to keep."""
        return self if keep.all() else Block(self.orientation[keep], self.rows[keep])


class AlikePlacements(Struct, frozen=True, eq=False):
    """Placements with equally many cells and sides.

    Attributes:
        members: Their numbers, ascending, shape (n,).
        cells, colours: The numbers of their cells, and the colours on these, shape (n, k).
        sides: As in an `Orientation`, shape (n, m, 3).
    """

    members: Longs
    cells: Ints
    colours: Ints
    sides: Ints

    def rows(self) -> npt.NDArray[np.bytes_]:
        """A row of bytes for each: equal ones have the same cells, with the same colours and sides."""
        by = np.argsort(self.cells, axis=1)
        there = np.take_along_axis(self.cells, self.sides[:, :, 0], axis=1)
        columns = [there, self.sides[:, :, 1], self.sides[:, :, 2]]
        of_sides = np.lexsort(columns[::-1], axis=-1)
        arrays = [np.take_along_axis(array, by, axis=1) for array in (self.cells, self.colours)]
        arrays += [np.take_along_axis(column, of_sides, axis=1) for column in columns]
        rows = np.concatenate(arrays, axis=1, dtype=np.int32)
        return rows.view(f"S{4 * rows.shape[1]}").reshape(-1)


class PlacementTable(Struct, frozen=True, eq=False):
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

    def in_groups(self) -> Iterator[AlikePlacements]:
        """The placements in groups with equally many cells and sides."""
        sizes = np.array([(len(o.cells), len(o.sides)) for o in self.orientations]).reshape(-1, 2)
        for size in distinct(sizes[self.orientation], axis=0):
            here = np.flatnonzero((sizes == size).all(axis=1))
            number = np.full(len(sizes), -1)
            number[here] = np.arange(len(here))
            members = np.flatnonzero(number[self.orientation] >= 0)
            which = number[self.orientation[members]]
            cells = self.cells[self.starts[members][:, None] + np.arange(size[0])]
            colours = np.stack([self.orientations[o].colours for o in here.tolist()])[which]
            sides = np.stack([self.orientations[o].sides for o in here.tolist()])[which]
            yield AlikePlacements(members, cells, colours, sides)

    def cells_of(self, placement: int) -> Cells:
        """Cells of a placement as lattice rows, shape (k, dimension + 1)."""
        return self.region.cells[self.cells[self.starts[placement] : self.starts[placement + 1]]]

    def arrays(self, puzzle: Puzzle) -> PlacementArrays:
        """The placements as rules see them."""
        own = self.region, self.starts, self.cells, self.part_of
        return PlacementArrays(puzzle, *own, self.index.beside, self._colours)

    def _colours(self) -> Ints:
        """The colour of the part on each of *cells*."""
        colours = np.concatenate([np.empty(0, np.int32), *(orientation.colours for orientation in self.orientations)])
        first = np.cumsum([0, *(len(orientation.cells) for orientation in self.orientations)])
        sizes = np.diff(self.starts)
        which = np.arange(len(self.cells)) + np.repeat(first[self.orientation] - self.starts[:-1], sizes)
        return colours[which]

    def fitting_by_part(self) -> list[int]:
        """How many orientations of each part have a placement."""
        edges = np.searchsorted(distinct(self.orientation), self.first_orientation)
        return [int(n) for n in np.diff(edges)]


def _cells_at_closed_sides(orientation: Orientation, puzzle: Puzzle) -> Cells:
    """The cells across the sides of *orientation* that may not face the outside; they must lie in the region."""
    open_sides = puzzle.rules.may_look_out()
    if not len(orientation.sides) and open_sides[0]:
        return orientation.cells[:0]
    edges, cells = puzzle.lattice.half_edges, [tuple(cell) for cell in orientation.cells.tolist()]
    across = [edges[label].across(cells[k]) for k, label, value in orientation.sides.tolist() if not open_sides[value]]
    if not open_sides[0]:
        own, shown = set(cells), {(k, label) for k, label, _ in orientation.sides.tolist()}
        flat = ((k, label) for k in range(len(cells)) for label, edge in enumerate(edges) if edge.node == cells[k][0])
        beyond = [edges[label].across(cells[k]) for k, label in flat if (k, label) not in shown]
        across += [cell for cell in beyond if cell not in own]
    return np.array(across, dtype=np.int32).reshape(-1, orientation.cells.shape[1])


def _that_could_fit(flat: Sequence[Orientation], region: Region, extents: Sequence[int]) -> tuple[list[int], list[int]]:
    """The orientations that are no wider than the region, and how far these reach from their anchors."""
    starts = np.cumsum([0, *(len(orientation.cells) for orientation in flat)])[:-1]
    vectors = np.concatenate([orientation.cells[:, 1:] for orientation in flat])
    low, high = np.minimum.reduceat(vectors, starts), np.maximum.reduceat(vectors, starts)
    fits = ((high - low < np.array(extents)) | region.period.moves).all(axis=1)
    reach = np.maximum(-low[fits], high[fits]).max(axis=0, initial=0)
    return np.flatnonzero(fits).tolist(), reach.tolist()


def placements(puzzle: Puzzle, axes: Sequence[int] | None = None, bounds: Bounds | None = None) -> PlacementTable:
    """List every placement of every part of *puzzle*, however often the part may be used.

    Args:
        axes: The axes that number the cells, slowest first; None takes the default order of the region.
        bounds: How many placements are allowed.

    Raises:
        PuzzleError: there are more placements, or they would hold too many cells.

    Source: Barequet and Tal (2010), section 3.1; we sort differently, and match colours here.
    """
    bounds = bounds or Bounds()
    axes = tuple(axes) if axes is not None else puzzle.region.default_order()
    region = puzzle.region.ordered(axes)
    by_part = orientations_of_each(puzzle.parts, axes)
    flat = [orientation for of_part in by_part for orientation in of_part]
    fitting, reach = _that_could_fit(flat, region, region.extents()) if flat else ([], [0] * len(axes))
    sided = puzzle.rules.rim >= 0 or any(len(part.sides) for part in puzzle.parts)
    widest_step = np.abs([edge.step for edge in puzzle.lattice.half_edges]).max(axis=0)
    index = CellIndex(region, (np.array(reach) + sided * widest_step).tolist())

    largest = max((part.size for part in puzzle.parts), default=0)
    if largest * len(region.cells) > CELLS_OF_A_PLACEMENT * bounds.placements:
        raise PuzzleError(
            f"parts of {largest:,} cells in a region of {len(region.cells):,} cells exceed the bound on placements; "
            "raise it with --max-placements"
        )
    blocks: list[Block] = []
    total = 0
    shapes = [flat[o].cells for o in fitting]
    also = [_cells_at_closed_sides(flat[o], puzzle) for o in fitting]
    confines = _confines(puzzle, index, by_part)
    for which, rows in index.place(shapes, also) if fitting else ():
        look_at_clock()
        block = _of_matching_colours(Block(np.array(fitting, np.int32)[which], rows), flat, puzzle, region)
        block = _of_one_colour(block, flat, puzzle, index)
        block = _bearing_what_is_asked(block, flat, puzzle, index)
        if confines is not None:
            block = block.where(confines.admit(block.orientation, block.rows))
        if region.period:  # no placement overlaps itself
            block = block.where((np.diff(np.sort(block.rows, axis=1), axis=1) != 0).all(axis=1))
        total += len(block.rows)
        if total > bounds.placements:
            raise PuzzleError(f"more than {bounds.placements:,} placements; raise the bound with --max-placements")
        blocks.append(block)
    first = np.cumsum([0, *map(len, by_part)], dtype=np.int64)
    return _assemble(index, axes, tuple(flat), first, blocks)


def _confines(puzzle: Puzzle, index: CellIndex, by_part: Sequence[Sequence[Orientation]]) -> Confines | None:
    """Where confined parts may lie; None if no part is confined."""
    if not any(part.is_confined for part in puzzle.parts):
        return None
    from latcover.core.encoding.confines import Confines  # few puzzles need it

    return Confines.of(puzzle, index.find, [*map(len, by_part)])


def _colours(block: Block, flat: Sequence[Orientation]) -> Ints:
    """The colour that each placement shows on each of its cells, shape (n, k), int32."""
    needed, number = np.unique(block.orientation, return_inverse=True)
    colours = np.array([flat[o].colours for o in needed.tolist()], np.int32)
    return colours.reshape(len(needed), block.rows.shape[1])[number]


def _of_matching_colours(block: Block, flat: Sequence[Orientation], puzzle: Puzzle, region: Region) -> Block:
    if len(puzzle.colours) == 1 or not len(block.rows):
        return block
    n = len(puzzle.colours)
    legal = np.eye(n, dtype=np.bool_)
    legal[0, :] = legal[:, 0] = True
    for own, there in puzzle.rules.stands_on:
        legal[own, there] = True
    return block.where(np.all(legal[_colours(block, flat), region.colours[block.rows]], axis=1))


def _of_one_colour(block: Block, flat: Sequence[Orientation], puzzle: Puzzle, index: CellIndex) -> Block:
    """The placements that show at most one colour on each group of cells that must be alike."""
    for group in puzzle.rules.alike:
        if not len(block.rows):
            break
        members = index.find(np.array(group, np.int32))
        shown = np.where(np.isin(block.rows, members[members >= 0]), _colours(block, flat), 0)
        most = shown.max(axis=1, initial=0)
        block = block.where(((shown == 0) | (shown == most[:, None])).all(axis=1))
    return block


def _bearing_what_is_asked(block: Block, flat: Sequence[Orientation], puzzle: Puzzle, index: CellIndex) -> Block:
    """The placements whose sides bear the values that the region asks for."""
    rules, edges = puzzle.rules, puzzle.lattice.half_edges
    if not rules.asked or not len(block.rows):
        return block
    needed, number = np.unique(block.orientation, return_inverse=True)
    values = np.zeros((len(needed), block.rows.shape[1], len(edges)), np.int32)
    for shown, o in zip(values, needed.tolist(), strict=True):
        k, label, value = flat[o].sides.T
        shown[k, label] = value
    keep = np.ones(len(block.rows), np.bool_)
    for cell, label, asked in rules.asked:
        here, there = index.find(np.array([cell, edges[label].across(cell)], np.int32)).tolist()
        which, k = np.nonzero(block.rows == here)
        inner = (block.rows[which] == there).any(axis=1)  # a number below 0 is that of no cell
        keep[which[~inner & ~rules.bears(asked)[values[number[which], k, label]]]] = False
    return block.where(keep)


def _assemble(
    index: CellIndex,
    axes: tuple[int, ...],
    all_orientations: tuple[Orientation, ...],
    first: Longs,
    blocks: list[Block],
) -> PlacementTable:
    blocks = blocks or [Block(np.empty(0, np.int32), np.empty((0, 1), np.int32))]
    of_orientation = np.repeat(np.arange(len(first) - 1, dtype=np.int32), np.diff(first))
    orientation = np.concatenate([block.orientation for block in blocks])
    placed = orientation * np.int64(len(index.region.cells)) + np.concatenate([block.rows[:, 0] for block in blocks])
    sizes = np.concatenate([np.full(len(block.rows), block.rows.shape[1], np.int64) for block in blocks])
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    cells = np.concatenate([block.rows.reshape(-1) for block in blocks])
    part_of, placed_as = of_orientation[orientation], np.arange(len(placed), dtype=np.int32)
    shapes = all_orientations, first, orientation
    table = PlacementTable(index, axes, *shapes, part_of, starts, cells, placed, placed_as)
    return _without_repeats(table) if index.region.period else table


def _without_repeats(table: PlacementTable) -> PlacementTable:
    """Each placement once. In a periodic region several orientations and anchors may make one placement."""
    stands_for = np.arange(len(table))
    for group in table.in_groups():
        _, number = np.unique(group.rows(), return_inverse=True)
        keys = table.part_of[group.members] * np.int64(len(number)) + number
        _, first_seen, inverse = np.unique(keys, return_index=True, return_inverse=True)
        stands_for[group.members] = group.members[first_seen][inverse]
    kept = stands_for == np.arange(len(table))
    sizes = np.diff(table.starts)
    return replace(
        table,
        orientation=table.orientation[kept],
        part_of=table.part_of[kept],
        starts=np.concatenate([[0], np.cumsum(sizes[kept])]),
        cells=table.cells[np.repeat(kept, sizes)],
        placed_as=(np.cumsum(kept) - 1)[stands_for].astype(np.int32),
    )
