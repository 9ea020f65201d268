"""BurrTools' numbers of rotations, and where each of them takes a shape.

A stored solution says of each piece where its hotspot is, and the number of a rotation. The numbers come from public
tables of BurrTools. A rule gives the rotation of each number, but not the sixth turns of layers of spheres: these are
listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt

from latcover.core.model.lattice import Cells
from latcover.files.formats.burrtools.grids import SIXTHS_BY_3, GridOnLattice, Places, Points, cells_at, cells_with

Image = tuple[Cells, Places]
MOST_AT_ONCE = 1 << 18  # voxels that are turned together
MIDDLES = {"cubic": 0.0, "rhombic": 2.0, "tetraocta": 2.5}  # about which a rotation keeps the places of the grid
_X, _Y, _Z = (np.array(m) for m in ([[1, 0, 0], [0, 0, -1], [0, 1, 0]], [[0, 0, -1], [0, 1, 0], [1, 0, 0]],
                                    [[0, -1, 0], [1, 0, 0], [0, 0, 1]]))  # fmt: skip
# Number 24 + k of the spheres is number s % 24, after a sixth turn about diagonal s // 24; s is entry k.
_OF_LAYERS = (
    39, 26, 80, 78, 56, 53, 84, 88, 11, 6, 60, 50, 15, 5, 35, 40, 62, 59, 33, 32, 9, 12, 86, 87,
    2, 4, 13, 0, 1, 18, 3, 20, 22, 7, 16, 23, 8, 17, 10, 19, 21, 14, 51, 58, 55, 49, 48, 67,
    69, 52, 71, 54, 65, 70, 57, 64, 66, 61, 68, 63, 28, 30, 37, 24, 42, 25, 44, 27, 46, 29, 31, 47,
    41, 34, 43, 36, 45, 38, 82, 72, 74, 76, 75, 90, 77, 92, 79, 94, 73, 91, 93, 81, 95, 83, 89, 85,
)  # fmt: skip


@cache
def turns(lattice: str) -> Points:
    """The rotations of the grid of a lattice by their numbers, shape (n, 3, 3).

    They act on places; those of prisms act in space.
    """
    if lattice == "triprism":
        return np.array([_about_z(number % 6) @ np.diag([-1.0, 1.0, -1.0]) if number > 5 else _about_z(number)
                         for number in range(12)])  # fmt: skip
    if lattice != "fcc":
        firsts = (np.eye(3), _Y, _Y @ _Y, _Y @ _Y @ _Y, _Z, _Z @ _Z @ _Z)
        return np.array([first @ _power(_X, k) for first in firsts for k in range(4)], dtype=np.float64)
    half = np.array([[0, 0, 1], [0, -1, 0], [1, 0, 0]])
    third, quarter = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]), _power(_Y, 3)
    whole = [
        _power(_Z, k) @ first @ _power(half, twice)
        for first in (np.eye(3), third, quarter)
        for k in range(4)
        for twice in range(2)
    ]
    return np.array([*whole, *(whole[s % 24] @ SIXTHS_BY_3[s // 24] / 3 for s in _OF_LAYERS)], dtype=np.float64)


def _power(matrix: npt.NDArray[np.int64], exponent: int) -> npt.NDArray[np.int64]:
    return np.asarray(np.linalg.matrix_power(matrix, exponent))


def _about_z(sixths: int) -> Points:
    cosine, sine = np.cos(sixths * np.pi / 3), np.sin(sixths * np.pi / 3)
    return np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])


def images(frame: GridOnLattice, places: Places, hotspot: Places) -> Iterator[Image | None]:
    """Where each rotation takes a shape: its cells in the order of *places*, and the place of its hotspot.

    The whole image may be moved. None: it does not come to lie on the grid.
    """
    shape, numbers = np.vstack([places, hotspot]), turns(frame.grid.lattice)
    at_once = max(1, MOST_AT_ONCE // len(shape))
    for first in range(0, len(numbers), at_once):
        yield from _images(frame, shape, numbers[first : first + at_once])


def _images(frame: GridOnLattice, shape: Places, numbers: Points) -> Iterator[Image | None]:
    grid, lattice, n = frame.grid, frame.lattice, len(shape)
    if grid.lattice == "triprism":
        cells = cells_with(lattice, (grid.centres(shape) @ numbers.transpose(0, 2, 1)).reshape(-1, 3))
        spots = frame.places_of(cells[n - 1 :: n])
        yield from ((cells[k * n : k * n + n - 1], spots[k]) for k in range(len(numbers)))
        return
    middle = shape[-1] if grid.lattice == "fcc" else MIDDLES[grid.lattice]
    exact = (shape - middle) @ numbers.transpose(0, 2, 1) + middle
    found = np.rint(exact).astype(np.int64)
    held = grid.holds(found[:, :-1].reshape(-1, 3)).reshape(len(numbers), -1)
    whole = np.flatnonzero(np.hstack([held, (np.abs(exact - found) < 1e-6).all(axis=2)]).all(axis=1))
    cells = cells_at(grid, lattice, found[whole, :-1].reshape(-1, 3))
    row = {k: (n - 1) * r for r, k in enumerate(whole.tolist())}
    for k in range(len(numbers)):
        yield (cells[row[k] : row[k] + n - 1], found[k, -1]) if k in row else None
