"""A SAT solver in a separate process, because it cannot be interrupted and does not let other threads run."""

from __future__ import annotations

import pickle
import tempfile
from contextlib import AbstractContextManager
from subprocess import PIPE, Popen
from typing import IO, Any

from latcover.backends.relay import Outbox
from latcover.backends.sat_enumeration import EncodedProblem
from latcover.core.cover.veto import OptionVeto
from latcover.errors import BackendFailedError
from latcover.system.child_process import child, require_python

_LAST_OUTPUT = 500  # characters


class SatProcess:
    """The parent's side of the process. The child sends pickled pairs of a keyword and a value; see sat_child.py.

    If there is a veto, the child asks about each cover that it finds, and waits for clauses that say why it is refused.
    """

    def __init__(self, task: EncodedProblem, veto: OptionVeto | None = None) -> None:
        require_python(
            f"backend 'sat' runs {task.solver!r} in its own process", "; choose another solver, such as maplesat"
        )
        self._task, self._veto = task, veto
        self._process: Popen[bytes] | None = None
        self.figures: dict[str, Any] = {"solver": task.solver, "encoding": task.encoding}

    def find(self, outbox: Outbox) -> bool:
        """See `relay.Finder`."""
        with tempfile.TemporaryFile() as messages, _started(messages) as self._process:
            try:
                return self._receive(self._process, outbox)
            except (EOFError, OSError, pickle.UnpicklingError):
                if outbox.closed:
                    return False
                raise self._died(self._process, messages) from None

    def stop(self) -> None:
        """See `relay.Finder`."""
        if self._process is not None:
            self._process.kill()

    def _receive(self, process: Popen[bytes], outbox: Outbox) -> bool:
        """Send the task, then take the covers."""
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump((self._task, self._veto is not None), process.stdin)
        process.stdin.flush()
        while not outbox.closed:
            keyword, value = pickle.load(process.stdout)
            match keyword:
                case "ready":
                    self.figures |= value
                    outbox.ready()
                case "cover":
                    if not outbox.put(value):
                        return False
                case "asked":
                    assert self._veto is not None
                    pickle.dump(self._veto.clauses(value), process.stdin)
                    process.stdin.flush()
                case "end":
                    exhausted, figures = value
                    self.figures |= figures
                    return bool(exhausted)
                case _:
                    raise BackendFailedError(f"SAT solver {self._task.solver!r} failed in its process: {value}")
        return False

    def _died(self, process: Popen[bytes], messages: IO[bytes]) -> BackendFailedError:
        code = process.wait()
        messages.seek(0)
        last = messages.read().decode(errors="replace").strip()[-_LAST_OUTPUT:]
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return BackendFailedError(
            f"the process of SAT solver {self._task.solver!r} {how} before it was done"
            + (f"; its last output: {last}" if last else "")
            + "; it may have run out of memory: limit the search, or choose another solver or encoding"
        )


def _started(messages: IO[bytes]) -> AbstractContextManager[Popen[bytes]]:
    """The child, which writes its messages to a file."""
    streams = {"stdin": PIPE, "stdout": PIPE, "stderr": messages}
    return child("latcover.backends.sat_child", shielded=True, streams=streams)
