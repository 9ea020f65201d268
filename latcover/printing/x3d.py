"""X3D: scenes as models to look at, as in Tal's thesis; each part is a Transform with a DEF name and its colour.

Extensible 3D 4.0 (ISO/IEC 19775-1:2023), profile Interchange, in its XML encoding: every face is convex.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import acos, atan2, pi, sqrt
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from latcover.drawing import explosion
from latcover.drawing import scene as scenes
from latcover.drawing.convex import convex_pieces, seamed
from latcover.drawing.outlines import Points, Polygon, Ring
from latcover.drawing.scene import Balls, Item
from latcover.drawing.solids import Solid, normal, plane_axes
from latcover.model.disassembly import Disassembly
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution
from latcover.printing.layout import require_share, shelves
from latcover.printing.models import copies_to_print

SCHEMA = "http://www.web3d.org/specifications/x3d-4.0.xsd"
SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
DOCTYPE = '<!DOCTYPE X3D PUBLIC "ISO//Web3D//DTD X3D 4.0//EN" "http://www.web3d.org/specifications/x3d-4.0.dtd">'
METRE = 1000.0  # millimetres
FAINT = "0.8"  # the transparency of empty cells, and of cells that may stay empty
SEEN_FROM = np.array([1.0, -1.7, 1.2])  # the south-east, above
FIELD = 0.7854  # of view, in radians


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """An item of a scene, and the vector by which it is moved, shape (3,)."""

    item: Item
    shift: Points


@dataclass(frozen=True, slots=True)
class Scale:
    """The thickness of flat puzzles, and the length of a unit in millimetres (None: a metre)."""

    thickness: float = 1.0
    edge: float | None = None


UNITS = Scale()
GAP = 0.5  # units between parts side by side


def of_solution(
    puzzle: Puzzle,
    solution: Solution,
    scale: Scale = UNITS,
    explode: float = 0.0,
    disassembly: Disassembly | None = None,
) -> str:
    """A solution, its parts moved apart by *explode* as in `latcover.printing.models`; empty cells are transparent."""
    require_share(explode)
    shown = scenes.of_solution(puzzle, solution)
    taken = None if disassembly is None else (puzzle.lattice, disassembly)
    shifts = explode * explosion.of_scene(shown, taken) if explode else np.zeros((len(shown.items), 3))
    return document(shown.title, [Placed(item, by) for item, by in zip(shown.items, shifts, strict=True)], scale)


def of_region(puzzle: Puzzle, scale: Scale = UNITS) -> str:
    """The region, cell by cell."""
    shown = scenes.of_region(puzzle)
    return document(shown.title, [Placed(item, np.zeros(3)) for item in shown.items], scale)


def of_parts(puzzle: Puzzle, names: Sequence[str] | None = None, scale: Scale = UNITS) -> str:
    """One copy of each part in *names*, or every copy of every part; side by side, as they were written.

    Raises:
        PuzzleError: there is no such part.
    """
    copies = [(part.name, copies_to_print(puzzle, part)) for part in puzzle.parts]
    chosen = [(name, 1) for name in names] if names is not None else copies
    items = [scenes.of_whole_part(puzzle, name, copy).items[0] for name, last in chosen for copy in range(1, last + 1)]
    boxes = [box(item, scale.thickness) for item in items]
    places = shelves([(float(high[0] - low[0]), float(high[1] - low[1])) for low, high in boxes], GAP)
    placed = [Placed(item, place - low) for item, place, (low, _) in zip(items, places, boxes, strict=True)]
    title = puzzle.title or puzzle.name
    words = "parts" if names is None else f"part {', '.join(names)}"
    return document(f"{title}, {words}", placed, scale)


def document(title: str, placed: Sequence[Placed], scale: Scale) -> str:
    """The text of an X3D file; the same scene gives the same bytes."""
    root = Element(
        "X3D",
        {
            "profile": "Interchange",
            "version": "4.0",
            "xmlns:xsd": SCHEMA_INSTANCE,
            "xsd:noNamespaceSchemaLocation": SCHEMA,
        },
    )
    head = SubElement(root, "head")
    SubElement(head, "meta", name="title", content=title)
    SubElement(head, "meta", name="generator", content="latcover")
    scene = SubElement(root, "Scene")
    metres = 1.0 if scale.edge is None else scale.edge / METRE
    boxes = [box(one.item, scale.thickness) + one.shift for one in placed]
    _surroundings(scene, title, np.concatenate([np.zeros((0, 3)), *boxes]) * metres)
    factor = _numbers([metres] * 3)
    around = SubElement(scene, "Transform", DEF="model", scale=factor) if scale.edge else scene
    taken = {"model"}
    for one in placed:
        _thing(around, one, scale.thickness, taken)
    indent(root, space=" ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{DOCTYPE}\n{tostring(root, encoding="unicode")}\n'


def box(item: Item, thickness: float) -> Points:
    """Opposite corners of the box around an item, shape (2, 3); of a flat one the *thickness* is its height."""
    ends = [polygon.outer for polygon in item.polygons]
    if item.solid is not None:
        ends.append(item.solid.vertices)
    if item.balls is not None:
        radii = item.balls.radii[:, None]
        ends += [item.balls.centres - radii, item.balls.centres + radii]
    points = np.concatenate(ends)
    low, high = points.min(axis=0), points.max(axis=0)
    return np.stack([low, high]) if len(low) == 3 else np.array([[*low, 0.0], [*high, thickness]])


def _surroundings(scene: Element, title: str, corners: Points) -> None:
    """Add a white background, and a viewpoint in the south-east that shows everything."""
    low, high = (corners.min(axis=0), corners.max(axis=0)) if len(corners) else (np.zeros(3), np.ones(3))
    middle, radius = (low + high) / 2, float(np.linalg.norm(high - low)) / 2
    towards = SEEN_FROM / np.linalg.norm(SEEN_FROM)
    eye = middle + towards * 1.15 * radius / np.sin(FIELD / 2)
    size = _numbers([radius / 50, radius / 5, radius / 50])
    SubElement(scene, "WorldInfo", title=title)
    SubElement(scene, "Background", skyColor="1 1 1")
    SubElement(scene, "NavigationInfo", type='"EXAMINE" "ANY"', avatarSize=size)
    SubElement(
        scene,
        "Viewpoint",
        description="from the south-east and above",
        position=_numbers(eye),
        orientation=_numbers(_orientation(towards)),
        centerOfRotation=_numbers(middle),
        fieldOfView=_numbers([FIELD]),
    )


def _orientation(backwards: Points) -> list[float]:
    """Axis and angle of the rotation that turns a view along -z (y up) into a view along -*backwards* (z up)."""
    right = np.cross([0, 0, 1], backwards)
    right /= np.linalg.norm(right)
    turn = np.column_stack([right, np.cross(backwards, right), backwards])
    return _axis_and_angle(turn)


def _axis_and_angle(turn: Points) -> list[float]:
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    length = float(np.linalg.norm(axis))
    return [*(axis / length).tolist(), atan2(length, float(np.trace(turn)) - 1)]


def _thing(parent: Element, one: Placed, thickness: float, taken: set[str]) -> None:
    item = one.item
    words = f"{item.name} {item.copy}" if item.copy > 1 else item.name
    name = _identifier(words or "cell", taken)
    group = SubElement(parent, "Transform", DEF=name)
    if one.shift.any():
        group.set("translation", _numbers(one.shift))
    if words:
        SubElement(group, "MetadataString", name="part", value=_quoted(words))
    look = _Look(item, name)
    for polygon in item.polygons:
        _faces(_shape(group, look), *_prism(polygon, thickness))
    if item.solid is not None:
        _faces(_shape(group, look), item.solid.vertices, _convex_faces(item.solid))
    if item.balls is not None:
        _balls(group, item.balls, thickness, look)


class _Look:
    """Writes the appearance of an item with its first shape, refers to it in later shapes, and names the shapes."""

    def __init__(self, item: Item, name: str) -> None:
        self.item, self.name, self.shapes = item, name, 0

    def put(self, shape: Element) -> None:
        self.shapes += 1
        shape.set("DEF", f"{self.name}-shape-{self.shapes}")
        if self.shapes > 1:
            SubElement(shape, "Appearance", USE=f"{self.name}-look")
            return
        colour = _numbers([channel / 255 for channel in self.item.rgb])
        material = SubElement(SubElement(shape, "Appearance", DEF=f"{self.name}-look"), "Material", diffuseColor=colour)
        if self.item.faint:
            material.set("transparency", FAINT)


def _shape(parent: Element, look: _Look) -> Element:
    shape = SubElement(parent, "Shape")
    look.put(shape)
    return shape


def _faces(shape: Element, vertices: Points, faces: Sequence[Ring]) -> None:
    index = " ".join(f"{' '.join(map(str, face))} -1" for face in faces)
    surface = SubElement(shape, "IndexedFaceSet", coordIndex=index)
    SubElement(surface, "Coordinate", point=", ".join(_numbers(vertex) for vertex in vertices))


def _convex_faces(solid: Solid) -> list[Ring]:
    faces: list[Ring] = []
    for ring in solid.cell_faces:
        flat = solid.vertices[list(ring)] @ plane_axes(normal(solid.vertices, ring)).T
        faces += [tuple(ring[k] for k in piece) for piece in convex_pieces(flat)]
    return faces


def _prism(polygon: Polygon, thickness: float) -> tuple[Points, list[Ring]]:
    """A flat area as a plate: its corners (lower ones first) and its faces."""
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


def _balls(parent: Element, balls: Balls, thickness: float, look: _Look) -> None:
    flat = balls.centres.shape[1] == 2
    centres = np.pad(balls.centres, ((0, 0), (0, 1)), constant_values=thickness / 2) if flat else balls.centres
    for centre, radius in zip(centres, balls.radii.tolist(), strict=True):
        place = SubElement(parent, "Transform", translation=_numbers(centre))
        if flat:  # a cylinder stands along y
            place.set("rotation", _numbers([1, 0, 0, pi / 2]))
            SubElement(_shape(place, look), "Cylinder", radius=_numbers([radius]), height=_numbers([thickness]))
        else:
            SubElement(_shape(place, look), "Sphere", radius=_numbers([radius]))
    for number, (a, b) in enumerate(balls.necks.tolist()):
        along = centres[b] - centres[a]
        length = float(np.linalg.norm(along))
        place = SubElement(parent, "Transform", translation=_numbers((centres[a] + centres[b]) / 2))
        place.set("rotation", _numbers(_from_upright(along / length)))
        width = balls.neck_radius(number)
        if flat:
            SubElement(_shape(place, look), "Box", size=_numbers([2 * width, length, thickness]))
        else:
            SubElement(_shape(place, look), "Cylinder", radius=_numbers([width]), height=_numbers([length]))


def _from_upright(along: Points) -> list[float]:
    """Axis and angle of a turn that takes the y-axis to *along*."""
    x, y, z = along.tolist()
    across = sqrt(x * x + z * z)
    return [z / across, 0.0, -x / across, acos(max(-1.0, min(1.0, y)))] if across > 1e-12 else [0.0, 0.0, 1.0, 0.0]


def _identifier(words: str, taken: set[str]) -> str:
    """A name that XML allows as an ID, like *words* and not yet *taken*."""
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
