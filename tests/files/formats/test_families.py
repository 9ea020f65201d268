"""Families: puzzle files with a size n in them, and the figures with a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from latcover.errors import InputError
from latcover.files.formats.library import load, load_family, load_lattice, load_member
from latcover.files.formats.puzzle_files.puzzle_family import value_of
from latcover.files.formats.puzzle_files.region_figures import figure
from tests.command_line import DONE, FAILED, run

SQUARES = """
name = "squares"
title = "up to {n}"
lattice = "square"

[family]
from = 2
let = { side = "2*n - 1" }

[region]
box = ["{side}", "{n}"]

[[parts]]
for = { a = "1..n", b = "a..n" }
if = "a != b and a + b < 4"
name = "{a} by {b}"
box = ["{a}", "{b}"]
count = "unlimited"
"""


@pytest.fixture
def squares(tmp_path: Path) -> Path:
    path = tmp_path / "squares.toml"
    path.write_text(SQUARES)
    return path


def test_a_member_has_numbers_in_place_of_expressions(squares: Path) -> None:
    puzzle = load_member(load_family(str(squares)), 3)
    assert (puzzle.name, puzzle.title) == ("squares-3", "up to 3")
    assert len(puzzle.region.cells) == 15
    assert [part.name for part in puzzle.parts] == ["1 by 2"]
    assert load_member(load_family(str(squares)), 4).parts[-1].name == "1 by 2"


def test_a_member_is_named_where_a_puzzle_is() -> None:
    assert len(load("dominoes-square:2").region.cells) == 16
    assert "36 in all" in run("count", "dominoes-square:2").stdout
    assert run("show", "stones-and-bones:3", "--no-color").returncode == DONE
    assert "a sound puzzle: 16 cells" in run("check", "dominoes-square:2").stdout


def test_a_run_keeps_the_member(tmp_path: Path) -> None:
    assert run("count", "dominoes-square:2", "--run", tmp_path / "x.run").returncode == DONE
    assert "36 in all" in run("runs", "resume", tmp_path / "x.run").stdout


@pytest.mark.parametrize(
    ("text", "value"),
    [("2*n + 1", 11), ("(n - 1) // 2 % 3", 2), ("-n", -5), ("isqrt(n)", 2), ("max(n, 7)", 7), ("n != 5 and 1 < n", 0)],
)
def test_expressions_have_values(text: str, value: int) -> None:
    assert value_of(text, {"n": 5}) == value


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"{side}"', '"{sid}"', "region.box[0]: nothing is called 'sid'; did you mean 'side'?"),
        ('"{side}"', '"{9**9**9}"', "has no value"),
        ('"{side}"', '"{n//0}"', "has no value"),
        ('"{side}"', '"{__import__(n)}"', "has no value"),
        ('"1..n"', '"1 to n"', 'must be a range in quotes, as in "1..n"'),
        ('"1..n"', '"1..99999*n"', "makes more than 10,000 parts"),
        ('b = "a..n" }', 'b = "1..9999", c = "1..9999", d = "1..0" }', "makes more than 10,000 parts"),
        ('b = "a..n" }', ", ".join(f'b{k} = "1..1"' for k in range(2000)) + "}", "has more than 10 ranges"),
        ('"{side}"', '"{n' + "+1" * 100 + '}"', "an expression has at most 200 characters"),
        ('"{side}"', '"{n is 1}"', "has no value"),
        ('"{side}"', '"{max(n, 1, key=7)}"', "has no value"),
        ("[family]", "family = 3\n[rest]", "family: must be a table"),
        ("from = 2", "from = 4", "the least size is 4, not 3"),
        ('b = "a..n" }', 'n = "1..2" }', "'n' has a meaning already; choose another name"),
        ('"1..n"', '"1..n", max = "1..2"', "'max' has a meaning already"),
        ("count =", "cont =", "18:1: parts[0].cont: unknown key"),
    ],
)
def test_faults_of_a_family_are_told_where_they_are(squares: Path, old: str, new: str, complaint: str) -> None:
    squares.write_text(SQUARES.replace(old, new, 1))
    with pytest.raises(InputError) as caught:
        load(f"{squares}:3")
    assert complaint in str(caught.value)


def test_a_family_is_no_puzzle(squares: Path) -> None:
    assert f"name one of them, as {squares}:5" in run("solve", squares).stderr
    assert run("solve", "dominoes-square").returncode == FAILED
    assert (
        "is a family, not a puzzle; name one of its puzzles, as dominoes-square:5"
        in run("solve", "dominoes-square").stderr
    )
    assert "leave :3 out" in run("solve", "soma:3").stderr
    assert "not a family of puzzles" in run("sequence", "soma", "--to", "3").stderr


@pytest.mark.parametrize(
    ("name", "lattice", "cells"),
    [
        ("triangle", "hexagonal", lambda n: n * (n + 1) // 2),
        ("triangle", "triangular", lambda n: n * n),
        ("hexagon", "hexagonal", lambda n: 3 * n * (n - 1) + 1),
        ("hexagon", "triangular", lambda n: 6 * n * n),
        ("aztec_diamond", "square", lambda n: 2 * n * (n + 1)),
    ],
)
def test_figures_have_as_many_cells_as_they_should(name: str, lattice: str, cells: object) -> None:
    for n in range(1, 8):
        found = figure(name, n, load_lattice(lattice))
        assert len({tuple(cell) for cell in found.tolist()}) == len(found) == cells(n)  # type: ignore[operator]
        assert found[:, 1:].min() == 0


def test_a_figure_needs_a_lattice_with_its_angle(squares: Path) -> None:
    squares.write_text(SQUARES.replace('box = ["{side}", "{n}"]', "triangle = 3"))
    assert (
        "needs a flat lattice whose two basis vectors have one length and an angle of 60"
        in run("show", f"{squares}:3").stderr
    )
