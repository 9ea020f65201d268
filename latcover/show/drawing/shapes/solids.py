"""Solids: the outer faces of sets of cells, merged where they lie in one plane; and horizontal cuts."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from msgspec import Struct

from latcover.show.drawing.shapes.outlines import (
    Points,
    Polygon,
    Ring,
    carried,
    edges_of,
    polygons,
    remaining_edges,
    sides,
    signed_area,
    trace,
    weld,
)
from latcover.system.sorted_sets import distinct

SAME_PLANE = 1e-6  # of normals and, in units of the solid's size, of distances


class Face(Struct, frozen=True, eq=False):
    """A flat part of a solid's surface.

    Attributes:
        rings: The outer boundary, anticlockwise as seen from outside, then the holes, with all corners of cells.
        normal: The unit vector that points out of the solid.
        cell_faces: The faces of cells that it consists of.
    """

    rings: tuple[Ring, ...]
    normal: Points
    cell_faces: tuple[Ring, ...]


class Solid(Struct, frozen=True, eq=False, dict=True):
    """A body bounded by flat faces.

    Attributes:
        vertices: Shape (n, 3), Cartesian.
        cell_faces: The outer faces of the cells, anticlockwise as seen from outside.
    """

    vertices: Points
    cell_faces: tuple[Ring, ...]

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        """The outer faces. Neighbouring faces in one plane are merged."""
        return merged(self.vertices, self.cell_faces)

    def moved(self, by: Points, turn: Points | None = None) -> Solid:
        return Solid(carried(self.vertices, by, turn), self.cell_faces)

    @property
    def volume(self) -> float:
        return volume(self.vertices, self.cell_faces)


def solid(vertices: Points, rings: Sequence[Ring]) -> Solid:
    """The solid whose cells have the faces *rings*: opposite faces cancel.

    Faces that meet only in part, as in a brick wall, both stay. They lie inside, and the surface is still closed.
    """
    facing: defaultdict[frozenset[int], list[Ring]] = defaultdict(list)
    for ring in rings:
        same = facing[frozenset(ring)]
        opposite = next((k for k, other in enumerate(same) if _is_opposite(ring, other)), None)
        if opposite is None:
            same.append(ring)
        else:
            same.pop(opposite)
    left = [ring for same in facing.values() for ring in same]
    used = distinct(np.concatenate([np.array(ring) for ring in left])) if left else np.empty(0, np.int64)
    number = {int(old): new for new, old in enumerate(used)}
    return Solid(vertices[used], tuple(tuple(number[v] for v in ring) for ring in left))


def _is_opposite(ring: Ring, other: Ring) -> bool:
    return set(edges_of(ring)) == {(b, a) for a, b in edges_of(other)}


def normal(vertices: Points, ring: Ring) -> Points:
    """The unit normal of a flat ring with an area, by Newell's sum, which also holds for concave rings."""
    across = _across(vertices, ring)
    unit: Points = across / max(float(np.linalg.norm(across)), 1e-300)
    return unit


def area(vertices: Points, ring: Ring) -> float:
    """The area of a flat ring."""
    return float(np.linalg.norm(_across(vertices, ring))) / 2


def _across(vertices: Points, ring: Ring) -> Points:
    """A normal of a flat ring, twice as long as its area."""
    first = vertices[ring[0]]  # far from the origin the products would lose the digits that count
    here, after = vertices[list(ring)] - first, vertices[[*ring[1:], ring[0]]] - first
    products = here.T @ after  # np.cross would take ten times as long
    across: Points = (products - products.T)[[1, 2, 0], [2, 0, 1]]
    return across


def volume(vertices: Points, rings: Sequence[Ring]) -> float:
    """The volume within a closed surface; negative if its faces look clockwise from outside."""
    total = 0.0
    for ring in rings:
        a, *others = vertices[list(ring)] - vertices[0]
        for b, c in pairwise(others):
            total += float(np.dot(a, np.cross(b, c)))
    return total / 6


