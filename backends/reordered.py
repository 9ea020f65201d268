"""A search that takes the items and options of a problem in another order, the same in every run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Batch, SearchTask

Numbers = npt.NDArray[np.integer[Any]]
Values = npt.NDArray[np.float64]
Order = Callable[[CoverProblem], tuple[Numbers | None, Numbers]]  # of items, None as they are; and of options
_GOLDEN = np.uint32(2654435769)  # the golden ratio, times 2 ** 32: its multiples spread evenly over all remainders
_CHANCE = 0.1  # standard deviations of crowding
_DIGITS = 9  # sums of the same numbers in another order differ in the last ones, which must not decide


class Reordered(Backend, frozen=True):
    """Lets *backend* search with the items and options in another order.

    Among items with equally few options, a search takes the first, and it tries the options of an item in their order.
    """

    backend: Backend
    order: Order

    name = "another order of the options"
    honours_colours = True

    def search(self, task: SearchTask) -> SearchResult:
        """Find every cover; see `latcover.Backend`."""
        items, options = self.order(task.problem)
        numbers = options.astype(np.int32)

        def receive(batch: Batch) -> bool:
            return task.on_covers(Batch(batch.starts, numbers[batch.options]))

        problem = task.problem.with_options(options)
        if items is not None:
            problem = _with_items(problem, items)
        result = self.backend.search(replace(task, problem=problem, on_covers=receive, veto=None, bar=None))
        return replace(result, backend=result.backend or self.backend.name)


def spread(problem: CoverProblem) -> tuple[None, Numbers]:
    """The options in the order of the multiples of the golden ratio."""
    return None, np.argsort(np.arange(1, problem.n_options + 1, dtype=np.uint32) * _GOLDEN, kind="stable")


def largest_first(problem: CoverProblem) -> tuple[None, Numbers]:
    """The options that hold many items first: large parts are hard to place when little is left."""
    return None, np.argsort(-np.diff(problem.option_starts), kind="stable")


def crowded(seed: int) -> Order:
    """First the items whose options clash with many others, and of each item first the options that clash with few.

    An option is *crowded* by the sum, over its items, of the logarithm of how many options hold each. The least crowded
    ones leave the most room. If an item with crowded options comes first, each of these leaves little to search. Unless
    *seed* is 0, chance has a small share.
    """

    def order(problem: CoverProblem) -> tuple[Numbers, Numbers]:
        of_entry = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
        holding = np.maximum(1, np.bincount(problem.option_items, minlength=problem.n_items))
        logarithms = np.log(holding)[problem.option_items]
        options = np.bincount(of_entry, logarithms, problem.n_options).astype(np.float64)
        items: Values = np.bincount(problem.option_items, options[of_entry], problem.n_items) / holding
        return _ascending(-items, seed), _ascending(options, seed)

    return order


def _ascending(values: Values, seed: int) -> Numbers:
    if seed and len(values):
        values = values + _CHANCE * values.std() * _chances(len(values), seed)
    return np.argsort(values.round(_DIGITS), kind="stable")


def _chances(n: int, seed: int) -> Values:
    """Values of Gumbel's distribution, the same everywhere: by the finishing steps of MurmurHash3."""
    mixed: npt.NDArray[np.uint32] = np.arange(1, n + 1, dtype=np.uint32) * _GOLDEN + np.uint32(seed)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        mixed = (mixed ^ (mixed >> np.uint32(shift))) * np.uint32(factor)
    chances: Values = -np.log(-np.log((mixed + 0.5) / 2**32))
    return chances


def _with_items(problem: CoverProblem, items: Numbers) -> CoverProblem:
    """The problem with its items in this order, without what is known of cells and parts."""
    place = np.empty(problem.n_items, np.int32)
    place[items] = np.arange(problem.n_items, dtype=np.int32)
    of_entry = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
    new = place[problem.option_items]
    ascending = np.lexsort((new, of_entry))
    colours = problem.option_colours[ascending] if problem.has_colours else problem.option_colours
    low, high = problem.low[items], problem.high[items]
    return CoverProblem(problem.option_starts, new[ascending], low, high, option_colours=colours)
