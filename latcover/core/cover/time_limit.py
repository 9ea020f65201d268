"""When work is to stop that is no search: reading a puzzle, placing its parts, finding symmetries, filling tables."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from msgspec import Struct

from latcover.core.cover.events import Events
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Progress
from latcover.errors import OutOfTimeError, StoppedError

LEAST_PREPARING = 1.0  # seconds
BETWEEN_LOOKS = 0.05  # seconds, between two questions to those who may stop the work


class _Limit(Struct):
    """Attributes:
    end: When the time is over.
    events: Who may stop the work.
    begun: When it began.
    next: When to ask them again.
    """

    end: float | None
    events: Events | None
    begun: float
    next: float = 0.0


NO_LIMIT = _Limit(None, None, 0.0)
_limit: ContextVar[_Limit | None] = ContextVar("limit", default=None)  # of this thread


@contextmanager
def time_limit(seconds: float | None, events: Events | None = None) -> Iterator[None]:
    """Let `look_at_clock` raise an error within this block after so many seconds, or when *events* stop the work.

    None is no limit of its own: that of the block around it holds in any case, and so do its events.
    """
    outer, now = _limit.get() or NO_LIMIT, time.perf_counter()
    end = outer.end if seconds is None else min(now + seconds, math.inf if outer.end is None else outer.end)
    token = _limit.set(_Limit(end, events or outer.events, now))
    try:
        yield
    finally:
        _limit.reset(token)


def for_preparing(seconds: float | None) -> float | None:
    """The time for making ready what is then searched for so many *seconds*.

    It suffices for small puzzles in any case, so that their answers say what a short time has found.
    """
    return None if seconds is None else max(seconds, LEAST_PREPARING)


def look_at_clock() -> None:
    """Go on if there is time left, and nobody stops the work. Long work calls this at least once a second.

    Raises:
        OutOfTimeError: the time of a `time_limit` around it is over.
        StoppedError: its events stop the work.
    """
    limit = _limit.get()
    if limit is None:
        return
    now = time.perf_counter()
    if limit.end is not None and now >= limit.end:
        raise OutOfTimeError("the time was over before the search began; give more --time, or take a smaller puzzle")
    if limit.events is not None and now >= limit.next:
        limit.next = now + BETWEEN_LOOKS
        if not limit.events.on_progress(Progress(None, None, 0, now - limit.begun)):
            raise StoppedError("stopped before the search began")


def stop_of(fault: OutOfTimeError) -> Stop:
    """Why the work ended that `look_at_clock` ended."""
    return Stop.CANCELLED if isinstance(fault, StoppedError) else Stop.TIME_LIMIT
