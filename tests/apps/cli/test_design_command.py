"""The command `design`: what it prints, its files, and designs that are killed and gone on with."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import latcover
from latcover.backends import create
from latcover.core.encoding.prepared import Choices
from latcover.files.formats.library import load
from latcover.lab.designing.candidate_counts import Counter
from latcover.lab.designing.design_results import NO_RESULTS
from latcover.lab.designing.set_family import Family
from tests.command_line import Result, run, start
from tests.ledgers import records_of, sealed
from tests.processes import wait_until

FAMILY = """
name = "five of twelve"
lattice = "square"

[region]
box = [5, {}]

[[parts]]
set = "pentominoes"
min = 0
max = 1
"""

COLOURED = """
name = "coloured"
lattice = "square"
colours = { R = "red" }

[region]
art = ["RRRR", "RXXX"]

[[parts]]
name = "L"
art = ["RRRR", "RXXX"]
"""


@pytest.fixture
def five(tmp_path: Path) -> Path:
    path = tmp_path / "five.toml"
    path.write_text(FAMILY.format(5))
    return path


def lines_of(done: Result | str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (done if isinstance(done, str) else done.stdout).splitlines()]


def same(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without the time, and the branches of a search that is cut into jobs."""
    for line in lines:
        for name in ("seconds", "branches"):
            line.get("summary", {}).pop(name, None)
    return lines


def test_the_promise_to_scripts(five: Path) -> None:
    done = run("design", "sets", five, "--unique", "--json")
    *designs, last = lines_of(done)
    assert done.returncode == 0
    assert designs[0] == {
        "parts": {"F": 1, "L": 1, "P": 1, "U": 1, "W": 1},
        "solutions": 1,
        "exact": True,
        "total": 8,
        "images": 1,
        "distinct": 5,
        "branches": 19,
        "level": None,
        "assemblable": None,
        "verified": "dlx",
    }
    summary = last["summary"]
    assert (summary["sets"], summary["unique"], summary["complete"], summary["shown"]) == (45, 19, True, 19)
    assert (summary["searched"], summary["seed"]) == ("exhaustively", None)
    assert len(designs) == 19


def test_text_says_how_it_was_searched(five: Path) -> None:
    assert (
        "45 sets with a solution, 19 of them exactly one\nsearched exhaustively: 792 sets"
        in run("design", "sets", five).stdout
    )
    done = run("design", "sets", five, "--search", "sample", "--samples", 5, "--seed", 3)
    assert done.returncode == 3
    assert "so far\nsearched by sampling with seed 3: 5 counted; 792 sets fit" in done.stdout
    assert done.stdout.endswith("not complete: all samples counted\n")


def test_each_design_can_be_a_puzzle_file(five: Path, tmp_path: Path) -> None:
    done = run("design", "sets", five, "--unique", "--keep", 3, "--output", tmp_path / "made", "--json")
    for line in lines_of(done)[:-1]:
        puzzle = latcover.load(line["file"])
        assert {part.name: part.low for part in puzzle.parts} == line["parts"]
        assert puzzle.expect == {"different": 1, "total": 8}
        assert latcover.count(puzzle).different == 1
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == [
        f"five-of-twelve-{k}.toml" for k in (1, 2, 3)
    ]


