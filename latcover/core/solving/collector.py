"""Judges, checks and counts the covers of a backend, and turns them into solutions."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.fingerprint import Fingerprint
from latcover.core.cover.judged import JudgedCovers
from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.search import Batch, Limits, OnProgress, SearchTask
from latcover.core.cover.searchable import AnySolution, Searchable
from latcover.core.cover.veto import OptionVeto
from latcover.core.solving import guard
from latcover.errors import InternalError

IMAGES_AT_ONCE = 2048  # checked together

S = TypeVar("S", bound=AnySolution)


class Verified(Generic[S]):
    """Checks covers in batches, and turns them into solutions."""

    def __init__(self, subject: Searchable[S]) -> None:
        self._subject, self._inspector = subject, subject.inspector()
        self.shown = self._inspector.solution  # of a cover that has been checked

    def sound(self, starts: Longs, members: Ints) -> npt.NDArray[np.bool_]:
        """Whether each of these covers is a solution."""
        return self._inspector.sound(starts, members)

    def require(self, starts: Longs, members: Ints) -> None:
        """Check covers in compressed rows.

        Raises:
            InternalError: a cover is not a solution.
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

    def solutions(self, kept: JudgedCovers, number: int) -> Iterator[S]:
        """Kept covers as solutions, numbered from *number*; all are checked before the first is returned."""
        kept = kept.alone()
        self.require(kept.starts, kept.members)
        make, members = self.shown, kept.members.tolist()
        for a, b, orbit in zip(kept.starts.tolist(), kept.starts[1:].tolist(), kept.orbits.tolist(), strict=False):
            yield make(members[a:b], number, 1, orbit)
            number += 1

    def images(self, kept: JudgedCovers, number: int) -> Iterator[list[S]]:
        """The same with all images of each solution, in a list."""
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
    """Judges the covers of a backend, and counts those that it keeps."""

    def __init__(self, subject: Searchable[Any], most: int | None = None) -> None:
        """*most*: the greatest number of different solutions to take; None is no limit."""
        self.subject, self.most = subject, most
        self.different = self.total = 0
        self.stop: Stop | None = None  # why it takes no more covers, if not because it has enough
        self.seconds = 0.0  # spent here; subtracted from the time of the search
        self._fingerprint = Fingerprint(subject.n_members)

    def take(self, batch: Batch) -> bool:
        """Judge a batch, deliver the kept covers and count them; False if no more are wanted."""
        start = time.perf_counter()
        kept = self.judge(batch)
        self.add(kept.first(self.hand_on(kept)))
        self.seconds += time.perf_counter() - start
        return self.stop is None and not self.has_enough

    @property
    def has_enough(self) -> bool:
        return self.most is not None and self.different >= self.most

    def judge(self, batch: Batch) -> JudgedCovers:
        """The covers of a batch that are different solutions, at most as many as are still wanted."""
        starts, members = self.subject.members(batch)
        keep, orbits = self.subject.judge(starts, members)
        kept = JudgedCovers(starts, members, orbits, np.flatnonzero(keep))
        return kept.first(None if self.most is None else self.most - self.different)

    def hand_on(self, kept: JudgedCovers) -> int:
        """Deliver these solutions, and return how many were taken. This class only counts, so it takes all."""
        return len(kept)

    def add(self, kept: JudgedCovers) -> None:
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
    ) -> SearchResult:
        """Let *backend* search *problem*, and take its covers."""
        task = SearchTask(problem, self.take, limits, on_progress, self._veto_of(problem))
        return self._judged(guard.search(backend, task))

    def _veto_of(self, problem: CoverProblem) -> OptionVeto | None:
        """The veto, if the options of *problem* are those that it knows; a job has some of them only."""
        return self.subject.option_veto if problem is self.subject.problem else None

    def _judged(self, result: SearchResult) -> SearchResult:
        """The backend's result with the numbers of the judged covers."""
        figures, stop = result.figures, result.stop
        if self.stop is not None:
            stop = self.stop
        elif stop is Stop.CANCELLED and self.has_enough:
            stop = Stop.SOLUTION_LIMIT
        waited = 0.0 if _searched_meanwhile(figures) else self.seconds
        return replace(
            result,
            stop=stop,
            figures=replace(
                figures, search_seconds=max(0.0, figures.search_seconds - waited), check_seconds=self.seconds
            ),
            different=self.different,
            total=self.total,
            digest=self._fingerprint.hex(),
        )


def _searched_meanwhile(figures: SearchFigures) -> bool:
    """Whether the search went on in other threads while covers were judged."""
    return int(figures.native.get("threads", 1)) > 1
