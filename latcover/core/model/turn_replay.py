"""The independent check of a turn: what it claims, and that no two of its pieces meet on their paths.

It shares nothing with the search: no boxes of poses, convex pieces or obstacles. `turn_bodies` makes bodies of the
pieces, and `turn_clearances` follows two of them at a time; where parts tilt, `turn_solids` and `turn_tilts` do. No two
pieces overlap where a turn begins: that is what the moves before it have shown.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from latcover.core.model.lattice import CLOSE, NEAR, Cells, Lattice
from latcover.core.model.turn_bodies import TOUCHING, Bodies, is_layered, joined
from latcover.core.model.turn_clearances import Clearances, clearances, relative_poses
from latcover.core.model.turn_data import FARTHEST, Turn, Turning
from latcover.core.model.turn_tilts import meetings

Points = npt.NDArray[np.float64]
Poses = tuple[tuple[float, ...], ...]
MOST_POSES = 10_000


def turn_faults(
    lattice: Lattice, pieces: Mapping[int, Cells], moving: Collection[int], turn: Turn, turning: Turning
) -> list[str]:
    """All faults of a turn that is said to be certain; empty for a correct one.

    Args:
        pieces: The cells of each piece of the group, by its number: rows ``(node, x, y, ...)``, int32.
        moving: The pieces that turn. The others stay; both may differ from this as `Turn.giving` says.
        turn, turning: What is claimed, and the room in which.
    """
    if fault := _malformed(lattice, turn) or _misnamed(pieces, turn):
        return [fault]
    flat = lattice.dimension == 2
    axis = np.array(turn.axis)
    first = np.array([1.0, 0.0, 0.0]) if flat else np.cross(axis, np.eye(3)[np.abs(axis).argmin()])
    first /= np.linalg.norm(first)
    plane = np.array([first, np.cross(axis, first)])[:, : lattice.dimension]
    if fault := _fault_of_path(turn.path, turn.path[-1:], axis):
        return [f"its path {fault}"]
    for one in turn.giving:
        if fault := _fault_of_path(one.path, turn.path[-1:] if one.piece in moving else turn.path[:1], axis):
            return [f"the path of piece {one.piece} {fault}"]
    if not _ends_on_lattice(lattice, np.concatenate([pieces[k] for k in moving]), turn, plane):
        return ["its path does not end where the turn does"]
    if not flat and not is_layered(lattice, np.concatenate([*pieces.values()]), axis, plane):
        return ["the cells do not lie in layers of prisms along its axis"]
    bodies = Bodies(lattice, plane, axis[: lattice.dimension] * (not flat), np.array(turn.middle), turning)
    if turn.tilts:
        return meetings(bodies, pieces, moving, turn, axis)
    return _meetings(bodies, pieces, moving, turn)


def _malformed(lattice: Lattice, turn: Turn) -> str:
    """What of a turn is no turn of the lattice; "" if nothing is."""
    n, flat = lattice.dimension, lattice.dimension == 2
    poses = [pose for path in (turn.path, *(one.path for one in turn.giving)) for pose in path]
    numbers = [*turn.axis, turn.angle, *turn.middle, *(x for pose in poses for x in pose)]
    if n not in (2, 3) or not np.isfinite(numbers).all() or len(turn.middle) != n or len(turn.shift) != n:
        return "its numbers do not describe a turn"
    numbers_of_pose = 7 if turn.tilts and not flat else n + 1
    if any(len(pose) != numbers_of_pose for pose in poses) or max(map(abs, turn.shift)) > FARTHEST:
        return "its numbers do not describe a turn"
    if any(abs(x) > FARTHEST for pose in poses for x in pose):
        return "its path leads too far"
    if len(turn.path) > MOST_POSES:
        return f"its path has more than {MOST_POSES:,} poses"
    if abs(float(np.linalg.norm(turn.axis)) - 1) > TOUCHING or (flat and turn.axis[2] != 1):
        return "its axis has no direction"
    if not 0 <= turn.transformation < len(lattice.transformations):
        return "the lattice has no such rotation"
    transformation = lattice.transformations[turn.transformation]
    rows = np.eye(n) @ np.linalg.inv(lattice.basis) @ transformation.matrix.T @ lattice.basis
    if not transformation.proper or np.abs(rows - _rotation(turn)[:n, :n]).max() > CLOSE:
        return "the lattice has no such rotation"
    return ""


def _misnamed(pieces: Collection[int], turn: Turn) -> str:
    """What is wrong with the pieces that have a path of their own, or with how many poses it has; "" if nothing is."""
    named = [one.piece for one in turn.giving]
    for k, one in enumerate(turn.giving):
        if one.piece not in pieces:
            return f"piece {one.piece} gives way, but is not in the group"
        if one.piece in named[:k]:
            return f"piece {one.piece} has two paths"
        if len(one.path) != len(turn.path):
            return f"the path of piece {one.piece} has {len(one.path)} poses, and that of the turn {len(turn.path)}"
    return ""


def _rotation(turn: Turn) -> Points:
    """What a row is multiplied by to be turned about the axis by the whole angle."""
    x, y, z = turn.axis
    angle = np.radians(turn.angle)
    across = np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])
    along = np.outer(turn.axis, turn.axis)
    rows: Points = along + np.cos(angle) * (np.eye(3) - along) + np.sin(angle) * across
    return rows


def _fault_of_path(path: Poses, ends: Poses, axis: Points) -> str:
    """What is wrong with a path that should lead from rest to *ends*, one pose; "" if nothing is."""
    if len(path) < 2 or np.abs(path[0]).max() > TOUCHING:
        return "does not begin at rest"
    if np.abs(np.subtract(path[-1], ends[0])).max() > TOUCHING:
        return "does not end at rest" if not np.any(ends) else "does not end where the turn does"
    poses = np.array(path)
    if len(path[0]) == 4 and np.abs(poses[:, 1:] @ axis).max() > NEAR:
        return "leaves the plane of the turn"
    if len(path[0]) == 7 and np.abs(poses[:, 4:] @ axis).max() > NEAR:
        return "has tilts that are not across its axis"
    return ""


def _ends_on_lattice(lattice: Lattice, cells: Cells, turn: Turn, plane: Points) -> bool:
    """Whether the last pose takes the cells that turn to where the turn claims to."""
    taken = lattice.transformations[turn.transformation].apply(cells)
    taken[:, 1:] += np.array(turn.shift, np.int32)
    last = turn.path[-1]
    angle, shift = last[0], last[1 : lattice.dimension + 1]
    apart, c, s = lattice.centres(cells) - turn.middle, np.cos(np.radians(angle)), np.sin(np.radians(angle))
    flat = apart @ plane.T
    ends = flat @ np.array([[c, s], [-s, c]]) @ plane + (apart - flat @ plane) + turn.middle + shift
    upright = not any(last[lattice.dimension + 1 :])
    return bool(upright and np.abs(ends - lattice.centres(taken)).max() <= CLOSE and abs(angle - turn.angle) <= CLOSE)


def _alike(pieces: Mapping[int, Cells], moving: Collection[int], turn: Turn) -> dict[Poses, list[int]]:
    """The pieces that move on each path."""
    own = {one.piece: one.path for one in turn.giving}
    resting = ((0.0,) * len(turn.path[0]),) * len(turn.path)
    found: dict[Poses, list[int]] = {}
    for k in sorted(pieces):
        found.setdefault(own.get(k, turn.path if k in moving else resting), []).append(k)
    return found


def _meetings(bodies: Bodies, pieces: Mapping[int, Cells], moving: Collection[int], turn: Turn) -> list[str]:
    """The first two pieces that meet, if any do; those that move on one path are followed together."""
    slices = {k: bodies.slices(cells) for k, cells in pieces.items()}
    groups = []
    for poses, numbers in _alike(pieces, moving, turn).items():
        path, layers = np.array(poses), {layer for k in numbers for layer in slices[k]}
        flat = np.column_stack([np.radians(path[:, 0]), path[:, 1:] @ bodies.plane.T])
        joint = {layer: joined([slices[k][layer] for k in numbers if layer in slices[k]]) for layer in sorted(layers)}
        groups.append((numbers, flat, joint))
    following = Clearances(bodies.sections)
    for (those, way, own), (others, beside, theirs) in combinations(groups, 2):
        for layer in sorted(own.keys() & theirs.keys()):
            fault = following.fault(own[layer], theirs[layer], way, beside)
            if fault is not None and not fault.touches:
                return ["it leaves too little room to be checked"]
            if fault is not None:
                pose = relative_poses(way, beside, np.array([fault.moment]))
                here = [
                    (clearances(slices[k][layer], slices[other][layer], pose)[0], k, other)
                    for k, other in product(those, others)
                    if layer in slices[k] and layer in slices[other]
                ]
                one, other = sorted(min(here)[1:], key=lambda k: (k not in moving, k))
                angle = np.interp(fault.moment, range(len(turn.path)), [pose[0] for pose in turn.path])
                return [f"piece {one} touches piece {other} at {angle:.3f} degrees"]
    return []
