"""Waiting for what other threads put into a queue."""

from __future__ import annotations

import queue
import time
from typing import TypeVar

Message = TypeVar("Message")

SHORTEST_NAP, LONGEST_NAP = 0.0005, 0.016  # seconds between two looks


def take(waiting: queue.SimpleQueue[Message], seconds: float) -> Message:
    """The next message. `SimpleQueue.get` waits for ever where a signal is answered after its time is over.

    Raises:
        queue.Empty: nothing came for *seconds*.
    """
    end, nap = time.perf_counter() + seconds, SHORTEST_NAP
    while waiting.empty() and (left := end - time.perf_counter()) > 0:
        time.sleep(min(nap, left))
        nap = min(2 * nap, LONGEST_NAP)
    return waiting.get_nowait()
