"""A child process of the server, which takes jobs and sends events. All processes that it starts end with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec

from latcover.apps.web.messages import Answered, Event, Failed, Ready, events
from latcover.apps.web.settings import Settings
from latcover.system import signals
from latcover.system.child_process import launch, not_started
from latcover.system.lifeline import Lifeline
from latcover.system.processes import Group

LONGEST_LINE = 16 << 20  # of an event, in bytes
GRACE = 5.0  # seconds that a process has to end when it is asked to
LITTLE_MEMORY = {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}  # Settings bound the address space


class ChildError(Exception):
    """The process ended, or sent no valid event. The message is for users."""


class Child:
    """One process of `latcover.apps.web.child`, for one event loop. Call `end` when it is no longer needed."""

    def __init__(self, process: asyncio.subprocess.Process, lifeline: Lifeline) -> None:
        self._process, self._lifeline, self._group = process, lifeline, Group(process.pid)
        self.received = 0  # bytes
        self._is_ready = False  # whether it has begun to take jobs

    @classmethod
    async def started(cls, settings: Settings) -> Child:
        """Start a process in its own process group.

        Raises:
            ChildError: it ended at once, or the system cannot start it.
        """
        pipe = asyncio.subprocess.PIPE
        try:
            planned = launch("latcover.apps.web.child", own_group=True, environment=LITTLE_MEMORY)
        except OSError as problem:
            raise ChildError(not_started(problem)) from None
        try:
            process = await asyncio.create_subprocess_exec(
                *planned.command, stdin=pipe, stdout=pipe, limit=LONGEST_LINE, **planned.options
            )
        except BaseException as problem:
            planned.lifeline.cut()
            if isinstance(problem, OSError):
                raise ChildError(not_started(problem)) from None
            raise
        planned.lifeline.tie(process.pid)
        child = cls(process, planned.lifeline)
        try:
            await child.send(settings)
        except BaseException:
            await child.end()
            raise
        return child

    @property
    def running(self) -> bool:
        return self._process.returncode is None

    async def send(self, data: msgspec.Struct) -> None:
        """Send the settings or a task, on a line.

        Raises:
            ChildError: the process is gone.
        """
        assert self._process.stdin is not None
        try:
            line = await asyncio.to_thread(msgspec.json.encode, data)  # it may be long
            self._process.stdin.write(line + b"\n")
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            raise ChildError(await self._last_words()) from None

    async def events(self) -> AsyncIterator[Event]:
        """The messages of a job, up to the last one, `Answered` or `Failed`.

        Raises:
            ChildError: the process ended before its last event.
        """
        assert self._process.stdout is not None
        while True:
            try:
                line = await self._process.stdout.readline()
            except ValueError:
                raise ChildError("its answer is longer than the server takes; ask for less") from None
            if not line.endswith(b"\n"):
                raise ChildError(await self._last_words())
            self.received += len(line)
            event = events.decode(line)
            if isinstance(event, Ready):
                self._is_ready = True
                continue
            yield event
            if isinstance(event, Answered | Failed):
                return

    async def _last_words(self) -> str:
        try:
            code = await asyncio.wait_for(self._process.wait(), GRACE)
        except TimeoutError:
            return "its process closed its output"
        if code < 0:
            mend = "it may have run out of memory: take a smaller puzzle, or another backend"
            return f"its process was ended by {signals.name_of(-code)}; {mend}"
        return f"its process ended with exit code {code}"

    def interrupt(self) -> None:
        """Ask it to end its job with the results so far. One that still starts has none: it is killed.

        Python would answer an interrupt then with a traceback.
        """
        if not self._is_ready:
            self.kill()
            return
        self.resume()
        if self.running:
            self._group.interrupt()

    def pause(self) -> None:
        """Pause it and all processes that it started."""
        if self.running:
            self._group.pause()

    def resume(self) -> None:
        """Continue after `pause`."""
        if self.running:
            self._group.resume()

    def kill(self) -> None:
        """Kill it and all processes that it started."""
        if self.running:
            self._group.kill()

    async def end(self) -> None:
        """Kill it, and wait until it has ended."""
        self.kill()
        self._lifeline.cut()
        await self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
