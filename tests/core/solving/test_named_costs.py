"""Costs that authors give: the best solutions of random puzzles, against brute force, with every backend."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from latcover.core.model.puzzle import Bounds, Part, Puzzle, box
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.model.puzzle_costs import CellCost, NamedCosts, PlacementCost, TouchingCost
from latcover.core.model.solution import Placed, Solution
from latcover.core.model.solution_values import value_of
from latcover.errors import LatcoverError, PuzzleError, PuzzleFileError, UnsupportedError
from latcover.files.formats.puzzle_files.puzzle_file import read_puzzles
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_data, puzzle_as_toml
from latcover.files.formats.source import Source, shipped
from latcover.lab.asking.best import BestRequest, best
from tests.dice import Dice, Seeded
from tests.puzzle_oracle import TooLargeError, each_solution
from tests.random_puzzles import any_puzzle

FEW = {"dlx": 12, "bitset": 12, "backtrack": 4, "cpsat": 2, "sat": 6, "frontier": 4}
MANY = 200
EACH = BestRequest(objective="gold", sense="maximize", limit=4, symmetry="none")


def placed(found: object) -> Solution:
    """A solution of the brute force as one of latcover's."""
    pieces = sorted((name, tuple(sorted(cell for cell, _, _ in copy))) for name, copy in found)  # type: ignore[attr-defined]
    return Solution(tuple(Placed(name, cells) for name, cells in pieces))


def random_costs(dice: Dice, puzzle: Puzzle, solutions: list[Solution]) -> NamedCosts:
    """Entries of every kind; those of placements are about some that occur."""
    parts = [part.name for part in puzzle.parts]
    cells = [tuple(cell) for cell in puzzle.region.cells.tolist()]

    def cost() -> int:
        return dice.between(-6, 6)

    some = [dice.pick(dice.pick(solutions).placements) for _ in range(dice.below(3))] if solutions else []
    return NamedCosts(
        "gold",
        "pieces",
        tuple((part, cost()) for part in parts if dice.chance(40)),
        tuple(PlacementCost(one.part, one.cells, cost()) for one in some),
        tuple(
            CellCost((dice.pick(cells),), cost(), (dice.pick(parts),) if dice.chance(60) else ())
            for _ in range(dice.below(4))
        ),
        tuple(
            TouchingCost((dice.pick(parts), dice.pick(parts)), cost(), dice.pick(("side", "copy")))
            for _ in range(dice.below(4))
        ),
    )


def cases_for(backend: str, many: int) -> list[tuple[Puzzle, list[int]]]:
    """Puzzles with costs, and the values of all their solutions."""
    found: list[tuple[Puzzle, list[int]]] = []
    seed = 0
    while len(found) < many:
        dice = Seeded(f"costs of {seed}")
        seed += 1
        puzzle = any_puzzle(dice)
        try:
            solutions = [placed(one) for one in each_solution(puzzle, 2_000)]
        except TooLargeError:
            continue
        if any(not complaint.warning for complaint in complaints_about(puzzle)):
            continue
        if len(solutions) > 300 or (len(solutions) < 2 and seed % 5):
            continue
        puzzle = replace(puzzle, costs=(random_costs(dice, puzzle, solutions),))
        found.append((puzzle, sorted(value_of(puzzle, one, "gold") for one in solutions)))
    return found


@pytest.mark.parametrize("backend", FEW)
def test_the_best_are_those_of_brute_force(backend: str, pytestconfig: pytest.Config) -> None:
    long = pytestconfig.getoption("--long")
    for number, (puzzle, expected) in enumerate(cases_for(backend, MANY if long else FEW[backend])):
        try:
            most = best(
                puzzle, BestRequest(objective="gold", sense="maximize", backend=backend, limit=4, symmetry="none")
            )
        except UnsupportedError:  # it knows no colours, or no copies
            assert backend in ("backtrack", "frontier")
            continue
        assert [one.value for one in most.solutions] == expected[::-1][:4], number
        least = best(puzzle, BestRequest(objective="gold", backend=backend, all_optimal=True))
        assert least.value == (expected[0] if expected else None), number
        assert least.search.total == expected.count(least.value), number
        assert least.optima == (expected.count(least.value) if expected else None), number


