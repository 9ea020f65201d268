"""Ctrl-C while a solver that is not ours searches."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from latcover.backends.relay import Outbox


@contextmanager
def interrupted_when_ready() -> Iterator[None]:
    """Send SIGINT to this process as soon as the solver's thread says that the search begins."""
    usual = Outbox.ready

    def ready(outbox: Outbox) -> None:
        usual(outbox)
        os.kill(os.getpid(), signal.SIGINT)

    with patch.object(Outbox, "ready", ready):
        yield
