"""A bound on how many optional cells may stay empty, against brute force and in every backend."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends import create
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.puzzle import Bounds, Part, Puzzle, Region
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.model.solution import Solution
from latcover.core.model.verifier import verify
from latcover.core.solving.count import CountRequest, count
from latcover.core.solving.run import run
from latcover.core.solving.solutions import solutions as found_by_latcover
from latcover.files.formats.library import load, load_lattice, read
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.source import Source, shipped
from tests.dice import Dice, cases
from tests.puzzle_oracle import classes, plain, solutions, symmetries
from tests.random_puzzles import puzzles

BACKENDS = ("dlx", "backtrack", "bitset", "cpsat", "sat")
SMALL = {"sat": {"solver": "maplesat"}}


def loose_puzzle(dice: Dice) -> Puzzle:
    """A puzzle some of whose cells are optional, with a bound on those left empty, and parts that may be absent."""
    puzzle = puzzles(dice.pick(["square", "triangular", "cubic", "polystick"]))(dice)
    optional = np.array([dice.chance(50) for _ in puzzle.region.cells]) | puzzle.region.optional
    region = replace(puzzle.region, optional=optional, max_empty=dice.between(0, 3))
    parts = [replace(part, low=dice.between(0, part.low)) for part in puzzle.parts]
    return replace(puzzle, region=region, parts=tuple(parts))


@cases(15, puzzle=loose_puzzle)
def test_solutions_are_those_of_brute_force(puzzle: Puzzle) -> None:
    expected = solutions(puzzle)
    found = [plain(solution) for solution in found_by_latcover(puzzle, choices=Choices("none"))]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert count(puzzle).different == len(classes(expected, symmetries(puzzle, "all")))
    assert not expected or not [complaint for complaint in complaints_about(puzzle) if not complaint.warning]


@cases(15, puzzle=loose_puzzle)
def test_all_backends_find_the_same(puzzle: Puzzle) -> None:
    prepared = prepare(puzzle)
    answers = [run(prepared, create(name, **SMALL.get(name, {}))) for name in BACKENDS]
    assert len({(answer.different, answer.total, answer.digest) for answer in answers}) == 1


@cases(10, puzzle=loose_puzzle)
def test_the_verifier_counts_empty_cells_itself(puzzle: Puzzle) -> None:
    unbounded = replace(puzzle, region=replace(puzzle.region, max_empty=None))
    expected = solutions(puzzle)
    for solution in found_by_latcover(unbounded, choices=Choices("none")):
        faults = verify(puzzle, Solution(solution.placements))
        assert (plain(solution) in expected) == (not faults)
        assert all("left empty" in fault for fault in faults)


def test_a_bound_that_binds_nothing_changes_nothing() -> None:
    cells = np.array([[0, 0, k] for k in range(4)], dtype=np.int32)
    free = np.array([True, True, False, False])
    region = Region(cells, np.zeros(4, np.int32), free, (0, 0), max_empty=2)
    assert not region.bounded_empty(load_lattice("square")).any()
    assert region.ordered((1, 0)).max_empty == 2


@pytest.mark.parametrize(("most", "total"), [(0, 1), (1, 1), (2, 4), (3, 4), (4, 5), (None, 5)])
def test_dominoes_on_a_strip(most: int | None, total: int) -> None:
    """Four free cells in a row hold two dominoes, or one in three places, or none."""
    cells = np.array([[0, 0, k] for k in range(4)], dtype=np.int32)
    lattice = load_lattice("square")
    region = Region(cells, np.zeros(4, np.int32), np.ones(4, np.bool_), (0, 0), most)
    domino = Part("domino", cells[:2], np.zeros(2, np.int32), 0, None, lattice.transformations)
    assert count(Puzzle("strip", lattice, region, (domino,)), CountRequest(symmetry="none")).total == total


BEADS = """
name = "beads"
basis = [[1]]
[nodes.bead]
radius = 0.4
[nodes.gap]
position = [0.5]
radius = 0.1
secondary = true
[half_edges]
out = { from = "bead", to = "gap", step = [0], twin = "home" }
home = { from = "gap", to = "bead", step = [0], twin = "out" }
on = { from = "gap", to = "bead", step = [1], twin = "back" }
back = { from = "bead", to = "gap", step = [-1], twin = "on" }
[[transformations]]
name = "mirror"
cycles = ["out home", "on back"]
"""


@pytest.mark.parametrize(("most", "different", "total"), [(0, 2, 2), (None, 3, 4)])
def test_cells_that_count_are_not_exchanged_with_cells_that_do_not(
    tmp_path: Path, most: int | None, different: int, total: int
) -> None:
    """A bead and a gap, and parts that go on either: that the bead must be filled tells them apart."""
    path = tmp_path / "beads.toml"
    path.write_text(BEADS, encoding="utf-8")
    lattice = load_lattice(str(path))
    cells = np.array([[0, 0], [1, 0]], dtype=np.int32)
    region = Region(cells, np.zeros(2, np.int32), np.ones(2, np.bool_), (0,), most)
    part = Part("one", cells[:1], np.zeros(1, np.int32), 0, 2, lattice.transformations)
    answer = count(Puzzle("beads", lattice, region, (part,)))
    assert (answer.different, answer.total) == (different, total)


FRAME = (
    'name = "a"\nlattice = "square"\n[region]\nart = ["XXX", "XXX"]\n{}\n[[parts]]\nname = "d"\nart = "XX"\ncount = 2\n'
)


def read_loosely(text: str) -> Puzzle:
    (puzzle,) = read(Source(text.encode(), "a.toml", shipped), Bounds(), unfinished=True).values()
    assert isinstance(puzzle, Puzzle)
    return puzzle


@pytest.mark.parametrize(
    ("lines", "optional", "total"),
    [
        ('optional = "all"', 6, 11),
        ("max_empty = 2", 6, 11),
        ("max_empty = 5", 6, 11),
        ('optional = "all"\nmax_empty = 1', 6, 0),
        ("optional = [[0, 0], [1, 0]]\nmax_empty = 1", 2, 0),
        ("optional = [[0, 0], [1, 0]]", 2, 2),
    ],
)
def test_cells_that_may_stay_empty_in_words(lines: str, optional: int, total: int) -> None:
    """Two dominoes on six cells: eleven ways; two of them leave the first column empty."""
    puzzle = read_loosely(FRAME.format(lines))
    assert int(puzzle.region.optional.sum()) == optional
    assert count(puzzle, CountRequest(symmetry="none")).total == total == len(solutions(puzzle))
    again = read_loosely(puzzle_as_toml([puzzle]))
    assert (again.region.optional.sum(), again.region.max_empty) == (optional, puzzle.region.max_empty)


def test_a_region_says_it_in_python_alike() -> None:
    assert Region("XX\nXX", optional="all").optional.all()
    assert Region("XX\nXX", max_empty=1).optional.all()
    assert Region("XX\nX+", max_empty=1).optional.tolist() == [False, False, False, True]
    assert not Region("XX\nXX", max_empty=0).optional.any()


def test_secondary_cells_are_not_all_cells() -> None:
    """The junctions of sticks may stay empty in any region, and none of its sticks."""
    puzzle = load("tetrasticks-5x5", problem="1")
    region = puzzle.region
    assert region.optional.any()
    assert not region.is_all_optional(puzzle.lattice)
    assert replace(region, optional=np.ones_like(region.optional)).is_all_optional(puzzle.lattice)
