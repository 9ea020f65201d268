"""The way from a backend's covers to solutions: covers are judged, checked, counted and handed on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from latcover.cover.fingerprint import Fingerprint
from latcover.cover.problem import CoverProblem, Ints, Longs
from latcover.cover.search import Backend, Batch, Limits, OnProgress, Outcome, Statistics, Stop
from latcover.cover.searchable import Searchable, Shown
from latcover.errors import InternalError
from latcover.solving import guard
from latcover.solving.answer import Found, Kept

IMAGES_AT_ONCE = 2048  # that are checked together

S = TypeVar("S", bound=Shown)


class Verified(Generic[S]):
    """Checks covers, many at once, and makes them solutions."""

    def __init__(self, subject: Searchable[S]) -> None:
        self._subject, self._inspector = subject, subject.inspector()
        self.shown = self._inspector.solution  # of a cover that has been checked

    def sound(self, starts: Longs, members: Ints) -> npt.NDArray[np.bool_]:
        """Whether each of these covers is a solution."""
        return self._inspector.sound(starts, members)

    def require(self, starts: Longs, members: Ints) -> None:
        """Check covers in compressed rows.

        Raises:
            InternalError: one of them is no solution.
        """
        sound = self.sound(starts, members)
        if not sound.all():
            wrong = int(np.argmin(sound))
            faults = self._inspector.faults(members[starts[wrong] : starts[wrong + 1]]) or ["the checks disagree"]
            raise InternalError(f"a solution of {self._subject.name!r} fails its check: {'; '.join(faults[:3])}")

    def require_each(self, covers: Ints) -> None:
        """The same for covers of one size, shape (n, k)."""
        n, size = covers.shape
        self.require(np.arange(n + 1) * size, covers.reshape(-1))

    def solutions(self, kept: Kept, number: int) -> Iterator[S]:
        """Kept covers as solutions, numbered from *number*; all are checked before the first is handed on."""
        kept = kept.alone()
        self.require(kept.starts, kept.members)
        make, members = self.shown, kept.members.tolist()
        for a, b, orbit in zip(kept.starts.tolist(), kept.starts[1:].tolist(), kept.orbits.tolist(), strict=False):
            yield make(members[a:b], number, 1, orbit)
            number += 1

    def images(self, kept: Kept, number: int) -> Iterator[list[S]]:
        """The same with all images of each solution, checked some hundred at once."""
        for same in kept.alone().of_one_size(IMAGES_AT_ONCE // self._subject.acting):
            found = list(self._subject.images(same.sets()))
            self.require_each(np.concatenate(found))
            for images, orbit in zip(found, same.orbits.tolist(), strict=True):
                yield [self.shown(members, number, k, orbit) for k, members in enumerate(images.tolist(), 1)]
                number += 1

    def __call__(self, members: Ints, number: int, image: int, orbit: int) -> S:
        """One cover as a solution, checked."""
        self.require_each(members[None])
        return self.shown(members.tolist(), number, image, orbit)


class Collector:
    """Judges covers as a backend hands them over, and counts the covers that it keeps."""

    def __init__(self, subject: Searchable[Any], most: int | None = None) -> None:
        """*most*: the greatest number of different solutions to take; None is no limit."""
        self.subject, self.most = subject, most
        self.different = self.total = 0
        self.stop: Stop | None = None  # why it takes no more, unless it has enough
        self.seconds = 0.0  # spent here; subtracted from the search's own time
        self._fingerprint = Fingerprint(subject.n_members)

    def take(self, batch: Batch) -> bool:
        """Judge a batch, hand on the kept covers, and count them; False if no more are wanted."""
        start = time.perf_counter()
        kept = self.judge(batch)
        self.add(kept.first(self.hand_on(kept)))
        self.seconds += time.perf_counter() - start
        return self.stop is None and not self.has_enough

    @property
    def has_enough(self) -> bool:
        return self.most is not None and self.different >= self.most

    def judge(self, batch: Batch) -> Kept:
        """The covers of a batch that are different solutions, at most as many as are still wanted."""
        starts, members = self.subject.members(batch)
        keep, orbits = self.subject.judge(starts, members)
        kept = Kept(starts, members, orbits, np.flatnonzero(keep))
        return kept.first(None if self.most is None else self.most - self.different)

    def hand_on(self, kept: Kept) -> int:
        """Hand these solutions on, and return how many were taken. This class hands nothing on, and takes all."""
        return len(kept)

    def add(self, kept: Kept) -> None:
        """Count these solutions."""
        self._fingerprint.add(kept.starts, kept.members, kept.rows)
        self.different += len(kept)
        self.total += int(kept.orbits[kept.rows].sum())

    def search(
        self,
        backend: Backend,
        problem: CoverProblem,
        limits: Limits,
        on_progress: OnProgress | None,
    ) -> Found:
        """Let *backend* search *problem*, and take its covers."""
        return self._found(guard.search(backend, problem, self.take, limits, on_progress))

    def _found(self, outcome: Outcome) -> Found:
        statistics = outcome.statistics
        stop = outcome.stop
        if self.stop is not None:
            stop = self.stop
        elif stop is Stop.CANCELLED and self.has_enough:
            stop = Stop.SOLUTION_LIMIT
        waited = 0.0 if _searched_meanwhile(statistics) else self.seconds
        return Found(
            stop,
            self.different,
            self.total,
            statistics.covers,
            statistics.branches,
            statistics.dead_ends,
            statistics.branches_by_level,
            self._fingerprint.hex(),
            statistics.setup_seconds,
            statistics.first_seconds,
            max(0.0, statistics.search_seconds - waited),
            self.seconds,
            statistics.native,
            outcome.backend,
            outcome.notes,
        )


def _searched_meanwhile(statistics: Statistics) -> bool:
    """Whether the search continued while covers were handed over, on other threads."""
    return int(statistics.native.get("threads", 1)) > 1
