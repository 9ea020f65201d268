"""A server of the web app, as a process of its own, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import IO, Any

import httpx

from tests.processes import GUARD, descendants, is_running, runs_module, wait_until

PENTOMINOES = {"form": "shipped", "name": "pent-10x6"}  # 2339 solutions, for what is to last
SOMA = {"form": "shipped", "name": "soma"}  # 240
SMALL = {"form": "shipped", "name": "fig4-3x3"}  # 2

SLOW: dict[str, Any] = {"backend": "dlx", "options": {"size": "false"}, "symmetry": "none"}
SAT: dict[str, Any] = {"backend": "sat", "options": {"solver": "cadical153"}, "symmetry": "none"}
BOARD = """name = "board"
lattice = "square"
[region]
box = [{size}, {size}]
[[parts]]
name = "domino"
count = "unlimited"
art = ["XX"]
"""


class Server:
    """A server of its own, on loopback."""

    def __init__(
        self, *options: str, before: Sequence[str] = (), stderr: IO[str] | None = None, **environment: str
    ) -> None:
        command = [*before, sys.executable, "-P", "-m", "latcover", "serve", "--port", "0", *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=stderr, text=True, env={**os.environ, **environment}
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "http://" in line, line
        self.url = line.split("at ")[1].split()[0].rstrip("/")
        self.client = httpx.Client(base_url=self.url, timeout=GUARD)
        wait_until(self.answers)

    def answers(self) -> bool:
        try:
            return self.client.get("/api/about").status_code == 200
        except httpx.TransportError:
            return False

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
