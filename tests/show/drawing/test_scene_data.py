"""What the viewer is fed: the data, unpacked again here, is what scenes draw."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import to_builtins

import latcover
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.show.drawing import palette
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import SceneItem
from latcover.show.drawing.scenes.side_marks import side_looks
from latcover.show.drawing.shapes.outlines import signed_area
from latcover.show.drawing.space.scene_data import EMPTY, drawn_puzzle
from tests.page_data import row_read, scene_read
from tests.shipped import rest_long

PUZZLES = ("soma", "pent-10x6", "sphere-pyramid", "hex-prisms", "disc-cylinder", "tangram-square", "tetrasticks-5x5")
IN_SPACE = ("soma", "sphere-pyramid", "hex-prisms")


def found(name: str, most: int = 3) -> tuple[Puzzle, list[Solution]]:
    puzzle = latcover.load(name, problem="1") if name.startswith("tetrasticks") else latcover.load(name)
    return puzzle, list(itertools.islice(latcover.solutions(puzzle), most))


def array(data: dict[str, Any], key: str, dtype: str) -> Any:
    return row_read(data[key]).astype(dtype)


def unpacked(data: dict[str, Any]) -> list[list[tuple[int, Any, dict[str, Any]]]]:
    """Of each solution its items: part, place, shape."""
    rows, places = array(data, "placements", "<i4").reshape(-1, 2), array(data, "places", "<f4").reshape(-1, 3)
    starts, chosen = array(data, "starts", "<u4"), array(data, "solutions", "<u4")
    return [
        [(int(rows[k][0]), places[k], data["shapes"][rows[k][1]]) for k in chosen[start:end]]
        for start, end in itertools.pairwise(starts)
    ]


def corners(item: SceneItem) -> Any:
    """All points by which an item is drawn, in three coordinates."""
    points = [np.zeros((0, 3))]
    for polygon in item.polygons:
        points += [np.pad(ring, ((0, 0), (0, 1))) for ring in polygon.rings]
    if item.solid is not None:
        points.append(item.solid.vertices)
    if item.balls is not None:
        points.append(np.pad(item.balls.centres, ((0, 0), (0, 3 - item.balls.centres.shape[1]))))
    return np.concatenate(points)


def corners_of_data(shape: dict[str, Any], at: Any) -> Any:
    points = [np.zeros((0, 3))]
    for rings in shape.get("outlines", []):
        points += [np.pad(np.array(ring, float).reshape(-1, 2), ((0, 0), (0, 1))) for ring in rings]
    if "solid" in shape:
        points.append(np.array(shape["solid"]["vertices"], float).reshape(-1, 3))
    if "balls" in shape:
        points.append(np.array(shape["balls"], float).reshape(-1, 4)[:, :3])
    return np.concatenate(points) + at


def same_points(one: Any, other: Any) -> bool:
    return len(one) == len(other) and all(np.linalg.norm(other - point, axis=1).min() < 1e-3 for point in one)


@pytest.mark.parametrize("name", rest_long(PUZZLES, ["soma", "pent-10x6", "sphere-pyramid", "disc-cylinder"]))
def test_items_stand_where_scenes_draw_them(name: str) -> None:
    puzzle, solutions = found(name)
    assert solutions
    data = scene_read(puzzle, solutions)
    assert data["count"] == len(solutions)
    numbers = array(data, "numbers", "<u4").reshape(-1, 3).tolist()
    assert numbers == [[s.number, s.image, s.orbit] for s in solutions]
    for solution, items in zip(solutions, unpacked(data), strict=True):
        drawn = scene.of_solution(puzzle, solution).items
        assert len(drawn) == len(items)
        for item, (part, at, shape) in zip(drawn, items, strict=True):
            assert part == (EMPTY if item.faint else item.colour)
            assert same_points(corners(item), corners_of_data(shape, at))


@pytest.mark.parametrize("name", IN_SPACE)
def test_slabs_are_what_layers_show(name: str) -> None:
    puzzle, (solution, *_) = found(name, 1)
    data = scene_read(puzzle, [solution])
    whole = scene.of_solution(puzzle, solution)
    assert data["puzzle"]["heights"] == pytest.approx(whole.heights, abs=1e-4)
    for number, height in enumerate(whole.heights):
        layer = whole.layer(number)
        slabs = [
            slab
            for _, at, shape in unpacked(data)[0]
            for slab in shape["slabs"]
            if abs(at[2] + slab["height"] - height) < 1e-3
        ]
        assert len(slabs) == len(layer.items)
        area = sum(
            signed_area(np.array(ring, float).reshape(-1, 2))
            for slab in slabs
            for rings in slab.get("outlines", [])
            for ring in rings
        )
        assert area == pytest.approx(sum(p.area for item in layer.items for p in item.polygons), abs=1e-3)
        balls = sum(len(slab.get("balls", [])) // 4 for slab in slabs)
        assert balls == sum(len(item.balls.centres) for item in layer.items if item.balls is not None)


def test_placements_and_shapes_stand_there_once() -> None:
    puzzle, solutions = found("soma", 240)
    data = scene_read(puzzle, solutions)
    rows = array(data, "placements", "<i4").reshape(-1, 2)
    wanted = {(placed.part, placed.cells) for solution in solutions for placed in solution.placements}
    assert len(rows) == len(wanted)
    assert len(data["shapes"]) == len({shape["id"] for shape in data["shapes"]}) < len(rows)
    assert len(array(data, "solutions", "<u4")) == 7 * 240


def test_shapes_keep_their_names_from_call_to_call() -> None:
    puzzle, solutions = found("soma", 2)
    together = {shape["id"]: shape["solid"] for shape in scene_read(puzzle, solutions)["shapes"]}
    for solution in solutions:
        for shape in scene_read(puzzle, [solution])["shapes"]:
            assert together[shape["id"]] == shape["solid"]


def test_a_puzzle_alone() -> None:
    puzzle, solutions = found("disc-cylinder", 1)
    alone, whole = to_builtins(drawn_puzzle(puzzle)), scene_read(puzzle, solutions)
    assert alone == {key: whole[key] for key in ("format", "puzzle", "parts")}
    assert alone["puzzle"]["unrolled"]
    assert "cuts" in whole["shapes"][0] or any("cuts" in shape for shape in whole["shapes"])


def test_colours_are_the_palettes() -> None:
    puzzle, _ = found("tangram-square", 1)
    parts = to_builtins(drawn_puzzle(puzzle))["parts"]
    assert [part["name"] for part in parts] == [part.name for part in puzzle.parts]
    for number, part in enumerate(parts):
        shades = [palette.hexadecimal(palette.colour(number, copy)) for copy in range(1, 1 + len(part["colours"]))]
        assert part["colours"] == shades
        assert part["pattern"] is None
    assert {part["name"]: len(part["colours"]) for part in parts} == {
        "large": 2,
        "small": 2,
        "medium": 1,
        "square": 1,
        "para": 1,
    }


def test_cells_that_stay_empty_and_many_parts(tmp_path: Path) -> None:
    """Empty cells are items without a part, and the 25th part has a pattern."""
    parts = "\n".join(f'[[parts]]\nname = "p{n}"\nbox = [1, 1]\nmin = 0' for n in range(26))
    path = tmp_path / "row.toml"
    path.write_text(f'name = "row"\nlattice = "square"\n[region]\nart = ["XX+"]\n{parts}', encoding="utf-8")
    puzzle = latcover.load(str(path))
    solution = next(s for s in latcover.solutions(puzzle) if len(s.placements) == 2)
    data = scene_read(puzzle, [solution])
    (items,) = unpacked(data)
    assert [part for part, _, _ in items].count(EMPTY) == 1
    assert items[-1][0] == EMPTY
    assert len(data["shapes"]) == 1
    patterns = [part["pattern"] for part in data["parts"]]
    assert patterns[:24] == [None] * 24
    assert patterns[24]["path"]


def test_images_keep_their_numbers() -> None:
    puzzle, (solution, *_) = found("soma", 1)
    image = Solution(solution.placements, 5, 3, 24, puzzle)
    data = scene_read(puzzle, [image])
    assert array(data, "numbers", "<u4").tolist() == [5, 3, 24]


def test_cells_keep_their_colours_in_space() -> None:
    """Shapes that differ by their colours alone are two; what no colour tells of looks like its part."""
    puzzle, solutions = found("hex-prisms", 1)
    shapes = [shape for _, _, shape in unpacked(scene_read(puzzle, solutions))[0]]
    mixed = [shape for shape in shapes if len(shape["patches"]) > 1]
    assert len(mixed) == len(shapes) - 2  # D and I are white
    assert all({patch["colour"] for patch in shape["patches"]} == {"#292929", "#ffffff"} for shape in mixed)
    for shape in mixed:
        faces = [face for patch in shape["patches"] for face in patch["solid"]["faces"]]
        assert len(faces) >= len(shape["solid"]["faces"])
        assert all(slab["patches"] for slab in shape["slabs"])
    puzzle, solutions = found("notebook-coloured-5x5", 1)
    shapes = [shape for _, _, shape in unpacked(scene_read(puzzle, solutions))[0]]
    assert {shape["patches"][0]["colour"] for shape in shapes} == {"#ff0000", "#ffff00", "#0000ff"}
    assert all(len(shape["patches"]) == 1 for shape in shapes)


KEYED = """name = "keyed"
lattice = "{lattice}"
[sides]
keys = ["k"]
locks = ["l"]
fits = {{ k = ["l"] }}
may_look_out = ["keys", "locks"]
[region]
box = {box}
[[parts]]
name = "A"
box = {part}
count = 2
transformations = "fixed"
sides = [{{ cell = {cell}, edge = "{edge}", is = "k" }}, {{ cell = {cell}, edge = "{back}", is = "l" }}]
"""


def test_keys_and_locks_stand_at_their_sides_in_space() -> None:
    """Of a cube: thin plates on two opposite faces, which the layer that they cross shows too."""
    text = KEYED.format(lattice="cubic", box=[2, 1, 1], part=[1, 1, 1], cell=[0, 0, 0], edge="east", back="west")
    puzzle = latcover.loads(text)
    (solution,) = latcover.solutions(puzzle)
    shape = scene_read(puzzle, [solution])["shapes"][0]
    plates = [np.array(mark["solid"]["vertices"]).reshape(-1, 3) for mark in shape["marks"]]
    middle = np.array(shape["solid"]["vertices"]).reshape(-1, 3).mean(axis=0)
    assert sorted((plate.mean(axis=0) - middle)[0].round(1) for plate in plates) == [-0.5, 0.5]
    assert all(np.abs(plate[:, 1:] - middle[1:]).max() < 0.5 for plate in plates)
    assert {np.abs(plate[:, 0] - middle[0]).min().round(4) for plate in plates} == {0.5}
    looks = {palette.hexadecimal(palette.in_space(rgb)) for rgb in side_looks(puzzle.rules).values()}
    assert {mark["colour"] for mark in shape["marks"]} == looks
    (slab,) = shape["slabs"]
    assert len(slab["marks"]) == 2
    assert all("outlines" in mark for mark in slab["marks"])


def test_flat_keys_and_locks_are_in_space_what_they_are_in_pictures() -> None:
    text = KEYED.format(lattice="square", box=[2, 1], part=[1, 1], cell=[0, 0], edge="east", back="west")
    puzzle = latcover.loads(text)
    (solution,) = latcover.solutions(puzzle)
    shape = scene_read(puzzle, [solution])["shapes"][0]
    drawn = scene.of_solution(puzzle, solution).items[0].sides
    for mark, side in zip(shape["marks"], drawn, strict=True):
        ring = np.array(mark["outlines"][0][0]).reshape(-1, 2)
        assert same_points(np.pad(ring, ((0, 0), (0, 1))), np.pad(side.ring, ((0, 0), (0, 1))))
        assert signed_area(ring) > 0
