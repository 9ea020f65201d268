"""Other processes, by their numbers: whether they run and since when, and asking, pausing and ending them.

POSIX has signals for process groups. Windows has neither, so psutil stops or ends one process after the other there,
and a request to end is Ctrl-Break, which is the only key that reaches one group.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from psutil import Process

HAS_GROUPS = hasattr(os, "killpg")
HAS_PROC = Path("/proc/self/stat").exists()  # as Linux has it; psutil, which takes long to load, is for other systems
CTRL_BREAK = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT)


def is_running(pid: int) -> bool:
    """Whether there is a process of this number, be it of another user."""
    if not HAS_GROUPS:  # os.kill would end it there
        import psutil

        return bool(psutil.pid_exists(pid))
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):  # no process has such a number
        return False
    except PermissionError:
        pass
    return True


def start_of(pid: int) -> str:
    """When a process began, in words of the system; "" if it does not say.

    It distinguishes processes that had the same number one after the other.
    """
    if not HAS_PROC:
        import psutil

        try:
            return f"{psutil.Process(pid).create_time():.2f}"
        except psutil.Error:
            return ""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot} {Path(f'/proc/{pid}/stat').read_text('ascii', 'replace').rpartition(')')[2].split()[19]}"
    except (OSError, IndexError):
        return ""


class Group:
    """A process that leads a group, with all that it started, also what it is starting now.

    It may have ended; then nothing happens. But nobody may have waited for its end yet, which sets its number free for
    other processes.
    """

    def __init__(self, leader: int) -> None:
        self._leader = leader

    def interrupt(self) -> None:
        """Ask it to end with what it has found, as Ctrl-C does. One that is paused answers when it goes on."""
        with suppress(OSError):  # it has ended
            if HAS_GROUPS:
                os.killpg(self._leader, signal.SIGINT)
            else:
                os.kill(self._leader, CTRL_BREAK)

    def pause(self) -> None:
        """Stop it until `resume`."""
        self._tell("SIGSTOP", "suspend", iter)  # the leader first, so that it starts nothing meanwhile

    def resume(self) -> None:
        """Let it go on."""
        self._tell("SIGCONT", "resume", lambda each: reversed([*each]))

    def kill(self) -> None:
        """End it at once."""
        self._tell("SIGKILL", "kill", list)  # listed before the first one ends: orphans belong to nobody

    def _tell(self, name: str, method: str, order: Callable[[Iterator[Process]], Iterable[Process]]) -> None:
        """Send the signal *name* to the group; on Windows call a *method* of each process, in this *order*."""
        if HAS_GROUPS:
            with suppress(ProcessLookupError):
                os.killpg(self._leader, getattr(signal, name))
            return
        import psutil

        with suppress(psutil.Error):
            for process in order(self._each()):
                with suppress(psutil.Error):  # it has ended
                    getattr(process, method)()

    def _each(self) -> Iterator[Process]:
        """The leader, and what it started."""
        import psutil

        leader = psutil.Process(self._leader)
        yield leader
        yield from leader.children(recursive=True)
