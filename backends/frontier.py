"""Counting covers without listing them, by the frontier: see native/frontier.cpp."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from latcover.backends import _native
from latcover.backends.compiled import arrays
from latcover.cover.problem import CoverProblem, Ints
from latcover.cover.search import Limits, OnProgress, Progress, Stop, refuse_colours
from latcover.errors import TooLargeError, UnsupportedError

MOST_BYTES = 1 << 30
MOST_WIDTH = 256  # the native counter takes no wider frontier
MOST_ITEMS_TO_ORDER = 20_000  # more items keep their order
STARTS = 4  # how many corners are tried as the first item


@dataclass(frozen=True, slots=True)
class Count:
    """The result of a count.

    Attributes:
        covers: The number of covers, exact whatever its size; None if the count was cut short.
        stop: Why the count ended.
        width: The most items that were open at once.
        states: The most states, which are sets of covered items, at once.
        bytes: The memory that the states took.
        seconds: The time of the count.
    """

    covers: int | None
    stop: Stop
    width: int
    states: int
    bytes: int
    seconds: float


def can_count(problem: CoverProblem) -> bool:
    """Whether no item may be held more than once, and no options may share an item by a colour."""
    return not (problem.high > 1).any() and not problem.has_colours


def narrow_order(problem: CoverProblem) -> tuple[Ints, int]:
    """An order of the items that keeps the frontier narrow, and the width of the frontier.

    It is the best of the given order and several breadth-first orders from a corner (Cuthill and McKee 1969).
    """
    orders = [np.arange(problem.n_items, dtype=np.int32)]
    if problem.n_items <= MOST_ITEMS_TO_ORDER:
        beside = _neighbours(problem)
        by_degree = sorted(range(problem.n_items), key=lambda item: (len(beside[item]), item))
        orders += [_outwards(start, by_degree, beside) for start in by_degree[:STARTS]]
    widths = [_native.frontier_width(*arrays(problem), order) for order in orders]
    best = int(np.argmin(widths))
    return orders[best], widths[best]


def count_covers(
    problem: CoverProblem,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    on_progress: OnProgress | None = None,
    *,
    most_bytes: int = MOST_BYTES,
    most_width: int = MOST_WIDTH,
) -> Count:
    """Count the covers of *problem*.

    Args:
        problem: A problem in which no item may be held more than once.
        limits: Only the limit of seconds applies.
        on_progress: May stop the count by returning False.
        most_bytes: The memory that the states may take.
        most_width: How many items may be open at once.

    Raises:
        UnsupportedError: an item may be held more than once, or has colours; or the frontier is too wide.
        TooLargeError: the frontier needs more memory than *most_bytes*.
    """
    refuse_colours("the frontier", problem)
    if not can_count(problem):
        raise UnsupportedError("the frontier counts only problems whose items are held at most once")
    order, width = narrow_order(problem)
    if width > most_width:
        raise UnsupportedError(f"the frontier is wider than {most_width} items")
    try:
        stop, number, figures = _native.frontier_count(
            *arrays(problem),
            order,
            most_bytes=most_bytes,
            max_seconds=limits.seconds,
            on_progress=None
            if on_progress is None
            else lambda *figures: on_progress(Progress(figures[0], None, 0, figures[3])),
        )
    except UnsupportedError as fault:  # the width was checked above, so the fault is the memory
        raise TooLargeError(str(fault)) from None
    covers = int.from_bytes(number, "little") if stop == "exhausted" else None
    return Count(covers, Stop(stop), **figures)


def _neighbours(problem: CoverProblem) -> list[list[int]]:
    """For each item the other items of its options, ascending."""
    n = problem.n_items
    beside = np.zeros((n, n), np.bool_)
    sizes = np.diff(problem.option_starts)
    for size in np.unique(sizes[sizes > 1]):
        rows = problem.option_items[problem.option_starts[:-1][sizes == size][:, None] + np.arange(size)]
        for a in range(size):
            for b in range(a + 1, size):
                beside[rows[:, a], rows[:, b]] = True
    beside |= beside.T
    return [np.flatnonzero(row).tolist() for row in beside]


def _outwards(start: int, by_degree: list[int], beside: list[list[int]]) -> Ints:
    """The items breadth-first from *start*, neighbours with few neighbours first; then from the next unreached item."""
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
