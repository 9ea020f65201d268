"""What is wanted of a design, how it is looked for, and what is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from latcover.errors import UnsupportedError
from latcover.model.puzzle import Puzzle

Extreme = Literal["fewest", "most"]
Order = Literal["solutions", "level", "branches", "parts"]
How = Literal["auto", "all", "sample", "climb"]
SEARCHED: dict[str, str] = {"all": "exhaustively", "sample": "by sampling", "climb": "by climbing"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which sets are shown, and in which order.

    Attributes:
        at_least, at_most: Bounds of the number of different solutions; None is no bound.
        extreme: Only the sets with the fewest, or the most, solutions.
        min_level: The least level of assembly; empty if it does not matter.
        sort: By what the sets are ranked; None shows them as they are found.
        keep: How many of them to show; None is all.
        both_hands: Whether a set must be its own mirror image: it has the mirror image of each part as often as the
            part.
        symmetric: How many transformations must map a region to itself; the identity counts.
    """

    at_least: int = 1
    at_most: int | None = None
    extreme: Extreme | None = None
    min_level: tuple[int, ...] = ()
    sort: Order | None = None
    keep: int | None = None
    both_hands: bool = False
    symmetric: int = 1

    def __post_init__(self) -> None:
        if self.at_least < 1:
            raise UnsupportedError("a design has a solution at least; --at-least takes 1 or more")
        if self.at_most is not None and self.at_most < self.at_least:
            raise UnsupportedError(
                f"no number of solutions is at least {self.at_least} and at most {self.at_most}; change one of them"
            )

    @property
    def needs_level(self) -> bool:
        """Whether solutions have to be taken apart."""
        return bool(self.min_level) or self.sort == "level"

    def takes(self, solutions: int) -> bool:
        """Whether a set with so many solutions is wanted."""
        return self.at_least <= solutions and (self.at_most is None or solutions <= self.at_most)


@dataclass(frozen=True, slots=True)
class Looking:
    """How sets are looked for.

    Attributes:
        how: "all" classifies every set in one search; "sample" draws sets by chance, "climb" changes sets until they
            have fewer solutions; both count each set by itself. "auto" takes "all" where that is possible.
        seed: What is drawn depends on it.
        samples: How many sets to count; None is a number that suits the way.
        branches: A set that takes more branches is given up; None is no limit.
    """

    how: How = "auto"
    seed: int = 1
    samples: int | None = None
    branches: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """What may become a design: a set of parts, or a region.

    Attributes:
        name: What a ledger calls it.
        make: Makes its puzzle.
        place: Where it stands among others, if nothing else decides.
        images: How many sets of the family are this one or its mirror image.
    """

    name: str
    make: Callable[[], Puzzle]
    place: tuple[int, ...]
    images: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """A puzzle that was designed, with its solutions.

    Attributes:
        candidate: What it was.
        puzzle: The puzzle.
        region: The region, as a puzzle file says it, if regions were looked for; else None.
        solutions: How many different ones it has.
        exact: Whether that is the number, or a lower bound.
        total: All its solutions; None if they were not counted.
        branches: How many a search for its solutions takes; None if it was not searched by itself.
        verified: The backend that counted it again, for a number found in another way; "" if none did.
        level: The least level of a solution that comes apart; None if that was not asked, or none does.
        assemblable: How many solutions come apart; None if that was not asked.
    """

    candidate: Candidate
    puzzle: Puzzle
    solutions: int
    exact: bool = True
    total: int | None = None
    branches: int | None = None
    verified: str = ""
    level: tuple[int, ...] | None = None
    assemblable: int | None = None
    region: Mapping[str, Any] | None = None

    @property
    def parts(self) -> dict[str, int]:
        """How many copies of each part there are."""
        return {part.name: part.low for part in self.puzzle.parts}

    def as_puzzle(self, name: str, symmetry: str) -> Puzzle:
        """The puzzle, with what is known of it; *symmetry* says which solutions counted as the same."""
        puzzle, how = self.puzzle, "designed by latcover"
        if self.verified:
            how += f", counted again by {self.verified}"
        different = {"all": "different", "rotations": "different_under_rotations", "none": "total"}[symmetry]
        expect = {different: self.solutions} if self.exact else {}
        if self.exact and self.total is not None:
            expect["total"] = self.total
        source = f"{puzzle.source}; {how}" if puzzle.source else how
        return replace(puzzle, name=name, source=source, expect=expect)

    def as_json(self) -> dict[str, Any]:
        """Plain data, its keys a promise to scripts."""
        region = {} if self.region is None else {"region": dict(self.region)}
        return {
            "parts": self.parts,
            "solutions": self.solutions,
            "exact": self.exact,
            "total": self.total,
            "images": self.candidate.images,
            "distinct": len(self.parts),
            "branches": self.branches,
            "level": None if self.level is None else list(self.level),
            "assemblable": self.assemblable,
            "verified": self.verified or None,
            **region,
        }


@dataclass(slots=True)
class Summary:
    """What came of a design.

    Attributes:
        searched: "exhaustively", "by sampling" or "by climbing".
        candidates: How many sets have the volume of the region; mirror images count by themselves.
        counted: How many sets were counted; in an exhaustive search, all.
        sets: How many of these have a solution. Mirror images count once.
        unique: How many have exactly one; None if that is not known.
        shown: How many were shown.
        complete: Whether every set was looked at.
        given_up: How many sets took too many branches, or too many positions to tell their level.
        of: What the candidates are; for regions, read "region" for "set".
    """

    puzzle: str
    searched: str
    candidates: int
    seed: int | None = None
    counted: int = 0
    sets: int = 0
    unique: int | None = 0
    shown: int = 0
    complete: bool = False
    stop: str = ""
    given_up: int = 0
    covers: int | None = None
    branches: int | None = None
    seconds: float = 0.0
    of: Literal["sets", "regions"] = "sets"

    def as_json(self) -> dict[str, Any]:
        """Plain data, its keys a promise to scripts."""
        names: tuple[str, ...] = ("unique", "complete", "stop", "searched", "seed", "shown", "candidates", "counted")
        names += ("given_up", "covers", "branches")
        data = {"puzzle": self.puzzle, self.of: self.sets, **{name: getattr(self, name) for name in names}}
        return {**data, "seconds": round(self.seconds, 6)}
