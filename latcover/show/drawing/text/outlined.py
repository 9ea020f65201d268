"""Flat solutions on a square grid as outlines of parts, drawn with box characters: no letters, and no colours."""

from __future__ import annotations

from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.show.drawing.text.text_grid import layers_of, places_of

# By the arms that meet at a corner of cells: 1 up, 2 right, 4 down, 8 left.
CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
SMALL = 1e-9
UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8


def can_be_outlined(puzzle: Puzzle) -> bool:
    """Whether cells stand in rows and columns of one plane, and shapes tell all: no colours, no values at sides."""
    lattice = puzzle.lattice
    if lattice.dimension != 2 or len(lattice.nodes) > 1 or puzzle.region.period:
        return False
    one, other = lattice.basis
    plain = not any(part.colours.any() or len(part.sides) for part in puzzle.parts)
    return plain and bool(abs(float(one @ other)) < SMALL)


def outlined(puzzle: Puzzle, solution: Solution) -> list[str]:
    """The lines of a solution of a puzzle that `can_be_outlined`: three characters a cell, and a line more than rows.

    Cells that stay empty have no owner, and no lines between them.
    """
    cells = puzzle.region.cells
    owner_of = {cell: k for k, placed in enumerate(solution.placements, 1) for cell in placed.cells}
    (rows,) = places_of(puzzle.lattice, layers_of(puzzle.lattice, cells))
    keys = [tuple(cell) for cell in cells.tolist()]
    owner = {(r, round(x)): owner_of.get(keys[k], 0) for r, row in enumerate(rows) for x, k in row}
    width = max((column for _, column in owner), default=-1) + 1

    def differ(one: tuple[int, int], other: tuple[int, int]) -> bool:
        return owner.get(one, -1) != owner.get(other, -1)

    lines = []
    for r in range(len(rows) + 1):
        line = ""
        for c in range(width + 1):
            right = differ((r - 1, c), (r, c))
            arms = UP * differ((r - 1, c - 1), (r - 1, c)) + RIGHT * right
            arms += DOWN * differ((r, c - 1), (r, c)) + LEFT * differ((r - 1, c - 1), (r, c - 1))
            line += CORNERS[arms] + ("──" if right else "  ")
        lines.append(line.rstrip())
    return lines
