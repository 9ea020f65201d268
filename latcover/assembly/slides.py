"""How parts of a lattice slide, as native functions take it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from latcover.assembly.sweeps import Sweeps, sweeps
from latcover.model.lattice import Lattice

Ints = npt.NDArray[np.int32]
SlideArrays = tuple[
    Ints, int, npt.NDArray[np.int64], Ints
]  # directions with their maps, number of nodes, and what is met


@lru_cache(maxsize=16)
def sweeps_of(lattice: Lattice) -> Sweeps:
    """What every cell meets, remembered."""
    return sweeps(lattice)


def sliding(lattice: Lattice) -> SlideArrays:
    """How parts of a lattice slide, as native functions take it: directions, number of nodes, and what is met.

    Raises:
        UnsupportedError: the lattice does not tell.
    """
    geometry = sweeps_of(lattice)
    return slide_arrays(lattice, geometry, list(range(len(geometry.directions))))


def slide_arrays(lattice: Lattice, geometry: Sweeps, chosen: list[int]) -> SlideArrays:
    """The same for some of the directions."""
    n = len(lattice.nodes)
    rows, starts, offsets = [], [0], []
    for k in chosen:
        rows.append([_padded(geometry.directions[k]), *_onto_first_axis(_padded(geometry.directions[k]))])
        for pair in range(k * n * n, (k + 1) * n * n):
            offsets.append(geometry.offsets[geometry.starts[pair] : geometry.starts[pair + 1]])
            starts.append(starts[-1] + len(offsets[-1]))
    joined = np.concatenate(offsets)
    padded = np.zeros((len(joined), 3), np.int32)
    padded[:, : joined.shape[1]] = joined
    return np.array(rows, np.int32).reshape(-1), n, np.array(starts, np.int64), padded.reshape(-1)


def _padded(vector: Ints) -> list[int]:
    return [*(int(x) for x in vector), *[0] * (3 - len(vector))]


def _onto_first_axis(vector: list[int]) -> list[list[int]]:
    """The rows of a unimodular matrix that takes a primitive vector to (1, 0, 0)."""
    rows = [[int(a == b) for b in range(3)] for a in range(3)]
    left = list(vector)
    while sum(map(bool, left)) > 1:
        pivot = min((k for k in range(3) if left[k]), key=lambda k: abs(left[k]))
        for k in range(3):
            if k != pivot and left[k]:
                factor = left[k] // left[pivot]
                left[k] -= factor * left[pivot]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[pivot], strict=True)]
    pivot = next(k for k in range(3) if left[k])
    first = [x * left[pivot] for x in rows[pivot]]
    return [first, *(rows[k] for k in range(3) if k != pivot)]
