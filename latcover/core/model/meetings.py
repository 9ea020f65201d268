"""When two cells of a lattice meet while one of them slides, by the lattice's drawings alone.

Two convex bodies meet when the vector from one to the other lies within their difference, the hull of all vectors
between their corners. While one of them slides, this vector runs along a line; so a slide is judged at all of its
moments at once.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from latcover.core.model.lattice import NEAR, TOUCH, Lattice
from latcover.system.sorted_sets import distinct

Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Vector = tuple[int, ...]  # x, y, ... in lattice steps
DEEP = TOUCH + NEAR  # how deep bodies that touch may seem to reach into each other: rounding comes to it
MOST_OFFSETS = 200_000  # that are judged for a slide
MOST_SLIDES = 4096  # whose offsets are remembered


class Meetings:
    """When two cells of a lattice meet, by the vector between their centres.

    Attributes:
        normals, heights: The cells of the nodes u and w meet if ``normals[u, w] @ vector < heights[u, w]`` in all rows.
        round: The sum of the radii of balls, shape (n_nodes, n_nodes).
        deep: Bodies that reach less into each other only touch.
    """

    def __init__(self, lattice: Lattice, deep: float) -> None:
        self.lattice, self.deep = lattice, deep
        self.vertices = [node.drawing.vertices[:, : lattice.dimension] for node in lattice.nodes]
        self.radii = np.array([node.drawing.radius for node in lattice.nodes])
        reaches = np.array(
            [max([r, *np.linalg.norm(v, axis=1)]) for r, v in zip(self.radii, self.vertices, strict=True)]
        )
        self.near = reaches[:, None] + reaches
        self.round = self.radii[:, None] + self.radii
        inverse = np.linalg.inv(lattice.basis)
        apart = np.abs((lattice.positions[:, None] - lattice.positions) @ inverse).max(axis=(0, 1))
        self._room = float(self.near.max()) * np.linalg.norm(inverse, axis=0) + apart  # in lattice steps
        self._offsets: dict[Vector, tuple[Ints, ...] | None] = {}
        n = len(lattice.nodes)
        if self.radii.all():
            return
        planes = {(u, w): _difference(self.vertices[u], self.vertices[w]) for u in range(n) for w in range(n)}
        most = max(len(heights) for _, heights in planes.values())
        self.normals = np.zeros((n, n, most, lattice.dimension))
        self.heights = np.full((n, n, most), np.inf)
        for (u, w), (normals, heights) in planes.items():
            self.normals[u, w, : len(heights)], self.heights[u, w, : len(heights)] = normals, heights

    def on_the_way(self, u: Ints, w: Ints, offsets: Numbers, way: Numbers) -> Flags:
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

    def _meet(self, u: Ints, w: Ints, offsets: Numbers, way: Numbers) -> Flags:
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

    def offsets(self, way: Vector) -> tuple[Ints, ...] | None:
        """Which cells a cell meets that slides *way*, its start and its end included.

        Returns:
            For each node u, rows ``(w - u, x, y, ...)``: the cell ``(u, 0)`` meets the cells ``(w, x, y, ...)``. None
            if the way is too long to list them.
        """
        if way not in self._offsets:
            if len(self._offsets) >= MOST_SLIDES:
                self._offsets.clear()
            self._offsets[way] = self._judged(way)
        return self._offsets[way]

    def _judged(self, way: Vector) -> tuple[Ints, ...] | None:
        near, n = self._near(way), len(self.vertices)
        if near is None:
            return None
        u, w, row = (x.reshape(-1) for x in np.indices((n, n, len(near))))
        centres, positions = near @ self.lattice.basis, self.lattice.positions
        met = self.on_the_way(u, w, centres[row] + positions[w] - positions[u], np.array(way) @ self.lattice.basis)
        rows = np.column_stack([w - u, near[row]])
        return tuple(rows[met & (u == node)] for node in range(n))

    def _near(self, way: Vector) -> Ints | None:
        """All offsets of units, shape (n, dimension), whose cells may be met on the way. None: there are too many."""
        room, longest = self._room, int(np.abs(way).argmax())
        slope = np.array(way) / way[longest]
        # The offsets lie in layers across the longest axis; in each of them, around a point of the line.
        before, beyond = (int(np.ceil(room[longest] + max(0, x))) for x in (-way[longest], way[longest]))
        around = np.ceil(room + room[longest] * np.abs(slope)).astype(int)
        around[longest] = 0
        if (before + beyond + 1) * int(np.prod(2 * around + 1)) * len(self.vertices) ** 2 > MOST_OFFSETS:
            return None
        beside = np.indices(2 * around + 1).reshape(len(way), -1).T - around
        line = np.rint(np.arange(-before, beyond + 1)[:, None] * slope).astype(np.int64)
        found: Ints = (line[:, None] + beside).reshape(-1, len(way))
        return found

    def reach(self, along: Numbers) -> tuple[Numbers, Numbers]:
        """How far the cell of each node reaches along unit vectors, from its centre.

        Args:
            along: Shape (n, dimension).

        Returns:
            The least and the most, shape (n, n_nodes).
        """
        spans = [along @ v.T if len(v) else np.zeros((len(along), 1)) for v in self.vertices]
        least, most = (np.column_stack([end(s, axis=1) for s in spans]) for end in (np.min, np.max))
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