@pytest.mark.parametrize(
    "words", [("--search", "all"), ("--search", "sample", "--samples", "20"), ("--search", "climb", "--samples", "20")]
)
def test_a_run_goes_on_and_comes_to_the_same(five: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    asked = ("design", "sets", five, "--unique", "--json", *words)
    once = same(lines_of(run(*asked)))
    path = tmp_path / "run.db"
    short = run(*asked, "--run", path, "--limit", 1)
    assert short.returncode == 3
    assert same(lines_of(run(*asked, "--run", path))) == once
    again = run("runs", "resume", path, "--json")
    assert same(lines_of(again)) == once
    state = json.loads(run("runs", "status", path, "--json").stdout)
    assert (state["task"], state["puzzle"]) == ("design", "five of twelve")
    assert state["results"] > 0


@pytest.mark.parametrize("search", ["sample", "climb"])
def test_a_run_that_goes_on_knows_neither_more_nor_less(tmp_path: Path, search: str) -> None:
    """A count that met its limit exactly knows that there are no more; after an interruption it still does."""
    path, family = tmp_path / "kept", tmp_path / "four.toml"
    family.write_text(FAMILY.format(4).replace("pentominoes", "tetrominoes").replace("max = 1", "max = 5"))
    words = ("design", "sets", family, "--search", search, "--samples", 15, "--json", "--seed")
    for seed, most in product((1, 2), (1, 3)):
        asked = (*words, seed, "--at-most", most)
        once = same(lines_of(run(*asked)))
        for limit in (1, 3, None):
            done = run(*asked, "--run", path, *([] if limit is None else ["--limit", limit]))
        assert same(lines_of(done)) == same(lines_of(run(*asked, "--run", path))) == once
    kept = {json.loads(record).get("name") for record in records_of(path)[1:]}
    assert any(name and " up to " in name for name in kept)


def test_a_count_is_what_it_would_be_without_a_file(tmp_path: Path) -> None:
    """Whatever was counted before, with whatever limits."""
    path = tmp_path / "four.toml"
    path.write_text(FAMILY.format(4).replace("pentominoes", "tetrominoes").replace("max = 1", "max = 5"))
    family, chance = Family(load(path), Choices()), random.Random(2)
    many = [family.candidate_of(family.candidate(number)) for number in range(family.candidates)]

    def counter() -> Counter:
        return Counter(Choices(), create("bitset"), NO_RESULTS)

    known, limited = counter(), 0
    for _ in range(200):
        candidate, limit = chance.choice(many), chance.choice([1, 2, 3, 4, 9, None])
        count = known.count(candidate, limit)
        assert count == counter().count(candidate, limit)
        limited += count.solutions == limit
    assert limited > 9


@pytest.mark.long
def test_a_run_that_is_killed_loses_next_to_nothing(tmp_path: Path) -> None:
    family = tmp_path / "six.toml"
    family.write_text(FAMILY.format(6))
    asked = ("design", "sets", family, "--unique", "--json", "--search", "sample", "--samples", 40, "--seed", 7)
    path = tmp_path / "run.db"
    process = start(*asked, "--run", path)
    try:
        wait_until(lambda: path.is_file() and _rows(path) >= 8)
    finally:
        process.kill()
        process.communicate()
    kept = _rows(path)
    assert same(lines_of(run("runs", "resume", path, "--json"))) == same(lines_of(run(*asked)))
    assert _rows(path) == 40 >= kept


def _rows(path: Path) -> int:
    """How many results a file has."""
    return max(0, path.read_bytes().count(b"\n") - 2)


def test_a_run_goes_on_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "parts.toml").write_text(
        'name = "two"\nlattice = "square"\n\n[region]\nbox = [2, 2]\n\n[[parts]]\nname = "D"\nart = "XX"\ncount = 2\n'
    )
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    words = ("design", "regions", "parts.toml", "--among", "parts.toml", "--output", "made", "--json", "--limit", 1)
    first = run(*words, "--run", "a.run")
    monkeypatch.chdir(tmp_path / "other")
    again = run("runs", "resume", tmp_path / "a.run", "--json")
    assert [line["solutions"] for line in lines_of(again)[:-1]] == [line["solutions"] for line in lines_of(first)[:-1]]
    assert len(lines_of(again)) == 2
    assert list((tmp_path / "made").iterdir())
    assert not (tmp_path / "other" / "made").exists()


