"""An unknown region that several shapes fill, as an exact cover.

Each shape has a layer: a copy of the window. A cell of a layer is covered by a tile of its shape, or by "empty".
"Empty" covers a cell and all cells of its orbit at once, in all layers. So what is not empty is the same region in
every layer. A further item counts the tiles of one layer, and so bounds the area.

For a Galvagni figure two layers have the same shape, and an item for each place of a tile says that it is used once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from latcover.cover.problem import CoverProblem, Ints
from latcover.exploring.windows import Window
from latcover.model.orientation import orientations
from latcover.model.puzzle import Part
from latcover.model.solution import Cell


@dataclass(frozen=True, slots=True)
class Layers:
    """The shapes of the layers; *apart* forbids that two layers have a tile in common."""

    shapes: tuple[Part, ...]
    apart: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """What a region must not be: it must leave a cell of *full* empty, or fill a cell of *empty*."""

    full: frozenset[Cell]
    empty: frozenset[Cell]


@dataclass(eq=False)
class RegionProblem:
    """The cover problem of a window, and what its options mean.

    Attributes:
        layers, window: What was asked.
        most: The most tiles in the layer of the largest shape; None is no bound.
        cuts: What the region must not be.
    """

    layers: Layers
    window: Window
    most: int | None = None
    cuts: Sequence[Cut] = ()
    problem: CoverProblem = field(init=False)
    _tiles: list[tuple[int, tuple[Cell, ...]]] = field(init=False, default_factory=list)  # of options: layer and cells
    _options: list[list[int]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self._index = {cell: k for k, cell in enumerate(self.window.cells)}
        self._add_tiles()
        n_tiles, n_layers = len(self._options), len(self.layers.shapes)
        n_cells = n_layers * len(self.window.cells)
        orbits: dict[int, list[int]] = defaultdict(list)
        for k, orbit in enumerate(self.window.orbits):
            orbits[orbit].append(k)
        for members in orbits.values():
            self._options.append([layer * len(self.window.cells) + k for layer in range(n_layers) for k in members])
        low, high = [1] * n_cells, [1] * n_cells
        for holders, least, most in self._further_items(n_tiles, [*orbits.values()]):
            for option in holders:
                self._options[option].append(len(low))
            low.append(least)
            high.append(most)
        starts = np.cumsum([0, *map(len, self._options)]).astype(np.int64)
        items = np.array([item for option in self._options for item in option], np.int32)
        self.problem = CoverProblem(starts, items, np.array(low, np.int32), np.array(high, np.int32))

    def _add_tiles(self) -> None:
        for layer, shape in enumerate(self.layers.shapes):
            axes = tuple(range(shape.cells.shape[1] - 1))
            for oriented in orientations(shape, axes):
                (node, *first), *_ = rows = oriented.cells.tolist()
                for cell in self.window.cells:
                    if cell[0] != node:
                        continue
                    shift = [a - b for a, b in zip(cell[1:], first, strict=True)]
                    own = [(row[0], *(x + s for x, s in zip(row[1:], shift, strict=True))) for row in rows]
                    places = [self._index.get(each, -1) for each in own]
                    if min(places) >= 0:
                        self._tiles.append((layer, tuple(sorted(own))))
                        self._options.append(sorted(layer * len(self._index) + place for place in places))

    def _further_items(self, n_tiles: int, orbits: Sequence[Sequence[int]]) -> Iterable[tuple[Sequence[int], int, int]]:
        """Options that hold a further item, and its bounds."""
        largest = max(range(len(self.layers.shapes)), key=lambda layer: self.layers.shapes[layer].size)
        counted = [k for k, (layer, _) in enumerate(self._tiles) if layer == largest]
        yield counted, 1, len(counted) + 1 if self.most is None else max(1, self.most)
        if self.window.anchors:
            anchored = [k for k in counted if self.window.anchors.intersection(self._tiles[k][1])]
            yield anchored, 1, len(anchored) + 1
        if self.layers.apart:
            places: dict[tuple[Cell, ...], list[int]] = defaultdict(list)
            for k, (_, cells) in enumerate(self._tiles):
                places[cells].append(k)
            for holders in places.values():
                yield holders, 0, 1
        empties = {self.window.cells[k]: n_tiles + number for number, members in enumerate(orbits) for k in members}
        for cut in self.cuts:
            mended = {k for k in counted if cut.empty.intersection(self._tiles[k][1])}
            mended |= {empties[cell] for cell in cut.full}
            yield sorted(mended), 1, len(mended) + 1

    def tilings_of(self, cover: Ints) -> list[list[tuple[Cell, ...]]]:
        """The tiles of each layer."""
        found: list[list[tuple[Cell, ...]]] = [[] for _ in self.layers.shapes]
        for option in cover.tolist():
            if option < len(self._tiles):
                layer, cells = self._tiles[option]
                found[layer].append(cells)
        return found
