"""All connected shapes of so many cells, against the numbers of the On-Line Encyclopedia of Integer Sequences."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from latcover.core.model.connected_shapes import chessboard, convex, has_hole, keeps_colours, polyaboloes, shapes
from latcover.errors import TooLargeError, UnsupportedError
from latcover.files.formats.library import load_lattice

# Numbers of the On-Line Encyclopedia of Integer Sequences, from one cell on.
KNOWN = [
    ("square", "reflections", (1, 1, 2, 5, 12, 35, 108, 369)),  # A000105
    ("square", "rotations", (1, 1, 2, 7, 18, 60, 196, 704)),  # A000988
    ("square", "fixed", (1, 2, 6, 19, 63, 216, 760)),  # A001168
    ("hexagonal", "reflections", (1, 1, 3, 7, 22, 82)),  # A000228
    ("hexagonal", "rotations", (1, 1, 3, 10, 33, 147)),  # A006535
    ("hexagonal", "fixed", (1, 3, 11, 44, 186, 814)),  # A001207
    ("triangular", "reflections", (1, 1, 1, 3, 4, 12, 24, 66, 160)),  # A000577
    ("triangular", "rotations", (1, 1, 1, 4, 6, 19, 43, 120, 307)),  # A006534
    ("triangular", "fixed", (2, 3, 6, 14, 36, 94, 250)),  # A001420
    ("cubic", "reflections", (1, 1, 2, 7, 23, 112)),  # A038119
    ("cubic", "rotations", (1, 1, 2, 8, 29, 166)),  # A000162
    ("cubic", "fixed", (1, 3, 15, 86, 534)),  # A001931
    ("tetrakis", "reflections", (1, 2, 2, 6, 8, 22, 42, 112)),  # A197465
    ("kite", "reflections", (1, 2, 4, 10, 27, 85, 262)),  # grown from the drawings too
    ("polystick", "reflections", (1, 2, 5, 16, 55, 222)),  # A019988
]


@pytest.mark.parametrize(("lattice", "allowed", "numbers"), KNOWN)
def test_numbers_of_shapes(lattice: str, allowed: str, numbers: tuple[int, ...]) -> None:
    on = load_lattice(lattice)
    found = [len(shapes(on, n, on.allowed(allowed))) for n in range(1, len(numbers) + 1)]
    assert tuple(found) == numbers


def test_numbers_of_polyaboloes() -> None:
    on = load_lattice("tetrakis")
    found = [len(polyaboloes(on, n, on.transformations)) for n in range(1, 8)]
    assert found == [1, 3, 4, 14, 30, 107, 318]  # A006074
    with pytest.raises(TooLargeError):
        polyaboloes(on, 5, on.transformations, most=20)


ROTATIONS = [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)]
MOTIONS = {
    "reflections": [*ROTATIONS, *((c, d, a, b) for a, b, c, d in ROTATIONS)],
    "rotations": ROTATIONS,
    "fixed": ROTATIONS[:1],
}
Point = tuple[int, int]


@pytest.mark.parametrize("allowed", MOTIONS)
def test_polyaboloes_are_those_that_half_squares_give_by_their_corners(allowed: str) -> None:
    """Two lie side by side if they share two corners, and no quarter of a square, which is a point with odd numbers."""
    on = load_lattice("tetrakis")
    halves = {
        frozenset({(x + i, y + j), (x + 1 - i, y + j), (x + i, y + 1 - j)}): frozenset(
            {(6 * x + 1 + 4 * i, 6 * y + 3), (6 * x + 3, 6 * y + 1 + 4 * j)}
        )
        for x, y, i, j in product(range(-4, 5), range(-4, 5), (0, 1), (0, 1))
    }

    def key(laid: tuple[frozenset[Point], ...]) -> list[Point]:
        points = [point for half in laid for point in halves[half]]
        images = []
        for a, b, c, d in MOTIONS[allowed]:
            moved = [(a * x + b * y, c * x + d * y) for x, y in points]
            left, low = (min(each) // 6 * 6 for each in zip(*moved, strict=True))
            images.append(sorted((x - left, y - low) for x, y in moved))
        return min(images)

    found = {str(key((half,))): (half,) for half in halves if half <= {(0, 0), (0, 1), (1, 0), (1, 1)}}
    for n in range(1, 5):
        assert len(polyaboloes(on, n, on.allowed(allowed))) == len(found)
        grown = [
            (*laid, half)
            for laid in found.values()
            for half in halves
            if any(len(half & each) == 2 for each in laid) and not any(halves[half] & halves[each] for each in laid)
        ]
        found = {str(key(laid)): laid for laid in grown}


@pytest.mark.parametrize(
    ("lattice", "n", "without"),
    [
        *[("square", n, number) for n, number in ((6, 35), (7, 107), (8, 363))],  # A000104
        *[("hexagonal", n, number) for n, number in ((5, 22), (6, 81))],  # A018190
        *[("triangular", n, number) for n, number in ((8, 66), (9, 159))],  # A070765
        *[("cubic", 5, 23)],
    ],
)
def test_numbers_of_shapes_without_holes(lattice: str, n: int, without: int) -> None:
    on = load_lattice(lattice)
    assert sum(not has_hole(cells, on) for cells in shapes(on, n, on.transformations)) == without


def test_numbers_of_convex_shapes() -> None:
    """A067675: fixed polyominoes without a gap in a row or a column."""
    on = load_lattice("square")
    found = [int(convex(shapes(on, n, on.allowed("fixed")), on).sum()) for n in range(1, 9)]
    assert found == [1, 2, 6, 19, 59, 176, 502, 1374]
    for cells in (each for n in range(1, 7) for each in shapes(on, n, on.allowed("fixed"))):
        lines = [
            sorted(c[3 - axis] for c in cells.tolist() if c[axis] == at)
            for axis in (1, 2)
            for at in set(cells[:, axis])
        ]
        unbroken = all(line[-1] - line[0] + 1 == len(line) for line in lines)
        assert convex(cells[None], on).tolist() == [unbroken]


def test_numbers_of_chessboard_shapes() -> None:
    """A001933; and no two cells of a colour are neighbours, on any lattice that can be coloured so."""
    for lattice in ("square", "cubic", "triangular", "tetrakis", "rhombic", "tetraocta", "triprism"):
        on = load_lattice(lattice)
        numbers = []
        for n in range(1, 8 if lattice == "square" else 4):
            found = shapes(on, n, on.transformations)
            colours = chessboard(found, on)
            numbers.append(len(found) + int(keeps_colours(found, colours, on, on.transformations).sum()))
            for cells, tints in zip(found.tolist(), colours.tolist(), strict=True):
                tint = dict(zip(map(tuple, cells), tints, strict=True))
                assert all(tint[c] != tint[d] for c in tint for d in on.neighbours(c) if d in tint)
        if lattice == "square":
            assert numbers == [2, 1, 4, 7, 24, 62, 216]
    for lattice in ("hexagonal", "fcc", "hexprism"):
        with pytest.raises(UnsupportedError, match="cannot be coloured like a chessboard"):
            chessboard(np.zeros((1, 1, 4), np.int32), load_lattice(lattice))


def test_too_many_shapes() -> None:
    square, triangular = load_lattice("square"), load_lattice("triangular")
    assert len(shapes(square, 6, square.transformations, 35)) == 35
    for on, n, most in ((square, 6, 34), (square, 100, 5000), (triangular, 30, 100)):
        with pytest.raises(TooLargeError, match=f"more than {most:,} shapes"):
            shapes(on, n, on.transformations, most)


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
