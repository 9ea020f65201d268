"""The short lane of the fuzzer; and that the fuzzer finds defects which are planted, and shows them small.

The long lane is `python -m tests.fuzz.long`; CONTRIBUTING.md says more of it.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.encoding import prepared as solve
from latcover.core.encoding.encode import encode
from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.reduction import Reduction
from latcover.core.model.puzzle import Puzzle
from latcover.files.formats.library import load
from tests.dice import Dice, NoSuchExample, Seeded, smallest, thrown
from tests.fuzz import long
from tests.fuzz.asking import CHEAP, SOMETIMES, Case, Tally, check, make_case
from tests.fuzz.files import shown
from tests.puzzle_oracle import TooLargeError, each_solution
from tests.random_lattices import lattice_text, made_up
from tests.random_puzzles import any_puzzle

PUZZLES = 120


@settings(max_examples=12)
@given(case=thrown(make_case))
def test_random_puzzles(case: Case) -> None:
    check(case, Tally())


@pytest.mark.long
def test_puzzles_of_the_long_lane(capsys: pytest.CaptureFixture[str]) -> None:
    """They agree, all is asked, and most puzzles have solutions."""
    tally = Tally()
    for number in range(PUZZLES):
        check(make_case(Seeded(f"0:{number}")), tally)
    assert tally.puzzles == PUZZLES
    assert sum(tally.found[key] for key in ("1", "2-9", "10+")) > PUZZLES / 2
    assert min(tally.asked[name] for name in (*CHEAP, "sat", "cpsat", "file", "jobs", "list")) > 0
    assert all(percent > 0 for percent in SOMETIMES.values())
    assert long.main(["--puzzles", "3", "--seed", "1", "--from", "5"]) == 0
    said = capsys.readouterr().out
    assert "seed 1, numbers 5 to 7" in said
    assert "3 puzzles in" in said
    assert "0 disagreements" in said


def test_random_assemblies(capsys: pytest.CaptureFixture[str]) -> None:
    """Some are locked, some may stay together, some slide along directions of their own: all as brute force says."""
    assert long.main(["--assemblies", "150", "--seed", "1"]) == 0
    said = capsys.readouterr().out
    assert "150 assemblies" in said
    for kind in ("stuck", "left together", "with weights", "with slides of their own", "on lattices made up"):
        assert f" {kind}\n" in f"{said}\n", kind


def test_a_stop_after_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert long.main(["--puzzles", "1000000", "--seconds", "0"]) == 0
    assert "0 puzzles in" in capsys.readouterr().out


@pytest.mark.long
def test_a_planted_defect_is_found_and_made_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An encoding that loses the last option of every problem with three of them."""

    def loses_one(
        puzzle: Puzzle, table: PlacementTable, reduction: Reduction | None = None
    ) -> tuple[CoverProblem, Ints]:
        problem, placement = encode(puzzle, table, reduction)
        if problem.n_options < 3:
            return problem, placement
        starts = problem.option_starts[:-1]
        return replace(problem, option_starts=starts, option_items=problem.option_items[: starts[-1]]), placement[:-1]

    monkeypatch.setattr(solve, "encode", loses_one)
    monkeypatch.setattr(long, "MOST_TRIED", 150)
    assert long.main(["--puzzles", "50", "--seed", "1"]) == 1
    said = capsys.readouterr().out
    assert "1 disagreements" in said
    path = tmp_path / "small.toml"
    file = said.partition("name = ")[2].partition(" puzzles in ")[0].rpartition("\n")[0]
    file, _, lattice = file.partition("\n# made-")
    (tmp_path / f"made-{lattice.partition('.')[0]}.toml").write_text(lattice.partition("\n")[2], encoding="utf-8")
    path.write_text(f"name = {file}", encoding="utf-8")
    small = load(str(path))
    assert len(small.parts) <= 3
    assert len(small.region.cells) <= 5


def test_a_case_that_does_not_fail_is_not_made_smaller() -> None:
    dice = Seeded(1)
    make_case(dice)
    with pytest.raises(NoSuchExample):
        smallest(make_case, lambda _: False, dice.thrown, most=5)


def test_seeded_dice_and_hypothesis_make_the_same_of_the_same_numbers() -> None:
    def numbers(dice: Dice) -> list[int]:
        return [dice.between(1, 6) for _ in range(dice.between(3, 5))]

    dice = Seeded("some seed")
    first = numbers(dice)
    found: list[list[int]] = []

    def keeps(case: list[int]) -> bool:
        found.append(case)
        return sum(case) >= min(4, sum(first))

    small = smallest(numbers, keeps, dice.thrown)
    assert found[0] == first
    assert small == [1, 1, 2] or sum(small) == 4


def test_puzzles_are_the_same_whenever_they_are_made() -> None:
    for number in range(30):
        one, other = (shown(any_puzzle(Seeded(number))) for _ in range(2))
        assert one == other


def test_lattices_made_up() -> None:
    """Of all dimensions and several nodes, some of them secondary, with groups of several orders."""
    lattices = [made_up(number) for number in range(40)]
    assert {lattice.dimension for lattice in lattices} == {1, 2, 3}
    assert len({len(lattice.nodes) for lattice in lattices}) >= 3
    assert len({len(lattice.transformations) for lattice in lattices}) >= 5
    assert any(node.secondary for lattice in lattices for node in lattice.nodes)
    for word in ("matrix", "cycles", "polygon", "radius"):
        assert any(word in lattice_text(lattice) for lattice in lattices)


def test_brute_force_gives_up_where_it_is_told_to() -> None:
    with pytest.raises(TooLargeError):
        list(islice(each_solution(any_puzzle(Seeded(1)), patience=0), 1))
