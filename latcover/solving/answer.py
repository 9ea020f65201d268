"""The results of a search, and the answer for users."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from latcover.cover.problem import Ints, Longs
from latcover.cover.search import Stop
from latcover.cover.searchable import Searchable
from latcover.errors import counted, escaped
from latcover.system.machine import peak_memory

Certainty = Literal["exact", "at least", "not known"]
UNDER = {"all": "rotations and reflections", "rotations": "rotations"}


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A batch of judged covers, and which of them are kept.

    Attributes:
        starts, members: Cover k of the batch has the members ``members[starts[k]:starts[k + 1]]``; int64 and int32.
        orbits: How many covers each cover of the batch stands for, int64.
        rows: The numbers of the covers that are kept, ascending.
    """

    starts: Longs
    members: Ints
    orbits: Longs
    rows: npt.NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[Ints, int]]:
        """The members of each kept cover, and how many covers it stands for."""
        for row in self.rows.tolist():
            yield self.members[self.starts[row] : self.starts[row + 1]], int(self.orbits[row])

    def first(self, most: int | None) -> Kept:
        """Only the first *most* kept covers; all of them if *most* is None."""
        return self if most is None else replace(self, rows=self.rows[:most])

    def alone(self) -> Kept:
        """A batch of the kept covers only."""
        if len(self.rows) == len(self.starts) - 1:
            return self
        first, last = self.starts[self.rows], self.starts[self.rows + 1]
        starts = np.concatenate([[0], np.cumsum(last - first)]).astype(np.int64)
        members = self.members[np.arange(starts[-1]) + np.repeat(first - starts[:-1], last - first)]
        return Kept(starts, members, self.orbits[self.rows], np.arange(len(self.rows)))

    def of_one_size(self, most: int) -> Iterator[Kept]:
        """This batch, all of whose covers are kept, in pieces of at most *most* covers with equally many members."""
        sizes = np.diff(self.starts)
        edges = np.flatnonzero(np.diff(sizes)) + 1
        for a, b in pairwise([0, *edges.tolist(), len(sizes)]):
            for first in range(a, b, max(1, most)):
                last = min(b, first + max(1, most))
                starts = self.starts[first : last + 1]
                members = self.members[starts[0] : starts[-1]]
                yield Kept(starts - starts[0], members, self.orbits[first:last], np.arange(last - first))

    def sets(self) -> Ints:
        """The members of each cover of a batch with equally many, shape (n, k)."""
        return self.members.reshape(len(self.starts) - 1, -1)

    def packed(self) -> Kept:
        """The same, members ascending."""
        kept = self.alone()
        row = np.repeat(np.arange(len(kept)), np.diff(kept.starts))
        by_row = kept.members + row * (1 << 31)  # so that one sort puts the members of each in order
        by_row.sort()
        return replace(kept, members=(by_row % (1 << 31)).astype(np.int32))

    @staticmethod
    def joined(parts: list[Kept]) -> Kept:
        """Join several packed batches."""
        if len(parts) < 2:
            return parts[0] if parts else NONE_KEPT
        sizes = np.cumsum([0, *(len(part.members) for part in parts)])
        starts = [part.starts[1:] + before for part, before in zip(parts, sizes, strict=False)]
        orbits = np.concatenate([part.orbits for part in parts])
        return Kept(
            np.concatenate([[0], *starts]).astype(np.int64),
            np.concatenate([part.members for part in parts]),
            orbits,
            np.arange(len(orbits)),
        )


