"""The isometric view: at any point of the picture what was painted last is what lies nearest to the viewer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from latcover import solutions
from latcover.core.model.puzzle import Part, Puzzle, Region, as_cells
from latcover.core.model.solution import Placed, Solution
from latcover.files.formats.library import load_lattice, loads
from latcover.files.formats.source import names
from latcover.show.drawing.paper.depth_order import Ball, Neck, Shape, Sheet, ordered, picture_bounds
from latcover.show.drawing.paper.painter import TOUCHING, VIEWS, Picture, isometric
from latcover.show.drawing.paper.svg_isometric import labels
from latcover.show.drawing.scenes.scene import of_solution
from latcover.show.drawing.scenes.scene_model import Scene, SceneItem
from latcover.show.drawing.shapes.convex import convex_pieces, is_convex, overlap
from latcover.show.drawing.shapes.outlines import Points, signed_area
from latcover.show.drawing.shapes.solids import solid
from tests.shipped import rest_long

IN_SPACE = [name for name in names("lattices") if load_lattice(name).dimension == 3]
SAMPLES = 80
BOX = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def heap(name: str, seed: int) -> Scene:
    """Some cells of a block, left out here and there, in parts of a few cells each."""
    lattice, chance = load_lattice(name), random.Random(seed)
    side = 2 if len(lattice.nodes) > 4 else 3
    block = [(u, *x) for u in range(len(lattice.nodes)) for x in product(range(side), repeat=3)]
    cells = chance.sample(block, len(block) * 2 // 3)
    groups = [sorted(cells[k : k + 3]) for k in range(0, len(cells), 3)]
    fixed = lattice.allowed("fixed")
    parts = tuple(
        Part(f"p{k}", as_cells(group, 3), np.zeros(len(group), np.int32), 1, 1, fixed) for k, group in enumerate(groups)
    )
    placed = tuple(Placed(f"p{k}", tuple(group)) for k, group in enumerate(groups))
    return of_solution(Puzzle("heap", lattice, Region(as_cells(cells, 3)), parts), Solution(placed))


def contains(ring: Points, point: Points) -> bool:
    """By the angles under which a ring's sides are seen."""
    to = ring[:, :2] - point
    after = np.roll(to, -1, axis=0)
    turned = np.arctan2(to[:, 0] * after[:, 1] - to[:, 1] * after[:, 0], (to * after).sum(axis=1)).sum()
    return abs(turned) > np.pi


def painted(shape: Shape, point: Points) -> bool:
    """Whether a shape covers a point of the picture."""
    if isinstance(shape, Sheet):
        return sum(contains(ring, point) for ring in shape.rings) % 2 == 1
    if isinstance(shape, Ball):
        return bool(np.linalg.norm(shape.centre[:2] - point) < shape.radius)
    a, b = shape.ends[:, :2]
    at = np.clip((point - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-12), 0, 1)
    return bool(np.linalg.norm(a + at * (b - a) - point) < shape.radius)


def nearest(scene: Scene, view: Points, point: Points) -> int | None:
    """The item that a line of sight meets first, from the scene's own cells, all faces of which are tried."""
    best, found = -np.inf, None
    for k, item in enumerate(scene.items):
        depths = [*_depths_of_faces(item, view, point), *_depths_of_balls(item, view, point)]
        if depths and max(depths) > best:
            best, found = max(depths), k
    return found


def _depths_of_faces(item: SceneItem, view: Points, point: Points) -> list[float]:
    if item.solid is None:
        return []
    turned = item.solid.vertices @ view.T
    depths = []
    for ring in item.solid.cell_faces:
        corners = turned[list(ring)]
        if contains(corners, point):
            normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
            depths.append(float(corners[0, 2] - normal[:2] @ (point - corners[0, :2]) / normal[2]))
    return depths


def _depths_of_balls(item: SceneItem, view: Points, point: Points) -> list[float]:
    if item.balls is None:
        return []
    centres = item.balls.centres @ view.T
    within = item.balls.radii**2 - ((centres[:, :2] - point) ** 2).sum(axis=1)
    return [float(c[2] + np.sqrt(w)) for c, w in zip(centres, within, strict=True) if w > 0]


