"""Parts for many goals: against a count of every set of parts by itself."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec.structs import replace

import latcover
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.goals import Goals, OpenCells
from latcover.core.model.part_choices import PartChoice, PartSets
from latcover.core.model.puzzle import Part, Puzzle, box
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.errors import PuzzleError, UnsupportedError
from latcover.files.formats.library import load_lattice
from latcover.lab.designing.goal_cuts import random_cut

SQUARE = load_lattice("square")
SHAPES = {"d": "XX", "i": "XXX", "v": "XX\nX.", "l": "XXX\nX..", "o": "XX\nXX", "s": "XX.\n.XX", "t": "XXX\n.X."}


def family() -> Goals:
    """A square of 3 by 3, one of whose corners stays open; each part may be absent."""
    parts = tuple(Part(name, shape, low=0, high=1) for name, shape in SHAPES.items())
    board = Puzzle("family", SQUARE, box(3, 3, lattice=SQUARE), parts)
    cells = ((0, 0, 0), (0, 0, 2), (0, 1, 1))
    return Goals(board, (OpenCells("one", cells, ("corner", "other", "middle")),))


def counts_of(goals: Goals, names: tuple[str, ...]) -> list[int]:
    """The different solutions of each goal with these parts, each goal counted as a puzzle of its own."""
    found = []
    for goal in goals:
        puzzle = goals.puzzle(goal)
        parts = tuple(replace(part, low=1, high=1) for part in puzzle.parts if part.name in names)
        own = replace(puzzle, parts=parts)
        found.append(0 if cannot_fill(own) else latcover.count(own).different)
    return found


def every_set(n: int) -> dict[tuple[str, ...], list[int]]:
    goals = family()
    return {names: counts_of(goals, names) for names in combinations(SHAPES, n)}


@pytest.mark.parametrize("n", [2, 3])
def test_sets_with_which_each_goal_has_a_solution(n: int) -> None:
    counted = every_set(n)
    for each, wanted in (
        ("solvable", [names for names, counts in counted.items() if min(counts) > 0]),
        ("unique", [names for names, counts in counted.items() if set(counts) == {1}]),
    ):
        found = latcover.design_for_goals(family(), each=each, parts=n, limit=None)
        assert found.complete
        assert [tuple(design.parts) for design in found] == wanted
    found = latcover.design_for_goals(family(), each="even", parts=n)
    assert found.complete
    best = max(map(min, counted.values()))
    assert [design.result.fewest for design in found.designs[-1:]] == [best] * (best > 0)


def test_a_design_is_a_puzzle_with_known_figures() -> None:
    (design,) = latcover.design_for_goals(family(), parts=3)
    assert design.goals.expect["goals"] == design.goals.expect["solved"] == 3
    assert latcover.count_goals(design.goals).different == design.goals.expect["different"]


def test_sets_that_are_drawn_say_so() -> None:
    found = latcover.design_for_goals(family(), parts=3, samples=2, each="unique", limit=None)
    assert not found.complete
    assert found.tried <= 2
    late = latcover.design_for_goals(family(), parts=3, seconds=0)
    assert (late.complete, late.tried) == (False, 0)


def test_any_set_of_parts_can_be_drawn() -> None:
    board = family().board
    sets = PartSets(board, {k: range(2) for k in range(len(board.parts))}, (3,))
    listed = list(sets)
    assert sets.total == len(listed) == len({*listed})
    assert [sets.nth(place) for place in range(sets.total)] == listed
    sizes = [part.size for part in board.parts]
    assert all(sum(n * size for n, size in zip(own, sizes, strict=True)) == 9 for own in listed)


def bag() -> Goals:
    pentominoes = latcover.load_set("pentominoes").parts
    board = Puzzle("bag", SQUARE, box(2, 5, lattice=SQUARE), tuple(p for p in pentominoes if p.name in "LPUVIY"))
    return Goals(board, choice=PartChoice((2,)))


def test_bags_all_of_whose_choices_have_a_solution() -> None:
    goals = bag()
    counted = {frozenset(goal.name.split()): latcover.count(goals.puzzle(goal)).different for goal in goals}
    for size in (3, 4):
        wanted = [
            names
            for names in combinations([part.name for part in goals.board.parts], size)
            if all(counted[frozenset(pair)] for pair in combinations(names, 2))
        ]
        found = latcover.design_for_goals(goals, parts=size, limit=None)
        assert found.complete
        assert [tuple(design.parts) for design in found] == wanted


def test_cuts_for_all_goals() -> None:
    goals = family()
    found = latcover.cut_for_goals(goals, parts=3, samples=60)
    assert not found.complete  # there are always other cuts
    for design in found:
        assert design.result.solved == len(goals)
        assert sorted(part.size for part in design.goals.board.parts) == [2, 3, 3]
        for goal in design.goals:
            assert prepare(design.goals.puzzle(goal), Choices("none")).problem.n_options


def test_a_random_cut_has_connected_pieces() -> None:
    from random import Random

    around = {k: [j for j in range(12) if abs(k // 4 - j // 4) + abs(k % 4 - j % 4) == 1] for k in range(12)}
    cuts = [random_cut(Random(seed), around, [4, 4, 4]) for seed in range(20)]
    assert any(cuts)
    for pieces in filter(None, cuts):
        assert sorted(cell for piece in pieces for cell in piece) == [*range(12)]
        for piece in pieces:
            reached, left = {piece[0]}, {*piece[1:]}
            while more := {cell for cell in left if {*around[cell]} & reached}:
                reached, left = reached | more, left - more
            assert not left


def test_what_cannot_be_designed_says_why() -> None:
    fixed = family()
    parts = tuple(replace(part, low=1) for part in fixed.board.parts)
    with pytest.raises(PuzzleError, match="has no parts to choose from"):
        latcover.design_for_goals(replace(fixed, board=replace(fixed.board, parts=parts)))
    with pytest.raises(PuzzleError, match="no set of 9 parts has as many cells"):
        latcover.design_for_goals(family(), parts=9)
    with pytest.raises(UnsupportedError, match="--parts says how many parts the bag has: from 3 to 6"):
        latcover.design_for_goals(bag())
    with pytest.raises(UnsupportedError, match="leave choose out"):
        latcover.cut_for_goals(bag())
