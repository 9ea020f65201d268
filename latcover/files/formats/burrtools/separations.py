"""Disassemblies as BurrTools stores them: a tree of separations, each a list of the places of its pieces.

The first state of a separation is the last one of that above it. Pieces that were removed there are moved back, along
the axes along which the first of them is far away. A piece that is removed is more than `AWAY` places away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import gcd

import numpy as np
from msgspec import Struct

from latcover.core.model.disassembly import Disassembly, Separation, Step
from latcover.core.model.lattice import Lattice
from latcover.core.model.replay import disassembly_faults
from latcover.core.model.solution import Solution
from latcover.errors import PuzzleError
from latcover.files.formats.burrtools.grids import GridOnLattice, Places

AWAY = 10_000
REMOVED = 2 * AWAY  # steps that a removed piece goes
FAR = 1000  # steps within a separation: a piece that goes so far is removed
Offsets = tuple[tuple[int, int, int], ...]


class BurrToolsSeparation(Struct, frozen=True):
    """How a group of pieces was parted.

    Attributes:
        pieces: The numbers of the copies, in the order of the problem, from 0.
        states: For the start and after each move, where each of the pieces is.
        below: The separations of the group that stays, and of the one that is removed; None for a single piece.
    """

    pieces: tuple[int, ...]
    states: tuple[Offsets, ...]
    below: tuple[BurrToolsSeparation | None, BurrToolsSeparation | None]

    @property
    def moves(self) -> int:
        return len(self.states) - 1

    @property
    def removed(self) -> tuple[int, ...]:
        """The pieces that are far away in the end."""
        start, end = self.states[0], self.states[-1]
        far = [max(abs(a - b) for a, b in zip(p, q, strict=True)) >= FAR for p, q in zip(start, end, strict=True)]
        return tuple(piece for piece, is_far in zip(self.pieces, far, strict=True) if is_far)

    @property
    def level(self) -> tuple[int, ...]:
        """The level as BurrTools writes it: groups that come apart in single moves are left out."""
        level: tuple[int, ...] = (self.moves,)
        for below in (group.level for group in self.below if group is not None):
            if max(below) > 1:
                level += below
        return level


def separations(plan: Disassembly, slots: Sequence[int], axes: Places) -> str:
    """The element of a disassembly, or "" where it holds no separation, or a turn, for which the form has no place.

    Args:
        plan: The disassembly.
        slots: Of each piece, the number of its copy among all copies of the problem.
        axes: The places that a step along each axis of the lattice goes, shape (3, 3).
    """
    if plan.result != "apart" or not plan.separations or plan.turns:
        return ""
    return _Tree(plan, slots, axes).text()


class _Tree:
    """Writes the separations one after another."""

    def __init__(self, plan: Disassembly, slots: Sequence[int], axes: Places) -> None:
        self.plan, self.slots, self.axes, self.at = plan, slots, axes, 0

    def text(self, kind: str = "", start: Mapping[int, Places] | None = None) -> str:
        separation = self.plan.separations[self.at]
        self.at += 1
        pieces = sorted(separation.pieces, key=self.slots.__getitem__)
        where = {piece: np.zeros(3, np.int64) if start is None else start[piece] for piece in pieces}
        states = [_state([where[piece] for piece in pieces])]
        for step in separation.steps:
            way = np.array(step.direction, np.int64) @ np.rint(self.axes).astype(np.int64)
            movers = separation.removed if step.separates else step.pieces
            if movers != step.pieces and step.separates:
                way = -way
            for piece in movers:
                where[piece] = where[piece] + way * (REMOVED if step.separates else step.distance)
            states.append(_state([where[piece] for piece in pieces]))
        inner = ""
        for name, group in (("left", separation.stays), ("removed", separation.removed)):
            if self.at < len(self.plan.separations) and self.plan.separations[self.at].pieces == group:
                first = where[min(group, key=self.slots.__getitem__)]
                back = np.where(np.abs(first) > AWAY, first, 0)
                inner += self.text(f' type="{name}"', {piece: where[piece] - back for piece in group})
        numbers = " ".join(str(self.slots[piece]) for piece in pieces)
        return (
            f'<separation{kind}><pieces count="{len(pieces)}">{numbers}</pieces>{"".join(states)}{inner}</separation>'
        )


def _state(places: Sequence[Places]) -> str:
    rows = [" ".join(map(str, row)) for row in np.array(places).T.tolist()]
    return f"<state>{''.join(f'<d{a}>{row}</d{a}>' for a, row in zip('xyz', rows, strict=True))}</state>"


def disassembly_in(
    stored: BurrToolsSeparation, solution: Solution, slots: Sequence[int], frame: GridOnLattice
) -> Disassembly:
    """A stored disassembly of *solution* as one of ours; the checker has made all its moves.

    Args:
        stored: The separation of the whole.
        solution: The solution, with its puzzle.
        slots: Of each of its placements, the number of its copy.
        frame: Where the grid lies in the lattice.

    Raises:
        PuzzleError: it takes nothing apart that way; the message says what is wrong.
    """
    puzzle = solution.puzzle
    assert puzzle is not None
    reader = _Moves({slot: piece for piece, slot in enumerate(slots)}, frame, puzzle.lattice, solution)
    reader.add(stored, tuple(range(len(slots))))
    plan = Disassembly("apart", len(slots), tuple(reader.found), least=False)
    faults = disassembly_faults(puzzle, solution, plan)
    if faults:
        raise PuzzleError("; ".join(faults[:3]))
    return plan


class _Moves:
    """Turns states into moves."""

    def __init__(self, piece: Mapping[int, int], frame: GridOnLattice, lattice: Lattice, solution: Solution) -> None:
        self.piece, self.lattice, self.solution = piece, lattice, solution
        self.inverse = np.linalg.inv(frame.axes)
        self.found: list[Separation] = []
        self.away = [np.zeros(lattice.dimension, np.int64) for _ in solution.placements]  # steps from its own place

    def add(self, stored: BurrToolsSeparation, group: tuple[int, ...]) -> None:
        """The separations of a group, the whole first."""
        if set(stored.pieces) - set(self.piece):
            raise PuzzleError("it moves a copy that the solution does not use")
        order = [self.piece[number] for number in stored.pieces]
        if tuple(sorted(order)) != group:
            raise PuzzleError("a separation is not of the pieces that are together there")
        removed = tuple(sorted(self.piece[number] for number in stored.removed))
        stays = tuple(piece for piece in group if piece not in removed)
        if not removed or not stays:
            raise PuzzleError("a separation parts no pieces")
        states = [np.array(state, np.int64) for state in stored.states]
        ways = [self.step(order, after - before, removed, k == len(states) - 2)
                for k, (before, after) in enumerate(pairwise(states))]  # fmt: skip
        self.found.append(Separation(group, tuple(ways), stays, removed))
        for below, part in zip(stored.below, (stays, removed), strict=True):
            if below is not None:
                self.add(below, part)

    def step(self, order: Sequence[int], ways: Places, removed: tuple[int, ...], last: bool) -> Step:
        ways = ways - ways[order.index(next(piece for piece in order if piece not in removed))] * last
        movers = tuple(sorted(piece for piece, way in zip(order, ways, strict=True) if way.any()))
        different = {tuple(way) for way in ways.tolist() if any(way)}
        if len(different) != 1 or len(movers) == len(order):
            raise PuzzleError("a move does not move some pieces together in one direction")
        if last and movers != removed:
            raise PuzzleError("the last move of a separation does not take away the pieces that are removed")
        exact = np.array(next(iter(different))) @ self.inverse
        steps = np.rint(exact).astype(np.int64)
        if np.abs(exact - steps).max() > 1e-6:
            raise PuzzleError("a move ends off the grid")
        many = gcd(*steps.tolist())
        direction = steps // many
        distance = self.clear(movers, order, direction) if last else many
        for piece in movers:
            self.away[piece] = self.away[piece] + distance * direction
        return Step(movers, tuple(direction.tolist()), distance, last)

    def clear(self, movers: tuple[int, ...], group: Sequence[int], direction: Places) -> int:
        """After how many steps the movers lie wholly behind the others of their group."""
        way = direction @ self.lattice.basis
        length = float(np.sqrt(way @ way))
        heights = {piece: self.height(piece, way / length) for piece in group}
        highest = max(heights[piece][1] for piece in group if piece not in movers)
        lowest = min(heights[piece][0] for piece in movers)
        return max(1, int(np.ceil((highest - lowest) / length - 1e-6)))

    def height(self, piece: int, along: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> tuple[float, float]:
        """How far a piece reaches along a direction, to both sides."""
        cells = np.array(self.solution.placements[piece].cells, np.int32)
        middles = (self.lattice.centres(cells) + self.away[piece] @ self.lattice.basis) @ along
        drawings = [self.lattice.nodes[node].drawing for node in cells[:, 0].tolist()]
        reach = [(-d.radius, d.radius) if d.radius > 0 else ((d.vertices @ along).min(), (d.vertices @ along).max())
                 for d in drawings]  # fmt: skip
        ends = middles[:, None] + np.array(reach)
        return float(ends.min()), float(ends.max())
