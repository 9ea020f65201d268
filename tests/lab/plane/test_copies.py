"""Copies of shapes in the plane, against what follows from their definition."""

from __future__ import annotations

import pytest

from latcover.core.model.puzzle import Part
from latcover.errors import PuzzleError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.piece_sets import pieces
from latcover.lab.plane.copies import Copies
from latcover.lab.plane.prototiles import Prototiles, Tile

FLAT = ("square", "hexagonal", "triangular", "kite", "drafter", "trihex", "octasquare", "halfcairo", "tetrakis")


def copies(lattice: str, cells: int, number: int = 0) -> Copies:
    return Copies(Prototiles(load_lattice(lattice), (pieces(load_lattice(lattice), cells).parts[number],)))


@pytest.mark.parametrize("lattice", FLAT)
def test_each_copy_that_holds_a_cell_comes_once(lattice: str) -> None:
    found = copies(lattice, 3)
    for node in range(len(found.prototiles.lattice.nodes)):
        holding = list(found.holding((node, 5, -2)))
        assert len({cells for _, cells in holding}) == len(holding)
        assert holding or lattice == "octasquare"  # three octagons hold no square
        for tile, cells in holding:
            assert (node, 5, -2) in cells
            assert set(cells) == found.prototiles.covered(tile)
            assert found.named(tile.shape, cells) == tile


def test_orientations_are_those_up_to_translation() -> None:
    numbers = [len(copies("square", 5, k).orientations) for k in range(12)]
    assert sorted(numbers) == [1, 2, 4, 4, 4, 4, 4, 8, 8, 8, 8, 8]
    assert sum(numbers) == 63  # the fixed pentominoes


@pytest.mark.parametrize(
    ("lattice", "touching"), [("square", 8), ("hexagonal", 6), ("triangular", 12), ("kite", 9), ("trihex", 12)]
)
def test_cells_touch_at_sides_and_corners(lattice: str, touching: int) -> None:
    found = copies(lattice, 1)
    (tile, cells), *_ = found.holding((0, 0, 0))
    assert len(found.surroundings(cells)) == touching
    assert tile.moved((1, 2)).shift == tuple(a + b for a, b in zip(tile.shift, (1, 2), strict=True))


def test_a_shape_without_such_cells_is_not_named() -> None:
    assert copies("square", 3).named(0, [(0, 0, 0), (0, 5, 5), (0, 9, 9)]) is None


def test_what_fills_no_plane_is_refused() -> None:
    square = load_lattice("square")
    apart = Part("apart", [(0, 0), (2, 0)], lattice=square)
    with pytest.raises(PuzzleError, match="in one piece"):
        Prototiles(square, (apart,))
    with pytest.raises(PuzzleError, match="no shape"):
        Prototiles(square, ())
    for name in ("cubic", "polystick"):
        with pytest.raises(PuzzleError, match="do not fill the plane"):
            Prototiles(load_lattice(name), (apart,))


def test_tiles_are_sorted_by_shape_first() -> None:
    assert Tile(0, 5, (9, 9)) < Tile(1, 0, (0, 0))
