"""Cuts that come apart only if parts turn: what the walks say is what taking them apart says."""

from __future__ import annotations

import json

import pytest
from msgspec import Struct

import latcover
from latcover.core.model.turn_data import Turning
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.assembly.taking_apart import Assembler
from latcover.lab.designing.cuts import Cutter, WalkResult, grow
from latcover.lab.designing.design_requests import CutRequest, GrowRequest
from latcover.lab.designing.design_results import DesignResults
from latcover.lab.designing.region_names import region_named
from latcover.lab.designing.start_cut import start_of
from tests.command_line import FAILED, run

FLAT_CUBE = {"turns": "needed", "play": 0.08, "walks": 1, "patience": 200}


def test_designs_come_apart_only_by_turning_and_say_so(tmp_path) -> None:
    (design,) = latcover.cut("cubic:3x3x2", 3, seed=2, **FLAT_CUBE)
    puzzle, solution = design.puzzle, design.solution
    assert puzzle.turning == Turning(0.08)
    (tmp_path / "cut.toml").write_text(puzzle_as_toml([puzzle]))
    assert latcover.load(tmp_path / "cut.toml").turning == Turning(0.08)
    assert latcover.count(puzzle).different == 1
    assert Assembler(puzzle).take_apart([solution])[0].result == "stuck"
    (found,) = Assembler(puzzle, turns="needed").take_apart([solution])
    assert (found.level, found.turns) == (design.level, design.turns) == ((1, 2), 1)
    assert design.as_json()["turns"] == 1
    assert "(1 turn)" in puzzle.title
    assert "--turns needed --play 0.08 --seed 2 --walk 0" in puzzle.source


class Walks(DesignResults):
    """What walks found, also where that is no design."""

    def __init__(self) -> None:
        self.found: list[WalkResult] = []

    def put(self, name: str, result: Struct) -> None:
        assert isinstance(result, WalkResult)
        self.found.append(result)


def test_what_slides_take_apart_has_no_level_where_turns_are_needed() -> None:
    """Two parts that fill a cube of 2 x 2 x 2 always slide apart."""
    walks = Walks()
    request = CutRequest(parts=2, turns="needed", walks=3, patience=20)
    assert not Cutter(region_named("cubic:2x2x2"), request).search(ledger=walks).designs
    assert [(walk.level, walk.moves, walk.turns) for walk in walks.found] == [(0, 0, 0)] * 3


def test_threads_change_no_walk() -> None:
    one, two = (latcover.cut("cubic:3x3x2", 3, threads=n, **FLAT_CUBE | {"walks": 2, "keep": 9}) for n in (1, 2))
    assert [puzzle_as_toml([d.puzzle]) for d in one] == [puzzle_as_toml([d.puzzle]) for d in two]


def test_where_parts_always_turn_the_least_moves_count() -> None:
    designs = latcover.cut("cubic:3x3x2", 3, **FLAT_CUBE | {"turns": "always", "patience": 40, "walks": 2, "keep": 9})
    assert designs
    for design in designs:
        (found,) = Assembler(design.puzzle, turns="always").take_apart([design.solution])
        assert (found.level, found.turns) == (design.level, design.turns)


def test_a_puzzle_that_turns_is_where_growth_begins() -> None:
    puzzle = latcover.load("turning-cube")
    start = start_of(puzzle, puzzle.name, GrowRequest(turns="needed"))
    assert (start.level, start.turns, start.worth, start.turning) == ((1, 2), 1, (1, 3, 1), Turning(0.06))
    assert start_of(puzzle, puzzle.name, GrowRequest()).level == ()
    for design in grow(puzzle, turns="needed", walks=1, patience=40):
        assert design.turns
        assert (design.level[0], design.moves, design.turns) > start.worth


def test_old_runs_without_turns_are_still_the_same() -> None:
    region = region_named("cubic:2x2x2")
    plain, other = (Cutter(region, CutRequest(parts=2, play=play)).question().digest for play in (None, 0.1))
    turning = Cutter(region, CutRequest(parts=2, turns="needed")).question().digest
    assert plain == other != turning


@pytest.mark.long
def test_a_run_of_turning_cuts_goes_on(tmp_path) -> None:
    words = (
        "design",
        "cut",
        "cubic:3x3x2",
        "--parts",
        3,
        "--turns",
        "needed",
        "--play",
        0.08,
        "--threads",
        1,
        "--json",
    )
    walks = [run(*words, "--walks", n, "--run", tmp_path / "cuts") for n in (1, 2)]
    last = json.loads(walks[1].stdout.splitlines()[-1])["summary"]
    assert last["walks"] == 2
    resumed = run("runs", "resume", tmp_path / "cuts", "--json")
    assert json.loads(resumed.stdout.splitlines()[-1])["summary"]["best"] == last["best"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("square:3x4 --parts 3 --turns needed", "can be lifted off"),
        ("fcc:3x3x3 --parts 3 --turns always", "not prisms along an axis"),
        ("cubic:3x3x3 --parts 3 --turns needed --one-order", "leave out --one-order"),
        ("cubic:3x3x3 --parts 3 --turns never --play 0.1", "leave out --turns never"),
        ("cubic:3x3x3 --parts 3 --turns needed --play 0.5", "0.5"),
    ],
)
def test_what_cannot_turn_is_refused(words: str, told: str) -> None:
    result = run("design", "cut", *words.split())
    assert result.returncode in (FAILED, 2)
    assert told in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


def test_a_search_that_is_stopped_while_it_asks_for_turns_ends() -> None:
    region = region_named("cubic:3x3x3")
    request = CutRequest(parts=3, turns="needed", holes=1, seconds=0.3)
    assert not Cutter(region, request).search().complete
