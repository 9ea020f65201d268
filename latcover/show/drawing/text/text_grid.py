"""The positions of the cells of any lattice in text: layers, lines, and distances along these."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, product

import numpy as np

from latcover.core.model.lattice import Cells, Lattice
from latcover.system.sorted_sets import distinct

NEAR = 1e-3  # of a distance: smaller differences do not count
Layer = list[tuple[int, float, float]]


def layers_of(lattice: Lattice, cells: Cells) -> list[Layer]:
    """(index of a cell, x, y) by layer, bottom first; y grows upwards."""
    middles = np.zeros((len(cells), 3))
    middles[:, : lattice.dimension] = lattice.middles(cells)
    middles = np.round(middles / np.linalg.norm(lattice.basis, axis=1).min(), 6) + 0.0
    at_one_place: dict[tuple[float, ...], int] = {}  # of cells in one place, the one of the first node
    for k in np.argsort(cells[:, 0], kind="stable").tolist():
        at_one_place.setdefault(tuple(middles[k].tolist()), k)
    shown = sorted(at_one_place.values())
    return [
        [(k, float(middles[k, 0]), float(middles[k, 1])) for k in shown if middles[k, 2] == height]
        for height in distinct(middles[:, 2])
    ]


def places_of(lattice: Lattice, layers: Sequence[Layer]) -> list[list[list[tuple[float, int]]]]:
    """The lines of text of each layer: the distance from the left and the index of each cell, sorted.

    The unit of distance is the least one of two cells in a row. All layers share one frame.
    """
    column, row, widest = _spacing(lattice)
    left = min((x for layer in layers for _, x, _ in layer), default=0.0)
    line_of = _lines_of_rows([y for layer in layers for *_, y in layer], row, widest)
    found = []
    for layer in layers:
        lines: list[list[tuple[float, int]]] = [[] for _ in range(max(line_of.values(), default=-1) + 1)]
        for k, x, y in layer:
            lines[line_of[y]].append(((x - left) / column, k))
        found.append([sorted(line) for line in lines])
    return found


def _lines_of_rows(heights: Sequence[float], row: float, widest: float) -> dict[float, int]:
    """The line of text for each height, from the top.

    Rows of different layers share a line if they are closer than *row*, as layers of spheres are. Rows further apart
    than *widest* have empty lines between them.
    """
    lines: dict[float, int] = {}
    top, number = 0.0, -1
    for height in sorted(set(heights), reverse=True):
        if number < 0 or top - height > row * (1 - NEAR):
            number += max(1, int((top - height) / widest + NEAR)) if number >= 0 else 1
            top = height
        lines[height] = number
    return lines


@lru_cache(maxsize=64)
def _spacing(lattice: Lattice) -> tuple[float, float, float]:
    """The least distance of two cells in a row, and the least and the greatest distance of rows, within a layer."""
    around = [range(-2, 3)] * lattice.dimension
    patch = np.array([(node, *step) for node in range(len(lattice.nodes)) for step in product(*around)], np.int32)
    layers = layers_of(lattice, patch)
    layer = max(layers, key=len)
    rows = {y: sorted(x for _, x, other in layer if other == y) for *_, y in layer}
    columns = [b - a for row in rows.values() for a, b in pairwise(row)]
    # Only the middle half of the patch, since rows are missing at its rim.
    heights = sorted(rows)
    inner = heights[len(heights) // 4 : len(heights) - len(heights) // 4]
    apart = [b - a for a, b in pairwise(inner)] or [1.0]
    return min(columns, default=1.0), min(apart), max(apart)
