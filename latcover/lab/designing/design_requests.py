"""The requests of all ways to make puzzles, as plain data.

The command line, the web app, runs in files and Python make the same requests. Each has one function that performs it:
`find_sets`, `find_regions`, `Cutter.search` (cuts, and the growth of an assembly), `make_board` and `judge_difficulty`.
"""

from __future__ import annotations

import re
import shlex
from typing import Annotated, Literal, Self

import msgspec
from msgspec import Meta

from latcover.core.model.request_values import (
    Bevel,
    FewestParts,
    LeastLevel,
    Megabytes,
    Natural,
    Play,
    Positive,
    Rank,
    RegionSearch,
    Request,
    Seconds,
    Seed,
    SetSearch,
    SymmetryChoice,
    When,
)
from latcover.errors import UnsupportedError
from latcover.lab.designing.play_range import RangeText, range_of

LEVEL = r"^([0-9]{1,9}(\.[0-9]{1,9}){0,99})?$"
LevelText = Annotated[str, Meta(pattern=LEVEL, description="a level such as 5 or 5.2")]
_SIZES = r"^\s*([0-9]{1,6}\s*(\.\.|-)\s*[0-9]{1,6}|[0-9]{1,6}([\s,]+[0-9]{1,6})*)?\s*$"
SizesText = Annotated[
    str,
    Meta(
        pattern=_SIZES,
        max_length=1000,
        description="numbers of cells such as 4..6, or one for each part, as 4,4,5,6",
    ),
]
SECONDS = 60.0  # of a search for cuts without any other limit
WALK_PATIENCE = 3000  # cuts without a better one after which a walk ends
ROUND_PATIENCE = 1000  # of a round of growth


def _plain(sizes: str) -> str:
    """Sizes without spaces: 4..6, or 4,4,5,6."""
    return re.sub(r"[\s,]+", ",", re.sub(r"\s*(\.\.|-)\s*", "..", sizes.strip()))


class WayRequest(Request, kw_only=True, frozen=True, tag_field="way"):
    """A request for a way to design."""


class DesignRequest(WayRequest, frozen=True, kw_only=True):
    """A search for designs: candidates with certain numbers of solutions.

    Attributes:
        at_least, at_most: Bounds of the number of different solutions; None is no bound.
        extreme: Only the designs with the fewest, or the most, solutions.
        min_level: The least level of assembly, such as 5 or 5.2; empty if it does not matter.
        sort: How designs are ranked; None shows them as they are found.
        keep: How many to show; None is all.
        seed: Of all random choices.
        samples: How many candidates to count; None is a number that suits the search.
        branches: A candidate that takes more branches is given up; None is no limit.
        symmetry: Which symmetries make solutions, mirror images of sets, and regions count as the same.
        states: How many positions of pieces to examine for the level of a solution.
        in_plane: Whether pieces that lie in a plane must stay in it.
        backend, options: The backend that finds the solutions, and its options.
        limit, seconds: End after so many designs, or so long; None is no limit.
        threads: How many candidates are counted at once; None takes the available processors.
    """

    # What is kept are counts of candidates, by their names. These say which candidates to look at, and which to show.
    BESIDE_THE_QUESTION = frozenset(("at_least", "at_most", "extreme", "min_level", "sort", "keep", "seed", "samples"))
    BESIDE_THE_QUESTION |= {"states", "in_plane", "limit", "seconds", "threads"}

    at_least: Positive = 1
    at_most: Positive | None = None
    extreme: Literal["fewest", "most"] | None = None
    min_level: LevelText = ""
    sort: Rank | None = None
    keep: Positive | None = None
    seed: Natural = 1
    samples: Positive | None = None
    branches: Natural | None = None
    symmetry: SymmetryChoice = "all"
    states: Natural = 10_000_000
    in_plane: bool = False
    backend: str = "auto"
    options: dict[str, str | int | float | bool | None] = msgspec.field(default_factory=dict)
    limit: Natural | None = None
    seconds: Seconds | None = None
    threads: Positive | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.at_most is not None and self.at_most < self.at_least:
            raise UnsupportedError(
                f"no number of solutions is at least {self.at_least} and at most {self.at_most}; change one of them"
            )

    @property
    def least_level(self) -> tuple[int, ...]:
        """The least level; empty if it does not matter."""
        return tuple(map(int, self.min_level.split("."))) if self.min_level else ()

    @property
    def needs_level(self) -> bool:
        """Whether solutions have to be taken apart."""
        return bool(self.min_level) or self.sort == "level"

    def takes(self, solutions: int) -> bool:
        """Whether a candidate with so many solutions is wanted."""
        return self.at_least <= solutions and (self.at_most is None or solutions <= self.at_most)


