"""Parts that are not connected: which are told, on lattices of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from latcover.apps.web.editor_data import puzzle_for_editor
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.puzzle_checks import complaints_about
from latcover.files.formats.library import load_all, load_lattice, loads
from latcover.files.formats.source import names
from tests.command_line import FAILED, run

SPLIT = """\
name = "split"
lattice = "square"
[region]
box = [2, 3]
[[parts]]
name = "A"
art = ["X.X"]
[[parts]]
name = "B"
count = 2
art = ["XX"]
"""


def loose(puzzle: Puzzle) -> list[str]:
    return [c.message for c in complaints_about(puzzle) if c.warning and "is not connected" in c.message]


def on(lattice: str, cells: str, region: str) -> Puzzle:
    """A part of these cells, and single cells that fill up."""
    single = cells[: cells.index("]") + 1] + "]"
    part, filler = (
        f"[[parts]]\nname = '{name}'\nmin = 0\ncells = {of}\n" for name, of in (("A", cells), ("B", single))
    )
    return loads(f"name = 'one'\nlattice = '{lattice}'\n[region]\n{region}\n{part}{filler}")


@pytest.mark.parametrize("name", names("instances"))
def test_no_shipped_puzzle_is_told(name: str) -> None:
    assert [message for puzzle in load_all(name) for message in loose(puzzle)] == []


@pytest.mark.parametrize(
    ("lattice", "cells", "region", "told"),
    [
        ("square", "[[0, 0], [0, 1], [1, 1]]", "box = [3, 4]", False),
        ("square", "[[0, 0], [1, 1]]", "box = [3, 4]", True),  # at a corner only
        ("square", "[[0, 0], [0, 3]]", "box = [3, 4]", True),
        ("square", "[[0, 0], [0, 3]]", "box = [3, 4]\nperiod = [0, 4]", False),  # around the cylinder
        ("square", "[[0, 0], [2, 0]]", "box = [3, 4]\nperiod = [0, 4]", True),
        ("polystick", '[[0, 0, "across"], [0, 0, "down"]]', "box = [3, 4]", False),  # through a junction
        ("polystick", '[[0, 0, "across"], [0, 2, "across"]]', "box = [3, 4]", True),
        ("disc", '[[0, 0, "quarter"], [0, 2, "quarter"]]', "box = [3, 4]", True),
        ("disc", '[[0, 0, "quarter"], [0, 2, "core"]]', "box = [3, 4]", False),  # a core has one side
    ],
)
def test_connected_is_through_sides_and_junctions(lattice: str, cells: str, region: str, told: bool) -> None:
    assert bool(loose(on(lattice, cells, region))) is told


def test_secondary_cells_beside_one_another_lead_nowhere() -> None:
    lattice = load_lattice("square")
    (node,) = lattice.nodes
    grid = replace(lattice, nodes=(replace(node, secondary=True),))
    assert grid.unreached([(0, 0, 0), (0, 0, 2), (0, 0, 9)]) == {(0, 0, 9)}


def test_files_the_command_and_the_editor_tell_where(tmp_path: Path) -> None:
    path = tmp_path / "split.toml"
    path.write_text(SPLIT)
    told = "part 'A' is not connected: no way through its sides leads from [0, 0] to [0, 2]"
    result = run("check", path)
    assert (result.returncode, f"{path}:5:1: warning: parts[0]: {told}" in result.stdout) == (0, True)
    assert told in run("solve", path).stderr
    puzzle = loads(SPLIT)
    assert sum(told in warning for warning in puzzle_for_editor(puzzle).warnings) == 1


def test_strict_counts_warnings_as_errors(tmp_path: Path) -> None:
    path = tmp_path / "split.toml"
    path.write_text(SPLIT)
    one, many = run("check", "--strict", path, "-q"), run("check", "--strict", path, "soma")
    assert (one.returncode, many.returncode) == (FAILED, FAILED)
    assert "is not connected" in one.stdout
    assert one.stdout.endswith("2 errors in this file\n")  # the colours of a chessboard, too
    assert many.stdout.endswith("2 files: 1 wrong\n")
    assert '"ok": false' in run("check", "--strict", "--json", path).stdout
    assert run("check", "--strict", "soma").returncode == 0
    assert run("check", "--strict", "--all").returncode == 2
