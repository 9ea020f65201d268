"""What the replay of a turn takes parts for: in each layer across the axis, cells and an outline moved inwards.

It shares nothing with the search of turns, which takes them for convex pieces that overlap.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.lattice import CLOSE, NEAR, Cells, Lattice
from latcover.core.model.turn_data import Turning

Points = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Segments = npt.NDArray[np.float64]  # shape (n, 2, 2): from, to
TOUCHING = 1e-7  # a smaller clearance is none, and a shorter side
STRAIGHT = 1e-10  # radians: rounding bends a straight side less


class Slice(Struct, frozen=True, eq=False):
    """What lies of a body in one layer, in the plane across the axis.

    Attributes:
        sides: Those of its outline, shape (n, 2, 2).
        corners: Where its outline bends outwards, shape (k, 2). What comes near meets one of them first, or meets one
            of its own corners with a side.
        nodes, centres: Its cells, which its outline lies within, shapes (m,) and (m, 2).
    """

    sides: Segments
    corners: Points
    nodes: Ints
    centres: Points

    def without(self, far: float) -> Slice:
        """The same without sides and corners that are farther from the origin."""
        corners = self.corners[np.linalg.norm(self.corners, axis=1) < far]
        return Slice(self.sides[_distances(self.sides) < far], corners, self.nodes, self.centres)


def joined(slices: Sequence[Slice]) -> Slice:
    """Several slices of one layer as one."""
    return Slice(*(np.concatenate([getattr(each, name) for each in slices]) for name in Slice.__struct_fields__))


class Bodies:
    """Makes bodies of parts that turn about an axis.

    Args:
        plane: Two unit vectors across the axis, shape (2, dimension).
        axis: The axis, shape (dimension,); zero in the plane.
        middle: The point that becomes the origin, Cartesian.

    Attributes:
        plane: As given.
        sections: The section of the cells of each node around their centre, counterclockwise, shape (n, 2).
        play, bevel: Those of all parts, Cartesian.
    """

    def __init__(self, lattice: Lattice, plane: Points, axis: Points, middle: Points, turning: Turning) -> None:
        self.lattice, self.plane, self._axis, self._middle = lattice, plane, axis, middle
        drawings = [node.drawing.vertices[:, : lattice.dimension] for node in lattice.nodes]
        self.sections = [_section(vertices @ plane.T) for vertices in drawings]
        self._edges = [np.stack([ring, np.roll(ring, -1, axis=0)], axis=1) for ring in self.sections]
        self._lows = np.array([(vertices @ axis).min() for vertices in drawings])
        edge = min(float(np.linalg.norm(each[:, 1] - each[:, 0], axis=1).min()) for each in self._edges)
        self.play, self.bevel = turning.play * edge, turning.bevel * edge

    def slices(self, cells: Cells) -> dict[int, Slice]:
        """What of a part lies in each layer."""
        at = self.lattice.centres(cells)
        layers = np.rint((at @ self._axis + self._lows[cells[:, 0]]) * 1000).astype(int)
        return {
            layer: self._slice(cells[layers == layer, 0], at[layers == layer]) for layer in sorted({*layers.tolist()})
        }

    def _slice(self, nodes: Ints, at: Points) -> Slice:
        centres = (at - self._middle) @ self.plane.T
        around = [self._edges[u] + c for u, c in zip(nodes, centres, strict=True)]
        return Slice(*_inset(np.concatenate(around), self.play, self.bevel), nodes.astype(np.int64), centres)


def is_layered(lattice: Lattice, cells: Cells, axis: Points, plane: Points) -> bool:
    """Whether all cells are prisms along the axis, and lie in layers as high as they are."""
    low_of, thick = np.zeros(len(lattice.nodes)), 0.0
    for number, node in enumerate(lattice.nodes):
        heights = node.drawing.vertices @ axis
        if node.drawing.radius or not len(heights):
            return False
        low, high = float(heights.min()), float(heights.max())
        upper = heights > (low + high) / 2
        if np.abs(heights - np.where(upper, high, low)).max() > CLOSE or upper.sum() * 2 != len(heights):
            return False
        bottom, top = (node.drawing.vertices[which] @ plane.T for which in (~upper, upper))
        if np.linalg.norm(bottom[:, None] - top, axis=2).min(axis=1).max() > CLOSE:
            return False
        low_of[number] = low
        if number and abs(high - low - thick) > CLOSE:
            return False
        thick = thick or high - low
    bottoms = lattice.centres(cells) @ axis + low_of[cells[:, 0]]
    layers = (bottoms - bottoms[0]) / thick
    return bool(np.abs(layers - np.rint(layers)).max() <= CLOSE)


def squares(points: Points, segments: Segments) -> Points:
    """The squares of the distances of points, shape (k, n, 2), from m segments, shape (k, n, m)."""
    (x, y), (along_x, along_y) = segments[:, 0].T, (segments[:, 1] - segments[:, 0]).T
    apart_x, apart_y = points[..., :1] - x, points[..., 1:] - y
    share = ((apart_x * along_x + apart_y * along_y) / (along_x**2 + along_y**2)).clip(0, 1)
    apart_x -= share * along_x
    apart_y -= share * along_y
    found: Points = apart_x**2 + apart_y**2
    return found


def _distances(segments: Segments) -> Points:
    """How far each segment is from the origin."""
    found: Points = np.sqrt(squares(np.zeros((1, 1, 2)), segments)[0, 0])
    return found


def _section(points: Points) -> Points:
    """The hull of the points of a prism seen along its axis, counterclockwise."""
    distinct = points[np.unique(np.round(points, 4), axis=0, return_index=True)[1]]
    apart = distinct - distinct.mean(axis=0)
    ring: Points = distinct[np.argsort(np.arctan2(apart[:, 1], apart[:, 0]))]
    return ring


def _inset(edges: Segments, play: float, bevel: float) -> tuple[Segments, Points]:
    """The outline of the union of some cells, every side moved inwards by *play* and convex corners cut.

    Args:
        edges: Those of all cells, counterclockwise around each.
        play, bevel: Cartesian.

    Returns:
        Its sides, and its corners that are not reflex.
    """
    ends = [((a, b), (c, d)) for (a, b), (c, d) in np.rint(edges * 1000).astype(int).tolist()]
    known = set(ends)
    outer = [k for k, (here, there) in enumerate(ends) if (there, here) not in known]
    beginning: dict[tuple[int, int], list[int]] = {}
    for k, edge in enumerate(outer):
        beginning.setdefault(ends[edge][0], []).append(k)
    pairs = np.array([(k, other) for k, edge in enumerate(outer) for other in beginning[ends[edge][1]]])
    a, b = edges[outer].transpose(1, 0, 2)
    angles = _between((b - a)[pairs[:, 1]], (a - b)[pairs[:, 0]])
    order = np.lexsort((angles, pairs[:, 0]))
    first = order[np.searchsorted(pairs[order, 0], np.arange(len(outer)))]
    angle, following = angles[first], pairs[first, 1]  # the first side to the left of which the body lies
    one = (b - a) / np.linalg.norm(b - a, axis=1)[:, None]
    shift = np.tan((np.pi - angle) / 2)[:, None]  # 0 where the outline runs on straight, more at a convex corner
    corner = b + play * (np.column_stack([-one[:, 1], one[:, 0]]) - one * shift)
    cut = np.where(angle < np.pi - NEAR, bevel, 0.0)[:, None]
    leaving, entering = corner - cut * one, corner + cut * one[following]
    bends = np.abs(angle - np.pi) > STRAIGHT
    last = _ends_of_sides(following, bends)[following]
    segments = np.concatenate([np.stack([leaving, entering], axis=1), np.stack([entering, leaving[last]], axis=1)])
    long: Segments = segments[np.tile(bends, 2) & (np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1) > TOUCHING)]
    outwards = bends & (angle < np.pi + NEAR)
    corners: Points = np.concatenate([leaving[outwards], entering[outwards & (cut[:, 0] > 0)]])
    return long, corners


def _ends_of_sides(following: Ints, bends: npt.NDArray[np.bool_]) -> Ints:
    """Of each edge of an outline the last edge of the straight side that it belongs to."""
    last = np.where(bends, np.arange(len(following)), following)
    for _ in range(len(following).bit_length()):
        last = last[last]
    return last


def _between(first: Points, last: Points) -> Points:
    """The angles from some vectors to others, counterclockwise, in (0, 2 pi]."""
    angle = np.arctan2(first[:, 0] * last[:, 1] - first[:, 1] * last[:, 0], (first * last).sum(axis=1))
    turned: Points = np.where(angle > NEAR, angle, angle + 2 * np.pi)
    return turned
