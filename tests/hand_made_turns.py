"""Turns whose paths are made by hand, for checks of what others find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from latcover.core.model.turn_data import Giving, Turn
from latcover.files.formats.library import load_lattice

SQUARE = load_lattice("square")


def drawn(*rows: str) -> dict[int, np.ndarray]:
    """The cells of each piece of a drawing on the square lattice: 0 for F, then A, B, ...; a point is no cell."""
    found: dict[int, list[tuple[int, int, int]]] = {}
    for x, row in enumerate(rows):
        for y, letter in enumerate(row):
            if letter != ".":
                found.setdefault("FABCDEGHI".index(letter), []).append((0, x, y))
    return {k: np.array(found[k], np.int32) for k in sorted(found)}


ROOM = drawn("FFFFF", "FAA.F", "F...F", "F...F", "FFFFF")
LOOSE = drawn("FFFFFF", "FBBFFF", "F..CFF", "FAACFF", "F.FFFF", "F.FFFF")
"""The bar A turns in a hole of 2 x 2 if the walls B and C give way by twice the play: from a play of 0.0354 on."""


def turned(points, pose, middle):
    """Where a pose takes points of the plane."""
    c, s = np.cos(np.radians(pose[0])), np.sin(np.radians(pose[0]))
    return (np.asarray(points) - middle) @ np.array([[c, s], [-s, c]]) + middle + np.asarray(pose[1:])


def plane_turn(
    cells: np.ndarray, middle, path: Sequence[Sequence[float]], giving: Mapping[int, Sequence[Sequence[float]]] = {}
) -> Turn:
    """A turn of the square lattice on *path*, which ends where *cells* have a place of the lattice."""
    quarters = round(path[-1][0] / 90)
    rows = np.linalg.matrix_power(np.array([[0, 1], [-1, 0]]), quarters % 4)
    number = next(
        k for k, t in enumerate(SQUARE.transformations)
        if t.proper and np.allclose(np.linalg.inv(SQUARE.basis) @ t.matrix.T @ SQUARE.basis, rows)
    )  # fmt: skip
    end = turned(SQUARE.centres(cells[:1]), path[-1], middle)[0] @ np.linalg.inv(SQUARE.basis)
    shift = np.rint(end - SQUARE.transformations[number].apply(cells[:1])[0, 1:]).astype(int)
    return Turn(
        (0.0, 0.0, 1.0), 90.0 * quarters, number, tuple(shift.tolist()), True, tuple(map(float, middle)), as_path(path),
        giving=tuple(Giving(k, as_path(giving[k])) for k in sorted(giving)),
    )  # fmt: skip


def as_path(poses) -> tuple[tuple[float, ...], ...]:
    """Poses as plain data."""
    return tuple(tuple(map(float, pose)) for pose in poses)
