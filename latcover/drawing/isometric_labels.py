"""Where letters stand in an isometric view: on what is seen of each item, and never half hidden."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latcover.drawing.outlines import Points, Polygon, label_place
from latcover.drawing.painter import Ball, Shape, Sheet, later_and_near

Place = tuple[Points, float]  # the middle of a letter, and the room around it
LEAST_SHARE = 0.45  # of a ball's radius: what must be free around the middle of a ball that bears a letter
CIRCLE = np.stack([np.cos(np.linspace(0, 2 * np.pi, 24, False)), np.sin(np.linspace(0, 2 * np.pi, 24, False))], axis=1)


def labels(shapes: Sequence[Shape]) -> dict[int, Place]:
    """The shapes that bear a letter, by their numbers in the order of painting.

    All balls whose middles are seen; and of each item's faces the one with most room.
    """
    found: dict[int, Place] = {}
    best: dict[int, int] = {}
    for k, near in later_and_near(shapes):
        shape = shapes[k]
        place = _place(shape, [shapes[other] for other in near])
        if place is None:
            continue
        before = best.get(shape.item) if isinstance(shape, Sheet) else None
        if before is not None and round(place[1], 6) <= round(found[before][1], 6):
            continue
        if before is not None:
            del found[before]
        found[k] = place
        if isinstance(shape, Sheet):
            best[shape.item] = k
    return found


def _place(shape: Shape, in_front: Sequence[Shape]) -> Place | None:
    """Where a shape's letter would stand; None where nothing of it is seen, or it bears none."""
    if isinstance(shape, Sheet):
        outer, *holes = (ring[:, :2] for ring in shape.rings)
        hidden_by = [ring for other in in_front for ring in _outlines(other)]
        place, room = label_place(Polygon(outer, tuple(holes)), hidden_by)
        return (place, room) if room > 0 else None
    if not isinstance(shape, Ball):
        return None
    middle = shape.centre[:2]
    for other in in_front:
        if (
            isinstance(other, Ball)
            and np.linalg.norm(other.centre[:2] - middle) < other.radius + LEAST_SHARE * shape.radius
        ):
            return None
    return middle, 0.8 * shape.radius


def _outlines(shape: Shape) -> list[Points]:
    if isinstance(shape, Sheet):
        return [piece[:, :2] for piece in shape.pieces]
    if isinstance(shape, Ball):
        return [shape.centre[:2] + shape.radius * CIRCLE]
    return []
