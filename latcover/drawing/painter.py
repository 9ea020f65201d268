"""The isometric view of a scene: shapes from the back to the front. A shape hides those that are painted before it.

Two shapes whose pictures overlap are compared where they overlap. Then the shapes are sorted (after Newell, Newell and
Sancha 1972). Shapes that hide each other in a ring are taken apart, first into the faces of cells, then along a plane.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np
import numpy.typing as npt

from latcover.drawing.convex import clip, convex_pieces, overlap
from latcover.drawing.outlines import Points, edges_of, signed_area
from latcover.drawing.palette import RGB
from latcover.drawing.scene import Item, Scene
from latcover.drawing.solids import Face, Solid, merged

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
CUTS = 200  # how often shapes are taken apart; after that their mean depth decides


@dataclass(frozen=True, eq=False)
class Sheet:
    """A flat piece of a surface that faces the viewer.

    Attributes:
        item: Index into the scene's items.
        normal: In the view's axes, shape (3,); its last coordinate is positive.
        rings: The boundary of what is painted, in the view's axes, each of shape (n, 3).
        pieces: The same as convex rings, for comparing.
        lines: The segments of the item's edges on it, each of shape (2, 3).
        whole: Whether *lines* are its whole boundary: it was not taken apart, and is not a patch of a face.
        rgb: Its own colour; None for that of its item.
        plain: Whether it bears no pattern, whatever its item has.
    """

    item: int
    normal: Points
    rings: tuple[Points, ...]
    pieces: tuple[Points, ...]
    lines: tuple[Points, ...]
    whole: bool = True
    rgb: RGB | None = None
    plain: bool = False

    @cached_property
    def piece_boxes(self) -> Points:
        """The boxes around the pieces in the picture: low and high corners, shape (n, 2, 2)."""
        return np.array([[piece[:, :2].min(axis=0), piece[:, :2].max(axis=0)] for piece in self.pieces])


@dataclass(frozen=True, slots=True, eq=False)
class Ball:
    """A sphere, its centre in the view's axes; *number* is its place among the item's balls."""

    item: int
    centre: Points
    radius: float
    number: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Neck:
    """What joins two balls: a rod between their centres, shape (2, 3), in the view's axes."""

    item: int
    ends: Points
    radius: float

    @property
    def centre(self) -> Points:
        middle: Points = self.ends.mean(axis=0)
        return middle


Shape = Sheet | Ball | Neck
Faces = set[frozenset[tuple[float, ...]]]


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """An isometric view.

    Attributes:
        corner: Where the viewer stands, a key of `VIEWS`.
        shapes: What faces the viewer, from the back to the front.
    """

    corner: str
    shapes: tuple[Shape, ...]


def isometric(scene: Scene, corner: str | None = None) -> Picture:
    """*scene* from *corner*; None takes the corner that shows most outer faces. Empty cells are left out."""
    items = [(k, item) for k, item in enumerate(scene.items) if not item.faint]
    covered = covered_faces([item for _, item in items])
    corner = corner or _best_corner([item for _, item in items], covered)
    shapes: list[Shape] = []
    for k, item in items:
        shapes += _sheets(item, k, covered, VIEWS[corner])
        shapes += _round_shapes(item, k, VIEWS[corner])
    return Picture(corner, tuple(ordered(shapes, TOUCHING * scene.size)))


def _best_corner(items: Sequence[Item], covered: Faces) -> str:
    """The first of the corners that show most faces of the whole. A stair is seen from the front of its steps.

    It depends only on what the items cover together, so all solutions of a puzzle are seen from the same corner.
    """
    vertices: list[Points] = []
    rings = []
    for body, _ in (surface for item in items for surface in surfaces(item)):
        for ring in body.cell_faces:
            if face_key(body.vertices[list(ring)]) not in covered:
                rings.append(tuple(range(len(vertices), len(vertices) + len(ring))))
                vertices += list(body.vertices[list(ring)])
    if not rings:
        return next(iter(VIEWS))
    points, index = np.unique(np.array(vertices), axis=0, return_inverse=True)
    whole = merged(points, [tuple(index.reshape(-1)[list(ring)].tolist()) for ring in rings])
    normals = np.array([face.normal for face in whole])
    return max(VIEWS, key=lambda corner: int((normals @ VIEWS[corner][2] > EDGE_ON).sum()))


