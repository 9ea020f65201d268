"""Stranding: it prunes, loses no solution, and is refused where it proves nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from latcover.backends import create
from latcover.core.cover.backend import collect
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import SearchTask
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.puzzle import Puzzle
from latcover.core.solving.run import run
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load
from tests.dice import TIMES, cases
from tests.oracle import coloured_problem, cover_problem, covers
from tests.random_puzzles import puzzles

MODES = ("rows", "anchor", "sums")
BACKENDS = (("dlx", True), ("dlx", False), ("backtrack", True), ("backtrack", False))


def line(cells: int, options: list[list[int]], bounds: list[tuple[int, int]], parts: list[int]) -> CoverProblem:
    """Cells in a row, each beside the next; the items after them are parts of these sizes, then what else there is."""
    plain = cover_problem(options, bounds)
    beside = [[other for other in (cell - 1, cell + 1) if 0 <= other < cells] for cell in range(cells)]
    return CoverProblem(
        plain.option_starts,
        plain.option_items,
        plain.low,
        plain.high,
        cells,
        np.array(parts, np.int32),
        np.cumsum([0, *map(len, beside)], dtype=np.int64),
        np.array([other for row in beside for other in row], np.int32),
    )


@pytest.mark.parametrize("lattice", ["square", "triangular", "cubic"])
@pytest.mark.parametrize("periodic", [False, True])
def test_no_solution_is_lost(lattice: str, periodic: bool) -> None:
    pruned = 0

    @cases(26, puzzle=puzzles(lattice, periodic=periodic))
    def check(puzzle: Puzzle) -> None:
        nonlocal pruned
        problem = prepare(puzzle, Choices("none")).problem
        expected = set(collect(create("dlx"), problem))
        for name, size in BACKENDS:
            plain = create(name, size=size).search(SearchTask(problem, lambda _: True)).figures.branches or 0
            for mode in MODES:
                found: list[tuple[int, ...]] = []
                backend = create(name, size=size, strand=mode)
                try:
                    found = collect(backend, problem)
                except UnsupportedError:
                    if not puzzle.region.optional.any():
                        raise  # all parts are connected
                    continue
                assert len(found) == len(set(found))
                assert set(found) == expected
                branches = backend.search(SearchTask(problem, lambda _: True)).figures.branches or 0
                assert branches <= plain
                pruned += branches < plain

    check()
    assert pruned > 20


@st.composite
def coloured_lines(draw: st.DrawFn) -> CoverProblem:
    """Up to six cells in a row, two parts of which one is held in colours, and another item that is."""
    cells = draw(st.integers(3, 6))
    parts: list[dict[int, int]] = [{}, {cells: 0}, {cells: 1}, {cells: 2}, {cells + 1: 0}]
    options = []
    for _ in range(draw(st.integers(4, 10))):
        start = draw(st.integers(0, cells - 1))
        covered = range(start, min(cells, start + draw(st.integers(1, 3))))
        beside = draw(st.sampled_from([{}, {}, {cells + 2: 1}, {cells + 2: 2}]))
        options.append(dict.fromkeys(covered, 0) | draw(st.sampled_from(parts)) | beside)
    bounds = [(1, 1)] * cells + [(0, 1), (0, 2), (0, 1)]
    plain = line(cells, [sorted(option) for option in options], bounds, [3, 2])
    return replace(plain, option_colours=coloured_problem(options, bounds).option_colours)


def test_colours_of_parts_and_others_lose_no_cover() -> None:
    pruned = 0

    @settings(max_examples=250 * TIMES["as many"])
    @given(problem=coloured_lines())
    def check(problem: CoverProblem) -> None:
        nonlocal pruned
        expected, task = covers(problem), SearchTask(problem, lambda _: True)
        for size in (True, False):
            plain = create("dlx", size=size).search(task).figures.branches or 0
            for mode in MODES:
                backend = create("dlx", size=size, strand=mode)
                found = collect(backend, problem)
                assert len(found) == len(set(found))
                assert set(found) == expected
                branches = backend.search(task).figures.branches or 0
                assert branches <= plain
                pruned += branches < plain

    check()
    assert pruned > 5 * TIMES["as many"]


@pytest.mark.parametrize(
    ("name", "order", "anchor", "rows_and_size"),
    [
        ("pent-8x8-minus-2x2", None, 1_523_328, 81_880),
        ("pent-10x3x2", (0, 2, 1), 861_525, None),
    ],
)
def test_branches_come_near_the_papers(
    name: str, order: tuple[int, ...] | None, anchor: int, rows_and_size: int | None
) -> None:
    prepared = prepare(load(name), Choices(reduction="paper", pivot="F", order=order))
    assert run(prepared, create("backtrack", strand="anchor")).branches == pytest.approx(anchor, rel=0.02)
    if rows_and_size:
        assert run(prepared, create("dlx", strand="rows")).branches == pytest.approx(rows_and_size, rel=0.02)


@pytest.mark.parametrize(
    "name",
    [
        *("pent-10x3x2", "soma", "hex-prisms", "sphere-pyramid", "tangram-square"),
        pytest.param("pent-stairs", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_real_puzzles_keep_their_solutions(name: str, mode: str) -> None:
    prepared = prepare(load(name))
    plain, pruned = run(prepared, create("dlx")), run(prepared, create("dlx", strand=mode))
    assert (pruned.different, pruned.total) == (plain.different, plain.total)


def both(problem: CoverProblem, strand: str) -> tuple[list[tuple[int, ...]], int, int]:
    """The covers, and the least and the most options that were refused."""
    refused, found = [], []
    for name, size in BACKENDS:
        backend = create(name, size=size, strand=strand)
        found = sorted(collect(backend, problem))
        refused.append(backend.search(SearchTask(problem, lambda _: True)).figures.native["stranded"])
    return found, min(refused), max(refused)


@pytest.mark.parametrize("name", ["dlx", "backtrack"])
def test_what_is_refused_is_counted_and_is_no_branch(name: str) -> None:
    # in a row of six, parts of 2 and 4: the 2 must stand at an end
    options = [[c, c + 1, 6] for c in range(5)] + [[c, c + 1, c + 2, c + 3, 7] for c in range(3)]
    problem = line(6, options, [(1, 1)] * 8, [2, 4])
    expected = {"no": (8 - 2 - 1, None), "anchor": (4, 1), "sums": (4, 1)}
    for strand, (_, stranded) in expected.items():
        backend = create(name, size=False, strand=strand)
        statistics = backend.search(SearchTask(problem, lambda _: True)).figures
        assert sorted(collect(backend, problem)) == [(0, 7), (4, 5)]
        assert statistics.native.get("stranded") == stranded or stranded


def test_sums_see_what_the_smallest_part_does_not() -> None:
    # after the 4 in a row of ten six cells are left, and no sum of 3, 5 and 7 is six
    sizes = [3, 4, 5, 7]
    options = [[*range(c, c + size), 10 + k] for k, size in enumerate(sizes) for c in range(11 - size)]
    problem = line(10, options, [(1, 1)] * 10 + [(0, 1)] * 4, sizes)
    for name, size in BACKENDS:
        tried = {}
        for mode in ("no", "anchor", "sums"):
            backend = create(name, size=size, strand=mode)
            assert [len(cover) for cover in collect(backend, problem)] == [2, 2]
            tried[mode] = backend.search(SearchTask(problem, lambda _: True)).figures.branches or 0
        assert tried["sums"] < tried["no"]
        assert size or tried["sums"] < tried["anchor"] < tried["no"]


def test_parts_that_nothing_limits_are_always_left() -> None:
    singles = [[c] for c in range(5)]
    pairs = [[c, c + 1] for c in range(4)]
    problem = line(5, sorted(singles + pairs), [(1, 1)] * 5, [])
    for mode in MODES:
        found, _, most = both(problem, mode)
        assert len(found) == 8
        assert most == 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["dlx", "backtrack"])
def test_stranding_is_refused_where_it_proves_nothing(name: str, mode: str) -> None:
    backend = create(name, strand=mode)
    across_optional = line(3, [[0, 1, 2]], [(1, 1), (0, 1), (1, 1)], [])
    with pytest.raises(UnsupportedError, match=r"not connected to one another .optional cells between them"):
        collect(backend, across_optional)
    in_pieces = line(3, [[0, 2], [1]], [(1, 1)] * 3, [])
    with pytest.raises(UnsupportedError, match="a part in pieces"):
        collect(backend, in_pieces)
    no_cells = cover_problem([[0]], [(1, 1)])
    with pytest.raises(UnsupportedError, match="needs cells"):
        collect(backend, no_cells)
    at_the_edge = line(3, [[0, 1], [2], [1, 2]], [(0, 1), (1, 1), (1, 1)], [])
    assert sorted(collect(backend, at_the_edge)) == [(0, 1), (2,)]


@settings(max_examples=70)
@given(data=st.data())
def test_rows_of_cells_with_any_bounds(data: st.DataObject) -> None:
    cells = data.draw(st.integers(1, 7))
    bounds = [data.draw(st.sampled_from([(1, 1), (1, 1), (1, 1), (0, 1), (0, 0)])) for _ in range(cells)]
    parts = data.draw(
        st.lists(st.tuples(st.integers(1, 4), st.sampled_from([(1, 1), (0, 1), (0, 2), (2, 3)])), max_size=3)
    )
    free = data.draw(st.lists(st.integers(1, 3), max_size=1))
    options = [
        [*range(start, start + size), *([cells + number] if number < len(parts) else [])]
        for number, size in enumerate([*(size for size, _ in parts), *free])
        for start in range(cells - size + 1)
    ]
    problem = line(cells, options, bounds + [bound for _, bound in parts], [size for size, _ in parts])
    expected = set(collect(create("dlx"), problem))
    for name, size in BACKENDS:
        for mode in MODES:
            try:
                assert set(collect(create(name, size=size, strand=mode), problem)) == expected
            except UnsupportedError:
                if (0, 1) not in bounds:
                    raise
