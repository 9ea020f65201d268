"""What every backend offers and receives: one call, batches of covers pushed out, statistics as the return value."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np

from latcover.cover.problem import CoverProblem, Ints, Longs
from latcover.errors import UnsupportedError


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop a search early; None is no limit."""

    covers: int | None = None
    branches: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("covers", self.covers), ("branches", self.branches)):
            if value is not None and (not isinstance(value, Integral) or value < 0):
                raise UnsupportedError(
                    f"a limit of {name} must be a whole number from 0 on, or None, not {value!r:.40}"
                )
        if self.seconds is not None and not (isinstance(self.seconds, Real) and self.seconds == self.seconds):
            raise UnsupportedError(f"a limit of seconds must be a number, or None, not {self.seconds!r:.40}")


class Stop(Enum):
    """Why a search stopped."""

    EXHAUSTED = "exhausted"
    SOLUTION_LIMIT = "solution limit"
    BRANCH_LIMIT = "branch limit"
    TIME_LIMIT = "time limit"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a search did.

    Attributes:
        covers: Covers found.
        branches: Options tried, the last ones of covers included; None where the backend does not branch on options.
        dead_ends: Nodes at which an item could not be covered any more.
        deepest: The most options chosen at once.
        branches_by_level: Options tried as the first, the second, ... of a cover.
        setup_seconds, search_seconds: The backend's own.
        first_seconds: From the search's start to its first cover; None where there is none.
        native: Figures of this backend alone, such as conflicts.
    """

    covers: int
    branches: int | None
    dead_ends: int | None
    deepest: int | None
    branches_by_level: tuple[int, ...]
    setup_seconds: float
    search_seconds: float
    first_seconds: float | None
    native: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a search.

    Attributes:
        stop: EXHAUSTED says that every cover was found. A limit that was met is named, also where nothing was left.
        statistics: What was done.
        backend: Who searched, where that is not the one that was asked.
        notes: What the user should be told: what was asked for, and was done another way.
    """

    stop: Stop
    statistics: Statistics
    backend: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Covers in compressed rows: cover k is ``options[starts[k]:starts[k + 1]]``, in any order."""

    starts: Longs
    options: Ints

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[Ints]:
        for a, b in zip(self.starts[:-1], self.starts[1:], strict=True):
            yield self.options[a:b]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come.

    ``share`` is the exact part of its tree that is done, where every node is shared out evenly among its branches: it
    never goes back, and is 1 when all is done. None where it is unknown.
    """

    share: float | None
    branches: int | None
    covers: int
    seconds: float

    @property
    def rate(self) -> float | None:
        """Branches a second, so far; None where they are not counted."""
        return None if self.branches is None or self.seconds <= 0 else self.branches / self.seconds

    @property
    def left(self) -> float | None:
        """Seconds left, if the rest of the tree goes like what is done; None where its share is not known, or none."""
        return None if not self.share else self.seconds * (1 - self.share) / self.share


OnCovers = Callable[[Batch], bool]
OnProgress = Callable[[Progress], bool]


class Pieces:
    """The progress of work that is done in several pieces, as that of one: nothing of it goes back."""

    def __init__(self, on_progress: OnProgress | None) -> None:
        self._on_progress = on_progress
        self._start = time.perf_counter()
        self._share, self._covers = 0.0, 0

    def next(self, since: float = 0.0, until: float = 1.0) -> OnProgress:
        """What the next piece reports to: it goes from *since*, or what was reached if that is more, to *until*."""
        since = max(since, self._share)

        def report(progress: Progress) -> bool:
            share = None if progress.share is None else since + (until - since) * progress.share
            self._share = max(self._share, share or 0.0)
            self._covers = max(self._covers, progress.covers)
            seconds = time.perf_counter() - self._start
            told = Progress(share, progress.branches, self._covers, seconds)
            return self._on_progress is None or self._on_progress(told)

        return report


Rule = Literal["fewest", "first", "fewest cell"]
"""How a search picks the item to branch on: the pending one with the fewest ways left; the first one; or the cell with
the fewest ways left, as long as a cell is pending."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A search tree that can be probed: that of ``dlx``, which `bitset` walks too, or that of ``backtrack``."""

    kind: str
    size: bool
    strand: str = "no"


class Backend(ABC):
    """A solver of cover problems. It holds no state between calls.

    A backend derives from this class, as a frozen dataclass whose fields are its options. It must have a name and
    `search`; whatever else it can do, it says by the other members, whose defaults are those of a backend that does
    nothing but find covers.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """The name by which users choose it."""

    @abstractmethod
    def search(
        self,
        problem: CoverProblem,
        on_covers: OnCovers,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
    ) -> Outcome:
        """Find every cover of *problem*, once each.

        Covers are handed over in batches, the first at once and any within about a tenth of a second. A callback that
        returns False stops the search; an exception raised in one ends it and is passed on, KeyboardInterrupt too.
        """

    @property
    def honours_colours(self) -> bool:
        """Whether it knows colours of items. One that does not is never asked to search a problem that has them."""
        return False

    @property
    def rule(self) -> Rule:
        """How it branches, or how a search by it is cut into jobs if it does not branch on options."""
        return "fewest"

    @property
    def is_a_free_choice(self) -> bool:
        """Whether it asks for nothing in particular, so that a count may be done in another way."""
        return False

    def on_one_thread(self) -> Backend:
        """The same backend on one thread."""
        return self

    def tree(self, problem: CoverProblem) -> Tree:
        """The tree that it walks on *problem*, for probes.

        Raises:
            UnsupportedError: it does not branch on options, or nobody knows how; or it cannot search the problem.
        """
        raise UnsupportedError(
            f"the tree of {self.name} cannot be probed; those of bitset, dlx and backtrack can, and of what auto picks"
        )


def refuse_colours(who: str, problem: CoverProblem) -> None:
    """Refuse a problem that has colours, for *who* does not know them.

    Raises:
        UnsupportedError: it has.
    """
    if problem.has_colours:
        raise UnsupportedError(
            f"{who} does not know colours of items, and would come to wrong results; "
            "search with a backend that does: dlx, cpsat or sat"
        )


def collect(backend: Backend, problem: CoverProblem) -> list[tuple[int, ...]]:
    """Every cover of a small problem, each sorted, in the order found."""
    found: list[tuple[int, ...]] = []

    def keep(batch: Batch) -> bool:
        found.extend(tuple(np.sort(cover).tolist()) for cover in batch)
        return True

    backend.search(problem, keep)
    return found
