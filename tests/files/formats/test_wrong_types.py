"""A value of the wrong type for every key of a file is a complaint that names the key."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from latcover.core.model.puzzle import Bounds
from latcover.show.reporting.check_report import inspect_file
from tests.command_line import run
from tests.faulty_files import HUGE, LATTICE, PUZZLE, message_of, write
from tests.processes import posix_only

# ---- values of the wrong type, for every key

# fmt: off
WRONG = [
    "0", "-1", "1.5", "nan", "true", "2001-01-01", '""', '"x"', "[]", "{}", "{ x = 1 }", HUGE, f"[{HUGE}]",
    "[1]", '["x"]', "[[]]", "[[1]]", '[["x"]]', "[[[1]]]", "[{}]", "[[{}]]", '["X", 5]', "[true, true]", "[1e400, 0]",
    "[9999999999, 9999999999]", "[[true, true]]", "[[0.5, 0]]", "[[nan, nan]]", f"[[{HUGE}, 0]]",
]
# fmt: on
TEXTS = {'""', '"x"'}
RIGHT: dict[str, set[str]] = {  # not wrong for the key itself; whatever else they make wrong
    "name": {'"x"'},
    "title": TEXTS,
    "source": TEXTS,
    "note": TEXTS,
    "B": {'"x"'},
    "transformations": {"[]"},
    "cells": {"[]"},
    "without": {"[]"},
    "colours": {"[]"},
    "min": {"0"},
    "different": {"0"},
    "basis": {"[[1]]"},
    "radius": {"0", "1.5"},
    "height": {"0", "1.5"},
    "vertices": {"[]", "[[0.5, 0]]"},
    "faces": {"[]"},
    "cycles": {"[]"},
}
EVERY_KEY = {
    "puzzle": """\
name = "p"
title = "a title"
source = "a source"
lattice = "square"
transformations = "reflections"
[colours]
B = "black"
[region]
box = [3, 4]
period = [0, 0]
[[region.minus]]
cells = [[0, 0], [0, 1]]
at = [1, 1]
[[parts]]
name = "A"
art = ["XB", "X."]
count = 1
transformations = "fixed"
[[parts]]
name = "D"
cells = [[0, 0], [1, 0]]
colours = ["black", "black"]
min = 0
max = 1
[[parts]]
set = "pentominoes"
only = ["P", "F"]
without = ["F"]
transformations = "rotations"
[expect]
different = 1
note = "a note"
""",
    "puzzle in space": """\
name = "q"
lattice = "cubic"
[region]
layers = [["XX"], ["X+"]]
[[parts]]
name = "W"
walk = "1 east 2, 1 up 3"
""",
    "part set": """\
title = "a title"
source = "a source"
[[parts]]
name = "A"
art = ["X"]
""",
    "lattice": """\
name = "net"
title = "a title"
source = "a source"
basis = [[0, -1], [1, 0]]
part_transformations = "rotations"
drawings = "symbols"
[nodes.a]
position = [0, 0]
polygon = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
height = 0
[nodes.b]
position = [0.5, 0.5]
radius = 0.1
[nodes.c]
vertices = [[0, 0], [1, 0], [0, 1]]
faces = [[0, 1, 2]]
[half_edges.east]
from = "a"
to = "a"
step = [0, 1]
twin = "west"
[half_edges]
west = { from = "a", to = "a", step = [0, -1], twin = "east" }
south = { from = "a", to = "a", step = [1, 0], twin = "north" }
north = { from = "a", to = "a", step = [-1, 0], twin = "south" }
ab = { from = "a", to = "b", step = [0, 0], twin = "ba" }
ba = { from = "b", to = "a", step = [0, 0], twin = "ab" }
ac = { from = "a", to = "c", step = [0, 0], twin = "ca" }
ca = { from = "c", to = "a", step = [0, 0], twin = "ac" }
[[transformations]]
name = "half turn"
cycles = ["east west", "south north"]
""",
}
KEYS = [
    pytest.param(
        *(kind, number),
        id=f"{kind}, line {number}: {line.split(' = ')[0]}",
        marks=pytest.mark.long if number % 4 else (),
    )
    for kind, text in EVERY_KEY.items()
    for number, line in enumerate(text.split("\n"), 1)
    if " = " in line and " = {" not in line
]


@pytest.mark.parametrize("kind", EVERY_KEY)
def test_the_files_that_use_every_key_are_sound(tmp_path: Path, kind: str) -> None:
    assert run("check", write(tmp_path, EVERY_KEY[kind])).returncode == 0


@pytest.mark.parametrize(("kind", "number"), KEYS)
def test_values_of_the_wrong_type(tmp_path: Path, kind: str, number: int) -> None:
    lines = EVERY_KEY[kind].split("\n")
    key = lines[number - 1].split(" = ")[0]
    accepted = []
    for value in WRONG:
        lines[number - 1] = f"{key} = {value}"
        try:
            complaints = inspect_file(str(write(tmp_path, "\n".join(lines))), Bounds()).complaints
        except Exception as problem:
            accepted.append(f"{value[:30]}: {problem!r}"[:100])
            continue
        if value not in RIGHT.get(key, ()) and number not in [complaint.line for complaint in complaints]:
            accepted.append(value[:30])
    assert accepted == []


TABLES = ["colours", "region", "parts", "expect", "nodes", "half_edges"]


@pytest.mark.parametrize("name", TABLES)
def test_values_in_place_of_tables(tmp_path: Path, name: str) -> None:
    kind = "lattice" if name in ("nodes", "half_edges") else "puzzle"
    text = LATTICE if kind == "lattice" else PUZZLE
    rest = re.sub(rf"(?ms)^\[+{name}\b.*?(?=^\[|\Z)", "", text)
    for value in ["5", '"x"', "true", "[5]", '["x"]', "[[]]", *(["{}"] if name == "parts" else [])]:
        path = write(tmp_path, f"{name} = {value}\n{rest}")
        found = json.loads(run("check", path, "--json").stdout)
        assert 1 in [complaint["line"] for complaint in found["complaints"]], value


@posix_only
def test_a_pipe_without_a_writer_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    assert "not a regular file" in message_of(run("count", tmp_path / "pipe.toml"))


def test_large_parts_in_a_large_region_are_refused_at_once(tmp_path: Path) -> None:
    text = 'name = "x"\nlattice = "square"\n[region]\nbox = [100, 100]\n'
    text += '[[parts]]\nname = "a"\nmax = 3\nbox = [30, 30]\n[[parts]]\nname = "b"\ncount = "unlimited"\nbox = [1, 1]\n'
    message = message_of(run("count", write(tmp_path, text), "--max-placements", 20_000))
    assert "parts of 900 cells in a region of 10,000 cells exceed the bound on placements" in message
    assert "--max-placements" in message
