"""Several optimizers side by side: each has the bar that all of them lower, and the best of their bounds holds."""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from latcover.backends.optimizing import Optimizer
from latcover.backends.relay import Outbox
from latcover.core.cover.problem import Ints
from latcover.core.cover.search import CostBar


class OptimizersTogether:
    """Optimizers at work on one problem, each in a thread of its own. See `latcover.backends.optimizing.Optimizer`.

    The first that comes to its end ends the others: it has shown that no cover is left below the bar.
    """

    def __init__(self, optimizers: Mapping[str, Optimizer], bar: CostBar) -> None:
        self._optimizers, self._bar = optimizers, bar
        self._stopped = False

    @property
    def figures(self) -> dict[str, Any]:
        """The figures of each, by its name."""
        return {name: dict(optimizer.figures) for name, optimizer in self._optimizers.items()}

    @property
    def bound(self) -> int | None:
        """The greatest of their bounds."""
        bounds = [each.bound for each in self._optimizers.values()]
        return max((bound for bound in bounds if bound is not None), default=None)

    @property
    def useless(self) -> bool:
        """Whether one of them has shown that nothing below the bar is left."""
        return any(each.useless for each in self._optimizers.values())

    def find(self, outbox: Outbox) -> bool:
        """See `relay.Finder`."""
        shared, ended = _SharedOutbox(outbox), queue.SimpleQueue[bool | BaseException]()

        def run(optimizer: Optimizer) -> None:
            try:
                ended.put(optimizer.find(shared))
            except BaseException as fault:
                ended.put(fault)

        each = [threading.Thread(target=run, args=(one,), daemon=True) for one in self._optimizers.values()]
        for thread in each:
            thread.start()
        is_over, faults = self._first_end(ended, len(each))
        while any(thread.is_alive() for thread in each):
            self._stop_all()
            for thread in each:
                thread.join(0.01)
        if faults and not is_over:
            raise faults[0]
        return is_over or (self.useless and not outbox.closed)

    def _first_end(
        self, ended: queue.SimpleQueue[bool | BaseException], number: int
    ) -> tuple[bool, Sequence[BaseException]]:
        """Whether one of them comes to its end, and why others broke down before."""
        faults: list[BaseException] = []
        for _ in range(number):
            outcome = ended.get()
            if isinstance(outcome, BaseException):
                faults.append(outcome)
            elif outcome and not self._stopped:
                return True, faults
        return False, faults

    def stop(self) -> None:
        """See `relay.Finder`."""
        self._stopped = True
        self._stop_all()

    def _stop_all(self) -> None:
        for optimizer in self._optimizers.values():
            optimizer.stop()


class _SharedOutbox(Outbox):
    """An outbox that several threads fill. Only they wait for each other, never the thread that takes covers out."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox, self._lock = outbox, threading.Lock()

    @property
    def closed(self) -> bool:  # type: ignore[override]
        return self._outbox.closed

    def ready(self) -> None:
        """See `Outbox`."""
        self._outbox.ready()

    def put(self, cover: Ints) -> bool:
        """See `Outbox`."""
        with self._lock:
            return self._outbox.put(cover)
