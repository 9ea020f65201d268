"""Random requests to the web app: each is answered, or refused in a paragraph, and none meets a defect.

    python -m tests.fuzz.routes --inputs 100000 --seed 1

Requests of every task are changed as trees of JSON, read as the routes read them, and done within this process as a
child of the server does them. Request number k of a seed is always the same, so that --first continues a stopped run.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from types import FrameType
from typing import Any
from zlib import crc32

import msgspec
from msgspec.structs import replace
from starlette.exceptions import HTTPException

from latcover.apps.web.child_jobs import run_job
from latcover.apps.web.job import Talk
from latcover.apps.web.messages import Done, Failed, Found, Message
from latcover.apps.web.paper import SHEETS
from latcover.apps.web.settings import MEGABYTE, Settings
from latcover.apps.web.tasks import (
    BeginTask,
    CardTask,
    DrawTask,
    LatticeTask,
    OpenTask,
    PartsTask,
    PlayTask,
    ReadTask,
    RunTask,
    Task,
)
from latcover.apps.web.web_requests import ApartRequest, ExportRequest, RegionRequest, export_of, in_body
from latcover.apps.web.web_runs import Runs
from latcover.files.formats.forms import WRITTEN
from tests.file_fuzzing.trees import ONLY_JSON, Pool
from tests.web_subjects import SUBJECTS

SMALL = Settings(
    cells=200,
    placements=3000,
    steps=300,
    output=2 * MEGABYTE,
    memory=400 * MEGABYTE,
    solutions=50,
    designs=5,
    seconds=2,
)
PATIENCE = 20.0  # seconds of processor time for a request; most take a hundredth
ASTRAY = 10  # one of so many requests comes to a route for others
ENOUGH = 2  # messages with progress, after which the client stops the job
WORDS = ("constructor", "__proto__", "valueOf", "../../etc/passwd", "/dev/zero", "%s", "[red]", "n" * 5000, "\u202e")
FORMS = ("toml", "site", *WRITTEN, "3mf", "stl", "glb", "step", "html", "txt", *SHEETS)
KINDS: dict[str, Any] = {
    "open": OpenTask,
    "parts": PartsTask,
    "play": PlayTask,
    "read": ReadTask,
    "draw": RegionRequest,
    "draw card": CardTask,
    "judge lattice": LatticeTask,
    "begin on lattice": BeginTask,
    "export": ExportRequest,
}
SEARCHES: tuple[dict[str, Any], ...] = (
    {"task": "solve", "limit": 3, "backend": "dlx", "symmetry": "none", "options": {}, "given": []},
    {"task": "count", "backend": "auto", "symmetry": "all"},
    {"task": "best", "maximize": "touching", "limit": 2},
    {"task": "pack", "parts": ["A"], "own_counts": True},
    {"task": "exclude", "parts": []},
    {"task": "sample", "number": 3, "seed": 1, "method": "frontier"},
    {"task": "probabilities"},
    {"task": "watch", "rules": ["first", "fewest"], "symmetry": "all"},
    {"task": "compare", "methods": "dlx,bitset", "seconds_each": 0.1},
    {"task": "design", "way": "sets", "wanted": {"at_most": 3, "limit": 2, "measure": "level"}},
    {"task": "design", "way": "regions", "wanted": {"at_most": 2, "symmetric": 1, "samples": 3}},
    {"task": "design", "way": "cut", "wanted": {"parts": 2, "walks": 2, "threads": 1}},
    {"task": "design", "way": "grow", "wanted": {"walks": 1, "threads": 1, "hold": ["A"]}},
)


class OverdueError(Exception):
    """A request took far longer than any may."""


class Client:
    """Hears what a job sends, and stops it soon."""

    def __init__(self) -> None:
        self.heard: list[Message] = []
        self.talk = Talk(self._hear, SMALL)

    def _hear(self, message: Message) -> None:
        self.heard.append(message)
        if sum(isinstance(each, Found) for each in self.heard) >= ENOUGH:
            self.talk.stopped = True


def requests() -> Iterator[dict[str, Any]]:
    """A request of every task on every subject, and of every form."""
    for subject in SUBJECTS.values():
        yield {"task": "open", "subject": subject}
        yield {"task": "parts", "from": subject}
        yield {"task": "play", "subject": subject, "symmetry": "all"}
        yield {"task": "draw", "subject": subject}
        yield {"task": "draw card", "subject": subject, "solved": True}
        yield from ({**search, "subject": subject} for search in SEARCHES)
    for number, form in enumerate(FORMS):
        more = {"measures": {"edge": 20, "explode": 1}} if number % 3 else {"sheet": {"paper": "A4", "columns": 2}}
        yield {"task": "export", "form": form, "symmetry": "none", "subject": [*SUBJECTS.values()][number % 10], **more}
    yield {"task": "read", "files": [{"name": "a.toml", "content": "bmFtZSA9ICJhIgo="}], "problem": "1"}
    yield {"task": "plane", "lattice": "square", "cells": [[0, 0, 0], [0, 0, 1]], "one_sided": True, "seconds": 1}
    lattice = {"name": "mine", "basis": [[1, 0], [0, 1]], "nodes": {"a": {"position": [0.5, 0.5]}}}
    yield {"task": "judge lattice", "lattice": lattice}
    yield {"task": "begin on lattice", "lattice": lattice}
    yield {"task": "parts", "from": {"form": "set", "name": "pentominoes"}}


@cache
def pool() -> Pool:
    return Pool.of([*requests()], (*ONLY_JSON, *WORDS), json.dumps)


def request(seed: int, number: int) -> bytes:
    """The body of a request: one of `requests` after one to a few changes."""
    return pool().changed(Random(f"{seed}:{number}"))


def task_in(body: bytes) -> Task | None:
    """The task in a body, as the route that it is meant for reads it; None if that refuses it."""
    try:
        tag = msgspec.json.decode(body, type=dict).get("task")
        kind = KINDS.get(tag if isinstance(tag, str) else "", RunTask | ApartRequest)
        lot = crc32(body)
        if lot % ASTRAY == 0:
            kind = [*KINDS.values(), RunTask | ApartRequest][lot // ASTRAY % (len(KINDS) + 1)]
        asked: Any = in_body(body, kind)
    except (msgspec.MsgspecError, RecursionError, HTTPException):
        return None
    if isinstance(asked, ExportRequest):
        return None if asked.subject is None else export_of(replace(asked, run=None), Runs(SMALL))
    if isinstance(asked, RegionRequest):
        return DrawTask(subject=asked.subject, what="scene")
    return None if isinstance(asked, ApartRequest) else asked


def fault_of(body: bytes) -> str:
    """What is wrong with the answer to a request; "" if nothing is."""
    try:
        task = task_in(body)
    except Exception:
        return traceback.format_exc()
    if task is None:
        return ""
    client, log = Client(), io.StringIO()
    try:
        with contextlib.redirect_stderr(log), contextlib.redirect_stdout(io.StringIO()):
            run_job(msgspec.json.encode(task), client.talk)
    except OverdueError:
        return f"took more than {PATIENCE:g} s of processor time"
    last = client.heard[-1]
    if isinstance(last, Failed):
        words = last.fault.message
        if log.getvalue() or not words.strip() or len(words) > 5000:
            return log.getvalue() or f"a refusal of {len(words)} characters"
        return ""
    return "" if isinstance(last, Done) else f"ended with {type(last).__name__}"


def _overdue(_: int, __: FrameType | None) -> None:
    raise OverdueError


def main(words: Sequence[str] | None = None) -> int:
    """Ask as the command line says; 1 where a defect was met."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.routes", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(words)
    signal.signal(signal.SIGVTALRM, _overdue)
    kinds, begun = Counter[str](), time.monotonic()
    for number in range(asked.first, asked.first + asked.inputs):
        job = request(asked.seed, number)
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
        fault = fault_of(job)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if fault:
            kind = fault.strip().rpartition("\n")[2][:120]
            kinds[kind] += 1
            if kinds[kind] == 1:
                print(f"request {number}: {fault}\n{job.decode('utf-8', 'replace')[:2000]}", flush=True)
        if number % 1000 == 999:
            print(f"up to request {number:,}", file=sys.stderr, flush=True)
    print(f"{asked.inputs:,} requests in {time.monotonic() - begun:.0f} s; {kinds.total()} defects: {dict(kinds)}")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
