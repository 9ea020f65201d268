"""What `show` draws on the terminal and into files, of puzzles and of lattices."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

import latcover
from latcover.files.formats.library import load_lattice
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.source import find
from tests.apps.cli.answers import faults_of
from tests.command_line import DONE, FAILED, run

ESCAPE = "\x1b"


def test_show_draws_the_solution_asked_for() -> None:
    first, second = (run("show", "fig4-3x3", *choice) for choice in ([], ["--solution", "2"]))
    assert first.stdout != second.stdout
    for result in (first, second):
        assert (result.returncode, result.stderr) == (DONE, "")
        assert sorted(result.stdout.replace("\n", "").replace(" ", "")) == list("AAAAABBBC")
        assert len(result.stdout.splitlines()) == 3


def test_show_names_layers() -> None:
    result = run("show", "soma")
    assert result.stdout.splitlines()[0] == "layer 1 (bottom)    layer 2    layer 3"
    assert set("VTLZABP") < set(result.stdout)
    region = run("show", "soma", "--region").stdout
    assert region.splitlines() == [
        "layer 1 (bottom)    layer 2    layer 3",
        *["# # #               # # #      # # #"] * 3,
    ]


def test_show_draws_a_part_in_its_orientations() -> None:
    result = run("show", "pent-10x6", "--part", "I")
    assert result.stdout.splitlines() == ["1             2", "I I I I I     I", *["              I"] * 4]


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        ((), ["puzzle", "solution"]),
        (("--solution", "2"), ["puzzle", "solution"]),
        (("--region",), ["puzzle", "region"]),
        (("--part", "A"), ["puzzle", "part", "orientations"]),
    ],
)
def test_show_gives_its_data(arguments: tuple[str, ...], keys: list[str]) -> None:
    found = json.loads(run("show", "fig4-3x3", *arguments, "--json").stdout)
    assert list(found) == keys
    assert len(found.get("region", [0] * 9)) == 9
    assert len(found.get("orientations", [0] * 8)) == 8
    if "solution" in found:
        assert faults_of("fig4-3x3", [found["solution"]]) == []


def test_show_writes_a_file(tmp_path: Path) -> None:
    path = tmp_path / "picture.txt"
    result = run("show", "fig4-3x3", "--color", "--output", str(path))
    assert (result.returncode, result.stdout, result.stderr) == (DONE, "", f"wrote {path}\n")
    assert path.read_text() == run("show", "fig4-3x3", "--no-color").stdout


@pytest.mark.parametrize("suffix", ["SVG", "Html", "TXT"])
def test_show_takes_suffixes_in_capital_letters(tmp_path: Path, suffix: str) -> None:
    one, other = tmp_path / f"picture.{suffix}", tmp_path / f"picture.{suffix.lower()}"
    assert [run("show", "fig4-3x3", "--output", str(path)).returncode for path in (one, other)] == [DONE, DONE]
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("option", ["--color", "--no-color"])
def test_a_picture_in_a_file_has_its_own_colours(tmp_path: Path, option: str) -> None:
    plain, chosen = tmp_path / "a.svg", tmp_path / "b.svg"
    assert run("show", "fig4-3x3", "--output", plain).returncode == DONE
    assert run("show", "fig4-3x3", "--output", chosen, option).returncode == DONE
    assert plain.read_text() == chosen.read_text()


def test_show_refuses_a_form_that_it_cannot_draw(tmp_path: Path) -> None:
    path = tmp_path / "picture.bmp"
    result = run("show", "fig4-3x3", "--output", str(path))
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("error: cannot draw a .bmp; name a file with one of: .txt, .svg")
    assert not path.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--solution", "7"),
        ("--solutions", "3", "--no-letters"),
        ("--region",),
        ("--part", "V", "--patterns"),
        ("--view", "layers"),
        ("--view", "isometric"),
    ],
    ids=" ".join,
)
def test_show_draws_svg(arguments: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "picture.svg"
    result = run("show", "soma", *arguments, "--output", str(path))
    assert (result.returncode, result.stdout, result.stderr) == (DONE, "", f"wrote {path}\n")
    root = fromstring(path.read_text("utf-8"))
    texts = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert ("layer 3" in texts) == (arguments in ((), ("--solution", "7"), ("--region",), ("--view", "layers")))
    assert ("solution 3" in texts) == ("--solutions" in arguments)
    assert bool(set("VTLZABP") & set(texts)) == (arguments[0:1] not in (("--solutions",), ("--region",)))


def test_a_sheet_of_solutions_as_text_and_as_json() -> None:
    text = run("show", "fig4-3x3", "--solutions", "2").stdout.splitlines()
    assert [line for line in text if line.startswith("solution")] == ["solution 1", "solution 2"]
    data = json.loads(run("show", "fig4-3x3", "--solutions", "2", "--json").stdout)
    assert [found["number"] for found in data["solutions"]] == [1, 2]


def test_a_sheet_of_more_solutions_than_there_are_has_all_and_says_so() -> None:
    result = run("show", "fig4-3x3", "--solutions", "9")
    assert result.returncode == DONE
    assert result.stdout.count("solution") == 2
    assert result.stderr.startswith("fig4-3x3 has only 2 different solutions; there is no number 9")


@pytest.mark.parametrize("name", ["triangular", "cubic"])
def test_info_and_show_take_a_lattice_by_name_or_as_a_file(name: str, tmp_path: Path) -> None:
    shipped, own = run("info", name), run("info", find("lattices", name))
    assert (shipped.returncode, shipped.stderr) == (DONE, "")
    assert own.stdout == shipped.stdout
    told = json.loads(run("info", name, "--json").stdout)
    lattice = load_lattice(name)
    assert told["transformations"]["all"] == len(lattice.transformations)
    assert sum(len(node["neighbours"]) for node in told["nodes"]) == len(lattice.half_edges)
    path = tmp_path / "x.svg"
    assert run("show", name, "--output", path).returncode == DONE
    text = path.read_text()
    for cell in json.loads(run("show", name, "--json").stdout)["cells"]:
        coordinates = [str(x) for x in cell["cell"][: lattice.dimension]]
        assert f">{' '.join(coordinates)}<" in text or f">{' '.join(coordinates)}\n" in text


def test_info_of_a_lattice_says_where_its_axes_point_and_what_is_beside_a_cell() -> None:
    text = run("info", "triangular").stdout
    assert "axis 0           (0.5, -0.866), points right and down\n" in text
    assert "transformations  12: 6 rotations, 6 reflections\n" in text
    assert '[0, 0, "up"] has 3 neighbours; it touches 9 more at a corner:\n  up-south      [1, 0, "down"]\n' in text


def test_a_lattice_on_the_terminal_has_a_letter_for_each_cell_and_says_where_it_is() -> None:
    lines = run("show", "hexagonal", "--no-color").stdout.splitlines()
    assert lines[:2] == ["A B C D", " E F G H"]
    assert lines[5].startswith("A: 0 0   B: 0 1")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("show square --part X", "'square' is a lattice: leave --part out, or name a puzzle"),
        ("show square --output x.stl", "'square' is a lattice, which .stl cannot show; give --output x.svg"),
        ("show square --output x.svg --view layers", "the lattice 'square' is flat: leave the view out"),
        ("count square", "'square' is a lattice, not a puzzle"),
        ("info pentominoes", "'pentominoes' is a part set, not a puzzle"),
    ],
)
def test_what_a_lattice_has_not(words: str, said: str) -> None:
    result = run(*words.split())
    assert result.returncode == FAILED
    assert said in result.stderr


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("bedlam:A", ("bedlam", "--part", "A")),
        ("{bedlam}:A", ("{bedlam}", "--part", "A")),
        ("{trominoes}", ("trominoes",)),
        ("{trominoes}:V", ("trominoes:V",)),
        ("aztec-squares:2", ("{member}",)),
    ],
)
def test_whatever_has_a_name_is_shown(name: str, like: tuple[str, ...], tmp_path: Path) -> None:
    member = tmp_path / "member.toml"
    member.write_text(puzzle_as_toml([latcover.load("aztec-squares:2")]))
    files = {
        "bedlam": find("instances", "bedlam"),
        "trominoes": find("sets", "trominoes"),
        "member": member,
    }
    shown, same = run("show", name.format(**files)), run("show", *(word.format(**files) for word in like))
    assert (shown.stdout, shown.stderr, shown.returncode) == (same.stdout, same.stderr, 0)


def test_a_part_that_is_not_there_is_named() -> None:
    assert run("show", "bedlam:1").stderr.startswith("error: 'bedlam' has no part '1'; known: A, B")
