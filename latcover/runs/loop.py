"""The loop of a run: it hands out jobs, writes what comes of them, keeps the limits and tells of progress.

The calling thread alone writes. Results that come close together are written in one transaction.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from latcover.cover.search import OnProgress, Progress, Stop
from latcover.cover.searchable import Searchable
from latcover.runs.crew import Crew, Orders, Result
from latcover.runs.file import PendingJob
from latcover.runs.job_search import first_of
from latcover.runs.job_work import Division
from latcover.runs.session import NewSolution, Session
from latcover.solving.answer import Found
from latcover.solving.collector import verified
from latcover.solving.run import BETWEEN_REPORTS


@dataclass(slots=True)
class _Tally:
    """What the calling thread knows of the run without asking the file."""

    different: int
    covers: int
    share: float
    shown: list[NewSolution] = field(default_factory=list)

    def close(self, share: float) -> None:
        """This much more of the tree is done; the shares of many jobs may be rounded to a little more than all."""
        self.share = min(1.0, self.share + share)


class Loop:
    """The calling thread's part: it hands out jobs, writes results, keeps the limits and tells of progress."""

    def __init__(
        self,
        session: Session,
        prepared: Searchable[Any],
        crew: Crew,
        orders: Orders,
        on_solution: Callable[[Any], None] | None,
    ) -> None:
        self.session, self.orders, self.on_solution = session, orders, on_solution
        self.prepared, self.crew = prepared, crew
        self.keeps = session.file.recipe.task == "solve"
        self.verify = verified(prepared)
        self.begun = time.perf_counter()
        self.before = sum(earlier["seconds"] for earlier in session.file.sessions())  # as the share is of all sessions
        figures = session.file.figures()
        self.tally = _Tally(figures.different, figures.covers, figures.share)
        self.knows_searcher = figures.jobs > 0
        self.stop: Stop | None = None
        self.failure: BaseException | None = None

    def run(self, on_progress: OnProgress | None) -> Stop:
        """Work until all is done, or a limit is met."""
        self._keep_limits()
        pending = self.session.file.pending() if self.stop is None else []
        self.crew.put(pending)
        left = len(pending)
        reported = written = time.perf_counter()
        self.crew.start()
        try:
            self.session.employ(self.crew.size)
            while left:
                results = self._gather(written)
                if results:
                    left += self._take(results) - len(results)
                    written = time.perf_counter()
                self.session.keep_alive()
                self._keep_limits()
                now = time.perf_counter()
                if on_progress and self.stop is None and now - reported >= BETWEEN_REPORTS:
                    reported = now
                    spent = self.before + now - self.begun
                    if not on_progress(Progress(self.tally.share, None, self.tally.covers, spent)):
                        self._end(Stop.CANCELLED)
        finally:
            self.crew.dismiss()
        if self.failure is not None:
            raise self.failure
        return self.stop or Stop.EXHAUSTED

    def _end(self, why: Stop) -> None:
        if self.stop is None:
            self.stop = why
        self.crew.stop()

    def _keep_limits(self) -> None:
        limits = self.orders.limits
        if limits.covers is not None:
            self.crew.most = max(0, limits.covers - self.tally.different) + len(self.session.unsettled)
            if self.tally.different >= limits.covers:
                self._end(Stop.SOLUTION_LIMIT)
        if limits.seconds is not None and time.perf_counter() - self.begun >= limits.seconds:
            self._end(Stop.TIME_LIMIT)

    def _gather(self, written: float) -> list[Result]:
        """The results that have come; while there is enough to do, some together in one transaction."""
        results = self.crew.take(BETWEEN_REPORTS)
        wait = written + BETWEEN_REPORTS - time.perf_counter()
        if results and wait > 0 and self.crew.is_busy():
            time.sleep(wait)
            results += self.crew.take(0)
        return results

    def _take(self, results: list[Result]) -> int:
        """Write results, and hand out the jobs that come of them: how many of these there are."""
        pieces: list[PendingJob] = []
        with self.session.writing():
            for job, result in results:
                if isinstance(result, Division):
                    pieces = [*self._divide(job, result), *pieces]
                elif isinstance(result, Found):
                    self._record(job, result)
                elif result is not None:
                    self.failure = self.failure or result
                    self.crew.stop()
        shown, self.tally.shown = self.tally.shown, []
        for solution in shown:
            self._show(solution)
        self.crew.put(pieces)
        return len(pieces)

    def _divide(self, job: PendingJob, division: Division) -> list[PendingJob]:
        self.tally.close(job.share * division.cut.closed)
        self.tally.different -= job.different
        return self.session.divide(job, division.cut, division.expected)

    def _record(self, job: PendingJob, found: Found) -> None:
        if not self.knows_searcher:
            self.session.record_searcher(found)
            self.knows_searcher = True
        found = self._within_limit(job, found)
        if self.keeps:
            self._store(job, found)
            if not found.complete:  # its solutions are counted as they stand in the file
                found = dataclasses.replace(found, different=0, total=0, digest="0" * 16)
        elif not found.complete and found.different < job.different:
            return
        else:
            self.tally.different += found.different - job.different
        self.session.record(job, found)
        if not found.complete:
            self._end(found.stop)
        self.tally.covers += found.covers
        if found.complete:
            self.tally.close(job.share)

    def _within_limit(self, job: PendingJob, found: Found) -> Found:
        """What was found, cut so that the run keeps no more solutions than are wanted."""
        limit = self.orders.limits.covers
        if limit is None:
            return found
        room = max(0, limit - self.tally.different)
        if not self.keeps:
            room += job.different
            return found if found.different <= room else first_of(found, room, self.prepared.n_members)
        new = [k for k, (choices, _) in enumerate(found.solutions) if choices.tobytes() not in self.session.unsettled]
        return found if len(new) <= room else first_of(found, new[room], self.prepared.n_members)

    def _store(self, job: PendingJob, found: Found) -> None:
        """Store the solutions that are new, and settle those that were stored before."""
        unsettled = self.session.unsettled
        new: list[NewSolution] = []
        old: list[bytes] = []
        for choices, orbit in found.solutions:
            if choices.tobytes() in unsettled:
                old.append(choices.tobytes())
            else:
                new.append(NewSolution(self.session.stored + len(new) + 1, orbit, choices))
        for solution in new:
            self.verify(solution.choices, solution.number, 1, solution.orbit)
        fresh = self.session.undescribed(np.unique(np.concatenate([s.choices for s in new])).tolist() if new else ())
        self.session.store(job, new, {member: self._described(member) for member in sorted(fresh)})
        if found.complete:
            self.session.settle(job, old)
        self.tally.different += len(new)
        if self.on_solution:
            self.tally.shown += new

    def _described(self, member: int) -> str:
        """A placement, or an option of a bare problem, as JSON."""
        return json.dumps(self.prepared.describe(member), separators=(",", ":"))

    def _show(self, solution: NewSolution) -> None:
        assert self.on_solution is not None
        images = self.prepared.images(solution.choices) if self.orders.images else [solution.choices]
        for image, moved in enumerate(images, 1):
            self.on_solution(self.verify(moved, solution.number, image, solution.orbit))
