"""X3D: parses, has just the elements of its profile where they may stand, and shows what the scene has."""

from __future__ import annotations

import itertools
import re
from math import cos, sin
from xml.etree.ElementTree import Element, fromstring

import numpy as np
import pytest

from latcover.core.solving.solutions import solutions
from latcover.files.formats.library import load_all
from latcover.show.drawing import palette
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.shapes.convex import convex_pieces, seamed
from latcover.show.drawing.shapes.outlines import signed_area
from latcover.show.printing import x3d
from tests.shipped import every_file

SHAPES = {"IndexedFaceSet", "Sphere", "Cylinder", "Box"}
ALLOWED = {  # what may stand in what, and the attributes that it may have
    "X3D": ({"head", "Scene"}, {"profile", "version"}),
    "head": ({"meta"}, set()),
    "meta": (set(), {"name", "content"}),
    "Scene": ({"WorldInfo", "Background", "NavigationInfo", "Viewpoint", "Transform"}, set()),
    "WorldInfo": (set(), {"title"}),
    "Background": (set(), {"skyColor"}),
    "NavigationInfo": (set(), {"type", "avatarSize"}),
    "Viewpoint": (set(), {"description", "position", "orientation", "centerOfRotation", "fieldOfView"}),
    "Transform": ({"MetadataString", "Transform", "Shape"}, {"DEF", "translation", "rotation", "scale"}),
    "MetadataString": (set(), {"name", "value"}),
    "Shape": ({"Appearance"} | SHAPES, {"DEF"}),
    "Appearance": ({"Material"}, {"DEF", "USE"}),
    "Material": (set(), {"diffuseColor", "transparency"}),
    "IndexedFaceSet": ({"Coordinate"}, {"coordIndex"}),
    "Coordinate": (set(), {"point"}),
    "Sphere": (set(), {"radius"}),
    "Cylinder": (set(), {"radius", "height"}),
    "Box": (set(), {"size"}),
}
LENGTHS = {"translation": 3, "rotation": 4, "scale": 3, "position": 3, "orientation": 4, "diffuseColor": 3, "size": 3}


def check(text: str) -> Element:
    root = fromstring(text)
    assert root.tag == "X3D"
    assert root.get("version") == "4.0"
    for element in root.iter():
        children, attributes = ALLOWED[element.tag]
        assert {child.tag for child in element} <= children
        assert {key for key in element.attrib if not key.startswith("{")} <= attributes
        for key, length in LENGTHS.items():
            if key in element.attrib:
                assert np.isfinite([float(x) for x in element.attrib[key].split()]).all()
                assert len(element.attrib[key].split()) == length
    defined = [element.get("DEF") for element in root.iter() if element.get("DEF")]
    assert len(set(defined)) == len(defined)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", name) for name in defined if name)
    assert {element.get("USE") for element in root.iter() if element.get("USE")} <= set(defined)
    return root


def surface(element: Element) -> tuple[np.ndarray, list[list[int]]]:
    """Points and faces of an IndexedFaceSet."""
    points = np.array([[float(x) for x in p.split()] for p in (element[0].get("point") or "").split(",")])
    faces = [[int(v) for v in face.split()] for face in (element.get("coordIndex") or "").split("-1") if face.strip()]
    assert {v for face in faces for v in face} <= set(range(len(points)))
    return points, faces


def volume(element: Element) -> float:
    points, faces = surface(element)
    total = 0.0
    for a, *others in faces:
        for b, c in itertools.pairwise(others):
            total += float(np.dot(points[a], np.cross(points[b], points[c]))) / 6
    return total


@every_file
def test_every_puzzle(name: str) -> None:
    puzzle = load_all(name)[0]
    text = x3d.of_parts(puzzle)
    assert text == x3d.of_parts(puzzle)
    root = check(text)
    words = [element.get("value") for element in root.iter("MetadataString")]
    assert {f'"{part.name}"' for part in puzzle.parts} <= set(words)
    check(x3d.of_region(puzzle))


