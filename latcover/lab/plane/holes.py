"""Holes between copies: the cells that are enclosed by covered ones, all as numbers."""

from __future__ import annotations

from collections.abc import Set

import numpy as np

from latcover.lab.plane.neighbours import ORIGIN, SIDE, UNITS, Neighbours, Numbers


class Holes:
    """Finds holes between copies of the same prototiles."""

    def __init__(self, neighbours: Neighbours) -> None:
        lattice = neighbours.prototiles.lattice
        self._neighbours = neighbours
        self._sides: list[list[int]] = [[] for _ in lattice.nodes]  # what leads from a cell to those across its sides
        for edge in lattice.half_edges:
            self._sides[edge.node].append(edge.target * UNITS + edge.step[0] * SIDE + edge.step[1])
        self._touching = [[v * UNITS + x * SIDE + y for v, x, y in around] for around in lattice.touching]
        self._reach = 2 + max(abs(step) for edge in lattice.half_edges for step in edge.step)
        self._size = int(np.gcd.reduce([len(own) for own in neighbours.cells]))

    def beside(self, cell: int) -> list[int]:
        """The cells across the sides of *cell*."""
        node, place = divmod(cell, UNITS)
        return [place + way for way in self._sides[node]]

    def cannot_fill(self, hole: Set[int]) -> bool:
        """Whether the number of its cells shows that no copies fill a hole."""
        return len(hole) % self._size > 0

    def of(self, covered: Set[int]) -> list[set[int]]:
        """The holes that connected *covered* cells enclose."""
        if self._parts_of_the_rim(covered) == 1:
            return []
        place = np.fromiter((cell % UNITS for cell in covered), np.int64, len(covered))
        low = (int((place // SIDE).min()) - self._reach, int((place % SIDE).min()) - self._reach)
        high = (int((place // SIDE).max()) + self._reach, int((place % SIDE).max()) + self._reach)
        nodes = range(len(self._sides))
        units = [x * SIDE + y for x in range(low[0], high[0] + 1) for y in range(low[1], high[1] + 1)]
        left = {node * UNITS + unit for node in nodes for unit in units} - covered
        self._take(low[0] * SIDE + low[1], left)  # far outside
        found = []
        while left:
            found.append(self._take(min(left), left))
        return found

    def _parts_of_the_rim(self, covered: Set[int]) -> int:
        """Into how many pieces the cells fall that touch *covered* ones: one of them is outside, others in holes."""
        near = {cell % UNITS + way for cell in covered for way in self._touching[cell // UNITS]}
        left, parts = near - covered, 0
        while left:
            self._take(next(iter(left)), left)
            parts += 1
        return parts

    def _take(self, start: int, left: set[int]) -> set[int]:
        """Remove from *left* the cells that hang together with *start*; return them."""
        left.discard(start)
        queue = [start]
        for cell in queue:
            for there in self.beside(cell):
                if there in left:
                    left.remove(there)
                    queue.append(there)
        return set(queue)

    def at_once(self, orientation: int, relatives: Numbers) -> Numbers:
        """Those of the *relatives* of an orientation that leave a hole between them which nothing can fill."""
        every = self._neighbours.cells
        own = set(every[orientation].tolist())
        bad = []
        for copy in relatives.tolist():
            both = own.union((every[copy // UNITS] + (copy % UNITS - ORIGIN)).tolist())
            bad.append(any(map(self.cannot_fill, self.of(both))))
        leaving: Numbers = relatives[np.array(bad, bool)]
        return leaving
