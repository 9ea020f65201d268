"""Running latcover in processes of its own: each run's memory and crashes are its own, and Ctrl-C ends it in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any


@dataclass(frozen=True, slots=True)
class Finished:
    """What a process left: its exit code (negative: the signal that ended it), and what it printed."""

    code: int
    output: str
    messages: str
    interrupted: bool = False


class Children:
    """Runs latcover as a child, one at a time; to be used in a `with` statement, by the main thread.

    The first Ctrl-C is passed on once, so that the child ends with what it has; the second ends everything at once. No
    child outlives the statement, also where SIGTERM ends it.
    """

    def __init__(self) -> None:
        self.interrupted = False
        self._running: subprocess.Popen[str] | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Children:
        self._before[signal.SIGINT] = signal.signal(signal.SIGINT, self._on_interrupt)
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                number = getattr(signal, name)
                self._before[number] = signal.signal(number, _leave)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def __call__(self, arguments: Sequence[str]) -> Finished:
        """Run ``latcover ARGUMENTS`` to its end; after an interrupt nothing more is begun."""
        if self.interrupted:
            return Finished(0, "", "", interrupted=True)
        self._running = subprocess.Popen(
            [sys.executable, "-P", "-m", "latcover", *arguments],  # -P: not a checkout in the current folder
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "1000", "PYTHONIOENCODING": "utf-8"},
            process_group=0 if os.name == "posix" else None,  # so that Ctrl-C reaches it once, from here
        )
        try:
            output, messages = self._running.communicate()
            return Finished(self._running.returncode, output, messages, self.interrupted)
        finally:
            if self._running.poll() is None:
                self._running.kill()
                self._running.wait()
            self._running = None

    def _on_interrupt(self, *_: object) -> None:
        if self.interrupted:
            raise KeyboardInterrupt
        self.interrupted = True
        if self._running is not None:
            self._running.send_signal(signal.SIGINT)


def _leave(number: int, _: FrameType | None) -> None:
    sys.exit(128 + number)
