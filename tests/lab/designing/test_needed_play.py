"""Designs whose plans need a play in a range: what is found keeps to it, and what cannot be met is refused."""

from __future__ import annotations

import json

import pytest

import latcover
from latcover.core.model.disassembly import Disassembly
from latcover.core.model.turn_data import Turning
from latcover.errors import PuzzleError, UnsupportedError
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.assembly.taking_apart import Assembler
from latcover.lab.designing.cut_designs import CutDesign
from latcover.lab.designing.cut_turns import GIVEN, UNMOVED, CutTurner, PlanJudge, play_below, walked_play
from latcover.lab.designing.cuts import Cutter
from latcover.lab.designing.design_requests import CutRequest
from latcover.lab.designing.play_range import PlayRange, range_of
from latcover.lab.designing.region_names import region_named
from latcover.show.reporting.design_report import cut_as_line
from tests.command_line import FAILED, run

PLAY = 0.08
CUBE = {"turns": "needed", "play": PLAY, "seed": 2, "walks": 1, "patience": 200}


@pytest.fixture(scope="module")
def easy() -> CutDesign:
    """A cut of which nothing but turns was asked."""
    (design,) = latcover.cut("cubic:3x3x2", 3, **CUBE)
    return design


@pytest.mark.long
def test_a_tight_design_has_no_known_way_apart_with_less_play(tmp_path) -> None:
    (design,) = latcover.cut("cubic:3x3x2", 3, needs_play="0.04-", **CUBE)
    assert design.needed_play is not None
    assert 0.04 <= design.needed_play <= PLAY
    assert "needs a play of 0.048" in design.puzzle.title
    assert "; needs a play of 0.048" in cut_as_line(design)
    assert design.as_json()["needed_play"] == design.needed_play
    assert "--turns needed --play 0.08 --needs-play 0.04.. --seed 2 --walk 0" in design.puzzle.source
    (tmp_path / "tight.toml").write_text(puzzle_as_toml([design.puzzle]))
    read = latcover.load(tmp_path / "tight.toml")
    assert read.turning == Turning(PLAY)
    (plan,) = Assembler(read, turns="needed").take_apart([design.solution])
    assert (plan.result, plan.needed_play) == ("apart", design.needed_play)
    less = Assembler(read, turns="needed", turning=Turning(0.039), advises=False)
    assert less.take_apart([design.solution])[0].result == "unproved"


@pytest.mark.long
def test_cuts_and_plans_that_need_another_play_are_not_taken(easy: CutDesign) -> None:
    region, request = region_named("cubic:3x3x2"), CutRequest(turns="needed", play=PLAY)
    cells = {tuple(cell): k for k, cell in enumerate(Cutter(region, request).cells.tolist())}
    parts = [[cells[cell] for cell in placed.cells] for placed in easy.solution.placements]
    for text, wanted in (("", True), ("0.04..", True), ("0.06..", False), ("..0.02", False)):
        needed, room = range_of(text), Turning(PLAY)
        assert CutTurner(region.lattice, Cutter(region, request).cells, room, needed, request)(parts) == (
            (1, 3, 1) if wanted else UNMOVED
        )
        plan = PlanJudge(request, room, needed).plan(easy.puzzle, easy.solution, lambda: True)
        assert (plan is not None) == wanted


class OtherWays(PlanJudge):
    """Finds the same plan at any play, as if there were always another way."""

    def __init__(self, plan: Disassembly) -> None:
        super().__init__(CutRequest(turns="needed"), Turning(PLAY), range_of("0.04.."))
        self._plan = plan

    def _taken(self, *_: object) -> Disassembly:
        return self._plan


def test_a_plan_is_not_tight_if_another_needs_less(easy: CutDesign) -> None:
    assert OtherWays(easy.disassembly).plan(easy.puzzle, easy.solution, lambda: True) is None


