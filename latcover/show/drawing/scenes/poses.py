"""Where pieces are while they slide and turn, and the arc on which a turn takes a point."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from latcover.core.model.disassembly import Pieces
from latcover.core.model.turn_data import Turn
from latcover.show.drawing.scenes.explosion import PartExtent
from latcover.show.drawing.shapes.outlines import Points, padded

BETWEEN = 6.0  # degrees between the points of an arc


class Poses(Struct, frozen=True, eq=False):
    """Where pieces are: a point p of piece k in the solution is at ``turns[k] @ p + shifts[k]``.

    Attributes:
        turns: Rotations, shape (n, 3, 3).
        shifts: Shape (n, 3).
    """

    turns: Points
    shifts: Points

    @classmethod
    def at_rest(cls, n: int) -> Poses:
        """The places of *n* pieces in the solution."""
        return cls(np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3)))

    def of(self, piece: int, points: Points) -> Points:
        """Where points of a piece are, shape (n, 3)."""
        there: Points = points @ self.turns[piece].T + self.shifts[piece]
        return there

    def box(self, piece: int, extent: PartExtent, place: Points, view: Points) -> Points:
        """The box of a piece along the axes of *view*, shape (2, 3); *place* is the offset from its extent."""
        turned = view @ self.turns[piece]
        box: Points = np.array(extent.along(turned)) + turned @ place + view @ self.shifts[piece]
        return box

    def moved(self, pieces: Pieces, by: Points) -> Poses:
        """The poses after some pieces have moved straight on."""
        shifts = self.shifts.copy()
        shifts[list(pieces)] += by
        return Poses(self.turns, shifts)

    def turned(self, pieces: Pieces, turn: Turn, away: Points) -> Poses:
        """The poses after some pieces have turned; *away* is how far they are from where the turn was found."""
        angle, by = turn.path[-1][0], padded(np.array(turn.path[-1][1:4])[None], 3)[0]
        rotation, middle = rotation_about(turn, angle), middle_of_turn(turn) + away
        turns, shifts, chosen = self.turns.copy(), self.shifts.copy(), list(pieces)
        turns[chosen] = rotation @ turns[chosen]
        shifts[chosen] = (shifts[chosen] - middle) @ rotation.T + middle + by
        return Poses(turns, shifts)


def middle_of_turn(turn: Turn) -> Points:
    """The point about which a turn is measured, shape (3,)."""
    middle: Points = padded(np.array(turn.middle)[None], 3)[0]
    return middle


def moved_by_pose(turn: Turn, pose: tuple[float, ...], point: Points, away: Points) -> Points:
    """Where a pose of a path takes a point, shape (3,); *away* is how far it is from where the turn was found."""
    middle, by = middle_of_turn(turn) + away, padded(np.array(pose[1:4])[None], 3)[0]
    there: Points = _rotation_by(np.array(pose[4:] or (0, 0, 0))) @ rotation_about(turn, pose[0]) @ (point - middle)
    moved: Points = there + middle + by
    return moved


def rotation_about(turn: Turn, degrees: float) -> Points:
    """The rotation by an angle about the axis of a turn, shape (3, 3)."""
    return _rotation_by(degrees * np.array(turn.axis))


def _rotation_by(vector: Points) -> Points:
    """The rotation about a vector by its length in degrees, shape (3, 3)."""
    degrees = np.linalg.norm(vector)
    x, y, z = vector / degrees if degrees else vector
    across = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(degrees)
    found: Points = np.eye(3) + np.sin(angle) * across + (1 - np.cos(angle)) * across @ across
    return found


def arc(turn: Turn, radius: float, *, backwards: bool) -> Points:
    """Points on a circle around the origin, through as much of it as a turn goes, shape (n, 3)."""
    axis = np.array(turn.axis)
    aside = np.eye(3)[int(np.argmin(np.abs(axis)))]
    start = np.cross(axis, aside)
    start *= radius / np.linalg.norm(start)
    angles = np.linspace(0, turn.angle, max(3, int(abs(turn.angle) / BETWEEN)))
    points = np.array([rotation_about(turn, angle) @ start for angle in angles])
    return points[::-1] if backwards else points
