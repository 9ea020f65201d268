"""Tiles that match and may be used without limit, counted without a list: by the frontier and with a memo."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends import counting_race
from latcover.backends.frontier import FrontierCounter, Orders, count_covers, orders_of
from latcover.core.cover.counter import Budget, CountTask
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.simpler import depends_on_cells_alone, split
from latcover.core.cover.solver_registry import counter
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.encoding.symmetry import SYMMETRIES
from latcover.core.model.puzzle import Part, Puzzle, Rules
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.solving.count import count_prepared
from latcover.files.formats.library import load, load_lattice
from latcover.lab.asking.all_solutions import DiagramRequest, all_solutions
from tests import oracle
from tests.dice import Dice, cases
from tests.oracle import coloured_problem, covers
from tests.puzzle_oracle import TooLargeError, classes, each_solution, plain, symmetries
from tests.random_puzzles import Features, Ground, box, make_puzzle, random_puzzle
from tests.random_rules import matching_rules, side_rules

LATTICES = ("square", "triangular", "hexagonal", "cubic", "triprism")
BOXES = {2: ((1, 2), (2, 2), (1, 3), (1, 4), (2, 3), (3, 2), (1, 1)), 3: ((1, 1, 2), (1, 2, 2), (2, 1, 2), (3, 1, 1))}
MOST_CELLS = 6  # that brute force fills
SQUARE = load_lattice("square")

# In this order of the lattice's half-edges: east, west, north, south. See `tile`.
JEANDEL_RAO = ["2421", "2220", "1131", "1232", "3133", "0131", "0001", "3102", "0212", "1214", "3312"]


# Cover problems with colours


def held_once(dice: Dice) -> CoverProblem:
    """A random problem with colours whose items are held at most once."""
    problem = oracle.any_coloured_problem(dice)
    return replace(problem, low=np.minimum(problem.low, 1), high=np.minimum(problem.high, 1))


def with_orders(dice: Dice) -> tuple[CoverProblem, list[list[int]]]:
    problem = held_once(dice)
    return problem, [dice.shuffled(range(problem.n_items)) for _ in range(dice.between(1, 3))]


@cases(150, given=with_orders)
def test_the_frontier_counts_with_colours_what_brute_force_finds(given: tuple[CoverProblem, list[list[int]]]) -> None:
    problem, orders = given
    expected = len(covers(problem))
    for budget in (Budget(), Budget(0, 1 << 30)):
        found = count_covers(CountTask(problem, budget=budget), orders=Orders(np.array(orders, np.int32), 0))
        assert found.covers == expected
    some = orders_of(problem).items
    assert (np.sort(some, axis=1) == np.arange(problem.n_items)).all()
    for method in ("frontier", "memo"):
        assert counter(method).count(CountTask(problem)).covers == expected, method
    whole = split(problem)
    assert expected == whole.factor * np.prod([FrontierCounter().count(CountTask(p)).covers for p in whole.parts])


def many_colours(dice: Dice) -> CoverProblem:
    """A path of cells, each with an option for each of some pairs of colours left and right; some hold no colour."""
    n, colours = dice.between(2, 4), dice.between(1, 11)
    options: list[dict[int, int]] = []
    for cell in range(n):
        for _ in range(dice.between(1, 3)):
            sides = {n + side: dice.between(1, colours) for side in (cell - 1, cell) if 0 <= side < n - 1}
            options.append({cell: 0} | {item: colour for item, colour in sides.items() if dice.chance(80)})
    return coloured_problem(options, [(1, 1)] * n + [(0, 1)] * (n - 1))


@cases(60, problem=many_colours)
def test_items_may_have_many_colours(problem: CoverProblem) -> None:
    assert count_covers(CountTask(problem)).covers == len(covers(problem))


# Puzzles


def tile(lattice_labels: Sequence[str], values: Sequence[int], name: str) -> Part:
    """A tile of one cell, with a value on each side, in the order of the labels; 0 is none."""
    labels = [edge.label for edge in SQUARE.half_edges]
    sides = [(0, labels.index(label), value) for label, value in zip(lattice_labels, values, strict=True) if value]
    return Part(name, [(0, 0)], low=0, high=None, transformations="fixed", sides=np.array(sides, np.int32))


def random_tiles(dice: Dice) -> Puzzle:
    """Tiles of one cell on a board, a cylinder or a torus; cells may stay empty."""
    lattice = load_lattice(dice.pick(LATTICES))
    n_nodes = len(lattice.nodes)
    sizes = dice.pick([sizes for sizes in BOXES[lattice.dimension] if prod(sizes) * n_nodes <= MOST_CELLS])
    period = [size if size > 1 and dice.chance(40) else 0 for size in sizes]
    ground = box(lattice, sizes, period if any(period) else ())
    rules = matching_rules(dice) if dice.chance(70) else side_rules(dice)
    rules = replace(rules, exchangeable_values=(), rim=dice.below(len(rules.sides)) if dice.chance(15) else -1)
    turns = dice.chance(40)
    transformations = lattice.allowed("rotations" if turns else "fixed")
    parts = []
    for number in range(dice.between(1, 2) if turns else n_nodes * dice.between(2, 3)):
        node = number % n_nodes
        labels = [k for k, edge in enumerate(lattice.half_edges) if edge.node == node]
        sides = [(0, label, dice.pick([1, 2, 1, 0, 2])) for label in labels]
        own = np.array([row for row in sides if 0 < row[2] < len(rules.sides)], np.int32).reshape(-1, 3)
        cells = np.array([[node, *[0] * lattice.dimension]], np.int32)
        parts.append(Part(f"tile {number}", cells, np.zeros(1, np.int32), 0, None, transformations, own))
    optional = [cell for cell in ground.cells if dice.chance(40)] if dice.chance(40) else []
    return replace(make_puzzle(ground, parts, (), optional), rules=rules)


def random_boards(dice: Dice) -> Puzzle:
    """A region cut into parts with values, or with keys and locks."""
    matched = dice.chance(60)
    features = Features(
        matched=matched,
        sided=not matched,
        loose=dice.chance(25),
        periodic=dice.chance(25),
        painted=dice.chance(15),
        boundless=True,
    )
    return random_puzzle(dice, load_lattice(dice.pick(LATTICES)), features)


def counted(puzzle: Puzzle, symmetry: str, method: str) -> SearchResult | None:
    """The count by a method; None if it cannot count the puzzle. `race` is auto, with early turns of all methods."""
    prepared = prepare(puzzle, Choices(symmetry))  # type: ignore[arg-type]
    if prepared.must_list or not depends_on_cells_alone(prepared.problem):
        return None
    with pytest.MonkeyPatch.context() as patch:
        if method == "race":
            patch.setattr(counting_race, "FIRST_BRANCHES", 1)
            patch.setattr(counting_race, "WORTH_ORDERS", 0)
            patch.setattr(counting_race, "FIRST_WORK", 1)
        return count_prepared(prepared, method="auto" if method == "race" else method)


def compare_with_brute_force(puzzle: Puzzle) -> int:
    """How many counts agreed."""
    agreed = 0
    if len(puzzle.region.cells) > MOST_CELLS:
        return 0
    try:
        expected = set(each_solution(puzzle, patience=1_000))
    except TooLargeError:
        return 0
    if any(not complaint.warning for complaint in complaints_about(puzzle)):
        return 0
    for symmetry in SYMMETRIES:
        different = len(classes(expected, symmetries(puzzle, symmetry)))
        for method in ("frontier", "memo", "race"):
            found = counted(puzzle, symmetry, method)
            if found is not None:
                assert (found.different, found.total, found.complete) == (different, len(expected), True), method
                agreed += 1
    return agreed


agreeing = Multiset[str]()


@cases(12, puzzle=random_tiles)
def test_random_tiles_agree_with_brute_force(puzzle: Puzzle) -> None:
    agreeing["tiles"] += compare_with_brute_force(puzzle)


@cases(20, puzzle=random_boards)
def test_random_boards_agree_with_brute_force(puzzle: Puzzle) -> None:
    agreeing["boards"] += compare_with_brute_force(puzzle)


def test_the_random_puzzles_were_counted() -> None:
    """Both kinds were, many times."""
    if agreeing:
        assert all(number > 20 for number in agreeing.values())


@cases(6, puzzle=random_tiles)
def test_all_solutions_of_random_tiles_are_known_without_a_list(puzzle: Puzzle) -> None:
    try:
        expected = set(each_solution(puzzle, patience=300))
    except TooLargeError:
        return
    if prepare(puzzle, Choices("none")).must_list or any(not each.warning for each in complaints_about(puzzle)):
        return
    every = all_solutions(puzzle, DiagramRequest(method="frontier"))
    assert every.total == len(expected)
    assert {plain(solution) for solution in every.nth(*range(1, every.total + 1))} == expected


# Ice


def ice_on_torus(rows: int, columns: int) -> int:
    """The trace of a power of the transfer matrix: a row of points turns arrows from above into arrows to below."""
    ups = list(product((0, 1), repeat=columns))

    def ways(above: tuple[int, ...], below: tuple[int, ...]) -> int:
        """The rings of arrows to the right with which as many lead into each point as out of it."""
        found = 0
        for start in (0, 1):
            at = start
            for a, b in zip(above, below, strict=True):
                at += a - b
                if at not in (0, 1):
                    break
            found += at == start
        return found

    matrix = np.array([[ways(above, below) for below in ups] for above in ups], object)
    return int(np.trace(np.linalg.matrix_power(matrix, rows)))


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_ice_on_tori_agrees_with_a_transfer_matrix(n: int) -> None:
    puzzle = load(f"ice-torus:{n}")
    expected = {2: 18, 3: 148, 4: 2970, 5: 143224}[n]  # A054759
    assert ice_on_torus(n, n) == expected
    for method in ("frontier", "memo", "auto"):
        assert count_prepared(prepare(puzzle, Choices("none")), method=method).total == expected


def test_ice_on_larger_tori() -> None:
    found = count_prepared(prepare(load("ice-torus:7"), Choices("none")))
    assert (found.total, found.method) == (4_484_823_396, "frontier")
    assert found.native["states"] < 20_000


def test_classes_of_ice_are_counted_by_burnside() -> None:
    for n, expected in ((2, (4, 18)), (3, (5, 148)), (4, (49, 2970))):
        prepared = prepare(load(f"ice-torus:{n}"))
        for method in ("frontier", "memo", "enumeration"):
            answer = count_prepared(prepared, method=method)
            assert (answer.different, answer.total) == expected, method


@pytest.mark.parametrize(("n", "expected"), [(1, 1), (2, 2), (3, 7), (4, 42), (5, 429), (6, 7436)])
def test_ice_between_domain_walls_counts_alternating_sign_matrices(n: int, expected: int) -> None:
    """Arrows lead in from the left and from the right, and out above and below."""
    ice = load("ice-torus:2")
    into, out = (ice.rules.sides.index(name) for name in ("in", "out"))
    label = {edge.label: k for k, edge in enumerate(SQUARE.half_edges)}
    asked = [((0, k, side), label[name], into) for k in range(n) for side, name in ((0, "west"), (n - 1, "east"))]
    asked += [((0, side, k), label[name], out) for k in range(n) for side, name in ((0, "north"), (n - 1, "south"))]
    puzzle = replace(make_puzzle(box(SQUARE, (n, n)), ice.parts), rules=replace(ice.rules, asked=tuple(asked)))
    for method in ("frontier", "memo"):
        assert count_prepared(prepare(puzzle, Choices("none")), method=method).total == expected  # A005130


# Other tiles


def wang(words: Sequence[str], ground: Ground) -> Puzzle:
    """Wang tiles by their values east, north, west and south, each from 0."""
    tiles = [tile(("east", "north", "west", "south"), [1 + int(c) for c in word], word) for word in words]
    values = ("flat", *"01234")
    rules = Rules(sides=values, fits=np.eye(len(values), dtype=np.bool_), open_sides=np.ones(len(values), np.bool_))
    return replace(make_puzzle(ground, tiles), rules=rules)


def wang_fillings(words: Sequence[str], rows: int, columns: int) -> int:
    """By brute force, tile by tile."""

    def fill(placed: tuple[str, ...]) -> Iterator[None]:
        if len(placed) == rows * columns:
            yield None
            return
        for word in words:
            row, column = divmod(len(placed), columns)
            fits_left = column == 0 or placed[-1][0] == word[2]
            if fits_left and (row == 0 or placed[-columns][3] == word[1]):
                yield from fill((*placed, word))

    return sum(1 for _ in fill(()))


@pytest.mark.parametrize("sizes", [(1, 4), (2, 2), (2, 3), (3, 3), (4, 1)])
def test_the_tiles_of_jeandel_and_rao_on_boards(sizes: tuple[int, int]) -> None:
    found = count_prepared(prepare(wang(JEANDEL_RAO, box(SQUARE, sizes)), Choices("none")), method="frontier")
    assert found.total == wang_fillings(JEANDEL_RAO, *sizes) > 0


def test_the_tiles_of_jeandel_and_rao_fill_no_torus() -> None:
    """They tile the plane, but never with a period."""
    for size in range(1, 7):
        puzzle = wang(JEANDEL_RAO, box(SQUARE, (5, 1 + size), (5, 1 + size)))
        assert count_prepared(prepare(puzzle, Choices("none")), method="frontier").total == 0
    board = prepare(wang(JEANDEL_RAO, box(SQUARE, (6, 6))), Choices("none"))
    assert count_prepared(board, method="frontier").total == count_prepared(board, method="memo").total > 0


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 3), (4, 4)])
def test_macmahon_squares_without_limit_show_every_colouring(rows: int, columns: int) -> None:
    """Of his 24 squares each is there for whatever colours surround a cell, in one way."""
    squares = load("macmahon-squares")
    parts = [replace(part, low=0, high=None) for part in squares.parts]
    puzzle = replace(make_puzzle(box(SQUARE, (rows, columns)), parts), rules=replace(squares.rules, rim=-1))
    sides = rows * (columns + 1) + columns * (rows + 1)
    assert count_prepared(prepare(puzzle, Choices("none")), method="frontier").total == 3**sides
    rimmed = replace(puzzle, rules=squares.rules)
    inner = sides - 2 * (rows + columns)
    assert count_prepared(prepare(rimmed, Choices("none")), method="frontier").total == 3**inner
