"""Designed puzzles with their figures, and the summary of a search for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.result import Stop
from latcover.core.model.puzzle import Puzzle
from latcover.errors import counted

SEARCHED: dict[str, str] = {"all": "exhaustively", "sample": "by sampling", "climb": "by climbing"}


class Candidate(Struct, frozen=True, eq=False):
    """A candidate for a design: a set of parts, or a region.

    Attributes:
        name: Its key in a ledger.
        make: Makes its puzzle.
        place: Its place among candidates of equal rank.
        images: How many sets of the family are this one or its mirror image.
    """

    name: str
    make: Callable[[], Puzzle]
    place: tuple[int, ...]
    images: int = 1


class Design(Struct, frozen=True, eq=False):
    """A puzzle that was designed, with its solutions.

    Attributes:
        candidate: The candidate that became the design.
        puzzle: The puzzle.
        region: The region as a puzzle file describes it, in a search for regions; else None.
        solutions: How many different ones it has.
        exact: Whether that is exact, not a lower bound.
        total: All its solutions; None if they were not counted.
        branches: How many a search for its solutions takes; None if it was not searched by itself.
        verified: The backend that counted it again, for a number found in another way; "" if none did.
        level: The least level of a solution that comes apart; None if there is none, or it was not requested.
        assemblable: How many solutions come apart; None if that was not requested.
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
        """The copies of each part."""
        return {part.name: part.low for part in self.puzzle.parts}

    def as_puzzle(self, name: str, symmetry: str) -> Puzzle:
        """The puzzle with its figures; *symmetry* says which solutions count as the same."""
        puzzle, origin = self.puzzle, "designed by latcover"
        if self.verified:
            origin += f", counted again by {self.verified}"
        different = {"all": "different", "rotations": "different_under_rotations", "none": "total"}[symmetry]
        expect = {different: self.solutions} if self.exact else {}
        if self.exact and self.total is not None:
            expect["total"] = self.total
        source = f"{puzzle.source}; {origin}" if puzzle.source else origin
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


class DesignSummary(Struct):
    """The summary of a search for designs.

    Attributes:
        searched: "exhaustively", "by sampling" or "by climbing".
        candidates: How many sets have the volume of the region; mirror images count by themselves.
        counted: How many sets were counted; in an exhaustive search, all.
        sets: How many of these have a solution. Mirror images count once.
        unique: How many have exactly one; None if that is not known.
        shown: How many were shown.
        stop: EXHAUSTED if every set was looked at, or why it was not.
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
    stop: str = ""
    given_up: int = 0
    covers: int | None = None
    branches: int | None = None
    seconds: float = 0.0
    of: Literal["sets", "regions"] = "sets"

    @property
    def complete(self) -> bool:
        """Whether every set was looked at."""
        return self.stop == Stop.EXHAUSTED

    def as_json(self) -> dict[str, Any]:
        """Plain data, its keys a promise to scripts."""
        names: tuple[str, ...] = ("unique", "complete", "stop", "searched", "seed", "shown", "candidates", "counted")
        names += ("given_up", "covers", "branches")
        data = {"puzzle": self.puzzle, self.of: self.sets, **{name: getattr(self, name) for name in names}}
        return {**data, "seconds": round(self.seconds, 6)}


class Designs(Struct):
    """The designs that were shown, in their order, and a summary."""

    designs: list[Design]
    summary: DesignSummary

    def __repr__(self) -> str:
        return f"<Designs: {counted(len(self), 'design')}>"

    def __iter__(self) -> Iterator[Design]:
        return iter(self.designs)

    def __len__(self) -> int:
        return len(self.designs)
