"""The frontier in several orders, on several threads, and with states on disk."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends.frontier import Orders, can_count, count_covers, orders_of
from latcover.core.cover.counter import Budget, CountTask
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.simpler import split
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.encoding.sweeps import directions_of, sweeps_of
from latcover.core.solving.count import count_prepared
from latcover.core.solving.unlisted_count import swept
from latcover.errors import TooLargeError
from latcover.files.formats.library import load, load_lattice
from tests.dice import Dice, cases
from tests.oracle import any_problem, covers

ON_DISK = Budget(0, 1 << 30)


def swept_problem(name: str) -> CoverProblem:
    """A puzzle's problem with its sweeps."""
    prepared = prepare(load(name), Choices("none"))
    return swept(prepared.problem, prepared.sweeps())


def by_rows(problem: CoverProblem) -> Orders:
    """The items in the order of their numbers, which takes many states on an Aztec diamond."""
    return Orders(np.arange(problem.n_items, dtype=np.int32)[None], 0)


def with_orders(dice: Dice) -> tuple[CoverProblem, list[list[int]]]:
    problem = any_problem(dice)
    orders = [dice.shuffled(range(problem.n_items)) for _ in range(dice.between(1, 4))]
    return problem, orders


@cases(60, given=with_orders)
def test_any_orders_race_and_states_may_lie_on_disk(given: tuple[CoverProblem, list[list[int]]]) -> None:
    problem, orders = given
    if can_count(problem):
        for budget in (Budget(), ON_DISK, Budget(threads=2)):
            found = count_covers(CountTask(problem, budget=budget), orders=Orders(np.array(orders, np.int32), 0))
            assert found.covers == len(covers(problem))


def sweeping(dice: Dice) -> CoverProblem:
    problem = any_problem(dice)
    places = [dice.between(-1, problem.n_items) for _ in range(3 * problem.n_items)]
    return replace(problem, sweeps=np.array(places, np.int32).reshape(3 if places else 0, -1))


@cases(60, problem=sweeping)
def test_sweeps_suggest_orders_and_change_no_count(problem: CoverProblem) -> None:
    if can_count(problem):
        orders = orders_of(problem).items
        assert (np.sort(orders, axis=1) == np.arange(problem.n_items)).all()
        assert count_covers(CountTask(problem)).covers == len(covers(problem))
        for part in split(problem).parts:
            assert part.sweeps.shape == (len(problem.sweeps), part.n_items)


def test_parts_of_a_problem_keep_the_sweeps_of_their_own_items() -> None:
    """Two parts: one has the even items, the other the odd ones and one option more."""
    problem = CoverProblem([0, 2, 4, 5], [0, 2, 1, 3, 3], [1] * 4, [1] * 4, sweeps=np.array([[4, 5, 6, 7]], np.int32))
    assert [part.sweeps.tolist() for part in split(problem).parts] == [[[4, 6]], [[5, 7]]]


def test_all_numbers_of_threads_and_places_of_states_give_the_same() -> None:
    problem = swept_problem("aztec-squares:10")
    found = [
        count_covers(CountTask(problem, budget=budget), orders=by_rows(problem))
        for budget in (*(Budget(threads=threads) for threads in (1, 2, 3)), Budget(200_000, 1 << 30, 2))
    ]
    assert len({(each.covers, each.states, each.work) for each in found}) == 1
    assert found[0].states > 50_000
    assert found[0].bytes_on_disk == 0 < found[-1].bytes_on_disk
    assert found[-1].bytes < 1_000_000 < found[0].bytes
    assert found[0].covers == count_covers(CountTask(problem)).covers == 4318205059450240425083  # A356512


def test_the_order_with_few_states_wins_at_little_more_than_its_work() -> None:
    problem = swept_problem("aztec-squares:10")
    orders = orders_of(problem)
    won = count_covers(CountTask(problem), orders=orders)
    alone = [count_covers(CountTask(problem), orders=Orders(order[None], 0)) for order in orders.items]
    assert won.states == alone[won.order].states < alone[0].states / 10
    assert won.work < 1.5 * min(each.work for each in alone) < alone[0].work / 5


def test_the_best_of_many_orders_stays_in_the_race() -> None:
    problem = swept_problem("aztec-squares:8")
    slow, fast = orders_of(problem).items
    assert count_covers(CountTask(problem), orders=Orders(np.array([slow, slow[::-1], fast]), 0)).order == 2


def test_a_disk_that_is_too_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    problem = swept_problem("aztec-squares:8")
    with pytest.raises(TooLargeError, match="more space on disk than it may"):
        count_covers(CountTask(problem, budget=Budget(0, 1000)), orders=by_rows(problem))
    assert not list(tmp_path.iterdir())
    with pytest.raises(TooLargeError, match="more memory than it may"):
        count_covers(CountTask(problem, budget=Budget(1000)), orders=by_rows(problem))
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1000))
    with pytest.raises(TooLargeError, match="or than is free"):
        count_covers(CountTask(problem, budget=ON_DISK), orders=by_rows(problem))
    monkeypatch.undo()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1 << 40))
    with pytest.raises(TooLargeError, match="no temporary file can be made in"):
        count_covers(CountTask(problem, budget=ON_DISK), orders=by_rows(problem))


@pytest.mark.parametrize("lattice", ["square", "hexagonal", "triangular", "cubic"])
def test_directions_of_a_lattice_lead_to_neighbours_and_between_them(lattice: str) -> None:
    directions = directions_of(load_lattice(lattice))
    assert len(directions) == {"square": 8, "hexagonal": 12, "triangular": 12, "cubic": 16}[lattice]
    assert np.allclose(np.linalg.norm(directions, axis=1), 1)


def test_places_of_a_sweep_ascend_along_it() -> None:
    puzzle = load("pent-8x8-minus-2x2")
    cells = puzzle.region.cells
    places = sweeps_of(puzzle.lattice, cells)
    along = puzzle.lattice.centres(cells) @ directions_of(puzzle.lattice).T
    assert (np.sort(places, axis=1) == np.arange(len(cells))).all()
    for k, place in enumerate(places):
        assert (np.diff(along[np.argsort(place), k]) > -1e-4).all()


def test_burnside_counts_in_folded_sweeps() -> None:
    prepared = prepare(load("aztec-squares:4"), Choices("all"))
    by_frontier, listed = (count_prepared(prepared, method=method) for method in ("frontier", "enumeration"))
    assert (by_frontier.different, by_frontier.total) == (listed.different, listed.total) == (listed.different, 10917)
