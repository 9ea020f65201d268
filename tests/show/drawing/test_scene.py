"""Scenes: outlines with the areas of their cells, closed solids with their volumes, and joints that are gone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import pi
from pathlib import Path

import numpy as np
import pytest

import latcover
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.files.formats.library import load_all, load_lattice
from latcover.files.formats.source import names
from latcover.show.drawing.paper.svg import page
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import PLAIN, CaptionedScene, Scene, SceneItem
from latcover.show.drawing.shapes.outlines import Points, Polygon, label_place, polygons, sides, weld
from tests.drawn_puzzles import BRICKS, MADE_UP, drawn, lattice_of, puzzle_of, solved
from tests.shipped import every_file, every_kind

INSTANCES = names("instances")
LATTICES = names("lattices")


def shoelace(ring: Points) -> float:
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True)) / 2


def content_of_cell(lattice: Lattice, node: int) -> float:
    """The area or the volume of a cell, from the lattice file's own numbers."""
    drawing = lattice.nodes[node].drawing
    if lattice.dimension < 3:
        return sum(abs(shoelace(drawing.vertices[list(face)])) for face in drawing.faces)
    middle = drawing.vertices.sum(axis=0) / max(1, len(drawing.vertices))
    return sum(
        abs(float(np.linalg.det(drawing.vertices[[face[0], face[k], face[k + 1]]] - middle))) / 6
        for face in drawing.faces
        for k in range(1, len(face) - 1)
    )


def contents(lattice: Lattice, item: SceneItem) -> float:
    return sum(content_of_cell(lattice, node) for node in item.cells[:, 0].tolist())


def check_closed(item: SceneItem) -> None:
    """Every edge of the surface lies in two faces that run along it in opposite directions, merged or not."""
    body = item.solid
    assert body is not None
    for rings in (body.cell_faces, [ring for face in body.faces for ring in face.rings]):
        edges = Counter((a, b) for ring in rings for a, b in zip(ring, ring[1:] + ring[:1], strict=True))
        assert edges == Counter({(b, a): n for (a, b), n in edges.items()})


def check_items(puzzle: Puzzle, shown: Scene) -> None:
    lattice = puzzle.lattice
    bends = any(node.secondary for node in lattice.nodes)
    for item in shown.items:
        expected = contents(lattice, item)
        if item.balls is not None:
            assert len(item.balls.centres) == len(item.cells)
            assert item.solid is None
            assert not item.polygons
        elif shown.dimension == 2:
            area = sum(polygon.area for polygon in item.polygons)
            assert area >= expected - 1e-6 if bends else area == pytest.approx(expected)
            assert all(shoelace(polygon.outer) > 0 for polygon in item.polygons)
            assert all(shoelace(hole) < 0 for polygon in item.polygons for hole in polygon.holes)
        else:
            assert item.solid is not None
            assert item.solid.volume == pytest.approx(expected)
            check_closed(item)


@every_file
def test_a_solution_of_every_shipped_puzzle(name: str) -> None:
    if load_all(name)[0].expect.get("total") == 0:
        return
    puzzle, solution = solved(name)
    shown = scene.of_solution(puzzle, solution)
    check_items(puzzle, shown)
    for item, placed in zip(shown.items, solution.placements, strict=False):
        assert (item.name, sorted(map(tuple, item.cells.tolist()))) == (placed.part, sorted(placed.cells))
        assert puzzle.parts[item.colour].name == item.name
    assert sum(len(item.cells) for item in shown.items) == len(puzzle.region.cells)
    check_layers(puzzle, shown)


def check_layers(puzzle: Puzzle, shown: Scene) -> None:
    """The layers show every ball once; and what they show of prisms of height 1 adds up to their volume."""
    layers = shown.layers()
    assert len(layers) == len(shown.heights)
    if shown.dimension == 2:
        return
    vertices = puzzle.lattice.nodes[0].drawing.vertices
    for item in shown.items:
        if not item.name:
            continue  # one cell of those that stay empty, which have no names of their own
        parts = [
            other for layer in layers for other in layer.items if (other.name, other.copy) == (item.name, item.copy)
        ]
        if item.balls is not None:
            assert sum(len(part.balls.centres) for part in parts if part.balls) == len(item.cells)
        elif np.ptp(vertices[:, 2]) == 1:
            assert sum(polygon.area for part in parts for polygon in part.polygons) == pytest.approx(item.solid.volume)  # type: ignore[union-attr]
        assert sorted(np.concatenate([part.levels for part in parts]).tolist()) == sorted(item.levels.tolist())


