"""Posters: pictures in columns, on as many sheets of paper as needed. Each sheet is the text of an SVG file."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.puzzle import Puzzle
from latcover.errors import counted
from latcover.show.drawing.paper.paper_sheet import QUIET, Heading, heading, on_paper, wrapped, write
from latcover.show.drawing.paper.papers import LEAST_FONT, MM, Paper
from latcover.show.drawing.paper.styles import USUAL, PictureStyle, Projection
from latcover.show.drawing.paper.svg import panels_of, put
from latcover.show.drawing.paper.svg_shapes import Definitions, Panel, add, number
from latcover.show.drawing.scenes.scene_model import CaptionedScene

NUMBER = 1.5  # the size of the number of a step, in small texts
GAP = 1.3  # between pictures, in small texts
TIGHT = 0.8  # the same between rows where this saves a sheet
CAPTION = 0.07  # of the width of a column: the size of its words, if that is smaller than other small text
LARGEST = 0.34  # of the shorter side: the widest column that is chosen automatically for several sheets
SMALLEST = 12 * MM  # the least height and width of a picture for which all are put on one sheet
SHRUNK = 0.7  # of the scale that columns allow: the least with which fewer sheets are used
NUMBERED = "solution "  # begins the caption of a solution


class Tile(Struct, frozen=True):
    """A picture of a poster, the words below it, and the number of a step; 0 for none.

    Beside the number may stand a *sign*, drawn in a square of side 1 around the origin. *spoken* is what people are
    told who cannot see the tile, if that is not the words below it.
    """

    panel: Panel
    caption: str = ""
    number: int = 0
    framed: bool = False
    sign: Element | None = None
    spoken: str = ""

    @property
    def beside(self) -> float:
        """The width of the number and the sign, in sizes of the number's text."""
        return (1.75 if self.number else 0.0) + (1.3 if self.sign is not None else 0.0)

    def put_sign(self, parent: Element, x: float, y: float, size: float) -> None:
        """Draw the sign beside the number, which stands at x on the baseline y and has this size."""
        if self.sign is not None:
            _scaled(parent, x + (self.beside - 0.8) * size, y - 0.35 * size, size).append(self.sign)

    def lines(self, font: float, width: float) -> list[str]:
        """The lines of the words in a tile of this width."""
        return wrapped(self.caption, width - self.beside * NUMBER * font, font)


class TilePlan(Struct, frozen=True):
    """The columns and rows of a sheet, the size of each tile, the scale of its picture, the size of its words."""

    columns: int
    rows: int
    width: float
    height: float
    scale: float
    font: float
    words: float  # their height


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
    papers: Sequence[Paper],
    *,
    style: PictureStyle = USUAL,
    view: Projection | None = None,
    title: str | None = None,
    columns: int | None = None,
) -> list[str]:
    """The sheets of a poster of scenes of *puzzle*, on the one of *papers* that fits best.

    *line* stands below the title, which is the puzzle's if None. See `svg.page` for *view*, `sheets` for *columns*.
    """
    definitions = Definitions()
    below = line.removeprefix(puzzle.title or puzzle.name).lstrip(", :")
    if len(entries) > 1 and all(entry.caption.startswith(NUMBERED) for entry in entries):
        below = counted(len(entries), "solution")
        if view is Projection.both and puzzle.lattice.dimension == 3:
            below += ", each with its layers, the lowest first"
        entries = [replace(entry, caption=entry.caption.removeprefix(NUMBERED)) for entry in entries]
    top = Heading(heading(puzzle) if title is None else title, below)
    tiles = tiles_of(entries, definitions, style, view)
    return sheets(top, tiles, definitions, fitting_paper(top, tiles, papers, columns), columns)


