"""Which cells are met when a cell slides one step: exact geometry of convex bodies and of balls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latcover.assembly.directions import directions, edges
from latcover.errors import UnsupportedError
from latcover.model.lattice import Lattice

Points = npt.NDArray[np.float64]
Vectors = npt.NDArray[np.int32]
TOUCH = 1e-6  # bodies that reach less into each other only touch


@dataclass(frozen=True, slots=True, eq=False)
class Body:
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
        UnsupportedError: the drawings are mere symbols, a body is not convex, or balls and other bodies are mixed.
    """
    if lattice.symbolic:
        raise UnsupportedError(
            f"the drawings of the lattice {lattice.name!r} are mere symbols, so nobody knows what is in the way of a part"
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
            f"the cell {node.name!r} of the lattice {lattice.name!r} is not convex; parts can slide only where every cell "
            "is: draw it as several nodes, each of them convex"
        )
    return Body(vertices, _distinct(normals), along, 0.0)


def _is_convex(vertices: Points, faces: tuple[tuple[int, ...], ...], dimension: int) -> bool:
    """Whether all vertices lie on one side of each side of a body."""
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
            if length > TOUCH**2 and heights.max() > TOUCH * length and heights.min() < -TOUCH * length:
                return False
    return True


def _area(ring: Points) -> Points:
    """A vector across a flat ring of corners in space."""
    inner = ring - ring[0]
    vector: Points = np.cross(inner, np.roll(inner, -1, axis=0)).sum(axis=0)
    return vector


def _units(vectors: Points) -> Points:
    """The vectors that are not null, made one long."""
    lengths = np.linalg.norm(vectors, axis=1)
    units: Points = vectors[lengths > TOUCH] / lengths[lengths > TOUCH, None]
    return units


def _distinct(units: Points) -> Points:
    """One of each line."""
    upright = units * np.array([1.0 if u[np.abs(u) > TOUCH][0] > 0 else -1.0 for u in units])[:, None]
    distinct: Points = np.unique(np.round(upright, 9), axis=0)
    return distinct


@dataclass(frozen=True, slots=True, eq=False)
class Sweeps:
    """What is met on the way.

    Attributes:
        directions: Shape (n, dimension), int32.
        starts, offsets: A cell ``(u, 0)`` on its way by direction d meets the cells ``(w, x)`` for the rows x of
            ``offsets[starts[k] : starts[k + 1]]``, k = (d * n_nodes + u) * n_nodes + w. Both ends count.
    """

    directions: Vectors
    starts: npt.NDArray[np.int64]
    offsets: Vectors


def sweeps(lattice: Lattice) -> Sweeps:
    """What every cell meets in every direction.

    A convex body and the body that another one sweeps are apart if and only if a plane parts them that is parallel to a
    side of one of them, or to an edge of each (the separating axis theorem). The sides of the swept body are those of
    the mover, and those that an edge of it sweeps; its edges are those of the mover, and the way itself.

    Raises:
        UnsupportedError: see `directions` and `bodies`.
    """
    ways, shapes = directions(lattice), bodies(lattice)
    starts, found = [0], []
    for way in ways:
        for u in range(len(shapes)):
            for w in range(len(shapes)):
                met = _met(lattice, shapes, way, u, w)
                starts.append(starts[-1] + len(met))
                found.append(met)
    return Sweeps(ways, np.array(starts, np.int64), np.concatenate(found).astype(np.int32))


def _met(lattice: Lattice, shapes: tuple[Body, ...], way: Vectors, u: int, w: int) -> Vectors:
    """The offsets at which a cell of node *w* is met by the cell of node *u* at the origin."""
    one, other = shapes[u], shapes[w]
    moved = way @ lattice.basis
    apart = np.array(lattice.nodes[w].position) - lattice.nodes[u].position
    room = one.reach + other.reach
    offsets = _near(lattice, moved, apart, room)
    centres = offsets @ lattice.basis + apart
    share = np.clip(centres @ moved / (moved @ moved), 0.0, 1.0)
    gaps = np.linalg.norm(centres - share[:, None] * moved, axis=1)
    close = gaps < room - TOUCH
    if one.radius:
        return offsets[close]
    offsets, centres = offsets[close], centres[close]
    axes = _axes(one, other, moved)
    own, way_along, theirs = one.vertices @ axes.T, moved @ axes.T, other.vertices @ axes.T
    low, high = own.min(axis=0) + np.minimum(way_along, 0), own.max(axis=0) + np.maximum(way_along, 0)
    at = centres @ axes.T
    depth = np.minimum(high - (theirs.min(axis=0) + at), theirs.max(axis=0) + at - low)
    return offsets[depth.min(axis=1) > TOUCH]


def _near(lattice: Lattice, moved: Points, apart: Points, room: float) -> Vectors:
    """All offsets at which a cell could come near the way."""
    inverse = np.linalg.inv(lattice.basis)
    ends = np.array([-apart, moved - apart]) @ inverse
    spread = room * np.linalg.norm(inverse, axis=0)
    low = np.floor(ends.min(axis=0) - spread).astype(int)
    high = np.ceil(ends.max(axis=0) + spread).astype(int)
    grid = np.meshgrid(*(np.arange(a, b + 1) for a, b in zip(low, high, strict=True)), indexing="ij")
    return np.stack(grid, -1).reshape(-1, lattice.dimension).astype(np.int32)


def _axes(one: Body, other: Body, moved: Points) -> Points:
    """The directions across which bodies may be parted."""
    if len(moved) == 1:
        return np.ones((1, 1))
    if len(moved) == 2:
        return _distinct(_units(np.concatenate([one.normals, other.normals, [[-moved[1], moved[0]]]])))
    way = moved / np.linalg.norm(moved)
    own = np.concatenate([one.edges, way[None]])
    crossed = [np.cross(own[:, None], other.edges).reshape(-1, 3), np.cross(one.edges, way)]
    return _distinct(_units(np.concatenate([one.normals, other.normals, *crossed])))
