"""Filters: functions that decide whether to list a solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.model.given import read_cell
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules.placed_copies import PlacedCopies
from latcover.core.model.solution import Cell, Placed, Solution
from latcover.errors import PuzzleError, suggest

Filter = Callable[[Solution], bool]


def filters_of(where: Filter | Iterable[Filter]) -> tuple[Filter, ...]:
    """One filter, or several.

    Raises:
        PuzzleError: one of them is not a function.
    """
    found = (where,) if callable(where) else tuple(where) if isinstance(where, Iterable) else (where,)
    for each in found:
        if not callable(each):
            raise PuzzleError(f'where: a filter is a function, such as part_at("V", (0, 0, 0)); not {each!r:.80}')
    return found


def part_at(part: str, cell: Sequence[Any]) -> Filter:
    """Solutions in which a copy of *part* covers *cell*.

    Only the listed image of a solution is tested; ``Choices("none")`` lists all images.

    Args:
        part: The name of the part.
        cell: Its coordinates; its node's name follows if the lattice has several, as in a puzzle file.

    Raises:
        PuzzleError: when the filter is used, if the puzzle has no such part or cell.
    """
    _require_names("part_at", part)
    known: list[tuple[Puzzle, Cell]] = []

    def passes(solution: Solution) -> bool:
        puzzle = _puzzle_of(solution)
        if not known or known[0][0] is not puzzle:
            known[:] = [(puzzle, _cell_of(puzzle, part, cell))]
        wanted = known[0][1]
        return any(placed.part == part and wanted in placed.cells for placed in solution.placements)

    return passes


def keeps_apart(*parts: str, corners: bool = False) -> Filter:
    """Solutions in which no copy of one of these parts touches a copy of another.

    Args:
        parts: The names of parts; with one name, no two copies of that part may touch.
        corners: Whether contact at a corner counts as touching.

    Raises:
        PuzzleError: no part is named; when the filter is used: the puzzle has no such part.
    """
    if not parts:
        raise PuzzleError("keeps_apart needs the name of a part, or of several")
    _require_names("keeps_apart", *parts)

    def passes(solution: Solution) -> bool:
        puzzle = _puzzle_of(solution)
        _require_parts(puzzle, parts)
        copies = PlacedCopies(puzzle, solution.placements)
        pairs = ({copies.names[k] for k in pair} for pair in copies.touching(corners=corners))
        return not any(pair <= set(parts) and (len(pair) == 2 or len(set(parts)) == 1) for pair in pairs)

    return passes


def symmetric(symmetry: str = "all") -> Filter:
    """Solutions that a symmetry of the puzzle, other than the identity, maps to themselves.

    Args:
        symmetry: Which symmetries: ``"all"``, or ``"rotations"``.
    """
    known: list[_Symmetries] = []

    def passes(solution: Solution) -> bool:
        puzzle = _puzzle_of(solution)
        if not known or known[0].puzzle is not puzzle:
            known[:] = [_Symmetries(puzzle, symmetry)]
        return known[0].fix(solution)

    return passes


class _Symmetries:
    """The symmetries of a puzzle."""

    def __init__(self, puzzle: Puzzle, symmetry: str) -> None:
        self.puzzle = puzzle
        self.prepared: Prepared = prepare(puzzle, Choices(symmetry))  # type: ignore[arg-type]  # which it checks
        self._number: dict[Placed, int] = {}

    def fix(self, solution: Solution) -> bool:
        """Whether a symmetry other than the identity maps *solution* to itself."""
        if not self._number:
            self._number = {self.prepared.entry(k): k for k in range(len(self.prepared.table))}
        members = np.array(sorted(self._number[placed] for placed in solution.placements), dtype=np.int32)
        (images,) = self.prepared.images(members[None])
        return len(images) < self.prepared.acting


def _cell_of(puzzle: Puzzle, part: str, cell: Sequence[Any]) -> Cell:
    _require_parts(puzzle, [part])
    found = read_cell("part_at", cell, puzzle.lattice)
    if not (puzzle.region.cells == np.array(found)).all(axis=1).any():
        raise PuzzleError(f"part_at: the region has no cell {tuple(cell)}")
    return found


def _puzzle_of(solution: Solution) -> Puzzle:
    if solution.puzzle is None:
        raise PuzzleError("a filter needs the solution's puzzle, which a solution loses when it is pickled")
    return solution.puzzle


def _require_names(what: str, *names: object) -> None:
    for name in names:
        if not isinstance(name, str):
            raise PuzzleError(f"{what} needs names of parts, not {name!r:.80}")


def _require_parts(puzzle: Puzzle, names: Sequence[str]) -> None:
    known = [part.name for part in puzzle.parts]
    for name in names:
        if name not in known:
            raise PuzzleError(f"the puzzle {puzzle.name!r} has no part {name!r}{suggest(name, known)}")
