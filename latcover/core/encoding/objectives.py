"""Named objectives: what may be minimized or maximized over the solutions of a puzzle.

Most objectives say their value by `Costs`, whose members are the placements, so each backend can bound it. Some can
only be read off whole solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.cost_floor import of_terms
from latcover.core.cover.cover_costs import MOST_COST, Costs, Term
from latcover.core.cover.problem import Ints
from latcover.core.encoding.named_costs import costs_as_named
from latcover.core.encoding.prepared import Prepared
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.puzzle_checks import fewest_covered
from latcover.core.model.rules.crossroads import corners_of_four
from latcover.core.model.rules.lines import cut_by_lines
from latcover.errors import UnsupportedError, suggest
from latcover.system.sorted_sets import without

MOST_STEPS = 10_000_000  # of numbers of cells that a bound goes through: some hundredths of a second
MOST_CELLS = 400  # of a region for `spread`, which has a term for each pair of cells


class Objective(Struct, frozen=True):
    """Something that is valued.

    Attributes:
        words: What its value is, for people: "points where four parts meet".
        costs: Makes the costs for a prepared puzzle; None if the value can only be read off whole solutions.
        range: The least and the greatest value that its region and parts allow, where that does not follow from costs.
    """

    words: str
    costs: Callable[[Prepared], Costs] | None
    range: Callable[[Prepared], tuple[int, int]] | None = None


def objective_of(puzzle: Puzzle, name: str) -> Objective:
    """The objective *name* of a puzzle: one that its author gives, or one of `OBJECTIVES`.

    Raises:
        UnsupportedError: there is no such objective.
    """
    own = {costs.name: costs for costs in puzzle.costs}
    if name in own:
        return Objective(own[name].words or name, lambda prepared: costs_as_named(prepared, own[name]))
    if name not in OBJECTIVES:
        raise UnsupportedError(f"there is no objective {name!r:.40}{suggest(name, [*own, *OBJECTIVES])}")
    return OBJECTIVES[name]


def least_by_copies(prepared: Prepared, costs: Costs) -> int:
    """What every solution costs at least by copies and volumes alone: each copy is its part's cheapest placement."""
    copies = [_copies_at(prepared, costs, number) for number in range(len(prepared.puzzle.parts))]
    apart = sum(kind.cost * (kind.low if kind.cost > 0 else kind.high) for kind in copies)
    return of_terms(costs) + max(apart, _least_by_volume(prepared.puzzle, copies, apart))


class _Copies(Struct, frozen=True):
    """How many copies of a part are used, how many cells each has, and what it costs at least."""

    size: int
    low: int
    high: int
    cost: int


def _copies_at(prepared: Prepared, costs: Costs, number: int) -> _Copies:
    part = prepared.puzzle.parts[number]
    own = costs.own[prepared.table.part_of == number]
    most = prepared.puzzle.most_copies(part) if len(own) else part.low
    return _Copies(part.size, part.low, max(part.low, most), int(own.min()) if len(own) else 0)


def _least_by_volume(puzzle: Puzzle, copies: Sequence[_Copies], least: int) -> int:
    """What copies cost at least that together have a number of cells that the region takes; *least* if that is far.

    It goes through all numbers of cells, as in a knapsack. Any number of copies is a sum of bundles of 1, 2, 4, ...
    """
    n = len(puzzle.region.cells)
    steps = sum(1 + kind.high.bit_length() for kind in copies)
    dear = max((abs(kind.cost) for kind in copies), default=0)
    if (n + 1) * steps > MOST_STEPS or dear * n > MOST_COST or sum(kind.size * kind.low for kind in copies) > n:
        return least
    never = np.int64(4 * MOST_COST)
    known = np.full(n + 1, never)
    known[0] = 0

    def moved(bundle: int, kind: _Copies) -> npt.NDArray[np.int64]:
        """What is known, after so many more copies."""
        after, cells = np.full(n + 1, never), bundle * kind.size
        after[cells:] = known[: n + 1 - cells] + bundle * kind.cost
        return after

    for kind in copies:
        known = moved(kind.low, kind)
        left, bundle = kind.high - kind.low, 1
        while left > 0:
            bundle = min(bundle, left)
            known = np.minimum(known, moved(bundle, kind))
            left -= bundle
            bundle *= 2
    found = int(known[fewest_covered(puzzle) :].min())
    return found if found <= MOST_COST else least


def _crossroads(prepared: Prepared) -> Costs:
    """Four parts meet at a point unless a placement covers two of the cells around it."""
    covering = prepared.table.arrays(prepared.puzzle)
    points = corners_of_four(prepared.puzzle.lattice, prepared.table.region)
    terms = [Term(-1, (covering.covering_two(around),)) for around in points]
    if prepared.table.region.optional.any():
        raise UnsupportedError("points where four parts meet are counted only where no cell may stay empty")
    return Costs.of_terms(np.zeros(prepared.n_members), terms, len(terms))


def _fault_lines(prepared: Prepared) -> Costs:
    """A line is a fault unless a placement lies on both sides of it."""
    terms = [Term(-1, (cut,)) for cut in cut_by_lines(prepared.table.arrays(prepared.puzzle))]
    return Costs.of_terms(np.zeros(prepared.n_members), terms, len(terms))


def _colours(prepared: Prepared) -> npt.NDArray[np.str_]:
    """The colour of each placement; "" of a part without one, which is alike to no other placement."""
    shown: npt.NDArray[np.str_] = np.array([part.display_colour for part in prepared.puzzle.parts])
    return shown[prepared.table.part_of]


