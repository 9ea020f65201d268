"""Cylinders and tori whose vectors lead along no axis, against counts that share nothing with latcover."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from latcover.backends import create
from latcover.core.encoding.prepared import prepare
from latcover.core.model.connected_shapes import shapes
from latcover.core.model.lattice import Lattice
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Puzzle, Region
from latcover.core.solving.run import run
from latcover.errors import InputError
from latcover.files.formats.library import load, load_lattice, loads
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
SIZES = {"square": 3, "triangular": 3, "hexagonal": 2}
TORI = ([[3, 1], [0, 2]], [[2, 1], [-2, 5]], [[1, 5], [0, 6]], [[3, 1], [-3, 3]], [[2, 2], [-1, 2]], [[4, 1], [0, 3]])
HEAD = 'name = "torus"\nlattice = "{}"\nregion = {{ period = {} }}\n'


def torus_for(lattice: Lattice, vectors: list[list[int]], cells: npt.NDArray[np.int32]) -> Puzzle:
    """The whole torus, and a part that may be used as often as wanted."""
    written = [list(lattice.written(cell)) for cell in cells.tolist()]
    part = f'[[parts]]\nname = "part"\ncells = {json.dumps(written)}\ncount = "unlimited"\n'
    return loads(HEAD.format(lattice.name, vectors) + part)


def total(puzzle: Puzzle) -> int:
    return run(prepare(puzzle), create("dlx"), images=True).total


def classes(lattice: Lattice, vectors: list[list[int]]) -> dict[tuple[int, ...], int]:
    """The cells of a window about the origin, each with the number of its class: equal ones differ by the vectors."""
    (a, b), (c, d) = vectors
    n = abs(a * d - b * c)  # a vector is a sum of the two if Cramer's rule gives whole numbers
    units = [*product(range(-9, 10), repeat=2)]
    key = {(x, y): ((x * d - y * c) % n, (y * a - x * b) % n) for x, y in units}
    kinds = sorted(set(key.values()))
    return {(u, *at): u * len(kinds) + kinds.index(key[at]) for u in range(len(lattice.nodes)) for at in units}


def covers(n: int, sets: set[frozenset[int]]) -> int:
    """How many of the *sets* together hold each of n numbers once."""
    by_least = [[s for s in sets if min(s) == k] for k in range(n)]

    def ways(free: frozenset[int]) -> int:
        return sum(ways(free - s) for s in by_least[min(free)] if s <= free) if free else 1

    return ways(frozenset(range(n)))


def images(lattice: Lattice, cells: npt.NDArray[np.int32], number: dict[tuple[int, ...], int]) -> set[frozenset[int]]:
    """The classes that images of *cells* cover, of those that do not overlap themselves."""
    found = set()
    for motion in lattice.transformations:
        image = motion.apply(cells)
        for x, y in product(range(-4, 5), repeat=2):
            own = [number.get((node, a + x, b + y), -1) for node, a, b in image.tolist()]
            if -1 not in own and len(set(own)) == len(own):
                found.add(frozenset(own))
    return found


@pytest.mark.parametrize("vectors", TORI)
@pytest.mark.parametrize("name", SIZES)
def test_counts_are_those_of_brute_force(name: str, vectors: list[list[int]]) -> None:
    lattice = load_lattice(name)
    number = classes(lattice, vectors)
    n = len(set(number.values()))
    for size in range(2, SIZES[name] + 1):
        for cells in shapes(lattice, size, lattice.transformations, 100):
            puzzle = torus_for(lattice, vectors, cells)
            assert len(puzzle.region.cells) == n
            assert total(puzzle) == covers(n, images(lattice, cells, number))


@pytest.mark.parametrize("vectors", [[[3, 1], [-1, 5]], [[4, 2], [1, 3]], [[2, 4], [-3, 1]]])
def test_dominoes_are_the_permanent_of_neighbours(vectors: list[list[int]]) -> None:
    assert all(sum(vector) % 2 == 0 for vector in vectors)  # so the torus is coloured like a chessboard
    lattice = load_lattice("square")
    number = classes(lattice, vectors)
    black, white = ({number[0, x, y] for _, x, y in number if (x + y) % 2 == k} for k in (0, 1))
    inner = [*product(range(-8, 9), repeat=2)]
    beside = {(number[0, x, y], number[0, x + i, y + j]) for x, y in inner for i, j in STEPS}
    rows = np.array([[(a, b) in beside for b in sorted(white)] for a in sorted(black)], np.int64)
    n = len(rows)
    chosen = [[s >> k & 1 == 1 for k in range(n)] for s in range(1 << n)]
    terms = [(-1) ** (n - sum(some)) * rows[:, some].sum(axis=1).prod() for some in chosen]
    domino = np.array([[0, 0, 0], [0, 0, 1]], np.int32)
    assert total(torus_for(lattice, vectors, domino)) == sum(terms)  # Ryser's formula


def test_another_basis_makes_no_difference() -> None:
    lattice = load_lattice("square")
    bar = np.array([[0, 0, 0], [0, 0, 1], [0, 0, 2]], np.int32)
    bases = ([[3, 0], [0, 4]], [[3, 4], [0, 4]], [[0, 4], [3, 0]], [[-3, 8], [3, -4]])
    answers = [run(prepare(torus_for(lattice, basis, bar)), create("dlx")) for basis in bases]
    assert len({(answer.total, answer.different) for answer in answers}) == 1
    assert torus_for(lattice, bases[2], bar).region.period.lengths() == (3, 4)


def test_the_box_of_a_straight_torus_is_the_whole_torus() -> None:
    lattice = load_lattice("triangular")
    bar = np.array([[0, 0, 0], [1, 0, 0]], np.int32)
    whole = torus_for(lattice, [[2, 0], [0, 3]], bar)
    part = '[[parts]]\nname = "part"\ncells = [[0, 0, "up"]]\ncount = 12\n'
    box = loads(HEAD.format("triangular", "[2, 3], box = [2, 3]") + part)
    assert sorted(whole.region.cells.tolist()) == sorted(box.region.cells.tolist())
    assert str(whole.region.period) == "[2, 3]"


FAULTS = {
    "[[1, 2], [2, 4]]": "depend on each other",
    "[[1, 2], [0, 1], [3, 3]]": "depend on each other",
    "[[0, 0]]": "depend on each other",
    "[[1, 2, 3]]": "2 whole numbers",
    "[[1, 2], 3]": "2 whole numbers",
    "[[1000000, 1], [1, 1000000]]": "bound",
    "[[99999, 99998], [99998, 99997]]": "long thin torus",
    "[[2, 1]]": "exactly one way",
}


@pytest.mark.parametrize("period", FAULTS)
def test_faulty_periods_are_told(period: str) -> None:
    with pytest.raises(InputError, match=FAULTS[period]):
        loads(HEAD.format("square", period) + '[[parts]]\nname = "part"\nart = "X"\n')


def test_a_skewed_torus_is_written_and_read_again() -> None:
    puzzle = load("torus-89")
    again = loads(puzzle_as_toml([puzzle]))
    assert again.region.period == puzzle.region.period == Period(2, ((8, 5), (-5, 8)))
    assert len(again.region.cells) == puzzle.region.period.volume == 89


@pytest.mark.parametrize(
    "given", [(4, 6), np.array([4, 6]), [[4, 0], [0, 6]], np.array([[4, 0], [0, 6]]), Period(2, ((4, 0), (0, 6)))]
)
def test_a_period_is_given_in_any_form(given: object) -> None:
    assert Region([[0, 0], [0, 1]], period=given).period.written() == [4, 6]  # type: ignore[arg-type]
