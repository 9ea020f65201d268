"""What a terminal shows of many results is a screen of them; a pipe gets all."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from latcover.apps.cli.shared.screenful import Screenful
from tests.command_line import DONE, run, run_on_terminal


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", text).replace("\r\n", "\n")


def shown(pictures: list[list[str]], monkeypatch: pytest.MonkeyPatch, columns: int, lines: int) -> str:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(lines))
    written: list[str] = []
    screen = Screenful(written.append)
    for picture in pictures:
        screen.add(picture)
    screen.end(more="--all shows them")
    return "\n".join(written)


def test_pictures_stand_beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = [["1", "AAA"], ["2", "BBB", "B"], ["3", "\x1b[0mCC"]]
    assert shown(pictures, monkeypatch, 10, 40) == "1      2\nAAA    BBB\n       B\n\n3\n\x1b[0mCC\n"


def test_no_more_than_a_screen_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown([[str(k), "AAA", "BBB"] for k in range(100)], monkeypatch, 17, 25)
    rows = text.split("\n\n")
    assert [row.split("\n")[0].split() for row in rows[:-1]] == [
        ["0", "1", "2"],
        ["3", "4", "5"],
        ["6", "7", "8"],
        ["9", "10", "11"],
    ]
    assert rows[-1] == "… 88 more (--all shows them)\n"
    assert len(text.splitlines()) <= 25


def test_a_picture_larger_than_the_screen_is_shown_once(monkeypatch: pytest.MonkeyPatch) -> None:
    large = [["X" * 30] * 50] * 3
    assert shown(large, monkeypatch, 20, 24) == "\n".join(["X" * 30] * 50) + "\n\n… 2 more (--all shows them)\n"


@pytest.mark.parametrize(
    ("columns", "puzzle"), [("60", "soma"), ("80", "pent-10x6"), ("140", "soma"), ("80", "fig4-3x3")]
)
def test_solutions_and_their_answer_fit_a_screen(columns: str, puzzle: str) -> None:
    text, _, code = run_on_terminal("stdout", "solve", puzzle, COLUMNS=columns, LINES="30")
    lines = plain(text).splitlines()
    assert code == DONE
    assert len(lines) <= 30
    assert max(len(line) for line in lines[:-2]) <= int(columns)
    assert lines[-2].startswith(f"{puzzle}: ")
    assert ("more (--all shows them)" in plain(text)) == (puzzle != "fig4-3x3")


def test_the_count_of_those_not_shown_is_right() -> None:
    text = plain(run_on_terminal("stdout", "solve", "soma", COLUMNS="80", LINES="30")[0])
    numbers = [int(number) for line in text.splitlines() if re.fullmatch(r"[\d ]+", line) for number in line.split()]
    (more,) = re.findall(r"… ([\d,]+) more", text)
    assert numbers == list(range(1, 241 - int(more)))


def test_all_are_shown_on_request_and_in_a_pipe() -> None:
    on_request = plain(run_on_terminal("stdout", "solve", "soma", "--all", "--no-color", COLUMNS="100", LINES="30")[0])
    piped = run("solve", "soma", COLUMNS="100").stdout
    assert on_request.splitlines()[:-2] == piped.splitlines()[:-2]  # the times may differ
    assert piped.count("solution ") == 240


SETS = """name = "some"
lattice = "square"
region = { box = [4, 6] }
[[parts]]
set = "tetrominoes"
min = 0
max = 6
"""
ODD = """name = "odd"
lattice = "square"
region = { art = ["XX"] }
parts = [{ name = "I", art = ["XX"], count = 2 }]
"""
LONG = {  # what has more lines than a screen of 24, and how it ends there
    "apart pent-10x6 --limit 60": "every solution comes apart upwards",
    "apart soma": "more (--all shows them)",
    "apart soma --draw": "more (--all shows them)",
    "pieces square 7": "more (--all shows them)\n",
    "show heptominoes": "more (--all shows them)",
    "show soma --solutions all": "more (--all shows them)",
    "plane I4 --torus 8,8 --limit 30": "more (--all shows them)",
    "multiples square 1 --cells 6": "more (--all shows them)",
    "sequence dominoes-strip-4 --to 28 --check 0": "more (--all shows them)",
    "design sets {sets} --search all": "more (--all shows them)",
    "difficulty {files} --max-branches 1 --no-near": "more (`| less` shows them)",
    "check {folder}": "more (`| less` shows them)",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that the commands are given."""
    found = tmp_path_factory.mktemp("given")
    (found / "sets.toml").write_text(SETS)
    (found / "odd").mkdir()
    for number in range(30):
        (found / "odd" / f"{number}.toml").write_text(ODD.replace("count = 2", "count = 1"))
        (found / "odd" / f"{number}-wrong.toml").write_text(ODD)
    return found


@pytest.mark.parametrize("words", LONG)
def test_no_command_prints_more_than_a_screen(words: str, folder: Path) -> None:
    files = " ".join(map(str, sorted((folder / "odd").glob("*[0-9].toml"))))
    names = {"sets": folder / "sets.toml", "files": files, "folder": folder / "odd"}
    given = words.format(**names).split()
    text = plain(run_on_terminal("stdout", *given, COLUMNS="80", LINES="24")[0])
    piped = run(*given, COLUMNS="80").stdout
    assert LONG[words] in text
    lines = text.partition("move by move")[0].splitlines()  # the plan of the hardest is shown as a whole
    assert sum(max(1, -(-len(line) // 80)) for line in lines) <= 24
    assert len(piped.splitlines()) > 24
    assert LONG[words] not in piped


def test_the_list_on_a_terminal_has_all_names_and_a_kind_has_its_lines() -> None:
    text, _, code = run_on_terminal("stdout", "list", COLUMNS="100")
    everything = json.loads(run("list", "--json").stdout)
    assert code == DONE
    assert {name.replace("_", "-") for entries in everything.values() for name in entries} <= {*text.split()}
    assert len(text.splitlines()) <= 80
    assert run("list", "lattices").stdout in run("list").stdout
    assert json.loads(run("list", "sets", "--json").stdout) == {"sets": everything["sets"]}
