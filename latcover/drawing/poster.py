"""Posters: pictures in columns on sheets of paper, as many sheets as they need. Each sheet is the text of an SVG file.

Lengths on a sheet are pixels of the web, 96 of which are an inch; the file says its size in millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from xml.etree.ElementTree import Element, SubElement

from latcover.drawing.svg import LOOK, Entry, Medium, View, block, document, fitting, put
from latcover.drawing.svg_shapes import LINE, Definitions, Look, Panel, number
from latcover.errors import PuzzleError, counted, suggest
from latcover.model.puzzle import Puzzle

MM = 96 / 25.4  # pixels
PAPERS = {  # millimetres, upright
    "a0": (841.0, 1189.0),
    "a1": (594.0, 841.0),
    "a2": (420.0, 594.0),
    "a3": (297.0, 420.0),
    "a4": (210.0, 297.0),
    "a5": (148.0, 210.0),
    "a6": (105.0, 148.0),
    "letter": (215.9, 279.4),
    "legal": (215.9, 355.6),
    "tabloid": (279.4, 431.8),
}
MARGIN = 0.055  # of the shorter side of the paper
FONT = 0.0145  # of the shorter side: the size of small texts
LEAST_FONT = 9.0  # pixels
TITLE = 2.4  # sizes of fonts, in small texts
GAP = 1.3  # between pictures, in small texts
LARGEST = 0.34  # of the shorter side: a picture in a column that is not asked for is no wider
SMALLEST = 12 * MM  # and no narrower
LETTER = 0.5  # the width of a letter, roughly, as a share of its font
WIDE_LETTER = 0.95  # of the widest
LEADING = 1.15  # from a line to the next, in its font
SHORT_WORD = 8  # letters: a word that is no longer is never broken
HEAD = 0.3  # of the height of a sheet: the title takes no more
QUIET = "#6b6b66"
LONGEST_TITLE = 200  # characters that a sheet has room for
NUMBERED = "solution "  # the caption of a solution, before its number
SERIF = "Libertinus Serif, Georgia, serif"  # the first is the one that PDF files bring with them


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper, in millimetres."""

    width: float
    height: float

    @property
    def short(self) -> float:
        """The shorter side in pixels."""
        return min(self.width, self.height) * MM

    @property
    def margin(self) -> float:
        return MARGIN * self.short

    @property
    def font(self) -> float:
        return max(LEAST_FONT, FONT * self.short)


def paper(name: str, *, landscape: bool = False) -> Paper:
    """The paper of a name, such as "A2" or "letter".

    Raises:
        PuzzleError: there is none; the message suggests the nearest.
    """
    if name.lower() not in PAPERS:
        known = [each.upper() if each.startswith("a") else each for each in PAPERS]
        raise PuzzleError(f"no paper is called {name!r}{suggest(name, known)}")
    short, long = PAPERS[name.lower()]
    return Paper(long, short) if landscape else Paper(short, long)


def heading(puzzle: Puzzle) -> str:
    """The title of a puzzle as one stands above a text."""
    title = puzzle.title or puzzle.name
    return title[:1].upper() + title[1:]


@dataclass(frozen=True, slots=True)
class Tile:
    """One picture of a poster, the words below it, and the number of a step, if it is one."""

    panel: Panel
    caption: str = ""
    number: int = 0
    framed: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """How tiles stand on sheets: in so many columns and rows, each in a box, the pictures on one scale.

    *words* is the height that the words of each take.
    """

    columns: int
    rows: int
    box: tuple[float, float]
    scale: float
    words: float


def tiles_of(
    entries: Sequence[Entry], definitions: Definitions, look: Look = LOOK, view: View | None = None
) -> list[Tile]:
    """The pictures of some scenes; those in space are all seen from one corner."""
    view = view or (View.BOTH if len(entries) == 1 else View.ISOMETRIC)
    look = fitting(look, [entry.scene for entry in entries])
    tiles, corner = [], None
    for entry in entries:
        panel, corner = block(Entry(entry.scene), (look, view), corner, definitions)
        tiles.append(Tile(panel, entry.caption))
    return tiles


def poster(
    puzzle: Puzzle,
    shown: tuple[str, Sequence[Entry]],
    how: tuple[Look, View | None],
    sheet: Paper,
    given: tuple[str | None, int | None] = (None, None),
) -> list[str]:
    """The sheets of a poster of some scenes.

    Args:
        puzzle: The puzzle that the scenes show.
        shown: The title of the view, and its scenes.
        how: Letters and patterns; from where.
        sheet: The paper.
        given: The title, None for the puzzle's; how many pictures stand side by side, as for `sheets`.
    """
    (line, entries), (title, columns), definitions = shown, given, Definitions()
    below = line.removeprefix(puzzle.title or puzzle.name).lstrip(", :")
    if len(entries) > 1 and all(entry.caption.startswith(NUMBERED) for entry in entries):
        below = counted(len(entries), "solution")
        entries = [replace(entry, caption=entry.caption.removeprefix(NUMBERED)) for entry in entries]
    words = (heading(puzzle) if title is None else title, below)
    return sheets(words, tiles_of(entries, definitions, *how), definitions, sheet, columns)


