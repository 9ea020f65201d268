"""How the web app bears a crowd.

It starts a server on loopback, and so many clients at once. Eight of ten do what a browser does: they load the page,
follow a small search to its end, and ask for pictures. One of ten leaves a long search and a download behind.
One of ten sends halves of requests and never finishes them. Meanwhile a newcomer asks for the catalogue every half
second. It ends with exit code 1 if a client got a wrong answer or none, or if a process was left behind.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import psutil
import typer

from benchmarks.harness.processes import own_command
from latcover.errors import LatcoverError, counted
from latcover.system.extras import require
from latcover.system.machine import machine

if TYPE_CHECKING:
    import httpx

IMPORTED = re.compile(r'^(?:import|export)\b[^;]*? from "\./([\w.]+)";', re.MULTILINE)  # not what a comment names
AT_ONCE = 6  # connections of a client, as browsers have
UNANSWERED = 60.0  # seconds after which a request counts as never answered
BETWEEN_NEWCOMERS = 0.5  # seconds
SMALL: Sequence[dict[str, Any]] = (
    {"task": "solve", "subject": {"form": "shipped", "name": "fig4-3x3"}},
    {"task": "solve", "subject": {"form": "shipped", "name": "soma"}, "limit": 3},
    {"task": "count", "subject": {"form": "shipped", "name": "soma"}},
)
LONG = {
    "task": "count",
    "subject": {"form": "shipped", "name": "pent-10x6"},
    "backend": "backtrack",
    "symmetry": "none",
}
NEWCOMERS = """
import sys, time, urllib.request
while True:
    start = time.monotonic()
    status = urllib.request.urlopen(sys.argv[1] + "/api/about", timeout=60).status
    print(status, time.monotonic() - start, flush=True)
    time.sleep(float(sys.argv[2]))
