"""The forms in which problems are written: each says what the problem says, and what is read back is the same."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latcover.backends import create
from latcover.cover.clauses import NATIVE, Encoder, encodings
from latcover.cover.named_problem import NamedProblem
from latcover.cover.problem import CoverProblem
from latcover.encoding.placement import PlacementTable
from latcover.encoding.prepared import Choices, Prepared, prepare
from latcover.errors import PuzzleError, PuzzleFileError, UnsupportedError
from latcover.exchange.solutions import searched_solutions
from latcover.formats import library
from latcover.formats.cover_problems.exported import Exported, exported
from latcover.formats.forms import WRITTEN, WriteOptions, form_to_write
from latcover.formats.library import load, load_subject
from latcover.formats.puzzle_files.puzzle_file import read_puzzles
from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_data, puzzle_as_toml
from latcover.formats.source import Source, shipped
from latcover.model.puzzle import Bounds, Puzzle
from latcover.solving.run import run
from tests.dice import Dice, cases
from tests.oracle import Cover, cover_problem, covers, either_problem
from tests.puzzle_oracle import plain, solutions
from tests.random_puzzles import puzzles
from tests.shipped import every_file, rest_long

FULL = Choices(symmetry="none")
IN_CLAUSES = [encoding for encoding in encodings() if encoding != NATIVE]
PUZZLES = (puzzles("square"), puzzles("triangular"), puzzles("square", coloured=True, periodic=True))


def any_puzzle(dice: Dice) -> Puzzle:
    return dice.pick(PUZZLES)(dice)


GAPS = """
name = "gaps"
title = "an odd title: p cnf 1 1\\n\\u00fc"
lattice = "square"
region = { art = ["++XX", "XX++"], max_empty = 2 }
parts = [{ name = "I 3|;", min = 0, max = 2, art = ["XXX"] }, { name = "O", min = 1, max = 3, art = ["X"] }]
"""


def named(problem: CoverProblem) -> NamedProblem:
    return NamedProblem("bare", problem, tuple(f"item{k}" for k in range(problem.n_items)), ("red", "blue"))


def written(subject: Prepared | NamedProblem, form: str, options: WriteOptions | None = None) -> bytes:
    return b"".join(WRITTEN[form].write(exported(subject), options or WriteOptions()))


def own(text: str, folder: Path) -> Puzzle:
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return load(str(path))


# What a file says, found out by trying every value of its variables.


class Cnf:
    """A DIMACS file, read strictly."""

    def __init__(self, raw: bytes) -> None:
        text = raw.decode("ascii")
        assert text.endswith("\n")
        lines = text.split("\n")[:-1]
        self.comments = [line for line in lines if line.startswith("c ")]
        others = [line for line in lines if not line.startswith("c ")]
        head = others[0].split()
        assert head[:2] == ["p", "cnf"]
        self.n_variables, n_clauses = map(int, head[2:])
        self.clauses = [list(map(int, line.split())) for line in others[1:]]
        assert len(self.clauses) == n_clauses
        for clause in self.clauses:
            assert clause[-1] == 0
            assert 0 not in clause[:-1]
            assert max(map(abs, clause)) <= self.n_variables

    def models(self, shown: int, *, nested: bool = True) -> list[Cover]:
        """The values of the first variables in all models, each once, by a SAT solver and blocking clauses.

        Unless models may be *nested* in others these name only what is true.
        """
        from pysat.solvers import Solver

        found = []
        with Solver("glucose42", bootstrap_with=[clause[:-1] for clause in self.clauses if clause[:-1]]) as solver:
            solver.add_clause([self.n_variables + 1])  # names all variables
            hopeless = any(len(clause) == 1 for clause in self.clauses)
            while not hopeless and solver.solve():
                model = solver.get_model()[:shown]
                found.append(tuple(v - 1 for v in model if v > 0))
                if not shown:
                    break
                solver.add_clause([-v for v in model if nested or v > 0])
        return found


def of_opb(raw: bytes, n: int) -> set[Cover]:
    """The values of the first *n* variables in all models of an OPB file."""
    head, *lines = raw.decode("ascii").splitlines()
    n_variables, n_constraints = map(int, re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", head).groups())  # type: ignore[union-attr]
    lines = [line for line in lines if not line.startswith("*")]
    assert len(lines) == n_constraints
    values = np.arange(2**n_variables)[:, None] >> np.arange(n_variables) & 1
    good = np.ones(len(values), np.bool_)
    for line in lines:
        match = re.fullmatch(r"((?:[+-]1 x\d+ )+)(>=|=) (-?\d+) ;", line)
        assert match, line
        words = match[1].split()
        total = sum(int(c) * values[:, int(x[1:]) - 1] for c, x in zip(words[::2], words[1::2], strict=True))
        good &= total == int(match[3]) if match[2] == "=" else total >= int(match[3])
    return projected(values[good], n)


def projected(models: np.ndarray[Any, Any], n: int) -> set[Cover]:
    found = [tuple(np.flatnonzero(model[:n]).tolist()) for model in models]
    assert len(found) == len(set(found))  # other variables are determined
    return set(found)


Row = tuple[dict[str, float], float, float]  # coefficients, and between what their sum is to be


def rows_of_lp(raw: bytes) -> tuple[dict[str, tuple[float, float]], list[Row]]:
    """The bounds of the variables of an LP file, and its constraints."""
    text = "\n".join(line for line in raw.decode("ascii").splitlines() if not line.startswith("\\"))
    parts = re.fullmatch(
        r"Minimize\n Obj: \+1 nothing \nSubject to\n(.*?)Bounds\n(.*?)(?:Binaries\n(.*?))?End\n*", text, re.DOTALL
    )
    assert parts, text
    bounds = {}
    for line in parts[2].splitlines():
        low, _, name, _, high = line.split()
        bounds[name] = (float(low), float(high))
    assert {*(parts[3] or "").split(), "nothing"} == set(bounds)
    rows: list[Row] = []
    for line in parts[1].splitlines():
        match = re.fullmatch(r" \w+: ((?:[+-]\d+ \w+ )+) ?(<=|>=|=) (-?\d+)", line)
        assert match, line
        words = match[1].split()
        terms = {name: float(c) for c, name in zip(words[::2], words[1::2], strict=True)}
        value = float(match[3])
        rows.append((terms, value if match[2] != "<=" else -np.inf, value if match[2] != ">=" else np.inf))
    return bounds, rows


def rows_of_mps(raw: bytes) -> tuple[dict[str, tuple[float, float]], list[Row]]:
    """The same of an MPS file, as OR-Tools reads it."""
    from ortools.linear_solver.python import model_builder

    model = model_builder.Model()
    assert model.import_from_mps_string(raw.decode("ascii"))
    variables = list(model.get_variables())
    assert all(variable.is_integral for variable in variables if variable.name != "nothing")
    bounds = {variable.name: (variable.lower_bound, variable.upper_bound) for variable in variables}
    rows: list[Row] = []
    for row in model.get_linear_constraints():
        of = model.helper.constraint_var_indices(row.index), model.helper.constraint_coefficients(row.index)
        terms = {variables[v].name: c for v, c in zip(*of, strict=True)}
        rows.append((terms, row.lower_bound, row.upper_bound))
    return bounds, rows


def of_integer_program(bounds: dict[str, tuple[float, float]], rows: list[Row], n: int) -> set[Cover]:
    """The values of x1, ..., xn in all integer points."""
    names = list(bounds)
    values = np.arange(2 ** len(names))[:, None] >> np.arange(len(names)) & 1
    low, high = np.array(list(bounds.values())).T
    values = values[((values >= low) & (values <= high)).all(axis=1)]
    for terms, least, most in rows:
        total = values @ np.array([terms.get(name, 0) for name in names])
        values = values[(total >= least) & (total <= most)]
    full = np.zeros((len(values), max([n, *(int(name[1:]) for name in names if name != "nothing")])), int)
    for k, name in enumerate(names):
        if name != "nothing":
            full[:, int(name[1:]) - 1] = values[:, k]
    return projected(full, n)


def read_json(path: Path, bounds: Bounds = Bounds()) -> Any:  # noqa: B008 - frozen
    """What a file of the form "json" holds: a bare problem, or puzzles."""
    found = library.load_subjects(str(path), bounds)
    return found[0] if isinstance(found[0], NamedProblem) else found


@pytest.mark.parametrize("encoding", IN_CLAUSES)
def test_clauses_say_what_the_problem_says(encoding: str) -> None:
    @cases(10, problem=either_problem)
    def compare(problem: CoverProblem) -> None:
        cnf = Cnf(written(named(problem), "dimacs", WriteOptions(encoding=encoding)))
        found = cnf.models(problem.n_options)
        assert len(found) == len(set(found))
        assert set(found) == covers(problem)

    compare()


@cases(25, problem=either_problem)
def test_pseudo_boolean_constraints_say_what_the_problem_says(problem: CoverProblem) -> None:
    assert of_opb(written(named(problem), "opb"), problem.n_options) == covers(problem)


@cases(6, problem=either_problem)
def test_integer_programs_say_what_the_problem_says(problem: CoverProblem) -> None:
    for form, read in (("lp", rows_of_lp), ("mps", rows_of_mps)):
        bounds, rows = read(written(named(problem), form))
        assert of_integer_program(bounds, rows, problem.n_options) == covers(problem)


@pytest.mark.parametrize("encoding", rest_long(IN_CLAUSES, ["auto", "seqcounter"]))
@pytest.mark.parametrize("name", ["tetrahexes-4x7", "notebook-coloured-5x5"])
def test_variables_are_the_placements_in_the_order_of_the_table(name: str, encoding: str) -> None:
    """Those that symmetry leaves out are false by themselves, and auxiliary variables come last."""
    reduced = prepare(load(name))
    data = exported(reduced)
    cnf = Cnf(written(reduced, "dimacs", WriteOptions(encoding=encoding)))
    units = {-clause[0] for clause in cnf.clauses if len(clause) == 2 and clause[0] < 0}
    left_out = set(range(1, len(reduced.table) + 1)) - set((reduced.option_placement + 1).tolist())
    assert left_out
    assert left_out <= units
    assert data.n_members == len(reduced.table)
    assert (np.diff(data.variables) > 0).all()
    meanings = [re.match(r"c (\d+) = (.*)", line) for line in cnf.comments]
    said = {int(match[1]): match[2] for match in meanings if match}
    assert list(said) == list(range(1, data.n_variables + 1))
    for placement in (0, len(reduced.table) // 2, len(reduced.table) - 1):
        part = reduced.puzzle.parts[reduced.table.part_of[placement]].name
        assert said[placement + 1].split()[0] in (part, part.replace(" ", "_"))
        cells = [cell.split(":")[0] for cell in said[placement + 1].split()[1:]]
        assert cells == [",".join(map(str, cell[1:])) for cell in reduced.table.cells_of(placement).tolist()]


@cases(10, puzzle=any_puzzle)
def test_models_of_puzzles_are_their_solutions(puzzle: Puzzle) -> None:
    full = prepare(puzzle, FULL)
    expected = solutions(puzzle)
    cnf = Cnf(written(full, "dimacs", WriteOptions(encoding="seqcounter", projected=True)))
    found = cnf.models(full.n_members)
    from latcover.model.solution import Solution

    assert {plain(Solution(full.placed(np.array(cover, np.int32)))) for cover in found} == expected
    assert len(found) == len(expected)


def test_cells_left_empty_are_determined_by_the_placements(tmp_path: Path) -> None:
    """As many models with the variables of cells left empty as without: what to count is the placements alone."""
    for puzzle in (own(GAPS, tmp_path), load("notebook-coloured-5x5"), load("happy-cube-red")):
        full = prepare(puzzle, FULL)
        data = exported(full)
        if puzzle.name == "gaps":
            assert data.n_variables > data.n_members
        answer = run(full, create("dlx"))
        cnf = Cnf(written(full, "dimacs"))
        assert len(cnf.models(data.n_variables)) == len(cnf.models(data.n_members)) == answer.total


@pytest.mark.long
@pytest.mark.parametrize("encoding", ["auto", "seqcounter", "pairwise", "ladder", "totalizer", "bitwise", "sortnetwrk"])
def test_projected_models_of_pent_20x3(encoding: str) -> None:
    """8 in full, and 2 by a pivot that no symmetry leaves in place, whatever auxiliary variables there are."""
    puzzle = load("pent-20x3")
    options = WriteOptions(encoding=encoding, projected=True)
    full, reduced = prepare(puzzle, FULL), prepare(puzzle, Choices(pivot="F"))
    assert not reduced.tests_pending
    assert len(Cnf(written(full, "dimacs", options)).models(full.n_members, nested=False)) == 8
    assert len(Cnf(written(reduced, "dimacs", options)).models(full.n_members, nested=False)) == 2


@pytest.mark.parametrize("encoding", IN_CLAUSES)
def test_the_size_of_clauses_is_known_beforehand(encoding: str) -> None:
    for name in ("example-2x2", "sphere-pyramid"):
        problem = prepare(load(name)).problem
        numbers = np.arange(1, problem.n_options + 1) * 3
        encoder = Encoder(problem, encoding, numbers, top=int(numbers[-1]) + 5)
        expected = encoder.size()
        clauses = [list(clause) for some, _ in encoder.pieces() for clause in some]
        assert expected == (encoder.top, len(clauses))
        used = {abs(literal) for clause in clauses for literal in clause}
        assert not used & (set(range(1, int(numbers[-1]) + 6)) - set(numbers.tolist()))


def test_what_is_counted_stands_where_counters_look() -> None:
    text = written(prepare(load("example-2x2"), FULL), "dimacs", WriteOptions(projected=True)).decode()
    lines = text.splitlines()
    head = next(k for k, line in enumerate(lines) if line.startswith("p cnf"))
    assert all(line.startswith("c c ") or re.match(r"c \d+ = ", line) for line in lines[:head])
    assert lines[head + 1 : head + 3] == ["c t pmc", "c p show 1 2 3 4 5 6 7 8 0"]
    assert "pmc" not in written(prepare(load("example-2x2"), FULL), "dimacs").decode()


def test_odd_names_and_titles_stay_comments(tmp_path: Path) -> None:
    puzzle = own(GAPS, tmp_path)
    for form in ("dimacs", "opb", "lp", "mps", "minizinc", "dlx"):
        lines = written(prepare(puzzle, FULL), form).decode("ascii").splitlines()
        mark = {"dimacs": "c ", "opb": "* ", "lp": "\\ ", "mps": "* ", "minizinc": "% ", "dlx": "| "}[form]
        assert all(line.startswith(mark) for line in lines if "odd title" in line)
        assert any("odd title" in line for line in lines)


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        (FULL, "the full problem"),
        (Choices(), "covers are exactly the classes"),
        (Choices(reduction="none"), "covers are NOT exactly the classes"),
    ],
)
def test_a_header_says_whether_covers_are_the_classes(choices: Choices, words: str) -> None:
    assert any(words in line for line in exported(prepare(load("pent-10x6"), choices)).remarks)


@pytest.mark.parametrize("form", sorted(WRITTEN))
def test_what_a_form_cannot_honour_is_refused(form: str) -> None:
    of_puzzles = WRITTEN[form].of_puzzles
    puzzle = load("soma" if of_puzzles else "example-2x2")
    data: Any = [puzzle] if of_puzzles else exported(prepare(puzzle, FULL))
    streams = (searched_solutions(lambda: prepare(puzzle, FULL)),)
    for options, field in (
        (WriteOptions(encoding="pairwise"), "encoding"),
        (WriteOptions(projected=True), "projected"),
        (WriteOptions(solutions=streams), "solutions"),
    ):
        if field in WRITTEN[form].honours:
            assert b"".join(WRITTEN[form].write(data, options))
        else:
            with pytest.raises(UnsupportedError, match=f"has no option --{field}"):
                WRITTEN[form].write(data, options)


@pytest.mark.parametrize(
    ("encoding", "reason"), [("nativ", "did you mean 'native'"), (NATIVE, "does not consist of clauses")]
)
def test_encodings_that_cannot_be_written(encoding: str, reason: str) -> None:
    with pytest.raises(UnsupportedError, match=reason):
        written(prepare(load("example-2x2")), "dimacs", WriteOptions(encoding=encoding))


def test_forms_by_name_and_by_suffix() -> None:
    assert form_to_write(None, Path("a.CNF")).name == "dimacs"
    assert form_to_write("opb", Path("a.cnf")).name == "opb"
    with pytest.raises(UnsupportedError, match="did you mean 'dimacs'"):
        form_to_write("dimac", None)
    with pytest.raises(UnsupportedError, match="say in which form"):
        form_to_write(None, Path("a.txt"))


def test_dlx_needs_an_item_to_branch_on() -> None:
    with pytest.raises(UnsupportedError, match="could be primary"):
        written(named(cover_problem([[]], [(1, 1)])), "dlx")
    assert written(named(cover_problem([], [(0, 1)])), "dlx").endswith(b"\n0:1|item0\n")  # not "| item0", a comment


# Round trips.


def assert_same(one: CoverProblem, other: CoverProblem, *, geometry: bool = True) -> None:
    fields = ["option_starts", "option_items", "low", "high", "option_colours"]
    if geometry:
        fields += ["part_sizes", "neighbour_starts", "neighbours"]
        assert one.n_cells == other.n_cells
    for field in fields:
        assert np.array_equal(getattr(one, field), getattr(other, field)), field


@cases(25, problem=either_problem)
def test_npz_and_json_give_the_same_problem(problem: CoverProblem, tmp_path: Path) -> None:
    before = named(problem)
    for form in ("npz", "json"):
        path = tmp_path / f"bare.{form}"
        path.write_bytes(written(before, form))
        after = load_subject(str(path))
        assert isinstance(after, NamedProblem)
        assert_same(problem, after.problem)
        assert (after.items, after.colours, after.name) == (before.items, before.colours, "bare")


@cases(25, problem=either_problem)
def test_dlx_text_gives_the_same_problem(problem: CoverProblem, tmp_path: Path) -> None:
    """But for options that no cover has, which Knuth's form cannot say, and the order of items."""
    before = named(problem)
    path = tmp_path / "bare.dlx"
    try:
        path.write_bytes(written(before, "dlx"))
    except UnsupportedError:
        return
    after = load_subject(str(path))
    assert set(after.items) == set(before.items)
    bounds = {name: (int(a), int(b)) for name, a, b in zip(before.items, problem.low, problem.high, strict=True)}
    assert bounds == {
        n: (int(a), int(b)) for n, a, b in zip(after.items, after.problem.low, after.problem.high, strict=True)
    }
    shut = {name for name, (_, high) in bounds.items() if high == 0}
    options = [sorted(before.written(k)) for k in range(problem.n_options)]
    kept = [option for option in options if not set(option) & shut]
    assert kept == [sorted(after.written(k)) for k in range(after.problem.n_options)]


