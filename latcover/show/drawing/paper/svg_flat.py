"""Flat scenes as SVG: outlines filled with their colours, discs, and letters."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from latcover.show.drawing import palette
from latcover.show.drawing.paper.styles import LINE, PictureStyle, Sides
from latcover.show.drawing.paper.svg_shapes import (
    EMPTY,
    FRAME,
    PALE_LINE,
    Canvas,
    Definitions,
    Panel,
    add,
    frame_of,
    item_group,
    letter,
    make,
    number,
)
from latcover.show.drawing.paper.svg_sides import draw_sides
from latcover.show.drawing.scenes.scene_model import PLAIN, Scene, SceneItem
from latcover.show.drawing.shapes.outlines import label_place

FAINT_LINE = "#b8b8b0"
FRAME_LINE = "#e0e0d8"
HALO = 0.13  # of a cell: the width of the white line under outlines in pictures with dark colours
ALONE = (1.3, 0.55)  # the largest letter of a part: as a share of the room for it, and of a cell
BETWEEN_SIGNS = (0.85, 0.34)  # the same if its sides have letters
LEAST_ROOM = 0.25  # of the size of a cell: only the largest area of a part gets a letter with less room


def flat_panel(scene: Scene, style: PictureStyle, definitions: Definitions, framed: bool = False) -> Panel:
    """Draw a flat scene: each item as a filled outline with its letter. *framed* adds a faint frame."""
    frame = frame_of(scene.low, scene.high, scene, style)
    canvas = Canvas(frame, style, definitions)
    element = Element("g")
    if framed:
        left, (width, height) = frame.margin, (side - 2 * frame.margin for side in frame.size)
        line = {"fill": "none", "stroke": FRAME_LINE, "class": FRAME}
        add(element, "rect", x=left, y=left, width=width, height=height, **line)
    texts: list[Element] = []
    lines: list[Element] = []
    haloed = any(map(_is_dark, scene.items))
    for item in sorted(scene.items, key=lambda item: not item.faint):
        group = item_group(element, item)
        if item.polygons:
            outline = {"d": canvas.areas(item.polygons), **_paint(item, canvas)}
            _draw_patches(group, item, canvas)
            if item.patches or haloed:
                lines.append(make("path", **outline | {"fill": "none"}))
            if not item.patches:
                add(group, "path", **outline)
            if item.sides:
                texts += draw_sides(group, item, canvas)
                lines.append(make("path", **outline | {"fill": "none"}))
        _draw_cuts(group, item, canvas)
        _draw_discs(group, item, canvas)
        if style.letters and item.letter and not (item.sides and style.sides is Sides.paths):
            texts += _letters(item, canvas)
    if haloed:
        halo = {"fill": "none", "stroke": "#ffffff", "stroke-width": number(style.scale * HALO)}
        add(element, "path", d="".join(line.get("d", "") for line in lines), **halo, stroke_linejoin="round")
    element.extend([*lines, *texts])
    return Panel(element, *frame.size)


def _is_dark(item: SceneItem) -> bool:
    """Whether a dark outline would be invisible on some colour of an item."""
    rgbs = [item.rgb, *(patch.rgb or item.rgb for patch in item.patches), *(mark.rgb for mark in item.sides)]
    return any(map(palette.is_dark, rgbs))


def _draw_patches(group: Element, item: SceneItem, canvas: Canvas) -> None:
    """Draw the cells of each colour, with a thin line of this colour that closes the gap between patches."""
    for patch in item.patches:
        fill, data = canvas.fill(item, rgb=patch.rgb), canvas.areas(patch.polygons)
        if data:
            add(group, "path", d=data, fill=fill, fill_rule="evenodd", stroke=fill, stroke_width="0.6")


def _paint(item: SceneItem, canvas: Canvas) -> dict[str, str]:
    """The attributes of an item's outline."""
    scale, dashed = canvas.style.scale, {}
    fill = canvas.fill(item)
    if item.faint:
        fill = canvas.fill(item, 1.6 if item.colour != PLAIN else 1.0)
        dash = number(scale / 12)
        dashed = {"stroke": FAINT_LINE, "stroke-dasharray": f"{dash} {dash}"}
        if item.colour == PLAIN and item.paint is None:
            dashed["class"] = EMPTY
    plain = {"fill": fill, "fill-rule": "evenodd", "stroke": LINE, "stroke-width": number(scale / 22)}
    return plain | {"stroke-linejoin": "round"} | dashed


def _draw_cuts(group: Element, item: SceneItem, canvas: Canvas) -> None:
    """Break the outline where a part continues at the other side of a periodic region."""
    if len(item.cuts):
        line = {"d": canvas.path(item.cuts, closed=False), "fill": "none"}
        width = canvas.style.scale / 22
        add(group, "path", **line, stroke="#ffffff", stroke_width=width * 1.5)
        add(group, "path", **line, stroke=LINE, stroke_width=width / 2, stroke_dasharray=canvas.style.scale / 10)


def _draw_discs(group: Element, item: SceneItem, canvas: Canvas) -> None:
    if item.balls is None:
        return
    paint = _paint(item, canvas)
    plain = {key: paint[key] for key in ("fill", "stroke", "stroke-width", "stroke-dasharray", "class") if key in paint}
    for centre, radius, rgb in zip(item.balls.centres, item.balls.radii.tolist(), item.ball_colours, strict=True):
        own = {"fill": canvas.fill(item, rgb=rgb)} if item.patches else {}
        if palette.is_dark(rgb):
            own["stroke"] = PALE_LINE
        cx, cy = canvas.at(centre)
        add(group, "circle", cx=cx, cy=cy, r=radius * canvas.frame.factor * 0.97, **plain | own)
    for k, ends in enumerate(item.balls.necks.tolist()):
        radius = item.balls.neck_radius(k)
        canvas.neck(group, item.balls.centres[ends], radius, plain["fill"], canvas.style.scale / 22)


def _letters(item: SceneItem, canvas: Canvas) -> list[Element]:
    frame, scale = canvas.frame, canvas.style.scale
    if item.balls is not None:
        size = float(item.balls.radii.min()) * frame.factor
        return [
            letter(item.letter, place, size, palette.ink(rgb))
            for place, rgb in zip(frame(item.balls.centres), item.ball_colours, strict=True)
        ]
    if item.signs:
        return [
            letter(sign.text, canvas.at(sign.place), scale * ALONE[1], palette.ink(sign.rgb)) for sign in item.signs
        ]
    areas = [(patch.rgb or item.rgb, polygon) for patch in item.patches for polygon in patch.polygons]
    places = [(rgb, *label_place(polygon)) for rgb, polygon in areas or [(item.rgb, area) for area in item.polygons]]
    places.sort(key=lambda found: -round(found[2], 6))
    lettered = canvas.style.sides is Sides.letters or any(mark.sign for mark in item.sides)
    share, largest = BETWEEN_SIGNS if lettered else ALONE
    return [
        letter(
            item.letter,
            canvas.at(place),
            min(room * frame.factor * share, scale * largest),
            palette.BLACK if item.sides else palette.ink(rgb),
            halo=bool(item.sides),
        )
        for k, (rgb, place, room) in enumerate(places)
        if k == 0 or (not item.patches and room * frame.factor >= LEAST_ROOM * scale)
    ]
