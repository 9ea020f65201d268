"""Which cells a cell hits when it slides one step: exact geometry of convex bodies and of balls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.lattice import CLOSE, TOUCH, Lattice
from latcover.errors import UnsupportedError
from latcover.lab.assembly.directions import directions, edges
from latcover.system.sorted_sets import distinct

Points = npt.NDArray[np.float64]
Vectors = npt.NDArray[np.int32]
TINY = 1e-6  # a shorter vector has no direction
AT_ONCE = 20_000  # pairs of cells that are tested together


class Body(Struct, frozen=True, eq=False):
    """The drawing of a node: a convex body around its centre, or a ball.

    Attributes:
        vertices, normals, edges: Shape (n, dimension) each; normals have length 1, one or both of opposite ones.
        radius: Of a ball, which has no vertices.
    """

    vertices: Points
    normals: Points
    edges: Points
    radius: float

    @property
    def reach(self) -> float:
        """The greatest distance of a point from the centre."""
        return self.radius or float(np.linalg.norm(self.vertices, axis=1).max())


def bodies(lattice: Lattice) -> tuple[Body, ...]:
    """The body of each node.

    Raises:
        UnsupportedError: the drawings are only symbols, a body is not convex, or there are balls beside other bodies.
    """
    if lattice.symbolic:
        raise UnsupportedError(
            f"the drawings of the lattice {lattice.name!r} are mere symbols, so they do not say what is in a part's way"
        )
    found = tuple(_body(lattice, node) for node in range(len(lattice.nodes)))
    if len({body.radius > 0 for body in found}) > 1:
        raise UnsupportedError(
            f"the lattice {lattice.name!r} has balls and other bodies; parts can slide past one kind only"
        )
    return found


def _body(lattice: Lattice, number: int) -> Body:
    node, dimension = lattice.nodes[number], lattice.dimension
    drawing = node.drawing
    none = np.empty((0, dimension))
    if drawing.radius:
        return Body(none, none, none, drawing.radius)
    vertices = drawing.vertices[:, :dimension]
    if dimension == 1:
        return Body(vertices, np.ones((1, 1)), none, 0.0)
    if dimension == 2:
        along = edges(drawing, 2)
        normals = _units(np.column_stack([-along[:, 1], along[:, 0]]))
        along = none
    else:
        rings = [vertices[list(face)] for face in drawing.faces]
        normals = _units(np.array([_area(ring) for ring in rings]))
        along = _distinct(_units(edges(drawing, 3)))
    if not _is_convex(vertices, drawing.faces, dimension):
        raise UnsupportedError(
            f"the cell {node.name!r} of the lattice {lattice.name!r} is not convex; parts can slide only where every "
            "cell is: draw it as several nodes, each of them convex"
        )
    return Body(vertices, _distinct(normals), along, 0.0)


def _is_convex(vertices: Points, faces: tuple[tuple[int, ...], ...], dimension: int) -> bool:
    """Whether all vertices lie on one side of the plane of each face."""
    for face in faces:
        ring = vertices[list(face)]
        if dimension == 2:
            along = np.roll(ring, -1, axis=0) - ring
            normals, starts = np.column_stack([-along[:, 1], along[:, 0]]), ring
        else:
            normals, starts = _area(ring)[None], ring[:1]
        lengths = np.linalg.norm(normals, axis=1)
        for normal, start, length in zip(normals, starts, lengths, strict=True):
            heights = (vertices - start) @ normal
            if length > TINY**2 and heights.max() > CLOSE * length and heights.min() < -CLOSE * length:
                return False
    return True


def _area(ring: Points) -> Points:
    """A normal of a flat polygon in space."""
    inner = ring - ring[0]
    vector: Points = np.cross(inner, np.roll(inner, -1, axis=0)).sum(axis=0)
    return vector


def _units(vectors: Points) -> Points:
    """The vectors that are not zero, scaled to length 1."""
    lengths = np.linalg.norm(vectors, axis=1)
    units: Points = vectors[lengths > TINY] / lengths[lengths > TINY, None]
    return units


def _distinct(units: Points) -> Points:
    """One unit vector of each pair of opposite ones."""
    first = units[np.arange(len(units)), (np.abs(units) > TINY).argmax(axis=1)]
    return distinct(np.round(units * np.sign(first)[:, None], 9) + 0.0, axis=0)


class Sweeps(Struct, frozen=True, eq=False):
    """Which cells a sliding cell hits.

    Attributes:
        directions: Shape (n, dimension), int32.
        starts, offsets: A cell ``(u, 0)`` that slides by direction d hits the cells ``(w, x)`` for the rows x of
            ``offsets[starts[k] : starts[k + 1]]``, k = (d * n_nodes + u) * n_nodes + w. Both ends of its way count.
    """

    directions: Vectors
    starts: npt.NDArray[np.int64]
    offsets: Vectors


@lru_cache(maxsize=16)
def sweeps(lattice: Lattice) -> Sweeps:
    """The cells that every cell hits in every direction.

    Two convex bodies are disjoint if and only if a plane separates them that is parallel to a face of one of them, or
    to an edge of each (the separating axis theorem). The faces of the swept body are those of the moving body and those
    that its edges sweep; its edges are those of the moving body and the direction itself. Every pair is tested with the
    planes of all nodes, because additional planes do no harm.

    Raises:
        UnsupportedError: see `directions` and `bodies`.
    """
    ways, shapes = directions(lattice), bodies(lattice)
    n = len(shapes)
    lists, found = [], []
    for way in ways:
        pairs, offsets = _met(lattice, shapes, way)
        lists.append(np.bincount(pairs, minlength=n * n))
        found.append(offsets[np.lexsort([*offsets.T[::-1], pairs])])
    starts = np.concatenate([[0], np.cumsum(np.concatenate(lists))]).astype(np.int64)
    return Sweeps(ways, starts, np.concatenate(found).astype(np.int32))


def _met(lattice: Lattice, shapes: tuple[Body, ...], way: Vectors) -> tuple[npt.NDArray[np.intp], Vectors]:
    """The hits in one direction: the numbers ``u * n_nodes + w``, and the offsets of w."""
    n, moved = len(shapes), way @ lattice.basis
    positions = np.array([node.position for node in lattice.nodes])
    reaches = np.array([body.reach for body in shapes])
    room = (reaches[:, None] + reaches).reshape(-1)
    apart = (positions - positions[:, None]).reshape(n * n, -1)
    offsets = _near(lattice, moved, apart, float(room.max()))
    pairs, rows = [], []
    for k in range(n * n):
        centres = offsets @ lattice.basis + apart[k]
        share = np.clip(centres @ moved / (moved @ moved), 0.0, 1.0)
        gaps = np.linalg.norm(centres - share[:, None] * moved, axis=1)
        close = np.flatnonzero(gaps < room[k] - TOUCH)
        pairs.append(np.full(len(close), k))
        rows.append(close)
    pair, row = np.concatenate(pairs), np.concatenate(rows)
    if not shapes[0].radius:
        axes = _axes(shapes, moved)
        heights = [body.vertices @ axes.T for body in shapes]
        low, high = np.array([h.min(axis=0) for h in heights]), np.array([h.max(axis=0) for h in heights])
        along = moved @ axes.T
        depth = np.empty(len(pair))
        for start in range(0, len(pair), AT_ONCE):
            part = slice(start, start + AT_ONCE)
            u, w = np.divmod(pair[part], n)
            at = (offsets[row[part]] @ lattice.basis + apart[pair[part]]) @ axes.T
            beyond = (high + np.maximum(along, 0))[u] - (low[w] + at)
            before = high[w] + at - (low + np.minimum(along, 0))[u]
            depth[part] = np.minimum(beyond, before).min(axis=1)
        hit = depth > TOUCH
        pair, row = pair[hit], row[hit]
    return pair, offsets[row]


def _near(lattice: Lattice, moved: Points, apart: Points, room: float) -> Vectors:
    """All offsets of cells that may lie near the way."""
    inverse = np.linalg.inv(lattice.basis)
    ends = np.concatenate([-apart, moved - apart]) @ inverse
    spread = room * np.linalg.norm(inverse, axis=0)
    low = np.floor(ends.min(axis=0) - spread).astype(int)
    high = np.ceil(ends.max(axis=0) + spread).astype(int)
    grid = np.meshgrid(*(np.arange(a, b + 1) for a, b in zip(low, high, strict=True)), indexing="ij")
    return np.stack(grid, -1).reshape(-1, lattice.dimension).astype(np.int32)


def _axes(shapes: tuple[Body, ...], moved: Points) -> Points:
    """The axes that may separate a moving body from one at rest."""
    if len(moved) == 1:
        return np.ones((1, 1))
    normals = np.concatenate([body.normals for body in shapes])
    if len(moved) == 2:
        return _distinct(_units(np.concatenate([normals, [[-moved[1], moved[0]]]])))
    along = _distinct(np.concatenate([body.edges for body in shapes]))
    way = moved / np.linalg.norm(moved)
    crossed = [np.cross(along[:, None], along).reshape(-1, 3), np.cross(along, way)]
    return _distinct(_units(np.concatenate([normals, *crossed])))


class SlideArrays(NamedTuple):
    """How parts slide, in the form for native functions; all arrays are flat.

    Attributes:
        slides: 12 numbers for each direction: its step, and the matrix that takes the step to (1, 0, 0); int32.
        n_nodes: How many nodes the lattice has.
        hit_starts, hits: The offsets of `Sweeps` in the chosen directions, padded to triples, in compressed rows.
    """

    slides: Vectors
    n_nodes: int
    hit_starts: npt.NDArray[np.int64]
    hits: Vectors


def slide_arrays(lattice: Lattice, chosen: Sequence[int] | None = None) -> SlideArrays:
    """How parts of a lattice slide along all of its directions, or only along the *chosen* ones (numbers).

    Raises:
        UnsupportedError: see `sweeps`.
    """
    geometry = sweeps(lattice)
    chosen = range(len(geometry.directions)) if chosen is None else chosen
    n = len(lattice.nodes)
    rows, starts, offsets = [], [0], []
    for k in chosen:
        rows.append([_padded(geometry.directions[k]), *_onto_first_axis(_padded(geometry.directions[k]))])
        for pair in range(k * n * n, (k + 1) * n * n):
            offsets.append(geometry.offsets[geometry.starts[pair] : geometry.starts[pair + 1]])
            starts.append(starts[-1] + len(offsets[-1]))
    joined = np.concatenate(offsets)
    padded = np.zeros((len(joined), 3), np.int32)
    padded[:, : joined.shape[1]] = joined
    return SlideArrays(np.array(rows, np.int32).reshape(-1), n, np.array(starts, np.int64), padded.reshape(-1))


def _padded(vector: Vectors) -> list[int]:
    return [*(int(x) for x in vector), *[0] * (3 - len(vector))]


def _onto_first_axis(vector: list[int]) -> list[list[int]]:
    """The rows of a unimodular matrix that takes a primitive vector to (1, 0, 0)."""
    rows = [[int(a == b) for b in range(3)] for a in range(3)]
    left = list(vector)
    while sum(map(bool, left)) > 1:
        pivot = min((k for k in range(3) if left[k]), key=lambda k: abs(left[k]))
        for k in range(3):
            if k != pivot and left[k]:
                factor = left[k] // left[pivot]
                left[k] -= factor * left[pivot]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[pivot], strict=True)]
    pivot = next(k for k in range(3) if left[k])
    first = [x * left[pivot] for x in rows[pivot]]
    return [first, *(rows[k] for k in range(3) if k != pivot)]
