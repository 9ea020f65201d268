"""How often the parts bear each value of sides, where this is the same in every solution.

It is where every part is used a fixed number of times, no cell may stay empty, each value fits exactly one value, its
*mate*, and the rim asks for one value. Each side that bears a value then meets one that bears its mate, or looks out.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.encoding.placement import PlacementTable
from latcover.core.model.puzzle import Puzzle

Ints = npt.NDArray[np.int64]


class SideCounts(Struct, frozen=True, eq=False):
    """What the sides of all parts bear together.

    Attributes:
        mate: The value that each value fits, shape (n_values,); that of 0, a side without a value, is 0.
        total: How many sides bear each value, shape (n_values,).
        n_outer: How many sides look out of the region. All of them bear the value of the rim.
    """

    mate: Ints
    total: Ints
    n_outer: int

    def inner(self, rim: int) -> Ints:
        """How many sides of each value are left for the inside, where *rim* is the value of the rim."""
        inner = self.total.copy()
        inner[rim] -= self.n_outer
        return inner

    def spent(self, rim: int) -> list[int]:
        """The values that no side inside can bear, because the rim takes all there are."""
        return sorted({rim, int(self.mate[rim])}) if self.total[rim] == self.n_outer else []


def is_fixed(puzzle: Puzzle, table: PlacementTable) -> bool:
    """Whether the same sides are there in every solution, and each of them looks out or meets another part's."""
    if len(puzzle.rules.sides) == 1 or any(part.low != part.high for part in puzzle.parts):
        return False
    # Round a ring a part may meet itself, unjudged.
    return not table.region.optional.any() and not table.region.period


def outer_sides(puzzle: Puzzle, table: PlacementTable) -> Ints:
    """How many sides of each cell of the region look out of it."""
    outer = np.zeros(len(table.region.cells), np.int64)
    for edge in puzzle.lattice.half_edges:
        here = table.region.cells[:, 0] == edge.node
        outer += here & (table.index.beside(edge.node, edge.leads_to) < 0)
    return outer


def side_counts(puzzle: Puzzle, table: PlacementTable) -> SideCounts | None:
    """The counts, or None where they are not the same in every solution."""
    rules = puzzle.rules
    fits = rules.fits[1:, 1:]
    if not is_fixed(puzzle, table) or rules.rim <= 0 or (fits.sum(axis=1) != 1).any() or _has_other_sides(puzzle):
        return None
    total = np.zeros(len(rules.sides), np.int64)
    for part in puzzle.parts:
        total += part.low * np.bincount(part.sides[:, 2], minlength=len(total))
    mate = np.concatenate([[0], 1 + fits.argmax(axis=1)])
    return SideCounts(mate, total, int(outer_sides(puzzle, table).sum()))


def _has_other_sides(puzzle: Puzzle) -> bool:
    """Whether a part has a side to the outside that bears no value, or one within it that bears one."""
    for part in puzzle.parts:
        own = set(map(tuple, part.cells.tolist()))
        shown = {(k, label) for k, label, _ in part.sides.tolist()}
        for k, cell in enumerate(map(tuple, part.cells.tolist())):
            for label, edge in enumerate(puzzle.lattice.half_edges):
                if edge.node == cell[0] and ((k, label) in shown) == (edge.across(cell) in own):
                    return True
    return False
