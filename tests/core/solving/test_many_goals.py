"""Many goals: each is counted as brute force counts it, together with the others and by itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import fields, replace

import latcover
from latcover.core.cover.search import Progress
from latcover.core.encoding.goal_placements import GoalPlacements
from latcover.core.encoding.goals_together import why_not_together
from latcover.core.encoding.placement import placements
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.goals import GoalRegion, Goals, GoalsError, OpenCells
from latcover.core.model.part_choices import PartChoice
from latcover.core.model.puzzle import Part, Puzzle, box
from latcover.core.model.verifier import verify
from latcover.core.solving.count import CountRequest
from latcover.core.solving.many_goals import count_goals, solve_goals
from latcover.core.solving.solve import SolveRequest
from latcover.errors import PuzzleError, UnsupportedError
from latcover.files.formats.library import load_lattice
from tests import puzzle_oracle
from tests.core.solving.test_part_rules import any_ruled_puzzle, obeys
from tests.dice import Dice, cases
from tests.random_goals import any_goals, by_trial, chosen_goals, open_goals, regions_goals

SQUARE = load_lattice("square")


PATIENCE = 1000  # steps of brute force on a goal


def counted_by_trial(puzzle: Puzzle) -> tuple[int, int] | None:
    """The different solutions, and all; None if that takes too long."""
    try:
        found = {*puzzle_oracle.each_solution(puzzle, PATIENCE)}
    except puzzle_oracle.TooLargeError:
        return None
    return len(puzzle_oracle.classes(found, puzzle_oracle.symmetries(puzzle, "all"))), len(found)


def check(goals: Goals) -> None:
    """Count by every way that can count these goals, and compare with brute force, unless that takes too long."""
    expected = {name: counted_by_trial(puzzle) for name, puzzle in by_trial(goals).items()}
    if None in expected.values():
        return
    methods = ["auto", "enumeration"]
    if not why_not_together(GoalPlacements(goals)):
        methods.append("together")
    for method in methods:
        found = count_goals(goals, CountRequest(method=method))
        assert found.complete
        assert found.goals == tuple(expected)
        for name, result in zip(found.goals, found.results, strict=True):
            assert expected[name] == (result.different, result.total), (name, method)


@cases(2, goals=any_goals)
def test_goals_of_any_kind(goals: Goals) -> None:
    check(goals)


@pytest.mark.long
@cases(10, goals=open_goals)
def test_goals_that_leave_cells_open(goals: Goals) -> None:
    check(goals)


@pytest.mark.long
@cases(10, goals=chosen_goals)
def test_goals_with_a_choice_of_parts(goals: Goals) -> None:
    check(goals)


@pytest.mark.long
@cases(10, goals=regions_goals)
def test_goals_that_are_regions(goals: Goals) -> None:
    check(goals)


def ruled_goals(dice: Dice) -> Goals:
    make = dice.pick([open_goals, regions_goals])
    return make(dice, any_ruled_puzzle(dice))


@cases(2, goals=ruled_goals)
def test_goals_keep_rules_on_parts(goals: Goals) -> None:
    for name, puzzle in by_trial(goals).items():
        free = replace(puzzle, rules=replace(puzzle.rules, of_parts=()))
        try:
            expected = sum(obeys(puzzle, each) for each in puzzle_oracle.each_solution(free, PATIENCE))
        except puzzle_oracle.TooLargeError:
            continue
        assert count_goals(goals).of(name).total == expected


@cases(3, goals=any_goals)
def test_a_goal_takes_its_placements_from_those_of_the_board(goals: Goals) -> None:
    """They are those that the goal's puzzle has by itself, in every array."""
    shared = GoalPlacements(goals)
    for goal in goals:
        puzzle = goals.puzzle(goal)
        own, taken = placements(puzzle, shared.table.axes), shared.table_of(goal)
        for field in ("orientation", "part_of", "starts", "cells", "placed", "placed_as", "first_orientation"):
            assert np.array_equal(getattr(own, field), getattr(taken, field)), field
        assert np.array_equal(own.region.cells, taken.region.cells)
        assert [o.key for o in own.orientations] == [o.key for o in taken.orientations]


@cases(2, goals=any_goals)
def test_each_goal_that_has_a_solution_gets_one(goals: Goals) -> None:
    puzzles, found = by_trial(goals), {}

    class Taking(latcover.Events):
        def on_solution(self, solution: latcover.Solution) -> None:
            assert solution.puzzle is not None
            found[solution.puzzle.name.removeprefix(f"{goals.name}:")] = solution

    result, found_by_count = solve_goals(goals, events=Taking()), count_goals(goals)
    assert result.complete
    with_one = [name for name, counts in zip(found_by_count.goals, found_by_count.results, strict=True) if counts.total]
    assert [*found] == with_one
    assert result.solved == len(with_one)
    for name, solution in found.items():
        assert verify(puzzles[name], solution) == []