@every_kind
def test_the_region_and_every_part_of_every_shipped_puzzle(name: str) -> None:
    puzzle = load_all(name)[0]
    region = scene.of_region(puzzle)
    check_items(puzzle, region)
    assert len(region.items) == len(puzzle.region.cells)
    for number, part in ((0, puzzle.parts[0]), (len(puzzle.parts) - 1, puzzle.parts[-1])):
        for shown in scene.of_part(puzzle, part.name):
            check_items(puzzle, shown)
            if not part.colours.any():
                assert [item.colour for item in shown.items] == [number]


@pytest.mark.parametrize("name", [*LATTICES, *MADE_UP])
def test_a_block_of_every_lattice_is_one_piece(name: str, tmp_path: Path) -> None:
    """All the cells of a box as one part: everything between them is gone, so nothing lies inside the outline."""
    lattice = lattice_of(name, tmp_path)
    cells = [(u, *x) for u in range(len(lattice.nodes)) for x in np.ndindex(*(2,) * lattice.dimension)]
    puzzle, solution = puzzle_of(lattice, cells)
    shown = scene.of_solution(puzzle, solution)
    check_items(puzzle, shown)
    (item,) = shown.items
    if item.balls is not None:
        spacing = np.linalg.norm(item.balls.centres[:, None] - item.balls.centres[None], axis=2)
        assert len(item.balls.necks) == np.isclose(spacing, 1).sum() // 2
    elif shown.dimension == 2 and name != "polystick":
        assert len(item.polygons) == 1
        assert not item.polygons[0].holes
    elif name in ("cubic", "wall", "closed", "sliver"):
        assert len({tuple(face.normal.round(6).tolist()) for face in item.solid.faces}) == 6  # type: ignore[union-attr]
        assert name == "wall" or len(item.solid.faces) == 6  # type: ignore[union-attr]


def test_inner_edges_are_gone_and_straight_ones_have_no_corners() -> None:
    (item,) = drawn(load_lattice("square"), [(0, 0, 0), (0, 0, 1), (0, 0, 2)]).items
    (outline,) = item.polygons
    assert sorted(map(tuple, outline.outer.tolist())) == [(-0.5, -0.5), (-0.5, 0.5), (2.5, -0.5), (2.5, 0.5)]


def test_a_ring_has_a_hole() -> None:
    ring = [(0, row, column) for row in range(3) for column in range(3) if (row, column) != (1, 1)]
    (item,) = drawn(load_lattice("square"), ring).items
    (outline,) = item.polygons
    assert len(outline.outer) == len(outline.holes[0]) == 4
    assert outline.area == pytest.approx(8)
    place, room = label_place(outline)
    assert room == pytest.approx(0.5, abs=0.06)
    assert not (np.abs(place - np.array([1, -1])) < 0.5).all()


def test_cells_that_touch_in_a_corner_are_two_areas() -> None:
    (item,) = drawn(load_lattice("square"), [(0, 0, 0), (0, 1, 1)]).items
    assert [polygon.area for polygon in item.polygons] == [pytest.approx(1)] * 2


def test_a_tunnel_through_a_solid() -> None:
    ring = [(0, row, column, 0) for row in range(3) for column in range(3) if (row, column) != (1, 1)]
    (item,) = drawn(load_lattice("cubic"), ring).items
    assert item.solid is not None
    assert sorted(len(face.rings) for face in item.solid.faces) == [1] * 8 + [2] * 2
    assert item.solid.volume == pytest.approx(8)


def test_bricks_whose_sides_meet_in_part_have_no_line_between_them(tmp_path: Path) -> None:
    (item,) = drawn(lattice_of("bricks", tmp_path), [(0, 0, 0), (0, 0, 1), (0, 1, 0)]).items
    (outline,) = item.polygons
    assert outline.area == pytest.approx(3)
    assert len(outline.outer) == 8


