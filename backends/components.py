"""Counting covers by components with a memo: see native/components.hpp."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from latcover.backends import _native
from latcover.backends.compiled import arrays
from latcover.cover.problem import CoverProblem
from latcover.cover.search import Limits, OnProgress, Progress, Stop, refuse_colours
from latcover.errors import UnsupportedError


@dataclass(frozen=True, slots=True)
class ComponentCount:
    """The result of a count.

    Attributes:
        covers: The number of covers; None if the count was cut short.
        stop: Why the count ended.
        seconds: The time of the count.
        figures: nodes (components that were branched on), splits (sets of items that fell apart), and the entries, the
            bytes and the hits of the memo.
    """

    covers: int | None
    stop: Stop
    seconds: float
    figures: Mapping[str, Any]


def count_by_components(
    problem: CoverProblem,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    on_progress: OnProgress | None = None,
    *,
    most_bytes: int = 1 << 30,
) -> ComponentCount:
    """Count the covers of *problem*.

    Args:
        problem: A problem in which no item may be held more than once.
        limits: Only the limit of seconds applies.
        on_progress: May stop the count by returning False.
        most_bytes: The memory that the memo may take; when it is full, it forgets.

    Raises:
        UnsupportedError: an item may be held more than once, or has colours; there are too many items; or there are
            2**256 covers or more in one component.
    """
    refuse_colours("a count by components", problem)
    try:
        stop, words, seconds, figures = _native.components_count(
            *arrays(problem),
            most_bytes=most_bytes,
            max_seconds=limits.seconds,
            on_progress=None
            if on_progress is None
            else lambda *figures: on_progress(Progress(figures[0], None, 0, figures[3])),
        )
    except OverflowError as fault:
        raise UnsupportedError(str(fault)) from None
    covers = sum(word << 64 * k for k, word in enumerate(words)) if stop == "exhausted" else None
    return ComponentCount(covers, Stop(stop), seconds, figures)
