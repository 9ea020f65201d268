"""The rule that copies of some parts do not touch: those that would touch at a pair of cells exclude each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from msgspec import Meta

from latcover.core.model.rules.placed_copies import PlacedCopies
from latcover.core.model.rules.placement_arrays import PlacementArrays
from latcover.core.model.rules.rule import PartNames, Rule, RuleItem
from latcover.errors import listed


class SeparateParts(Rule, frozen=True):
    """Parts of which no two copies touch across sides; with *corners* not across corners either."""

    parts: PartNames = ()
    corners: Annotated[bool, Meta(title="not even at corners")] = False

    name = "separate"
    about = "parts that do not touch"
    local = True

    def words(self) -> str:
        where = ", not even at corners" if self.corners else ""
        what = f"Of the parts {listed(self.parts)} no two" if self.parts else "No two parts"
        return f"{what} may touch{where}."

    def faults(self, copies: PlacedCopies) -> Iterator[str]:
        own = set(copies.of_parts(self.parts))
        for pair in copies.touching(corners=self.corners):
            if own.issuperset(pair):
                one, other = (copies.names[k] for k in pair)
                yield f"the parts {one!r} and {other!r} touch"

    def items(self, placements: PlacementArrays) -> Iterator[RuleItem]:
        own = placements.of_parts(self.parts)
        for pair in placements.touching(corners=self.corners).tolist():
            here, there = (members[own[members]] for members in map(placements.covering, pair))
            first, second = np.setdiff1d(here, there, assume_unique=True), np.setdiff1d(there, here, assume_unique=True)
            if len(first) and len(second):
                yield RuleItem(np.union1d(first, second), high=1)
