"""The directions in which the parts of a lattice may slide."""

from __future__ import annotations

from functools import lru_cache
from math import gcd

import numpy as np
import numpy.typing as npt

from latcover.core.model.lattice import CLOSE, Cells, Drawing, Lattice
from latcover.errors import UnsupportedError

Vectors = npt.NDArray[np.int32]
Points = npt.NDArray[np.float64]
LARGEST = 24  # the greatest coordinate of a derived direction
SHORTEST = 1e-6  # edge
STRAIGHT = 1e-3  # sine of the greatest angle between an edge and its direction


@lru_cache(maxsize=16)
def directions(lattice: Lattice) -> Vectors:
    """One of each pair of opposite directions, shape (n, dimension), sorted.

    They are listed in the lattice's file; otherwise they are the primitive lattice vectors parallel to an edge of a
    drawing.

    Raises:
        UnsupportedError: the lattice lists none, and its drawings have no such edges or are only symbols.
    """
    found = set(map(_upright, lattice.slides))
    if not found and not lattice.symbolic:
        for node in lattice.nodes:
            for edge in edges(node.drawing, lattice.dimension):
                vector = primitive(edge, lattice.basis)
                if vector is not None:
                    found.add(_upright(vector))
    if not found:
        raise UnsupportedError(
            f"the lattice {lattice.name!r} does not say in which directions its parts can slide: its drawings have no "
            "edges along it; list them in its file, as in slides = [[1, 0, 0]]"
        )
    return np.array(sorted(found, reverse=True), np.int32)


def rises(lattice: Lattice, ways: Vectors) -> Points:
    """What a step along each axis is in steps of each direction, shape (n directions, dimension)."""
    along = ways @ lattice.basis
    scaled: Points = (along @ lattice.basis.T) / (along**2).sum(axis=1)[:, None]
    return scaled


def reaches(lattice: Lattice, ways: Vectors, cells: Cells) -> tuple[Points, Points]:
    """How far each cell reaches along each direction, in its steps: low and high, shape (n cells, n ways) each."""
    along = ways @ lattice.basis
    scale = along / (along**2).sum(axis=1)[:, None]
    low, high = np.empty((2, len(lattice.nodes), len(ways)))
    for u, node in enumerate(lattice.nodes):
        if node.drawing.radius:
            high[u] = node.drawing.radius * np.linalg.norm(scale, axis=1)
            low[u] = -high[u]
        else:
            reach = node.drawing.vertices[:, : lattice.dimension] @ scale.T
            low[u], high[u] = reach.min(axis=0), reach.max(axis=0)
    at = lattice.centres(cells) @ scale.T
    return at + low[cells[:, 0]], at + high[cells[:, 0]]


def edges(drawing: Drawing, dimension: int) -> Points:
    """The edges of a drawing as vectors, shape (n, dimension)."""
    if dimension == 1:
        return np.ones((int(len(drawing.vertices) > 0), 1))
    rings = [drawing.vertices[list(face)] for face in drawing.faces]
    found: Points = np.concatenate([np.roll(r, -1, axis=0) - r for r in rings] or [np.empty((0, dimension))])
    long: Points = found[np.linalg.norm(found, axis=1) > SHORTEST]
    return long


def primitive(edge: Points, basis: Points) -> tuple[int, ...] | None:
    """The shortest lattice vector parallel to *edge*, in steps; None if its coordinates are large."""
    vector = edge @ np.linalg.inv(basis)
    most = np.abs(vector).max()
    near = min(CLOSE, STRAIGHT * float(np.linalg.norm(edge)))
    for factor in range(1, LARGEST + 1):
        whole = np.rint(vector * (factor / most))
        if np.linalg.norm((vector - whole * (most / factor)) @ basis) < near:
            numbers = [int(x) for x in whole]
            return tuple(x // gcd(*numbers) for x in numbers)
    return None


def _upright(vector: tuple[int, ...]) -> tuple[int, ...]:
    """The vector or its opposite, such that its first nonzero coordinate is positive."""
    return vector if next(x for x in vector if x) > 0 else tuple(-x for x in vector)
