"""All covers of a problem as a zero-suppressed decision diagram, whose size does not grow with their number.

Source: Minato, "Zero-suppressed BDDs for set manipulation in combinatorial problems" (DAC 1993); Knuth, TAOCP 4A,
section 7.1.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.core.cover.search import Batch

Numbers = npt.NDArray[Any]
"""Whole numbers of any size: int64 if they fit, otherwise Python's."""

BYTES_OF_AN_ENTRY = 60  # of listed covers, while a diagram is made of them
SMALL = 2.0**62


class Diagram(Struct, frozen=True, eq=False, dict=True):
    """A family of covers, reduced: no two nodes are alike, and from each node a cover goes on.

    A node stands for sets of options: those of its *low* node, and those of its *high* node with the option of its
    level. Node 0 stands for no set, node 1 for the empty set. The others follow, those of the lowest level first.

    Attributes:
        options: The option of each level that has nodes, from the lowest level up, shape (n_levels,), int32.
        starts: The first node of each level, then the number of nodes, shape (n_levels + 1,), int64.
        low, high: Shape (n_nodes,), int32; both are of lower levels.
        root: The node of all covers.
        n_options: How many options the problem has.
    """

    options: Ints
    starts: Longs
    low: Ints
    high: Ints
    root: int
    n_options: int

    def levels(self) -> list[tuple[int, slice]]:
        """The option of each level and its nodes, from the lowest level up."""
        edges = pairwise(self.starts.tolist())
        return [(option, slice(*ends)) for option, ends in zip(self.options.tolist(), edges, strict=True)]

    def _covers_of_each_node(self, dtype: Any, without: frozenset[int] = frozenset()) -> Numbers:
        covers = np.zeros(len(self.low), dtype)
        covers[1] = 1
        for option, nodes in self.levels():
            covers[nodes] = covers[self.low[nodes]]
            if option not in without:
                covers[nodes] += covers[self.high[nodes]]
        return covers

    @cached_property
    def covers_of(self) -> Numbers:
        """How many sets each node stands for, shape (n_nodes,)."""
        with np.errstate(over="ignore"):
            about = self._covers_of_each_node(np.float64)[self.root]
        return self._covers_of_each_node(np.int64 if about < SMALL else object)

    @property
    def total(self) -> int:
        """How many covers there are."""
        return int(self.covers_of[self.root])

    def total_without(self, options: frozenset[int]) -> int:
        """How many covers hold none of these options."""
        return int(self._covers_of_each_node(self.covers_of.dtype, options)[self.root])

    def covers_with_each_option(self) -> list[int]:
        """How many covers hold each option, shape (n_options,)."""
        found = [0] * self.n_options
        ways = np.zeros_like(self.covers_of)  # from the root to each node
        ways[self.root] = 1
        for option, nodes in reversed(self.levels()):
            here, low, high = ways[nodes], self.low[nodes], self.high[nodes]
            found[option] = int((here * self.covers_of[high]).sum())
            _add(ways, high, here)
            _add(ways, low[low > 0], here[low > 0])
        return found

    def covers(self, ranks: Sequence[int]) -> Batch:
        """The covers at these ranks, from 0 to `total` - 1, in their order; the highest levels come first.

        The order compares covers at the highest level at which they differ: the one that holds its option comes first.
        """
        at = np.full(len(ranks), self.root)
        left = np.array(ranks, self.covers_of.dtype)
        rows, chosen = [np.empty(0, np.intp)], [np.empty(0, np.int32)]
        for option, nodes in reversed(self.levels()):
            here = np.flatnonzero(at >= nodes.start)
            holding = self.covers_of[self.high[at[here]]]
            holds = left[here] < holding
            left[here[~holds]] -= holding[~holds]
            at[here] = np.where(holds, self.high[at[here]], self.low[at[here]])
            rows.append(here[holds])
            chosen.append(np.full(len(rows[-1]), option, np.int32))
        row = np.concatenate(rows)
        starts = np.searchsorted(np.sort(row), np.arange(len(ranks) + 1)).astype(np.int64)
        return Batch(starts, np.concatenate(chosen)[np.argsort(row, kind="stable")])


