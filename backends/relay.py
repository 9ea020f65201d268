"""Runs other people's solvers: the solver finds covers in a thread of its own, and the calling thread hands them on.

The calling thread keeps the limits, reports progress and notices Ctrl-C, even while the solver is busy. The threads
share no lock of Python's: an interrupt may come between any two instructions, and would leave the lock locked.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from msgspec import Struct

from latcover.core.cover.problem import Ints
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.search import Batch, Progress, SearchTask
from latcover.errors import BackendFailedError
from latcover.system.queues import take

LARGEST_BATCH = 4096  # covers
OLDEST_BATCH = 0.1  # seconds
BETWEEN_PROGRESS = 0.05  # seconds
NAP = 0.002  # seconds between two looks at a batch that fills up; waking for every cover would slow the solver down
MOST_AHEAD = 1 << 20  # options of covers that wait for the receiver; each cover counts _OVERHEAD options more
_OVERHEAD = 32


class Finder(Protocol):
    """A solver at work on one problem."""

    @property
    def figures(self) -> Mapping[str, Any]:
        """Figures that only this solver has; complete when `find` has ended."""

    def find(self, outbox: Outbox) -> bool:
        """Put every cover into *outbox*, once each, until one is refused; True if no cover is left.

        Runs in a thread of its own.
        """

    def stop(self) -> None:
        """Make `find` return soon. Another thread calls this, again and again until `find` has returned."""


class _End(Struct, frozen=True):
    """The last message of a solver's thread."""

    exhausted: bool = False
    error: BaseException | None = None


class Outbox:
    """Carries covers from the solver's thread to the calling thread. It holds few, so that memory is bounded.

    Attributes:
        closed: Whether no more covers are wanted.
        ready_at: The time at which the problem had been set up.
        first_at: The time at which the first cover was found.
    """

    def __init__(self, most: int | None = None) -> None:
        self.closed = False
        self.ready_at: float | None = None
        self.first_at: float | None = None
        self._most = most
        self._count = 0
        self._sent = 0  # only the solver's thread changes it
        self._taken = 0  # only the calling thread changes it
        self._queue: queue.SimpleQueue[Ints | _End] = queue.SimpleQueue()

    def ready(self) -> None:
        """Say that the problem has been set up, and the search begins."""
        self.ready_at = time.perf_counter()

    def put(self, cover: Ints) -> bool:
        """Send a cover, or wait until there is room for it; False when no more are wanted."""
        if self.first_at is None:
            self.first_at = time.perf_counter()
        while self._sent - self._taken > MOST_AHEAD and not self.closed:
            time.sleep(NAP)
        self._sent += len(cover) + _OVERHEAD
        self._count += 1
        self._queue.put(cover)
        return not self.closed and self._count != self._most

    def end(self, end: _End) -> None:
        """Send the last message."""
        self._queue.put(end)

    def take(self, seconds: float) -> Ints | _End | None:
        """Receive a cover or the last message; None if nothing comes for *seconds*."""
        try:
            taken = take(self._queue, seconds)
        except queue.Empty:
            return None
        if not isinstance(taken, _End):
            self._taken += len(taken) + _OVERHEAD
        return taken

    def is_empty(self) -> bool:
        """Whether no cover or message waits."""
        return self._queue.empty()


