"""What `show` can show: each view as plain data and as lines of text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from latcover.errors import PuzzleError, suggest
from latcover.orientation import orientations
from latcover.puzzle import Puzzle
from latcover.solution import Solution
from latcover.terminal import draw_part, draw_region, draw_solution


@dataclass(frozen=True, slots=True)
class View:
    """A picture: its data, and ``lines(colour=..., width=...)``."""

    data: dict[str, Any]
    lines: Callable[..., list[str]]


def of_solution(puzzle: Puzzle, solution: Solution) -> View:
    """A solution."""
    return View(
        {"puzzle": puzzle.name, "solution": solution.as_json(puzzle.lattice)},
        lambda **how: draw_solution(puzzle, solution, **how),
    )


def of_region(puzzle: Puzzle) -> View:
    """The cells of the region, with their colours and which of them are optional."""
    region = puzzle.region
    cells = [
        {"cell": puzzle.lattice.written(cell), "colour": puzzle.colours[colour], "optional": optional}
        for cell, colour, optional in zip(
            region.cells.tolist(), region.colours.tolist(), region.optional.tolist(), strict=True
        )
    ]
    return View({"puzzle": puzzle.name, "region": cells}, lambda **how: draw_region(puzzle, **how))


def of_part(puzzle: Puzzle, name: str) -> View:
    """A part with all its orientations.

    Raises:
        PuzzleError: there is no such part.
    """
    parts = {part.name: part for part in puzzle.parts}
    if name not in parts:
        raise PuzzleError(f"{puzzle.name!r} has no part {name!r}{suggest(name, parts)}")
    part = parts[name]
    shapes = [
        [puzzle.lattice.written(cell) for cell in orientation.cells.tolist()]
        for orientation in orientations(part, puzzle.region.default_order())
    ]
    return View(
        {"puzzle": puzzle.name, "part": name, "orientations": shapes},
        lambda **how: draw_part(puzzle, part, **how),
    )
