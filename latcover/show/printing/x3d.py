"""X3D: scenes as models for viewers, as in Tal's thesis; each part is a Transform with a DEF name and its colour.

Extensible 3D 4.0 (ISO/IEC 19775-1:2023), profile Interchange, XML encoding. All faces are convex.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import count
from math import acos, atan2, pi, sqrt
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np
from models import copies_to_print
from msgspec import Struct

from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.show.drawing.scenes import explosion
from latcover.show.drawing.scenes import scene as scenes
from latcover.show.drawing.scenes.scene_model import Balls, SceneItem
from latcover.show.drawing.shapes.convex import convex_pieces, seamed
from latcover.show.drawing.shapes.outlines import Points, Polygon, Ring
from latcover.show.drawing.shapes.solids import Solid, normal, plane_axes
from latcover.show.printing.layout import require_share, shelves

SCHEMA = "http://www.web3d.org/specifications/x3d-4.0.xsd"
SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
DOCTYPE = '<!DOCTYPE X3D PUBLIC "ISO//Web3D//DTD X3D 4.0//EN" "http://www.web3d.org/specifications/x3d-4.0.dtd">'
METRE = 1000.0  # millimetres
FAINT = "0.8"  # the transparency of empty and optional cells
SEEN_FROM = np.array([1.0, -1.7, 1.2])  # from the south-east and above
FIELD = 0.7854  # of view, in radians


class ShiftedItem(Struct, frozen=True, eq=False):
    """An item of a scene and its displacement, shape (3,)."""

    item: SceneItem
    shift: Points


class X3dUnits(Struct, frozen=True):
    """The thickness of flat puzzles, and the length of a unit in millimetres (None: a metre)."""

    thickness: float = 1.0
    edge: float | None = None


UNITS = X3dUnits()
GAP = 0.5  # units between parts side by side


def of_solution(
    puzzle: Puzzle,
    solution: Solution,
    units: X3dUnits = UNITS,
    explode: float = 0.0,
    order: explosion.RemovalOrder | None = None,
) -> str:
    """A solution, with parts moved apart by *explode* as in `models`, and transparent empty cells."""
    require_share(explode)
    shown = scenes.of_solution(puzzle, solution)
    shifts = explode * explosion.of_scene(shown, order)
    return document(shown.title, [ShiftedItem(item, by) for item, by in zip(shown.items, shifts, strict=True)], units)


def of_region(puzzle: Puzzle, units: X3dUnits = UNITS) -> str:
    """The region, cell by cell."""
    shown = scenes.of_region(puzzle)
    return document(shown.title, [ShiftedItem(item, np.zeros(3)) for item in shown.items], units)


def of_parts(puzzle: Puzzle, names: Sequence[str] | None = None, units: X3dUnits = UNITS) -> str:
    """One copy of each part in *names*, or every copy of every part, side by side in the orientation of the file.

    Raises:
        PuzzleError: there is no such part.
    """
    copies = [(part.name, copies_to_print(puzzle, part)) for part in puzzle.parts]
    chosen = [(name, 1) for name in names] if names is not None else copies
    items = [scenes.of_whole_part(puzzle, name, copy).items[0] for name, last in chosen for copy in range(1, last + 1)]
    boxes = [box(item, units.thickness) for item in items]
    places = shelves([(float(high[0] - low[0]), float(high[1] - low[1])) for low, high in boxes], GAP)
    shifted = [ShiftedItem(item, place - low) for item, place, (low, _) in zip(items, places, boxes, strict=True)]
    title = puzzle.title or puzzle.name
    words = "parts" if names is None else f"part {', '.join(names)}"
    return document(f"{title}, {words}", shifted, units)


def document(title: str, shifted: Sequence[ShiftedItem], units: X3dUnits) -> str:
    """The text of an X3D file; equal scenes give equal bytes."""
    schema = {"xmlns:xsd": SCHEMA_INSTANCE, "xsd:noNamespaceSchemaLocation": SCHEMA}
    root = Element("X3D", {"profile": "Interchange", "version": "4.0", **schema})
    head = _add(root, "head")
    _add(head, "meta", name="title", content=title)
    _add(head, "meta", name="generator", content="latcover")
    scene = _add(root, "Scene")
    metres = 1.0 if units.edge is None else units.edge / METRE
    boxes = [box(one.item, units.thickness) + one.shift for one in shifted]
    _surroundings(scene, title, np.concatenate([np.zeros((0, 3)), *boxes]) * metres)
    around = _add(scene, "Transform", DEF="model", scale=[metres] * 3) if units.edge else scene
    taken = {"model"}
    for one in shifted:
        _add_item(around, one, units.thickness, taken)
    indent(root, space=" ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{DOCTYPE}\n{tostring(root, encoding="unicode")}\n'


def box(item: SceneItem, thickness: float) -> Points:
    """Opposite corners of the box around an item, shape (2, 3); *thickness* is the height of a flat one."""
    flat = item.box.shape[1] == 2
    return np.column_stack([item.box, [0.0, thickness]]) if flat else item.box


def _surroundings(scene: Element, title: str, corners: Points) -> None:
    """Add a white background, and a viewpoint in the south-east from which everything is visible."""
    low, high = (corners.min(axis=0), corners.max(axis=0)) if len(corners) else (np.zeros(3), np.ones(3))
    middle, radius = (low + high) / 2, float(np.linalg.norm(high - low)) / 2
    towards = SEEN_FROM / np.linalg.norm(SEEN_FROM)
    _add(scene, "WorldInfo", title=title)
    _add(scene, "Background", skyColor="1 1 1")
    avatar = [radius / 50, radius / 5, radius / 50]
    _add(scene, "NavigationInfo", type='"EXAMINE" "ANY"', avatarSize=avatar)
    _add(
        scene,
        "Viewpoint",
        description="from the south-east and above",
        position=middle + towards * 1.15 * radius / np.sin(FIELD / 2),
        orientation=_orientation(towards),
        centerOfRotation=middle,
        fieldOfView=[FIELD],
    )


def _orientation(backwards: Points) -> list[float]:
    """Axis and angle of the rotation from a view along -z (y up) to a view along -*backwards* (z up)."""
    right = np.cross([0, 0, 1], backwards)
    right /= np.linalg.norm(right)
    turn = np.column_stack([right, np.cross(backwards, right), backwards])
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    length = float(np.linalg.norm(axis))
    return [*(axis / length).tolist(), atan2(length, float(np.trace(turn)) - 1)]


def _add_item(parent: Element, one: ShiftedItem, thickness: float, taken: set[str]) -> None:
    """Add an item as a group whose name is not yet *taken*."""
    item = one.item
    words = f"{item.name} {item.copy}" if item.copy > 1 else item.name
    name = _identifier(words or "cell", taken)
    group = _add(parent, "Transform", DEF=name)
    if one.shift.any():
        group.set("translation", _numbers(one.shift))
    if words:
        _add(group, "MetadataString", name="part", value=_quoted(words))
    numbers = count(1)

    def shape(parent: Element) -> Element:
        """Add a shape. The first has the item's appearance, to which the others refer."""
        number = next(numbers)
        added = _add(parent, "Shape", DEF=f"{name}-shape-{number}")
        if number > 1:
            _add(added, "Appearance", USE=f"{name}-look")
            return added
        material = _add(
            _add(added, "Appearance", DEF=f"{name}-look"), "Material", diffuseColor=np.array(item.rgb) / 255
        )
        if item.faint:
            material.set("transparency", FAINT)
        return added

    for polygon in item.polygons:
        _faces(shape(group), *_prism(polygon, thickness))
    if item.solid is not None:
        _faces(shape(group), item.solid.vertices, _convex_faces(item.solid))
    if item.balls is not None:
        _balls(group, item.balls, thickness, shape)


