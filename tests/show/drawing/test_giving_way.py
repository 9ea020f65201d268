"""Parts that give way while others turn: in films, in words, and on sheets. The plans are made by hand."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

from latcover.core.model.giving_way import giving_way, pushed
from latcover.core.model.move_words import play_in_words
from latcover.show.drawing.paper.steps import steps_page
from latcover.show.reporting.assembly_report import plan_as_lines, result_as_text
from tests.command_line import run
from tests.javascript import called, needs_node
from tests.page_data import scene_read
from tests.show.drawing.giving_plans import PUSHED, YIELDING, giving_plan
from tests.show.drawing.test_films import film_of

SPACE = "{http://www.w3.org/2000/svg}"


def test_a_hand_pushes_only_what_gives_way_noticeably() -> None:
    for up, hands in ((PUSHED, (1,)), (YIELDING, ())):
        (turn,) = [step for step in giving_plan(up)[2].steps if step.turn is not None]
        assert [one.piece for one in giving_way(turn)] == [1]
        assert pushed(turn) == hands


def test_page_report_and_sheet_say_the_same() -> None:
    puzzle, solution, plan = giving_plan()
    words = "push part B aside a little, then turn part C a quarter to the right about the upright axis"
    (told,) = scene_read(puzzle, [solution], {solution.number: plan})["disassemblies"].values()
    assert words in [step["words"] for separation in told["separations"] for step in separation["steps"]]
    plain = words.replace("part ", "")
    assert any(plain in line for line in plan_as_lines(solution, plan))
    sheet = fromstring(steps_page(puzzle, solution, plan, apart=True))
    text = " ".join("".join(element.itertext()) for element in sheet.iter(f"{SPACE}text"))
    assert "Push part B aside a little, then turn" in " ".join(text.split())
    arrows = [element.get("class") for element in sheet.iter(f"{SPACE}g")]
    assert (arrows.count("arrow turn"), arrows.count("arrow push")) == (1, 1)


def test_what_hardly_moves_gives_way() -> None:
    puzzle, solution, plan = giving_plan(YIELDING)
    assert any(line.endswith("about the upright axis; B gives way") for line in plan_as_lines(solution, plan))
    assert 'class="arrow push"' not in steps_page(puzzle, solution, plan)


@pytest.mark.parametrize(
    ("play", "edge", "words"),
    [
        (0.022, 16.0, "needs a play of 0.022 (0.35 mm a side at a cell of 16 mm)"),
        (0.050625, None, "needs a play of 0.051"),
        (0.03, None, "needs a play of 0.03"),
    ],
)
def test_the_play_is_said_rounded_up(play: float, edge: float | None, words: str) -> None:
    assert play_in_words(play, edge) == words


def test_what_a_maker_reads_stands_first() -> None:
    puzzle, solution, plan = giving_plan()
    assert result_as_text(plan).startswith("needs a play of 0.048; level 1.2")
    (told,) = scene_read(puzzle, [solution], {solution.number: plan})["disassemblies"].values()
    assert told["words"].startswith("needs a play of 0.048; it comes apart")
    assert told["play"] == plan.needed_play


def test_the_command_gives_the_play_in_millimetres() -> None:
    done = run("apart", "turning-cube", "--edge", "16")
    assert "solution 1: needs a play of 0.048 (0.75 mm a side at a cell of 16 mm); level 1.2" in done.stdout
    assert "the edge is 0 mm" in run("apart", "turning-cube", "--edge", "0").stderr


@needs_node
def test_all_paths_are_played_at_once() -> None:
    """First what is pushed moves alone, and takes its time; then the other one turns, and both end together."""
    turn = film_of(*giving_plan())["moves"][1]["turn"]
    (giving,) = turn["giving"]
    rest = {"turn": np.eye(3).tolist(), "shift": [0.0, 0.0, 0.0]}

    def at(share: float, path: list[list[float]], larger: int = 1) -> list[float]:
        moment = called("poses", "momentOf", turn, share)
        shift: list[float] = called("poses", "turned", rest, turn, moment, path, larger)["shift"]
        return shift

    first = called("poses", "momentOf", turn, 0.05)
    assert first["k"] == 0
    assert called("poses", "onPath", turn["path"], first)[0] == 0
    assert 0 < at(0.05, giving["path"])[2] < PUSHED
    assert np.isclose(at(0.5, giving["path"])[2], PUSHED)
    assert np.isclose(at(0.5, giving["path"], 5)[2], 5 * PUSHED)
    assert np.isclose(at(1, giving["path"])[2], 0)
    assert called("poses", "onPath", turn["path"], called("poses", "momentOf", turn, 1)) == turn["path"][-1]
