"""Essentially different solutions: the classes that brute force finds, whatever pivot or order cuts the work down."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends import create
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Limits
from latcover.core.encoding.placement import PAIRS, placements
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.encoding.symmetry import SYMMETRIES
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Puzzle, Rules
from latcover.core.model.request_values import SymmetryChoice
from latcover.core.model.solution import Solution
from latcover.core.solving.run import run
from latcover.errors import PuzzleError, UnsupportedError
from latcover.files.formats.library import load, load_lattice
from tests import puzzle_oracle as oracle
from tests.dice import TIMES, cases
from tests.random_puzzles import Ground, box, chiral_puzzles, make_part, make_puzzle, puzzles

SQUARE = load_lattice("square")
CUBIC = load_lattice("cubic")
FIXED = SQUARE.allowed("fixed")
TURNED = SQUARE.allowed("rotations")

SINGLE = [(0, 0, 0)]
ACROSS = [(0, 0, 0), (0, 0, 1)]
DOWN = [(0, 0, 0), (0, 1, 0)]
CORNER = [(0, 0, 0), (0, 1, 0), (0, 1, 1)]


def solve(puzzle: Puzzle, choices: Choices, *, images: bool = False) -> tuple[SearchResult, list[Solution]]:
    listed: list[Solution] = []
    answer = run(prepare(puzzle, choices), create("dlx"), on_solution=listed.append, images=images)
    assert answer.complete
    return answer, listed


def ways(puzzle: Puzzle, which: SymmetryChoice, group: list[oracle.Symmetry]) -> Iterator[Choices]:
    """Every reduction: none, each pivot, orders of the axes: all of these with --long."""
    yield Choices(which)
    yield Choices(which, reduction="none")
    yield Choices(which, reduction="paper")
    orders = list(permutations(range(puzzle.lattice.dimension)))
    for axes in orders if TIMES["as many"] > 1 else orders[1::3]:
        yield Choices(which, order=axes)
    for part in puzzle.parts:
        choices = Choices(which, pivot=part.name)
        single = part.low == puzzle.most_copies(part) == 1
        if single and all(symmetry.parts[part.name] == part.name for symmetry in group):
            yield choices
            yield replace(choices, reduction="paper")
        else:
            with pytest.raises(PuzzleError, match="must be a part with one copy"):
                prepare(puzzle, choices)


def assert_agrees_with_brute_force(puzzle: Puzzle) -> None:
    expected = oracle.solutions(puzzle)
    for which in SYMMETRIES:
        group = oracle.symmetries(puzzle, which)
        orbits = oracle.classes(expected, group)
        orbit_of = {solution: orbit for orbit in orbits for solution in orbit}
        for choices in ways(puzzle, which, group):
            answer, listed = solve(puzzle, choices)
            assert (answer.different, answer.total) == (len(orbits), len(expected)), choices
            assert sum(solution.orbit for solution in listed) == len(expected), choices
            met = [orbit_of[oracle.plain(solution)] for solution in listed]
            assert set(met) == orbits, choices
            assert [solution.orbit for solution in listed] == [len(orbit) for orbit in met], choices
        everything = [oracle.plain(solution) for solution in solve(puzzle, Choices(which), images=True)[1]]
        assert len(everything) == len(set(everything))
        assert set(everything) == expected
        if not puzzle.region.period:  # round a ring, several transformations may do the same
            assert answer.symmetries == len(group)


# Random puzzles


@cases(6, puzzle=puzzles("square"))
def test_random_polyominoes(puzzle: Puzzle) -> None:
    assert_agrees_with_brute_force(puzzle)


@cases(3, puzzle=puzzles("cubic"))
@pytest.mark.long
def test_random_polycubes(puzzle: Puzzle) -> None:
    assert_agrees_with_brute_force(puzzle)


@cases(2, puzzle=puzzles("hexprism"))
def test_random_hexagonal_prisms(puzzle: Puzzle) -> None:
    assert_agrees_with_brute_force(puzzle)


@cases(1, puzzle=puzzles("fcc"))
def test_random_spheres(puzzle: Puzzle) -> None:
    assert_agrees_with_brute_force(puzzle)


@cases(2, puzzle=puzzles("triangular"))
def test_random_polyiamonds(puzzle: Puzzle) -> None:
    assert_agrees_with_brute_force(puzzle)


@cases(1, puzzle=puzzles("tetrakis"))
@pytest.mark.long
def test_random_tangrams(puzzle: Puzzle) -> None:
    assert_agrees_with_brute_force(puzzle)


@cases(4, puzzle=puzzles("square", coloured=True))
@pytest.mark.long
def test_random_coloured_polyominoes(puzzle: Puzzle) -> None:
    assert_agrees_with_brute_force(puzzle)


@pytest.mark.long
@cases(1, puzzle=puzzles("fcc", coloured=True))
def test_random_coloured_spheres(puzzle: Puzzle) -> None:
    assert_agrees_with_brute_force(puzzle)


@cases(2, puzzle=puzzles("square", periodic=True))
def test_random_polyominoes_on_rings_and_tori(puzzle: Puzzle) -> None:
    assert_agrees_with_brute_force(puzzle)


@pytest.mark.parametrize(("length", "placed"), [(3, 0), (4, 1), (5, 5)])
def test_a_bar_of_four_lies_once_in_a_ring_that_it_closes_and_meets_itself_in_a_shorter_one(
    length: int, placed: int
) -> None:
    bar = make_part("bar", [(0, 0, k) for k in range(4)], FIXED, 0, 1)
    assert len(placements(make_puzzle(box(SQUARE, (1, length), (0, length)), [bar]))) == placed


def singles(ground: Ground, *copies: int) -> Puzzle:
    """Single cells: any exchange of cells that is taken for a symmetry moves each placement to one."""
    return make_puzzle(ground, [make_part(f"part {k}", SINGLE, FIXED, n, n) for k, n in enumerate(copies)])


def test_a_ring_along_the_second_axis_is_turned_by_any_length() -> None:
    puzzle = singles(box(SQUARE, (1, 4), (0, 4)), 1, 3)
    assert prepare(puzzle).symmetries == len(oracle.symmetries(puzzle, "all"))
    answer, _ = solve(puzzle, Choices("all"))
    assert (answer.different, answer.total) == (1, 4)


def test_a_reflection_that_makes_another_torus_of_a_skewed_one_is_no_symmetry() -> None:
    """Quarter turns keep a square of five cells that stands askew, and no reflection does."""
    skewed = Period(2, ((1, 2), (0, 5)))
    puzzle = singles(Ground(SQUARE, tuple(((0, *map(int, home)),) for home in skewed.homes()), skewed), *[1] * 5)
    assert prepare(puzzle).symmetries == 5 * 4
    answer, _ = solve(puzzle, Choices("all"))
    assert (answer.different, answer.total) == (6, 120)


@pytest.mark.long
@cases(1, puzzle=puzzles("hexprism", periodic=True))
def test_random_hexagonal_prisms_on_rings_and_tori(puzzle: Puzzle) -> None:
    assert_agrees_with_brute_force(puzzle)


@cases(2, puzzle=chiral_puzzles("square"))
def test_random_hands_of_polyominoes(puzzle: Puzzle) -> None:
    assert_agrees_with_brute_force(puzzle)


@pytest.mark.long
@cases(1, puzzle=chiral_puzzles("cubic"))
def test_random_hands_of_polycubes(puzzle: Puzzle) -> None:
    assert_agrees_with_brute_force(puzzle)


def test_parts_that_fit_in_a_ring_of_reflections_are_no_hands() -> None:
    """Three single cells, each of which may take some places only: exchanged, they are no group."""
    lattice = load_lattice("rhombic")
    names = [node.name for node in lattice.nodes]
    nodes = [
        names.index(name) for name in ("east-north", "south-up", "down-east", "west-south", "north-down", "up-west")
    ]
    allowed = lattice.allowed(["quarter tilt", "mirror"])
    ground = Ground(lattice, tuple(((node, 0, 0, 0),) for node in nodes), Period(3))
    parts = [make_part(f"part {node}", [(node, 0, 0, 0)], allowed, 2, 2) for node in (nodes[0], nodes[4], nodes[5])]
    puzzle = make_puzzle(ground, parts)
    assert prepare(puzzle).symmetries == len(oracle.symmetries(puzzle, "all")) == 2
    assert_agrees_with_brute_force(puzzle)


# Puzzles without a pivot


def test_cube_of_dominoes() -> None:
    domino = make_part("domino", [(0, 0, 0, 0), (0, 1, 0, 0)], CUBIC.allowed("rotations"), 4, 4)
    puzzle = make_puzzle(box(CUBIC, (2, 2, 2)), [domino])
    assert_agrees_with_brute_force(puzzle)
    answer, _ = solve(puzzle, Choices("all"))
    assert (answer.different, answer.total, answer.pivot) == (2, 9, "")


def test_square_of_dominoes() -> None:
    puzzle = make_puzzle(box(SQUARE, (4, 4)), [make_part("domino", ACROSS, TURNED, 8, 8)])
    assert_agrees_with_brute_force(puzzle)
    answer, _ = solve(puzzle, Choices("all"))
    assert (answer.different, answer.total, answer.pivot) == (9, 36, "")


def test_a_cell_that_may_stay_empty_is_no_image_of_one_that_must_be_filled() -> None:
    puzzle = make_puzzle(box(SQUARE, (3, 1)), [make_part("bar", ACROSS, TURNED, 1, 1)], optional=[(0, 0, 0)])
    assert run(prepare(puzzle), create("dlx")).total == 1
    assert_agrees_with_brute_force(puzzle)


def test_no_part_at_all_may_be_needed() -> None:
    corner = make_part("corner", CORNER, TURNED, 0, None)
    ground = box(SQUARE, (3, 3))
    assert_agrees_with_brute_force(make_puzzle(ground, [corner], optional=ground.cells))


def test_a_part_that_may_be_absent_is_no_pivot() -> None:
    parts = [make_part("corner", CORNER, TURNED, 0, 1), make_part("single", SINGLE, FIXED, 1, 4)]
    assert_agrees_with_brute_force(make_puzzle(box(SQUARE, (2, 2)), parts))


# Hands


@pytest.mark.parametrize(("which", "different"), [("all", 240), ("rotations", 480), ("none", 11520)])
def test_soma(which: SymmetryChoice, different: int) -> None:
    others = [Choices(which, reduction="none"), Choices(which, reduction="paper"), Choices(which, pivot="L")]
    for choices in (Choices(which), *(others if which != "none" else [])):
        answer = run(prepare(load("soma"), choices), create("dlx"))
        assert (answer.different, answer.total) == (different, 11520)


@pytest.mark.parametrize("choice", [{"symmetry": "rotation"}, {"symmetry": "All"}, {"reduction": "papers"}])
def test_choices_that_there_are_not(choice: dict[str, Any]) -> None:
    """They would be taken for others, and the count be wrong."""
    with pytest.raises(PuzzleError, match="must be one of"):
        Choices(**choice)


@pytest.mark.parametrize("limit", [{"covers": -1}, {"branches": 2.5}, {"seconds": float("nan")}, {"seconds": "1"}])
def test_limits_that_there_are_not(limit: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedError, match=f"a limit of {next(iter(limit))} must be"):
        Limits(**limit)


def test_hands_are_exchanged_only_where_their_numbers_agree() -> None:
    left, right = [(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 2, 1)], [(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 2, -1)]
    for most, symmetries in ((1, 8), (2, 4)):
        hands = [make_part("left", left, TURNED, 0, 1), make_part("right", right, TURNED, 0, most)]
        puzzle = make_puzzle(box(SQUARE, (4, 4)), [*hands, make_part("single", SINGLE, TURNED, 8, None)])
        assert len(oracle.symmetries(puzzle, "all")) == symmetries
        assert run(prepare(puzzle), create("dlx")).symmetries == symmetries


def test_parts_that_a_rotation_exchanges_are_no_hands() -> None:
    bars = [make_part("across", ACROSS, FIXED, 2, 2), make_part("down", DOWN, FIXED, 2, 2)]
    puzzle = make_puzzle(box(SQUARE, (3, 3)), [*bars, make_part("single", SINGLE, FIXED, 1, 1)])
    assert_agrees_with_brute_force(puzzle)


def test_parts_that_a_rotation_would_exchange_are_no_hands() -> None:
    """Not even where the region has no symmetry but the reflection that exchanges them."""
    stairs = Ground(SQUARE, tuple(((0, x, y),) for x in range(3) for y in range(3 - x)), Period(2))
    bars = [make_part("across", ACROSS, FIXED, 1, 1), make_part("down", DOWN, FIXED, 1, 1)]
    puzzle = make_puzzle(stairs, [*bars, make_part("single", SINGLE, FIXED, 2, 2)])
    assert len(prepare(puzzle).reduction.group) == 1
    assert_agrees_with_brute_force(puzzle)


CLOSED_IN_SPACE = """
name = "closed"
lattice = "cubic"
region = { box = [2, 2, 2], period = [0, 2, 2] }
parts = [
    { name = "p0", cells = [[0, 0, 0], [1, 0, 0]], transformations = "rotations", min = 0, max = 3 },
    { name = "p1", min = 0, max = 3, transformations = "fixed", cells = [
        [0, 0, 0], [0, -1, 0], [-1, 1, 1], [-1, 1, 0],
    ] },
    { name = "p1m", min = 0, max = 3, transformations = "fixed", cells = [
        [0, 0, 0], [0, 1, 0], [1, -1, -1], [1, -1, 0],
    ] },
    { name = "p2", cells = [[0, 0, 0], [1, 0, 0]], transformations = "rotations", min = 0, max = 1 },
    { name = "p2m", cells = [[0, 0, 0], [1, 0, 0]], transformations = "rotations", min = 0, max = 1 },
]
"""
CLOSED_IN_COLOURS = """
name = "closed"
lattice = "square"
colours = { R = "red", B = "blue" }
parts = [
    { name = "p0", cells = [[0, 0], [1, 0], [3, 1]], transformations = "fixed", min = 0, max = "unlimited" },
    { name = "p0m", cells = [[0, 0], [1, 0], [3, -1]], transformations = "fixed", min = 0, max = "unlimited" },
]
[region]
cells = [[0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [1, 0], [1, 1], [1, 3], [1, 4]]
colours = ["red", "blue", "red", "blue", "red", "blue", "red", "red", "blue"]
period = [2, 5]
"""


@pytest.mark.parametrize(("text", "different", "total"), [(CLOSED_IN_SPACE, 45, 240), (CLOSED_IN_COLOURS, 4, 4)])
@pytest.mark.long
def test_exchanges_of_hands_that_form_no_group_are_not_made(
    tmp_path: Path, text: str, different: int, total: int
) -> None:
    """Round a period of 2, one reflection exchanges two fixed parts and another leaves each itself.

    Both together would be a rotation that exchanges parts, which docs/explanation/symmetry.md does not allow. So
    neither exchange counts. With the group that all of them generate there would be 26 and 2 classes.
    """
    path = tmp_path / "closed.toml"
    path.write_text(text, encoding="utf-8")
    puzzle = load(str(path))
    assert_agrees_with_brute_force(puzzle)
    answer = run(prepare(puzzle), create("dlx"))
    assert (answer.different, answer.total) == (different, total)


def test_equal_parts_with_different_names_are_distinct() -> None:
    corners = [make_part(name, CORNER, TURNED, 1, 1) for name in "abc"]
    puzzle = make_puzzle(box(SQUARE, (3, 3)), corners)
    assert_agrees_with_brute_force(puzzle)


def test_parts_that_are_found_by_search_rather_than_in_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latcover.core.encoding.part_images._DENSE", 0)
    answer = run(prepare(load("soma")), create("dlx"))
    assert (answer.different, answer.total) == (240, 11520)
    assert_agrees_with_brute_force(make_puzzle(box(SQUARE, (4, 2), (4, 0)), [make_part("bar", DOWN, TURNED, 4, 4)]))


# Limits


@pytest.mark.parametrize("name", ["soma", "sphere-pyramid", "dominoes"])
def test_limits_are_of_essentially_different_solutions(name: str) -> None:
    dominoes = make_puzzle(box(SQUARE, (4, 4)), [make_part("domino", ACROSS, TURNED, 8, 8)])
    puzzle = dominoes if name == "dominoes" else load(name)
    prepared = prepare(puzzle)
    everything = run(prepared, create("dlx")).different
    for limit in (0, 1, 2, 3, 4, 5, 6, 1000):
        listed: list[Solution] = []
        answer = run(prepared, create("dlx"), Limits(covers=limit), listed.append)
        assert answer.different == len(listed) == len(set(map(oracle.plain, listed))) == min(limit, everything)
        assert answer.complete == (limit > everything)
        assert answer.stop == ("exhausted" if limit > everything else "solution limit")


# Rings


ROUND_A_RING = """
name = "ring"
lattice = "square"
[sides]
keys = ["k"]
locks = ["l"]
fits = { k = ["l"] }
flat_meets = ["flat", "locks"]
[region]
box = [4, 2]
period = [0, 2]
[[parts]]
name = "P"
transformations = "reflections"
art = ["XX"]
sides = [
    { cell = [0, 0], edge = "north", is = "l" },
    { cell = [0, 0], edge = "south", is = "l" },
    { cell = [0, 1], edge = "south", is = "l" },
]
[[parts]]
name = "A"
transformations = "reflections"
art = ["XX"]
sides = [{ cell = [0, 0], edge = "north", is = "l" }]
[[parts]]
name = "Q"
count = "unlimited"
art = ["XX"]
[[parts]]
name = "too long"
min = 0
transformations = "fixed"
art = ["XXX"]
"""


def test_placements_that_are_one_round_a_ring_are_found_in_blocks_of_any_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their parts have different numbers of sides, and one has no placement at all."""
    path = tmp_path / "ring.toml"
    path.write_text(ROUND_A_RING)
    puzzle = load(str(path))
    for pairs in (8, 24, 40, PAIRS):
        monkeypatch.setattr("latcover.core.encoding.placement.PAIRS", pairs)
        prepared = prepare(puzzle, Choices(symmetry="none"))
        assert len(prepared.table) == 90
        assert run(prepared, create("dlx")).total == 780


def test_turns_of_a_ring_are_symmetries() -> None:
    puzzle = make_puzzle(box(SQUARE, (6, 1), (6, 0)), [make_part("bar", DOWN, FIXED, 3, 3)])
    assert_agrees_with_brute_force(puzzle)
    assert [solve(puzzle, Choices(which))[0].different for which in SYMMETRIES] == [2, 1, 1]
    assert [solve(puzzle, Choices(which))[0].symmetries for which in SYMMETRIES] == [1, 12, 24]  # six turns, and more


def test_symmetries_of_a_ring_are_those_of_its_placements() -> None:
    closed = [(0, 0, 0), (0, 1, 0), (0, 2, 1)]  # round the ring, its mirror image comes onto the same cells
    zigzag = make_part("zigzag", closed, FIXED, 1, 1)
    singles = [make_part(name, SINGLE, FIXED, 1, 1) for name in "abc"]
    assert_agrees_with_brute_force(make_puzzle(box(SQUARE, (3, 2), (3, 0)), [zigzag, *singles]))


# Colours


@pytest.mark.long
def test_colours_break_symmetries() -> None:
    ground = box(SQUARE, (2, 2))
    singles = [make_part(name, SINGLE, FIXED, 1, 1) for name in "abcd"]
    for colours, symmetries in (([0, 0, 0, 0], 8), ([1, 2, 2, 1], 4), ([1, 1, 2, 2], 2), ([1, 2, 2, 2], 2)):
        puzzle = make_puzzle(ground, singles, colours)
        assert_agrees_with_brute_force(puzzle)
        assert solve(puzzle, Choices("all"))[0].symmetries == symmetries


def test_a_colour_of_a_part_goes_on_its_own_colour_or_on_none() -> None:
    colours = np.array([1, 2], dtype=np.int32)
    turned, fixed = (replace(make_part("part", ACROSS, t, 1, 1), colours=colours) for t in (TURNED, FIXED))
    for of_region, total_turned, total_fixed in (
        ([1, 2], 1, 1),
        ([2, 1], 1, 0),
        ([1, 0], 1, 1),
        ([2, 0], 1, 0),
        ([0, 0], 2, 1),
    ):
        for part, total in ((turned, total_turned), (fixed, total_fixed)):
            puzzle = make_puzzle(box(SQUARE, (1, 2)), [part], of_region)
            assert solve(puzzle, Choices("none"))[0].total == total, of_region
    with pytest.raises(PuzzleError, match="'white', but no cell of the region takes it"):
        prepare(make_puzzle(box(SQUARE, (1, 2)), [turned], [1, 1]))


def test_a_colour_that_may_stand_on_another_does_not_let_that_one_stand_on_it() -> None:
    part = replace(make_part("part", ACROSS, FIXED, 1, 1), colours=np.array([1, 2], dtype=np.int32))
    rules = Rules(stands_on=frozenset({(1, 2)}))
    for of_region, total in (([1, 2], 1), ([2, 2], 1), ([2, 0], 1)):
        puzzle = replace(make_puzzle(box(SQUARE, (1, 2)), [part], of_region), rules=rules)
        answer, listed = solve(puzzle, Choices("none"))
        assert (answer.total, len(listed)) == (total, 1), of_region
    for of_region in ([1, 1], [0, 1]):
        assert not len(placements(replace(make_puzzle(box(SQUARE, (1, 2)), [part], of_region), rules=rules)))


def test_coloured_parts_on_plain_cells_lie_there_in_each_way() -> None:
    part = replace(make_part("part", ACROSS, TURNED, 1, 1), colours=np.array([1, 2], dtype=np.int32))
    for period in ((0, 0), (0, 2)):
        puzzle = make_puzzle(box(SQUARE, (1, 2), period), [part])
        assert_agrees_with_brute_force(puzzle)
        answer, listed = solve(puzzle, Choices("none"))
        assert {solution.placements[0].colours for solution in listed} == {("black", "white"), ("white", "black")}
        assert answer.total == 2


# The paper's reduction


def test_the_paper_keeps_one_orientation_of_the_pivot_for_each_class() -> None:
    full = prepare(load("pent-8x8-minus-2x2"), Choices("none"))
    kept = prepare(load("pent-8x8-minus-2x2"), Choices(reduction="paper", pivot="F"))
    f = kept.table.part_of == [part.name for part in kept.puzzle.parts].index("F")
    assert len(np.unique(kept.table.orientation[f])) == 8
    assert len(np.unique(kept.table.orientation[f & kept.reduction.kept])) == 1
    assert int((f & kept.reduction.kept).sum()) * 8 == int(f.sum())
    assert full.problem.n_options - kept.problem.n_options == int(f.sum()) * 7 // 8
    assert not kept.reduction.tests_pending


def test_of_placements_mirrored_in_the_pivots_own_plane_the_paper_keeps_one() -> None:
    prepared = prepare(load("pent-10x3x2"), Choices(reduction="paper", pivot="F", order=(0, 2, 1)))
    assert prepared.problem.n_options == 1416
