"""Sheets of paper as SVG: sizes, headings and lines of text.

Lengths on a sheet are CSS pixels, 96 to an inch. The file gives its size in millimetres.
"""

from __future__ import annotations

from math import inf
from xml.etree.ElementTree import Element

from msgspec import Struct

from latcover.core.model.puzzle import Puzzle
from latcover.show.drawing.paper.papers import Paper
from latcover.show.drawing.paper.styles import LINE
from latcover.show.drawing.paper.svg import PageSetup, document
from latcover.show.drawing.paper.svg_shapes import Definitions, Panel, add, number

TITLE = 2.4  # the font's size, in sizes of small text
LETTER = 0.5  # the approximate width of a letter, as a share of its font
WIDE_LETTER = 0.95  # that of the widest letter
LEADING = 1.15  # from one line to the next, as a share of the font
SHORT_WORD = 8  # letters: words up to this length are never broken
HEAD = 0.3  # of the height of a sheet: the most that a title takes
QUIET = "#6b6b66"
SERIF = "Libertinus Serif, Georgia, serif"  # the first is in the PDF files


def heading(puzzle: Puzzle) -> str:
    """The title of a puzzle, with a capital letter."""
    title = puzzle.title or puzzle.name
    return title[:1].upper() + title[1:]


class Heading(Struct, frozen=True):
    """The top of a sheet: a title, and a line below it; either may be empty."""

    title: str
    line: str = ""

    def title_lines(self, sheet: Paper) -> list[str]:
        return wrapped(self.title, sheet.room, TITLE * sheet.font, HEAD * sheet.high)

    def lines_below(self, sheet: Paper) -> list[str]:
        return wrapped(self.line, sheet.room, 1.1 * sheet.font, HEAD / 2 * sheet.high)

    def height(self, sheet: Paper) -> float:
        above = len(self.title_lines(sheet)) * TITLE * LEADING
        below = 0.4 + 1.5 * len(self.lines_below(sheet)) if self.line else 0.0
        return sheet.font * (above + below + (1.2 if self.title or self.line else 0.0))

    def draw(self, root: Element, sheet: Paper) -> None:
        y, font = sheet.margin, sheet.font
        for text in self.title_lines(sheet):
            y += TITLE * LEADING * font
            write(root, text, sheet.margin, y - 0.35 * font, TITLE * font, font_weight="bold")
        for text in self.lines_below(sheet):
            y += 1.5 * font
            write(root, text, sheet.margin, y, 1.1 * font, fill=QUIET)


def wrapped(text: str, width: float, font: float, height: float = inf) -> list[str]:
    """A text in lines of approximately this width, and an ellipsis for what exceeds *height*."""
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


def write(parent: Element, text: str, x: float, y: float, font: float, **more: str) -> None:
    """Write a line of text with its baseline at x, y; *more* are attributes as for `add`."""
    words = {"text_anchor": "start", "fill": LINE} | more
    add(parent, "text", text, x=x, y=y, font_size=font, **words)


def on_paper(title: str, description: str, definitions: Definitions, content: Element, sheet: Paper) -> str:
    """A sheet as the text of an SVG file, which stays white on a dark screen."""
    size = (f"{number(sheet.width)}mm", f"{number(sheet.height)}mm")
    setup = PageSetup(dark=False, size=size, family=SERIF)
    return document(title, description, definitions, Panel(content, sheet.wide, sheet.high), setup)
