"""The native search for ways to take parts apart by sliding and turning: what it is asked, and its answers as moves."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import ceil

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from latcover.backends import _native
from latcover.core.model.disassembly import Pieces, Separation, Step, Vector, turning_step
from latcover.core.model.lattice import CLOSE, NEAR, Cells, Lattice, Transformation
from latcover.core.model.solution import Solution
from latcover.core.model.turn_data import Turn, Turning
from latcover.lab.assembly.directions import reaches
from latcover.lab.assembly.prisms import Axis, Rotation
from latcover.lab.assembly.turning import REACH, TurnQuestion, native_axis, proved_turns, shortest_step

Ints = npt.NDArray[np.int32]
DEEPEST = 11  # how often the search halves boxes of poses
MOST_BOXES = 9_000  # that it looks at for a turn
LONGER, DEEPER = 50, 3  # how many times as many boxes in a longer look, and how much oftener they are halved
CLEAR = 1e-6


class AskedTurn(Struct, frozen=True, eq=False):
    """A turn that a plan wants to make.

    Attributes:
        axis, rotation: By which the pieces turn.
        shift: A cell ends where the rotation takes it, this many lattice steps further.
        cells: Where each piece of the group is before, by its index in the solution, ascending.
        moving: The pieces that turn.
        move: How the native search tells it, for pieces that lie *away* from where it has them.
        away: In lattice steps.
    """

    axis: Axis
    rotation: Rotation
    shift: Vector
    cells: Mapping[int, Cells]
    moving: Pieces
    move: _native.TurningMove
    away: Ints

    @property
    def fixed(self) -> list[Cells]:
        """The cells of the pieces that do not turn."""
        return [cells for piece, cells in self.cells.items() if piece not in self.moving]

    @property
    def turned(self) -> list[Cells]:
        """The cells of the pieces that turn."""
        return [self.cells[piece] for piece in self.moving]

    @property
    def key(self) -> Hashable:
        """Equal for equal turns. A turn is told for where its pieces are, so elsewhere it is another one."""
        rows = [(piece, cells.tobytes()) for piece, cells in self.cells.items()]
        return self.move.axis, self.move.turn, self.moving, self.shift, tuple(rows)


Prover = Callable[[AskedTurn], Turn | None]


class TurningTask(Struct, frozen=True, eq=False):
    """Solutions to take apart, and when to give up.

    Attributes:
        solutions: Solutions of the puzzle.
        kinds: The kind and the weight of each piece of each of them.
        n_kinds: How many kinds there are.
        limits: How many copies of each kind may stay in each group, shape (n_groups * n_kinds,).
        always: Whether turns are tried from the start, and not only where slides alone do not part a group.
        max_states: How many positions of a solution are examined.
        ends: When to give up, by `time.perf_counter`; None is never.
        threads: How many threads work.
        on_progress: May stop the work by returning False; it takes solutions done, positions, seconds.
    """

    solutions: Sequence[Solution]
    kinds: Sequence[Sequence[tuple[int, int]]]
    n_kinds: int
    limits: Ints
    always: bool
    max_states: int
    ends: float | None
    threads: int
    on_progress: Callable[[int, int, float], bool] | None

    @property
    def seconds(self) -> float | None:
        """The time that is left; None if it has no end."""
        return None if self.ends is None else max(0.0, self.ends - time.perf_counter())

    def only(self, number: int) -> TurningTask:
        """The same for one of the solutions."""
        return replace(self, solutions=[self.solutions[number]], kinds=[self.kinds[number]])


class TurningSearch:
    """Takes solutions of one puzzle apart, and remembers which turns are possible while all other parts stay.

    Args:
        lattice: The lattice.
        slides: What `slide_arrays` gives of the directions.
        directions: These directions, shape (n, dimension).
        axes: About which parts may turn.
        turning: The room that they have.
        reach: How far the middle of what turns may shift, in the shortest lattice steps.
    """

    def __init__(
        self,
        lattice: Lattice,
        slides: tuple[Ints, int, npt.NDArray[np.int64], Ints],
        directions: Ints,
        axes: Sequence[Axis],
        turning: Turning,
        reach: float = REACH,
    ) -> None:
        self.lattice, self.directions, self.turning, self.reach = lattice, directions, turning, reach
        self.most_boxes = round(MOST_BOXES * (reach / REACH) ** 2)
        self.axes = [(axis, sorted(axis.rotations, key=_by_angle)) for axis in axes]
        everything = lattice.transformations
        self.native = _native.TurningAssembler(
            *slides,
            maps=_maps(lattice),
            then=np.array([lattice.then(last) for last in everything], np.int32).T.reshape(-1),
            alike=_are_alike(lattice, directions, axes),
            deepest=DEEPEST,
            most_boxes=self.most_boxes,
        )
        for axis, rotations in self.axes:
            far = reach * shortest_step(lattice, axis)
            self.native.add_axis(
                *native_axis(lattice, axis),
                unit=_units(lattice, axis).reshape(-1),
                play=turning.play * axis.edge,
                bevel=turning.bevel * axis.edge,
                near=NEAR,
                angles=np.array([rotation.angle for rotation in rotations]),
                maps=np.array([rotation.transformation for rotation in rotations], np.int32),
                shifts=_shifts(lattice, axis, far).reshape(-1),
                reach=far,
            )

    def take_apart(self, task: TurningTask) -> list[_native.TurnedApart]:
        """Take each of the solutions apart."""
        rows, starts = [], [0]
        for solution, of_pieces in zip(task.solutions, task.kinds, strict=True):
            for placed, of_piece in zip(solution.placements, of_pieces, strict=True):
                rows.append(self.row(np.array(placed.cells, np.int32), *of_piece))
            starts.append(len(rows))
        return self.native.take_apart(
            np.array(starts, np.int64),
            np.array(rows, np.int32).reshape(-1),
            n_kinds=task.n_kinds,
            limits=task.limits,
            always=task.always,
            max_states=task.max_states,
            max_seconds=task.seconds,
            threads=task.threads,
            on_progress=task.on_progress,
        )

    def row(self, cells: Cells, kind: int, weight: int) -> list[int]:
        """The shape, kind, weight and place of a piece, for the native search."""
        number, *place = self._placed(cells)
        return [number, kind, weight, *place]

    def _placed(self, cells: Cells) -> list[int]:
        """The shape and the place of a piece."""
        place = cells[:, 1:].min(axis=0)
        number = self.native.add_shape(_padded(cells - np.array([0, *place], np.int32), 4).reshape(-1))
        return [number, *place.tolist(), *[0] * (3 - len(place))]

    def plan(self, solution: Solution, taken: _native.TurnedApart, prove: Prover) -> tuple[Separation, ...] | AskedTurn:
        """The moves that were found, each turn as *prove* gives it; or the first turn that it refuses."""
        cells = [np.array(placed.cells, np.int32) for placed in solution.placements]
        away = np.zeros((len(cells), self.lattice.dimension), np.int32)  # how far pieces came off
        separations = []
        for parting in taken.partings:
            steps = []
            for move in parting.moves:
                if move.axis >= 0:
                    asked = self._asked(parting, move, cells, away[move.parts[0]])
                    turn = prove(asked)
                    if turn is None:
                        return asked
                    step = turning_step(move.parts, turn)
                else:
                    step = self._slide(parting, move, cells)
                steps.append(step)
                for piece in step.pieces:
                    cells[piece] = self._moved(cells[piece], step)
                if step.separates:
                    away[list(step.pieces)] += np.array(step.shift, np.int32)
            separations.append(Separation(parting.parts, tuple(steps), parting.stays, parting.removed))
        return tuple(separations)

    def proved(self, asked: AskedTurn) -> Turn | None:
        """The turn with its proof while all others stay, if it has one."""
        return self._proved(asked, self.turning, 1) or self._proved(asked, self.turning, LONGER)

    def soon_proved(self, asked: AskedTurn, turning: Turning) -> Turn | None:
        """The same in another room, if that takes no long look."""
        return self._proved(asked, turning, 1)

    def _proved(self, asked: AskedTurn, turning: Turning, longer: int) -> Turn | None:
        question = TurnQuestion(
            self.lattice,
            asked.turned,
            asked.fixed,
            turning,
            DEEPEST + (longer > 1) * DEEPER,
            longer * self.most_boxes,
            only=asked.shift,
            reach=self.reach,
        )
        return next((turn for turn in proved_turns(question, asked.axis, asked.rotation) if turn.certain), None)

    def strike(self, asked: AskedTurn) -> None:
        """Take a turn for impossible from now on."""
        sides: tuple[list[int], list[int]] = [], []
        for piece, cells in asked.cells.items():
            sides[piece in asked.moving].extend(self._placed(cells - np.array([0, *asked.away], np.int32)))
        fixed, moving = (np.array(side, np.int32) for side in sides)
        move = asked.move
        self.native.strike(moving, fixed, axis=move.axis, turn=move.turn, shift=move.shift)

    def _slide(self, parting: _native.TurningParting, move: _native.TurningMove, cells: list[Cells]) -> Step:
        direction = self.directions[move.direction] * (1 if move.steps > 0 else -1)
        distance = abs(move.steps)
        if move.separates:
            distance = self._clear(direction, [cells[k] for k in move.parts], [cells[k] for k in parting.stays])
        return Step(move.parts, tuple(direction.tolist()), distance, move.separates)

    def _moved(self, cells: Cells, step: Step) -> Cells:
        moved = cells if step.turn is None else self._map(step.turn.transformation).apply(cells)
        moved = moved.copy()
        moved[:, 1:] += np.array(step.shift if step.turn is None else step.turn.shift, np.int32)
        return moved

    def _asked(
        self, parting: _native.TurningParting, move: _native.TurningMove, cells: list[Cells], away: Ints
    ) -> AskedTurn:
        """A turn as a plan has it. All pieces of the group lie *away* from where the native search has them."""
        axis, rotations = self.axes[move.axis]
        rotation = rotations[move.turn]
        places = np.zeros((2, len(away) + 1), np.int32)
        places[1, 1:] = away
        origin, turned = self._map(rotation.transformation).apply(places)[:, 1:]
        shift = np.array(move.shift[: self.lattice.dimension]) + away - (turned - origin)
        group = {piece: cells[piece] for piece in sorted(parting.parts)}
        return AskedTurn(axis, rotation, tuple(shift.tolist()), group, move.parts, move, away.copy())

    def _clear(self, direction: Ints, ahead: Sequence[Cells], behind: Sequence[Cells]) -> int:
        """The steps in this direction after which the pieces *ahead* are clear of those *behind*."""
        low = reaches(self.lattice, direction[None], np.concatenate(ahead))[0].min()
        high = reaches(self.lattice, direction[None], np.concatenate(behind))[1].max()
        return max(1, ceil(float(high - low) - CLEAR))

    def _map(self, number: int) -> Transformation:
        return self.lattice.transformations[number]


def _by_angle(rotation: Rotation) -> tuple[bool, float]:
    return rotation.angle < 0, abs(rotation.angle)


def _padded(rows: Ints, width: int) -> Ints:
    found = np.zeros((len(rows), width), np.int32)
    found[:, : rows.shape[1]] = rows
    return found


def _maps(lattice: Lattice) -> Ints:
    rows = []
    for transformation in lattice.transformations:
        matrix = np.zeros((3, 3), np.int32)
        matrix[: lattice.dimension, : lattice.dimension] = transformation.matrix
        rows.append(
            np.concatenate([transformation.nodes, matrix.reshape(-1), _padded(transformation.shifts, 3).reshape(-1)])
        )
    found: Ints = np.concatenate(rows).astype(np.int32)
    return found


def _units(lattice: Lattice, axis: Axis) -> npt.NDArray[np.float64]:
    """A step along each axis of the plane, and a layer, in lattice steps, padded to shape (3, 3)."""
    n = lattice.dimension
    found = np.zeros((3, 3))
    inverse = np.linalg.inv(lattice.basis)
    found[:2, :n] = axis.plane @ inverse
    if n == 3:
        rises = lattice.basis @ np.array(axis.direction)
        rising = np.flatnonzero(axis.rises)
        height = float(rises[rising[0]] / axis.rises[rising[0]]) if len(rising) else 0.0
        found[2] = height * np.array(axis.direction) @ inverse
    return found


def _shifts(lattice: Lattice, axis: Axis, reach: float) -> Ints:
    """All lattice vectors that lead no further than *reach* and a little more, and few layers up or down."""
    n = lattice.dimension
    flat = np.abs(lattice.basis @ axis.plane.T)
    far = reach + flat.sum(axis=0).max()
    layers = int(np.abs(axis.rises[:n]).sum()) + 1
    room = np.abs(_units(lattice, axis)[:2, :n]).sum(axis=0) * far + np.abs(_units(lattice, axis)[2, :n]) * layers
    grid = np.stack(np.meshgrid(*(np.arange(-int(r) - 1, int(r) + 2) for r in room), indexing="ij"), -1).reshape(-1, n)
    near = (np.abs(grid @ (lattice.basis @ axis.plane.T)) <= far + CLOSE).all(axis=1)
    level = np.abs(grid @ axis.rises[:n]) <= layers
    return _padded(grid[near & level].astype(np.int32), 3)


def _are_alike(lattice: Lattice, directions: Ints, axes: Sequence[Axis]) -> bool:
    """Whether all rotations take each direction to one, up to its sign."""
    known = {tuple(v) for way in directions for v in (way.tolist(), (-way).tolist())}
    return all(
        tuple((lattice.transformations[rotation.transformation].matrix @ way).tolist()) in known
        for axis in axes
        for rotation in axis.rotations
        for way in directions
    )
