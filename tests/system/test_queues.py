"""Waiting for what other threads put into a queue."""

from __future__ import annotations

import queue
import signal
import threading
import time

import pytest

from latcover.system.queues import take
from tests.processes import GUARD


def test_messages_come_in_their_order() -> None:
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    threading.Timer(0.01, lambda: [waiting.put(1), waiting.put(2)]).start()
    assert [take(waiting, GUARD), take(waiting, 0)] == [1, 2]
    with pytest.raises(queue.Empty):
        take(waiting, 0)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such timer")
def test_a_signal_that_is_answered_late_does_not_stop_the_clock() -> None:
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    late = threading.Timer(GUARD, waiting.put, ["never asked for"])
    late.start()
    answered = []

    def answer(*_: object) -> None:
        time.sleep(0.1)  # longer than is waited
        answered.append(True)

    before = signal.signal(signal.SIGALRM, answer)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        with pytest.raises(queue.Empty):
            take(waiting, 0.05)
        while not answered:
            time.sleep(0.01)
    finally:
        signal.signal(signal.SIGALRM, before)
        late.cancel()
