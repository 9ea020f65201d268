"""Conditions on solutions, written ``part@cells``: a copy of the part covers these cells, and perhaps more.

A cell is its coordinates with commas between them, as in ``X@2,3``, and its node's name if the lattice has several, as
in ``lozenge@0,1,up``. Blanks stand between cells: ``X@2,3 2,4``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.problem import Ints
from latcover.core.encoding.placement import PlacementTable
from latcover.core.model.given import read_cell
from latcover.core.model.puzzle import Puzzle
from latcover.errors import PuzzleError, suggest
from latcover.system.sorted_sets import distinct


class Conditions(Struct, frozen=True, eq=False):
    """What conditions leave of a puzzle.

    Attributes:
        possible: The placements that may be in a solution, shape (n_placements,), bool.
        covered: The cells that must be covered, int32.
    """

    possible: npt.NDArray[np.bool_]
    covered: Ints


def conditions(puzzle: Puzzle, table: PlacementTable, given: Sequence[str]) -> Conditions:
    """The conditions of these texts.

    Raises:
        PuzzleError: a text is none, or names a part or a cell that the puzzle does not have.
    """
    possible = np.ones(len(table), np.bool_)
    covered: list[int] = []
    for text in given:
        part, cells = _read(puzzle, table, text)
        inside = np.concatenate([[0], np.cumsum(np.isin(table.cells, cells))])
        held = inside[table.starts[1:]] - inside[table.starts[:-1]]
        possible &= (held == 0) | ((held == len(cells)) & (table.part_of == part))
        covered += cells
    return Conditions(possible, distinct(np.array(covered, np.int32)))


def _read(puzzle: Puzzle, table: PlacementTable, text: str) -> tuple[int, list[int]]:
    """The index of a condition's part, and the numbers of its cells."""
    what, (name, at, words) = f"the condition {text!r:.80}", text.rpartition("@")
    if not (at and name and words.split()):
        raise PuzzleError(f"{what} is not of the form part@cells, such as X@2,3 or 'X@2,3 2,4'")
    parts = [part.name for part in puzzle.parts]
    if name not in parts:
        raise PuzzleError(f"{what}: {puzzle.name!r} has no part {name!r}{suggest(name, parts)}")
    numbers = []
    for word in words.split():
        values = [int(x[:12]) if re.fullmatch(r"-?[0-9]+", x) else x for x in word.split(",")]
        cell = read_cell(what, values, puzzle.lattice)
        number = int(table.index.find(np.array([cell], np.int32))[0])
        if number < 0:
            raise PuzzleError(f"{what}: the region has no cell {word}")
        numbers.append(number)
    return parts.index(name), sorted(set(numbers))
