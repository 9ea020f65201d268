"""The shipped puzzles: each loads, says where its figures come from, and has these figures."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from latcover.backends import create
from latcover.encoding.placement import PlacementTable, placements
from latcover.encoding.prepared import Choices, prepare
from latcover.encoding.symmetry import SymmetryGroup, Which
from latcover.formats.library import load_all, load_lattice, names
from latcover.formats.puzzle_files.puzzle_file import EXPECTATIONS
from latcover.model.puzzle import Puzzle
from latcover.solving.run import run

PUZZLES = {puzzle.name: (file, puzzle) for file in names("instances") for puzzle in load_all(file)}
INSTANCES = sorted(PUZZLES)
# half a minute and more on a slow machine, where more is to be found than one solution of each class
SLOW_IN_FULL = (
    *("disc-cylinder-labelled", "dudeney", "pairs-4x4x5", "pent-5x4x3", "pent-6x5x2", "pent-8x8-minus-corners"),
    *("pent-whole-stairs", *(f"tetrasticks-5x5-without-{letter}" for letter in "HJLNY")),
)
# of those that constraint and SAT solvers count in a second or two
SMALL = (
    "eureka-8x8",
    "example-2x2",
    "fig4-3x3",
    "gaya-cube",
    "happy-cube-green",
    "happy-cube-orange",
    "happy-cube-red",
    "hex-prisms",
    "live-cube",
    "notebook-coloured-5x5",
    "notebook-coloured-5x5-labelled",
    "notebook-coloured-5x5-labelled-free",
    "pent-10x6-eight-moved",
    "pent-10x6-four-moved",
    "pent-20x3",
    "pent-strip",
    "slothouber-graatsma",
    "soma",
    "sphere-pyramid",
    "sphere-pyramid-2",
    "tangram-square",
    "tetrahexes-4x7",
)
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


def expect(name: str, figure: str) -> int:
    """A figure that the file gives; skips the test where it gives none."""
    figures = puzzle_of(name).expect
    if figure not in figures:
        pytest.skip(f"{name} gives no {figure}")
    return figures[figure]


@every_instance
def test_has_a_source_and_figures(name: str) -> None:
    puzzle = puzzle_of(name)
    assert puzzle.name.startswith(PUZZLES[name][0])
    assert puzzle.source.strip()
    assert puzzle.title.strip()
    assert {"different", "total"} <= set(puzzle.expect) <= set(EXPECTATIONS)
    assert not puzzle.warnings or "labelled" in name  # these tell equal parts apart on purpose


@pytest.mark.parametrize("name", names("lattices"))
def test_lattices_load(name: str) -> None:
    lattice = load_lattice(name)
    assert lattice.name == name
    assert lattice.title.strip()


@pytest.mark.parametrize(("name", "which"), cases())
def test_numbers_of_solutions(name: str, which: Which) -> None:
    figures = puzzle_of(name).expect
    different = {"all": "different", "rotations": "different_under_rotations", "none": "total"}[which]
    answer = run(prepare(puzzle_of(name), Choices(which)), create("dlx"))
    assert answer.complete
    assert (answer.different, answer.total) == (figures[different], figures["total"])


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("backend", ["cpsat", "sat"])
def test_numbers_of_solutions_by_other_solvers(backend: str, name: str) -> None:
    figures = puzzle_of(name).expect
    answer = run(prepare(puzzle_of(name)), create(backend))
    assert answer.complete
    assert (answer.different, answer.total) == (figures["different"], figures["total"])


@every_instance
def test_orientations(name: str) -> None:
    """The paper counts what belongs to a part once for each of its copies."""
    table = table_of(name)
    per_part = (table.first_orientation[1:] - table.first_orientation[:-1]).tolist()
    assert sum(n * copies for n, copies in zip(per_part, copies_of(name), strict=True)) == expect(name, "orientations")


@every_instance
def test_orientations_that_fit(name: str) -> None:
    table = table_of(name)
    fitting: list[set[int]] = [set() for _ in puzzle_of(name).parts]
    for part, orientation in zip(table.part_of.tolist(), table.orientation.tolist(), strict=True):
        fitting[part].add(orientation)
    counted = sum(len(found) * copies for found, copies in zip(fitting, copies_of(name), strict=True))
    assert counted == expect(name, "orientations_that_fit")


@every_instance
def test_placements(name: str) -> None:
    of_part = table_of(name).part_of.tolist()
    counted = sum(of_part.count(part) * copies for part, copies in enumerate(copies_of(name)))
    assert counted == expect(name, "placements")


@every_instance
def test_symmetries(name: str) -> None:
    assert SymmetryGroup(puzzle_of(name), table_of(name), "all").order == expect(name, "symmetry")


def copies_of(name: str) -> list[int]:
    puzzle = puzzle_of(name)
    return [puzzle.most_copies(part) for part in puzzle.parts]
