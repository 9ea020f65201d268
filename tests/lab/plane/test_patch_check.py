"""The checker of patches: a right one passes, and every way to spoil it is found."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from latcover.core.model.puzzle import Part
from latcover.files.formats.library import load_lattice
from latcover.lab.plane.patch_check import faults_of_patch
from latcover.lab.plane.prototiles import Patch, Prototiles, Tile

SQUARE = load_lattice("square")


def domino_in_a_ring() -> Patch:
    """A domino, six around it."""
    prototiles = Prototiles(SQUARE, (Part("domino", [(0, 0), (0, 1)], lattice=SQUARE, transformations="fixed"),))
    shifts = [(0, 0), (-1, -1), (-1, 1), (0, -2), (0, 2), (1, -1), (1, 1)]
    tiles = tuple(Tile(0, 0, shift) for shift in shifts)
    return Patch(prototiles, tiles, (0, *[1] * 6))


def without(patch: Patch, k: int) -> Patch:
    tiles, coronas = patch.tiles, patch.coronas
    return replace(patch, tiles=tiles[:k] + tiles[k + 1 :], coronas=coronas[:k] + coronas[k + 1 :])


def with_one(patch: Patch, corona: int, *shift: int, turn: int = 0) -> Patch:
    return replace(patch, tiles=(*patch.tiles, Tile(0, turn, shift)), coronas=(*patch.coronas, corona))


def moved(patch: Patch, k: int, shift: tuple[int, int]) -> Patch:
    return replace(patch, tiles=(*patch.tiles[:k], Tile(0, 0, shift), *patch.tiles[k + 1 :]))


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda patch: without(patch, 3), "around tile 0, of corona 0, are not all covered"),
        (lambda patch: moved(patch, 1, (-1, 0)), "overlaps"),
        (lambda patch: with_one(patch, 1, 5, 0), "touches none of corona 0"),
        (lambda patch: with_one(patch, 2, -2, 0), "the cells around tile"),
        (lambda patch: replace(patch, coronas=(0, 2, *[1] * 5)), "touches one of corona 0"),
        (lambda patch: replace(patch, coronas=(0, 0, *[1] * 5)), "corona 0 is not the first tile alone"),
        (lambda patch: replace(patch, coronas=(1, 0, *[1] * 5)), "corona 0 is not the first tile alone"),
        (lambda patch: replace(patch, coronas=(0, 1)), "does not say of each tile"),
        (lambda patch: with_one(patch, 1, 2, 0, turn=1), "rotated or reflected in a way"),
        (lambda patch: with_one(patch, 1, 2, 0, turn=99), "copy of no shape"),
    ],
)
def test_a_spoilt_patch_is_found(spoil: Callable[[Patch], Patch], fault: str) -> None:
    assert faults_of_patch(domino_in_a_ring()) == []
    assert any(fault in found for found in faults_of_patch(spoil(domino_in_a_ring())))


def test_a_hole_is_a_fault_unless_the_last_corona_may_have_one() -> None:
    """Dominoes of which two in the ring reach outwards, and one more closes a hole between them."""
    either = Prototiles(SQUARE, (Part("domino", [(0, 0), (0, 1)], lattice=SQUARE),))
    upright = next(k for k, turn in enumerate(SQUARE.transformations) if turn.matrix[0, 0] == 0)
    down = min(cell[1] for cell in either.covered(Tile(0, upright, (0, 0))))

    def standing(x: int, y: int) -> Tile:
        tile = Tile(0, upright, (x - down, y))
        assert either.covered(tile) == {(0, x, y), (0, x + 1, y)}
        return tile

    lying = [Tile(0, 0, shift) for shift in ((0, 0), (0, -2), (0, 2), (1, -1), (1, 1))]
    ring = [standing(-2, -1), Tile(0, 0, (-1, 0)), standing(-2, 2)]
    roof = [Tile(0, 0, (-3, -1)), Tile(0, 0, (-3, 1))]
    open_one = Patch(either, (*lying, *ring), (0, *[1] * 7))
    assert faults_of_patch(open_one) == []
    closed = replace(open_one, tiles=(*open_one.tiles, *roof), coronas=(*open_one.coronas, 1, 1))
    assert any("hole" in fault for fault in faults_of_patch(closed))
