"""Shipped puzzles that come apart only if parts turn, and how often they must."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.apps.publishing.exhibits import ShelvedPuzzle, exhibits
from latcover.core.model.puzzle import Bounds
from latcover.core.model.replay import disassembly_faults
from latcover.core.model.turn_bounds import BOUNDS
from latcover.core.model.turn_data import Turning
from latcover.files.formats.burrtools.separations import separations
from latcover.files.formats.source import names
from latcover.lab.asking.assemble import AssembleRequest
from latcover.lab.assembly.taking_apart import Assembler
from tests.command_line import FAILED, LIMIT, run
from tests.shipped import rest_long

TURNS = {
    "turning-bar-1": 1,
    "turning-bar-2": 2,
    "turning-bar-3": 3,
    "turning-cube": 1,
    "turning-cube-4x4x4": 2,
    "turning-cube-four-turns": 4,
    "turning-cube-seven": 2,
    "turning-hexes": 1,
    "turning-rhombus": 1,
}
FLAT = {"turning-gate": (2, (3, 2))}  # turns and level, if no part is lifted off


def test_no_other_puzzle_is_said_to_turn() -> None:
    assert {name for name in names("instances") if name.startswith("turning-")} == {*TURNS, *FLAT}


@pytest.mark.parametrize("name", rest_long(TURNS, ("turning-bar-1", "turning-cube", "turning-rhombus")))
def test_slides_do_not_suffice_and_so_many_turns_do(name: str) -> None:
    puzzle = latcover.load(name)
    (solution,) = latcover.solutions(puzzle)
    assert Assembler(puzzle).take_apart([solution])[0].result == "stuck"
    (found,) = Assembler(puzzle, turns="needed").take_apart([solution])
    assert (found.result, found.turns, found.level) == ("apart", TURNS[name], puzzle.level)
    assert disassembly_faults(puzzle, solution, found) == []
    assert all(step.turn.certain for step in found.steps if step.turn is not None)


@pytest.mark.parametrize(("name", "expected"), FLAT.items())
def test_so_many_turns_in_the_plane_unless_parts_are_lifted_off(
    name: str, expected: tuple[int, tuple[int, ...]]
) -> None:
    puzzle = latcover.load(name)
    (solution,) = latcover.solutions(puzzle)
    assert Assembler(puzzle).take_apart([solution])[0].flat
    assert Assembler(puzzle, in_plane=True).take_apart([solution])[0].result == "stuck"
    (found,) = Assembler(puzzle, in_plane=True, turns="needed").take_apart([solution])
    assert (found.turns, found.level) == expected
    assert disassembly_faults(puzzle, solution, found) == []
    assert all(step.turn.certain for step in found.steps if step.turn is not None)


CUT = (
    ("....|....|....|....", "....|....|...x|....", "x...|x...|x..x|...x", "...x|xxxx|...x|..xx"),
    ("xxxx|....|.xxx|...x", "x...|xx..|.x..|.x..", "....|....|....|....", "....|....|....|...."),
    ("....|....|....|xxx.", ".xx.|..x.|..x.|..xx", ".x..|....|....|....", "xx..|....|....|...."),
    ("....|....|x...|....", "....|....|x...|x...", "....|....|..x.|xxx.", "....|....|xxx.|xx.."),
    ("....|xxxx|....|....", "...x|...x|....|....", "..xx|...x|....|....", "..x.|....|....|...."),
)


def test_parts_that_came_off_together_still_turn() -> None:
    """The search leaves a group where it came off; its later turns are told for where the group has gone."""
    shapes = [
        [
            (x, y, z)
            for z, layer in enumerate(part)
            for y, row in enumerate(layer.split("|"))
            for x in range(4)
            if row[x] == "x"
        ]
        for part in CUT
    ]
    lattice = latcover.load_lattice("cubic")
    parts = tuple(latcover.Part(name, cells) for name, cells in zip("ABCDE", shapes, strict=True))
    puzzle = latcover.Puzzle("cut", lattice, latcover.Region(sorted(cell for cells in shapes for cell in cells)), parts)
    (solution,) = latcover.solutions(puzzle)
    (found,) = Assembler(puzzle, turns="needed", turning=Turning(0.06)).take_apart([solution])
    assert (found.result, found.turns) == ("apart", 2)
    assert disassembly_faults(puzzle, solution, found) == []


def test_turns_are_tried_by_themselves_where_the_file_says_how_much_room_there_is() -> None:
    for name, turns in (("turning-bar-1", "needed"), ("burr-dubois", "never")):
        assert AssembleRequest().assembler(name).turns == turns
    assert AssembleRequest(turns="never").assembler("turning-bar-1").turns == "never"


@pytest.mark.parametrize("play", [0.05, 0.052])
def test_a_bar_turns_between_parts_that_give_way_at_less_play(play: float) -> None:
    """It turns in a square of two by two, and so above a play of 0.0505 only while all others stay."""
    puzzle = latcover.load("turning-cube")
    (solution,) = latcover.solutions(puzzle)
    (found,) = Assembler(puzzle, turns="needed", turning=Turning(play)).take_apart([solution])
    assert (found.result, found.turns, found.level) == ("apart", 1, (1, 2))
    (turn,) = (step.turn for step in found.steps if step.turn is not None)
    assert 0.047 < turn.least_play < 0.0485
    assert found.needed_play == turn.least_play
    assert disassembly_faults(puzzle, solution, found) == []
    closer = replace(found, turning=Turning(0.047))
    assert disassembly_faults(puzzle, solution, closer)


@pytest.mark.parametrize("play", [0.03, pytest.param(0.047, marks=pytest.mark.long)])
def test_the_play_that_is_advised_is_greater_and_does_take_it_apart(play: float) -> None:
    puzzle = latcover.load("turning-cube")
    (solution,) = latcover.solutions(puzzle)
    (found,) = Assembler(puzzle, turns="needed", turning=Turning(play)).take_apart([solution])
    assert found.result == "unproved"
    assert found.certain_at is not None
    assert max(play, 0.0475) < found.certain_at < 0.0505
    assert found.certain_at == round(found.certain_at, 3)
    (advised,) = Assembler(puzzle, turns="needed", turning=Turning(found.certain_at)).take_apart([solution])
    assert advised.result == "apart"


def test_burrtools_gets_no_plan_with_turns(tmp_path) -> None:
    result = run("export", "turning-bar-1", "--solutions", "--take-apart", "--output", tmp_path / "bar.xmpuzzle")
    assert result.returncode == 0
    assert "BurrTools' plans have no turns" in " ".join(result.stderr.split())
    text = gzip.decompress((tmp_path / "bar.xmpuzzle").read_bytes()).decode()
    assert "<assembly>" in text
    assert "<separation" not in text
    puzzle = latcover.load("turning-cube")
    (solution,) = latcover.solutions(puzzle)
    (plan,) = Assembler(puzzle, turns="needed").take_apart([solution])
    assert separations(plan, (0, 1, 2), np.eye(3, dtype=np.int64)) == ""


def test_min_level_and_sorting_take_turns_as_moves() -> None:
    for level, n in (("1.2", 1), ("1.3", 0)):
        result = run("apart", "turning-cube", "--min-level", level, "--json")
        *shown, last = map(json.loads, result.stdout.splitlines())
        assert [one["turns"] for one in shown] == [1] * n
        assert last["summary"]["turned"] == last["summary"]["apart"] == 1


def test_a_group_that_may_stay_together_need_not_turn() -> None:
    puzzle = latcover.load("turning-cube")
    grouped = replace(
        puzzle, parts=tuple(replace(p, groups=(("pair", None),)) if p.name in "BC" else p for p in puzzle.parts)
    )
    (solution,) = latcover.solutions(grouped)
    (found,) = Assembler(grouped, turns="needed").take_apart([solution])
    assert (found.result, found.level, found.turns) == ("apart", (1,), 0)
    assert len(found.left_together) == 1


def test_a_run_keeps_turns_and_refuses_other_ones(tmp_path) -> None:
    words = ("apart", "turning-cube", "--json", "--run", tmp_path / "cube.run")
    first, again = (json.loads(run(*words).stdout.splitlines()[0]) for _ in range(2))
    assert first == again
    assert first["turns"] == 1
    for option, value, what in (("turns", "never", "needed, not never"), ("play", 0.1, "0.06, not 0.1")):
        refused = run(*words, f"--{option}", value)
        assert refused.returncode == FAILED
        assert f"another question: the {option} {what}; choose" in refused.stderr


def test_without_a_way_nothing_is_called_impossible_or_complete(tmp_path) -> None:
    words = ("apart", "turning-cube", "--play", 0.03, "--run", tmp_path / "cube.run")
    first, again = run(*words), run(*words)
    assert first.returncode == again.returncode == LIMIT
    for shown in (first, again):
        assert "turning-cube: 1 solution: 0 come apart, no way found for 1 (not proved)\n" in shown.stdout
        assert "examined: slides, and turns with a play of 0.03. Not proved" in shown.stdout
        assert BOUNDS["others are pushed"] in shown.stdout
        assert "cannot" not in shown.stdout
    one, last = map(json.loads, run(*words, "--json").stdout.splitlines())
    assert (one["result"], one["bounds"]) == (
        "unproved",
        ["others are pushed", "lattice places", "few steps", "no tilting"],
    )
    summary = last["summary"]
    assert (summary["unproved"], summary["stuck"], summary["complete"], summary["stop"]) == (1, 0, False, "not proved")
    assert summary["bounds"] == one["bounds"]


def test_what_a_page_shows_of_a_solution_without_a_way_names_the_bounds() -> None:
    puzzle = replace(latcover.load("turning-cube"), turning=Turning(0.03))
    (exhibit,) = exhibits([ShelvedPuzzle(puzzle, "")], Bounds(), solutions=True)
    assert exhibit.data.stored is not None
    words = exhibit.data.stored.disassemblies[0].words
    assert words.startswith("no way was found to take it apart; not proved (examined: slides, and turns with a play of")
    assert BOUNDS["few steps"] in words


def test_each_turn_in_json_has_what_the_reference_promises() -> None:
    text = (Path(__file__).parents[3] / "docs" / "reference" / "json.md").read_text("utf-8")
    table = text.split("the key `turn` with its proof")[1].split("\n\n")[1]
    promised = {key for row in table.splitlines()[2:] for key in re.findall(r"`(\w+)`", row.split("|")[1])}
    data = json.loads(run("apart", "turning-cube", "--json").stdout.splitlines()[0])
    found = [step for each in data["separations"] for step in each["steps"] if "turn" in step]
    assert data["turns"] == len(found) == 1
    assert set(found[0]["turn"]) == promised >= {"axis", "sense", "path"}
    assert found[0]["distance"] == 0
