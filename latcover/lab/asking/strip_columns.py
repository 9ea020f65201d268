"""The placements that begin in a column of a strip, as bits of the strip's states.

The bits of a column are its cells, and then the items of its sides. A side belongs to the last column in which a
placement may begin that shows a value there; of each value that it may show it has a bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from msgspec import Struct

from latcover.core.cover.problem import CoverProblem, Longs
from latcover.core.encoding.encode import encode
from latcover.core.encoding.placement import PlacementTable, placements
from latcover.core.model.orientation import orientations_of_each
from latcover.core.model.puzzle import Bounds
from latcover.core.model.strip import Strip
from latcover.errors import InternalError


class ColumnPlacement(Struct, frozen=True):
    """A placement that begins in a column. It fits a state that has none of the bits *blocks*, and sets *adds*.

    Attributes:
        columns: How many columns it reaches over.
        begins: Whether it may begin in the first column of a strip.
        ends: Whether it may reach to the last.
    """

    blocks: int
    adds: int
    columns: int
    begins: bool = True
    ends: bool = True


class StripColumns(Struct, frozen=True):
    """The placements that begin in a column, and its bits.

    Attributes:
        by_row: The placements by the first of their cells in the column.
        bits: How many bits a column has; the first are its cells.
        reach: The most columns that a placement reaches over.
    """

    by_row: tuple[tuple[ColumnPlacement, ...], ...]
    bits: int
    reach: int

    def all_placements(self) -> Iterable[ColumnPlacement]:
        """Those of all rows."""
        return (one for of_row in self.by_row for one in of_row)


def columns_of(strip: Strip, bounds: Bounds | None = None) -> StripColumns:
    """The placements of a column somewhere in a long strip."""
    return _Sample(strip, bounds).columns() if strip.has_values else _of_shapes(strip, bounds)


def _of_shapes(strip: Strip, bounds: Bounds | None) -> StripColumns:
    width, masks = strip.width, placements_by_first_row(strip, bounds)
    by_row = tuple(tuple(ColumnPlacement(m, m, -(-m.bit_length() // width)) for m in of_row) for of_row in masks)
    return StripColumns(by_row, width, _reach(strip))


def _reach(strip: Strip) -> int:
    axis, width = 1 + strip.axis, range(strip.lattice.dimension)
    shapes = [o.cells[:, axis] for each in orientations_of_each(strip.parts, width) for o in each]
    return max(int(np.ptp(each)) + 1 for each in shapes)


def placements_by_first_row(strip: Strip, bounds: Bounds | None) -> list[list[int]]:
    """For each row of the first column, the placements whose first cell it is, as sets of cells.

    A cell is a bit: those of the first column come first, those of each column in the order of its rows.
    """
    column = strip.width
    table = placements(strip.puzzle(_reach(strip)), bounds=bounds)
    of_column, rows = _columns_and_rows(table, strip)
    places = (of_column * column + rows).tolist()
    found: list[list[int]] = [[] for _ in range(column)]
    for first, last in pairwise(table.starts.tolist()):
        bits = [places[cell] for cell in table.cells[first:last].tolist()]
        if min(bits) < column:
            found[min(bits)].append(sum(1 << bit for bit in bits))
    return found


def _columns_and_rows(table: PlacementTable, strip: Strip) -> tuple[Longs, Longs]:
    """The column of each cell, from 0, and its row there."""
    along = table.region.cells[:, 1 + strip.axis]
    of_column = (along - along.min()).astype(np.int64)
    rows = np.zeros(len(along), np.int64)
    for k in range(int(of_column.max()) + 1):
        rows[of_column == k] = np.arange(strip.width)
    return of_column, rows


Held = tuple[tuple[object, int, int], ...]  # which placements hold an item: their kind, place and colour


class _Sample:
    """A strip so long that the ends do not matter in its middle, as a cover problem.

    A kind of placement is one up to translation along the strip. So is a kind of item: it is known by what holds it.
    """

    def __init__(self, strip: Strip, bounds: Bounds | None) -> None:
        step = max(abs(edge.step[strip.axis]) for edge in strip.lattice.half_edges)
        self._reach = _reach(strip)
        far = self._reach + max(1, step)
        self._middle, self._length = far + 1, 3 * far + 3
        puzzle = strip.puzzle(self._length)
        table = placements(puzzle, bounds=bounds)
        self._problem, of_option = encode(puzzle, table)
        self._column, self._row = _columns_and_rows(table, strip)
        self._width = strip.width
        self._kinds: list[object] = []
        self._first: list[int] = []
        self._reaches: list[int] = []
        for placement in of_option.tolist():
            cells = table.cells[table.starts[placement] : table.starts[placement + 1]]
            columns = self._column[cells]
            self._first.append(int(columns.min()))
            self._reaches.append(int(np.ptp(columns)) + 1)
            where = np.column_stack([columns - columns.min(), self._row[cells]])
            self._kinds.append((int(table.orientation[placement]), where.tobytes()))
        self._held, self._last = self._holders()

    def _holders(self) -> tuple[dict[int, Held], dict[int, int]]:
        """The kind of each item that is no cell, and the last column where a placement that holds it begins."""
        holding: dict[int, list[tuple[int, int]]] = {}
        problem = self._problem
        for option in range(problem.n_options):
            for item, colour in _entries(problem, option):
                if item >= problem.n_cells:
                    holding.setdefault(item, []).append((option, colour))
        last = {item: max(self._first[option] for option, _ in some) for item, some in holding.items()}
        held = {
            item: tuple(sorted((self._kinds[o], self._first[o] - last[item], colour) for o, colour in some))
            for item, some in holding.items()
        }
        return held, last

    def columns(self) -> StripColumns:
        offset: dict[Held, dict[int, int]] = {}  # the bit of each colour of each kind of item
        bits = self._width
        for item in sorted(self._held):
            if self._last[item] == self._middle:
                colours = sorted({colour for *_, colour in self._held[item]})
                offset[self._held[item]] = {colour: bits + k for k, colour in enumerate(colours)}
                bits += len(colours)
        begin = {kind for kind, first in zip(self._kinds, self._first, strict=True) if first == 0}
        ranges = zip(self._kinds, self._first, self._reaches, strict=True)
        end = {kind for kind, first, reaches in ranges if first + reaches == self._length}
        by_row: list[list[ColumnPlacement]] = [[] for _ in range(self._width)]
        for option in np.flatnonzero(np.array(self._first) == self._middle).tolist():
            blocks = adds = 0
            rows = []
            for item, colour in _entries(self._problem, option):
                if item < self._problem.n_cells:
                    after = int(self._column[item]) - self._middle
                    own = all_own = 1 << after * bits + int(self._row[item])
                    rows += [int(self._row[item])] if after == 0 else []
                else:
                    if self._held[item] not in offset:
                        raise InternalError("the sides of a strip do not repeat along it")
                    of_colour = offset[self._held[item]]
                    shift = (self._last[item] - self._middle) * bits
                    own = 1 << shift + of_colour[colour]
                    all_own = sum(1 << shift + bit for bit in of_colour.values())
                blocks |= all_own if colour == 0 else all_own & ~own
                adds |= own
            kind = self._kinds[option]
            made = ColumnPlacement(blocks, adds, self._reaches[option], kind in begin, kind in end)
            by_row[min(rows)].append(made)
        return StripColumns(tuple(map(tuple, by_row)), bits, self._reach)


def _entries(problem: CoverProblem, option: int) -> Iterable[tuple[int, int]]:
    """The items of an option, and the colours in which it holds them."""
    return zip(problem.items_of(option).tolist(), problem.colours_of(option).tolist(), strict=True)
