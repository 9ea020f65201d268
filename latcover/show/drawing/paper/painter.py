"""The isometric view of a scene: the shapes that face the viewer, from back to front."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.show.drawing.paper.depth_order import Ball, Neck, Shape, Sheet, ordered
from latcover.show.drawing.scenes.scene_model import (
    Faces,
    Scene,
    SceneItem,
    covered_faces,
    face_key,
    surfaces,
    visible_faces,
)
from latcover.show.drawing.shapes.convex import convex_pieces
from latcover.show.drawing.shapes.outlines import Points, edges_of
from latcover.show.drawing.shapes.solids import Face, Solid, merged

# The viewer stands above one of four corners. The rows are the axes of the picture: right, up, towards the viewer.
_FROM_SOUTH_EAST = np.array([[1, 1, 0], [-1, 1, 2], [1, -1, 1]]) / np.sqrt([[2], [6], [3]])
_QUARTER_TURN = np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
VIEWS = {
    corner: _FROM_SOUTH_EAST @ np.linalg.matrix_power(_QUARTER_TURN, turns)
    for corner, turns in {"south-east": 0, "south-west": 3, "north-east": 1, "north-west": 2}.items()
}
EDGE_ON = 1e-6
TOUCHING = 1e-6  # of the size of a cell: smaller differences of depth are rounding
SAME_PLACE = 1e-6  # of the size of a cell


class Picture(Struct, frozen=True, eq=False):
    """An isometric view.

    Attributes:
        corner: Where the viewer stands, a key of `VIEWS`.
        shapes: What faces the viewer, from back to front.
    """

    corner: str
    shapes: tuple[Shape, ...]


def isometric(scene: Scene, corner: str | None = None) -> Picture:
    """*scene* without empty cells, from *corner*; None takes the corner that shows most outer faces."""
    items = [(k, item) for k, item in enumerate(scene.items) if not item.faint]
    covered = covered_faces([item for _, item in items])
    corner = corner or _best_corner([item for _, item in items], covered)
    shapes: list[Shape] = []
    for k, item in items:
        shapes += _sheets(item, k, covered, VIEWS[corner])
        shapes += _round_shapes(item, k, VIEWS[corner])
    return Picture(corner, tuple(ordered(shapes, TOUCHING * scene.size)))


def _best_corner(items: Sequence[SceneItem], covered: Faces) -> str:
    """The first corner that shows most faces of the whole, such as a stair from the front.

    It depends only on the union of the items, so that all solutions of a puzzle are seen from the same corner.
    """
    rings = [
        body.vertices[list(ring)]
        for item in items
        for body, _ in surfaces(item)
        for ring in visible_faces(body, covered)
    ]
    if not rings:
        return next(iter(VIEWS))
    points, index = np.unique(np.concatenate(rings), axis=0, return_inverse=True)
    numbers = np.split(index.reshape(-1), np.cumsum([len(ring) for ring in rings])[:-1])
    whole = merged(points, [tuple(ring.tolist()) for ring in numbers])
    normals = np.array([face.normal for face in whole])
    return max(VIEWS, key=lambda corner: int((normals @ VIEWS[corner][2] > EDGE_ON).sum()))


def outer_edges(item: SceneItem) -> Faces:
    """The edges along which an item's surface bends, by their corners; not those between patches."""
    if item.solid is None:
        return set()
    vertices = item.solid.vertices
    rings = (ring for face in item.solid.faces for ring in face.rings)
    return {face_key(vertices[[a, b]]) for ring in rings for a, b in edges_of(ring)}


def _sheets(item: SceneItem, number: int, covered: Faces, view: Points) -> Iterator[Sheet]:
    edges = outer_edges(item) if item.patches else None
    for body, rgb in surfaces(item):
        turned = body.vertices @ view.T
        for face in merged(body.vertices, visible_faces(body, covered)):
            if face.normal @ view[2] > EDGE_ON:
                sheet = _sheet(face, number, turned, view @ face.normal)
                if edges is not None:
                    sides = (list(side) for ring in face.rings for side in edges_of(ring))
                    ends = (turned[side] for side in sides if face_key(body.vertices[side]) in edges)
                    sheet = replace(sheet, lines=tuple(ends), whole=False)
                yield replace(sheet, rgb=rgb)
                yield from _mark_sheets(item, number, body, face, view)


def _mark_sheets(item: SceneItem, number: int, body: Solid, face: Face, view: Points) -> Iterator[Sheet]:
    """The marks of the sides that a face shows: the top of each plate."""
    middles = [body.vertices[list(ring)].mean(axis=0) for ring in face.cell_faces] if item.sides else []
    for mark in item.sides:
        near = SAME_PLACE * np.abs(mark.ring - mark.middle).max()
        if any(np.abs(mark.ring.mean(axis=0) - middle).max() < near for middle in middles):
            n = len(mark.ring)
            top = Face((tuple(range(n)),), face.normal, (tuple(range(n)),))
            sheet = _sheet(top, number, mark.plate()[0][n:] @ view.T, view @ face.normal)
            yield replace(sheet, rgb=mark.rgb, plain=True)


def _sheet(face: Face, number: int, turned: Points, normal: Points) -> Sheet:
    faces = [turned[list(ring)] for ring in face.cell_faces]
    pieces = tuple(corners[list(piece)] for corners in faces for piece in convex_pieces(corners[:, :2]))
    lines = tuple(turned[[a, b]] for ring in face.rings for a, b in edges_of(ring))
    return Sheet(number, normal, tuple(turned[list(ring)] for ring in face.rings), pieces, lines)


def _round_shapes(item: SceneItem, number: int, view: Points) -> Iterator[Shape]:
    if item.balls is None:
        return
    centres = item.balls.centres @ view.T
    for k, (centre, radius) in enumerate(zip(centres, item.balls.radii.tolist(), strict=True)):
        yield Ball(number, centre, radius, k)
    for k, pair in enumerate(item.balls.necks.tolist()):
        yield Neck(number, centres[pair], item.balls.neck_radius(k))
