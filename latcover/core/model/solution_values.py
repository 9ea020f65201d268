"""Values of solutions, read off their cells: what checks the values that a search has told."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from latcover.core.model.lattice import CLOSE
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.puzzle_costs import NamedCosts
from latcover.core.model.solution import Solution
from latcover.core.model.straight_lines import copies_cut

Cell = tuple[int, ...]


def value_of(puzzle: Puzzle, solution: Solution, objective: str) -> int:
    """What the named objective says of a solution: one that the puzzle's author gives, or one of `VALUES`.

    Raises:
        KeyError: there is no such objective.
    """
    own = next((costs for costs in puzzle.costs if costs.name == objective), None)
    return VALUES[objective](puzzle, solution) if own is None else _named(puzzle, solution, own)


def _owners(solution: Solution) -> dict[Cell, int]:
    """The placement that covers each cell."""
    return {cell: k for k, placed in enumerate(solution.placements) for cell in placed.cells}


def _named(puzzle: Puzzle, solution: Solution, costs: NamedCosts) -> int:
    """The sum of what is due."""
    parts, owners = [placed.part for placed in solution.placements], _owners(solution)
    of_part = dict(costs.parts)
    total = sum(of_part.get(part, 0) for part in parts)
    for entry in costs.placements:
        wanted = entry.part, sorted(entry.cells)
        total += entry.cost * sum((placed.part, sorted(placed.cells)) == wanted for placed in solution.placements)
    for covered in costs.cells:
        by = (parts[owners[cell]] for cell in covered.cells if cell in owners)
        total += covered.cost * sum(not covered.parts or part in covered.parts for part in by)
    sides = [pair for a, b in _sides(puzzle, solution) if a != b for pair in ((a, b), (b, a))]
    for touching in costs.touching:
        found = [(a, b) for a, b in sides if (parts[a], parts[b]) == touching.parts]
        twice = touching.each == "side" and touching.parts[0] == touching.parts[1]
        total += touching.cost * (
            len(found) // (2 if twice else 1) if touching.each == "side" else len({a for a, _ in found})
        )
    return total


def crossroads_of(puzzle: Puzzle, solution: Solution) -> int:
    """Points at which four cells of four different placements meet."""
    owners, lattice = _owners(solution), puzzle.lattice
    rings = {
        cell: lattice.centres(np.array([cell], np.int32))[0] + lattice.nodes[cell[0]].drawing.vertices[:, :2]
        for cell in owners
    }
    points = {
        tuple(np.rint(corner / CLOSE / 4).astype(int).tolist()): corner for ring in rings.values() for corner in ring
    }
    corners = np.array([*points.values()])
    at: list[list[int]] = [[] for _ in corners]
    for cell, ring in rings.items():
        ends = np.roll(ring, -1, axis=0)
        detour = np.linalg.norm(corners[:, None] - ring, axis=2) + np.linalg.norm(corners[:, None] - ends, axis=2)
        on = (detour - np.linalg.norm(ends - ring, axis=1) < CLOSE / 4).any(axis=1)
        for corner in np.flatnonzero(on).tolist():
            at[corner].append(owners[cell])
    return sum(len(there) == 4 == len(set(there)) for there in at)


def _fault_lines(puzzle: Puzzle, solution: Solution) -> int:
    """Straight lines between the rows, the columns, ... of the region that cut no placement."""
    return copies_cut(puzzle, [placed.cells for placed in solution.placements]).count(0)


def _sides(puzzle: Puzzle, solution: Solution) -> Iterator[tuple[int, int]]:
    """For each side between two cells the placements on both sides of it."""
    owners = _owners(solution)
    for cell, owner in owners.items():
        for home in _neighbours(puzzle, cell):
            if home in owners and cell < home:
                yield owner, owners[home]


def _neighbours(puzzle: Puzzle, cell: Cell) -> set[Cell]:
    """The cells that share a side with *cell*, each once, also where the region closes on itself."""
    rows = np.array(puzzle.lattice.neighbours(cell), np.int32)
    return {tuple(row) for row in puzzle.region.wrapped(rows).tolist()}


def _colours(puzzle: Puzzle, solution: Solution) -> list[str]:
    """The colour of each placement; "" of a part without one, which is alike to no other placement."""
    shown = {part.name: part.display_colour for part in puzzle.parts}
    return [shown[placed.part] for placed in solution.placements]


def _touching_alike(puzzle: Puzzle, solution: Solution) -> int:
    """Sides between two placements of one colour."""
    colours = _colours(puzzle, solution)
    return sum(a != b and "" != colours[a] == colours[b] for a, b in _sides(puzzle, solution))


def _border(puzzle: Puzzle, solution: Solution) -> int:
    """Sides between two placements that are not of one colour."""
    colours = _colours(puzzle, solution)
    return sum(a != b and not "" != colours[a] == colours[b] for a, b in _sides(puzzle, solution))


def _spread(puzzle: Puzzle, solution: Solution) -> int:
    """Steps within the region between two cells of one colour, over all pairs; parts without a colour do not count."""
    of_placed = zip(_colours(puzzle, solution), solution.placements, strict=True)
    colour = {cell: name for name, placed in of_placed for cell in placed.cells}
    there = set(map(tuple, puzzle.region.cells.tolist()))
    beside = {cell: _neighbours(puzzle, cell) & there for cell in there}
    total = 0
    for start in (cell for cell, name in colour.items() if name):
        steps, front = {start: 0}, [start]
        for cell in front:
            for other in beside[cell] - steps.keys():
                steps[other] = steps[cell] + 1
                front.append(other)
        total += sum(n for cell, n in steps.items() if cell > start and colour.get(cell) == colour[start])
    return total


def _symmetry(puzzle: Puzzle, solution: Solution) -> int:
    """Motions of the lattice that take the region to itself, and each piece to a piece, of whatever part."""
    pieces = {frozenset(placed.cells) for placed in solution.placements}
    cells = puzzle.region.cells  # also those that stay empty: they are of the region
    there = set(map(tuple, cells.tolist()))
    count = 0
    for motion in puzzle.lattice.transformations:
        image = motion.apply(cells)
        image[:, 1:] += cells[:, 1:].min(axis=0) - image[:, 1:].min(axis=0)
        goes_to = dict(zip(map(tuple, cells.tolist()), map(tuple, image.tolist()), strict=True))
        if there == set(goes_to.values()):
            count += all(frozenset(goes_to[cell] for cell in piece) in pieces for piece in pieces)
    return count


VALUES: dict[str, Callable[[Puzzle, Solution], int]] = {
    "crossroads": crossroads_of,
    "fault-lines": _fault_lines,
    "touching-alike": _touching_alike,
    "parts": lambda _, solution: len(solution.placements),
    "cells": lambda _, solution: len(_owners(solution)),
    "border": _border,
    "spread": _spread,
    "symmetry": _symmetry,
}
