"""Counting covers by components with a memo: see native/cover/components.hpp."""

from __future__ import annotations

from latcover.backends import _native, refuse_colours
from latcover.backends.compiled import count_reports_for, native_problem
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Limits, OnProgress
from latcover.errors import UnsupportedError

ComponentCount = _native.ComponentCount


def count_by_components(
    problem: CoverProblem,
    limits: Limits = Limits(),
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
        return _native.components_count(
            native_problem(problem),
            most_bytes=most_bytes,
            max_seconds=limits.seconds,
            on_progress=count_reports_for(on_progress),
        )
    except OverflowError as fault:
        raise UnsupportedError(str(fault)) from None
