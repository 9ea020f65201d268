"""The mirror image of a part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from latcover.model.lattice import Lattice, Transformation
from latcover.model.orientation import orientations_of_each
from latcover.model.puzzle import Part


def reflection(lattice: Lattice) -> Transformation | None:
    """The reflection that makes mirror images: the first that the lattice's file names; None if there is none."""
    every = (*lattice.generators.values(), *lattice.transformations)
    return next((transformation for transformation in every if not transformation.proper), None)


def mirror_image(part: Part, lattice: Lattice) -> Part | None:
    """The same part as a mirror shows it, with its colours and sides; None if the lattice has no reflection."""
    mirror = reflection(lattice)
    if mirror is None:
        return None
    cells = mirror.apply(part.cells)
    cells[:, 1:] += part.cells[:, 1:].min(axis=0) - cells[:, 1:].min(axis=0)
    sides = part.sides.copy()
    if len(sides):
        sides[:, 1] = np.array(mirror.labels, np.int32)[sides[:, 1]]
    return replace(part, cells=cells, sides=sides)


def hands(parts: Sequence[Part], lattice: Lattice) -> list[bytes]:
    """A key for each part: two parts have the same one if a rotation takes one to the other, with colours and sides."""
    turned = [replace(part, transformations=lattice.allowed("rotations")) for part in parts]
    found = orientations_of_each(turned, range(lattice.dimension))
    return [min(orientation.key for orientation in each) for each in found]
