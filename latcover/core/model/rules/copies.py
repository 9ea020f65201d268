"""The rule that so many copies of some parts are used together: k of n, or at least, or at most so many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from msgspec import Meta

from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules.placed_copies import PlacedCopies
from latcover.core.model.rules.placement_arrays import PlacementArrays
from latcover.core.model.rules.rule import PartNames, Rule, RuleItem
from latcover.errors import PuzzleError, counted, listed

NO_BOUND = 1_000_000
Number = Annotated[int, Meta(ge=0, le=NO_BOUND, description=f"a whole number from 0 to {NO_BOUND:,}", examples=[5])]


class CopiesTogether(Rule, frozen=True):
    """Of some parts together at least *min* and at most *max* copies are used; of all parts, if none are named."""

    min: Annotated[Number, Meta(title="at least")] = 0
    max: Annotated[Number, Meta(title="at most")] = NO_BOUND
    parts: PartNames = ()

    name = "copies"
    about = "how many copies of some parts are used together"
    local = True

    def __post_init__(self) -> None:
        if self.min > self.max:
            raise PuzzleError(f"the rule {self.name!r} has min = {self.min}, above max = {self.max}")

    def words(self) -> str:
        if self.min == self.max:
            many = f"exactly {counted(self.min, 'piece')}"
        elif self.max == NO_BOUND:
            many = f"at least {counted(self.min, 'piece')}"
        else:
            many = f"at most {counted(self.max, 'piece')}" if not self.min else f"{self.min} to {self.max} pieces"
        what = f"Of the {counted(len(self.parts), 'part')} {listed(self.parts)}" if self.parts else "In all"
        return f"{what} {many} {'is' if self.min == self.max == 1 else 'are'} used."

    def faults(self, copies: PlacedCopies) -> Iterator[str]:
        n = sum(name in self.parts for name in copies.names) if self.parts else len(copies.names)
        if not self.min <= n <= self.max:
            most = "or more" if self.max == NO_BOUND else f"to {self.max}"
            of = f"the parts {listed(self.parts)}" if self.parts else "all parts"
            yield f"of {of} {n} copies are used together, not {self.min} {most}"

    def items(self, placements: PlacementArrays) -> Iterator[RuleItem]:
        puzzle = placements.puzzle
        own = [part for part in puzzle.parts if not self.parts or part.name in self.parts]
        least, most = sum(part.low for part in own), sum(puzzle.most_copies(part) for part in own)
        if (implied := _implied(puzzle, self.parts)) is not None:
            least, most = max(least, implied), min(most, implied)
        if self.min <= least and most <= self.max:
            return
        members = np.flatnonzero(placements.of_parts(self.parts)).astype(np.int32)
        yield RuleItem(members, self.min, self.max if self.max < most else None)


def _implied(puzzle: Puzzle, names: PartNames) -> int | None:
    """The number of copies that the volume fixes: no cell may stay empty, and these parts are equally large."""
    if puzzle.region.optional.any():
        return None
    own = [part for part in puzzle.parts if not names or part.name in names]
    others = [part for part in puzzle.parts if names and part.name not in names]
    if len({part.size for part in own}) != 1 or any(part.low != part.high for part in others):
        return None
    number, rest = divmod(len(puzzle.region.cells) - sum(part.low * part.size for part in others), own[0].size)
    return number if number >= 0 and not rest else None