def fitting_paper(top: Heading, tiles: Sequence[Tile], papers: Sequence[Paper], columns: int | None = None) -> Paper:
    """The first of *papers* that needs the fewest sheets, and of these the one with the largest pictures."""

    def cost(sheet: Paper) -> tuple[int, float]:
        plan = _plan(tiles, sheet, _room(top, sheet), columns)
        return -(-len(tiles) // (plan.columns * plan.rows)), -round(plan.scale, 6)

    return min(papers, key=cost)


def _room(top: Heading, sheet: Paper) -> float:
    """The height for tiles below a heading."""
    return sheet.high - 2 * sheet.margin - top.height(sheet) - 2 * sheet.font


def sheets(
    top: Heading, tiles: Sequence[Tile], definitions: Definitions, sheet: Paper, columns: int | None = None
) -> list[str]:
    """The sheets of a poster, as texts of SVG files.

    Args:
        top: The heading of each sheet.
        tiles: At least one.
        definitions: What the tiles refer to.
        sheet: The paper.
        columns: Pictures side by side; None chooses, so that one sheet holds all, as large as possible, unless they get
            tiny. Pictures may be narrower than a column, so that no further sheet is begun for a few of them.
    """
    start = sheet.margin + top.height(sheet)
    height = _room(top, sheet)
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
        told = (tile.spoken or tile.caption for tile in some)
        words = "; ".join(filter(None, told)) or top.line or top.title
        made.append(on_paper(name, words, definitions, root, sheet))
    return made


def _plan(tiles: Sequence[Tile], sheet: Paper, room: float, columns: int | None) -> TilePlan:
    """The plan for the height *room*; without *columns*, that with the largest pictures of all on one sheet."""
    if columns is not None:
        return _on_fewest_sheets(tiles, sheet, room, columns)
    widest, tallest = max(tile.panel.width for tile in tiles), max(tile.panel.height for tile in tiles)
    smallest = SMALLEST * widest / min(widest, tallest)
    most = max(1, int(sheet.room // smallest))
    plans = [_planned(tiles, sheet, room, k, -(-len(tiles) // k)) for k in range(1, min(most, len(tiles)) + 1)]
    best = max(plans, key=lambda plan: round(plan.scale, 6))
    if best.scale * widest >= smallest or len(tiles) == 1:
        return best
    wanted = max(1, round(sheet.room / (LARGEST * sheet.short)))
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
    font = min(sheet.font, max(LEAST_FONT, CAPTION * sheet.room / columns))
    gap = GAP * font
    pad = gap / 2 if any(tile.framed for tile in tiles) else 0.0
    width = (sheet.room - (columns - 1) * gap) / columns
    inner = max(1.0, width - 2 * pad)
    widest = max(tile.panel.width for tile in tiles)
    tallest = max(tile.panel.height for tile in tiles)
    lines = max(len(tile.lines(font, inner)) for tile in tiles)
    words = lines * 1.3 * font + (0.5 * font if lines else 0.0)
    around = words + 2 * pad
    scale = min(inner / widest, max(1.0, room - around) / tallest)
    height = scale * tallest + around
    rows = max(least, int((room + gap + 0.01) // (height + gap)))
    if rows == least > 1 or (pad and len(tiles) > columns * (rows - 1)):  # frames fill the sheet
        height = (room - (rows - 1) * (gap if pad else TIGHT * font)) / rows
        scale = min(inner / widest, (height - around) / tallest)
    return TilePlan(columns, rows, width, height, scale, font, words)


def _place(root: Element, tiles: Sequence[Tile], plan: TilePlan, sheet: Paper, top: float, room: float) -> None:
    """Put tiles in rows below *top*. Height that is left over widens the gaps between rows, at most to double."""
    gap, left = GAP * plan.font, sheet.margin
    used, columns = -(-len(tiles) // plan.columns), min(plan.columns, len(tiles))
    if used == 1:
        left += (sheet.room - columns * plan.width - (columns - 1) * gap) / 2
    spare = room - used * plan.height - (used - 1) * gap
    step = plan.height + gap + (min(spare / (used - 1), gap) if used > 1 else 0.0)
    for k, tile in enumerate(tiles):
        row, column = divmod(k, plan.columns)
        x, y = left + column * (plan.width + gap), top + row * step
        _draw_tile(add(root, "g", transform=f"translate({number(x)} {number(y)})"), tile, plan)


def _draw_tile(holder: Element, tile: Tile, plan: TilePlan) -> None:
    font, pad = plan.font, GAP * plan.font / 2 if tile.framed else 0.0
    if tile.spoken:
        add(holder, "title", tile.spoken)
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
        write(holder, str(tile.number), pad, y + 1.5 * font, NUMBER * font, font_weight="bold")
        tile.put_sign(holder, pad, y + 1.5 * font, NUMBER * font)
        x, words = pad + tile.beside * NUMBER * font, {}
    for n, text in enumerate(tile.lines(font, plan.width - 2 * pad), 1):
        write(holder, text, x, y + n * 1.3 * font, font, **words)


def _scaled(parent: Element, x: float, y: float, scale: float) -> Element:
    """A group with its origin at x, y and this scale."""
    return add(parent, "g", transform=f"translate({number(x)} {number(y)}) scale({scale:.5g})")


def placed_in_middle(root: Element, panel: Panel, x: float, y: float, width: float, height: float) -> None:
    """Put a picture in the middle of a box, as large as it fits."""
    scale = min(width / panel.width, height / panel.height)
    x, y = x + (width - scale * panel.width) / 2, y + (height - scale * panel.height) / 2
    put(_scaled(root, x, y, scale), panel, 0, 0)
