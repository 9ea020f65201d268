"""The axes about which the parts of a lattice may turn: those of its rotations along which its cells are prisms."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.lattice import CLOSE, Lattice, Transformation
from latcover.lab.assembly.sliding_sweeps import bodies

Points = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
SMALL = 1e-6


class Rotation(Struct, frozen=True, eq=False):
    """A rotation of the lattice by *angle*, in radians; a half turn counts once to the left and once to the right."""

    transformation: int
    angle: float


class Axis(Struct, frozen=True, eq=False):
    """An axis along which every cell is a prism, and all prisms lie in layers.

    Attributes:
        direction: A Cartesian unit vector; (0, 0, 1) for a flat lattice.
        plane: Two unit vectors across it, shape (2, dimension); with the axis they are right-handed.
        sections: The section of each node around its centre, in the plane, shape (n, 2), counterclockwise.
        layers: The layer of each node's cell in the unit at the origin, shape (n_nodes,).
        rises: How many layers a step along each axis of the lattice leads up, shape (dimension,).
        rotations: The lattice rotations about it.
    """

    direction: tuple[float, float, float]
    plane: Points
    sections: tuple[Points, ...]
    layers: Ints
    rises: Ints
    rotations: tuple[Rotation, ...]

    @property
    def edge(self) -> float:
        """The shortest edge of a section."""
        return min(float(np.linalg.norm(s - np.roll(s, 1, axis=0), axis=1).min()) for s in self.sections)


@lru_cache(maxsize=16)
def axes(lattice: Lattice) -> tuple[Axis, ...]:
    """All axes about which parts may turn; none if cells are no prisms, as balls are not: these only slide.

    Raises:
        UnsupportedError: see `latcover.lab.assembly.sliding_sweeps.bodies`.
    """
    if any(body.radius for body in bodies(lattice)) or lattice.dimension not in (2, 3):
        return ()
    about: dict[tuple[float, ...], list[Rotation]] = {}
    for number, transformation in enumerate(lattice.transformations):
        if number and transformation.proper:
            direction, angle = _turned(cartesian(lattice, transformation))
            key = tuple(float(x) for x in np.round(direction, 9) + 0.0)
            both = (angle, -angle) if np.pi - angle < SMALL else (angle,)
            about.setdefault(key, []).extend(Rotation(number, each) for each in both)
    found = (_axis(lattice, np.array(key), tuple(about[key])) for key in sorted(about))
    return tuple(axis for axis in found if axis is not None)


def cartesian(lattice: Lattice, transformation: Transformation) -> Points:
    """The matrix by which a transformation turns Cartesian row vectors."""
    matrix: Points = np.linalg.inv(lattice.basis) @ transformation.matrix.T @ lattice.basis
    return matrix


def _turned(rows: Points) -> tuple[Points, float]:
    """The axis of a rotation of row vectors, its first coordinate that is not zero positive; and the angle."""
    if len(rows) == 2:
        return np.array([0.0, 0.0, 1.0]), float(np.arctan2(rows[0, 1], rows[0, 0]))
    values, vectors = np.linalg.eig(rows.T)
    axis = np.real(vectors[:, np.abs(values - 1).argmin()])
    axis *= np.sign(axis[np.abs(axis) > SMALL][0])
    across = _across(axis)
    image = across[0] @ rows
    return axis, float(np.arctan2(image @ across[1], image @ across[0]))


def _across(axis: Points) -> Points:
    """Two unit vectors across a unit vector, right-handed with it."""
    first = np.cross(axis, np.eye(3)[np.abs(axis).argmin()])
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(axis, first)])


def _axis(lattice: Lattice, direction: Points, rotations: tuple[Rotation, ...]) -> Axis | None:
    unit = (float(direction[0]), float(direction[1]), float(direction[2]))
    if lattice.dimension == 2:
        plane, none = np.eye(2), np.zeros(2, np.int32)
        polygons = tuple(_ring(node.drawing.vertices[:, :2]) for node in lattice.nodes)
        return Axis(unit, plane, polygons, np.zeros(len(lattice.nodes), np.int32), none, rotations)
    plane = _across(direction)
    sections, heights = [], []
    for node in lattice.nodes:
        up = node.drawing.vertices @ direction
        low = up < (up.min() + up.max()) / 2
        flat = (np.abs(up - np.where(low, up.min(), up.max())) < CLOSE).all()
        if not flat:
            return None
        below, above = (_ring(node.drawing.vertices[part] @ plane.T) for part in (low, ~low))
        if below.shape != above.shape or np.abs(below - above).max() > CLOSE:
            return None
        sections.append(below)
        heights.append((up.min(), up.max()))
    height = heights[0][1] - heights[0][0]
    bottoms = np.array([low for low, _ in heights]) + lattice.positions @ direction
    layers, rises = (bottoms - bottoms[0]) / height, lattice.basis @ direction / height
    level = max(np.abs(x - np.rint(x)).max() for x in (layers, rises)) < CLOSE
    alike = all(abs(high - low - height) < CLOSE for low, high in heights)
    if not (level and alike):
        return None
    whole = np.rint(layers).astype(np.int32), np.rint(rises).astype(np.int32)
    return Axis(unit, plane, tuple(sections), *whole, rotations)


def _ring(points: Points) -> Points:
    """The corners of a convex polygon, counterclockwise, the first one of a fixed direction from their middle."""
    apart = points - points.mean(axis=0)
    angle = np.round(np.arctan2(apart[:, 1], apart[:, 0]), 4)
    ring: Points = points[np.argsort(angle, kind="stable")]
    return ring
