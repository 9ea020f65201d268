"""Named objectives: what may be minimized or maximized over the solutions of a puzzle, as costs of placements.

Each objective says its value by `Costs`, whose members are the placements. So each backend can bound it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt

from latcover.cover.costs import Costs, Term
from latcover.cover.problem import Ints, Longs
from latcover.encoding.encode import neighbour_graph
from latcover.encoding.placement import PlacementTable
from latcover.encoding.prepared import Prepared
from latcover.errors import UnsupportedError, suggest
from latcover.model.lattice import CLOSE, Lattice


@dataclass(frozen=True, slots=True)
class Objective:
    """Something that is valued.

    Attributes:
        words: What its value is, for people: "points where four parts meet".
        costs: Makes the costs for a prepared puzzle.
    """

    words: str
    costs: Callable[[Prepared], Costs]


def costs_of(prepared: Prepared, name: str) -> Costs:
    """The objective *name* for a puzzle, as costs of its placements.

    Raises:
        UnsupportedError: there is no such objective, or the puzzle's lattice has no such thing.
    """
    if name not in OBJECTIVES:
        raise UnsupportedError(f"there is no objective {name!r:.40}{suggest(name, OBJECTIVES)}")
    return OBJECTIVES[name].costs(prepared)


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


def corners_of_four(prepared: Prepared) -> Iterator[Ints]:
    """The four cells around each inner point of the region at which just four cells meet.

    Raises:
        UnsupportedError: the lattice is not flat, or has no such points.
    """
    lattice, cells = prepared.puzzle.lattice, prepared.table.region.cells
    _require_flat(lattice, "points where four cells meet")
    if prepared.table.region.period:
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


def _crossroads(prepared: Prepared) -> Costs:
    """Four parts meet at a point unless a placement covers two of the cells around it."""
    covering = CellsToMembers(prepared.table)
    terms = [Term(-1, (covering.covering_two(around),)) for around in corners_of_four(prepared)]
    if prepared.table.region.optional.any():
        raise UnsupportedError("points where four parts meet are counted only where no cell may stay empty")
    return Costs.of_terms(np.zeros(prepared.n_members), terms, len(terms))


def _fault_lines(prepared: Prepared) -> Costs:
    """A line is a fault unless a placement lies on both sides of it."""
    table, lattice = prepared.table, prepared.puzzle.lattice
    gram = lattice.basis @ lattice.basis.T
    if len(lattice.nodes) > 1 or not np.allclose(gram, np.diag(np.diag(gram))) or table.region.period:
        raise UnsupportedError("fault lines are known for regions of squares or cubes that do not close on themselves")
    terms = []
    for along in table.region.cells[:, 1:].T:
        reach = along[table.cells]
        low, high = np.minimum.reduceat(reach, table.starts[:-1]), np.maximum.reduceat(reach, table.starts[:-1])
        lines = range(int(along.min()) + 1, int(along.max()) + 1)
        terms += [Term(-1, (np.flatnonzero((low < line) & (line <= high)),)) for line in lines]
    return Costs.of_terms(np.zeros(prepared.n_members), terms, len(terms))


def _alike(prepared: Prepared) -> Iterator[tuple[Ints, Ints, Ints]]:
    """For each side and each colour: the placements of the colour on its one side, on the other, and on both."""
    table, parts = prepared.table, prepared.puzzle.parts
    names = [part.display_colour or f"part {part.name}" for part in parts]
    of_member = np.unique(names, return_inverse=True)[1][table.part_of]
    covering = CellsToMembers(table)
    for here, there in sides_between(prepared).tolist():
        first, second = covering.covering(here), covering.covering(there)
        for colour in np.intersect1d(of_member[first], of_member[second]):
            mine, theirs = first[of_member[first] == colour], second[of_member[second] == colour]
            yield mine, theirs, np.intersect1d(mine, theirs)


def _touching_alike(prepared: Prepared) -> Costs:
    """A colour covers both cells at a side, and no placement of it covers both."""
    terms = [
        term
        for mine, theirs, both in _alike(prepared)
        for term in (Term(1, (mine, theirs)), *([Term(-1, (both,))] if len(both) else []))
    ]
    return Costs.of_terms(np.zeros(prepared.n_members), terms)


def _border(prepared: Prepared) -> Costs:
    """Every side between two cells, less those with one colour on both sides."""
    if prepared.table.region.optional.any():
        raise UnsupportedError("the border between colours is known only where no cell may stay empty")
    terms = [Term(-1, (mine, theirs)) for mine, theirs, _ in _alike(prepared)]
    return Costs.of_terms(np.zeros(prepared.n_members), terms, len(sides_between(prepared)))


def sides_between(prepared: Prepared) -> npt.NDArray[np.int64]:
    """The pairs of cells that share a side, shape (n, 2)."""
    starts, neighbours = neighbour_graph(prepared.table.index, prepared.puzzle.lattice)
    here: Longs = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return np.stack([here, neighbours], axis=1)[here < neighbours]


def _require_flat(lattice: Lattice, what: str) -> None:
    if lattice.dimension != 2:
        raise UnsupportedError(f"{what} are known for flat lattices only, not for {lattice.name!r}")


OBJECTIVES: dict[str, Objective] = {
    "crossroads": Objective("points where four parts meet", _crossroads),
    "fault-lines": Objective("straight lines that cut no part", _fault_lines),
    "touching-alike": Objective("sides between two parts of one colour", _touching_alike),
    "border": Objective("sides between parts of different colours", _border),
}
