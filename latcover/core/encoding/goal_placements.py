"""The placements of many goals: those of the whole board are found once, and each goal takes its own of them."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from latcover.core.encoding.placement import CellIndex, PlacementTable, placements
from latcover.core.encoding.prepared import Choices, Prepared, group_of, prepared_with, with_choices
from latcover.core.model.goals import Goal, Goals, region_within
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.errors import UnsupportedError


class GoalPlacements:
    """Makes the goals of a board ready to be searched.

    Attributes:
        goals: The goals, whose board has the rules of the choices too.
        choices: How each goal is encoded; all number their cells along the same axes.
        table: The placements on the whole board of all parts.

    Raises:
        UnsupportedError: the choices name placements, which only one goal can have.
        PuzzleError: the board contradicts itself, or asks for too much.
    """

    def __init__(self, goals: Goals, choices: Choices = Choices(), bounds: Bounds | None = None) -> None:
        if choices.given:
            raise UnsupportedError("--given is about one puzzle; choose a goal with --goal")
        board, self.choices = with_choices(goals.board, choices)
        self.goals, self._bounds = replace(goals, board=board), bounds
        self.table = placements(board, choices.order, bounds)
        rules = board.rules
        self._sides_look_out = not rules.may_look_out().all()  # so that a placement depends on what lies around
        axes, cells = self.table.axes, board.region.cells
        self._by = np.lexsort([cells[:, 0], *(cells[:, 1 + axis] for axis in reversed(axes))])

    def prepared(self, goal: Goal) -> Prepared:
        """A goal ready to be searched, equal to what `prepare` makes of its puzzle with the board's order of cells."""
        begun = time.perf_counter()
        puzzle = self.goals.puzzle(goal)
        return prepared_with(puzzle, self.choices, self._table(goal, puzzle), begun)

    def table_of(self, goal: Goal) -> PlacementTable:
        """The placements of a goal."""
        return self._table(goal, self.goals.puzzle(goal))

    def symmetries_of(self, goal: Goal) -> int:
        """How many symmetries of a goal act differently, the identity included."""
        puzzle = self.goals.puzzle(goal)
        return len(group_of(puzzle, self._table(goal, puzzle), self.choices.symmetry))

    def _table(self, goal: Goal, puzzle: Puzzle) -> PlacementTable:
        if self._sides_look_out:
            return placements(puzzle, self.table.axes, self._bounds)
        return self._restricted(goal)

    def _restricted(self, goal: Goal) -> PlacementTable:
        """The placements of a goal's parts on its cells."""
        whole = self.table
        inside = goal.kept[self._by]
        has_part = np.array(goal.copies) != 0
        keep = has_part[whole.part_of]
        if len(keep):
            keep &= np.logical_and.reduceat(inside[whole.cells], whole.starts[:-1])
        return _of_these(whole, inside, has_part, keep)


def _of_these(
    whole: PlacementTable, inside: npt.NDArray[np.bool_], has_part: npt.NDArray[np.bool_], keep: npt.NDArray[np.bool_]
) -> PlacementTable:
    """Some of the placements of a table.

    Args:
        inside: The cells that stay, shape (n_cells,).
        has_part: The parts that stay, shape (n_parts,).
        keep: The placements that stay, all of them of these parts on these cells, shape (n_placements,).
    """
    number = np.cumsum(inside, dtype=np.int32) - 1
    sizes = np.diff(whole.first_orientation)
    stays = np.repeat(has_part, sizes)  # of each orientation
    new_orientation = np.cumsum(stays, dtype=np.int32) - 1
    new_part = np.cumsum(has_part, dtype=np.int32) - 1
    lengths = np.diff(whole.starts)
    of_key = keep[whole.placed_as]
    orientation, anchor = np.divmod(whole.placed[of_key], len(inside))
    new_placement = np.cumsum(keep, dtype=np.int32) - 1
    return replace(
        whole,
        index=CellIndex(region_within(whole.region, inside)),
        orientations=tuple(o for o, one in zip(whole.orientations, stays.tolist(), strict=True) if one),
        first_orientation=np.concatenate([[0], np.cumsum(sizes[has_part])]).astype(np.int64),
        orientation=new_orientation[whole.orientation[keep]],
        part_of=new_part[whole.part_of[keep]],
        starts=np.concatenate([[0], np.cumsum(lengths[keep])]).astype(np.int64),
        cells=number[whole.cells[np.repeat(keep, lengths)]],
        placed=new_orientation[orientation] * np.int64(inside.sum()) + number[anchor],
        placed_as=new_placement[whole.placed_as[of_key]],
    )
