"""An unknown region that several layers fill, as clauses for a SAT solver.

A variable for each cell says whether the region holds it, and one for each place of each shape whether a tile lies
there. A cell is held if and only if exactly one tile of each layer covers it. Each shape of a set is used. Cells that
the symmetries of the region exchange share a variable. If the tilings shall have these symmetries too, so do tiles:
then the clauses are those of the quotient, and much larger regions are found.

The solver stops after some conflicts, and goes on where it stopped.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.orientation import orientations
from latcover.core.model.puzzle import Part
from latcover.core.model.solution import Cell
from latcover.lab.exploring.layers import Layer, Layers
from latcover.lab.exploring.symmetries import Symmetry
from latcover.lab.exploring.windows import Window
from latcover.system import extras

SOLVER = "glucose42"
CONFLICTS = 1_000  # before the time is looked at
FEW = 5  # variables of which pairs say that at most one is true

Rows = npt.NDArray[np.int64]
Tile = tuple[Cell, ...]


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


class RegionClauses:
    """The clauses of a wanted region, in a solver. To be closed."""

    def __init__(self, layers: Layers, wanted: Wanted) -> None:
        self.wanted, self._orbits = wanted, wanted.window.orbits
        self._cells = np.array(wanted.window.cells, np.int64).reshape(-1, wanted.symmetry.lattice.dimension + 1)
        self._top = max(self._orbits, default=-1) + 1
        self._grid = _Grid(self._cells)
        self._tiles: list[list[tuple[Rows, Rows]]] = []  # of each layer and shape: the cells of tiles, their variables
        solvers = extras.require("the search for a common region", ("pysat.solvers",), extra="python-sat")
        self._encoder: Any = extras.require("the search for a common region", ("pysat.card",), extra="python-sat")
        self._solver = solvers.Solver(name=SOLVER)
        for layer in layers.layers:
            self._add_layer(layer)
        anchors = [orbit for cell, orbit in zip(wanted.window.cells, self._orbits, strict=True) if self._anchors(cell)]
        impossible = self._new()  # none of an empty window's cells is held
        self._solver.append_formula([[-impossible], [impossible, *(orbit + 1 for orbit in sorted(set(anchors)))]])
        if layers.apart:
            for (_, one), (_, other) in zip(*self._tiles, strict=True):
                self._solver.append_formula([[-a, -b] for a, b in zip(one.tolist(), other.tolist(), strict=True)])
        if wanted.most is not None:
            self._bound_area(layers.layers, wanted.most)

    def _anchors(self, cell: Cell) -> bool:
        return not self.wanted.window.anchors or cell in self.wanted.window.anchors

    def _add_layer(self, layer: Layer) -> None:
        placed = list[tuple[Rows, Rows]]()
        covering: dict[int, set[int]] = defaultdict(set)
        of_items = np.array(self._orbits) if self.wanted.tiled else np.arange(len(self._orbits))
        for shape in layer.shapes:
            tiles = self._grid.tiles_of(shape)
            numbers = np.arange(len(tiles))
            if self.wanted.tiled:
                tiles, numbers = self._tiles_by_orbits(tiles)
            variables = numbers + self._top + 1
            self._top = max(self._top, int(variables.max(initial=0)))
            placed.append((tiles, variables))
            for variable, cells in zip(variables.tolist(), of_items[tiles].tolist(), strict=True):
                for item in cells:
                    covering[item].add(variable)
            if len(layer.shapes) > 1:
                self._solver.add_clause(np.unique(variables).tolist())
        self._tiles.append(placed)
        held = {item: orbit + 1 for item, orbit in zip(of_items.tolist(), self._orbits, strict=True)}
        for item, cell in held.items():
            holders = sorted(covering[item])
            self._solver.add_clause([-cell, *holders])
            self._solver.append_formula([[-holder, cell] for holder in holders])
            self._bound(holders, 1)

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
            self._bound([orbit + 1 for orbit in self._orbits], most)
            return
        size, number = max(even)
        tiles, variables = (np.concatenate(each) for each in zip(*self._tiles[number], strict=True))
        self._bound(self._starts(tiles, variables), most // size)

    def _starts(self, tiles: Rows, variables: Rows) -> list[int]:
        """For each cell, a variable that is true if it is the least of a tile. They are fewer than the tiles."""
        starts = {cell: self._new() for cell in np.unique(tiles[:, 0]).tolist()}
        pairs = zip(tiles[:, 0].tolist(), variables.tolist(), strict=True)
        self._solver.append_formula([[-tile, starts[cell]] for cell, tile in pairs])
        return list(starts.values())

    def _bound(self, variables: list[int], most: int) -> None:
        """At most so many of these are true."""
        if most >= len(variables):
            return
        if most == 1 and len(variables) <= FEW:
            self._solver.append_formula([[-a, -b] for k, a in enumerate(variables) for b in variables[:k]])
            return
        kinds = self._encoder.EncType
        kind = kinds.bitwise if most == 1 else kinds.seqcounter
        made = self._encoder.CardEnc.atmost(lits=variables, bound=most, top_id=self._top, encoding=kind)
        self._top = max(self._top, made.nv)
        self._solver.append_formula(made.clauses)

    def _new(self) -> int:
        self._top += 1
        return self._top

    def add(self, cut: Cut) -> None:
        """Forbid what *cut* is."""
        orbit = dict(zip(self.wanted.window.cells, self._orbits, strict=True))
        filled = {orbit[cell] + 1 for cell in cut.empty if cell in orbit}
        self._solver.add_clause([*sorted(filled), *(-orbit[cell] - 1 for cell in sorted(cut.full))])

    def solve(self, until: float, go_on: Callable[[], bool]) -> bool | None:
        """Whether there is such a region; None if that was not found out until this time of the processor."""
        answer = None
        while answer is None and time.thread_time() < until and go_on():
            self._solver.conf_budget(CONFLICTS)
            answer = self._solver.solve_limited()
        return answer

    def tilings(self) -> list[list[Tile]]:
        """The tiles of each layer of the region that was found."""
        true = {literal for literal in self._solver.get_model() if literal > 0}
        return [
            [tile for tiles, variables in placed for tile in self._true_tiles(tiles, variables, true)]
            for placed in self._tiles
        ]

    def _true_tiles(self, tiles: Rows, variables: Rows, true: set[int]) -> Iterator[Tile]:
        cells = self.wanted.window.cells
        for tile, variable in zip(tiles.tolist(), variables.tolist(), strict=True):
            if variable in true:
                yield tuple(sorted(cells[place] for place in tile))

    def close(self) -> None:
        self._solver.delete()


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
