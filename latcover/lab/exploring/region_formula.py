"""An unknown region that several layers fill, as clauses.

A variable for each cell says whether the region holds it, and one for each place of each shape whether a tile lies
there. A cell is held if and only if exactly one tile of each layer covers it. Each shape of a set is used. Cells that
the symmetries of the region exchange share a variable. If the tilings shall have these symmetries too, so do tiles:
then the clauses are those of the quotient, and much larger regions are found.

Three kinds of variables serve to count: the bits of the number of the tile at a cell, so that there are not two; for
each cell, whether a tile of some layer has it as its least; and how many of these there are among the first ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.clauses import Clause
from latcover.core.model.orientation import orientations
from latcover.core.model.puzzle import Part
from latcover.core.model.solution import Cell
from latcover.lab.exploring.layers import Layer, Layers
from latcover.lab.exploring.symmetries import Symmetry
from latcover.lab.exploring.windows import Window

FEW = 5  # variables of which pairs say that at most one is true

Rows = npt.NDArray[np.int64]
Tile = tuple[Cell, ...]
Take = Callable[[list[Clause]], object]


class Cut(Struct, frozen=True):
    """What a region must not be: it must leave a cell of *full* empty, or fill a cell of *empty*."""

    full: frozenset[Cell]
    empty: frozenset[Cell]


class Wanted(Struct, frozen=True):
    """What region is wanted.

    Attributes:
        window: The cells among which it lies.
        symmetry: The symmetries that it has.
        tiled: Whether its tilings have them too.
        most: The most cells; None is no bound.
    """

    window: Window
    symmetry: Symmetry
    tiled: bool = False
    most: int | None = None


class Tiles(Struct, frozen=True, eq=False):
    """The places of a shape.

    Attributes:
        cells: Their cells, as numbers of the window's, shape (n, size), each row sorted.
        variables: The variable of each.
    """

    cells: Rows
    variables: Rows


class Counted(Struct, frozen=True, eq=False):
    """Variables that count others.

    Attributes:
        layer: That of the tiles that are counted; None if it is cells.
        inputs: What is counted. Of tiles it is the cell which is the least of one.
        counts: Whether at least j + 1 of the first i + 1 inputs are true, shape (n, most).
    """

    layer: int | None
    inputs: tuple[int, ...]
    counts: Rows


class RegionFormula:
    """The clauses of a wanted region.

    Args:
        take: Is given all clauses, as they are made.
    """

    def __init__(self, layers: Layers, wanted: Wanted, take: Take) -> None:
        self.wanted, self.orbits, self._take = wanted, wanted.window.orbits, take
        self._cells = np.array(wanted.window.cells, np.int64).reshape(-1, wanted.symmetry.lattice.dimension + 1)
        self.top = max(self.orbits, default=-1) + 1  # the last variable; that of an orbit of cells is its number + 1
        self._grid = _Grid(self._cells)
        self.tiles: list[list[Tiles]] = []  # of each layer and shape
        self.bits: list[tuple[int, list[int]]] = []  # of each layer, variables that number the tiles at a cell
        self.starts: dict[int, int] = {}  # the variables of cells that are the least of a tile
        self.counted: Counted | None = None
        for layer in layers.layers:
            self._add_layer(layer)
        self._take_anchors()
        if layers.apart:
            for one, other in zip(*self.tiles, strict=True):
                pairs = zip(one.variables.tolist(), other.variables.tolist(), strict=True)
                take([[-a, -b] for a, b in pairs])
        if wanted.most is not None:
            self._bound_area(layers.layers, wanted.most)

    def _take_anchors(self) -> None:
        """Some anchor is held; an empty window holds no region."""
        window = self.wanted.window
        held = {
            o + 1 for c, o in zip(window.cells, self.orbits, strict=True) if not window.anchors or c in window.anchors
        }
        if held:
            self._take([sorted(held)])
        else:
            impossible = self._new()
            self._take([[-impossible], [impossible]])

    def _add_layer(self, layer: Layer) -> None:
        """A tile for each place; of those that cover a held cell exactly one is there."""
        number = len(self.tiles)
        of_items = np.array(self.orbits, np.int64) if self.wanted.tiled else np.arange(len(self.orbits))
        covering: dict[int, set[int]] = defaultdict(set)
        self.tiles.append([])
        for shape in layer.shapes:
            tiles = self._grid.tiles_of(shape)
            numbers = np.arange(len(tiles))
            if self.wanted.tiled:
                tiles, numbers = self._tiles_by_orbits(tiles)
            variables = numbers + self.top + 1
            self.top = max(self.top, int(variables.max(initial=0)))
            self.tiles[-1].append(Tiles(tiles, variables))
            for variable, cells in zip(variables.tolist(), of_items[tiles].tolist(), strict=True):
                for item in cells:
                    covering[item].add(variable)
            if len(layer.shapes) > 1:
                self._take([np.unique(variables).tolist()])
        held = {item: orbit + 1 for item, orbit in zip(of_items.tolist(), self.orbits, strict=True)}
        for item, cell in held.items():
            holders = sorted(covering[item])
            self._take([[-cell, *holders], *([-holder, cell] for holder in holders)])
            self._take_one(number, holders)

    def _tiles_by_orbits(self, tiles: Rows) -> tuple[Rows, Rows]:
        """The tiles whose images are tiles that do not overlap, and the numbers of their orbits."""
        if not len(tiles):
            return tiles, np.arange(0)
        moved = self.wanted.symmetry.images(self._cells.astype(np.int32)).astype(np.int64)
        images = np.sort(np.stack([self._grid.places(image) for image in moved])[:, tiles], axis=2)
        keys = np.ascontiguousarray(images.reshape(-1, images.shape[2])).view(f"V{8 * images.shape[2]}").ravel()
        distinct, inverse = np.unique(keys, return_inverse=True)
        known = np.full(len(distinct), -1)
        own = inverse[: len(tiles)]  # the identity is the first of the motions
        known[own] = np.arange(len(tiles))
        numbers = known[inverse].reshape(len(images), len(tiles))
        meets = (images[:, :, :, None] == tiles[None, :, None, :]).any(axis=(2, 3))
        good = ((numbers >= 0) & (~meets | (numbers == np.arange(len(tiles))))).all(axis=0)
        return tiles[good], np.unique(numbers.min(axis=0)[good], return_inverse=True)[1].ravel()

    def _bound_area(self, layers: Sequence[Layer], most: int) -> None:
        """At most so many cells: by the tiles of a layer that have one size, the fewest; or by the cells themselves."""
        even = [(layer.size, number) for number, layer in enumerate(layers) if layer.size]
        if not even:
            self._bound(None, [orbit + 1 for orbit in self.orbits], most)
            return
        size, number = max(even)
        self._bound(number, self._starts_of(self.tiles[number]), most // size)

    def _starts_of(self, places: Sequence[Tiles]) -> list[int]:
        """For each cell, a variable that is true if it is the least of a tile. They are fewer than the tiles."""
        least = np.concatenate([tiles.cells[:, 0] for tiles in places])
        self.starts = {cell: self._new() for cell in np.unique(least).tolist()}
        for tiles in places:
            pairs = zip(tiles.cells[:, 0].tolist(), tiles.variables.tolist(), strict=True)
            self._take([[-tile, self.starts[cell]] for cell, tile in pairs])
        return list(self.starts.values())

    def _take_one(self, layer: int, variables: list[int]) -> None:
        """At most one of these is true."""
        if len(variables) <= FEW:
            self._take([[-a, -b] for k, a in enumerate(variables) for b in variables[:k]])
            return
        bits = [self._new() for _ in range((len(variables) - 1).bit_length())]
        self.bits.append((layer, bits))
        each = enumerate(variables)
        self._take([[-tile, bit if n >> k & 1 else -bit] for n, tile in each for k, bit in enumerate(bits)])

    def _bound(self, layer: int | None, variables: list[int], most: int) -> None:
        """At most so many of these are true: Sinz, "Towards an optimal CNF encoding" (2005)."""
        if most >= len(variables):
            return
        if most == 0:
            self._take([[-variable] for variable in variables])
            return
        counts = np.arange(len(variables) * most).reshape(-1, most) + self.top + 1
        self.top += counts.size
        self.counted = Counted(layer, tuple(variables), counts)
        before: list[int] = []
        for variable, row in zip(variables, counts.tolist(), strict=True):
            clauses = [[-variable, row[0]]]
            if before:
                clauses += [[-a, b] for a, b in zip(before, row, strict=True)]
                clauses += [[-variable, -a, b] for a, b in zip(before[:-1], row[1:], strict=True)]
                clauses.append([-variable, -before[-1]])
            self._take(clauses)
            before = row

    def _new(self) -> int:
        self.top += 1
        return self.top

    def without(self, cut: Cut) -> Clause:
        """The clause that forbids what *cut* is."""
        orbit = dict(zip(self.wanted.window.cells, self.orbits, strict=True))
        filled = {orbit[cell] + 1 for cell in cut.empty if cell in orbit}
        return [*sorted(filled), *(-orbit[cell] - 1 for cell in sorted(cut.full))]


class _Grid:
    """Where each cell stands among the cells of a window."""

    def __init__(self, cells: Rows) -> None:
        self._cells = cells
        self._low = cells.min(axis=0, initial=0)
        self._shape = tuple((cells.max(axis=0, initial=0) - self._low + 1).tolist())
        self._numbers = np.full(self._shape, -1)
        self._numbers[tuple((cells - self._low).T)] = np.arange(len(cells))

    def places(self, cells: Rows) -> Rows:
        """The numbers of cells, -1 for those outside the window."""
        at = cells - self._low
        inside = ((at >= 0) & (at < self._shape)).all(axis=-1)
        at = np.where(inside[..., None], at, 0)
        return np.where(inside, self._numbers[tuple(np.moveaxis(at, -1, 0))], -1)

    def tiles_of(self, shape: Part) -> Rows:
        """All places of a shape inside the window: the numbers of the cells, each row sorted."""
        found = []
        for oriented in orientations(shape, tuple(range(shape.cells.shape[1] - 1))):
            rows = np.asarray(oriented.cells, np.int64)
            starts = self._cells[self._cells[:, 0] == rows[0, 0]] - rows[0]
            starts[:, 0] = 0
            places = self.places(starts[:, None, :] + rows)
            found.append(places[(places >= 0).all(axis=1)])
        tiles: Sequence[Rows] = found or [np.empty((0, shape.size), np.int64)]
        return np.sort(np.concatenate(tiles), axis=1)
