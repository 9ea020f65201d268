"""Shipped puzzles that come apart only if parts turn, and how often they must."""

from __future__ import annotations

import pytest

import latcover
from latcover.assembly.taking_apart import Assembler
from latcover.formats.source import names
from latcover.model.replay import disassembly_faults
from latcover.model.turning import Turning
from latcover.solving.assemble import AssembleRequest
from tests.shipped import rest_long

TURNS = {
    "turning-bar-1": 1,
    "turning-bar-2": 2,
    "turning-bar-3": 3,
    "turning-cube": 1,
    "turning-hexes": 1,
    "turning-rhombus": 1,
}


def test_no_other_puzzle_is_said_to_turn() -> None:
    assert {name for name in names("instances") if name.startswith("turning-")} == set(TURNS)


@pytest.mark.parametrize("name", rest_long(TURNS, ("turning-bar-1", "turning-cube", "turning-rhombus")))
def test_slides_do_not_suffice_and_so_many_turns_do(name: str) -> None:
    puzzle = latcover.load(name)
    (solution,) = latcover.solutions(puzzle)
    assert Assembler(puzzle).take_apart([solution])[0].result == "stuck"
    (found,) = Assembler(puzzle, turns="needed").take_apart([solution])
    assert (found.result, found.turns, found.level) == ("apart", TURNS[name], puzzle.level)
    assert disassembly_faults(puzzle, solution, found) == []
    assert all(step.turn.certain for step in found.steps if step.turn is not None)


def test_turns_are_tried_by_themselves_where_the_file_says_how_much_room_there_is() -> None:
    for name, turns in (("turning-bar-1", "needed"), ("burr-dubois", "never")):
        assert AssembleRequest().assembler(name).turns == turns
    assert AssembleRequest(turns="never").assembler("turning-bar-1").turns == "never"


@pytest.mark.parametrize(
    ("play", "expected"), [(0.04, ("stuck", "")), (0.05, ("unknown", "too tight to tell")), (0.052, ("apart", ""))]
)
def test_too_tight_is_said_with_a_play_that_would_do(play: float, expected: tuple[str, str]) -> None:
    """A bar turns in a square of two by two in this cube, and so above a play of 0.0505 only."""
    puzzle = latcover.load("turning-cube")
    (solution,) = latcover.solutions(puzzle)
    (found,) = Assembler(puzzle, turns="always", turning=Turning(play)).take_apart([solution])
    assert (found.result, found.stop) == expected
    assert (found.tight > 0) == (found.result == "unknown")
    if found.tight:
        assert found.certain_at is not None
        assert 0.045 < found.certain_at < 0.0515
