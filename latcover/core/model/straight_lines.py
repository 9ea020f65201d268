"""Straight lines between the rows, columns and layers of a region, and how many copies of parts each cuts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd

from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Cell


def copies_cut(puzzle: Puzzle, copies: Sequence[Iterable[Cell]]) -> list[int]:
    """How many copies of parts, given by their cells, each straight line of a region of squares or cubes cuts.

    A line cuts the copies that have cells on both sides of it. Where the region closes on itself a line has no two
    sides: there it cuts the copies with two neighbours between which it runs. All parallels of a line that the period
    takes to it are one line then.
    """
    return _cut_on_tori(puzzle, copies) if puzzle.region.period else _cut_in_the_plane(puzzle, copies)


def _cut_in_the_plane(puzzle: Puzzle, copies: Sequence[Iterable[Cell]]) -> list[int]:
    cells, found = puzzle.region.cells[:, 1:], []
    for axis in range(cells.shape[1]):
        for line in range(int(cells[:, axis].min()) + 1, int(cells[:, axis].max()) + 1):
            sides = ({cell[1 + axis] < line for cell in copy} for copy in copies)
            found.append(sum(len(side) == 2 for side in sides))
    return found


def _cut_on_tori(puzzle: Puzzle, copies: Sequence[Iterable[Cell]]) -> list[int]:
    period, lattice = puzzle.region.period, puzzle.lattice
    region = {period.home_of(cell) for cell in puzzle.region.cells.tolist()}
    owner = {period.home_of(cell): k for k, copy in enumerate(copies) for cell in copy}
    cut: dict[tuple[int, int], set[int]] = {}
    for cell in region:
        for there in lattice.neighbours(cell):
            axis = next(k for k in range(1, len(cell)) if cell[k] != there[k])
            home, again = period.home_of(there), gcd(*(vector[axis - 1] for vector in period.vectors))
            if home in region:
                line = max(cell[axis], there[axis])
                copies_here = cut.setdefault((axis, line % again if again else line), set())
                if cell in owner and owner[cell] == owner.get(home):
                    copies_here.add(owner[cell])
    return [len(copies_here) for copies_here in cut.values()]
