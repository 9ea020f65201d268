"""The protocol of backends: one call, which delivers covers in batches and returns a result."""

from __future__ import annotations

import time
from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from numbers import Integral, Real
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt
from msgspec import Struct, StructMeta
from msgspec.structs import replace

from latcover.core.cover.cover_costs import Costs, Optima
from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.core.cover.result import SearchResult
from latcover.core.cover.veto import OptionVeto
from latcover.errors import UnsupportedError


class Limits(Struct, frozen=True):
    """When to stop a search early; None is no limit."""

    covers: int | None = None
    branches: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("covers", self.covers), ("branches", self.branches)):
            if value is not None and (not isinstance(value, Integral) or value < 0):
                raise UnsupportedError(
                    f"a limit of {name} must be a whole number (0 or more) or None, not {value!r:.40}"
                )
        if self.seconds is not None and not (isinstance(self.seconds, Real) and self.seconds == self.seconds):
            raise UnsupportedError(f"a limit of seconds must be a number or None, not {self.seconds!r:.40}")


class Batch(Struct, frozen=True, eq=False):
    """Covers in compressed rows: cover k is ``options[starts[k]:starts[k + 1]]``, in any order."""

    starts: Longs
    options: Ints

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[Ints]:
        for a, b in zip(self.starts[:-1], self.starts[1:], strict=True):
            yield self.options[a:b]

    def at(self, rows: npt.NDArray[np.intp]) -> Batch:
        """The covers of these numbers."""
        kept = [self.options[self.starts[row] : self.starts[row + 1]] for row in rows.tolist()]
        starts = np.cumsum([0, *map(len, kept)]).astype(np.int64)
        return Batch(starts, np.concatenate([np.empty(0, np.int32), *kept]))

    @staticmethod
    def joined(batches: Sequence[Batch]) -> Batch:
        """The covers of several batches."""
        sizes = [np.diff(batch.starts) for batch in batches]
        options = [batch.options for batch in batches]
        starts = np.cumsum(np.concatenate([np.zeros(1, np.int64), *sizes]))
        return Batch(starts, np.concatenate([np.empty(0, np.int32), *options]))


class Progress(Struct, frozen=True):
    """The progress of a search.

    ``share`` is the finished share of its tree; None if it is unknown. The weight of a node is divided evenly among its
    branches, so the share never decreases, and is 1 at the end.
    """

    share: float | None
    branches: int | None
    covers: int
    seconds: float

    @property
    def rate(self) -> float | None:
        """Branches per second; None if they are not counted."""
        return None if self.branches is None or self.seconds <= 0 else self.branches / self.seconds

    @property
    def left(self) -> float | None:
        """The estimated remaining seconds; None while the share is unknown or 0."""
        return None if not self.share else self.seconds * (1 - self.share) / self.share


OnCovers = Callable[[Batch], bool]
OnProgress = Callable[[Progress], bool]
OnPriced = Callable[[Batch, Longs], int | None]
"""Receives covers and what each costs. It returns the new bar, which never rises; None stops the search."""
OnBound = Callable[[int], None]
"""Receives what every cover that is still to come costs at least, whenever the backend can show more."""


class Pieces:
    """Joins the progress of several pieces of work into one progress that never decreases."""

    def __init__(self, on_progress: OnProgress | None) -> None:
        self._on_progress = on_progress
        self._start = time.perf_counter()
        self._share, self._covers = 0.0, 0

    def next(self, since: float = 0.0, until: float = 1.0) -> OnProgress:
        """The callback for the next piece; its share goes from *since* to *until*, but never below the current one."""
        since = max(since, self._share)

        def report(progress: Progress) -> bool:
            share = None if progress.share is None else since + (until - since) * progress.share
            self._share = max(self._share, share or 0.0)
            self._covers = max(self._covers, progress.covers)
            seconds = time.perf_counter() - self._start
            joined = Progress(share, progress.branches, self._covers, seconds)
            return self._on_progress is None or self._on_progress(joined)

        return report


Rule = Literal["fewest", "first", "fewest cell"]
"""How a search picks the item to branch on: the pending item with the fewest ways left; the first pending item; or the
pending cell with the fewest ways left, and other items only when no cell is pending."""


class Tree(Struct, frozen=True):
    """A search tree that can be probed: the tree of ``dlx``, which `bitset` walks too, or the tree of ``backtrack``."""

    kind: str
    size: bool
    strand: str = "no"


class BackendMeta(StructMeta, ABCMeta):
    """Makes structs that may have abstract methods."""