@cases(15, puzzle=any_puzzle, symmetry=lambda dice: dice.pick(["none", "all"]))
def test_puzzles_come_back_as_the_same_problem(puzzle: Puzzle, symmetry: Any, tmp_path: Path) -> None:
    before = prepare(puzzle, Choices(symmetry=symmetry))
    paths = {form: tmp_path / f"test.{form}" for form in ("npz", "json", "dlx")}
    for form, path in paths.items():
        path.write_bytes(written(before, form))
    assert_same(before.problem, load_subject(str(paths["npz"])).problem)
    (again,) = read_json(paths["json"])
    assert_same(before.problem, prepare(again, Choices(symmetry=symmetry)).problem)
    assert run(load_subject(str(paths["dlx"])), create("dlx")).total == run(before, create("dlx")).covers


@every_file
def test_every_shipped_puzzle_comes_back_from_json(name: str, tmp_path: Path) -> None:
    from latcover.formats.library import load_all

    for puzzle in load_all(name):
        path = tmp_path / "again.json"
        path.write_text(json.dumps({"puzzle": puzzle_as_data([puzzle])}), encoding="utf-8")
        again = load_subject(str(path))
        assert isinstance(again, Puzzle)
        for field in ("name", "title", "source", "colours", "expect", "published", "long"):
            assert getattr(puzzle, field) == getattr(again, field), field
        assert_same_tables(prepare(puzzle, FULL).table, prepare(again, FULL).table)
        assert_same(prepare(puzzle, FULL).problem, prepare(again, FULL).problem)
        for one, other in zip(puzzle.parts, again.parts, strict=True):
            assert (one.name, one.low, one.high) == (other.name, other.low, other.high)
            assert [t.labels for t in one.transformations] == [t.labels for t in other.transformations]


