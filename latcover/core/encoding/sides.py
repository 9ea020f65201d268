"""Which cells share a side."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from latcover.core.cover.problem import Longs
from latcover.core.encoding.encode import neighbour_graph
from latcover.core.encoding.prepared import Prepared


def sides_between(prepared: Prepared) -> npt.NDArray[np.int64]:
    """The pairs of cells that share a side, shape (n, 2)."""
    starts, neighbours = neighbour_graph(prepared.table.index, prepared.puzzle.lattice)
    here: Longs = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return np.stack([here, neighbours], axis=1)[here < neighbours]
