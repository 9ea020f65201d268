"""Regions that nearly fill a box: sets of several shapes fill most of them, if their numbers and colours allow it.

A SAT solver that chooses the region as well does not end for large sets. If the region is given, an exact cover of each
layer takes milliseconds. So one region is tried after the other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import cycle
from math import prod

import numpy as np
from msgspec.structs import replace

from latcover.core.cover.events import Events
from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Cell
from latcover.lab.exploring.boxes import box_cells
from latcover.lab.exploring.layers import Layer, Layers
from latcover.lab.exploring.tilings import tile, tiling_puzzle

SLIMMEST = 3  # times as long as wide is a box at most
DRAWS = 100  # that fall apart, one after another: then there may be none that hangs together
Tiles = list[list[tuple[Cell, ...]]]  # of each layer, the cells of its tiles


class CompactRegions:
    """Regions of so many cells, one after the other, without end: the same ones in every run.

    They lie in boxes that are little larger; *within* a box of these sides, which has as many cells, in parts of it.
    """

    def __init__(self, layers: Layers, area: int, within: tuple[int, ...] | None = None) -> None:
        lattice = layers.shapes[0].lattice
        assert lattice
        self._layers, self._lattice, self._area = layers, lattice, area
        self._boxes = cycle(_boxes(lattice, area) if within is None else _boxes_within(lattice, area, within))
        self._draw = random.Random(area)

    def next(self) -> Cells | None:
        """A region that hangs together: a box of which some cells at the rim are left out; None if none was drawn."""
        for _ in range(DRAWS):
            lattice = self._lattice
            cells = {tuple(cell) for cell in box_cells(lattice, next(self._boxes)).tolist()}
            around = {cell: sum(there in cells for there in lattice.neighbours(cell)) for cell in cells}
            while len(cells) > self._area:
                few = max(min(around.values()), lattice.dimension)
                out = self._draw.choice(sorted(cell for cell, beside in around.items() if beside <= few))
                cells.remove(out)
                del around[out]
                around |= {there: around[there] - 1 for there in lattice.neighbours(out) if there in cells}
            if lattice.connects(cells):
                return np.array(sorted(cells), np.int32)
        return None

    def filled(self, cells: Cells, seconds: float, events: Events) -> Tiles | None:
        """Tilings of a region by all layers; None if one has none, or none that was found in so many seconds."""
        found: Tiles = []
        for layer in self._layers.layers:
            tried = tile(self._puzzle(layer, cells), seconds=seconds, events=events)
            if tried.tiling is None:
                return None
            found.append([placed.cells for placed in tried.tiling.solution.placements])
        return found

    def _puzzle(self, layer: Layer, cells: Cells) -> Puzzle:
        """The puzzle of a layer. If few shapes are used twice, which ones is drawn: that is far easier."""
        several = len(layer.shapes) > 1
        puzzle = tiling_puzzle(layer.name, self._lattice, cells, layer.shapes, all_used=several)
        spare = 0 if layer.size is None else self._area // layer.size - len(layer.shapes)
        if not several or not 0 < spare <= len(layer.shapes) // 2:
            return puzzle
        twice = {*self._draw.sample(range(len(layer.shapes)), spare)}
        parts = (replace(part, low=(n := 1 + (k in twice)), high=n) for k, part in enumerate(puzzle.parts))
        return replace(puzzle, parts=tuple(parts))


def _boxes(lattice: Lattice, area: int) -> Iterator[tuple[int, ...]]:
    """Boxes that are little larger than the area, those with equal sides first."""
    nodes, others = len(lattice.nodes), lattice.dimension - 1
    side = 1
    while nodes * side ** (others + 1) < area:
        side += 1
    for longest in range(side, SLIMMEST * side + 1):
        while side > 1 and nodes * (side - 1) ** others * longest >= area:
            side -= 1
        yield (*[side] * others, longest)


def _boxes_within(lattice: Lattice, area: int, within: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """A least part of a box that has so many cells, as equal in its sides as can be, and those longer by one."""
    nodes, least = len(lattice.nodes), list(within)
    while longer := [k for k, side in enumerate(least) if nodes * prod(least) // side * (side - 1) >= area]:
        least[max(longer, key=least.__getitem__)] -= 1
    yield tuple(least)
    for axis, side in enumerate(least):
        if side < within[axis]:
            yield tuple(other + (k == axis) for k, other in enumerate(least))
