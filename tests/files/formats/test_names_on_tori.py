"""On a torus a cell has many names, and files may use any of them."""

from __future__ import annotations

import pytest

import latcover
from latcover.errors import PuzzleFileError
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml

TORUS = """
name = "torus"
lattice = "square"
[colours]
r = "red"
[sides]
values = ["a"]
[[parts]]
name = "I"
cells = [[0, 0], [0, 1]]
min = 0
max = "unlimited"
colours = ["red", "red"]
sides = [{{ cell = [0, 0], edge = "north", is = "a" }}]
[region]
period = [2, 4]
cells = [{first}, {second}, [0, 2], [0, 3], [1, 0], [1, 1], [1, 2], [1, 3]]
minus = {{ cells = [[1, 3]], at = {hole} }}
optional = [{free}]
alike = [{{ cells = [{first}, [0, 2]] }}]
sides = [{{ cell = {asked}, edge = "east", is = "a" }}]
[[costs]]
name = "gold"
cells = [{{ cells = [{second}], cost = 3 }}]
placements = [{{ part = "I", cells = [{first}, {second}], cost = 2 }}]
"""
OURS = {"first": [0, 0], "second": [0, 1], "free": [1, 0], "asked": [1, 1], "hole": [0, 0]}
OTHERS = {"first": [2, 4], "second": [0, -3], "free": [3, 8], "asked": [-1, 5], "hole": [2, -4]}


@pytest.mark.parametrize("key", OTHERS)
def test_any_name_of_a_cell_is_read(key: str) -> None:
    """Of the region, its optional cells, holes, groups, sides, and costs."""
    home, far = (latcover.loads(TORUS.format_map(names)) for names in (OURS, OURS | {key: OTHERS[key]}))
    assert puzzle_as_toml([home]) == puzzle_as_toml([far])


def test_a_cell_that_no_name_reaches_is_refused() -> None:
    with pytest.raises(PuzzleFileError, match=r"optional\[0\]: is not a cell of the region"):
        latcover.loads(TORUS.format_map(OURS | {"free": [3, 7]}))  # the hole
