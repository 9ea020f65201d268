"""A pool of child processes that read uploads and draw, so that no upload can harm the server.

A process that takes too long or fails is ended; the next request gets another.
"""

from __future__ import annotations

import asyncio
import time

from msgspec import Raw

from latcover.apps.web.messages import Answered, Failed, Fault
from latcover.apps.web.server_processes import Child, ChildError
from latcover.apps.web.settings import Settings
from latcover.apps.web.tasks import Task

LOOK = 1.0  # seconds between two checks for idle helpers


class BusyError(Exception):
    """The server has too much to do; the client may try again."""


class FaultError(Exception):
    """A job failed; ``fault`` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class Workshop:
    """Does quick jobs, in the order of the requests."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._free: list[tuple[float, Child]] = []  # and the time since when it is free
        self._room = asyncio.Semaphore(settings.helpers)
        self._waiting = 0

    async def do(self, task: Task) -> Raw:
        """The answer to a task, in JSON.

        Raises:
            BusyError: too many are waiting.
            FaultError: the job failed.
        """
        if self._waiting >= self._settings.waiting:
            raise BusyError("the server has too much to draw and to read; try again in a moment")
        self._waiting += 1
        try:
            async with self._room:
                return await self._done(task)
        finally:
            self._waiting -= 1

    async def _done(self, task: Task) -> Raw:
        try:
            child, usable = await self._helper(), False
        except ChildError as fault:
            raise BusyError(f"the server can do nothing more now ({fault}); try again in a moment") from None
        try:
            async with asyncio.timeout(self._settings.quick):
                await child.send(task)
                event = [event async for event in child.events()][-1]
            usable = True
        except ChildError as fault:
            raise FaultError(Fault(f"this could not be done: {fault}")) from None
        except TimeoutError:
            what = f"this took longer than {self._settings.quick:g} s, and was given up; take a smaller puzzle"
            raise FaultError(Fault(what)) from None
        finally:
            if usable:
                self._free.append((time.monotonic(), child))
            else:
                await child.end()
        if isinstance(event, Failed):
            raise FaultError(event.fault)
        assert isinstance(event, Answered)
        return event.answer

    async def _helper(self) -> Child:
        while self._free:
            _, child = self._free.pop()
            if child.running:
                return child
            await child.end()
        return await Child.started(self._settings)

    async def look_after(self) -> None:
        """End idle helpers; runs until it is cancelled."""
        while True:
            await asyncio.sleep(min(LOOK, self._settings.idle))
            now = time.monotonic()
            idle = [child for since, child in self._free if now - since >= self._settings.idle]
            self._free = [(since, child) for since, child in self._free if child not in idle]
            for child in idle:
                await child.end()

    async def close(self) -> None:
        """End all helpers."""
        for _, child in self._free:
            await child.end()
        self._free = []
