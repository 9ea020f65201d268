"""What is written and read back is the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends import create
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.solving.run import run
from latcover.errors import UnsupportedError
from latcover.files.exchange.written_solutions import searched_solutions
from latcover.files.formats.forms import WriteOptions
from latcover.files.formats.library import load, load_subject
from latcover.files.formats.puzzle_files.puzzle_file import read_puzzles
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_data, puzzle_as_toml
from latcover.files.formats.source import Source, shipped
from tests.dice import cases
from tests.files.formats.written import FULL, GAPS, any_puzzle, named, own, read_json, written
from tests.oracle import covers, either_problem, given
from tests.shipped import every_file


def assert_same(one: CoverProblem, other: CoverProblem, *, geometry: bool = True) -> None:
    fields = ["option_starts", "option_items", "low", "high", "option_colours"]
    if geometry:
        fields += ["part_sizes", "neighbour_starts", "neighbours"]
        assert one.n_cells == other.n_cells
    for field in fields:
        assert np.array_equal(getattr(one, field), getattr(other, field)), field


@cases(25, problem=given(either_problem))
def test_npz_and_json_give_the_same_problem(problem: CoverProblem, tmp_path: Path) -> None:
    before = named(problem)
    for form in ("npz", "json"):
        path = tmp_path / f"bare.{form}"
        path.write_bytes(written(before, form))
        after = load_subject(str(path))
        assert isinstance(after, NamedProblem)
        assert_same(problem, after.problem)
        assert (after.items, after.colours, after.name) == (before.items, before.colours, "bare")


@pytest.mark.parametrize("form", ["npz", "json", "dlx"])
def test_an_option_without_items_is_none(form: str, tmp_path: Path) -> None:
    """As for the programs of others: no form doubles the count by it, and each says that it leaves one out."""
    path = tmp_path / f"bare.{form}"
    if form == "npz":
        np.savez(path, format="csr", shape=[4, 2], data=[1, 1, 1, 1], indices=[0, 1, 0, 1], indptr=[0, 1, 1, 2, 4])
    elif form == "json":
        path.write_text(json.dumps({"problem": {"items": ["a", "b"], "options": [[0], [], [1], [0, 1]]}}))
    else:
        path.write_text("a b | c\na\nc\nb\na b\n")
    found = load_subject(str(path))
    assert isinstance(found, NamedProblem)
    assert run(found, create("dlx")).total == 2
    (warning,) = found.warnings
    assert "1 option without" in str(warning)


@cases(25, problem=given(either_problem))
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
    from latcover.files.formats.library import load_all

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


@cases(15, problem=given(either_problem))
def test_json_of_a_bare_problem_has_its_covers(problem: CoverProblem) -> None:
    data = json.loads(with_solutions(named(problem)))
    assert data["puzzle"] is None
    assert {tuple(k - 1 for k in cover["choices"]) for cover in data["solutions"]} == covers(problem)


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
