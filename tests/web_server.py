"""Servers of the web app for tests: as a process with children of its own, or as threads of this process.

`Server` is for what only processes have: signals, memory, an end that comes too early. `Within` is for what is asked
and answered; it starts no Python anew for each search.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any
from unittest.mock import patch

import httpx
import msgspec

from latcover.apps.cli.commands.serve_command import PUBLISHER
from latcover.apps.web.child_jobs import run_job
from latcover.apps.web.job import Talk
from latcover.apps.web.messages import Answered, Event, Failed, Message, events
from latcover.apps.web.server_processes import Child
from latcover.apps.web.serving import server as made_server
from latcover.apps.web.settings import Settings
from tests.processes import GUARD, descendants, is_running, runs_module, wait_until

PENTOMINOES = {"form": "shipped", "name": "pent-10x6"}  # 2339 solutions
SOMA = {"form": "shipped", "name": "soma"}  # 240
SMALL = {"form": "shipped", "name": "fig4-3x3"}  # 2

BOARD = """name = "board"
lattice = "square"
[region]
box = [{size}, {size}]
[[parts]]
name = "domino"
count = "unlimited"
art = ["XX"]
"""
WALL = {"form": "toml", "text": BOARD.format(size=10)}  # no machine comes to the end of its 258,584,046,368 solutions
SLOW: dict[str, Any] = {"task": "count", "subject": WALL, "backend": "dlx", "symmetry": "none"}
SAT: dict[str, Any] = {"subject": WALL, "backend": "sat", "options": {"solver": "cadical153"}, "symmetry": "none"}


PATIENCE: dict[str, Any] = {"quick": GUARD, "lonely": GUARD, "forgotten": GUARD}
PATIENT = f"""
from functools import partial
from latcover.apps.web import settings
settings.Settings = partial(settings.Settings, **{PATIENCE})
from latcover.__main__ import main
main()
"""


def patient(**others: Any) -> Settings:
    """Settings of a server that ends nothing because the machine is busy."""
    return Settings(**PATIENCE | {"publisher": PUBLISHER} | others)


class WebClient:
    """What tests ask of a server at an address."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.client = httpx.Client(base_url=url, timeout=GUARD)
        wait_until(self.answers)

    def answers(self) -> bool:
        try:
            return self.client.get("/api/about").status_code == 200
        except httpx.TransportError:
            return False

    def answers_anew(self) -> bool:
        """Whether the server answers a client that connects now."""
        return httpx.get(f"{self.url}/api/about", timeout=GUARD).status_code == 200

    def post(self, path: str, data: Any, **headers: str) -> Any:
        return self.client.post(path, json=data, headers=headers)

    def start(self, **job: Any) -> Any:
        answer = self.post("/api/runs", {"task": "solve", "subject": PENTOMINOES, **job})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def standing(self, run: str) -> Any:
        return self.client.get(f"/api/runs/{run}").json()

    def events(self, run: str) -> list[Any]:
        """How a run stood whenever that changed, until it ended."""
        lines = self.client.get(f"/api/runs/{run}/events").text.splitlines()
        return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]

    def ended(self, run: str) -> Any:
        """How a run stood when it had ended; waits for that."""
        return self.events(run)[-1]


class Server(WebClient):
    """A patient server as a process of its own, on loopback."""

    def __init__(
        self, *options: str, before: Sequence[str] = (), stderr: IO[str] | None = None, **environment: str
    ) -> None:
        command = [*before, sys.executable, "-P", "-c", PATIENT, "serve", "--port", "0", *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=stderr, text=True, env={**os.environ, **environment}
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "http://" in line, line
        super().__init__(line.split("at ")[1].split()[0].rstrip("/"))

    def children(self) -> list[int]:
        return descendants(self.process.pid)

    def solvers(self) -> list[int]:
        """The processes of SAT solvers, which are grandchildren."""
        return [pid for pid in self.children() if runs_module(pid, "latcover.backends.sat_child")]

    def close(self) -> None:
        """End it as SIGTERM does, and wait until none of its children is left."""
        children = self.children()
        self.client.close()
        self.process.terminate()
        self.process.wait(GUARD)
        wait_until(lambda: not any(map(is_running, children)))


class Thread:
    """Stands in for a child process of the server: a thread does the job."""

    running = True
    received = 0

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._talk: Talk | None = None
        self._worker: threading.Thread | None = None

    @classmethod
    async def started(cls, settings: Settings) -> Thread:
        return cls(settings)

    async def send(self, task: msgspec.Struct) -> None:
        loop, self._came = asyncio.get_running_loop(), asyncio.Queue[bytes]()

        def send(message: Message) -> None:
            loop.call_soon_threadsafe(self._came.put_nowait, msgspec.json.encode(message))

        self._talk = Talk(send, self._settings)
        self._worker = threading.Thread(target=run_job, args=(msgspec.json.encode(task), self._talk))
        self._worker.start()

    async def events(self) -> AsyncIterator[Event]:
        while True:
            text = await self._came.get()
            self.received += len(text)
            event = events.decode(text)
            yield event
            if isinstance(event, Answered | Failed):
                return

    def interrupt(self) -> None:
        if self._talk is not None:
            self._talk.stopped = True

    kill = interrupt

    async def end(self) -> None:
        self.kill()
        if self._worker is not None:
            await asyncio.to_thread(self._worker.join)


@contextmanager
def within(settings: Settings) -> Iterator[WebClient]:
    """A server within this process, whose jobs are done by threads: they cannot be paused."""
    with patch.object(Child, "started", Thread.started), socket.create_server(("127.0.0.1", 0)) as bound:
        server = made_server(settings)
        running = threading.Thread(target=server.run, args=[[bound]])
        running.start()
        asked = WebClient("http://{}:{}".format(*bound.getsockname()))
        try:
            yield asked
        finally:
            asked.client.close()
            server.should_exit = True
            running.join()
