"""How a solution is taken apart: moves, separations, the level. Plain data; nothing here searches."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import Struct

from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.turn_bounds import Bound
from latcover.core.model.turn_data import Turn, Turning
from latcover.errors import counted

Result = Literal["apart", "stuck", "unproved", "unknown"]
Pieces = tuple[int, ...]  # indices into the placements of the solution, ascending
Vector = tuple[int, ...]  # x, y, ... in lattice steps


class Step(Struct, frozen=True):
    """One move: pieces slide together in a straight line, or turn together, while the others of their group stay.

    Attributes:
        pieces: The pieces that move.
        direction: The vector of a single step. A cell ``(u, c)`` goes to ``(u, c + distance * direction)``. All zero
            if the move is a turn; its distance is 0 then, and it never separates.
        distance: How many steps, 1 or more. A move that separates could go on for ever; its distance is the least after
            which the two groups lie wholly behind each other along the direction.
        separates: Whether the pieces leave the others for good with this move.
        turn: How they turn, from where they are when the move begins; None if they slide.
    """

    pieces: Pieces
    direction: Vector
    distance: int
    separates: bool = False
    turn: Turn | None = None

    @property
    def shift(self) -> Vector:
        """By how much the pieces move in all, if they slide."""
        return tuple([self.distance * x for x in self.direction])  # a generator takes twice as long

    def as_json(self) -> dict[str, Any]:
        """Plain data. Only a turn has the key ``turn``."""
        data = {
            "pieces": list(self.pieces),
            "direction": list(self.direction),
            "distance": self.distance,
            "separates": self.separates,
        }
        return data if self.turn is None else {**data, "turn": self.turn.as_json()}


def turning_step(pieces: Pieces, turn: Turn) -> Step:
    """The move by which *pieces* turn."""
    return Step(pieces, (0,) * len(turn.shift), 0, turn=turn)


class Pose(Struct, frozen=True):
    """Where a piece is: its lattice transformation takes each cell of the solution there, and then it is shifted.

    Attributes:
        transformation: An index of `Lattice.transformations`; 0 if the piece has not turned.
        shift: In lattice steps.
    """

    transformation: int
    shift: Vector

    def after(self, step: Step, lattice: Lattice) -> Pose:
        """The pose after a move."""
        if step.turn is None:
            return Pose(self.transformation, tuple(a + b for a, b in zip(self.shift, step.shift, strict=True)))
        first, last = (lattice.transformations[k] for k in (self.transformation, step.turn.transformation))
        # The composition takes node 0 at the origin elsewhere than the transformation of the same labels may do.
        origin = first.apply(np.zeros((1, lattice.dimension + 1), np.int32))
        origin[:, 1:] += np.array(self.shift, np.int32)
        shift = last.apply(origin)[0, 1:] + np.array(step.turn.shift, np.int32)
        return Pose(int(lattice.then(last)[self.transformation]), tuple(shift.tolist()))

    def apply(self, cells: Cells, lattice: Lattice) -> Cells:
        """Where cells of the solution are."""
        found = lattice.transformations[self.transformation].apply(cells)
        found[:, 1:] += np.array(self.shift, np.int32)
        return found


class Separation(Struct, frozen=True):
    """The moves that part one group of pieces in two. Each of the two is then taken apart on its own.

    Attributes:
        pieces: The group. All other pieces are away.
        steps: The moves, at least one. The last one separates, and no other does.
        stays, removed: The two groups. The pieces removed are those of the last move.
    """

    pieces: Pieces
    steps: tuple[Step, ...]
    stays: Pieces
    removed: Pieces


class Disassembly(Struct, frozen=True, dict=True):
    """What is known about taking a solution apart.

    Attributes:
        result: "apart": it comes apart, by these separations. "stuck": no slides take it apart; all were examined.
            "unproved": no way was found by slides and turns, all of those within *bounds* were examined, and there may
            be others. "unknown": a limit was met before any of these was known.
        n_pieces: How many pieces the solution has.
        separations: The whole first, then all separations of the group that stays, then all of the group removed.
        flat: The pieces lie in one layer and are lifted off one by one; there are no separations to list.
        least: Of the moves that were examined, no other choice of shortest separations has fewer steps in all. False if
            not all were tried.
        states: How many positions of pieces were examined.
        reached: How many moves deep the longest search of a group was carried.
        stop: Why the search ended early, such as "state limit"; "" if it did not.
        turning: The room with which turns were looked for; None if only slides were. With slides alone it may still
            come apart: `turns` counts the turns of the plan.
        bounds: If the result is "unproved", and only then, by which bounds of the search a way may have been missed.
        tight: How many turns that were met are too tight to tell; they were not made. With some, fewer moves may do.
        certain_at: A play at which a longer look proves at least one of these, if one was found.
    """

    result: Result
    n_pieces: int
    separations: tuple[Separation, ...] = ()
    least: bool = True
    flat: bool = False
    states: int = 0
    reached: int = 0
    stop: str = ""
    turning: Turning | None = None
    bounds: tuple[Bound, ...] = ()
    tight: int = 0
    certain_at: float | None = None

    def __post_init__(self) -> None:
        if (self.result == "unproved") != bool(self.bounds):
            raise ValueError(f"what is {self.result} does not rest on the bounds {self.bounds}")

    def __repr__(self) -> str:
        turns = f" ({counted(self.turns, 'turn')})" if self.turns else ""
        level = f", level {'.'.join(map(str, self.level))}{turns}, {counted(self.moves, 'move')}" if self.level else ""
        return f"<Disassembly: {self.result}{level}, {counted(self.n_pieces, 'piece')}>"

    @property
    def is_known(self) -> bool:
        """Whether it is known if it comes apart."""
        return self.result in ("apart", "stuck")

    @property
    def steps(self) -> tuple[Step, ...]:
        """All moves in their order."""
        return tuple(step for separation in self.separations for step in separation.steps)

    @property
    def moves(self) -> int:
        """The sum of the level. `steps` holds more moves: those of the separations that the level leaves out."""
        return sum(self.level)

    @property
    def turns(self) -> int:
        """How many of all moves are turns."""
        return sum(step.turn is not None for step in self.steps)

    @property
    def needed_play(self) -> float | None:
        """The least play at which all turns of the plan are known to be certain; None if it has no turns."""
        turns = [step.turn for step in self.steps if step.turn is not None]
        searched = (self.turning or Turning()).play
        return max((searched if turn.least_play is None else turn.least_play for turn in turns), default=None)

    @cached_property
    def level(self) -> tuple[int, ...]:
        """The moves of each separation, in the order of `separations`; empty unless the result is "apart".

        The separations of a group are left out if each of them takes a single move. The first number always stands.
        """
        if self.flat:
            return (1,) if self.n_pieces > 1 else ()
        return _level(self.separations, 0)[0] if self.separations else ()

    @property
    def left_together(self) -> tuple[Pieces, ...]:
        """The groups of several pieces that the puzzle allows to stay together, and that were not taken apart."""
        if self.result != "apart" or self.flat:
            return ()
        parted = {separation.pieces for separation in self.separations}
        ends = [group for s in self.separations for group in (s.stays, s.removed)] or [tuple(range(self.n_pieces))]
        return tuple(group for group in ends if len(group) > 1 and group not in parted)

    def shifts(self, n_steps: int) -> tuple[Vector, ...]:
        """How far each piece is from its place in the solution after the first *n_steps* moves, if none is a turn."""
        steps = self.steps
        dimension = len(steps[0].direction) if steps else 0
        found = [[0] * dimension for _ in range(self.n_pieces)]
        for step in steps[:n_steps]:
            for piece in step.pieces:
                found[piece] = [a + b for a, b in zip(found[piece], step.shift, strict=True)]
        return tuple(map(tuple, found))

    def poses(self, lattice: Lattice, n_steps: int) -> tuple[Pose, ...]:
        """Where each piece is after the first *n_steps* moves."""
        found = [Pose(0, (0,) * lattice.dimension)] * self.n_pieces
        for step in self.steps[:n_steps]:
            for piece in step.pieces:
                found[piece] = found[piece].after(step, lattice)
        return tuple(found)

    def as_json(self) -> dict[str, Any]:
        """Plain data. Pieces are indices into the placements of the solution."""
        return {
            "result": self.result,
            "level": list(self.level),
            "moves": self.moves if self.result == "apart" else None,
            "steps": len(self.steps) if self.result == "apart" else None,
            "turns": self.turns if self.result == "apart" else None,
            "n_pieces": self.n_pieces,
            "least": self.least,
            "flat": self.flat,
            "states": self.states,
            "reached": self.reached,
            "stop": self.stop,
            "turning": None if self.turning is None else self.turning.as_json(),
            "bounds": list(self.bounds),
            "needed_play": self.needed_play,
            "tight": self.tight,
            "certain_at": self.certain_at,
            "separations": [
                {
                    "pieces": list(separation.pieces),
                    "stays": list(separation.stays),
                    "removed": list(separation.removed),
                    "steps": [step.as_json() for step in separation.steps],
                }
                for separation in self.separations
            ],
        }


def disassembly_of(data: Any) -> Disassembly:
    """The disassembly that `Disassembly.as_json` gave. The data may come from a file, so its types are checked.

    Raises:
        ValueError: it is something else.
    """
    return msgspec.convert(data, Disassembly)


def _level(separations: tuple[Separation, ...], at: int) -> tuple[tuple[int, ...], int]:
    """The level of the tree of separations that begins at index *at*, and the index after it."""
    root = separations[at]
    level: tuple[int, ...] = (len(root.steps),)
    at += 1
    for group in (root.stays, root.removed):
        if at < len(separations) and separations[at].pieces == group:
            below, at = _level(separations, at)
            if max(below) > 1:
                level += below
    return level, at