def test_files_of_something_else_are_refused(five: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    run("design", "sets", five, "--run", path)
    six = tmp_path / "six.toml"
    six.write_text(FAMILY.format(6))
    for words, why in (
        (("design", "sets", six, "--run", path), r"the puzzle 'five of twelve' has changed since: cells of its region"),
        (("design", "sets", five, "--run", path, "--symmetry", "none"), "the symmetry all, not none;"),
        (("design", "sets", five, "--run", five), "is the file that is read"),
        (("runs", "resume", path, "--images"), "leave --images out"),
        (("solve", "soma", "--run", path), "is not a file of a run"),
    ):
        done = run(*words)
        assert done.returncode == 1, words
        assert why in done.stderr
    search = tmp_path / "search.db"
    run("count", "fig4-3x3", "--run", search)
    assert "is not a file that design keeps now" in run("design", "sets", five, "--run", search).stderr


def test_what_was_asked_cannot_be_changed(five: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    run("design", "sets", five, "--unique", "--run", path)
    good = path.read_bytes()
    for old, new in (
        (b'"at_most":1', b'"at_most":2'),
        (b'"content":"', b'"content":"x'),
        (b'"way":"sets"', b'"way":"nets"'),
    ):
        assert old in good
        path.write_bytes(good.replace(old, new))
        done = run("runs", "resume", path)
        assert (done.returncode, "is damaged: line 2" in done.stderr) == (1, True), done.stderr
        sealed(path)  # what belongs there is looked at too
        done = run("runs", "resume", path)
        assert done.returncode == (1 if b"sets" in old or b"content" in old else 0), done.stderr


def test_a_changed_result_is_refused(five: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    run("design", "sets", five, "--run", path)
    good = path.read_text()
    for lines in (
        re.sub(r'"branches":(\d)', r'"branches":1\1', good),
        re.sub(r'"branches":\d+', '"branches":"x"', good),
    ):
        assert lines != good
        path.write_text(lines)
        assert "is damaged: line" in run("runs", "resume", path).stderr
    sealed(path)
    done = run("runs", "resume", path)
    assert (done.returncode, "is damaged: the result" in done.stderr) == (1, True), done.stderr


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("sets", "soma"), 1, "has nothing to choose"),
        (("sets", "FIVE", "--unique", "--at-most", 2), 2, "exclude each other"),
        (("sets", "FIVE", "--at-least", 3, "--at-most", 2), 1, "at least 3 and at most 2"),
        (("sets", "FIVE", "--search", "all", "--samples", 2), 1, "leave --search all out"),
        (("sets", "FIVE", "--symmetric", 2), 2, "has no option --symmetric"),
        (("regions", "FIVE"), 1, "may be used in different numbers"),
        (("regions", "pent-10x6", "--search", "all"), 1, "draw some with --search sample"),
        (("regions", "soma", "--among", "pent-10x6"), 1, "'pent-10x6' lies on another lattice than 'cubic'"),
        (("regions", "FIVE", "--among", "COLOURED"), 1, "the colour 'red', which 'five of twelve' does not name"),
        (("sets", "FIVE", "--min-level", "x"), 2, "not a level such as"),
        (("set", "FIVE"), 2, "did you mean 'sets'"),
    ],
)
def test_wrong_questions(
    five: Path, words: tuple[Any, ...], code: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("latcover.lab.designing.design_regions.MOST_SHAPES", 100)
    coloured = five.with_name("coloured.toml")
    coloured.write_text(COLOURED)
    files = {"FIVE": five, "COLOURED": coloured}
    done = run("design", *(files.get(word, word) for word in words))
    assert (done.returncode, why in done.stderr) == (code, True), done.stderr


def test_regions_of_a_size(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(
        'name = "two"\nlattice = "square"\n[region]\nbox = [2, 4]\n'
        '[[parts]]\nname = "L"\nart = ["X..", "XXX"]\n[[parts]]\nname = "T"\nart = [".X.", "XXX"]\n'
    )
    done = run("design", "regions", path, "--unique", "--symmetric", 2, "--run", tmp_path / "run.db")
    assert done.stdout.startswith("XXX/XXX/X.X: 1 solution, 2 in all")
    assert "two: 1 region with a solution, 1 of them exactly one\nsearched exhaustively: 53 regions" in done.stdout
    assert run("runs", "resume", tmp_path / "run.db").stdout.startswith("XXX/XXX/X.X: 1 solution")


def test_regions_of_a_file_have_colours_by_name_and_no_file_is_lost(tmp_path: Path) -> None:
    puzzle, regions, out = tmp_path / "two.toml", tmp_path / "regions.toml", tmp_path / "out"
    parts = '[[parts]]\nname = "L"\nart = ["RRR", "XX."]\n[[parts]]\nname = "I"\nart = ["XX", "X."]\n'
    head = 'name = "two"\nlattice = "square"\n'
    puzzle.write_text(f'{head}colours = {{ B = "blue", R = "red" }}\n[region]\nbox = [2, 4]\n{parts}')
    for art, name in ((["RRRX", "XXXX"], "two-1.toml"), (["XXXX", "XRXX"], "two-1-2.toml")):
        regions.write_text(f'{head}colours = {{ R = "red" }}\n[region]\nart = {art}\n{parts}')
        words = ("--at-least", 1, "--run", tmp_path / "run.db", "--output", out)
        line = run("design", "regions", puzzle, "--among", regions, *words).stdout.splitlines()[0]
        assert line.endswith(str(out / name))
        assert line.startswith(f"{art[0]}/{art[1]}: ")
        assert 'R = "red"' in (out / name).read_text()


HOLD = """
import sys, time
from pathlib import Path
from latcover.lab.runs.design_run import DesignFile
with DesignFile(Path(sys.argv[1])) as file:
    print("open", flush=True)
    time.sleep(1000)
"""


@pytest.mark.long
def test_two_processes_do_not_share_a_file(five: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    run("design", "sets", five, "--run", path)
    with subprocess.Popen([sys.executable, "-P", "-c", HOLD, path], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            done = run("runs", "resume", path)
        finally:
            process.kill()
    assert done.returncode == 1
    assert "another process is at work with it" in done.stderr
