"""Perfect matchings by a determinant: the numbers of the frontier, of formulas, and of Burnside's lemma."""

from __future__ import annotations

import itertools
from fractions import Fraction
from importlib.util import find_spec
from math import prod
from typing import Any

import pytest

from latcover.backends import kasteleyn
from latcover.backends.frontier import count_covers
from latcover.backends.kasteleyn import MatchingCounter
from latcover.core.cover.counter import Budget, CountTask
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.encoding.symmetry import SYMMETRIES
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.request_values import SymmetryChoice
from latcover.core.solving.count import count_prepared
from latcover.errors import BackendUnavailableError, TooLargeError, UnsupportedError
from latcover.files.formats.library import load, load_lattice
from tests.dice import Dice, cases
from tests.oracle import cover_problem
from tests.random_puzzles import box, make_part, make_puzzle
from tests.small_problems import DOMINO, board, dominoes, perfect_matchings, without_corners

for library in ("flint", "networkx"):  # found here, and loaded by the tests: every process collects this file
    if find_spec(library) is None:
        pytest.skip(f"needs {library}", allow_module_level=True)


def graph_problem(cells: set[tuple[int, ...]], steps: list[tuple[int, int]]) -> CoverProblem:
    """The cells of the plane, and an option for any two that are one of these steps apart."""
    number = {cell: k for k, cell in enumerate(sorted(cells))}
    options = [
        [number[cell], number[other]]
        for cell in number
        for s in steps
        if (other := (cell[0] + s[0], cell[1] + s[1])) in number
    ]
    return cover_problem(sorted(map(sorted, options)), [(1, 1)] * len(number))


def counted(problem: CoverProblem, *limits: Any, **more: Any) -> SearchResult:
    """What the counter says of *problem*."""
    return MatchingCounter().count(CountTask(problem, *limits, **more))


@pytest.mark.parametrize("rows", range(1, 9))
def test_boards(rows: int) -> None:
    for columns in range(1, 9):
        assert counted(dominoes(rows, columns)).covers == round(perfect_matchings(rows, columns)) * (
            rows * columns % 2 == 0
        )


@pytest.mark.parametrize(
    "size", [10, pytest.param(12, marks=pytest.mark.long), pytest.param(14, marks=pytest.mark.long)]
)
def test_the_frontier_agrees(size: int) -> None:
    assert counted(dominoes(size, size)).covers == count_covers(CountTask(dominoes(size, size))).covers
    assert counted(without_corners(dominoes(size, size))).covers == 0


def test_a_large_board() -> None:
    """To as many digits as floating-point numbers have; the frontier would take hours."""
    covers = counted(dominoes(30, 30)).covers
    assert covers is not None
    assert abs(covers / perfect_matchings(30, 30) - 1) < 1e-9


@pytest.mark.parametrize("n", [1, 2, 3, 6, 10])
def test_aztec_diamonds(n: int) -> None:
    """2^(n(n+1)/2), by Elkies, Kuperberg, Larsen and Propp (1992)."""
    cells = {(r, c) for r in range(-n, n) for c in range(-n, n) if abs(r + 0.5) + abs(c + 0.5) <= n}
    assert counted(graph_problem(cells, [(0, 1), (1, 0)])).covers == 2 ** (n * (n + 1) // 2)


def planar(dice: Dice) -> CoverProblem:
    """A random region of squares, hexagons or triangles, with holes and in pieces; some cells need no domino."""
    rows, columns = dice.between(1, 5), dice.between(2, 5)
    cells = {(r, c) for r in range(rows) for c in range(columns) if dice.chance(85)}
    kind = dice.pick(("square", "hexagonal", "triangular"))
    steps = {"square": [(0, 1), (1, 0)], "hexagonal": [(0, 1), (1, 0), (1, -1)], "triangular": [(0, 1), (1, 0)]}[kind]
    number = {cell: k for k, cell in enumerate(sorted(cells))}
    options = [
        [number[cell], number[cell[0] + s[0], cell[1] + s[1]]]
        for cell in number
        for s in steps
        if (cell[0] + s[0], cell[1] + s[1]) in number and (kind != "triangular" or s == (0, 1) or sum(cell) % 2)
        for _ in range(2 if dice.chance(10) else 1)
    ]
    on_edge = [number[cell] for cell in number if cell[0] == 0]
    options += [[cell] for cell in on_edge if dice.chance(30)]
    optional = {cell for cell in on_edge if dice.chance(20)}
    return cover_problem(options, [(0 if k in optional else 1, 1) for k in range(len(number))])


@cases(75, problem=planar)
def test_random_regions(problem: CoverProblem) -> None:
    try:
        found = counted(problem)
    except UnsupportedError as fault:
        assert "one face" in str(fault)  # noqa: PT017 - an optional cell within another piece's hole
        return
    assert found.covers == count_covers(CountTask(problem)).covers


@pytest.mark.parametrize(("a", "b", "c"), [(1, 1, 1), (2, 2, 2), (2, 3, 4)])
def test_lozenges_of_a_hexagon(a: int, b: int, c: int) -> None:
    """MacMahon's number of plane partitions in a box. Of each rhombus of the lattice, triangle 1 is the far half."""
    cells = {
        (x, y, far) for x in range(a + b) for y in range(a + c) for far in (0, 1) if a - far <= x + y < a + b + c - far
    }
    number = {cell: k for k, cell in enumerate(sorted(cells))}
    options = [
        [number[x, y, 0], number[beside]]
        for x, y, far in number
        for beside in [(x, y, 1), (x - 1, y, 1), (x, y - 1, 1)]
        if far == 0 and beside in number
    ]
    box_of = itertools.product(range(1, a + 1), range(1, b + 1), range(1, c + 1))
    expected = prod((Fraction(sum(ijk) - 1, sum(ijk) - 2) for ijk in box_of), start=Fraction(1))
    problem = cover_problem(sorted(map(sorted, options)), [(1, 1)] * len(number))
    assert counted(problem).covers == expected


@pytest.mark.parametrize("which", SYMMETRIES)
@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (6, 6), (3, 8), (5, 6), (8, 8)])
def test_different_tilings(rows: int, columns: int, which: SymmetryChoice) -> None:
    prepared = prepare(board(rows, columns, DOMINO), Choices(which))
    by_frontier = count_prepared(prepared, method="frontier")
    found = count_prepared(prepared, method="kasteleyn")
    assert (found.method, found.different, found.total) == ("kasteleyn", by_frontier.different, by_frontier.total)