def assert_same_tables(one: PlacementTable, other: PlacementTable) -> None:
    for field in ("orientation", "part_of", "starts", "cells"):
        assert np.array_equal(getattr(one, field), getattr(other, field)), field


def test_a_puzzle_with_everything_comes_back(tmp_path: Path) -> None:
    puzzle = own(GAPS, tmp_path)
    (again,) = read_again(puzzle, tmp_path)
    assert again.region.max_empty == 2
    assert_same(prepare(puzzle, FULL).problem, prepare(again, FULL).problem)


def read_again(puzzle: Puzzle, folder: Path) -> tuple[Puzzle, ...]:
    path = folder / "again.json"
    path.write_bytes(written(prepare(puzzle, FULL), "json"))
    found = read_json(path)
    assert not isinstance(found, NamedProblem)
    return found


def test_what_no_file_can_say_is_refused(tmp_path: Path) -> None:
    puzzle = load("pent-10x6")
    lattice = puzzle.lattice
    odd = replace(puzzle.parts[0], transformations=(lattice.transformations[0], lattice.transformations[3]))
    with pytest.raises(UnsupportedError, match="has no names for"):
        puzzle_as_data([replace(puzzle, parts=(odd, *puzzle.parts[1:]))])


def test_a_lattice_of_ones_own_stands_in_the_file() -> None:
    """A puzzle is one file, also on a lattice that is not shipped, or not any more as it is shipped."""
    puzzle = load("example-2x2")
    square = puzzle.lattice
    few = replace(square, transformations=square.transformations[:1], generators={})
    for lattice in (replace(square, name="mine"), few):
        text = puzzle_as_toml([replace(puzzle, lattice=lattice, parts=())])
        (again,) = read_puzzles(Source(text.encode(), "p.toml", shipped), Bounds(), unfinished=True)
        assert (again.lattice.name, again.lattice.half_edges) == (lattice.name, square.half_edges)
        assert list(again.lattice.generators) == list(lattice.generators)


