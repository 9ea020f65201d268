"""Groups of solutions that differ only by blocks turned in place: against brute force on the definition."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice

import pytest

import latcover
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.solving.search_request import SearchRequest
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load_lattice
from latcover.lab.asking.blocks import group_by_blocks, only_shapes_matter
from tests import puzzle_oracle as oracle
from tests.command_line import run
from tests.dice import Dice, cases
from tests.piece_oracle import LATTICES, confined
from tests.puzzle_oracle import Cell, Solution, TooLargeError, images, moved, step
from tests.random_puzzles import Features, puzzles, random_puzzle
from tests.web_jobs import answer_to

MOST = 40  # solutions of a puzzle that brute force compares
SQUARE = load_lattice("square")


class Turns:
    """Says what becomes of solutions of a puzzle when blocks turn, by trying every motion on every block."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.motions = list(_motions(puzzle))
        self.known: dict[frozenset[Cell], list[oracle.Symmetry]] = {}

    def of_cells(self, cells: frozenset[Cell]) -> list[oracle.Symmetry]:
        """The motions that map these cells to themselves."""
        if cells not in self.known:
            self.known[cells] = [
                motion
                for motion in self.motions
                if cells <= motion.cells.keys() and {motion.cells[cell] for cell in cells} == cells
            ]
        return self.known[cells]

    def of_solution(self, solution: Solution) -> Iterator[Solution]:
        """What becomes of a solution when one of its blocks turns."""
        for size in range(2, len(solution)):
            for block in combinations(sorted(solution, key=repr), size):
                for motion in self.of_cells(frozenset(cell for _, copy in block for cell, *_ in copy)):
                    yield (solution - {*block}) | {(name, motion.goes_to(copy)) for name, copy in block}


def _motions(puzzle: Puzzle) -> Iterator[oracle.Symmetry]:
    """Every motion that maps some cells of the region to cells of it; it knows these alone."""
    cells, edges = oracle.as_tuples(puzzle.region.cells), [edge.label for edge in puzzle.lattice.half_edges]
    same, period = {name: name for name in puzzle.colours}, puzzle.region.period
    for transformation in puzzle.lattice.transformations:
        about_corners = puzzle.rules.apart and puzzle.rules.across_corners
        if about_corners and not oracle._keeps_corners(puzzle.lattice, transformation):
            continue
        labels = {edge: edges[there] for edge, there in zip(edges, transformation.labels, strict=True)}
        image = images(cells, transformation)
        turned = [  # the same cells, named by coordinates a period further on
            images([moved(cell, once_round, Period(len(once_round))) for cell in cells], transformation)
            for once_round in period.vectors
        ]
        for shift in {step(there, cell) for there in image for cell in cells if cell[0] == there[0]}:
            targets = [moved(there, shift, period) for there in image]
            if all([moved(there, shift, period) for there in again] == targets for again in turned):
                goes = dict(zip(cells, targets, strict=True))
                yield oracle.Symmetry({c: there for c, there in goes.items() if there in goes}, {}, labels, same)


def groups_of(puzzle: Puzzle, found: set[Solution], which: str) -> Counter[tuple[int, int]]:
    """How many groups there are of so many classes and so many solutions."""
    group, turns = oracle.symmetries(puzzle, which), Turns(puzzle)
    left, result = set(found), Counter[tuple[int, int]]()
    while left:
        front, reached = [left.pop()], set[Solution]()
        while front:
            solution = front.pop()
            reached.add(solution)
            near = {symmetry.image(solution) for symmetry in group} | ({*turns.of_solution(solution)} & found)
            front += near & left
            left -= near
        classes = oracle.classes(reached, group)
        result[len(classes), len(reached)] += 1
    return result


def assert_groups_are_those_of_brute_force(puzzle: Puzzle) -> None:
    try:
        found = set(islice(oracle.each_solution(puzzle, patience=20_000), MOST + 1))
    except TooLargeError:
        return
    if len(found) > MOST or max(map(len, found), default=0) > 5:
        return
    for symmetry in ("all", "none"):
        answer = group_by_blocks(puzzle, SearchRequest(symmetry=symmetry))  # type: ignore[arg-type]
        assert answer.complete
        expected = groups_of(puzzle, found, symmetry)
        assert Counter((group.size, group.total) for group in answer.groups) == expected, symmetry


def plain_puzzle(dice: Dice) -> Puzzle:
    puzzle = puzzles(dice.pick(LATTICES), periodic=dice.chance(15))(dice)
    assert only_shapes_matter(puzzle)
    return confined(dice, puzzle, 30) if dice.chance(20) else puzzle


