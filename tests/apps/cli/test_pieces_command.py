"""The command `pieces`."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from latcover.files.formats.library import load_set
from tests.command_line import run

LATTICE = """name = "mine"
basis = [[0, -1], [1, 0]]
[nodes.a]
polygon = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
[half_edges]
n = { step = [-1, 0], twin = "s" }
s = { step = [1, 0], twin = "n" }
w = { step = [0, -1], twin = "e" }
e = { step = [0, 1], twin = "w" }
[[transformations]]
name = "quarter turn"
cycles = ["e n w s"]
"""


def summary(*words: str) -> tuple[list[dict[str, object]], dict[str, object]]:
    done = run("pieces", *words, "--json")
    assert done.returncode == 0, done.stderr
    *found, last = map(json.loads, done.stdout.splitlines())
    return found, last["summary"]


def test_json_ends_with_a_summary() -> None:
    found, last = summary("square", "6")
    assert len(found) == last["pieces"] == 35
    assert last | {"lattice": "square", "cells": 6, "kind": "free", "set": "hexominoes"} == last
    found, last = summary("square", "4", "--one-sided", "--colours")
    assert last["pieces"] == 10
    assert found[1] == {"name": "L black", "cells": found[1]["cells"], "colours": ["black", "white", "black", "white"]}
    assert summary("pentominoes", "--one-sided")[1] == {
        **{"pieces": 18, "lattice": "square", "cells": 5, "kind": "one-sided", "set": "pentominoes"},
    }


def test_polyaboloes_are_not_the_shapes_of_the_lattice(tmp_path: Path) -> None:
    made = tmp_path / "tetraboloes.toml"
    done = run("pieces", "polyaboloes", "4", "--output", made)
    assert done.stdout == "14 free shapes of 4 half squares on the lattice 'tetrakis'\n"
    assert [part.size for part in load_set(str(made)).parts] == [8] * 14
    assert summary("polyaboloes", "2", "--one-sided")[1]["pieces"] == 4
    of_lattice = run("pieces", "tetrakis", "4")
    assert of_lattice.stdout.endswith("6 free shapes of 4 cells on the lattice 'tetrakis'\n")
    assert "`latcover pieces polyaboloes 4` makes all" in of_lattice.stderr
    assert "how many half squares shall they have?" in run("pieces", "polyaboloes").stderr
    assert "cannot be selected as convex or coloured" in run("pieces", "polyaboloes", "3", "--convex").stderr


def test_text() -> None:
    lines = run("pieces", "square", "3", "--no-color").stdout.splitlines()
    assert lines == ["I         V", "I I I     V", "          V V", "", lines[-1]]
    assert lines[-1] == "2 free shapes of 3 cells on the lattice 'square' (trominoes)"
    assert "the seven pieces of the Soma cube" in run("pieces", "soma").stdout
    assert run("pieces", "square", "5", "--holes").stdout.startswith("0 free shapes of 5 cells with holes")


def test_files(tmp_path: Path) -> None:
    sheet, parts, text = (tmp_path / name for name in ("x.svg", "x.toml", "x.txt"))
    for path in (sheet, parts, text):
        assert run("pieces", "hexagonal", "4", "--one-sided", "--output", path).returncode == 0
    shown = {
        element.text for element in ElementTree.fromstring(sheet.read_text()).iter() if element.tag.endswith("}text")
    }
    assert {"bee", "pistol", "pistol'"} <= shown
    assert len(load_set(str(parts)).parts) == 10
    assert "pistol'" in text.read_text()


def test_a_lattice_of_ones_own(tmp_path: Path) -> None:
    own, out = tmp_path / "own.toml", tmp_path / "sets"
    own.write_text(LATTICE)
    out.mkdir()
    assert run("pieces", own, "4", "--output", out / "four.toml").returncode == 0
    assert [part.name for part in load_set(str(out / "four.toml")).parts] == [str(k) for k in range(1, 8)]
    assert run("pieces", out / "four.toml").returncode == 0
    refused = run("pieces", out / "four.toml", "--one-sided")
    assert refused.returncode == 1
    assert "the lattice 'mine' has no reflection" in refused.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("squar 5", 1, "no lattice 'squar' is shipped, and there is no such file; did you mean 'square'?"),
        ("pentomino", 1, "did you mean 'pentominoes'?"),
        ("square", 2, "how many cells shall the pieces have?"),
        ("square 0", 2, "N needs a whole number from 1 to 100"),
        ("square x", 2, "N needs a whole number from 1 to 100"),
        ("pentominoes 5", 1, "is a part set, not a lattice"),
        ("pentominoes --convex --fixed", 1, "--fixed, --convex: only for shapes of N cells"),
        ("square 5 --one-sided --fixed", 2, "exclude each other"),
        ("square 40", 1, "more than 20,000 shapes of 40 cells; take fewer cells, or raise the bound with --max-pieces"),
        ("square 5 --fixed --max-pieces 20", 1, "more than 20 such pieces of 5 cells"),
        ("polystick 3 --no-holes", 1, "have no holes"),
        ("hexagonal 3 --colours", 1, "cannot be coloured like a chessboard"),
        ("square 5 --output x.pdf", 1, "name a file with one of: .toml, .svg, .txt"),
        ("square 5 --holes --output x.svg", 1, "there is nothing to write into x.svg"),
        ("no.toml", 1, "no.toml: there is no such file"),
    ],
)
def test_refusals(words: str, code: int, message: str) -> None:
    done = run("pieces", *words.split())
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
