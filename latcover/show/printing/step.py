"""Models as a STEP file (ISO 10303-21, AP214), which programs for milling read: solids with flat faces and edges.

A mesh has triangles; a solid for CAM should have faces. So triangles in one plane that share edges become one face,
bounded by loops of edges. The text needs no library. Tests read it with an independent kernel (gmsh's Open CASCADE).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from msgspec import Struct, field

from latcover.errors import UnsupportedError
from latcover.show.drawing.palette import RGB
from latcover.show.drawing.shapes.outlines import Points
from latcover.show.printing.models import Model

FLAT = 1e-6  # of a model's size: corners that lie closer to a plane are in it
DIGITS = 9  # after the point, in millimetres
HEAD = """ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME({title},'1980-01-01T00:00:00',(''),(''),'latcover','latcover','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN {{ 1 0 10303 214 1 1 1 1 }}'));
ENDSEC;
DATA;
"""
TAIL = "ENDSEC;\nEND-ISO-10303-21;\n"
CONTEXT = (
    "GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT(({}))"
    "GLOBAL_UNIT_ASSIGNED_CONTEXT(({}))REPRESENTATION_CONTEXT('','')"
)

Triangle = tuple[int, int, int]
Edge = tuple[int, int]


class Face(Struct, frozen=True):
    """A flat face: its loops of corners, anticlockwise as seen from outside around the face, and its normal."""

    loops: tuple[tuple[int, ...], ...]  # the outer one first
    normal: Points


def step(models: Sequence[Model], title: str) -> bytes:
    """A product for each model, in millimetres, z upwards, with names and colours.

    Raises:
        UnsupportedError: a part in several pieces has a hollow.
    """
    text = _Text()
    context = _context(text)
    styled = [item for model in models for item in _product(text, model, context)]
    text.add("MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION", "''", _list(styled), context.shapes)
    return (HEAD.format(title=_string(title)) + "\n".join(text.lines) + "\n" + TAIL).encode("ascii")


def faces(model: Model) -> list[list[Face]]:
    """The flat faces of each closed surface of *model*."""
    corners = [(a, b, c) for a, b, c in model.triangles.tolist()]
    owners = {edge: number for number, corner in enumerate(corners) for edge in _edges(corner)}
    joined = [[owners[b, a] for a, b in _edges(corner)] for corner in corners]
    a, b, c = (model.vertices[model.triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    areas = np.linalg.norm(normals, axis=1)
    normals /= np.maximum(areas, 1e-300)[:, None]
    tolerance = FLAT * float(np.ptp(model.vertices, axis=0).max())
    # the largest triangle decides on a plane, since the normals of slivers are vague
    order = np.argsort(-areas, kind="stable").tolist()

    def in_plane(seed: int, other: int) -> bool:
        away = (model.vertices[model.triangles[other]] - model.vertices[corners[seed][0]]) @ normals[seed]
        return bool(np.abs(away).max() <= tolerance and normals[seed] @ normals[other] > -0.5)

    face_of = _grown(order, joined, in_plane)
    surface_of = _grown(range(len(corners)), joined, lambda seed, other: True)
    found: dict[int, list[Face]] = {}
    for seed in sorted(set(face_of)):
        inside = {corners[number] for number, one in enumerate(face_of) if one == seed}
        loops = sorted(_loops(inside), key=lambda loop: -_area(model.vertices[list(loop)], normals[seed]))
        found.setdefault(surface_of[seed], []).append(Face(tuple(loops), normals[seed]))
    return list(found.values())


def _grown(order: Iterable[int], joined: list[list[int]], belongs: Callable[[int, int], bool]) -> list[int]:
    """The seed of the group of each triangle: groups grow from the first in *order* over joined ones that belong."""
    group = [-1] * len(joined)
    for seed in order:
        if group[seed] >= 0:
            continue
        group[seed], open_ones = seed, [seed]
        while open_ones:
            for other in joined[open_ones.pop()]:
                if group[other] < 0 and belongs(seed, other):
                    group[other] = seed
                    open_ones.append(other)
    return group


def _loops(inside: Iterable[Triangle]) -> list[tuple[int, ...]]:
    """The loops around a group of triangles. A corner where the group touches itself separates two loops."""
    after: dict[Edge, Edge] = {}
    for a, b, c in inside:
        after |= {(a, b): (b, c), (b, c): (c, a), (c, a): (a, b)}
    rim = {edge for edge in after if edge[::-1] not in after}
    found = []
    while rim:
        loop, edge = [], min(rim)
        while edge in rim:
            rim.discard(edge)
            loop.append(edge[0])
            edge = after[edge]
            while edge[::-1] in after:  # turn around the corner, from triangle to triangle
                edge = after[edge[::-1]]
        found.append(tuple(loop))
    return found


def _edges(corners: Triangle) -> tuple[Edge, Edge, Edge]:
    a, b, c = corners
    return (a, b), (b, c), (c, a)


def _area(loop: Points, normal: Points) -> float:
    return float(np.cross(loop, np.roll(loop, -1, axis=0)).sum(axis=0) @ normal) / 2


class _Text(Struct):
    """The lines of the file; each entity has a number."""

    lines: list[str] = field(default_factory=list)

    def add(self, kind: str, *values: str) -> str:
        return self.raw(f"{kind}({','.join(values)})")

    def raw(self, text: str) -> str:
        self.lines.append(f"#{len(self.lines) + 1}={text};")
        return f"#{len(self.lines)}"

    def point(self, place: Points) -> str:
        return self.add("CARTESIAN_POINT", "''", _triple(place))

    def direction(self, way: Points) -> str:
        return self.add("DIRECTION", "''", _triple(way))

    def axes(self, place: Points, up: Points, along: Points) -> str:
        return self.add("AXIS2_PLACEMENT_3D", "''", self.point(place), self.direction(up), self.direction(along))


class _Context(Struct, frozen=True):
    """The entities that all products share."""

    product: str
    definition: str
    shapes: str


def _context(text: _Text) -> _Context:
    application = text.add("APPLICATION_CONTEXT", "'automotive design'")
    protocol = ("'international standard'", "'automotive_design'", "2000", application)
    text.add("APPLICATION_PROTOCOL_DEFINITION", *protocol)
    product = text.add("PRODUCT_CONTEXT", "''", application, "'mechanical'")
    definition = text.add("PRODUCT_DEFINITION_CONTEXT", "'part definition'", application, "'design'")
    length = text.raw("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))")
    angle = text.raw("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
    solid = text.raw("(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())")
    close = ("LENGTH_MEASURE(1.E-6)", length, "'distance_accuracy_value'", "''")
    exact = text.add("UNCERTAINTY_MEASURE_WITH_UNIT", *close)
    shapes = text.raw(f"({CONTEXT.format(exact, ','.join([length, angle, solid]))})")
    return _Context(product, definition, shapes)


def _product(text: _Text, model: Model, context: _Context) -> list[str]:
    """Write *model*; return its coloured solids."""
    name = _string(model.name)
    solids = _solids(text, model)
    product = text.add("PRODUCT", name, name, "''", _list([context.product]))
    text.add("PRODUCT_RELATED_PRODUCT_CATEGORY", "'part'", "$", _list([product]))
    formation = text.add("PRODUCT_DEFINITION_FORMATION", "''", "''", product)
    definition = text.add("PRODUCT_DEFINITION", "'design'", "''", formation, context.definition)
    shape = text.add("PRODUCT_DEFINITION_SHAPE", "''", "''", definition)
    origin = text.axes(np.zeros(3), np.eye(3)[2], np.eye(3)[0])
    body = text.add("ADVANCED_BREP_SHAPE_REPRESENTATION", name, _list([origin, *solids]), context.shapes)
    text.add("SHAPE_DEFINITION_REPRESENTATION", shape, body)
    style = _style(text, model.colour)
    return [text.add("STYLED_ITEM", "''", _list([style]), solid) for solid in solids]


def _style(text: _Text, colour: RGB) -> str:
    paint = text.add("COLOUR_RGB", "''", *(_real(channel / 255) for channel in colour))
    fill = text.add("FILL_AREA_STYLE", "''", _list([text.add("FILL_AREA_STYLE_COLOUR", "''", paint)]))
    side = text.add("SURFACE_SIDE_STYLE", "''", _list([text.add("SURFACE_STYLE_FILL_AREA", fill)]))
    usage = text.add("SURFACE_STYLE_USAGE", ".BOTH.", side)
    return text.add("PRESENTATION_STYLE_ASSIGNMENT", _list([usage]))


def _solids(text: _Text, model: Model) -> list[str]:
    """A solid for each piece of *model*, with its hollows."""
    surfaces = faces(model)
    is_hollow = [_volume(model.vertices, surface) < 0 for surface in surfaces]
    shells = [_shell(text, model.vertices, surface) for surface in surfaces]
    outer = [shell for shell, hollow in zip(shells, is_hollow, strict=True) if not hollow]
    if len(outer) == len(shells):
        return [text.add("MANIFOLD_SOLID_BREP", _string(model.name), shell) for shell in outer]
    if len(outer) > 1:
        raise UnsupportedError(
            f"part {model.part!r} consists of several pieces and has a hollow, which a .step file from latcover cannot "
            f"say; write a .3mf file, or make each piece a part"
        )
    # AP214 wants the surface of a hollow turned over: its faces point into the hollow as they are
    voids = [
        text.add("ORIENTED_CLOSED_SHELL", "''", "*", shell, ".T.")
        for shell, hollow in zip(shells, is_hollow, strict=True)
        if hollow
    ]
    return [text.add("BREP_WITH_VOIDS", _string(model.name), outer[0], _list(voids))]


def _volume(vertices: Points, surface: Sequence[Face]) -> float:
    """Of the body within *surface*: negative for a hollow."""
    middle = vertices[surface[0].loops[0][0]]
    return sum(
        float((vertices[loop[0]] - middle) @ face.normal) * _area(vertices[list(loop)] - middle, face.normal)
        for face in surface
        for loop in face.loops
    )


def _shell(text: _Text, vertices: Points, surface: Sequence[Face]) -> str:
    corners: dict[int, str] = {}
    edges: dict[Edge, str] = {}

    def corner(number: int) -> str:
        if number not in corners:
            corners[number] = text.add("VERTEX_POINT", "''", text.point(vertices[number]))
        return corners[number]

    def edge(a: int, b: int) -> str:
        low, high = min(a, b), max(a, b)
        if (low, high) not in edges:
            along = vertices[high] - vertices[low]
            vector = text.add("VECTOR", "''", text.direction(along / np.linalg.norm(along)), "1.")
            line = text.add("LINE", "''", text.point(vertices[low]), vector)
            edges[low, high] = text.add("EDGE_CURVE", "''", corner(low), corner(high), line, ".T.")
        return text.add("ORIENTED_EDGE", "''", "*", "*", edges[low, high], ".T." if a < b else ".F.")

    written = []
    for face in surface:
        bounds = []
        for number, loop in enumerate(face.loops):
            around = [edge(a, b) for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)]
            bound = text.add("EDGE_LOOP", "''", _list(around))
            bounds.append(text.add("FACE_BOUND" if number else "FACE_OUTER_BOUND", "''", bound, ".T."))
        start, second = vertices[face.loops[0][0]], vertices[face.loops[0][1]]
        along = second - start - ((second - start) @ face.normal) * face.normal
        plane = text.add("PLANE", "''", text.axes(start, face.normal, along / np.linalg.norm(along)))
        written.append(text.add("ADVANCED_FACE", "''", _list(bounds), plane, ".T."))
    return text.add("CLOSED_SHELL", "''", _list(written))


def _list(values: Sequence[str]) -> str:
    return f"({','.join(values)})"


def _triple(place: Points) -> str:
    return _list([_real(float(value)) for value in place])


def _real(value: float) -> str:
    """A number as ISO 10303-21 writes it, with a point."""
    return f"{round(value, DIGITS) + 0.0:.{DIGITS}f}".rstrip("0")


def _string(text: str) -> str:
    """A text in quotes; characters beyond ASCII by their numbers."""
    text = text.replace("\\", "\\\\").replace("'", "''")
    return "'" + "".join(one if " " <= one <= "~" else f"\\X4\\{ord(one):08X}\\X0\\" for one in text) + "'"
