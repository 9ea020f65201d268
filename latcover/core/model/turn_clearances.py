"""Whether two bodies that move at the same time keep clear of each other: the measuring part of the replay of turns.

Both follow paths of poses. The length of a stretch is a bound on how far it takes any point of one body, as the other
sees it; so the distance of the bodies changes by no more than the length that is gone. A piece of the way is proved if
half of it is shorter than the distance in its middle; otherwise it is halved. Where both bodies move as one, the length
is zero.

Bodies that are clear of each other where such a piece begins do not meet within it, as they would have to touch first.

Bodies in contact have no distance. But where neither turns, one slides straight past the other. Then their cells are
judged as those of slides are: at every moment, along each direction across a side of either.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.lattice import NEAR, TOUCH
from latcover.core.model.turn_bodies import TOUCHING, Points, Segments, Slice, squares

Path = npt.NDArray[np.float64]  # shape (n, 3): an angle in radians, and a shift in the plane
Flags = npt.NDArray[np.bool_]
SHARE = 0.9  # of the clearance that half a piece of the way may use: rounding takes a millionth of the rest
STILL = 1e-13  # a shorter stretch has no length: rounding makes some, and 10,000 of them are within the rest
DEEP = TOUCH + NEAR  # how deep cells that touch may seem to reach into each other, as in slides
PIECES = 32  # to begin with
MOST_STEPS = 200_000
AT_ONCE = 20_000  # pairs of points and segments: their numbers stay in the processor's cache


class Fault(Struct, frozen=True):
    """Where a path fails.

    Attributes:
        moment: When, counted in poses from the first one.
        touches: Whether the bodies touch; otherwise there is too little room to be checked.
    """

    moment: float
    touches: bool = True


class Clearances:
    """Follows pairs of bodies.

    Args:
        sections: The section of the cells of each node, around their centre, counterclockwise.
    """

    def __init__(self, sections: list[Points]) -> None:
        self._sections, self._steps = sections, 0

    def fault(self, one: Slice, other: Slice, way: Path, beside: Path) -> Fault | None:
        """The first thing found to be wrong with two bodies, the paths of which are *way* and *beside*."""
        lengths = _lengths(one, other, way, beside)
        if not lengths.any():
            return None
        reach = float(np.linalg.norm(way[:, 1:] - beside[:, 1:], axis=1).max()) + TOUCHING
        one, other = one.without(reach + _arm(other)), other.without(reach + _arm(one))
        if not (len(one.sides) and len(other.sides)):
            return None
        return self._followed(one, other, _Way(way, beside, lengths))

    def _followed(self, one: Slice, other: Slice, way: _Way) -> Fault | None:
        low, high = way.cut()
        proved: list[tuple[Points, Flags]] = []  # where pieces begin, and whether both bodies slide
        while len(low):
            middle, half = (low + high) / 2, (high - low) / 2
            self._steps += len(low)
            if self._steps > MOST_STEPS:
                return Fault(way.moment(middle[0]), touches=False)
            clear = clearances(one, other, way.at(middle))
            in_contact = clear < TOUCHING
            open_ = in_contact | (half > SHARE * clear)
            slides = np.zeros(len(low), np.bool_)
            for k in np.flatnonzero(in_contact):
                ends = way.at(np.array([low[k], high[k]]))
                if not (way.is_straight(middle[k]) and self._slides_past(one, other, ends)):
                    return Fault(way.moment(middle[k]))
                slides[k] = True
            proved.append((low[~open_ | slides], slides[~open_ | slides]))
            open_ &= ~slides
            low, high = (np.concatenate([a[open_], b[open_]]) for a, b in ((low, middle), (middle, high)))
        return _crossing(one, other, way, proved)

    def _slides_past(self, one: Slice, other: Slice, poses: Points) -> bool:
        """Whether no cells of two slices meet, the first of which slides between two poses of the same angle.

        The moments at which two cells overlap along a direction are an interval; they meet if those of all directions
        have a moment in common.
        """
        rotation = _rotations(poses[0, 0])
        start, by = poses[0, 1:], poses[1, 1:] - poses[0, 1:]
        apart = (one.centres @ rotation + start)[:, None] - other.centres
        turned = [section @ rotation for section in self._sections]
        for u in np.unique(one.nodes):
            for w in np.unique(other.nodes):
                normals = np.concatenate([_normals(self._sections[w]), -_normals(turned[u])])
                heights = (self._sections[w] @ normals.T).max(axis=0) - (turned[u] @ normals.T).min(axis=0) - DEEP
                left = heights - apart[one.nodes == u][:, other.nodes == w].reshape(-1, 2) @ normals.T
                speed = normals @ by  # they overlap along a normal while moment * speed < left
                with np.errstate(divide="ignore", invalid="ignore"):
                    moment = left / speed
                first = np.where(speed < 0, moment, np.where((speed == 0) & (left <= 0), np.inf, -np.inf)).max(axis=1)
                last = np.where(speed > 0, moment, np.inf).min(axis=1)
                if (np.maximum(first, 0) < np.minimum(last, 1)).any():
                    return False
        return True


class _Way:
    """The relative way of two bodies, measured by the lengths of its stretches."""

    def __init__(self, way: Path, beside: Path, lengths: Points) -> None:
        self._way, self._beside, self._lengths = way, beside, lengths
        self._ends = np.concatenate([[0.0], np.cumsum(lengths)])
        self._slides = (np.diff(way[:, 0]) == 0) & (np.diff(beside[:, 0]) == 0)

    def cut(self) -> tuple[Points, Points]:
        """The pieces to begin with; each stretch in which neither turns begins and ends with one."""
        apart = np.flatnonzero(self._slides & (self._lengths > 0))
        ends = self._ends[np.concatenate([apart, apart + 1])]
        ends = np.unique(np.concatenate([ends, np.linspace(0, self._ends[-1], PIECES + 1)]))
        return ends[:-1], ends[1:]

    def is_straight(self, at: float) -> bool:
        """Whether neither body turns there."""
        return bool(self._slides[self._stretch(np.array([at]))[0]])

    def moment(self, at: float) -> float:
        """Which pose that is."""
        return float(self._moments(np.array([at]))[0])

    def at(self, at: Points) -> Points:
        """The poses of the first body there, as the other sees it."""
        return relative_poses(self._way, self._beside, self._moments(at))

    def _stretch(self, at: Points) -> npt.NDArray[np.intp]:
        return np.searchsorted(self._ends, at, side="right").clip(1, len(self._lengths)) - 1

    def _moments(self, at: Points) -> Points:
        stretch = self._stretch(at)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (at - self._ends[stretch]) / self._lengths[stretch]
        moments: Points = stretch + np.where(self._lengths[stretch] > 0, share, 0.0).clip(0, 1)
        return moments


def relative_poses(way: Path, beside: Path, moments: Points) -> Points:
    """The poses at some moments of what moves on *way*, as what moves on *beside* sees it."""
    stretch = moments.astype(np.intp).clip(0, len(way) - 2)
    share = (moments - stretch)[:, None]
    first, second = (path[stretch] + share * (path[stretch + 1] - path[stretch]) for path in (way, beside))
    turned = _turned(first[:, 1:] - second[:, 1:], -second[:, 0])
    return np.column_stack([first[:, 0] - second[:, 0], turned])


def clearances(one: Slice, other: Slice, poses: Points) -> Points:
    """For each pose of the first, the least distance of two outlines that do not cross.

    It is that of a corner of one of them from a side of the other.
    """
    at_once = max(1, AT_ONCE // (len(one.sides) * len(other.corners) + len(one.corners) * len(other.sides) + 1))
    found = []
    for some in (poses[first : first + at_once] for first in range(0, len(poses), at_once)):
        rotations = _rotations(some[:, 0])
        there = one.corners @ rotations + some[:, None, 1:]
        here = (other.corners - some[:, None, 1:]) @ rotations.transpose(0, 2, 1)  # as the first body sees them
        least = [
            squares(points, of).min(axis=(1, 2), initial=np.inf)
            for points, of in ((there, other.sides), (here, one.sides))
        ]
        found.append(np.minimum(*least))
    clear: Points = np.sqrt(np.concatenate(found))
    return clear


def _lengths(one: Slice, other: Slice, way: Path, beside: Path) -> Points:
    """For each stretch of two paths, how much the distance of the bodies changes at most.

    It is the least of four bounds on how far a point of one of them moves as the other sees it: of either body, by
    what its own middle or the origin does.
    """
    bounds = []
    for body, own, rest in ((one, way, beside), (other, beside, way)):
        corners = body.sides.reshape(-1, 2)
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        bounds += [_bound(own, rest, centre, corners) for centre in (np.zeros(2), middle)]
    lengths: Points = np.min(bounds, axis=0)
    return np.where(lengths < STILL, 0.0, lengths)


def _bound(way: Path, beside: Path, centre: Points, corners: Points) -> Points:
    """How far points of a body move at most in each stretch, by what one of them does, its *centre*.

    The body turns by A about its centre, against the other; this moves no point further than A times its distance. The
    centre, at x in the body, moves with the speed ``d' + A J R x - b J d``: d is how far its path is from that of the
    other body, which turns by b; R turns by the angle of the body, and J by a right angle. In a stretch all of it is
    linear but R x, which differs from what is linear by an eighth of the square of its turn at most. And what is linear
    is longest at an end.
    """
    turned, turned_beside = np.diff(way[:, 0]), np.diff(beside[:, 0])
    against, apart = turned - turned_beside, way[:, 1:] - beside[:, 1:]
    by = np.diff(apart, axis=0)

    def speed(k: slice) -> Points:
        at = _turned(np.broadcast_to(centre, by.shape), way[k, 0])
        moved = by + against[:, None] * _across(at) - turned_beside[:, None] * _across(apart[k])
        speeds: Points = np.linalg.norm(moved, axis=1)
        return speeds

    radius = np.linalg.norm(corners - centre, axis=1).max()
    bend = np.linalg.norm(centre) * turned**2 / 8
    bound: Points = np.abs(against) * (radius + bend) + np.maximum(speed(slice(None, -1)), speed(slice(1, None)))
    return bound


def _crossing(one: Slice, other: Slice, way: _Way, proved: list[tuple[Points, Flags]]) -> Fault | None:
    """Where a piece of the way that rests on a distance begins with bodies that cross.

    Corners of bodies that cross have a distance from sides, too. What precedes such a piece tells that they do not
    cross, but not the start and not a slide, which lets them overlap as far as what touches may.
    """
    low, slides = (np.concatenate(each) for each in zip(*proved, strict=True))
    order = np.argsort(low)
    low, slides = low[order], slides[order]
    begins = low[~slides & np.concatenate([[True], slides[:-1]])]
    for at, pose in zip(begins, way.at(begins), strict=True):
        if _cross(one.sides @ _rotations(pose[0]) + pose[1:], other.sides):
            return Fault(way.moment(at))
    return None


def _cross(first: Segments, second: Segments) -> bool:
    """Whether any two segments cross."""

    def sides(of: Segments, points: Segments) -> Points:
        along, apart = of[:, 1] - of[:, 0], points[None] - of[:, None, None, 0]
        found: Points = along[:, None, None, 0] * apart[..., 1] - along[:, None, None, 1] * apart[..., 0]
        products: Points = found.prod(axis=2)
        return products

    return bool(((sides(first, second) < 0) & (sides(second, first).T < 0)).any())


def _arm(body: Slice) -> float:
    """How far a body reaches from the origin."""
    return float(np.linalg.norm(body.sides, axis=2).max())


def _normals(ring: Points) -> Points:
    """The unit vectors across the sides of a convex polygon, outwards."""
    along = np.roll(ring, -1, axis=0) - ring
    normals: Points = np.column_stack([along[:, 1], -along[:, 0]]) / np.linalg.norm(along, axis=1)[:, None]
    return normals


def _rotations(angles: Points) -> Points:
    """What rows are multiplied by to be turned by angles, shape (..., 2, 2)."""
    c, s = np.cos(angles), np.sin(angles)
    rows: Points = np.moveaxis(np.array([[c, s], [-s, c]]), (0, 1), (-2, -1))
    return rows


def _turned(points: Points, angles: Points) -> Points:
    """Each point turned by its angle."""
    c, s = np.cos(angles), np.sin(angles)
    return np.column_stack([c * points[:, 0] - s * points[:, 1], s * points[:, 0] + c * points[:, 1]])


def _across(points: Points) -> Points:
    """Points turned by a right angle."""
    return np.column_stack([-points[:, 1], points[:, 0]])
