"""Regions with a name and a size, on any flat lattice with the right angles: triangles, hexagons, Aztec diamonds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from latcover.core.model.lattice import Cells, Lattice

FIGURES = ("triangle", "hexagon", "aztec_diamond")
NEAR = 1e-4


def fault_of(name: str, lattice: Lattice) -> str:
    """Why the lattice has no figure of this name; "" if it has."""
    wanted = 0.0 if name == "aztec_diamond" else 0.5
    if lattice.dimension == 2 and abs(_cosine(lattice) - wanted) < NEAR:
        return ""
    angle = "a right angle" if name == "aztec_diamond" else "an angle of 60 degrees"
    return f"needs a flat lattice whose two basis vectors have one length and {angle}; {lattice.name!r} is another"


def most_cells(size: int, lattice: Lattice) -> int:
    """How many cells are looked at for a figure of this size."""
    return (2 * size + 1) ** 2 * len(lattice.nodes)


def figure(name: str, size: int, lattice: Lattice) -> Cells:
    """The cells of a figure whose sides have *size* cells, moved so that no coordinate is negative.

    A cell belongs to a triangle or a hexagon if its node lies in it; an Aztec diamond consists of whole units.
    """
    span = np.arange(-size - 1, size + 1)
    n_nodes = len(lattice.nodes)
    grid = np.stack(np.meshgrid(np.arange(n_nodes), span, span, indexing="ij"), axis=-1).reshape(-1, 3)
    if name == "aztec_diamond":
        inside = np.abs(2 * grid[:, 1:] + 1).sum(axis=1) <= 2 * size
    else:
        positions = np.array([node.position for node in lattice.nodes])[grid[:, 0]]
        at = grid[:, 1:] + positions @ np.linalg.inv(np.array(lattice.basis))
        across = at.sum(axis=1)
        if name == "triangle":
            inside = (at > -NEAR).all(axis=1) & (across < size - NEAR)
        else:
            inside = (np.abs(at) < size - NEAR).all(axis=1) & (np.abs(across) < size - NEAR)
    cells: Cells = grid[inside].astype(np.int32)
    cells[:, 1:] -= cells[:, 1:].min(axis=0)
    return cells


def _cosine(lattice: Lattice) -> float:
    """Of the angle between the basis vectors; far from any if their lengths differ."""
    basis: npt.NDArray[np.float64] = np.array(lattice.basis)
    lengths = np.linalg.norm(basis, axis=1)
    return float(basis[0] @ basis[1] / lengths[0] ** 2) if abs(lengths[0] - lengths[1]) < NEAR else 9.0
