"""Random boards with goals of every kind; and their goals again, each made by plain trial."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
from msgspec.structs import replace

from latcover.core.model.goals import GoalRegion, Goals, GoalsError, OpenCells
from latcover.core.model.part_choices import PartChoice
from latcover.core.model.puzzle import Part, Puzzle, as_cells
from tests.dice import Dice
from tests.puzzle_oracle import Cell, as_tuples
from tests.random_puzzles import any_puzzle


class ShownGoals(Goals):
    """Goals that are shown in full when a test fails."""

    def __repr__(self) -> str:
        own = f"open {self.open}\nexcept {self.exceptions}\nregions {self.regions}\nchoose {self.choice}"
        return f"{self.board!r}\n{own}"


def any_board(dice: Dice) -> Puzzle:
    """A puzzle of any kind, but none that closes in space: brute force takes seconds for it."""
    while True:
        board = any_puzzle(dice)
        if board.lattice.dimension < 3 or not board.region.period:
            return board


def open_goals(dice: Dice, board: Puzzle | None = None) -> Goals:
    """A board of which one or two cells of each of one or two groups stay open; any part may be absent."""
    board = any_board(dice) if board is None else board
    board = replace(board, parts=tuple(replace(part, low=0) for part in board.parts))
    cells = dice.shuffled(mandatory(board))
    if len(cells) < 2 or len(board.region.cells) < 7:
        return regions_goals(dice, board)
    groups, sizes = [], [dice.between(1, 3) for _ in range(dice.between(1, 2))]
    for k, size in enumerate(sizes):
        own, cells = cells[:size], cells[size:]
        if own:
            labels = tuple(f"{'ab'[k]}{n}" for n in range(len(own)))
            groups.append(OpenCells(["first", "second"][k], tuple(own), labels, dice.between(1, len(own))))
    labels = [label for group in groups for label in group.labels]
    exceptions = [tuple(dice.shuffled(labels)[: dice.between(1, 3)]) for _ in range(dice.below(3))]
    try:
        return ShownGoals(board, tuple(groups), tuple(exceptions))
    except GoalsError:  # each goal has an exception
        return ShownGoals(board, tuple(groups))


def chosen_goals(dice: Dice, board: Puzzle | None = None) -> Goals:
    """A board for any choice of some parts; perhaps cells stay open, too."""
    board = any_board(dice) if board is None else board
    parts = [replace(part, low=min(part.low, 1), high=min(2, part.high or 2)) for part in board.parts]
    board = replace(board, parts=tuple(parts))
    most = sum(part.high or 0 for part in parts)
    numbers = tuple(sorted({dice.between(1, most) for _ in range(dice.below(3))}))
    among = () if dice.chance(60) else tuple(part.name for part in parts if dice.chance(60))
    cells = mandatory(board)
    groups: tuple[OpenCells, ...] = ()
    if dice.chance(30) and len(cells) > 2:
        groups = (OpenCells("one", tuple(cells[:2]), ("a0", "a1")),)
    for own in (numbers, ()):
        try:
            return ShownGoals(board, groups, (), (), PartChoice(own, among))
        except GoalsError:  # none of the volume of the region
            continue
    return regions_goals(dice, board)


def regions_goals(dice: Dice, board: Puzzle | None = None) -> Goals:
    """Some regions of a board, which overlap; any part may be absent."""
    board = any_board(dice) if board is None else board
    board = replace(board, parts=tuple(replace(part, low=0) for part in board.parts))
    cells = as_tuples(board.region.cells)
    regions = []
    for k in range(dice.between(1, 4)):
        own = [cell for cell in cells if dice.chance(80)] or cells
        regions.append(GoalRegion(f"region {k}", tuple(own)))
    return ShownGoals(board, regions=tuple(regions))


def any_goals(dice: Dice) -> Goals:
    """Goals of any kind."""
    return dice.pick([open_goals, chosen_goals, regions_goals])(dice)


def mandatory(board: Puzzle) -> list[Cell]:
    cells, optional = as_tuples(board.region.cells), board.region.optional.tolist()
    return [cell for cell, free in zip(cells, optional, strict=True) if not free]


def by_trial(goals: Goals) -> dict[str, Puzzle]:
    """The goals as puzzles, by their names, in order."""
    return {
        " ".join(filter(None, [name, *(part.name for part, n in pieces for _ in range(n))])): puzzle
        for name, cells in _cells_of(goals)
        for pieces, puzzle in _with_parts(goals, restricted(goals.board, cells))
    }


def _cells_of(goals: Goals) -> Iterator[tuple[str, set[Cell]]]:
    cells = {*as_tuples(goals.board.region.cells)}
    for region in goals.regions:
        yield region.name, {*region.cells}
    if goals.regions:
        return
    groups = [combinations(zip(g.labels, g.cells, strict=True), g.count) for g in goals.open]
    for chosen in product(*groups):
        opened = [pair for pairs in chosen for pair in pairs]
        labels = {label for label, _ in opened}
        if not any({*exception} <= labels for exception in goals.exceptions):
            yield " ".join(label for label, _ in opened), cells - {cell for _, cell in opened}


def restricted(board: Puzzle, cells: set[Cell]) -> Puzzle:
    """The board with these cells only."""
    region = board.region
    rows = [k for k, cell in enumerate(as_tuples(region.cells)) if cell in cells]
    kept = as_cells([tuple(row) for row in region.cells[rows].tolist()], board.lattice.dimension)
    smaller = replace(region, cells=kept, colours=region.colours[rows], optional=region.optional[rows])
    asked = tuple(each for each in board.rules.asked if each[0] in cells)
    groups = (tuple(cell for cell in group if cell in cells) for group in board.rules.alike)
    alike = tuple(group for group in groups if len(group) > 1)
    return replace(board, region=smaller, rules=replace(board.rules, asked=asked, alike=alike))


def _with_parts(goals: Goals, puzzle: Puzzle) -> Iterator[tuple[list[tuple[Part, int]], Puzzle]]:
    """The puzzle with each choice of parts, and the parts that were chosen."""
    choice = goals.choice
    if choice is None:
        yield [], puzzle
        return
    chosen = [part for part in puzzle.parts if not choice.among or part.name in choice.among]
    others = [part for part in puzzle.parts if part not in chosen]
    n, least = len(puzzle.region.cells), int((~puzzle.region.optional).sum())
    secondary = np.array([puzzle.lattice.nodes[cell[0]].secondary for cell in as_tuples(puzzle.region.cells)])
    bounded = int((puzzle.region.optional & ~secondary).sum())
    most_empty = puzzle.region.max_empty
    if most_empty is not None and most_empty < bounded:
        least += bounded - most_empty
    ranges = [range(part.low, min(n // part.size, n if part.high is None else part.high) + 1) for part in others]
    volumes = {sum(k * part.size for k, part in zip(ks, others, strict=True)) for ks in product(*ranges)}
    for ks in product(*(range(min(part.high or 0, n // part.size), -1, -1) for part in chosen)):
        pieces = [*zip(chosen, ks, strict=True)]
        volume = sum(k * part.size for part, k in pieces)
        if choice.numbers and sum(ks) not in choice.numbers:
            continue
        if sum(ks) and any(least <= volume + other <= n for other in volumes):
            copies = dict(zip((part.name for part in chosen), ks, strict=True))
            parts = [
                replace(p, low=copies[p.name], high=copies[p.name]) if p.name in copies else p for p in puzzle.parts
            ]
            yield pieces, replace(puzzle, parts=tuple(p for p in parts if p.high != 0))
