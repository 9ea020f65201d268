"""The rule that no further part fits: each placement, or one that excludes it, is in every solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from latcover.core.model.room import room_for
from latcover.core.model.rules.placed_copies import PlacedCopies
from latcover.core.model.rules.placement_arrays import PlacementArrays
from latcover.core.model.rules.rule import Rule, RuleItem
from latcover.errors import UnsupportedError
from latcover.system.sorted_sets import distinct


class NoRoom(Rule, frozen=True):
    """No further part fits on the cells that stay empty, whatever other rules say."""

    name = "no_room"
    about = "no further part fits on cells that stay empty"
    local = True

    def words(self) -> str:
        return "No further part may fit on the cells that stay empty."

    def faults(self, copies: PlacedCopies) -> Iterator[str]:
        used, empty = Counter(copies.names), copies.region - copies.owner.keys()
        for part in copies.puzzle.parts:
            if (part.high is None or used[part.name] < part.high) and room_for(copies.puzzle, part, empty):
                yield f"another copy of part {part.name!r} fits on the cells that stay empty"

    def items(self, placements: PlacementArrays) -> Iterator[RuleItem]:
        """For each placement those that share a cell with it; and those of its part, if that may be used once only."""
        parts = placements.puzzle.parts
        highs = [part.high for part in parts]
        if any(high not in (None, 0, 1) for high in highs) or any(len(part.sides) for part in parts):
            raise UnsupportedError(
                "no_room is known for parts that may be used once, or any number of times, without sides"
            )
        for member, part in enumerate(placements.part_of.tolist()):
            if highs[part] == 0:
                continue
            groups = [placements.covering(cell) for cell in placements.cells_of(member).tolist()]
            if highs[part] == 1:
                groups.append(np.flatnonzero(placements.part_of == part).astype(np.int32))
            yield RuleItem(distinct(np.concatenate(groups)), low=1)
