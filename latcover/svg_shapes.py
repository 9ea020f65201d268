"""The elements that SVG pictures of scenes are made of: flat scenes, isometric views, letters and patterns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from latcover import palette
from latcover.outlines import Points, Polygon, label_place
from latcover.painter import Ball, Shape, Sheet, isometric, picture_bounds
from latcover.palette import RGB, hexadecimal
from latcover.scene import PLAIN, Item, Scene

LINE = "#222222"
FAINT_LINE = "#b8b8b0"
TILE = 8.0  # the side of a pattern's tile, in pixels
# What each pattern draws on its tile, and the angle by which it is turned; the first is none.
MARKS: tuple[tuple[str, int], ...] = (
    ("", 0),
    ("M0 4H8", 45),
    ("M0 4H8", 0),
    ("M0 4H8M4 0V8", 0),
    ("M3 3h2v2h-2z", 0),
    ("M0 4H8", 135),
    ("M0 4H8", 90),
    ("M0 4H8M4 0V8", 45),
    ("M0 2H8M0 4H8", 45),
    ("M0 4H4", 0),
    ("M0 2H8M0 4H8", 135),
    ("M2 6L4 2L6 6", 0),
)


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture looks.

    Attributes:
        letters: Whether parts bear letters.
        patterns: Whether parts bear patterns besides their colours; from the 25th part on they do anyway.
        scale: Pixels for the longest side of the box around a cell.
    """

    letters: bool = True
    patterns: bool = False
    scale: float = 40.0


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture within a page: its element, with the upper left corner at the origin, and its size in pixels."""

    element: Element
    width: float
    height: float


@dataclass(slots=True)
class Definitions:
    """What fills refer to: patterns and the shading of balls, each made once; named after what it is."""

    made: dict[str, Element] = field(default_factory=dict)

    def fill(self, number: int, look: Look, brightness: float = 1.0) -> str:
        """What fills part *number*: a colour, or a reference to a pattern."""
        rgb = palette.shaded(palette.colour(number), brightness)
        kind = palette.own_pattern(number) if look.patterns else palette.pattern(number)
        if not kind:
            return hexadecimal(rgb)
        name = f"pattern-{kind}-{hexadecimal(rgb)[1:]}"
        if name not in self.made:
            self.made[name] = _pattern(name, kind, rgb)
        return f"url(#{name})"

    def ball(self, number: int) -> str:
        """What fills a ball seen in space."""
        rgb = palette.colour(number)
        name = f"ball-{hexadecimal(rgb)[1:]}"
        if name not in self.made:
            gradient = Element("radialGradient", id=name, cx="0.38", cy="0.32", r="0.75")
            for offset, brightness in (("0", 1.45), ("0.45", 1.0), ("1", 0.62)):
                SubElement(
                    gradient, "stop", {"offset": offset, "stop-color": hexadecimal(palette.shaded(rgb, brightness))}
                )
            self.made[name] = gradient
        return f"url(#{name})"


def _pattern(name: str, kind: int, rgb: RGB) -> Element:
    marks, angle = MARKS[kind]
    size = number(TILE)
    pattern = Element("pattern", id=name, width=size, height=size, patternUnits="userSpaceOnUse")
    if angle:
        pattern.set("patternTransform", f"rotate({angle})")
    SubElement(pattern, "rect", width=size, height=size, fill=hexadecimal(rgb))
    ink = hexadecimal(palette.ink(rgb))
    SubElement(pattern, "path", {"d": marks, "fill": "none", "stroke": ink, "stroke-opacity": "0.55"})
    return pattern


def number(value: float) -> str:
    """A coordinate, to a hundredth of a pixel."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def path_data(rings: Iterable[Points], closed: bool = True) -> str:
    """Rings, or open lines, as the data of a path."""
    end = "Z" if closed else ""
    return "".join("M" + "L".join(f"{number(x)} {number(y)}" for x, y in ring[:, :2].tolist()) + end for ring in rings)


