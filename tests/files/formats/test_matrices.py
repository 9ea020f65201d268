"""Matrices of zeros and ones, in every form in which people keep them; and our own clauses and models, read again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from latcover.backends import create
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.solving.run import run
from latcover.errors import PuzzleFileError
from latcover.files.formats.forms import WriteOptions
from latcover.files.formats.library import load, load_subject
from tests.dice import Dice, cases
from tests.files.formats.test_round_trips import assert_same
from tests.files.formats.written import IN_CLAUSES, any_puzzle, named, written
from tests.oracle import either_problem, given

Matrix = np.ndarray[tuple[int, int], np.dtype[Any]]


def any_matrix(dice: Dice) -> Matrix:
    """Rows that hold something; a matrix with an empty row is another test's."""
    width = dice.between(1, 5)
    rows = [[int(dice.chance(45)) for _ in range(width)] for _ in range(dice.between(1, 6))]
    return np.array([row if any(row) else [1, *row[1:]] for row in rows])


def _text(matrix: Matrix, mark: str) -> str:
    return "".join(mark.join(map(str, row)) + "\n" for row in matrix.tolist())


def _named_table(matrix: Matrix) -> str:
    head = ["", *(f"item {k}" for k in range(matrix.shape[1]))]
    rows = [[f"row {k}", *map(str, row)] for k, row in enumerate(matrix.tolist())]
    return "".join(",".join(row) + "\n" for row in [head, *rows])


TEXTS: dict[str, Callable[[Matrix], str]] = {
    "blanks.txt": lambda matrix: _text(matrix, " "),
    "close.txt": lambda matrix: _text(matrix, ""),
    "commas.txt": lambda matrix: _text(matrix, ","),
    "plain.csv": lambda matrix: _text(matrix, ","),
    "semicolons.csv": lambda matrix: _text(matrix, ";"),
    "tabs.tsv": lambda matrix: _text(matrix, "\t"),
    "named.csv": _named_table,
    "nested.json": lambda matrix: json.dumps(matrix.tolist()),
}
ARRAYS: dict[str, Callable[[Path, Matrix], None]] = {
    "rows.npy": np.save,
    "columns.npy": lambda path, matrix: np.save(path, np.asfortranarray(matrix.astype(float))),
    "dense.npz": np.savez,
    "truths.npz": lambda path, matrix: np.savez_compressed(path, told=matrix.astype(bool)),
    "csr.npz": lambda path, matrix: scipy.sparse.save_npz(path, scipy.sparse.csr_matrix(matrix)),
    "csc.npz": lambda path, matrix: scipy.sparse.save_npz(path, scipy.sparse.csc_array(matrix)),
    "coo.npz": lambda path, matrix: scipy.sparse.save_npz(path, scipy.sparse.coo_matrix(matrix)),
}


@cases(10, matrix=any_matrix)
def test_every_form_gives_the_same_problem(matrix: Matrix, tmp_path: Path) -> None:
    starts = np.append(0, np.cumsum(matrix.sum(axis=1)))
    ones = np.ones(matrix.shape[1], np.int32)
    expected = CoverProblem(starts, np.nonzero(matrix)[1].astype(np.int32), ones, ones)
    for name, make in TEXTS.items():
        (tmp_path / name).write_text(make(matrix))
    for name, save in ARRAYS.items():
        save(tmp_path / name, matrix)
    for name in (*TEXTS, *ARRAYS):
        found = load_subject(str(tmp_path / name))
        assert isinstance(found, NamedProblem), name
        assert_same(expected, found.problem)
    assert load_subject(str(tmp_path / "named.csv")).items[0] == "item 0"


WRONG = {
    "a.csv": ("a,b\n1,0\n0,2\n", "a.csv:3: '2' is neither 0 nor 1"),
    "b.csv": ("1,0\n1\n", "b.csv:2: this row has 1 entries, not 2"),
    "c.csv": ("a,a\n1,0\n0,1\n", "its own name"),
    "d.csv": ("", "holds no rows"),
    "e.json": ("[[0, 3], [1]]", "row 1 holds 3. Lists of items belong under problem.options"),
    "f.json": ("[[1, 0], [1]]", "row 2 has 1 entries, and the first row 2"),
    "g.json": ("[1, 0]", "a list of rows"),
    "h.json": ("[[1, null]]", "row 1 holds null"),
    "i.txt": ("101\n11\n", "row 2 has 2 entries, and the first row 3"),
    "j.npy": ("10\n", "cannot be read"),
    "k.cnf": ("p cnf 2 1\n1 2 0\n", "only what it has exported itself"),
    "l.mzn": ("var bool: x;\n", "only what it has exported itself"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_form_is_named(name: str, tmp_path: Path) -> None:
    text, reason = WRONG[name]
    (tmp_path / name).write_text(text)
    with pytest.raises(PuzzleFileError, match=reason):
        load_subject(str(tmp_path / name))


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.array([1, 0]), "1 dimensions"),
        (np.array([[1, 2]]), "row 1, column 2 is 2"),
        (np.array([[np.nan]]), "is nan"),
        (np.zeros((2, 30), np.int8), "more than 20 items"),
        (np.zeros((30, 2), np.int8), "more than 20 options"),
        (np.array([["1", "0"]]), "must not be of the type"),
    ],
)
def test_arrays_that_are_no_matrix(array: np.ndarray[Any, Any], reason: str, tmp_path: Path) -> None:
    np.save(tmp_path / "own.npy", array)
    np.savez(tmp_path / "own.npz", array)
    for suffix in ("npy", "npz"):
        with pytest.raises(PuzzleFileError, match=reason):
            load_subject(str(tmp_path / f"own.{suffix}"), Bounds(cells=20, placements=20))