def test_sides_follow_the_unit_of_length_but_joints_do_not(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    text = "\n".join(line for line in BRICKS.splitlines())
    for old, new in (("[[0.5, -1], [1, 0]]", "[[0.005, -0.01], [0.01, 0]]"), ("0.5, ", "0.005, "), ("0.5]", "0.005]")):
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    (item,) = drawn(load_lattice(str(path)), [(0, 0, 0), (0, 0, 1), (0, 1, 0)]).items
    assert [len(polygon.outer) for polygon in item.polygons] == [8]


def test_a_polystick_that_bends_is_one_stick() -> None:
    lattice = load_lattice("polystick")
    across, down, junction = range(3)
    bent = drawn(lattice, [(across, 0, 0), (down, 0, 0)]).items[0]
    assert len(bent.polygons) == 1
    assert bent.polygons[0].area == pytest.approx(2 * 0.7 * 0.3 + 0.3 * 0.3 / 2)
    both = drawn(lattice, [(across, 0, 0), (down, 0, 0)], [(across, 0, -1), (down, -1, 0)])
    assert sum(polygon.area for item in both.items for polygon in item.polygons) == pytest.approx(4 * 0.21 + 0.09)
    straight = drawn(lattice, [(across, 0, 0), (across, 0, -1), (junction, 0, 0)]).items[0]
    assert [len(polygon.outer) for polygon in straight.polygons] == [4]


def test_parts_that_go_round_are_cut_and_the_cuts_are_known() -> None:
    puzzle, solution = solved("disc-cylinder")
    shown = scene.of_solution(puzzle, solution)
    assert shown.unrolled
    ends = {0.0 - 0.5, 3.5}
    for item in shown.items:
        for start, end in item.cuts.tolist():
            assert start[0] == end[0]
            assert round(start[0], 6) in ends
    wraps = [
        {cell[1] for cell in placed.cells if cell[0] == 0 and cell[2] == 0}
        & {cell[1] for cell in placed.cells if cell[0] == 0 and cell[2] == 3}
        for placed in solution.placements
    ]
    assert [len(item.cuts) for item in shown.items[: len(wraps)]] == [2 * len(rows) for rows in wraps]
    assert sum(map(len, wraps)) > 0


def test_a_flat_region_that_does_not_close_has_no_cuts() -> None:
    shown = scene.of_solution(*solved("pent-10x6"))
    assert not shown.unrolled
    assert not any(len(item.cuts) for item in shown.items)


def test_cells_that_stay_empty_are_faint() -> None:
    puzzle, solution = solved("fig4-3x3")
    less = Solution(solution.placements[:-1])
    shown = scene.of_solution(puzzle, less)
    assert [item.faint for item in shown.items].count(True) == len(solution.placements[-1].cells)
    assert all(item.colour == PLAIN for item in shown.items if item.faint)


def test_copies_are_numbered_and_bear_the_letters_of_the_terminal() -> None:
    shown = scene.of_solution(*solved("slothouber-graatsma"))
    for name in {item.name for item in shown.items}:
        copies = [item for item in shown.items if item.name == name]
        assert [item.copy for item in copies] == list(range(1, len(copies) + 1))
        assert len({item.letter for item in copies}) == len(copies)
        assert len({item.colour for item in copies}) == 1


@pytest.mark.parametrize("name", ["soma", "hex-prisms", "pent-stairs"])
def test_copies_of_different_parts_share_no_volume_but_their_faces(name: str) -> None:
    shown = scene.of_solution(*solved(name))
    faces = [
        {frozenset(map(tuple, item.solid.vertices[list(ring)].tolist())) for ring in item.solid.cell_faces}
        for item in shown.items
        if item.solid is not None
    ]
    assert any(a & b for a, b in combinations(faces, 2))  # corners are the very same numbers in both
    assert max(Counter(face for own in faces for face in own).values()) == 2


def test_welding_does_not_depend_on_where_numbers_are_rounded() -> None:
    step = 0.1 + 0.2 - 0.3
    points = np.array([[0.3, 1.0], [0.3 + step, 1.0 - 1e-9], [0.5e-6, 1], [0.5e-6 - 1e-16, 1]])
    distinct, index = weld(points, 1e-7)
    assert len(distinct) == 2
    assert index[0] == index[1] != index[2] == index[3]


def test_a_seam_between_an_outline_and_its_hole_cancels() -> None:
    lattice = load_lattice("disc")
    (item,) = drawn(lattice, [(0, 0, 0)]).items
    (outline,) = item.polygons
    assert (len(outline.outer), len(outline.holes)) == (4, 1)


def test_an_area_within_a_hole_is_an_area_of_its_own() -> None:
    def ring(side: float) -> Points:
        return np.array([[-side, -side], [side, -side], [side, side], [-side, side]])

    points = np.concatenate([ring(3), ring(2)[::-1], ring(1)])
    found = polygons(sides([(0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11)]), points)
    assert sorted(polygon.area for polygon in found) == [4, 20]


def test_a_letter_has_most_room_in_the_middle_of_a_square() -> None:
    square = Polygon(np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]]))
    place, room = label_place(square)
    assert place == pytest.approx([1, 1], abs=0.1)
    assert room == pytest.approx(1, abs=0.1)
    place, room = label_place(square, [np.array([[1.0, -1], [3, -1], [3, 3], [1, 3]])])
    assert place[0] < 1
    assert room == pytest.approx(0.5, abs=0.1)
    assert label_place(square, [square.outer * 2 - 1])[1] == 0


