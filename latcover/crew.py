"""Those who search the jobs of a run, and the one in this process: threads."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

from latcover.job_search import Found, JobSearcher
from latcover.job_work import Division, Pace, Terms, work_on
from latcover.run_file import PendingJob

Result = tuple[PendingJob, Found | Division | BaseException | None]  # None: it was not searched


@dataclass(slots=True)
class Wanted:
    """What is wanted of jobs from now on; changed while a crew works.

    Attributes:
        pace: How large jobs are made.
        most: How many solutions one job may find, besides those that it is known to hold; None is no limit.
        until: When to stop, on the clock of `time.perf_counter`; None for when all is done.
    """

    pace: Pace
    most: int | None = None
    until: float | None = None

    def terms(self, job: PendingJob) -> Terms:
        """The terms for one job that is taken up now."""
        most = None if self.most is None else self.most + job.different
        seconds = None if self.until is None else max(0.0, self.until - time.perf_counter())
        return Terms(self.pace, most, seconds)


class Crew(Protocol):
    """Searches jobs, many at once; to be used in a `with` statement, at whose end it goes away and leaves nothing."""

    wanted: Wanted

    @property
    def size(self) -> int:
        """How many jobs are searched at once."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should be told."""

    def put(self, job: PendingJob) -> None:
        """Ask for one more job; the one that came last is searched first."""

    def take(self, seconds: float) -> list[Result]:
        """The results that have come; waits for the first one, but no longer than this.

        Raises:
            LatcoverError: no more results will come.
        """

    def has_plenty(self) -> bool:
        """Whether it will be busy for some time without being given more."""

    def stop(self) -> None:
        """End all searches soon: each job that was put and not taken comes back with what was found, or with None."""

    def __enter__(self) -> Crew: ...
    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None: ...


class Threads:
    """Threads of this process; the kernels search without the interpreter's lock."""

    notes: tuple[str, ...] = ()

    def __init__(self, searcher: JobSearcher, wanted: Wanted, size: int) -> None:
        self.searcher, self.wanted = searcher, wanted
        self._todo: queue.LifoQueue[PendingJob | None] = queue.LifoQueue()
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._work, name=f"latcover-job-{k}", daemon=True) for k in range(size)
        ]

    @property
    def size(self) -> int:
        return len(self._threads)

    def put(self, job: PendingJob) -> None:
        self._todo.put(job)

    def take(self, seconds: float) -> list[Result]:
        try:
            results = [self._results.get(timeout=seconds)] if seconds > 0 else []
        except queue.Empty:
            return []
        while not self._results.empty():
            results.append(self._results.get())
        return results

    def has_plenty(self) -> bool:
        return self._todo.qsize() > 4 * self.size

    def stop(self) -> None:
        self._stopping.set()

    def __enter__(self) -> Threads:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End all threads; what they are at is given up."""
        self._stopping.set()
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (job := self._todo.get()) is not None:
            try:
                stopping = self._stopping
                found = None if stopping.is_set() else work_on(self.searcher, job.job, self.wanted.terms(job), stopping)
                self._results.put((job, found))
            except BaseException as fault:
                self._results.put((job, fault))