# JSON with solutions.


def with_solutions(subject: Prepared | NamedProblem, cancelled: Callable[[], bool] = lambda: False) -> bytes:
    return written(subject, "json", WriteOptions(solutions=(searched_solutions(lambda: subject, cancelled=cancelled),)))


@pytest.mark.parametrize(("symmetry", "different", "total"), [("none", 8, 8), ("all", 2, 8)])
def test_json_with_all_solutions(symmetry: Any, different: int, total: int) -> None:
    prepared = prepare(load("pent-20x3"), Choices(symmetry=symmetry))
    data = json.loads(with_solutions(prepared))
    assert data["summary"] == {"complete": True, "symmetry": symmetry, "different": different, "total": total}
    assert [solution["number"] for solution in data["solutions"]] == list(range(1, different + 1))
    problem = data["problem"]
    assert len(problem["choices"]) == len(prepared.table)
    for solution in data["solutions"]:
        parts = sorted(placed["part"] for placed in solution["placements"])
        assert parts == sorted(part.name for part in prepared.puzzle.parts)
        assert sorted(problem["choices"][k - 1].split()[0] for k in solution["choices"]) == parts
        held = [item for k in solution["choices"] for item in problem["options"][problem["choice"].index(k)]]
        assert sorted(held) == list(range(len(problem["items"])))