def test_discs_have_necks_and_no_outlines(tmp_path: Path) -> None:
    (item,) = drawn(lattice_of("discs", tmp_path), [(0, 0, 0), (0, 0, 1), (0, 1, 1)]).items
    assert item.balls is not None
    assert item.balls.necks.tolist() == [[0, 1], [1, 2]]
    assert pi * item.balls.neck_radius(0) ** 2 < pi * item.balls.radii[0] ** 2


COLOURED = """
name = "coloured"
lattice = "{lattice}"
[colours]
B = "black"
W = "white"
[region]
box = {box}
[[parts]]
name = "both"
cells = {cells}
colours = ["black", "white", "", "black"]
[[parts]]
name = "plain"
cells = {plain}
"""


@pytest.mark.parametrize(
    ("lattice", "box", "cells", "plain"),
    [
        ("square", [2, 3], [[0, 0], [0, 1], [0, 2], [1, 0]], [[0, 0], [0, 1]]),
        ("cubic", [2, 3, 1], [[0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 0, 0]], [[0, 0, 0], [0, 1, 0]]),
        ("fcc", [2, 3, 1], [[0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 0, 0]], [[0, 0, 0], [0, 1, 0]]),
    ],
)
def test_cells_with_colours_bear_them_in_solutions(
    lattice: str, box: list[int], cells: list[list[int]], plain: list[list[int]], tmp_path: Path
) -> None:
    path = tmp_path / "coloured.toml"
    path.write_text(COLOURED.format(lattice=lattice, box=box, cells=cells, plain=plain), encoding="utf-8")
    puzzle = latcover.load(str(path))
    shown = scene.of_solution(puzzle, next(latcover.solutions(puzzle)))
    both, other = shown.items
    assert not other.patches
    looks = {patch.name: patch.rgb for patch in both.patches}
    assert looks == {"black": (0, 0, 0), "white": (255, 255, 255), "": None}
    for item in (both, *(layer.items[0] for layer in shown.layers())):
        sizes = {
            patch.name: len(patch.balls)
            or round(sum(polygon.area for polygon in patch.polygons))
            or (round(patch.solid.volume) if patch.solid else 0)
            for patch in item.patches
        }
        assert sizes == {"black": 2, "white": 1, "": 1}
    text = page("coloured", [CaptionedScene(shown)])
    for colour in ("#000000", "#2d2d2d", "url(#ball-292929)"):
        assert (colour in text) == ((lattice, colour) in SEEN)


SEEN = {  # in space what is black is lighter, and layers are flat
    ("square", "#000000"),
    ("cubic", "#000000"),
    ("cubic", "#2d2d2d"),
    ("fcc", "#000000"),
    ("fcc", "url(#ball-292929)"),
}


def test_a_part_of_one_colour_has_it_all_over() -> None:
    puzzle = latcover.load("notebook-coloured-5x5")
    shown = scene.of_solution(puzzle, next(latcover.solutions(puzzle)))
    looks = {"red": (255, 0, 0), "yellow": (255, 255, 0), "blue": (0, 0, 255)}
    assert all(item.rgb == looks[item.name.split()[0]] and not item.patches for item in shown.items)
