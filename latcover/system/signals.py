"""What interrupts this process: Ctrl-C, and what stands for it; and the names of signals."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]
# SIGINT is Ctrl-C. SIGBREAK is Ctrl-Break, by which processes of Windows ask others to end.
INTERRUPTS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGBREAK") if hasattr(signal, name))
ENDS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def handle(numbers: tuple[int, ...], handler: Handler) -> dict[int, Any]:
    """Let *handler* answer signals. Returns who answered before, as `restore` takes it. For the main thread."""
    return {number: signal.signal(number, handler) for number in numbers}


def restore(before: dict[int, Any]) -> None:
    """Let those answer again that did before."""
    for number, handler in before.items():
        signal.signal(number, handler)


def name_of(number: int) -> str:
    """The name of a signal, such as SIGKILL."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@contextmanager
def held_back() -> Iterator[None]:
    """Keep Ctrl-C from this thread. A process that it starts inherits this, and keeps it.

    On POSIX a Ctrl-C that comes meanwhile reaches this thread afterwards. On Windows it is lost.
    """
    if hasattr(signal, "pthread_sigmask"):
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return
    _ignore_ctrl_c(True)
    try:
        yield
    finally:
        _ignore_ctrl_c(False)


def _ignore_ctrl_c(ignored: bool) -> None:
    """Let this process of Windows, and those that it starts from now on, ignore Ctrl-C or not."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.kernel32.SetConsoleCtrlHandler(None, ignored)
