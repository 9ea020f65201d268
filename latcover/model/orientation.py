"""Orientations: the distinct images of a part under its allowed transformations, translations removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latcover.model.lattice import Cells, Transformation
from latcover.model.puzzle import Part

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Orientation:
    """An image of a part, moved so that its anchor, the least cell, lies in the unit at the origin.

    Attributes:
        cells: Its cells in anchor order, the anchor first, shape (k, dimension + 1), int32.
        colours: The colour of each cell, shape (k,), int32.
        sides: Rows ``(index of a cell, half-edge, side value)`` of the sides that are not flat, sorted, shape (m, 3).
        key: All of this as bytes: two orientations are equal if their keys are equal.
    """

    cells: Cells
    colours: Ints
    sides: Ints
    key: bytes


def moved_sides(sides: Ints, transformation: Transformation, position: Ints) -> Ints:
    """*sides* after *transformation*, sorted. Cell k of the part has become cell ``position[k]``."""
    if not len(sides):
        return sides
    labels = np.array(transformation.labels, dtype=np.int32)
    image = np.column_stack([position[sides[:, 0]], labels[sides[:, 1]], sides[:, 2]]).astype(np.int32)
    return image[np.lexsort(image.T[::-1])]


def oriented(part: Part, transformation: Transformation, axes: Sequence[int]) -> Orientation:
    """The image of *part* under *transformation*."""
    cells = transformation.apply(part.cells)
    by = np.lexsort([cells[:, 0], *(cells[:, 1 + axis] for axis in reversed(axes))])
    cells = cells[by]
    cells[:, 1:] -= cells[0, 1:].copy()
    position = np.empty(len(by), np.int32)
    position[by] = np.arange(len(by), dtype=np.int32)
    colours, sides = part.colours[by], moved_sides(part.sides, transformation, position)
    return Orientation(cells, colours, sides, cells.tobytes() + colours.tobytes() + sides.tobytes())


def orientations(part: Part, axes: Sequence[int]) -> list[Orientation]:
    """The distinct orientations of *part*, in the order of its transformations; the shape as written comes first.

    Args:
        part: The part.
        axes: The axes that order the cells, slowest first. The least cell of a shape is its anchor.
    """
    found: dict[bytes, Orientation] = {}
    for transformation in part.transformations:
        orientation = oriented(part, transformation, axes)
        found.setdefault(orientation.key, orientation)
    return list(found.values())