def test_a_search_that_is_broken_off_says_so() -> None:
    prepared = prepare(load("pent-10x6"), FULL)
    asked: list[bool] = []

    def cancelled() -> bool:
        asked.append(True)
        return len(asked) > 3

    data = json.loads(with_solutions(prepared, cancelled))
    assert data["summary"]["complete"] is False
    assert data["summary"]["total"] == len(data["solutions"])
    assert len(data["solutions"]) < 9356


@cases(15, problem=either_problem)
def test_json_of_a_bare_problem_has_its_covers(problem: CoverProblem) -> None:
    data = json.loads(with_solutions(named(problem)))
    assert data["puzzle"] is None
    assert {tuple(k - 1 for k in cover["choices"]) for cover in data["solutions"]} == covers(problem)


# SciPy.


def test_scipy_reads_and_writes_the_matrix(tmp_path: Path) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    prepared = prepare(load("pent-20x3"), FULL)
    path = tmp_path / "file.npz"
    path.write_bytes(written(prepared, "npz"))
    matrix = sparse.load_npz(path)
    problem = prepared.problem
    assert matrix.shape == (problem.n_options, problem.n_items)
    assert np.array_equal(matrix.indices, problem.option_items)
    assert np.array_equal(matrix.indptr, problem.option_starts)
    assert (matrix.data == 1).all()
    sparse.save_npz(path, matrix.astype(float))
    again = load_subject(str(path))
    assert_same(problem, again.problem, geometry=False)
    assert run(again, create("dlx")).total == 8


