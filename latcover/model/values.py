"""Values of solutions, read off their cells: what checks the values that a search has told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

import numpy as np

from latcover.model.lattice import CLOSE
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution

Cell = tuple[int, ...]


def value_of(puzzle: Puzzle, solution: Solution, objective: str) -> int:
    """What the named objective says of a solution.

    Raises:
        KeyError: there is no such objective.
    """
    return VALUES[objective](puzzle, solution)


def _owners(solution: Solution) -> dict[Cell, int]:
    """The placement that covers each cell."""
    return {cell: k for k, placed in enumerate(solution.placements) for cell in placed.cells}


def _crossroads(puzzle: Puzzle, solution: Solution) -> int:
    """Points at which four cells of four different placements meet."""
    at: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell, owner in _owners(solution).items():
        centre = puzzle.lattice.centres(np.array([cell], np.int32))[0]
        for corner in centre + puzzle.lattice.nodes[cell[0]].drawing.vertices[:, :2]:
            at[tuple(np.rint(corner / CLOSE / 4).astype(int).tolist())].append(owner)
    return sum(len(owners) == 4 == len(set(owners)) for owners in at.values())


def _fault_lines(puzzle: Puzzle, solution: Solution) -> int:
    """Straight lines between the rows, the columns, ... of the region that cut no placement."""
    cells = puzzle.region.cells[:, 1:]
    count = 0
    for axis in range(cells.shape[1]):
        for line in range(int(cells[:, axis].min()) + 1, int(cells[:, axis].max()) + 1):
            sides = ({cell[1 + axis] < line for cell in placed.cells} for placed in solution.placements)
            count += all(len(side) == 1 for side in sides)
    return count


def _sides(puzzle: Puzzle, solution: Solution) -> Iterator[tuple[int, int]]:
    """For each side between two cells the placements on both sides of it."""
    owners = _owners(solution)
    for cell, owner in owners.items():
        for other in puzzle.lattice.neighbours(cell):
            home = tuple(puzzle.region.wrapped(np.array([other], np.int32))[0].tolist())
            if home in owners and cell < home:
                yield owner, owners[home]


def _colours(puzzle: Puzzle, solution: Solution) -> list[str]:
    """The colour of each placement; a part without one has its name for it."""
    shown = {part.name: part.display_colour or f"part {part.name}" for part in puzzle.parts}
    return [shown[placed.part] for placed in solution.placements]


def _touching_alike(puzzle: Puzzle, solution: Solution) -> int:
    """Sides between two placements of one colour."""
    colours = _colours(puzzle, solution)
    return sum(a != b and colours[a] == colours[b] for a, b in _sides(puzzle, solution))


def _border(puzzle: Puzzle, solution: Solution) -> int:
    """Sides between two placements of different colours."""
    colours = _colours(puzzle, solution)
    return sum(colours[a] != colours[b] for a, b in _sides(puzzle, solution))


VALUES: dict[str, Callable[[Puzzle, Solution], int]] = {
    "crossroads": _crossroads,
    "fault-lines": _fault_lines,
    "touching-alike": _touching_alike,
    "border": _border,
}
