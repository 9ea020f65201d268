"""The points of a flat lattice at which just four cells meet."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from latcover.core.model.lattice import CLOSE, Lattice
from latcover.errors import UnsupportedError

Points = npt.NDArray[np.float64]
Star = tuple[tuple[int, ...], ...]  # cells (node, x, y); the first lies at the origin


@lru_cache(maxsize=64)
def stars_of_four(lattice: Lattice) -> tuple[Star, ...]:
    """The cells around each point at which four cells meet, up to translation.

    A cell is at a point if a corner or a side of its drawing is.

    Raises:
        UnsupportedError: the lattice is not flat, has no such points, or has others at which more cells meet.
    """
    if lattice.dimension != 2:
        raise UnsupportedError(
            f"points where four cells meet are known for flat lattices only, not for {lattice.name!r}"
        )
    stars = {
        _at_home(_cells_at(lattice, corner))
        for node, position in zip(lattice.nodes, lattice.positions, strict=True)
        for corner in node.drawing.vertices[:, :2] + position
    }
    most = max(map(len, stars), default=0)
    if most > 4:
        raise UnsupportedError(f"{most} cells meet at points of the lattice {lattice.name!r}, not four")
    if most < 4:
        raise UnsupportedError(f"no four cells meet at a point of the lattice {lattice.name!r}")
    return tuple(sorted(star for star in stars if len(star) == 4))


def _cells_at(lattice: Lattice, point: Points) -> list[tuple[int, ...]]:
    """The cells of the whole lattice whose drawings have *point* on their outline."""
    drawings = [node.drawing.vertices[:, :2] for node in lattice.nodes]
    farthest = max(float(np.linalg.norm(vertices, axis=1).max(initial=0)) for vertices in drawings) + CLOSE
    inverse = np.linalg.inv(lattice.basis)
    around = np.ceil(farthest * np.linalg.norm(inverse, axis=0)).astype(int)
    found = []
    for node, position in enumerate(lattice.positions):
        near = np.rint((point - position) @ inverse).astype(int)
        for step in product(*(range(x - reach, x + reach + 1) for x, reach in zip(near, around, strict=True))):
            ring = drawings[node] + position + np.array(step) @ lattice.basis
            if len(ring) and distance_to_outline(ring, point) <= CLOSE:
                found.append((node, *step))
    return found


def distance_to_outline(ring: Points, point: Points) -> float:
    """How far *point* is from the sides of a polygon with these corners, one after another."""
    ways = np.roll(ring, -1, axis=0) - ring
    along = np.clip(((point - ring) * ways).sum(axis=1) / (ways**2).sum(axis=1), 0, 1)
    return float(np.linalg.norm(ring + along[:, None] * ways - point, axis=1).min())


def _at_home(cells: list[tuple[int, ...]]) -> Star:
    """The same cells, moved so that the least is at the origin."""
    (_, x, y), *_ = cells = sorted(cells)
    return tuple((node, a - x, b - y) for node, a, b in cells)