@dataclass(frozen=True, slots=True)
class Frame:
    """From the coordinates of a scene, y upwards, to the pixels of a panel, y downwards."""

    low: Points
    high: Points
    factor: float
    margin: float

    def __call__(self, points: Points) -> Points:
        moved = np.empty((len(points), 2))
        moved[:, 0] = (points[:, 0] - self.low[0]) * self.factor + self.margin
        moved[:, 1] = (self.high[1] - points[:, 1]) * self.factor + self.margin
        return moved

    @property
    def size(self) -> tuple[float, float]:
        width, height = (self.high - self.low) * self.factor + 2 * self.margin
        return float(width), float(height)


def frame_of(low: Points, high: Points, scene: Scene, look: Look) -> Frame:
    """The frame in which a cell is as large as *look* says."""
    return Frame(low[:2], high[:2], look.scale / max(scene.size, 1e-300), look.scale / 16 + 1)


def flat_panel(scene: Scene, look: Look, definitions: Definitions) -> Panel:
    """A flat scene: the outline of each item, filled, with its letter."""
    frame = frame_of(scene.low, scene.high, scene, look)
    element = Element("g")
    texts: list[Element] = []
    for item in sorted(scene.items, key=lambda item: not item.faint):
        group = _item_group(element, item)
        if item.polygons:
            rings = [frame(ring) for polygon in item.polygons for ring in polygon.rings]
            SubElement(group, "path", {"d": path_data(rings), **_paint(item, look, definitions)})
        _cut_lines(group, item, frame, look, definitions)
        _flat_balls(group, item, frame, look, definitions)
        if look.letters and item.letter:
            texts += _flat_letters(item, frame, look)
    element.extend(texts)
    return Panel(element, *frame.size)


def _item_group(parent: Element, item: Item) -> Element:
    group = SubElement(parent, "g")
    words = item.name or ("" if not item.faint else "empty")
    if words:
        SubElement(group, "title").text = words
    return group


def _paint(item: Item, look: Look, definitions: Definitions) -> dict[str, str]:
    width = number(look.scale / 22)
    paint = {
        "fill": definitions.fill(item.colour, look),
        "fill-rule": "evenodd",
        "stroke": LINE,
        "stroke-width": width,
        "stroke-linejoin": "round",
    }
    if item.faint:
        dash = number(look.scale / 12)
        brightness = 1.6 if item.colour != PLAIN else 1.0
        fill = definitions.fill(item.colour, look, brightness)
        paint |= {"fill": fill, "stroke": FAINT_LINE, "stroke-dasharray": f"{dash} {dash}"}
    return paint


def _cut_lines(group: Element, item: Item, frame: Frame, look: Look, definitions: Definitions) -> None:
    """Where a part goes on at the other side of a region that closes on itself its outline is broken."""
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
    plain = {key: paint[key] for key in ("fill", "stroke", "stroke-width", "stroke-dasharray") if key in paint}
    for centre, radius in zip(centres.tolist(), item.balls.radii.tolist(), strict=True):
        place = {"cx": number(centre[0]), "cy": number(centre[1]), "r": number(radius * frame.factor * 0.97)}
        SubElement(group, "circle", place | plain)
    for k, (a, b) in enumerate(item.balls.necks.tolist()):
        _neck(group, centres[[a, b]], item.balls.neck_radius(k) * frame.factor, (plain["fill"], look.scale / 22))


def _neck(group: Element, ends: Points, radius: float, paint: tuple[str, float]) -> None:
    """A rod in an outline, open at its ends: a wide line, and a narrower one upon it."""
    fill, width = paint
    third = ends[0] + (ends[1] - ends[0]) * np.array([[0.3], [0.7]])
    data = path_data([third], closed=False)
    SubElement(group, "path", {"d": data, "stroke": LINE, "stroke-width": number(2 * radius + width)})
    inner = path_data([ends[0] + (ends[1] - ends[0]) * np.array([[0.25], [0.75]])], closed=False)
    SubElement(group, "path", {"d": inner, "stroke": fill, "stroke-width": number(2 * radius - width)})


def _flat_letters(item: Item, frame: Frame, look: Look) -> list[Element]:
    ink = palette.ink(palette.colour(item.colour))
    if item.balls is not None:
        size = float(item.balls.radii.min()) * frame.factor
        return [letter(item.letter, place, size, ink) for place in frame(item.balls.centres)]
    place, room = max((label_place(polygon) for polygon in item.polygons), key=lambda found: round(found[1], 6))
    size = min(room * frame.factor * 1.3, look.scale * 0.55)
    return [letter(item.letter, frame(place.reshape(1, 2))[0], size, ink)]


