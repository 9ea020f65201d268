"""What the sides of flat tiles bear, as SVG: areas, bands, letters, or the paths that leave there."""

from __future__ import annotations

from collections import defaultdict
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from latcover.drawing import palette
from latcover.drawing.outlines import Points
from latcover.drawing.palette import hexadecimal
from latcover.drawing.scene import Item
from latcover.drawing.side_marks import SideMark
from latcover.drawing.svg_shapes import LINE, Frame, Look, Sides, letter, number, path_data

BAND, IN_BAND = 0.32, 0.8  # of the way to the middle of its cell: how far a band reaches; its letters are smaller
PAPER = "#fbfaf4"  # of tiles whose sides have no areas that reach their middles
PATH = (0.4, 0.6)  # the width of a path: a share of its side, and at most one of the way from there to the middle
CASING = 1.4  # of this width: the light line under a path, where it crosses another
NO_PATH = "none"  # the name of a value that stands for no path
STEPS = 12  # lines of which a bent path consists


def draw_sides(group: Element, item: Item, frame: Frame, look: Look) -> list[Element]:
    """Draw what stands at the sides of an item, each with its name, and return letters to be drawn on top."""
    if look.sides is not Sides.triangles:
        data = path_data([frame(ring) for polygon in item.polygons for ring in polygon.rings])
        SubElement(group, "path", {"d": data, "fill": PAPER, "fill-rule": "evenodd"})
    if look.sides is Sides.paths:
        _draw_paths(group, item, frame)
        return []
    signs: list[Element] = []
    for mark in item.sides:
        if look.sides is Sides.letters and mark.letter:
            signs.append(_sign(mark, mark.ring, frame, palette.ink(palette.WHITE)))
            continue
        ring = _band(mark) if look.sides is Sides.bands else mark.ring
        place = {"d": path_data([frame(ring)]), "fill": hexadecimal(mark.rgb)}
        area = SubElement(group, "path", {**place, "stroke": LINE, "stroke-width": "0.6", "stroke-linejoin": "round"})
        SubElement(area, "title").text = mark.name
        if look.letters and mark.sign:
            share = IN_BAND if look.sides is Sides.bands else 1.0
            signs.append(_sign(mark, ring, frame, palette.ink(mark.rgb), share))
    return signs


def _band(mark: SideMark) -> Points:
    """A strip along the side."""
    outer = mark.ring[:2]
    inner = outer + BAND * (mark.middle - outer)
    return np.array([outer[0], outer[1], inner[1], inner[0]])


def _sign(mark: SideMark, ring: Points, frame: Frame, ink: palette.RGB, share: float = 1.0) -> Element:
    """The letter of what stands at a side, in an area."""
    place, size = mark.sign_place(ring)
    return letter(mark.sign or mark.letter, frame(place.reshape(1, 2))[0], share * size * frame.factor, ink)


def _draw_paths(group: Element, item: Item, frame: Frame) -> None:
    """Join the sides of each cell that bear the same value: two by a bent line, others in the middle."""
    cells: dict[tuple[bytes, str], list[SideMark]] = defaultdict(list)
    for mark in item.sides:
        if mark.name != NO_PATH:
            cells[mark.middle.tobytes(), mark.name].append(mark)
    for (_, name), marks in cells.items():
        ends, middle = [mark.ring[:2].mean(axis=0) for mark in marks], marks[0].middle
        lines = [_bent(ends[0], ends[1], middle)] if len(ends) == 2 else [np.array([end, middle]) for end in ends]
        side, inwards = (float(np.hypot(*step)) for step in (marks[0].ring[1] - marks[0].ring[0], middle - ends[0]))
        width = min(PATH[0] * side, PATH[1] * inwards) * frame.factor
        data = path_data([frame(line) for line in lines], closed=False)
        for stroke, share in ((PAPER, CASING), (hexadecimal(marks[0].rgb), 1.0)):
            plain = {"d": data, "fill": "none", "stroke": stroke, "stroke-width": number(share * width)}
            path = SubElement(group, "path", plain)
        SubElement(path, "title").text = name
        if len(ends) != 2:
            (x, y), radius = frame(middle.reshape(1, 2))[0].tolist(), width * (1.0 if len(ends) == 1 else 0.5)
            dot = {"cx": number(x), "cy": number(y), "r": number(radius), "fill": hexadecimal(marks[0].rgb)}
            SubElement(group, "circle", dot)


def _bent(start: Points, end: Points, middle: Points) -> Points:
    """A line from one side of a cell to another that leaves both at right angles: a parabola, shape (n, 2)."""
    t = np.linspace(0.0, 1.0, STEPS + 1)[:, None]
    return (1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end
