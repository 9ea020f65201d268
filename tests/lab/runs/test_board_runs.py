"""Matching puzzles in runs: jobs carry the colours of items, also through a file and after a process was killed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from latcover.core.solving.solve import SolveRequest
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.designing.boards import make_board
from latcover.lab.designing.design_requests import BoardRequest
from latcover.lab.designing.region_names import region_named
from latcover.lab.runs.control import go_on
from latcover.lab.runs.recipe import Recipe, StoredFile
from tests.lab.runs.test_run_processes import MANY, in_a_child, needs_fork
from tests.run_files import begun, figures, in_one_go, require_whole

TILES = 19  # solutions of the board


def tiles(backend: str) -> Recipe:
    """What a run of a small board with several solutions is of."""
    text = puzzle_as_toml([make_board(region_named("square:5x4"), BoardRequest(values=3))])
    return Recipe(SolveRequest(backend=backend), "board", StoredFile("board.toml", text.encode(), ""))


@needs_fork
@pytest.mark.parametrize("backend", ["bitset", "dlx"])
def test_a_board_is_searched_to_its_end_whatever_is_killed(backend: str, tmp_path: Path) -> None:
    chance = random.Random(5)
    path, recipe = tmp_path / "run.db", tiles(backend)
    prepared = begun(path, recipe)
    assert prepared.problem.has_colours
    for killed in range(100):
        if in_a_child(lambda: go_on(path, MANY, prepared=prepared), chance.randrange(5, 60 * (killed + 1))):
            break
    assert 0 < killed < 99
    answer = go_on(path, prepared=prepared)
    assert figures(answer) == figures(in_one_go(recipe, prepared))
    assert answer.different == TILES
    require_whole(path, TILES)