def letter(text: str, place: Points, size: float, ink: RGB) -> Element:
    """A letter with its middle at *place*; *size* is the font's."""
    element = Element(
        "text",
        {
            "x": number(float(place[0])),
            "y": number(float(place[1]) + 0.36 * size),
            "font-size": number(size),
            "fill": hexadecimal(ink),
        },
    )
    element.text = text
    return element


def isometric_panel(scene: Scene, look: Look, definitions: Definitions) -> Panel:
    """A scene in space, seen from the south-east and above."""
    shapes = isometric(scene)
    low, high = picture_bounds(shapes)
    frame = frame_of(low, high, scene, look)
    element = Element("g")
    labelled = _labels(shapes) if look.letters else {}
    for k, shape in enumerate(shapes):
        item = scene.items[shape.item]
        group = _item_group(element, item)
        if isinstance(shape, Sheet):
            _draw_sheet(group, shape, item, frame, (look, definitions))
        elif isinstance(shape, Ball):
            _draw_ball(group, shape, item, frame, (look, definitions))
        else:
            paint = hexadecimal(palette.shaded(palette.colour(item.colour), 0.8))
            _neck(group, frame(shape.ends), shape.radius * frame.factor, (paint, look.scale / 30))
        if k in labelled and item.letter:
            place, room = labelled[k]
            size = min(room * frame.factor * 1.2, look.scale * 0.5)
            group.append(
                letter(item.letter, frame(place.reshape(1, 2))[0], size, palette.ink(palette.colour(item.colour)))
            )
    return Panel(element, *frame.size)


def _labels(shapes: Sequence[Shape]) -> dict[int, tuple[Points, float]]:
    """The shapes that bear a letter: all balls, and of each item's faces the one with most room."""
    found: dict[int, tuple[Points, float]] = {}
    best: dict[int, int] = {}
    for k, shape in enumerate(shapes):
        if isinstance(shape, Ball):
            found[k] = (shape.centre[:2], shape.radius * 0.8)
        elif isinstance(shape, Sheet):
            outer, *holes = (ring[:, :2] for ring in shape.rings)
            place, room = label_place(Polygon(outer, tuple(holes)))
            before = best.get(shape.item)
            if before is None or round(room, 6) > round(found[before][1], 6):
                if before is not None:
                    del found[before]
                found[k], best[shape.item] = (place, room), k
    return found


def _draw_sheet(group: Element, sheet: Sheet, item: Item, frame: Frame, how: tuple[Look, Definitions]) -> None:
    look, definitions = how
    fill = definitions.fill(item.colour, look, _brightness(sheet))
    width = number(look.scale / 30)
    stroke = {"stroke": LINE, "stroke-width": width, "stroke-linejoin": "round"}
    data = path_data([frame(ring) for ring in sheet.rings])
    if sheet.whole:
        SubElement(group, "path", {"d": data, "fill": fill, "fill-rule": "evenodd", **stroke})
        return
    SubElement(group, "path", {"d": data, "fill": fill, "stroke": fill, "stroke-width": "0.4"})
    lines = path_data([frame(line) for line in sheet.lines], closed=False)
    if lines:
        SubElement(group, "path", {"d": lines, "fill": "none", "stroke-linecap": "round", **stroke})


def _brightness(sheet: Sheet) -> float:
    """Light from above and from the left of the viewer."""
    from latcover.painter import VIEW

    east, _, up = VIEW.T @ sheet.normal
    return float(round(0.80 + 0.22 * up - 0.12 * east, 3))


def _draw_ball(group: Element, ball: Ball, item: Item, frame: Frame, how: tuple[Look, Definitions]) -> None:
    look, definitions = how
    x, y = frame(ball.centre[None, :2])[0]
    place = {"cx": number(x), "cy": number(y), "r": number(ball.radius * frame.factor)}
    outline = {"stroke": LINE, "stroke-width": number(look.scale / 40)}
    SubElement(group, "circle", place | {"fill": definitions.ball(item.colour)} | outline)
    if look.patterns or palette.pattern(item.colour):
        pattern = definitions.fill(item.colour, look)
        if pattern.startswith("url"):
            SubElement(group, "circle", place | {"fill": pattern, "fill-opacity": "0.45"})
