"""The table [goals] of puzzle files: read, written, and complained of in the right line."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.core.model.goals import Goals
from latcover.core.model.puzzle import Bounds
from latcover.errors import PuzzleError, PuzzleFileError
from latcover.files.formats.library import board_and_goal, load_all, load_goals, read
from latcover.files.formats.puzzle_files.file_keys import PuzzleFile
from latcover.files.formats.puzzle_files.puzzle_writer import goals_as_toml
from latcover.files.formats.source import Source, folder, names, shipped
from latcover.show.reporting.check_report import check, check_expectations
from tests.dice import cases
from tests.random_goals import any_goals

HOLE = """name = "hole"
lattice = "square"

[region]
box = [3, 3]

[[parts]]
name = "domino"
count = "unlimited"
art = ["XX"]

[goals]
open = [{ name = "hole", cells = [[0, 0], [1, 1], [2, 2]], labels = "top middle bottom" }]
"""
BAG = """name = "bag"
lattice = "square"

[region]
box = [2, 4]

[[parts]]
set = "tetrominoes"

[goals]
choose = { parts = 2 }
"""


def goals_in(text: str) -> Goals:
    found = read(Source(text.encode(), "test.toml", shipped), Bounds())
    return found.goals  # type: ignore[attr-defined]


def test_open_cells() -> None:
    goals = goals_in(HOLE)
    assert [goal.name for goal in goals] == ["top", "middle", "bottom"]
    assert goals.puzzle("middle").region.cells.tolist() == [
        [0, r, c] for r in range(3) for c in range(3) if (r, c) != (1, 1)
    ]


def test_labels_are_coordinates_if_none_are_given() -> None:
    goals = goals_in(HOLE.replace(', labels = "top middle bottom"', ", count = 3"))
    assert [goal.name for goal in goals] == ["0,0 1,1 2,2"]


def test_a_box_of_open_cells_is_moved() -> None:
    goals = goals_in(HOLE.replace("cells = [[0, 0], [1, 1], [2, 2]]", "box = [1, 3], at = [2, 0]"))
    assert goals.open[0].cells == ((0, 2, 0), (0, 2, 1), (0, 2, 2))


def test_a_choice_of_parts() -> None:
    goals = goals_in(BAG)
    assert [goal.name for goal in goals][:3] == ["I L", "I O", "I S"]
    assert len(goals) == 10
    only = goals_in(BAG.replace("parts = 2 }", 'parts = 1, from = ["L", "S", "T"] }').replace("[2, 4]", "[3, 4]"))
    assert [goal.name for goal in only] == ["L", "S", "T"]
    assert [part.name for part in only.puzzle("S").parts] == ["I", "O", "S"]


def test_regions() -> None:
    regions = 'regions = [{ name = "row", box = [1, 2], at = [1, 0] }, { name = "all but one", art = ["XXX", "XXX"] }]'
    goals = goals_in(HOLE[: HOLE.index("open =")] + regions)
    assert [goal.name for goal in goals] == ["row", "all but one"]
    assert latcover.count(goals.puzzle("row")).total == 1
    assert latcover.count(goals.puzzle("all but one")).total == 3


def test_numbers_of_dates() -> None:
    calendar = load_goals("calendar-clock")
    assert len(calendar) == 366
    assert calendar.called("Feb 29").name == "Feb 29"
    for date in ("Feb 30", "Apr 31"):
        with pytest.raises(PuzzleError, match="no goal"):
            calendar.called(date)


@cases(3, goals=any_goals)
def test_written_goals_read_back(goals: Goals) -> None:
    again = goals_in(goals_as_toml(replace(goals, board=replace(goals.board, name="test"))))
    assert [goal.name for goal in again] == [goal.name for goal in goals]
    shift = again.board.region.cells[:, 1:].min(axis=0) - goals.board.region.cells[:, 1:].min(axis=0)
    for one, other in zip(goals, again, strict=True):
        moved = goals.board.region.cells[one.kept] + np.array([0, *shift])
        found = again.board.region.cells[other.kept]
        if not goals.board.region.period:
            assert {*map(tuple, moved.tolist())} == {*map(tuple, found.tolist())}
        assert one.copies == other.copies


WRONG = {
    'HOLE|labels = "top middle bottom"|labels = "top middle"': "goals.open[0].labels: 3 cells have 2 labels",
    "HOLE|[2, 2]|[3, 3]": "goals.open[0]: [3, 3] is not a cell of the board",
    'HOLE|name = "hole", cells|nam = "hole", cells': "unknown key",
    "HOLE|open = |opn = ": "goals.opn: unknown key; did you mean 'open'?",
    "HOLE|[goals]|[expect]\ntotal = 1\n\n[goals]": "cannot be combined with [goals]",
    'HOLE|[goals]|[goals]\nexcept = [["tpo"]]': "except[0]: no open cell has the label 'tpo'; did you mean 'top'?",
    "HOLE|box = [3, 3]|box = [3, 4]": "no goal can be filled; 'top': the volume cannot fit",
    'HOLE|count = "unlimited"|count = 5': "no goal can be filled; 'top': the volume cannot fit",
    "BAG|parts = 2|parts = 6": "goals.choose.parts: 6 of 5 pieces cannot be chosen",
    "BAG|parts = 2|parts = 3": "no choice of parts has as many cells",
    'BAG|parts = 2|parts = 2, from = ["Q"]': "goals.choose.from: there is no part 'Q'",
    "BAG|choose = { parts = 2 }|": "there are none",
}


@pytest.mark.parametrize("change", WRONG)
def test_complaints(change: str) -> None:
    which, old, new = change.split("|")
    text = {"HOLE": HOLE, "BAG": BAG}[which]
    assert text.count(old) == 1
    with pytest.raises(PuzzleFileError) as caught:
        goals_in(text.replace(old, new))
    assert WRONG[change] in " ".join(map(str, caught.value.complaints))
    assert all(complaint.line for complaint in caught.value.complaints)


def test_goals_of_a_file_are_its_problems(tmp_path: Path) -> None:
    path = tmp_path / "hole.toml"
    path.write_text(HOLE)
    assert board_and_goal(f"{path}:middle") == (str(path), "middle")
    assert board_and_goal(str(path)) == (str(path), "")
    assert latcover.load(f"{path}:middle").name == "hole:middle"
    assert latcover.load(str(path), problem="bottom").name == "hole:bottom"
    assert latcover.load(str(path), problem="2").name == "hole:middle"
    assert [puzzle.name for puzzle in load_all(str(path))] == ["hole:top", "hole:middle", "hole:bottom"]
    with pytest.raises(PuzzleError, match="has goals, each of which is a puzzle; choose one with --goal"):
        latcover.load(str(path))
    assert check(str(path)).verdict().endswith("a sound puzzle with goals: 3 goals on a board of 9 cells, 1 part")
    assert latcover.info(str(path))["names"] == ["top", "middle", "bottom"]


def test_some_goals_that_cannot_be_filled_are_a_warning(tmp_path: Path) -> None:
    text = HOLE.replace("[goals]\n", "[goals]\n").replace("open = [", 'regions = [{ name = "odd", box = [1, 3] }, ')
    text = text.replace('{ name = "hole", cells = [[0, 0], [1, 1], [2, 2]], labels = "top middle bottom" }', "")
    text = text.replace("[1, 3] }, ", '[1, 3] }, { name = "even", box = [1, 2] }')
    path = tmp_path / "odd.toml"
    path.write_text(text)
    report = check(str(path))
    assert report.sound
    assert "1 goal of 2 cannot be filled; 'odd'" in str(report.complaints[0])
    assert [result.total for result in latcover.count_goals(str(path)).results] == [0, 1]


def test_the_family_of_a_board(tmp_path: Path) -> None:
    path = tmp_path / "holes.toml"
    text = HOLE.replace("box = [3, 3]", 'box = [3, "{2*n + 1}"]').replace("[goals]", "[family]\nfrom = 1\n\n[goals]")
    path.write_text(text)
    assert latcover.load(f"{path}:2:middle").name == "hole-2:middle"
    assert len(load_goals(f"{path}:1")) == 3


@pytest.mark.parametrize("name", names("goals"))
def test_shipped_goals_have_a_source_and_figures(name: str) -> None:
    goals = load_goals(name)
    assert goals.board.source
    assert goals.expect["goals"] == goals.expect["solved"] == len(goals)
    known = {field.encode_name for field in msgspec.structs.fields(PuzzleFile)}
    assert tomllib.loads((folder("goals") / f"{name}.toml").read_text("utf-8")).keys() <= known


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] if name.startswith("calendar") else []) for name in names("goals")],
)
def test_shipped_goals_have_the_figures_of_their_files(name: str) -> None:
    for figure in check_expectations(load_goals(name)):
        assert not figure.differs, figure