def face_key(corners: Points) -> frozenset[tuple[float, ...]]:
    """The corners of a face or an edge, in any order."""
    return frozenset(map(tuple, corners.tolist()))


def covered_faces(items: Sequence[Item]) -> Faces:
    """The faces that two items, or two patches of one, have in common, by their corners: each hides the other's."""
    seen: Faces = set()
    twice: Faces = set()
    for body, _ in (surface for item in items for surface in surfaces(item)):
        for ring in body.cell_faces:
            key = face_key(body.vertices[list(ring)])
            (twice if key in seen else seen).add(key)
    return twice


def surfaces(item: Item) -> list[tuple[Solid, RGB | None]]:
    """The bodies that an item's faces belong to, and their colours: its patches, or all of it."""
    if item.patches:
        return [(patch.solid, patch.rgb) for patch in item.patches if patch.solid is not None]
    return [(item.solid, item.paint)] if item.solid is not None else []


def outer_edges(item: Item) -> Faces:
    """The edges along which an item's surface bends, by their corners: those between its patches are none."""
    if item.solid is None:
        return set()
    vertices = item.solid.vertices
    rings = (ring for face in item.solid.faces for ring in face.rings)
    return {face_key(vertices[[a, b]]) for ring in rings for a, b in edges_of(ring)}


def _sheets(item: Item, number: int, covered: Faces, view: Points) -> Iterator[Sheet]:
    edges = outer_edges(item) if item.patches else None
    for body, rgb in surfaces(item):
        seen = [ring for ring in body.cell_faces if face_key(body.vertices[list(ring)]) not in covered]
        turned = body.vertices @ view.T
        for face in merged(body.vertices, seen):
            if face.normal @ view[2] > EDGE_ON:
                sheet = _sheet(face, number, turned, view @ face.normal)
                if edges is not None:
                    sides = (list(side) for ring in face.rings for side in edges_of(ring))
                    ends = (turned[side] for side in sides if face_key(body.vertices[side]) in edges)
                    sheet = replace(sheet, lines=tuple(ends), whole=False)
                yield replace(sheet, rgb=rgb)
                yield from _mark_sheets(item, number, body, face, view)


def _mark_sheets(item: Item, number: int, body: Solid, face: Face, view: Points) -> Iterator[Sheet]:
    """What stands at the sides that a face shows: the top of each plate."""
    middles = [body.vertices[list(ring)].mean(axis=0) for ring in face.cell_faces] if item.sides else []
    for mark in item.sides:
        near = SAME_PLACE * np.abs(mark.ring - mark.middle).max()
        if any(np.abs(mark.ring.mean(axis=0) - middle).max() < near for middle in middles):
            n = len(mark.ring)
            top = Face((tuple(range(n)),), face.normal, (tuple(range(n)),))
            yield replace(
                _sheet(top, number, mark.plate()[0][n:] @ view.T, view @ face.normal), rgb=mark.rgb, plain=True
            )


def _sheet(face: Face, number: int, turned: Points, normal: Points) -> Sheet:
    pieces = []
    for ring in face.cell_faces:
        corners = turned[list(ring)]
        pieces += [corners[list(piece)] for piece in convex_pieces(corners[:, :2])]
    return Sheet(
        number,
        normal,
        tuple(turned[list(ring)] for ring in face.rings),
        tuple(pieces),
        tuple(turned[[a, b]] for ring in face.rings for a, b in edges_of(ring)),
    )


def _round_shapes(item: Item, number: int, view: Points) -> Iterator[Shape]:
    if item.balls is None:
        return
    centres = item.balls.centres @ view.T
    for k, (centre, radius) in enumerate(zip(centres, item.balls.radii.tolist(), strict=True)):
        yield Ball(number, centre, radius, k)
    for k, pair in enumerate(item.balls.necks.tolist()):
        yield Neck(number, centres[pair], item.balls.neck_radius(k))


