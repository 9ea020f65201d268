"""Posters: pictures in columns, on as many sheets of paper as needed. Each sheet is the text of an SVG file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from latcover.drawing.paper.paper_sheet import MM, QUIET, Heading, Paper, heading, on_paper, wrapped, write
from latcover.drawing.paper.styles import USUAL, PictureStyle, Projection
from latcover.drawing.paper.svg import CaptionedScene, panels_of, put
from latcover.drawing.paper.svg_shapes import Definitions, Panel, add, number
from latcover.errors import counted
from latcover.model.puzzle import Puzzle

GAP = 1.3  # between pictures, in small texts
TIGHT = 0.8  # the same between rows where this saves a sheet
LARGEST = 0.34  # of the shorter side: the widest column that is chosen automatically
SMALLEST = 12 * MM  # and the narrowest
SHRUNK = 0.7  # of the scale that columns allow: the least with which fewer sheets are used
NUMBERED = "solution "  # begins the caption of a solution


@dataclass(frozen=True, slots=True)
class Tile:
    """A picture of a poster, the words below it, and the number of a step; 0 for none."""

    panel: Panel
    caption: str = ""
    number: int = 0
    framed: bool = False

    def lines(self, sheet: Paper, width: float) -> list[str]:
        """The lines of the words in a tile of this width."""
        return wrapped(self.caption, width - (2.6 * sheet.font if self.number else 0.0), sheet.font)


@dataclass(frozen=True, slots=True)
class TilePlan:
    """The columns and rows of a sheet, the size of each tile, the scale of its picture, the height of its words."""

    columns: int
    rows: int
    width: float
    height: float
    scale: float
    words: float


def tiles_of(
    entries: Sequence[CaptionedScene],
    definitions: Definitions,
    style: PictureStyle = USUAL,
    view: Projection | None = None,
) -> list[Tile]:
    """The pictures of scenes; those in space are seen from the same corner."""
    panels = panels_of([CaptionedScene(entry.scene) for entry in entries], definitions, style, view)
    return [Tile(panel, entry.caption) for panel, entry in zip(panels, entries, strict=True)]


def poster(
    puzzle: Puzzle,
    line: str,
    entries: Sequence[CaptionedScene],
    sheet: Paper,
    *,
    style: PictureStyle = USUAL,
    view: Projection | None = None,
    title: str | None = None,
    columns: int | None = None,
) -> list[str]:
    """The sheets of a poster of scenes of *puzzle*.

    *line* stands below the title, which is the puzzle's if None. See `svg.page` for *view*, `sheets` for *columns*.
    """
    definitions = Definitions()
    below = line.removeprefix(puzzle.title or puzzle.name).lstrip(", :")
    if len(entries) > 1 and all(entry.caption.startswith(NUMBERED) for entry in entries):
        below = counted(len(entries), "solution")
        entries = [replace(entry, caption=entry.caption.removeprefix(NUMBERED)) for entry in entries]
    top = Heading(heading(puzzle) if title is None else title, below)
    return sheets(top, tiles_of(entries, definitions, style, view), definitions, sheet, columns)


def sheets(
    top: Heading, tiles: Sequence[Tile], definitions: Definitions, sheet: Paper, columns: int | None = None
) -> list[str]:
    """The sheets of a poster, as texts of SVG files.

    Args:
        top: The heading of each sheet.
        tiles: At least one.
        definitions: What the tiles refer to.
        sheet: The paper.
        columns: Pictures side by side; None chooses, so that one sheet holds all unless they get tiny. Pictures may be
            narrower than a column, so that no further sheet is begun for a few of them.
    """
    start = sheet.margin + top.height(sheet)
    height = sheet.high - start - sheet.margin - 2 * sheet.font
    plan = _plan(tiles, sheet, height, columns)
    each = plan.columns * plan.rows
    count = -(-len(tiles) // each)
    made = []
    for k in range(count):
        some = tiles[k * each : (k + 1) * each]
        root = Element("g")
        top.draw(root, sheet)
        _place(root, some, plan, sheet, start, height)
        if count > 1:
            x, y = sheet.wide - sheet.margin, sheet.high - sheet.margin
            write(root, f"{k + 1} / {count}", x, y, sheet.font, text_anchor="end", fill=QUIET)
        name = f"{top.title}, sheet {k + 1} of {count}" if count > 1 else top.title
        words = "; ".join(tile.caption for tile in some if tile.caption) or top.line or top.title
        made.append(on_paper(name, words, definitions, root, sheet))
    return made


def _plan(tiles: Sequence[Tile], sheet: Paper, room: float, columns: int | None) -> TilePlan:
    """The plan for the height *room*; without *columns*, the fewest with which one sheet holds all tiles."""
    if columns is not None:
        return _on_fewest_sheets(tiles, sheet, room, columns)
    most = max(1, int(sheet.room // SMALLEST))
    wanted = max(1, round(sheet.room / (LARGEST * sheet.short))) if len(tiles) > 1 else 1
    for k in range(min(wanted, len(tiles)), most + 1):
        plan = _planned(tiles, sheet, room, k)
        if plan.columns * plan.rows >= len(tiles):
            return plan
    return _on_fewest_sheets(tiles, sheet, room, max(wanted, most // 2))


def _on_fewest_sheets(tiles: Sequence[Tile], sheet: Paper, room: float, columns: int) -> TilePlan:
    """The plan with the fewest sheets for which pictures need not shrink below `SHRUNK`."""
    largest = _planned(tiles, sheet, room, columns)
    rows = -(-len(tiles) // columns)
    for count in range(1, -(-rows // largest.rows)):
        plan = _planned(tiles, sheet, room, columns, least=-(-rows // count))
        if plan.scale >= SHRUNK * largest.scale:
            return plan
    return largest


def _planned(tiles: Sequence[Tile], sheet: Paper, room: float, columns: int, least: int = 1) -> TilePlan:
    """The plan for this number of columns and at least so many rows, with the largest pictures that these allow.

    The scale is negative if so many rows have no room for pictures.
    """
    font = sheet.font
    gap = GAP * font
    pad = gap / 2 if any(tile.framed for tile in tiles) else 0.0
    width = (sheet.room - (columns - 1) * gap) / columns
    inner = max(1.0, width - 2 * pad)
    widest = max(tile.panel.width for tile in tiles)
    tallest = max(tile.panel.height for tile in tiles)
    lines = max(len(tile.lines(sheet, inner)) for tile in tiles)
    words = lines * 1.3 * font + (0.5 * font if lines else 0.0)
    around = words + 2 * pad
    scale = min(inner / widest, max(1.0, room - around) / tallest)
    height = scale * tallest + around
    rows = max(least, int((room + gap + 0.01) // (height + gap)))
    if rows == least > 1 or (pad and len(tiles) > columns * (rows - 1)):  # frames fill the sheet
        height = (room - (rows - 1) * (gap if pad else TIGHT * font)) / rows
        scale = min(inner / widest, (height - around) / tallest)
    return TilePlan(columns, rows, width, height, scale, words)


def _place(root: Element, tiles: Sequence[Tile], plan: TilePlan, sheet: Paper, top: float, room: float) -> None:
    """Put tiles in rows below *top*. Height that is left over widens the gaps between rows, at most to double."""
    gap, left = GAP * sheet.font, sheet.margin
    used, columns = -(-len(tiles) // plan.columns), min(plan.columns, len(tiles))
    if used == 1:
        left += (sheet.room - columns * plan.width - (columns - 1) * gap) / 2
    spare = room - used * plan.height - (used - 1) * gap
    step = plan.height + gap + (min(spare / (used - 1), gap) if used > 1 else 0.0)
    for k, tile in enumerate(tiles):
        row, column = divmod(k, plan.columns)
        x, y = left + column * (plan.width + gap), top + row * step
        _draw_tile(add(root, "g", transform=f"translate({number(x)} {number(y)})"), tile, plan, sheet)


def _draw_tile(holder: Element, tile: Tile, plan: TilePlan, sheet: Paper) -> None:
    font, pad = sheet.font, GAP * sheet.font / 2 if tile.framed else 0.0
    if tile.framed:
        line = {"fill": "none", "stroke": "#d2d2ca"}
        add(holder, "rect", width=plan.width, height=plan.height, rx=0.4 * font, **line)
    tall = plan.height - 2 * pad - plan.words
    x = (plan.width - plan.scale * tile.panel.width) / 2
    y = pad + (tall - plan.scale * tile.panel.height) / 2
    _scaled(holder, x, y, plan.scale).append(tile.panel.element)
    y = pad + tall + 0.35 * font
    x, words = plan.width / 2, {"text_anchor": "middle", "fill": QUIET}
    if tile.number:
        write(holder, str(tile.number), pad, y + 1.5 * font, 1.5 * font, font_weight="bold")
        x, words = pad + 2.6 * font, {}
    for n, text in enumerate(tile.lines(sheet, plan.width - 2 * pad), 1):
        write(holder, text, x, y + n * 1.3 * font, font, **words)


def _scaled(parent: Element, x: float, y: float, scale: float) -> Element:
    """A group with its origin at x, y and this scale."""
    return add(parent, "g", transform=f"translate({number(x)} {number(y)}) scale({scale:.5g})")


def placed_in_middle(root: Element, panel: Panel, x: float, y: float, width: float, height: float) -> None:
    """Put a picture in the middle of a box, as large as it fits."""
    scale = min(width / panel.width, height / panel.height)
    x, y = x + (width - scale * panel.width) / 2, y + (height - scale * panel.height) / 2
    put(_scaled(root, x, y, scale), panel, 0, 0)
