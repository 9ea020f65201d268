"""The rule that every part lies at the rim: placements elsewhere are in no solution."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from latcover.core.model.rules.placed_copies import PlacedCopies
from latcover.core.model.rules.placement_arrays import PlacementArrays
from latcover.core.model.rules.rule import Rule, RuleItem


class OnRim(Rule, frozen=True):
    """Every part has a side at the rim of the region."""

    name = "on_rim"
    about = "every part lies at the rim"
    local = True

    def words(self) -> str:
        return "Every part must lie at the rim."

    def faults(self, copies: PlacedCopies) -> Iterator[str]:
        for copy in copies.placed:
            if all(there in copies.region for cell in copy.cells for there in copies.around(cell)):
                yield f"part {copy.part!r} does not lie at the rim"

    def items(self, placements: PlacementArrays) -> Iterator[RuleItem]:
        at_rim = np.zeros(len(placements.region.cells), np.bool_)
        for edge in placements.puzzle.lattice.half_edges:
            own = placements.region.cells[:, 0] == edge.node
            at_rim |= own & (placements.beside(edge.node, edge.leads_to) < 0)
        counts, starts = np.concatenate([[0], np.cumsum(at_rim[placements.cells])]), placements.starts
        yield RuleItem(np.flatnonzero(counts[starts[1:]] == counts[starts[:-1]]).astype(np.int32), high=0)
