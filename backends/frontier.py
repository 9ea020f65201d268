"""Counting covers without listing them, by the frontier: see native/frontier.cpp."""

from __future__ import annotations

from dataclasses import dataclass

from latcover.backends import _native
from latcover.backends.compiled import arrays
from latcover.cover.problem import CoverProblem, Ints
from latcover.cover.search import Limits, OnProgress, Progress, Stop, refuse_colours
from latcover.errors import TooLargeError, UnsupportedError

MOST_BYTES = 1 << 30
MOST_WIDTH = 256  # the native counter takes no wider frontier


Narrow = tuple[Ints, int]  # an order of the items, and how wide the frontier is in it


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


def narrow_order(problem: CoverProblem) -> Narrow:
    """An order of the items that keeps the frontier narrow (native/frontier_order.hpp), and the frontier's width."""
    order = _native.frontier_order(*arrays(problem))
    return order, _native.frontier_width(*arrays(problem), order)


def count_covers(
    problem: CoverProblem,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    on_progress: OnProgress | None = None,
    *,
    most_bytes: int = MOST_BYTES,
    most_width: int = MOST_WIDTH,
    narrow: Narrow | None = None,
) -> Count:
    """Count the covers of *problem*.

    Args:
        problem: A problem in which no item may be held more than once.
        limits: Only the limit of seconds applies.
        on_progress: May stop the count by returning False.
        most_bytes: The memory that the states may take.
        most_width: How many items may be open at once.
        narrow: The order in which to take the items, as `narrow_order` gives it; None finds one.

    Raises:
        UnsupportedError: an item may be held more than once, or has colours; or the frontier is too wide.
        TooLargeError: the frontier needs more memory than *most_bytes*.
    """
    refuse_colours("the frontier", problem)
    if not can_count(problem):
        raise UnsupportedError("the frontier counts only parts that may be used once, or any number of times")
    order, width = narrow or narrow_order(problem)
    if width > most_width:
        raise UnsupportedError(f"the frontier is wider than {most_width} cells and parts")
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
