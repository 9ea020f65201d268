"""Sweeps: orders of cells along the directions of a lattice and between them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from latcover.core.cover.problem import Ints
from latcover.core.model.lattice import Cells, Lattice
from latcover.system.sorted_sets import distinct

MOST_CELLS = 20_000  # a frontier across more of them is hopeless
MOST_DIRECTIONS = 16
DIGITS = 5  # cells whose places differ by less lie side by side


def sweeps_of(lattice: Lattice, cells: Cells) -> Ints:
    """The places of *cells* in each sweep, shape (n_sweeps, n_cells), int32; cells side by side go across the sweep."""
    if len(cells) > MOST_CELLS:
        return np.empty((0, len(cells)), np.int32)
    directions = directions_of(lattice)
    along = np.round(lattice.centres(cells) @ directions.T, DIGITS)
    cosines = np.abs(directions @ directions.T)
    places = np.empty((len(directions), len(cells)), np.int32)
    for k, near in enumerate(cosines):
        across = np.argsort(near, kind="stable")[: lattice.dimension - 1]
        order = np.lexsort((*along[:, across[::-1]].T, along[:, k]))
        places[k, order] = np.arange(len(cells))
    return places


def directions_of(lattice: Lattice) -> npt.NDArray[np.float64]:
    """The unit vectors to neighbours, and those that bisect the least angles between them, shape (n, dimension)."""
    ways = distinct(np.round(lattice.ways, DIGITS), axis=0)
    ways = ways[np.linalg.norm(ways, axis=1) > 0.5]  # drawings may put neighbours into the same place
    cosines = np.round(ways @ ways.T, DIGITS)
    np.fill_diagonal(cosines, -1)
    first, second = np.nonzero((cosines == cosines.max(axis=1, keepdims=True, initial=-1)) & (cosines > -0.9))
    between = ways[first] + ways[second]
    both = np.concatenate([ways, between / np.linalg.norm(between, axis=1, keepdims=True)])
    _, where = np.unique(np.round(both, DIGITS), axis=0, return_index=True)
    return both[np.sort(where)][:MOST_DIRECTIONS]
