"""Names of shapes mean the same for every command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run

NAMES = ("pentominoes:F", "F5", "square-5:1", "square-5:F")


@pytest.mark.parametrize("command", ["show", "pieces"])
@pytest.mark.parametrize("name", NAMES)
def test_shapes_are_shown_by_every_name(command: str, name: str) -> None:
    drawn = run(command, name, "--no-color")
    assert drawn.returncode == 0, drawn.stderr
    assert drawn.stdout.replace("F", "#").splitlines()[1:4] == ["  # #", "# #", "  #"]


@pytest.mark.parametrize("words", ["plane {} --time 1", "pack {} --region 3x3"])
def test_explorers_take_every_name(words: str) -> None:
    told = {run(*words.format(name).split(), "--json").stdout.count("[") for name in NAMES}
    assert len(told) == 1
    assert told.pop() > 0


def test_a_whole_set_is_shown_and_a_puzzle_of_that_name_comes_first() -> None:
    assert run("show", "square-4").stdout == run("show", "tetrominoes").stdout
    assert "layer" in run("show", "soma", "--region").stdout  # the puzzle: options of puzzles are taken


def test_shapes_are_drawn_in_files(tmp_path: Path) -> None:
    assert run("show", "domino", "--output", tmp_path / "x.svg").returncode == 0
    assert "<svg" in (tmp_path / "x.svg").read_text("utf-8")
    assert run("pieces", "domino", "--output", tmp_path / "x.toml").returncode == 0
    assert run("pieces", tmp_path / "x.toml").returncode == 0
    art = tmp_path / "drawn.txt"
    art.write_text("XX\n.X\n", "utf-8")
    assert run("pieces", art).returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("show pentominoes:Q", "pentominoes has no shape 'Q'"),
        ("show I4 --output x.html", "I4: shapes, which .html cannot show; give --output x.svg"),
        ("show I4 --solution 2", "'I4' names shapes: leave --solution out"),
        ("show I4 --view layers --output x.svg", "'I4' names shapes: leave --view out"),
        ("pieces pentomino:F", "did you mean 'pentominoes'?"),
        ("pieces domnio", "no such shape or file; did you mean 'domino'?"),
        ("pieces F5 --one-sided", "--one-sided: for a part set"),
        ("common dominoes:I XX", "has no shape 'I'; did you mean 'domino'?"),
    ],
)
def test_what_is_no_shape_is_told(words: str, said: str) -> None:
    refused = run(*words.split())
    assert refused.returncode == 1
    assert said in refused.stderr


def test_cuts_avoid_a_shape_by_every_name() -> None:
    words = ["design", "cut", "square:3x4", "--parts", "3", "--walks", "3", "--threads", "1", "--json"]
    told = [run(*words, "--forbid", name) for name in ("I4", "tetrominoes:I", "square-4:1")]
    assert all(each.returncode == 0 for each in told), told[0].stderr
    designs = {tuple(line for line in each.stdout.splitlines() if '"summary"' not in line) for each in told}
    assert len(designs) == 1
