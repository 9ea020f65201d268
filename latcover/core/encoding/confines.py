"""The cells that parts may cover which are confined to some cells of the region, or kept off some."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.problem import Ints, Longs
from latcover.core.model.lattice import Cells
from latcover.core.model.puzzle import Part, Puzzle

Bools = npt.NDArray[np.bool_]
Find = Callable[[Cells], Ints]  # the number of each cell of the region, -1 for any other


class Confines(Struct, frozen=True, eq=False):
    """Where confined parts may lie.

    Attributes:
        row_of: For each orientation the row of its part in `open_cells`; -1 if the part is not confined.
        open_cells: Whether a confined part may cover each cell, shape (n_confined, n_cells), bool.
    """

    row_of: Longs
    open_cells: Bools

    @classmethod
    def of(cls, puzzle: Puzzle, find: Find, n_orientations: Sequence[int]) -> Confines:
        """Those of all parts of *puzzle*, which have so many orientations each."""
        n_cells = len(puzzle.region.cells)
        row = {p: k for k, p in enumerate(p for p, part in enumerate(puzzle.parts) if part.is_confined)}
        rows = [row.get(p, -1) for p in range(len(puzzle.parts))]
        found = np.array([open_to(puzzle.parts[p], find, n_cells) for p in row], np.bool_).reshape(-1, n_cells)
        return cls(np.repeat(np.array(rows, np.int64), n_orientations), found)

    def admit(self, orientation: Ints, rows: Ints) -> Bools:
        """Which placements lie where they may, by their orientations and the numbers of their cells, shape (n, k)."""
        if not len(self.open_cells):
            return np.ones(len(rows), np.bool_)
        confined = self.row_of[orientation]
        admitted: Bools = (confined < 0) | self.open_cells[confined[:, None], rows].all(axis=1)
        return admitted


def open_to(part: Part, find: Find, n_cells: int) -> Bools:
    """Which cells of a region a part may cover by ``within`` and ``keep_off``, shape (n_cells,)."""
    found = np.full(n_cells, part.within is None)
    for cells, is_open in ((part.within, True), (part.keep_off, False)):
        if cells is not None:
            numbers = find(cells)
            found[numbers[numbers >= 0]] = is_open
    return found
