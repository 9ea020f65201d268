"""Who searches the jobs of a run: here threads of this process, each with one job at a time.

A job that is seen to take long is cut in pieces, which take its place. How long it takes is foretold by the share of
its tree that is done after a tenth of a second; what that costs is lost, but once for each job cut, which makes some
seconds of work.
"""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from latcover.job_search import Found, JobSearcher
from latcover.run_file import PendingJob
from latcover.search import Limits, OnProgress, Progress, Stop
from latcover.subproblem import Cut, Job


@dataclass(frozen=True, slots=True)
class Pace:
    """How large jobs are made.

    Attributes:
        seconds: What a job is to take.
        trial: After so many seconds it is foretold how long it will take.
        most_pieces: Into how many pieces a job is cut at most.
        at_first: Into how many pieces the whole is cut before anything is tried.
    """

    seconds: float = 1.0
    trial: float = 0.1
    most_pieces: int = 64
    at_first: int = 1

    def pieces(self, expected: float | None) -> int:
        """Into how many pieces to cut a job that would take so long."""
        if expected is None:
            return 8
        return max(2, min(self.most_pieces, math.ceil(expected / self.seconds)))


@dataclass(frozen=True, slots=True)
class Division:
    """A job that would take too long, cut in pieces; *expected* is how many seconds, where that could be foretold."""

    cut: Cut
    expected: float | None


@dataclass(frozen=True, slots=True)
class Orders:
    """How to go on with a run.

    Attributes:
        threads: How many jobs are searched at once; None is one for each processor available.
        limits: Of seconds, those of this session; of solutions, all that the run has found, before it too. Without
            one of solutions that of the file holds.
        images: Whether `on_solution` is given all images of each solution.
        pace: How large jobs are made.
    """

    threads: int | None = None
    limits: Limits = field(default_factory=Limits)
    images: bool = False
    pace: Pace = Pace()


Result = tuple[PendingJob, Found | Division | BaseException | None]
"""A job and what came of it: an error too; None where it was not begun."""


class Crew(Protocol):
    """What the loop of a run asks of those who search its jobs, be they threads or processes elsewhere."""

    most: int | None
    """How many solutions one job may find, besides those that it had found before; set as the run goes."""

    def start(self) -> None:
        """Begin to work."""

    def put(self, jobs: Sequence[PendingJob]) -> None:
        """Take jobs to be searched, the first one first, before those that came earlier."""

    def take(self, seconds: float) -> list[Result]:
        """What has come of jobs, each once: waits so long at most, and gives none then."""

    def is_busy(self) -> bool:
        """Whether there is enough to do for a while, so that results may wait to be written together."""

    def stop(self) -> None:
        """Break off: what each job has found until now is given by `take`, and None for those not begun."""

    def dismiss(self) -> None:
        """End all work; what it comes to is given up."""


class _Watch:
    """Follows the search of a job, and ends it when it is to stop, or would take too long."""

    def __init__(self, pace: Pace, stopping: threading.Event, depth: int) -> None:
        self.pace, self.stopping, self.depth = pace, stopping, depth
        self.begun = time.perf_counter()
        self.too_long = False
        self.expected: float | None = None

    def __call__(self, progress: Progress) -> bool:
        if self.stopping.is_set():
            return False
        elapsed = time.perf_counter() - self.begun
        if progress.share is None:  # each generation of pieces has more time, so that little is lost in all
            self.too_long = elapsed > 4 * self.pace.seconds * 2 ** min(self.depth, 20)
        elif elapsed >= self.pace.trial:
            left = elapsed * (1 - progress.share) / max(progress.share, 1e-9)
            self.too_long = left > max(3 * self.pace.seconds, 2 * elapsed)
            self.expected = elapsed + left
        return not self.too_long


class Threads:
    """Threads that search jobs; see `Crew`."""

    def __init__(self, searcher: JobSearcher, orders: Orders) -> None:
        self.searcher, self.orders = searcher, orders
        self.most: int | None = None
        self._todo: queue.LifoQueue[PendingJob | None] = queue.LifoQueue()
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._begun = time.perf_counter()
        names = [f"latcover-job-{k}" for k in range(orders.threads or 1)]
        self._threads = [threading.Thread(target=self._work, name=name, daemon=True) for name in names]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def put(self, jobs: Sequence[PendingJob]) -> None:
        for job in reversed(jobs):
            self._todo.put(job)

    def take(self, seconds: float) -> list[Result]:
        try:
            results = [self._results.get(timeout=seconds)]
        except queue.Empty:
            return []
        while not self._results.empty():
            results.append(self._results.get())
        return results

    def is_busy(self) -> bool:
        return self._todo.qsize() > 4 * len(self._threads)

    def stop(self) -> None:
        self._stopping.set()

    def dismiss(self) -> None:
        self.stop()
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (job := self._todo.get()) is not None:
            try:
                self._results.put((job, None if self._stopping.is_set() else self._search(job)))
            except BaseException as fault:
                self._results.put((job, fault))

    def _search(self, job: PendingJob) -> Found | Division | None:
        pace = self.orders.pace
        if pace.at_first > 1 and job.job == Job() and (division := self._divide(job, pace.at_first, None)):
            return division
        watch = _Watch(pace, self._stopping, len(job.job.chosen))
        found = self._follow(job, watch)
        if found.stop is not Stop.CANCELLED or not watch.too_long:
            return found
        division = self._divide(job, pace.pieces(watch.expected), watch.expected)
        return division or self._follow(job, lambda _: not self._stopping.is_set())

    def _divide(self, job: PendingJob, pieces: int, expected: float | None) -> Division | None:
        """The job in pieces; None where it cannot be cut."""
        cut = self.searcher.tree.cut(job.job, pieces)
        return None if [piece.job for piece in cut.pieces] == [job.job] else Division(cut, expected)

    def _follow(self, job: PendingJob, watch: OnProgress) -> Found:
        seconds = self.orders.limits.seconds
        left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - self._begun))
        most = None if self.most is None else self.most + job.different
        return self.searcher.search(job.job, most, left, watch)
