"""A disassembly as the page in space plays it: where every piece is after each move, from where to look, what to say.

One group at a time stands in the middle. When a move has parted it in two, the group that is not taken apart next is
set aside: beside what is in the middle, as the viewer sees it, and a little behind, so that it hides no move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from latcover.drawing.dismantling import Dismantling, Moment, result_in_words
from latcover.drawing.outlines import Points
from latcover.model.disassembly import Pieces, Step
from latcover.model.move_words import move_as_text

FLAT_WAY = (0.0, 0.0, 1.0)
WAYS = ((0.62, -1.0, 0.72), (1.0, 0.62, 0.72), (-0.62, 1.0, 0.72), (-1.0, -0.62, 0.72))  # the first is the usual one
GAP = 0.8  # of the size of a cell: between groups that are set aside, as the viewer sees them
WIDE = 1.5  # the width of a picture that has room at its sides, as a share of its height
SIDEWARDS = 0.6  # how much longer a way to the wrong side counts
GRID = 41  # places that are tried, along each axis
DIGITS = 4

Groups = tuple[tuple[Pieces, Points], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One move.

    Attributes:
        step: The move.
        separation: The number of the separation that it belongs to.
        by: How far its pieces go, shape (3,).
        after: How far each piece is then from its place in the solution, shape (n_pieces, 3).
        aside: Groups that then go aside or to the middle, and how far each of them goes.
        glass: Pieces that would hide what moves, and are shown as glass.
        words: What to say.
    """

    step: Step
    separation: int
    by: Points
    after: Points
    aside: Groups
    glass: Pieces
    words: str

    @property
    def settled(self) -> Points:
        """How far each piece is from its place in the solution when all is set aside."""
        found = self.after.copy()
        for pieces, by in self.aside:
            found[list(pieces)] += by
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """All moves of a disassembly.

    Attributes:
        result: That of the disassembly.
        words: The result in words.
        way: The unit vector from the middle towards the viewer.
        shots: The moves; none if the solution does not come apart.
        reaches: For each separation how far all pieces reach from the middle until it is done: rows (to the side,
            upwards, towards the viewer), as the viewer sees it.
    """

    result: str
    words: str
    way: Points
    shots: tuple[Shot, ...] = ()
    reaches: tuple[Points, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Plain data for the viewer; its ``static/source.js`` says what they mean."""
        return {
            "result": self.result,
            "words": self.words,
            "way": _rounded(self.way),
            "reaches": [_rounded(reach) for reach in self.reaches],
            "moves": [
                {
                    "words": shot.words,
                    "pieces": list(shot.step.pieces),
                    "by": _rounded(shot.by),
                    "aside": [{"pieces": list(pieces), "by": _rounded(by)} for pieces, by in shot.aside],
                    "glass": list(shot.glass),
                    "separation": shot.separation,
                }
                for shot in self.shots
            ],
        }


def film(apart: Dismantling, names: Sequence[str]) -> Film:
    """The film of a disassembly. *names* are how its words call each piece."""
    flat = apart.puzzle.lattice.dimension < 3
    ways = np.array([FLAT_WAY] if flat else WAYS)
    words = result_in_words(apart.disassembly)
    way = ways[apart.best_way(ways)] / np.linalg.norm(ways[0])
    if not apart.separations:
        return Film(apart.disassembly.result, words, way)
    studio = _Studio(apart, names, view_from(way))
    shots = studio.shots()
    return Film(apart.disassembly.result, words, way, shots, studio.reaches(shots))


def view_from(towards: Points) -> Points:
    """The axes of a picture as rows: right, up, and *towards* the viewer (a unit vector). From above, north is up."""
    right = np.cross([0.0, 0.0, 1.0], towards)
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-6 else np.array([1.0, 0.0, 0.0])
    return np.stack([right, np.cross(towards, right), towards])


def _rounded(values: Points) -> Any:
    return (np.round(values, DIGITS) + 0.0).tolist()


class _Studio:
    """Makes the shots of a film that is seen along the axes *view*."""

    def __init__(self, apart: Dismantling, names: Sequence[str], view: Points) -> None:
        self._apart, self._names, self._view = apart, names, view
        self._boxes, self._moments = apart.boxes(view), list(apart.moments())
        self._starts = {moment.separation: moment.shifts for moment in self._moments if moment.step is None}
        self._parking = _Parking(self._busy(), view @ apart.middle, GAP * apart.size)

    def shots(self) -> tuple[Shot, ...]:
        """All moves, with what is set aside after them."""
        shifts = np.zeros((len(self._boxes), 3))
        found = []
        for moment in self._moments:
            if moment.step is not None:
                found.append(self._shot(moment, moment.step, shifts))
                shifts = found[-1].settled
        return tuple(found)

    def _shot(self, moment: Moment, step: Step, before: Points) -> Shot:
        after = before.copy()
        after[list(step.pieces)] += moment.by
        aside, glass = Groups(), Pieces()
        if step.separates:
            aside = self._set_aside(moment, after)
        else:
            glass = self._apart.hiding(moment.separation, step, (before, after), self._view)
        if step.direction:
            words = move_as_text(self._apart.puzzle.lattice, step, self._names)
        else:
            words = f"part {self._names[step.pieces[0]]} is lifted off"
        return Shot(step, moment.separation, moment.by, after, aside, glass, words)

    def _box(self, group: Pieces, shifts: Points) -> Points:
        """The box around a group, along the axes of the view, shape (2, 3)."""
        here = self._boxes[list(group)] + (shifts[list(group)] @ self._view.T)[:, None]
        return np.array([here[:, 0].min(axis=0), here[:, 1].max(axis=0)])

    def _busy(self) -> Points:
        """The rectangle, as the viewer sees it, in which the groups in the middle move until their last moves."""
        quiet = [moment for moment in self._moments if moment.step is None or not moment.step.separates]
        boxes = np.array([self._box(self._apart.separations[m.separation].pieces, m.shifts) for m in quiet])
        return np.array([boxes[:, 0].min(axis=0)[:2], boxes[:, 1].max(axis=0)[:2]])

    def _set_aside(self, moment: Moment, shifts: Points) -> Groups:
        """Which groups go where after the last move of a separation."""
        number, separations = moment.separation, self._apart.separations
        separation = separations[number]
        following = separations[number + 1].pieces if number + 1 < len(separations) else separation.stays
        found = []
        for group, way in ((separation.removed, moment.by), (separation.stays, -moment.by)):
            if group != following:
                by = self._parking.place(group, self._box(group, shifts), self._view @ way)
                found.append((group, by @ self._view))
        if following != separation.stays:
            self._parking.fetch(following)
            found.append((following, self._starts[number + 1][following[0]] - shifts[following[0]]))
        return tuple(found)

    def reaches(self, shots: Sequence[Shot]) -> tuple[Points, ...]:
        """As in `Film`."""
        middle = self._view @ self._apart.middle
        found: list[Points] = []
        rows = np.zeros((0, 3))
        for number in range(len(self._apart.separations)):
            own = (shot for shot in shots if shot.separation == number)
            for shifts in (shifts for shot in own for shifts in (shot.after, shot.settled)):
                here = self._boxes + (shifts @ self._view.T)[:, None] - middle
                sides = np.abs(here[:, :, :2]).max(axis=1)
                rows = np.concatenate([rows, np.column_stack([sides, here[:, 1, 2]])])
            rows = _greatest(rows)
            found.append(rows)
        return tuple(found)


def _greatest(rows: Points) -> Points:
    """The rows that no other row exceeds in every column."""
    rows = np.unique(np.round(rows, DIGITS), axis=0)
    exceeded = [(np.all(rows >= row, axis=1) & np.any(rows > row, axis=1)).any() for row in rows]
    greatest: Points = rows[~np.array(exceeded)]
    return greatest


class _Parking:
    """Where groups are set aside: around what is busy, as the viewer sees it."""

    def __init__(self, busy: Points, middle: Points, gap: float) -> None:
        self._busy, self._middle, self._gap = busy, middle, gap
        self._taken: dict[Pieces, Points] = {}

    def place(self, group: Pieces, box: Points, way: Points) -> Points:
        """How far a group that now fills *box* goes, along the axes of the view; *way* is where it comes from."""
        half = (box[1] - box[0]) / 2
        taken = np.array([self._busy, *self._taken.values()])
        room = half[:2] + self._gap
        low, high = taken[:, 0].min(axis=0) - room, taken[:, 1].max(axis=0) + room
        axes = [np.linspace(low[k], high[k], GRID) for k in (0, 1)]
        tried = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
        before, beyond = tried[:, None] <= taken[:, 0] - room + 1e-9, tried[:, None] >= taken[:, 1] + room - 1e-9
        tried = tried[(before | beyond).any(axis=2).all(axis=1)]
        away = (tried - self._middle[:2]) / (WIDE, 1.0)
        far = np.linalg.norm(away, axis=1)
        length = float(np.linalg.norm(way[:2]))
        along = away @ way[:2] / (far * length) if length > 1e-9 else np.zeros(len(away))
        best = tried[np.argmin(np.round(far * (1 + SIDEWARDS * (1 - along) / 2), 6))]
        self._taken[group] = np.array([best - half[:2], best + half[:2]])
        target = np.array([*best, self._middle[2] - half[2]])
        found: Points = target - (box[0] + box[1]) / 2
        return found

    def fetch(self, group: Pieces) -> None:
        """A group goes to the middle."""
        self._taken.pop(group, None)
