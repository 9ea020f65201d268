"""A disassembly as it is shown: where every piece is after each move, from where to look, and what to say.

One group at a time stands in the middle. When a move has parted it in two, the group that is not taken apart next is set
aside: beside what is in the middle, as the viewer sees it, and a little behind it, so that it hides nothing that moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from latcover.drawing.explosion import Reach, in_space
from latcover.drawing.outlines import Points
from latcover.errors import counted
from latcover.model.disassembly import Disassembly, Pieces, Separation, Step
from latcover.model.move_words import level_as_text, move_as_text
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution

FLAT_WAY = (0.0, 0.0, 1.0)
WAYS = ((0.62, -1.0, 0.72), (1.0, 0.62, 0.72), (-0.62, 1.0, 0.72), (-1.0, -0.62, 0.72))  # the first is the usual one
GAP = 0.8  # of the size of a cell: between groups that are set aside, as the viewer sees them
WIDE = 1.5  # the width of a picture that has room at its sides, as a share of its height
SIDEWARDS = 0.6  # how much longer a way to the wrong side counts
GRID = 41  # places that are tried, along each axis
HIDDEN = 0.55  # the share of cells of what moves that others may hide; if they hide more, they become glass
LINE_OF_SIGHT = 0.5  # of the size of a cell: what is nearer to it hides a cell
DIGITS = 4

Groups = list[tuple[Pieces, Points]]


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
        disassembly: What is shown.
        words: The result in words.
        way: The unit vector from the middle towards the viewer.
        shots: The moves; none if the solution does not come apart.
        reaches: For each separation how far all pieces reach from the middle until it is done: rows (to the side,
            upwards, towards the viewer), as the viewer sees it.
    """

    disassembly: Disassembly
    words: str
    way: Points
    shots: tuple[Shot, ...] = ()
    reaches: tuple[Points, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Plain data for the viewer; its ``static/source.js`` says what they mean."""
        return {
            "result": self.disassembly.result,
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


def film(
    puzzle: Puzzle,
    solution: Solution,
    disassembly: Disassembly,
    parts: Sequence[Reach],
    places: Points,
    *,
    size: float,
    names: Sequence[str],
) -> Film:
    """The film of a disassembly of *solution*.

    Args:
        puzzle: The puzzle.
        solution: The solution.
        disassembly: How it comes apart, or that it does not.
        parts: The reach of each piece, in the order of the placements.
        places: By how much each of them stands elsewhere than its reach says, shape (n, 3).
        size: The longest side of a cell.
        names: How the words call each piece.
    """
    flat = puzzle.lattice.dimension < 3
    separations = lifted(disassembly, size) if disassembly.flat else disassembly.separations
    words = result_in_words(disassembly)
    home = np.array(FLAT_WAY if flat else WAYS[0])
    if not separations:
        return Film(disassembly, words, home / np.linalg.norm(home))
    cells = tuple(
        np.pad(centres, ((0, 0), (0, 3 - centres.shape[1])))
        for placed in solution.placements
        for centres in (puzzle.lattice.centres(np.array(placed.cells, np.int32)),)
    )
    stage = _Stage(puzzle, disassembly, separations, parts, places, cells, size, names)
    way = home if flat else stage.best_way()
    shots = stage.shots(_view(way))
    return Film(disassembly, words, way / np.linalg.norm(way), shots, stage.reaches(shots, _view(way)))


def result_in_words(disassembly: Disassembly) -> str:
    """What is known about taking a solution apart, in a few words."""
    if disassembly.result == "stuck":
        return "it cannot be taken apart by sliding"
    if disassembly.result == "unknown":
        return f"not known whether it comes apart ({disassembly.stop or 'a limit was met'})"
    if disassembly.flat:
        return "its parts lie in one layer and are lifted off"
    if not disassembly.level:
        return "there is nothing to take apart"
    together = "; some parts may stay together" if disassembly.left_together else ""
    moves = counted(len(disassembly.steps), "move")
    return f"it comes apart in {moves}, level {level_as_text(disassembly.level)}{together}"


def lifted(disassembly: Disassembly, size: float) -> tuple[Separation, ...]:
    """Separations that lift the pieces of one layer off, the last of them first."""
    left = tuple(range(disassembly.n_pieces))
    found = []
    while len(left) > 1:
        found.append(Separation(left, (Step(left[-1:], (), 1, True),), left[:-1], left[-1:]))
        left = left[:-1]
    return tuple(found)


def vector(puzzle: Puzzle, step: Step, size: float) -> Points:
    """How far a move goes, in Cartesian coordinates; a piece of a layer that is lifted off goes up."""
    if not step.direction:
        return np.array([0.0, 0.0, size])
    return in_space(np.array(step.shift) @ puzzle.lattice.basis)


def _view(way: Points) -> Points:
    """The axes of a picture as rows: to the right, up, and towards the viewer; in a plan, north is up."""
    towards = way / np.linalg.norm(way)
    right = np.cross([0.0, 0.0, 1.0], towards)
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-6 else np.array([1.0, 0.0, 0.0])
    return np.stack([right, np.cross(towards, right), towards])


def _rounded(values: Points) -> Any:
    return (np.round(values, DIGITS) + 0.0).tolist()


@dataclass(slots=True, eq=False)
class _Stage:
    """What is needed to find where every piece is."""

    puzzle: Puzzle
    disassembly: Disassembly
    separations: tuple[Separation, ...]
    parts: Sequence[Reach]
    places: Points
    cells: tuple[Points, ...]
    size: float
    names: Sequence[str]

    def boxes(self, view: Points) -> Points:
        """The boxes of the pieces in their places, along the axes of *view*, shape (n, 2, 3)."""
        boxes = np.array([self.parts[k].along(view) for k in range(self.disassembly.n_pieces)])
        return boxes + (self.places[: len(boxes)] @ view.T)[:, None]

    def middle(self) -> Points:
        boxes = self.boxes(np.eye(3))
        middle: Points = (boxes[:, 0].min(axis=0) + boxes[:, 1].max(axis=0)) / 2
        return middle

    def played(self) -> Iterator[tuple[int, Step, Points, Points]]:
        """Every move as it happens in the middle: its separation, the move, its vector, the shifts of all afterwards.

        A group that was set aside is first put in the middle.
        """
        shifts, boxes, middle = np.zeros((self.disassembly.n_pieces, 3)), self.boxes(np.eye(3)), self.middle()
        for number, separation in enumerate(self.separations):
            group = list(separation.pieces)
            if number and separation.pieces != self.separations[number - 1].stays:
                here = boxes[group] + shifts[group, None]
                shifts[group] += middle - (here[:, 0].min(axis=0) + here[:, 1].max(axis=0)) / 2
            yield number, Step((), (), 0), np.zeros(3), shifts.copy()
            for step in separation.steps:
                by = vector(self.puzzle, step, self.size)
                shifts[list(step.pieces)] += by
                yield number, step, by, shifts.copy()

    def best_way(self) -> Points:
        """The usual view or, if more of what moves stands behind the rest there, one from another side."""
        boxes = self.boxes(np.eye(3))
        middles = boxes.mean(axis=1)
        nearer = np.zeros(3)
        for number, step, _, shifts in self.played():
            if step.pieces:
                rest = sorted(set(self.separations[number].pieces) - set(step.pieces))
                at = middles + shifts
                apart = at[list(step.pieces)].mean(axis=0) - at[rest].mean(axis=0)
                nearer += apart / max(float(np.linalg.norm(apart)), 1e-9)
        scores = [round(float(nearer @ way), 6) for way in np.array(WAYS)]
        return np.array(WAYS[scores.index(max(scores))])

    def shots(self, view: Points) -> tuple[Shot, ...]:
        """All moves, with what is set aside after them."""
        moves = list(self.played())
        boxes, middle = self.boxes(view), self.middle()
        parking = _Parking(self._busy(view, moves), view @ middle, GAP * self.size)
        shifts = np.zeros((self.disassembly.n_pieces, 3))
        starts = {number: after for number, step, _, after in moves if not step.pieces}
        found = []
        for number, step, by, _ in moves:
            if not step.pieces:
                continue
            before, shifts = shifts, shifts.copy()
            shifts[list(step.pieces)] += by
            glass = () if step.separates else self.glass(number, step, (before, shifts), view)
            after, aside = shifts, Groups()
            if step.separates:
                aside = self._set_aside(number, starts, (boxes, view, by), shifts, parking)
                shifts = shifts.copy()
                for pieces, way in aside:
                    shifts[list(pieces)] += way
            if step.direction:
                words = move_as_text(self.puzzle.lattice, step, self.names)
            else:
                words = f"part {self.names[step.pieces[0]]} is lifted off"
            found.append(Shot(step, number, by, after, aside, glass, words))
        return tuple(found)

    def glass(self, number: int, step: Step, moments: Sequence[Points], view: Points) -> Pieces:
        """Pieces that hide what moves, if much of it is hidden at any of these moments."""
        rest = sorted(set(self.separations[number].pieces) - set(step.pieces))
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

    def _busy(self, view: Points, moves: Sequence[tuple[int, Step, Points, Points]]) -> Points:
        """The rectangle, as the viewer sees it, in which the group in the middle moves until its last move."""
        boxes = self.boxes(view)
        low, high = [], []
        for number, step, _, shifts in moves:
            if not step.separates:
                group = list(self.separations[number].pieces)
                here = boxes[group] + (shifts[group] @ view.T)[:, None]
                low.append(here[:, 0].min(axis=0))
                high.append(here[:, 1].max(axis=0))
        return np.array([np.min(low, axis=0)[:2], np.max(high, axis=0)[:2]])

    def _set_aside(
        self,
        number: int,
        starts: dict[int, Points],
        seen: tuple[Points, Points, Points],
        shifts: Points,
        parking: _Parking,
    ) -> Groups:
        """Which groups go where after the last move of a separation."""
        boxes, view, by = seen
        separation = self.separations[number]
        following = self.separations[number + 1].pieces if number + 1 < len(self.separations) else None
        parked = [(separation.removed, by)] if following != separation.removed else []
        if following is not None and following != separation.stays:
            parked.append((separation.stays, -by))
        found = Groups()
        for group, way in parked:
            here = boxes[list(group)] + (shifts[list(group)] @ view.T)[:, None]
            box = np.array([here[:, 0].min(axis=0), here[:, 1].max(axis=0)])
            found.append((group, parking.place(group, box, view @ way) @ view))
        if following is not None and following != separation.stays:
            parking.fetch(following)
            found.append((following, starts[number + 1][following[0]] - shifts[following[0]]))
        return found

    def reaches(self, shots: Sequence[Shot], view: Points) -> tuple[Points, ...]:
        boxes, middle = self.boxes(view), view @ self.middle()
        found: list[Points] = []
        rows = np.zeros((0, 3))
        for number in range(len(self.separations)):
            for shot in shots:
                if shot.separation == number:
                    for shifts in (shot.after, shot.settled):
                        here = boxes + (shifts @ view.T)[:, None] - middle
                        sides = np.abs(here[:, :, :2]).max(axis=1)
                        rows = np.concatenate([rows, np.column_stack([sides, here[:, 1, 2]])])
            rows = _greatest(rows)
            found.append(rows)
        return tuple(found)


def _greatest(rows: Points) -> Points:
    """The rows that no other row exceeds in every column."""
    rows = np.unique(np.round(rows, DIGITS), axis=0)
    exceeded = [(np.all(rows >= row, axis=1) & np.any(rows > row, axis=1)).any() for row in rows]
    return rows[~np.array(exceeded)]


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
        clear = ((tried[:, None] <= taken[:, 0] - room + 1e-9) | (tried[:, None] >= taken[:, 1] + room - 1e-9)).any(axis=2)
        tried = tried[clear.all(axis=1)]
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
