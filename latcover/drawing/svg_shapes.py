"""The building blocks of SVG pictures: fills and patterns, frames, paths, letters, and necks between balls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from math import hypot
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from latcover.drawing import palette
from latcover.drawing.outlines import Points
from latcover.drawing.palette import RGB, hexadecimal
from latcover.drawing.scene import Item, Scene

LINE = "#222222"
# Classes of what follows the page around a picture: its ground, texts on it, cells that are empty, and frames.
PAGE, INK, EMPTY, FRAME = "latcover-page", "latcover-ink", "latcover-empty", "latcover-frame"
PALE_LINE = "#a6a69e"  # around what is dark
TILE = 8.0  # the side of a pattern's tile, in pixels
# The path that each pattern draws on its tile, and the angle by which it is turned. The first pattern is empty.
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


class Sides(StrEnum):
    """How flat pictures show what the sides of tiles bear."""

    triangles = "triangles"  # areas that reach to the middle of a tile, or a part of the way there
    bands = "bands"  # strips along the sides
    letters = "letters"
    paths = "paths"  # lines from side to side, where the same value is borne


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture looks.

    Attributes:
        letters: Whether parts bear letters.
        patterns: Whether parts bear patterns besides their colours; from the 25th part on they do anyway.
        scale: Pixels for the longest side of the box around a cell.
        sides: How flat pictures show what the sides of tiles bear.
    """

    letters: bool = True
    patterns: bool = False
    scale: float = 40.0
    sides: Sides = Sides.triangles


@dataclass(frozen=True, slots=True)
class Style:
    """How one item differs from the others.

    Attributes:
        line: The colour of its lines.
        width: How much wider they are than usual.
        opacity: Of all of it; one below 1 also loses its letter, and hides no other item's letter.
    """

    line: str = LINE
    width: float = 1.0
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture within a page: its element, with the upper left corner at the origin, and its size in pixels."""

    element: Element
    width: float
    height: float


@dataclass(slots=True)
class Definitions:
    """The patterns and gradients that fills refer to. Each is made once and has a name that describes it."""

    made: dict[str, Element] = field(default_factory=dict)

    def fill(self, item: Item, look: Look, brightness: float = 1.0, rgb: RGB | None = None) -> str:
        """What fills an item, or what of it has the colour *rgb*: a colour, or a reference to a pattern."""
        rgb = palette.shaded(rgb or item.rgb, brightness)
        own = 0 if item.signs else palette.pattern(item.colour)  # what its cells are called tells it from others
        kind = palette.own_pattern(item.colour) if look.patterns else own
        if not kind:
            return hexadecimal(rgb)
        name = f"pattern-{kind}-{hexadecimal(rgb)[1:]}"
        if name not in self.made:
            self.made[name] = _pattern(name, kind, rgb)
        return f"url(#{name})"

    def ball(self, rgb: RGB) -> str:
        """What fills a ball of this colour seen in space."""
        rgb = palette.in_space(rgb)
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


def frame_of(low: Points, high: Points, scene: Scene, look: Look) -> Frame:
    """The frame in which a cell is as large as *look* says."""
    return Frame(low[:2], high[:2], look.scale / max(scene.size, 1e-300), look.scale / 16 + 1)


def letter(text: str, place: Points, size: float, ink: RGB, *, halo: bool = False) -> Element:
    """A letter with its middle at *place*; *size* is the font's. Lines of longer text get a smaller font.

    A *halo* makes it stand out where there are several colours below it.
    """
    lines = text.split("\n")
    room = hypot(0.56 * max(map(len, lines)), 1.1 * len(lines))  # half the diagonal of the text, roughly, in fonts
    size *= min(1.0, 1.38 / room)
    x, top = number(float(place[0])), float(place[1]) - 0.55 * size * (len(lines) - 1)
    element = Element(
        "text", {"x": x, "y": number(top + 0.36 * size), "font-size": number(size), "fill": hexadecimal(ink)}
    )
    if halo:
        element.attrib |= {"stroke": "#ffffff", "stroke-width": number(size / 6), "paint-order": "stroke"}
    element.text = lines[0]
    for line in lines[1:]:
        SubElement(element, "tspan", {"x": x, "dy": number(1.1 * size)}).text = line
    return element


def item_group(parent: Element, item: Item) -> Element:
    group = SubElement(parent, "g")
    words = item.name or ("" if not item.faint else "empty")
    if words:
        SubElement(group, "title").text = words
    return group


def draw_neck(group: Element, ends: Points, radius: float, paint: tuple[str, float]) -> None:
    """Draw a rod with an outline but with open ends: a wide line, and a narrower one over it."""
    fill, width = paint
    third = ends[0] + (ends[1] - ends[0]) * np.array([[0.3], [0.7]])
    data = path_data([third], closed=False)
    SubElement(group, "path", {"d": data, "stroke": LINE, "stroke-width": number(2 * radius + width)})
    inner = path_data([ends[0] + (ends[1] - ends[0]) * np.array([[0.25], [0.75]])], closed=False)
    SubElement(group, "path", {"d": inner, "stroke": fill, "stroke-width": number(2 * radius - width)})