def test_rows_of_scipy_need_no_order(tmp_path: Path) -> None:
    path = tmp_path / "file.npz"
    np.savez(path, format="csr", shape=[2, 3], data=[True] * 3, indices=[2, 0, 1], indptr=[0, 2, 3])
    problem = load_subject(str(path)).problem
    assert problem.option_items.tolist() == [0, 2, 1]
    assert set(covers(problem)) == {(0, 1)}


# Files that are not what they say.


def arrays(**changes: Any) -> dict[str, Any]:
    sound = {"format": "csr", "shape": [2, 2], "data": [1, 1], "indices": [0, 1], "indptr": [0, 1, 2]}
    return {key: value for key, value in {**sound, **changes}.items() if value is not None}


UNSOUND_ARRAYS: dict[str, tuple[dict[str, Any], str]] = {
    "no shape": ({"shape": None}, "lacks shape"),
    "another form": ({"format": "csc"}, "save it as CSR"),
    "a shape below zero": ({"shape": [-1, 2]}, "below zero"),
    "entries besides 1": ({"data": [1, 2]}, "entries other than 1"),
    "too few entries": ({"data": [1]}, r"shape \(1,\), not \(2,\)"),
    "rows that do not fit": ({"indptr": [0, 2]}, r"shape \(2,\), not \(3,\)"),
    "rows that descend": ({"indptr": [0, 3, 2]}, "must ascend"),
    "an item too many": ({"indices": [0, 2]}, "does not exist"),
    "an item twice": ({"indices": [1, 1], "indptr": [0, 2, 2]}, "must ascend"),
    "objects": ({"data": np.array([{}, {}])}, "must not be of the type object"),
    "a matrix": ({"indices": [[0, 1]]}, "one dimension"),
    "bounds that descend": ({"low": [2, 2], "high": [1, 1]}, "0 <= low <= high"),
    "too many bounds": ({"low": [1, 1, 1], "high": [1, 1, 1]}, "has 3 entries, not 2"),
    "too few names": ({"items": ["a"]}, "names 1 items"),
    "equal names": ({"items": ["a", "a"]}, "name of its own"),
    "more cells than items": ({"n_cells": 3}, "more cells than items"),
    "colours without names": ({"option_colours": [1, 0], "low": [0, 0], "high": [1, 1]}, "colour that does not exist"),
    "too many options": ({"shape": [10**9, 2]}, "more than 100 options"),
    "too many items": ({"shape": [2, 10**9]}, "more than 50 items"),
    "too many entries": ({"indices": np.zeros(10**5, np.int32)}, "hold more than"),
}
SMALL = Bounds(cells=50, placements=100)


