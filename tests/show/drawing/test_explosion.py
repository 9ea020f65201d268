"""Parts that move apart: ordinary ones from the middle, and those with one middle out of each other."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import numpy as np
import pytest

import latcover
from latcover.core.model.solution import Cell
from latcover.files.formats.library import load_lattice
from latcover.show.drawing.scenes import explosion, scene
from latcover.show.drawing.scenes.explosion import FULL
from latcover.show.drawing.scenes.scene_building import CellGroup, build_scene
from latcover.show.drawing.scenes.scene_model import Scene
from latcover.show.drawing.shapes.outlines import Points
from tests.page_data import scene_read
from tests.show.drawing.test_scene_data import array, corners, unpacked


def drawn(lattice: str, parts: list[list[Cell]]) -> Scene:
    groups = [CellGroup(f"p{k}", 1, k, "", tuple(cells)) for k, cells in enumerate(parts)]
    return build_scene(load_lattice(lattice), "", groups, ())


def apart(shown: Scene) -> list[Points]:
    """The corners of the items, fully apart."""
    moved = FULL * explosion.of_scene(shown)
    return [corners(item) + move for item, move in zip(shown.items, moved, strict=True)]


def are_separate(one: Points, other: Points, normals: Points) -> bool:
    a, b = one @ normals.T, other @ normals.T
    gaps = np.maximum(a.min(axis=0) - b.max(axis=0), b.min(axis=0) - a.max(axis=0))
    return bool(gaps.max() > 0.01)


def test_ordinary_parts_move_by_the_distance_of_their_middles() -> None:
    puzzle = latcover.load("soma")
    shown = scene.of_solution(puzzle, next(latcover.solutions(puzzle)))
    middles = np.array([(corners(i).min(axis=0) + corners(i).max(axis=0)) / 2 for i in shown.items])
    assert explosion.of_scene(shown) == pytest.approx(middles - (shown.low + shown.high) / 2)


def test_a_cube_of_one_tetrahedron_and_four_corners_comes_apart() -> None:
    """Their boxes are one and the same: they once stayed a whole cube."""
    lattice = load_lattice("tetraocta")
    cells = [(node, *step) for step in product(range(2), repeat=3) for node in range(5)]
    shown = drawn(lattice.name, [[cell] for cell in cells])
    faces = np.array([normal for normal in product((-1.0, 0.0, 1.0), repeat=3) if any(normal)])
    places = apart(shown)
    assert all(are_separate(a, b, faces) for a, b in combinations(places, 2))


def ring(k: int) -> list[Cell]:
    return [(0, x, y) for x, y in product(range(-k, k + 1), repeat=2) if max(abs(x), abs(y)) == k]


def shell(k: int) -> list[Cell]:
    return [(0, *at) for at in product(range(-k, k + 1), repeat=3) if max(map(abs, at)) == k]


@pytest.mark.parametrize(("lattice", "around"), [("square", ring), ("hexagonal", ring), ("cubic", shell)])
def test_parts_around_each_other_come_apart(lattice: str, around: object) -> None:
    shown = drawn(lattice, [around(k) for k in range(4)])  # type: ignore[operator]
    places = apart(shown)
    assert all(are_separate(a, b, explosion.DIRECTIONS) for a, b in combinations(places, 2))
    if shown.dimension == 2:
        assert not explosion.of_scene(shown)[:, 2].any()


def test_an_explosion_is_the_same_every_time() -> None:
    one, other = (explosion.of_scene(drawn("cubic", [shell(k) for k in range(3)])) for _ in range(2))
    assert (one == other).all()


@pytest.mark.parametrize("name", ["soma", "bedlam", "sphere-pyramid", "disc-cylinder"])
def test_the_page_in_space_moves_parts_alike(name: str) -> None:
    """The data hold the moves of placements once, and apart from them those of parts in each other's way."""
    puzzle = latcover.load(name)
    found = [solution for solution, _ in zip(latcover.solutions(puzzle), range(4), strict=False)]
    data = scene_read(puzzle, found)
    moves, ways = (array(data, key, "<f4").reshape(-1, 3) for key in ("moves", "ways"))
    starts, chosen, elsewhere = (array(data, key, "<u4").tolist() for key in ("starts", "solutions", "elsewhere"))
    other = dict(zip(elsewhere, ways, strict=True))
    assert len(unpacked(data)) == len(found)
    for solution, (start, end) in zip(found, pairwise(starts), strict=True):
        expected = FULL * explosion.of_scene(scene.of_solution(puzzle, solution))
        shown = np.array([other.get(k, moves[chosen[k]]) for k in range(start, end)])
        assert shown == pytest.approx(expected, abs=2e-4)
