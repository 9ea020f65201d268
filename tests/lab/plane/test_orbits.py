"""Tilings with few classes: published figures, the independent checker, and all tilings of small tori."""

from __future__ import annotations

import itertools

import pytest

from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.piece_sets import Family, pieces
from latcover.lab.plane.copies import Copies
from latcover.lab.plane.orbits import with_classes
from latcover.lab.plane.prototiles import PeriodicTiling, Prototiles, Tile
from latcover.lab.plane.tiling_group import check_tiling, group_of


def shapes(lattice: str, cells: int) -> list[Prototiles]:
    found = load_lattice(lattice)
    return [Prototiles(found, (part,)) for part in pieces(found, cells, Family(holes=False)).parts]


# Free shapes without holes: in all, isohedral, and the k of the others that tile. Kaplan's heesch-sat gives the same;
# of squares see also Myers, and OEIS A054361 for those that do not tile.
FIGURES = [
    ("square", 6, 35, 35, []),
    ("square", 7, 107, 104, []),
    ("square", 8, 363, 342, [2]),
    ("hexagonal", 5, 22, 22, []),
    ("hexagonal", 6, 81, 76, [2]),
    ("triangular", 8, 66, 66, []),
    ("triangular", 9, 159, 133, [2, 2, 2, 2, 2, 4]),
    ("kite", 4, 10, 4, [2]),
    ("kite", 6, 84, 70, [2]),
    pytest.param("square", 9, 1248, 1041, [2] * 8 + [4], marks=pytest.mark.long),
]


@pytest.mark.parametrize(("lattice", "cells", "number", "isohedral", "others"), FIGURES)
def test_published_figures(lattice: str, cells: int, number: int, isohedral: int, others: list[int]) -> None:
    every = shapes(lattice, cells)
    assert len(every) == number
    left = [prototiles for prototiles in every if not with_classes(prototiles, 1).tiling]
    assert len(left) == number - isohedral
    found = []
    for prototiles in left:
        least = next((k for k in range(2, 6) if with_classes(prototiles, k).tiling), None)
        found += [] if least is None else [least]
    assert sorted(found) == others


@pytest.mark.parametrize(("lattice", "cells"), [("square", 5), ("hexagonal", 4), ("triangular", 6), ("kite", 6)])
def test_every_tiling_passes_the_checker_with_as_many_classes(lattice: str, cells: int) -> None:
    for prototiles in shapes(lattice, cells):
        for k in (1, 2):
            result = with_classes(prototiles, k)
            assert result.complete
            if result.tiling:
                check_tiling(result.tiling)
                assert group_of(result.tiling).n_classes == k
                break


def all_tilings(prototiles: Prototiles, period: Period) -> list[PeriodicTiling]:
    """Every tiling of a torus, by plain recursion."""
    copies = Copies(prototiles)
    cells = [(node, *home) for home in period.homes().tolist() for node in range(len(prototiles.lattice.nodes))]
    found: list[PeriodicTiling] = []

    def fill(held: frozenset[tuple[int, ...]], tiles: tuple[Tile, ...]) -> None:
        free = next((cell for cell in cells if cell not in held), None)
        if free is None:
            found.append(PeriodicTiling(prototiles, period, tiles))
            return
        for tile, own in copies.holding(free):
            homes = frozenset(period.homes_of(own))
            if len(homes) == len(own) and not homes & held:
                fill(held | homes, (*tiles, tile))

    fill(frozenset(), ())
    return found


def least_on_tori(prototiles: Prototiles, most: int) -> int | None:
    """The least number of classes of any tiling of a torus of at most so many tiles, by trying all."""
    nodes, size = len(prototiles.lattice.nodes), prototiles.shapes[0].size
    found: list[int] = []
    for units in range(1, most * size // nodes + 1):
        if units * nodes % size:
            continue
        for a, b in itertools.product(range(1, units + 1), range(units)):
            if units % a == 0 and b < units // a:
                period = Period(2, ((a, b), (0, units // a)))
                found += [group_of(tiling).n_classes for tiling in all_tilings(prototiles, period)]
                if 1 in found:
                    return 1
    return min(found, default=None)


@pytest.mark.parametrize(
    ("lattice", "cells", "most"),
    [
        ("square", 4, 4),
        ("triangular", 4, 3),
        ("hexagonal", 3, 3),
        pytest.param("kite", 4, 6, marks=pytest.mark.long),
        pytest.param("square", 5, 4, marks=pytest.mark.long),
        pytest.param("kite", 6, 6, marks=pytest.mark.long),
    ],
)
def test_all_tilings_of_small_tori_agree(lattice: str, cells: int, most: int) -> None:
    """The tori hold every isohedral tiling of these shapes, and one of two classes where there is no isohedral one."""
    for prototiles in shapes(lattice, cells):
        least = next((k for k in (1, 2) if with_classes(prototiles, k).tiling), None)
        assert least == least_on_tori(prototiles, most), prototiles.shapes[0].cells.tolist()


def test_sets_use_every_shape() -> None:
    square = load_lattice("square")
    cross = Part("X", ".X.\nXXX\n.X.", lattice=square)
    ring = Part("ring", "XXX\nX.X\nXXX", lattice=square)
    dot = Part("dot", "X", lattice=square)
    assert not with_classes(Prototiles(square, (ring,)), 1).tiling
    assert not with_classes(Prototiles(square, (ring, cross)), 3).tiling
    found = with_classes(Prototiles(square, (ring, dot)), 2).tiling
    assert found
    check_tiling(found)
    assert {tile.shape for tile in found.tiles} == {0, 1}
    assert not with_classes(Prototiles(square, (ring, dot)), 1).tiling
    assert with_classes(Prototiles(square, (cross,)), 1).tiling
    assert not with_classes(Prototiles(square, (cross, dot)), 1).tiling


def test_one_sided_shapes_do_not_turn_over() -> None:
    """Of this shape some tilings need both hands: the fewest classes differ."""
    square = load_lattice("square")
    for part in pieces(square, 5).parts:
        turned = Part(part.name, part.cells, lattice=square, transformations="rotations")
        found = with_classes(Prototiles(square, (turned,)), 1).tiling
        assert found
        check_tiling(found)  # no tile is turned over


def test_limits() -> None:
    every = shapes("square", 8)
    hard = max(every, key=lambda prototiles: with_classes(prototiles, 1).nodes)
    cut = with_classes(hard, 3, nodes=1)
    assert (cut.tiling, cut.complete) == (None, False)
    with pytest.raises(UnsupportedError, match="between 1 and 16"):
        with_classes(hard, 0)
