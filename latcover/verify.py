"""The independent check of a solution against its puzzle alone.

It shares no code with the way solutions are found: no orientations, placement tables or cover problems, only the
puzzle's own cells and the lattice's transformations.
"""

from __future__ import annotations

from collections import Counter

from latcover.errors import InternalError
from latcover.lattice import Transformation
from latcover.puzzle import Part, Puzzle
from latcover.solution import Cell, Placed, Solution


class Verifier:
    """Checks solutions of one puzzle; remembers which placements it has found legal."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        region = puzzle.region
        self._parts = {part.name: part for part in puzzle.parts}
        self._colour = dict(zip(map(tuple, region.cells.tolist()), region.colours.tolist(), strict=True))
        self._mandatory = {
            tuple(cell) for cell, free in zip(region.cells.tolist(), region.optional.tolist(), strict=True) if not free
        }
        self._legal: set[Placed] = set()

    def faults(self, solution: Solution) -> list[str]:
        """Everything wrong with *solution*; empty for a good one."""
        found = []
        covered: dict[Cell, str] = {}
        copies = Counter(placed.part for placed in solution.placements)
        for placed in solution.placements:
            if placed not in self._legal:
                fault = self._fault_of_placement(placed)
                if fault:
                    found.append(fault)
                else:
                    self._legal.add(placed)
            for cell in placed.cells:
                if cell in covered:
                    found.append(f"cell {cell} is covered by {covered[cell]!r} and by {placed.part!r}")
                covered[cell] = placed.part
        found += [f"cell {cell} is not covered" for cell in sorted(self._mandatory - covered.keys())]
        for name, part in self._parts.items():
            number = copies[name]
            if number < part.low or (part.high is not None and number > part.high):
                found.append(f"part {name!r} is used {number} times, not {part.low} to {part.high}")
        return found

    def require(self, solution: Solution) -> Solution:
        """Give *solution* back.

        Raises:
            InternalError: it has faults.
        """
        faults = self.faults(solution)
        if faults:
            raise InternalError(f"a solution of {self.puzzle.name!r} fails its check: {'; '.join(faults[:3])}")
        return solution

    def _fault_of_placement(self, placed: Placed) -> str:
        part = self._parts.get(placed.part)
        if part is None:
            return f"no part {placed.part!r}"
        for cell in placed.cells:
            if cell not in self._colour:
                return f"part {placed.part!r} covers {cell}, which is not in the region"
        if not any(self._is_image(placed, part, transformation) for transformation in part.transformations):
            return f"the cells of part {placed.part!r}, {list(placed.cells)}, are no image of it"
        return ""

    def _is_image(self, placed: Placed, part: Part, transformation: Transformation) -> bool:
        """Whether some translation takes the transformed part to just these cells, its colours to just these."""
        names = [self.puzzle.colours[colour] for colour in part.colours.tolist()]
        target = dict(zip(placed.cells, placed.colours or [""] * len(placed.cells), strict=False))
        if len(target) != part.size or len(placed.cells) != part.size:
            return False
        image = [tuple(row) for row in transformation.apply(part.cells).tolist()]
        node, *start = image[0]
        for cell in placed.cells:
            if cell[0] == node:
                shift = [a - b for a, b in zip(cell[1:], start, strict=True)]
                moved = [self._moved(row, shift) for row in image]
                if dict(zip(moved, names, strict=True)) == target and all(map(self._may_stand, names, moved)):
                    return True
        return False

    def _moved(self, cell: Cell, shift: list[int]) -> Cell:
        coordinates = (x + s for x, s in zip(cell[1:], shift, strict=True))
        return (cell[0], *(x % p if p else x for x, p in zip(coordinates, self.puzzle.region.period, strict=True)))

    def _may_stand(self, colour: str, cell: Cell) -> bool:
        there = self.puzzle.colours[self._colour[cell]]
        return not colour or not there or colour == there


def verify(puzzle: Puzzle, solution: Solution) -> list[str]:
    """Everything wrong with *solution* of *puzzle*; empty for a good one."""
    return Verifier(puzzle).faults(solution)
