"""Orientations: the distinct images of a part under its allowed transformations, translations removed; mirror images.

Parts with equally many cells and sides are moved together, as arrays: a puzzle has thousands of images.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Cells, Lattice, Transformation, apply_each
from latcover.core.model.puzzle import Part

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
MOST_AT_ONCE = 1 << 19  # cells that are moved together


class Orientation(Struct, frozen=True, eq=False):
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

    @property
    def is_box(self) -> bool:
        """Whether its cells, on a lattice of one node, fill a box."""
        return bool(len(self.cells) == (np.ptp(self.cells[:, 1:], axis=0) + 1).prod())


class Images(Struct, frozen=True, eq=False):
    """The images of some parts under some transformations. All of these parts have k cells and m sides.

    Attributes:
        cells: Shape (n_parts, n_transformations, k, dimension + 1), int32, as in an `Orientation`.
        colours: Shape (n_parts, n_transformations, k), int32.
        sides: Shape (n_parts, n_transformations, m, 3), int32.
        order: Which cell of the part each cell of an image is, shape (n_parts, n_transformations, k), int64.
    """

    cells: Cells
    colours: Ints
    sides: Ints
    order: Longs

    def keys(self) -> list[list[bytes]]:
        """The key of each image of each part, as in an `Orientation`."""
        n_images = self.cells.shape[1]
        rows = self.rows()
        data, width = rows.tobytes(), rows.itemsize
        of_part = range(0, n_images * width, width)
        return [[data[a + b : a + b + width] for b in of_part] for a in range(0, len(data), n_images * width)]

    def rows(self, repainted: Ints | None = None, values: Ints | None = None) -> npt.NDArray[np.bytes_]:
        """The same as an array, shape (n_parts, n_transformations), after an exchange of colours and values.

        The arrays say what each colour and each value of sides becomes; None changes nothing.
        """
        n_parts, n_images = self.cells.shape[:2]
        colours = self.colours if repainted is None else repainted[self.colours]
        sides = self.sides
        if values is not None and sides.size:
            sides = np.concatenate([sides[..., :2], values[sides[..., 2:]]], axis=-1)
        arrays = [array.reshape(n_parts * n_images, -1) for array in (self.cells, colours, sides)]
        rows = np.concatenate(arrays, axis=1, dtype=np.int32)
        # Bytes of one length are compared as such: the zeros at their end count like those within.
        return rows.view(f"S{4 * rows.shape[1]}").reshape(n_parts, n_images)


def images(parts: Sequence[Part], transformations: Sequence[Transformation], axes: Sequence[int]) -> Images:
    """The image of each part under each transformation. The parts have equally many cells, and equally many sides.

    *axes* order the cells, slowest first. The least cell of a shape is its anchor.
    """
    cells = np.stack([part.cells for part in parts])
    nodes, vectors = (array.swapaxes(0, 1) for array in apply_each(transformations, cells))
    order = _anchor_order(nodes, vectors, axes)
    vectors = np.take_along_axis(vectors, order[..., None], axis=2)
    vectors -= vectors[:, :, :1].copy()
    moved = np.concatenate([np.take_along_axis(nodes, order, axis=2)[..., None], vectors], axis=3, dtype=np.int32)
    colours = np.stack([part.colours for part in parts])[np.arange(len(parts))[:, None, None], order]
    return Images(moved, colours, _sides_of_images(parts, transformations, order), order)


def _anchor_order(nodes: Ints, vectors: Ints, axes: Sequence[int]) -> Longs:
    """What sorts the cells of each image by *axes*, slowest first, and then by node."""
    low = vectors.min(axis=2, keepdims=True)
    spans = (vectors - low).reshape(-1, len(axes)).max(axis=0).astype(object) + 1
    n_nodes = int(nodes.max()) + 1
    if int(np.prod(spans)) * n_nodes >= 1 << 62:  # cells too far apart to be numbered
        by_axis = (vectors[..., axis] for axis in reversed(axes))
        far: Longs = np.lexsort([nodes, *by_axis], axis=-1)
        return far
    code = np.zeros(nodes.shape, np.int64)
    for axis in axes:
        code = code * int(spans[axis]) + (vectors[..., axis] - low[..., axis])
    order: Longs = np.argsort(code * n_nodes + nodes, axis=2)
    return order


def _sides_of_images(parts: Sequence[Part], transformations: Sequence[Transformation], order: Longs) -> Ints:
    sides = np.stack([part.sides for part in parts])[:, None]
    if not sides.shape[2]:
        return np.empty((*order.shape[:2], 0, 3), np.int32)
    position = np.argsort(order, axis=2).astype(np.int32)
    here = np.arange(len(parts))[:, None, None]
    there = np.arange(len(transformations))[None, :, None]
    labels = np.array([t.labels for t in transformations], dtype=np.int32)
    columns = [position[here, there, sides[..., 0]], labels[there, sides[..., 1]]]
    values = np.broadcast_to(sides[..., 2], columns[0].shape)
    by = np.lexsort([values, columns[1], columns[0]], axis=-1)
    return np.stack([np.take_along_axis(column, by, axis=2) for column in (*columns, values)], axis=3)


def in_batches(parts: Sequence[Part], n_images: int) -> Iterator[list[int]]:
    """The indices of parts that `images` may take together; *n_images* is the number of transformations."""

    def shape(index: int) -> tuple[int, int]:
        return parts[index].size, len(parts[index].sides)

    for (size, _), members in groupby(sorted(range(len(parts)), key=shape), shape):
        alike = list(members)
        most = max(1, MOST_AT_ONCE // (size * n_images))
        yield from (alike[first : first + most] for first in range(0, len(alike), most))


def orientations(part: Part, axes: Sequence[int]) -> list[Orientation]:
    """The distinct orientations of *part*, in the order of its transformations; *axes* as for `images`."""
    return orientations_of_each([part], axes)[0]


def orientations_of_each(parts: Sequence[Part], axes: Sequence[int]) -> list[list[Orientation]]:
    """The orientations of each of *parts*, as `orientations` lists them."""
    found: list[list[Orientation]] = [[] for _ in parts]
    groups: dict[tuple[tuple[int, ...], ...], list[int]] = {}
    for index, part in enumerate(parts):
        groups.setdefault(tuple(t.labels for t in part.transformations), []).append(index)
    for members in groups.values():
        transformations = parts[members[0]].transformations
        for batch in in_batches([parts[index] for index in members], len(transformations)):
            together = [members[k] for k in batch]
            moved = images([parts[index] for index in together], transformations, axes)
            for p, (index, keys) in enumerate(zip(together, moved.keys(), strict=True)):
                first: dict[bytes, int] = {}
                for k, key in enumerate(keys):
                    first.setdefault(key, k)
                found[index] = [
                    Orientation(moved.cells[p, k], moved.colours[p, k], moved.sides[p, k], key)
                    for key, k in first.items()
                ]
    return found


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
    return [min(o.key for o in each) for each in orientations_of_each(turned, range(lattice.dimension))]
