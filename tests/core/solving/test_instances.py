"""The shipped puzzles: each loads, says where its figures come from, and has these figures."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from latcover.backends import create
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Limits
from latcover.core.encoding.placement import PlacementTable, placements
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.encoding.symmetry import SymmetryGroup
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.request_values import SymmetryChoice
from latcover.core.model.solution import Solution
from latcover.core.model.verifier import verify
from latcover.core.solving.count import count_prepared
from latcover.core.solving.run import run
from latcover.files.formats.library import load_all, load_lattice
from latcover.files.formats.puzzle_files.puzzle_file import EXPECTATIONS
from latcover.files.formats.source import names
from tests.shipped import rest_long

FILES = names("instances")
LONG_IN_ALL = (  # half a minute and more, by one way to count or another
    *("bedlam", "dominoes-quadrilles", "macmahon-squares", "macmahon-triangles", "path-torus", "ribbon-torus"),
)
UNCOUNTED = ("torus-89", "torus-89-apart")  # with too many solutions for any way to count
# for every backend, constraint and SAT solvers too (test_agreement.py): one puzzle for each kind of part, region, rule
SMALL = (
    *(
        "example-2x2",
        "fig4-3x3",
        "happy-cube-green",
        "hex-prisms",
        "live-cube",
        "mayblox",
        "nine-cards",
        "notebook-coloured-5x5-labelled-free",
    ),
    *("slothouber-graatsma", "sphere-pyramid", "tangram-square"),
)
# what they count in a second or two
LARGER = (
    *("eureka-8x8", "gaya-cube", "happy-cube-orange", "happy-cube-red", "notebook-coloured-5x5"),
    *("notebook-coloured-5x5-labelled", "pent-10x6-eight-moved", "pent-10x6-four-moved", "pent-20x3", "pent-strip"),
    *("soma", "sphere-pyramid-2", "tetrahexes-4x7"),
)
OF_WHICH: dict[SymmetryChoice, str] = {"all": "different", "rotations": "different_under_rotations", "none": "total"}
every_file = pytest.mark.parametrize("name", FILES)


@cache
def tables_of(name: str) -> list[tuple[Puzzle, PlacementTable]]:
    return [(puzzle, placements(puzzle)) for puzzle in load_all(name)]


def cases() -> list[Any]:
    """Each file under all symmetries, under rotations and under none."""
    found = []
    for name in FILES:
        long = [pytest.mark.long] if name in LONG_IN_ALL else []
        slow = [pytest.mark.long] if long or name not in SMALL else []
        found += [
            pytest.param(name, which, id=f"{name}-{which}", marks=long if which == "all" else slow)
            for which in OF_WHICH
        ]
    return found


@pytest.mark.parametrize("name", UNCOUNTED)
@pytest.mark.long
def test_a_puzzle_that_nobody_has_counted_has_a_solution(name: str) -> None:
    found: list[Solution] = []
    puzzle = load_all(name)[0]
    run(prepare(puzzle), create("bitset", threads=1), Limits(covers=1), found.append)
    assert verify(puzzle, found[0]) == []


@pytest.mark.parametrize(
    "name", rest_long(FILES, {*FILES} - {"dominoes-quadrilles", "ribbon-torus", "torus-89", "torus-89-apart"})
)
def test_has_a_source_and_the_figures_that_it_gives(name: str) -> None:
    """The paper counts what belongs to a part once for each of its copies."""
    for puzzle, table in tables_of(name):
        assert puzzle.name.startswith(name)
        assert puzzle.long == (name in LONG_IN_ALL)
        assert puzzle.source.strip()
        assert puzzle.title.strip()
        counted = set() if name in UNCOUNTED else {"different", "total"}
        assert counted <= set(puzzle.expect) <= set(EXPECTATIONS)
        assert not puzzle.warnings or "labelled" in name  # these tell equal parts apart on purpose

        copies = np.array([puzzle.most_copies(part) for part in puzzle.parts])
        fitting = np.unique(np.stack([table.part_of, table.orientation]), axis=1)[0]
        found = {
            "orientations": copies @ (table.first_orientation[1:] - table.first_orientation[:-1]),
            "orientations_that_fit": copies @ np.bincount(fitting, minlength=len(copies)),
            "placements": copies @ np.bincount(table.part_of, minlength=len(copies)),
            "symmetry": SymmetryGroup(puzzle, table, "all").order,
        }
        given = {figure: value for figure, value in puzzle.expect.items() if figure in found}
        assert given == {figure: found[figure] for figure in given}


@pytest.mark.parametrize("name", names("lattices"))
def test_lattices_load(name: str) -> None:
    lattice = load_lattice(name)
    assert lattice.name == name
    assert lattice.title.strip()


def assert_numbers(name: str, which: SymmetryChoice, count: Callable[[Prepared], SearchResult]) -> None:
    """That a way to count finds the figures that a file gives, where it gives any under these symmetries."""
    for puzzle in load_all(name):
        different = puzzle.expect.get(OF_WHICH[which])
        if different is not None:
            answer = count(prepare(puzzle, Choices(which)))
            assert (answer.different, answer.total) == (different, puzzle.expect["total"]), puzzle.name
            assert answer.complete


@pytest.mark.parametrize(("name", "which"), cases())
def test_numbers_of_solutions(name: str, which: SymmetryChoice) -> None:
    assert_numbers(name, which, count_prepared)


@pytest.mark.long
@pytest.mark.parametrize(("name", "which"), [case for case in cases() if case.values[0] != "aztec-12"])  # 2^78
def test_numbers_of_solutions_by_dancing_links(name: str, which: SymmetryChoice) -> None:
    assert_numbers(name, which, lambda prepared: run(prepared, create("dlx")))
