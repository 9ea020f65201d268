"""The crew of a run searches its jobs. Here it is threads of this process, each with one job at a time."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from latcover.cover.search import Limits
from latcover.errors import UnsupportedError, counted
from latcover.runs.file import PendingJob
from latcover.runs.job_search import JobSearcher
from latcover.runs.job_work import Division, Pace, Terms, work_on
from latcover.solving.answer import Found


@dataclass(frozen=True, slots=True)
class Orders:
    """How to continue a run.

    Attributes:
        threads: How many jobs are searched at once; None means one for each available processor. An existing
            cluster has its own number.
        limits: Of seconds, those of this session; of solutions, all that the run has found, before it too. Without
            one of solutions that of the file holds.
        images: Whether `on_solution` is given all images of each solution.
        pace: How large jobs are made.
        cluster: Who searches: threads of this process (""), processes of a cluster that is made for it ("local"), or
            those of the Dask cluster at this address.
    """

    threads: int | None = None
    limits: Limits = field(default_factory=Limits)
    images: bool = False
    pace: Pace = field(default_factory=Pace)
    cluster: str = ""


Result = tuple[PendingJob, Found | Division | BaseException | None]
"""A job and its result, which may be an error; None if the job was not begun."""


class Crew(Protocol):
    """The protocol of those who search the jobs of a run: threads here, or processes elsewhere."""

    most: int | None
    """How many solutions one job may find, besides those that it had found before; set as the run goes."""

    @property
    def size(self) -> int:
        """How many jobs are searched at once; known after `start`."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should be told."""

    def start(self) -> None:
        """Begin to work.

        Raises:
            LatcoverError: it cannot begin, and nothing has to be cleaned up.
        """

    def put(self, jobs: Sequence[PendingJob]) -> None:
        """Add jobs. They are searched in this order, and before the jobs that were added earlier."""

    def take(self, seconds: float) -> list[Result]:
        """The new results, each once. Waits for *seconds* at most, and then returns none.

        Raises:
            LatcoverError: nothing more will come.
        """

    def is_busy(self) -> bool:
        """Whether there is enough to do for a while, so that results may wait to be written together."""

    def stop(self) -> None:
        """Stop all searches. `take` then returns what each job has found, and None for jobs that were not begun."""

    def dismiss(self) -> None:
        """End all work, and drop its results."""


class Threads:
    """Threads that search jobs; see `Crew`."""

    notes: tuple[str, ...] = ()

    def __init__(self, searcher: JobSearcher, orders: Orders) -> None:
        self.searcher, self.orders = searcher, orders
        self.most: int | None = None
        self._todo: queue.LifoQueue[PendingJob | None] = queue.LifoQueue()
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        self._room = threading.Condition()  # of how many solutions wait in the results, and of the end
        self._held = 0
        self._dismissed = False
        self._stopping = threading.Event()
        self._begun = time.perf_counter()
        self._threads: list[threading.Thread] = []

    @property
    def size(self) -> int:
        return len(self._threads)

    def start(self) -> None:
        wanted = self.orders.threads or 1
        for k in range(wanted):
            thread = threading.Thread(target=self._work, name=f"latcover-job-{k}", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # the system gives no more
                if not self._threads:
                    raise UnsupportedError("the system starts no thread for the search; end other programs") from None
                self.notes = (f"{counted(k, 'thread')} instead of {wanted:,}: the system starts no more",)
                return
            self._threads.append(thread)

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
        with self._room:
            self._held -= sum(_solutions_in(result) for _, result in results)
            self._room.notify_all()
        return results

    def is_busy(self) -> bool:
        return self._todo.qsize() > 4 * len(self._threads)

    def stop(self) -> None:
        self._stopping.set()

    def dismiss(self) -> None:
        self.stop()
        with self._room:
            self._dismissed = True
            self._room.notify_all()
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (job := self._todo.get()) is not None:
            try:
                self._hand_over(job, None if self._stopping.is_set() else self._search(job))
            except BaseException as fault:
                self._results.put((job, fault))

    def _hand_over(self, job: PendingJob, result: Found | Division | None) -> None:
        """Give a result to the writer. Wait while it has many solutions to write."""
        with self._room:
            self._room.wait_for(lambda: self._held < self.orders.pace.most_solutions or self._dismissed)
            self._held += _solutions_in(result)
        self._results.put((job, result))

    def _search(self, job: PendingJob) -> Found | Division:
        terms = terms_of(job, self.orders, self.most, self._begun)
        return work_on(self.searcher, job.job, terms, self._stopping)


def _solutions_in(result: Found | Division | BaseException | None) -> int:
    return len(result.solutions) if isinstance(result, Found) else 0


def terms_of(job: PendingJob, orders: Orders, most: int | None, begun: float) -> Terms:
    """The terms of a job that is begun now. The crew began at *begun*, in seconds of `perf_counter`."""
    seconds = orders.limits.seconds
    left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - begun))
    return Terms(orders.pace, None if most is None else most + job.different, left)
