"""Each form in which problems are written says what the problem says: every value of its variables is tried."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latcover.backends import create
from latcover.core.cover.clauses import NATIVE, Encoder
from latcover.core.cover.problem import CoverProblem
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.puzzle import Puzzle
from latcover.core.solving.run import run
from latcover.errors import UnsupportedError
from latcover.files.exchange.written_solutions import searched_solutions
from latcover.files.formats.cover_problems.exported import Exported, exported
from latcover.files.formats.forms import WRITTEN, WriteOptions, form_to_write
from latcover.files.formats.library import load
from tests.dice import cases
from tests.files.formats.written import FULL, GAPS, IN_CLAUSES, any_puzzle, named, own, written
from tests.oracle import Cover, coloured_problem, cover_problem, covers, either_problem, given
from tests.puzzle_oracle import plain, solutions
from tests.shipped import rest_long


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


@pytest.mark.parametrize("encoding", IN_CLAUSES)
def test_clauses_say_what_the_problem_says(encoding: str) -> None:
    @cases(10, problem=given(either_problem))
    def compare(problem: CoverProblem) -> None:
        cnf = Cnf(written(named(problem), "dimacs", WriteOptions(encoding=encoding)))
        found = cnf.models(problem.n_options)
        assert len(found) == len(set(found))
        assert set(found) == covers(problem)

    compare()


@cases(25, problem=given(either_problem))
def test_pseudo_boolean_constraints_say_what_the_problem_says(problem: CoverProblem) -> None:
    assert of_opb(written(named(problem), "opb"), problem.n_options) == covers(problem)


@cases(6, problem=given(either_problem))
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
    from latcover.core.model.solution import Solution

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
        written(named(coloured_problem([{0: 1}], [(0, 1)])), "dlx")
    assert written(named(cover_problem([], [(0, 1)])), "dlx").endswith(b"\n0:1|item0\n")  # not "| item0", a comment


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
