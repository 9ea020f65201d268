"""BurrTools' five grids on our lattices: neighbours, transformations and counts, against geometry and brute force."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from latcover.core.model.orientation import orientations
from latcover.core.model.puzzle import Part, Puzzle
from latcover.core.solving.count import CountRequest, count
from latcover.files.formats.burrtools.grids import GRIDS, cells_at, motions_of, turns_off_the_lattice
from latcover.files.formats.library import load_lattice, load_problems
from tests import burrtools_oracle as oracle
from tests.burrtools_oracle import PRISMS, RHOMBIC, SPHERES, TETRAOCTA, Place, Problem, Use, Voxel
from tests.dice import cases
from tests.shipped import rest_long

BOX = {oracle.CUBES: (3, 3, 2), PRISMS: (5, 3, 2), SPHERES: (4, 4, 3), RHOMBIC: (10, 5, 5), TETRAOCTA: (6, 6, 3)}


def places_of(grid: int, sizes: Place) -> list[Place]:
    return [place for place in product(*map(range, sizes)) if oracle.holds_a_cell(grid, place)]


def read(tmp_path: Path, puzzle: oracle.Puzzle) -> list[Puzzle]:
    file = tmp_path / "made.xmpuzzle"
    file.write_text(oracle.xml(puzzle), encoding="utf-8")
    found = load_problems(str(file))
    assert all(isinstance(problem, Puzzle) for problem in found.values()), found
    return [problem for problem in found.values() if isinstance(problem, Puzzle)]


@pytest.mark.parametrize("grid", GRIDS)
def test_places_that_hold_a_cell(grid: int) -> None:
    places = np.array(list(product(range(10), repeat=3)))
    held = GRIDS[grid].holds(places)
    assert held.tolist() == [oracle.holds_a_cell(grid, tuple(place)) for place in places.tolist()]


@pytest.mark.parametrize("grid", GRIDS)
def test_neighbours_there_are_neighbours_here(grid: int) -> None:
    """With two cells in every direction around one of them: nothing is lost, and nothing is added."""
    lattice = load_lattice(GRIDS[grid].lattice)
    places = places_of(grid, {RHOMBIC: (10, 10, 10), TETRAOCTA: (9, 9, 9)}.get(grid, (5, 5, 5)))
    cells = [tuple(cell) for cell in cells_at(GRIDS[grid], lattice, np.array(places)).tolist()]
    assert len(set(cells)) == len(cells)
    place_at = dict(zip(cells, places, strict=True))
    near = {
        cell: {
            (edge.target, *(x + s for x, s in zip(cell[1:], edge.step, strict=True)))
            for edge in lattice.half_edges
            if edge.node == cell[0]
        }
        for cell in cells
    }
    reach = {RHOMBIC: 3, TETRAOCTA: 2}.get(grid, 2)
    for cell, place in place_at.items():
        beside = {
            other
            for other, there in place_at.items()
            if max(abs(a - b) for a, b in zip(place, there, strict=True)) <= reach and oracle.touch(grid, place, there)
        }
        assert near[cell] & place_at.keys() == beside - {cell}
    degree = {oracle.CUBES: 6, PRISMS: 5, SPHERES: 12, RHOMBIC: 4, TETRAOCTA: 4}[grid]
    assert {len(around) for around in near.values()} == {degree}


def test_prisms_are_joined_as_the_program_says() -> None:
    """A base triangle (x + y even) has a neighbour below it, an inverted one above."""
    for place in product(range(1, 4), range(1, 4), range(2)):
        x, y, z = place
        sign = -1 if (x + y) % 2 == 0 else 1
        expected = {(x - 1, y, z), (x + 1, y, z), (x, y + sign, z), (x, y, z + 1), (x, y, z - 1)}
        around = product(range(6), range(6), range(-1, 3))
        assert {other for other in around if oracle.touch(PRISMS, place, other)} == expected


@pytest.mark.parametrize("grid", GRIDS)
def test_a_grid_has_as_many_transformations_as_in_burrtools(grid: int) -> None:
    lattice = load_lattice(GRIDS[grid].lattice)
    n = 12 if grid == PRISMS else 24
    assert len(lattice.transformations) == 2 * n
    assert len(lattice.allowed("rotations")) == n


@pytest.mark.parametrize("grid", rest_long(GRIDS, [1, 3]))
def test_orientations_are_those_of_geometry(grid: int) -> None:
    """Random connected shapes: as many orientations as there are rigid motions that tell apart and stay on the grid."""
    random = Random(grid)
    lattice = load_lattice(GRIDS[grid].lattice)
    room = places_of(grid, {RHOMBIC: (15, 15, 15), TETRAOCTA: (15, 15, 15)}.get(grid, (9, 9, 9)))
    for _ in range(2):
        shape = grown(random, grid, places_of(grid, BOX[grid]), random.randint(1, 4))
        puzzle = oracle.Puzzle(grid, [oracle.solid(shape), oracle.solid(room)], [Problem([Use(0)], 1)])
        copies = oracle.placements(puzzle, puzzle.problems[0], 0)
        shapes = {_shape_of(copy) for copy in copies}
        places = np.array(shape)
        cells = cells_at(GRIDS[grid], lattice, places)
        motions = motions_of(GRIDS[grid], lattice, places)
        part = Part("p", cells, np.zeros(len(cells), np.int32), 1, 1, motions)
        assert len(orientations(part, (0, 1, 2))) == len(shapes)
        assert not turns_off_the_lattice(GRIDS[grid], places)


def _shape_of(copy: oracle.Copy) -> frozenset[oracle.Cell]:
    """A copy of a piece whatever its place."""
    middle = np.array([point for cell, _ in copy[1] for point in cell]).mean(axis=0)
    return frozenset(
        frozenset(map(tuple, (np.round(np.array(list(c)) - middle, 2) + 0.0).tolist())) for c, _ in copy[1]
    )


def grown(random: Random, grid: int, room: list[Place], size: int) -> list[Place]:
    """A connected shape."""
    shape = [random.choice(room)]
    while len(shape) < size:
        beside = [p for p in room if p not in shape and any(oracle.touch(grid, p, q) for q in shape)]
        if not beside:
            break
        shape.append(random.choice(beside))
    return shape


def test_spheres_in_several_pieces_may_turn_further() -> None:
    """(3, 3, 0) and (4, 1, 1) are equally far, and a rotation of no lattice takes one to the other."""
    far = np.array([[0, 0, 0], [3, 3, 0]])
    assert turns_off_the_lattice(GRIDS[SPHERES], far)
    assert not turns_off_the_lattice(GRIDS[SPHERES], np.array([[0, 0, 0], [2, 2, 0]]))


def test_flat_spheres_in_no_layer_are_not_reflected() -> None:
    """Their reflection would be a half turn about the normal of their plane, which the lattice has for few planes."""
    fcc = load_lattice("fcc")
    for places, word in (
        ([[0, 0, 0], [0, 1, -1], [2, -2, -2]], "rotations"),
        ([[0, 0, 0], [0, 1, -1], [2, -2, 0]], "reflections"),
    ):
        assert motions_of(GRIDS[SPHERES], fcc, np.array(places)) == fcc.allowed(word)


def small_puzzle(random: Random, grid: int) -> oracle.Puzzle:
    """A region of a few cells cut into pieces, with colours, variable voxels and ranges."""
    region = grown(random, grid, places_of(grid, BOX[grid]), random.randint(4, 8))
    n_colours = random.choice([0, 0, 2])
    ground = {place: Voxel(random.random() < 0.3, random.choice([0, 1, 2]) if n_colours else 0) for place in region}
    left, shapes = set(region), []
    while left:
        piece = grown(random, grid, sorted(left), random.randint(1, 3))
        left -= set(piece)
        shapes.append({p: Voxel(False, random.choice([0, 1, 2]) if n_colours else 0) for p in piece})
    uses = []
    for number in range(len(shapes)):
        low = random.choice([1, 1, 0])
        uses.append(Use(number, low, random.choice([1, 1, 2])))
    pairs = [pair for pair in product((1, 2), repeat=2) if random.random() < 0.6] if n_colours else []
    holes = random.choice([None, None, 0, 1, 2])
    return oracle.Puzzle(grid, [*shapes, ground], [Problem(uses, len(shapes), pairs, holes)], n_colours)


@pytest.mark.parametrize("grid", GRIDS)
@cases(2, seed=lambda dice: dice.below(10**6))
def test_counts_are_those_of_brute_force(grid: int, tmp_path: Path, seed: int) -> None:
    puzzle = small_puzzle(Random(seed), grid)
    file = tmp_path / "random.xmpuzzle"
    file.write_text(oracle.xml(puzzle), encoding="utf-8")
    (found,) = load_problems(str(file)).values()
    expected = oracle.solutions(puzzle, puzzle.problems[0])
    if not isinstance(found, Puzzle):
        assert not expected, found  # the volume cannot fit, or a colour is allowed nowhere
        return
    answer = count(found, CountRequest(symmetry="rotations"))
    assert answer.total == len(expected)
    assert answer.different == oracle.different(puzzle, puzzle.problems[0], expected, mirrors=False)


@pytest.mark.parametrize("grid", rest_long(GRIDS, [0, 1, 4]))
def test_mirror_images_of_the_whole_count_once(grid: int, tmp_path: Path) -> None:
    """Two copies of a small piece somewhere in a symmetric room, which may be chiral or not."""
    random = Random(grid)
    room = {
        oracle.CUBES: places_of(grid, (3, 2, 2)),
        PRISMS: [place for place in places_of(grid, (5, 2, 2)) if place[:2] not in ((0, 1), (4, 1))],
        SPHERES: places_of(grid, (3, 3, 2)),
        RHOMBIC: places_of(grid, (5, 5, 5)),
        TETRAOCTA: places_of(grid, (6, 3, 3)),
    }[grid]
    pieces = [grown(random, grid, room, size) for size in (2, 3)]
    shapes = [*map(oracle.solid, pieces), {place: Voxel(variable=True) for place in room}]
    puzzle = oracle.Puzzle(grid, shapes, [Problem([Use(0, 2, 2), Use(1)], 2)])
    expected = oracle.solutions(puzzle, puzzle.problems[0])
    assert expected
    (found,) = read(tmp_path, puzzle)
    answer = count(found)
    assert answer.total == len(expected)
    assert answer.different == oracle.different(puzzle, puzzle.problems[0], expected, mirrors=True)
