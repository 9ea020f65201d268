"""Arrows of moves as they are seen: in pictures, and as small signs beside words."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np

from latcover.show.drawing.palette import RGB, hexadecimal
from latcover.show.drawing.paper.svg_shapes import add, make, number, path_data
from latcover.show.drawing.shapes.outlines import Points

ARROW: RGB = (200, 16, 46)
END_ON = 0.3  # an arrow that looks shorter than this share of its length points at the viewer, or away
SIGN_WIDTH = 0.13  # of a sign: the width of its arrow


def move_arrow(points: Points, rise: float, width: float) -> Element:
    """The arrow of a move: straight, bent if it turns, or a ring with a dot if it points at the viewer or away.

    Args:
        points: Its ends on the page, shape (2, 2), y downwards; those of a bent one have shape (n, 2).
        rise: How much nearer to the viewer its end is than its start, in the same unit.
        width: The width of its line, roughly.
    """
    if len(points) > 2:
        return _bent(points, width)
    start, end = points
    way = end - start
    length = float(np.linalg.norm(way))
    element = make("g", class_="arrow", stroke_linejoin="round", stroke="#ffffff")
    paint = {"fill": hexadecimal(ARROW), "stroke-width": number(width * 0.5), "paint-order": "stroke"}
    if length < END_ON * float(np.hypot(length, rise)):
        middle = dict(zip(("cx", "cy"), start, strict=True))
        add(element, "circle", **middle, r=2.2 * width, **paint)
        add(element, "circle", **middle, r=(0.8 if rise > 0 else 1.5) * width, fill="#ffffff", stroke="none")
        return element
    along = way / length
    across = np.array([-along[1], along[0]]) * width
    neck = end - along * min(2.6 * width, 0.6 * length)
    half = 0.42 * across
    ring = [start - half, neck - half, neck - 1.5 * across, end, neck + 1.5 * across, neck + half, start + half]
    add(element, "path", d=path_data([np.array(ring)]), **paint)
    return element


def move_sign(points: Points, rise: float) -> Element:
    """The same arrow in a square of side 1 around the origin."""
    low, high = points.min(axis=0), points.max(axis=0)
    size = float(np.linalg.norm(points[-1] - points[0]) if len(points) == 2 else (high - low).max())
    if len(points) == 2 and size < END_ON * float(np.hypot(size, rise)):
        drawn = move_arrow(np.zeros((2, 2)), rise, 0.2)
    else:
        drawn = move_arrow((points - (low + high) / 2) / size, rise / size, SIGN_WIDTH)
    drawn.set("class", "sign")
    return drawn


def _bent(points: Points, width: float) -> Element:
    """A bent arrow along points of the page."""
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    left = np.cumsum(lengths[::-1])[::-1]  # from each point to the tip
    neck = max(1, int((left > 2.6 * width).sum()))
    along = points[-1] - points[neck]
    along /= max(float(np.linalg.norm(along)), 1e-9)
    across = np.array([-along[1], along[0]]) * 1.5 * width
    element = make("g", class_="arrow turn", stroke_linejoin="round", stroke_linecap="round")
    shaft, head = points[: neck + 1], np.array([points[neck] - across, points[-1], points[neck] + across])
    for colour, more in (("#ffffff", width), (hexadecimal(ARROW), 0.0)):
        line = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in shaft)
        add(element, "path", d=line, fill="none", stroke=colour, stroke_width=number(0.84 * width + more))
        add(element, "path", d=path_data([head]), fill=colour, stroke=colour, stroke_width=number(more))
    return element
