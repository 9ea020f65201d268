"""Pages of pictures as SVG: one solution or many, a region, or a part in all its orientations.

The files contain no scripts and no fonts. Equal scenes give equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from xml.etree.ElementTree import Element, indent, tostring
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from latcover.show.drawing.paper.painter import isometric
from latcover.show.drawing.paper.styles import LINE, USUAL, PictureStyle, Projection
from latcover.show.drawing.paper.svg_flat import flat_panel
from latcover.show.drawing.paper.svg_isometric import isometric_panel
from latcover.show.drawing.paper.svg_shapes import EMPTY, FRAME, INK, PAGE, Definitions, Panel, add, make, number
from latcover.show.drawing.scenes.scene_model import CaptionedScene, Scene

GAP = 18.0
# Dark colours where the page around a picture, or the system, is dark. Programs that print ignore this.
DARK = (
    f"@media (prefers-color-scheme: dark) {{ .{PAGE} {{ fill: #1b1d21 }} .{INK} {{ fill: #e4e4de }} "
    f".{EMPTY} {{ fill: #2c3036; stroke: #60656d }} .{FRAME} {{ stroke: #3a3d42 }} }}"
)
CAPTION = 14.0  # its height; 4 more pixels are below it
PAGE_WIDTH = 960.0
SMALLER = ((12, 1.0), (40, 0.75))  # the scale of a sheet of up to so many scenes; of more, 0.5
LEAST_LAYER = 0.6  # the least scale of layers beside one of several pictures
CELLS_ACROSS = 20.0  # wider pictures get a smaller scale


def sheet(title: str, entries: Sequence[CaptionedScene], style: PictureStyle = USUAL) -> str:
    """A page of many small scenes in columns, each below its caption."""
    scale = next((scale for most, scale in SMALLER if len(entries) <= most), 0.5)
    smaller = replace(style, scale=scale * style.scale)
    return page(title, entries, smaller, Projection.isometric, columns=True)


def page(
    title: str,
    entries: Sequence[CaptionedScene],
    style: PictureStyle = USUAL,
    view: Projection | None = None,
    *,
    columns: bool = False,
    together: int = 1,
) -> str:
    """A page of scenes as the text of an SVG file.

    Args:
        title: What the page shows; a remark is added if a region is periodic.
        entries: At least one.
        style: Letters, patterns and scale; very wide scenes get a smaller scale.
        view: How to draw scenes in space; None draws a single scene in both ways and several in the isometric view.
        columns: Whether the scenes stand in columns of equal width.
        together: In columns, so many scenes that follow each other stand in one row.
    """
    definitions = Definitions()
    panels = panels_of(entries, definitions, style, view)
    if any(entry.scene.unrolled for entry in entries):
        title += " (unrolled: broken lines cut what goes on at the other side)"
    return document(
        title, described(entries), definitions, shelves(panels, PAGE_WIDTH, columns=columns, together=together)
    )


def panels_of(
    entries: Sequence[CaptionedScene], definitions: Definitions, style: PictureStyle, view: Projection | None
) -> list[Panel]:
    """The pictures of scenes with captions, on one scale and, in space, from one corner; see `page`."""
    several = len(entries) > 1
    view = view or (Projection.isometric if several else Projection.both)
    style = fitting(style, [entry.scene for entry in entries])
    panels, corner = [], None
    for entry in entries:
        scene = entry.scene
        if scene.dimension == 2:
            panels.append(captioned(flat_panel(scene, style, definitions), entry.caption))
            continue
        picture = isometric(scene, corner)
        corner = picture.corner
        if view is Projection.layers:
            drawn = even_rows(layer_panels(scene, style, definitions), PAGE_WIDTH)
        else:
            drawn = isometric_panel(scene, picture, style, definitions)
        if view is Projection.both and several:
            layers = layer_panels(scene, style, definitions, named=False)
            block = beside(drawn, layers)
            drawn = shelves([drawn, block], drawn.width + GAP + block.width)
        elif view is Projection.both:
            drawn = captioned(drawn, f"from the {corner}")
            layers = layer_panels(scene, style, definitions)
            drawn = shelves([drawn, even_rows(layers, PAGE_WIDTH - drawn.width - GAP)], PAGE_WIDTH)
        panels.append(captioned(drawn, entry.caption))
    return panels


def layer_panels(scene: Scene, style: PictureStyle, definitions: Definitions, *, named: bool = True) -> list[Panel]:
    """The layers of a scene; each of several has a frame and, if they are *named*, its name."""
    several = len(scene.heights) > 1
    return [
        captioned(flat_panel(layer, style, definitions, framed=several), layer.title if several and named else "")
        for layer in scene.layers()
    ]


def beside(picture: Panel, panels: Sequence[Panel]) -> Panel:
    """Panels of one size in a block as high as *picture*, in as few columns as they do not get too small."""
    for columns in range(1, len(panels) + 1):
        block = in_columns(panels, columns)
        scale = min(1.0, picture.height / block.height)
        if scale >= LEAST_LAYER or columns == len(panels):
            break
    block, holder = fitted(block, inf, picture.height), Element("g")
    put(holder, block, 0, (picture.height - block.height) / 2)
    return Panel(holder, block.width, picture.height)


def fitted(panel: Panel, width: float, height: float) -> Panel:
    """A panel, made smaller if it is wider or higher than this."""
    scale = min(1.0, width / panel.width, height / panel.height)
    holder, inner = Element("g"), make("g", transform=f"scale({scale:.5g})")
    inner.append(panel.element)
    holder.append(inner)
    return Panel(holder, scale * panel.width, scale * panel.height)


def fitting(style: PictureStyle, scenes: Sequence[Scene]) -> PictureStyle:
    """*style* with a scale that fits the widest of *scenes*."""
    widest = max(float((scene.high - scene.low)[:2].max()) / max(scene.size, 1e-300) for scene in scenes)
    return replace(style, scale=style.scale * min(1.0, CELLS_ACROSS / max(widest, 1e-300)))


def described(entries: Iterable[CaptionedScene]) -> str:
    """A description of the picture for people who cannot see it."""
    words = []
    for entry in entries:
        items = [item for item in entry.scene.items if item.name]
        names = list(dict.fromkeys(item.name for item in items))
        what = f"{len(entry.scene.items)} areas" + (f": {', '.join(names)}" if names else "")
        words.append(f"{entry.caption or entry.scene.title}: {what}")
    return "; ".join(words)


def even_rows(panels: Sequence[Panel], width: float) -> Panel:
    """Panels of one size in rows of equal length; the last row may be shorter."""
    widest = max(panel.width for panel in panels)
    fitting = max(1, int((width + GAP) // (widest + GAP)))
    rows = -(-len(panels) // fitting)
    return in_columns(panels, -(-len(panels) // rows))


def in_columns(panels: Sequence[Panel], columns: int) -> Panel:
    """Panels of one size in so many columns."""
    widest = max(panel.width for panel in panels)
    return shelves(panels, columns * (widest + GAP) - GAP + 0.01)


def captioned(panel: Panel, caption: str) -> Panel:
    """A panel below its caption."""
    if not caption:
        return panel
    element, font = Element("g"), CAPTION - 2
    add(element, "text", caption, x=2, y=CAPTION, font_size=font, text_anchor="start", fill=LINE, class_=INK)
    put(element, panel, 0, CAPTION + 4)
    width = max(panel.width, 0.56 * font * len(caption))  # 0.56: of a letter, roughly
    return Panel(element, width, panel.height + CAPTION + 4)


def put(parent: Element, panel: Panel, x: float, y: float) -> None:
    """Add a panel at this place."""
    if x or y:
        panel.element.set("transform", f"translate({number(x)} {number(y)})")
    parent.append(panel.element)


def shelves(panels: Sequence[Panel], width: float, *, columns: bool = False, together: int = 1) -> Panel:
    """Panels side by side, in as many rows as *width* requires; or in columns that are as wide as the widest panel.

    In columns, so many panels as are to stand *together* are never parted by the end of a row.
    """
    if len(panels) == 1 and not columns:
        return panels[0]
    element = Element("g")
    least = max(panel.width for panel in panels) if columns else 0.0
    fit = int((width + GAP) // (least + GAP))
    most = max(together, fit - fit % together)  # in a row of columns
    x = y = shelf = widest = 0.0
    for count, panel in enumerate(panels):
        room = max(least, panel.width)
        if x and (count % most == 0 if columns else x + room > width):
            x, y, shelf = 0.0, y + shelf + GAP, 0.0
        put(element, panel, x, y)
        widest = max(widest, x + room)
        shelf = max(shelf, panel.height)
        x += room + GAP
    return Panel(element, widest, y + shelf)


class PageSetup(Struct, frozen=True):
    """Where a picture is shown.

    Attributes:
        dark: Whether its background follows a dark page.
        size: Its width and height, with units; empty takes those of its content, in pixels.
        family: The fonts of its text.
    """

    dark: bool = True
    size: tuple[str, ...] = ()
    family: str = "sans-serif"


SCREEN, PRINT = PageSetup(), PageSetup(dark=False)


def document(title: str, description: str, definitions: Definitions, content: Panel, setup: PageSetup = SCREEN) -> str:
    """The text of an SVG file; title and description are for people who cannot see the picture."""
    width, height = number(content.width), number(content.height)
    words = f"{title}\n{description}"
    name = f"{crc32(words.encode()):08x}"  # unique names, for several pictures on one HTML page
    root = make(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=setup.size[0] if setup.size else width,
        height=setup.size[1] if setup.size else height,
        role="img",
        aria_labelledby=f"title-{name} description-{name}",
        font_family=setup.family,
        text_anchor="middle",
    )
    add(root, "title", title, id=f"title-{name}")
    add(root, "desc", description, id=f"description-{name}")
    if definitions.made:
        add(root, "defs").extend(element for _, element in sorted(definitions.made.items()))
    ground = add(root, "rect", width="100%", height="100%", fill="#ffffff")
    if setup.dark:
        add(root, "style", DARK)
        ground.set("class", PAGE)
    root.append(content.element)
    indent(root, space=" ")
    return tostring(root, encoding="unicode") + "\n"