@pytest.mark.parametrize("what", UNSOUND_ARRAYS)
def test_unsound_arrays(what: str, tmp_path: Path) -> None:
    changes, reason = UNSOUND_ARRAYS[what]
    path = tmp_path / "file.npz"
    np.savez_compressed(path, **arrays(**changes))
    with pytest.raises(PuzzleFileError, match=f"file.npz: .*{reason}"):
        load_subject(str(path), SMALL)


def member(shape: tuple[int, ...], dtype: str = "<i4", data: bytes = b"") -> bytes:
    """An array's bytes, whose header may lie."""
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, {"descr": dtype, "fortran_order": False, "shape": shape})
    return buffer.getvalue() + data


LIES: dict[str, tuple[Callable[[], dict[str, bytes]], str]] = {
    "more than there is": (lambda: {"data": member((2,), data=b"1234")}, "not as long as it says"),
    "much more": (lambda: {"indices": member((10**15,))}, "hold more than"),
    "a wide type": (lambda: {"format": member((), "|S1000000000")}, "must not be of the type"),
    "wide names": (lambda: {"items": member((2,), "<U90000000")}, "must not be of the type"),
    "a bomb": (lambda: {"low": member((2,)) + b"\0" * 10**8}, "not as long as it says"),
    "no array": (lambda: {"shape": b"\0" * 100}, "cannot be read"),
    "a pickle": (lambda: {"shape": b"\x80\x04N."}, "cannot be read"),
    "a header without end": (lambda: {"shape": b"\x93NUMPY\x01\0\xff\xff{"}, "cannot be read"),
}