class DesignSetsRequest(DesignRequest, frozen=True, kw_only=True, tag="sets"):
    """Which sets of parts to look for.

    Attributes:
        search: "all" classifies every set in one search. "sample" draws sets by chance, and "climb" changes sets until
            they have fewer solutions; both count each set by itself. "auto" takes "all" where that is possible.
        both_hands: Whether a set must be its own mirror image: it has the mirror image of each part as often as the
            part.
        memory: The most megabytes for the table of an exhaustive search.
    """

    BESIDE_THE_QUESTION = DesignRequest.BESIDE_THE_QUESTION | {"search", "both_hands", "memory"}

    search: SetSearch = "auto"
    both_hands: bool = False
    memory: Megabytes = 1000


class DesignRegionsRequest(DesignRequest, frozen=True, kw_only=True, tag="regions"):
    """Which regions to look for.

    Attributes:
        search: "all" lists the regions, "sample" draws them by chance; "auto" lists them if they are few.
        symmetric: How many transformations must map a region to itself; the identity counts.
    """

    BESIDE_THE_QUESTION = DesignRequest.BESIDE_THE_QUESTION | {"search", "symmetric"}

    search: RegionSearch = "auto"
    symmetric: Positive = 1


class WalkRequest(WayRequest, frozen=True, kw_only=True):
    """What the parts of a cut must be like, and how long to search.

    Attributes:
        sizes: The cells of all parts, as in 4,4,5,6, or of each, as in 4..6; empty is about as many as usual.
        different: No two parts are alike.
        no_mirrors: Nor mirror images of each other.
        asymmetric: No part has a rotation (or whatever parts may undergo) that keeps its shape.
        no_rods, no_flat: No part whose cells lie in a line, or in a plane.
        shapes: Other forbidden parts, each by its cells; their mirror images are forbidden too.
        holes: How many cells may stay empty.
        min_level: The least number of moves to the first separation.
        one_order: However the parts slide, the same two groups separate first, and so do the parts of each.
        hard: Branches of the search come before the level.
        turns: "needed" asks for parts that slides alone do not take apart; "always" lets them turn from the start.
        play, bevel: The room that parts have to turn; None takes what the puzzle says.
        needs_play: Which play the plan may need, as in 0.02..0.03, ..0.02 or 0.04..; with a lower bound no way apart
            is found at less. Empty is any play.
        seed: Of all random choices.
        first: The number of the first walk.
        walks: How many walks to make; None makes them until something else ends the search.
        limit: End with so many designs; None goes on.
        keep: How many designs to keep, the best ones, if there is no limit.
        seconds: End after so long.
        threads: How many walks go on at once. What they find does not depend on it; None is one for each core.
        patience: After how many cuts without a better one a walk ends.
    """

    # What is kept are walks, by their numbers. These say which of them to make, and how many designs to show.
    BESIDE_THE_QUESTION = frozenset(("first", "walks", "limit", "keep", "seconds", "threads"))

    sizes: SizesText = ""
    different: bool = False
    no_mirrors: bool = False
    asymmetric: bool = False
    no_rods: bool = False
    no_flat: bool = False
    shapes: tuple[tuple[tuple[int, ...], ...], ...] = ()
    holes: Natural | None = None
    min_level: LeastLevel = 0
    one_order: bool = False
    hard: bool = False
    turns: When = "never"
    play: Play | None = None
    bevel: Bevel | None = None
    needs_play: RangeText = ""
    seed: Natural = 1
    first: Seed = 0
    walks: Positive | None = None
    limit: Natural | None = None
    keep: Positive = 1
    seconds: Seconds | None = None
    threads: Positive | None = None
    patience: Positive = WALK_PATIENCE

    def __post_init__(self) -> None:
        super().__post_init__()
        if range_of(self.needs_play) and self.turns == "never":
            raise UnsupportedError(f"slides need no play, so no plan needs one of {self.needs_play}; let parts turn")

    def with_an_end(self) -> Self:
        """The request, limited to a minute if it has no other limit."""
        endless = self.walks is None and self.limit is None and self.seconds is None
        return msgspec.structs.replace(self, seconds=SECONDS) if endless else self

    def as_words(self) -> str:
        """The options of the command that make the same walks; other forbidden shapes are left out."""
        words = [f"--sizes {_plain(self.sizes)}"] if self.sizes else []
        words += [f"--holes {self.holes}"] if self.holes else []
        words += ["--forbid flat"] if self.no_flat else []
        words += ["--forbid rod"] if self.no_rods else []
        named = ("different", "no_mirrors", "asymmetric", "one_order", "hard")
        words += [f"--{name.replace('_', '-')}" for name in named if getattr(self, name)]
        words += [f"--min-level {self.min_level}"] if self.min_level else []
        words += [f"--turns {self.turns}"] if self.turns != "never" else []
        words += [f"--{name} {room:g}" for name in ("play", "bevel") if (room := getattr(self, name)) is not None]
        words += [f"--needs-play {needed}"] if (needed := range_of(self.needs_play)) else []
        return " ".join([*words, f"--seed {self.seed}"])


