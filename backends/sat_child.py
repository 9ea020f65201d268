"""The child's side of sat_process.py: reads a task from standard input, and writes covers to standard output."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback
from typing import Any

from latcover.backends.sat_enumeration import Enumeration, Hooks


def main() -> None:
    """Solve the one task, and end."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # solvers that print must not come between

        def send(about: str, value: Any) -> None:
            pickle.dump((about, value), out)
            out.flush()

        task = pickle.load(sys.stdin.buffer)
        _end_with_the_parent()
        try:
            enumeration = Enumeration(task)

            def put(cover: Any) -> bool:
                send("cover", cover)
                return True

            hooks = Hooks(
                solve=lambda solver: solver.solve(),
                put=put,
                ready=lambda: send("ready", enumeration.figures),
                closed=lambda: False,
            )
            exhausted = enumeration.run(hooks)
            send("end", (exhausted, enumeration.figures))
        except BrokenPipeError:
            os._exit(1)  # the parent is gone
        except BaseException as error:
            send("error", traceback.format_exception_only(error)[-1].strip())


def _end_with_the_parent() -> None:
    """Let this process die when the parent does, whose end of standard input is then closed.

    The solver holds the interpreter's lock, so that no thread could watch: the system sends SIGIO, which by default
    ends a process; or SIGKILL where it can be told to, which a process that was stopped does not outlive either.
    """
    try:
        import fcntl
    except ImportError:  # no such signals: the process ends when it next finds a cover
        return
    descriptor = sys.stdin.fileno()
    fcntl.fcntl(descriptor, fcntl.F_SETOWN, os.getpid())
    if hasattr(fcntl, "F_SETSIG"):
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGKILL)
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_ASYNC)


if __name__ == "__main__":
    main()