@pytest.mark.parametrize("what", LIES)
def test_archives_that_lie(what: str, tmp_path: Path) -> None:
    lies, reason = LIES[what]
    path = tmp_path / "file.npz"
    np.savez(path, **arrays())
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    members |= {f"{name}.npy": raw for name, raw in lies().items()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in members.items():
            archive.writestr(name, raw)
    with pytest.raises(PuzzleFileError, match=reason):
        load_subject(str(path), SMALL)


def test_archives_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "file.npz"
    np.savez(path, **arrays())
    whole = path.read_bytes()
    for raw in (
        b"",
        b"PK\x03\x04",
        whole[: len(whole) // 2],
        whole[:60] + b"\xff" * 20 + whole[80:],
        b"PK\x05\x06" + b"\xff" * 18,
    ):
        path.write_bytes(raw)
        with pytest.raises(PuzzleFileError):
            load_subject(str(path))
    for place in (tmp_path, tmp_path / "none.npz"):
        with pytest.raises(PuzzleFileError):
            load_subject(str(place))


UNSOUND_JSON = {
    "[]": "is not a JSON object",
    "{": r":1:2: is not valid JSON",
    "{}": "needs an object 'puzzle', or an object 'problem'",
    '{"puzzle": 3}': "needs an object 'puzzle'",
    '{"puzzle": {}}': "'lattice' is missing",
    '{"puzzle": {"name": "a", "lattice": "square", "region": {"box": [2, 2]}, "parts": []}}': "parts: a puzzle has",
    '{"puzzle": {"name": null, "lattice": "square"}}': "name: must be a text in quotes",
    '{"problem": {"items": ["a"], "options": [[NaN]]}}': "NaN is not a JSON number",
    '{"problem": {"items": "a", "options": []}}': r"problem\.items: must be a list",
    '{"problem": {"items": ["a", 3], "options": []}}': r"items\[1\]: must be a name",
    '{"problem": {"items": ["a", " "], "options": []}}': r"items\[1\]: must be a name",
    '{"problem": {"items": ["a"], "options": [0]}}': r"options\[0\]: must be a list of whole numbers",
    '{"problem": {"items": ["a"], "options": [[true]]}}': r"options\[0\]: must be a list of whole numbers",
    '{"problem": {"items": ["a"], "options": [[1.0]]}}': r"options\[0\]: must be a list of whole numbers",
    '{"problem": {"items": ["a"], "options": [[99999999999999999999]]}}': r"options\[0\]: must be a list of whole",
    '{"problem": {"items": ["a"], "options": [[1]]}}': "does not exist",
    '{"problem": {"items": ["a"], "options": [[0, 0]]}}': "must ascend",
    '{"problem": {"items": ["a"], "options": [[0]], "low": [2], "high": [1]}}': "0 <= low <= high",
    '{"problem": {"items": ["a"], "options": [[0]], "low": [1, 1]}}': "the same length",
    '{"problem": {"items": ["a"], "options": [[0]], "cells": 2}}': "'cells' must say",
    '{"problem": {"items": ["a"], "options": [[0]], "option_colours": [[1, 1]]}}': "an entry for each entry",
    '{"problem": {"items": ["a"], "options": [[0]], "option_colours": [[1]]}}': "colour that does not exist",
    '{"problem": {"items": ["a", "a"], "options": []}}': "name of its own",
    '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}": "nested too deeply",
    '{"a": ' + "9" * 10_000 + "}": "is not valid JSON",
}


@pytest.mark.parametrize("text", UNSOUND_JSON, ids=lambda text: text[:60])
def test_unsound_json(text: str, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PuzzleFileError, match=f"file.json.*{UNSOUND_JSON[text]}"):
        load_subject(str(path))


def test_files_of_bare_problems_where_a_puzzle_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(written(named(cover_problem([[0]], [(1, 1)])), "json"))
    assert isinstance(load_subject(str(path)), NamedProblem)
    with pytest.raises(PuzzleFileError, match="without a puzzle"):
        load(str(path))
    with pytest.raises(PuzzleError, match="has no problem '2'"):
        load_subject(str(path), problem="2")


# Size.


def test_a_million_clauses_are_never_held(tmp_path: Path) -> None:
    """The pieces are small, however large the file."""
    data = exported(prepare(load("pent-5x4x3"), FULL))
    sizes = [len(piece) for piece in WRITTEN["dimacs"].write(data)]
    assert sum(sizes) > 15_000_000
    assert max(sizes) < 600_000


@pytest.mark.parametrize("form", ["dlx", "opb", "minizinc", "json"])
def test_large_exports_come_in_pieces(form: str) -> None:
    data: Exported = exported(prepare(load("bedlam"), FULL))
    sizes = [len(piece) for piece in WRITTEN[form].write(data)]
    assert max(sizes) < 1_000_000
