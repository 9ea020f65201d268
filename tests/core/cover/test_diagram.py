"""Diagrams of all covers, against brute force."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends import create
from latcover.backends.frontier import count_covers, make_diagram, orders_of
from latcover.core.cover.counter import CountTask
from latcover.core.cover.diagram import Diagram, diagram_of, level_order
from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Batch, Limits, Progress, SearchTask
from latcover.errors import TooLargeError, UnsupportedError
from tests import oracle
from tests.dice import Dice, cases
from tests.small_problems import dominoes


def all_covers(problem: CoverProblem) -> Batch:
    found = [sorted(cover) for cover in oracle.covers(problem)]
    return Batch(np.cumsum([0, *map(len, found)]), np.array([o for cover in found for o in cover], np.int32))


def listed(diagram: Diagram) -> list[tuple[int, ...]]:
    return [tuple(cover.tolist()) for cover in diagram.covers(range(diagram.total))]


def held_once(dice: Dice) -> CoverProblem:
    problem = oracle.either_problem(dice)
    return replace(problem, low=np.minimum(problem.low, 1), high=np.minimum(problem.high, 1))


def any_order(problem: CoverProblem) -> Ints:
    """An order of the items that is neither theirs nor its reverse."""
    return np.argsort(np.arange(problem.n_items) * 7 % 11 % max(1, problem.n_items), kind="stable").astype(np.int32)


def swept(problem: CoverProblem, order: Ints, **limits: Any) -> Diagram:
    made = make_diagram(problem, order, **limits)
    assert made.stop is Stop.EXHAUSTED
    assert made.diagram is not None
    return made.diagram


def assert_lists(diagram: Diagram, covers: Batch, levels: Longs) -> None:
    place = np.argsort(levels)
    wanted = [tuple(sorted(cover.tolist(), key=lambda option: place[option])) for cover in covers]
    # At the first level where two covers differ, the one with its option comes first.
    wanted.sort(key=lambda cover: [*(place[option] for option in cover), len(place)])
    found = listed(diagram)
    assert found == wanted
    assert diagram.total == len(wanted)
    held = Counter(option for cover in wanted for option in cover)
    assert diagram.covers_with_each_option() == [held[option] for option in range(diagram.n_options)]
    some = frozenset(range(0, diagram.n_options, 3))
    assert diagram.total_without(some) == sum(not some.intersection(cover) for cover in wanted)


def written(diagram: Diagram) -> tuple[object, ...]:
    """Its levels with their nodes in an order of their own, by which all diagrams of a family are the same."""
    name = {0: 0, 1: 1}
    levels = []
    for option, nodes in diagram.levels():
        of = {
            node: (name[int(diagram.low[node])], name[int(diagram.high[node])])
            for node in range(nodes.start, nodes.stop)
        }
        assert len({*of.values()}) == len(of), "two nodes are alike"
        name |= {node: nodes.start + k for k, node in enumerate(sorted(of, key=of.__getitem__))}
        levels.append((option, sorted(of.values())))
    return levels, name[diagram.root]


@cases(100, problem=oracle.either_problem)
def test_a_diagram_of_listed_covers_holds_them_all(problem: CoverProblem) -> None:
    covers, levels = all_covers(problem), level_order(problem, any_order(problem))
    assert_lists(diagram_of(covers, levels), covers, levels)


@cases(60, also=(92,), problem=held_once)
def test_the_frontier_makes_the_diagram_of_all_covers(problem: CoverProblem) -> None:
    order = any_order(problem)
    levels = level_order(problem, order)
    # A diagram that is reduced is the only one in its order of levels.
    assert written(swept(problem, order)) == written(diagram_of(all_covers(problem), levels))


@pytest.mark.parametrize(("rows", "columns"), [(4, 6), (6, 6)])
def test_the_same_on_boards(rows: int, columns: int) -> None:
    problem = dominoes(rows, columns)
    order = orders_of(problem).items[0]
    found: list[Batch] = []
    create("bitset").search(SearchTask(problem, lambda batch: not found.append(batch)))
    assert written(swept(problem, order)) == written(diagram_of(Batch.joined(found), level_order(problem, order)))


def test_numbers_longer_than_a_word_are_exact() -> None:
    problem = dominoes(12, 40)
    diagram = swept(problem, orders_of(problem).items[0])
    assert diagram.total == count_covers(CountTask(problem)).covers > 1 << 128
    with_option = diagram.covers_with_each_option()
    on_cell = [0] * problem.n_items
    for option, covers in enumerate(with_option):
        for item in problem.items_of(option).tolist():
            on_cell[item] += covers
    assert set(on_cell) == {diagram.total}
    ranks = [0, 1, diagram.total // 3, diagram.total - 1]
    some = [frozenset(cover.tolist()) for cover in diagram.covers(ranks)]
    assert len(set(some)) == len(ranks)
    for cover in some:
        assert sorted(item for option in cover for item in problem.items_of(option).tolist()) == [*range(480)]


@pytest.mark.parametrize("width", [3, 5])
def test_states_of_several_words(width: int) -> None:
    """Two boards side by side whose rows alternate, and a wide one that is almost all holes."""
    pairs = [[k, k + 100] for k in range(100)] + [[k, k + 101] for k in range(0, 100, width)]
    problem = oracle.cover_problem(sorted(pairs), [(1, 1)] * 100 + [(0, 1)] * 101)
    order = np.arange(problem.n_items, dtype=np.int32)
    assert swept(problem, order).total == count_covers(CountTask(problem)).covers


def test_what_the_frontier_cannot_hold_is_refused() -> None:
    problem = dominoes(14, 14)
    order = orders_of(problem).items[0]
    with pytest.raises(TooLargeError, match="more memory"):
        make_diagram(problem, order, most_bytes=100_000)
    with pytest.raises(UnsupportedError, match="used once"):
        make_diagram(oracle.cover_problem([[0], [0]], [(0, 2)]), np.zeros(1, np.int32))
    pairs = oracle.cover_problem([[k, k + 300] for k in range(300)], [(1, 1)] * 600)
    with pytest.raises(UnsupportedError, match="wider"):
        make_diagram(pairs, np.arange(600, dtype=np.int32))


def test_the_frontier_honours_stops() -> None:
    problem = dominoes(14, 14)
    order = orders_of(problem).items[0]
    told: list[Progress] = []

    def stop_at_once(progress: Progress) -> bool:
        told.append(progress)
        return False

    assert make_diagram(problem, order, Limits(seconds=0)).stop is Stop.TIME_LIMIT
    assert make_diagram(problem, order, most_work=1000).stop is Stop.BRANCH_LIMIT
    large = dominoes(20, 40)
    stopped = make_diagram(large, orders_of(large).items[0], on_progress=stop_at_once)
    assert (stopped.stop, stopped.diagram, len(told)) == (Stop.CANCELLED, None, 1)
