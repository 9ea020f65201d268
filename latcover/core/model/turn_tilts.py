"""Whether parts that tilt keep clear of each other: the measuring part of the replay of turns in space.

A prism of one part and one of another are followed together. Where they are farther apart, in the middle of a piece of
the way, than either can come nearer within half of it, that piece is proved; otherwise it is halved. How far apart they
are is told by a direction: no other distance is claimed than what lies between two planes across it. The faces of
both give directions, and so does each pair of edges.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.lattice import Cells
from latcover.core.model.turn_bodies import TOUCHING, Bodies
from latcover.core.model.turn_data import Turn
from latcover.core.model.turn_solids import Prisms, prisms_of

Points = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Path = Points  # shape (n, 6): the angle and the tilt in radians, both across and along the axis, and the shift
CHUNK = 4096  # pairs that are measured at once
MOST_HALVINGS = 20
MOST_PIECES = 2_000_000  # of the way, of one pair of parts, that are open at once
SHORT = 1e-6  # a vector that is shorter gives no direction


def meetings(
    bodies: Bodies, pieces: Mapping[int, Cells], moving: Collection[int], turn: Turn, upright: Points
) -> list[str]:
    """The first two pieces that cannot be told apart on their ways, if there are such.

    Args:
        bodies: How parts lie in layers.
        pieces, moving, turn: As the replay has them; poses have seven numbers.
        upright: The axis, shape (3,).
    """
    own = {one.piece: one.path for one in turn.giving}
    resting = ((0.0,) * 7,) * len(turn.path)
    frame = np.concatenate([bodies.plane, upright[None]])
    middle = np.array(turn.middle)
    paths, solids = {}, {}
    for piece in sorted(pieces):
        poses = own.get(piece, turn.path if piece in moving else resting)
        paths[piece] = _path(np.array(poses), frame)
        solids[piece] = prisms_of(bodies, pieces[piece], upright, middle)
    for one, other in combinations(sorted(pieces), 2):
        if np.array_equal(paths[one], paths[other]):
            continue
        fault = _Following(solids[one], solids[other], paths[one], paths[other]).fault()
        if fault is not None:
            first, second = sorted((one, other), key=lambda k: (k not in moving, k))
            angle = np.interp(fault, range(len(turn.path)), [pose[0] for pose in turn.path])
            return [f"piece {first} cannot be told apart from piece {second} at {angle:.3f} degrees"]
    return []


def _path(poses: Points, frame: Points) -> Path:
    """Angle, tilt and shift of each pose, as *frame* sees them."""
    tilts = np.radians(poses[:, 4:]) @ frame.T
    return np.column_stack([np.radians(poses[:, 0]), tilts[:, :2], poses[:, 1:4] @ frame.T])


class _Open(Struct, frozen=True, eq=False):
    """Pieces of the way that are not yet proved: a prism of each, a stretch, and from where to where in it."""

    one: Ints
    other: Ints
    stretch: Ints
    low: Points
    size: float

    def where(self, which: npt.NDArray[np.bool_]) -> _Open:
        return _Open(self.one[which], self.other[which], self.stretch[which], self.low[which], self.size)

    def halved(self) -> _Open:
        one, other, stretch = (np.tile(each, 2) for each in (self.one, self.other, self.stretch))
        return _Open(one, other, stretch, np.concatenate([self.low, self.low + self.size / 2]), self.size / 2)


class _Following:
    """Two parts on their ways."""

    def __init__(self, one: Prisms, other: Prisms, way: Path, beside: Path) -> None:
        self.one, self.other, self.way, self.beside = one, other, way, beside
        self.middles, self.radii, self.arms = zip(*map(_sizes, (one, other)), strict=True)

    def fault(self) -> float | None:
        """A moment, in poses, at which they are not known to keep clear; None if they always do."""
        ones, others, stretches = np.indices((len(self.one.corners), len(self.other.corners), len(self.way) - 1))
        left = _Open(ones.ravel(), others.ravel(), stretches.ravel(), np.zeros(ones.size), 1.0)
        for _ in range(MOST_HALVINGS):
            half = self._lengths(left) * left.size / 2 + TOUCHING
            near = self._near(left, half)
            left, half = left.where(near), half[near]
            if not len(left.one):
                return None
            rooms = self._rooms(left)
            tight = rooms <= half
            if (rooms <= TOUCHING).any() or 2 * tight.sum() > MOST_PIECES:
                break
            left = left.where(tight).halved()
        worst = int(rooms.argmin())
        return float(left.stretch[worst] + left.low[worst] + left.size / 2)

    def _lengths(self, left: _Open) -> Points:
        """How far any point of one prism goes at most in a stretch, as the other part sees it.

        A point, at X from the origin of its part in space, is carried along by (r - s) x X + (v - w) - s x (d - e).
        Here r and s are how the two turn, v and w how they shift, and d and e where their origins are. Each turns
        about its tilted axis, by an angle, and tilts. So r - s is no longer than the sum of how much the angles differ,
        how far each tilts, and the lesser angle times how far the tilts differ, since by so much their axes do at most.
        """
        gone, gone_beside = np.diff(self.way, axis=0), np.diff(self.beside, axis=0)
        apart = self.way - self.beside
        tilted, tilted_beside = (np.linalg.norm(each[:, 1:3], axis=1) for each in (gone, gone_beside))
        turned, turned_beside = np.abs(gone[:, 0]), np.abs(gone_beside[:, 0])

        def at_most(columns: slice) -> Points:
            far = np.linalg.norm(apart[:, columns], axis=1)
            found: Points = np.maximum(far[:-1], far[1:])
            return found

        leaning = np.minimum(turned, turned_beside) * at_most(slice(1, 3))
        against = np.abs(gone[:, 0] - gone_beside[:, 0]) + tilted + tilted_beside + leaning
        carried, carried_beside = (
            each * at_most(slice(3, 6)) for each in (turned + tilted, turned_beside + tilted_beside)
        )
        shifted = np.linalg.norm(gone[:, 3:] - gone_beside[:, 3:], axis=1)
        k = left.stretch
        bounds = (
            against[k] * self.arms[0][left.one] + carried_beside[k],
            against[k] * self.arms[1][left.other] + carried[k],
        )
        lengths: Points = shifted[k] + np.minimum(*bounds)
        return lengths

    def _poses(self, left: _Open) -> tuple[Points, Points]:
        """Where the other is as the one sees it in the middle: how it is turned, shape (n, 3, 3), and its shift."""
        share = (left.low + left.size / 2)[:, None]
        here, there = (
            path[left.stretch] * (1 - share) + path[left.stretch + 1] * share for path in (self.way, self.beside)
        )
        back = _rotations(here).transpose(0, 2, 1)
        return back @ _rotations(there), (back @ (there - here)[:, 3:, None])[..., 0]

    def _near(self, left: _Open, far: Points) -> npt.NDArray[np.bool_]:
        turns, shifts = self._poses(left)
        middles = (turns @ self.middles[1][left.other][..., None])[..., 0] + shifts
        reach = self.radii[0][left.one] + self.radii[1][left.other] + far
        near: npt.NDArray[np.bool_] = np.linalg.norm(middles - self.middles[0][left.one], axis=1) <= reach
        return near

    def _rooms(self, left: _Open) -> Points:
        """How far the two of each are apart at least in the middle; negative if they meet."""
        rooms = np.empty(len(left.one))
        for k in range(0, len(rooms), CHUNK):
            chunk = np.zeros(len(rooms), bool)
            chunk[k : k + CHUNK] = True
            part = left.where(chunk)
            rooms[k : k + CHUNK] = self._rooms_of(part)
        return rooms

    def _rooms_of(self, left: _Open) -> Points:
        turns, shifts = self._poses(left)
        corners = self.one.corners[left.one]
        across = turns.transpose(0, 2, 1)  # turns rows
        beside = self.other.corners[left.other] @ across + shifts[:, None]
        normals, other_normals = self.one.normals[left.one], self.other.normals[left.other] @ across
        edges, other_edges = self.one.edges[left.one], self.other.edges[left.other] @ across
        crossed = np.cross(edges[:, :, None], other_edges[:, None]).reshape(len(corners), -1, 3)
        long = np.linalg.norm(crossed, axis=2, keepdims=True)
        crossed = np.where(long > SHORT, crossed / np.maximum(long, SHORT), normals[:, :1])
        directions = np.concatenate([normals, other_normals, crossed], axis=1)
        own, others = (directions @ each.transpose(0, 2, 1) for each in (corners, beside))
        ahead, behind = others.min(axis=2) - own.max(axis=2), own.min(axis=2) - others.max(axis=2)
        rooms: Points = np.maximum(ahead, behind).max(axis=1)
        return rooms


def _sizes(prisms: Prisms) -> tuple[Points, Points, Points]:
    """The middle of each prism, how far it reaches from there, and how far from the origin."""
    middles = (prisms.corners.min(axis=1) + prisms.corners.max(axis=1)) / 2
    radii = np.linalg.norm(prisms.corners - middles[:, None], axis=2).max(axis=1)
    return middles, radii, np.linalg.norm(prisms.corners, axis=2).max(axis=1)


def _rotations(poses: Points) -> Points:
    """The rotation of each pose, shape (n, 3, 3): about the axis, then by the tilt."""
    angle, u, v = poses[:, :3].T
    zero = np.zeros(len(poses))
    long = np.hypot(u, v)
    small = np.maximum(
        long, SHORT
    )  # a shorter tilt moves nothing by more than rounding if its sine is off by as little
    bend, lean = np.sin(small) / small, (1 - np.cos(small)) / small**2
    skew = np.array([[zero, zero, v], [zero, zero, -u], [-v, u, zero]]).transpose(2, 0, 1)
    tilts = np.eye(3) + bend[:, None, None] * skew + lean[:, None, None] * (skew @ skew)
    c, s = np.cos(angle), np.sin(angle)
    about = np.array([[c, -s, zero], [s, c, zero], [zero, zero, zero + 1]]).transpose(2, 0, 1)
    found: Points = tilts @ about
    return found
