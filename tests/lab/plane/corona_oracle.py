"""Brute force for coronas: it puts a copy on each cell around a patch, one after the other, in every way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from latcover.lab.plane.prototiles import Cell, Prototiles, Tile

Tiles = frozenset[Tile]


class CoronaOracle:
    """All ways to surround the first of some shapes."""

    def __init__(self, prototiles: Prototiles) -> None:
        self.prototiles = prototiles
        self.cells: dict[Tile, frozenset[Cell]] = {}
        self.holding: dict[Cell, list[Tile]] = {}

    def number(self, most: int, *, hole_in_last: bool = False) -> int:
        """How often the shape can be surrounded, at most *most* times."""
        middle = Tile(0, 0, (0, 0))
        return max(self._further((frozenset([middle]),), most, hole_in_last), default=0)

    def _further(self, coronas: tuple[Tiles, ...], most: int, hole_in_last: bool) -> Iterator[int]:
        yield len(coronas) - 1
        if len(coronas) > most:
            return
        best = 0
        for corona in set(self._around(coronas)):
            hollow = self._has_hole(frozenset().union(*coronas, corona))
            if not hollow:
                best = max(best, *self._further((*coronas, corona), most, hole_in_last))
            elif hole_in_last:
                best = max(best, len(coronas))
            if best == most:
                break
        yield best

    def _around(self, coronas: tuple[Tiles, ...]) -> Iterator[Tiles]:
        """Each corona around those that are there."""
        covered = {cell for tile in frozenset().union(*coronas) for cell in self._cells(tile)}
        earlier = {cell for tile in frozenset().union(*coronas[:-1]) for cell in self._cells(tile)}
        rim = {cell for tile in coronas[-1] for cell in self._touching(self._cells(tile))} - covered
        before = self._touching(frozenset(earlier))

        def fill(open_cells: frozenset[Cell], taken: frozenset[Cell], used: Tiles) -> Iterator[Tiles]:
            if not open_cells:
                yield used
                return
            for tile in self._holding(min(open_cells)):
                own = self._cells(tile)
                if not own & taken and not own & before:
                    yield from fill(open_cells - own, taken | own, used | {tile})

        yield from fill(frozenset(rim), frozenset(covered), frozenset())

    def _cells(self, tile: Tile) -> frozenset[Cell]:
        if tile not in self.cells:
            self.cells[tile] = self.prototiles.covered(tile)
        return self.cells[tile]

    def _holding(self, cell: Cell) -> list[Tile]:
        """Every copy that holds *cell*, once."""
        if cell not in self.holding:
            found: dict[frozenset[Cell], Tile] = {}
            lattice = self.prototiles.lattice
            for number, shape in enumerate(self.prototiles.shapes):
                for turn in shape.transformations:
                    first = Tile(number, lattice.number_of[turn.labels], (0, 0))
                    for node, *at in self._cells(first):
                        if node == cell[0]:
                            tile = first.moved([there - here for there, here in zip(cell[1:], at, strict=True)])
                            found.setdefault(self._cells(tile), tile)
            self.holding[cell] = sorted(found.values())
        return self.holding[cell]

    def _touching(self, cells: frozenset[Cell]) -> set[Cell]:
        return {near for cell in cells for near in self.prototiles.touching(cell)} - cells

    def _has_hole(self, tiles: Tiles) -> bool:
        covered = {cell for tile in tiles for cell in self._cells(tile)}
        lattice = self.prototiles.lattice
        spans = [range(min(c[k] for c in covered) - 3, max(c[k] for c in covered) + 4) for k in (1, 2)]
        left = {(node, x, y) for node, x, y in product(range(len(lattice.nodes)), *spans)} - covered
        queue = [(0, spans[0][0], spans[1][0])]
        for cell in queue:
            for near in lattice.neighbours(cell):
                if near in left:
                    left.remove(near)  # type: ignore[arg-type]
                    queue.append(near)  # type: ignore[arg-type]
        return bool(left)
