"""The checker of periodic tilings: planted faults, and groups that are known by how the tilings were made."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.core.model.lattice import Lattice
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part
from latcover.errors import InternalError
from latcover.files.formats.library import load_lattice
from latcover.lab.plane.prototiles import Cell, PeriodicTiling, Prototiles, Tile
from latcover.lab.plane.tiling_group import check_tiling, group_of

N = 12
Made = tuple[tuple[tuple[int, int], tuple[int, int]], tuple[int, int]]  # a matrix, and a shift after it
TURN, FLIP, OTHER_FLIP, HALF = ((0, -1), (1, 0)), ((-1, 0), (0, 1)), ((1, 0), (0, -1)), ((-1, 0), (0, -1))
SAME = ((1, 0), (0, 1))
H, NO = N // 2, (0, 0)
ON_SQUARES: dict[str, list[Made]] = {  # as in the International Tables
    "p1": [],
    "p2": [(HALF, NO)],
    "pm": [(FLIP, NO)],
    "pg": [(FLIP, (0, H))],
    "cm": [(FLIP, NO), (SAME, (H, H))],
    "pmm": [(FLIP, NO), (OTHER_FLIP, NO)],
    "pmg": [(HALF, NO), (FLIP, (H, 0))],
    "pgg": [(HALF, NO), (FLIP, (H, H))],
    "cmm": [(FLIP, NO), (OTHER_FLIP, NO), (SAME, (H, H))],
    "p4": [(TURN, NO)],
    "p4m": [(TURN, NO), (FLIP, NO)],
    "p4g": [(TURN, NO), (FLIP, (H, H))],
}


def coloured(lattice: Lattice, generators: list[Made]) -> PeriodicTiling:
    """Single cells on a torus of N by N; one shape for each orbit of cells under *generators*."""
    cells = [(x, y) for x in range(N) for y in range(N)]
    leader = {cell: cell for cell in cells}

    def root(cell: tuple[int, int]) -> tuple[int, int]:
        while leader[cell] != cell:
            cell = leader[cell]
        return cell

    for cell in cells:
        for matrix, shift in generators:
            x, y = np.array(matrix) @ cell + shift
            leader[root(cell)] = root((int(x) % N, int(y) % N))
    roots = sorted({root(cell) for cell in cells})
    shapes = tuple(Part(str(k), [(0, 0)], lattice=lattice) for k in range(len(roots)))
    tiles = tuple(Tile(roots.index(root(cell)), 0, cell) for cell in cells)
    return PeriodicTiling(Prototiles(lattice, shapes), Period(2, ((N, 0), (0, N))), tiles)


@pytest.mark.parametrize("name", ON_SQUARES)
def test_groups_on_squares(name: str) -> None:
    tiling = coloured(load_lattice("square"), ON_SQUARES[name])
    check_tiling(tiling)
    group = group_of(tiling)
    assert group.name == name
    assert group.n_classes == len(tiling.prototiles.shapes)
    assert group.classes == tuple(_renumbered([tile.shape for tile in tiling.tiles]))
    assert group.period.volume == N * N // (2 if name.startswith("c") else 1)


@pytest.mark.parametrize("name", ["p3", "p3m1", "p31m", "p6", "p6m"])
def test_groups_on_hexagons(name: str) -> None:
    lattice = load_lattice("hexagonal")
    order = 6 if name.startswith("p6") else 3
    trace = {3: -1, 6: 1}[order]
    rotation = next(t for t in lattice.transformations if t.proper and np.trace(t.matrix) == trace)
    generators = [rotation]
    if "m" in name:
        # The period has the shortest vectors of the lattice as its own: the axis of p31m lies along one of them.
        along = [t for t in lattice.transformations if not t.proper and _keeps_a_neighbour(lattice, t.matrix)]
        across = [t for t in lattice.transformations if not t.proper and not _keeps_a_neighbour(lattice, t.matrix)]
        generators.append((across if name == "p3m1" else along)[0])
    made: list[Made] = [(tuple(map(tuple, t.matrix.tolist())), NO) for t in generators]
    group = group_of(coloured(lattice, made))
    assert group.name == name
    assert len(group.motions) == order * (2 if "m" in name else 1)


def _keeps_a_neighbour(lattice: Lattice, matrix: np.ndarray) -> bool:
    steps = np.array([edge.step for edge in lattice.half_edges])
    return bool((steps @ matrix.T == steps).all(axis=1).any())


def _renumbered(classes: list[int]) -> list[int]:
    first = list(dict.fromkeys(classes))
    return [first.index(each) for each in classes]


def dominoes() -> PeriodicTiling:
    square = load_lattice("square")
    prototiles = Prototiles(square, (Part("I", [(0, 0), (1, 0)], lattice=square),))
    return PeriodicTiling(prototiles, Period(2, ((2, 0), (0, 2))), (Tile(0, 0, (0, 0)), Tile(0, 0, (0, 1))))


def test_the_period_is_made_as_small_as_can_be() -> None:
    check_tiling(dominoes())
    group = group_of(dominoes())
    assert (group.name, group.period.volume, group.classes) == ("pmm", 2, (0, 0))
    shifted = replace(dominoes(), tiles=(Tile(0, 0, (0, 0)), Tile(0, 0, (1, 1))))
    assert group_of(shifted).name == "cmm"


@pytest.mark.parametrize(
    ("tiles", "said"),
    [
        ((Tile(0, 0, (0, 0)),), "leaves 2 cells"),
        ((Tile(0, 0, (0, 0)), Tile(0, 0, (1, 0))), "overlap"),
        ((Tile(0, 0, (0, 0)), Tile(0, 0, (0, 1)), Tile(0, 0, (2, 3))), "overlap"),
    ],
)
def test_a_bad_tiling_is_refused(tiles: tuple[Tile, ...], said: str) -> None:
    with pytest.raises(InternalError, match=said):
        check_tiling(replace(dominoes(), tiles=tiles))


def test_a_tile_that_meets_itself_and_a_strip_are_refused() -> None:
    with pytest.raises(InternalError, match="overlap"):
        check_tiling(replace(dominoes(), period=Period(2, ((1, 0), (0, 2)))))
    with pytest.raises(InternalError, match="translations"):
        check_tiling(replace(dominoes(), period=Period(2, ((2, 0),))))


def test_a_turn_that_is_not_allowed_is_refused() -> None:
    square = load_lattice("square")
    fixed = Prototiles(square, (Part("I", [(0, 0), (1, 0)], lattice=square, transformations="fixed"),))
    turn = next(k for k, t in enumerate(square.transformations) if abs(t.matrix[0, 0]) == 0)
    cell: Cell = (0, 0, 0)
    tiles = (Tile(0, turn, cell[1:]), Tile(0, turn, (1, 0)))
    with pytest.raises(InternalError, match="its shape does not allow"):
        check_tiling(PeriodicTiling(fixed, Period(2, ((2, 0), (0, 2))), tiles))
