"""The cells among which an unknown region is looked for.

Take a region of n cells, which hangs together and is filled by m tiles. A chain of tiles that touch leads from any
cell of it to any other. Two cells of a tile are at most d steps apart (d: the largest distance within the tile), and a
step leads from a tile to the next. So any two cells of the region are at most m (d + 1) - 1 steps apart: its *reach*.
If several shapes fill it, the least of their reaches holds.

- Without symmetry, a translation takes the least unit that the region meets to the origin. So the window holds the
  units that are not before the origin, and of them the cells within the reach of a cell of the origin, one of which is
  filled.
- With a group of symmetries about a centre, a cell and its images belong to the region together. So the window holds
  the cells that are within the reach of all their images.
- With a mirror alone, translations along the mirror are left. The first condition then holds as well, for a linear
  order that the mirror keeps.
- On squares each further tile makes width and height together larger by at most a + b - 1, where its own are a and b:
  it meets the others along a side. If the axes may be exchanged, we take the width to be at most the height, so it is
  at most half of this.

Where a set of shapes fills the region, we take those tiles that have its area and reach the farthest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np
from msgspec import Struct

from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Part
from latcover.core.model.solution import Cell
from latcover.errors import TooLargeError, UnsupportedError
from latcover.lab.exploring.layers import Layer
from latcover.lab.exploring.symmetries import Symmetry


class Window(Struct, frozen=True):
    """Cells, by orbits under the symmetries of the region.

    Attributes:
        cells: All of them, sorted.
        orbits: The orbit of each cell, numbered from 0.
        anchors: Cells of which one at least belongs to the region; empty if any will do.
    """

    cells: tuple[Cell, ...]
    orbits: tuple[int, ...]
    anchors: frozenset[Cell]


class Distances:
    """How many steps lead from a cell to others."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        self._steps = [
            [(edge.target, edge.step) for edge in lattice.half_edges if edge.node == node]
            for node in range(len(lattice.nodes))
        ]

    def within(self, starts: Iterable[Cell], most: int, most_cells: int | None = None) -> dict[Cell, int]:
        """The cells at most so many steps away from some of *starts*.

        Raises:
            TooLargeError: there are more than *most_cells*.
        """
        found = dict.fromkeys(starts, 0)
        queue = list(found)
        for cell in queue:
            if found[cell] == most:
                continue
            for target, step in self._steps[cell[0]]:
                there = (target, *(x + s for x, s in zip(cell[1:], step, strict=True)))
                if there not in found:
                    found[there] = found[cell] + 1
                    queue.append(there)
            if most_cells is not None and len(found) > most_cells:
                raise TooLargeError(f"there are more than {most_cells:,} cells within {most:,} steps")
        return found

    def across(self, part: Part) -> int:
        """The largest distance between two cells of a shape."""
        cells = [tuple(row) for row in part.cells.tolist()]
        most = 0
        for cell in cells:
            around = self.within([cell], len(cells) - 1)
            most = max(most, *(around[other] for other in cells))
        return most


def reach_of(layers: Sequence[Layer], area: int, distances: Distances) -> int:
    """How far apart two cells of a region of this area can be, if each of *layers* fills it."""
    return min(layer.most(area, [distances.across(shape) + 1 for shape in layer.shapes]) for layer in layers) - 1


def window_of(
    layers: Sequence[Layer], area: int, symmetry: Symmetry, distances: Distances, most_cells: int | None = None
) -> Window:
    """Where to look for a connected region of this area and symmetry, up to translation.

    Raises:
        TooLargeError: the region may reach farther than *most_cells* cells.
    """
    lattice, reach = symmetry.lattice, reach_of(layers, area, distances)
    if len(symmetry.motions) == 1:
        origin = [(node, *(0,) * lattice.dimension) for node in range(len(lattice.nodes))]
        last = _half(layers, area, lattice)
        near = distances.within(origin, reach, most_cells)
        cells = sorted(c for c in near if c[1:] >= origin[0][1:] and (last is None or c[1] <= last))
        return Window(tuple(cells), tuple(range(len(cells))), frozenset(origin))
    return _symmetric(symmetry, reach, distances, most_cells)


