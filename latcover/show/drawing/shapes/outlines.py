"""Outlines of sets of cells: their sides, without those between two cells.

Corners are welded first. Equal corners then have equal numbers, and opposite sides cancel exactly.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.system.sorted_sets import distinct

Points = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
Ring = tuple[int, ...]  # indices of corners in order; the last is joined to the first
Edge = tuple[int, int]

STRAIGHT = 1e-6  # the sine of the turn below which three corners lie on a line
LABEL_GRID = 48


def carried(points: Points, by: Points, turn: Points | None = None) -> Points:
    """Points that are first turned, by a rotation of shape (d, d), and then moved."""
    return points + by if turn is None else points @ turn.T + by


class Polygon(Struct, frozen=True, eq=False):
    """A flat area: its outer boundary anticlockwise, and its holes clockwise, each of shape (n, 2)."""

    outer: Points
    holes: tuple[Points, ...] = ()

    @property
    def rings(self) -> tuple[Points, ...]:
        return (self.outer, *self.holes)

    def moved(self, by: Points, turn: Points | None = None) -> Polygon:
        return Polygon(carried(self.outer, by, turn), tuple(carried(hole, by, turn) for hole in self.holes))

    @property
    def area(self) -> float:
        return sum(signed_area(ring) for ring in self.rings)


def weld(points: Points, tolerance: float) -> tuple[Points, Ints]:
    """The distinct *points*, shape (m, d), and the index of each point among them, shape (n,).

    On each axis, coordinates that differ by less than *tolerance* become equal. Rounding would separate close
    coordinates at a rounding boundary.
    """
    snapped = np.empty_like(points)
    for axis in range(points.shape[1]):
        order = np.argsort(points[:, axis], kind="stable")
        values = points[order, axis]
        starts = np.concatenate([[True], np.diff(values) > tolerance])[: len(values)]
        snapped[order, axis] = values[starts][np.cumsum(starts) - 1]
    unique, index = np.unique(snapped + 0.0, axis=0, return_inverse=True)
    return unique, index.reshape(-1).astype(np.int32)


def padded(points: Points, dimension: int) -> Points:
    """*points*, shape (..., d), with zeros up to *dimension* coordinates."""
    missing = max(0, dimension - points.shape[-1])
    return np.pad(points, [*[(0, 0)] * (points.ndim - 1), (0, missing)])


def signed_area(ring: Points) -> float:
    """Positive for a ring that runs anticlockwise."""
    x, y = ring[:, 0], ring[:, 1]
    return float(x[:-1] @ y[1:] + x[-1] * y[0] - y[:-1] @ x[1:] - y[-1] * x[0]) / 2


def edges_of(ring: Ring) -> Iterable[Edge]:
    return zip(ring, ring[1:] + ring[:1], strict=True)


def split_at_corners(rings: Sequence[Ring], points: Points, tolerance: float) -> list[Ring]:
    """Split the sides of *rings* at all corners that lie on them, so that sides either share no length or are equal."""
    used = distinct(np.fromiter(chain.from_iterable(rings), np.int64))
    corners = points[used]
    return [
        tuple(chain.from_iterable((a, *_between(points[a], points[b], corners, used, tolerance)) for a, b in edges))
        for edges in map(edges_of, rings)
    ]


def _between(start: Points, end: Points, corners: Points, names: npt.NDArray[np.int64], tolerance: float) -> list[int]:
    """The *names* of the corners within a side, in its direction."""
    length = float(np.linalg.norm(end - start))
    if length <= tolerance:
        return []
    along = (end - start) / length
    at = (corners - start) @ along
    off = np.linalg.norm(corners - start - np.outer(at, along), axis=1)
    within = np.flatnonzero((at > tolerance) & (at < length - tolerance) & (off < tolerance))
    return [int(names[k]) for k in within[np.argsort(at[within])]]


def remaining_edges(edges: Iterable[Edge]) -> list[Edge]:
    """The *edges* that no opposite edge cancels, sorted."""
    count: Counter[Edge] = Counter()
    for a, b in edges:
        if count[b, a] > 0:
            count[b, a] -= 1
        else:
            count[a, b] += 1
    return sorted(count.elements())


def sides(rings: Iterable[Ring]) -> list[Edge]:
    """The sides of *rings*, without those between two rings."""
    return remaining_edges(chain.from_iterable(map(edges_of, rings)))


def trace(edges: Sequence[Edge], points: Points) -> list[Ring]:
    """Join directed *edges* to rings with the area on their left; *points* has shape (n, 2).

    Where areas touch in a corner, the sharpest left turn keeps them apart.
    """
    leaving: defaultdict[int, list[int]] = defaultdict(list)
    for a, b in edges:
        leaving[a].append(b)
    rings = []
    for start, first in edges:
        if first not in leaving[start]:
            continue
        ring, before, here = [start], start, first
        while leaving[here]:
            ways = leaving[here]
            following = ways[0]
            if len(ways) > 1:
                following = min(ways, key=lambda end: _turn(points[before], points[here], points[end]))
            ways.remove(following)
            if (here, following) == (start, first):
                break
            ring.append(here)
            before, here = here, following
        rings.append(tuple(ring))
    return rings


def _turn(before: Points, here: Points, end: Points) -> float:
    """The angle of the right turn at *here*, from 0 (straight back) to 2 pi."""
    back, onward = before - here, end - here
    angle = np.arctan2(back[0] * onward[1] - back[1] * onward[0], back @ onward)
    return float(-angle % (2 * np.pi))


def polygons(edges: Sequence[Edge], points: Points) -> list[Polygon]:
    """The areas to the left of *edges*, without corners within straight sides."""
    loops = [straightened(points[list(ring)]) for ring in trace(edges, points)]
    outer = [loop for loop in loops if signed_area(loop) > 0]
    holes = [loop for loop in loops if signed_area(loop) < 0]
    return [Polygon(outer[k], tuple(holes[h] for h in inside)) for k, inside in nested(outer, holes).items()]


def nested(outer: Sequence[Points], holes: Sequence[Points]) -> dict[int, list[int]]:
    """The numbers of the holes of each outer ring; a hole belongs to the smallest ring around it."""
    found: dict[int, list[int]] = {k: [] for k in range(len(outer))}
    sizes = [signed_area(ring) for ring in outer]
    for h, hole in enumerate(holes):
        middle = (hole[0] + hole[1]) / 2  # the middle of a side: holes share corners with outer rings, but no sides
        around = [k for k, ring in enumerate(outer) if contains([ring], middle)]
        if around:
            found[min(around, key=lambda k: sizes[k])].append(h)
    return found


def straightened(ring: Points) -> Points:
    """*ring* without corners within straight sides."""
    after = np.concatenate([ring[1:], ring[:1]]) - ring  # np.roll would take as long as all the rest
    before = np.concatenate([after[-1:], after[:-1]])
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    scale = np.hypot(before[:, 0], before[:, 1]) * np.hypot(after[:, 0], after[:, 1])
    onward = (before * after).sum(axis=1) > 0
    kept: Points = ring[~((np.abs(cross) <= STRAIGHT * scale) & onward)]
    return kept


def contains(rings: Sequence[Points], point: Points) -> bool:
    """Whether *point* lies within *rings*."""
    return bool(_inside(rings, point.reshape(1, 2))[0])


def _inside(rings: Sequence[Points], samples: Points) -> npt.NDArray[np.bool_]:
    """Which *samples* lie within *rings*, by the crossings to their right."""
    crossings = np.zeros(len(samples), np.int64)
    x, y = samples[:, :1], samples[:, 1:]
    for ring in rings:
        a, b = ring, np.roll(ring, -1, axis=0)
        spans = (a[:, 1] > y) != (b[:, 1] > y)
        rise = np.where(a[:, 1] == b[:, 1], 1.0, b[:, 1] - a[:, 1])
        at = a[:, 0] + (y - a[:, 1]) * (b[:, 0] - a[:, 0]) / rise
        crossings += (spans & (at > x)).sum(axis=1)
    inside: npt.NDArray[np.bool_] = crossings % 2 == 1
    return inside


def label_place(polygon: Polygon, hidden_by: Sequence[Points] = ()) -> tuple[Points, float]:
    """The place in *polygon* with most room for a letter, and its distance from the boundary.

    Of places with nearly equal room, it takes the one nearest to the middle of the polygon's box. The rings
    *hidden_by* hide what lies within them; the room is 0 if nothing is visible.
    """
    low, extent = polygon.outer.min(axis=0), float(np.ptp(polygon.outer, axis=0).max())
    rings = [[_rounded((ring - low) / extent) for ring in group] for group in (polygon.rings, hidden_by)]
    place, room = _label_place(tuple(rings[0]), tuple(rings[1]))
    return np.array(place) * extent + low, room * extent


Rounded = tuple[tuple[float, float], ...]


def _rounded(ring: Points) -> Rounded:
    return tuple((x, y) for x, y in (np.round(ring, 6) + 0.0).tolist())


@lru_cache(maxsize=4096)
def _label_place(rings: tuple[Rounded, ...], hidden_by: tuple[Rounded, ...]) -> tuple[tuple[float, float], float]:
    """`label_place` in units of the polygon's size, so that equal shapes have their letters in equal places."""
    own, others = ([np.array(ring) for ring in group] for group in (rings, hidden_by))
    low, high = own[0].min(axis=0), own[0].max(axis=0)
    steps = (np.arange(LABEL_GRID) + 0.5) / LABEL_GRID
    samples = low + np.stack(np.meshgrid(steps, steps, indexing="ij"), axis=-1).reshape(-1, 2) * (high - low)
    seen = _inside(own, samples)
    for ring in others:
        seen &= ~_inside([ring], samples)
    inside = samples[seen]
    if not len(inside):
        return (float(low[0]), float(low[1])), 0.0
    room = np.full(len(inside), np.inf)
    for ring in (*own, *others):
        for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            side = b - a
            share = np.clip((inside - a) @ side / max(float(side @ side), 1e-300), 0, 1)
            room = np.minimum(room, np.linalg.norm(inside - a - share[:, None] * side, axis=1))
    wide = np.flatnonzero(room >= 0.92 * room.max())
    away = np.round(np.linalg.norm(inside[wide] - (low + high) / 2, axis=1), 9)
    best = wide[np.argmin(away)]
    return (float(inside[best, 0]), float(inside[best, 1])), float(room[best])
