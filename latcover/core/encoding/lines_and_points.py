"""Points where four cells meet, straight lines between rows of cells, and the placements that they cut."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import gcd

import numpy as np

from latcover.core.cover.problem import Ints
from latcover.core.encoding.four_cell_points import stars_of_four
from latcover.core.encoding.placement import PlacementTable
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Region
from latcover.errors import UnsupportedError


class CellsToMembers:
    """Finds the placements that cover cells of a region."""

    def __init__(self, table: PlacementTable) -> None:
        member = np.repeat(np.arange(len(table), dtype=np.int32), np.diff(table.starts))
        order = np.argsort(table.cells, kind="stable")
        self._members = member[order]
        self._first = np.searchsorted(table.cells[order], np.arange(len(table.region.cells) + 1))

    def covering(self, cell: int) -> Ints:
        """The placements that cover a cell, ascending."""
        return self._members[self._first[cell] : self._first[cell + 1]]

    def covering_two(self, cells: Ints) -> Ints:
        """The placements that cover at least two of *cells*, ascending."""
        members, many = np.unique(np.concatenate([self.covering(cell) for cell in cells.tolist()]), return_counts=True)
        return members[many >= 2]


def corners_of_four(lattice: Lattice, region: Region) -> Iterator[Ints]:
    """The four cells around each inner point of the region at which just four cells of the lattice meet.

    Raises:
        UnsupportedError: the lattice is not flat, has no such points, or has others at which more cells meet.
    """
    if region.period:
        raise UnsupportedError("points where four parts meet are not known for regions that close on themselves")
    number = {tuple(cell): k for k, cell in enumerate(region.cells.tolist())}
    for star in stars_of_four(lattice):
        for node, x, y in number:
            if node == star[0][0]:
                around = [number.get((other, x + dx, y + dy), -1) for other, dx, dy in star]
                if min(around) >= 0:
                    yield np.array(sorted(around), np.int32)


def are_lines_known(lattice: Lattice, region: Region) -> bool:
    """Whether `cut_by_lines` knows the lines of a region: one of squares or cubes."""
    gram = lattice.basis @ lattice.basis.T
    return len(lattice.nodes) == 1 and np.allclose(gram, np.diag(np.diag(gram)))


def cut_by_lines(lattice: Lattice, table: PlacementTable) -> Iterator[Ints]:
    """For each straight line between two rows, columns or layers of the region, the placements on both sides of it.

    Where the region closes on itself, these are the placements with two neighbours between which the line runs. The
    period may take a line to parallels of it, which are the same line then.

    Raises:
        UnsupportedError: the lattice is not one of squares or cubes.
    """
    if not are_lines_known(lattice, table.region):
        raise UnsupportedError("straight lines are known in regions of squares or cubes")
    if table.region.period:
        yield from _cut_by_closed_lines(table)
        return
    for along in table.region.cells[:, 1:].T:
        reach, firsts = along[table.cells], table.starts[:-1]
        low = np.minimum.reduceat(reach, firsts) if len(firsts) else firsts
        high = np.maximum.reduceat(reach, firsts) if len(firsts) else firsts
        for line in range(int(along.min()) + 1, int(along.max()) + 1):
            yield np.flatnonzero((low < line) & (line <= high)).astype(np.int32)


def _cut_by_closed_lines(table: PlacementTable) -> Iterator[Ints]:
    """The same where the region closes on itself.

    The period repeats a line after the greatest common divisor of what its vectors go along the axis.
    """
    cells, covering = table.region.cells, CellsToMembers(table)
    for axis, step in enumerate(np.eye(cells.shape[1] - 1, dtype=int).tolist()):
        there = table.index.beside(0, (0, *step))
        again = gcd(*(vector[axis] for vector in table.region.period.vectors))
        pairs = defaultdict(list)
        for cell in np.flatnonzero(there >= 0).tolist():
            line = int(cells[cell, 1 + axis]) + 1
            pairs[line % again if again else line].append(np.array([cell, there[cell]]))
        for line in sorted(pairs):
            yield np.unique(np.concatenate([covering.covering_two(pair) for pair in pairs[line]]))
