"""Two rules on the straight lines between rows, columns or layers: each cuts a part, or not too many.

Each line is an item of the placements that lie on both sides of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import gcd
from typing import Annotated

import numpy as np
from msgspec import Meta

from latcover.core.cover.problem import Ints
from latcover.core.model.lattice import Lattice
from latcover.core.model.rules.placed_copies import PlacedCopies
from latcover.core.model.rules.placement_arrays import PlacementArrays
from latcover.core.model.rules.rule import Rule, RuleItem
from latcover.core.model.straight_lines import copies_cut
from latcover.errors import UnsupportedError, counted
from latcover.system.sorted_sets import distinct


class NoFaultLines(Rule, frozen=True):
    """Every straight line between two rows, columns or layers of the region cuts a part.

    Where the region closes on itself, a line cuts a part that has two neighbours, one on each side of it.
    """

    name = "no_fault_lines"
    about = "every straight line cuts a part"

    def words(self) -> str:
        return "No straight line may divide the region without cutting a part."

    def faults(self, copies: PlacedCopies) -> Iterator[str]:
        if 0 in copies_cut(copies.puzzle, [copy.cells for copy in copies.placed]):
            yield "a straight line divides the region and cuts no part"

    def items(self, placements: PlacementArrays) -> Iterator[RuleItem]:
        return (RuleItem(cut, low=1) for cut in cut_by_lines(placements))


class CutAtMost(Rule, frozen=True):
    """Every such line cuts at most so many parts."""

    most: Annotated[int, Meta(ge=0, le=(1 << 31) - 1, description="a whole number from 0", examples=[3])]

    name = "cut_at_most"
    about = "a straight line cuts at most this many parts"

    def words(self) -> str:
        return f"A straight line may cut at most {counted(self.most, 'part')}."

    def faults(self, copies: PlacedCopies) -> Iterator[str]:
        cut = max(copies_cut(copies.puzzle, [copy.cells for copy in copies.placed]), default=0)
        if cut > self.most:
            yield f"a straight line cuts {cut} parts, more than {self.most}"

    def items(self, placements: PlacementArrays) -> Iterator[RuleItem]:
        return (RuleItem(cut, high=self.most) for cut in cut_by_lines(placements))


def are_lines_known(lattice: Lattice) -> bool:
    """Whether `cut_by_lines` knows the lines of a lattice: one of squares or cubes."""
    gram = lattice.basis @ lattice.basis.T
    return len(lattice.nodes) == 1 and np.allclose(gram, np.diag(np.diag(gram)))


def cut_by_lines(placements: PlacementArrays) -> Iterator[Ints]:
    """For each straight line between two rows, columns or layers of the region, the placements on both sides of it.

    Where the region closes on itself, these are the placements with two neighbours between which the line runs. The
    period may take a line to parallels of it, which are the same line then.

    Raises:
        UnsupportedError: the lattice is not one of squares or cubes.
    """
    if not are_lines_known(placements.puzzle.lattice):
        raise UnsupportedError("straight lines are known in regions of squares or cubes")
    if placements.region.period:
        yield from _cut_by_closed_lines(placements)
        return
    for along in placements.region.cells[:, 1:].T:
        reach, firsts = along[placements.cells], placements.starts[:-1]
        low = np.minimum.reduceat(reach, firsts) if len(firsts) else firsts
        high = np.maximum.reduceat(reach, firsts) if len(firsts) else firsts
        for line in range(int(along.min()) + 1, int(along.max()) + 1):
            yield np.flatnonzero((low < line) & (line <= high)).astype(np.int32)


def _cut_by_closed_lines(placements: PlacementArrays) -> Iterator[Ints]:
    """The same where the region closes on itself.

    The period repeats a line after the greatest common divisor of what its vectors go along the axis.
    """
    cells, vectors = placements.region.cells, placements.region.period.vectors
    for axis, step in enumerate(np.eye(cells.shape[1] - 1, dtype=int).tolist()):
        there = placements.beside(0, (0, *step))
        again = gcd(*(vector[axis] for vector in vectors))
        pairs = defaultdict(list)
        for cell in np.flatnonzero(there >= 0).tolist():
            line = int(cells[cell, 1 + axis]) + 1
            pairs[line % again if again else line].append(np.array([cell, there[cell]]))
        for line in sorted(pairs):
            yield distinct(np.concatenate([placements.covering_two(pair) for pair in pairs[line]]))