def _faces(shape: Element, vertices: Points, faces: Sequence[Ring]) -> None:
    index = " ".join(f"{' '.join(map(str, face))} -1" for face in faces)
    surface = _add(shape, "IndexedFaceSet", coordIndex=index)
    _add(surface, "Coordinate", point=", ".join(_numbers(vertex) for vertex in vertices))


def _convex_faces(solid: Solid) -> list[Ring]:
    faces: list[Ring] = []
    for ring in solid.cell_faces:
        flat = solid.vertices[list(ring)] @ plane_axes(normal(solid.vertices, ring)).T
        faces += [tuple(ring[k] for k in piece) for piece in convex_pieces(flat)]
    return faces


def _prism(polygon: Polygon, thickness: float) -> tuple[Points, list[Ring]]:
    """A plate on a flat area: its corners, the lower ones first, and its faces."""
    ring = seamed(polygon.outer, polygon.holes)
    pieces = convex_pieces(ring)
    sides, start = [], len(ring)
    walls = np.concatenate(polygon.rings)
    vertices = np.concatenate([ring, walls])
    n = len(vertices)
    for loop in polygon.rings:
        here = list(range(start, start + len(loop)))
        sides += [(a, b, b + n, a + n) for a, b in zip(here, here[1:] + here[:1], strict=True)]
        start += len(loop)
    top = [tuple(v + n for v in piece) for piece in pieces]
    bottom = [piece[::-1] for piece in pieces]
    levels = [np.column_stack([vertices, np.full(n, height)]) for height in (0.0, thickness)]
    return np.concatenate(levels), [*bottom, *top, *sides]


