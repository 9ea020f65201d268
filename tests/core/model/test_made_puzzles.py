"""Puzzles made in Python: what no file could hold is refused where it is made, or by the search, and never believed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.core.model.given import FARTHEST
from latcover.core.model.puzzle import Part, Puzzle, Region, Rules, as_cells
from latcover.core.model.puzzle_costs import CellCost, NamedCosts
from latcover.errors import PuzzleError
from latcover.files.formats.library import load_lattice


def made_part(*cells: tuple[int, int], **other: Any) -> Part:
    """A part on the square lattice."""
    square = load_lattice("square")
    rows = as_cells([(0, *cell) for cell in cells], 2)
    part = Part("P", rows, np.zeros(len(cells), np.int32), 2, 2, square.allowed("rotations"), lattice=square)
    return replace(part, **other)


def made_puzzle(part: Part, period: tuple[int, ...] = (0, 0)) -> Puzzle:
    """A square of 2 by 2 cells for copies of *part*."""
    region = Region(as_cells([(0, row, column) for row in range(2) for column in range(2)], 2))
    return Puzzle("made", load_lattice("square"), replace(region, period=period), (part,))


def test_a_cell_that_a_part_or_a_region_holds_twice() -> None:
    """It is refused where it is made, not by the search."""
    with pytest.raises(PuzzleError, match=r"part 'P' holds the cell \[0, 1\] twice"):
        made_part((0, 0), (0, 1), (0, 1))
    free = replace(made_part((0, 0), (5, 1)), lattice=None)
    with pytest.raises(PuzzleError, match=r"part 'P' holds the cell \(node, x, y, ...\) = \(0, 5, 1\) twice"):
        replace(free, cells=as_cells([(0, 5, 1), (0, 5, 1)], 2))
    with pytest.raises(PuzzleError, match=r"the region holds the cell .* \(0, 3, 3\) twice"):
        Region(as_cells([(0, 3, 3), (0, 3, 3)], 2))
    far = FARTHEST
    with pytest.raises(PuzzleError, match=r"the region holds the cell .* twice"):
        Region(as_cells([(0, far, -far), (0, -far, far), (0, far, -far)], 2))
    sticks = load_lattice("polystick")
    with pytest.raises(PuzzleError, match=r"part 'I' holds the cell \[0, 1, 'junction'\] twice"):
        Part(
            "I",
            as_cells([(2, 0, 1), (2, 0, 1)], 2),
            np.zeros(2, np.int32),
            1,
            1,
            sticks.transformations,
            lattice=sticks,
        )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"colours": np.zeros(3, np.int32)}, r"part 'P' has 2 cells, but its colours have the shape \(3,\)"),
        ({"sides": np.array([[2, 0, 1]], np.int32)}, "index of one of its 2 cells"),
        ({"sides": np.array([[1, 0, 1], [1, 0, 2]], np.int32)}, r"two values for the side .* \(1, 0\)"),
        ({"transformations": ()}, "part 'P' has no transformations"),
        ({"low": 3}, "part 'P' is to be used at least 3 and at most 2 times"),
        ({"cells": as_cells([(0, 0, 0, 0), (0, 0, 0, 1)], 3), "lattice": None}, "part 'P' lies on another lattice"),
        ({"cells": as_cells([(1, 0, 0), (1, 0, 1)], 2), "lattice": None}, "part 'P' lies on another lattice"),
    ],
)
def test_a_part_that_no_file_could_hold(change: dict[str, Any], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        latcover.count(made_puzzle(made_part((0, 0), (0, 1), **change)))


def test_a_region_that_no_file_could_hold() -> None:
    part = made_part((0, 0), (0, 1))
    with pytest.raises(PuzzleError, match=r"the region holds the cell .* \(0, 0, 0\) twice"):
        made_puzzle(part, (0, 1))
    with pytest.raises(PuzzleError, match="closes along 2 axes"):
        made_puzzle(part, (0,))


def test_a_cell_of_a_torus_has_many_names() -> None:
    """Cells beyond the period are those of the region; `exclude` took them for others, and proved 1 instead of 2."""
    domino = Part("I", "XX", low=0, high=None)
    home = Region([(0, 0), (0, 1), (0, 2), (0, 3)], period=(1, 4))
    for cells in ([(0, 0), (0, 5), (0, 2), (0, 3)], [(3, 4), (-1, -3), (0, 2), (0, 7)]):
        puzzle = Puzzle("torus", load_lattice("square"), Region(cells, period=(1, 4)), (domino,))
        assert sorted(puzzle.region.cells.tolist()) == home.cells.tolist()
        assert (latcover.exclude(puzzle).value, latcover.pack(puzzle).value) == (2, 2)
    with pytest.raises(PuzzleError, match="twice"):
        Region([(0, 0), (0, 4)], period=(1, 4))


def test_rules_and_costs_of_a_torus_take_any_name_of_a_cell() -> None:
    far, near = (0, 0, 5), (0, 0, 1)
    made = [
        Puzzle(
            "torus",
            load_lattice("square"),
            Region([(0, 0), (0, 1), (0, 2), (0, 3)], period=(1, 4)),
            (Part("I", "XX", low=2),),
            rules=Rules(asked=((cell, 0, 0),), alike=((cell, (0, 0, 2)),)),
            costs=(NamedCosts("gold", cells=(CellCost((cell,), 3),)),),
        )
        for cell in (near, far)
    ]
    assert (made[0].rules.asked, made[0].rules.alike) == (made[1].rules.asked, made[1].rules.alike)
    assert [latcover.best(puzzle, latcover.BestRequest(objective="gold")).value for puzzle in made] == [3, 3]


def test_a_transformation_that_is_listed_twice_changes_nothing() -> None:
    part = made_part((0, 0), (0, 1))
    twice = replace(part, transformations=part.transformations * 2)
    answers = [latcover.count(made_puzzle(each)) for each in (part, twice)]
    assert [(answer.different, answer.total) for answer in answers] == [(1, 2)] * 2
