"""Starting modules of latcover as child processes, each with memory and crashes of its own.

Every child is started here. `launch` makes the command line, the environment and the process group, and the pipe by
which the child dies with its parent (see `latcover.system.lifeline`). `child` starts it and waits. The web app cannot
wait; it gives the result of `launch` to asyncio.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from types import FrameType, MappingProxyType, TracebackType
from typing import IO, Any

from msgspec import Struct

from latcover.errors import BackendFailedError, BackendUnavailableError
from latcover.system import signals
from latcover.system.lifeline import Lifeline, lifeline
from latcover.system.processes import Group

# For a child whose output is read by a program: no colours, no lines broken at the width of a terminal.
QUIET = MappingProxyType({"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "1000", "PYTHONIOENCODING": "utf-8"})
AS_TEXT = MappingProxyType(
    {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "text": True,
        "encoding": "utf-8",
        "errors": "replace",
    }
)
NOTHING_MORE: Mapping[str, str] = MappingProxyType({})


class Finished(Struct, frozen=True):
    """What a process left: its exit code (negative: the signal that ended it), and what it printed."""

    code: int
    output: str
    messages: str
    interrupted: bool = False


def not_started(problem: OSError) -> str:
    """That the system starts no process, why, and what mends it."""
    mends = {
        errno.EMFILE: "raise the limit of open files (ulimit -n), or ask for fewer processes and threads",
        errno.ENFILE: "other programs hold too many files: end some of them",
        errno.EAGAIN: "raise the limit of processes (ulimit -u), or ask for fewer processes and threads",
        errno.ENOMEM: "free some memory, or ask for fewer processes and threads",
    }
    mend = mends.get(problem.errno or 0, "")
    return f"the system starts no process: {problem.strerror or problem}{'; ' * bool(mend)}{mend}"


class Launch(Struct, frozen=True):
    """How a child is to be started.

    Attributes:
        command: The words of its command line.
        options: What `subprocess.Popen`, or asyncio's counterpart, is to be told besides the streams.
        lifeline: To be tied to the child when it has been started, and cut in the end.
    """

    command: list[str]
    options: dict[str, Any]
    lifeline: Lifeline


def require_python(what: str, instead: str = "") -> None:
    """Raise a BackendUnavailableError if this Python does not know its own program, so that it cannot start a child.

    Its message begins with *what* needs the child, and ends with what to do *instead*.
    """
    if not sys.executable:
        raise BackendUnavailableError(
            f"{what}, but this Python does not know the program it was started by (sys.executable is empty){instead}"
        )


def launch(
    module: str,
    arguments: Sequence[str] = (),
    *,
    own_group: bool = False,
    environment: Mapping[str, str] = NOTHING_MORE,
) -> Launch:
    """How to start *module* as a child, which can import whatever this process can.

    Args:
        own_group: Whether it leads a process group, which can be signalled and dies as a whole; without, it gets the
            signals that its parent's group gets.
        environment: Variables to be set, besides those of this process.

    Raises:
        BackendUnavailableError: sys.executable is empty.
    """
    require_python(f"{module} is to run in its own process")
    line = lifeline()
    # -P: a folder called latcover in the current one is not taken for the package
    command = [sys.executable, "-P", "-m", "latcover.system.child_start", line.word, module, *arguments]
    options = {
        "env": {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment},
        **line.options(own_group),
    }
    return Launch(command, options, line)


@contextmanager
def child(
    module: str, arguments: Sequence[str] = (), *, shielded: bool = False, streams: Mapping[str, Any], **how: Any
) -> Iterator[subprocess.Popen[Any]]:
    """Start a child, to be used in a `with` statement; it does not outlive the statement.

    Args:
        module, arguments, how: As for `launch`.
        shielded: Whether the child never gets Ctrl-C (SIGINT), from its start: only its parent decides when it ends. A
            handler in the child would come too late, and solvers replace it.
        streams: Standard input, output and error, and how they are read, as for `subprocess.Popen`.

    Raises:
        BackendUnavailableError: sys.executable is empty.
        BackendFailedError: the system starts no process.
    """
    planned, process = None, None
    try:
        try:
            planned = launch(module, arguments, **how)
            with signals.held_back() if shielded else nullcontext():
                process = subprocess.Popen(planned.command, **planned.options, **streams)
                planned.lifeline.tie(process.pid)
        except OSError as problem:
            raise BackendFailedError(not_started(problem)) from None
        yield process
    finally:
        if planned is not None:
            planned.lifeline.cut()
        if process is not None:
            process.kill()
            process.wait()
            for stream in filter(None, (process.stdin, process.stdout, process.stderr)):
                with suppress(OSError):  # what was not yet written to a child that is gone
                    stream.close()


@contextmanager
def command_line(
    arguments: Sequence[str], *, own_group: bool = False, stdin: IO[bytes] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """``latcover ARGUMENTS`` as a child whose output and messages are read as text, by `communicate`.

    Its standard input is the open file *stdin*, or nothing.
    """
    streams = AS_TEXT if stdin is None else {**AS_TEXT, "stdin": stdin}
    with child("latcover", arguments, streams=streams, own_group=own_group, environment=QUIET) as process:
        yield process


def stand_in(module: str, arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Let a child do what this process was asked to do, on the same streams. Returns its exit code.

    It gets what interrupts this process. For the main thread.
    """
    with child(module, arguments, streams={}, own_group=True, environment=environment) as process:
        group = Group(process.pid)
        before = signals.handle(signals.INTERRUPTS, lambda *_: group.interrupt())
        before |= signals.handle(signals.ENDS, _leave)
        try:
            return process.wait()
        finally:
            signals.restore(before)


class Children:
    """Runs latcover as a child, one at a time; to be used in a `with` statement, by the main thread.

    The first Ctrl-C is passed on once, so that the child ends with what it has found. The second one ends everything.
    No child outlives the statement, even if SIGTERM ends it.
    """

    def __init__(self) -> None:
        self.interrupted = False
        self._running: subprocess.Popen[str] | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Children:
        self._before = signals.handle(signals.INTERRUPTS, self._on_interrupt) | signals.handle(signals.ENDS, _leave)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signals.restore(self._before)

    def __call__(self, arguments: Sequence[str]) -> Finished:
        """Run ``latcover ARGUMENTS`` to its end. After an interrupt, no other child is started."""
        if self.interrupted:
            return Finished(0, "", "", interrupted=True)
        try:
            # a group of its own, so that Ctrl-C reaches it once, from here
            with command_line(arguments, own_group=True) as self._running:
                if self.interrupted:  # while it was started
                    Group(self._running.pid).interrupt()
                output, messages = self._running.communicate()
                return Finished(self._running.returncode, output, messages, self.interrupted)
        finally:
            self._running = None

    def _on_interrupt(self, *_: object) -> None:
        if self.interrupted:
            raise KeyboardInterrupt
        self.interrupted = True
        if self._running is not None and self._running.poll() is None:
            Group(self._running.pid).interrupt()


def _leave(number: int, _: FrameType | None) -> None:
    sys.exit(128 + number)
