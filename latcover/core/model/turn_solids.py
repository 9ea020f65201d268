"""What the replay of a turn with tilts takes parts for: the prism of each cell, with its outer sides moved inwards.

The union of these prisms holds the eroded part. It is larger only where the part has an edge or a corner that points
inwards: there the prisms keep a tip as long as the play. So what keeps clear of them keeps clear of the part.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.lattice import Cells
from latcover.core.model.turn_bodies import TOUCHING, Bodies

Points = npt.NDArray[np.float64]
Ring = Points  # shape (n, 2), counterclockwise


class Prisms(Struct, frozen=True, eq=False):
    """Convex prisms, as two vectors across the axis and the axis see them, from the middle of a turn.

    Attributes:
        corners: Shape (n, c, 3). Shorter lists of corners, normals and edges are filled up with their first entry.
        normals: Unit vectors across the sides, outwards, shape (n, s, 3).
        edges: Along the edges, shape (n, e, 3).
    """

    corners: Points
    normals: Points
    edges: Points


def prisms_of(bodies: Bodies, cells: Cells, upright: Points, middle: Points) -> Prisms:
    """The prisms of a part's cells.

    Args:
        bodies: How parts lie in layers.
        cells: Rows ``(node, x, y, z)``, int32.
        upright, middle: The axis, and the point that becomes the origin; shape (3,).
    """
    at = bodies.lattice.centres(cells)
    drawings = [bodies.lattice.nodes[node].drawing.vertices @ upright for node in cells[:, 0]]
    heights = (at - middle) @ upright
    spans = [(h + float(z.min()), h + float(z.max())) for h, z in zip(heights, drawings, strict=True)]
    flat = (at - middle) @ bodies.plane.T
    rings = [bodies.sections[node] + centre for node, centre in zip(cells[:, 0], flat, strict=True)]
    layers = [round(low * 1000) for low, _ in spans]
    known = {
        (layer, *edge) for layer, ring in zip(layers, rings, strict=True) for edge in zip(*_ends_of(ring), strict=True)
    }
    found = []
    for ring, (low, high), layer in zip(rings, spans, layers, strict=True):
        here, there = _ends_of(ring)
        outer = [(layer, b, a) not in known for a, b in zip(here, there, strict=True)]
        below, above = (
            any(round(span[side] * 1000) == round(end * 1000) and _overlap(ring, other)
                for other, span in zip(rings, spans, strict=True))
            for end, side in ((low, 1), (high, 0))
        )  # fmt: skip
        section = _inset(ring, outer, bodies.play, bevel=bodies.bevel)
        found.append((section, low + bodies.play * (not below), high - bodies.play * (not above)))
    return _as_arrays(found)


def _ends_of(ring: Ring) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    ends = [(x, y) for x, y in np.rint(ring * 1000).astype(int).tolist()]
    return ends, ends[1:] + ends[:1]


def _across(ring: Ring) -> Points:
    """The unit vectors across the sides, outwards."""
    along = np.roll(ring, -1, axis=0) - ring
    found: Points = np.column_stack([along[:, 1], -along[:, 0]]) / np.linalg.norm(along, axis=1)[:, None]
    return found


def _overlap(one: Ring, other: Ring) -> bool:
    """Whether two convex polygons share more than a side."""

    def apart(ring: Ring, points: Ring) -> bool:
        normals = _across(ring)
        gaps = (points @ normals.T).min(axis=0) - (ring * normals).sum(axis=1)
        return bool((gaps > -TOUCHING).any())

    return not apart(one, other) and not apart(other, one)


def _inset(ring: Ring, outer: Sequence[bool], play: float, bevel: float) -> Ring:
    """A convex polygon with its outer sides moved inwards, and cut at each corner between two of them."""
    normals = _across(ring)
    heights = (ring * normals).sum(axis=1) - play * np.array(outer)
    planes = [(normals[k], heights[k]) for k in range(len(ring)) if outer[k]]
    for k in range(len(ring)):
        if bevel and outer[k - 1] and outer[k]:
            before, after = normals[k - 1], normals[k]
            corner = np.linalg.solve(np.array([before, after]), heights[[k - 1, k]])
            normal = (before + after) / np.linalg.norm(before + after)
            planes.append((normal, float(normal @ (corner + bevel * np.array([before[1], -before[0]])))))
    for normal, height in planes:
        ring = _clipped(ring, normal, height)
    return ring


def _clipped(ring: Ring, normal: Points, height: float) -> Ring:
    """What of a convex polygon lies behind a line."""
    rooms = ring @ normal - height
    found = []
    for here, there, room, next_room in zip(ring, np.roll(ring, -1, axis=0), rooms, np.roll(rooms, -1), strict=True):
        if room <= 0:
            found.append(here)
        if room * next_room < 0:
            found.append(here + (there - here) * room / (room - next_room))
    kept = np.array(found)
    long = np.linalg.norm(np.roll(kept, -1, axis=0) - kept, axis=1) > TOUCHING
    distinct: Ring = kept[long]
    return distinct


def _as_arrays(solids: Sequence[tuple[Ring, float, float]]) -> Prisms:
    corners, normals, edges = [], [], []
    for ring, low, high in solids:
        corners.append(np.concatenate([np.column_stack([ring, np.full(len(ring), z)]) for z in (low, high)]))
        across = np.pad(_across(ring), ((0, 0), (0, 1)))
        normals.append(np.concatenate([[[0, 0, 1], [0, 0, -1]], across]))
        along = np.column_stack([-across[:, 1], across[:, 0], across[:, 2]])
        edges.append(np.concatenate([[[0, 0, 1]], along]))
    return Prisms(_filled(corners), _filled(normals), _filled(edges))


def _filled(rows: Sequence[Points]) -> Points:
    most = max(map(len, rows))
    return np.stack([np.concatenate([each, np.repeat(each[:1], most - len(each), axis=0)]) for each in rows])