BOARD = """
name = "board"
lattice = "square"
region = { box = [2, 4], minus = { cells = [[0, 0]] } }
[[parts]]
name = "bar"
art = "XXX"
[[parts]]
name = "ell"
art = ["XX", "X."]
[[parts]]
name = "dot"
art = "X"
[[costs]]
name = "gold"
words = "pieces of gold"
parts = { bar = 3, dot = -1 }
placements = [{ part = "bar", cells = [[1, 0], [1, 1], [1, 2]], cost = 4 }]
cells = [{ box = [1, 2], at = [0, 1], cost = 2, parts = ["dot", "ell"] }, { cells = [[1, 3]], cost = 1 }]
touching = [{ parts = ["bar", "dot"], cost = 5 }, { parts = ["ell", "dot"], cost = 7, each = "copy" }]
[[costs]]
name = "silver"
parts = { ell = 1 }
"""


def board(text: str = BOARD) -> Puzzle:
    (puzzle,) = read_puzzles(Source(text.encode(), "board.toml", shipped), Bounds())
    return puzzle


def test_costs_are_read_and_written_and_mean_the_same() -> None:
    puzzle = board()
    assert [costs.name for costs in puzzle.costs] == ["gold", "silver"]
    assert puzzle.costs[0].cells[0] == CellCost(((0, 0, 1), (0, 0, 2)), 2, ("dot", "ell"))
    again = board(puzzle_as_toml([puzzle]))
    assert again.costs == puzzle.costs
    assert puzzle_as_data([again])["costs"] == puzzle_as_data([puzzle])["costs"]
    elsewhere = board(BOARD.replace("box = [2, 4], minus = { cells = [[0, 0]] }", 'art = [".....", "..XXX", ".XXXX"]')
                      .replace("[1, 0], [1, 1], [1, 2]", "[2, 1], [2, 2], [2, 3]").replace("at = [0, 1]", "at = [1, 2]")
                      .replace("[[1, 3]]", "[[2, 4]]"))  # fmt: skip
    assert board(puzzle_as_toml([elsewhere])).costs == puzzle.costs  # a written region begins at the origin


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("parts = { bar = 3", "parts = { bra = 3", 17, "no part 'bra'; did you mean 'bar'?"),
        ("at = [0, 1]", "at = [0, 0]", 19, "[0, 0] is not a cell of the region"),
        ('name = "silver"', 'name = "gold"', 22, "two tables of costs are named 'gold'"),
        ('name = "silver"', 'name = "border"', 22, "an objective of latcover's own"),
        ("cost = 4", "cost = 4.5", 18, "a whole number"),
        ('["bar", "dot"]', '["bar"]', 20, "a list of two names of parts"),
        ('each = "copy"', 'each = "cup"', 20, "one of"),
        ("cost = 1 }]", "cots = 1 }]", 19, "'cost' is missing"),
        ("parts = { ell = 1 }\n", "", 21, "has no costs"),
    ],
)
def test_mistakes_are_told_with_their_line(old: str, new: str, line: int, said: str) -> None:
    assert old in BOARD
    with pytest.raises(PuzzleFileError) as fault:
        board(BOARD.replace(old, new))
    assert said in str(fault.value)
    assert f"board.toml:{line}" in str(fault.value)


def test_costs_of_a_place_where_a_part_does_not_fit_are_refused() -> None:
    puzzle = board(BOARD.replace("[1, 0], [1, 1], [1, 2]", "[1, 0], [1, 1], [1, 3]"))
    with pytest.raises(PuzzleError, match="covers just the 3 cells"):
        best(puzzle, BestRequest(objective="gold"))


def test_costs_made_in_python_are_checked_when_they_are_used() -> None:
    costs = NamedCosts("weight", parts=(("no such", 1),))
    puzzle = Puzzle("p", board().lattice, box(1, 2), (Part("domino", "XX"),), costs=(costs,))
    with pytest.raises(LatcoverError, match="no part 'no such'"):
        best(puzzle, BestRequest(objective="weight"))
