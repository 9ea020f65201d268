"""Sets of a region's cells as the bits of a number, and which cells touch: for rules that no item says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from latcover.core.cover.problem import Longs


def as_bits(cells: Iterable[int]) -> int:
    """The set of these cells."""
    return sum(1 << cell for cell in cells)


def cells_around(n_cells: int, touching: Longs) -> list[int]:
    """For each cell the cells that touch it, by the pairs of cells that touch, shape (n, 2)."""
    around = [0] * n_cells
    for here, there in touching.tolist():
        around[here] |= 1 << there
        around[there] |= 1 << here
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
