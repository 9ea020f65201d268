"""What every cover costs at least, by the bounds of its items alone: no bound that is told is worse than this one.

A cover holds each item between so and so often. Let an option's cost lie in equal shares on the items that it holds:
then an item costs at least its cheapest share, as often as it must be held if that is dear, and as often as it may be
held if that is cheap. This is done with cells alone, and with all items; of both sums, and of that of all cheap
options, the greatest is taken. Terms of several options cost what they cost at their cheapest, each by itself.
"""

from __future__ import annotations

from math import ceil

import numpy as np

from latcover.core.cover.cover_costs import Costs
from latcover.core.cover.problem import CoverProblem

ROUNDING = 1e-9  # of a sum of shares


def least_cost(costs: Costs, problem: CoverProblem) -> int:
    """What each cover of *problem* costs at least; the members of *costs* are its options."""
    own = [int(np.minimum(costs.own, 0).sum())]
    for n_items in (problem.n_cells, problem.n_items):
        own += [] if (shared := _by_shares(costs, problem, n_items)) is None else [shared]
    return of_terms(costs) + max(own)


def of_terms(costs: Costs) -> int:
    """What the terms and the constant cost at least."""
    return costs.constant + int(np.minimum(costs.weights, 0).sum())


def _by_shares(costs: Costs, problem: CoverProblem, n_items: int) -> int | None:
    """The least sum of the members' own costs, by the first *n_items* items; None if these do not say it."""
    option = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
    inside = problem.option_items < n_items
    inside &= problem.option_colours == 0 if problem.has_colours else True  # options of one colour hold an item at once
    option, item = option[inside], problem.option_items[inside]
    held = np.bincount(option, minlength=problem.n_options)
    if (costs.own[held == 0] != 0).any():
        return None
    share = np.full(n_items, np.inf)
    np.minimum.at(share, item, (costs.own / np.maximum(held, 1))[option])
    share = np.where(np.isinf(share), 0.0, share)  # nothing holds it
    times = np.where(share > 0, problem.low[:n_items], problem.high[:n_items])
    sums = share * times
    return ceil(float(sums.sum()) - ROUNDING * (1 + float(np.abs(sums).sum())))
