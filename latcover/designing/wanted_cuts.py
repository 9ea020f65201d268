"""What is wanted of cuts, how long they are looked for, and what is found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from latcover.designing.difficulty import Difficulty
from latcover.model.disassembly import Disassembly
from latcover.model.lattice import Cells
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution

PATIENCE = 3000  # cuts without a better one after which a walk ends

Kind = Literal["rod", "flat"]


@dataclass(frozen=True, slots=True)
class CutWishes:
    """What parts are asked for.

    Attributes:
        n_parts: How many.
        sizes: The cells of all parts, or None.
        between: The least and the greatest number of cells of a part, if there are no `sizes`; None is about the mean.
        different: No two parts are alike.
        no_mirrors: Nor mirror images of each other.
        asymmetric: No part has a rotation (or whatever parts may undergo) that keeps its shape.
        forbid: "rod" forbids parts whose cells lie in a line, "flat" those whose cells lie in a plane.
        shapes: Other forbidden parts; their mirror images are forbidden too.
        holes: How many cells may stay empty, of those that have neighbours on all sides.
        min_level: The least number of moves to the first separation.
        one_order: Wherever the parts slide, the same group comes free first, and so on.
        hard: Branches of the search come before the level.
    """

    n_parts: int
    sizes: tuple[int, ...] | None = None
    between: tuple[int, int] | None = None
    different: bool = False
    no_mirrors: bool = False
    asymmetric: bool = False
    forbid: frozenset[Kind] = frozenset()
    shapes: tuple[Cells, ...] = ()
    holes: int = 0
    min_level: int = 0
    one_order: bool = False
    hard: bool = False

    def as_words(self) -> str:
        """The options of the command that ask for the same; other forbidden shapes are left out."""
        words = [f"--cut {self.n_parts}"]
        if self.sizes is not None:
            words.append(f"--sizes {','.join(map(str, self.sizes))}")
        elif self.between is not None:
            words.append(f"--sizes {self.between[0]}..{self.between[1]}")
        words += [f"--holes {self.holes}"] if self.holes else []
        words += [f"--forbid {kind}" for kind in sorted(self.forbid)]
        named = ("different", "no_mirrors", "asymmetric", "one_order", "hard")
        words += [f"--{name.replace('_', '-')}" for name in named if getattr(self, name)]
        return " ".join([*words, f"--min-level {self.min_level}"] if self.min_level else words)


@dataclass(frozen=True, slots=True, eq=False)
class CutDesign:
    """A cut that fulfils all wishes, checked.

    Attributes:
        puzzle: The puzzle, with what is known of it as its expectations.
        solution: Its one solution.
        disassembly: How it comes apart; None if the parts of the lattice do not slide.
        difficulty: Its figures, without near-solutions.
        one_order: Whether it comes apart in one order; None if that was not asked.
        seed, walk: Where it was found.
        whole: Whether that walk came to its end; if not, the walk may find better ones.
    """

    puzzle: Puzzle
    solution: Solution
    disassembly: Disassembly | None
    difficulty: Difficulty
    one_order: bool | None
    seed: int
    walk: int
    whole: bool

    @property
    def level(self) -> tuple[int, ...]:
        return () if self.disassembly is None else self.disassembly.level

    @property
    def moves(self) -> int:
        """The sum of the level; 0 if the parts lie in a plane."""
        return 0 if self.disassembly is None else self.disassembly.moves

    def worth(self, *, hard: bool) -> tuple[float, ...]:
        """The greater the better."""
        first = self.level[0] if self.level else 0
        steps = 0 if self.disassembly is None else len(self.disassembly.steps)
        by_search = self.difficulty.score or 0.0
        return (bool(self.one_order), *((by_search, first, steps) if hard else (first, steps, by_search)))

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "puzzle": self.puzzle.name,
            "walk": self.walk,
            "seed": self.seed,
            "whole": self.whole,
            "sizes": sorted(part.size for part in self.puzzle.parts for _ in range(part.low)),
            "holes": len(self.puzzle.region.cells) - sum(part.size * part.low for part in self.puzzle.parts),
            "level": list(self.level),
            "moves": self.moves,
            "one_order": self.one_order,
            "difficulty": round(self.difficulty.score or 0.0, 4),
            "parts": [placed.as_json(self.puzzle.lattice) for placed in self.solution.placements],
        }


@dataclass(frozen=True, slots=True)
class CutProgress:
    """How far a search is: walks and cuts that were looked at, and seconds."""

    walks: int
    candidates: int
    seconds: float


@dataclass(slots=True)
class CutOutcome:
    """What a search found.

    Attributes:
        designs: The best first.
        walks: How many walks came to their end, from the first one on.
        candidates: How many cuts were looked at.
        complete: Whether there are as many designs as were asked for.
    """

    designs: list[CutDesign] = field(default_factory=list)
    walks: int = 0
    candidates: int = 0
    complete: bool = False


@dataclass(frozen=True, slots=True)
class CutEffort:
    """How long to search, and from where.

    Attributes:
        seed: What the walks begin with.
        first: The number of the first walk.
        walks: How many walks to make; None makes them until something else ends the search.
        limit: End with so many designs; None goes on.
        keep: How many designs to keep, the best ones, if there is no limit.
        seconds: The time.
        threads: How many walks go on at once. What they find does not depend on it; None is one for each core.
        patience: After how many cuts without a better one a walk ends.
    """

    seed: int = 1
    first: int = 0
    walks: int | None = None
    limit: int | None = None
    keep: int = 1
    seconds: float | None = None
    threads: int | None = 1
    patience: int = PATIENCE

    @property
    def endless(self) -> bool:
        """Whether nothing of it ends a search."""
        return self.walks is None and self.limit is None and self.seconds is None
