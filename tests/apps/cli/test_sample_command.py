"""`latcover sample`, `show --random` and `--probabilities`, and `--given`, on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import DONE, FAILED, LIMIT, USAGE, run

BOARD = """
name = "board"
lattice = "square"
region = {{ box = [{0}, {0}] }}
parts = [{{ name = "domino", art = ["XX"], count = "unlimited" }}]
"""


def board(folder: Path, size: int) -> Path:
    path = folder / f"board-{size}.toml"
    path.write_text(BOARD.format(size), encoding="utf-8")
    return path


def lines(*words: object) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run(*words).stdout.splitlines()]


def test_samples_have_the_form_of_solutions(tmp_path: Path) -> None:
    words = ("sample", board(tmp_path, 8), "--number", "3", "--seed", "7", "--json")
    *drawn, last = lines(*words)
    assert len(drawn) == 3
    assert [set(each) for each in drawn] == [{"number", "image", "orbit", "placements"}] * 3
    assert last["summary"]["total"] == 12_988_816
    assert lines(*words) == [*drawn, last]
    (again, _) = lines("sample", board(tmp_path, 8), "--nth", drawn[1]["number"], "--json")
    assert again == drawn[1]


def test_samples_as_text(tmp_path: Path) -> None:
    text = run("sample", board(tmp_path, 8), "--no-color").stdout
    assert text.startswith("board\n\nsolution ")
    assert "board: 12,988,816 solutions in all, found by frontier" in text


def test_nothing_is_drawn_from_a_part_of_the_solutions(tmp_path: Path) -> None:
    result = run("sample", board(tmp_path, 20), "--time", "0", "--json")
    assert result.returncode == LIMIT
    (line,) = result.stdout.splitlines()
    assert json.loads(line) == {"summary": {"puzzle": "board", "complete": False, "stop": "time limit"}}
    assert "cut short: time limit" in run("sample", board(tmp_path, 20), "--time", "0").stdout


def test_no_solution_is_an_answer() -> None:
    (line,) = lines("sample", "pent-10x6-four-moved", "--json")
    assert line["summary"]["total"] == 0


def test_refusals(tmp_path: Path) -> None:
    for words, code, fault in (
        (("sample", "soma", "--nth", "20000"), FAILED, "has 11,520 solutions in all, so there is no number 20,000"),
        (("sample", "soma", "--nth", "1", "--number", "2"), USAGE, "exclude each other"),
        (("sample", "soma", "--nth", "1", "--seed", "2"), USAGE, "--nth and --seed exclude each other"),
        (("sample", board(tmp_path, 30), "--memory", "1"), FAILED, "allow more with --memory"),
        (("count", "soma", "--given", "V"), FAILED, "not of the form part@cells"),
        (("show", "soma", "--random", "1", "--region"), USAGE, "exclude each other"),
        (("show", "soma", "--probabilities", "--output", tmp_path / "x.stl"), FAILED, "--probabilities: only for"),
    ):
        result = run(*words)
        assert (result.returncode, fault in result.stderr) == (code, True), (words, result.stderr)


def test_counts_under_conditions() -> None:
    of_each = [lines("count", "fig4-3x3", "--given", f"{part}@0,0", "--json")[0]["total"] for part in "ABC"]
    assert sum(of_each) == 16
    both = lines("count", "fig4-3x3", "--given", "B@0,0", "--given", "A@2,2 2,1", "--json")[0]
    assert both["symmetry"] == "none"
    assert 0 < both["total"] < of_each[1]


def test_probabilities_of_placements() -> None:
    found = lines("show", "fig4-3x3", "--probabilities", "--json")
    assert {frozenset(line) for line in found} == {frozenset(("part", "cells", "solutions"))}
    assert {part: sum(line["solutions"] for line in found if line["part"] == part) for part in "ABC"} == dict.fromkeys(
        "ABC", 16
    )


@pytest.mark.parametrize(("words", "captions"), [((), 3), (("--part", "B"), 2)])
def test_probabilities_as_pictures(tmp_path: Path, words: tuple[str, ...], captions: int) -> None:
    text = run("show", "fig4-3x3", "--probabilities", *words, "--no-color").stdout
    assert "in all 16 solutions" in text.splitlines()[0]
    assert text.count("\n\n") == captions + 1
    path = tmp_path / "maps.svg"
    assert run("show", "fig4-3x3", "--probabilities", *words, "--output", path).returncode == DONE
    assert path.read_text(encoding="utf-8").count("<text") == captions


def test_a_random_solution_is_drawn(tmp_path: Path) -> None:
    (drawn, _) = lines("sample", board(tmp_path, 8), "--seed", "5", "--json")
    shown = json.loads(run("show", board(tmp_path, 8), "--random", "5", "--json").stdout)
    assert shown["solution"] == drawn


def test_a_share_that_is_not_all_is_not_told_as_all() -> None:
    out = run("show", "aztec-12", "--probabilities").stdout
    assert "across: in almost 100 %" in out
