"""Counting covers without listing them, by the frontier: see native/frontier.cpp."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from latcover.backends import _native
from latcover.errors import UnsupportedError
from latcover.problem import CoverProblem, Ints, Longs
from latcover.search import Limits, OnProgress, Progress, Stop

MOST_BYTES = 1 << 30
MOST_WIDTH = 256  # of a frontier that can be counted at all
STARTS = 4  # corners from which an order of the items is tried


@dataclass(frozen=True, slots=True)
class Count:
    """A number of covers, exact whatever its size; None where the count was cut short.

    Attributes:
        covers: How many there are.
        stop: Why the count ended.
        width: The most items that were open at once.
        states: The most sets of covered items at once.
        bytes: What these took.
        seconds: Of counting.
    """

    covers: int | None
    stop: Stop
    width: int
    states: int
    bytes: int
    seconds: float


def can_count(problem: CoverProblem) -> bool:
    """Whether every item is held at most once."""
    return not (problem.high > 1).any()


def narrow_order(problem: CoverProblem) -> tuple[Ints, int]:
    """An order of the items that keeps the frontier narrow, and how wide it then is.

    The items as they stand, or from a corner outwards (Cuthill and McKee 1969), whichever is best.
    """
    beside = _neighbours(problem)
    orders = [np.arange(problem.n_items, dtype=np.int32)]
    by_degree = sorted(range(problem.n_items), key=lambda item: (len(beside[item]), item))
    orders += [_outwards(start, by_degree, beside) for start in by_degree[:STARTS]]
    widths = [_native.frontier_width(*_arrays(problem), order) for order in orders]
    best = int(np.argmin(widths))
    return orders[best], widths[best]


def count_covers(
    problem: CoverProblem,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    on_progress: OnProgress | None = None,
    *,
    most_bytes: int = MOST_BYTES,
) -> Count:
    """How many covers *problem* has.

    Args:
        problem: No item of it may be held more than once.
        limits: The seconds alone are looked at.
        on_progress: May stop the count by returning False.
        most_bytes: The memory that the states may take.

    Raises:
        UnsupportedError: an item may be held more than once, or the frontier takes more memory than it may.
    """
    if not can_count(problem):
        raise UnsupportedError("the frontier counts only problems whose items are held at most once")
    order, _ = narrow_order(problem)
    stop, number, figures = _native.frontier_count(
        *_arrays(problem),
        order,
        most_bytes=most_bytes,
        max_seconds=limits.seconds,
        on_progress=None
        if on_progress is None
        else lambda *figures: on_progress(Progress(figures[0], None, 0, figures[3])),
    )
    covers = int.from_bytes(number, "little") if stop == "exhausted" else None
    return Count(covers, Stop(stop), **figures)


def _arrays(problem: CoverProblem) -> tuple[Longs, Ints, Ints, Ints]:
    return problem.option_starts, problem.option_items, problem.low, problem.high


def _neighbours(problem: CoverProblem) -> list[list[int]]:
    """Of each item those that some option holds with it, ascending."""
    pairs: set[tuple[int, int]] = set()
    sizes = np.diff(problem.option_starts)
    for size in np.unique(sizes[sizes > 1]):
        rows = problem.option_items[problem.option_starts[:-1][sizes == size][:, None] + np.arange(size)]
        for a in range(size):
            for b in range(a + 1, size):
                pairs |= set(map(tuple, np.unique(rows[:, [a, b]], axis=0).tolist()))
    beside: list[list[int]] = [[] for _ in range(problem.n_items)]
    for a, b in sorted(pairs):
        beside[a].append(b)
        beside[b].append(a)
    return beside


def _outwards(start: int, by_degree: list[int], beside: list[list[int]]) -> Ints:
    """The items breadth-first from *start*, those with few neighbours first; then from the next not reached."""
    reached = [False] * len(beside)
    order: list[int] = []
    for first in [start, *by_degree]:
        if reached[first]:
            continue
        reached[first] = True
        queue = deque([first])
        while queue:
            item = queue.popleft()
            order.append(item)
            for other in sorted(beside[item], key=lambda other: (len(beside[other]), other)):
                if not reached[other]:
                    reached[other] = True
                    queue.append(other)
    return np.array(order, dtype=np.int32)
