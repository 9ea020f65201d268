"""Cells as they are drawn: how large and how far apart shapes are, and what two of them have in common.

A shape is a polygon or a solid, which need not be convex, given by its sides; or a ball.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from latcover.core.model.lattice import CLOSE, NEAR

Points = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.float64]
PARALLEL = 0.9999  # cosine
UPRIGHT = NEAR**2  # how little an edge runs sideways that has next to nothing below it


class DrawnShape:
    """The drawing of a node as sides that look outwards.

    Attributes:
        centre: Cartesian, where its node lies in the unit, shape (d,).
        sides: The corners of each side relative to the centre: two in the plane, three or more in space.
        radius: Of a sphere, which has no sides.
    """

    def __init__(self, centre: Points, sides: Sequence[Points], radius: float) -> None:
        self.centre, self.sides, self.radius = centre, sides, radius

    @cached_property
    def normals(self) -> Points:
        """The direction that each side looks, shape (n, d)."""
        return np.array([normal_of(side) for side in self.sides])

    @cached_property
    def sizes(self) -> Numbers:
        """The length or area of each side, shape (n,)."""
        return np.array([size_of(side) for side in self.sides])

    @cached_property
    def middles(self) -> Points:
        return np.array([side.mean(axis=0) for side in self.sides])

    @cached_property
    def reaches(self) -> Numbers:
        """The greatest distance of a corner from the middle of its side, shape (n,)."""
        return np.array([np.linalg.norm(s - m, axis=1).max() for s, m in zip(self.sides, self.middles, strict=True)])

    def facing(self, other: DrawnShape, centre: Points) -> list[tuple[int, Points]]:
        """The sides that lie in one line or plane with a side of *other* and face it, each with that side."""
        found = self.normals @ other.normals.T < -PARALLEL
        level = (self.normals * self.middles).sum(axis=1)[:, None]
        found &= np.abs(self.normals @ (other.middles + centre).T - level) <= CLOSE
        return [(i, other.sides[j] + centre) for i, j in np.argwhere(found).tolist()]

    @cached_property
    def corners(self) -> Points:
        return np.concatenate(self.sides)

    @cached_property
    def volume(self) -> float:
        """The area or volume within the sides; negative if they look inwards."""
        heights = (self.normals * self.middles).sum(axis=1)
        return float(heights @ self.sizes) / self.centre.size

    @cached_property
    def reach(self) -> float:
        """The greatest distance of a corner from the centre."""
        return self.radius or float(np.linalg.norm(self.corners, axis=1).max())


def normal_of(side: Points) -> Points:
    """The unit vector across a side, outwards; zero if the side has no size."""
    vector = _across(side)
    length = float(np.linalg.norm(vector))
    return vector / length if length > NEAR**2 else np.zeros_like(vector)


def size_of(side: Points) -> float:
    return float(np.linalg.norm(_across(side)))


def _across(side: Points) -> Points:
    """The vector across a side, as long as the side is large."""
    if len(side[0]) == 2:
        (x, y), (u, v) = side
        return np.array([v - y, x - u])
    x, y, z = (side - side[0]).T
    u, v, w = np.roll([x, y, z], -1, axis=1)
    return np.array([(y * w - z * v).sum(), (z * u - x * w).sum(), (x * v - y * u).sum()]) / 2


def same_corners(one: Points, other: Points) -> bool:
    """Whether two sides have the same corners, in whatever order."""
    gaps = np.abs(one[:, None] - other).max(axis=2) <= CLOSE
    return len(one) == len(other) and bool(gaps.any(axis=0).all() and gaps.any(axis=1).all())


def way_round(side: Points) -> float:
    """The length of the way round a face; 1 for a side in the plane."""
    return 1.0 if len(side) == 2 else float(np.linalg.norm(side - np.roll(side, 1, axis=0), axis=1).sum())


def common_part(side: Points, normal: Points, other: Points) -> float:
    """The length or area that two sides in one line or plane have in common; negative if they face each other."""
    if len(normal) == 2:
        along = np.array([-normal[1], normal[0]])
        a, b = side @ along, other @ along
        common = min(a.max(), b.max()) - max(a.min(), b.min())
        return float(max(common, 0.0) * np.sign(a[1] - a[0]) * np.sign(b[1] - b[0]))
    edges = np.roll(side, -1, axis=0) - side
    across = np.cross(normal, edges[int(np.argmax((edges**2).sum(axis=1)))])
    across /= np.linalg.norm(across)
    frame = np.array([across, np.cross(normal, across)]).T
    return _common_area((side - side[0]) @ frame, (other - side[0]) @ frame)


def _common_area(one: Points, other: Points) -> float:
    """The area that two polygons have in common; negative if they run round it in opposite ways.

    Below each edge lies a trapezoid, down to one floor; a polygon is the signed sum of those of its edges. So the area
    is the signed sum of what two trapezoids have in common, over all pairs of edges.
    """
    floor = min(one[:, 1].min(), other[:, 1].min())
    (x0, y0, x1, y1), (u0, v0, u1, v1) = (
        (*(p - [0, floor]).T[:, :, None], *(np.roll(p, -1, axis=0) - [0, floor]).T[:, :, None]) for p in (one, other)
    )
    u0, v0, u1, v1 = u0.T, v0.T, u1.T, v1.T
    low = np.maximum(np.minimum(x0, x1), np.minimum(u0, u1))
    wide = np.maximum(np.minimum(np.maximum(x0, x1), np.maximum(u0, u1)) - low, 0.0)

    def heights(a0: Points, b0: Points, a1: Points, b1: Points) -> tuple[Points, Points]:
        run = a1 - a0
        slope = (b1 - b0) / np.where(np.abs(run) < UPRIGHT, 1.0, run)
        return b0 + (low - a0) * slope, b0 + (low + wide - a0) * slope

    (ya, yb), (va, vb) = heights(x0, y0, x1, y1), heights(u0, v0, u1, v1)
    da, db = ya - va, yb - vb
    most = np.maximum(np.maximum(da, db), 0.0)
    differ = (da < 0) != (db < 0)
    cross = most**2 / np.where(differ, np.abs(da - db), 1.0)  # the edges cross: a triangle
    above = np.where(differ, cross, np.maximum(da, 0.0) + np.maximum(db, 0.0))
    signs = np.sign(x1 - x0) * np.sign(u1 - u0)
    return float((signs * wide * (ya + yb - above) / 2).sum())


def depth(one: DrawnShape, other: DrawnShape, centre: Points) -> float:
    """How deep *other*, whose centre lies at *centre*, reaches into *one*; negative by how far it is away.

    It is exact for balls, also beside other shapes. For two other shapes it says whether they overlap.
    """
    if one.radius and other.radius:
        return one.radius + other.radius - float(np.linalg.norm(centre))
    if one.radius or other.radius:
        ball, sided, at = (other, one, centre) if other.radius else (one, other, -centre)
        return ball.radius - _distance(sided, at)
    low = np.maximum(one.corners.min(axis=0), other.corners.min(axis=0) + centre)
    high = np.minimum(one.corners.max(axis=0), other.corners.max(axis=0) + centre)
    if (high - low).min() <= CLOSE or _separated(one, other, centre):
        return 0.0
    common = common_size(one, other, centre)
    size = min(float(one.sizes.sum()), float(other.sizes.sum()))
    return float(common ** (1 / len(centre))) if common > CLOSE * size else 0.0


def _separated(one: DrawnShape, other: DrawnShape, centre: Points) -> bool:
    """Whether a side of one shape parts it from all of the other: the quick answer for nearly all neighbours."""
    for shape, corners in ((one, other.corners + centre), (other, one.corners - centre)):
        own = (shape.corners @ shape.normals.T).max(axis=0)
        if ((corners @ shape.normals.T).min(axis=0) >= own - CLOSE).any():
            return True
    return False


def common_size(one: DrawnShape, other: DrawnShape, centre: Points) -> float:
    """The area or volume that two shapes have in common, the second with its centre at *centre*."""
    if len(centre) == 2:
        return _common_area(_outline(one), _outline(other) + centre)
    floor = min(one.corners[:, 2].min(), other.corners[:, 2].min() + centre[2])
    return _common_volume(_triangles(one.sides, floor), _triangles([s + centre for s in other.sides], floor))


def turn(side: Points, point: Points) -> float:
    """Positive if *point* lies to the left of *side*."""
    (x, y), (u, v) = side[1] - side[0], point - side[0]
    return float(x * v - y * u)


def middle_of_both(one: DrawnShape, other: DrawnShape, centre: Points) -> Points:
    """A point where two shapes that overlap do so, or near it: the middle of what their boxes have in common."""
    boxes = []
    for shape, at in ((one, centre * 0), (other, centre)):
        corners = shape.corners if shape.sides else np.array([-1, 1])[:, None] * np.full_like(centre, shape.radius)
        boxes.append((corners.min(axis=0) + at, corners.max(axis=0) + at))
    (a, b), (c, d) = boxes
    middle: Points = (np.maximum(a, c) + np.minimum(b, d)) / 2
    return middle


Column = tuple[list[tuple[float, float]], float, tuple[float, float, float]]


def _triangles(sides: Sequence[Points], floor: float) -> list[Column]:
    """The columns of space between a solid's faces, cut into triangles, and a floor, from above.

    Of each column: its corners, counter-clockwise; a sign, 1 below faces that look up and -1 below those that look
    down; and the numbers (a, b, c) of its height a x + b y + c. The solid is the signed sum of its columns.
    """
    found: list[Column] = []
    for side in sides:
        for k in range(1, len(side) - 1):
            corners = side[[0, k, k + 1]]
            twice = turn(corners[:2, :2], corners[2, :2])
            if abs(twice) > NEAR**2:
                flat, sign = (corners, 1.0) if twice > 0 else (corners[::-1], -1.0)
                height = np.linalg.solve(np.column_stack([flat[:, :2], np.ones(3)]), flat[:, 2] - floor)
                a, b, c = height.tolist()
                found.append(([(x, y) for x, y in flat[:, :2].tolist()], sign, (a, b, c)))
    return found


def _common_volume(one: Sequence[Column], other: Sequence[Column]) -> float:
    """The volume that two solids have in common: over all pairs of columns, the room below both heights."""
    if not one or not other:
        return 0.0
    corners = [np.array([column[0] for column in columns]) for columns in (one, other)]
    boxes = [np.concatenate([c.min(axis=1), c.max(axis=1)], axis=1) for c in corners]
    meet = (boxes[0][:, None, :2] < boxes[1][:, 2:]).all(axis=2) & (boxes[1][:, :2] < boxes[0][:, None, 2:]).all(axis=2)
    total = 0.0
    for i, j in np.argwhere(meet).tolist():
        (common, s, (a, b, c)), (others, t, (d, e, f)) = one[i], other[j]
        for k in range(3):
            (x, y), (u, v) = others[k], others[(k + 1) % 3]
            common = _kept(common, (y - v, u - x, x * v - u * y))
        first = _kept(common, (d - a, e - b, f - c))  # where the first is the lower one
        total += s * t * (_below(common, (d, e, f)) + _below(first, (a - d, b - e, c - f)))
    return total


def _kept(polygon: list[tuple[float, float]], plane: tuple[float, float, float]) -> list[tuple[float, float]]:
    """The part of a convex polygon where a x + b y + c is not negative."""
    a, b, c = plane
    kept = []
    for k, (x, y) in enumerate(polygon):
        u, v = polygon[k - 1]
        here, before = a * x + b * y + c, a * u + b * v + c
        if (here < 0) != (before < 0):
            share = before / (before - here)
            kept.append((u + share * (x - u), v + share * (y - v)))
        if here >= 0:
            kept.append((x, y))
    return kept


def _below(polygon: list[tuple[float, float]], height: tuple[float, float, float]) -> float:
    """The volume below a plane over a convex polygon, counter-clockwise."""
    a, b, c = height
    total = 0.0
    for (x, y), (u, v) in pairwise(polygon[1:]):
        p, q = polygon[0]
        area = ((x - p) * (v - q) - (u - p) * (y - q)) / 2
        total += area * (a * (p + x + u) / 3 + b * (q + y + v) / 3 + c)
    return total


def _outline(shape: DrawnShape) -> Points:
    """The corners of a polygon in their order."""
    return np.array([side[0] for side in shape.sides])


def _distance(shape: DrawnShape, point: Points) -> float:
    """How far a point is from the sides of a shape; negative if it lies inside."""
    if len(point) == 3:
        return _distance_in_space(shape, point)
    start = _outline(shape)
    along = np.array([side[1] - side[0] for side in shape.sides])
    gap = _from_edges(start, along, point)
    rises = (start[:, 1] > point[1]) != (start[:, 1] + along[:, 1] > point[1])
    slope = along[:, 0] / np.where(along[:, 1] == 0, 1.0, along[:, 1])
    inside = int((rises & (point[0] < start[:, 0] + (point[1] - start[:, 1]) * slope)).sum()) % 2
    return -gap if inside else gap


def _from_edges(start: Points, along: Points, point: Points) -> float:
    """How far a point is from the nearest of some edges."""
    share = (((point - start) * along).sum(axis=1) / (along**2).sum(axis=1)).clip(0, 1)
    return float(np.linalg.norm(start + share[:, None] * along - point, axis=1).min())


def _distance_in_space(shape: DrawnShape, point: Points) -> float:
    """The same of a solid. The faces fill its whole view if it lies inside (van Oosterom and Strackee 1983)."""
    gap, view = np.inf, 0.0
    for side, normal in zip(shape.sides, shape.normals, strict=True):
        start, along = side, np.roll(side, -1, axis=0) - side
        gap = min(gap, _from_edges(start, along, point))
        height = float((side[0] - point) @ normal)
        foot = point + height * normal
        here, there = side - foot, np.roll(side, -1, axis=0) - foot
        turns = np.arctan2(np.cross(here, there) @ normal, (here * there).sum(axis=1))
        if abs(turns.sum()) > np.pi:  # the foot of the perpendicular lies in the face
            gap = min(gap, abs(height))
        for k in range(1, len(side) - 1):
            a, b, c = side[[0, k, k + 1]] - point
            (p, q, r) = (np.linalg.norm(each) for each in (a, b, c))
            view += 2 * np.arctan2(a @ np.cross(b, c), p * q * r + (a @ b) * r + (b @ c) * p + (c @ a) * q)
    return -float(gap) if view > 2 * np.pi else float(gap)


def point_text(point: Points) -> str:
    """A point as complaints show it."""
    return f"({', '.join(f'{x:.6g}' for x in point.round(6) + 0)})"
