"""Changes to a puzzle that must change no count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latcover.backends import create
from latcover.lattice import Cells
from latcover.library import load
from latcover.problem import CoverProblem
from latcover.puzzle import Puzzle
from latcover.running import run
from latcover.search import collect
from latcover.solve import Choices, prepare
from latcover.symmetry import WHICH
from tests.oracle import cover_problem, cover_problems
from tests.random_puzzles import make_part, neighbours, puzzles

SHIPPED = ["fig4-3x3", "hex-prisms", "pent-8x8-minus-2x2", "pent-20x3", "soma", "sphere-pyramid"]
Change = Callable[[Puzzle, Random], Puzzle]


def counts(puzzle: Puzzle) -> list[tuple[int, int]]:
    """Solutions, essentially different and in all, under each choice of symmetries."""
    answers = [run(prepare(puzzle, Choices(which)), create("dlx")) for which in WHICH]
    assert all(answer.complete for answer in answers)
    return [(answer.different, answer.total) for answer in answers]


def with_parts_permuted(puzzle: Puzzle, random: Random) -> Puzzle:
    return replace(puzzle, parts=tuple(random.sample(puzzle.parts, len(puzzle.parts))))


def with_cells_permuted(puzzle: Puzzle, random: Random) -> Puzzle:
    region = puzzle.region
    by = random.sample(range(len(region.cells)), len(region.cells))
    region = replace(region, cells=region.cells[by], colours=region.colours[by], optional=region.optional[by])
    return replace(puzzle, region=region)


def with_region_and_parts_moved(puzzle: Puzzle, random: Random) -> Puzzle:
    """All of them turned or reflected together, and each then moved by itself."""
    transformation = random.choice(puzzle.lattice.transformations)

    def move(cells: Cells) -> Cells:
        image = transformation.apply(cells)
        image[:, 1:] += np.array([random.randint(-5, 5) for _ in range(puzzle.lattice.dimension)], dtype=np.int32)
        return image

    region = replace(puzzle.region, cells=move(puzzle.region.cells))
    parts = tuple(replace(part, cells=move(part.cells)) for part in puzzle.parts)
    return replace(puzzle, region=region, parts=parts)


def with_parts_turned(puzzle: Puzzle, random: Random) -> Puzzle:
    """Each part shown in another way that it is allowed to take."""
    parts = [replace(part, cells=random.choice(part.transformations).apply(part.cells)) for part in puzzle.parts]
    return replace(puzzle, parts=tuple(parts))


def with_an_impossible_part(puzzle: Puzzle, random: Random) -> Puzzle:
    """A part that is larger than the region, and need not be used."""
    lattice = puzzle.lattice
    cells = [(0,) * (lattice.dimension + 1)]
    while len(cells) <= len(puzzle.region.cells):
        cells.append(next(cell for cell in neighbours(lattice, cells[-1]) if cell not in cells))
    part = make_part("impossible", cells, lattice.transformations, 0, random.choice([1, 2, None]))
    place = random.randint(0, len(puzzle.parts))
    return replace(puzzle, parts=(*puzzle.parts[:place], part, *puzzle.parts[place:]))


def with_copies_that_no_room_is_for(puzzle: Puzzle, _: Random) -> Puzzle:
    """Parts without a bound may be used as often as their volume allows, and as much more as one likes."""
    parts = [replace(part, high=1000) if part.high is None else part for part in puzzle.parts]
    return replace(puzzle, parts=tuple(parts))


CHANGES: list[Change] = [
    with_parts_permuted,
    with_cells_permuted,
    with_region_and_parts_moved,
    with_parts_turned,
    with_an_impossible_part,
    with_copies_that_no_room_is_for,
]
every_change = pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)


@every_change
@settings(max_examples=40)
@given(
    puzzle=st.sampled_from(["square", "hexagonal", "triangular", "tetrakis", "cubic", "fcc"]).flatmap(puzzles),
    random=st.randoms(use_true_random=False),
)
def test_random_puzzles(change: Change, puzzle: Puzzle, random: Random) -> None:
    assert counts(change(puzzle, random)) == counts(puzzle)


@every_change
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_puzzles(change: Change, name: str) -> None:
    puzzle = load(name)
    answer = run(prepare(change(puzzle, Random(name))), create("dlx"))
    assert (answer.different, answer.total) == (puzzle.expect["different"], puzzle.expect["total"])


@pytest.mark.parametrize("name", SHIPPED)
def test_orders_of_the_axes(name: str) -> None:
    puzzle = load(name)
    for order in permutations(range(puzzle.lattice.dimension)):
        answer = run(prepare(puzzle, Choices(order=order)), create("dlx"))
        assert (answer.different, answer.total) == (puzzle.expect["different"], puzzle.expect["total"])


@settings(max_examples=300)
@given(cover_problems(), st.randoms(use_true_random=False))
def test_options_and_items_permuted(problem: CoverProblem, random: Random) -> None:
    option_at = random.sample(range(problem.n_options), problem.n_options)
    item_at = random.sample(range(problem.n_items), problem.n_items)
    options = [[item_at.index(item) for item in problem.items_of(option).tolist()] for option in option_at]
    bounds = [(int(problem.low[item]), int(problem.high[item])) for item in item_at]
    found = collect(create("dlx"), cover_problem(options, bounds))
    named_as_before = {tuple(sorted(option_at[option] for option in cover)) for cover in found}
    assert named_as_before == set(collect(create("dlx"), problem))
