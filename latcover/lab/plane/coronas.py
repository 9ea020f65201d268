"""How often a tile can be surrounded: its Heesch number, by a SAT solver, one corona more at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

import numpy as np

from latcover.errors import InternalError
from latcover.lab.plane.corona_clauses import Clause, CoronaClauses, Places
from latcover.lab.plane.holes import Holes
from latcover.lab.plane.neighbour_reduction import PossibleNeighbours
from latcover.lab.plane.neighbours import ORIGIN, UNITS, Neighbours, Numbers
from latcover.lab.plane.patch_check import faults_of_patch
from latcover.lab.plane.plane_answer import Heesch
from latcover.lab.plane.prototiles import Patch, Prototiles
from latcover.lab.plane.refutation import Refutation
from latcover.lab.plane.sat_solver import CLAUSES, ClauseSolver, GoOn, StoppedError
from latcover.system.sorted_sets import without


def heesch(prototiles: Prototiles, most: int, *, holes: bool = False, go_on: GoOn = lambda: True) -> Heesch:
    """How often the first shape of *prototiles* can be surrounded, up to *most* times.

    Args:
        prototiles: The shapes; copies of all of them may surround the first one.
        most: Seek no more coronas than these.
        holes: Whether to let the last corona leave holes too.
        go_on: Asked at least every few seconds; False ends the search, with what is known until then.
    """
    return Surrounder(prototiles, go_on).heesch(most, holes=holes)


class Surrounder:
    """Surrounds the first of some shapes."""

    def __init__(self, prototiles: Prototiles, go_on: GoOn = lambda: True) -> None:
        self.prototiles = prototiles
        self._go_on = go_on
        self._best: Patch | None = None
        self.neighbours = Neighbours(prototiles)
        self._holes = Holes(self.neighbours)
        self._possible = PossibleNeighbours(self.neighbours, self._holes)

    def heesch(self, most: int, *, holes: bool = False) -> Heesch:
        """See `heesch`; a later call with more coronas goes on where this one ended."""
        hollow, exact = None, False
        best = self._best = self._best or Patch(self.prototiles, (self.neighbours.tile(ORIGIN),), (0,))
        try:
            for number in range(max(best.coronas) + 1, most + 1):
                found = self.patch(number)
                if found is None:
                    hollow = self.patch(number, hole_in_last=True) if holes else None
                    exact = True
                    break
                best = self._best = found
        except StoppedError:
            exact = False
        number = max(best.coronas)
        with_hole = (number + (hollow is not None)) if holes else None
        return Heesch(number, best, with_hole, hollow, exact)

    def patch(self, coronas: int, *, hole_in_last: bool = False) -> Patch | None:
        """A patch with so many *coronas*, checked; None if there is none.

        Raises:
            StoppedError: it is not to go on.
        """
        places = self._places(coronas, hole_in_last)
        if places is None:
            return None
        clauses = CoronaClauses(self.neighbours, places)
        first = [clauses.write()]
        if not hole_in_last:
            first.append(clauses.without_holes(self._possible.leaving_holes))
        return self._search(places, chain(*first), hole_in_last, lambda _: None)

    def refutation(self, coronas: int, *, hole_in_last: bool = False) -> Refutation | Patch:
        """Clauses that contradict each other if there are not so many *coronas*; else a patch that has them.

        All copies that touch have variables, also those that no solution holds, so that a checker needs no reasons.

        Raises:
            StoppedError: it is not to go on.
        """
        touching = self.neighbours.touching
        places = Places.of(self.neighbours, self._reached(coronas, [touching] * coronas))
        clauses: list[Clause] = []
        for clause in CoronaClauses(self.neighbours, places, pairs_only=True).write():
            if len(clauses) % CLAUSES == 0 and not self._go_on():
                raise StoppedError
            clauses.append(clause)
        patch = self._search(places, clauses, hole_in_last, clauses.extend)
        return Refutation(self.neighbours, places, hole_in_last, clauses) if patch is None else patch

    def _search(
        self,
        places: Places,
        clauses: Iterable[Clause],
        hole_in_last: bool,
        note: Callable[[list[Clause]], object],
    ) -> Patch | None:
        """A patch of *places* that satisfies *clauses*; *note* receives the clauses that forbid holes."""
        with ClauseSolver(self._go_on) as solver:
            solver.add(clauses)
            while solver.satisfied():
                there = np.array(solver.true(len(places.copies))) - 1
                more = list(self.filled(places, there, places.last - hole_in_last))
                if not more:
                    return self._checked(places, there, hole_in_last)
                note(more)
                solver.add(more)
        return None

    def _places(self, coronas: int, hole_in_last: bool) -> Places | None:
        """The copies that can be in each corona; None if one has none, or the tile in the middle no neighbours."""
        around, possible = [], self._possible
        if hole_in_last and coronas > 1 and not len(possible.within(coronas, self._go_on, hole_in_last=True)[0]):
            return None  # a single corona is as soon searched
        for k in range(1, coronas + 1):
            # around a tile of corona k - 1 there are so many coronas without a hole
            inner = coronas - k + (not hole_in_last)
            around.append(possible.within(inner, self._go_on) if inner else self.neighbours.touching)
        found = self._reached(coronas, around)
        return Places.of(self.neighbours, found) if all(map(len, found)) else None

    def _reached(self, coronas: int, around: Sequence[list[Numbers]]) -> list[Numbers]:
        """The copies that can be in each corona, if those *around* can lie around the corona before."""
        near = self.neighbours
        found = [np.array([ORIGIN])]
        for k in range(coronas):
            taken = near.overlapping[0] if k == 0 else np.concatenate([near.overlapping[0], near.touching[0]])
            found.append(without(near.beside(found[-1], around[k]), taken))
        return found

    def filled(self, places: Places, there: Numbers, last: int) -> Iterator[Clause]:
        """For each hole that the places *there* leave up to some corona, clauses that demand to fill it.

        *last* is the last corona that may not leave holes.
        """
        owner: dict[int, int] = {}
        for k in range(last + 1):
            for place in there[places.corona[there] == k].tolist():
                copy = int(places.copies[place])
                for cell in (self.neighbours.cells[copy // UNITS] + (copy % UNITS - ORIGIN)).tolist():
                    owner[cell] = place
            for hole in self._holes.of(owner.keys()):
                around = {owner[near] for cell in hole for near in self._holes.beside(cell) if near in owner}
                without = [-1 - place for place in sorted(around)]
                for cell in hole:
                    index = places.index_of(cell)
                    yield without if index is None else [*without, int(places.covered(np.int64(index), k))]  # type: ignore[arg-type]

    def _checked(self, places: Places, there: Numbers, hole_in_last: bool) -> Patch:
        tiles = tuple(self.neighbours.tile(int(copy)) for copy in places.copies[there])
        patch = Patch(self.prototiles, tiles, tuple(places.corona[there].tolist()))
        faults = faults_of_patch(patch, hole_in_last=hole_in_last)
        if faults:
            raise InternalError(f"a patch that the search found is wrong: {faults[0]}")
        return patch