def ordered(shapes: Sequence[Shape], tolerance: float) -> list[Shape]:
    """Sort *shapes* from the back to the front. Those that hide each other in a ring are taken apart."""
    left = list(shapes)
    if not any(isinstance(shape, Sheet) for shape in left):
        return sorted(left, key=_depth)  # of two balls, the one with the nearer centre hides the other: see `_compare`
    for _ in range(CUTS):
        order, ring = _sorted(left, tolerance)
        apart = _taken_apart(left, ring, tolerance)
        if not apart:
            return [*order, *sorted((left[k] for k in ring), key=_depth)]
        left = [part for k, shape in enumerate(left) for part in apart.get(k, [shape])]
    return sorted(left, key=_depth)


def _taken_apart(shapes: Sequence[Shape], ring: Sequence[int], tolerance: float) -> dict[int, list[Shape]]:
    """The pieces of the shapes of *ring*, by their numbers. If all are single pieces, one of them is cut in two."""
    sheets = {k: shape for k in ring if isinstance(shape := shapes[k], Sheet)}
    whole = {k: sheet for k, sheet in sheets.items() if len(sheet.pieces) > 1}
    if whole:
        return {k: [_only(sheet, piece, tolerance) for piece in sheet.pieces] for k, sheet in whole.items()}
    for k, sheet in sheets.items():
        for other in sheets.values():
            start, normal = other.pieces[0][0], other.normal
            heights = (sheet.pieces[0] - start) @ normal
            if heights.min() < -tolerance and heights.max() > tolerance:
                halves = (clip(sheet.pieces[0], start, sign * normal) for sign in (1, -1))
                return {k: [_only(sheet, half, tolerance) for half in halves]}
    return {}


def _depth(shape: Shape) -> float:
    if isinstance(shape, Sheet):
        return float(np.mean([ring[:, 2].mean() for ring in shape.rings]))
    return float(shape.centre[2])


def _sorted(shapes: Sequence[Shape], tolerance: float) -> tuple[list[Shape], list[int]]:
    """The sorted shapes, and the numbers of those that cannot be sorted because they stand in rings."""
    in_front: list[list[int]] = [[] for _ in shapes]
    behind = [0] * len(shapes)
    for a, b in ((k, other) for k, near in later_and_near(shapes, tolerance) for other in near):
        nearer = _compare(shapes[a], shapes[b], tolerance)
        if nearer:
            back, front = (a, b) if nearer < 0 else (b, a)
            in_front[back].append(front)
            behind[front] += 1
    ready = [(_depth(shapes[k]), k) for k in range(len(shapes)) if not behind[k]]
    heapify(ready)
    order = []
    while ready:
        _, k = heappop(ready)
        order.append(shapes[k])
        for other in in_front[k]:
            behind[other] -= 1
            if not behind[other]:
                heappush(ready, (_depth(shapes[other]), other))
    return order, [k for k in range(len(shapes)) if behind[k]]


def later_and_near(shapes: Sequence[Shape], tolerance: float = 0.0) -> Iterator[tuple[int, list[int]]]:
    """The number of each shape, with the numbers of later shapes whose boxes in the picture overlap its box."""
    boxes = np.array([_picture_box(shape) for shape in shapes]).reshape(-1, 4)
    for k in range(len(shapes)):
        low, high = boxes[k + 1 :, :2], boxes[k + 1 :, 2:]
        near = (low < boxes[k, 2:] - tolerance).all(axis=1) & (high > boxes[k, :2] + tolerance).all(axis=1)
        yield k, (np.flatnonzero(near) + k + 1).tolist()


def _picture_box(shape: Shape) -> list[float]:
    if isinstance(shape, Sheet):
        corners = np.concatenate(shape.rings)[:, :2]
        return [*corners.min(axis=0), *corners.max(axis=0)]
    around = shape.ends[:, :2] if isinstance(shape, Neck) else shape.centre[None, :2]
    return [*(around.min(axis=0) - shape.radius), *(around.max(axis=0) + shape.radius)]


