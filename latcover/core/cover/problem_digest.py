"""Digests of what is searched, by which files know that they are asked the same again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.core.cover.search import Batch
from latcover.core.cover.searchable import Searchable


def digest_of(prepared: Searchable[Any]) -> str:
    """A digest of the cover problem and of the meaning of its options. A run continues only if it is the same."""
    problem = prepared.problem
    n = problem.n_options
    _, choices = prepared.members(Batch(np.arange(n + 1, dtype=np.int64), np.arange(n, dtype=np.int32)))
    arrays = (
        problem.option_starts,
        problem.option_items,
        problem.low,
        problem.high,
        problem.part_sizes,
        problem.neighbour_starts,
        problem.neighbours,
        problem.option_colours,
        choices,
    )
    about = (problem.n_cells, prepared.n_members, prepared.acting, prepared.pivot, prepared.tests_pending)
    return digest_of_arrays(arrays, about)


def digest_of_arrays(arrays: Iterable[npt.NDArray[Any]], about: object) -> str:
    """A digest of arrays, the same on every machine, and of plain data."""
    found = hashlib.sha256()
    for array in arrays:
        found.update(f"{len(array)};".encode())
        found.update(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes())
    found.update(repr(about).encode())
    return found.hexdigest()
