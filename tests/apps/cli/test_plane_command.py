"""The command `plane`: what it says of shapes, sets, tori and families, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import DONE, FAILED, LIMIT, USAGE, run


def test_a_shape_that_tiles() -> None:
    done = run("plane", "pentominoes:Y")
    assert done.returncode == DONE
    assert "Y: tiles the plane isohedrally" in done.stdout
    assert "smallest torus: 1 tile on a torus of 5 cells" in done.stdout


def test_a_shape_that_does_not() -> None:
    done = run("plane", "XXX/X.X/XXX")
    assert done.returncode == DONE
    assert "does not tile the plane" in done.stdout
    assert "Heesch number 0" in done.stdout


def test_what_is_not_known_is_said_with_its_bounds() -> None:
    done = run("plane", "hats:hat", "--most", 1, "--classes", 2, "--area", 48)
    assert done.returncode == DONE
    assert "not known" in done.stdout
    assert "surrounded once, and perhaps more often" in done.stdout
    assert "no tiling has at most 2 classes of tiles, and no torus of at most 48 cells" in done.stdout


def test_a_set_as_data() -> None:
    done = run("plane", "pentominoes:X", "tetrominoes:I", "--json")
    data = json.loads(done.stdout)
    assert data["answer"] == "periodic"
    assert data["classes"] >= 2
    assert {tile["shape"] for tile in data["tiling"]["tiles"]} == {"X", "I"}
    assert data["smallest"]["area"] == 9


def test_the_tilings_of_a_torus() -> None:
    done = run("plane", "tetrominoes:T", "--torus", "4,0,0,4", "--json")
    *tilings, last = map(json.loads, done.stdout.splitlines())
    assert last == {"summary": {"different": len(tilings), "total": 112, "stop": "exhausted"}}
    assert {tiling["area"] for tiling in tilings} == {16}
    cut = run("plane", "tetrominoes:T", "--torus", "4,4", "--limit", 1)
    assert (cut.returncode, cut.stdout.count("\n")) == (DONE, 2)


def test_a_family(tmp_path: Path) -> None:
    file = tmp_path / "kites.jsonl"
    first = run("plane", "kite", "--cells", 2, "--json", "--run", file)
    *shapes, last = map(json.loads, first.stdout.splitlines())
    assert [shape["answer"] for shape in shapes] == ["isohedral", "none"]
    assert last["summary"]["heesch"] == [1]
    assert run("plane", "kite", "--cells", 2, "--json", "--run", file).stdout == first.stdout
    table = run("plane", "kite", "--cells", 2, "--run", file)
    assert table.stdout.splitlines()[1].split()[-2:] == ["1:", "1"]


def test_what_is_cut_short_is_said(tmp_path: Path) -> None:
    assert run("plane", "hats:hat", "--time", 0).returncode == LIMIT
    cut = run("plane", "kite", "--cells", 2, "--time", 0)
    assert cut.returncode == LIMIT
    assert "2 shapes missing; --run FILE would keep what is done" in cut.stdout
    assert run("plane", "tetrominoes:L", "--torus", "8,8", "--time", 0).returncode == LIMIT


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["cubic-3:1"], FAILED, "do not fill the plane"),
        (["pentominoes:Q"], FAILED, "has no shape 'Q'"),
        (["X.X"], FAILED, "is not connected"),
        (["polystick", "--cells", 3], FAILED, "do not fill"),
        (["cubic", "--cells", 3], FAILED, "do not fill the plane"),
        (["nothing", "--cells", 3], FAILED, "no lattice 'nothing'"),
        (["square", "kite", "--cells", 3], USAGE, "name one lattice"),
        (["pentominoes:X", "--run", "x"], USAGE, "--run needs --cells"),
        (["pentominoes:X", "--limit", 3], USAGE, "--limit needs --torus"),
        (["square", "--cells", 3, "--torus", "4,4"], USAGE, "exclude each other"),
        (["pentominoes:X", "--torus", "a"], USAGE, "neither two lengths"),
        (["pentominoes:X", "--torus", "1,2,2,4"], USAGE, "depend on each other"),
        (["pentominoes:X", "--torus", "4,0"], FAILED, "two vectors"),
    ],
)
def test_what_is_wrong_is_refused(words: list[object], code: int, said: str) -> None:
    done = run("plane", *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in " ".join(done.stderr.split())