def ruled_puzzle(dice: Dice) -> Puzzle:
    features = Features(
        coloured=dice.chance(40), painted=dice.chance(50), matched=dice.chance(40), sided=dice.chance(20)
    )
    return random_puzzle(dice, load_lattice(dice.pick(LATTICES)), features)


@cases(2, puzzle=plain_puzzle)
def test_blocks_of_plain_puzzles(puzzle: Puzzle) -> None:
    assert_groups_are_those_of_brute_force(puzzle)


@pytest.mark.long
@cases(12, puzzle=plain_puzzle)
def test_many_blocks_of_plain_puzzles(puzzle: Puzzle) -> None:
    assert_groups_are_those_of_brute_force(puzzle)


@pytest.mark.long
@cases(12, puzzle=ruled_puzzle)
def test_many_blocks_where_colours_or_sides_matter(puzzle: Puzzle) -> None:
    assert_groups_are_those_of_brute_force(puzzle)


@cases(2, puzzle=ruled_puzzle)
def test_blocks_where_colours_or_sides_matter(puzzle: Puzzle) -> None:
    assert_groups_are_those_of_brute_force(puzzle)


def test_the_two_solutions_of_three_by_twenty() -> None:
    """The famous pair: seven pentominoes in the middle, turned by half a turn."""
    answer = group_by_blocks(latcover.load("pent-20x3"))
    assert [(group.size, group.total) for group in answer.groups] == [(2, 8)]
    assert answer.headline() == (
        "pent-20x3: 1 group of solutions that differ only by blocks turned in place, 2 solutions (complete)"
    )


def test_a_whole_solution_is_no_block() -> None:
    every = group_by_blocks(latcover.load("pent-20x3"), SearchRequest(symmetry="none"))
    # Blocks flip all but the X, which a flip leaves as it is; only the whole solution can turn end to end.
    assert [(group.size, group.total) for group in every.groups] == [(4, 4), (4, 4)]


def test_a_block_does_not_move_onto_empty_cells() -> None:
    parts = (Part("d", "XX"), Part("c", "X"), Part("V", "XX\nX."))
    puzzle = Puzzle("row", SQUARE, Region("++++.XX\n.....X."), parts)
    # In the row: dc_ and cd_ turn into each other, _dc and _cd too; in d_c and c_d no motion keeps the cells.
    found = group_by_blocks(puzzle)
    assert sorted((group.size, group.total) for group in found.groups) == [(1, 1), (1, 1), (2, 2), (2, 2)]


def test_a_list_that_is_cut_short_claims_nothing() -> None:
    answer = group_by_blocks(latcover.load("pent-20x3"), SearchRequest(limit=1))
    assert not answer.complete
    assert "1 solution found in 1 group, which may grow and join (cut short: solution limit)" in answer.headline()
    assert answer.as_json()["groups_complete"] is False


def test_what_cannot_be_grouped_is_refused() -> None:
    many = Puzzle(
        "many", SQUARE, latcover.box(5, 13), (Part("s", "X", low=0, high=None), Part("d", "XX", low=0, high=2))
    )
    with pytest.raises(UnsupportedError, match="solutions of more than 64 pieces cannot be grouped"):
        group_by_blocks(many, SearchRequest(limit=3))


def test_no_solutions_no_groups() -> None:
    none = Puzzle("none", SQUARE, Region("XXX\nX.X"), (Part("i", "XXX"), Part("d", "XX")))
    answer = group_by_blocks(none)
    assert answer.headline() == "none: no solutions, so no groups (complete)"


def test_in_the_web_app() -> None:
    job = {"task": "solve", "group": "blocks", "subject": {"form": "shipped", "name": "pent-20x3"}}
    answer, sent = answer_to(job)
    assert answer["text"].startswith("pent-20x3: 1 group of solutions that differ only by blocks turned in place")
    assert answer["summary"]["groups"] == [{"first": 1, "solutions": 2, "total": 8}]
    assert sum(len(message.get("solutions", [])) for message in sent) == 1


def test_on_the_command_line() -> None:
    shown = run("solve", "pent-20x3", "--group", "blocks", "--no-color").stdout
    assert shown.startswith("solution 1 stands for group 1, of 2\n")
    assert "1 group of solutions that differ only by blocks turned in place" in shown
    short = run("count", "pent-20x3", "--group", "blocks", "--limit", "1", "--json")
    assert short.returncode == 3
    assert json.loads(short.stdout)["groups"] == [{"first": 1, "solutions": 1, "total": 4}]
    refused = run("solve", "soma", "--group", "blocks", "--images")
    assert refused.returncode == 1
    assert "--group lists all solutions and groups them at the end; leave --images out" in refused.stderr
