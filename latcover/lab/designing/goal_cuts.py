"""Cuts of a board for many goals: the region of one goal is cut into parts at random, and the other goals are tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from msgspec.structs import replace

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import Stop
from latcover.core.encoding.encode import neighbour_graph
from latcover.core.encoding.goal_placements import GoalPlacements
from latcover.core.encoding.placement import CellIndex
from latcover.core.model.goals import Goal, Goals, region_within
from latcover.core.model.lattice import Cells
from latcover.core.model.orientation import orientations
from latcover.core.model.puzzle import Bounds, Part
from latcover.errors import UnsupportedError
from latcover.files.formats.library import goals_called
from latcover.lab.designing.goal_search import SAMPLES, GoalDesignRequest, GoalDesigns, GoalSearch
from latcover.system.decoding import decoded

USUAL_CELLS = 5  # of a part
Neighbours = Mapping[int, Sequence[int]]


def cut_for_goals(goals: Goals | str | Path, **choices: Any) -> GoalDesigns:
    """Cut the board of many goals into parts with which each goal has a solution.

    Args:
        goals: A board with goals, or the name or the path of one; its own parts are not looked at.
        choices: Fields of a `GoalDesignRequest`; ``parts`` is the number of parts.

    Raises:
        UnsupportedError: the goals are choices of parts, or the choices do not go together.
    """
    return find_cuts(goals_called(goals), decoded(GoalDesignRequest, choices, "the cut"))


def find_cuts(
    goals: Goals, request: GoalDesignRequest, events: Events = SILENT, bounds: Bounds | None = None
) -> GoalDesigns:
    """The same for a request; ``events.on_design`` receives each design as it is found.

    Raises:
        UnsupportedError: as `cut_for_goals`.
    """
    return CutSearch(goals, request, events, bounds).result()


class CutSearch(GoalSearch):
    """Random cuts."""

    def search(self) -> GoalDesigns:
        if self.goals.choice is not None:
            raise UnsupportedError("a cut makes the parts, so its goals cannot be choices of parts; leave choose out")
        sizes = {int(goal.kept.sum()) for goal in self.goals}
        if len(sizes) > 1:
            raise UnsupportedError("the goals have several numbers of cells, so no set of parts fills all of them")
        n_cells = sizes.pop()
        n_parts = self.request.parts or max(2, round(n_cells / USUAL_CELLS))
        if not 2 <= n_parts <= n_cells:
            raise UnsupportedError(f"a goal of {n_cells} cells can be cut into 2 to {n_cells} parts")
        most = self.request.samples or SAMPLES
        found, dice = GoalDesigns(self.goals.name, 0, all_listed=False), Random(self.request.seed)
        while found.tried < most and self.may_go_on(found.tried / most):
            parts = self._cut(dice, self.goals.goals[dice.randrange(len(self.goals))], n_parts)
            found.tried += 1
            if parts is not None and self._will_do(parts):
                self.keep(found, parts)
        self.stop = self.stop or Stop.BRANCH_LIMIT  # there are always other cuts
        return found

    def _will_do(self, parts: tuple[Part, ...]) -> bool:
        made = replace(self.goals, board=replace(self.goals.board, parts=parts))
        shared, unchanged = GoalPlacements(made, self.choices, self.bounds), (-1,) * len(parts)
        return self.judge.will_do(lambda goal: replace(goal, copies=unchanged), shared)

    def _cut(self, dice: Random, goal: Goal, n_parts: int) -> tuple[Part, ...] | None:
        """The parts of a random cut of a goal's region; None if one is not connected, or two are alike."""
        region, lattice = region_within(self.goals.board.region, goal.kept), self.goals.board.lattice
        starts, cells = neighbour_graph(CellIndex(region), lattice)
        around = {k: cells[starts[k] : starts[k + 1]].tolist() for k in range(len(region.cells))}
        size, more = divmod(len(around), n_parts)
        sizes = [size + (k < more) for k in range(n_parts)]
        dice.shuffle(sizes)
        pieces = random_cut(dice, around, sizes)
        if pieces is None:
            return None
        parts = [self._part(f"P{k}", region.cells[np.array(piece)]) for k, piece in enumerate(pieces, 1)]
        shapes = {frozenset(o.key for o in orientations(part, range(lattice.dimension))) for part in parts}
        return tuple(parts) if len(shapes) == len(parts) else None

    def _part(self, name: str, cells: Cells) -> Part:
        moved = cells.copy()
        moved[:, 1:] -= moved[:, 1:].min(axis=0)
        return Part(name, moved, transformations=self.goals.board.lattice.default_transformations,
                    lattice=self.goals.board.lattice)  # fmt: skip


def random_cut(dice: Random, around: Neighbours, sizes: Sequence[int]) -> list[list[int]] | None:
    """Connected pieces of these sizes; None if one does not come to its size.

    Each begins with a free cell that has the fewest free neighbours, and grows by such cells too, so that few islands
    are left.
    """
    free = set(around)

    def loneliest(cells: Sequence[int]) -> int:
        left = {cell: sum(other in free for other in around[cell]) for cell in cells}
        least = min(left.values())
        return dice.choice([cell for cell in cells if left[cell] == least])

    pieces = []
    for size in sizes:
        piece = [loneliest(sorted(free))]
        free.remove(piece[0])
        while len(piece) < size:
            front = sorted({other for cell in piece for other in around[cell]} & free)
            if not front:
                return None
            piece.append(loneliest(front) if dice.random() < 0.5 else dice.choice(front))
            free.remove(piece[-1])
        pieces.append(sorted(piece))
    return pieces
