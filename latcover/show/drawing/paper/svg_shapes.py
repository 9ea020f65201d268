"""The building blocks of SVG pictures: fills and patterns, frames, paths, letters, and necks between balls."""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from xml.etree.ElementTree import Element

import numpy as np
from msgspec import Struct, field

from latcover.show.drawing import palette
from latcover.show.drawing.palette import RGB, hexadecimal
from latcover.show.drawing.paper.styles import LINE, PictureStyle
from latcover.show.drawing.scenes.scene_model import Scene, SceneItem
from latcover.show.drawing.shapes.outlines import Points, Polygon

# Classes of elements that follow a dark page: background, text, empty cells, frames.
PAGE, INK, EMPTY, FRAME = "latcover-page", "latcover-ink", "latcover-empty", "latcover-frame"
PALE_LINE = "#a6a69e"  # around dark areas
TILE = 8.0  # the side of a pattern's tile, in pixels


class Panel(Struct, frozen=True):
    """A picture within a page: its element, with the upper left corner at the origin, and its size in pixels."""

    element: Element
    width: float
    height: float


class Definitions(Struct):
    """The patterns and gradients that fills refer to, by names that describe them."""

    made: dict[str, Element] = field(default_factory=dict)

    def pattern(self, kind: int, rgb: RGB) -> str:
        """A reference to the pattern *kind* on this colour."""
        name = f"pattern-{kind}-{hexadecimal(rgb)[1:]}"
        if name not in self.made:
            self.made[name] = _pattern(name, kind, rgb)
        return f"url(#{name})"

    def ball(self, rgb: RGB) -> str:
        """A reference to the gradient of a ball of this colour."""
        rgb = palette.in_space(rgb)
        name = f"ball-{hexadecimal(rgb)[1:]}"
        if name not in self.made:
            gradient = self.made[name] = make("radialGradient", id=name, cx="0.38", cy="0.32", r="0.75")
            for offset, brightness in (("0", 1.45), ("0.45", 1.0), ("1", 0.62)):
                add(gradient, "stop", offset=offset, stop_color=hexadecimal(palette.shaded(rgb, brightness)))
        return f"url(#{name})"


def _pattern(name: str, kind: int, rgb: RGB) -> Element:
    marks, angle = palette.MARKS[kind]
    pattern = make("pattern", id=name, width=TILE, height=TILE, patternUnits="userSpaceOnUse")
    if angle:
        pattern.set("patternTransform", f"rotate({angle})")
    add(pattern, "rect", width=TILE, height=TILE, fill=hexadecimal(rgb))
    add(pattern, "path", d=marks, fill="none", stroke=hexadecimal(palette.ink(rgb)), stroke_opacity="0.55")
    return pattern


def number(value: float) -> str:
    """A coordinate, to a hundredth of a pixel."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def make(tag: str, words: str = "", **attributes: str | float) -> Element:
    """An element with its text. In names of attributes, _ stands for -; a final _ as in class_ is dropped."""
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    element = Element(tag, {name: value if isinstance(value, str) else number(value) for name, value in named.items()})
    element.text = words or None
    return element


def add(parent: Element, tag: str, words: str = "", **attributes: str | float) -> Element:
    """Add an element, as of `make`, to *parent*."""
    element = make(tag, words, **attributes)
    parent.append(element)
    return element


def path_data(rings: Iterable[Points], closed: bool = True) -> str:
    """The data of a path along rings, or along open lines."""
    end = "Z" if closed else ""
    return "".join("M" + "L".join(f"{number(x)} {number(y)}" for x, y in ring[:, :2].tolist()) + end for ring in rings)


class Frame(Struct, frozen=True):
    """Turns coordinates of a scene (y upwards) into pixels of a panel (y downwards)."""

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


class Canvas(Struct, frozen=True):
    """What a picture is drawn with: its frame, its style, and the definitions of its fills."""

    frame: Frame
    style: PictureStyle
    definitions: Definitions

    def path(self, rings: Iterable[Points], closed: bool = True) -> str:
        """The data of a path along rings, or open lines, of the scene."""
        return path_data(map(self.frame, rings), closed)

    def areas(self, polygons: Iterable[Polygon]) -> str:
        """The data of a path around areas of the scene."""
        return self.path(ring for polygon in polygons for ring in polygon.rings)

    def at(self, point: Points) -> Points:
        """The place of a point of the scene, shape (2,)."""
        place: Points = self.frame(point.reshape(1, -1))[0]
        return place

    def fill(self, item: SceneItem, brightness: float = 1.0, rgb: RGB | None = None) -> str:
        """The fill of an item, or of its cells of colour *rgb*: a colour, or a reference to a pattern."""
        rgb = palette.shaded(rgb or item.rgb, brightness)
        own = 0 if item.signs else palette.pattern(item.colour)  # the signs on its cells are enough to identify it
        kind = palette.own_pattern(item.colour) if self.style.patterns else own
        return self.definitions.pattern(kind, rgb) if kind else hexadecimal(rgb)

    def neck(self, group: Element, ends: Points, radius: float, fill: str, line: float) -> None:
        """Draw a rod with an outline of width *line* and open ends: a wide line, and a narrower one over it."""
        ends = self.frame(ends)
        for share, stroke, width in ((0.3, LINE, line), (0.25, fill, -line)):
            rod = ends[0] + (ends[1] - ends[0]) * np.array([[share], [1 - share]])
            stroke_width = 2 * radius * self.frame.factor + width
            add(group, "path", d=path_data([rod], closed=False), stroke=stroke, stroke_width=stroke_width)


def frame_of(low: Points, high: Points, scene: Scene, style: PictureStyle) -> Frame:
    """The frame in which a cell has the size that *style* gives."""
    return Frame(low[:2], high[:2], style.scale / max(scene.size, 1e-300), style.scale / 16 + 1)


def letter(text: str, place: Points, size: float, ink: RGB, *, halo: bool = False) -> Element:
    """A letter centred at *place* in a font of this *size*; lines of longer text get a smaller one.

    A *halo* makes it readable above several colours.
    """
    lines = text.split("\n")
    room = hypot(
        0.56 * max(map(len, lines)), 1.1 * len(lines)
    )  # about half the diagonal of the text, as a share of the font
    size *= min(1.0, 1.38 / room)
    x, top = float(place[0]), float(place[1]) - 0.55 * size * (len(lines) - 1)
    element = make("text", lines[0], x=x, y=top + 0.36 * size, font_size=size, fill=hexadecimal(ink))
    if halo:
        element.attrib |= {"stroke": "#ffffff", "stroke-width": number(size / 6), "paint-order": "stroke"}
    for line in lines[1:]:
        add(element, "tspan", line, x=x, dy=1.1 * size)
    return element


def item_group(parent: Element, item: SceneItem) -> Element:
    """A group for the elements of an item, with the item's name."""
    group = add(parent, "g")
    if item.name or item.faint:
        add(group, "title", item.name or "empty")
    return group