class CutRequest(WalkRequest, frozen=True, kw_only=True, tag="cut"):
    """Which parts to cut a region into: walks begin with random cuts.

    Attributes:
        parts: How many; None takes parts of about 5 cells, and 12 at most.
        holes: How many cells may stay empty, of those that have neighbours on all sides.
    """

    parts: FewestParts | None = None
    holes: Natural = 0


class GrowRequest(WalkRequest, frozen=True, kw_only=True, tag="grow"):
    """How an assembly may change: walks begin with the parts of a solved puzzle.

    A walk goes in rounds. Each begins with the best cut of the walk, some cells of which have moved.

    Attributes:
        holes: How many cells may stay empty; None is as many as in the assembly.
        solution: The number of the solution to begin with; None takes the one that comes apart latest.
        hold: Names of parts that keep their cells, such as a frame.
        keep_outside: Whether cells without neighbours on all sides stay in their parts, so that the puzzle looks the
            same.
        patience: After how many cuts without a better one a round ends.
    """

    solution: Positive | None = None
    hold: tuple[str, ...] = ()
    keep_outside: bool = False
    patience: Positive = ROUND_PATIENCE

    def as_words(self) -> str:
        """The options of the command that make the same walks; other forbidden shapes are left out."""
        words = [f"--solution {self.solution}"] if self.solution else []
        words += [f"--hold {shlex.quote(name)}" for name in self.hold]
        words += ["--keep-outside"] if self.keep_outside else []
        return " ".join([*words, super().as_words()])


class BoardRequest(WayRequest, frozen=True, kw_only=True, tag="board"):
    """A matching puzzle to make.

    Attributes:
        values: How many values the inner sides bear.
        frame: How many other values the sides between two cells at the rim bear; 0 gives them the same as all.
        rim: Whether the rim bears a value of its own. If not, its sides bear any of the inner values.
        mates: Whether values are heads and tails, each of which matches the other.
        alike: Whether tiles may be alike, or look the same from several directions.
        seed: Of all random choices.
        name: The name of the puzzle.
    """

    values: Positive = 5
    frame: Natural = 0
    rim: bool = True
    mates: bool = False
    alike: bool = False
    seed: Natural = 1
    name: str = "board"


class DifficultyRequest(WayRequest, frozen=True, kw_only=True, tag="difficulty"):
    """How the difficulty of a puzzle is judged.

    Attributes:
        most_branches: After how many branches a search ends: the plain one, and those for near-solutions together.
        near: Whether to count near-solutions.
    """

    most_branches: Positive = 100_000_000
    near: bool = True
