"""A SAT solver in a process of its own: one that can be neither interrupted nor asked to let other threads run."""

from __future__ import annotations

import pickle
import tempfile
from contextlib import AbstractContextManager
from subprocess import PIPE, Popen
from typing import IO, Any

from latcover.backends.relay import Outbox
from latcover.backends.sat_enumeration import Task
from latcover.errors import BackendFailedError
from latcover.system.child_process import child, require_python

_LAST_WORDS = 500  # characters


class SatProcess:
    """The process seen from here. It sends pickled pairs: what it is about, and a value; see sat_child.py."""

    def __init__(self, task: Task) -> None:
        require_python(
            f"backend 'sat' runs {task.solver!r} in a process of its own", "; choose another solver, such as maplesat"
        )
        self._task = task
        self._process: Popen[bytes] | None = None
        self.figures: dict[str, Any] = {"solver": task.solver, "encoding": task.encoding}

    def find(self, outbox: Outbox) -> bool:
        """See `relay.Finder`."""
        with tempfile.TemporaryFile() as words, _started(words) as self._process:
            try:
                return self._receive(self._process, outbox)
            except (EOFError, OSError, pickle.UnpicklingError):
                if outbox.closed:
                    return False
                raise self._died(self._process, words) from None

    def stop(self) -> None:
        """See `relay.Finder`."""
        if self._process is not None:
            self._process.kill()

    def _receive(self, process: Popen[bytes], outbox: Outbox) -> bool:
        """Hand over the task, then take what comes."""
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump(self._task, process.stdin)
        process.stdin.flush()
        while not outbox.closed:
            about, value = pickle.load(process.stdout)
            match about:
                case "ready":
                    self.figures |= value
                    outbox.ready()
                case "cover":
                    if not outbox.put(value):
                        return False
                case "end":
                    exhausted, figures = value
                    self.figures |= figures
                    return bool(exhausted)
                case _:
                    raise BackendFailedError(f"SAT solver {self._task.solver!r} failed in its process: {value}")
        return False

    def _died(self, process: Popen[bytes], words: IO[bytes]) -> BackendFailedError:
        code = process.wait()
        words.seek(0)
        last = words.read().decode(errors="replace").strip()[-_LAST_WORDS:]
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return BackendFailedError(
            f"the process of SAT solver {self._task.solver!r} {how} before it was done"
            + (f"; its last words: {last}" if last else "")
            + "; it may have run out of memory: limit the search, or choose another solver or encoding"
        )


def _started(words: IO[bytes]) -> AbstractContextManager[Popen[bytes]]:
    """The child, whose last words go to a file."""
    streams = {"stdin": PIPE, "stdout": PIPE, "stderr": words}
    return child("latcover.backends.sat_child", shielded=True, streams=streams)
