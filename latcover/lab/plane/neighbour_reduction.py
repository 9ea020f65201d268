"""Which neighbours a tile can have if it is surrounded so and so often: the rest need no variables.

A tile with one corona around it has only neighbours that occur in some ring around it. A tile with two coronas has
neighbours that have a corona each, so two tiles of its ring that touch are such neighbours of each other; and so on. If
no ring is left, there are not so many coronas. If the last corona may leave holes, so may the outermost rings.
"""

from __future__ import annotations

import numpy as np

from latcover.lab.plane.holes import Holes
from latcover.lab.plane.neighbours import Neighbours, Numbers
from latcover.lab.plane.sat_solver import ClauseSolver, GoOn
from latcover.system.sorted_sets import distinct, without


class PossibleNeighbours:
    """For each number of coronas the neighbours that a tile inside so many can have."""

    def __init__(self, neighbours: Neighbours, holes: Holes) -> None:
        self._neighbours = neighbours
        at_once = {k: holes.at_once(k, neighbours.touching[k]) for k in neighbours.leaders}
        kept = {k: without(neighbours.touching[k], bad) for k, bad in at_once.items()}
        self.leaving_holes = neighbours.for_each(at_once)
        self._without_holes = [neighbours.for_each(kept)]
        self._with_a_hole = [neighbours.touching]

    def within(self, coronas: int, go_on: GoOn, *, hole_in_last: bool = False) -> list[Numbers]:
        """For each orientation the relatives that it can have with so many *coronas* around it.

        With none around it: all that touch it, and leave no hole that nothing can fill unless the last corona may.

        Raises:
            StoppedError: it is not to go on.
        """
        found = self._with_a_hole if hole_in_last else self._without_holes
        while len(found) <= coronas:
            last = found[-1]
            if len(found) > 2 and all(map(np.array_equal, last, found[-2])):
                return last
            if hole_in_last and len(found) > 1:  # these lie inside the last corona
                last = [*map(without, last, self.leaving_holes)]
            found.append(self._next(last, go_on))
        return found[coronas]

    def _next(self, last: list[Numbers], go_on: GoOn) -> list[Numbers]:
        near = self._neighbours
        against = [
            distinct(np.concatenate([over, without(touching, kept)]))
            for over, touching, kept in zip(near.overlapping, near.touching, last, strict=True)
        ]
        return near.for_each({k: self._in_rings(k, last[k], against, go_on) for k in near.leaders})

    def _in_rings(self, orientation: int, relatives: Numbers, against: list[Numbers], go_on: GoOn) -> Numbers:
        """Those of *relatives* that occur in a ring around a tile; *against* are pairs that cannot be."""
        near = self._neighbours
        index, cells = near.held(relatives, near.cells)
        with ClauseSolver(go_on) as solver:
            for cell in near.around[orientation].tolist():
                solver.add([(index[cells == cell] + 1).tolist()])
            first, second = near.related(relatives, against)
            solver.add(zip((-1 - first).tolist(), (-1 - second).tolist(), strict=True))
            found = set[int]()
            for one in range(1, len(relatives) + 1):
                if one not in found and solver.satisfied([one]):
                    found.update(solver.true(len(relatives)))
        return relatives[np.array(sorted(found), np.int64) - 1]
