"""Tori in order of area, their covers, and all tilings of one, counted in another way."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import latcover
from latcover.core.cover.events import Events
from latcover.core.cover.result import Stop
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Puzzle, Region
from latcover.errors import PuzzleError, TooLargeError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.named_shapes import shape_named
from latcover.lab.plane.plane_search import as_prototiles
from latcover.lab.plane.prototiles import Prototiles
from latcover.lab.plane.tiling_group import check_tiling
from latcover.lab.plane.tori import is_turned_to_itself, smallest_torus, sublattices
from latcover.lab.plane.torus_tilings import torus_tilings


def classes_by_force(lattice: str, units: int) -> int:
    """The classes of sublattices: orbits of sets of points modulo *units*."""
    found = set()
    matrices = [turn.matrix for turn in load_lattice(lattice).transformations]
    for a, b in itertools.product(range(1, units + 1), range(units)):
        if units % a or b >= units // a:
            continue
        points = Period(2, ((a, b), (0, units // a)))
        grid = np.array([*itertools.product(range(units), repeat=2)])
        own = grid[(points.home(grid) == 0).all(axis=1)]
        found.add(min(tuple(sorted(map(tuple, (own @ matrix.T % units).tolist()))) for matrix in matrices))
    return len(found)


@pytest.mark.parametrize("lattice", ["square", "hexagonal"])
@pytest.mark.parametrize("units", [1, 4, 6, 9])
def test_each_class_of_sublattices_comes_once(lattice: str, units: int) -> None:
    found = sublattices(load_lattice(lattice), units)
    assert len(found) == classes_by_force(lattice, units)
    assert all(period.volume == units for period in found)


def test_squares_are_those_that_a_quarter_turn_keeps() -> None:
    square = load_lattice("square")
    areas = [units for units in range(1, 21) if any(is_turned_to_itself(square, p) for p in sublattices(square, units))]
    assert areas == [1, 2, 4, 5, 8, 9, 10, 13, 16, 17, 18, 20]  # sums of two squares


@pytest.mark.parametrize(
    ("shape", "kind", "area"),
    [
        ("pentominoes:X", "any", 5),
        ("pentominoes:X", "square", 5),  # its lattice is turned to itself
        ("pentominoes:T", "any", 10),
        ("tetrominoes:I", "square", 8),  # (2, 2), (-2, 2)
        ("pentominoes:T", "odd", None),
        ("tetriamonds:I", "any", 4),
    ],
)
def test_smallest_tori(shape: str, kind: str, area: int | None) -> None:
    prototiles = as_prototiles(shape)
    found = smallest_torus(prototiles, 60, kind=kind)
    if found.tiling is None:
        assert (area, found.searched) == (None, 60)
        return
    check_tiling(found.tiling)
    assert found.tiling.area == area


def test_a_set_covers_a_torus_with_each_of_its_shapes() -> None:
    prototiles = as_prototiles(["pentominoes:X", "tetrominoes:I"])
    found = smallest_torus(prototiles, 40)
    assert found.tiling
    check_tiling(found.tiling)
    assert {tile.shape for tile in found.tiling.tiles} == {0, 1}
    assert found.tiling.area == 9


@pytest.mark.parametrize(
    ("shape", "vectors"),
    [
        ("tetrominoes:L", ((4, 0), (0, 4))),
        ("tetrominoes:T", ((4, 0), (2, 4))),
        ("pentominoes:Y", ((5, 0), (0, 5))),
        ("trihexes:V", ((3, 0), (0, 6))),
        ("tetriamonds:I", ((4, 0), (0, 4))),
    ],
)
def test_all_tilings_of_a_torus_are_the_solutions_of_its_puzzle(
    shape: str, vectors: tuple[tuple[int, int], ...]
) -> None:
    part = shape_named(shape)
    assert part.lattice
    period = Period(2, vectors)
    found = torus_tilings(Prototiles(part.lattice, (part,)), period)
    units = period.homes()
    cells = [(node, *unit) for unit in units.tolist() for node in range(len(part.lattice.nodes))]
    region = Region(np.array(cells, np.int32), period=vectors, lattice=part.lattice)
    answer = latcover.count(Puzzle("torus", part.lattice, region, (part,)))
    assert (len(found.tilings), found.total) == (answer.different, answer.total)


def test_a_strip_is_no_torus() -> None:
    with pytest.raises(PuzzleError, match="two vectors"):
        torus_tilings(as_prototiles("tetrominoes:I"), Period(2, ((4, 0),)))


def test_limits_of_tilings() -> None:
    prototiles = as_prototiles("tetrominoes:L")
    cut = torus_tilings(prototiles, Period(2, ((4, 0), (0, 4))), limit=3)
    assert (len(cut.tilings), cut.stop) == (3, "solution limit")
    assert torus_tilings(prototiles, Period(2, ((8, 0), (0, 8))), seconds=0).stop == "time limit"


class Refusing(Events):
    """Stops all work when it is asked for the first time after so many questions."""

    def __init__(self, questions: int) -> None:
        self.left = questions

    def on_progress(self, _: object) -> bool:
        self.left -= 1
        return self.left >= 0


@pytest.mark.parametrize("questions", [0, 1, 5])
def test_all_tilings_can_be_stopped_in_each_phase(questions: int) -> None:
    """Before the table of motions, in it, and between two tilings of a batch."""
    prototiles = as_prototiles("pentominoes:P")
    stopped = torus_tilings(prototiles, Period.read(2, (10, 10)), events=Refusing(questions))
    assert stopped.stop is Stop.CANCELLED
    assert torus_tilings(prototiles, Period.read(2, (10, 10)), seconds=0).stop is Stop.TIME_LIMIT


def test_a_torus_with_too_many_motions_is_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latcover.lab.plane.torus_tilings._shifted", None)
    with pytest.raises(TooLargeError, match="too many motions"):
        torus_tilings(as_prototiles("pentominoes:P"), Period.read(2, (30, 30)))
