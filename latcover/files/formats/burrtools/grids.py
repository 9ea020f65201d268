"""The space grids of BurrTools, and where their voxels lie on our lattices.

A voxel is a place (x, y, z) of an integer grid. Only some places hold a cell. The geometry of the grid says where the
centre of this cell lies in space. Our lattice draws the same tessellation, so the centre also tells which cell of our
lattice it is. The facts come from BurrTools' public notes on its grids and its format. `burrtools_turns.py` has its
rotations. tests/files/formats/test_burrtools_grids.py checks by geometry that neighbours in the grid are neighbours in
our lattice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.lattice import Cells, Lattice, Transformation

Places = npt.NDArray[np.int64]
Points = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
_PRISM = 0.75**0.5  # height of an equilateral triangle of side 1
_FROM_THE_MIDDLE = np.array(
    [0.0, 0.5, 0.75]
)  # of its cube, to the centre of a rhombic tetrahedron, by steps in the grid
# A sixth of a turn about each diagonal of the cube, times 3: the rotations that keep a layer of packed spheres, but not
# the stack of layers.
_DIAGONALS = ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))
SIXTHS_BY_3 = tuple(
    np.diag(signs) @ np.array([[2, -1, 2], [2, 2, -1], [-1, 2, 2]]) @ np.diag(signs) for signs in _DIAGONALS
)


class BurrToolsGrid(Struct, frozen=True):
    """One of BurrTools' grids.

    Attributes:
        name: What BurrTools builds with in it.
        lattice: The name of our lattice.
        rule: Which places hold a cell, in words.
        holds: Which of the places, shape (n, 3), hold a cell.
        centres: The centres of the cells at such places in the coordinates of our lattice's drawing, shape (n, 3).
        step: A shape that is moved along an axis is moved by a multiple of this many places.
    """

    name: str
    lattice: str
    rule: str
    holds: Callable[[Places], Bools]
    centres: Callable[[Places], Points]
    step: int = 1


def _everywhere(places: Places) -> Bools:
    return np.ones(len(places), np.bool_)


def _prisms(places: Places) -> Points:
    x, y, z = places.T
    inverted = (x + y) % 2
    return np.column_stack([0.5 + 0.5 * x, _PRISM * (y + (1 + inverted) / 3), z])


def _spheres(places: Places) -> Points:
    """Steps (1, 1, 0), (0, 1, 1) and (1, 0, 1) of the grid are the axes of our lattice."""
    x, y, z = places.T
    steps = np.column_stack([x + y - z, y + z - x, x + z - y]) / 2
    basis = np.array([[0.5, -_PRISM, 0], [1, 0, 0], [0.5, -_PRISM / 3, (2 / 3) ** 0.5]])
    return np.asarray(steps @ basis, dtype=np.float64)


def _rhombic_holds(places: Places) -> Bools:
    folded = np.sort(np.minimum(places % 5, 4 - places % 5), axis=1)
    return np.asarray((folded == [0, 1, 2]).all(axis=1), dtype=np.bool_)


def _rhombic(places: Places) -> Points:
    within = places % 5 - 2
    return np.asarray(2.0 * (places // 5) + np.sign(within) * _FROM_THE_MIDDLE[np.abs(within)], dtype=np.float64)


def _tetraocta_holds(places: Places) -> Bools:
    within = places % 3 - 1
    odd = (places // 3).sum(axis=1) % 2
    corner = (within != 0).all(axis=1) & (within.prod(axis=1) == 1 - 2 * odd)
    return np.asarray(corner | (within == 0).all(axis=1), dtype=np.bool_)


def _tetraocta(places: Places) -> Points:
    """Our lattice has the cube of the odd kind at the origin."""
    return np.asarray(2.0 * (places // 3 - [1, 0, 0]) + 0.5 * (places % 3 - 1), dtype=np.float64)


GRIDS = {
    0: BurrToolsGrid("cubes", "cubic", "every place holds one", _everywhere, lambda places: places.astype(np.float64)),
    1: BurrToolsGrid("triangular prisms", "triprism", "every place holds one", _everywhere, _prisms),
    2: BurrToolsGrid("spheres", "fcc", "x + y + z must be even", lambda places: places.sum(axis=1) % 2 == 0, _spheres),
    3: BurrToolsGrid(
        "rhombic tetrahedra",
        "rhombic",
        "in each cube of 5 places a side, the distances to the nearer faces must be 0, 1 and 2 in some order",
        _rhombic_holds,
        _rhombic,
        step=5,
    ),
    4: BurrToolsGrid(
        "tetrahedra and octahedra",
        "tetraocta",
        "in each cube of 3 places a side there are only the middle and every other corner",
        _tetraocta_holds,
        _tetraocta,
        step=3,
    ),
}


def cells_at(grid: BurrToolsGrid, lattice: Lattice, places: Places) -> Cells:
    """The cells of our lattice at *places* that hold one, shape (n, 4), in their order."""
    return cells_with(lattice, grid.centres(places))


def cells_with(lattice: Lattice, centres: Points) -> Cells:
    """The cells of our lattice with these centres, shape (n, 4), in their order."""
    inverse = np.linalg.inv(lattice.basis)
    cells = np.full((len(centres), 4), -1, np.int32)
    for number, node in enumerate(lattice.nodes):
        exact = (centres - np.array(node.position)) @ inverse
        vectors = np.rint(exact)
        here = (np.abs(exact - vectors) < 1e-6).all(axis=1)
        cells[here, 0] = number
        cells[here, 1:] = vectors[here]
    assert (cells[:, 0] >= 0).all(), "a place without a cell"
    return cells


class GridOnLattice(Struct, frozen=True, eq=False):
    """A grid on our lattice, in both directions: the place of a cell is a linear function for each node.

    Attributes:
        grid, lattice: The grid, and our lattice of its name.
        origins: The place of each node's cell in the unit at the origin, shape (n_nodes, 3).
        axes: By how many places a step along each axis of our lattice goes, shape (3, 3).
    """

    grid: BurrToolsGrid
    lattice: Lattice
    origins: Places
    axes: Places

    @classmethod
    def of(cls, grid: BurrToolsGrid, lattice: Lattice) -> GridOnLattice:
        """The frame, learned from a block of places."""
        block = np.array(list(product(range(max(4, 3 * grid.step)), repeat=3)))
        block = block[grid.holds(block)]
        place = dict(zip(map(tuple, cells_at(grid, lattice, block).tolist()), block, strict=True))
        units = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
        base = next(
            cell for cell in place if all((cell[0], *map(sum, zip(cell[1:], u, strict=True))) in place for u in units)
        )
        axes = np.array(
            [place[(base[0], *map(sum, zip(base[1:], u, strict=True)))] - place[base] for u in units], dtype=np.int64
        )
        origins = np.zeros((len(lattice.nodes), 3), np.int64)
        for cell, at in place.items():
            origins[cell[0]] = at - np.array(cell[1:]) @ axes
        return cls(grid, lattice, origins, axes)

    def places_of(self, cells: Cells) -> Places:
        """The places of *cells*, shape (n, 3); they may be negative."""
        places: Places = self.origins[cells[:, 0]] + cells[:, 1:].astype(np.int64) @ self.axes
        return places

    def to_the_corner(self, places: Places) -> Places:
        """By how much to move *places*, so that none is negative and the same shape is left, shape (3,)."""
        shift: Places = -(places.min(axis=0) // self.grid.step) * self.grid.step
        if not self.moves_by(shift):  # along one axis alone it may go by an even number of steps only
            shift[0] += self.grid.step
        assert self.moves_by(shift)
        return shift

    def moves_by(self, shift: Places) -> bool:
        """Whether a shape that is moved so keeps its cells as they are."""
        steps = shift @ np.linalg.inv(self.axes)
        return bool((np.abs(steps - np.rint(steps)) < 1e-6).all())


def motions_of(grid: BurrToolsGrid, lattice: Lattice, places: Places) -> tuple[Transformation, ...]:
    """What BurrTools may do to a shape: every rotation that leaves it on the grid.

    These are the rotations of the lattice. Spheres in one layer have more: a rotation may map their layer to itself,
    although it moves the layers beside it off the lattice. On the layer it acts like a reflection of the lattice.
    """
    return lattice.allowed("reflections" if grid.lattice == "fcc" and _in_a_layer(places) else "rotations")


def turns_off_the_lattice(grid: BurrToolsGrid, places: Places) -> bool:
    """Whether BurrTools has images of a shape that `motions_of` does not make.

    Only unconnected spheres have such images. In a connected shape, steps between touching spheres determine the
    lattice as soon as three of them are not in one plane.
    """
    if grid.lattice != "fcc":
        return False
    steps = places - places[0]
    ours = {_shape(steps @ turn.T * hand) for turn in _turns() for hand in ((1, -1) if _in_a_layer(places) else (1,))}
    turned = [steps @ third.T for third in SIXTHS_BY_3]
    return any(
        _shape(thrice // 3 @ turn.T) not in ours for thrice in turned if not (thrice % 3).any() for turn in _turns()
    )


def _in_a_layer(places: Places) -> bool:
    steps = places - places[0]
    return any(not (steps @ diagonal).any() for diagonal in _DIAGONALS)


@cache  # a file may have a thousand pieces, each of which asks
def _turns() -> list[Places]:
    """The 24 rotations of a cube."""
    axes = np.eye(3, dtype=np.int64)
    signed = [sign * axis for axis in axes for sign in (1, -1)]
    return [np.array([a, b, np.cross(a, b)]) for a in signed for b in signed if not a @ b]


def _shape(steps: Places) -> bytes:
    """Bytes that are equal for equal shapes, wherever they lie."""
    moved = steps - steps.min(axis=0)
    ordered: Places = moved[np.lexsort(moved.T)]
    return ordered.tobytes()
