"""All placements of a puzzle as rules see them when they encode themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.problem import Ints, Longs
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Puzzle, Region
from latcover.system.sorted_sets import distinct

Direction = tuple[int, tuple[int, ...]]  # a node, and a cell that touches the one of this node at the origin


class PlacementArrays(Struct, frozen=True, eq=False, dict=True):
    """All placements, numbered from 0, as arrays.

    Attributes:
        region: The puzzle's region. Cells are numbered in its order.
        starts, cells: The cells of placement p are ``cells[starts[p]:starts[p + 1]]``.
        part_of: The part of each placement, shape (n_placements,).
        beside: For a node and a neighbour of its cell at the origin: the number of the cell that lies so beside each
            cell, shape (n_cells,); -1 where there is none.
        find_colours: Finds `colours`.
    """

    puzzle: Puzzle
    region: Region
    starts: Longs
    cells: Ints
    part_of: Ints
    beside: Callable[[int, Sequence[int]], Ints]
    find_colours: Callable[[], Ints]

    def __len__(self) -> int:
        return len(self.part_of)

    def of_parts(self, parts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Which placements are of these parts, shape (n_placements,); all, if none are named."""
        own = np.array([not parts or part.name in parts for part in self.puzzle.parts])
        members: npt.NDArray[np.bool_] = own[self.part_of]
        return members

    def cells_of(self, member: int) -> Ints:
        """The numbers of the cells of a placement."""
        return self.cells[self.starts[member] : self.starts[member + 1]]

    @cached_property
    def colours(self) -> Ints:
        """The colour of the part on each of *cells*, a number of ``puzzle.colours``."""
        return self.find_colours()

    @cached_property
    def _by_cell(self) -> tuple[Ints, npt.NDArray[np.intp]]:
        member = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))
        order = np.argsort(self.cells, kind="stable")
        return member[order], np.searchsorted(self.cells[order], np.arange(len(self.region.cells) + 1))

    def covering(self, cell: int) -> Ints:
        """The placements that cover a cell, ascending."""
        members, first = self._by_cell
        return members[first[cell] : first[cell + 1]]

    def covering_two(self, cells: Ints) -> Ints:
        """The placements that cover at least two of *cells*, ascending."""
        members, many = np.unique(np.concatenate([self.covering(cell) for cell in cells.tolist()]), return_counts=True)
        return members[many >= 2]

    def touching(self, *, corners: bool = False) -> Longs:
        """The pairs of cells that touch across sides, shape (n, 2), ascending; with *corners* across corners too."""
        n, found = len(self.region.cells), [np.empty(0, np.int64)]
        for node, neighbour in directions(self.puzzle.lattice, corners=corners):
            there = self.beside(node, neighbour).astype(np.int64)
            here = np.flatnonzero((there >= 0) & (there != np.arange(n)))
            found.append(np.minimum(here, there[here]) * n + np.maximum(here, there[here]))
        return np.stack(np.divmod(distinct(np.concatenate(found)), n), axis=1)


def directions(lattice: Lattice, *, corners: bool) -> Iterator[Direction]:
    """All pairs of a node and a cell that touches the cell of this node at the origin, across corners too or not."""
    if corners:
        for node, around in enumerate(lattice.touching):
            yield from ((node, cell) for cell in around)
    else:
        yield from ((edge.node, edge.leads_to) for edge in lattice.half_edges)
