"""The crew that searches the jobs of a run. Here it is threads of this process, each with one job at a time."""

from __future__ import annotations

import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence

from msgspec import Struct, field

from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Limits
from latcover.errors import UnsupportedError, counted
from latcover.lab.runs.job_search import JobSearcher
from latcover.lab.runs.job_work import Division, Pace, Terms, work_on
from latcover.lab.runs.run_file import PendingJob
from latcover.system.queues import take


class Orders(Struct, frozen=True):
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


Result = tuple[PendingJob, SearchResult | Division | BaseException | None]
"""A job and its result, which may be an error; None if the job was not begun."""


class Crew(ABC):
    """Searches the jobs of a run: by threads here, or by processes elsewhere.

    Attributes:
        size: How many jobs are searched at once; known after `start`.
        most: How many solutions one job may find, besides those that it had found before; set as the run goes.
        notes: Notes for the user.
    """

    def __init__(self, orders: Orders) -> None:
        self.orders, self.size = orders, 0
        self.most: int | None = None
        self.notes: tuple[str, ...] = ()
        self._begun = time.perf_counter()

    def terms(self, job: PendingJob) -> Terms:
        """The terms of a job that is started now."""
        seconds = self.orders.limits.seconds
        left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - self._begun))
        return Terms(self.orders.pace, None if self.most is None else self.most + job.different, left)

    @abstractmethod
    def start(self) -> None:
        """Begin to work.

        Raises:
            LatcoverError: it cannot begin, and nothing has to be cleaned up.
        """

    @abstractmethod
    def put(self, jobs: Sequence[PendingJob]) -> None:
        """Add jobs. They are searched in this order, and before the jobs that were added earlier."""

    @abstractmethod
    def take(self, seconds: float) -> list[Result]:
        """Wait at most *seconds* for new results, and return them, each once.

        Raises:
            LatcoverError: nothing more will come.
        """

    @abstractmethod
    def is_busy(self) -> bool:
        """Whether there is enough to do for a while, so that results may wait to be written together."""

    @abstractmethod
    def stop(self) -> None:
        """Stop all searches. `take` then returns what each job has found, and None for jobs that were not begun."""

    @abstractmethod
    def dismiss(self) -> None:
        """End all work, and drop its results."""


class Threads(Crew):
    """Threads that search jobs."""

    def __init__(self, searcher: JobSearcher, orders: Orders) -> None:
        super().__init__(orders)
        self.searcher = searcher
        self._todo: queue.LifoQueue[PendingJob | None] = queue.LifoQueue()
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        self._room = threading.Condition()  # guards `_held`, the solutions in the results, and `_dismissed`
        self._held = 0
        self._dismissed = False
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []

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
            self.size = len(self._threads)

    def put(self, jobs: Sequence[PendingJob]) -> None:
        for job in reversed(jobs):
            self._todo.put(job)

    def take(self, seconds: float) -> list[Result]:
        try:
            results = [take(self._results, seconds)]
        except queue.Empty:
            return []
        while not self._results.empty():
            results.append(self._results.get())
        with self._room:
            self._held -= sum(solutions_in(result) for _, result in results)
            self._room.notify_all()
        return results

    def is_busy(self) -> bool:
        return self._todo.qsize() > 4 * self.size

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
                stopped = self._stopping.is_set()
                result = None if stopped else work_on(self.searcher, job.job, self.terms(job), self._stopping)
                self._hand_over(job, result)
            except BaseException as fault:
                self._results.put((job, fault))

    def _hand_over(self, job: PendingJob, result: SearchResult | Division | None) -> None:
        """Give a result to the writer. Wait while it has many solutions to write."""
        with self._room:
            self._room.wait_for(lambda: self._held < self.orders.pace.most_solutions or self._dismissed)
            self._held += solutions_in(result)
        self._results.put((job, result))


def solutions_in(result: SearchResult | Division | BaseException | None) -> int:
    """How many solutions the result of a job holds."""
    return len(result.solutions) if isinstance(result, SearchResult) else 0
