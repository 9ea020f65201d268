"""Where the pieces of a solution are while it is taken apart, from where this is seen best, and what hides it.

Films (`latcover.drawing.film`) and sheets of steps (`latcover.drawing.steps`) are made of this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from latcover.drawing.explosion import Reach, in_space
from latcover.drawing.outlines import Points
from latcover.errors import counted
from latcover.model.disassembly import Disassembly, Pieces, Separation, Step
from latcover.model.move_words import level_as_text
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution

HIDDEN = 0.7  # the share of cells of what moves that others may hide; if they hide more, they become glass
LINE_OF_SIGHT = 0.7  # of the size of a cell: what is nearer to it hides a cell


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A group before it is parted, or after one of its moves.

    Attributes:
        separation: The number of the separation.
        step: The move; None before the first one.
        by: How far its pieces go, shape (3,).
        shifts: How far each piece is from its place in the solution, shape (n_pieces, 3); only the group's count.
    """

    separation: int
    step: Step | None
    by: Points
    shifts: Points


@dataclass(frozen=True, eq=False)
class Dismantling:
    """A disassembly of a solution, with the shapes and the places of its pieces.

    Attributes:
        puzzle: The puzzle.
        solution: The solution.
        disassembly: How it comes apart, or that it does not.
        parts: The reach of each piece, in the order of the placements.
        places: By how much each of them stands elsewhere than its reach says, shape (n, 3).
        size: The longest side of a cell.
    """

    puzzle: Puzzle
    solution: Solution
    disassembly: Disassembly
    parts: Sequence[Reach]
    places: Points
    size: float

    @cached_property
    def separations(self) -> tuple[Separation, ...]:
        """Those of the disassembly. The pieces of one layer are lifted off, the last of them first."""
        if not self.disassembly.flat:
            return self.disassembly.separations
        groups = [tuple(range(n)) for n in range(self.disassembly.n_pieces, 1, -1)]
        return tuple(Separation(g, (Step(g[-1:], (), 1, True),), g[:-1], g[-1:]) for g in groups)

    @cached_property
    def cells(self) -> tuple[Points, ...]:
        """The middles of the cells of each piece, shape (n, 3)."""
        lattice = self.puzzle.lattice
        centres = [lattice.centres(np.array(placed.cells, np.int32)) for placed in self.solution.placements]
        return tuple(np.pad(found, ((0, 0), (0, 3 - found.shape[1]))) for found in centres)

    @cached_property
    def middle(self) -> Points:
        """The middle of the box around all pieces."""
        boxes = self.boxes(np.eye(3))
        middle: Points = (boxes[:, 0].min(axis=0) + boxes[:, 1].max(axis=0)) / 2
        return middle

    def boxes(self, view: Points) -> Points:
        """The boxes of the pieces in their places, along the axes of *view*, shape (n, 2, 3)."""
        boxes = np.array([self.parts[k].along(view) for k in range(self.disassembly.n_pieces)])
        return boxes + (self.places[: len(boxes)] @ view.T)[:, None]

    def moments(self) -> Iterator[Moment]:
        """The moments of each separation. A group that had been removed is first put in the middle."""
        shifts, boxes = np.zeros((self.disassembly.n_pieces, 3)), self.boxes(np.eye(3))
        for number, separation in enumerate(self.separations):
            group = list(separation.pieces)
            if number and separation.pieces != self.separations[number - 1].stays:
                here = boxes[group] + shifts[group, None]
                shifts[group] += self.middle - (here[:, 0].min(axis=0) + here[:, 1].max(axis=0)) / 2
            yield Moment(number, None, np.zeros(3), shifts.copy())
            for step in separation.steps:
                by = self._vector(step)
                shifts[list(step.pieces)] += by
                yield Moment(number, step, by, shifts.copy())

    def _vector(self, step: Step) -> Points:
        """How far a move goes, in Cartesian coordinates; a piece of a layer that is lifted off goes up."""
        if not step.direction:
            return np.array([0.0, 0.0, self.size])
        return in_space(np.array(step.shift) @ self.puzzle.lattice.basis)

    def best_way(self, ways: Points) -> int:
        """The number of the first of *ways*, towards the viewer, from which most of what moves stands in front."""
        middles = self.boxes(np.eye(3)).mean(axis=1)
        nearer = np.zeros(3)
        for moment in self.moments():
            if moment.step is not None:
                rest = sorted(set(self.separations[moment.separation].pieces) - set(moment.step.pieces))
                at = middles + moment.shifts
                apart = at[list(moment.step.pieces)].mean(axis=0) - at[rest].mean(axis=0)
                nearer += apart / max(float(np.linalg.norm(apart)), 1e-9)
        return int(np.argmax(np.round(ways @ nearer, 6)))

    def hiding(self, separation: int, step: Step, moments: Sequence[Points], view: Points) -> Pieces:
        """Pieces that hide what moves, if much of it is hidden at any of some *moments*: shifts as in `Moment`."""
        rest = sorted(set(self.separations[separation].pieces) - set(step.pieces))
        found: set[int] = set()
        for shifts in moments:
            movers = np.concatenate([self.cells[k] + shifts[k] for k in step.pieces]) @ view.T
            hides = np.zeros((len(rest), len(movers)), bool)
            for row, k in enumerate(rest):
                apart = ((self.cells[k] + shifts[k]) @ view.T)[:, None] - movers
                beside = np.linalg.norm(apart[:, :, :2], axis=2) < LINE_OF_SIGHT * self.size
                hides[row] = (beside & (apart[:, :, 2] > 0)).any(axis=0)
            if hides.any(axis=0).mean() > HIDDEN:
                found |= {k for k, row in zip(rest, hides, strict=True) if row.any()}
        return tuple(sorted(found))


def result_in_words(disassembly: Disassembly) -> str:
    """What is known about taking a solution apart, in a few words."""
    if disassembly.result == "stuck":
        return "it cannot be taken apart by sliding"
    if disassembly.result == "unknown":
        return f"it is not known whether it comes apart ({disassembly.stop or 'a limit was met'})"
    if disassembly.flat:
        return "its parts lie in one layer and are lifted off"
    if not disassembly.level:
        return "there is nothing to take apart"
    together = "; some parts may stay together" if disassembly.left_together else ""
    level = f"level {level_as_text(disassembly.level)}: {counted(disassembly.moves, 'move')}"
    others = len(disassembly.steps) - disassembly.moves
    freed = f", and {others} more, each of which frees a piece at once" if others else ""
    return f"it comes apart with {level}{freed}{together}"
