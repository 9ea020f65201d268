"""All solutions as a diagram: drawn by chance, numbered, and counted for each placement, against lists of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import islice, pairwise, product
from typing import Any

import pytest
from msgspec.structs import replace

import latcover
from latcover.backends.frontier import can_count
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.simpler import without_implied_item
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.core.model.verifier import verify
from latcover.core.solving.solutions import solutions
from latcover.errors import PuzzleError, TooLargeError, UnsupportedError
from latcover.files.formats.library import load, load_lattice
from latcover.lab.asking.all_solutions import AllSolutions, DiagramRequest, all_solutions
from latcover.lab.asking.probabilities import probabilities_of
from tests.core.cover.test_diagram import written
from tests.dice import cases
from tests.random_puzzles import Ground, any_puzzle, box, make_part, make_puzzle
from tests.small_problems import DOMINO, board, dominoes

IN_FULL = Choices("none")
DRAWN = 30  # samples for each solution


def paired(
    lattice_name: str, sizes: tuple[int, ...], pairs: tuple[int, int | None] = (0, None), singles: int | None = None
) -> Puzzle:
    """A box for copies of a pair of neighbours, in a number of copies, and at most so many single cells."""
    lattice = load_lattice(lattice_name)
    cell = (0,) * (lattice.dimension + 1)
    pair = make_part("pair", sorted([cell, lattice.neighbours(cell)[0]]), lattice.transformations, *pairs)
    single = make_part("single", [cell], lattice.transformations, 0, singles)
    return make_puzzle(box(lattice, sizes), [pair] if singles == 0 else [pair, single])


MADE = [
    ("square", (2, 4)),
    ("square", (3, 3)),
    ("square", (4, 4), (0, None), 0),
    ("square", (3, 4), (5, 5)),
    ("triangular", (2, 2)),
    ("triangular", (2, 3), (4, 5)),
    ("triangular", (2, 2), (3, 4), 2),
    ("hexagonal", (2, 3)),
    ("hexagonal", (3, 4), (0, None), 0),
    ("hexagonal", (3, 3), (3, 4), 3),
    ("cubic", (2, 2, 2), (0, None), 0),
    ("cubic", (1, 2, 3)),
    ("cubic", (2, 2, 2), (3, 3)),
    ("tetrakis", (1, 2)),
    ("tetrakis", (1, 2), (3, 3)),
    ("fcc", (2, 2, 2), (0, None), 0),
]
SHIPPED = ["example-2x2", "nine-cards", "fig4-3x3", "tangram-square", "hex-prisms"]
made = pytest.mark.parametrize("case", [*MADE, *SHIPPED], ids=str)


@cache
def puzzle_of(case: Any) -> Puzzle:
    return load(case) if isinstance(case, str) else paired(*case)


@cache
def listed(case: Any) -> tuple[Solution, ...]:
    return tuple(solutions(puzzle_of(case), choices=IN_FULL))


@cache
def every(case: Any) -> AllSolutions[Solution]:
    return all_solutions(puzzle_of(case))


def found(drawn: Iterable[Solution]) -> list[tuple[object, ...]]:
    return [solution.placements for solution in drawn]


def held(case: Any) -> Counter[tuple[str, object]]:
    """How many of the listed solutions have each placement."""
    return Counter((placed.part, placed.cells) for solution in listed(case) for placed in solution.placements)


@made
def test_numbers_name_each_solution_once(case: Any) -> None:
    numbers = range(1, every(case).total + 1)
    everything = every(case).nth(*numbers)
    assert Counter(found(everything)) == Counter(found(listed(case)))
    assert [(s.number, s.image, s.orbit) for s in everything] == [(k, 1, 1) for k in numbers]
    for beyond in (0, every(case).total + 1):
        with pytest.raises(UnsupportedError, match="there is no number"):
            every(case).nth(beyond)


def is_likely(statistic: float, freedom: int) -> bool:
    """By the chi-squared distribution: draws that are too even are no more likely than those that are too uneven."""
    from scipy.special import chdtrc

    return bool(0.001 < chdtrc(freedom, statistic) < 0.999)


@made
def test_all_solutions_are_drawn_alike(case: Any) -> None:
    total = len(listed(case))
    drawn = every(case).sample(DRAWN * total, seed=2026)
    times = Counter(found(drawn))
    assert set(times) <= set(found(listed(case)))
    statistic = sum((times[each] - DRAWN) ** 2 for each in found(listed(case))) / DRAWN
    assert is_likely(statistic, total - 1)


def test_draws_do_not_depend_on_those_before() -> None:
    case = MADE[10]
    drawn = [solution.number for solution in every(case).sample(8100, seed=1)]
    pairs = Counter(pairwise(drawn))
    statistic = sum((pairs[pair] - 100) ** 2 for pair in product(range(1, 10), repeat=2)) / 100
    assert is_likely(statistic, 72)


def test_only_some_are_drawn_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a hundred million need no more memory than some; which are drawn does not depend on that."""
    case = every(MADE[10])
    together = case.sample(50, seed=3)
    monkeypatch.setattr("latcover.lab.asking.all_solutions.AT_ONCE", 7)
    at_once: list[int] = []
    nth = AllSolutions.nth
    monkeypatch.setattr(AllSolutions, "nth", lambda self, *ranks: at_once.append(len(ranks)) or nth(self, *ranks))
    assert [one.number for one in case.drawn(50, seed=3)] == [one.number for one in together]
    assert at_once == [*[7] * 7, 1]
    assert next(case.drawn(10**12)).number >= 1


