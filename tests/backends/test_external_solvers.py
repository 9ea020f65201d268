"""Every form, solved by a program that is not ours, and read back: what is found is verified, and nothing is lost."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest

from latcover.backends import create
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.solving.count import count_prepared
from latcover.core.solving.run import run
from latcover.files.formats.forms import WriteOptions
from latcover.files.formats.library import load, load_subject
from tests import command_line
from tests.command_line import DONE
from tests.external import SOLVERS, ask, ask_projecting_clasp, require, write
from tests.oracle import coloured_problem, cover_problem, covers
from tests.shipped import rest_long

FULL = Choices(symmetry="none")
USUAL = [solver for solver in SOLVERS if solver not in ("cbc lp", "highs mps")]  # two others read each of these forms
every_solver = pytest.mark.parametrize("solver", rest_long(SOLVERS, USUAL))
# coloured; with keys and locks; with optional cells; several copies; hardly any symmetry; none at all
PUZZLES = ["example-2x2", "sphere-pyramid", "tangram-square", "happy-cube-red", "notebook-coloured-5x5", "fig4-3x3"]
QUICK = ["example-2x2", "sphere-pyramid", "fig4-3x3"]
OPTIONAL = """
name = "gaps"
title = "ein Titel mit Ümlauten, \\u001b und p cnf 1 1"
lattice = "square"
region = { art = ["++XX", "XXX+"] }
parts = [{ name = "I 3 | ;", min = 1, max = 2, art = ["XXX"] }, { name = "é", count = "unlimited", art = ["XX"] }]
"""
BOUNDED = """
name = "at most one gap"
lattice = "square"
region = { art = ["++XX", "XX++"], max_empty = 1 }
parts = [{ name = "I", min = 0, max = 2, art = ["XXX"] }, { name = "O", min = 1, max = 3, art = ["X"] }]
"""
NO_SOLUTION = """
name = "none"
lattice = "square"
region = { art = ["XXXX", "...X"] }
parts = [{ name = "I", count = 1, art = ["XXXX"] }, { name = "S", count = 1, transformations = "fixed", art = ["X"] }]
"""
EXPECTED = {"gaps": OPTIONAL, "at most one gap": BOUNDED}
PROBLEMS: dict[str, CoverProblem] = {
    "bounds": cover_problem([[0, 1], [0, 2], [0, 1, 2], [0], [1], [1, 2], [2]], [(2, 2), (0, 2), (1, 3)]),
    "forbidden": cover_problem([[0], [0, 1], [2]], [(1, 1), (0, 0), (0, 1)]),
    "colours": coloured_problem(
        [{0: 0, 2: 1}, {0: 0, 2: 2}, {1: 0, 2: 1}, {1: 0, 2: 0}, {0: 0}, {1: 0, 2: 2}], [(1, 1), (1, 1), (0, 1)]
    ),
    "no option": cover_problem([], [(1, 1)]),
    "an item without options": cover_problem([[0], [0]], [(1, 1), (1, 2)]),
    "nothing to do": cover_problem([[0], [1]], [(0, 1), (0, 1)]),
}


@cache
def prepared(name: str) -> Prepared:
    return prepare(load(name), FULL)


def from_text(text: str, folder: Path) -> Prepared:
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return prepare(load(str(path)), FULL)


def named(problem: CoverProblem) -> NamedProblem:
    items = tuple(f"i{k}" for k in range(problem.n_items))
    return NamedProblem("bare", problem, items, ("A", "B"))


def expected(subject: Prepared) -> tuple[int, int]:
    answer = count_prepared(prepare(subject.puzzle), create("dlx"))
    return answer.total, answer.different


def check(solver: str, subject: Prepared, folder: Path) -> None:
    total, different = expected(subject)
    found = ask(solver, subject, folder)
    assert not found.n_wrong, found.wrong
    if SOLVERS[solver][-1]:
        assert (found.solutions, found.different) == (total, different)
    else:
        assert found.solutions == min(total, 1)


@pytest.mark.parametrize("name", rest_long(PUZZLES, QUICK))
@every_solver
def test_shipped_puzzles(solver: str, name: str, tmp_path: Path) -> None:
    subject = prepared(name)
    if solver == "miniexact" and subject.problem.high.max() > 1:
        pytest.skip("miniexact knows no bounds as DLX3 has them")
    check(solver, subject, tmp_path)


@pytest.mark.parametrize("text", [OPTIONAL, BOUNDED, NO_SOLUTION], ids=["optional", "bounded", "none"])
@every_solver
def test_puzzles_of_our_own(solver: str, text: str, tmp_path: Path) -> None:
    if solver == "miniexact" and text != NO_SOLUTION:
        pytest.skip("miniexact knows no bounds as DLX3 has them")
    check(solver, from_text(text, tmp_path), tmp_path)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("solver", rest_long([solver for solver in SOLVERS if solver != "miniexact"], USUAL))
def test_bare_problems(solver: str, name: str, tmp_path: Path) -> None:
    problem = PROBLEMS[name]
    found = ask(solver, named(problem), tmp_path)
    assert not found.n_wrong, found.wrong
    n = len(covers(problem))
    assert found.solutions == (n if SOLVERS[solver][-1] else min(n, 1))


@pytest.mark.parametrize("name", ["colours"])
def test_miniexact_knows_colours(name: str, tmp_path: Path) -> None:
    problem = PROBLEMS[name]
    found = ask("miniexact", named(problem), tmp_path)
    assert (found.solutions, found.n_wrong) == (len(covers(problem)), 0)


@pytest.mark.parametrize("encoding", ["auto", "pairwise", "seqcounter", "totalizer", "ladder", "cardnetwrk"])
def test_projection_counts_placements_alone(encoding: str, tmp_path: Path) -> None:
    for text in (OPTIONAL, BOUNDED):
        subject = from_text(text, tmp_path)
        found = ask_projecting_clasp(subject, tmp_path, encoding)
        assert (found.models, found.solutions) == (expected(subject)[0],) * 2


@pytest.mark.long
def test_pent_10x6_by_clasp(tmp_path: Path) -> None:
    """The 2,339 classes, from clauses that leave out what symmetry allows, by a solver that is not ours."""
    require("clasp")
    subject = prepare(load("pent-10x6"))
    assert not subject.tests_pending
    found = ask("clasp dimacs", subject, tmp_path)
    assert (found.models, found.solutions, found.different, found.n_wrong) == (2339, 2339, 2339, 0)


@pytest.mark.long
def test_pent_10x6_by_miniexact(tmp_path: Path) -> None:
    found = ask("miniexact", prepare(load("pent-10x6")), tmp_path)
    assert (found.models, found.solutions, found.different, found.n_wrong) == (2339, 2339, 2339, 0)


def test_pent_10x6_through_dlx_text_and_back(tmp_path: Path) -> None:
    again = load_subject(str(write(prepare(load("pent-10x6")), "dlx", tmp_path / "file.dlx")))
    assert run(again, create("bitset")).total == 2339


@pytest.mark.parametrize("solver", ["minisat", "cadical"])
def test_the_command_line_from_end_to_end(solver: str, tmp_path: Path) -> None:
    require(solver)
    cnf, answer = tmp_path / "file.cnf", tmp_path / "answer"
    assert command_line.run("export", "soma", "--symmetry", "all", "--output", cnf).returncode == DONE
    if solver == "minisat":
        done = subprocess.run(["minisat", "-verb=0", cnf, answer], check=False, capture_output=True)
    else:
        done = subprocess.run(["cadical", "-q", cnf], check=False, capture_output=True)
        answer.write_bytes(done.stdout)
    assert done.returncode == 10
    decoded = command_line.run("decode", "soma", answer, "--count")
    assert decoded.stdout == "soma: 1 model, 1 solution, 1 different under rotations and reflections\n"


def test_a_projected_count_says_so(tmp_path: Path) -> None:
    options = WriteOptions(projected=True)
    lines = write(prepared("example-2x2"), "dimacs", tmp_path / "f.cnf", options).read_text("ascii")
    problem_line, *rest = lines[lines.index("\np cnf") + 1 :].splitlines()
    assert problem_line.split()[:3] == ["p", "cnf", "8"]
    assert rest[:2] == ["c t pmc", "c p show 1 2 3 4 5 6 7 8 0"]
