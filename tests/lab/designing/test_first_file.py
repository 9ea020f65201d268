"""The file that a user begins with is sound, and has a solution, on every lattice."""

from __future__ import annotations

from pathlib import Path

import pytest

import latcover
from latcover.core.model.puzzle import Bounds
from latcover.errors import PuzzleError
from latcover.files.formats.library import load, load_lattice
from latcover.files.formats.source import names
from latcover.lab.designing.first_file import FIRST_CELLS, PART_CELLS, first_file
from latcover.show.reporting.check_report import inspect_file
from tests.shipped import rest_long

DRAWN = [name for name in names("lattices") if load_lattice(name).dimension < 4]


@pytest.mark.parametrize("lattice", rest_long(DRAWN, ["square", "cubic", "polystick"]))
def test_a_first_file_is_sound_and_has_a_solution(lattice: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(first_file("mine", lattice))
    puzzle = load(str(path))
    assert len(puzzle.region.cells) >= FIRST_CELLS // 2
    assert max(part.size for part in puzzle.parts) <= 2 * PART_CELLS
    assert next(iter(latcover.solutions(puzzle)))
    assert inspect_file(str(path), Bounds()).sound


def test_the_comments_stay_in_place(tmp_path: Path) -> None:
    text = first_file("mine", "cubic", "3x3x2", file="folder/mine.toml")
    assert "latcover solve folder/mine.toml" in text
    assert text.count("# The cells to fill") == text.count("# The parts.") == text.count("# `latcover list`") == 1
    assert 'lattice = "cubic"' in text
    assert "box = [3, 3, 2]" in text


@pytest.mark.parametrize(("region", "words"), [("100x100", "begin with at most 2,000"), ("3x3x3", "has 2 sides")])
def test_regions_that_are_none(region: str, words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        first_file("mine", "square", region)
