"""Prices of items, with which native searches bound what is still to come; and the search that uses them."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.backends import _native
from latcover.backends.compiled import native_problem, result_of, search_arguments
from latcover.core.cover.cover_costs import MOST_COST, Costs
from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Batch, CostBar, SearchTask

SCALE = 1 << 8  # prices are whole numbers of parts of a cost


class PricedProblem(Struct, frozen=True, eq=False):
    """A problem whose options stand in the order of their costs, with prices of its items.

    Attributes:
        problem: The problem, its options ordered by what they cost beyond the prices of their items.
        costs: The costs of its options.
        prices: The price of each item, in parts of `SCALE`, shape (n_items,), int64. Only items that are held exactly
            once have one. An option with such an item costs no less than the prices of its items together.
        rest: What the options without such an item cost at least, all together; 0 or less.
        option_of: Which option of the original problem each option is, shape (n_options,), int32.
    """

    problem: CoverProblem
    costs: Costs
    prices: Longs
    rest: int
    option_of: Ints

    @property
    def least(self) -> int:
        """What every cover costs at least."""
        savings = int(np.minimum(self.costs.weights, 0).sum())
        return self.costs.constant + self.rest - (-int(self.prices.sum()) // SCALE) + savings


def priced(problem: CoverProblem, costs: Costs) -> PricedProblem:
    """*problem* with prices of its items.

    Each option's cost is shared evenly among its items. Then each item in turn takes what all of its options still
    cost. These are prices as in the dual of the linear relaxation, like the taxes of Knuth's DLX5.
    """
    owners = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
    exact = ((problem.low == 1) & (problem.high == 1))[problem.option_items]
    by_item = np.argsort(problem.option_items[exact], kind="stable")
    items, owners = problem.option_items[exact][by_item], owners[exact][by_item]
    many = np.bincount(owners, minlength=problem.n_options)
    rest = int(np.minimum(costs.own[many == 0], 0).sum())
    prices, left = np.zeros(problem.n_items, np.int64), costs.own * SCALE
    if len(items):
        first = np.flatnonzero(np.diff(items, prepend=-1))
        held = items[first]
        prices[held] = np.minimum.reduceat(left[owners] // many[owners], first)
        np.subtract.at(left, owners, prices[items])
        for item, options in zip(held.tolist(), np.split(owners, first[1:]), strict=True):
            least = left[options].min()
            prices[item] += least
            left[options] -= least
    by_cost = np.argsort(left, kind="stable").astype(np.int32)
    return PricedProblem(problem.with_options(by_cost), costs.renamed(by_cost), prices, rest, by_cost)


def search_below_bar(task: SearchTask, bar: CostBar, *, bitmaps: bool, size: bool = True) -> SearchResult:
    """Find covers that cost at most the bar of *task*.

    Args:
        bitmaps: Whether to search by bitmaps if they suit the problem; if not, dancing links search.
        size: Whether dancing links branch on the item with the fewest options.
    """
    ready = priced(task.problem, bar.costs)
    bar.note(ready.least)
    native_bar, bound = _native.Bar(bar.most), native_problem(ready.problem)
    method = "bitmaps" if bitmaps and _native.suits_bitmaps(bound) else "dlx"

    def receive(batch: Batch) -> bool:
        goes_on = task.on_covers(Batch(batch.starts, ready.option_of[batch.options]))
        native_bar.most = max(bar.most, -MOST_COST)
        return goes_on

    outcome = _native.improve(
        bound,
        method=method,
        size=size,
        bar=native_bar,
        own=ready.costs.own,
        prices=ready.prices,
        scale=SCALE,
        constant=ready.costs.constant + ready.rest,
        weights=ready.costs.weights,
        term_starts=ready.costs.term_starts,
        condition_starts=ready.costs.condition_starts,
        condition_options=ready.costs.condition_members,
        **search_arguments(replace(task, on_covers=receive)),
    )
    note = "the problem does not suit bitmaps with costs, so dancing links searched" if bitmaps else ""
    return result_of(outcome, note if method == "dlx" else "")