NONE_KEPT = Kept(np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0, np.intp))


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The results of a search.

    Attributes:
        stop: EXHAUSTED says that everything was searched.
        different, total, covers, branches, dead_ends, branches_by_level, digest, native, notes: As in an `Answer`.
        setup_seconds, first_seconds, search_seconds: The backend's own times, without judging.
        check_seconds: The time for judging and checking.
        backend: The backend that searched; "" if it is the one that was asked.
        solutions: The solutions; empty if the search only counts them.
    """

    stop: Stop
    different: int = 0
    total: int = 0
    covers: int = 0
    branches: int | None = 0
    dead_ends: int | None = 0
    branches_by_level: tuple[int, ...] = ()
    digest: str = "0" * 16
    setup_seconds: float = 0.0
    first_seconds: float | None = None
    search_seconds: float = 0.0
    check_seconds: float = 0.0
    native: Mapping[str, Any] = field(default_factory=dict)
    backend: str = ""
    notes: tuple[str, ...] = ()
    solutions: Kept = NONE_KEPT

    @property
    def complete(self) -> bool:
        return self.stop is Stop.EXHAUSTED


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer about a puzzle. The keys of its JSON form are a promise to scripts.

    Attributes:
        asked, backend: The backend that was asked, and the one that searched.
        different: Classes of covers found, under the chosen symmetries.
        total: Covers of the full problem in these classes.
        covers: Covers that the backend found; more than ``different`` if some are images of others.
        complete: Whether the search was exhausted. If not, `different_is` and `total_is` say what they are worth.
        digest: A fingerprint of the set of covers that ``different`` counts. Runs with the same choices have equal
            digests if they found the same set, in any order.
        memory: The most memory that the process held at once, in bytes; None if the platform does not tell.
    """

    puzzle: str
    backend: str
    complete: bool
    stop: str
    symmetry: str
    different: int
    total: int
    covers: int
    branches: int | None
    method: str
    seconds: Mapping[str, float | None]
    native: Mapping[str, Any]
    symmetries: int
    pivot: str
    dead_ends: int | None
    branches_by_level: tuple[int, ...]
    asked: str
    digest: str
    memory: int | None
    notes: tuple[str, ...] = field(default=())

    def __repr__(self) -> str:
        return f"<Answer: {self.headline()}>"

    @property
    def different_is(self) -> Certainty:
        """What ``different`` is worth: the exact number, a lower bound, or nothing (it is then 0)."""
        return "exact" if self.complete else "at least" if self.different else "not known"

    @property
    def total_is(self) -> Certainty:
        """What ``total`` is worth, as `different_is`.

        A count that lists nothing tells no number before it has the whole one. It may have this one, and be cut short
        before it knows how many solutions are different.
        """
        if self.complete or (self.method != "enumeration" and self.total):
            return "exact"
        return "at least" if self.total else "not known"

    def headline(self) -> str:
        """How many solutions there are, as far as the search knows, in one line."""
        end = "complete" if self.complete else f"cut short: {self.stop}"
        puzzle = escaped(self.puzzle)
        if self.different_is == self.total_is == "not known":
            return f"{puzzle}: number of solutions not known ({end})"
        different = f"{_at_least(self.different_is)}{counted(self.different, 'solution')}"
        if self.symmetry not in UNDER:
            return f"{puzzle}: {different} in all ({end})"
        total = f"{_at_least(self.total_is)}{self.total:,} in all"
        return f"{puzzle}: {different} different under {UNDER[self.symmetry]}, {total} ({end})"


def _at_least(certainty: Certainty) -> str:
    return "at least " if certainty == "at least" else ""


def answer_of(subject: Searchable[Any], asked: str, found: Found, method: str = "enumeration") -> Answer:
    """The answer about *subject*, made of the results that the backend *asked* found."""
    return Answer(
        puzzle=subject.name,
        backend=found.backend or asked,
        complete=found.complete,
        stop=found.stop.value,
        symmetry=subject.symmetry,
        different=found.different,
        total=found.total,
        covers=found.covers,
        branches=found.branches,
        method=method,
        seconds={
            "setup": subject.seconds + found.setup_seconds,
            "first": found.first_seconds,
            "search": found.search_seconds,
            "check": found.check_seconds,
        },
        native=found.native,
        symmetries=subject.symmetries,
        pivot=subject.pivot,
        dead_ends=found.dead_ends,
        branches_by_level=found.branches_by_level,
        asked=asked,
        digest=found.digest,
        memory=peak_memory(),
        notes=found.notes,
    )
