"""The values of the sides of flat tiles as SVG: areas, bands, letters, or paths between sides."""

from __future__ import annotations

from collections import defaultdict
from xml.etree.ElementTree import Element

import numpy as np

from latcover.show.drawing import palette
from latcover.show.drawing.palette import hexadecimal
from latcover.show.drawing.paper.styles import LINE, Sides
from latcover.show.drawing.paper.svg_shapes import Canvas, add, letter
from latcover.show.drawing.scenes.scene_model import SceneItem
from latcover.show.drawing.scenes.side_marks import SideMark
from latcover.show.drawing.shapes.outlines import Points

BAND, IN_BAND = 0.32, 0.8  # the depth of a band, as a share of the way to the middle; the scale of its letters
PAPER = "#fbfaf4"  # of tiles without areas at their sides
PATH = (0.4, 0.6)  # the width of a path: a share of its side, and at most a share of the way to the middle
CASING = 1.4  # of this width: the light line under a path, for crossings
NO_PATH = "none"  # the name of the value for no path
STEPS = 12  # segments of a bent path


def draw_sides(group: Element, item: SceneItem, canvas: Canvas) -> list[Element]:
    """Draw the marks of an item's sides, each with its name, and return the letters to draw on top."""
    style = canvas.style
    if style.sides is not Sides.triangles:
        add(group, "path", d=canvas.areas(item.polygons), fill=PAPER, fill_rule="evenodd")
    if style.sides is Sides.paths:
        _draw_paths(group, item, canvas)
        return []
    signs: list[Element] = []
    for mark in item.sides:
        if style.sides is Sides.letters and mark.letter:
            signs.append(_sign(mark, mark.ring, canvas, palette.ink(palette.WHITE)))
            continue
        ring, share = (_band(mark), IN_BAND) if style.sides is Sides.bands else (mark.ring, 1.0)
        line = {"stroke": LINE, "stroke-width": "0.6", "stroke-linejoin": "round"}
        area = add(group, "path", d=canvas.path([ring]), fill=hexadecimal(mark.rgb), **line)
        add(area, "title", mark.name)
        if style.letters and mark.sign:
            signs.append(_sign(mark, ring, canvas, palette.ink(mark.rgb), share))
    return signs


def _band(mark: SideMark) -> Points:
    """A strip along the side."""
    outer = mark.ring[:2]
    inner = outer + BAND * (mark.middle - outer)
    return np.array([outer[0], outer[1], inner[1], inner[0]])


def _sign(mark: SideMark, ring: Points, canvas: Canvas, ink: palette.RGB, share: float = 1.0) -> Element:
    """The letter of a mark, in an area."""
    place, size = mark.sign_place(ring)
    return letter(mark.sign or mark.letter, canvas.at(place), share * size * canvas.frame.factor, ink)


def _draw_paths(group: Element, item: SceneItem, canvas: Canvas) -> None:
    """Join the sides of each cell with the same value: two by a bent line, others in the middle."""
    cells: dict[tuple[bytes, str], list[SideMark]] = defaultdict(list)
    for mark in item.sides:
        if mark.name != NO_PATH:
            cells[mark.middle.tobytes(), mark.name].append(mark)
    for (_, name), marks in cells.items():
        ends, middle = [mark.ring[:2].mean(axis=0) for mark in marks], marks[0].middle
        lines = [_bent(ends[0], ends[1], middle)] if len(ends) == 2 else [np.array([end, middle]) for end in ends]
        side, inwards = (float(np.hypot(*step)) for step in (marks[0].ring[1] - marks[0].ring[0], middle - ends[0]))
        width = min(PATH[0] * side, PATH[1] * inwards) * canvas.frame.factor
        line, rgb = {"d": canvas.path(lines, closed=False), "fill": "none"}, hexadecimal(marks[0].rgb)
        add(group, "path", **line, stroke=PAPER, stroke_width=CASING * width)
        add(add(group, "path", **line, stroke=rgb, stroke_width=width), "title", name)
        if len(ends) != 2:
            x, y = canvas.at(middle)
            add(group, "circle", cx=x, cy=y, r=width * (1.0 if len(ends) == 1 else 0.5), fill=rgb)


def _bent(start: Points, end: Points, middle: Points) -> Points:
    """A parabola from one side of a cell to another, at right angles to both; shape (n, 2)."""
    t = np.linspace(0.0, 1.0, STEPS + 1)[:, None]
    return (1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end
