"""All copies of shapes in the plane: orientations and translations, and the copies that hold a cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from latcover.lab.plane.prototiles import Cell, Prototiles, Tile


class Oriented(Struct, frozen=True):
    """An orientation of a shape: its image under a transformation, where that leaves it.

    Attributes:
        tile: The copy with shift 0.
        cells: Its cells, sorted.
    """

    tile: Tile
    cells: tuple[Cell, ...]

    def moved(self, by: tuple[int, ...]) -> tuple[Cell, ...]:
        """The cells of the copy that is shifted *by* so many units, sorted."""
        a, b = by
        return tuple((node, x + a, y + b) for node, x, y in self.cells)


class Copies(Struct, frozen=True, dict=True):
    """The copies of some prototiles.

    Two orientations of a shape are the same if a translation takes one to the other; the first transformation that
    gives an orientation stands for it.
    """

    prototiles: Prototiles

    @cached_property
    def orientations(self) -> tuple[Oriented, ...]:
        """The distinct orientations of each shape, by shape, then by transformation."""
        found: dict[tuple[int, tuple[Cell, ...]], Oriented] = {}
        lattice = self.prototiles.lattice
        for number, shape in enumerate(self.prototiles.shapes):
            for turn in sorted(lattice.number_of[t.labels] for t in shape.transformations):
                tile = Tile(number, turn, (0, 0))
                cells = tuple(sorted(self.prototiles.covered(tile)))
                found.setdefault((number, _at_origin(cells)), Oriented(tile, cells))
        return tuple(found.values())

    @cached_property
    def by_node(self) -> tuple[tuple[tuple[int, Cell], ...], ...]:
        """For each node the pairs of an orientation's index and one of its cells of that node."""
        pairs = [(k, cell) for k, oriented in enumerate(self.orientations) for cell in oriented.cells]
        nodes = range(len(self.prototiles.lattice.nodes))
        return tuple(tuple(pair for pair in pairs if pair[1][0] == node) for node in nodes)

    @cached_property
    def _index(self) -> dict[tuple[int, tuple[Cell, ...]], int]:
        return {(o.tile.shape, _at_origin(o.cells)): k for k, o in enumerate(self.orientations)}

    def holding(self, cell: Cell) -> Iterator[tuple[Tile, tuple[Cell, ...]]]:
        """Every copy that holds *cell*, with its cells."""
        for k, (_, x, y) in self.by_node[cell[0]]:
            oriented, shift = self.orientations[k], (cell[1] - x, cell[2] - y)
            yield oriented.tile.moved(shift), oriented.moved(shift)

    def named(self, shape: int, cells: Iterable[Cell]) -> Tile | None:
        """The copy of a shape that has just these cells; None if there is none."""
        own = tuple(sorted(cells))
        k = self._index.get((shape, _at_origin(own)))
        if k is None:
            return None
        oriented = self.orientations[k]
        there, here = own[0], oriented.cells[0]
        return oriented.tile.moved((there[1] - here[1], there[2] - here[2]))

    def surroundings(self, cells: Iterable[Cell]) -> frozenset[Cell]:
        """The cells that touch some of *cells*, along a side or at a corner, and are none of them."""
        own = frozenset(cells)
        return frozenset(near for cell in own for near in self.prototiles.touching(cell)) - own


def _at_origin(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Sorted cells, moved so that the first is in the unit at the origin; a translation keeps their order."""
    _, a, b = cells[0]
    return tuple((node, x - a, y - b) for node, x, y in cells)