def test_a_plan_that_is_broken_off_is_none(easy: CutDesign) -> None:
    judge = PlanJudge(CutRequest(turns="needed"), Turning(0.01), PlayRange())
    asked = []
    assert judge.plan(easy.puzzle, easy.solution, lambda: bool(asked.append(1))) is None
    assert asked


def test_an_upper_bound_finds_what_walks_at_the_play_itself_miss() -> None:
    tight = CUBE | {"play": 0.05}
    assert not latcover.cut("cubic:3x3x2", 3, **tight)
    (design,) = latcover.cut("cubic:3x3x2", 3, needs_play="..0.05", **tight)
    assert design.needed_play is not None
    assert design.needed_play <= 0.05


def test_walks_look_for_what_a_range_may_need() -> None:
    for text, walked, below in (("", 0.06, None), ("..0.03", 0.03 + GIVEN, None), ("0.02..0.03", 0.03 + GIVEN, 0.019)):
        needed = range_of(text)
        assert walked_play(0.06, needed) == pytest.approx(walked)
        assert play_below(needed) == (below if below is None else pytest.approx(below))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("", None, None),
        ("0.02..0.03", 0.02, 0.03),
        (" .02 - 0.03 ", 0.02, 0.03),
        ("-0.02", None, 0.02),
        ("0.04..", 0.04, None),
    ],
)
def test_ranges_are_read(text: str, low: float | None, high: float | None) -> None:
    assert range_of(text) == PlayRange(low, high)
    CutRequest(needs_play=text, turns="needed")


def test_a_range_judges_plays_as_they_are_told() -> None:
    needed = PlayRange(0.02, 0.03)
    held = {0.019: False, 0.0191: True, 0.03: True, 0.0301: False}
    assert {play: needed.holds(play) for play in held} == held
    assert not needed.holds(None)
    assert PlayRange().holds(None)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--needs-play 0.03..0.02", "give the least first, as in 0.02..0.03"),
        ("--needs-play 0.05..", "parts have a play of 0.04, so no plan needs 0.05"),
        ("--play 0.06 --needs-play 0.02-0.07", "so no plan needs 0.07"),
        ("--needs-play 0.3..", "at most 0.2"),
        ("--needs-play=-0.02-0.01", "must be a range of plays such as 0.02..0.03"),
        ("--turns never --needs-play -0.02", "let parts turn"),
    ],
)
def test_ranges_that_cannot_be_met_are_refused(words: str, told: str) -> None:
    result = run("design", "cut", "cubic:2x2x2", "--parts", 2, "--walks", 1, *words.split())
    assert result.returncode == FAILED
    assert told in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


def test_python_refuses_them_too() -> None:
    with pytest.raises(UnsupportedError, match="let parts turn"):
        CutRequest(needs_play="..0.02")
    with pytest.raises(PuzzleError, match="a range of plays"):
        latcover.cut("cubic:2x2x2", 2, turns="needed", needs_play="often")


def test_a_range_is_part_of_the_question_and_of_the_command() -> None:
    region = region_named("cubic:2x2x2")
    asked = [CutRequest(parts=2, turns="needed", needs_play=text) for text in ("", "..0.02", "0.01..0.02")]
    assert len({Cutter(region, request).question().digest for request in asked}) == len(asked)
    same = CutRequest(parts=2, turns="needed", needs_play=" 0.01 - 0.020")
    assert Cutter(region, same).question().digest == Cutter(region, asked[2]).question().digest
    assert asked[2].as_words() == "--turns needed --needs-play 0.01..0.02 --seed 1"


def test_the_command_says_which_play_a_design_needs() -> None:
    words = "cubic:3x3x2 --parts 3 --play 0.08 --seed 2 --walk 0 --threads 1 --json --needs-play 0.02-0.06"
    result = run("design", "cut", *words.split())
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert all(0 <= row["needed_play"] <= 0.06 for row in rows[:-1])
    assert len(rows) == 1 + rows[-1]["summary"]["designs"]
