"""The places of pieces while a solution is taken apart, the best view of this, and the pieces that hide others.

Sheets of steps (`latcover.show.drawing.paper.steps`) use this. The script of the 3D page computes it by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct

from latcover.core.model.disassembly import Disassembly, Pieces, Separation, Step
from latcover.core.model.move_words import level_as_text, play_in_words
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.core.model.turn_bounds import BOUNDS, examined_in_words
from latcover.errors import counted
from latcover.show.drawing.scenes.explosion import PartExtent, middle_of
from latcover.show.drawing.scenes.poses import Poses
from latcover.show.drawing.shapes.outlines import Points, padded

HIDDEN = 0.7  # the share of the moving cells that others may hide before they become transparent
LINE_OF_SIGHT = 0.7  # of the size of a cell: the distance from the line of sight within which a cell hides another


class Moment(Struct, frozen=True, eq=False):
    """A group before its separation, or after one of its moves.

    Attributes:
        separation: The number of the separation.
        step: The move; None before the first one.
        by: The displacement of its pieces, shape (3,); zero for a turn.
        poses: Where each piece is; only the group's are valid.
        away: How far the group is from where its moves were found, shape (3,).
    """

    separation: int
    step: Step | None
    by: Points
    poses: Poses
    away: Points


class Dismantling(Struct, frozen=True, eq=False, dict=True):
    """A disassembly of a solution, with the shapes and the places of its pieces.

    Attributes:
        puzzle: The puzzle.
        solution: The solution.
        disassembly: How it comes apart, or that it does not.
        parts: The extent of each piece, in the order of the placements.
        places: The offset of each piece from its extent, shape (n, 3).
        size: The longest side of a cell.
    """

    puzzle: Puzzle
    solution: Solution
    disassembly: Disassembly
    parts: Sequence[PartExtent]
    places: Points
    size: float

    @cached_property
    def separations(self) -> tuple[Separation, ...]:
        """The separations. Pieces in one layer are lifted off, the last one first."""
        if not self.disassembly.flat:
            return self.disassembly.separations
        groups = [tuple(range(n)) for n in range(self.disassembly.n_pieces, 1, -1)]
        return tuple(Separation(g, (Step(g[-1:], (), 1, True),), g[:-1], g[-1:]) for g in groups)

    @cached_property
    def cells(self) -> tuple[Points, ...]:
        """The centres of the cells of each piece, shape (n, 3)."""
        lattice = self.puzzle.lattice
        centres = [lattice.centres(np.array(placed.cells, np.int32)) for placed in self.solution.placements]
        return tuple(padded(found, 3) for found in centres)

    @cached_property
    def middle(self) -> Points:
        """The middle of the box around all pieces."""
        return middle_of(self.boxes(np.eye(3)))

    def boxes(self, view: Points) -> Points:
        """The boxes of the pieces in their places, along the axes of *view*, shape (n, 2, 3)."""
        boxes = np.array([self.parts[k].along(view) for k in range(self.disassembly.n_pieces)])
        return boxes + (self.places[: len(boxes)] @ view.T)[:, None]

    def boxes_at(self, poses: Poses, pieces: Sequence[int], view: Points) -> Points:
        """The boxes of some pieces at *poses*, along the axes of *view*, shape (n, 2, 3)."""
        return np.array([poses.box(k, self.parts[k], self.places[k], view) for k in pieces])

    def moments(self) -> Iterator[Moment]:
        """The moments of each separation. A group that was removed earlier first returns to the middle."""
        poses, away = Poses.at_rest(self.disassembly.n_pieces), np.zeros((self.disassembly.n_pieces, 3))
        for number, separation in enumerate(self.separations):
            group = separation.pieces
            if number and group != self.separations[number - 1].stays:
                back = self.middle - middle_of(self.boxes_at(poses, group, np.eye(3)))
                poses, away[list(group)] = poses.moved(group, back), away[list(group)] + back
            here = away[group[0]].copy()
            yield Moment(number, None, np.zeros(3), poses, here)
            for step in separation.steps:
                by = self.vector(step)
                if step.turn is None:
                    poses = poses.moved(step.pieces, by)
                else:
                    poses = poses.turned(step.pieces, step.turn, here)
                yield Moment(number, step, by, poses, here)

    def vector(self, step: Step) -> Points:
        """The Cartesian displacement of a move; upwards for a piece that is lifted off."""
        if not step.direction:
            return np.array([0.0, 0.0, self.size])
        return padded(np.array(step.shift) @ self.puzzle.lattice.basis, 3)

    def best_way(self, ways: Points) -> int:
        """The number of the first of *ways*, directions towards the viewer, with most moving pieces in front."""
        middles = self.boxes(np.eye(3)).mean(axis=1)
        nearer = np.zeros(3)
        for moment in self.moments():
            if moment.step is not None:
                rest = sorted(set(self.separations[moment.separation].pieces) - set(moment.step.pieces))
                at = np.array([moment.poses.of(k, middle) for k, middle in enumerate(middles)])
                apart = at[list(moment.step.pieces)].mean(axis=0) - at[rest].mean(axis=0)
                nearer += apart / max(float(np.linalg.norm(apart)), 1e-9)
        return int(np.argmax(np.round(ways @ nearer, 6)))

    def hiding(self, separation: int, step: Step, moments: Sequence[Poses], view: Points) -> Pieces:
        """The pieces that hide much of the moving ones at any of *moments*."""
        rest = sorted(set(self.separations[separation].pieces) - set(step.pieces))
        found: set[int] = set()
        for poses in moments:
            movers = np.concatenate([poses.of(k, self.cells[k]) for k in step.pieces]) @ view.T
            hides = {}  # which moving cells each piece hides
            for k in rest:
                apart = (poses.of(k, self.cells[k]) @ view.T)[:, None] - movers
                beside = np.linalg.norm(apart[:, :, :2], axis=2) < LINE_OF_SIGHT * self.size
                hides[k] = (beside & (apart[:, :, 2] > 0)).any(axis=0)
            if np.any([*hides.values()], axis=0).mean() > HIDDEN:
                found |= {k for k, hidden in hides.items() if hidden.any()}
        return tuple(sorted(found))


def result_in_words(disassembly: Disassembly) -> str:
    """The result of a disassembly in words."""
    if disassembly.result == "stuck":
        return "it cannot be taken apart by sliding"
    if disassembly.result == "unproved":
        bounds = "; ".join(BOUNDS[bound] for bound in disassembly.bounds)
        examined = examined_in_words(disassembly.turning)
        return f"no way was found to take it apart; not proved (examined: {examined}. Bounds of the search: {bounds})"
    if disassembly.result == "unknown":
        return f"it is not known whether it comes apart ({disassembly.stop or 'a limit was met'})"
    if disassembly.flat:
        return "its parts lie in one layer and are lifted off"
    if not disassembly.level:
        return "there is nothing to take apart"
    together = "; some parts may stay together" if disassembly.left_together else ""
    turns = f" ({counted(disassembly.turns, 'turn')})" if disassembly.turns else ""
    level = f"level {level_as_text(disassembly.level)}{turns}: {counted(disassembly.moves, 'move')}"
    others = len(disassembly.steps) - disassembly.moves
    freed = f", and {others} more, each of which frees a piece at once" if others else ""
    play = "" if disassembly.needed_play is None else f"{play_in_words(disassembly.needed_play)}; "
    return f"{play}it comes apart with {level}{freed}{together}"
