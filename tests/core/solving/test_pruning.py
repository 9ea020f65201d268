"""Functions that prune the search, and rules that `dlx` asks about while it searches."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import latcover
from latcover.backends import create
from latcover.core.cover.search import Batch, SearchTask
from latcover.core.encoding.prepared import prepare
from latcover.core.model.rules.rule_forms import with_rules
from latcover.core.model.solution import Placed
from latcover.core.solving import guard
from latcover.core.solving.solutions import pruned
from latcover.errors import PuzzleError, UnsupportedError
from tests.core.solving.test_part_rules import any_ruled_puzzle
from tests.dice import Dice, cases

Partial = tuple[Placed, ...]


def any_refusal(dice: Dice) -> Callable[[Partial], bool]:
    """A monotone predicate: too many parts of a kind in a column, or too many large ones."""
    most, column, name = dice.below(3), dice.below(4), dice.pick("mdivslj")

    def refused(partial: Partial) -> bool:
        in_column = [one for one in partial if one.part == name and any(cell[-1] == column for cell in one.cells)]
        return len(in_column) > most or sum(len(one.cells) > 2 for one in partial) > most + 1

    return refused


@cases(
    6, puzzle=any_ruled_puzzle, refused=any_refusal, backend=lambda dice: dice.pick(("dlx", "bitset", "sat", "cpsat"))
)
def test_pruning_finds_what_a_filter_finds(
    puzzle: latcover.Puzzle, refused: Callable[[Partial], bool], backend: str
) -> None:
    expected = {one.placements for one in latcover.solutions(puzzle) if not refused(one.placements)}
    for each in (None, backend):
        found = [one.placements for one in latcover.solutions(puzzle, each, prune=refused)]
        assert len(found) == len(set(found))
        assert set(found) == expected, each


def nodes(prepared: latcover.Prepared) -> tuple[int, int]:
    """How many covers and how many branches `dlx` meets."""

    def ignore(_: Batch) -> bool:
        return True

    solver, veto = create("dlx"), prepared.option_veto
    result = guard.search(solver, SearchTask(prepared.problem, ignore, latcover.Limits(), None, veto))
    assert result.branches is not None
    return result.covers, result.branches


def test_a_pruned_search_visits_fewer_nodes() -> None:
    seen: list[Partial] = []

    def f_is_far(partial: Partial) -> bool:
        seen.append(partial)
        return any(one.part == "F" and min(cell[1] for cell in one.cells) > 10 for one in partial)

    whole = prepare(latcover.load("pent-20x3"))
    few = pruned(whole, f_is_far)
    covers, branches = nodes(few)
    all_covers, all_branches = nodes(whole)
    assert covers < all_covers
    assert branches < all_branches
    assert {len(partial) for partial in seen} >= {1, 2, 3}
    longer = next(partial for partial in seen if len(partial) == 3)
    assert longer[:2] in seen  # in the order of the search


def test_dlx_asks_about_colours_early() -> None:
    free = prepare(latcover.load("pent-20x3"))
    ruled = prepare(with_rules(free.puzzle, ["colourable=2"]))
    assert nodes(ruled)[1] < nodes(free)[1] // 4
    assert latcover.count(ruled).total == latcover.count(ruled, latcover.CountRequest(backend="dlx")).total


@pytest.mark.parametrize("backend", ["bitset", "dlx"])
def test_a_function_and_a_rule_on_colours_hold_together(backend: str) -> None:
    puzzle = with_rules(latcover.load("pent-20x3"), ["colourable=3"])
    assert len(list(latcover.solutions(puzzle, backend))) == 2
    assert len(list(latcover.solutions(puzzle, backend, prune=lambda placed: len(placed) == 12))) == 0


def test_what_is_no_pruning_function_is_refused() -> None:
    with pytest.raises(PuzzleError, match="prune must be a function"):
        next(latcover.solutions("pent-20x3", prune=3))  # type: ignore[arg-type]
    with pytest.raises(UnsupportedError, match="True or False"):
        next(latcover.solutions("pent-20x3", prune=lambda _: None))  # type: ignore[arg-type, return-value]


def test_errors_of_a_pruning_function_are_passed_on() -> None:
    def fail(_: Partial) -> bool:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        next(latcover.solutions("pent-20x3", prune=fail))
