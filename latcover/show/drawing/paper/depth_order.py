"""The shapes of a picture in space, sorted from back to front. A shape hides those painted before it.

Shapes whose pictures overlap are compared where they overlap, and then sorted (Newell, Newell and Sancha 1972). Shapes
that hide each other in a cycle are split, first into the faces of cells, then along a plane.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from latcover.show.drawing.palette import RGB
from latcover.show.drawing.shapes.convex import clip, overlap
from latcover.show.drawing.shapes.outlines import Points, signed_area

CUTS = 200  # the most rounds of splitting; after that the mean depth decides


class Sheet(Struct, frozen=True, eq=False, dict=True):
    """A flat piece of a surface that faces the viewer.

    Attributes:
        item: Index into the scene's items.
        normal: In the view's axes, shape (3,); its last coordinate is positive.
        rings: The boundary of what is painted, in the view's axes, each of shape (n, 3).
        pieces: The same area as convex rings, for comparisons.
        lines: The segments of the item's edges on it, each of shape (2, 3).
        whole: Whether *lines* are its whole boundary: it was not split, and is not a patch of a face.
        rgb: Its own colour; None takes that of its item.
        plain: Whether it has no pattern even if its item has one.
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
        """Low and high corners of the boxes around the pieces in the picture, shape (n, 2, 2)."""
        return np.array([[piece[:, :2].min(axis=0), piece[:, :2].max(axis=0)] for piece in self.pieces])


class Ball(Struct, frozen=True, eq=False):
    """A sphere with its centre in the view's axes; *number* is its index among the item's balls."""

    item: int
    centre: Points
    radius: float
    number: int = 0


class Neck(Struct, frozen=True, eq=False):
    """A rod between the centres of two balls, shape (2, 3), in the view's axes."""

    item: int
    ends: Points
    radius: float

    @property
    def centre(self) -> Points:
        middle: Points = self.ends.mean(axis=0)
        return middle


Shape = Sheet | Ball | Neck


def ordered(shapes: Sequence[Shape], tolerance: float) -> list[Shape]:
    """Sort *shapes* from back to front, and split those that hide each other in a cycle."""
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
    """The pieces of the shapes of *ring*, by their numbers. If all are single pieces, one is cut in two."""
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
    """The sorted shapes, and the numbers of the shapes that form cycles."""
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
    """The number of each shape, with the numbers of the later shapes whose boxes in the picture overlap its box."""
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
    # Balls do not overlap, so the one with the nearer centre is nearer along every line of sight. A neck is so much
    # smaller than its balls that its middle decides, too.
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
    """The depth of the plane of a sheet at a point of the picture; larger is nearer to the viewer."""
    corner, normal = sheet.pieces[0][0], sheet.normal
    return float(corner[2] - normal[:2] @ (point - corner[:2]) / normal[2])


def _compare_round(ball: Ball | Neck, sheet: Sheet, tolerance: float) -> int:
    """1 if the ball hides some of the sheet, -1 if the sheet hides some of the ball: the side of the plane decides."""
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
    """One piece of a sheet, with the edges along it."""
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
    return np.stack([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)]) if len(boxes) else np.zeros((2, 2))
