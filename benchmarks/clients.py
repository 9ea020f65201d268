"""How the web app bears a crowd. Run it to measure your machine:

    python -m latcover.benchmarks.clients
    python -m latcover.benchmarks.clients --clients 50 --seconds 60

It starts a server of its own on loopback, and so many clients at once. Most of them do as a browser does: they load the
page, start a small search, follow it to its end, and ask for pictures. A tenth starts long searches and goes away. A
tenth sends halves of requests, and wrong ones. It ends with exit code 1 where the server met a defect, let a client
stand without an answer, or left a process behind.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import psutil

from latcover.system.extras import require
from latcover.system.machine import machine

if TYPE_CHECKING:
    import httpx

AT_ONCE = 6  # connections of a client, as browsers have
BETWEEN_LOOKS = 0.2  # seconds between looks at the memory
UNANSWERED = 60.0  # seconds after which a request counts as never answered
TRIES = 5  # of a request whose connection was closed before it was answered: browsers ask again too
SMALL: Sequence[Mapping[str, Any]] = (
    {"task": "solve", "subject": {"form": "shipped", "name": "fig4-3x3"}},
    {"task": "solve", "subject": {"form": "shipped", "name": "soma"}, "limit": 3},
    {"task": "count", "subject": {"form": "shipped", "name": "soma"}},
)
BOARD = """name = "board"
lattice = "square"
[region]
box = [10, 10]
[[parts]]
name = "domino"
count = "unlimited"
art = ["XX"]
"""
LONG = {
    "task": "count",
    "subject": {"form": "toml", "text": BOARD},  # 258,584,046,368 covers, one by one
    "backend": "dlx",
    "symmetry": "none",
}
JSON = {"Content-Type": "application/json"}
WRONG: Sequence[tuple[str, str, Mapping[str, str], bytes, int]] = (
    ("GET", "/api/runs/none", {}, b"", 404),
    ("GET", "/static/../app.py", {}, b"", 404),
    ("POST", "/api/runs", JSON, b"{", 400),
    ("POST", "/api/runs", {"Content-Type": "text/plain"}, b"{}", 415),
    ("POST", "/api/runs", JSON, b'{"task": "nothing"}', 400),
    ("POST", "/api/open", JSON, b'{"subject": {"form": "toml", "text": "lattice = 1"}}', 422),
    ("POST", "/api/open", {**JSON, "Origin": "http://example.org"}, b"{}", 403),
    ("GET", "/api/about", {"Host": "example.org"}, b"", 421),
    ("PUT", "/api/about", {}, b"", 405),
)
HALVES = (b"", b"GET / HT", b"POST /api/open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{")


@dataclass(slots=True)
class Tally:
    """What the clients met.

    Attributes:
        statuses: How many answers had each status.
        waited: For each kind of request, the seconds until each answer was there; of searches that were followed, until
            the first event.
        refusals: With which words searches were refused, and how often.
        closed: How many requests were sent again, as their connection was closed.
        ended: How clients ended, in words.
        wrong: What must not be.
        memory: The most bytes that the server and its children had at once: the sum of their resident sets.
        children: The most processes that the server had at once.
    """

    statuses: Counter[int] = field(default_factory=Counter)
    waited: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    refusals: Counter[str] = field(default_factory=Counter)
    closed: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    memory: int = 0
    children: int = 0


class Client:
    """A client that asks as a browser does: with a few connections, and again where one was closed."""

    def __init__(self, http: httpx.AsyncClient, tally: Tally, until: float, number: int) -> None:
        self._http, self._tally, self._until = http, tally, until
        self._dice = random.Random(number)
        self._free = asyncio.Semaphore(AT_ONCE)

    async def ask(self, method: str, path: str, expected: Sequence[int] = (200,), **more: Any) -> httpx.Response:
        """The answer to a request.

        Raises:
            UnansweredError: there was none.
        """
        import httpx

        for _ in range(TRIES):
            async with self._free:  # else it would wait for itself, and not for the server
                start = time.monotonic()
                try:
                    answer = await self._http.request(method, path, **more)
                except httpx.TimeoutException:
                    break
                except httpx.TransportError:
                    self._tally.closed += 1
                    continue
            self._note(kind_of(method, path), answer.status_code, time.monotonic() - start)
            if answer.status_code == 503 and "Retry-After" in answer.headers:
                await asyncio.sleep(float(answer.headers["Retry-After"]))
                continue
            if answer.status_code not in expected:
                self._tally.wrong.append(f"{method} {path}: {answer.status_code} {answer.text[:100]}")
            return answer
        raise UnansweredError(f"{method} {path}: no answer")

    def _note(self, kind: str, status: int, seconds: float) -> None:
        self._tally.statuses[status] += 1
        self._tally.waited[kind].append(seconds)

    async def load(self) -> None:
        """The page with all its files, and the catalogue."""
        page = (await self.ask("GET", "/")).text
        wanted, loaded = re.findall(r'(?:src|href)="(/static/[\w./]+)"', page), set[str]()
        folder = wanted[0].rpartition("/")[0]
        while new := sorted(set(wanted) - loaded):
            loaded |= set(new)
            texts = [answer.text for answer in await asyncio.gather(*(self.ask("GET", path) for path in new))]
            wanted = [f"{folder}/{name}" for text in texts for name in re.findall(r'from "\./([\w.]+)"', text)]
        await self.ask("GET", "/api/about")

    async def begin(self, job: Mapping[str, Any]) -> str:
        """Start a search, and try again as long as the server refuses it for now. Returns its identifier.

        Raises:
            StarvedError: the time is over.
        """
        while time.monotonic() < self._until:
            answer = await self.ask("POST", "/api/runs", (201, 429), json=job)
            if answer.status_code == 201:
                return str(answer.json()["id"])
            if answer.status_code != 429:
                raise UnansweredError("a search was refused")
            self._tally.refusals[answer.json()["message"]] += 1
            await asyncio.sleep(float(answer.headers["Retry-After"]) * self._dice.uniform(0.8, 1.2))
        raise StarvedError

    async def follow(self, run: str, events: int | None = None) -> str:
        """The last event of a search; of the first so many."""
        start, last = time.monotonic(), ""
        async with self._free, self._http.stream("GET", f"/api/runs/{run}/events") as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    if not last:
                        self._note("events of a search", answer.status_code, time.monotonic() - start)
                    last, events = line, None if events is None else events - 1
                if events == 0:
                    break
        return last

    async def stay(self) -> str:
        """Do all that somebody does who solves a puzzle. Returns how that ended."""
        await self.load()
        job = self._dice.choice(SMALL)
        try:
            run = await self.begin(job)
        except StarvedError:
            return "found no room for a search in time"
        last = await self.follow(run)
        if '"state": "ended"' not in last or '"fault": null' not in last:
            self._tally.wrong.append(f"a search did not end well: {last[:300]}")
        pictures = [f"/api/shipped/{job['subject']['name']}.svg"]
        if job["task"] == "solve":
            pictures += [f"/api/runs/{run}/solutions/{k}.svg" for k in (0, 1)]
        for path in pictures:
            await self.ask("GET", path)
        return "finished a search and saw its pictures"

    async def leave(self) -> str:
        """Start a long search and go away. Returns how that ended."""
        try:
            await self.follow(await self.begin(LONG), 2)
        except StarvedError:
            return "found no room for a long search in time"
        return "left a long search"

    async def err(self, port: int) -> str:
        """Send halves of requests, and wrong ones. Returns how that ended."""
        halves = [await asyncio.open_connection("127.0.0.1", port) for _ in HALVES]
        for (_, writer), half in zip(halves, HALVES, strict=True):
            writer.write(half)
        for method, path, headers, content, status in WRONG:
            await self.ask(method, path, (status,), headers=headers, content=content)
        for _, writer in halves:
            writer.transport.abort()
        return "sent wrong requests, each answered as it should be"


def kind_of(method: str, path: str) -> str:
    """What a request is for, in words."""
    if path.startswith("/static/") or path == "/":
        return "files of the page"
    return "to begin a search" if (method, path) == ("POST", "/api/runs") else "all else"


class StarvedError(Exception):
    """A client found no room for its search in time."""


class UnansweredError(Exception):
    """The server did not answer."""


async def part_of(client: Client, number: int, port: int) -> str:
    """What the client of this number does: one in ten leaves, one in ten errs."""
    match number % 10:
        case 0:
            return await client.leave()
        case 1:
            return await client.err(port)
    return await client.stay()


async def crowd(address: str, clients: int, seconds: float, tally: Tally) -> None:
    """So many clients at once, for so long at most; what they met comes into *tally*."""
    import httpx

    until = time.monotonic() + seconds
    port = int(address.rsplit(":", 1)[1])

    async def one(number: int) -> None:
        pool = httpx.Limits(max_connections=AT_ONCE)
        timeout = httpx.Timeout(UNANSWERED, pool=None)
        async with httpx.AsyncClient(base_url=address, limits=pool, timeout=timeout, verify=False) as http:
            client = Client(http, tally, until, number)
            try:
                tally.ended[await part_of(client, number, port)] += 1
            except (UnansweredError, httpx.HTTPError, OSError) as problem:
                tally.ended["got no answer"] += 1
                tally.wrong.append(f"client {number}: {problem!r}")

    async with asyncio.TaskGroup() as together:
        for number in range(clients):
            together.create_task(one(number))


@asynccontextmanager
async def watched(server: int, tally: Tally) -> AsyncIterator[None]:
    """Note how much memory a server and its children have, and how many these are."""

    async def look() -> None:
        while True:
            with suppress(psutil.Error):  # one may end meanwhile
                members = [psutil.Process(server), *psutil.Process(server).children(recursive=True)]
                tally.children = max(tally.children, len(members) - 1)
                tally.memory = max(tally.memory, sum(member.memory_info().rss for member in members))
            await asyncio.sleep(BETWEEN_LOOKS)

    looking = asyncio.create_task(look())
    try:
        yield
    finally:
        looking.cancel()


def measured(clients: int, seconds: float, options: Sequence[str] = ()) -> Tally:
    """What a crowd of so many clients meets at a server of its own, which is ended afterwards."""
    tally = Tally()
    command = [sys.executable, "-P", "-m", "latcover", "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        found = re.search(r"http://[\w.]+:\d+", line)
        if found is None:
            raise SystemExit(f"the server did not start: {line}")

        async def all_of_it() -> None:
            async with watched(server.pid, tally):
                await crowd(found[0], clients, seconds, tally)

        try:
            asyncio.run(all_of_it())
            if server.poll() is not None:
                tally.wrong.append(f"the server ended, with exit code {server.returncode}")
        finally:
            children = psutil.Process(server.pid).children(recursive=True) if server.poll() is None else []
            server.terminate()
            server.wait(UNANSWERED)
    _, left = psutil.wait_procs(children, timeout=UNANSWERED)
    tally.wrong += [f"process {child.pid} was left behind" for child in left]
    return tally


def quantile(waited: Sequence[float], share: float) -> float:
    """The least of these figures that is not exceeded by this share of them."""
    return sorted(waited)[max(0, -int(-share * len(waited) // 1) - 1)]


def lines(tally: Tally) -> Iterator[str]:
    """The report."""
    by_status = ", ".join(f"{status}: {count:,}" for status, count in sorted(tally.statuses.items()))
    yield f"answers: {sum(tally.statuses.values()):,} ({by_status})"
    yield f"connections closed before the answer, asked again: {tally.closed:,}"
    yield from (f"clients that {how}: {count}" for how, count in sorted(tally.ended.items()))
    yield from (f"searches refused {count:,} times: {words}" for words, count in tally.refusals.most_common(3))
    for kind, waited in tally.waited.items():
        middle, most, longest = quantile(waited, 0.5), quantile(waited, 0.99), max(waited)
        yield f"seconds, {kind}: {middle:.3f} half of {len(waited):,}, {most:.2f} 99 of 100, {longest:.2f} the longest"
    yield f"memory of the server and its children, at most: {tally.memory / 1e6:,.0f} MB; {tally.children} children"
    yield from (f"wrong, {count} times: {what}" for what, count in Counter(tally.wrong).most_common(20))


def main() -> None:
    """Measure, and print the report."""
    require("a crowd of clients", ("httpx",), extra="test")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=200, help="at once (default: 200)")
    parser.add_argument(
        "--seconds", type=float, default=120, help="after which nobody asks for a search (default: 120)"
    )
    parser.add_argument("--runs", type=int, help="how many searches the server runs at once (default: its own)")
    given = parser.parse_args()
    start, before = time.perf_counter(), os.times()
    tally = measured(given.clients, given.seconds, [] if given.runs is None else ["--runs", str(given.runs)])
    for line in lines(tally):
        print(line)
    after = os.times()
    own, servers = after.user + after.system - before.user - before.system, after.children_user + after.children_system
    print(
        f"{time.perf_counter() - start:.0f} s by the clock; processor time: clients {own:.0f} s, server {servers:.0f} s"
    )
    print(machine())
    sys.exit(bool(tally.wrong))


if __name__ == "__main__":
    main()
