"""Poses of parts that tilt: as turns tell them, and as the native search of motions in space sees them.

There a pose is the angle in radians, the shift along two vectors across the axis and along the axis, and the tilt about
these two vectors, in radians.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.turn_data import Turn
from latcover.lab.assembly.prisms import Axis

Points = npt.NDArray[np.float64]


def frame(axis: Axis) -> Points:
    """Two vectors across the axis, and the axis; they are right-handed."""
    return np.concatenate([axis.plane, [axis.direction]])


def raised(lattice: Lattice, axis: Axis, moving: Sequence[Cells], turn: Turn) -> Turn:
    """The same turn about a point half way up what turns, so that tilts move points little."""
    if turn.tilts:
        return turn
    upright, middle = np.array(axis.direction), np.array(turn.middle)
    heights = lattice.centres(np.concatenate(moving)) @ upright
    middle += upright * ((heights.min() + heights.max()) / 2 - middle @ upright)
    return replace(turn, middle=tuple(middle.tolist()))


def from_poses(axis: Axis, poses: Points) -> Points:
    """Poses of a turn, with tilts or without, as the native search sees them."""
    shifts = poses[:, 1:4] @ frame(axis).T
    tilts = np.radians(poses[:, 4:]) @ axis.plane.T if poses.shape[1] > 4 else np.zeros((len(poses), 2))
    return np.column_stack([np.radians(poses[:, 0]), shifts, tilts])


def to_poses(axis: Axis, rows: Points) -> Points:
    """The reverse, with tilts."""
    tilts = np.degrees(rows[:, 4:]) @ axis.plane
    return np.column_stack([np.degrees(rows[:, 0]), rows[:, 1:4] @ frame(axis), tilts])


def layers(lattice: Lattice, axis: Axis, middle: Sequence[float]) -> list[float]:
    """How high a layer is, and where layer 0 begins as seen from the middle."""
    heights = lattice.nodes[0].drawing.vertices @ axis.direction
    height = float(np.ptp(heights))
    first = lattice.positions[0] @ axis.direction + heights.min() - np.dot(middle, axis.direction)
    return [height, float(first) - int(axis.layers[0]) * height]