def box_window(sides: Sequence[int], symmetry: Symmetry) -> Window:
    """The cells of a box of so many units along the axes about the symmetry's centre, whose images lie there too."""
    lattice, more = symmetry.lattice, int(len(symmetry.motions) > 1)
    spans = [range(-(side // 2) * more, side - (side // 2) * more + more) for side in sides]
    cells = [(node, *at) for node in range(len(lattice.nodes)) for at in product(*spans)]
    return _by_orbits(cells, symmetry, frozenset())


def _half(layers: Sequence[Layer], area: int, lattice: Lattice) -> int | None:
    """The largest coordinate along the first axis if the axes may be exchanged; None if there is no bound."""
    plain = all(sum(map(abs, edge.step)) <= 1 for edge in lattice.half_edges) and len(lattice.nodes) == 1
    motions = layers[0].shapes[0].transformations
    if not plain or lattice.dimension != 2 or not any(not t.matrix[0, 0] and not t.matrix[1, 1] for t in motions):
        return None
    wider = [[int(np.ptp(s.cells[:, 1:], axis=0).sum()) + 1 for s in layer.shapes] for layer in layers]
    both = min(layer.most(area, values) for layer, values in zip(layers, wider, strict=True)) + 1
    return both // 2 - 1


def _symmetric(symmetry: Symmetry, reach: int, distances: Distances, most_cells: int | None) -> Window:
    lattice = symmetry.lattice
    nodes, spans = range(len(lattice.nodes)), range(-reach - 2, reach + 3)
    tables = [distances.within([(node, *(0,) * lattice.dimension)], reach, most_cells) for node in nodes]
    cells = np.array([(node, *at) for node in nodes for at in product(spans, repeat=lattice.dimension)], np.int32)
    offsets = symmetry.images(cells)
    offsets[:, :, 1:] -= cells[None, :, 1:]
    near = [
        tuple(cell)
        for cell, away in zip(cells.tolist(), offsets.transpose(1, 0, 2).tolist(), strict=True)
        if all(tuple(image) in tables[cell[0]] for image in away)
    ]
    if not symmetry.free_directions:
        return _by_orbits(near, symmetry, frozenset())
    rank, period = _order_along(symmetry)
    ranks = {cell: sum(a * x for a, x in zip(rank, cell[1:], strict=True)) for cell in near}
    anchors = [cell for cell in near if 0 <= ranks[cell] < period]
    reached = distances.within(anchors, reach)
    return _by_orbits([c for c in near if ranks[c] >= 0 and c in reached], symmetry, frozenset(anchors))


def _order_along(symmetry: Symmetry) -> tuple[list[int], int]:
    """A linear order of the units that the motions keep, and by how much the least translation along it changes it.

    Raises:
        UnsupportedError: there are several independent ones.
    """
    if symmetry.free_directions > 1:
        raise UnsupportedError("regions in space with a single mirror are not looked for; ask for more symmetries")
    matrices = [symmetry.lattice.transformations[number].matrix for number, _ in symmetry.motions]
    total = np.sum(matrices, axis=0)  # of rank 1: a translation that all motions keep, times such an order
    rank = total[np.abs(total).sum(axis=1).argmax()]
    move = total[:, np.abs(total).sum(axis=0).argmax()]
    rank, move = rank // np.gcd.reduce(rank), move // np.gcd.reduce(move)
    return rank.tolist(), abs(int(rank @ move))


def _by_orbits(cells: Sequence[Cell], symmetry: Symmetry, anchors: frozenset[Cell]) -> Window:
    """The window of those *cells* whose images are all among them."""
    if not cells:
        return Window((), (), anchors)
    ordered = sorted(cells)
    index = {cell: k for k, cell in enumerate(ordered)}
    images = symmetry.images(np.array(ordered, np.int32)).tolist()
    kept, orbits, number = [], [], dict[int, int]()
    for k, cell in enumerate(ordered):
        places = [index.get(tuple(image[k])) for image in images]
        if None not in places:
            kept.append(cell)
            orbits.append(number.setdefault(min(p for p in places if p is not None), len(number)))
    return Window(tuple(kept), tuple(orbits), anchors & frozenset(kept))
