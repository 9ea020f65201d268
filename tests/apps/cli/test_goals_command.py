"""What commands say of a puzzle with goals: of all of them, and of one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import DONE, FAILED, LIMIT, USAGE, run, run_on_terminal
from tests.files.formats.test_goals_files import BAG, HOLE
from tests.web_jobs import answer_to


@pytest.fixture
def hole(tmp_path: Path) -> Path:
    path = tmp_path / "hole.toml"
    path.write_text(HOLE)
    return path


def test_count_answers_for_each_goal_and_in_sum(hole: Path) -> None:
    done = run("count", hole)
    assert done.returncode == DONE
    head, *rows = done.stdout.splitlines()
    assert head.split() == ["goal", "solutions", "in", "all", "branches", "seconds"]
    assert [row.split()[:3] for row in rows[:3]] == [["top", "2", "4"], ["middle", "1", "2"], ["bottom", "2", "4"]]
    assert rows[3:5] == [
        "hole: each of 3 goals has a solution (complete)",
        "5 solutions, 10 in all: fewest 1 (middle), most 2 (top and 1 more)",
    ]


def test_count_as_json(hole: Path) -> None:
    *lines, last = map(json.loads, run("count", hole, "--json", "--method", "together").stdout.splitlines())
    assert [(line["goal"], line["different"], line["total"]) for line in lines] == [
        ("top", 2, 4),
        ("middle", 1, 2),
        ("bottom", 2, 4),
    ]
    summary = last["summary"]
    assert (summary["goals"], summary["solved"], summary["different"], summary["way"]) == (3, 3, 5, "together")


def test_one_goal_is_a_puzzle(hole: Path) -> None:
    for words in ((f"{hole}:middle",), (hole, "--goal", "middle"), (hole, "--problem", "2")):
        assert run("count", *words).stdout.startswith("hole:middle: 1 solution different")
    assert "solution 1" in run("solve", f"{hole}:middle", "--no-color").stdout


def test_solve_finds_one_of_each(hole: Path) -> None:
    done = run("solve", hole, "--no-color")
    assert done.returncode == DONE
    assert [line for line in done.stdout.splitlines() if "solution 1" in line] == [
        f"hole:{name}, solution 1" for name in ("top", "middle", "bottom")
    ]
    *lines, last = map(json.loads, run("solve", hole, "--json", "--limit", "2").stdout.splitlines())
    assert [line["puzzle"] for line in lines] == ["hole:top", "hole:top", "hole:middle", "hole:bottom", "hole:bottom"]
    assert last["summary"]["complete"]


def test_exit_codes(hole: Path, tmp_path: Path) -> None:
    assert run("count", hole, "--time", "0").returncode == LIMIT
    assert run("count", hole, "--sat-exit-codes").returncode == 10
    bag = tmp_path / "bag.toml"
    bag.write_text(BAG.replace("[2, 4]", "[4, 4]").replace("parts = 2", "parts = 4"))
    assert run("count", bag, "--sat-exit-codes").returncode == 20
    done = run("count", hole, "--run", tmp_path / "x.run")
    assert done.returncode in (USAGE, FAILED)
    assert "choose a goal with --goal NAME" in done.stderr


def test_a_terminal_shows_a_screen_of_goals() -> None:
    shown, _, code = run_on_terminal("stdout", "solve", "bag-of-nine", "--time", "0")
    assert code == LIMIT
    assert "of 84 it is not known" in shown


def test_a_sheet_and_a_page(hole: Path, tmp_path: Path) -> None:
    assert run("show", hole, "--output", tmp_path / "x.svg").returncode == DONE
    picture = (tmp_path / "x.svg").read_text()
    assert all(f">{name}<" in picture for name in ("top", "middle", "bottom"))
    run("show", hole, "--output", tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text()
    assert page.count("<figure>") == 3
    assert "middle: 1 solution" in page
    assert "middle" in run("show", hole, "--no-color").stdout
    assert run("show", hole, "--region").returncode == DONE
    refused = run("show", hole, "--output", tmp_path / "x.stl")
    assert "choose a goal with --goal" in refused.stderr
    assert run("show", hole, "--solution", "2").returncode != DONE


def test_info_check_and_list(hole: Path) -> None:
    assert "goals               3: top … bottom" in run("info", hole).stdout
    assert "a sound puzzle with goals: 3 goals" in run("check", hole).stdout
    assert "a sound puzzle" in run("check", f"{hole}:middle").stdout
    assert "calendar-clock" in run("list", "goals").stdout


def test_what_goals_cannot_do_is_said(hole: Path, tmp_path: Path) -> None:
    bag = tmp_path / "bag.toml"
    bag.write_text(BAG)
    for words, what in (
        (("apart", hole), "has goals, each of which is a puzzle; choose one with --goal: 1 (top), 2 (middle)"),
        (("count", hole, "--goal", "midle"), "has no goal 'midle'; did you mean 'middle'?"),
        (("count", hole, "--given", "domino@0,0"), "choose a goal with --goal"),
        (("design", "sets", bag), "--parts says how many parts the bag has: from 3 to 5"),
        (("design", "cut", bag), "leave choose out"),
        (("design", "sets", "soma", "--each", "even"), "only for a puzzle with goals"),
        (("design", "sets", hole, "--unique"), "not known of designs for many goals"),
        (("design", "cut", "square:3x3", "--each", "even"), "only for a puzzle with goals"),
        (("count", "soma", "--method", "together"), "together"),
    ):
        done = run(*words)
        assert done.returncode in (FAILED, USAGE), words
        assert what in done.stderr, words
        assert len(done.stderr.strip().splitlines()) == 1, words


def test_the_app_offers_each_goal(hole: Path) -> None:
    opened, _ = answer_to({"task": "open", "subject": {"form": "toml", "text": HOLE, "problem": "middle"}})
    assert [problem["name"] for problem in opened["problems"]] == ["top", "middle", "bottom"]
    assert opened["name"] == "hole:middle"
    opened, _ = answer_to({"task": "open", "subject": {"form": "shipped", "name": "bag-of-nine"}})
    assert len(opened["problems"]) == 84