def check(scene: Scene, picture: Picture, seed: int) -> int:
    """How many points show something; at each it must be what is nearest."""
    view, chance = VIEWS[picture.corner], np.random.default_rng(seed)
    low, high = picture_bounds(picture.shapes)
    seen = 0
    for point in low + chance.random((SAMPLES, 2)) * (high - low):
        last = next((shape for shape in reversed(picture.shapes) if painted(shape, point)), None)
        if isinstance(last, Neck):
            continue
        assert (last.item if last else None) == nearest(scene, view, point), point
        seen += last is not None
    return seen


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", rest_long(IN_SPACE, ["cubic", "hexprism"]))
def test_what_is_hidden_is_hidden(name: str, seed: int) -> None:
    scene = heap(name, seed)
    for corner in VIEWS if name == "cubic" else [None]:
        assert check(scene, isometric(scene, corner), seed) > SAMPLES // 4


def scene_of_boxes(spans: Sequence[tuple[Points, Points]]) -> Scene:
    items = []
    for k, (low, high) in enumerate(spans):
        corners = [[(low, high)[i][0], (low, high)[j][1], (low, high)[h][2]] for h, j, i in product((0, 1), repeat=3)]
        body = solid(np.array(corners), BOX)
        assert body.volume > 0
        items.append(SceneItem(f"b{k}", 1, k, "", False, np.zeros((1, 4), np.int32), np.zeros(1, np.int32), solid=body))
    return Scene("boxes", 3, tuple(items), np.zeros(3), np.full(3, 12.0), (0.0,), 1.0)


def test_long_boxes_at_random() -> None:
    chance = np.random.default_rng(5)
    spans: list[tuple[Points, Points]] = []
    while len(spans) < 16:
        size = np.full(3, 0.4)
        size[chance.integers(3)] = 6
        low = chance.random(3) * 6
        if all((low + size <= a).any() or (low >= b).any() for a, b in spans):
            spans.append((low, low + size))
    scene = scene_of_boxes(spans)
    assert check(scene, isometric(scene), 1) > SAMPLES // 4


def test_boxes_that_hide_each_other_in_a_ring_are_taken_apart() -> None:
    """Three bars, each the next one's image under a third of a turn about the line of sight."""
    low, high = np.array([-3.0, 0, 1]), np.array([3.0, 0.4, 1.4])
    turn = np.array([[0, 0, 1], [-1, 0, 0], [0, -1, 0]])
    assert (turn @ VIEWS["south-east"][2] == VIEWS["south-east"][2]).all()
    spans = []
    for _ in range(3):
        spans.append((np.minimum(low, high), np.maximum(low, high)))
        low, high = turn @ low, turn @ high
    scene = scene_of_boxes(spans)
    picture = isometric(scene, "south-east")
    assert check(scene, picture, 1) > SAMPLES // 8
    assert not all(shape.whole for shape in picture.shapes if isinstance(shape, Sheet))


def sheet(item: int, *corners: tuple[float, float, float]) -> Sheet:
    ring = np.array(corners)
    normal = np.cross(ring[1] - ring[0], ring[2] - ring[0])
    lines = tuple(np.stack([a, b]) for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True))
    return Sheet(item, normal / np.linalg.norm(normal), (ring,), (ring,), lines)


def test_three_strips_that_lie_over_each_other_in_a_ring() -> None:
    """Each lies over the next at one end and under the one before at the other: one of them has to be cut."""
    strips = []
    for k in range(3):
        turn = 2 * np.pi * k / 3
        along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        corners = [(*(along * a + across * (b - 1)), 0.5 * a) for a, b in ((-3, -0.3), (3, -0.3), (3, 0.3), (-3, 0.3))]
        strips.append(sheet(k, *corners))
    order = ordered(strips, TOUCHING)
    assert len(order) == 4
    area = sum(signed_area(shape.rings[0][:, :2]) for shape in order if isinstance(shape, Sheet))
    assert area == pytest.approx(3 * 6 * 0.6)
    edges = sum(float(np.linalg.norm(b - a)) for shape in order if isinstance(shape, Sheet) for a, b in shape.lines)
    assert edges == pytest.approx(sum(float(np.linalg.norm(b - a)) for strip in strips for a, b in strip.lines))
    for a, b in ((0, 1), (1, 2), (2, 0)):
        place = overlap(strips[a].rings[0][:, :2], strips[b].rings[0][:, :2]).mean(axis=0)
        last = next(shape for shape in reversed(order) if painted(shape, place))
        heights = {s.item: _height(s, place) for s in (strips[a], strips[b])}
        assert last.item == max(heights, key=lambda item: heights[item])


def _height(shape: Sheet, point: Points) -> float:
    corner = shape.rings[0][0]
    return float(corner[2] - shape.normal[:2] @ (point - corner[:2]) / shape.normal[2])


