"""The rule that no further part fits: each placement, or one that excludes it, is in every solution.

Where a part may be used more than once, up to a bound, no item says when its copies are used up. Then a veto does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from latcover.core.cover.problem import Ints
from latcover.core.cover.veto import Nogood
from latcover.core.model.puzzle import Puzzle
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
        """For each placement those that share a cell with it; and those of its part, if that may be used once only.

        A part that may be used a greater number of times is left to the veto.
        """
        if any(len(part.sides) for part in placements.puzzle.parts):
            raise UnsupportedError("no_room is known for parts without values on their sides")
        bounds = _bounds(placements.puzzle)
        for member, part in enumerate(placements.part_of.tolist()):
            if bounds[part] is not None and bounds[part] != 1:
                continue
            groups = [placements.covering(cell) for cell in placements.cells_of(member).tolist()]
            if bounds[part] == 1:
                groups.append(np.flatnonzero(placements.part_of == part).astype(np.int32))
            yield RuleItem(distinct(np.concatenate(groups)), low=1)

    def veto(self, placements: PlacementArrays) -> NoRoomVeto | None:
        """Judges parts that may be used twice, or more times up to a bound."""
        bounded = tuple((part, most) for part, most in enumerate(_bounds(placements.puzzle)) if most and most > 1)
        return NoRoomVeto(placements, bounded) if bounded else None


def _bounds(puzzle: Puzzle) -> list[int | None]:
    """The most copies of each part; None if they leave no room for another anyway, as without a bound."""
    return [
        None if part.high is None or part.high >= max(1, len(puzzle.region.cells) // part.size) > 1 else part.high
        for part in puzzle.parts
    ]


class NoRoomVeto(Struct, frozen=True, eq=False):
    """Refuses placements that leave room for a part of which there are copies left.

    A place that is free must lose a cell, or all copies of its part must be used; then some of them lie where none lies
    now. So a wanted solution has a placement that shares a cell with that place, or another placement of its part.

    Attributes:
        bounded: Parts, and how many copies of each there are.
    """

    placements: PlacementArrays
    bounded: tuple[tuple[int, int], ...]
    names: tuple[str, ...] = ("no_room",)

    def refuses(self, members: Ints) -> bool:
        """See `latcover.core.cover.veto.Veto`."""
        return any(True for _ in self._free_places(members))

    def newly_refuses(self, members: Ints) -> bool:
        """Nothing is known before the end: what is still to come may take the room."""
        return False

    def nogoods(self, members: Ints) -> tuple[Nogood, ...]:
        """See `latcover.core.cover.veto.Veto`. One free place of each part will do."""
        found = []
        for place in self._free_places(members):
            own = np.flatnonzero(self.placements.part_of == self.placements.part_of[place])
            crossing = [self.placements.covering(cell) for cell in self.placements.cells_of(place).tolist()]
            missing = distinct(np.concatenate([*crossing, np.setdiff1d(own, members)]))
            found.append(Nogood(np.empty(0, np.int32), missing.astype(np.int32)))
        return tuple(found)

    def _free_places(self, members: Ints) -> Iterator[int]:
        """Of each part with copies left, a placement on cells that stay empty."""
        placements = self.placements
        used = np.bincount(placements.part_of[members], minlength=len(placements.puzzle.parts))
        covered = np.zeros(len(placements.region.cells), np.bool_)
        for member in members.tolist():
            covered[placements.cells_of(member)] = True
        if not len(placements):
            return
        free = ~np.logical_or.reduceat(covered[placements.cells], placements.starts[:-1])
        for part, most in self.bounded:
            places = np.flatnonzero(free & (placements.part_of == part))
            if used[part] < most and len(places):
                yield int(places[0])
