"""Turns as they are shown: in words, on sheets of steps, and in films."""

from __future__ import annotations

import re
from itertools import product
from typing import Any
from xml.etree.ElementTree import fromstring

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from latcover.core.model.disassembly import Disassembly, Separation, Step, turning_step
from latcover.core.model.move_words import move_as_text, turn_as_text
from latcover.core.model.replay import disassembly_faults
from latcover.core.model.turn_data import Turn, Turning
from latcover.files.formats.library import load_lattice
from latcover.lab.assembly.turning import turns
from latcover.show.drawing.paper.steps import steps_page
from latcover.show.drawing.scenes import explosion, scene
from latcover.show.drawing.scenes.dismantling import Dismantling
from latcover.show.drawing.space.disassembly_data import disassembly_data
from latcover.show.reporting.assembly_report import plan_as_lines, result_as_text
from tests.javascript import called, needs_node
from tests.page_data import scene_read
from tests.random_assemblies import assembled

CUBIC = load_lattice("cubic")
HOLE = [(0, x, y, 0) for x, y in product(range(-1, 4), repeat=2) if not (0 <= x < 3 and 0 <= y < 3)]
BAR = [(0, 0, 0, 0), (0, 0, 1, 0)]
PLATE = [(0, x, y, -1) for x, y in product(range(-1, 8), range(-1, 4))]  # its middle is not that of the hole
PLAY = Turning(0.05)


@pytest.fixture(scope="module")
def framed() -> tuple[Any, Any, Disassembly]:
    """A plate is left first; then a bar turns a quarter in its hole, and is lifted."""
    puzzle, solution = assembled(CUBIC, [PLATE, HOLE, BAR])
    hole, bar = (np.add(placed.cells, [0, 0, 0, 1], dtype=np.int32) for placed in solution.placements[1:])
    turn = next(t for t in turns(CUBIC, [bar], [hole], PLAY) if t.certain and t.angle == 90 and t.axis[2] == 1)
    away = Step((1, 2), (0, 0, 1), 1, separates=True)
    last = Step((2,), (0, 0, 1), 1, separates=True)
    separations = (
        Separation((0, 1, 2), (away,), (0,), (1, 2)),
        Separation((1, 2), (turning_step((2,), turn), last), (1,), (2,)),
    )
    plan = Disassembly("apart", 3, separations, turning=PLAY)
    assert disassembly_faults(puzzle, solution, plan) == []
    return puzzle, solution, plan


def dismantled(puzzle: Any, solution: Any, plan: Disassembly) -> Dismantling:
    shown = scene.of_solution(puzzle, solution)
    extents = [explosion.extent_of(item) for item in shown.items[: plan.n_pieces]]
    return Dismantling(puzzle, solution, plan, extents, np.zeros((plan.n_pieces, 3)), shown.size)


@pytest.mark.parametrize(
    ("axis", "angle", "words"),
    [
        ((0, 0, 1), 90, "a quarter to the left about the upright axis"),
        ((0, 0, -1), 90, "a quarter to the right about the upright axis"),
        ((0, 0, 1), -120, "a third to the right about the upright axis"),
        ((1, 0, 0), 90, "a quarter to the left about the axis that points east"),
        ((0, 1, 0), -180, "half a turn to the right about the axis that points north"),
        ((0, -1, 0), -60, "a sixth to the left about the axis that points north"),
        ((0, 0, 1), 72, "by 72 degrees to the left about the upright axis"),
    ],
)
def test_a_turn_in_words(axis: Any, angle: float, words: str) -> None:
    turn = Turn(axis, angle, 1, (0, 0, 0), True, (0, 0, 0))
    assert turn_as_text(CUBIC, turn) == words
    other = {"left": "right", "right": "left"}
    swapped = " ".join(other.get(word, word) for word in words.split())
    assert turn_as_text(CUBIC, turn, backwards=True) == swapped
    assert turn_as_text(CUBIC, replace(turn, angle=-angle)) == swapped
    assert turn_as_text(load_lattice("square"), Turn((0, 0, 1), 90, 1, (0, 0), True, (0, 0))) == "a quarter to the left"


