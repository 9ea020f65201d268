"""Batch the jobs of a cluster, and choose how large jobs should be."""

from __future__ import annotations

import math

from msgspec.structs import replace

from latcover.core.cover.result import SearchResult
from latcover.lab.runs.job_work import Division, Pace
from latcover.lab.runs.run_file import PendingJob

MOST_SECONDS = 600.0  # of a job: lost when a worker or the run dies
BATCHES_A_SECOND = 50  # easy for one scheduler and one writer: a fourth of what Dask can do at 5 ms each
LEFT_FOR_EACH = 16  # jobs for each worker, so that the last ones are short
MOST_JOBS = 500  # in a batch


class Batches:
    """The stack of waiting jobs, and the batches that workers search.

    It estimates how long jobs take from the times and the shares of those that are done.
    """

    def __init__(self) -> None:
        self._waiting: list[PendingJob] = []
        self._out: dict[int, list[PendingJob]] = {}
        self._number = 0
        self._share_left = self._share_done = 0.0
        self._seconds = 0.0
        self._foretold = self._taken = 0.0  # seconds of the jobs whose time was predicted

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def put(self, job: PendingJob) -> None:
        """Add a waiting job. The last one is handed out first."""
        self._waiting.append(job)
        self._share_left += job.share

    def given_up(self) -> list[PendingJob]:
        """Remove all waiting jobs, and return them."""
        waiting, self._waiting = self._waiting, []
        return waiting

    def next(self, pace: Pace, workers: int) -> tuple[int, list[PendingJob]]:
        """The next batch and its number: about one job's time of work, but not the share of other workers."""
        room = min(MOST_JOBS, math.ceil(len(self._waiting) / workers))
        batch: list[PendingJob] = []
        seconds = 0.0
        while self._waiting and len(batch) < room and seconds < pace.seconds:
            batch.append(self._waiting.pop())
            seconds += self._expected(batch[-1], pace)
        self._number += 1
        self._out[self._number] = batch
        return self._number, batch

    def taken(self, number: int) -> list[PendingJob]:
        """The jobs of a batch that came back or was lost."""
        batch = self._out.pop(number)
        self._share_left -= sum(job.share for job in batch)
        return batch

    def learn(self, job: PendingJob, result: SearchResult | Division) -> None:
        """Learn from the result of a job."""
        if not isinstance(result, SearchResult):
            self._share_done += job.share * result.cut.closed
            return
        seconds = result.figures.search_seconds + result.figures.check_seconds
        self._seconds += seconds
        self._share_done += job.share if result.complete else 0.0
        if job.expected is not None:
            self._foretold += job.expected
            self._taken += seconds

    def _expected(self, job: PendingJob, pace: Pace) -> float:
        """The expected seconds of a job; if nothing is known, the time that a job should take."""
        if job.expected is None:
            return pace.seconds
        factor = self._taken / self._foretold if self._foretold > 0 else 1.0
        return job.expected * min(max(factor, 0.01), 100.0)

    def pace(self, requested: Pace, workers: int) -> Pace:
        """How large jobs should be: as large as the remaining work allows, so that they are few."""
        least = max(requested.seconds, workers / BATCHES_A_SECOND)
        seconds = least
        if self._share_done > 0:
            left = self._seconds * self._share_left / self._share_done
            seconds = min(max(left / (workers * LEFT_FOR_EACH), least), max(MOST_SECONDS, least))
        return replace(requested, seconds=seconds, trial=max(requested.trial, seconds / 100))
