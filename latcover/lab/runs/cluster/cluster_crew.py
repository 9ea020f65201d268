"""A crew of workers on a Dask cluster: a local one that is started here, or an existing one.

Only this process writes the run's file. It hands out batches of jobs. Dask finds workers for them, and gives a batch to
another worker when one dies. A batch is at least a second of work, because Dask takes some milliseconds for each. Each
batch is counted once; results that are no longer awaited are dropped.
"""

from __future__ import annotations

import asyncio
import queue
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import Any

from msgspec.structs import replace

from latcover.errors import ClusterError, LatcoverError, counted
from latcover.lab.runs.cluster import cluster_worker
from latcover.lab.runs.cluster.batches import Batches
from latcover.lab.runs.cluster.cluster_messages import PackedRun, packed, result_in
from latcover.lab.runs.cluster.connection import WITHOUT_WORKERS, connected, first_line
from latcover.lab.runs.cluster.connection import dask as library
from latcover.lab.runs.run_file import PendingJob
from latcover.lab.runs.thread_crew import Crew, Orders, Result
from latcover.system.queues import take

_TO_STOP = 10.0
_BETWEEN_LOOKS = 2.0  # seconds between two looks at the workers
_TRIES = 3  # how often Dask may give a job up because its workers died


class Cluster(Crew):
    """Workers on a Dask cluster. Those of a local cluster are processes of this machine, which end with it."""

    def __init__(self, packed_run: PackedRun, session: int, orders: Orders) -> None:
        """*session* is the number of the run's session: it tells its batches from those of earlier ones."""
        super().__init__(orders)
        self._packed_run, self._session = packed_run, session
        self._address = orders.cluster
        self.client: Any = None
        self._batches = Batches()
        self._came: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        self._futures: dict[int, Any] = {}
        self._refused: dict[str, str] = {}  # workers, and why
        self._deaths: dict[int, int] = {}  # of workers, by job
        self._stop_by: float | None = None
        self._looked = self._seen = time.perf_counter()
        self._lost_it = False
        self._closing = ExitStack()

    def start(self) -> None:
        try:
            self._connect()
        except BaseException:
            self._closing.close()
            raise

    def dismiss(self) -> None:
        try:
            if self._futures and self._stop_by is None and not self._lost_it:
                with suppress(Exception):  # a worker that is not reached ends with its batch
                    self.client.run(cluster_worker.stop, self._packed_run.key, self._session, on_error="ignore")
        finally:
            self._closing.close()

    def _connect(self) -> None:
        self.client = self._closing.enter_context(connected(self._address, self.orders.threads or 1))
        self._look()
        # A task, not data: Dask computes it again when all who hold it have died.
        self._packed = self.client.submit(bytes, self._packed_run.content, key=f"{self._prefix}-run")
        with suppress(Exception):  # else those who lack it fetch it when they need it
            self.client.replicate([self._packed])

    @property
    def _prefix(self) -> str:
        return f"latcover-{self._packed_run.key}-{self._session}"

    def put(self, jobs: Sequence[PendingJob]) -> None:
        for job in reversed(jobs):
            self._batches.put(job)

    def is_busy(self) -> bool:
        return self._batches.waiting > 4 * self.size

    def stop(self) -> None:
        if self._stop_by is None:
            self._stop_by = time.perf_counter() + _TO_STOP
            if self.client is not None:
                self.client.loop.add_callback(self._tell_to_stop)

    async def _tell_to_stop(self) -> None:
        with suppress(Exception):  # a worker that is not reached ends with its batch
            await self.client.run(cluster_worker.stop, self._packed_run.key, self._session, on_error="ignore")

    def take(self, seconds: float) -> list[Result]:
        if self._stop_by is not None:
            results: list[Result] = [(job, None) for job in self._batches.given_up()]
            if time.perf_counter() > self._stop_by:
                results += [(job, None) for number in list(self._futures) for job in self._taken(number)]
            if results:
                return results
        else:
            self._look()
            self._hand_out()
        came = []
        with suppress(queue.Empty):
            came.append(take(self._came, seconds))
            while True:
                came.append(self._came.get_nowait())
        return [result for number, outcome in came for result in self._results(number, outcome)]

    def _hand_out(self) -> None:
        """Give the cluster two batches for each worker: one to search, and the next one."""
        pace = self._batches.pace(self.orders.pace, self.size)
        while self._batches.waiting and len(self._futures) < 2 * self.size:
            number, jobs = self._batches.next(pace, self.size)
            message = packed([(job.job, replace(self.terms(job), pace=pace)) for job in jobs])
            future = self.client.submit(
                cluster_worker.search_batch,
                self._packed,
                self._packed_run.key,
                self._session,
                message,
                key=(self._prefix, number),
                workers=self._accepted if self._refused else None,
                pure=False,
            )
            self._futures[number] = future
            self.client.loop.add_callback(self._follow, number, future)

    async def _follow(self, number: int, future: Any) -> None:
        """Wait for the result of a batch, in Dask's own thread."""
        try:
            outcome: Any = await future
        except asyncio.CancelledError:
            raise
        except BaseException as fault:
            outcome = fault
        self._came.put((number, outcome))

    def _look(self) -> None:
        """Update the list of workers.

        Raises:
            ClusterError: the scheduler is gone, or there has been no worker for long.
        """
        now = time.perf_counter()
        if self.client.status != "running":
            raise self._lost()
        if now - self._looked < _BETWEEN_LOOKS and self.size:
            return
        self._looked = now
        try:
            threads = self.client.nthreads()
        except Exception:
            raise self._lost() from None
        self._accepted = [address for address in threads if address not in self._refused]
        self.size = max(1, sum(threads[address] for address in self._accepted))
        if self._accepted:
            self._seen = now
        elif self._refused and threads:
            address, reason = next(iter(self._refused.items()))
            raise ClusterError(f"no worker of {self._address} can search for this run; {address}: {reason}")
        elif now - self._seen > WITHOUT_WORKERS:
            raise ClusterError(
                f"the cluster at {self._address} has had no worker for {WITHOUT_WORKERS:.0f} s; start some, and resume "
                "with `latcover runs resume`: what was recorded is kept"
            )

    def _lost(self) -> ClusterError:
        self._lost_it = True
        return ClusterError(
            f"the Dask scheduler at {self._address} is gone, or cannot be reached any more; what was recorded is kept: "
            f"when it is back, resume with `latcover runs resume FILE --cluster {self._address}`"
        )

    def _taken(self, number: int) -> list[PendingJob]:
        """The jobs of a batch, which is no longer awaited."""
        self._futures.pop(number).release()
        return self._batches.taken(number)

    def _results(self, number: int, outcome: cluster_worker.BatchResult | BaseException) -> list[Result]:
        """The results of a batch. Jobs that were not begun, or whose worker died, wait again."""
        if number not in self._futures:
            return []
        jobs = self._taken(number)
        if isinstance(outcome, BaseException):
            return self._after_fault(jobs, outcome)
        if "refused" in outcome:
            self._refused[outcome["worker"]] = outcome["refused"]
            self.notes = tuple(f"worker {one} took no part: {reason}" for one, reason in sorted(self._refused.items()))
            self._looked = 0.0
            return self._again(jobs)
        results: list[Result] = []
        for job, message in zip(jobs, outcome["results"], strict=True):
            if message is None:
                results += self._again([job])
            else:
                result = result_in(message)
                self._batches.learn(job, result)
                results.append((job, result))
        return results

    def _again(self, jobs: list[PendingJob]) -> list[Result]:
        if self._stop_by is not None:
            return [(job, None) for job in jobs]
        self.put(jobs)
        return []

    def _after_fault(self, jobs: list[PendingJob], fault: BaseException) -> list[Result]:
        dask = library()
        if self._stop_by is not None and isinstance(fault, dask.CancelledError):
            return [(job, None) for job in jobs]
        if isinstance(fault, dask.CancelledError):
            raise self._lost()
        if isinstance(fault, dask.KilledWorker):
            for job in jobs:
                self._deaths[job.id] = self._deaths.get(job.id, 0) + 1
                if self._deaths[job.id] >= _TRIES:
                    raise _deadly(job, fault)
            return self._again(jobs)
        if isinstance(fault, LatcoverError):
            return [(job, fault) for job in jobs]
        raise ClusterError(
            f"a worker failed: {type(fault).__name__}: {first_line(fault)}; every worker must have latcover and the "
            "packages it needs, in the same versions as here"
        )


def _deadly(job: PendingJob, fault: Any) -> ClusterError:
    deaths = counted(_TRIES * (fault.allowed_failures + 1), "worker")
    return ClusterError(
        f"{deaths} died at job {job.id}, the last one at {fault.last_worker.address}; if they lack memory, start fewer "
        "on a machine, and resume with `latcover runs resume`"
    )