def sheets(
    words: tuple[str, str], tiles: Sequence[Tile], definitions: Definitions, sheet: Paper, columns: int | None = None
) -> list[str]:
    """The sheets of a poster, as texts of SVG files.

    Args:
        words: The title, and a line below it; either may be empty.
        tiles: At least one.
        definitions: What the tiles refer to.
        sheet: The paper.
        columns: How many pictures stand side by side; None chooses, so that one sheet holds all if they are not tiny.
    """
    title, line = words
    top = sheet.margin + _head_height(words, sheet)
    room = sheet.width * MM - 2 * sheet.margin, sheet.height * MM - top - sheet.margin - 2 * sheet.font
    plan = _plan(tiles, sheet, room, columns)
    each = plan.columns * plan.rows
    count = -(-len(tiles) // each)
    made = []
    for k in range(count):
        some = tiles[k * each : (k + 1) * each]
        root = Element("g")
        _head(root, words, sheet)
        _place(root, some, plan, (sheet, top, room))
        _foot(root, sheet, f"{k + 1} / {count}" if count > 1 else "")
        name = f"{title}, sheet {k + 1} of {count}" if count > 1 else title
        told = "; ".join(tile.caption for tile in some if tile.caption) or line or title
        made.append(on_paper(name, told, definitions, root, sheet))
    return made


def on_paper(title: str, told: str, definitions: Definitions, content: Element, sheet: Paper) -> str:
    """A sheet as the text of an SVG file; the same on a dark screen, as paper is white."""
    panel = Panel(content, sheet.width * MM, sheet.height * MM)
    size = (f"{number(sheet.width)}mm", f"{number(sheet.height)}mm")
    return document(title, told, definitions, panel, Medium(dark=False, size=size, family=SERIF))


def _plan(tiles: Sequence[Tile], sheet: Paper, room: tuple[float, float], columns: int | None) -> Plan:
    if columns is not None:
        return _planned(tiles, sheet, room, columns)
    most = max(1, int(room[0] // SMALLEST))
    wanted = max(1, round(room[0] / (LARGEST * sheet.short))) if len(tiles) > 1 else 1
    for k in range(min(wanted, len(tiles)), most + 1):
        plan = _planned(tiles, sheet, room, k)
        if plan.columns * plan.rows >= len(tiles):
            return plan
    return _planned(tiles, sheet, room, max(wanted, most // 2))


def _planned(tiles: Sequence[Tile], sheet: Paper, room: tuple[float, float], columns: int) -> Plan:
    """The plan for so many columns: pictures as large as a column, and a sheet, allows."""
    gap = GAP * sheet.font
    pad = gap / 2 if any(tile.framed for tile in tiles) else 0.0
    width = (room[0] - (columns - 1) * gap) / columns
    inner = max(1.0, width - 2 * pad)
    widest = max(tile.panel.width for tile in tiles)
    tallest = max(tile.panel.height for tile in tiles)
    words = _words_height(tiles, sheet, inner)
    around = words + 2 * pad
    scale = min(inner / widest, max(1.0, room[1] - around) / tallest)
    height = scale * tallest + around
    rows = max(1, int((room[1] + gap + 0.01) // (height + gap)))
    if pad and len(tiles) > columns * (rows - 1):  # frames fill the sheet
        height = (room[1] - (rows - 1) * gap) / rows
        scale = min(inner / widest, (height - around) / tallest)
    return Plan(columns, rows, (width, height), scale, words)


def _words_height(tiles: Sequence[Tile], sheet: Paper, width: float) -> float:
    lines = max(len(_lines(tile, sheet, width)) for tile in tiles)
    return lines * 1.3 * sheet.font + (0.5 * sheet.font if lines else 0.0)


def _lines(tile: Tile, sheet: Paper, width: float) -> list[str]:
    return wrapped(tile.caption, width - (2.6 * sheet.font if tile.number else 0.0), sheet.font)


def wrapped(text: str, width: float, font: float, height: float = inf) -> list[str]:
    """A text in lines of at most this width and height, roughly. What does not fit becomes an ellipsis."""
    letters, piece = (max(SHORT_WORD, int(width / (each * font))) for each in (LETTER, WIDE_LETTER))
    lines: list[str] = []
    for word in text.split():
        if lines and len(f"{lines[-1]} {word}") <= letters:
            lines[-1] += f" {word}"
        elif len(word) <= letters:
            lines.append(word)
        else:
            lines += [word[k : k + piece] for k in range(0, len(word), piece)]
    most = max(1, int(min(height / (LEADING * font), len(lines))))
    if len(lines) > most:
        lines[most - 1 :] = [f"{lines[most - 1][: letters - 2]}…"]
    return lines


def _place(root: Element, tiles: Sequence[Tile], plan: Plan, where: tuple[Paper, float, tuple[float, float]]) -> None:
    """Put tiles in rows. What is left of the height is spread between full rows, as far as it is little."""
    sheet, top, room = where
    font, gap = sheet.font, GAP * sheet.font
    (width, height), used = plan.box, -(-len(tiles) // plan.columns)
    columns = min(plan.columns, len(tiles))
    left = sheet.margin + (room[0] - columns * width - (columns - 1) * gap) / 2 if used == 1 else sheet.margin
    spare = room[1] - used * height - (used - 1) * gap
    step = height + gap + (min(spare / (used - 1), gap) if used > 1 else 0.0)
    for k, tile in enumerate(tiles):
        row, column = divmod(k, plan.columns)
        x, y = left + column * (width + gap), top + row * step
        holder = SubElement(root, "g", {"transform": f"translate({number(x)} {number(y)})"})
        pad = gap / 2 if tile.framed else 0.0
        if tile.framed:
            box = {"width": number(width), "height": number(height), "rx": number(0.4 * font)}
            SubElement(holder, "rect", {**box, "fill": "none", "stroke": "#d2d2ca"})
        lines = _lines(tile, sheet, width - 2 * pad)
        tall = height - 2 * pad - plan.words
        size = plan.scale * tile.panel.width, plan.scale * tile.panel.height
        shift = (width - size[0]) / 2, pad + (tall - size[1]) / 2
        scaled = SubElement(
            holder, "g", {"transform": f"translate({number(shift[0])} {number(shift[1])}) scale({plan.scale:.5g})"}
        )
        scaled.append(tile.panel.element)
        at = pad + tall + 0.35 * font
        if tile.number:
            write(holder, str(tile.number), (pad, at + 1.5 * font), 1.5 * font, font_weight="bold")
        for n, text in enumerate(lines, 1):
            place = (pad + 2.6 * font, at + n * 1.3 * font) if tile.number else (width / 2, at + n * 1.3 * font)
            write(
                holder,
                text,
                place,
                font,
                text_anchor="start" if tile.number else "middle",
                fill=LINE if tile.number else QUIET,
            )


def write(parent: Element, text: str, place: tuple[float, float], font: float, **more: str) -> None:
    """Write a line of text whose base line begins at *place*; *more* are attributes of SVG, with _ for -."""
    attributes = {"x": number(place[0]), "y": number(place[1]), "font-size": number(font), "text-anchor": "start"}
    attributes |= {"fill": LINE, **{name.replace("_", "-"): value for name, value in more.items()}}
    SubElement(parent, "text", attributes).text = text


def _head_height(words: tuple[str, str], sheet: Paper) -> float:
    title, line = words
    above = len(_title_lines(title, sheet)) * TITLE * LEADING
    below = 0.4 + 1.5 * len(_lines_below(line, sheet)) if line else 0.0
    return sheet.font * (above + below + (1.2 if title or line else 0.0))


def _title_lines(title: str, sheet: Paper) -> list[str]:
    return wrapped(title, sheet.width * MM - 2 * sheet.margin, TITLE * sheet.font, HEAD * sheet.height * MM)


def _lines_below(line: str, sheet: Paper) -> list[str]:
    return wrapped(line, sheet.width * MM - 2 * sheet.margin, 1.1 * sheet.font, HEAD / 2 * sheet.height * MM)


def _head(root: Element, words: tuple[str, str], sheet: Paper) -> None:
    title, line = words
    y, font = sheet.margin, sheet.font
    for text in _title_lines(title, sheet):
        y += TITLE * LEADING * font
        write(root, text, (sheet.margin, y - 0.35 * font), TITLE * font, font_weight="bold")
    for text in _lines_below(line, sheet):
        y += 1.5 * font
        write(root, text, (sheet.margin, y), 1.1 * font, fill=QUIET)


def _foot(root: Element, sheet: Paper, text: str) -> None:
    if text:
        place = sheet.width * MM - sheet.margin, sheet.height * MM - sheet.margin
        write(root, text, place, sheet.font, text_anchor="end", fill=QUIET)


def placed_in_middle(root: Element, panel: Panel, box: tuple[float, float, float, float]) -> None:
    """Put a picture in the middle of a box (x, y, width, height), as large as this allows."""
    x, y, width, height = box
    scale = min(width / panel.width, height / panel.height)
    shift = x + (width - scale * panel.width) / 2, y + (height - scale * panel.height) / 2
    holder = SubElement(
        root, "g", {"transform": f"translate({number(shift[0])} {number(shift[1])}) scale({scale:.5g})"}
    )
    put(holder, panel, 0, 0)
