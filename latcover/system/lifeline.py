"""How every child process ends with its parent: on POSIX by a pipe that nothing is ever written to.

Only the parent holds the writing end; the child holds the reading end. When the parent dies, the system closes its
end. The pipe is set up (O_ASYNC, F_SETSIG) so that the system then sends SIGKILL to the child.

- SIGKILL also ends a process that is stopped, and a solver that computes for hours without letting Python run.
- The settings belong to the pipe, so the parent can make them as soon as there is a child. A child that is stopped
  before its first instruction ends too. The child makes them again, and then looks whether its parent is still there:
  a parent that is killed before it made them leaves no child either.
- The signal goes to the child's process group if the child leads one. A process belongs to its group from its birth, so
  what the child starts ends with it, at any moment.
- It does not matter which thread started the child, nor how long that thread lives.

PR_SET_PDEATHSIG of Linux lacks most of this: only the child can ask for it, so one that is stopped early never does; it
reaches one process only; and the signal comes when the thread ends that started the child.

Where there is no F_SETSIG (macOS), a thread of the child waits for the end of the pipe. It cannot run while a solver
holds the interpreter; then the child ends when the solver lets Python run.

Windows has jobs instead: see `latcover.system.windows_jobs`. The child finds its parent's job by its name.
"""

from __future__ import annotations

import os
import select
import signal
import threading
from typing import Any

from latcover.system import windows_jobs as jobs

NO_PIPE = -1  # what stands for a descriptor that is closed


class Pipe:
    """The lifeline of POSIX, seen from the parent.

    Attributes:
        theirs: The descriptor that the child is to inherit.
    """

    def __init__(self) -> None:
        self.theirs, self._ours = os.pipe()

    @property
    def word(self) -> str:
        """What tells the child where its end is: the argument of `hold`."""
        return str(self.theirs)

    def options(self, own_group: bool) -> dict[str, Any]:
        """What `subprocess.Popen` has to be told, so that the child gets its end, and leads a process group or not."""
        return {"pass_fds": (self.theirs,), "process_group": 0 if own_group else None}

    def tie(self, child: int) -> None:
        """Let process *child* die when this process does."""
        if self.theirs != NO_PIPE:
            _kill_at_its_end(self.theirs, child)
            os.close(self.theirs)
            self.theirs = NO_PIPE

    def cut(self) -> None:
        """End the child, if it still runs; harmless when done again."""
        for descriptor in {self.theirs, self._ours} - {NO_PIPE}:
            os.close(descriptor)
        self.theirs = self._ours = NO_PIPE


class JobLine:
    """The lifeline of Windows, with the same methods."""

    NEW_GROUP = 0x200  # CREATE_NEW_PROCESS_GROUP, which only Python on Windows names

    def __init__(self) -> None:
        self._job = jobs.Job()
        self.word = self._job.name

    def options(self, own_group: bool) -> dict[str, Any]:
        return {"creationflags": self.NEW_GROUP if own_group else 0}

    def tie(self, child: int) -> None:
        self._job.add(child)

    def cut(self) -> None:
        self._job.end()


Lifeline = Pipe | JobLine


def lifeline() -> Lifeline:
    """A new lifeline: `tie` it when the child has been started, and `cut` it in the end."""
    return Pipe() if os.name == "posix" else JobLine()


def hold(word: str) -> None:
    """Let this process die when its parent does. A child does this first of all, with the lifeline's word."""
    if word.startswith(jobs.PREFIX):
        if not jobs.enter(word):
            os._exit(1)  # the parent is gone
        return
    descriptor = int(word)
    os.set_inheritable(descriptor, False)
    if not _kill_at_its_end(descriptor, os.getpid()):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # so that a solver ends which writes to a parent that is gone
        threading.Thread(target=_wait_for_the_end, args=(descriptor,), name="latcover-lifeline", daemon=True).start()
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    if waiting.poll(0):  # the parent died before the system was told what to do then
        os._exit(1)


def _kill_at_its_end(descriptor: int, child: int) -> bool:
    """Have the system kill *child*, with its process group if it leads one, when nobody can write to the pipe any more.

    False where the system cannot do that.
    """
    import fcntl

    if not hasattr(fcntl, "F_SETSIG"):
        return False
    try:
        owner = -child if os.getpgid(child) == child else child  # a negative one is a group
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(descriptor, fcntl.F_SETOWN, owner)
        flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_ASYNC)
    except ProcessLookupError:  # it has ended already
        return True
    except OSError:  # a sandbox that knows the names but does not do it
        return False
    return True


def _wait_for_the_end(descriptor: int) -> None:
    os.read(descriptor, 1)
    os._exit(1)
