"""The independent check of a turn: it follows the path, and measures at each step how far the bodies are apart.

It shares nothing with the search: no boxes of poses, convex pieces or obstacles. Its bodies are the outlines of the
cells in each layer, moved inwards. A step is shorter than the clearance where it begins, so nothing can meet within it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from latcover.core.model.lattice import CLOSE, NEAR, Cells, Lattice
from latcover.core.model.turn_data import Turn, Turning

Points = npt.NDArray[np.float64]
Segments = npt.NDArray[np.float64]  # shape (n, 2, 2): from, to
SHARE = 0.9  # of the clearance that a step may use
TOUCHING = 1e-7  # a smaller clearance is none
MOST_STEPS = 200_000
FARTHEST = 1 << 20  # lattice steps that a move may lead


def turn_faults(
    lattice: Lattice, moving: Sequence[Cells], fixed: Sequence[Cells], turn: Turn, turning: Turning
) -> list[str]:
    """All faults of a turn that is said to be certain; empty for a correct one. The arguments are those of `turns`."""
    flat = lattice.dimension == 2
    if fault := _malformed(lattice, turn):
        return [fault]
    axis = np.array(turn.axis)
    first = np.array([1.0, 0.0, 0.0]) if flat else np.cross(axis, np.eye(3)[np.abs(axis).argmin()])
    first /= np.linalg.norm(first)
    plane = np.array([first, np.cross(axis, first)])[:, : lattice.dimension]
    together = np.concatenate(moving)
    taken = lattice.transformations[turn.transformation].apply(together)
    taken[:, 1:] += np.array(turn.shift, np.int32)
    path, middle = np.array(turn.path), np.array(turn.middle)
    if len(path) < 2 or path.shape[1] != lattice.dimension + 1 or np.abs(path[0]).max() > TOUCHING:
        return ["its path does not begin at rest"]
    if not flat and np.abs(path[:, 1:] @ axis).max() > NEAR:
        return ["its path leaves the plane of the turn"]
    ends = _turned(lattice.centres(together), path[-1], middle, plane, axis)
    if np.abs(ends - lattice.centres(taken)).max() > CLOSE or abs(path[-1, 0] - turn.angle) > CLOSE:
        return ["its path does not end where the turn does"]
    if not flat and not _is_layered(lattice, np.concatenate([together, *fixed]), axis, plane):
        return ["the cells do not lie in layers of prisms along its axis"]
    own, others = (_bodies(lattice, parts, plane, axis * (not flat), turning) for parts in (moving, fixed))
    layers = [(own[k], others[k]) for k in own if k in others]
    if not layers:
        return []
    return _faults_of_path(layers, middle @ plane.T, np.column_stack([np.radians(path[:, 0]), path[:, 1:] @ plane.T]))


def _malformed(lattice: Lattice, turn: Turn) -> str:
    """What of a turn is no turn of the lattice; "" if nothing is."""
    n, flat = lattice.dimension, lattice.dimension == 2
    numbers = [*turn.axis, turn.angle, *turn.middle, *(x for pose in turn.path for x in pose)]
    if n not in (2, 3) or not np.isfinite(numbers).all() or len(turn.middle) != n or len(turn.shift) != n:
        return "its numbers do not describe a turn"
    if any(len(pose) != n + 1 for pose in turn.path) or max(map(abs, turn.shift)) > FARTHEST:
        return "its numbers do not describe a turn"
    if abs(float(np.linalg.norm(turn.axis)) - 1) > TOUCHING or (flat and turn.axis[2] != 1):
        return "its axis has no direction"
    if not 0 <= turn.transformation < len(lattice.transformations):
        return "the lattice has no such rotation"
    transformation = lattice.transformations[turn.transformation]
    rows = np.eye(n) @ np.linalg.inv(lattice.basis) @ transformation.matrix.T @ lattice.basis
    if not transformation.proper or np.abs(rows - _rotation(turn)[:n, :n]).max() > CLOSE:
        return "the lattice has no such rotation"
    return ""


def _rotation(turn: Turn) -> Points:
    """What a row is multiplied by to be turned about the axis by the whole angle."""
    x, y, z = turn.axis
    angle = np.radians(turn.angle)
    across = np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])
    along = np.outer(turn.axis, turn.axis)
    rows: Points = along + np.cos(angle) * (np.eye(3) - along) + np.sin(angle) * across
    return rows


def _is_layered(lattice: Lattice, cells: Cells, axis: Points, plane: Points) -> bool:
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


def _turned(points: Points, pose: Points, middle: Points, plane: Points, axis: Points) -> Points:
    """Where a pose takes points."""
    apart, (c, s) = points - middle, (np.cos(np.radians(pose[0])), np.sin(np.radians(pose[0])))
    flat = apart @ plane.T
    along = apart - flat @ plane
    turned: Points = flat @ np.array([[c, s], [-s, c]]) @ plane + along + middle + pose[1:]
    return turned


def _faults_of_path(layers: list[tuple[Segments, Segments]], middle: Points, path: Points) -> list[str]:
    layers = [(own - middle, others - middle) for own, others in layers]
    arm = max(float(np.linalg.norm(own, axis=2).max()) for own, _ in layers)
    steps = 0
    for pose, following in pairwise(path):
        way = following - pose
        longest = float(np.linalg.norm(way[1:])) + arm * abs(float(way[0]))
        gone = 0.0
        while gone < 1 and longest > 0:
            here = pose + gone * way
            clear = min(_clearance(own, others, here) for own, others in layers)
            steps += 1
            if clear < TOUCHING:
                return [f"it touches at {np.degrees(here[0]):.3f} degrees"]
            if steps > MOST_STEPS:
                return ["it leaves too little room to be checked"]
            gone += SHARE * clear / longest
    return []


def _clearance(own: Segments, others: Segments, pose: Points) -> float:
    """The least distance of two outlines that do not cross."""
    c, s = np.cos(pose[0]), np.sin(pose[0])
    moved = own @ np.array([[c, s], [-s, c]]) + pose[1:]
    return min(_least(moved[:, 0], others), _least(others[:, 0], moved))


def _least(points: Points, segments: Segments) -> float:
    start, along = segments[:, 0], segments[:, 1] - segments[:, 0]
    apart = points[:, None] - start
    share = (np.einsum("nmd,md->nm", apart, along) / (along**2).sum(axis=1)).clip(0, 1)
    gaps = apart - share[..., None] * along
    return float(np.sqrt(np.einsum("nmd,nmd->nm", gaps, gaps).min()))


def _bodies(
    lattice: Lattice, parts: Sequence[Cells], plane: Points, axis: Points, turning: Turning
) -> dict[int, Segments]:
    """The eroded outlines of the parts in each layer."""
    sections = [_section(node.drawing.vertices[:, : lattice.dimension] @ plane.T) for node in lattice.nodes]
    lows = np.array(
        [(node.drawing.vertices[:, : lattice.dimension] @ axis[: lattice.dimension]).min() for node in lattice.nodes]
    )
    edge = min(float(np.linalg.norm(s - np.roll(s, 1, axis=0), axis=1).min()) for s in sections)
    found: dict[int, list[Segments]] = {}
    for cells in parts:
        at = lattice.centres(cells)
        layers = np.rint((at @ axis[: lattice.dimension] + lows[cells[:, 0]]) * 1000).astype(int)
        for layer in sorted(set(layers.tolist())):
            here = layers == layer
            rings = [sections[u] + c for u, c in zip(cells[here, 0], at[here] @ plane.T, strict=True)]
            found.setdefault(layer, []).append(_inset(rings, turning.play * edge, turning.bevel * edge))
    return {layer: np.concatenate(outlines) for layer, outlines in found.items()}


def _section(points: Points) -> Points:
    """The hull of the points of a prism seen along its axis, counterclockwise."""
    distinct = points[np.unique(np.round(points, 4), axis=0, return_index=True)[1]]
    apart = distinct - distinct.mean(axis=0)
    ring: Points = distinct[np.argsort(np.arctan2(apart[:, 1], apart[:, 0]))]
    return ring


def _inset(rings: list[Points], play: float, bevel: float) -> Segments:
    """The outline of the union of some cells, every side moved inwards by *play* and convex corners cut."""
    edges = {(_key(a), _key(b)): (a, b) for ring in rings for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True)}
    outer = {key: edge for key, edge in edges.items() if key[::-1] not in edges}
    following = {}
    for key, (a, b) in outer.items():
        back = a - b
        after = [(_between(d - c, back), other) for other, (c, d) in outer.items() if other[0] == key[1]]
        following[key] = min(after)  # the first side to the left of which the body lies
    corners = {}
    for key, (a, b) in outer.items():
        angle, then = following[key]
        c, d = outer[then]
        one, other = (b - a) / np.linalg.norm(b - a), (d - c) / np.linalg.norm(d - c)
        shift = np.tan((np.pi - angle) / 2)  # 0 where the outline runs on straight, more at a convex corner
        corner = b + play * (np.array([-one[1], one[0]]) - one * shift)
        cut = bevel if angle < np.pi - NEAR else 0.0
        corners[key] = corner - cut * one, corner + cut * other
    found = []
    for key in outer:
        leaving, entering = corners[key]
        found.append([leaving, entering])
        found.append([entering, corners[following[key][1]][0]])
    segments = np.array(found)
    long: Segments = segments[np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1) > TOUCHING]
    return long


def _key(point: Points) -> tuple[int, int]:
    x, y = np.rint(point * 1000).astype(int).tolist()
    return x, y


def _between(first: Points, last: Points) -> float:
    """The angle from one vector to another, counterclockwise, in (0, 2 pi]."""
    angle = float(np.arctan2(first[0] * last[1] - first[1] * last[0], first @ last))
    return angle if angle > NEAR else angle + 2 * np.pi