def test_a_column_of_names_is_said(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("1,1,0\n2,0,1\n3,1,1\n")
    found = load_subject(str(tmp_path / "own.csv"))
    assert found.problem.n_items == 2
    assert "the first column is read as the names" in str(found.warnings[0])


def test_comments_of_other_programs(tmp_path: Path) -> None:
    (tmp_path / "own.dlx").write_text("// a cover\na b //c | d // items\na //c\n// no option\nb d:red // and why\n")
    found = load_subject(str(tmp_path / "own.dlx"))
    assert found.items == ("a", "b", "//c", "d")
    assert [found.written(k) for k in range(2)] == [("a", "//c"), ("b", "d:red")]


# ---- our own exports, read again


@pytest.mark.parametrize("form", ["dimacs", "minizinc"])
@cases(12, problem=given(either_problem), encoding=lambda dice: dice.pick(IN_CLAUSES))
def test_an_export_comes_back(problem: CoverProblem, encoding: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / f"again.{'cnf' if form == 'dimacs' else 'mzn'}"
    path.write_bytes(written(named(problem), form, WriteOptions(encoding=encoding) if form == "dimacs" else None))
    found = load_subject(str(path))
    assert isinstance(found, NamedProblem)
    assert_same(problem, found.problem)


@pytest.mark.parametrize("form", ["dimacs", "minizinc"])
@cases(6, puzzle=any_puzzle, symmetry=lambda dice: dice.pick(["none", "all"]))
def test_an_exported_puzzle_has_as_many_covers(puzzle: Puzzle, symmetry: Any, form: str, tmp_path: Path) -> None:
    before = prepare(puzzle, Choices(symmetry=symmetry))
    path = tmp_path / f"again.{'cnf' if form == 'dimacs' else 'mzn'}"
    path.write_bytes(written(before, form, WriteOptions(projected=True) if form == "dimacs" else None))
    found = load_subject(str(path))
    assert_same(before.problem, found.problem)
    assert run(found, create("dlx")).total == run(before, create("dlx")).covers


def test_a_changed_export_is_refused(tmp_path: Path) -> None:
    lines = written(prepare(load("tangram-square")), "dimacs").decode().splitlines()
    clauses = [k for k, line in enumerate(lines) if not line.startswith("c")]
    records = [k for k, line in enumerate(lines) if line.startswith("c c record ")]
    path = tmp_path / "changed.cnf"

    def refused(changed: list[str], why: str) -> None:
        path.write_text("\n".join(changed) + "\n")
        with pytest.raises(PuzzleFileError, match=why):
            load_subject(str(path))

    for k in (clauses[0], clauses[1], clauses[-1]):
        refused([*lines[:k], f"{lines[k]} 1 0", *lines[k + 1 :]], f"changed.cnf:{k + 1}: .*was changed")
    refused([line for k, line in enumerate(lines) if k != clauses[-1]], "was changed")
    refused([*lines, "1 2 0"], "was changed")
    for k in (k for k in records if any(f'{{"{key}"' in lines[k] for key in ("items", "options", "low", "choice"))):
        refused([*lines[:k], *lines[k + 1 :]], "was changed|damaged|missing|itself|must")
    refused([*lines[: records[0]], "c c record {", *lines[records[0] + 1 :]], "damaged")


def test_rules_that_clauses_cannot_hold_are_told(tmp_path: Path) -> None:
    text = 'name = "o"\nlattice = "square"\nregion = { box = [2, 2] }\nrules = { no_fault_lines = true }\n'
    (tmp_path / "o.toml").write_text(text + 'parts = [{ name = "I", count = 2, art = "XX" }]\n')
    (tmp_path / "o.cnf").write_bytes(
        written(prepare(load(str(tmp_path / "o.toml")), Choices(symmetry="none")), "dimacs")
    )
    told = [str(warning) for warning in load_subject(str(tmp_path / "o.cnf")).warnings]
    assert any("NOT in these items" in warning for warning in told) == ("NOT" in (tmp_path / "o.cnf").read_text())
