"""Components of models made with puzzlecad: cubes, or wedges of cubes, and joints between them."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.errors import InputError

Vector = tuple[int, int, int]
Rotation = npt.NDArray[np.int64]  # a matrix of determinant 1, shape (3, 3)

DIRECTIONS: dict[str, Vector] = {
    "x+": (1, 0, 0),
    "x-": (-1, 0, 0),
    "y+": (0, 1, 0),
    "y-": (0, -1, 0),
    "z+": (0, 0, 1),
    "z-": (0, 0, -1),
}
WORDS = {vector: word for word, vector in DIRECTIONS.items()}


class SpecError(InputError):
    """A component that latcover cannot read."""


class Connector(Struct, frozen=True):
    """A joint on a side of a cube, or between two parts of cubes.

    Attributes:
        inside: A point of the component behind the joint: the cube, or the middle of what it stands on.
        outside: The point that this would be on the other side of the joint.
        arrow: A direction that shows how two connectors fit together; None if that is left open.
        male: Whether it stands out.
        label: The name that it shares with its counterpart; "" for none.
    """

    inside: Vector
    outside: Vector
    arrow: Vector | None
    male: bool
    label: str

    @property
    def face(self) -> Vector:
        """The direction that the joint faces."""
        return vector(np.subtract(self.outside, self.inside))

    def moved(self, rotation: Rotation, shift: npt.NDArray[np.int64]) -> Connector:
        """The connector after a motion."""
        inside, outside = (vector(rotation @ point + shift) for point in (self.inside, self.outside))
        arrow = None if self.arrow is None else vector(rotation @ self.arrow)
        return Connector(inside, outside, arrow, self.male, self.label)

    def fits(self, other: Connector) -> bool:
        """Whether the two lie face to face, male against female, with equal arrows."""
        return (
            self.male != other.male
            and self.label == other.label
            and other.inside == self.outside
            and other.outside == self.inside
            and other.arrow == self.arrow
        )


class Component(Struct, frozen=True):
    """Cubes, and the connectors on them.

    Attributes:
        in_wedges: Whether the cells are wedges of cubes, see `latcover.files.formats.puzzlecad.diagonal`.
    """

    cells: frozenset[Vector]
    connectors: tuple[Connector, ...] = ()
    in_wedges: bool = False

    def moved(self, rotation: Rotation, shift: npt.NDArray[np.int64]) -> Component:
        """The component after a motion."""
        cells = np.array(sorted(self.cells)) @ rotation.T + shift
        moved = tuple(c.moved(rotation, shift) for c in self.connectors)
        return Component(frozenset(map(vector, cells)), moved, self.in_wedges)


def vector(row: Any) -> Vector:
    """A row of three numbers as a vector."""
    x, y, z = map(int, row)
    return x, y, z


def added(*vectors: Vector) -> Vector:
    """The sum of some vectors."""
    x, y, z = map(sum, zip(*vectors, strict=True))
    return x, y, z


def rotations() -> list[Rotation]:
    """The 24 rotations of a cube, identity first."""
    found = []
    for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        matrix = np.zeros((3, 3), np.int64)
        matrix[range(3), order] = signs
        if round(float(np.linalg.det(matrix))) == 1:
            found.append(matrix)
    return found
