"""A finished solution as checks of rules see it: the copies on its cells, and what touches what.

It shares nothing with the search: it looks at the cells of the copies, and at their neighbours in the lattice.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Cell, Placed


class PlacedCopies:
    """The copies of parts in a solution.

    Attributes:
        puzzle: The puzzle.
        placed: The copies. They are numbered in this order.
        names: The part of each copy.
        region: The cells of the region.
        owner: The number of the copy on each covered cell.
        colours: The colour of the part on each covered cell; "" for none.
    """

    def __init__(self, puzzle: Puzzle, placed: Sequence[Placed]) -> None:
        self.puzzle, self.placed = puzzle, placed
        self.names = [copy.part for copy in placed]
        self.owner = {cell: k for k, copy in enumerate(placed) for cell in self.named(copy.cells)}
        self.colours = {
            cell: colour
            for copy in placed
            for cell, colour in zip(self.named(copy.cells), copy.colours or [""] * len(copy.cells), strict=True)
        }
        self.region = set(self.named(list(map(tuple, puzzle.region.cells.tolist()))))

    def of_parts(self, parts: Sequence[str]) -> list[int]:
        """The copies of these parts; of all parts, if none are named."""
        return [k for k, name in enumerate(self.names) if not parts or name in parts]

    def named(self, cells: Sequence[Cell]) -> list[Cell]:
        """Cells by the names that they have in a region that closes on itself."""
        return [tuple(row) for row in self.puzzle.region.wrapped(np.array(cells, np.int32)).tolist()]

    def around(self, cell: Cell, *, corners: bool = False) -> list[Cell]:
        """The cells that touch a cell across sides, in the region or outside; with *corners* across corners too."""
        lattice = self.puzzle.lattice
        around = lattice.neighbours(cell)
        if corners:
            steps = lattice.touching[cell[0]]
            around += [(node, *(x + by for x, by in zip(cell[1:], step, strict=True))) for node, *step in steps]
        return self.named(around)

    def touching(self, *, corners: bool = False) -> set[tuple[int, int]]:
        """The pairs of copies that touch, the lesser number first."""
        return {
            (own, other)
            for cell, own in self.owner.items()
            for there in self.around(cell, corners=corners)
            if own < (other := self.owner.get(there, own))
        }