@pytest.mark.parametrize("name", ["soma", "hex-prisms", "tangram-square", "tetrasticks-5x5", "disc-cylinder"])
def test_solids_are_closed_and_whole(name: str) -> None:
    puzzle = load_all(name)[0]
    solution = next(solutions(puzzle))
    root = check(x3d.of_solution(puzzle, solution))
    shown = scene.of_solution(puzzle, solution)
    wanted = sum(
        (item.solid.volume if item.solid else 0.0) + sum(polygon.area for polygon in item.polygons)
        for item in shown.items
    )
    assert sum(volume(element) for element in root.iter("IndexedFaceSet")) == pytest.approx(wanted)
    for element in root.iter("IndexedFaceSet"):
        points, faces = surface(element)
        for face in faces:  # convex, as the profile wants it
            corners = points[face]
            normal = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
            before, after = corners - np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0) - corners
            assert (np.cross(before, after) @ normal >= -1e-9).all()


def test_balls_and_necks() -> None:
    puzzle = load_all("sphere-pyramid-2")[0]
    solution = next(solutions(puzzle))
    root = check(x3d.of_solution(puzzle, solution))
    assert len(list(root.iter("Sphere"))) == len(puzzle.region.cells)
    necks = [item.balls.necks for item in scene.of_solution(puzzle, solution).items if item.balls]
    assert len(list(root.iter("Cylinder"))) == sum(map(len, necks))
    bars = [place for place in root.iter("Transform") if place.find("Shape/Cylinder") is not None]
    centres = np.array(
        [_vector(place, "translation") for place in root.iter("Transform") if place.find("Shape/Sphere") is not None]
    )
    for bar in bars:  # both ends of every neck lie in centres of balls
        shape = bar.find("Shape/Cylinder")
        assert shape is not None
        along = _turned(_vector(bar, "rotation"), np.array([0.0, 1.0, 0.0])) * float(shape.get("height") or 0) / 2
        for end in (_vector(bar, "translation") + along, _vector(bar, "translation") - along):
            assert np.linalg.norm(centres - end, axis=1).min() == pytest.approx(0, abs=1e-6)


def _vector(element: Element, key: str) -> np.ndarray:
    return np.array([float(x) for x in (element.get(key) or "").split()])


def _turned(rotation: np.ndarray, vector: np.ndarray) -> np.ndarray:
    axis, angle = rotation[:3], rotation[3]
    return vector * cos(angle) + np.cross(axis, vector) * sin(angle) + axis * (axis @ vector) * (1 - cos(angle))


def test_the_view_looks_at_the_middle() -> None:
    puzzle = load_all("soma")[0]
    root = check(x3d.of_solution(puzzle, next(solutions(puzzle))))
    view = next(root.iter("Viewpoint"))
    towards = _vector(view, "centerOfRotation") - _vector(view, "position")
    turn = _vector(view, "orientation")
    assert np.linalg.norm(turn[:3]) == pytest.approx(1)
    assert _turned(turn, np.array([0.0, 0.0, -1.0])) == pytest.approx(towards / np.linalg.norm(towards))
    assert _turned(turn, np.array([1.0, 0.0, 0.0]))[2] == pytest.approx(0, abs=1e-6)
    assert _turned(turn, np.array([0.0, 1.0, 0.0]))[2] > 0


def test_colours_scale_and_distance() -> None:
    puzzle = load_all("soma")[0]
    solution = next(solutions(puzzle))
    root = check(x3d.of_solution(puzzle, solution, x3d.X3dUnits(edge=20.0), explode=1.0))
    outer = next(element for element in root.iter("Transform") if element.get("DEF") == "model")
    assert outer.get("scale") == "0.02 0.02 0.02"
    red, green, blue = palette.colour(0, 1)
    named = next(element for element in outer if element.get("DEF") == "V")
    assert _vector(next(named.iter("Material")), "diffuseColor") == pytest.approx([red / 255, green / 255, blue / 255])
    assert any(element.get("translation") for element in outer)


def test_names_become_identifiers() -> None:
    taken: set[str] = set()
    found = [x3d._identifier(words, taken) for words in ("L", "L", "L-2", "1x2", "a b", "ä", "a-look", "V-shape-1", "")]
    assert len(set(found)) == len(found)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", name) for name in found)
    assert not any(name.endswith(("-look", "-shape-1")) for name in found)


def test_seams_keep_the_area() -> None:
    outer = np.array([[0, 0], [9, 0], [9, 9], [0, 9]], float)
    holes = [np.array([[1, 1], [1, 2], [2, 2], [2, 1]], float) + shift for shift in ([0, 0], [4, 0], [3, 5], [6, 6])]
    ring = seamed(outer, holes)
    assert signed_area(ring) == pytest.approx(77)
    assert sum(signed_area(ring[list(piece)]) for piece in convex_pieces(ring)) == pytest.approx(77)
