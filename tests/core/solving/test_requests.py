"""Requests: plain data that commands, the web app, runs and Python make alike, and one function that performs each."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

import latcover
from latcover.backends import create
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Progress
from tests.command_line import run

UNBALANCED = "pent-10x6-eight-moved"
REQUESTS = (latcover.SolveRequest, latcover.CountRequest, latcover.AssembleRequest, latcover.EstimateRequest)


class Record(latcover.Events):
    """Keeps what is reported."""

    def __init__(self, *, stops: bool = False) -> None:
        self.stages: list[str] = []
        self.solutions: list[Any] = []
        self.stops = stops

    def on_stage(self, stage: str, subject: Any = None) -> None:
        self.stages.append(stage)

    def on_solution(self, solution: Any) -> None:
        self.solutions.append(solution)

    def on_progress(self, progress: Progress) -> bool:
        return not self.stops


@pytest.mark.parametrize("kind", REQUESTS)
def test_a_request_is_plain_data(kind: Any) -> None:
    request = kind(symmetry="rotations", backend="dlx", options={"size": False}, order=(2, 1, 0))
    assert msgspec.json.decode(msgspec.json.encode(request), type=kind) == request
    for wrong in ({"symmetri": "all"}, {"symmetry": "most"}, {"anyway": 1}, {"limit": -1}, {"states": -1}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, kind)


def test_a_command_and_python_make_the_same_request() -> None:
    request = latcover.SolveRequest(symmetry="rotations", backend="dlx", limit=3, images=True)
    events = Record()
    result = latcover.solve(latcover.load("soma"), request, events)
    words = ("--symmetry", "rotations", "--backend", "dlx", "--limit", "3", "--images", "--json")
    *lines, last = run("solve", "soma", *words).stdout.splitlines()
    assert [solution.as_json() for solution in events.solutions] == [json.loads(line) for line in lines]
    told = json.loads(last)["summary"]
    assert (told["different"], told["digest"], told["stop"]) == (result.different, result.digest, "solution limit")
    assert events.stages == ["placing the parts", "searching"]


def test_a_prepared_puzzle_and_a_backend_of_ones_own_are_taken() -> None:
    prepared = latcover.prepare(latcover.load("soma"))
    assert latcover.count(prepared, solver=create("dlx")).different == 240
    assert latcover.solve(prepared, solver=create("backtrack")).backend == "backtrack"


def test_events_may_stop_the_work() -> None:
    stopped = latcover.solve(latcover.load("bedlam"), events=Record(stops=True))
    assert (stopped.stop, stopped.complete) == (Stop.CANCELLED, False)


@pytest.mark.parametrize(
    ("perform", "kind"), [(latcover.solve, latcover.SolveRequest), (latcover.count, latcover.CountRequest)]
)
def test_an_argument_ends_a_search_unless_it_is_wanted_anyway(perform: Any, kind: Any) -> None:
    puzzle = latcover.load(UNBALANCED)
    assert perform(puzzle, kind(seconds=0.0)).stop is Stop.IMPOSSIBLE
    assert perform(puzzle, kind(seconds=0.0, anyway=True)).stop is Stop.TIME_LIMIT


def test_an_argument_ends_estimates_and_assemblies() -> None:
    puzzle = latcover.load(UNBALANCED)
    none = latcover.estimate(puzzle)
    assert isinstance(none, latcover.SearchResult)
    assert none.stop is Stop.IMPOSSIBLE
    taken = latcover.assemble(puzzle, latcover.AssembleRequest(seconds=0.0))
    assert (taken.search.stop, taken.complete, taken.tally.assemblies) == (Stop.IMPOSSIBLE, True, 0)


def test_only_one_solution_is_taken_apart() -> None:
    events = Record()
    request = latcover.AssembleRequest(number=2, limit=2)
    result = latcover.assemble(latcover.load("burr-dubois"), request, events)
    assert [examined.solution.number for examined in events.solutions] == [2]
    assert (result.complete, result.stop) == (True, "exhausted")
