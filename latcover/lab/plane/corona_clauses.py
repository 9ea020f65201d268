"""Coronas around a tile as clauses, after Kaplan, "Heesch numbers of unmarked polyforms" (arXiv 2105.09438).

A *place* is a copy in a corona; its variable says that the copy is there, in this corona. Unlike Kaplan we have a
variable for each cell and corona: the cell is covered by this corona or an earlier one. So the clauses are:

1. The tile in the middle is there. A place covers its cells by its corona, and not before.
2. What a corona covers, the next one covers too; a cell is covered only by some place.
3. All cells around a place inside the last corona are covered by the next corona.
4. A place touches its last corona but one, and nothing earlier: of the cells around it one is covered by the corona
   before its own, and none by an earlier one.
5. No two places of a corona share a cell. (In different coronas clauses 1 forbid it.)
6. Without holes: no two places leave a hole at once that nothing can fill.
7. Each hole that a solver's answer has, once it has occurred: if all places around it are there, it is filled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct

from latcover.lab.plane.neighbours import Neighbours, Numbers
from latcover.system.sorted_sets import distinct

Clause = list[int]
FEW = 5  # places at a cell, of which all pairs are forbidden


class Places(Struct, frozen=True, eq=False):
    """Copies in coronas, and the cells that they can cover.

    Attributes:
        coronas: The copies of each corona, sorted; corona 0 has one.
        copies, corona: The same in a row, and the corona of each. Place k has the variable k + 1.
        cells: All their cells, sorted. Cell c is covered by corona i: variable `covered(c, i)`.
    """

    coronas: tuple[Numbers, ...]
    copies: Numbers
    corona: Numbers
    cells: Numbers

    @classmethod
    def of(cls, neighbours: Neighbours, coronas: Sequence[Numbers]) -> Places:
        copies = np.concatenate(coronas)
        corona = np.repeat(np.arange(len(coronas)), [len(each) for each in coronas])
        _, cells = neighbours.held(copies, neighbours.cells)
        return cls(tuple(coronas), copies, corona, distinct(cells))

    @property
    def last(self) -> int:
        return len(self.coronas) - 1

    def covered(self, cell: Numbers, corona: Numbers | int) -> Numbers:
        """The variables of cells, given by their indices."""
        return len(self.copies) + 1 + cell * len(self.coronas) + corona

    @property
    def n_variables(self) -> int:
        return len(self.copies) + len(self.cells) * len(self.coronas)

    def index_of(self, cell: int) -> int | None:
        """The index of a cell; None if no place covers it."""
        at = int(np.searchsorted(self.cells, cell))
        return at if at < len(self.cells) and self.cells[at] == cell else None


class CoronaClauses(Struct, eq=False):
    """The clauses 1 to 6 of some places.

    Attributes:
        pairs_only: Whether to forbid all pairs in clauses 5, without auxiliary variables, however many they are.
    """

    neighbours: Neighbours
    places: Places
    pairs_only: bool = False
    _top: int = 0

    def __post_init__(self) -> None:
        self._top = self.places.n_variables

    def write(self) -> Iterator[Clause]:
        """Clauses 1 to 5."""
        places = self.places
        place, cells = self.neighbours.held(places.copies, self.neighbours.cells)
        cell, corona = np.searchsorted(places.cells, cells), places.corona[place]
        yield [1]
        yield from _rows(-1 - place, places.covered(cell, corona))
        later = corona > 0
        yield from _rows(-1 - place[later], -places.covered(cell[later], corona[later] - 1))
        every = np.arange(len(places.cells))
        for k in range(places.last):
            yield from _rows(-places.covered(every, k), places.covered(every, k + 1))
        for k in range(len(places.coronas)):
            by = corona <= k
            for c, own in enumerate(_grouped(cell[by], place[by] + 1, len(every))):
                yield [-int(places.covered(np.int64(c), k)), *own]  # type: ignore[arg-type]
            of = corona == k
            for own in _grouped(cell[of], place[of] + 1, len(every)):
                yield from self._at_most_one(own)
        yield from self._around()

    def _around(self) -> Iterator[Clause]:
        """Clauses 3 and 4."""
        places = self.places
        place, cells = self.neighbours.held(places.copies, self.neighbours.around)
        cell = np.minimum(np.searchsorted(places.cells, cells), len(places.cells) - 1)
        known, corona = places.cells[cell] == cells, places.corona[place]
        yield from ([-k - 1] for k in distinct(place[~known & (corona < places.last)]).tolist())
        place, cell, corona = place[known], cell[known], corona[known]
        inside, outer, far = corona < places.last, corona > 0, corona > 1
        yield from _rows(-1 - place[inside], places.covered(cell[inside], corona[inside] + 1))
        yield from _rows(-1 - place[far], -places.covered(cell[far], corona[far] - 2))
        beside = _grouped(place[outer], places.covered(cell[outer], corona[outer] - 1), len(places.copies))
        yield from ([-k - 1, *own] for k, own in enumerate(beside) if k)

    def _at_most_one(self, places: list[int]) -> Iterator[Clause]:
        """Clauses 5 at a cell: a variable for each place says that it, or one before it, is there."""
        if self.pairs_only or len(places) <= FEW:
            yield from ([-a, -b] for a, b in combinations(places, 2))
            return
        before = 0
        for place in places[:-1]:
            self._top += 1
            yield [-place, self._top]
            if before:
                yield from ([-before, self._top], [-before, -place])
            before = self._top
        yield [-before, -places[-1]]

    def without_holes(self, leaving_holes: list[Numbers]) -> Iterator[Clause]:
        """Clauses 6: pairs of relatives that are *leaving_holes*."""
        places = self.places
        copies, back = np.unique(places.copies, return_inverse=True)
        of_copy = _grouped(back, np.arange(len(back)) + 1, len(copies))
        for a, b in zip(*map(Numbers.tolist, self.neighbours.related(copies, leaving_holes)), strict=True):
            yield from ([-x, -y] for x in of_copy[a] for y in of_copy[b])


def _rows(*columns: Numbers) -> list[Clause]:
    rows: list[Clause] = np.column_stack(columns).tolist()
    return rows


def _grouped(keys: Numbers, values: Numbers, count: int) -> list[list[int]]:
    """The values of each key from 0 to *count*."""
    order = np.argsort(keys, kind="stable")
    ends = np.searchsorted(keys[order], np.arange(1, count + 1)).tolist()
    sorted_values = values[order].tolist()
    return [sorted_values[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]
