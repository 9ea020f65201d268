"""Parts that are confined to cells or kept off them, and numbers of copies of several parts: against brute force."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

import latcover
from latcover.backends import create
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.impossible.reasons import reasons
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.puzzle_checks import cannot_fill, complaints_about
from latcover.core.model.rules.copies import CopiesTogether
from latcover.core.model.rules.no_room import NoRoom
from latcover.core.model.solution import Placed, Solution
from latcover.core.model.verifier import verify
from latcover.core.solving.count import count
from latcover.core.solving.run import run
from latcover.core.solving.solutions import solutions as found_by_latcover
from latcover.errors import PuzzleError
from latcover.files.formats.library import load_lattice, loads
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from tests.dice import Dice, cases
from tests.piece_oracle import LATTICES, chosen, confined, keeps_numbers
from tests.puzzle_oracle import classes, plain, solutions, symmetries
from tests.random_puzzles import puzzles

BACKENDS = ("dlx", "backtrack", "bitset", "cpsat", "sat")
SQUARE = load_lattice("square")


def confined_puzzle(dice: Dice) -> Puzzle:
    puzzle = puzzles(dice.pick(LATTICES), coloured=dice.chance(20), periodic=dice.chance(25))(dice)
    return confined(dice, puzzle)


def chosen_puzzle(dice: Dice) -> Puzzle:
    """A puzzle whose parts may be left out, with rules on numbers of copies; at times confined too."""
    puzzle = puzzles(dice.pick(LATTICES))(dice)
    loose = [replace(part, low=0, high=dice.pick([1, 2, None])) for part in puzzle.parts]
    single = Part("single", puzzle.region.cells[:1], low=0, high=None, lattice=puzzle.lattice)
    puzzle = chosen(dice, replace(puzzle, parts=(*loose, single)))
    return confined(dice, puzzle, 30) if dice.chance(25) else puzzle


@cases(1, puzzle=confined_puzzle)
def test_confined_parts_as_brute_force_has_them(puzzle: Puzzle) -> None:
    assert_confined_as_brute_force_has_them(puzzle)


@pytest.mark.long
@cases(12, puzzle=confined_puzzle)
def test_many_confined_parts(puzzle: Puzzle) -> None:
    assert_confined_as_brute_force_has_them(puzzle)


def assert_confined_as_brute_force_has_them(puzzle: Puzzle) -> None:
    expected = solutions(puzzle)
    if any(not complaint.warning for complaint in complaints_about(puzzle)):
        assert not expected
        return
    found = [plain(solution) for solution in found_by_latcover(puzzle, choices=Choices("none"))]
    assert len(found) == len(set(found))
    assert set(found) == expected
    for which in ("all", "rotations"):
        answer = count(puzzle, latcover.CountRequest(symmetry=which))  # type: ignore[arg-type]
        group = symmetries(puzzle, which)
        assert (answer.different, answer.total) == (len(classes(expected, group)), len(expected))
    again = loads(puzzle_as_toml([replace(puzzle, name="again")]))
    assert count(again).total == len(expected)


@cases(1, puzzle=chosen_puzzle)
def test_copies_together_as_brute_force_has_them(puzzle: Puzzle) -> None:
    assert_chosen_as_brute_force_has_them(puzzle)


@pytest.mark.long
@cases(12, puzzle=chosen_puzzle)
def test_many_copies_together(puzzle: Puzzle) -> None:
    assert_chosen_as_brute_force_has_them(puzzle)


def assert_chosen_as_brute_force_has_them(puzzle: Puzzle) -> None:
    expected = {found for found in solutions(puzzle) if keeps_numbers(puzzle, found)}
    if any(not complaint.warning for complaint in complaints_about(puzzle)):
        assert not expected
        return
    if reasons(puzzle, prepare(puzzle).table):
        assert not expected
    found = [plain(solution) for solution in found_by_latcover(puzzle, choices=Choices("none"))]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert count(puzzle).different == len(classes(expected, symmetries(puzzle, "all")))
    again = loads(puzzle_as_toml([puzzle]))
    assert count(again).total == len(expected)


@cases(1, puzzle=chosen_puzzle)
def test_every_backend_honours_them(puzzle: Puzzle) -> None:
    if cannot_fill(puzzle) or any(not complaint.warning for complaint in complaints_about(puzzle)):
        return
    prepared = prepare(puzzle)
    answers = [run(prepared, create(name)) for name in BACKENDS]
    assert len({(answer.different, answer.total, answer.digest) for answer in answers}) == 1


def row(*, within: object = None, keep_off: object = None) -> Puzzle:
    """A row of four cells for two dominoes, one of which is confined."""
    free = Part("free", "XX")
    return Puzzle("row", SQUARE, Region("XXXX"), (Part("a", "XX", within=within, keep_off=keep_off), free))  # type: ignore[arg-type]


def test_a_part_within_cells_or_off_them() -> None:
    assert count(row()).total == 2
    assert count(row(within=[(0, 0), (0, 1)])).total == 1
    assert count(row(within=[(0, 0), (0, 1), (0, 2)])).total == 1
    assert count(row(keep_off=[(0, 0)])).total == 1
    assert (count(row()).symmetries, count(row(keep_off=[(0, 0)])).symmetries) == (4, 2)
    assert count(row(keep_off=[(0, 0)])).different == count(row()).different == 1


def test_the_verifier_looks_by_itself() -> None:
    placed = (Placed("a", ((0, 0, 0), (0, 0, 1))), Placed("free", ((0, 0, 2), (0, 0, 3))))
    assert not verify(row(), Solution(placed))
    for faulty in (row(keep_off=[(0, 1)]), row(within=[(0, 1), (0, 2), (0, 3)])):
        assert any("where it may not lie" in fault for fault in verify(faulty, Solution(placed)))


def test_a_part_that_may_lie_nowhere_is_a_fault() -> None:
    with pytest.raises(PuzzleError, match="part 'a' may lie on no cell of the region"):
        count(row(within=[(5, 5)]))
    warnings = [c.message for c in complaints_about(row(within=[(0, 0), (0, 1), (5, 5)])) if c.warning]
    assert any("within of part 'a' names [5, 5], which is not a cell" in warning for warning in warnings)
    with pytest.raises(PuzzleError, match="keep_off of part 'a' lies on another lattice"):
        row(keep_off=[(0, 0, 0, 0)])


def test_no_room_is_about_the_cells_that_a_part_may_cover() -> None:
    parts = (Part("a", "X", low=0, high=None, within=[(0, 0)]), Part("d", "XX", low=0, high=None))
    puzzle = latcover.with_rules(Puzzle("room", SQUARE, Region("+++"), parts), [NoRoom()])
    # The part a fits on the first cell alone: a, and then the domino beside it; or the domino, and nothing or a.
    found = {
        tuple(sorted((p.part, p.cells[0][2]) for p in s.placements))
        for s in latcover.solutions(puzzle, choices=Choices("none"))
    }
    assert found == {(("a", 0), ("d", 1)), (("d", 0),)}


def test_exactly_so_many_of_some() -> None:
    parts = [Part("s", "X", low=0, high=None), Part("d", "XX", low=0, high=None)]
    puzzle = Puzzle("choice", SQUARE, Region("XXXX"), tuple(parts))
    numbers = [count(latcover.with_rules(puzzle, [CopiesTogether(n, n)])).total for n in range(2, 5)]
    assert numbers == [1, 3, 1]
    assert count(latcover.with_rules(puzzle, ["copies=3"])).total == 4
    assert count(latcover.with_rules(puzzle, ["copies-max=3"])).total == 4


def test_volumes_that_numbers_of_copies_forbid() -> None:
    parts = (Part("s", "X", low=0, high=None), Part("t", "XXX", low=0, high=1))
    puzzle = Puzzle("five", SQUARE, Region("XXXXX"), parts)
    assert not cannot_fill(puzzle)
    few = latcover.with_rules(puzzle, [CopiesTogether(0, 2)])
    assert cannot_fill(few)
    with pytest.raises(PuzzleError, match="with so many copies as the rule 'copies' asks for together"):
        latcover.solve(few)
    assert not cannot_fill(latcover.with_rules(puzzle, [CopiesTogether(3, 3)]))
    assert cannot_fill(latcover.with_rules(puzzle, [CopiesTogether(3, 4, ("s",))]))


def test_a_colouring_that_counts_copies() -> None:
    """Four L-tetrominoes and a T would be two black cells more: the reason has the number of copies too."""
    parts = (Part("T", "XXX\n.X.", low=0, high=5), Part("O", "XX\nXX", low=0, high=5))
    puzzle = Puzzle("odd", SQUARE, latcover.box(4, 5), parts)
    odd = latcover.with_rules(puzzle, [CopiesTogether(3, 3, ("T",))])
    assert any(reason.argument == "colouring" for reason in reasons(odd, prepare(odd).table))
    assert not reasons(puzzle, prepare(puzzle).table)


def test_the_rule_in_words_and_its_faults() -> None:
    assert CopiesTogether(1, 1, ("a", "b")).words() == "Of the 2 parts a, b exactly 1 piece is used."
    assert CopiesTogether(0, 3).words() == "In all at most 3 pieces are used."
    assert CopiesTogether(2).words() == "In all at least 2 pieces are used."
    assert CopiesTogether(2, 3).words() == "In all 2 to 3 pieces are used."
    with pytest.raises(PuzzleError, match="has min = 3, above max = 2"):
        CopiesTogether(3, 2)
    two = latcover.with_rules(row(), [CopiesTogether(3, parts=("a", "free"))])
    placed = (Placed("a", ((0, 0, 0), (0, 0, 1))), Placed("free", ((0, 0, 2), (0, 0, 3))))
    assert verify(two, Solution(placed)) == ["of the parts a, free 2 copies are used together, not 3 or more"]


def test_sets_are_designed_with_as_many_parts_as_the_rule_asks_for() -> None:
    text = 'name = "p"\nlattice = "square"\n[region]\nbox = [3, 3]\n[[parts]]\nset = "polyominoes:1-4"\nchoose = 3\n'
    puzzle = loads(text)
    listed = Counter(tuple(sorted(p.part for p in found.placements)) for found in latcover.solutions(puzzle))
    assert all(len(parts) == 3 for parts in listed)
    for search in ("all", "sample"):
        found = latcover.design(puzzle, search=search)
        assert {tuple(sorted(each.parts)): each.solutions for each in found if each.solutions} == dict(listed)


def test_no_regions_are_designed_for_confined_parts() -> None:
    with pytest.raises(PuzzleError, match="part 'a' is confined to cells of the puzzle's own region"):
        latcover.design_regions(row(within=[(0, 0), (0, 1)]))
