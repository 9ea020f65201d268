"""Pages of pictures as SVG: one solution or many, a region, or a part in all its orientations.

The files hold no scripts and no fonts. The same scenes always give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from xml.etree.ElementTree import Element, SubElement, indent, tostring
from zlib import crc32

from latcover.drawing.painter import isometric
from latcover.drawing.scene import Scene
from latcover.drawing.svg_flat import flat_panel
from latcover.drawing.svg_isometric import isometric_panel
from latcover.drawing.svg_shapes import EMPTY, FRAME, INK, LINE, PAGE, Definitions, Look, Panel, number

GAP = 18.0
# Pictures follow the page around them, or the system, where it is dark. Programs that print do not, nor should they.
DARK = (
    f"@media (prefers-color-scheme: dark) {{ .{PAGE} {{ fill: #1b1d21 }} .{INK} {{ fill: #e4e4de }} "
    f".{EMPTY} {{ fill: #2c3036; stroke: #60656d }} .{FRAME} {{ stroke: #3a3d42 }} }}"
)
CAPTION = 14.0  # the font's size; 4 more pixels stand below it
PAGE_WIDTH = 960.0
LOOK = Look()
SMALLER = ((12, 1.0), (40, 0.75))  # the scale of a sheet of so many scenes; of more, half of the usual one
CELLS_ACROSS = 20.0  # a wider picture is drawn on a smaller scale


class View(StrEnum):
    """How scenes in space are drawn. `BOTH` draws the isometric view first, then the layers."""

    LAYERS = "layers"
    ISOMETRIC = "isometric"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Entry:
    """A scene of a page, and its caption."""

    scene: Scene
    caption: str = ""


def sheet(title: str, entries: Sequence[Entry], look: Look = LOOK) -> str:
    """A page of many small scenes in columns, each below its caption."""
    scale = next((scale for most, scale in SMALLER if len(entries) <= most), 0.5)
    return page(title, entries, replace(look, scale=scale * look.scale), View.ISOMETRIC, arrange=columns)


def page(
    title: str,
    entries: Sequence[Entry],
    look: Look = LOOK,
    view: View | None = None,
    *,
    arrange: Callable[[Sequence[Panel], float], Panel] | None = None,
) -> str:
    """A page of scenes as the text of an SVG file.

    Args:
        title: What the page shows. If a region closes on itself, a remark is added.
        entries: At least one.
        look: Letters, patterns and scale; a very wide scene is drawn on a smaller scale.
        view: How scenes in space are drawn; None draws a single scene in both ways and several in the isometric view.
        arrange: How the scenes stand on a page of some width; by default, in `shelves`.
    """
    view = view or (View.BOTH if len(entries) == 1 else View.ISOMETRIC)
    definitions = Definitions()
    look = fitting(look, [entry.scene for entry in entries])
    blocks, corner = [], None
    for entry in entries:
        panel, corner = block(entry, (look, view), corner, definitions)  # all from the same corner
        blocks.append(panel)
    if any(entry.scene.unrolled for entry in entries):
        title += " (unrolled: broken lines cut what goes on at the other side)"
    return document(title, described(entries), definitions, (arrange or shelves)(blocks, PAGE_WIDTH))


def fitting(look: Look, scenes: Sequence[Scene]) -> Look:
    """The look for scenes on one scale, which is smaller where one of them is very wide."""
    widest = max(float((scene.high - scene.low)[:2].max()) / max(scene.size, 1e-300) for scene in scenes)
    return replace(look, scale=look.scale * min(1.0, CELLS_ACROSS / max(widest, 1e-300)))


def described(entries: Iterable[Entry]) -> str:
    """A description of the picture for people who cannot see it."""
    words = []
    for entry in entries:
        items = [item for item in entry.scene.items if item.name]
        names = list(dict.fromkeys(item.name for item in items))
        what = f"{len(entry.scene.items)} areas" + (f": {', '.join(names)}" if names else "")
        words.append(f"{entry.caption or entry.scene.title}: {what}")
    return "; ".join(words)


def block(
    entry: Entry, how: tuple[Look, View], corner: str | None, definitions: Definitions
) -> tuple[Panel, str | None]:
    """The pictures of a scene with their captions, and the corner from which it is seen."""
    scene, (look, view) = entry.scene, how
    if scene.dimension == 2:
        return captioned(flat_panel(scene, look, definitions), entry.caption), None
    panels = []
    if view is not View.LAYERS:
        picture = isometric(scene, corner)
        corner = picture.corner
        seen = isometric_panel(scene, picture, look, definitions)
        panels.append(captioned(seen, f"from the {corner}" if view is View.BOTH else ""))
    if view is not View.ISOMETRIC:
        layers = scene.layers()
        named = len(layers) > 1
        drawn = [
            captioned(flat_panel(layer, look, definitions, framed=named), layer.title if named else "")
            for layer in layers
        ]
        panels.append(even_rows(drawn, PAGE_WIDTH - sum(panel.width + GAP for panel in panels)))
    return captioned(shelves(panels, PAGE_WIDTH), entry.caption), corner


def even_rows(panels: Sequence[Panel], width: float) -> Panel:
    """Panels of one size in rows of equal length; only the last row may be shorter."""
    widest = max(panel.width for panel in panels)
    fitting = max(1, int((width + GAP) // (widest + GAP)))
    rows = -(-len(panels) // fitting)
    return shelves(panels, -(-len(panels) // rows) * (widest + GAP) - GAP + 0.01)


def columns(panels: Sequence[Panel], width: float) -> Panel:
    """Panels in columns of equal width, as many as fit into *width*."""
    element = Element("g")
    step = max(panel.width for panel in panels) + GAP
    across = min(len(panels), max(1, int((width + GAP) // step)))
    y = 0.0
    for first in range(0, len(panels), across):
        row = panels[first : first + across]
        for k, panel in enumerate(row):
            put(element, panel, k * step, y)
        y += max(panel.height for panel in row) + GAP
    return Panel(element, across * step - GAP, y - GAP)


def captioned(panel: Panel, caption: str) -> Panel:
    if not caption:
        return panel
    element = Element("g")
    text = SubElement(
        element, "text", {"x": "2", "y": number(CAPTION), "font-size": number(CAPTION - 2), "text-anchor": "start"}
    )
    text.set("fill", LINE)
    text.set("class", INK)
    text.text = caption
    put(element, panel, 0, CAPTION + 4)
    width = max(panel.width, 0.56 * (CAPTION - 2) * len(caption))  # 0.56: of a letter, roughly
    return Panel(element, width, panel.height + CAPTION + 4)


def put(parent: Element, panel: Panel, x: float, y: float) -> None:
    if x or y:
        panel.element.set("transform", f"translate({number(x)} {number(y)})")
    parent.append(panel.element)


def shelves(panels: Sequence[Panel], width: float) -> Panel:
    """Panels side by side, in as many rows as *width* requires."""
    if len(panels) == 1:
        return panels[0]
    element = Element("g")
    x = y = shelf = widest = 0.0
    for panel in panels:
        if x and x + panel.width > width:
            x, y, shelf = 0.0, y + shelf + GAP, 0.0
        put(element, panel, x, y)
        widest = max(widest, x + panel.width)
        shelf = max(shelf, panel.height)
        x += panel.width + GAP
    return Panel(element, widest, y + shelf)


@dataclass(frozen=True, slots=True)
class Medium:
    """Where a picture is shown.

    Attributes:
        dark: Whether its ground becomes dark where the page around it is.
        size: Its width and height, with units; empty takes those of what it shows, in pixels.
        family: The fonts of its texts.
    """

    dark: bool = True
    size: tuple[str, ...] = ()
    family: str = "sans-serif"


SCREEN, PRINT = Medium(), Medium(dark=False)


def document(title: str, description: str, definitions: Definitions, content: Panel, medium: Medium = SCREEN) -> str:
    """The text of an SVG file; the title and the description are for people who cannot see the picture."""
    width, height = number(content.width), number(content.height)
    words = f"{title}\n{description}"
    name = f"{crc32(words.encode()):08x}"  # several pictures may stand on one page of HTML
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "width": medium.size[0] if medium.size else width,
            "height": medium.size[1] if medium.size else height,
            "role": "img",
            "aria-labelledby": f"title-{name} description-{name}",
            "font-family": medium.family,
            "text-anchor": "middle",
        },
    )
    SubElement(root, "title", id=f"title-{name}").text = title
    SubElement(root, "desc", id=f"description-{name}").text = description
    if definitions.made:
        SubElement(root, "defs").extend(element for _, element in sorted(definitions.made.items()))
    ground = SubElement(root, "rect", width="100%", height="100%", fill="#ffffff")
    if medium.dark:
        SubElement(root, "style").text = DARK
        ground.set("class", PAGE)
    root.append(content.element)
    indent(root, space=" ")
    return tostring(root, encoding="unicode") + "\n"
