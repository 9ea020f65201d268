"""Parts with a closed hollow: it stays when a clearance or a chamfer is given, in meshes and in files."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import product

import numpy as np
import pytest

import latcover
from latcover.show.printing import bodies, model_files, models
from latcover.show.printing.layout import Dimensions
from tests.show.printing.test_bodies import Cell, checked, cubes, hexagonal_prisms, item, lattice, volume
from tests.show.printing.test_step import volumes

if find_spec("manifold3d") is None:
    pytest.skip("needs manifold3d: pip install 'latcover[mesh]'", allow_module_level=True)

SHELL = [(0, *cell) for cell in product(range(3), repeat=3) if cell != (1, 1, 1)]
AROUND = [(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)]  # a hexagon and its neighbours
HEXAGONS = [(0, *at, z) for at in AROUND for z in range(3) if (*at, z) != (0, 0, 1)]


@pytest.mark.parametrize("clearance", [0.0, 0.2, 1.7])
@pytest.mark.parametrize(
    ("name", "cells", "formula"), [("cubic", SHELL, cubes), ("hexprism", HEXAGONS, hexagonal_prisms)]
)
def test_a_hollow_keeps_its_volume_by_formula(name: str, cells: list[Cell], formula, clearance: float) -> None:  # type: ignore[no-untyped-def]
    made = checked(lattice(name), cells, Dimensions(17.0, clearance))
    assert volume(made) == pytest.approx(formula(cells, 17.0, clearance), rel=1e-6)


def test_a_chamfer_leaves_the_hollow_as_it_is() -> None:
    size = Dimensions(10.0, 0.4, chamfer=1.0)
    kind, block = lattice("cubic"), [*SHELL, (0, 1, 1, 1)]
    hollow, full = (volume(checked(kind, cells, size)) for cells in (SHELL, block))
    assert full - hollow == pytest.approx(10.4**3, rel=1e-6)  # its edges are concave


def test_a_piece_within_a_hollow_is_a_piece() -> None:
    box = [(0, *cell) for cell in product(range(5), repeat=3) if {0, 4} & set(cell)]
    made = bodies.body(lattice("cubic"), item(lattice("cubic"), [*box, (0, 2, 2, 2)]), Dimensions(10.0, 0.4))
    assert bodies.count_of_bodies(made) == 2
    assert made.volume() == pytest.approx(49.6**3 - 30.4**3 + 9.6**3, rel=1e-6)
    both = bodies._with_hollows(made.decompose())
    assert sorted(round(one.volume(), 3) for one in both) == [round(9.6**3, 3), round(49.6**3 - 30.4**3, 3)]


def test_files_hold_the_hollow_and_nobody_is_told_of_pieces() -> None:
    cells = [cell[1:] for cell in SHELL]
    part = latcover.Part("shell", cells)
    puzzle = latcover.Puzzle("shell", latcover.load_lattice("cubic"), latcover.Region(cells), [part])
    (model,) = models.of_parts(puzzle, Dimensions(10.0, 0.4))
    assert model.bodies == 1
    assert models.remarks(puzzle, [model], Dimensions())[1:] == []
    assert volumes(model_files.written([model], ".step", "shell")) == pytest.approx([29.6**3 - 10.4**3])
    assert np.isclose(model.volume, 29.6**3 - 10.4**3)
