"""Adapters of our own methods."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.compared.cases import Answer, Case, problem_of
from benchmarks.compared.programs import PreparedProgram, asks
from benchmarks.compared.running import asks_command, puzzle_file, with_file
from benchmarks.harness.processes import own_command
from latcover.backends import create
from latcover.backends.bitset import Bitset
from latcover.backends.frontier import count_covers
from latcover.core.cover.counter import CountTask
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Batch, Limits, SearchTask
from latcover.core.solving import guard
from latcover.core.solving.count import count_prepared

LATTICES = {"squares": "square", "hexagons": "hexagonal"}
Covers = list[tuple[int, ...]]


def _search(problem: CoverProblem, limits: Limits, backend: str, options: dict[str, Any]) -> list[Batch]:
    kept: list[Batch] = []

    def keep(batch: Batch) -> bool:
        kept.append(batch)
        return True

    guard.search(create(backend, **options), SearchTask(problem, keep, limits))
    return kept


def _covers(batches: list[Batch]) -> Covers:
    return [tuple(cover.tolist()) for batch in batches for cover in batch]


def _asked(case: Case, backend: str, **options: Any) -> PreparedProgram:
    """A search that keeps all covers, or the first."""
    limits = Limits(covers=1) if case.task == "one" else Limits()
    return asks(partial(_search, problem_of(case).problem, limits, backend, options), _covers)


def latcover(case: Case) -> PreparedProgram:
    """What latcover does if nothing is chosen."""
    if case.task == "plane":
        return _plane(case)
    if case.task in ("puzzle", "apart"):
        return _command(case)
    if case.task == "count":
        question = partial(count_prepared, problem_of(case), create("auto", threads=1))
        return asks(question, lambda answer: answer.total if answer.complete else None)
    return _asked(case, "auto", threads=1)


def _command(case: Case) -> PreparedProgram:
    """Our commands `count` and `assemble`."""
    file, folder = with_file(case, puzzle_file)
    verb = "count" if case.task == "puzzle" else "apart"

    def read(output: str) -> Answer:
        last = json.loads(output.strip().splitlines()[-1])
        if case.task == "puzzle":
            return int(last["different"])
        found = last["summary"]
        level = max((each["level"][0] for each in found["levels"]), default=0)
        return int(found["assemblies"]), int(found["apart"]), int(level)

    return asks_command(own_command(verb, file, "--json", "--threads", "1", "--quiet"), read, folder)


def _plane(case: Case) -> PreparedProgram:
    """Our command `plane`."""
    number, lattice = str(case.size).split()
    words = own_command("plane", LATTICES[lattice], "--cells", number, "--json", "--quiet")

    def read(output: str) -> Answer:
        found = json.loads(output.strip().splitlines()[-1])["summary"]
        return int(found["isohedral"]), *map(int, found["heesch"])

    return asks_command(words, read)


def bitset(case: Case) -> PreparedProgram:
    """The kernel of bitmaps."""
    if case.task != "count":
        return _asked(case, "bitset", threads=1)
    question = partial(Bitset(threads=1, memory=0).count, problem_of(case).problem)
    return asks(question, lambda outcome: outcome.figures.covers)


def frontier(case: Case) -> PreparedProgram:
    """Item by item, nothing listed."""
    return asks(partial(count_covers, CountTask(problem_of(case).problem)), lambda count: count.covers)


def _backend(name: str, **options: Any) -> Callable[[Case], PreparedProgram]:
    return lambda case: _asked(case, name, **options)


dlx = _backend("dlx")
backtrack = _backend("backtrack")
restarts = _backend("restarts", threads=1, seed=0)