def outward(vertices: Points, rings: Sequence[Ring]) -> tuple[Ring, ...]:
    """The faces of one cell, all anticlockwise as seen from outside.

    If the directions of neighbouring faces agree, all faces turn together. Otherwise each turns away from the middle.
    """
    if not sides(rings):
        return tuple(rings) if volume(vertices, rings) >= 0 else tuple(ring[::-1] for ring in rings)
    middle = vertices.mean(axis=0)
    away = [float(normal(vertices, ring) @ (vertices[list(ring)].mean(axis=0) - middle)) for ring in rings]
    return tuple(ring if out >= 0 else ring[::-1] for ring, out in zip(rings, away, strict=True))


def plane_axes(unit: Points) -> Points:
    """Two unit vectors perpendicular to *unit*, shape (2, 3); the three are right-handed."""
    # Plain numbers: np.cross takes ten times as long, and every face of every shape needs this.
    x, y, z = unit.tolist()
    least = min(range(3), key=lambda axis: abs((x, y, z)[axis]))
    first = ((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0))[least]
    length = math.hypot(*first)
    a, b, c = (value / length for value in first)
    return np.array([(a, b, c), (y * c - z * b, z * a - x * c, x * b - y * a)])


def merged(vertices: Points, rings: Sequence[Ring]) -> tuple[Face, ...]:
    """Merge faces that share a side, lie in one plane and face the same way."""
    if not rings:
        return ()
    normals = np.array([normal(vertices, ring) for ring in rings])
    size, inner = max(float(np.ptp(vertices, axis=0).max()), 1e-300), vertices - vertices[0]
    distances = np.array([np.dot(n, inner[ring[0]]) for n, ring in zip(normals, rings, strict=True)]) / size
    _, plane = weld(np.column_stack([normals, distances]), SAME_PLANE)
    faces = []
    for members in _side_by_side(rings, plane.tolist()):
        unit = normal(vertices, members[0])
        flat = vertices @ plane_axes(unit).T
        loops = trace(sides(members), flat)
        loops.sort(key=lambda loop: -signed_area(flat[list(loop)]))  # the outer one, whose area is positive, first
        faces.append(Face(tuple(loops), unit, tuple(members)))
    return tuple(faces)


def _side_by_side(rings: Sequence[Ring], plane: Sequence[int]) -> list[list[Ring]]:
    """The sets of *rings* connected by sides within a plane, in the order of their first rings."""
    across = {
        (number, *edge): k for k, (ring, number) in enumerate(zip(rings, plane, strict=True)) for edge in edges_of(ring)
    }
    found, seen = [], set[int]()
    for start in range(len(rings)):
        if start in seen:
            continue
        queue = [start]
        seen.add(start)
        for k in queue:
            beside = (across.get((plane[k], b, a)) for a, b in edges_of(rings[k]))
            for other in beside:
                if other is not None and other not in seen:
                    seen.add(other)
                    queue.append(other)
        found.append([rings[k] for k in sorted(queue)])
    return found


def cut(body: Solid, height: float, tolerance: float) -> list[Polygon]:
    """The cut of *body* at z = *height*, where no vertex may lie."""
    levels = body.vertices[:, 2]
    if not len(levels) or not levels.min() < height < levels.max():
        return []
    ends: list[Points] = []
    for ring in body.cell_faces:
        corners = body.vertices[list(ring)]
        above = corners[:, 2] > height
        if above.any() and not above.all():
            ends += _crossings(corners, normal(body.vertices, ring), height)
    points, index = weld(np.array(ends), tolerance)
    edges = remaining_edges((int(a), int(b)) for a, b in index.reshape(-1, 2) if a != b)
    return polygons(edges, points)


def _crossings(corners: Points, unit: Points, height: float) -> list[Points]:
    """The ends of the segments in which a face crosses the plane, with the solid on their left."""
    following = np.roll(corners, -1, axis=0)
    crossing = (corners[:, 2] > height) != (following[:, 2] > height)
    a, b = corners[crossing], following[crossing]
    share = (height - a[:, 2]) / (b[:, 2] - a[:, 2])
    points = a[:, :2] + share[:, None] * (b[:, :2] - a[:, :2])
    direction = np.array([-unit[1], unit[0]])
    return list(points[np.argsort(points @ direction, kind="stable")])
