"""Changes to a puzzle that must change no count."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from latcover.backends import create
from latcover.core.cover.backend import collect
from latcover.core.cover.problem import CoverProblem
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.encoding.symmetry import SYMMETRIES
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.model.request_values import SymmetryChoice
from latcover.core.solving.run import run
from latcover.files.formats.library import load
from tests.dice import Dice, Seeded, cases
from tests.fuzz.changes import CHANGES, Change, Changed
from tests.oracle import any_problem, cover_problem
from tests.random_puzzles import any_puzzle
from tests.shipped import rest_long

ALL = ["fig4-3x3", "hex-prisms", "pent-8x8-minus-2x2", "pent-20x3", "soma", "sphere-pyramid"]
SHIPPED = rest_long(ALL, ["fig4-3x3", "pent-20x3", "soma", "sphere-pyramid"])
MOST_CELLS = 100  # of a shipped puzzle that is changed
every_change = pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)


def is_faulty(puzzle: Puzzle) -> bool:
    """Whether it contradicts itself, so that it has no solutions and is refused."""
    return any(not complaint.warning for complaint in complaints_about(puzzle))


def counts(puzzle: Puzzle, which: SymmetryChoice = "all") -> tuple[int, int]:
    """Solutions in all, and essentially different ones."""
    if is_faulty(puzzle):
        return 0, 0
    answer = run(prepare(puzzle, Choices(which)), create("dlx"))
    assert answer.complete
    return answer.total, answer.different


@every_change
def test_random_puzzles(change: Change) -> None:
    def made(dice: Dice) -> tuple[Puzzle, Changed | None]:
        puzzle = any_puzzle(dice)
        return puzzle, change(puzzle, dice)

    @cases(5, pair=made)
    def check(pair: tuple[Puzzle, Changed | None]) -> None:
        require_known_counts(*pair)

    check()


def require_known_counts(puzzle: Puzzle, changed: Changed | None) -> None:
    """That a change does to the counts what it is known to do, if it applies."""
    if changed is None:
        return
    for which in SYMMETRIES:
        before, after = counts(puzzle, which), [counts(each, which) for each in changed.puzzles]
        assert sum(total for total, _ in after) == changed.times * before[0]
        assert not changed.classes or sum(different for _, different in after) == before[1]


@every_change
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_puzzles(change: Change, name: str) -> None:
    puzzle = load(name)
    changed = change(puzzle, Seeded(name))
    if changed is None or max(len(each.region.cells) for each in changed.puzzles) > MOST_CELLS:
        pytest.skip("it does not apply, or is too large")
    found = [counts(each) for each in changed.puzzles]
    assert sum(total for total, _ in found) == changed.times * puzzle.expect["total"]
    if changed.classes:
        assert sum(different for _, different in found) == puzzle.expect["different"]


@pytest.mark.parametrize("name", SHIPPED)
def test_orders_of_the_axes(name: str) -> None:
    puzzle = load(name)
    for order in permutations(range(puzzle.lattice.dimension)):
        answer = run(prepare(puzzle, Choices(order=order)), create("dlx"))
        assert (answer.different, answer.total) == (puzzle.expect["different"], puzzle.expect["total"])


@cases(50, problem=any_problem, random=lambda dice: Random(dice.below(10**6)))
def test_options_and_items_permuted(problem: CoverProblem, random: Random) -> None:
    option_at = random.sample(range(problem.n_options), problem.n_options)
    item_at = random.sample(range(problem.n_items), problem.n_items)
    options = [[item_at.index(item) for item in problem.items_of(option).tolist()] for option in option_at]
    bounds = [(int(problem.low[item]), int(problem.high[item])) for item in item_at]
    found = collect(create("dlx"), cover_problem(options, bounds))
    named_as_before = {tuple(sorted(option_at[option] for option in cover)) for cover in found}
    assert named_as_before == set(collect(create("dlx"), problem))
