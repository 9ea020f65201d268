"""Points where four cells meet, straight lines between rows of cells, and the placements that they cut."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from latcover.cover.problem import Ints
from latcover.encoding.placement import PlacementTable
from latcover.errors import UnsupportedError
from latcover.model.lattice import CLOSE, Lattice
from latcover.model.puzzle import Region


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
    """The four cells around each inner point of the region at which just four cells meet.

    Raises:
        UnsupportedError: the lattice is not flat, or has no such points.
    """
    cells = region.cells
    _require_flat(lattice, "points where four cells meet")
    if region.period:
        raise UnsupportedError("points where four parts meet are not known for regions that close on themselves")
    places = [
        lattice.centres(cells[k : k + 1]) + lattice.nodes[cells[k, 0]].drawing.vertices[:, :2]
        for k in range(len(cells))
    ]
    owner = np.repeat(np.arange(len(cells)), [len(at) for at in places])
    keys = np.rint(np.concatenate(places) / CLOSE / 4).astype(np.int64)
    order = np.lexsort((owner, *keys.T))
    found = False
    for _, group in groupby(order.tolist(), lambda k: tuple(keys[k])):
        around = np.unique(owner[[*group]])
        if len(around) > 4:
            raise UnsupportedError(f"more than four cells meet at points of the lattice {lattice.name!r}")
        if len(around) == 4:
            found = True
            yield around.astype(np.int32)
    if not found and len(cells) > 3 and all(len(node.drawing.vertices) == 6 for node in lattice.nodes):
        raise UnsupportedError(f"no four cells meet at a point of the lattice {lattice.name!r}")


def cut_by_lines(lattice: Lattice, table: PlacementTable) -> Iterator[Ints]:
    """For each straight line between two rows, columns or layers of the region, the placements on both sides of it.

    Raises:
        UnsupportedError: the lattice is not one of squares or cubes, or the region closes on itself.
    """
    gram = lattice.basis @ lattice.basis.T
    if len(lattice.nodes) > 1 or not np.allclose(gram, np.diag(np.diag(gram))) or table.region.period:
        raise UnsupportedError(
            "straight lines are known in regions of squares or cubes that do not close on themselves"
        )
    for along in table.region.cells[:, 1:].T:
        reach, firsts = along[table.cells], table.starts[:-1]
        low = np.minimum.reduceat(reach, firsts) if len(firsts) else firsts
        high = np.maximum.reduceat(reach, firsts) if len(firsts) else firsts
        for line in range(int(along.min()) + 1, int(along.max()) + 1):
            yield np.flatnonzero((low < line) & (line <= high)).astype(np.int32)


def _require_flat(lattice: Lattice, what: str) -> None:
    if lattice.dimension != 2:
        raise UnsupportedError(f"{what} are known for flat lattices only, not for {lattice.name!r}")