def small() -> Goals:
    """A square of 3 by 3 for dominoes, of which one cell of the first row and none else stays open."""
    board = Puzzle("board", SQUARE, box(3, 3, lattice=SQUARE), (Part("d", "XX", low=0, high=None),))
    cells = tuple((0, 0, c) for c in range(3))
    return Goals(board, (OpenCells("first row", cells, ("left", "middle", "right")),))


def test_the_sum_names_what_is_impossible() -> None:
    found = count_goals(small())
    assert [result.different for result in found.results] == [2, 0, 2]  # 4 in all, of which a mirror leaves 2
    assert [result.total for result in found.results] == [4, 0, 4]
    assert (found.solved, found.unsolved, found.unknown) == (2, ("middle",), ())
    assert (found.different, found.total, found.fewest, found.most) == (4, 8, 0, 2)
    assert found.lines()[0] == "board: 2 of 3 goals have a solution, 1 has none (complete)"
    assert found.lines()[1:] == [
        "4 solutions, 8 in all: fewest 0 (middle), most 2 (left and 1 more)",
        "no solution: middle",
    ]
    assert found.of("left").total == 4
    with pytest.raises(PuzzleError, match="no goal 'lef'"):
        found.of("lef")


def test_the_sum_names_what_is_impossible_together() -> None:
    found = count_goals(small(), CountRequest(method="together"))
    assert [(result.different, result.total) for result in found.results] == [(2, 4), (0, 0), (2, 4)]
    assert found.way == "together"


def test_an_exception_holds_for_all_goals_together() -> None:
    board = Puzzle("board", SQUARE, box(2, 3, lattice=SQUARE), (Part("d", "XX", low=0, high=None),))
    rows = [tuple((0, r, c) for c in range(3)) for r in range(2)]
    groups = (OpenCells("up", rows[0], ("a", "b", "c")), OpenCells("down", rows[1], ("d", "e", "f")))
    found = count_goals(Goals(board, groups, (("a", "d"), ("b",))), CountRequest(method="together", symmetry="none"))
    assert dict(zip(found.goals, (result.total for result in found.results), strict=True)) == {
        "a e": 0,
        "a f": 1,
        "c d": 1,
        "c e": 0,
        "c f": 2,
    }


def test_together_cut_short_is_a_lower_bound() -> None:
    class Stopped(latcover.Events):
        def on_progress(self, progress: Progress) -> bool:
            return progress.covers == 0

    shared = Puzzle("board", SQUARE, box(7, 7, lattice=SQUARE), (Part("d", "XX", low=0, high=None),))
    goals = Goals(shared, (OpenCells("corner", ((0, 0, 0), (0, 6, 6)), ("a", "b")),))
    found = count_goals(goals, CountRequest(method="together", backend="dlx"), Stopped())
    assert not found.complete
    for result in found.results:
        assert result.different <= 1
        assert (result.different_is, result.total_is) in (("at least", "at least"), ("not known", "not known"))


def test_other_parts_may_vary() -> None:
    """Their volume may make up for any number of those that are chosen, so that an item must say the number."""
    parts = (Part("c", "XX", high=2), Part("v", "XX", low=0, high=2, transformations="fixed"))
    goals = Goals(Puzzle("board", SQUARE, box(2, 2, lattice=SQUARE), parts), choice=PartChoice((1,), ("c",)))
    for method in ("together", "enumeration"):
        found = count_goals(goals, CountRequest(method=method, symmetry="none"))
        assert [result.total for result in found.results] == [2]


def test_any_number_of_parts_is_at_least_one() -> None:
    parts = (Part("c", "XX", high=2), Part("v", "XX", high=2, low=0, transformations="fixed"))
    goals = Goals(Puzzle("board", SQUARE, box(2, 2, lattice=SQUARE), parts), choice=PartChoice((), ("c",)))
    for method in ("together", "enumeration"):
        found = count_goals(goals, CountRequest(method=method, symmetry="none"))
        assert dict(zip(found.goals, (result.total for result in found.results), strict=True)) == {"c c": 2, "c": 2}


def test_a_time_that_is_up_is_told() -> None:
    found = count_goals(small(), CountRequest(seconds=0.0))
    assert not found.complete
    assert found.unknown == ("left", "middle", "right")
    assert "it is not known" in found.headline()


def test_a_goal_is_a_puzzle_of_its_own() -> None:
    goals = small()
    puzzle = goals.puzzle("left")
    assert puzzle.name == "board:left"
    assert latcover.count(puzzle).total == 4
    assert prepare(puzzle, Choices("none")).symmetries == 1
    with pytest.raises(PuzzleError, match="no goal 'rigt'; did you mean 'right'"):
        goals.puzzle("rigt")