"""
HALVES = (b"", b"GET / HT", b"POST /api/open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{")


class Tally(msgspec.Struct):
    """What the clients met.

    Attributes:
        answers: How many answers the crowd got.
        newcomers: The seconds that newcomers waited for the catalogue.
        ended: How clients ended, in words.
        wrong: What must not happen.
    """

    answers: int = 0
    newcomers: list[float] = []
    ended: Counter[str] = msgspec.field(default_factory=Counter)
    wrong: list[str] = []


class Client:
    """A client with a few connections, as a browser has."""

    def __init__(self, http: httpx.AsyncClient, tally: Tally, until: float, number: int) -> None:
        self._http, self._tally, self._until = http, tally, until
        self._dice = random.Random(number)

    async def ask(self, method: str, path: str, expected: Sequence[int] = (200,), **more: Any) -> httpx.Response:
        """The answer to a request."""
        import httpx

        try:
            answer = await self._http.request(method, path, **more)
        except httpx.RemoteProtocolError:  # the server has closed a connection that rested: browsers ask again, too
            answer = await self._http.request(method, path, **more)
        self._tally.answers += 1
        if answer.status_code not in expected:
            self._tally.wrong.append(f"{method} {path}: {answer.status_code} {answer.text[:100]}")
        return answer

    async def load(self) -> None:
        """The page with all its files, and the catalogue."""
        page = (await self.ask("GET", "/")).text
        wanted, loaded = re.findall(r'(?:src|href)="(/static/[\w./]+)"', page), set[str]()
        folder = wanted[0].rpartition("/")[0]
        while new := sorted(set(wanted) - loaded):
            loaded |= set(new)
            texts = [answer.text for answer in await asyncio.gather(*(self.ask("GET", path) for path in new))]
            wanted = [f"{folder}/{name}" for text in texts for name in IMPORTED.findall(text)]
        await self.ask("GET", "/api/about")

    async def begin(self, job: dict[str, Any]) -> str | None:
        """Start a search, and try again as long as the server has no room. Its identifier; None if time ran out."""
        while time.monotonic() < self._until:
            answer = await self.ask("POST", "/api/runs", (201, 429), json=job)
            if answer.status_code == 201:
                return str(answer.json()["id"])
            await asyncio.sleep(float(answer.headers["Retry-After"]) * self._dice.uniform(0.8, 1.2))
        return None

    async def follow(self, run: str, events: int | None = None) -> str:
        """The last event of a search, or of its first so many."""
        last = ""
        async with self._http.stream("GET", f"/api/runs/{run}/events") as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    last, events = line, None if events is None else events - 1
                if events == 0:
                    break
        return last

    async def stay(self) -> str:
        """Do what somebody does who solves a puzzle."""
        await self.load()
        job = self._dice.choice(SMALL)
        run = await self.begin(job)
        if run is None:
            return "found no room for a search in time"
        last = await self.follow(run)
        standing = json.loads(last.removeprefix("data: ") or "{}")
        if standing.get("state") != "ended" or standing.get("fault") is not None:
            self._tally.wrong.append(f"a search did not end well: {last[:300]}")
        for path in (f"/api/shipped/{job['subject']['name']}.svg", f"/api/runs/{run}"):
            await self.ask("GET", path)
        return "finished a search"

    async def leave(self) -> str:
        """Leave a long search and a download behind."""
        if (run := await self.begin(LONG)) is not None:
            await self.follow(run, 1)
        async with self._http.stream("GET", "/static/three.js"):
            return "left a search and a download"

    async def dawdle(self, port: int) -> str:
        """Send halves of requests, and nothing more until the end."""
        halves = [await asyncio.open_connection("127.0.0.1", port) for _ in HALVES]
        for (_, writer), half in zip(halves, HALVES, strict=True):
            writer.write(half)
        await asyncio.sleep(max(0.0, min(20.0, self._until - time.monotonic())))
        for _, writer in halves:
            writer.transport.abort()
        return "sent halves of requests"


async def crowd(address: str, clients: int, seconds: float, tally: Tally) -> None:
    """So many clients at once, for so long at most, and newcomers all the while."""
    import httpx

    until, port = time.monotonic() + seconds, int(address.rsplit(":", 1)[1])

    async def one(number: int) -> None:
        pool = httpx.Limits(max_connections=AT_ONCE)
        timeout = httpx.Timeout(UNANSWERED, pool=None)
        async with httpx.AsyncClient(base_url=address, limits=pool, timeout=timeout, verify=False) as http:
            client = Client(http, tally, until, number)
            try:
                match number % 10:
                    case 0:
                        how = await client.leave()
                    case 1:
                        how = await client.dawdle(port)
                    case _:
                        how = await client.stay()
            except (httpx.HTTPError, OSError) as problem:
                how = "got no answer"
                tally.wrong.append(f"client {number}: {problem!r}")
            tally.ended[how] += 1

    async def newcomers() -> None:
        """Ask from another process: this one is busy with the crowd."""
        words = (sys.executable, "-c", NEWCOMERS, address, str(BETWEEN_NEWCOMERS))
        asking = await asyncio.create_subprocess_exec(*words, stdout=subprocess.PIPE)
        assert asking.stdout is not None
        try:
            async for line in asking.stdout:
                status, took = line.decode().split()
                tally.newcomers.append(float(took))
                if status != "200":
                    tally.wrong.append(f"a newcomer got the status {status}")
        finally:
            asking.kill()
            await asking.wait()

    coming = asyncio.create_task(newcomers())
    await asyncio.gather(*(one(number) for number in range(clients)))
    coming.cancel()
    await asyncio.wait([coming])


def measured(clients: int, seconds: float, options: Sequence[str] = ()) -> Tally:
    """What a crowd of so many clients meets at a server of its own, which is ended afterwards."""
    tally = Tally()
    command = own_command("serve", "--port", "0", *options)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        found = re.search(r"http://[\w.]+:\d+", line)
        if found is None:
            raise SystemExit(f"the server did not start: {line}")
        try:
            asyncio.run(crowd(found[0], clients, seconds, tally))
        finally:
            children = psutil.Process(server.pid).children(recursive=True) if server.poll() is None else []
            server.terminate()
            server.wait(UNANSWERED)
    _, left = psutil.wait_procs(children, timeout=UNANSWERED)
    tally.wrong += [f"process {child.pid} was left behind" for child in left]
    return tally


def report(tally: Tally) -> list[str]:
    """The figures in lines."""
    lines = [f"clients that {how}: {count}" for how, count in sorted(tally.ended.items())]
    lines.append(f"answers to the crowd: {tally.answers:,}")
    if waited := sorted(tally.newcomers):
        middle, most = waited[len(waited) // 2], waited[len(waited) * 99 // 100]
        lines.append(f"newcomers waited, s: {middle:.3f} half, {most:.2f} 99 of 100, {waited[-1]:.2f} the longest")
    return lines + [f"wrong, {count} times: {what}" for what, count in Counter(tally.wrong).most_common(20)]


def clients(
    *,
    crowd: Annotated[int, typer.Option(min=1, help="Clients at once.")] = 200,
    seconds: Annotated[float, typer.Option(min=1, help="After which nobody asks for a search.")] = 120.0,
) -> Iterator[str]:
    """Let a crowd use the web app. It ends with exit code 1 if a client got a wrong answer or none."""
    require("a crowd of clients", ("httpx",), extra="test")
    tally = measured(crowd, seconds)
    yield from report(tally)
    yield machine()
    if tally.wrong:
        raise LatcoverError(f"wrong: {counted(len(tally.wrong), 'answer')}")
