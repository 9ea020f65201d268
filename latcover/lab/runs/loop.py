"""The loop of a run: it hands out jobs, writes their results, keeps the limits and reports progress.

Only the calling thread writes. Results that come close together are written in one transaction.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from latcover.core.cover.result import Stop
from latcover.core.cover.search import OnProgress, Progress
from latcover.core.cover.searchable import Searchable
from latcover.core.solving.run import BETWEEN_REPORTS
from latcover.lab.runs.recorder import Recorder
from latcover.lab.runs.session import Session
from latcover.lab.runs.thread_crew import Crew, Orders, Result, solutions_in

_AFTER_THE_END = 1.0  # seconds for storing the solutions that were found before the end


class Loop:
    """The work of the calling thread."""

    def __init__(
        self,
        session: Session,
        prepared: Searchable[Any],
        crew: Crew,
        orders: Orders,
        on_solution: Callable[[Any], None] | None,
    ) -> None:
        self.session, self.orders, self.crew = session, orders, crew
        self.recorder = Recorder(session, prepared, orders, on_solution)
        self.begun = self.reported = time.perf_counter()
        self.before = sum(earlier["seconds"] for earlier in session.file.sessions())  # as the share
        self.stop: Stop | None = None
        self.ended = 0.0  # when `stop` was set

    def run(self, on_progress: OnProgress | None) -> Stop:
        """Work until all jobs are done or a limit is met. A limit that is met when nothing is left does not count."""
        self._keep_limits()
        pending = self.session.file.pending() if self.stop is None else []
        self.crew.put(pending)
        left = len(pending)
        written = time.perf_counter()
        self.crew.start()
        try:
            self.session.employ(self.crew.size)
            while left:
                results = self._gather(written)
                left -= len(results)
                self.recorder.put(results)
                self._look(on_progress)
                while self.recorder.is_busy:
                    pieces = self.recorder.write()
                    left += len(pieces)
                    self.crew.put(pieces)
                    written = time.perf_counter()
                    self._look(on_progress)
        finally:
            self.crew.dismiss()
        if self.recorder.failure is not None:
            raise self.recorder.failure
        if not self.session.file.has_pending():
            return Stop.EXHAUSTED
        return self.stop or Stop.CANCELLED

    def _end(self, why: Stop) -> None:
        if self.stop is None:
            self.stop, self.ended = why, time.perf_counter()
        self.crew.stop()

    def _look(self, on_progress: OnProgress | None) -> None:
        """Check the clock and the results, and ask the user whether to go on."""
        self.session.keep_alive()
        if self.recorder.failure is not None:
            self.crew.stop()
        self._keep_limits()
        now = time.perf_counter()
        if on_progress and self.stop is None and now - self.reported >= BETWEEN_REPORTS:
            self.reported = now
            spent = self.before + now - self.begun
            if not on_progress(Progress(self.recorder.share, None, self.recorder.covers, spent)):
                self._end(Stop.CANCELLED)
        self.recorder.hurried = self.stop is not None and now - self.ended > _AFTER_THE_END

    def _keep_limits(self) -> None:
        limits = self.orders.limits
        if self.recorder.stop is not None:
            self._end(self.recorder.stop)
        if limits.covers is not None:
            self.crew.most = max(0, limits.covers - self.recorder.different) + len(self.session.unsettled)
            if self.recorder.different >= limits.covers:
                self._end(Stop.SOLUTION_LIMIT)
        if limits.seconds is not None and time.perf_counter() - self.begun >= limits.seconds:
            self._end(Stop.TIME_LIMIT)

    def _gather(self, written: float) -> list[Result]:
        """The new results. If the crew has enough to do, wait for more, so that they are written in one transaction."""
        results = self.crew.take(BETWEEN_REPORTS)
        wait = written + BETWEEN_REPORTS - time.perf_counter()
        if results and wait > 0 and self.crew.is_busy() and not any(solutions_in(result) for _, result in results):
            time.sleep(wait)
            results += self.crew.take(0)
        return results
