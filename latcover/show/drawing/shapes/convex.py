"""Cut flat polygons into convex pieces, and intersect these."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latcover.show.drawing.shapes.outlines import Points, signed_area

FLAT = 1e-9


def is_convex(ring: Points) -> bool:
    """Whether an anticlockwise ring, shape (n, 2), never turns right."""
    before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return bool((cross >= -FLAT * np.abs(cross).max(initial=0.0)).all())


def convex_pieces(ring: Points) -> list[tuple[int, ...]]:
    """The convex pieces of an anticlockwise ring, as indices of corners: the whole ring, or triangles cut off as ears.

    The ring may touch itself, for example along a seam to a hole.
    """
    left = list(range(len(ring)))
    if is_convex(ring):
        return [tuple(left)]
    pieces: list[tuple[int, ...]] = []
    while len(left) > 3:
        ear = next((k for k in range(len(left)) if _is_ear(ring, left, k)), None)
        if ear is None:
            break
        a, b, c = left[ear - 1], left[ear], left[(ear + 1) % len(left)]
        if signed_area(ring[[a, b, c]]) > 0:
            pieces.append((a, b, c))
        left.pop(ear)
    return [*pieces, tuple(left)]


def _is_ear(ring: Points, left: list[int], k: int) -> bool:
    corners = [left[k - 1], left[k], left[(k + 1) % len(left)]]
    triangle = ring[corners]
    area = signed_area(triangle)
    extent = float(np.ptp(ring, axis=0).max()) ** 2
    if area <= FLAT * extent:
        return area >= -FLAT * extent  # without an area: it can go
    others = np.array([v for v in left if v not in corners], np.int64)
    points = ring[others]
    inside = np.ones(len(points), bool)
    for a, b in zip(triangle, np.roll(triangle, -1, axis=0), strict=True):
        inside &= (b[0] - a[0]) * (points[:, 1] - a[1]) - (b[1] - a[1]) * (points[:, 0] - a[0]) > FLAT * extent
    return not inside.any()


def overlap(one: Points, other: Points) -> Points:
    """The intersection of two convex anticlockwise rings, shape (n, 2), by Sutherland and Hodgman; n may be 0."""
    common = one
    for a, b in zip(other, np.roll(other, -1, axis=0), strict=True):
        if not len(common):
            break
        common = clip(common, a, np.array([a[1] - b[1], b[0] - a[0]]))
    return common


def clip(ring: Points, start: Points, inward: Points) -> Points:
    """The part of a convex ring on the side of a line through *start* to which *inward* points."""
    height = (ring - start) @ inward
    kept: list[Points] = []
    for k in range(len(ring)):
        j = (k + 1) % len(ring)
        if height[k] >= 0:
            kept.append(ring[k])
        if (height[k] >= 0) != (height[j] >= 0):
            share = height[k] / (height[k] - height[j])
            kept.append(ring[k] + share * (ring[j] - ring[k]))
    return np.array(kept).reshape(-1, ring.shape[1])


def seamed(outer: Points, holes: Sequence[Points]) -> Points:
    """Join an anticlockwise ring and its clockwise holes to one ring, by seams to the holes and back."""
    ring, left = outer, list(holes)
    while left:
        ways = [
            (float(np.linalg.norm(hole[j] - ring[i])), h, i, j)
            for h, hole in enumerate(left)
            for i in range(len(ring))
            for j in range(len(hole))
        ]
        _, h, i, j = next(way for way in sorted(ways) if _is_free(ring[way[2]], left[way[1]][way[3]], [ring, *left]))
        hole = left.pop(h)
        ring = np.concatenate([ring[: i + 1], hole[j:], hole[: j + 1], ring[i:]])
    return ring


def _is_free(start: Points, end: Points, rings: Sequence[Points]) -> bool:
    """Whether no side of *rings* crosses the segment from *start* to *end*."""
    a = np.concatenate(rings)
    b = np.concatenate([np.roll(ring, -1, axis=0) for ring in rings])
    along, sides = end - start, b - a
    extent = float(np.ptp(a, axis=0).max()) ** 2
    at_a, at_b = (along[0] * (p - start)[:, 1] - along[1] * (p - start)[:, 0] for p in (a, b))
    at_start, at_end = (sides[:, 0] * (p - a)[:, 1] - sides[:, 1] * (p - a)[:, 0] for p in (start, end))
    return not ((at_a * at_b < -((FLAT * extent) ** 2)) & (at_start * at_end < -((FLAT * extent) ** 2))).any()
