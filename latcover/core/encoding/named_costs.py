"""The costs that a puzzle's author gives (`latcover.core.model.puzzle_costs`), as costs of placements."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from latcover.core.cover.cover_costs import Costs, Term
from latcover.core.cover.problem import Ints
from latcover.core.encoding.prepared import Prepared
from latcover.core.model.puzzle_costs import NamedCosts, PlacementCost, TouchingCost
from latcover.errors import PuzzleError, suggest
from latcover.system.sorted_sets import distinct


def costs_as_named(prepared: Prepared, named: NamedCosts) -> Costs:
    """What *named* says of the placements.

    Raises:
        PuzzleError: it names a part or a cell that the puzzle does not have, or cells that no placement covers.
    """
    return _NamedCosts(prepared, named).costs()


class _NamedCosts:
    """Finds the placements that entries are about."""

    def __init__(self, prepared: Prepared, named: NamedCosts) -> None:
        self._prepared, self._table, self._named = prepared, prepared.table, named
        self._covering = prepared.table.arrays(prepared.puzzle)
        self._part = {part.name: k for k, part in enumerate(prepared.puzzle.parts)}
        self._cell = {tuple(cell): k for k, cell in enumerate(prepared.table.region.cells.tolist())}
        for fault in named.faults(self._part, self._cell):
            what = f"no part {fault.part!r:.80}{suggest(fault.part, self._part)}" if fault.part else (
                f"{prepared.puzzle.lattice.written(fault.cell)} is not a cell of the region"
            )  # fmt: skip
            raise PuzzleError(f"the costs {named.name!r:.80} of {prepared.name!r}: {what}")

    def costs(self) -> Costs:
        own = np.zeros(len(self._table), np.int64)
        for part, cost in self._named.parts:
            own[self._of_part(part)] += cost
        for entry in self._named.cells:
            wanted = np.isin(self._table.part_of, [self._part[part] for part in entry.parts or self._part])
            for cell in entry.cells:
                members = self._covering.covering(self._cell[cell])
                own[members[wanted[members]]] += entry.cost
        for placed in self._named.placements:
            own[self._just_there(placed)] += placed.cost
        terms = [term for touching in self._named.touching for term in self._touching(touching)]
        return Costs.of_terms(own, terms)

    def _of_part(self, part: str) -> npt.NDArray[np.bool_]:
        of_part: npt.NDArray[np.bool_] = self._table.part_of == self._part[part]
        return of_part

    def _just_there(self, entry: PlacementCost) -> Ints:
        """The placements of a part that cover just these cells."""
        around = [self._covering.covering(self._cell[cell]) for cell in entry.cells]
        members, many = np.unique(np.concatenate(around), return_counts=True)
        sizes = np.diff(self._table.starts)[members]
        found: Ints = members[(many == len(around)) & (sizes == len(around)) & self._of_part(entry.part)[members]]
        if not len(found):
            cells = ", ".join(str(self._prepared.puzzle.lattice.written(cell)) for cell in entry.cells[:4])
            raise PuzzleError(
                f"the costs {self._named.name!r:.80} of {self._prepared.name!r}: part {entry.part!r} has no placement "
                f"that covers just the {len(entry.cells)} cells {cells}{', ...' if len(entry.cells) > 4 else ''}"
            )
        return found

    def _touching(self, entry: TouchingCost) -> Iterator[Term]:
        mine, theirs = map(self._of_part, entry.parts)
        sides = self._covering.touching()
        if entry.each == "copy":
            yield from self._copies_that_touch(entry.cost, mine, theirs, np.concatenate([sides, sides[:, ::-1]]))
            return
        for here, there in sides.tolist():
            first, second = self._covering.covering(here), self._covering.covering(there)
            yield Term(entry.cost, (first[mine[first]], second[theirs[second]]))
            if entry.parts[0] != entry.parts[1]:
                yield Term(entry.cost, (first[theirs[first]], second[mine[second]]))
            else:
                yield Term(-entry.cost, (np.intersect1d(first[mine[first]], second[mine[second]]),))

    def _copies_that_touch(
        self,
        cost: int,
        mine: npt.NDArray[np.bool_],
        theirs: npt.NDArray[np.bool_],
        sides: npt.NDArray[np.int64],
    ) -> Iterator[Term]:
        """For each placement of the first part: it is there, and so is one of the second beside it."""
        sides = sides[np.argsort(sides[:, 0], kind="stable")]
        first = np.searchsorted(sides[:, 0], np.arange(len(self._cell) + 1))
        by_cell = [m[theirs[m]] for m in map(self._covering.covering, range(len(self._cell)))]
        for member in np.flatnonzero(mine).tolist():
            cells = self._table.cells[self._table.starts[member] : self._table.starts[member + 1]]
            around = {there for cell in cells.tolist() for there in sides[first[cell] : first[cell + 1], 1].tolist()}
            beside = [by_cell[cell] for cell in sorted(around - set(cells.tolist()))]
            others = distinct(np.concatenate([np.empty(0, np.int32), *beside]))
            yield Term(cost, (np.array([member]), others))
