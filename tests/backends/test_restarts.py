"""The search for one cover by random restarts: what it finds is a cover, and one thread repeats itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from benchmarks.suite_puzzles import Family, family_text
from latcover.backends import create
from latcover.backends.restarts import Restarts
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits, SearchTask
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.solving.run import run
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load, loads
from tests.dice import cases
from tests.oracle import any_problem, coloured_problem, cover_problem, covers
from tests.processes import GUARD
from tests.random_puzzles import any_puzzle
from tests.small_problems import HOPELESS, dominoes

ONE = Limits(covers=1)
MOST_OF_A_BEAM = 10_000  # branches


def found(problem: CoverProblem, limits: Limits = ONE, **options: Any) -> tuple[list[tuple[int, ...]], SearchResult]:
    """Covers, their options ascending, and the outcome."""
    received: list[tuple[int, ...]] = []

    def keep(batch: object) -> bool:
        received.extend(tuple(np.sort(cover).tolist()) for cover in batch)  # type: ignore[attr-defined]
        return True

    return received, Restarts(**options).search(SearchTask(problem, keep, limits))


def require_cover(problem: CoverProblem, cover: tuple[int, ...]) -> None:
    held = np.bincount(np.concatenate([problem.items_of(option) for option in cover]), minlength=problem.n_items)
    assert len(set(cover)) == len(cover)
    assert (held >= problem.low).all()
    assert (held <= problem.high).all()


@pytest.mark.parametrize("threads", [1, 3])
def test_a_large_board_of_dominoes(threads: int) -> None:
    problem = dominoes(20, 20)
    for seed in range(3):
        (cover,), outcome = found(problem, seed=seed, threads=threads)
        require_cover(problem, cover)
        assert outcome.stop is Stop.SOLUTION_LIMIT
        assert outcome.figures.native["heads"] >= 1


def test_one_thread_repeats_itself_and_seeds_differ() -> None:
    problem = dominoes(12, 12)
    once = [found(problem, seed=seed, threads=1, tail=6)[0] for seed in range(4)]
    assert once == [found(problem, seed=seed, threads=1, tail=6)[0] for seed in range(4)]
    assert len(set(map(tuple, once))) > 1


@cases(50, problem=any_problem, tail=lambda dice: dice.between(1, 3))
def test_what_it_finds_is_a_cover_of_brute_force(problem: CoverProblem, tail: int) -> None:
    expected = covers(problem)
    limits = ONE if expected else Limits(covers=1, seconds=0.002)
    received, outcome = found(problem, limits, tail=tail, threads=1)
    assert len(received) == (1 if expected else 0)
    assert set(received) <= expected
    assert outcome.stop in ((Stop.SOLUTION_LIMIT,) if expected else (Stop.EXHAUSTED, Stop.TIME_LIMIT))


@cases(15, puzzle=any_puzzle, tail=lambda dice: dice.between(1, 3))
def test_puzzles_with_optional_cells_bounds_and_rings(puzzle: object, tail: int) -> None:
    """Islands of empty cells end a head; where they prove nothing they must not."""
    if any(not complaint.warning for complaint in complaints_about(puzzle)):  # type: ignore[arg-type]
        return
    problem = prepare(puzzle, Choices(symmetry="none")).problem  # type: ignore[arg-type]
    if problem.has_colours:
        return
    exists = create("dlx").search(SearchTask(problem, lambda _: True, ONE)).figures.covers == 1
    received, _ = found(problem, ONE if exists else Limits(covers=1, seconds=0.002), tail=tail, threads=1)
    assert len(received) == exists
    for cover in received:
        require_cover(problem, cover)


def test_items_that_may_be_held_again_lose_no_cover() -> None:
    """The only cover uses all options, and each of them begins with the first item."""
    n = 24
    options = [[0, item] for item in range(1, n)]
    problem = cover_problem(options, [(1, n)] + [(1, 1)] * (n - 1))
    (cover,), outcome = found(problem, Limits(covers=1, seconds=GUARD), tail=1, threads=1)
    assert cover == tuple(range(n - 1))
    assert outcome.stop is Stop.SOLUTION_LIMIT


def test_a_part_that_must_lie_on_optional_cells_is_left_to_the_tail() -> None:
    """Two options on optional items alone, one of which is needed, beside a row of mandatory cells."""
    n = 30
    options = [[item] for item in range(n)] + [[n, n + 2], [n + 1, n + 2]]
    bare = cover_problem(options, [(1, 1)] * n + [(0, 1), (0, 1), (1, 1)])
    problem = replace(bare, n_cells=n + 2, neighbour_starts=np.zeros(n + 3, np.int64))
    (cover,), _ = found(problem, Limits(covers=1, seconds=GUARD), tail=2, threads=1)
    require_cover(problem, cover)


@pytest.fixture(scope="module")
def four_of_each() -> CoverProblem:
    """Four of each one-sided pentomino in a rectangle: 72 parts, of which heads place 12 and beams the next ones."""
    text = family_text("four of each", Family(5, (18, 20), one_sided=True))
    return prepare(loads(text.replace("cells =", "min = 4\nmax = 4\ncells =")), Choices(symmetry="none")).problem


@pytest.mark.parametrize("seed", range(3))
def test_a_beam_leaves_what_fits(four_of_each: CoverProblem, seed: int) -> None:
    """Hundreds of branches find a cover; if the beam keeps the wrong fillings, a hundred thousand do."""
    (cover,), outcome = found(four_of_each, seed=seed, threads=1)
    require_cover(four_of_each, cover)
    assert outcome.figures.branches is not None
    assert outcome.figures.branches < MOST_OF_A_BEAM
    assert found(four_of_each, seed=seed, threads=1)[0] == [cover]


@pytest.mark.parametrize("seed", range(5))
def test_a_beam_that_dropped_fillings_proves_nothing(seed: int) -> None:
    """Its first fillings leave a single part, which does not fit."""
    problem = prepare(load("pent-6x5x2"), Choices(symmetry="none")).problem
    (cover,), _ = found(problem, Limits(covers=1, seconds=GUARD), seed=seed, threads=1, tail=1)
    require_cover(problem, cover)


def test_a_missing_head_proves_that_there_is_no_cover() -> None:
    problem = dominoes(7, 7)  # an odd number of cells, which islands notice
    odd = CoverProblem(problem.option_starts, problem.option_items, problem.low, problem.high, n_cells=0)
    received, outcome = found(odd, Limits(covers=1, seconds=0.1), tail=13)
    assert received == []
    assert outcome.stop in (Stop.EXHAUSTED, Stop.TIME_LIMIT)


def test_a_limit_of_time_says_nothing() -> None:
    received, outcome = found(HOPELESS, Limits(covers=1, seconds=0.05))
    assert (received, outcome.stop) == ([], Stop.TIME_LIMIT)


def test_a_limit_of_work_says_nothing_and_takes_the_same_way(four_of_each: CoverProblem) -> None:
    (cover,), whole = found(four_of_each, threads=1)
    assert found(four_of_each, threads=1, work=10 * MOST_OF_A_BEAM)[0] == [cover]
    for work in (0, 50):
        received, outcome = found(four_of_each, threads=1, work=work)
        assert (received, outcome.stop) == ([], Stop.BRANCH_LIMIT)
        assert outcome.figures.branches <= whole.figures.branches


@pytest.mark.parametrize(
    ("limits", "why"),
    [(Limits(), "finds a single solution"), (Limits(covers=2), "a single"), (Limits(covers=1, branches=9), "branches")],
)
def test_what_it_cannot_do_is_left_to_bitset(limits: Limits, why: str) -> None:
    _, outcome = found(dominoes(4, 4), limits)
    assert outcome.backend == "bitset"
    assert why in outcome.notes[0]


def test_one_solution_is_any_cover() -> None:
    prepared = prepare(load("notebook-coloured-5x5"))
    assert prepared.tests_pending  # so that not every cover stands for its class
    seen: list[Any] = []
    answer = run(prepared, Restarts(), Limits(covers=1), seen.append)
    assert (answer.backend, answer.different, len(seen)) == ("restarts", 1, 1)


def test_colours_are_left_to_dancing_links() -> None:
    received, outcome = found(coloured_problem([{0: 0, 2: 7}, {1: 0, 2: 7}], [(1, 1), (1, 1), (0, 1)]))
    assert received == [(0, 1)]
    assert "colours" in outcome.notes[0]


@pytest.mark.parametrize("options", [{"threads": 0}, {"tail": 0}, {"tail": 41}, {"seed": -1}])
def test_options_out_of_range(options: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedError, match=next(iter(options))):
        Restarts(**options)
