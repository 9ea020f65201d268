"""Searches with any backend; every solution is verified."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.judged import JudgedCovers
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Batch, Limits, OnProgress, Progress
from latcover.core.cover.searchable import AnySolution, Searchable
from latcover.core.cover.veto import passes
from latcover.core.solving.collector import Collector, Verified
from latcover.errors import PuzzleError
from latcover.system.machine import peak_memory

BETWEEN_REPORTS = 0.05  # seconds

S = TypeVar("S", bound=AnySolution)


class _Delivery(Collector):
    """Delivers solutions one by one.

    Meanwhile the backend waits, so this class checks the time limit and reports progress itself.
    """

    def __init__(
        self,
        subject: Searchable[S],
        limits: Limits,
        on_solution: Callable[[S], None] | None,
        on_progress: OnProgress | None,
        *,
        on_batch_end: Callable[[], object],
        images: bool,
    ) -> None:
        super().__init__(subject, limits.covers)
        self.limits, self.images = limits, images
        self.on_solution: Callable[[Any], None] | None = on_solution
        self.on_progress, self.on_batch_end = on_progress, on_batch_end
        self.begun = time.perf_counter()
        self.seconds_of_receiver = 0.0
        self._progress = Progress(None, None, 0, 0.0)
        self._reported = self._next_look = 0.0

    @cached_property
    def verified(self) -> Verified[Any]:
        """Made for the first solution: of a large region it takes seconds."""
        return Verified(self.subject)

    def report(self, progress: Progress) -> bool:
        """Forward the progress of the backend."""
        self._progress, self._reported = progress, time.perf_counter()
        self._next_look = self._reported + BETWEEN_REPORTS
        if self.limits.seconds is not None:
            self._next_look = min(self._next_look, self.begun + self.limits.seconds)
        return self.on_progress is None or self.on_progress(progress)

    def hand_on(self, kept: JudgedCovers) -> int:
        """Deliver solutions until the search must stop; return how many were delivered."""
        if self.on_solution is None:
            return len(kept)
        done = self._hand_on(kept, self.on_solution)
        start = time.perf_counter()
        self.on_batch_end()
        self.seconds_of_receiver += time.perf_counter() - start
        return done

    def _hand_on(self, kept: JudgedCovers, show: Callable[[Any], None]) -> int:
        clock, now = time.perf_counter, 0.0
        for done, of_one in enumerate(self._shown(kept)):
            if done and now >= self._next_look and not self._may_go_on(self.different + done, now):
                return done
            start = clock()
            for solution in of_one:
                show(solution)
            now = clock()
            self.seconds_of_receiver += now - start
        return len(kept)

    def judge(self, batch: Batch) -> JudgedCovers:
        """As usual, except that any cover will do if only one solution is wanted, since it represents its class."""
        kept = super().judge(batch)
        if len(kept) or self.most != 1 or self.different:
            return kept
        return replace(kept, rows=np.flatnonzero(passes(self.subject.veto, kept.starts, kept.members))[:1])

    def _shown(self, kept: JudgedCovers) -> Iterator[Iterable[Any]]:
        """For each kept cover the solutions to deliver: one, or all of its images."""
        if self.images:
            return self.verified.images(kept, self.different + 1)
        return zip(self.verified.solutions(kept, self.different + 1))

    def _may_go_on(self, found: int, now: float) -> bool:
        if self.limits.seconds is not None and now - self.begun >= self.limits.seconds:
            self.stop = Stop.TIME_LIMIT
        elif now - self._reported >= BETWEEN_REPORTS:
            progress = replace(self._progress, covers=max(found, self._progress.covers), seconds=now - self.begun)
            if not self.report(progress):
                self.stop = Stop.CANCELLED
        return self.stop is None


def run(
    prepared: Searchable[S],
    backend: Backend,
    limits: Limits = Limits(),
    on_solution: Callable[[S], None] | None = None,
    *,
    images: bool = False,
    on_progress: OnProgress | None = None,
    on_batch_end: Callable[[], object] = lambda: None,
) -> SearchResult:
    """Search a prepared puzzle, or a bare problem.

    Args:
        prepared: The puzzle or the bare problem.
        backend: The backend that searches.
        limits: ``covers`` limits the essentially different solutions.
        on_solution: Receives every solution, verified, in the order found; None only counts them.
        images: Whether to deliver all images of each solution, not one of each class.
        on_progress: May stop the search by returning False.
        on_batch_end: Called when the solutions at hand were delivered.
    """
    if not hasattr(prepared, "n_members"):
        raise PuzzleError(f"run takes what latcover.prepare returns; not {prepared!r:.80}")
    delivery = _Delivery(prepared, limits, on_solution, on_progress, on_batch_end=on_batch_end, images=images)
    found = delivery.search(backend, prepared.problem, limits_of_covers(prepared, limits), delivery.report)
    checked = found.with_figures(check_seconds=found.figures.check_seconds - delivery.seconds_of_receiver)
    return for_users(checked, prepared, backend.name)


def for_users(result: SearchResult, subject: Searchable[Any], backend_name: str) -> SearchResult:
    """The result with facts about *subject* and the name of the chosen backend."""
    result = result.with_figures(setup_seconds=subject.seconds + result.figures.setup_seconds)
    return replace(
        result,
        puzzle=subject.name,
        symmetry=subject.symmetry,
        symmetries=subject.symmetries,
        pivot=subject.pivot,
        notes=(*result.notes, *subject.remarks),
        asked=backend_name,
        backend=result.backend or backend_name,
        memory=peak_memory(),
    )


def limits_of_covers(subject: Searchable[Any], limits: Limits) -> Limits:
    """The limits for a backend. If covers are judged, two solutions may need any number of covers."""
    if subject.tests_pending and limits.covers and limits.covers > 1:
        return replace(limits, covers=None)
    return limits
