"""Whether a region is as it shall be: in one piece, and without holes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from latcover.core.model.lattice import Lattice
from latcover.core.model.solution import Cell
from latcover.lab.exploring.region_formula import Cut


def broken(region: set[Cell], lattice: Lattice) -> Cut | None:
    """What forbids that a part of a region stands alone as it does; None if the region hangs together."""
    left = lattice.unreached(region)
    if not left:
        return None
    return cut_off(region - left, lattice)


def cut_off(part: set[Cell], lattice: Lattice) -> Cut:
    """What forbids that a part of a region stands alone."""
    return Cut(frozenset(part), frozenset(_beside(part, lattice)))


def holed(region: set[Cell], lattice: Lattice) -> Cut | None:
    """What forbids the first hole of a region; None if there is none."""
    hole = _hole(region, lattice)
    return Cut(frozenset(_beside(hole, lattice)), frozenset(hole)) if hole else None


def components(region: set[Cell], lattice: Lattice) -> list[set[Cell]]:
    """The parts of a region that hang together."""
    found, left = [], set(region)
    while left:
        rest = lattice.unreached(left)
        found.append(left - rest)
        left = rest
    return found


def _beside(cells: Iterable[Cell], lattice: Lattice) -> set[Cell]:
    return {there for cell in cells for there in lattice.neighbours(cell)} - set(cells)


def _hole(region: set[Cell], lattice: Lattice) -> set[Cell]:
    """The cells of a hole; empty if there is none."""
    rows = np.array(sorted(region))
    low, high = rows[:, 1:].min(axis=0) - 1, rows[:, 1:].max(axis=0) + 1
    left = _beside(region, lattice)
    while left:
        hole, queue, is_open = set[Cell](), [min(left)], False
        for cell in queue:
            if cell in hole or cell in region:
                continue
            hole.add(cell)
            if (np.array(cell[1:]) < low).any() or (np.array(cell[1:]) > high).any():
                is_open = True
                break
            queue += lattice.neighbours(cell)
        if not is_open:
            return hole
        left -= hole
    return set()
