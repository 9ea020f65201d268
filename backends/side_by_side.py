"""Several backends search for one cover side by side.

The first that finds a cover, or proves that there is none, wins.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from latcover.backends.relay import Outbox, relay
from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Batch, Limits, SearchTask

_DECIDED = (Stop.SOLUTION_LIMIT, Stop.EXHAUSTED)


def search_side_by_side(backends: Sequence[Backend], task: SearchTask) -> SearchResult:
    """Search for one cover by all *backends* at once. The outcome is the winner's, if one wins.

    Raises:
        Whatever a backend raised, if all of them failed; the first of these.
    """
    race = _Race(backends, task.problem)
    outcome = relay(race, replace(task, limits=replace(task.limits, covers=1)))
    if race.winner is None:
        return outcome
    backend, won = race.winner
    won = won.with_figures(setup_seconds=outcome.figures.setup_seconds, search_seconds=outcome.figures.search_seconds)
    return replace(won, stop=outcome.stop, backend=won.backend or backend.name)


class _Race:
    """Backends at work on one problem, as a solver for `relay`."""

    def __init__(self, backends: Sequence[Backend], problem: CoverProblem) -> None:
        self.winner: tuple[Backend, SearchResult] | None = None
        self.figures: Mapping[str, Any] = {}
        self._backends, self._problem = backends, problem
        self._stopped = False
        self._ended: queue.SimpleQueue[tuple[Backend, SearchResult | BaseException, list[Ints]]] = queue.SimpleQueue()

    def find(self, outbox: Outbox) -> bool:
        """See `relay.Finder`."""
        outbox.ready()
        threads = [threading.Thread(target=self._run, args=(backend,), daemon=True) for backend in self._backends]
        for thread in threads:
            thread.start()
        faults: list[BaseException] = []
        found: list[Ints] = []
        for _ in threads:
            backend, outcome, covers = self._ended.get()
            if isinstance(outcome, BaseException):
                faults.append(outcome)
            elif outcome.stop in _DECIDED:
                self.winner, found = (backend, outcome), covers
                break
        self._stopped = True
        for thread in threads:
            thread.join()
        if self.winner is None and len(faults) == len(threads):
            raise faults[0]
        for cover in found:
            outbox.put(cover)
        return self.winner is not None and not found

    def stop(self) -> None:
        """See `relay.Finder`."""
        self._stopped = True

    def _run(self, backend: Backend) -> None:
        covers: list[Ints] = []

        def keep(batch: Batch) -> bool:
            covers.extend(cover.copy() for cover in batch)
            return not self._stopped

        try:
            outcome = backend.search(SearchTask(self._problem, keep, Limits(covers=1), lambda _: not self._stopped))
            self._ended.put((backend, outcome, covers))
        except BaseException as fault:  # another backend may still find one
            self._ended.put((backend, fault, covers))
