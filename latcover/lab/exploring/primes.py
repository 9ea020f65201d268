"""Prime rectangles: those that are filled, and cannot be cut into smaller ones that are."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from latcover.core.model.puzzle import Part
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.lab.exploring.boxes import Sides, box_cells, named
from latcover.lab.exploring.decisions import Filled
from latcover.lab.exploring.rectangles import RectangleSearch
from latcover.lab.exploring.tilings import tile, tiling_puzzle


class Prime(StrEnum):
    """Whether a rectangle that is filled can be cut into smaller ones that are."""

    STRONG = "strongly prime"  # into no number of them
    WEAK = "weakly prime"  # into several, but not into two
    OPEN = "prime"  # not into two; several were not decided


def primes(search: RectangleSearch) -> dict[Sides, Prime]:
    """Each filled rectangle that cannot be cut into two filled ones, and whether into more."""
    boxes = search.boxes
    filled = {sides for sides, rectangle in search.found.items() if rectangle.filled is Filled.YES}
    kinds: dict[Sides, Prime] = {}
    for sides in sorted(filled):
        if not any({boxes.least(h.first), boxes.least(h.second)} <= filled for h in boxes.halves(sides)):
            fits = [
                s for s in filled if s != sides and all(a <= b for a, b in zip(sorted(s), sorted(sides), strict=True))
            ]
            kinds[sides] = _cut_into_more(sides, fits, search)
    return kinds


def _cut_into_more(sides: Sides, smaller: Sequence[Sides], search: RectangleSearch) -> Prime:
    lattice = search.lattice
    if not smaller:
        return Prime.STRONG
    motions = search.shapes[0].transformations
    parts = [Part(named(s), box_cells(lattice, s), lattice=lattice, transformations=motions) for s in smaller]
    puzzle = tiling_puzzle("cut", lattice, box_cells(lattice, sides), parts)
    if cannot_fill(puzzle):
        return Prime.STRONG
    found = tile(puzzle, seconds=search.left, events=search.events)
    return Prime.WEAK if found.tiling else Prime.STRONG if found.refuted else Prime.OPEN
