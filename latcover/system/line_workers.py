"""Worker processes that answer each line of their input with lines."""

from __future__ import annotations

import queue
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from msgspec import Struct

from latcover.errors import BackendFailedError
from latcover.system.child_process import QUIET, child
from latcover.system.queues import take

PATIENCE = 0.1  # seconds that a look at the answers waits


class Line(Struct, frozen=True):
    """A line that a worker answered task *number* with; the *last* one, or not."""

    number: int
    text: bytes
    last: bool


class LineWorkers:
    """Processes of *module*, each fed by a thread. They never get Ctrl-C, and end with the `with` statement.

    Args:
        module: Reads a line for each task, and writes lines.
        arguments: Of the module.
        size: How many processes there are.
        task: What they do, for the message if one ends.
        is_last: Whether a line ends the answer to a task.
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        size: int,
        task: str,
        is_last: Callable[[bytes], bool] = lambda _: True,
    ) -> None:
        self._module, self._arguments, self._size, self._task = module, arguments, size, task
        self._is_last = is_last
        self._todo: queue.SimpleQueue[tuple[int, bytes] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Line | BaseException] = queue.SimpleQueue()
        self._workers = ExitStack()

    def __enter__(self) -> LineWorkers:
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with ExitStack() as started:
            for _ in range(self._size):
                worker = started.enter_context(
                    child(self._module, self._arguments, shielded=True, streams=streams, environment=QUIET)
                )
                threading.Thread(target=self._feed, args=(worker,), daemon=True).start()
            self._workers = started.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        for _worker in range(self._size):
            self._todo.put(None)
        self._workers.close()

    def put(self, number: int, text: bytes) -> None:
        """Add a task, which a line describes."""
        self._todo.put((number, text))

    def take(self) -> list[Line]:
        """The lines that have come; it waits a moment for the first.

        Raises:
            BackendFailedError: a worker has ended.
        """
        try:
            found = [take(self._answers, PATIENCE)]
        except queue.Empty:
            return []
        while not self._answers.empty():
            found.append(self._answers.get())
        lines = []
        for answer in found:
            if isinstance(answer, BaseException):
                raise answer
            lines.append(answer)
        return lines

    def _feed(self, worker: subprocess.Popen[bytes]) -> None:
        assert worker.stdin
        assert worker.stdout
        while (task := self._todo.get()) is not None:
            number, text = task
            try:
                worker.stdin.write(text + b"\n")
                worker.stdin.flush()
                last = False
                while not last:
                    line = worker.stdout.readline()
                    if not line.endswith(b"\n"):
                        raise EOFError
                    last = self._is_last(line)
                    self._answers.put(Line(number, line, last))
            except (OSError, ValueError, EOFError) as fault:
                why = f"a process that {self._task} has ended; its messages say why, or it ran out of memory"
                self._answers.put(BackendFailedError(f"{why} ({type(fault).__name__})"))
                return
