"""The independent check of a turn: it follows the path, and measures at each step how far the bodies are apart.

It shares nothing with the search: no boxes of poses, convex pieces or obstacles. Its bodies are the outlines of the
cells in each layer, moved inwards. A step leads less far to either side than the clearance in its middle, so nothing
can meet within it. The bodies do not cross where the path begins, so they never do without touching first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from latcover.core.model.lattice import CLOSE, NEAR, Cells, Lattice
from latcover.core.model.turn_data import Turn, Turning

Points = npt.NDArray[np.float64]
Segments = npt.NDArray[np.float64]  # shape (n, 2, 2): from, to
SHARE = 0.9  # of the clearance that a step may use
TOUCHING = 1e-7  # a smaller clearance is none
MOST_STEPS = 200_000
AT_ONCE = 20_000  # pairs of points and segments: their numbers stay in the processor's cache
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
    """What a path leads into. Each stretch of it is halved until no point moves further than there is room."""
    layers = [(own - middle, others - middle) for own, others in layers]
    arm = max(float(np.linalg.norm(own, axis=2).max()) for own, _ in layers)
    far = arm + float(np.linalg.norm(path[:, 1:], axis=1).max()) + TOUCHING
    layers = [(own, near) for own, others in layers if len(near := others[_distances(others) < far])]
    ways = np.diff(path, axis=0)
    longest = np.linalg.norm(ways[:, 1:], axis=1) + arm * np.abs(ways[:, 0])
    stretch = np.flatnonzero(longest > 0)
    at, half, steps = np.full(len(stretch), 0.5), 0.5, 0
    while len(stretch) and layers:
        steps += len(stretch)
        if steps > MOST_STEPS:
            return ["it leaves too little room to be checked"]
        poses = path[stretch] + at[:, None] * ways[stretch]
        clear = np.min([_clearances(own, others, poses) for own, others in layers], axis=0)
        if clear.min() < TOUCHING:
            return [f"it touches at {np.degrees(poses[clear.argmin(), 0]):.3f} degrees"]
        tight = half * longest[stretch] > SHARE * clear
        half /= 2
        stretch, at = np.repeat(stretch[tight], 2), (at[tight][:, None] + (-half, half)).reshape(-1)
    return []


def _distances(segments: Segments) -> Points:
    """How far each segment is from the origin."""
    found: Points = np.sqrt(_squares(np.zeros((1, 1, 2)), segments)[0, 0])
    return found


def _clearances(own: Segments, others: Segments, poses: Points) -> Points:
    """For each pose, the least distance of two outlines that do not cross: of corners of either from the other."""
    at_once = max(1, AT_ONCE // (len(own) * len(others)))
    found = []
    for some in (poses[first : first + at_once] for first in range(0, len(poses), at_once)):
        c, s = np.cos(some[:, 0]), np.sin(some[:, 0])
        turned = np.array([[c, s], [-s, c]]).transpose(2, 0, 1)
        corners = own[:, 0] @ turned + some[:, None, 1:]
        against = (others[:, 0] - some[:, None, 1:]) @ turned.transpose(0, 2, 1)  # as the turned body sees them
        both = [_squares(points, of).min(axis=(1, 2)) for points, of in ((corners, others), (against, own))]
        found.append(np.minimum(*both))
    clear: Points = np.sqrt(np.concatenate(found))
    return clear


def _squares(points: Points, segments: Segments) -> Points:
    """The squares of the distances of points, shape (k, n, 2), from m segments, shape (k, n, m)."""
    (x, y), (along_x, along_y) = segments[:, 0].T, (segments[:, 1] - segments[:, 0]).T
    apart_x, apart_y = points[..., :1] - x, points[..., 1:] - y
    share = ((apart_x * along_x + apart_y * along_y) / (along_x**2 + along_y**2)).clip(0, 1)
    apart_x -= share * along_x
    apart_y -= share * along_y
    squares: Points = apart_x**2 + apart_y**2
    return squares


def _bodies(
    lattice: Lattice, parts: Sequence[Cells], plane: Points, axis: Points, turning: Turning
) -> dict[int, Segments]:
    """The eroded outlines of the parts in each layer."""
    sections = [_section(node.drawing.vertices[:, : lattice.dimension] @ plane.T) for node in lattice.nodes]
    edges = [np.stack([section, np.roll(section, -1, axis=0)], axis=1) for section in sections]
    lows = np.array(
        [(node.drawing.vertices[:, : lattice.dimension] @ axis[: lattice.dimension]).min() for node in lattice.nodes]
    )
    edge = min(float(np.linalg.norm(of_node[:, 1] - of_node[:, 0], axis=1).min()) for of_node in edges)
    found: dict[int, list[Segments]] = {}
    for cells in parts:
        at = lattice.centres(cells)
        layers = np.rint((at @ axis[: lattice.dimension] + lows[cells[:, 0]]) * 1000).astype(int)
        for layer in sorted(set(layers.tolist())):
            here = layers == layer
            around = [edges[u] + c for u, c in zip(cells[here, 0], at[here] @ plane.T, strict=True)]
            outline = _inset(np.concatenate(around), turning.play * edge, turning.bevel * edge)
            found.setdefault(layer, []).append(outline)
    return {layer: np.concatenate(outlines) for layer, outlines in found.items()}


def _section(points: Points) -> Points:
    """The hull of the points of a prism seen along its axis, counterclockwise."""
    distinct = points[np.unique(np.round(points, 4), axis=0, return_index=True)[1]]
    apart = distinct - distinct.mean(axis=0)
    ring: Points = distinct[np.argsort(np.arctan2(apart[:, 1], apart[:, 0]))]
    return ring


def _inset(edges: Segments, play: float, bevel: float) -> Segments:
    """The outline of the union of some cells, every side moved inwards by *play* and convex corners cut.

    Args:
        edges: Those of all cells, counterclockwise around each.
        play, bevel: Cartesian.
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
    segments = np.concatenate([np.stack([leaving, entering], axis=1), np.stack([entering, leaving[following]], axis=1)])
    long: Segments = segments[np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1) > TOUCHING]
    return long


def _between(first: Points, last: Points) -> Points:
    """The angles from some vectors to others, counterclockwise, in (0, 2 pi]."""
    angle = np.arctan2(first[:, 0] * last[:, 1] - first[:, 1] * last[:, 0], (first * last).sum(axis=1))
    turned: Points = np.where(angle > NEAR, angle, angle + 2 * np.pi)
    return turned
