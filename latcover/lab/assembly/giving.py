"""Motions in which parts turn and all others give way: they are found by pushing, and proved by their replay.

A motion that is known at a greater play is followed at a smaller one, while parts push each other aside, in steps as
small as are needed. So one path is bent into another, until it is stuck. The native search proposes; `turn_faults`
decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from threading import Event

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from msgspec.structs import replace

from latcover.backends import _native
from latcover.core.model.disassembly import Pieces
from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.turn_data import Giving, Turn, Turning
from latcover.core.model.turn_replay import turn_faults
from latcover.lab.assembly.prisms import Axis
from latcover.lab.assembly.tilting import from_poses, layers, raised, to_poses
from latcover.lab.assembly.turning import native_rows, turner

Points = npt.NDArray[np.float64]
LONGEST, SHORTEST = 0.008, 0.0002  # by how much the play shrinks at once
ROOM, LEAST_ROOM = 0.02, 0.0003  # clearances that are striven for: at first, and when it is tight
SUFFICES = 5e-5  # a clearance that is enough
SOFTNESS, PULL = 0.5, 0.5
WORK = 3_000  # of one try: how often the places of all parts are compared
MOST_TRIES = 12  # that fail one after another
MARGIN = 0.0005  # play that is left over, so that the replay has room
LEAST_PLAYS = (0, 1, 2, 5, 10, 20)  # margins within which a least play is looked for
HOPELESS = 0.008  # so far from the play that is asked for, no other piece is tried as the one that stays
TILTABLE = 0.012  # so far from the play that is asked for, tilts are tried where the plane is too tight
ENOUGH = 2  # pieces that are tried as the one that stays, for the least play


class GivingTask(Struct, frozen=True, eq=False):
    """Parts of which some turn while the others give way.

    Attributes:
        lattice, axis: The lattice of the cells, and the axis of the turn.
        cells: The cells of each piece, rows ``(node, x, y, ...)``, int32, by its index in the solution, ascending.
        moving: The pieces that turn.
        bevel: That of all parts.
        held: Whether the others stay, so that only the pieces that turn may depart from their path.
        stopped: Set where nobody waits for an answer any more.
    """

    lattice: Lattice
    axis: Axis
    cells: Mapping[int, Cells]
    moving: Pieces
    bevel: float
    held: bool = False
    stopped: Event = field(default_factory=Event)

    def faults(self, turn: Turn, play: float) -> list[str]:
        """What its replay finds at a play."""
        return turn_faults(self.lattice, self.cells, self.moving, turn, Turning(play, self.bevel))


class Given(Struct, frozen=True, eq=False):
    """What pushing found.

    Attributes:
        turn: The turn with a motion that its replay has proved; None if none was found.
        reached: The least play to which a motion was followed.
    """

    turn: Turn | None
    reached: float


def given_way(task: GivingTask, guide: Turn, at: float, play: float, *, tilts: bool = True) -> Given:
    """The turn with a motion that is proved at *play*, if pushing finds one.

    Args:
        task: What turns, and what gives way.
        guide: The turn with a motion that is proved at the play *at*.
        at: A play, not less than *play*.
        play: The play of the parts, as a share of an edge.
        tilts: Whether parts may tilt across the axis where the plane is too tight, which takes long.
    """
    given = _given_way(task, guide, at, play)
    tight = given.turn is None and task.lattice.dimension > 2 and given.reached <= play + TILTABLE
    if not (tight and tilts):
        return given
    tilted = _given_way(task, guide, at, play, tilts=True)
    return Given(tilted.turn, min(given.reached, tilted.reached))


def _given_way(task: GivingTask, guide: Turn, at: float, play: float, tilts: bool = False) -> Given:
    """The same in the plane of the turn only, or with tilts."""
    least = at
    descents = _descents(task, guide, at, max(0.0, play - MARGIN), tilts)
    for path, reached in islice(descents, 1 if tilts else None):  # a dear search is made once
        least = min(least, reached)
        if reached <= play:
            turn = _turn(task, guide, path)
            if not task.faults(turn, play):
                return Given(turn, reached)
        elif reached > play + HOPELESS:
            break
    return Given(None, least)


def least_given_way(task: GivingTask, guide: Turn, at: float) -> float:
    """The least play at which pushing finds a motion that is proved there; at worst *at*, where *guide* is one."""
    best = at
    for path, reached in islice(_descents(task, guide, at, 0.0, guide.tilts), ENOUGH):
        turn = _turn(task, guide, path)
        tried = (reached + k * MARGIN for k in LEAST_PLAYS)
        best = min(best, next((play for play in tried if play >= best or not task.faults(turn, play)), at))
    return best


def _descents(task: GivingTask, guide: Turn, at: float, target: float, tilts: bool) -> Iterator[tuple[Points, float]]:
    """Paths of all pieces, each with the least play to which it was followed; one for each piece that stays first.

    One piece can be taken as fixed, since only what moves against each other counts. Large ones come first: they are
    the frame that a hand holds.
    """
    others = [k for k, piece in enumerate(task.cells) if piece not in task.moving]
    others.sort(key=lambda k: -len([*task.cells.values()][k]))
    start = _path_of(task, guide, tilts)
    for first in range(1 if task.held else len(others)):
        yield _descended(task, _about(task, guide, tilts), start, at, target, others[first:] + others[:first])


def _descended(
    task: GivingTask, guide: Turn, path: Points, play: float, target: float, others: list[int]
) -> tuple[Points, float]:
    """Follow a path at less and less play. One of *others* stays where it is, the next one if that is stuck."""
    step, room, failed, stays = LONGEST, ROOM, 0, 0
    while play > target and failed < MOST_TRIES and not task.stopped.is_set():
        less = max(target, play - step)
        held = others if task.held else [others[stays % len(others)]]
        found = _followed(task, guide, path, less, room, held)
        if found is not None:
            path, play, failed, step = found, less, 0, min(LONGEST, 1.5 * step)
            continue
        failed += 1
        step = max(step / 2, SHORTEST)
        stays += failed % 2 == 0
        if failed % 3 == 0:
            room = max(room / 2, LEAST_ROOM)
    return path, play


def _followed(task: GivingTask, guide: Turn, path: Points, play: float, room: float, held: list[int]) -> Points | None:
    """A motion near *path*; None if it is stuck.

    Its shape is (n, pieces, 3), angle in radians and shift in the plane; or with tilts, as `tilting` has poses, (n,
    pieces, 6).
    """
    native = turner(task.lattice, task.axis, Turning(play, task.bevel))
    search: Callable[..., _native.GivenWay | _native.TiltedWay] = native.give
    if path.shape[2] > 3:
        search = partial(native.tilt, layers=layers(task.lattice, task.axis, guide.middle))
    answer = search(
        native_rows(native, list(task.cells.values())),
        middle=(np.array(guide.middle) @ task.axis.plane.T).tolist(),
        guide=path.reshape(-1),
        how=_native.Pushing(
            turning=[piece in task.moving for piece in task.cells],
            held=[k in held for k in range(len(task.cells))],
            pull=PULL,
            room=room,
            least_room=min(SUFFICES, room),
            softness=SOFTNESS,
            seed=1,
            most_work=WORK,
        ),
    )
    found: Points = answer.path.reshape(-1, *path.shape[1:])
    return found if len(found) else None


def _about(task: GivingTask, turn: Turn, tilts: bool) -> Turn:
    moving = [task.cells[piece] for piece in task.moving]
    return raised(task.lattice, task.axis, moving, turn) if tilts else turn


def _path_of(task: GivingTask, turn: Turn, tilts: bool) -> Points:
    """The poses of all pieces on a turn's path, as `_followed` has them."""
    own = {giving.piece: giving.path for giving in turn.giving}

    def poses(piece: int) -> Points:
        rows = np.array(own.get(piece, turn.path))
        if piece not in own and piece not in task.moving:
            rows = np.zeros_like(rows)
        if tilts:
            return from_poses(task.axis, rows)
        return np.column_stack([np.radians(rows[:, 0]), rows[:, 1:] @ task.axis.plane.T])

    return np.stack([poses(piece) for piece in task.cells], axis=1)


def _turn(task: GivingTask, guide: Turn, path: Points) -> Turn:
    """The turn with the motion *path*, which ends where that of *guide* does."""
    tilts = path.shape[2] > 3
    rows = {}
    for k, piece in enumerate(task.cells):
        if tilts:
            poses = to_poses(task.axis, path[:, k])
        else:
            poses = np.column_stack([np.degrees(path[:, k, 0]), path[:, k, 1:] @ task.axis.plane])
        poses[0] = poses[-1] = 0
        if piece in task.moving:
            poses[-1, : len(guide.path[-1])] = guide.path[-1]
        rows[piece] = tuple(map(tuple, poses.tolist()))
    main = rows[task.moving[0]]
    rest = tuple((0.0,) * len(main[0]) for _ in main)
    giving = tuple(
        Giving(piece, poses) for piece, poses in rows.items() if poses != (main if piece in task.moving else rest)
    )
    about = _about(task, guide, tilts)
    return replace(about, path=main, giving=giving, certain=True, least_play=None)
