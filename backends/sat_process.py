"""A SAT solver in a process of its own: one that can be neither interrupted nor asked to let other threads run."""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from subprocess import PIPE, Popen
from typing import IO, Any

from latcover.backends.relay import Outbox
from latcover.backends.sat_enumeration import Task
from latcover.errors import BackendFailedError, BackendUnavailableError

_LAST_WORDS = 500  # characters


class SatProcess:
    """The process seen from here. It sends pickled pairs: what it is about, and a value; see sat_child.py."""

    def __init__(self, task: Task) -> None:
        if not sys.executable:
            raise BackendUnavailableError(
                f"backend 'sat' runs {task.solver!r} in a process of its own, but this Python does not know "
                "the program it was started by (sys.executable is empty); choose another solver, such as maplesat"
            )
        self._task = task
        self._process: Popen[bytes] | None = None
        self.figures: dict[str, Any] = {"solver": task.solver, "encoding": task.encoding}

    def find(self, outbox: Outbox) -> bool:
        """See `relay.Finder`."""
        with tempfile.TemporaryFile() as words:
            # a session of its own, so that the terminal's Ctrl-C comes to us alone; -P, so that a folder called
            # latcover in the current one is not taken for the package
            self._process = Popen(
                [sys.executable, "-P", "-m", "latcover.backends.sat_child"],
                stdin=PIPE,
                stdout=PIPE,
                stderr=words,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                start_new_session=True,
            )
            try:
                return self._receive(self._process, outbox)
            except (EOFError, OSError, pickle.UnpicklingError):
                if outbox.closed:
                    return False
                raise self._died(self._process, words) from None
            finally:
                self._process.kill()
                self._process.wait()
                for pipe in (self._process.stdin, self._process.stdout):
                    _close(pipe)

    def stop(self) -> None:
        """See `relay.Finder`."""
        if self._process is not None:
            self._process.kill()

    def _receive(self, process: Popen[bytes], outbox: Outbox) -> bool:
        """Hand over the task, then take what comes. The pipe to the child stays open: its end would be the child's."""
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


def _close(pipe: IO[bytes] | None) -> None:
    """Close one end of a pipe whose other end may be gone."""
    try:
        if pipe is not None:
            pipe.close()
    except OSError:
        return
