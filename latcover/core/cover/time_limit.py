"""A limit of time for work that reports no progress: reading a puzzle, placing its parts, finding its symmetries."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from latcover.errors import OutOfTimeError

_end: ContextVar[float | None] = ContextVar("end", default=None)  # of this thread


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Let `look_at_clock` raise an error within this block after so many seconds. None is no limit."""
    token = _end.set(None if seconds is None else time.perf_counter() + seconds)
    try:
        yield
    finally:
        _end.reset(token)


def look_at_clock() -> None:
    """Go on if there is time left. Long work calls this at least once a second.

    Raises:
        OutOfTimeError: the time of the innermost `time_limit` is over.
    """
    end = _end.get()
    if end is not None and time.perf_counter() >= end:
        raise OutOfTimeError("the time was over before the search began; give more --time, or take a smaller puzzle")
