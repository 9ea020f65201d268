"""Which turns parts can make among others: hands the question to the native search, and checks its certificates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.backends import _native
from latcover.core.model.lattice import NEAR, Cells, Lattice
from latcover.core.model.request_values import MOST_PLAY
from latcover.core.model.turn_data import Turn, Turning
from latcover.core.model.turn_replay import turn_faults
from latcover.errors import InternalError, UnsupportedError
from latcover.lab.assembly.prisms import Axis, Rotation, axes, cartesian

Points = npt.NDArray[np.float64]
REACH = 2.0  # of the shortest step across an axis
DEEPEST = 12  # how often the search halves its boxes
MOST_BOXES = 30_000
NO, TIGHT, CERTAIN = range(3)


class TurnQuestion(Struct, frozen=True, eq=False):
    """What is asked of one rotation.

    Attributes:
        lattice: The lattice of all cells.
        moving, fixed: The cells of each part, rows ``(node, x, y, ...)``, int32. Each part is eroded on its own.
        turning: The play and the bevel.
        deepest: How often the search halves its boxes, from 4 to 18. With less, more turns are too tight to tell.
        most_boxes: How many boxes it looks at for each rotation.
        only: The shift of the one turn that is asked about; None asks about all.
        reach: How far the middle of what turns may shift along each axis of the plane, in the shortest lattice steps.
    """

    lattice: Lattice
    moving: Sequence[Cells]
    fixed: Sequence[Cells]
    turning: Turning = Turning()
    deepest: int = DEEPEST
    most_boxes: int = MOST_BOXES
    only: tuple[int, ...] | None = None
    reach: float = REACH


def turns(
    lattice: Lattice,
    moving: Sequence[Cells],
    fixed: Sequence[Cells],
    turning: Turning = Turning(),
    *,
    deepest: int = DEEPEST,
    most_boxes: int = MOST_BOXES,
) -> list[Turn]:
    """All turns that the parts *moving* can make together while the parts *fixed* stay.

    A turn is by one rotation of the lattice; the parts may shift freely across the axis while they turn, their middle
    by at most two lattice steps. A turn that is not listed is impossible within these bounds. Certain ones have passed
    their replay.

    Args: as those of a `TurnQuestion`.

    Raises:
        UnsupportedError: the cells of the lattice are not prisms along any axis of a rotation, so that turns are not
            examined; or its drawings are mere symbols.
    """
    question = TurnQuestion(lattice, moving, fixed, turning, deepest, most_boxes)
    return [
        turn
        for axis in _axes_of(lattice)
        for rotation in axis.rotations
        for turn in proved_turns(question, axis, rotation)
    ]


def proved_turns(question: TurnQuestion, axis: Axis, rotation: Rotation) -> list[Turn]:
    """The turns by one rotation, as `turns` gives them; certain ones have passed their replay."""
    found = _asked(question, axis, rotation)
    lattice, pieces = question.lattice, dict(enumerate([*question.moving, *question.fixed]))
    for turn in found:
        faults = (
            turn_faults(lattice, pieces, range(len(question.moving)), turn, question.turning) if turn.certain else []
        )
        if faults:
            raise InternalError(f"a turn on the lattice {lattice.name!r} fails its replay: {faults[0]}")
    return found


def least_play(
    lattice: Lattice,
    moving: Sequence[Cells],
    fixed: Sequence[Cells],
    turn: Turn,
    bevel: float = 0.0,
    *,
    most: float = MOST_PLAY,
    within: float = 0.0005,
    deepest: int = 14,
    most_boxes: int = 1_000_000,
) -> float | None:
    """The least play at which *turn* is certain, too large by at most *within* or by what boxes cannot tell.

    Returns:
        A share of an edge; None if it is not certain even at *most*, the largest play.
    """

    def is_certain(play: float) -> bool:
        question = TurnQuestion(lattice, moving, fixed, Turning(play, bevel), deepest, most_boxes, turn.shift)
        return any(found.certain for found in _asked(question, axis, rotation))

    axis, rotation = next(
        (one, rotation)
        for one in _axes_of(lattice)
        for rotation in one.rotations
        if rotation.transformation == turn.transformation and rotation.angle * turn.angle > 0
    )
    low, high = 0.0, most
    if not is_certain(high):
        return None
    while high - low > within:
        middle = (low + high) / 2
        low, high = (low, middle) if is_certain(middle) else (middle, high)
    return high


def shortest_step(lattice: Lattice, axis: Axis) -> float:
    """How far the shortest lattice step leads across an axis."""
    steps = np.linalg.norm(lattice.basis @ axis.plane.T, axis=1)
    return float(steps[steps > NEAR].min())


def _axes_of(lattice: Lattice) -> tuple[Axis, ...]:
    found = axes(lattice)
    if not found:
        raise UnsupportedError(
            f"the cells of the lattice {lattice.name!r} are not prisms along an axis of rotation, "
            "so turns of its parts are not examined"
        )
    return found


def _asked(question: TurnQuestion, axis: Axis, rotation: Rotation) -> list[Turn]:
    """The turns by one rotation that are not impossible."""
    lattice, only = question.lattice, question.only
    all_moving = np.concatenate(question.moving)
    staying = {tuple(cell) for part in question.fixed for cell in part.tolist()}
    reach = question.reach * shortest_step(lattice, axis)
    image, goals = _goals(lattice, axis, rotation, all_moving, reach)
    free = [
        (shift, to)
        for shift, to in goals
        if (only is None or shift == only)
        and staying.isdisjoint(map(tuple, (image + np.array([0, *shift], np.int32)).tolist()))
    ]
    if not free:
        return []
    native = turner(lattice, axis, question.turning)
    answer = native.ask(
        native_rows(native, question.moving),
        native_rows(native, question.fixed),
        angle=rotation.angle,
        goals=np.array([to for _, to in free]).reshape(-1),
        reach=reach,
        deepest=question.deepest,
        most_boxes=question.most_boxes,
    )
    middle = tuple((np.array(answer.middle) @ axis.plane).tolist())
    found = []
    for number, (shift, _) in enumerate(free):
        if answer.goals[number] == NO:
            continue
        poses = answer.path(number).reshape(-1, 3)
        path = np.column_stack([np.degrees(poses[:, 0]), poses[:, 1:] @ axis.plane])
        certain = answer.goals[number] == CERTAIN
        angle = round(float(np.degrees(rotation.angle)), 6)
        found.append(
            Turn(
                axis.direction,
                angle,
                rotation.transformation,
                shift,
                certain,
                middle,
                tuple(map(tuple, path.tolist())),
            )
        )
    return found


def _goals(
    lattice: Lattice, axis: Axis, rotation: Rotation, cells: Cells, reach: float
) -> tuple[Cells, list[tuple[tuple[int, ...], Points]]]:
    """The image of *cells*; and for each pose within reach its shift and where it takes the origin of the plane."""
    transformation = lattice.transformations[rotation.transformation]
    image = transformation.apply(cells)
    rows = cartesian(lattice, transformation)
    origin = lattice.centres(image[:1])[0] - lattice.centres(cells[:1])[0] @ rows  # where the rotation takes it
    corners = np.concatenate(
        [
            axis.sections[u] + centre
            for u, centre in zip(cells[:, 0], lattice.centres(cells) @ axis.plane.T, strict=True)
        ]
    )
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2 @ axis.plane
    drift = origin + middle @ rows - middle  # of the middle, without a shift
    bound = reach + NEAR
    room = np.full(lattice.dimension, 2 * bound) @ np.abs(np.linalg.inv(lattice.basis))
    nearest = np.rint(-drift @ np.linalg.inv(lattice.basis)).astype(int)
    spans = [np.arange(int(n - r) - 1, int(n + r) + 2) for n, r in zip(nearest, room, strict=True)]
    shifts = np.stack(np.meshgrid(*spans, indexing="ij"), -1).reshape(-1, lattice.dimension)
    by = shifts @ lattice.basis
    upright = np.array(axis.direction)[: lattice.dimension] * (lattice.dimension == 3)
    level = np.abs((drift + by) @ upright) < NEAR
    near = level & (np.abs((drift + by) @ axis.plane.T).max(axis=1) <= bound)
    return image, list(zip(map(tuple, shifts[near].tolist()), (origin + by[near]) @ axis.plane.T, strict=True))


def native_axis(lattice: Lattice, axis: Axis) -> tuple[npt.NDArray[Any], ...]:
    """The cells of a lattice as prisms along an axis, for the native search."""
    pad = 3 - lattice.dimension
    return (
        np.cumsum([0, *map(len, axis.sections)]).astype(np.int64),
        np.concatenate(axis.sections).reshape(-1),
        (lattice.positions @ axis.plane.T).reshape(-1),
        axis.layers,
        np.pad(lattice.basis @ axis.plane.T, ((0, pad), (0, 0))).reshape(-1),
        np.pad(axis.rises, (0, pad)),
    )


@lru_cache(maxsize=64)
def turner(lattice: Lattice, axis: Axis, turning: Turning) -> Turner:
    """What turns parts about an axis in the room that they have."""
    return Turner(lattice, axis, turning)


class Turner:
    """The native search, and the shapes that it knows."""

    def __init__(self, lattice: Lattice, axis: Axis, turning: Turning) -> None:
        self.native = _native.Turner(
            *native_axis(lattice, axis),
            play=turning.play * axis.edge,
            bevel=turning.bevel * axis.edge,
            near=NEAR,
        )
        self.ask, self.give, self.tilt = self.native.ask, self.native.give, self.native.tilt
        self.shapes: dict[bytes, int] = {}

    def row(self, cells: Cells) -> list[int]:
        """The shape of a part, and where it lies."""
        at = cells[:, 1:].min(axis=0)
        rows = np.zeros((len(cells), 4), np.int32)
        rows[:, : cells.shape[1]] = cells
        rows[:, 1 : cells.shape[1]] -= at
        rows = rows[np.lexsort(rows.T)]
        key = rows.tobytes()
        if key not in self.shapes:
            self.shapes[key] = self.native.add_shape(rows.reshape(-1))
        return [self.shapes[key], *at.tolist(), *[0] * (3 - len(at))]


def native_rows(native: Turner, parts: Sequence[Cells]) -> npt.NDArray[np.int32]:
    """Shape and place of each part, for the native search."""
    return np.array([native.row(part) for part in parts], np.int32).reshape(-1)
