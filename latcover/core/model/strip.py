"""Strips: boxes of which one side may have any length."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import force_setattr, replace

from latcover.core.model.given import is_whole
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Part, Puzzle, Region, Rules, box
from latcover.errors import PuzzleError, UnsupportedError

NOT_PLAIN = "recurrences are of strips whose parts may all be used without limit, without rules but those of sides"


class Strip(Struct, frozen=True, eq=False):
    """A box of which one side may have any length, and shapes that fill it, each any number of times.

    ``Strip(lattice, [Part("domino", "XX")], (4, None))`` is the strip of width 4 of dominoes.

    Attributes:
        parts: The shapes. However often they may be used, here they are used without limit.
        sides: Of the box along each axis, in units of the lattice; None for the one that may have any length.
        rules: Which values on sides match, and which stand at the rim; `Puzzle.rules` may say no more here.
        period: For each axis the length after which the strip closes on itself, 0 if it does not; as of a `Region`.

    Raises:
        PuzzleError: not just one side is None, or another is no number from 1; or the strip closes along that side.
        UnsupportedError: a part has colours, or sides that the rules do not know; there are rules on anything but
            sides; or the lattice has junctions.
    """

    lattice: Lattice
    parts: tuple[Part, ...]
    sides: tuple[int | None, ...]
    rules: Rules = field(default_factory=Rules)
    period: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        fixed = [side for side in self.sides if side is not None]
        if len(self.sides) != self.lattice.dimension or len(fixed) != len(self.sides) - 1:
            raise PuzzleError(
                f"a strip on the lattice {self.lattice.name!r} has {self.lattice.dimension} sides, and just one of "
                f"them is None, as in (4, None); not {self.sides!r:.80}"
            )
        if not all(is_whole(side, 1) for side in fixed):
            raise PuzzleError(f"the sides of a strip must be whole numbers from 1, or None; not {self.sides!r:.80}")
        if not self.parts:
            raise PuzzleError("a strip needs at least one shape")
        if self.period and self.period[self.axis]:
            raise PuzzleError(
                f"a strip cannot close on itself along its length, so its period is 0 there; not {self.period!r:.80}"
            )
        sample = self.puzzle(1)
        if any(node.secondary for node in self.lattice.nodes) or not _is_of_sides(sample):
            raise UnsupportedError(NOT_PLAIN)
        force_setattr(self, "parts", tuple(replace(part, low=0, high=None) for part in sample.parts))

    @property
    def axis(self) -> int:
        """Along which it may have any length."""
        return self.sides.index(None)

    @property
    def width(self) -> int:
        """Cells of a column."""
        return len(self._box(1).cells)

    @property
    def has_values(self) -> bool:
        """Whether sides have values."""
        return len(self.rules.sides) > 1

    def puzzle(self, length: int) -> Puzzle:
        """The puzzle to fill so many columns."""
        return Puzzle(f"strip of length {length}", self.lattice, self._box(length), self.parts, rules=self.rules)

    def _box(self, length: int) -> Region:
        cells = box(*(length if side is None else side for side in self.sides), lattice=self.lattice)
        return replace(cells, period=self.period) if any(self.period) else cells


def _is_of_sides(puzzle: Puzzle) -> bool:
    """Whether a puzzle has no rules but those of sides."""
    rules = puzzle.rules
    others = rules.stands_on, rules.apart, rules.exchangeable, rules.asked, rules.alike, rules.of_parts
    known = len(rules.sides) > 1 or not any(len(part.sides) for part in puzzle.parts)
    return known and not any(others) and not any(part.colours.any() for part in puzzle.parts)
