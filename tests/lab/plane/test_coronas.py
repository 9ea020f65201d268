"""Heesch numbers against brute force and published figures; each patch passes its checker."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations, product
from random import Random

import numpy as np
import pytest

from latcover.core.model.puzzle import Part
from latcover.errors import InternalError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.piece_sets import Family, pieces
from latcover.lab.plane import coronas
from latcover.lab.plane.coronas import Surrounder, heesch
from latcover.lab.plane.holes import Holes
from latcover.lab.plane.neighbours import Neighbours, numbers_of, rows_of
from latcover.lab.plane.patch_check import enclosed, faults_of_patch
from latcover.lab.plane.plane_answer import Heesch
from latcover.lab.plane.prototiles import Patch, Prototiles
from tests.lab.plane.corona_oracle import CoronaOracle


def family(lattice: str, cells: int) -> list[Prototiles]:
    """The free shapes without holes."""
    found = load_lattice(lattice)
    return [Prototiles(found, (part,)) for part in pieces(found, cells, Family(holes=False)).parts]


def drawn(*rows: str, transformations: str = "reflections") -> Prototiles:
    square = load_lattice("square")
    return Prototiles(square, (Part("drawn", "\n".join(rows), transformations=transformations, lattice=square),))


def require_patches(prototiles: Prototiles, found: Heesch) -> None:
    """Both patches are right, and show what they are said to show."""
    assert found.patch.prototiles is prototiles
    assert max(found.patch.coronas) == found.number
    assert faults_of_patch(found.patch) == []
    if found.patch_with_hole is not None:
        assert max(found.patch_with_hole.coronas) == found.with_hole == found.number + 1
        assert faults_of_patch(found.patch_with_hole, hole_in_last=True) == []
        assert faults_of_patch(found.patch_with_hole) != []


@pytest.mark.parametrize(("lattice", "cells"), [("kite", 4), ("drafter", 4), ("trihex", 2), ("tetrakis", 4)])
def test_brute_force_finds_the_same_first_coronas(lattice: str, cells: int) -> None:
    for prototiles in family(lattice, cells):
        found, oracle = heesch(prototiles, 1, holes=True), CoronaOracle(prototiles)
        require_patches(prototiles, found)
        assert found.number == oracle.number(1)
        assert found.with_hole == oracle.number(1, hole_in_last=True)
        assert found.exact == (found.number == 0)


def test_brute_force_finds_no_second_corona_either() -> None:
    once = next(p for p in family("kite", 4) if heesch(p, 2) == heesch(p, 2) and heesch(p, 2).number == 1)
    assert CoronaOracle(once).number(2) == CoronaOracle(once).number(2, hole_in_last=True) == 1


@pytest.mark.parametrize(
    ("lattice", "cells", "numbers"),
    [
        ("kite", 4, [4, 1]),
        pytest.param("square", 7, [1, 2], marks=pytest.mark.long),
        pytest.param("hexagonal", 6, [0, 3, 1], marks=pytest.mark.long),
        pytest.param("kite", 6, [12, 1], marks=pytest.mark.long),
    ],
)
def test_published_numbers(lattice: str, cells: int, numbers: list[int]) -> None:
    """Kaplan, "Heesch numbers of unmarked polyforms", table 2; those that tile go on for ever."""
    most = len(numbers)
    found = [heesch(prototiles, most) for prototiles in family(lattice, cells)]
    count = Counter(each.number for each in found if each.exact)
    assert [count[k] for k in range(most)] == numbers
    assert all(each.exact == (each.number < most) for each in found)


def test_a_hole_in_the_last_corona() -> None:
    """The only one of 7 squares that no corona without a hole surrounds."""
    prototiles = drawn(".X..", "XXXX", ".X..", ".X..")
    found = heesch(prototiles, 3, holes=True)
    require_patches(prototiles, found)
    assert (found.number, found.with_hole, found.exact) == (0, 1, True)
    assert CoronaOracle(prototiles).number(1) == 0
    assert CoronaOracle(prototiles).number(1, hole_in_last=True) == 1


@pytest.mark.parametrize("rows", [("XXX.", "..XX", "..X.", ".XX."), ("X....", "XX.XX", ".XXX.", ".X...")])
def test_a_hole_in_the_second_corona(rows: tuple[str, ...]) -> None:
    """The only one of 8 squares, and one of 9 that needs two tiles with a hole between them in the second corona."""
    found = heesch(prototiles := drawn(*rows), 3, holes=True)
    require_patches(prototiles, found)
    assert (found.number, found.with_hole, found.exact) == (1, 2, True)


@pytest.mark.parametrize(("lattice", "cells"), [("kite", 4), pytest.param("hexagonal", 6, marks=pytest.mark.long)])
def test_rings_exclude_no_corona_that_clauses_alone_allow(lattice: str, cells: int) -> None:
    """A refutation takes all copies that touch, whatever rings they occur in."""
    for prototiles in family(lattice, cells):
        found = heesch(prototiles, 2, holes=True)
        if found.exact:
            refuted = Surrounder(prototiles).refutation(found.number + 1, hole_in_last=True)
            assert isinstance(refuted, Patch) is (found.with_hole == found.number + 1)


@pytest.mark.parametrize("lattice", ["square", "triangular", "kite", "octasquare"])
def test_holes_are_all_that_is_enclosed(lattice: str) -> None:
    """Between cells drawn by lot; the checker of patches finds the same cells."""
    prototiles = family(lattice, 1)[0]
    holes = Holes(Neighbours(prototiles))
    lot = Random(lattice)
    for _ in range(20):
        side = lot.randrange(3, 7)
        box = [*product(range(len(prototiles.lattice.nodes)), range(side), range(-side, 0))]
        covered = set(lot.sample(box, len(box) * 3 // 4))
        found = [[*map(tuple, rows_of(np.array(hole)).tolist())] for hole in holes.of(numbers_of(covered).tolist())]
        assert set(chain.from_iterable(found)) == enclosed(prototiles.lattice, covered)
        assert found == sorted(map(sorted, found))
        assert all(prototiles.lattice.connects(hole) for hole in found)
        for one, other in combinations(found, 2):
            assert not prototiles.lattice.connects([*one, *other])


@pytest.mark.parametrize(
    "rows", [(".XX", "XX.", ".X.", ".X."), ("XXX", "X..", "X..", "X.."), ("XX.", ".XX", ".X.", "XX.")]
)
def test_holes_between_several_tiles_are_filled(rows: tuple[str, ...]) -> None:
    prototiles = drawn(*rows)
    require_patches(prototiles, heesch(prototiles, 2))


def test_fewer_transformations_surround_less() -> None:
    rows = (".XX", "XX.", ".X.")  # the F pentomino
    assert heesch(drawn(*rows), 2).number == 2
    assert heesch(drawn(*rows, transformations="fixed"), 2).exact


def test_two_shapes_surround_the_first() -> None:
    square = load_lattice("square")
    cross = Part("cross", ".X..\nXXXX\n.X..\n.X..", lattice=square)
    plug = Part("plug", "X", lattice=square, transformations="fixed")
    assert heesch(Prototiles(square, (cross,)), 2).number < 2
    found = heesch(both := Prototiles(square, (cross, plug)), 2)
    require_patches(both, found)
    assert (found.number, found.exact) == (2, False)


def test_a_shape_with_a_hole_has_no_corona() -> None:
    found = heesch(drawn("XXX", "X.X", "XXX"), 3, holes=True)
    assert (found.number, found.with_hole, found.exact) == (0, 0, True)


def test_a_search_that_is_stopped_says_so() -> None:
    calls = iter(range(9))
    found = heesch(drawn("X"), 50, go_on=lambda: next(calls, None) is not None)
    assert not found.exact
    require_patches(found.patch.prototiles, found)


def test_a_wrong_patch_does_not_leave_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def claim_nothing(_: Patch, *, hole_in_last: bool) -> list[str]:
        return [f"made up, {hole_in_last}"]

    monkeypatch.setattr(coronas, "faults_of_patch", claim_nothing)
    with pytest.raises(InternalError, match="made up, False"):
        heesch(drawn("XX"), 1)
