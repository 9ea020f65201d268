"""The command `check`: everything that is wrong with a file, in the order of its lines; and many files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from latcover.core.encoding.prepared import Choices
from latcover.core.model.puzzle import Bounds
from latcover.errors import LatticeError, PuzzleError
from latcover.files.formats.library import load_lattice
from latcover.show.reporting.check_report import inspect_file
from tests.command_line import FAILED, run
from tests.faulty_files import BOX, HEAD, HERE, PUZZLE, SET, message_of, write

# ---- check

FIVE = """\
name = "five"
lattice = "square"
titel = "faults" #!
[region]
art = [
    "XXX",
    "X?X", #!
]
[[parts]]
name = "A"
count = 0 #!
art = ["X"]
[[parts]]
set = "pentomino" #!
[expect]
total = -1 #!
"""
FIVE_OF_A_LATTICE = """\
nme = "five" #!
name = "five"
basis = [[0, -1], [0, 2]] #!
[nodes.cell]
radius = -1 #!
[half_edges]
east = { step = [0, 1], twin = "wst" } #!
west = { step = [0, -1], twin = "east" }
south = { step = [0, 0], twin = "north" } #!
north = { step = [-1, 0], twin = "south" }
"""


BEYOND = '''\
name = "faults that do not hide others behind them"
lattice = "squar" #!
transformations = "rotation" #!
[region]
box = [2, 3]
optional = [[5, 5]] #!
[[parts]]
name = "A"
art = [] #!
[[parts]] #!
name = "A"
walk = """
    1 est 2, #!
    2 3, #!
    2 east 2, #!
    2 east 3"""
[[parts]]
set = "pentominos" #!
only = [
    "I",
    "G", #!
]
[expect]
totl = 1 #!
'''
SEVERAL_BEYOND = """\
name = "several"
lattice = "square"
[[parts]]
name = "A"
art = ["XX"]
[[puzzles]]
name = "one"
region = { art = ["?"] } #!
[[puzzles]]
name = "one" #!
region = { box = [1, 3] } #!
expect = { totl = 1 } #!
[[puzzles]]
name = "two"
[[puzzles.parts]] #!
name = "A"
art = ["X?"] #!
[puzzles.region]
box = [2, 2]
"""
BEYOND_IN_A_LATTICE = """\
name = "net" #! the basis is missing
part_transformations = "rotation" #!
drawings = "symbol" #!
[nodes.cell]
polygon = [
    [0, 0, 0], #!
    [1, 0],
    [0], #!
]
[half_edges]
east = { step = [0, 1], twin = "west" } #!
west = { step = [1, -1], twin = "east" } #!
south = { step = [1, 0], twin = "east" } #!
north = { step = [-1], twin = "soth" } #!
[[transformations]]
name = "turn"
cycles = [
    "est west", #!
    "north sth", #!
]
[[transformations]]
name = "turn" #!
matrix = [[0, 1, 0], [1, 0]] #!
"""
ALL_AT_ONCE = {
    "puzzle": FIVE,
    "lattice": FIVE_OF_A_LATTICE,
    "beyond": BEYOND,
    "several": SEVERAL_BEYOND,
    "beyond in a lattice": BEYOND_IN_A_LATTICE,
}


WORDS = {  # a line of a puzzle, and the word that it means
    "transformations = 'rotation'": "rotations",
    "transformations = ['quater turn']": "quarter turn",
    "rules = { across = 'corner' }": "corners",
    "sides = { keys = ['k'], locks = ['l'], fits = { k = ['l'] }, flat_meets = ['Lock'] }": "locks",
    "sides = { keys = ['k'], locks = ['l'], fits = { k = ['l'] }, may_look_out = ['key'] }": "keys",
    "sides = { keys = ['key1'], locks = ['lock1'], fits = { key1 = ['loc1'] } }": "lock1",
    "colours = { R = 'red' }\nrules = { apart = ['rad'] }": "red",
    "lattice = 'Square'": "square",
}
WORDS_OF_PARTS = {
    "art = 'XX'\ncount = 'unlimted'": "unlimited",
    "walk = '1 eats 2'": "east",
    "set = 'Pentomino'": "pentominoes",
    "set = 'tetrahexes'\nonly = ['propellor']": "propeller",
}


@pytest.mark.parametrize("line", [*WORDS, *WORDS_OF_PARTS])
def test_a_word_that_is_nearly_right(tmp_path: Path, line: str) -> None:
    """Wherever a file holds one of some words, the message suggests the nearest."""
    if line in WORDS:
        text = f"{line}\n{PUZZLE.replace('lattice = ', '#') if 'lattice' in line else PUZZLE}"
    else:
        name = "" if "set" in line else "name = 'Q'"
        text = f"{PUZZLE}[[parts]]\n{name}\n{line}\n"
    told = [str(complaint) for complaint in inspect_file(str(write(tmp_path, text)), Bounds()).complaints]
    assert f"did you mean {(WORDS | WORDS_OF_PARTS)[line]!r}?" in "".join(told), told


def test_python_checks_files_like_the_command() -> None:
    with pytest.raises(LatticeError, match="did you mean 'rotations'"):
        load_lattice("square").allowed("rotation")
    with pytest.raises(LatticeError, match="without brackets"):
        load_lattice("square").allowed(["rotations"])
    with pytest.raises(PuzzleError, match="did you mean 'rotations'"):
        Choices(symmetry="rotation")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ALL_AT_ONCE.values(), ids=ALL_AT_ONCE)
def test_check_says_all_at_once(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    expected = [number for number, line in enumerate(text.split("\n"), 1) if HERE in line]
    result = run("check", path)
    assert (result.returncode, result.stderr) == (1, "")
    *complaints, verdict = result.stdout.splitlines()
    places = [re.match(rf"{re.escape(str(path))}:(\d+):\d+: \S", complaint) for complaint in complaints]
    found = [int(place[1]) for place in places if place]
    assert found == sorted(found)
    assert sorted(set(found)) == expected
    assert verdict.startswith(f"{path}: {len(found)} errors in this ")

    data = json.loads(run("check", path, "--json").stdout)
    assert (data["file"], data["ok"]) == (str(path), False)
    assert [complaint["line"] for complaint in data["complaints"]] == found
    for complaint, line in zip(data["complaints"], complaints, strict=True):
        assert list(complaint) == ["message", "path", "line", "column", "warning"]
        assert complaint["path"] == str(path)
        assert not complaint["warning"]
        assert complaint["message"] in line

    assert "(and 4 more; `latcover check` lists them all)" in message_of(run("count", path)) or text != FIVE


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("soma", "a sound puzzle: 27 cells, 7 parts"),
        ("square", "a sound lattice: 4 half-edges, 8 transformations"),
        ("pentominoes", "a sound part set: 12 parts on the lattice 'square'"),
    ],
)
def test_check_of_what_is_shipped(name: str, verdict: str) -> None:
    result = run("check", name)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.endswith(f"{name}.toml: {verdict}\n")


def test_check_names_the_puzzle_of_several_that_it_warns_of(tmp_path: Path) -> None:
    regions = {"small": "[2, 2]", "large": "[1, 4]"}
    several = "".join(f"[[puzzles]]\nname = '{name}'\nregion = {{ box = {box} }}\n" for name, box in regions.items())
    path = write(tmp_path, f"{HEAD}[[parts]]\nname = 'A'\nart = ['XXXX']\n{several}")
    result = run("check", path)
    assert result.returncode == 0
    assert f"{path}: warning: small: no solution: part 'A' fits nowhere in the region" in result.stdout
    assert "large: no solution" not in result.stdout


def test_check_of_a_part_set_that_names_its_lattice(tmp_path: Path) -> None:
    path = write(tmp_path, SET.replace("'XX', 'XX'", "'XX'").replace("[[parts]]", "lattice = 'cubic'\n[[parts]]"))
    assert run("check", path).stdout == f"{path}: a sound part set: 1 part on the lattice 'cubic'\n"


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (f"{HEAD}{BOX}[[parts]]\nname = 'A'\nart = ['XXXX']\n", "part 'A' fits nowhere"),
        (f"{HEAD}{BOX}[[parts]]\nname = 'A'\nart = ['XXXX']\n", "no part can cover the cell [0, 0]"),
        (f"{HEAD}{BOX}[[parts]]\nname = 'A'\nbox = [1, 2]\n[[parts]]\nname = 'B'\nbox = [2, 1]\n", "equals part 'A'"),
    ],
)
def test_check_warns_of_what_is_odd(tmp_path: Path, text: str, warning: str) -> None:
    path = write(tmp_path, text)
    result = run("check", path)
    assert result.returncode == 0
    assert any("warning: " in line and warning in line for line in result.stdout.splitlines())
    assert "a sound puzzle" in result.stdout
    assert "warning" not in run("check", path, "-q").stdout
    found = json.loads(run("check", path, "--json").stdout)
    assert found["ok"]
    assert any(complaint["warning"] and warning in complaint["message"] for complaint in found["complaints"])


@pytest.mark.parametrize("content", [b"", b"\xff\x00", b"name = ", b"x" * 100])
def test_check_of_no_file_of_ours(tmp_path: Path, content: bytes) -> None:
    path = write(tmp_path, content)
    result = run("check", path)
    assert result.returncode == 1
    assert result.stdout.count(f"{path}:") == 2


# ---- check, of many files


def test_check_takes_folders_and_several_files_and_does_not_stop_at_the_first_fault(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    first = write(folder, 'name = "a"\nlattice = "square"\nx = 1\ny = 2\n', "a.toml")
    second = write(folder / "inner", "a b\na b\n", "b.dlx")
    write(folder, "not for latcover", "notes.txt")
    result = run("check", folder, "soma", tmp_path / "none.toml")
    assert (result.returncode, result.stderr) == (FAILED, "")
    *lines, total = result.stdout.splitlines()
    assert [line.split(":")[0] for line in lines[:2]] == [str(first), str(second)]
    assert "(and " in lines[0]
    assert "a sound puzzle: 27 cells" in lines[2]
    assert "none.toml: there is no such file" in lines[3]
    assert total == "4 files: 2 wrong"
    found = [json.loads(line) for line in run("check", folder, "--json").stdout.splitlines()]
    assert [each["ok"] for each in found] == [False, True]
    assert run("check", "soma", "square").stdout.endswith("2 files: all sound\n")


def test_check_of_a_folder_without_a_puzzle_says_what_it_looks_for(tmp_path: Path) -> None:
    assert ".toml, .xmpuzzle" in message_of(run("check", tmp_path))
