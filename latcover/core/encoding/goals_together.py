"""All goals of a board as one cover problem, whose covers are the solutions of all goals.

The cells that a goal may leave open are optional, and rules say how many of each group stay empty. Parts that a goal
may lack have ranges of copies. A cover leaves the cells of one goal open, and has the parts of one goal.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from latcover.core.cover.problem import Longs
from latcover.core.cover.search import Batch
from latcover.core.encoding.goal_placements import GoalPlacements
from latcover.core.encoding.placement import CellIndex
from latcover.core.encoding.prepared import Prepared, prepared_with
from latcover.core.encoding.symmetry import partial_renamings
from latcover.core.model.goals import Goals
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules.placement_arrays import PlacementArrays
from latcover.core.model.rules.rule import Rule, RuleItem, rules_of
from latcover.errors import InternalError

Keys = npt.NDArray[np.uint64]
NO_PLACEMENTS = np.empty(0, np.int32)


def why_not_together(shared: GoalPlacements) -> str:
    """Why the goals cannot be one problem; "" if they can."""
    goals = shared.goals
    board, choice = goals.board, goals.choice
    if goals.regions:
        return "its goals are listed regions"
    if rules_of(board) or board.rules.rim >= 0:
        return "its rules look at the rim or at whole solutions"
    if choice is None:
        return ""
    if choice.numbers and [*range(min(choice.numbers), max(choice.numbers) + 1)] != sorted(choice.numbers):
        return "the numbers of parts to choose have gaps"
    if board.region.optional.any():
        return "cells may stay empty, so parts of several volumes could fill the board"
    return ""


def _are_alike(shared: GoalPlacements) -> bool:
    """Whether all goals have the symmetries of the board, and no others: each keeps the region and every part."""
    board = shared.goals.board
    if shared.goals.open or board.region.exchangeable:
        return False
    unchanged = tuple(range(len(board.parts)))
    renamed = partial_renamings(board, shared.table, shared.choices.symmetry)
    return all(parts == unchanged for _, parts in renamed)


class _OfOneGoal(Rule, frozen=True):
    """What a cover leaves open, and how many parts it has, are those of a goal."""

    goals: Goals

    def items(self, placements: PlacementArrays) -> Iterator[RuleItem]:
        """An item for each group of open cells, for each exception, and for the number of parts."""
        number = {tuple(cell): k for k, cell in enumerate(placements.region.cells.tolist())}
        goals = self.goals
        of_label = {
            label: number[cell] for group in goals.open for label, cell in zip(group.labels, group.cells, strict=True)
        }
        never = never_open(goals)
        for group in goals.open:
            cells = sorted(of_label[label] for label in group.labels if label not in never)
            yield RuleItem(NO_PLACEMENTS, group.count, group.count, np.array(cells, np.int32))
        for labels in goals.exceptions:
            if not never & {*labels}:
                cells = sorted({of_label[label] for label in labels})
                yield RuleItem(NO_PLACEMENTS, 0, len(cells) - 1, np.array(cells, np.int32))
        if goals.choice is not None:
            parts, chosen = goals.board.parts, goals.choice.indices(goals.board.parts)
            others_vary = any(part.low != part.high for k, part in enumerate(parts) if k not in chosen)
            numbers = goals.choice.numbers
            if not numbers or others_vary or len({parts[k].size for k in chosen}) > 1:  # else the volume says it
                members = np.flatnonzero(np.isin(placements.part_of, chosen)).astype(np.int32)
                yield RuleItem(members, min(numbers, default=1), max(numbers) if numbers else None)


def never_open(goals: Goals) -> set[str]:
    """The labels of cells that are exceptions by themselves, so that no goal leaves them open."""
    return {label for labels in goals.exceptions if len({*labels}) == 1 for label in labels}


class GoalsTogether:
    """All goals as one problem.

    Attributes:
        prepared: The problem.
        counts_all: Whether every cover counts by itself, although symmetries make some count as the same: a symmetry of
            the board may take a solution of one goal to one of another, and a goal may have symmetries of its own.
    """

    def __init__(self, shared: GoalPlacements) -> None:
        goals, begun = shared.goals, time.perf_counter()
        whole = _all_in_one(goals)
        table = replace(shared.table, index=CellIndex(whole.region.ordered(shared.table.axes)))
        alike = shared.choices.symmetry == "none" or _are_alike(shared)
        self.counts_all = not alike
        choices = shared.choices if alike else replace(shared.choices, symmetry="none")
        self.prepared: Prepared = prepared_with(whole, choices, table, begun)
        self._weights, self._keys = self._weighed(goals)
        self._order = np.argsort(self._keys)
        self._sorted = self._keys[self._order]

    def goals_of(self, batch: Batch) -> Longs:
        """The number of the goal that each cover of a batch solves."""
        keys = np.add.reduceat(self._weights[batch.options], batch.starts[:-1])
        places = np.minimum(np.searchsorted(self._sorted, keys), len(self._sorted) - 1)
        if (self._sorted[places] != keys).any():
            raise InternalError("a cover of all goals is the solution of none")
        return self._order[places]

    def _weighed(self, goals: Goals) -> tuple[Keys, Keys]:
        """A weight for each option, and the sum of the weights for each goal: no two goals have the same.

        The weights are drawn until that holds, which it does at once. A cover has the open cells and the parts of some
        goal, so its sum tells which.
        """
        problem, table = self.prepared.problem, self.prepared.table
        placement = self.prepared.option_placement
        first = problem.option_items[problem.option_starts[:-1]]  # the cell, of an option that leaves it empty
        may_be_open = np.zeros(len(table.region.cells), np.bool_)
        number = {tuple(cell): k for k, cell in enumerate(table.region.cells.tolist())}
        may_be_open[[number[cell] for group in goals.open for cell in group.cells]] = True
        in_order = np.array([number[tuple(cell)] for cell in goals.board.region.cells.tolist()])
        kept = np.array([goal.kept for goal in goals])
        copies = np.maximum(0, np.array([goal.copies for goal in goals])).astype(np.uint64)
        chosen = goals.choice.indices(goals.board.parts) if goals.choice else []
        dice = np.random.default_rng(0)
        while True:
            of_cell = dice.integers(1, 1 << 63, len(may_be_open), dtype=np.uint64) * may_be_open
            of_part = dice.integers(1, 1 << 63, len(goals.board.parts), dtype=np.uint64)
            of_part[np.setdiff1d(np.arange(len(of_part)), chosen)] = 0
            keys = (~kept * of_cell[in_order]).sum(axis=1, dtype=np.uint64) + (copies * of_part).sum(
                axis=1, dtype=np.uint64
            )
            if len(np.unique(keys)) == len(keys):
                part = table.part_of[np.maximum(placement, 0)] if len(table) else np.zeros(len(placement), np.int32)
                empty = np.where(placement < 0, first, 0)
                return np.where(placement < 0, of_cell[empty], of_part[part]), keys


def _all_in_one(goals: Goals) -> Puzzle:
    """The board whose solutions are those of all goals."""
    board = goals.board
    region, parts = board.region, board.parts
    never = never_open(goals)
    may_be_open = {
        cell
        for group in goals.open
        for label, cell in zip(group.labels, group.cells, strict=True)
        if label not in never
    }
    optional = region.optional | np.array([tuple(cell) in may_be_open for cell in region.cells.tolist()])
    left = sum(group.count for group in goals.open)
    max_empty = None if region.max_empty is None else region.max_empty + left
    if goals.choice is not None:
        chosen = goals.choice.indices(parts)
        parts = tuple(replace(part, low=0) if k in chosen else part for k, part in enumerate(parts))
    rules = replace(board.rules, of_parts=(_OfOneGoal(goals),))
    return replace(board, region=replace(region, optional=optional, max_empty=max_empty), parts=parts, rules=rules)
