"""Write the results of jobs: solutions are verified, stored, and only then shown.

Many solutions of one job are stored in several transactions. Between these the loop looks at the clock and asks the
user. The job stays pending until the last of its solutions is stored.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from latcover.core.cover.problem import Ints
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.searchable import AnySolution, Searchable
from latcover.core.solving.collector import Verified
from latcover.lab.runs.job_search import first_of
from latcover.lab.runs.job_work import Division
from latcover.lab.runs.run_file import PendingJob
from latcover.lab.runs.session import NewSolution, Session
from latcover.lab.runs.thread_crew import Orders, Result

_TRANSACTION = 0.05  # seconds
_SHOWN_AT_ONCE = 100  # solutions, before the clock and the user are asked again
_IMAGES_AT_ONCE = 5  # solutions, if all images are shown: each may have dozens


class _Arrival(Struct):
    """The result of a job, partly written.

    Attributes:
        solutions: Those still to be stored.
        known: Those that the file has already, from a search that was interrupted.
        stop: Why the rest is not stored; None if it is.
    """

    job: PendingJob
    found: SearchResult
    solutions: Iterator[tuple[Ints, int]]
    known: list[bytes] = field(default_factory=list)
    stop: Stop | None = None


class Recorder:
    """Writes results, one transaction at a time.

    Attributes:
        different, covers, share: The figures of the run, as the file has them.
        stop: Why the run has to end, if a result says so.
        failure: The error of a job that failed.
        hurried: Store no more solutions. The next session finds the rest again.
    """

    def __init__(
        self, session: Session, prepared: Searchable[Any], orders: Orders, on_solution: Callable[[Any], None] | None
    ) -> None:
        self.session, self.prepared, self.orders, self.on_solution = session, prepared, orders, on_solution
        figures = session.file.figures()
        self.different, self.covers, self.share = figures.result.different, figures.result.covers, figures.share
        self.stop: Stop | None = None
        self.failure: BaseException | None = None
        self.hurried = False
        self._keeps = session.file.recipe.task == "solve"
        self._verified = Verified(prepared)
        self._knows_searcher = figures.jobs > 0
        self._waiting: deque[Result | _Arrival] = deque()
        self._new: list[tuple[NewSolution, AnySolution]] = []

    @property
    def is_busy(self) -> bool:
        """Whether something is left to write."""
        return bool(self._waiting)

    def put(self, results: Sequence[Result]) -> None:
        """Add results, to be written in this order."""
        self._waiting.extend(results)

    def write(self) -> list[PendingJob]:
        """Write for a short while, in one transaction, and then show the new solutions. Returns new jobs."""
        pieces: list[PendingJob] = []
        until = time.perf_counter() + _TRANSACTION
        with self.session.writing():
            while self._waiting:
                pieces = [*self._write_next(until), *pieces]
                if time.perf_counter() >= until:
                    break
        new, self._new = self._new, []
        if self.on_solution is not None:
            for solution, shown in new:
                self._show(solution, shown)
        return pieces

    def _write_next(self, until: float) -> list[PendingJob]:
        arrival = self._waiting.popleft()
        if not isinstance(arrival, _Arrival):
            job, result = arrival
            if isinstance(result, Division):
                return self._divide(job, result)
            if isinstance(result, BaseException):
                self.failure = self.failure or result
            if not isinstance(result, SearchResult):
                return []
            if self._keeps:
                self._verified.require(result.solutions.starts, result.solutions.members)
            arrival = _Arrival(job, result, iter(result.solutions if self._keeps else ()))
        if self._keeps and not self._store(arrival, until):
            self._waiting.appendleft(arrival)
        else:
            self._record(arrival)
        return []

    def _divide(self, job: PendingJob, division: Division) -> list[PendingJob]:
        self._close(job.share * division.cut.closed)
        self.different -= job.different
        return self.session.divide(job, division.cut, division.expected)

    def _close(self, share: float) -> None:
        """Add to the share that is done. Rounded shares may add up to slightly more than 1."""
        self.share = min(1.0, self.share + share)

    def _store(self, arrival: _Arrival, until: float) -> bool:
        """Store the next solutions of a job. Returns False if some are left for another transaction."""
        most = self.orders.limits.covers
        at_once = _IMAGES_AT_ONCE if self.orders.images else _SHOWN_AT_ONCE
        new: list[NewSolution] = []
        all_stored = True
        for choices, orbit in arrival.solutions:
            if choices.tobytes() in self.session.unsettled:
                arrival.known.append(choices.tobytes())
                continue
            if self.hurried or (most is not None and self.different + len(new) >= most):
                arrival.stop = Stop.CANCELLED if self.hurried else Stop.SOLUTION_LIMIT
                break
            solution = NewSolution(self.session.stored + len(new) + 1, orbit, choices)
            self._new.append((solution, self._verified.shown(choices.tolist(), solution.number, 1, orbit)))
            new.append(solution)
            if time.perf_counter() >= until or (self.on_solution is not None and len(self._new) >= at_once):
                all_stored = False
                break
        if new:
            fresh = self.session.undescribed(np.unique(np.concatenate([s.choices for s in new])).tolist())
            self.session.store(arrival.job, new, {member: self._described(member) for member in sorted(fresh)})
            self.different += len(new)
        return all_stored

    def _record(self, arrival: _Arrival) -> None:
        """Write the figures of a job. Its solutions are stored already."""
        job, found = arrival.job, arrival.found
        if not self._knows_searcher:
            self.session.record_searcher(found)
            self._knows_searcher = True
        if self._keeps:
            found = replace(found, stop=arrival.stop or found.stop)
            if found.complete:
                self.session.settle(job, arrival.known)
            else:  # its solutions are counted as they stand in the file
                found = replace(found, different=0, total=0, digest="0" * 16)
        else:
            found = self._within_limit(job, found)
            if not found.complete and found.different < job.different:
                return
            self.different += found.different - job.different
        self.session.record(job, found)
        self.covers += found.covers
        if found.complete:
            self._close(job.share)
        elif self.stop is None:
            self.stop = found.stop

    def _within_limit(self, job: PendingJob, found: SearchResult) -> SearchResult:
        """The result of a count, cut so that the run stays within its limit of solutions."""
        limit = self.orders.limits.covers
        room = found.different if limit is None else max(0, limit - self.different) + job.different
        return found if found.different <= room else first_of(found, room, self.prepared.n_members)

    def _described(self, member: int) -> str:
        """A placement, or an option of a bare problem, as JSON."""
        return json.dumps(self.prepared.describe(member), separators=(",", ":"))

    def _show(self, solution: NewSolution, shown: AnySolution) -> None:
        assert self.on_solution is not None
        self.on_solution(shown)
        if self.orders.images:
            for images in self.prepared.images(solution.choices[None]):
                self._verified.require_each(images[1:])
                for image, moved in enumerate(images[1:], 2):
                    self.on_solution(self._verified.shown(moved.tolist(), solution.number, image, solution.orbit))