def test_every_four_of_ten_tetrominoes() -> None:
    """Two of each are there; each choice is also counted as a puzzle of its own."""
    parts = tuple(replace(part, high=2) for part in latcover.load_set("tetrominoes").parts)
    goals = Goals(Puzzle("bag", SQUARE, box(4, 4, lattice=SQUARE), parts), choice=PartChoice((4,)))
    assert len(goals) == 45
    one_by_one = {goal.name: latcover.count(goals.puzzle(goal)) for goal in goals}
    for method in ("together", "enumeration"):
        found = count_goals(goals, CountRequest(method=method))
        assert {name: (r.different, r.total) for name, r in zip(found.goals, found.results, strict=True)} == {
            name: (r.different, r.total) for name, r in one_by_one.items()
        }
    assert found.solved == 8


def test_what_cannot_be_counted_together_says_why() -> None:
    board = small().board
    goals = Goals(board, regions=(GoalRegion("all", tuple(map(tuple, board.region.cells.tolist()))),))
    with pytest.raises(UnsupportedError, match="cannot be counted together: its goals are listed regions"):
        count_goals(goals, CountRequest(method="together"))


WRONG: dict[str, Callable[[Goals], object]] = {
    "there are none": lambda g: Goals(g.board),
    "exclude each other": lambda g: replace(g, regions=(GoalRegion("r", ((0, 0, 0),)),)),
    "all cells of the board stay open": lambda g: replace(
        g, open=(OpenCells("x", g.open[0].cells, ("a", "b", "c"), 9),)
    ),
    "two regions are named": lambda g: Goals(g.board, regions=(GoalRegion("r", ((0, 0, 0),)),) * 2),
    "is not a cell of the board": lambda g: replace(g, open=(OpenCells("x", ((0, 9, 9),), ("a",)),)),
    "2 cells have 1 labels": lambda g: replace(g, open=(OpenCells("x", ((0, 0, 0), (0, 0, 1)), ("a",)),)),
    "from 1 to 1 of 1 cells can stay open": lambda g: replace(g, open=(OpenCells("x", ((0, 0, 0),), ("a",), 2),)),
    "belongs to 'first row' already": lambda g: replace(g, open=(*g.open, OpenCells("x", ((0, 0, 0),), ("a",)))),
    "stands for a cell of": lambda g: replace(g, open=(*g.open, OpenCells("x", ((0, 1, 0),), ("left",)))),
    "no open cell has the label": lambda g: replace(g, exceptions=(("lef",),)),
    "an exception names the labels": lambda g: replace(g, exceptions=((),)),
    "each has an exception": lambda g: replace(g, exceptions=(("left",), ("middle",), ("right",))),
    "any number of times": lambda g: Goals(g.board, choice=PartChoice((1,))),
    "there is no part 'e'": lambda g: Goals(once(g.board), choice=PartChoice((1,), ("e",))),
    "2 of 1 pieces cannot be chosen": lambda g: Goals(once(g.board), choice=PartChoice((2,))),
    "no choice of parts has as many cells": lambda g: Goals(once(g.board), choice=PartChoice((1,))),
}


def once(board: Puzzle) -> Puzzle:
    return replace(board, parts=tuple(replace(part, high=1) for part in board.parts))


@pytest.mark.parametrize("words", WRONG)
def test_goals_that_do_not_fit_the_board(words: str) -> None:
    with pytest.raises(GoalsError) as caught:
        WRONG[words](small())
    assert words in str(caught.value)


def test_a_goal_set_is_plain_data() -> None:
    assert [field.name for field in fields(Goals)][:2] == ["board", "open"]
    assert "3" in repr(small())


def test_solutions_of_a_goal_are_limited_one_by_one() -> None:
    found = solve_goals(small(), SolveRequest(limit=1))
    assert [result.different for result in found.results] == [1, 0, 1]
    assert found.complete
    assert found.headline().startswith("board: 2 of 3 goals")


def test_goals_of_a_board_in_exchangeable_pieces() -> None:
    """Each goal is counted as its own puzzle is, in which the pieces are exchangeable too."""
    region = latcover.Region("XXX.XXX\nXXX.XXX", exchangeable=True)
    parts = (Part("I", "XX", high=None, low=0), Part("V", "XX\nX.", low=0, high=2))
    cells = tuple((0, *cell) for cell in ((0, 0), (0, 1), (1, 4), (1, 6)))
    goals = Goals(Puzzle("pieces", SQUARE, region, parts), (OpenCells("open", cells, ("a", "b", "c", "d"), 2),))
    expected = {goal.name: latcover.count(goals.puzzle(goal)) for goal in goals}
    assert goals.puzzle("a d").region.exchangeable
    assert any(one.different < one.total for one in expected.values())
    for method in ("enumeration", "together"):
        found = count_goals(goals, CountRequest(method=method))
        for name, result in zip(found.goals, found.results, strict=True):
            assert (result.different, result.total) == (expected[name].different, expected[name].total), (name, method)
