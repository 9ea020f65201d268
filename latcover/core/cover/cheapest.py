"""The cheapest of all covers that a diagram holds, and how many they are, by dynamic programming from below."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
from msgspec import Struct

from latcover.core.cover.cover_costs import Optima
from latcover.core.cover.diagram import Diagram
from latcover.core.cover.problem import Ints, Longs

NO_COVER = 1 << 60  # more than any cover costs, also with every cost of a path added


class _Chosen(Struct, frozen=True):
    """The options of a path from the root, the last one first."""

    option: int
    before: _Chosen | None


class PricedDiagram(Struct, frozen=True, eq=False, dict=True):
    """A diagram whose options have costs, which add up.

    Attributes:
        own: The cost of each option, shape (n_options,), int64.
        constant: What every cover costs besides.
    """

    diagram: Diagram
    own: Longs
    constant: int

    @cached_property
    def least(self) -> Longs:
        """What the cheapest set of each node costs, shape (n_nodes,), int64; `NO_COVER` or more for node 0."""
        low, high = self.diagram.low, self.diagram.high
        least = np.full(len(low), NO_COVER, np.int64)
        least[1] = 0
        for option, nodes in self.diagram.levels():
            least[nodes] = np.minimum(least[low[nodes]], least[high[nodes]] + self.own[option])
        return least

    @property
    def optima(self) -> Optima:
        """The cheapest covers, counted without listing them."""
        low, high, least = self.diagram.low, self.diagram.high, self.least
        if self.diagram.root == 0:
            return Optima(None, 0)
        many = np.zeros(len(low), self.diagram.covers_of.dtype)
        many[1] = 1
        for option, nodes in self.diagram.levels():
            left, taken = low[nodes], high[nodes]
            many[nodes] = many[left] * (least[left] == least[nodes])
            many[nodes] += many[taken] * (least[taken] + self.own[option] == least[nodes])
        return Optima(int(least[self.diagram.root]) + self.constant, int(many[self.diagram.root]))

    def ascending(self) -> Iterator[tuple[int, Ints]]:
        """The cost of each cover and its options, the cheapest first; its work grows with the covers that are taken.

        A path goes on by the cheaper of its two ways, and the other waits. What a path costs at least is exact, so
        every cover comes in its turn.
        """
        low, high, least, root = self.diagram.low, self.diagram.high, self.least, self.diagram.root
        level = np.repeat(self.diagram.options, np.diff(self.diagram.starts)) if len(low) > 2 else np.empty(0, np.int32)
        age = count()  # of paths that cost the same the newest goes on, so few wait
        waiting: list[tuple[int, int, int, int, _Chosen | None]] = []

        def wait(cost: int, node: int, chosen: _Chosen | None) -> None:
            if node:
                heapq.heappush(waiting, (cost + int(least[node]), -next(age), cost, node, chosen))

        wait(self.constant, root, None)
        while waiting:
            _, _, cost, node, chosen = heapq.heappop(waiting)
            if node == 1:
                yield cost, _listed(chosen)
                continue
            option = int(level[node - 2])
            wait(cost, int(low[node]), chosen)
            wait(cost + int(self.own[option]), int(high[node]), _Chosen(option, chosen))


def _listed(chosen: _Chosen | None) -> Ints:
    options: list[Any] = []
    while chosen is not None:
        options.append(chosen.option)
        chosen = chosen.before
    return np.array(options, np.int32)
