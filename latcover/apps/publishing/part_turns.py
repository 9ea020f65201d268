"""The orientation to which each turn and reflection takes a part, for players who turn parts by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.lattice import Lattice, Transformation
from latcover.core.model.orientation import images
from latcover.core.model.puzzle import Part
from latcover.show.drawing.space.packed_numbers import Packed, pack_numbers
from latcover.show.drawing.space.shape_data import numbers

MOST = 100  # turns of a part: the first ones of larger groups


class PartTurns(Struct, frozen=True):
    """The numbers of a part's turns; row t of ``to`` holds the orientation to which turn t takes each orientation."""

    turns: Packed
    to: Packed


def turn_data(
    lattice: Lattice, parts: Sequence[Part], axes: Sequence[int]
) -> tuple[list[list[float]], list[PartTurns]]:
    """The turns of a puzzle's parts, and their effect on the orientations of each part.

    *axes* number the cells, as for `latcover.core.model.orientation.orientations`.

    Returns:
        The Cartesian matrix of each turn, nine numbers row by row; flat lattices lie in the plane z = 0. And the turns
        of each part.
    """
    known: dict[tuple[int, ...], int] = {}
    matrices: list[list[float]] = []
    by_part = []
    for part in parts:
        chosen = [t for t in part.transformations[1:] if not np.array_equal(t.matrix, np.eye(lattice.dimension))][:MOST]
        for turn in chosen:
            if turn.labels not in known:
                known[turn.labels] = len(matrices)
                matrices.append(numbers(cartesian(lattice, turn)))
        table = _table(part, chosen, axes)
        by_part.append(PartTurns(pack_numbers([known[turn.labels] for turn in chosen]), pack_numbers(table)))
    return matrices, by_part


def cartesian(lattice: Lattice, turn: Transformation) -> npt.NDArray[np.float64]:
    """The matrix that takes a Cartesian column to its image, shape (3, 3)."""
    basis, found = lattice.basis, np.eye(3)
    n = len(basis)
    found[:n, :n] = (np.linalg.inv(basis) @ turn.matrix.T @ basis).T
    return found


def _table(part: Part, turns: Sequence[Transformation], axes: Sequence[int]) -> list[list[int]]:
    """The number of the orientation to which each turn takes each orientation."""
    own = part.transformations
    number: dict[bytes, int] = {}
    made_by: list[Transformation] = []  # a transformation for each orientation
    orientation_of: dict[tuple[int, ...], int] = {}
    for transformation, key in zip(own, images([part], own, axes).keys()[0], strict=True):
        if key not in number:
            number[key] = len(made_by)
            made_by.append(transformation)
        orientation_of[transformation.labels] = number[key]
    return [[orientation_of[tuple(turn.labels[h] for h in t.labels)] for t in made_by] for turn in turns]
