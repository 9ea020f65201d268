"""The independent check of a disassembly: it makes every move with the lattice's drawings. `turn_replay` makes turns.

It shares nothing with the search: no directions, tables of what is in the way, or reduction to single steps. Two convex
bodies meet when the vector from one to the other lies within their difference, the hull of all vectors between their
corners. While one of them slides, this vector runs along a line; so each move is checked at all of its moments at once.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from latcover.core.model.disassembly import Disassembly, Pieces, Separation, Step
from latcover.core.model.lattice import NEAR, TOUCH, Lattice
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.core.model.turn_data import Turning
from latcover.core.model.turn_replay import FARTHEST, turn_faults
from latcover.system.sorted_sets import distinct

Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Nodes = npt.NDArray[np.int32]
DEEP = TOUCH + NEAR  # how deep bodies that touch may seem to reach into each other: rounding comes to it
MOST_PAIRS = 200_000  # of cells that are looked at together


def disassembly_faults(puzzle: Puzzle, solution: Solution, disassembly: Disassembly) -> list[str]:
    """All faults of a disassembly of *solution*; empty for a correct one, and for one that gives no moves.

    It says nothing about a result that claims no moves ("stuck", say), nor whether fewer moves would do.
    """
    n = len(solution.placements)
    if disassembly.n_pieces != n:
        return [f"it is of {disassembly.n_pieces} pieces, and the solution has {n}"]
    if disassembly.flat:
        return [] if puzzle.lattice.dimension < 3 else ["the pieces do not lie in a plane"]
    if disassembly.result != "apart":
        return ["it gives moves, but no result"] if disassembly.separations else []
    found = [f"piece {k} is left over" for k in _left_over(puzzle, solution, disassembly)]
    return found + _Replay(puzzle.lattice, solution, disassembly.turning).faults(disassembly)


def _left_over(puzzle: Puzzle, solution: Solution, disassembly: Disassembly) -> list[int]:
    """Pieces that end up with others although the puzzle does not allow it."""
    groups: list[set[int]] = [set(range(disassembly.n_pieces))]
    for separation in disassembly.separations:
        whole, parts = set(separation.pieces), (set(separation.stays), set(separation.removed))
        if whole not in groups or not all(parts) or parts[0] & parts[1] or parts[0] | parts[1] != whole:
            return sorted(whole)
        groups.remove(whole)
        groups += parts
    return sorted(k for group in groups if len(group) > 1 and not _may_stay(puzzle, solution, group) for k in group)


def _may_stay(puzzle: Puzzle, solution: Solution, pieces: set[int]) -> bool:
    """Whether there is a group of the puzzle to which all of *pieces* may belong."""
    copies = Counter(solution.placements[k].part for k in pieces)
    allowed = {part.name: dict(part.groups) for part in puzzle.parts}

    def takes(group: str, name: str) -> bool:
        most = allowed[name].get(group, 0)
        return most is None or copies[name] <= most

    return any(all(takes(group, name) for name in copies) for group in {g for name in copies for g in allowed[name]})


class _Replay:
    """The cells of a solution, which are moved about.

    Attributes:
        piece: Of each cell, shape (n,).
        cells: Where each cell is now, rows (node, x, y, ...), int32.
        centres: The same, Cartesian, shape (n, dimension).
    """

    def __init__(self, lattice: Lattice, solution: Solution, turning: Turning | None) -> None:
        self.lattice, self.meetings, self.turning = lattice, meetings(lattice), turning
        self.piece = np.repeat(np.arange(len(solution.placements)), [len(p.cells) for p in solution.placements])
        self.cells = np.array([cell for placed in solution.placements for cell in placed.cells], np.int32)
        self.centres = lattice.centres(self.cells)

    @property
    def node(self) -> Nodes:
        """The node of each cell, shape (n,)."""
        return self.cells[:, 0]

    def faults(self, disassembly: Disassembly) -> list[str]:
        number, found = 0, []
        for separation in disassembly.separations:
            if not separation.steps:
                found.append("a separation has no moves")
            group = set(separation.pieces)
            in_group = self._cells_of(separation.pieces)
            for step in separation.steps:
                number += 1
                fault = self._fault_of_step(separation, group, step)
                if not fault:
                    fault = self._fault_of_turn(group, step) if step.turn else self._fault_of_slide(in_group, step)
                    self._move(step)
                if fault:
                    found.append(f"move {number} {fault}")
        return found

    def _cells_of(self, pieces: Pieces) -> Flags:
        chosen = np.zeros(int(self.piece[-1]) + 1, np.bool_)
        chosen[list(pieces)] = True
        return chosen[self.piece]

    def _fault_of_step(self, separation: Separation, group: set[int], step: Step) -> str:
        """What is wrong with a move by itself; "" if nothing is."""
        movers, last = set(step.pieces), step is separation.steps[-1]
        if not movers or not movers < group:
            return "does not move a part of its group"
        if len(step.direction) != self.lattice.dimension or max(map(abs, step.shift)) > FARTHEST:
            return "goes nowhere"
        if step.turn is None and (step.distance < 1 or not any(step.direction)):
            return "goes nowhere"
        if step.turn is not None and (step.distance or any(step.direction) or step.separates):
            return "slides or separates while it turns"
        if step.separates != last:
            return "separates too early" if step.separates else "should separate"
        if last and movers not in (set(separation.removed), set(separation.stays)):
            return "does not remove the pieces that it should"
        return ""

    def _move(self, step: Step) -> None:
        moving = self._cells_of(step.pieces)
        if step.turn is None:
            self.cells[moving, 1:] += np.array(step.shift, np.int32)
        elif 0 <= step.turn.transformation < len(self.lattice.transformations):
            taken = self.lattice.transformations[step.turn.transformation].apply(self.cells[moving])
            taken[:, 1:] += np.array(step.turn.shift, np.int32)
            self.cells[moving] = taken
        self.centres = self.lattice.centres(self.cells)

    def _fault_of_turn(self, group: set[int], step: Step) -> str:
        assert step.turn is not None
        if self.turning is None or not step.turn.certain:
            return "is a turn that nothing proves"
        moving, fixed = (
            [self.cells[self.piece == k] for k in sorted(chosen)] for chosen in (step.pieces, group - set(step.pieces))
        )
        return "; ".join(turn_faults(self.lattice, moving, fixed, step.turn, self.turning)[:1])

    def _fault_of_slide(self, in_group: Flags, step: Step) -> str:
        moving = self._cells_of(step.pieces)
        way = np.array(step.shift) @ self.lattice.basis
        return self._fault_of_move(moving, in_group & ~moving, way, last=step.separates)

    def _fault_of_move(self, moving: Flags, staying: Flags, way: Numbers, *, last: bool) -> str:
        """What is in the way of some cells; and whether they can go on for ever if they have to. "" if all is well."""
        own, theirs = np.flatnonzero(moving), np.flatnonzero(staying)
        at_once = max(1, MOST_PAIRS // len(theirs))
        for start in range(0, len(own), at_once):
            part = own[start : start + at_once]
            offsets = (self.centres[theirs] - self.centres[part][:, None]).reshape(-1, self.lattice.dimension)
            u, w = np.repeat(self.node[part], len(theirs)), np.tile(self.node[theirs], len(part))
            met = self.meetings.on_the_way(u, w, offsets, way)
            if met.any():
                a, b = divmod(int(met.argmax()), len(theirs))
                return f"is blocked: piece {self.piece[part[a]]} meets piece {self.piece[theirs[b]]}"
        if last:
            along = way / np.sqrt(way @ way)
            least, most = self.meetings.reach(along)
            height = self.centres @ along
            if (height + least[self.node])[own].min() + way @ along < (height + most[self.node])[theirs].max() - DEEP:
                return "does not take the pieces clear of the others"
        return ""


class Meetings:
    """When two cells of a lattice meet, by the vector between their centres.

    Attributes:
        normals, heights: The cells of the nodes u and w meet if ``normals[u, w] @ vector < heights[u, w]`` in all rows.
        round: The sum of the radii of balls, shape (n_nodes, n_nodes).
        deep: Bodies that reach less into each other only touch.
    """

    def __init__(self, lattice: Lattice, deep: float) -> None:
        self.dimension, self.deep = lattice.dimension, deep
        self.vertices = [node.drawing.vertices[:, : lattice.dimension] for node in lattice.nodes]
        self.radii = np.array([node.drawing.radius for node in lattice.nodes])
        reaches = np.array(
            [max([r, *np.linalg.norm(v, axis=1)]) for r, v in zip(self.radii, self.vertices, strict=True)]
        )
        self.near = reaches[:, None] + reaches
        self.round = self.radii[:, None] + self.radii
        n = len(lattice.nodes)
        if self.radii.all():
            return
        planes = {(u, w): _difference(self.vertices[u], self.vertices[w]) for u in range(n) for w in range(n)}
        most = max(len(heights) for _, heights in planes.values())
        self.normals = np.zeros((n, n, most, self.dimension))
        self.heights = np.full((n, n, most), np.inf)
        for (u, w), (normals, heights) in planes.items():
            self.normals[u, w, : len(heights)], self.heights[u, w, : len(heights)] = normals, heights

    def on_the_way(self, u: Nodes, w: Nodes, offsets: Numbers, way: Numbers) -> Flags:
        """Whether a cell of node u, sliding *way*, meets a cell of node w whose centre lies *offsets* from its own."""
        share = (offsets @ (way / (way @ way))).clip(0, 1)
        apart = offsets - share[:, None] * way
        gaps = np.einsum("nd,nd->n", apart, apart)
        if self.radii.all():
            met: Flags = gaps < (self.round[u, w] - self.deep) ** 2
            return met
        found = np.zeros(len(offsets), np.bool_)
        close = np.flatnonzero(gaps < (self.near[u, w] if len(self.vertices) > 1 else self.near[0, 0]) ** 2)
        if len(close):
            found[close] = self._meet(u[close], w[close], offsets[close], way)
        return found

    def _meet(self, u: Nodes, w: Nodes, offsets: Numbers, way: Numbers) -> Flags:
        """The moments s in [0, 1] at which ``offset - s * way`` lies within the difference form an interval."""
        if len(self.vertices) == 1:
            normals, heights = self.normals[0, 0], self.heights[0, 0]
            left, speed = heights - self.deep - offsets @ normals.T, -normals @ way
        else:
            normals, heights = self.normals[u, w], self.heights[u, w]
            left, speed = heights - self.deep - np.einsum("npd,nd->np", normals, offsets), -normals @ way
        with np.errstate(divide="ignore", invalid="ignore"):
            moment = left / speed  # the vector is inside this plane while s * speed < left
        first = np.where(speed < 0, moment, -np.inf).max(axis=1)
        last = np.where(speed > 0, moment, np.inf).min(axis=1)
        never = ((speed == 0) & (left <= 0)).any(axis=1)
        meet: Flags = ~never & (np.maximum(first, 0) < np.minimum(last, 1))
        return meet

    def reach(self, along: Numbers) -> tuple[Numbers, Numbers]:
        """How far the cell of each node reaches along a unit vector, from its centre: least and most, shape (n,)."""
        spans = [v @ along if len(v) else np.zeros(1) for v in self.vertices]
        least, most = np.array([s.min() for s in spans]), np.array([s.max() for s in spans])
        return least - self.radii, most + self.radii


@lru_cache(maxsize=16)
def meetings(lattice: Lattice, deep: float = DEEP) -> Meetings:
    """When cells of *lattice* meet."""
    return Meetings(lattice, deep)


def _difference(one: Numbers, other: Numbers) -> tuple[Numbers, Numbers]:
    """The hull of all vectors from a corner of *other* to one of *one*: normals, shape (n, d), and their heights."""
    points = distinct(np.round((one[:, None] - other).reshape(-1, one.shape[1]), 9), axis=0)
    if one.shape[1] == 1:
        return np.array([[1.0], [-1.0]]), np.array([points.max(), -points.min()])
    points = points[_no_middles(points)]
    chosen = np.array(list(combinations(range(len(points)), points.shape[1])))
    corners = points[chosen]
    across = corners[:, 1:] - corners[:, :1]
    if points.shape[1] == 2:
        normals = np.column_stack([-across[:, 0, 1], across[:, 0, 0]])
    else:
        normals = np.cross(across[:, 0], across[:, 1])
    lengths = np.linalg.norm(normals, axis=1)
    normals, starts = normals[lengths > NEAR] / lengths[lengths > NEAR, None], corners[lengths > NEAR, 0]
    levels = (normals * starts).sum(axis=1)
    heights = normals @ points.T - levels[:, None]
    outer, inner = heights.max(axis=1) < NEAR, heights.min(axis=1) > -NEAR
    planes = np.concatenate([np.column_stack([normals, levels])[outer], -np.column_stack([normals, levels])[inner]])
    planes = planes[np.unique(np.round(planes, 6) + 0.0, axis=0, return_index=True)[1]]
    return planes[:, :-1], planes[:, -1]


def _no_middles(points: Numbers) -> Flags:
    """The points that do not lie midway between two others; no corner of a hull does."""
    middles = (points[:, None] + points)[np.triu_indices(len(points), 1)] / 2
    known = set(map(tuple, (np.round(middles, 6) + 0.0).tolist()))
    return np.array([tuple(p) not in known for p in (np.round(points, 6) + 0.0).tolist()])
