"""Regions whose pieces are exchangeable: classes as brute force finds them, by every method and backend."""

from __future__ import annotations

from math import comb, factorial
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.backends import create
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.encoding.symmetry import SYMMETRIES
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.model.rules.lines import NoFaultLines
from latcover.core.model.rules.on_rim import OnRim
from latcover.core.model.solution import Solution
from latcover.core.solving.count import CountRequest, count
from latcover.core.solving.run import run
from latcover.errors import PuzzleError
from latcover.files.formats.library import load_lattice, loads
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from tests import puzzle_oracle as oracle
from tests.dice import cases
from tests.piece_oracle import keeps_numbers, piece_symmetries, puzzle_in_pieces
from tests.puzzle_oracle import TooLargeError

SQUARE = load_lattice("square")
DOMINO = Part("domino", "XX", low=0, high=None)
SINGLE = Part("single", "X", low=0, high=None)


def table(*pieces: str, parts: tuple[Part, ...] = (SINGLE, DOMINO), exchangeable: bool = True) -> Puzzle:
    """A table of *pieces*, each drawn by rows with / between, side by side."""
    rows = [piece.split("/") for piece in pieces]
    height = max(map(len, rows))
    art = [".".join(own[r] if r < len(own) else "." * len(own[0]) for own in rows) for r in range(height)]
    return Puzzle("table", SQUARE, Region(art, exchangeable=exchangeable), parts)


@cases(1, puzzle=puzzle_in_pieces)
def test_classes_are_those_of_brute_force(puzzle: Puzzle) -> None:
    assert_classes_are_those_of_brute_force(puzzle)


@pytest.mark.long
@cases(15, puzzle=puzzle_in_pieces)
def test_many_classes(puzzle: Puzzle) -> None:
    assert_classes_are_those_of_brute_force(puzzle)


def assert_classes_are_those_of_brute_force(puzzle: Puzzle) -> None:
    expected = {found for found in oracle.solutions(puzzle) if keeps_numbers(puzzle, found)}
    if any(not complaint.warning for complaint in complaints_about(puzzle)):
        assert not expected
        return
    for which in SYMMETRIES:
        try:
            group = [] if which == "none" else piece_symmetries(puzzle, which)
        except TooLargeError:
            continue
        orbits = (
            {frozenset(symmetry.image(solution) for symmetry in group) for solution in expected}
            if group
            else {frozenset([solution]) for solution in expected}
        )
        assert sum(map(len, orbits)) == len(expected)
        orbit_of = {solution: orbit for orbit in orbits for solution in orbit}
        for choices in (Choices(which), Choices(which, reduction="none"), Choices(which, reduction="paper")):
            listed: list[Solution] = []
            answer = run(prepare(puzzle, choices), create("dlx"), on_solution=listed.append)
            assert (answer.different, answer.total) == (len(orbits), len(expected)), choices
            met = [orbit_of[oracle.plain(solution)] for solution in listed]
            assert set(met) == orbits
            assert [solution.orbit for solution in listed] == [len(orbit) for orbit in met]
        answer = count(puzzle, CountRequest(symmetry=which))
        assert (answer.different, answer.total) == (len(orbits), len(expected))


@cases(1, puzzle=puzzle_in_pieces)
def test_every_backend_finds_the_same(puzzle: Puzzle) -> None:
    if any(not complaint.warning for complaint in complaints_about(puzzle)):
        return
    prepared = prepare(puzzle)
    answers = [run(prepared, create(name)) for name in ("dlx", "bitset", "backtrack", "cpsat", "sat")]
    assert len({(answer.different, answer.total, answer.digest) for answer in answers}) == 1


@pytest.mark.parametrize(("method", "boxes"), [("enumeration", 3), ("frontier", 2), ("components", 2)])
def test_equal_boxes_are_a_choice_with_repetition(method: str, boxes: int) -> None:
    """A box of 2 by 3 has n different fillings, so k such boxes have as many as multisets of k of n."""
    parts = (DOMINO, Part("bar", "XXX", low=0, high=None))
    one = count(table("XXX/XXX", parts=parts), CountRequest(method=method))
    several = count(table(*["XXX/XXX"] * boxes, parts=parts), CountRequest(method=method))
    assert one.symmetries == 4
    assert one.different == 3
    assert several.symmetries == factorial(boxes) * 4**boxes
    assert several.different == comb(one.different + boxes - 1, boxes)
    assert several.total == one.total**boxes
    assert any("exchangeable" in note for note in several.notes)


