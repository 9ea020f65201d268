"""The drawings of cells at their places, with welded corners. All numbers come from the lattice file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.solution import Cell
from latcover.show.drawing.shapes.outlines import Points, Ring, padded, signed_area, split_at_corners, weld
from latcover.show.drawing.shapes.solids import area, outward

TOLERANCE = 1e-5  # of the size of a cell: corners closer than this are welded


def flat_dimension(lattice: Lattice) -> int:
    """The dimension of pictures: 3 for lattices in space, 2 for all others."""
    return 3 if lattice.dimension == 3 else 2


def cell_size(lattice: Lattice) -> float:
    """The longest side of the box around any cell of the lattice."""
    spans = [np.ptp(node.drawing.vertices, axis=0).max() for node in lattice.nodes if len(node.drawing.vertices)]
    return float(max([*spans, *(2 * node.drawing.radius for node in lattice.nodes)]))


def in_picture(lattice: Lattice, points: Points) -> Points:
    """Cartesian *points* with the coordinates of pictures; y is 0 for one-dimensional lattices."""
    return padded(points, flat_dimension(lattice))


def cells_array(lattice: Lattice, cells: Iterable[Cell]) -> Cells:
    return np.array(list(cells), dtype=np.int32).reshape(-1, lattice.dimension + 1)


class Corners:
    """The corners of many cells, welded.

    Attributes:
        points: Shape (n, 2 or 3), Cartesian.
        tolerance: Corners closer than this are welded.
    """

    def __init__(self, lattice: Lattice, cells: Sequence[Cell]) -> None:
        self.lattice = lattice
        self.tolerance = TOLERANCE * cell_size(lattice)
        self._templates = [rings_of_node(lattice, node) for node in range(len(lattice.nodes))]
        centres = in_picture(lattice, lattice.centres(cells_array(lattice, cells)))
        drawn = [centre + self._templates[cell[0]][0] for cell, centre in zip(cells, centres, strict=True)]
        places = np.concatenate(drawn) if drawn else np.zeros((0, flat_dimension(lattice)))
        self.points, self._index = weld(places, self.tolerance)
        starts = np.concatenate([[0], np.cumsum([len(corners) for corners in drawn])]).tolist()
        self._start = dict(zip(cells, starts, strict=False))

    def rings(self, cell: Cell) -> list[Ring]:
        """The polygons or faces of one cell; none for a ball."""
        start = self._start[cell]
        index = self._index
        return [tuple(int(index[start + v]) for v in ring) for ring in self._templates[cell[0]][1]]

    def joined(self, cells: Iterable[Cell]) -> list[Ring]:
        """The rings of several cells, with sides split so that sides that meet are equal."""
        rings = [ring for cell in cells for ring in self.rings(cell)]
        if rings and meets_in_part(self.lattice):
            return split_at_corners(rings, self.points, self.tolerance)
        return rings


@lru_cache(maxsize=1024)
def rings_of_node(lattice: Lattice, node: int) -> tuple[Points, tuple[Ring, ...]]:
    """The corners of a node relative to its centre, and its rings, anticlockwise (solids: as seen from outside).

    The rings leave out what is invisible in a drawing: repeated corners, and faces without an area.
    """
    drawing = lattice.nodes[node].drawing
    if not len(drawing.vertices):
        return np.zeros((0, flat_dimension(lattice))), ()
    corners = in_picture(lattice, drawing.vertices)
    tolerance = TOLERANCE * cell_size(lattice)
    faces = _without_repeats(corners, drawing.faces, tolerance)
    if flat_dimension(lattice) == 3:
        turned = outward(corners, faces)  # needs all faces, so the thin ones go later
        sizes = [area(corners, ring) for ring in turned]
    else:
        areas = [signed_area(corners[list(ring)]) for ring in faces]
        turned = tuple(ring if size >= 0 else ring[::-1] for ring, size in zip(faces, areas, strict=True))
        sizes = [abs(size) for size in areas]
    spans = [float(np.ptp(corners[list(ring)], axis=0).max()) for ring in turned]
    kept = zip(turned, sizes, spans, strict=True)
    return corners, tuple(ring for ring, size, span in kept if size > tolerance * span)


def _without_repeats(corners: Points, faces: Sequence[Ring], tolerance: float) -> tuple[Ring, ...]:
    """*faces* without corners at the place of the corner before them."""
    _, place = weld(corners, tolerance)
    first = np.unique(place, return_index=True)[1][place].tolist()  # the first corner at each place
    same = [[first[v] for v in ring] for ring in faces]
    kept = [[v for k, v in enumerate(ring) if v != ring[k - 1]] for ring in same]
    return tuple(tuple(ring or whole[:1]) for ring, whole in zip(kept, same, strict=True))


@lru_cache(maxsize=64)
def meets_in_part(lattice: Lattice) -> bool:
    """Whether some cell has a corner within a side of a neighbour, as in a brick wall."""
    origins = [(node, *(0,) * lattice.dimension) for node in range(len(lattice.nodes))]
    patch = set(origins)
    for _ in range(2):
        patch |= {there for cell in patch for there in lattice.neighbours(cell)}
    corners = Corners(lattice, sorted(patch))
    rings = [ring for cell in sorted(patch) for ring in corners.rings(cell)]
    return bool(rings) and split_at_corners(rings, corners.points, corners.tolerance) != rings
