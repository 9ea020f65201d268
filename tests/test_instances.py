"""The shipped puzzles: each loads, says where its figures come from, and has these figures."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from latcover.backends import create
from latcover.encoding.placement import PlacementTable, placements
from latcover.encoding.prepared import Choices, prepare
from latcover.encoding.symmetry import SymmetryGroup, Which
from latcover.formats.library import load_all, load_lattice, names
from latcover.formats.puzzle_files.puzzle_file import EXPECTATIONS
from latcover.model.puzzle import Puzzle
from latcover.solving.count import count_prepared
from latcover.solving.run import Answer, run

PUZZLES = {puzzle.name: (file, puzzle) for file in names("instances") for puzzle in load_all(file)}
INSTANCES = sorted(PUZZLES)
# half a minute and more by dancing links, where more is to be found than one solution of each class
SLOW_IN_FULL = (
    *("disc-cylinder-labelled", "dudeney", "pairs-4x4x5", "pent-5x4x3", "pent-6x5x2", "pent-8x8-minus-corners"),
    *("pent-whole-stairs", *(f"tetrasticks-5x5-without-{letter}" for letter in "HJLNY")),
)
# for every backend, constraint and SAT solvers too (test_agreement.py): one puzzle for each kind of part, region, rule
SMALL = (
    *("example-2x2", "fig4-3x3", "happy-cube-green", "hex-prisms", "live-cube", "notebook-coloured-5x5-labelled-free"),
    *("slothouber-graatsma", "sphere-pyramid", "tangram-square"),
)
# what they count in a second or two
LARGER = (
    *("eureka-8x8", "gaya-cube", "happy-cube-orange", "happy-cube-red", "notebook-coloured-5x5"),
    *("notebook-coloured-5x5-labelled", "pent-10x6-eight-moved", "pent-10x6-four-moved", "pent-20x3", "pent-strip"),
    *("soma", "sphere-pyramid-2", "tetrahexes-4x7"),
)
OF_WHICH: dict[Which, str] = {"all": "different", "rotations": "different_under_rotations", "none": "total"}
every_instance = pytest.mark.parametrize("name", INSTANCES)


def puzzle_of(name: str) -> Puzzle:
    return PUZZLES[name][1]


@cache
def table_of(name: str) -> PlacementTable:
    return placements(puzzle_of(name))


def cases() -> list[Any]:
    """Each puzzle under all symmetries, under none, and under rotations where there is a figure for them."""
    found = []
    for name in INSTANCES:
        long = [pytest.mark.long] if puzzle_of(name).long else []
        slow = [pytest.mark.long] if long or name in SLOW_IN_FULL else []
        found.append(pytest.param(name, "all", id=f"{name}-all", marks=long))
        if "different_under_rotations" in puzzle_of(name).expect:
            found.append(pytest.param(name, "rotations", id=f"{name}-rotations", marks=slow))
        found.append(pytest.param(name, "none", id=f"{name}-none", marks=slow))
    return found


@every_instance
def test_has_a_source_and_the_figures_that_it_gives(name: str) -> None:
    """The paper counts what belongs to a part once for each of its copies."""
    puzzle, table = puzzle_of(name), table_of(name)
    assert puzzle.name.startswith(PUZZLES[name][0])
    assert puzzle.source.strip()
    assert puzzle.title.strip()
    assert {"different", "total"} <= set(puzzle.expect) <= set(EXPECTATIONS)
    assert not puzzle.warnings or "labelled" in name  # these tell equal parts apart on purpose

    copies = np.array([puzzle.most_copies(part) for part in puzzle.parts])
    of_part, fitting = table.part_of, np.unique(np.stack([table.part_of, table.orientation]), axis=1)[0]
    found = {
        "orientations": copies @ (table.first_orientation[1:] - table.first_orientation[:-1]),
        "orientations_that_fit": copies @ np.bincount(fitting, minlength=len(copies)),
        "placements": copies @ np.bincount(of_part, minlength=len(copies)),
        "symmetry": SymmetryGroup(puzzle, table, "all").order,
    }
    given = {figure: value for figure, value in puzzle.expect.items() if figure in found}
    assert given == {figure: found[figure] for figure in given}


@pytest.mark.parametrize("name", names("lattices"))
def test_lattices_load(name: str) -> None:
    lattice = load_lattice(name)
    assert lattice.name == name
    assert lattice.title.strip()


def assert_numbers(name: str, which: Which, answer: Answer) -> None:
    figures = puzzle_of(name).expect
    assert answer.complete
    assert (answer.different, answer.total) == (figures[OF_WHICH[which]], figures["total"])


@pytest.mark.parametrize(("name", "which"), cases())
def test_numbers_of_solutions(name: str, which: Which) -> None:
    assert_numbers(name, which, count_prepared(prepare(puzzle_of(name), Choices(which))))


@pytest.mark.long
@pytest.mark.parametrize(("name", "which"), cases())
def test_numbers_of_solutions_by_dancing_links(name: str, which: Which) -> None:
    assert_numbers(name, which, run(prepare(puzzle_of(name), Choices(which)), create("dlx")))