def _balls(parent: Element, balls: Balls, thickness: float, shape: Callable[[Element], Element]) -> None:
    flat = balls.centres.shape[1] == 2
    centres = np.pad(balls.centres, ((0, 0), (0, 1)), constant_values=thickness / 2) if flat else balls.centres
    for centre, radius in zip(centres, balls.radii.tolist(), strict=True):
        place = _add(parent, "Transform", translation=centre)
        if flat:  # a cylinder stands along y
            place.set("rotation", _numbers([1, 0, 0, pi / 2]))
            _add(shape(place), "Cylinder", radius=[radius], height=[thickness])
        else:
            _add(shape(place), "Sphere", radius=[radius])
    for number, (a, b) in enumerate(balls.necks.tolist()):
        along = centres[b] - centres[a]
        length = float(np.linalg.norm(along))
        rotation = _from_upright(along / length)
        place = _add(parent, "Transform", translation=(centres[a] + centres[b]) / 2, rotation=rotation)
        width = balls.neck_radius(number)
        if flat:
            _add(shape(place), "Box", size=[2 * width, length, thickness])
        else:
            _add(shape(place), "Cylinder", radius=[width], height=[length])


def _from_upright(along: Points) -> list[float]:
    """Axis and angle of the rotation that takes the y-axis to *along*."""
    x, y, z = along.tolist()
    across = sqrt(x * x + z * z)
    return [z / across, 0.0, -x / across, acos(max(-1.0, min(1.0, y)))] if across > 1e-12 else [0.0, 0.0, 1.0, 0.0]


def _identifier(words: str, taken: set[str]) -> str:
    """A valid XML ID, similar to *words* and not yet *taken*."""
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", words)
    plain = plain if re.match(r"[A-Za-z_]", plain) else f"part-{plain}"
    name, number = plain, 2
    while name in taken or re.search(r"-(look|shape-\d+)$", name):
        name, number = f"{plain}-{number}", number + 1
    taken.add(name)
    return name


def _quoted(text: str) -> str:
    """An MFString of one string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _numbers(values: Sequence[float] | Points) -> str:
    return " ".join(f"{round(float(value), 9) + 0.0:.9g}" for value in values)


def _add(parent: Element, tag: str, **attributes: str | Sequence[float] | Points) -> Element:
    """Add an element; numbers are written as X3D writes them."""
    written = {name: value if isinstance(value, str) else _numbers(value) for name, value in attributes.items()}
    return SubElement(parent, tag, written)
