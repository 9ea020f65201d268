"""A backend for latcover: plain backtracking in Python. Copy it and replace `find` with your solver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latcover import Backend, SearchTask
from latcover.backends.relay import Outbox, relay
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult


class Simple(Backend, frozen=True):
    """Plain backtracking: the first item that still needs an option, and every option that fits.

    Attributes:
        backwards: Try the options from the last to the first.
    """

    backwards: bool = False  # a field is an option: users set this one by `--option backwards=yes`

    name = "simple"

    def search(self, task: SearchTask) -> SearchResult:
        """Find every cover; see `latcover.Backend`."""
        return relay(_Finder(task.problem, self.backwards), task)


class _Finder:
    """The solver, at work on one problem. `relay` runs `find` in a thread, keeps limits and handles Ctrl-C."""

    def __init__(self, problem: CoverProblem, backwards: bool) -> None:
        self.figures: dict[str, Any] = {"taken": 0}  # shown as the native figures of the answer
        self._problem, self._step = problem, -1 if backwards else 1
        self._items = [problem.items_of(option).tolist() for option in range(problem.n_options)]
        self._options: list[list[int]] = [[] for _ in range(problem.n_items)]
        for option, items in enumerate(self._items):
            for item in items:
                self._options[item].append(option)
        self._count = [0] * problem.n_items
        self._low, self._high = problem.low.tolist(), problem.high.tolist()
        self._stopped = False

    def stop(self) -> None:
        """Make `find` return soon. Called from another thread."""
        self._stopped = True

    def find(self, outbox: Outbox) -> bool:
        """Put every cover into *outbox*, once each, until it refuses one. Return True if no cover is left."""
        outbox.ready()
        for cover in self._covers():
            if self._stopped or (cover is not None and not outbox.put(np.array(cover, dtype=np.int32))):
                return False
        return True

    def _covers(self) -> Iterator[list[int] | None]:
        """Yield every cover, and None now and then, so that the search can be stopped in between.

        Options that were passed over are not taken again on an item that may be held more than once, nor when no item
        needs an option any more. So no set of options is found twice.
        """
        chosen: list[int] = []
        passed: set[int] = set()
        levels: list[tuple[int, Iterator[int], list[int]]] = []  # an item, its options, and those already passed over
        descend = True
        while True:
            if descend:
                start = levels[-1][0] if levels else 0
                item = next((i for i in range(start, len(self._low)) if self._count[i] < self._low[i]), len(self._low))
                if item == len(self._low):
                    yield chosen.copy()
                options = self._options[item] if item < len(self._low) else range(len(self._items))
                levels.append((item, iter(options[:: self._step]), []))
            item, candidates, own = levels[-1]
            option = next((o for o in candidates if o not in passed and self._fits(o)), None)
            descend = option is not None
            if option is not None:
                if item == len(self._low) or self._high[item] > 1:
                    passed.add(option)
                    own.append(option)
                self._take(option, 1)
                chosen.append(option)
                yield None
            else:
                passed.difference_update(own)
                levels.pop()
                if not levels:
                    return
                self._take(chosen.pop(), -1)

    def _fits(self, option: int) -> bool:
        return all(self._count[item] < self._high[item] for item in self._items[option])

    def _take(self, option: int, times: int) -> None:
        self.figures["taken"] += times > 0
        for item in self._items[option]:
            self._count[item] += times
