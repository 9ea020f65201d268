"""What a backend is asked: to find covers, when to stop, and where covers and reports go."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from numbers import Integral, Real
from typing import Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.cover_costs import Costs
from latcover.core.cover.problem import CoverProblem, Ints, Longs
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


class CostBar:
    """What a cover may cost at most to be wanted. It never rises, and falls as better covers are found.

    Attributes:
        costs: The costs; their members are the options of the problem.
        most: The bar as it stands. Only `take` changes it, in the thread that called the backend.
        least: What every cover that is still to come costs at least, as far as it was noted; None if nothing was.
        best: The options of the cheapest cover so far, in any order; None if there is none.
    """

    def __init__(
        self,
        costs: Costs,
        most: int,
        on_priced: OnPriced,
        on_bound: OnBound | None = None,
        *,
        least: int | None = None,
    ) -> None:
        self.costs, self.most, self.least = costs, most, least
        self.best: Ints | None = None
        self._price_of_best = most
        self._on_priced, self._on_bound = on_priced, on_bound

    def take(self, batch: Batch) -> bool:
        """Hand on those covers of a batch that cost at most the bar, which then falls; False stops the search."""
        prices = self.costs.of(batch.starts, batch.options)
        rows = np.flatnonzero(prices <= self.most)
        if not len(rows):
            return True
        cheapest = int(rows[prices[rows].argmin()])
        if self.best is None or prices[cheapest] < self._price_of_best:
            self.best = batch.options[batch.starts[cheapest] : batch.starts[cheapest + 1]].copy()
            self._price_of_best = int(prices[cheapest])
        lowered = self._on_priced(batch.at(rows), prices[rows])
        if lowered is not None:
            self.most = lowered
        return lowered is not None

    def note(self, bound: int) -> None:
        """Say that every cover that is still to come costs at least *bound*; the next solver begins with it."""
        if self.least is None or bound > self.least:
            self.least = bound
        if self._on_bound is not None:
            self._on_bound(bound)


class SearchTask(Struct, frozen=True, eq=False):
    """A search: find the covers of a problem, and hand over each once.

    A backend must honour the problem and the limits. The veto and the bar let it leave out covers that are not wanted.
    It need not look at them: covers are judged when they are whole, and with a bar ``on_covers`` prices them.

    Attributes:
        problem: The problem.
        on_covers: Receives covers in batches: the first cover at once, every other within about 0.1 s. Returning False
            stops the search. With a bar it is `CostBar.take`.
        limits: When to stop early.
        on_progress: May stop the search by returning False; None wants no reports.
        veto: Refuses covers.
        bar: If there is one, only covers that cost at most the bar are wanted when their turn comes. A search that is
            exhausted leaves no other cover that costs as little as the last bar.
    """

    problem: CoverProblem
    on_covers: OnCovers
    limits: Limits = Limits()
    on_progress: OnProgress | None = None
    veto: OptionVeto | None = None
    bar: CostBar | None = None


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