def _require_colours(prepared: Prepared) -> None:
    if not any(part.display_colour for part in prepared.puzzle.parts):
        raise UnsupportedError("no part has a colour; give those that belong together a display_colour")


def _alike(prepared: Prepared, of_member: npt.NDArray[np.str_]) -> Iterator[tuple[Ints, Ints, Ints]]:
    """For each side and each colour: the placements of the colour on its one side, on the other, and on both."""
    covering = prepared.table.arrays(prepared.puzzle)
    for here, there in covering.touching().tolist():
        first, second = covering.covering(here), covering.covering(there)
        for colour in without(np.intersect1d(of_member[first], of_member[second]), np.array([""])):
            mine, theirs = first[of_member[first] == colour], second[of_member[second] == colour]
            yield mine, theirs, np.intersect1d(mine, theirs)


def _touching_alike(prepared: Prepared) -> Costs:
    """A colour covers both cells at a side, and no placement of it covers both."""
    _require_colours(prepared)
    terms = [
        term
        for mine, theirs, both in _alike(prepared, _colours(prepared))
        for term in (Term(1, (mine, theirs)), *([Term(-1, (both,))] if len(both) else []))
    ]
    return Costs.of_terms(np.zeros(prepared.n_members), terms)


def _border(prepared: Prepared) -> Costs:
    """Every side between two cells, less those with one colour on both sides, or within a part without a colour."""
    if prepared.table.region.optional.any():
        raise UnsupportedError("the border between colours is known only where no cell may stay empty")
    of_member, covering = _colours(prepared), prepared.table.arrays(prepared.puzzle)
    terms = [Term(-1, (mine, theirs)) for mine, theirs, _ in _alike(prepared, of_member)]
    sides, plain = covering.touching(), np.flatnonzero(of_member == "")
    if len(plain):
        terms += [Term(-1, (np.intersect1d(covering.covering_two(side), plain),)) for side in sides]
    return Costs.of_terms(np.zeros(prepared.n_members), terms, len(sides))


def _sides(prepared: Prepared) -> tuple[int, int]:
    """No side between two cells, or all."""
    return 0, len(prepared.table.arrays(prepared.puzzle).touching())


def _parts(prepared: Prepared) -> Costs:
    return Costs.of_terms(np.ones(prepared.n_members), [])


def _cells(prepared: Prepared) -> Costs:
    return Costs.of_terms(np.diff(prepared.table.starts), [])


def _spread(prepared: Prepared) -> Costs:
    """Two cells have one colour: so many steps lie between them."""
    cells = prepared.table.region.cells
    if len(cells) > MOST_CELLS:
        raise UnsupportedError(f"the distance between parts is known for at most {MOST_CELLS} cells")
    _require_colours(prepared)
    colour, covering = _colours(prepared), prepared.table.arrays(prepared.puzzle)
    names = sorted({part.display_colour for part in prepared.puzzle.parts} - {""})
    of_cell = [[m[colour[m] == name] for m in map(covering.covering, range(len(cells)))] for name in names]
    terms = [
        Term(steps, (members[here], members[there]))
        for here, there, steps in _distances(len(cells), covering.touching())
        for members in of_cell
    ]
    return Costs.of_terms(np.zeros(prepared.n_members), terms)


def _spreads(prepared: Prepared) -> tuple[int, int]:
    """As many pairs of cells of one colour as there must be, and may be: the nearest, and the farthest, of all."""
    n = len(prepared.table.region.cells)
    steps = np.sort([steps for *_, steps in _distances(n, prepared.table.arrays(prepared.puzzle).touching())])
    fewest, most = 0, 0
    for colour in {part.display_colour for part in prepared.puzzle.parts} - {""}:
        alike = [part for part in prepared.puzzle.parts if part.display_colour == colour]
        low = sum(part.low * part.size for part in alike)
        high = min(n, sum(prepared.puzzle.most_copies(part) * part.size for part in alike))
        fewest, most = fewest + low * (low - 1) // 2, most + high * (high - 1) // 2
    apart = n * (n - 1) // 2 - len(steps)  # pairs of cells without a way between them do not count
    return int(steps[: max(0, fewest - apart)].sum()), int(steps[::-1][:most].sum())


def _distances(n: int, sides: npt.NDArray[np.int64]) -> Iterator[tuple[int, int, int]]:
    """For each pair of cells how many steps lie between them, over sides; not for those without a way."""
    beside = np.zeros((n, n), np.bool_)
    beside[sides[:, 0], sides[:, 1]] = beside[sides[:, 1], sides[:, 0]] = True
    reached = np.eye(n, dtype=np.bool_)
    steps, front = 0, reached
    while front.any():
        yield from ((a, b, steps) for a, b in np.argwhere(np.triu(front, 1)).tolist())
        steps += 1
        front = (front @ beside) & ~reached
        reached = reached | front


OBJECTIVES: dict[str, Objective] = {
    "crossroads": Objective("points where four parts meet", _crossroads),
    "fault-lines": Objective("straight lines that cut no part", _fault_lines),
    "touching-alike": Objective("sides between two parts of one colour", _touching_alike, _sides),
    "parts": Objective("parts", _parts),
    "cells": Objective("covered cells", _cells),
    "border": Objective("sides between parts of different colours", _border, _sides),
    "spread": Objective("steps between cells of one colour, all pairs together", _spread, _spreads),
    "symmetry": Objective("symmetries of its pieces", None),
    "moves": Objective("moves to take it apart", None),
}