@pytest.mark.long
def test_a_plan_in_words(framed: Any) -> None:
    _, solution, plan = framed
    turn = plan.steps[1]
    assert move_as_text(CUBIC, turn, "ABC") == "part C turns a quarter to the left about the upright axis"
    both = replace(turn, pieces=(0, 2))
    assert move_as_text(CUBIC, both, "ABC", backwards=True) == (
        "parts A and C turn a quarter to the right about the upright axis"
    )
    assert "    2  P2 turns a quarter to the left about the upright axis" in plan_as_lines(solution, plan)
    assert re.fullmatch(r"needs a play of 0\.[0-9]+; level 1\.2 \(1 turn\), 3 moves", result_as_text(plan))


def test_moments_are_where_the_lattice_has_the_pieces(framed: Any) -> None:
    """Up to how far the group was brought back to the middle."""
    puzzle, solution, plan = framed
    apart, made = dismantled(puzzle, solution, plan), 0
    for moment in apart.moments():
        made += moment.step is not None
        for k in plan.separations[moment.separation].pieces:
            cells = plan.poses(CUBIC, made)[k].apply(np.array(solution.placements[k].cells, np.int32), CUBIC)
            shown = moment.poses.of(k, apart.cells[k])
            assert np.allclose(shown, CUBIC.centres(cells) + moment.away, atol=1e-9)
            low, high = apart.boxes_at(moment.poses, [k], np.eye(3))[0]
            assert np.allclose(low, shown.min(axis=0) - 0.5)
            assert np.allclose(high, shown.max(axis=0) + 0.5)
    assert made == 3


def test_a_sheet_shows_a_turn_by_a_bent_arrow(framed: Any) -> None:
    for apart, sense in ((True, "left"), (False, "right")):
        sheet = steps_page(*framed, apart=apart)
        arrows = [one for one in fromstring(sheet).iter() if "arrow" in one.get("class", "").split()]
        assert [one.get("class") for one in arrows].count("arrow turn") == 1
        assert len(arrows) == 3
        assert re.search(f"Part [A-Z] turns a quarter to the {sense} about the upright axis", " ".join(sheet.split()))


@needs_node
def test_a_film_turns_pieces_along_their_path(framed: Any) -> None:
    puzzle, solution, plan = framed
    data = scene_read(puzzle, [solution], {0: plan})
    apart = dismantled(puzzle, solution, plan)
    told = msgspec.to_builtins(disassembly_data(apart, ["plate", "hole", "bar"]))
    items = [{"shape": {"solid": {"vertices": [], "faces": []}, "balls": [*middle, 0.5]}, "at": [0, 0, 0]}
             for middle in (cells.mean(axis=0).tolist() for cells in apart.cells)]  # fmt: skip
    film = called("film_making", "filmOf", told, items, data["puzzle"])
    assert ["turn" in move for move in film["moves"]] == [False, True, False]
    moment = [m for m in apart.moments() if m.step is not None][1]
    rest = {"turn": np.eye(3).tolist(), "shift": [0.0, 0.0, 0.0]}
    turn = told["separations"][1]["steps"][0]["turn"]
    at_end = called("poses", "turned", rest, turn, called("poses", "momentOf", turn, 1))
    assert np.allclose(at_end["turn"], moment.poses.turns[2], atol=1e-6)
    assert called("poses", "onPath", turn["path"], {"k": 0, "part": 0}) == turn["path"][0]
    quarter = [[0, 0, 0, 0], [90, 0, 0, 0]]
    assert called("poses", "onPath", quarter, called("poses", "momentOf", {"path": quarter}, 0.5)) == [45, 0, 0, 0]
    assert np.allclose(film["moves"][1]["turn"]["axis"], [0, 0, 1])
    back = np.subtract(film["moves"][1]["turn"]["middle"], turn["middle"])
    assert abs(back).max() > 0.5, "the group was brought back to the middle, and its turn with it"