def _add(numbers: Numbers, places: Ints, more: Numbers) -> None:
    """Add to numbers at places that may occur more than once; `numpy.add.at` is slow with Python's numbers."""
    by_place = np.argsort(places, kind="stable")
    first = np.flatnonzero(np.diff(places[by_place], prepend=-1))
    if len(first):
        numbers[places[by_place][first]] += np.add.reduceat(more[by_place], first)


def level_order(problem: CoverProblem, order: Ints) -> Longs:
    """The options from the highest level of a diagram down: by the first of their items in *order*, then by number.

    Items with colours count only for options that hold no others. Options without items come last.
    """
    place = np.empty(problem.n_items, np.int64)
    place[order] = np.arange(problem.n_items)
    of_entry = place[problem.option_items]
    if problem.has_colours:  # they count behind all others, where an option holds others
        has_colours = np.bincount(problem.option_items, problem.option_colours, problem.n_items) > 0
        of_entry[has_colours[problem.option_items]] += problem.n_items
    first = np.full(problem.n_options, 2 * problem.n_items)
    filled = np.flatnonzero(np.diff(problem.option_starts))
    if len(filled):
        first[filled] = np.minimum.reduceat(of_entry, problem.option_starts[filled])
        first[filled] -= problem.n_items * (first[filled] >= problem.n_items)
    return np.argsort(first, kind="stable")


def diagram_of(covers: Batch, highest_first: Longs) -> Diagram:
    """The diagram of listed covers, which all differ; *highest_first* is the order of levels, as of `level_order`."""
    n_options = len(highest_first)
    level = np.empty(n_options, np.int64)
    level[highest_first] = np.arange(n_options)
    table = _table(covers, level)
    # The trie of the covers as ascending levels: its nodes are beginnings of covers, and get numbers row by row.
    alike = np.logical_and.accumulate(table[1:] == table[:-1], axis=1).sum(axis=1)
    differs_at = np.concatenate([np.zeros(min(1, len(table)), np.intp), alike])
    is_new = (np.arange(table.shape[1]) >= differs_at[:, None]) & (table < n_options)
    number = np.zeros((len(table), table.shape[1] + 1), np.int64)
    number[:, 1:][is_new] = np.arange(1, int(is_new.sum()) + 1)
    np.maximum.accumulate(number, axis=0, out=number)
    parent, child, at_level = number[:, :-1][is_new], number[:, 1:][is_new], table[is_new]
    node = np.zeros(len(at_level) + 1, np.int64)  # of the sets of options that complete each beginning, so far
    node[number[np.arange(len(table)), (table < n_options).sum(axis=1)]] = 1
    lowest_first = np.argsort(-at_level, kind="stable")
    low, high, options, starts = [np.zeros(2, np.int64)], [np.zeros(2, np.int64)], [], [2]
    for edges in np.split(lowest_first, np.flatnonzero(np.diff(at_level[lowest_first])) + 1) if len(at_level) else ():
        pairs, which = np.unique(node[parent[edges]] << 32 | node[child[edges]], return_inverse=True)
        node[parent[edges]] = starts[-1] + which
        low.append(pairs >> 32)
        high.append(pairs & (1 << 32) - 1)
        options.append(int(highest_first[at_level[edges[0]]]))
        starts.append(starts[-1] + len(pairs))
    return Diagram(
        np.array(options, np.int32),
        np.array(starts, np.int64),
        np.concatenate(low).astype(np.int32),
        np.concatenate(high).astype(np.int32),
        int(node[0]),
        n_options,
    )


def _table(covers: Batch, level: Longs) -> Longs:
    """The covers as rows of ascending levels, filled up with a number beyond all levels; the rows ascend."""
    sizes = np.diff(covers.starts)
    row, levels = np.repeat(np.arange(len(covers)), sizes), level[covers.options]
    table = np.full((len(covers), int(sizes.max(initial=0))), len(level))
    table[row, np.arange(len(row)) - covers.starts[row]] = levels[np.lexsort((levels, row))]
    return table[np.lexsort(table.T[::-1])] if table.size else table