def _compare(one: Shape, other: Shape, tolerance: float) -> int:
    """1 if *one* hides some of *other*, -1 if *other* hides some of *one*, 0 if neither does."""
    if isinstance(one, Sheet) and isinstance(other, Sheet):
        return _compare_sheets(one, other, tolerance)
    if isinstance(one, Sheet):
        return -_compare_round(other, one, tolerance)  # type: ignore[arg-type]
    if isinstance(other, Sheet):
        return _compare_round(one, other, tolerance)
    # Balls do not overlap, so the one with the nearer centre is nearer along every line of sight. A neck is so small
    # beside its balls that its middle decides too.
    apart = float(one.centre[2] - other.centre[2])
    return 0 if abs(apart) <= tolerance else 1 if apart > 0 else -1


def _compare_sheets(one: Sheet, other: Sheet, tolerance: float) -> int:
    here, there = one.piece_boxes[:, None], other.piece_boxes
    near = ((here[:, :, 0] < there[:, 1]) & (here[:, :, 1] > there[:, 0])).all(axis=2)
    for k, j in np.argwhere(near).tolist():
        common = overlap(one.pieces[k][:, :2], other.pieces[j][:, :2])
        if len(common) < 3 or signed_area(common) <= tolerance * float(np.ptp(common, axis=0).max()):
            continue
        apart = [_depth_at(one, point) - _depth_at(other, point) for point in common]
        furthest = max(apart, key=abs)  # sheets do not cross, so all differences have this sign
        if abs(furthest) > tolerance:
            return 1 if furthest > 0 else -1
    return 0


def _depth_at(sheet: Sheet, point: Points) -> float:
    """How near the plane of a sheet is to the viewer at a point of the picture."""
    corner, normal = sheet.pieces[0][0], sheet.normal
    return float(corner[2] - normal[:2] @ (point - corner[:2]) / normal[2])


def _compare_round(ball: Ball | Neck, sheet: Sheet, tolerance: float) -> int:
    """1 if the ball hides some of the sheet, -1 if the sheet hides some of it: the side of the plane decides."""
    if not any(_meets(piece[:, :2], ball.centre[:2], ball.radius - tolerance) for piece in sheet.pieces):
        return 0
    height = float(sheet.normal @ (ball.centre - sheet.pieces[0][0]))
    return 1 if height > 0 else -1


def _meets(ring: Points, centre: Points, radius: float) -> bool:
    """Whether a disc and a convex ring overlap."""
    side = np.roll(ring, -1, axis=0) - ring
    along = np.clip(((centre - ring) * side).sum(axis=1) / np.maximum((side**2).sum(axis=1), 1e-300), 0, 1)
    near = np.linalg.norm(ring + along[:, None] * side - centre, axis=1).min() < radius
    inside = (side[:, 0] * (centre - ring)[:, 1] - side[:, 1] * (centre - ring)[:, 0] > 0).all()
    return bool(near or inside)


def _only(sheet: Sheet, piece: Points, tolerance: float) -> Sheet:
    """One piece of a sheet, with the edges that run along it."""
    lines = [found for line in sheet.lines for found in _along(line, piece, tolerance)]
    return replace(sheet, rings=(piece,), pieces=(piece,), lines=tuple(lines), whole=False)


def _along(line: Points, piece: Points, tolerance: float) -> Iterator[Points]:
    """The part of a segment that lies on a side of a ring."""
    for a, b in zip(piece, np.roll(piece, -1, axis=0), strict=True):
        length = float(np.linalg.norm(b - a))
        if length <= tolerance:
            continue
        unit = (b - a) / length
        at = (line - a) @ unit
        if np.linalg.norm(line - a - np.outer(at, unit), axis=1).max() > tolerance:
            continue
        low, high = max(0.0, float(at.min())), min(length, float(at.max()))
        if high - low > tolerance:
            yield np.stack([a + low * unit, a + high * unit])


def picture_bounds(shapes: Sequence[Shape]) -> npt.NDArray[np.float64]:
    """Opposite corners of the box around a picture, shape (2, 2)."""
    boxes = np.array([_picture_box(shape) for shape in shapes]).reshape(-1, 4)
    if not len(boxes):
        return np.zeros((2, 2))
    return np.stack([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])