@pytest.mark.parametrize("lattice", ["hexagonal", "triangular"])
def test_other_lattices(lattice: str) -> None:
    puzzle = two_cells(lattice)
    prepared = prepare(puzzle)
    assert count_prepared(prepared, method="kasteleyn").total == count_prepared(prepared, method="frontier").total > 0


def two_cells(lattice: str) -> Puzzle:
    """A box of this lattice for any number of parts of two cells."""
    kind = load_lattice(lattice)
    cells = {"hexagonal": [(0, 0, 0), (0, 0, 1)], "triangular": [(0, 0, 0), (1, 0, 0)]}[lattice]
    part = make_part("two", cells, kind.allowed("reflections"), 0, None)
    return make_puzzle(box(kind, (4, 3)), [part])


@pytest.mark.long
def test_auto_takes_it_for_wide_boards() -> None:
    answer = count_prepared(prepare(board(22, 22, DOMINO)))
    assert (answer.method, answer.complete) == ("kasteleyn", True)
    assert answer.total == count_prepared(prepare(board(22, 22, DOMINO), Choices("none")), method="kasteleyn").total
    assert count_prepared(prepare(board(8, 8, DOMINO))).method == "frontier"


def test_where_it_does_not_apply() -> None:
    complete = cover_problem([[a, b] for a in range(6) for b in range(a)], [(1, 1)] * 6)
    for problem, why in [
        (cover_problem([[0, 1, 2]], [(1, 1)] * 3), None),
        (cover_problem([[0, 1, 2], [0, 1], [2, 3], [1, 3]], [(1, 1)] * 4), "covers 3"),
        (cover_problem([[0, 1]], [(1, 1), (1, 2)]), "used once, or any number"),
        (complete, "no planar graph"),
    ]:
        if why is None:
            assert counted(problem).covers == 1  # three cells with the same option count as one
            continue
        with pytest.raises(UnsupportedError, match=why):
            counted(problem)
    inner = dominoes(5, 5)
    options = [inner.items_of(o).tolist() for o in range(inner.n_options)]
    everywhere = cover_problem([*options, *([cell] for cell in range(25))], [(1, 1)] * 25)
    with pytest.raises(UnsupportedError, match="do not lie around one face"):
        counted(everywhere)
    with pytest.raises(UnsupportedError, match=r"covers 3.*--method enumeration"):
        count_prepared(prepare(board(3, 4, [(0, 0, 0), (0, 0, 1), (0, 1, 0)])), method="kasteleyn")
    with pytest.raises(UnsupportedError, match=r"used once, or any number|covers"):
        count_prepared(prepare(load("soma")), method="kasteleyn")


def test_limits() -> None:
    assert counted(dominoes(10, 10), Limits(seconds=0)).stop is Stop.TIME_LIMIT
    assert counted(dominoes(10, 10), Limits(), lambda _: False).stop is Stop.CANCELLED
    with pytest.raises(TooLargeError):
        counted(dominoes(40, 40), budget=Budget(1000))
    answer = count_prepared(prepare(board(40, 40, DOMINO)), limits=Limits(seconds=0), method="kasteleyn")
    assert answer.headline().endswith("number of solutions not known (cut short: time limit)")


def test_without_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr("latcover.system.extras.import_module", missing)
    with pytest.raises(BackendUnavailableError, match=r"networkx.*install with: pip install"):
        counted(dominoes(4, 4))
    monkeypatch.setattr(kasteleyn, "find_spec", lambda _: None)
    assert not kasteleyn.is_installed()
