"""All connected shapes of so many cells, against the numbers of the On-Line Encyclopedia of Integer Sequences."""

from __future__ import annotations

import numpy as np
import pytest

from latcover.formats.library import load_lattice
from latcover.model.pieces import has_hole, shapes


@pytest.mark.parametrize(
    ("lattice", "allowed", "numbers"),
    [
        ("square", "reflections", (1, 1, 2, 5, 12, 35, 108)),  # A000105
        ("square", "rotations", (1, 1, 2, 7, 18, 60, 196)),  # A000988
        ("square", "fixed", (1, 2, 6, 19, 63, 216)),  # A001168
        ("hexagonal", "reflections", (1, 1, 3, 7, 22, 82)),  # A000228
        ("hexagonal", "rotations", (1, 1, 3, 10, 33, 147)),  # A006535
        ("triangular", "reflections", (1, 1, 1, 3, 4, 12, 24, 66)),  # A000577
        ("triangular", "rotations", (1, 1, 1, 4, 6, 19, 43, 120)),  # A006534
        ("cubic", "reflections", (1, 1, 2, 7, 23, 112)),  # A038119
        ("cubic", "rotations", (1, 1, 2, 8, 29, 166)),  # A000162
        ("tetrakis", "reflections", (1, 2, 2, 6, 8, 22, 42, 112)),  # A197465
    ],
)
def test_numbers_of_shapes(lattice: str, allowed: str, numbers: tuple[int, ...]) -> None:
    on = load_lattice(lattice)
    found = [len(shapes(on, n, on.allowed(allowed))) for n in range(1, len(numbers) + 1)]
    assert tuple(found) == numbers


@pytest.mark.parametrize(("n", "without"), [(6, 35), (7, 107), (8, 363)])
def test_numbers_of_polyominoes_without_holes(n: int, without: int) -> None:
    """A000104."""
    on = load_lattice("square")
    assert sum(not has_hole(cells, on) for cells in shapes(on, n, on.transformations)) == without


def test_shapes_are_connected_and_distinct() -> None:
    on = load_lattice("rhombic")
    found = shapes(on, 3, on.allowed("rotations"))
    assert len(np.unique(found.reshape(len(found), -1), axis=0)) == len(found)
    for cells in found.tolist():
        first, *others = map(tuple, cells)
        reached = {first}
        while new := [cell for cell in others if cell not in reached and reached & set(on.neighbours(cell))]:
            reached.update(new)
        assert len(reached) == 3
