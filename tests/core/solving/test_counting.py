"""Counting without listing: the frontier and the memo give the numbers that enumeration and brute force do."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends import create
from latcover.backends.frontier import can_count, count_covers, orders_of
from latcover.core.cover.counter import Budget, CountTask
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.encoding.symmetry import SYMMETRIES
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.request_values import SymmetryChoice
from latcover.core.solving.count import count, count_prepared
from latcover.core.solving.unlisted_count import _answer
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load
from tests.dice import cases
from tests.oracle import any_problem, cover_problem, covers
from tests.processes import GUARD
from tests.random_puzzles import puzzles
from tests.shipped import rest_long
from tests.small_problems import DOMINO, TROMINO, board, dominoes, perfect_matchings, without_corners

METHODS: tuple[str, ...] = ("enumeration", "frontier", "components", "memo", "auto")


# The frontier by itself


@cases(125, problem=any_problem)
def test_the_frontier_counts_what_brute_force_finds(problem: CoverProblem) -> None:
    if can_count(problem):
        assert count_covers(CountTask(problem)).covers == len(covers(problem))


@pytest.mark.parametrize("size", [2, 4, 6, 8, 10])
def test_dominoes(size: int) -> None:
    assert count_covers(CountTask(dominoes(size, size))).covers == perfect_matchings(size, size)
    assert count_covers(CountTask(without_corners(dominoes(size, size)))).covers == 0


# A004003 of the OEIS: 2n by 2n boards
@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (8, 12988816),
        (12, 53060477521960000),
        (16, 2444888770250892795802079170816),
        pytest.param(20, 1269984011256235834242602753102293934298576249856, marks=pytest.mark.long),
    ],
)
def test_counts_are_exact_whatever_their_size(size: int, expected: int) -> None:
    assert count_covers(CountTask(dominoes(size, size))).covers == expected


@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
def test_powers_of_two(n: int) -> None:
    pairs = cover_problem([[item] for item in range(n) for _ in range(2)], [(1, 1)] * n)
    assert count_covers(CountTask(pairs)).covers == 2**n
    loose = cover_problem([[]] * n, [])
    assert count_covers(CountTask(loose)).covers == 2**n


@pytest.mark.parametrize("n", [2, 63, 64, 65, 66, 128, 129, 130, 200, 256, 257])
def test_frontiers_of_any_width_up_to_the_most(n: int) -> None:
    problem = cover_problem(sorted([list(range(n)), *([item] for item in range(n))]), [(1, 1)] * n)
    assert orders_of(problem).width == n - 1
    found = count_covers(CountTask(problem))
    assert (found.covers, found.width) == (2, n - 1)


def test_what_the_frontier_cannot_count() -> None:
    with pytest.raises(UnsupportedError, match="wider than 256"):
        count_covers(CountTask(cover_problem([list(range(258))], [(1, 1)] * 258)))
    with pytest.raises(UnsupportedError, match="used once, or any number"):
        count_covers(CountTask(cover_problem([[0]], [(0, 2)])))
    with pytest.raises(UnsupportedError, match="more memory than it may"):
        count_covers(CountTask(dominoes(14, 14), budget=Budget(10_000)))


def test_an_order_from_a_corner_where_the_items_stand_badly() -> None:
    shuffled = np.random.default_rng(1).permutation(60).tolist()
    plain = dominoes(4, 15)
    options = [sorted(shuffled[item] for item in plain.items_of(o)) for o in range(plain.n_options)]
    problem = cover_problem(sorted(options), [(1, 1)] * 60)
    assert orders_of(problem).width < 10
    assert count_covers(CountTask(problem)).covers == perfect_matchings(4, 15)


def test_limit_of_time_and_cancelling() -> None:
    cut = count_covers(CountTask(dominoes(24, 24), Limits(seconds=0.1)))
    assert (cut.covers, cut.stop) == (None, Stop.TIME_LIMIT)
    shares: list[float] = []

    def twice(progress: object) -> bool:
        shares.append(progress.share)  # type: ignore[attr-defined]
        return len(shares) < 2

    cancelled = count_covers(CountTask(dominoes(24, 24), Limits(seconds=GUARD), twice))
    assert (cancelled.covers, cancelled.stop) == (None, Stop.CANCELLED)
    assert 0 <= shares[0] <= shares[1] < 1


# Puzzles


@pytest.mark.parametrize("which", SYMMETRIES)
@pytest.mark.parametrize(
    ("rows", "columns", "cells"), [(6, 6, DOMINO), (4, 6, TROMINO), (5, 6, TROMINO), (3, 8, DOMINO)]
)
def test_different_solutions_follow_from_those_that_symmetries_keep(
    which: SymmetryChoice, rows: int, columns: int, cells: list[tuple[int, ...]]
) -> None:
    prepared = prepare(board(rows, columns, cells), Choices(which))
    answers = [count_prepared(prepared, method=method) for method in METHODS]
    assert tuple(answer.method for answer in answers[:-1]) == tuple(METHODS[:-1])  # the last is auto
    assert len({(answer.different, answer.total, answer.complete) for answer in answers}) == 1


@pytest.mark.parametrize("lattice", ["square", "triangular", "cubic", "hexagonal"])
@pytest.mark.parametrize("form", [{}, {"coloured": True}, {"periodic": True}])
def test_random_puzzles_of_unlimited_parts(lattice: str, form: dict[str, bool]) -> None:
    counted = 0

    @cases(6, puzzle=puzzles(lattice, **form), which=lambda dice: dice.pick(SYMMETRIES))
    def check(puzzle: Puzzle, which: SymmetryChoice) -> None:
        nonlocal counted
        puzzle = replace(puzzle, parts=tuple(replace(part, low=0, high=None) for part in puzzle.parts))
        prepared = prepare(puzzle, Choices(which))
        answers = [count_prepared(prepared, method=method) for method in METHODS if prepared.problem.n_options]
        assert len({(answer.different, answer.total) for answer in answers}) <= 1
        counted += len(answers) > 0

    check()
    assert counted > 2


def test_rules_and_cells_left_empty() -> None:
    prepared = prepare(load("notebook-coloured-5x5-labelled"))
    assert count_prepared(prepared, method="frontier").total == count_prepared(prepared).total


@pytest.mark.parametrize(
    "name",
    rest_long(
        ["pent-10x6", "eureka-8x8", "disc-cylinder-labelled", "happy-cube-green"],
        ["eureka-8x8", "disc-cylinder-labelled", "happy-cube-green"],
    ),
)
def test_the_frontier_counts_puzzles_of_single_parts(name: str) -> None:
    prepared = prepare(load(name))
    by_frontier, by_search = count_prepared(prepared, method="frontier"), count_prepared(prepared)
    assert (by_frontier.different, by_frontier.total) == (by_search.different, by_search.total)
    assert by_frontier.branches is None


def test_what_is_chosen() -> None:
    large = prepare(board(9, 10, TROMINO), Choices("none"))
    assert count_prepared(large).method == "frontier"
    assert count_prepared(large).total == 9_567_192
    assert count_prepared(large, method="memo").total == 9_567_192
    noted = count_prepared(large, budget=Budget(10_000))
    assert (noted.method, noted.total) == ("memo", 9_567_192)
    assert "more memory" in noted.notes[0]
    assert count_prepared(prepare(board(4, 4, DOMINO)), create("dlx")).method == "enumeration"
    assert count_prepared(large, limits=Limits(covers=3)).method == "enumeration"
    assert count(load("soma")).method == "enumeration"


def l_trominoes(rows: int, columns: int) -> int:
    """The same by a profile of two rows: cell after cell, the cells from it on that are covered, in a window."""
    bends = [(0, 1, columns), (0, 1, columns + 1), (0, columns, columns + 1), (0, columns - 1, columns)]
    ways = {0: 1}
    for place in range(rows * columns):
        row, column = divmod(place, columns)
        then: dict[int, int] = {}
        for covered, number in ways.items():
            if covered & 1:
                then[covered >> 1] = then.get(covered >> 1, 0) + number
                continue
            for bend in bends:
                cells = sum(1 << offset for offset in bend)
                right = column + 1 < columns or (1 not in bend and columns + 1 not in bend)
                left = column > 0 or columns - 1 not in bend
                if row + 1 < rows and right and left and not covered & cells:
                    state = (covered | cells) >> 1
                    then[state] = then.get(state, 0) + number
        ways = then
    return ways.get(0, 0)


def test_l_trominoes_by_a_program_of_their_own() -> None:
    assert [l_trominoes(2, 3), l_trominoes(9, 10)] == [2, 9_567_192]
    answer = count_prepared(prepare(board(12, 12, TROMINO)), method="frontier")
    assert answer.total == l_trominoes(12, 12) == 2_033_502_499_954


@pytest.mark.long
def test_l_trominoes_by_the_memo() -> None:
    answer = count_prepared(prepare(board(12, 12, TROMINO), Choices("none")), method="memo", budget=Budget(4 << 30))
    assert answer.total == 2_033_502_499_954


def test_a_method_that_cannot_count_says_why() -> None:
    with pytest.raises(UnsupportedError, match="used without limit"):
        count_prepared(prepare(load("soma")), method="memo")
    with pytest.raises(UnsupportedError, match="used once, or any number"):
        count_prepared(prepare(load("sphere-pyramid")), method="frontier")
    with pytest.raises(UnsupportedError, match="more memory than it may; allow more with --memory"):
        count_prepared(prepare(load("pent-10x6")), method="frontier", budget=Budget(10_000))
    for method in ("frontier", "memo"):
        with pytest.raises(UnsupportedError, match="cannot limit them"):
            count_prepared(prepare(board(4, 4, DOMINO)), limits=Limits(covers=1), method=method)  # type: ignore[arg-type]


def test_no_backend_is_asked() -> None:
    prepared = prepare(board(4, 4, DOMINO))
    for method in ("frontier", "memo"):
        for backend in (create("dlx"), create("auto", size=False)):
            with pytest.raises(UnsupportedError, match="uses no backend"):
                count_prepared(prepared, backend, method=method)  # type: ignore[arg-type]
        assert count_prepared(prepared, create("auto", threads=2), method=method).total == 36  # type: ignore[arg-type]
    assert count_prepared(prepare(board(6, 6, DOMINO)), create("auto", threads=2)).method == "frontier"
    assert count_prepared(prepared, create("auto", size=False)).method == "enumeration"


@pytest.mark.parametrize("method", ["frontier", "memo"])
def test_a_count_that_was_cut_short_says_so(method: str) -> None:
    answer = count_prepared(prepare(board(24, 25, DOMINO)), limits=Limits(seconds=0.2), method=method)
    assert (answer.complete, answer.stop) == (False, "time limit")
    assert answer.headline().endswith("number of solutions not known (cut short: time limit)")
    assert "not known" in repr(answer)


def test_a_count_may_know_all_solutions_before_it_knows_the_different_ones() -> None:
    prepared = prepare(board(2, 4, DOMINO))
    whole = count_prepared(prepared, method="frontier")
    counts = [
        SearchResult(Stop.EXHAUSTED, SearchFigures(whole.total), method="frontier"),
        SearchResult(Stop.TIME_LIMIT, method="frontier"),
    ]
    cut = _answer(prepared, counts, [1, 1], 1.0)
    assert (cut.total, cut.total_is) == (whole.total, "exact")
    assert (cut.different, cut.different_is) == (2, "at least")
    assert cut.different <= whole.different
    assert "at least 2 solutions different under rotations and reflections, 5 in all" in cut.headline()
