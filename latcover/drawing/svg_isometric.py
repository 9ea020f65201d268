"""Scenes in space as SVG: the shapes of `latcover.drawing.painter` with light, shade and letters.

A letter stands where its item is visible, and nothing hides a part of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from latcover.drawing import palette
from latcover.drawing.outlines import Points, Polygon, label_place
from latcover.drawing.painter import VIEWS, Ball, Picture, Shape, Sheet, later_and_near, picture_bounds
from latcover.drawing.palette import hexadecimal
from latcover.drawing.scene import Item, Scene
from latcover.drawing.svg_shapes import (
    PALE_LINE,
    Definitions,
    Frame,
    Look,
    Panel,
    Style,
    draw_neck,
    frame_of,
    item_group,
    letter,
    number,
    path_data,
)

Place = tuple[Points, float]  # the middle of a letter, and the room around it
PLAIN = Style()
NO_STYLES: Mapping[int, Style] = MappingProxyType({})
LEAST_SHARE = 0.45  # of a ball's radius: how much around its middle must be visible for a letter
CIRCLE = np.stack([np.cos(np.linspace(0, 2 * np.pi, 24, False)), np.sin(np.linspace(0, 2 * np.pi, 24, False))], axis=1)


def isometric_panel(
    scene: Scene,
    picture: Picture,
    look: Look,
    definitions: Definitions,
    styles: Mapping[int, Style] = NO_STYLES,
    frame: Frame | None = None,
) -> Panel:
    """Draw a scene in space, seen from above a corner; `isometric` makes the *picture*.

    *styles* are of some items, by their numbers. *frame* has room for more than the picture.
    """
    shapes = picture.shapes
    frame = frame or _frame(shapes, scene, look)
    element = Element("g")
    lettered = [k for k, shape in enumerate(shapes) if styles.get(shape.item, PLAIN).opacity == 1.0]
    found = labels([shapes[k] for k in lettered]) if look.letters else {}
    labelled = {lettered[k]: place for k, place in found.items()}
    for k, shape in enumerate(shapes):
        item, style = scene.items[shape.item], styles.get(shape.item, PLAIN)
        group = item_group(element, item)
        if style.opacity < 1.0:
            group.set("opacity", number(style.opacity))
        brightness = 1.0
        if isinstance(shape, Sheet):
            brightness = _brightness(shape.normal @ VIEWS[picture.corner])
            rgb = palette.in_space(shape.rgb or item.rgb)
            shade = hexadecimal(palette.shaded(rgb, brightness))
            fill = shade if shape.plain else definitions.fill(item, look, brightness, rgb)
            _draw_sheet(group, shape, fill, frame, (look, style))
        elif isinstance(shape, Ball):
            rgb = item.ball_colours[shape.number]
            _draw_ball(group, shape, item, frame, (look, definitions, style))
        else:
            rgb = item.rgb
            paint = hexadecimal(palette.shaded(rgb, 0.8))
            draw_neck(group, frame(shape.ends), shape.radius * frame.factor, (paint, look.scale / 30))
        if k in labelled and item.letter:
            place, room = labelled[k]
            size = min(room * frame.factor * 1.2, look.scale * 0.5)
            ink = palette.ink(palette.shaded(rgb, brightness))
            group.append(letter(item.letter, frame(place.reshape(1, 2))[0], size, ink))
    return Panel(element, *frame.size)


def _frame(shapes: Sequence[Shape], scene: Scene, look: Look) -> Frame:
    low, high = picture_bounds(shapes)
    return frame_of(low, high, scene, look)


def _draw_sheet(group: Element, sheet: Sheet, fill: str, frame: Frame, how: tuple[Look, Style]) -> None:
    look, style = how
    line = PALE_LINE if sheet.rgb is not None and palette.is_dark(sheet.rgb) else style.line
    stroke = {"stroke": line, "stroke-width": number(style.width * look.scale / 30), "stroke-linejoin": "round"}
    data = path_data([frame(ring) for ring in sheet.rings])
    if sheet.whole:
        SubElement(group, "path", {"d": data, "fill": fill, "fill-rule": "evenodd", **stroke})
        return
    SubElement(group, "path", {"d": data, "fill": fill, "stroke": fill, "stroke-width": "0.4", "fill-rule": "evenodd"})
    lines = path_data([frame(line) for line in sheet.lines], closed=False)
    if lines:
        SubElement(group, "path", {"d": lines, "fill": "none", "stroke-linecap": "round", **stroke})


def _brightness(direction: Points) -> float:
    """The brightness of a face that looks in this direction. Light falls from above, from the west and the south."""
    east, north, up = direction.tolist()
    return float(round(0.80 + 0.22 * up - 0.12 * east - 0.03 * north, 3))


def _draw_ball(group: Element, ball: Ball, item: Item, frame: Frame, how: tuple[Look, Definitions, Style]) -> None:
    look, definitions, style = how
    rgb = item.ball_colours[ball.number]
    x, y = frame(ball.centre[None, :2])[0]
    place = {"cx": number(x), "cy": number(y), "r": number(ball.radius * frame.factor)}
    line = PALE_LINE if palette.is_dark(rgb) else style.line
    outline = {"stroke": line, "stroke-width": number(style.width * look.scale / 40)}
    SubElement(group, "circle", place | {"fill": definitions.ball(rgb)} | outline)
    if look.patterns or palette.pattern(item.colour):
        pattern = definitions.fill(item, look, rgb=rgb)
        if pattern.startswith("url"):
            SubElement(group, "circle", place | {"fill": pattern, "fill-opacity": "0.45"})


def labels(shapes: Sequence[Shape]) -> dict[int, Place]:
    """The shapes that bear a letter, by their numbers in the order of painting.

    These are all balls whose middles are visible, and of each item the face with most room.
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
    """The place of a shape's letter; None if the shape is hidden or bears no letter."""
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
