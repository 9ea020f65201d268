"""Holes between copies: the cells that are enclosed by covered ones, all as numbers."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from latcover.backends import _native
from latcover.lab.plane.neighbours import SIDE, UNITS, Neighbours, Numbers


class Holes:
    """Finds holes between copies of the same prototiles."""

    def __init__(self, neighbours: Neighbours) -> None:
        lattice = neighbours.prototiles.lattice
        self._sides: list[list[int]] = [[] for _ in lattice.nodes]  # what leads from a cell to those across its sides
        for edge in lattice.half_edges:
            self._sides[edge.node].append(edge.target * UNITS + edge.step[0] * SIDE + edge.step[1])
        sides = [(edge.node, edge.target, *edge.step) for edge in lattice.half_edges]
        self._finder = _native.HoleFinder(len(lattice.nodes), np.array(sides, np.int32).ravel(), neighbours.cells)

    def beside(self, cell: int) -> list[int]:
        """The cells across the sides of *cell*."""
        node, place = divmod(cell, UNITS)
        return [place + way for way in self._sides[node]]

    def of(self, covered: Collection[int]) -> list[list[int]]:
        """The holes that *covered* cells enclose, each sorted, by their least cells."""
        return [hole.tolist() for hole in self._finder.of(np.fromiter(covered, np.int64, len(covered)))]

    def at_once(self, orientation: int, relatives: Numbers) -> Numbers:
        """Those of the *relatives* of an orientation that leave a hole between them which nothing can fill.

        The number of its cells shows it: it is no multiple of what divides the sizes of all shapes.
        """
        return self._finder.at_once(orientation, relatives)