def test_without_the_word_boxes_lie_as_they_lie() -> None:
    puzzle = table("XXX/XXX", "XXX/XXX", exchangeable=False)
    assert count(puzzle).symmetries == 4  # one reflection exchanges the boxes
    assert count(puzzle, CountRequest(symmetry="none")).total == count(table("XXX/XXX")).total ** 2


def test_pieces_that_differ_are_turned_by_themselves() -> None:
    square, bar = (count(table(each)).different for each in ("XX/XX", "XXX"))
    assert count(table("XX/XX", "XXX")).different == square * bar


def test_parts_that_may_not_turn_allow_translations_alone() -> None:
    lying = Part("d", "XX", low=0, high=None, transformations="fixed")
    puzzle = table("XX/XX", "XX/XX", parts=(SINGLE, lying))
    assert count(replace(puzzle, region=Region("XX\nXX"))).total == 4
    # The domino lies along rows in every solution: a half turn and reflections keep that, quarter turns do not.
    assert count(puzzle).symmetries == 2 * 4**2


def test_hands_change_in_all_pieces_or_in_none() -> None:
    hands = (Part("L", "XXX\nX..", transformations="rotations"), Part("J", "XXX\n..X", transformations="rotations"))
    puzzle = table("XXX/X..", "XXX/..X", parts=hands)
    answer = count(puzzle)
    # Either part fills either piece, as it lies or turned over: only rotations fit, so there is one solution ...
    assert (answer.different, answer.total) == (1, 1)
    # ... and the one symmetry that moves anything exchanges pieces and hands.
    assert answer.symmetries == 2


def test_pieces_that_touch_at_corners_count_as_one_if_a_rule_looks_there() -> None:
    region = Region("XX..\nXX..\n..XX\n..XX", exchangeable=True)
    puzzle = Puzzle("corner", SQUARE, region, (SINGLE, DOMINO))
    assert count(puzzle).symmetries == 2 * 8**2
    ruled = latcover.with_rules(puzzle, ["no-crossroads"])
    assert count(ruled).symmetries == 4


def test_rules_on_lines_are_refused() -> None:
    with pytest.raises(PuzzleError, match="'no_fault_lines' can depend on how the pieces of the region lie"):
        count(latcover.with_rules(table("XX", "XX"), [NoFaultLines()]))
    assert count(latcover.with_rules(table("XX", "XX"), [OnRim()])).total == 4


def test_too_many_exchanges_are_refused() -> None:
    with pytest.raises(
        PuzzleError, match="the 9 pieces of the region can be exchanged and turned in more than 100,000"
    ):
        count(table(*["X"] * 9))


def test_a_part_without_a_piece_of_its_own_joins_two() -> None:
    both = Part("both", [(0, 0), (0, 3)], low=0)
    puzzle = table("XX", "XX", parts=(both, SINGLE, DOMINO))
    # It covers a cell of each piece, so they move together: four ways to turn the row over, of which two act.
    assert count(puzzle).symmetries == 2


def test_files_keep_it(tmp_path: Path) -> None:
    text = puzzle_as_toml([table("XX/XX", "XX/XX")])
    assert "exchangeable = true" in text
    again = loads(text)
    assert again.region.exchangeable
    assert np.array_equal(count(again).different, count(table("XX/XX", "XX/XX")).different)


def test_the_best_solution_looks_at_where_pieces_lie() -> None:
    """A cost on one box is another on an equal one, so no solution stands for those with exchanged boxes."""
    text = puzzle_as_toml([table("XX", "XX")]) + (
        '\n[[costs]]\nname = "left"\n\n[[costs.cells]]\ncells = [[0, 0], [0, 1]]\ncost = 1\nparts = ["domino"]\n'
    )
    found = latcover.best(loads(text), latcover.BestRequest(objective="left", sense="maximize"))
    assert found.bound == 2
    found = latcover.best(loads(text), latcover.BestRequest(objective="left", sense="minimize"))
    assert found.bound == 0


def test_the_symmetry_of_a_solution_is_that_of_all_pieces_as_they_lie() -> None:
    """Dominoes lie alike in both boxes, or not: with exchangeable boxes that is one solution, but not one value."""
    puzzle = table("XX/XX", "XX/XX", parts=(DOMINO,))
    most, least = (
        latcover.best(puzzle, latcover.BestRequest(objective="symmetry", sense=sense))  # type: ignore[arg-type]
        for sense in ("maximize", "minimize")
    )
    assert (most.bound, least.bound) == (4, 2)
