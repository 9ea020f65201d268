"""What a rule on the parts of a solution is: one class, which says, checks and encodes it.

A rule is written twice within its class. `Rule.faults` reads it off the cells of a finished solution, for the verifier.
`Rule.items` and `Rule.veto` say it of placements, for the search. The two share nothing; the tests hold that for ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, cast

import numpy as np
from msgspec import Meta, Struct, field

from latcover.core.cover.problem import Ints
from latcover.core.cover.veto import Veto
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules.placed_copies import PlacedCopies
from latcover.core.model.rules.placement_arrays import PlacementArrays

PartNames = tuple[Annotated[str, Meta(pattern=r"\S", description="a name")], ...]
ColourName = Annotated[str, Meta(description="the colour of cells", examples=["red"])]


class RuleItem(Struct, frozen=True, eq=False):
    """Placements of which a solution has at least *low*, and at most *high*, if that is not None.

    Attributes:
        members: The numbers of the placements, ascending, int32.
        empty: Optional cells, int32. One that stays empty counts as a placement does.
    """

    members: Ints
    low: int = 0
    high: int | None = None
    empty: Ints = field(default_factory=lambda: np.empty(0, np.int32))


class Rule(Struct, frozen=True):
    """A rule on the parts of a solution as a whole. A rule derives from this class.

    Its fields are what a puzzle file says under ``[rules]``. A rule without fields is switched on (``on_rim = true``),
    one with a single field has its value (``cut_at_most = 2``). Others, and those that name parts or a colour, are
    tables (``[[rules.separate]]``), of which a puzzle may have several. Titles and descriptions of a field's type
    (`msgspec.Meta`) are the words of forms and complaints. These fields mean the same in all rules, so that puzzles can
    be checked and symmetries found:

    - ``parts``: names of parts. Other parts do not matter; none are all.
    - ``corners``: whether it matters that cells touch at corners. A rule without this field may set it for good.
    - ``colour``: the name of a colour of cells; "" is any.

    Attributes:
        name: The key in puzzle files. On the command line hyphens stand for underscores.
        about: What solutions that keep the rule are like, in a few words: for lists and forms.
        symmetric: Whether the images of a solution that keeps the rule, under symmetries of region and parts, keep it
            too. If not, every solution counts by itself.
        local: Whether it depends only on which cells of copies touch, and on numbers of copies. Then pieces of a region
            that do not touch may be exchanged. Rules on lines are not local.
    """

    name: ClassVar[str] = ""
    about: ClassVar[str] = ""
    symmetric: ClassVar[bool] = True
    local: ClassVar[bool] = False

    @property
    def named_parts(self) -> tuple[str, ...]:
        """The parts that it names."""
        return cast("tuple[str, ...]", getattr(self, "parts", ()))

    @property
    def named_colour(self) -> str:
        """The colour that it names."""
        return cast(str, getattr(self, "colour", ""))

    @property
    def about_corners(self) -> bool:
        """Whether it matters which cells touch at corners."""
        return cast(bool, getattr(self, "corners", False))

    def words(self) -> str:
        """The rule as a sentence for players."""
        raise NotImplementedError

    def faults(self, copies: PlacedCopies) -> Iterable[str]:
        """How a finished solution breaks the rule, a line each; none if it keeps it."""
        raise NotImplementedError

    def items(self, placements: PlacementArrays) -> Iterable[RuleItem]:
        """What every solution has of certain placements. So every backend prunes by the rule.

        Raises:
            UnsupportedError: the puzzle cannot have this rule.
        """
        return ()

    def veto(self, placements: PlacementArrays) -> Veto | None:
        """What judges whole sets of placements where no few items say the rule."""
        return None


def rules_of(puzzle: Puzzle) -> tuple[Rule, ...]:
    """The rules on the parts of a puzzle."""
    return cast("tuple[Rule, ...]", puzzle.rules.of_parts)  # whose module cannot name this one
