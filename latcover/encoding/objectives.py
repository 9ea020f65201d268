"""Named objectives: what may be minimized or maximized over the solutions of a puzzle, as costs of placements.

Each objective says its value by `Costs`, whose members are the placements. So each backend can bound it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latcover.cover.costs import Costs, Term
from latcover.cover.problem import Ints, Longs
from latcover.encoding.encode import neighbour_graph
from latcover.encoding.lines_and_points import CellsToMembers, corners_of_four, cut_by_lines
from latcover.encoding.prepared import Prepared
from latcover.errors import UnsupportedError, suggest


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


def _crossroads(prepared: Prepared) -> Costs:
    """Four parts meet at a point unless a placement covers two of the cells around it."""
    covering = CellsToMembers(prepared.table)
    points = corners_of_four(prepared.puzzle.lattice, prepared.table.region)
    terms = [Term(-1, (covering.covering_two(around),)) for around in points]
    if prepared.table.region.optional.any():
        raise UnsupportedError("points where four parts meet are counted only where no cell may stay empty")
    return Costs.of_terms(np.zeros(prepared.n_members), terms, len(terms))


def _fault_lines(prepared: Prepared) -> Costs:
    """A line is a fault unless a placement lies on both sides of it."""
    terms = [Term(-1, (cut,)) for cut in cut_by_lines(prepared.puzzle.lattice, prepared.table)]
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


OBJECTIVES: dict[str, Objective] = {
    "crossroads": Objective("points where four parts meet", _crossroads),
    "fault-lines": Objective("straight lines that cut no part", _fault_lines),
    "touching-alike": Objective("sides between two parts of one colour", _touching_alike),
    "border": Objective("sides between parts of different colours", _border),
}