class Backend(Struct, frozen=True, metaclass=BackendMeta):
    """A solver of cover problems. It holds no state between calls.

    A backend is a struct that derives from this class; its fields are its options. It must have a name and
    `search`. It declares further abilities by the other members, as properties or as class attributes without an
    annotation. The defaults suit a backend that only finds covers.
    """

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
    ) -> SearchResult:
        """Find every cover of *problem*, once each.

        The backend delivers covers in batches: the first cover at once, every other within about 0.1 s.
        A callback that returns False stops the search. An exception in a callback ends the search and is passed on,
        KeyboardInterrupt too.
        """

    def search_vetoed(
        self,
        problem: CoverProblem,
        veto: OptionVeto | None,
        on_covers: OnCovers,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
    ) -> SearchResult:
        """Find every cover of *problem* that *veto* does not refuse, once each; perhaps others, which are judged later.

        This default asks nothing, so all covers are judged afterwards.
        """
        return self.search(problem, on_covers, limits, on_progress)

    def improve(
        self,
        problem: CoverProblem,
        costs: Costs,
        bar: int,
        on_priced: OnPriced,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
        on_bound: OnBound | None = None,
    ) -> SearchResult:
        """Find every cover of *problem* whose cost is at most the bar when its turn comes, once each.

        The bar begins at *bar*. Every call of *on_priced* returns the new one, so it falls as better covers are found.
        If the result is exhausted, no other cover costs as little as the last bar. This default lists all covers; a
        backend that can leave out dear ones has a method of its own.

        Args:
            costs: The costs; their members are the options of the problem.
        """
        wanted = bar

        def price(batch: Batch) -> bool:
            nonlocal wanted
            prices = costs.of(batch.starts, batch.options)
            rows = np.flatnonzero(prices <= wanted)
            if not len(rows):
                return True
            lowered = on_priced(batch.at(rows), prices[rows])
            if lowered is not None:
                wanted = lowered
            return lowered is not None

        return self.search(problem, price, limits, on_progress)

    def improve_vetoed(
        self,
        problem: CoverProblem,
        costs: Costs,
        bar: int,
        veto: OptionVeto | None,
        on_priced: OnPriced,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
        on_bound: OnBound | None = None,
    ) -> SearchResult:
        """As `improve`, without covers that *veto* refuses; perhaps with some, which are judged later.

        This default asks nothing, so all covers are judged afterwards.
        """
        return self.improve(problem, costs, bar, on_priced, limits, on_progress, on_bound)

    def optima(
        self,
        problem: CoverProblem,
        costs: Costs,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
    ) -> Optima | None:
        """What the cheapest covers cost, and how many they are, without listing them; None if that is not known.

        This default knows nothing. Arguments are those of `improve`; only the limit of seconds applies.
        """
        return None

    @property
    def honours_colours(self) -> bool:
        """Whether it supports colours of items. If not, it is never asked to search a problem with colours."""
        return False

    takes_any_bounds = True  # no annotation: it is no option
    """Whether it takes items that may be held several times, as parts of which there are several copies make them."""

    whole_rules = "checks covers"
    """What it does about a veto: it "checks covers" when they are whole, "prunes" before, or "learns" from them."""

    costs_by = "listing"
    """How `improve` finds what costs least, in a few words."""

    @property
    def rule(self) -> Rule:
        """How it branches. If it does not branch on options, this is how its searches are cut into jobs."""
        return "fewest"

    only_picks = False  # no annotation: it is no option
    """Whether it only picks another backend. A comparison of all backends leaves it out."""

    @property
    def leaves_method_open(self) -> bool:
        """Whether its options leave a count free to use another method."""
        return False

    def on_one_thread(self) -> Backend:
        """The same backend on one thread, if it has the option ``threads``."""
        if not hasattr(self, "threads"):
            return self
        single: Backend = replace(cast(Any, self), threads=1)
        return single

    def tree(self, problem: CoverProblem) -> Tree:
        """The tree that it walks on *problem*, for probes.

        Raises:
            UnsupportedError: its tree cannot be probed, or it cannot search the problem.
        """
        raise UnsupportedError(
            f"the tree of {self.name} cannot be probed; choose the backend bitset, dlx, backtrack or auto"
        )


def collect(backend: Backend, problem: CoverProblem) -> list[tuple[int, ...]]:
    """All covers of a small problem, in the order found; the options of each cover ascend."""
    found: list[tuple[int, ...]] = []

    def keep(batch: Batch) -> bool:
        found.extend(tuple(np.sort(cover).tolist()) for cover in batch)
        return True

    backend.search(problem, keep)
    return found
