"""Scenes in space as SVG: the shapes of `latcover.show.drawing.paper.painter` with light, shade and visible letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from xml.etree.ElementTree import Element

import numpy as np

from latcover.show.drawing import palette
from latcover.show.drawing.palette import hexadecimal
from latcover.show.drawing.paper.depth_order import Ball, Shape, Sheet, later_and_near, picture_bounds
from latcover.show.drawing.paper.painter import VIEWS, Picture
from latcover.show.drawing.paper.styles import ItemStyle, PictureStyle
from latcover.show.drawing.paper.svg_shapes import (
    PALE_LINE,
    Canvas,
    Definitions,
    Frame,
    Panel,
    add,
    frame_of,
    item_group,
    letter,
    number,
)
from latcover.show.drawing.scenes.scene_model import Scene, SceneItem
from latcover.show.drawing.shapes.outlines import Points, Polygon, label_place

Place = tuple[Points, float]  # the middle of a letter, and the room around it
PLAIN = ItemStyle()
NO_STYLES: Mapping[int, ItemStyle] = MappingProxyType({})
LEAST_SHARE = 0.45  # of a ball's radius around its middle must be visible for a letter
CIRCLE = np.stack([np.cos(np.linspace(0, 2 * np.pi, 24, False)), np.sin(np.linspace(0, 2 * np.pi, 24, False))], axis=1)


def isometric_panel(
    scene: Scene,
    picture: Picture,
    style: PictureStyle,
    definitions: Definitions,
    styles: Mapping[int, ItemStyle] = NO_STYLES,
    frame: Frame | None = None,
) -> Panel:
    """Draw a scene in space from the *picture* that `isometric` makes.

    *styles* holds the styles of some items, by their numbers; *frame* may have room for more than the picture.
    """
    shapes = picture.shapes
    low, high = picture_bounds(shapes)
    canvas = Canvas(frame or frame_of(low, high, scene, style), style, definitions)
    element = Element("g")
    lettered = [k for k, shape in enumerate(shapes) if styles.get(shape.item, PLAIN).opacity == 1.0]
    found = labels([shapes[k] for k in lettered]) if style.letters else {}
    labelled = {lettered[k]: place for k, place in found.items()}
    for k, shape in enumerate(shapes):
        item, own = scene.items[shape.item], styles.get(shape.item, PLAIN)
        group = item_group(element, item)
        if own.opacity < 1.0:
            group.set("opacity", number(own.opacity))
        if isinstance(shape, Sheet):
            shade = _draw_sheet(group, shape, item, canvas, own, VIEWS[picture.corner])
        elif isinstance(shape, Ball):
            shade = _draw_ball(group, shape, item, canvas, own)
        else:
            shade, paint = item.rgb, hexadecimal(palette.shaded(item.rgb, 0.8))
            canvas.neck(group, shape.ends, shape.radius, paint, style.scale / 30)
        if k in labelled and item.letter:
            place, room = labelled[k]
            size = min(room * canvas.frame.factor * 1.2, style.scale * 0.5)
            group.append(letter(item.letter, canvas.at(place), size, palette.ink(shade)))
    return Panel(element, *canvas.frame.size)


def _draw_sheet(
    group: Element, sheet: Sheet, item: SceneItem, canvas: Canvas, own: ItemStyle, view: Points
) -> palette.RGB:
    """Draw a sheet, and return its colour in the light that falls on it."""
    rgb, brightness = palette.in_space(sheet.rgb or item.rgb), _brightness(sheet.normal @ view)
    shade = palette.shaded(rgb, brightness)
    fill = hexadecimal(shade) if sheet.plain else canvas.fill(item, brightness, rgb)
    line = PALE_LINE if sheet.rgb is not None and palette.is_dark(sheet.rgb) else own.line
    width = number(own.width * canvas.style.scale / 30)
    stroke = {"stroke": line, "stroke-width": width, "stroke-linejoin": "round"}
    data = canvas.path(sheet.rings)
    if sheet.whole:
        add(group, "path", d=data, fill=fill, fill_rule="evenodd", **stroke)
        return shade
    add(group, "path", d=data, fill=fill, stroke=fill, stroke_width="0.4", fill_rule="evenodd")
    if sheet.lines:
        add(group, "path", d=canvas.path(sheet.lines, closed=False), fill="none", stroke_linecap="round", **stroke)
    return shade


def _brightness(direction: Points) -> float:
    """The brightness of a face with this normal. Light comes from above, the west and the south."""
    east, north, up = direction.tolist()
    return float(round(0.80 + 0.22 * up - 0.12 * east - 0.03 * north, 3))


def _draw_ball(group: Element, ball: Ball, item: SceneItem, canvas: Canvas, own: ItemStyle) -> palette.RGB:
    """Draw a ball, and return its colour."""
    rgb = item.ball_colours[ball.number]
    cx, cy = canvas.at(ball.centre)
    place = {"cx": cx, "cy": cy, "r": ball.radius * canvas.frame.factor}
    line, width = PALE_LINE if palette.is_dark(rgb) else own.line, own.width * canvas.style.scale / 40
    add(group, "circle", **place, fill=canvas.definitions.ball(rgb), stroke=line, stroke_width=width)
    pattern = canvas.fill(item, rgb=rgb)
    if pattern.startswith("url"):
        add(group, "circle", **place, fill=pattern, fill_opacity="0.45")
    return rgb


def labels(shapes: Sequence[Shape]) -> dict[int, Place]:
    """The places of letters by numbers of shapes: balls with visible middles, and the roomiest face of each item."""
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
    """The place for a letter on a shape; None if the shape is hidden or a neck."""
    if isinstance(shape, Sheet):
        outer, *holes = (ring[:, :2] for ring in shape.rings)
        hidden_by = [ring for other in in_front for ring in _outlines(other)]
        place, room = label_place(Polygon(outer, tuple(holes)), hidden_by)
        return (place, room) if room > 0 else None
    if not isinstance(shape, Ball):
        return None
    middle, room = shape.centre[:2], LEAST_SHARE * shape.radius
    balls = [other for other in in_front if isinstance(other, Ball)]
    if any(np.linalg.norm(other.centre[:2] - middle) < other.radius + room for other in balls):
        return None
    return middle, 0.8 * shape.radius


def _outlines(shape: Shape) -> list[Points]:
    if isinstance(shape, Sheet):
        return [piece[:, :2] for piece in shape.pieces]
    if isinstance(shape, Ball):
        return [shape.centre[:2] + shape.radius * CIRCLE]
    return []
