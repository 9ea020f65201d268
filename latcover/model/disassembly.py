"""How a solution is taken apart: moves, separations, the level. Plain data; nothing here searches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from latcover.errors import counted

Result = Literal["apart", "stuck", "unknown"]
Pieces = tuple[int, ...]  # indices into the placements of the solution, ascending
Vector = tuple[int, ...]  # x, y, ... in lattice steps


@dataclass(frozen=True, slots=True)
class Step:
    """One move: pieces slide together in a straight line, while the others of their group stay.

    Attributes:
        pieces: The pieces that move.
        direction: The vector of a single step. A cell ``(u, c)`` goes to ``(u, c + distance * direction)``.
        distance: How many steps, 1 or more. A move that separates could go on for ever; its distance is the least after
            which the two groups lie wholly behind each other along the direction.
        separates: Whether the pieces leave the others for good with this move.
    """

    pieces: Pieces
    direction: Vector
    distance: int
    separates: bool = False

    @property
    def shift(self) -> Vector:
        """By how much the pieces move in all."""
        return tuple(self.distance * x for x in self.direction)


@dataclass(frozen=True, slots=True)
class Separation:
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


@dataclass(frozen=True, slots=True)
class Disassembly:
    """What is known about taking a solution apart.

    Attributes:
        result: "apart": it comes apart, by these separations. "stuck": it cannot come apart by sliding. "unknown": a
            limit was met before either was known.
        n_pieces: How many pieces the solution has.
        separations: The whole first, then all separations of the group that stays, then all of the group removed.
        flat: The pieces lie in one layer and are lifted off one by one; there are no separations to list.
        least: No other choice of shortest separations has fewer steps in all. False if not all were tried.
        states: How many positions of pieces were examined.
        reached: How many moves deep the longest search of a group was carried.
        stop: Why the search ended early, such as "state limit"; "" if it did not.
    """

    result: Result
    n_pieces: int
    separations: tuple[Separation, ...] = ()
    least: bool = True
    flat: bool = False
    states: int = field(default=0, compare=False)
    reached: int = field(default=0, compare=False)
    stop: str = ""

    def __repr__(self) -> str:
        level = f", level {'.'.join(map(str, self.level))}, {counted(self.moves, 'move')}" if self.level else ""
        return f"<Disassembly: {self.result}{level}, {counted(self.n_pieces, 'piece')}>"

    @property
    def steps(self) -> tuple[Step, ...]:
        """All moves in their order."""
        return tuple(step for separation in self.separations for step in separation.steps)

    @property
    def moves(self) -> int:
        """The sum of the level. `steps` holds more moves: those of the separations that the level leaves out."""
        return sum(self.level)

    @property
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
        """How far each piece is from its place in the solution after the first *n_steps* moves."""
        steps = self.steps
        dimension = len(steps[0].direction) if steps else 0
        found = [[0] * dimension for _ in range(self.n_pieces)]
        for step in steps[:n_steps]:
            for piece in step.pieces:
                found[piece] = [a + b for a, b in zip(found[piece], step.shift, strict=True)]
        return tuple(map(tuple, found))

    def as_json(self) -> dict[str, Any]:
        """Plain data. Pieces are indices into the placements of the solution."""
        return {
            "result": self.result,
            "level": list(self.level),
            "moves": self.moves if self.result == "apart" else None,
            "steps": len(self.steps) if self.result == "apart" else None,
            "n_pieces": self.n_pieces,
            "least": self.least,
            "flat": self.flat,
            "states": self.states,
            "reached": self.reached,
            "stop": self.stop,
            "separations": [
                {
                    "pieces": list(separation.pieces),
                    "stays": list(separation.stays),
                    "removed": list(separation.removed),
                    "steps": [
                        {
                            "pieces": list(step.pieces),
                            "direction": list(step.direction),
                            "distance": step.distance,
                            "separates": step.separates,
                        }
                        for step in separation.steps
                    ],
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
