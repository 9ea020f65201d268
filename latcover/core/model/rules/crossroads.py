"""The rule that no four parts meet at a point.

Each point where four cells meet is an item that some placement must hold: one that lies on two of the cells around it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from latcover.core.cover.problem import Ints
from latcover.core.model.four_cell_points import stars_of_four
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Region
from latcover.core.model.rules.placed_copies import PlacedCopies
from latcover.core.model.rules.placement_arrays import PlacementArrays
from latcover.core.model.rules.rule import Rule, RuleItem
from latcover.core.model.solution import Solution
from latcover.core.model.solution_values import crossroads_of
from latcover.errors import UnsupportedError


class NoCrossroads(Rule, frozen=True):
    """At no point do four parts meet."""

    name = "no_crossroads"
    about = "no four parts meet at a point"
    local = True
    corners = True

    def words(self) -> str:
        return "No four parts may meet at a point."

    def faults(self, copies: PlacedCopies) -> Iterator[str]:
        if n := crossroads_of(copies.puzzle, Solution(tuple(copies.placed))):
            yield f"four parts meet at {n} points"

    def items(self, placements: PlacementArrays) -> Iterator[RuleItem]:
        region = placements.region
        for around in corners_of_four(placements.puzzle.lattice, region):
            yield RuleItem(placements.covering_two(around), low=1, empty=around[region.optional[around]])


def corners_of_four(lattice: Lattice, region: Region) -> Iterator[Ints]:
    """The four cells around each inner point of the region at which just four cells of the lattice meet.

    Raises:
        UnsupportedError: the lattice is not flat, has no such points, or has others at which more cells meet.
    """
    if region.period:
        raise UnsupportedError("points where four parts meet are not known for regions that close on themselves")
    number = {tuple(cell): k for k, cell in enumerate(region.cells.tolist())}
    for star in stars_of_four(lattice):
        for node, x, y in number:
            if node == star[0][0]:
                around = [number.get((other, x + dx, y + dy), -1) for other, dx, dy in star]
                if min(around) >= 0:
                    yield np.array(sorted(around), np.int32)
