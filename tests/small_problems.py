"""Small cover problems and puzzles that many tests ask about."""

from __future__ import annotations

from math import cos, pi, prod

from latcover.core.cover.problem import CoverProblem
from latcover.core.model.puzzle import Puzzle
from latcover.files.formats.library import load_lattice
from tests.oracle import cover_problem
from tests.random_puzzles import box, make_part, make_puzzle

SQUARE = load_lattice("square")


def dominoes(rows: int, columns: int) -> CoverProblem:
    """A board to be covered with dominoes."""
    across = [[r * columns + c, r * columns + c + 1] for r in range(rows) for c in range(columns - 1)]
    down = [[r * columns + c, (r + 1) * columns + c] for r in range(rows - 1) for c in range(columns)]
    return cover_problem(sorted(across + down), [(1, 1)] * (rows * columns))


def without_corners(problem: CoverProblem) -> CoverProblem:
    """A board whose first and last cell, of one colour, are not to be covered: it has no cover."""
    bounds = [(1, 1)] * problem.n_items
    bounds[0] = bounds[-1] = (0, 0)
    return cover_problem([problem.items_of(option).tolist() for option in range(problem.n_options)], bounds)


def langford(n: int) -> CoverProblem:
    """Two of each number 1 to n in a row, with as many places between them as the number says."""
    options = [[n - d, n + k, n + k + d + 1] for d in range(n, 0, -1) for k in range(2 * n - d - 1)]
    return cover_problem(options, [(1, 1)] * (3 * n))


def pigeons(n: int) -> CoverProblem:
    """n + 1 pigeons for n holes: no cover, which takes a solver of clauses long to find out."""
    holes = [[pigeon, n + 1 + hole] for pigeon in range(n + 1) for hole in range(n)]
    return cover_problem(holes, [(1, 1)] * (n + 1) + [(0, 1)] * n)


ENDLESS = dominoes(14, 14)  # some 10^18 covers
HOPELESS = without_corners(ENDLESS)  # none, which takes as long to find out
SMALL = dominoes(4, 6)  # 281 covers


def board(rows: int, columns: int, cells: list[tuple[int, ...]]) -> Puzzle:
    """A box for any number of copies of one part."""
    part = make_part("part", cells, SQUARE.allowed("reflections"), 0, None)
    return make_puzzle(box(SQUARE, (rows, columns)), [part])


DOMINO = [(0, 0, 0), (0, 0, 1)]
TROMINO = [(0, 0, 0), (0, 0, 1), (0, 1, 0)]


def perfect_matchings(rows: int, columns: int) -> int:
    """How many ways there are to cover a board with dominoes (Kasteleyn 1961)."""
    factors = [
        4 * cos(pi * r / (rows + 1)) ** 2 + 4 * cos(pi * c / (columns + 1)) ** 2
        for r in range(1, (rows + 1) // 2 + 1)
        for c in range(1, (columns + 1) // 2 + 1)
    ]
    return round(prod(factors))
