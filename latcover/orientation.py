"""Orientations: the distinct images of a part under what it may do, translations removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latcover.lattice import Cells
from latcover.puzzle import Part


@dataclass(frozen=True, slots=True, eq=False)
class Orientation:
    """An image of a part, moved so that its anchor, the least cell, lies in the unit at the origin.

    Attributes:
        cells: In anchor order, the anchor first, shape (k, dimension + 1), int32.
        colours: Of each cell, shape (k,), int32.
        key: The same as bytes: two orientations are equal when their keys are.
    """

    cells: Cells
    colours: npt.NDArray[np.int32]
    key: bytes


def normalised(cells: Cells, colours: npt.NDArray[np.int32], axes: Sequence[int]) -> tuple[Orientation, int]:
    """Remove the translation from *cells*; also give the index in *cells* of the one that becomes the anchor."""
    by = np.lexsort([cells[:, 0], *(cells[:, 1 + axis] for axis in reversed(axes))])
    cells = cells[by]
    cells[:, 1:] -= cells[0, 1:].copy()
    return Orientation(cells, colours[by], cells.tobytes() + colours[by].tobytes()), int(by[0])


def orientations(part: Part, axes: Sequence[int]) -> list[Orientation]:
    """The distinct orientations of *part*, in the order of its transformations; the shape as written comes first.

    Args:
        part: The part.
        axes: By which cells are compared, slowest first; decides which cell of a shape is its anchor.
    """
    found: dict[bytes, Orientation] = {}
    for transformation in part.transformations:
        orientation, _ = normalised(transformation.apply(part.cells), part.colours, axes)
        found.setdefault(orientation.key, orientation)
    return list(found.values())