def test_a_stair_is_seen_from_before_its_steps() -> None:
    lattice = load_lattice("cubic")
    stairs = [
        (0, row, column, height) for row in range(3) for column in range(3) for height in range(3) if height <= row
    ]
    part = Part("stair", as_cells(stairs, 3), np.zeros(len(stairs), np.int32), 1, 1, lattice.allowed("fixed"))
    puzzle = Puzzle("stair", lattice, Region(part.cells), (part,))
    picture = isometric(of_solution(puzzle, Solution((Placed("stair", tuple(stairs)),))))
    assert picture.corner == "north-east"
    assert len(picture.shapes) == 3 + 3 + 1


def test_faces_between_copies_are_not_drawn() -> None:
    lattice = load_lattice("cubic")
    cells = list(product([0], range(3), range(3), range(3)))
    parts = tuple(
        Part(str(k), as_cells([cell], 3), np.zeros(1, np.int32), 1, 1, lattice.allowed("fixed"))
        for k, cell in enumerate(cells)
    )
    puzzle = Puzzle("cube", lattice, Region(as_cells(cells, 3)), parts)
    placed = Solution(tuple(Placed(str(k), (cell,)) for k, cell in enumerate(cells)))
    assert len(isometric(of_solution(puzzle, placed)).shapes) == 27


def test_letters_stand_on_what_is_seen() -> None:
    front, back = (
        sheet(0, (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1)),
        sheet(1, (-1, 0, 0), (2, 0, 0), (2, 2, 0), (-1, 2, 0)),
    )
    hidden = sheet(2, (0.5, 0.5, 0.5), (1, 0.5, 0.5), (1, 1, 0.5))
    order = ordered([front, back, hidden], TOUCHING)
    assert [shape.item for shape in order] == [1, 2, 0]
    found = {order[k].item: place for k, place in labels(order).items()}
    assert found[0][0] == pytest.approx([1, 1], abs=0.1)
    assert found[1][0][0] < 0
    assert 2 not in found


@pytest.mark.parametrize("seed", range(8))
def test_a_ring_in_convex_pieces(seed: int) -> None:
    """A star of random radii, which is anything but convex."""
    chance = np.random.default_rng(seed)
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = (0.3 + chance.random(12))[:, None] * np.column_stack([np.cos(turns), np.sin(turns)])
    pieces = [ring[list(piece)] for piece in convex_pieces(ring)]
    assert all(is_convex(piece) for piece in pieces)
    assert sum(signed_area(piece) for piece in pieces) == pytest.approx(signed_area(ring))


def test_a_ring_with_a_seam_in_convex_pieces() -> None:
    vertices = load_lattice("disc").nodes[0].drawing.vertices
    pieces = [vertices[list(piece)] for piece in convex_pieces(vertices)]
    assert sum(signed_area(piece) for piece in pieces) == pytest.approx(1 - 0.16)


def test_what_two_squares_have_in_common() -> None:
    square = np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])
    assert signed_area(overlap(square, square + 1)) == pytest.approx(1)
    assert len(overlap(square, square + 5)) == 0


def test_what_stands_at_sides_is_painted_where_it_is_seen() -> None:
    """Of the six sides of a cube three are seen; in front of each lies its mark, and its middle is the mark's."""
    sides = "\n".join(
        f'  {{ cell = [0, 0, 0], edge = "{edge.label}", is = "k{k}" }},'
        for k, edge in enumerate(load_lattice("cubic").half_edges)
    )
    names_of_keys = [f"k{k}" for k in range(6)]
    text = f"""name = "marked"
lattice = "cubic"
[sides]
keys = {names_of_keys}
locks = ["l"]
fits = {{ {", ".join(f'{name} = ["l"]' for name in names_of_keys)} }}
may_look_out = ["keys", "locks"]
[region]
box = [1, 1, 1]
[[parts]]
name = "A"
box = [1, 1, 1]
transformations = "fixed"
sides = [
{sides}
]
"""
    (solution,) = solutions(puzzle := loads(text))
    picture = isometric(of_solution(puzzle, solution))
    sheets = [shape for shape in picture.shapes if isinstance(shape, Sheet)]
    marks = [sheet for sheet in sheets if np.linalg.norm(sheet.rings[0][0] - sheet.rings[0][1]) < 0.9]
    faces = [sheet for sheet in sheets if sheet not in marks]
    assert (len(faces), len(marks), len({mark.rgb for mark in marks})) == (3, 3, 3)
    for mark in marks:
        (face,) = [face for face in faces if np.allclose(face.normal, mark.normal)]
        assert sheets.index(face) < sheets.index(mark)
        off = mark.rings[0].mean(axis=0) - face.rings[0].mean(axis=0)
        assert np.allclose(np.cross(off, face.normal), 0)
        assert off @ face.normal > TOUCHING
