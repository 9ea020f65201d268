"""The counts of all exact covers of the authors of DXD: their files are read, counts are judged, the page is made."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import exact_covers
from benchmarks.exact_covers import agreeing, by_formula, is_wrong, our_counts, page, read, short, told, with_theirs
from benchmarks.harness.processes import run_command
from latcover.files.formats.library import load_problems

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "exact_covers.json"
DIMACS = "c n = 3, m = 3\np ec 3\ns 1 2\ns 3\ns 1 3\n"
COUNTED = "3 3\n2 1 2\n1 3\n2 1 3\n"


@pytest.mark.parametrize(("name", "text"), [("a.ec", DIMACS), ("a.txt", COUNTED)])
def test_both_kinds_of_files_are_read(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    found = read(path)
    assert (found.items, found.options) == (3, ((1, 2), (3,), (1, 3)))
    file = tmp_path / "a.dlx"
    file.write_text(found.text)
    (problem,) = load_problems(str(file)).values()
    assert (problem.problem.n_items, problem.problem.n_options) == (3, 3)


@pytest.mark.parametrize("text", ["3 3\n2 1 2\n1 3\n", "3 1\n2 1 2 3\n", "3 1\n1 4\n", "p ec 3\ns 0\n"])
def test_a_file_whose_head_is_wrong_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"a\.txt: "):
        read(path)


def counts(**found: str | None) -> dict[str, Any]:
    return {way.replace("_", "-"): None if count is None else [0.5, count] for way, count in found.items()}


def test_counts_are_sure_if_two_ways_agree() -> None:
    assert agreeing(counts(auto="5", DXD="5", frontier="5")) == ["frontier", "DXD"]
    assert agreeing(counts(auto="5", DXD=None, frontier="5")) == ["frontier"]  # auto is one of the others
    assert agreeing(counts(auto=None, DXD=None)) == []
    assert is_wrong(counts(auto="5", DXD="6", frontier="5", enumeration="5"))
    assert not is_wrong(counts(auto="5", DXD="6", frontier="5"))  # one against one
    assert not is_wrong(counts(auto="6", DXD="6", frontier="5", enumeration="5"))
    assert [by_formula(f"bell-{n:02}") for n in range(1, 8)] == [1, 2, 5, 15, 52, 203, 877]
    assert [by_formula(f"doublefact-{n:02}") for n in (1, 3, 5, 7, 9)] == [1, 3, 15, 105, 945]
    assert by_formula("latin7-blk-00001") is by_formula("Abilene") is None
    assert short("123456789" * 3) == "123456… (27 digits)"
    assert short("1234") == "1,234"


def test_a_command_is_read_unless_it_fails() -> None:
    said = run_command([sys.executable, "-S", "-c", "print(7)"], seconds=5, megabytes=4096)
    assert (said.output, said.code) == ("7\n", 0)
    assert told(said, r"(\d+)") == [pytest.approx(said.seconds, abs=1e-3), "7"]
    failed = run_command([sys.executable, "-S", "-c", "print(7); raise SystemExit(1)"], seconds=5)
    assert failed.output == "7\n"
    assert told(failed, r"(\d+)") is None


@pytest.mark.long
def test_their_program_is_asked_and_a_difference_is_told(tmp_path: Path) -> None:
    pytest.importorskip("exact_cover")
    program, folder = tmp_path / "main", tmp_path / "run_set"
    program.write_text("#!/bin/sh\necho 'Solutions: 3' >../run_results.txt\n")
    program.chmod(0o755)
    folder.mkdir()
    (folder / "a.txt").write_text(COUNTED)
    problem = read(folder / "a.txt")
    found = our_counts(problem, 20)
    assert {way: each[1] for way, each in found.items()} == {"auto": "1", "frontier": "1", "components": "1"}
    found = with_theirs(problem, found | {"enumeration": [0.1, "1"]}, program, 20)
    assert {way: found[way][1] for way in ("DXD", "exact-cover")} == {"DXD": "3", "exact-cover": "1"}
    about = {"set": "run_set", "items": 3, "options": 3, "counts": found}
    known = {"seconds": 5, "theirs": 5, "megabytes": 1, "machine": "m", "day": "d", "commit": "c"}
    made = page(known | {"problems": {"a": about}})
    assert "On a their program finds 3, and latcover 1, as do: frontier, components, enumeration, exact-cover." in made
    assert "| a | 3 | 3 | 1 |" in made
    assert "frontier, components, enumeration; DXD finds 3 |" in made


def test_the_committed_page_is_made_of_the_committed_results() -> None:
    known = json.loads(RESULTS.read_text("utf-8"))
    assert len(known["problems"]) == 273
    assert page(known) == (ROOT / "docs" / "results" / "exact-covers.md").read_text("utf-8")
    for name, each in known["problems"].items():
        found = each["counts"]
        ours = {count[1] for way, count in found.items() if count and way != exact_covers.THEIRS}
        assert len(ours) <= 1, name