@made
def test_counts_of_placements_are_those_of_the_list(case: Any) -> None:
    known, chances = held(case), probabilities_of(every(case))
    puzzle, solutions_ = puzzle_of(case), listed(case)
    assert chances.total == len(solutions_)
    assert {(each.part, each.cells): each.solutions for each in chances.placements if each.solutions} == known
    for p, part in enumerate(puzzle.parts):
        with_part = [s for s in solutions_ if any(placed.part == part.name for placed in s.placements)]
        assert chances.with_part[p] == len(with_part)
        for k, cell in enumerate(map(tuple, puzzle.region.cells.tolist())):
            here = [
                1 for s in solutions_ for placed in s.placements if placed.part == part.name and cell in placed.cells
            ]
            assert chances.on_cell[p, k] == len(here)
        assert (chances.orientation_on_cell[p].sum(axis=0) == chances.on_cell[p]).all()
    assert (chances.on_cell.sum(axis=0) + chances.empty == chances.total).all()


@made
def test_the_frontier_and_a_list_give_the_same_diagram(case: Any) -> None:
    one = all_solutions(puzzle_of(case), DiagramRequest(method="enumeration"))
    assert one.method == "enumeration"
    problem = one.subject.problem
    if not can_count(without_implied_item(problem)):
        with pytest.raises(TooLargeError, match="used once"):
            all_solutions(puzzle_of(case), DiagramRequest(method="frontier"))
        return
    other = all_solutions(puzzle_of(case), DiagramRequest(method="frontier"))
    assert written(one.diagram) == written(other.diagram)
    assert found(one.sample(5, seed=3)) == found(other.sample(5, seed=3))


@made
def test_a_condition_leaves_what_a_filter_would(case: Any) -> None:
    puzzle = puzzle_of(case)
    placed = listed(case)[-1].placements
    written = [
        f"{each.part}@" + " ".join(",".join(map(str, puzzle.lattice.written(cell))) for cell in cells)
        for each, cells in ((placed[0], placed[0].cells[:1]), (placed[-1], placed[-1].cells))
    ]
    for given, shown in ((written[:1], (placed[0].cells[:1],)), (written, (placed[0].cells[:1], placed[-1].cells))):
        parts = (placed[0].part, placed[-1].part)
        wanted = [
            s
            for s in listed(case)
            if all(
                any(each.part == part and set(cells) <= set(each.cells) for each in s.placements)
                for part, cells in zip(parts, shown, strict=False)
            )
        ]
        left = tuple(solutions(puzzle, choices=Choices(given=tuple(given))))
        assert Counter(found(left)) == Counter(found(wanted))
        assert latcover.count(puzzle, latcover.CountRequest(given=tuple(given))).total == len(wanted)
        assert all_solutions(puzzle, DiagramRequest(given=tuple(given))).total == len(wanted)


@cases(8, puzzle=any_puzzle)
def test_random_puzzles(puzzle: Puzzle) -> None:
    """With colours, sides, holes, periods, bounds on empty cells, and several copies."""
    try:
        wanted = Counter(found(islice(solutions(puzzle, choices=IN_FULL), 200)))
    except PuzzleError:  # its volume cannot fit
        return
    if wanted.total() == 200:
        return
    everything = all_solutions(puzzle)
    assert Counter(found(everything.nth(*range(1, everything.total + 1)))) == wanted
    known = Counter((placed.part, placed.cells) for placements in wanted.elements() for placed in placements)
    chances = probabilities_of(everything)
    assert {(each.part, each.cells): each.solutions for each in chances.placements if each.solutions} == known


def test_a_prepared_puzzle_is_taken_in_full() -> None:
    assert all_solutions(prepare(load("fig4-3x3"))).total == 16
    given = prepare(load("fig4-3x3"), Choices(given=("A@0,0",)))
    assert all_solutions(given).total == latcover.count(given).total < 16


