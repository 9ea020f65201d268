"""Flat scenes as SVG: outlines filled with their colours, discs, and letters."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from latcover.drawing import palette
from latcover.drawing.outlines import label_place
from latcover.drawing.palette import hexadecimal
from latcover.drawing.scene import PLAIN, Item, Patch, Scene
from latcover.drawing.side_marks import SideMark
from latcover.drawing.svg_shapes import (
    EMPTY,
    FRAME,
    LINE,
    PALE_LINE,
    Definitions,
    Frame,
    Look,
    Panel,
    draw_neck,
    frame_of,
    item_group,
    letter,
    number,
    path_data,
)

FAINT_LINE = "#b8b8b0"
FRAME_LINE = "#e0e0d8"
HALO = 0.13  # of a cell: the width of the white line under outlines where something dark is drawn
ALONE = (1.3, 0.55)  # the largest letter of a part: as a share of the room for it, and of a cell
BETWEEN_SIGNS = (0.85, 0.34)  # the same where its sides have letters
LEAST_ROOM = 0.25  # of the size of a cell: smaller areas of a part have no letter if a larger one has it


def flat_panel(scene: Scene, look: Look, definitions: Definitions, framed: bool = False) -> Panel:
    """Draw a flat scene: each item as a filled outline with its letter. *framed* adds a faint frame."""
    frame = frame_of(scene.low, scene.high, scene, look)
    element = Element("g")
    if framed:
        width, height = (number(side - 2 * frame.margin) for side in frame.size)
        margin = number(frame.margin)
        box = {
            "x": margin,
            "y": margin,
            "width": width,
            "height": height,
            "fill": "none",
            "stroke": FRAME_LINE,
            "class": FRAME,
        }
        SubElement(element, "rect", box)
    texts: list[Element] = []
    lines: list[Element] = []
    haloed = any(map(_is_dark, scene.items))
    for item in sorted(scene.items, key=lambda item: not item.faint):
        group = item_group(element, item)
        if item.polygons:
            data = path_data([frame(ring) for polygon in item.polygons for ring in polygon.rings])
            paint = _paint(item, look, definitions)
            for patch in item.patches:
                _draw_patch(group, item, patch, frame, (look, definitions))
            if item.patches or haloed:
                lines.append(Element("path", {"d": data, **paint, "fill": "none"}))
            if not item.patches:
                SubElement(group, "path", {"d": data, **paint})
            if item.sides:
                texts += _draw_sides(group, item, frame, look)
                lines.append(Element("path", {"d": data, **paint, "fill": "none"}))
        _cut_lines(group, item, frame, look, definitions)
        _flat_balls(group, item, frame, look, definitions)
        if look.letters and item.letter:
            texts += _flat_letters(item, frame, look)
    if haloed:
        data = "".join(line.get("d", "") for line in lines)
        halo = {"stroke": "#ffffff", "stroke-width": number(look.scale * HALO), "stroke-linejoin": "round"}
        SubElement(element, "path", {"d": data, "fill": "none", **halo})
    element.extend(lines)
    element.extend(texts)
    return Panel(element, *frame.size)


def _is_dark(item: Item) -> bool:
    """Whether a dark outline would be lost on some of an item."""
    rgbs = [item.rgb, *(patch.rgb or item.rgb for patch in item.patches), *(mark.rgb for mark in item.sides)]
    return any(map(palette.is_dark, rgbs))


def _draw_patch(group: Element, item: Item, patch: Patch, frame: Frame, how: tuple[Look, Definitions]) -> None:
    """Draw the cells of one colour. A thin line of this colour closes the gap between two patches."""
    look, definitions = how
    fill = definitions.fill(item, look, rgb=patch.rgb)
    data = path_data([frame(ring) for polygon in patch.polygons for ring in polygon.rings])
    if data:
        hair = {"stroke": fill, "stroke-width": "0.6"}
        SubElement(group, "path", {"d": data, "fill": fill, "fill-rule": "evenodd", **hair})


def _draw_sides(group: Element, item: Item, frame: Frame, look: Look) -> list[Element]:
    """Draw what stands at the sides, each with its name; the letters of what has no colour of its own."""
    signs: list[Element] = []
    for mark in item.sides:
        place = {"d": path_data([frame(mark.ring)]), "fill": hexadecimal(mark.rgb)}
        area = SubElement(group, "path", {**place, "stroke": LINE, "stroke-width": "0.6", "stroke-linejoin": "round"})
        SubElement(area, "title").text = mark.name
        if look.letters and mark.sign:
            signs.append(_sign(mark, frame))
    return signs


def _sign(mark: SideMark, frame: Frame) -> Element:
    """The letter of what stands at a side."""
    place, size = mark.sign_place()
    return letter(mark.sign, frame(place.reshape(1, 2))[0], size * frame.factor, palette.ink(mark.rgb))


def _paint(item: Item, look: Look, definitions: Definitions) -> dict[str, str]:
    width = number(look.scale / 22)
    paint = {
        "fill": definitions.fill(item, look),
        "fill-rule": "evenodd",
        "stroke": LINE,
        "stroke-width": width,
        "stroke-linejoin": "round",
    }
    if item.faint:
        dash = number(look.scale / 12)
        brightness = 1.6 if item.colour != PLAIN else 1.0
        fill = definitions.fill(item, look, brightness)
        paint |= {"fill": fill, "stroke": FAINT_LINE, "stroke-dasharray": f"{dash} {dash}"}
        if item.colour == PLAIN and item.paint is None:
            paint["class"] = EMPTY
    return paint


def _cut_lines(group: Element, item: Item, frame: Frame, look: Look, definitions: Definitions) -> None:
    """Break the outline where a part continues at the other side of a region that closes on itself."""
    if not len(item.cuts):
        return
    data = path_data([frame(line) for line in item.cuts], closed=False)
    width, dash = look.scale / 22, number(look.scale / 10)
    wide = {"d": data, "fill": "none", "stroke": "#ffffff", "stroke-width": number(width * 1.5)}
    SubElement(group, "path", wide)
    thin = {"d": data, "fill": "none", "stroke": LINE, "stroke-width": number(width / 2), "stroke-dasharray": dash}
    SubElement(group, "path", thin)


def _flat_balls(group: Element, item: Item, frame: Frame, look: Look, definitions: Definitions) -> None:
    if item.balls is None:
        return
    paint = _paint(item, look, definitions)
    centres = frame(item.balls.centres)
    plain = {key: paint[key] for key in ("fill", "stroke", "stroke-width", "stroke-dasharray", "class") if key in paint}
    for centre, radius, rgb in zip(centres.tolist(), item.balls.radii.tolist(), item.ball_colours, strict=True):
        place = {"cx": number(centre[0]), "cy": number(centre[1]), "r": number(radius * frame.factor * 0.97)}
        own = {"fill": definitions.fill(item, look, rgb=rgb)} if item.patches else {}
        if palette.is_dark(rgb):
            own["stroke"] = PALE_LINE
        SubElement(group, "circle", place | plain | own)
    for k, (a, b) in enumerate(item.balls.necks.tolist()):
        draw_neck(group, centres[[a, b]], item.balls.neck_radius(k) * frame.factor, (plain["fill"], look.scale / 22))


def _flat_letters(item: Item, frame: Frame, look: Look) -> list[Element]:
    if item.balls is not None:
        size = float(item.balls.radii.min()) * frame.factor
        return [
            letter(item.letter, place, size, palette.ink(rgb))
            for place, rgb in zip(frame(item.balls.centres), item.ball_colours, strict=True)
        ]
    areas = [(patch.rgb or item.rgb, polygon) for patch in item.patches for polygon in patch.polygons]
    places = [(rgb, *label_place(polygon)) for rgb, polygon in areas or [(item.rgb, area) for area in item.polygons]]
    places.sort(key=lambda found: -round(found[2], 6))
    share, largest = BETWEEN_SIGNS if any(mark.sign for mark in item.sides) else ALONE
    return [
        letter(
            item.letter,
            frame(place.reshape(1, 2))[0],
            min(room * frame.factor * share, look.scale * largest),
            palette.BLACK if item.sides else palette.ink(rgb),
            halo=bool(item.sides),
        )
        for k, (rgb, place, room) in enumerate(places)
        if k == 0 or (not item.patches and room * frame.factor >= LEAST_ROOM * look.scale)
    ]
