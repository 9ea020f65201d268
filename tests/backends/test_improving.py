"""Covers below a falling bar: each backend finds the cheapest ones that a list of all covers has."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends import create
from latcover.backends.sweeping import made_diagram
from latcover.core.cover.backend import collect
from latcover.core.cover.cheapest import PricedDiagram
from latcover.core.cover.cover_costs import MOST_COST, Costs, Optima, Term
from latcover.core.cover.problem import CoverProblem, Longs
from latcover.core.cover.search import Batch, CostBar, Limits, SearchTask

FEW = {"dlx": 60, "bitset": 20, "cpsat": 40, "sat": 20, "backtrack": 10, "frontier": 40}


def random_problem(rng: np.random.Generator) -> CoverProblem:
    """A few items of all bounds, and options that hold some of them."""
    n_items, n_options = int(rng.integers(2, 9)), int(rng.integers(1, 18))
    low = rng.integers(0, 2, n_items)
    high = np.maximum(low, rng.integers(1, 3, n_items))
    exact = rng.random(n_items) < 0.6
    low[exact] = high[exact] = 1
    sizes = rng.integers(1, min(4, n_items) + 1, n_options)
    rows = [np.sort(rng.choice(n_items, size=int(size), replace=False)) for size in sizes]
    starts = np.cumsum([0, *map(len, rows)])
    return CoverProblem(starts, np.concatenate(rows).astype(np.int32), low.astype(np.int32), high.astype(np.int32))


def random_costs(rng: np.random.Generator, n_options: int) -> Costs:
    """Costs of options, or none; and terms of up to three conditions."""

    def condition() -> Longs:
        return rng.choice(n_options, size=int(rng.integers(1, n_options + 1)), replace=False)

    terms = [
        Term(int(rng.integers(-5, 6)), tuple(condition() for _ in range(rng.integers(1, 4))))
        for _ in range(rng.integers(0, 6))
    ]
    own = rng.integers(-9, 10, n_options) if rng.random() < 0.7 else np.zeros(n_options)
    return Costs.of_terms(own, terms, int(rng.integers(-3, 3)))


@pytest.mark.parametrize("name", FEW)
def test_the_cheapest_covers_are_found(name: str, pytestconfig: pytest.Config) -> None:
    backend = create(name)
    for seed in range(FEW[name] * (20 if pytestconfig.getoption("--long") else 1)):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng)
        costs = random_costs(rng, problem.n_options)
        if name == "frontier":
            problem = replace(problem, high=np.minimum(problem.high, 1))
            costs = Costs(costs.own, constant=costs.constant) if rng.random() < 0.7 else costs
        wanted = int(rng.integers(1, 5))
        covers = collect(create("dlx"), problem)
        prices = sorted(int(costs.of(np.array([0, len(c)]), np.array(c, np.int32))[0]) for c in covers)

        met: list[tuple[int, tuple[int, ...]]] = []
        bounds: list[int] = []

        def take(batch: Batch, of_each: Longs) -> int:
            met.extend(zip(of_each.tolist(), (tuple(sorted(c.tolist())) for c in batch), strict=True))  # noqa: B023
            met.sort()  # noqa: B023
            return met[wanted - 1][0] - 1 if len(met) >= wanted else MOST_COST  # noqa: B023

        bar = CostBar(costs, MOST_COST, take, bounds.append)
        result = backend.search(SearchTask(problem, bar.take, bar=bar))
        assert result.complete, seed
        assert [cost for cost, _ in met[:wanted]] == prices[:wanted], seed
        assert name != "dlx" or not prices or bounds[0] <= prices[0], seed
        assert len({cover for _, cover in met}) == len(met), seed
        assert {cover for _, cover in met} <= {tuple(sorted(cover)) for cover in covers}, seed
        if (counted := backend.optima(SearchTask(problem, bar.take, bar=bar))) is not None:
            assert costs.is_linear, seed
            assert counted == (Optima(prices[0], prices.count(prices[0])) if prices else Optima(None, 0)), seed
            diagram = made_diagram(problem, 100, Limits(), None).diagram
            assert diagram is not None
            priced = PricedDiagram(diagram, costs.own, costs.constant)
            assert [cost for cost, _ in priced.ascending()] == prices, seed
        assert (counted is not None) == (name == "frontier" and costs.is_linear), seed


def test_a_bar_that_no_cover_meets_ends_the_search_at_once() -> None:
    """Every option costs 1 for each of its items, so nothing is below the prices."""
    starts = np.arange(0, 31, 3)
    rows = np.concatenate([np.arange(3) + 3 * (k // 2) for k in range(10)])
    problem = CoverProblem(starts, rows.astype(np.int32), np.ones(15, np.int32), np.ones(15, np.int32))
    bar = CostBar(Costs.of_terms(np.full(10, 3), []), 14, lambda *_: 14)
    result = create("dlx").search(SearchTask(problem, bar.take, bar=bar))
    assert result.complete
    assert result.branches == 0


def problem_for_bitmaps(rng: np.random.Generator) -> CoverProblem:
    """Items that are held once, at most once or never, and options that hold one of the first."""
    n_must, n_more, n_options = int(rng.integers(1, 6)), int(rng.integers(0, 4)), int(rng.integers(1, 16))
    low = np.concatenate([np.ones(n_must), np.zeros(n_more)]).astype(np.int32)
    high = np.concatenate([np.ones(n_must), rng.random(n_more) < 0.8]).astype(np.int32)
    sets = [{int(rng.integers(n_must)), *rng.integers(0, n_must + n_more, 2).tolist()} for _ in range(n_options)]
    rows = [sorted(each)[: 1 + int(rng.integers(3))] for each in sets]  # the least is one that must be held
    starts = np.cumsum([0, *map(len, rows)])
    return CoverProblem(starts, np.concatenate(rows).astype(np.int32), low, high)


def test_branch_and_bound_over_bitmaps_finds_the_cheapest() -> None:
    """native/bitset/priced_kernel.cpp, with bars that fall to just what some cover costs."""
    for seed in range(300):
        rng = np.random.default_rng(seed)
        problem = problem_for_bitmaps(rng)
        costs = random_costs(rng, problem.n_options)
        covers = collect(create("dlx"), problem)
        prices = sorted(int(costs.of(np.array([0, len(c)]), np.array(c, np.int32))[0]) for c in covers)
        most = int(rng.choice(prices)) if prices and rng.random() < 0.5 else MOST_COST
        met: list[int] = []

        def take(batch: Batch, of_each: Longs) -> int:
            assert of_each.max() <= min([*met, most])  # noqa: B023 - the bar has fallen
            met.extend(of_each.tolist())  # noqa: B023
            return min(met)  # noqa: B023

        bar = CostBar(costs, most, take)
        result = create("bitset").search(SearchTask(problem, bar.take, bar=bar))
        assert result.complete
        assert not result.notes, seed  # which would say that dancing links searched
        optimum = prices[:1]
        assert sorted(met)[:1] == optimum, seed
        assert met.count(min(met, default=0)) == prices.count(min(prices, default=0)), seed