def test_more_solutions_than_anybody_could_list() -> None:
    puzzle = board(12, 40, DOMINO)
    everything = all_solutions(puzzle, DiagramRequest(seconds=600))
    assert everything.method == "frontier"
    assert everything.total == latcover.count(puzzle, latcover.CountRequest(symmetry="none")).total > 10**40
    one, other = everything.sample(2, seed=7)
    assert one.placements != other.placements
    assert one == everything.sample(1, seed=7)[0] == everything.nth(one.number)[0]
    assert not verify(puzzle, one)
    chances = probabilities_of(everything)
    assert (chances.on_cell == chances.total).all()


def test_boards_that_share_nothing_multiply() -> None:
    apart = [(0, row, column + 10 * board) for row in range(6) for column in range(6) for board in range(4)]
    square = load_lattice("square")
    puzzle = make_puzzle(Ground(square, tuple((cell,) for cell in apart), Period(2)), board(1, 2, DOMINO).parts)
    everything = all_solutions(puzzle)
    assert everything.total == 6728**4  # Kasteleyn 1961
    assert len(everything.diagram.low) < 5000


def test_what_cannot_be_held_is_refused() -> None:
    wide = board(30, 30, DOMINO)
    with pytest.raises(TooLargeError, match=r"too many to list in 1 MB; .* more memory than it may; allow"):
        all_solutions(wide, DiagramRequest(memory=1))
    with pytest.raises(TooLargeError, match="parts that may be used once"):
        all_solutions(load("slothouber-graatsma"), DiagramRequest(method="frontier"))


def test_work_that_is_cut_short_draws_nothing() -> None:
    cut = all_solutions(board(20, 20, DOMINO), DiagramRequest(seconds=0))
    assert (cut.complete, cut.stop) == (False, "time limit")
    for use in (lambda: cut.total, cut.sample, cut.with_each_member, lambda: probabilities_of(cut)):
        with pytest.raises(UnsupportedError, match="cut short"):
            use()


def test_no_solution_is_none_to_draw() -> None:
    cells = [(0, row, column) for row, column in product(range(4), repeat=2) if row != column or 0 < row < 3]
    ground = Ground(load_lattice("square"), tuple((cell,) for cell in cells), Period(2))
    none = all_solutions(make_puzzle(ground, board(4, 4, DOMINO).parts))
    assert (none.total, none.sample(0)) == (0, [])
    with pytest.raises(UnsupportedError, match="no solution to draw"):
        none.sample()
    assert probabilities_of(none).with_part == (0,)


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ("domino", "part@cells"),
        ("domino@", "part@cells"),
        ("@0,0", "part@cells"),
        ("dominoes@0,0", "did you mean 'domino'"),
        ("domino@0", "has 2 axes"),
        ("domino@0,x", "whole numbers"),
        ("domino@9,9", "has no cell 9,9"),
    ],
)
def test_a_condition_that_names_nothing_is_refused(given: str, fault: str) -> None:
    plain = board(8, 8, DOMINO)
    puzzle = replace(plain, parts=(replace(plain.parts[0], name="domino"),))
    with pytest.raises(PuzzleError, match=fault):
        prepare(puzzle, Choices(given=(given,)))


def test_covers_of_a_bare_problem() -> None:
    bare = NamedProblem("bare", dominoes(4, 4), tuple(f"i{k}" for k in range(16)))
    everything = all_solutions(bare)
    covers = everything.nth(*range(1, 37))
    assert len({cover.numbers for cover in covers}) == everything.total == 36
    times = Counter(number - 1 for cover in covers for number in cover.numbers)
    assert everything.with_each_member() == [times[option] for option in range(bare.n_members)]
    with pytest.raises(UnsupportedError, match="without a puzzle"):
        probabilities_of(everything)
    with pytest.raises(UnsupportedError, match="leave --given out"):
        all_solutions(bare, DiagramRequest(given=("a@0,0",)))


def test_a_condition_on_a_cell_that_may_stay_empty() -> None:
    cells = [(0, 0, column) for column in range(4)]
    ground = Ground(load_lattice("square"), tuple((cell,) for cell in cells), Period(2))
    puzzle = make_puzzle(ground, board(1, 4, DOMINO).parts, optional=cells)
    assert all_solutions(puzzle).total == 5
    assert all_solutions(puzzle, DiagramRequest(given=("part@0,0",))).total == 2
    assert latcover.count(puzzle, latcover.CountRequest(given=("part@0,1", "part@0,2"))).total == 2
    assert probabilities_of(all_solutions(puzzle)).empty.tolist() == [3, 2, 2, 3]
