"""Sets of a region's cells as the bits of a number, and which cells touch: for rules that no item says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.rule_items import directions
from latcover.core.model.lattice import Lattice


def as_bits(cells: Iterable[int]) -> int:
    """The set of these cells."""
    return sum(1 << cell for cell in cells)


def cells_around(lattice: Lattice, table: PlacementTable, *, corners: bool) -> list[int]:
    """For each cell the cells that touch it across sides; with *corners* across corners too."""
    around = [0] * len(table.region.cells)
    for node, neighbour in directions(lattice, corners=corners):
        there = table.index.beside(node, neighbour)
        for cell in np.flatnonzero(there >= 0).tolist():
            around[cell] |= 1 << int(there[cell])
    return around


def beside(cells: int, around: Sequence[int]) -> int:
    """The cells outside a set that touch it."""
    found, left = 0, cells
    while left:
        lowest = left & -left
        found |= around[lowest.bit_length() - 1]
        left ^= lowest
    return found & ~cells


def reached(start: int, through: int, around: Sequence[int]) -> int:
    """The cells of *start*, and those of *through* to which steps within *through* lead from there."""
    found = front = start
    while front:
        lowest = front & -front
        new = around[lowest.bit_length() - 1] & through & ~found
        found |= new
        front = (front ^ lowest) | new
    return found
