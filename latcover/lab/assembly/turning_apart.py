"""Taking solutions apart by sliding and turning: hands puzzles to the native search, and proves each turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from latcover.backends import _native
from latcover.core.model.disassembly import Disassembly, Separation, Step, turning_step
from latcover.core.model.lattice import CLOSE, NEAR, Cells, Lattice, Transformation
from latcover.core.model.solution import Solution
from latcover.core.model.turn_bounds import MOST_TURNING, Bound
from latcover.core.model.turn_data import Turn, Turning
from latcover.errors import InternalError
from latcover.lab.assembly.directions import reaches
from latcover.lab.assembly.prisms import Axis, Rotation
from latcover.lab.assembly.turning import REACH, TurnQuestion, least_play, native_axis, proved_turns

Ints = npt.NDArray[np.int32]
DEEPEST = 11  # how often the search halves boxes of poses
MOST_BOXES = 9_000  # that it looks at for a turn
CLEAR = 1e-6
WITHIN = 0.001  # how exactly the play of a turn is told


class TurningSearch:
    """Takes solutions of one puzzle apart, and remembers which turns are possible.

    Args:
        lattice: The lattice.
        slides: What `slide_arrays` gives of the directions.
        directions: These directions, shape (n, dimension).
        axes: About which parts may turn.
        turning: The room that they have.
    """

    def __init__(
        self,
        lattice: Lattice,
        slides: tuple[Ints, int, npt.NDArray[np.int64], Ints],
        directions: Ints,
        axes: Sequence[Axis],
        turning: Turning,
    ) -> None:
        self.lattice, self.directions, self.turning = lattice, directions, turning
        self.axes = [(axis, sorted(axis.rotations, key=_by_angle)) for axis in axes]
        everything = lattice.transformations
        self.native = _native.TurningAssembler(
            *slides,
            maps=_maps(lattice),
            then=np.array([lattice.then(last) for last in everything], np.int32).T.reshape(-1),
            alike=_are_alike(lattice, directions, axes),
            deepest=DEEPEST,
            most_boxes=MOST_BOXES,
        )
        for axis, rotations in self.axes:
            reach = reach_of(lattice, axis)
            self.native.add_axis(
                *native_axis(lattice, axis),
                unit=_units(lattice, axis).reshape(-1),
                play=turning.play * axis.edge,
                bevel=turning.bevel * axis.edge,
                near=NEAR,
                angles=np.array([rotation.angle for rotation in rotations]),
                maps=np.array([rotation.transformation for rotation in rotations], np.int32),
                shifts=_shifts(lattice, axis, reach).reshape(-1),
                reach=reach,
            )

    def take_apart(
        self,
        solutions: Sequence[Solution],
        kinds: Sequence[Sequence[tuple[int, int]]],
        *,
        n_kinds: int,
        limits: Ints,
        always: bool,
        max_states: int,
        max_seconds: float | None,
        threads: int,
        on_progress: Callable[[int, int, float], bool] | None,
    ) -> list[Disassembly]:
        """Take each of *solutions* apart; *kinds* are the kind and the weight of each of its pieces."""
        rows, starts = [], [0]
        for solution, of_pieces in zip(solutions, kinds, strict=True):
            for placed, of_piece in zip(solution.placements, of_pieces, strict=True):
                rows.append(self.row(np.array(placed.cells, np.int32), *of_piece))
            starts.append(len(rows))
        found = self.native.take_apart(
            np.array(starts, np.int64),
            np.array(rows, np.int32).reshape(-1),
            n_kinds=n_kinds,
            limits=limits,
            always=always,
            max_states=max_states,
            max_seconds=max_seconds,
            threads=threads,
            on_progress=on_progress,
        )
        return [self._disassembly(solution, taken) for solution, taken in zip(solutions, found, strict=True)]

    def row(self, cells: Cells, kind: int, weight: int) -> list[int]:
        """The shape, kind, weight and place of a piece, for the native search."""
        place = cells[:, 1:].min(axis=0)
        number = self.native.add_shape(_padded(cells - np.array([0, *place], np.int32), 4).reshape(-1))
        return [number, kind, weight, *place.tolist(), *[0] * (3 - len(place))]

    def _disassembly(self, solution: Solution, taken: _native.TurnedApart) -> Disassembly:
        cells = [np.array(placed.cells, np.int32) for placed in solution.placements]
        away = np.zeros(
            (len(cells), cells[0].shape[1] - 1), np.int32
        )  # how far pieces came off, where the search leaves them
        separations = []
        for parting in taken.partings:
            steps = []
            for move in parting.moves:
                step = self._step(parting, move, cells, away[move.parts[0]])
                steps.append(step)
                for piece in step.pieces:
                    cells[piece] = self._moved(cells[piece], step)
                if step.separates:
                    away[list(step.pieces)] += np.array(step.shift, np.int32)
            separations.append(Separation(parting.parts, tuple(steps), parting.stays, parting.removed))
        apart = taken.result == "apart"
        unproved = not apart and not taken.stop
        return Disassembly(
            "apart" if apart else "unproved" if unproved else "unknown",
            len(cells),
            tuple(separations),
            least=taken.least,
            states=taken.states,
            reached=taken.reached,
            stop="" if apart else taken.stop,
            turning=self.turning,
            bounds=self._bounds(len(cells), taken) if unproved else (),
            tight=taken.tight,
            certain_at=self._certain_at(taken) if unproved else None,
        )

    def _bounds(self, n_pieces: int, taken: _native.TurnedApart) -> tuple[Bound, ...]:
        """By which bounds of the search a way may have been missed, where it found none.

        That a motion goes between places of the lattice, or shifts further, is never ruled out here. Of two parts one
        may be taken as fixed.
        """
        if n_pieces > MOST_TURNING:
            return ("no turns",)
        may_miss: dict[Bound, bool] = {
            "others stay": n_pieces > 2,
            "lattice places": True,
            "two steps": True,
            "no tilting": self.lattice.dimension > 2,
            "single parts": taken.many,
            "too tight": taken.tight > 0,
        }
        return tuple(bound for bound, may in may_miss.items() if may)

    def _step(self, parting: _native.TurningParting, move: _native.TurningMove, cells: list[Cells], away: Ints) -> Step:
        if move.axis >= 0:
            moving = [cells[k] for k in move.parts]
            fixed = [cells[k] for k in parting.parts if k not in move.parts]
            return turning_step(move.parts, self._turn(move, moving, fixed, away))
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

    def _turn(self, move: _native.TurningMove, moving: Sequence[Cells], fixed: Sequence[Cells], away: Ints) -> Turn:
        """The turn of a move with its proof. All pieces of the group lie *away* from where the search has them."""
        axis, rotation, shift = self._asked(move)
        places = np.zeros((2, len(away) + 1), np.int32)
        places[1, 1:] = away
        origin, turned = self._map(rotation.transformation).apply(places)[:, 1:]
        shift = tuple((np.array(shift) + away - (turned - origin)).tolist())
        question = TurnQuestion(self.lattice, moving, fixed, self.turning, DEEPEST, MOST_BOXES)
        for asked in (question, replace(question, deepest=DEEPEST + 3, most_boxes=50 * MOST_BOXES)):
            turns = proved_turns(asked, axis, rotation)
            found = next((t for t in turns if t.shift == shift and t.certain), None)
            if found is not None:
                play = least_play(
                    self.lattice, moving, fixed, found, self.turning.bevel,
                    most=self.turning.play, within=WITHIN, deepest=DEEPEST, most_boxes=MOST_BOXES,
                )  # fmt: skip
                return replace(found, least_play=self.turning.play if play is None else play)
        raise InternalError(f"a turn on the lattice {self.lattice.name!r} has no proof")

    def _asked(self, move: _native.TurningMove) -> tuple[Axis, Rotation, tuple[int, ...]]:
        axis, rotations = self.axes[move.axis]
        return axis, rotations[move.turn], tuple(move.shift[: self.lattice.dimension])

    def _certain_at(self, taken: _native.TurnedApart) -> float | None:
        """The least play at which one of the first turns that were too tight is certain."""
        found = []
        for tight in taken.tight_turns:
            axis, rotation, shift = self._asked(tight.move)
            turn = Turn(
                axis.direction, float(np.degrees(rotation.angle)), rotation.transformation, shift, False, (), ()
            )
            moving, fixed = ([self._cells(*tight.parts[k]) for k in side] for side in (tight.moving, tight.fixed))
            play = least_play(
                self.lattice, moving, fixed, turn, self.turning.bevel,
                within=WITHIN, deepest=DEEPEST + 1, most_boxes=4 * MOST_BOXES,
            )  # fmt: skip
            if play is not None:
                found.append(play)
        return min(found, default=None)

    def _cells(self, shape: int, place: Sequence[int]) -> Cells:
        cells: Cells = self.native.cells(shape).reshape(-1, 4)[:, : self.lattice.dimension + 1].copy()
        cells[:, 1:] += np.array(place[: self.lattice.dimension], np.int32)
        return cells

    def _clear(self, direction: Ints, ahead: Sequence[Cells], behind: Sequence[Cells]) -> int:
        """The steps in this direction after which the pieces *ahead* are clear of those *behind*."""
        low = reaches(self.lattice, direction[None], np.concatenate(ahead))[0].min()
        high = reaches(self.lattice, direction[None], np.concatenate(behind))[1].max()
        return max(1, ceil(float(high - low) - CLEAR))

    def _map(self, number: int) -> Transformation:
        return self.lattice.transformations[number]


def _by_angle(rotation: Rotation) -> tuple[bool, float]:
    return rotation.angle < 0, abs(rotation.angle)


def reach_of(lattice: Lattice, axis: Axis) -> float:
    """How far the middle of parts may shift while they turn, along each axis of the plane."""
    steps = np.linalg.norm(lattice.basis @ axis.plane.T, axis=1)
    return REACH * float(steps[steps > NEAR].min())


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