class _Delivery:
    """The work of the calling thread: it gathers covers in batches, and keeps the limits."""

    def __init__(self, task: SearchTask) -> None:
        self._on_covers, self._limits, self._on_progress = task.on_covers, task.limits, task.on_progress
        self.start = time.perf_counter()
        self.covers = 0
        self._batch: list[Ints] = []
        self._batch_since = 0.0
        self._capacity = 1  # doubles: the first cover is handed over at once
        self._progress_since = 0.0

    def stop_at_once(self) -> Stop | None:
        """The limit that is met before the search begins, if any."""
        if self._limits.covers is not None and self._limits.covers <= 0:
            return Stop.SOLUTION_LIMIT
        if self._limits.seconds is not None and self._limits.seconds <= 0:
            return Stop.TIME_LIMIT
        return None

    def run(self, outbox: Outbox) -> Stop:
        """Hand covers on until the solver ends or must end."""
        stop: Stop | None = None
        while stop is None:
            if self._batch and outbox.is_empty():
                time.sleep(NAP)
            taken = outbox.take(self._patience())
            if isinstance(taken, _End):
                stop = self._last(taken)
                self._flush()  # the search is done, even if the last batch is refused
            else:
                stop = self._go_on(taken)
        if self._batch:
            self._flush()
        return stop

    def _seconds(self) -> float:
        return time.perf_counter() - self.start

    def _patience(self) -> float:
        """Seconds until something is due."""
        now = self._seconds()
        due = [self._progress_since + BETWEEN_PROGRESS - now, BETWEEN_PROGRESS]
        if self._batch:
            due.append(self._batch_since + OLDEST_BATCH - now)
        if self._limits.seconds is not None:
            due.append(self._limits.seconds - now)
        return max(0.0, min(due))

    def _go_on(self, cover: Ints | None) -> Stop | None:
        """Keep *cover*, hand over a batch that is full or old, and check the limits."""
        now = self._seconds()
        if cover is not None:
            if not self._batch:
                self._batch_since = now
            self._batch.append(cover)
            self.covers += 1
            if self.covers == self._limits.covers:
                return Stop.SOLUTION_LIMIT
        full = len(self._batch) >= self._capacity
        if (full or (self._batch and now - self._batch_since >= OLDEST_BATCH)) and not self._flush():
            return Stop.CANCELLED
        if self._limits.seconds is not None and now >= self._limits.seconds:
            return Stop.TIME_LIMIT
        if now - self._progress_since >= BETWEEN_PROGRESS:
            self._progress_since = now
            if self._on_progress and not self._on_progress(Progress(None, None, self.covers, now)):
                return Stop.CANCELLED
        return None

    def _last(self, end: _End) -> Stop:
        if end.error is not None:
            raise end.error
        if end.exhausted:
            return Stop.EXHAUSTED
        if self._limits.seconds is None:
            raise BackendFailedError("the solver gave up before it had found every cover, and did not say why")
        return Stop.TIME_LIMIT

    def _flush(self) -> bool:
        if not self._batch:
            return True
        starts = np.zeros(len(self._batch) + 1, dtype=np.int64)
        np.cumsum([len(cover) for cover in self._batch], out=starts[1:])
        batch = Batch(starts, np.concatenate(self._batch).astype(np.int32, copy=False))
        self._batch = []
        self._capacity = min(LARGEST_BATCH, 2 * self._capacity)
        return self._on_covers(batch)

    def figures(self, outbox: Outbox, native: Mapping[str, Any]) -> SearchFigures:
        """The figures of the whole search."""
        now = time.perf_counter()
        ready = outbox.ready_at or now
        first = outbox.first_at if self.covers else None
        return SearchFigures(
            self.covers,
            branches=None,
            dead_ends=None,
            setup_seconds=ready - self.start,
            search_seconds=now - ready,
            first_seconds=None if first is None else first - ready,
            native=dict(native),
        )


def relay(finder: Finder, task: SearchTask, notes: tuple[str, ...] = ()) -> SearchResult:
    """Let *finder* search, and hand on its covers as *task* asks. Its thread has ended when this returns or raises.

    It keeps the limits of covers and of seconds. Those count from here, so they include setting the problem up.
    Exceptions of callbacks and of the finder are passed on.
    """
    delivery = _Delivery(task)
    outbox = Outbox(task.limits.covers)
    stop = delivery.stop_at_once()
    if stop is None:
        thread = threading.Thread(target=_find, args=(finder, outbox), name="latcover-solver", daemon=True)
        try:
            thread.start()
            stop = delivery.run(outbox)
        finally:
            _end(finder, outbox, thread)
    return SearchResult(stop, delivery.figures(outbox, finder.figures), notes=notes)


def _find(finder: Finder, outbox: Outbox) -> None:
    try:
        outbox.end(_End(finder.find(outbox)))
    except BaseException as error:
        outbox.end(_End(error=error))


def _end(finder: Finder, outbox: Outbox, thread: threading.Thread) -> None:
    """Stop the solver and join its thread, even if Ctrl-C comes several times."""
    outbox.closed = True
    interrupt: KeyboardInterrupt | None = None
    while thread.is_alive():
        try:
            finder.stop()
            thread.join(0.01)
        except KeyboardInterrupt as again:
            interrupt = again
    if interrupt is not None:
        raise interrupt
