"""What a terminal shows of many results: those that fit on a screen, beside each other, and how many more there are."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from latcover.apps.cli.shared.output import echo_picture, is_terminal, screen_width, wants_colour

if TYPE_CHECKING:
    from latcover.show.drawing.text.beside import Line
    from latcover.show.drawing.views.puzzle_views import PuzzleView

GAP = 4  # columns between two pictures
BELOW = 7  # lines of a screen for the command, the heading and the answer
FEWEST = 12  # lines of pictures, however small the terminal is
MORE = "--all shows them"
LESS = "`| less` shows them"  # where --all says something else
_CODES = re.compile(r"\x1b\[[\d;]*m")


class Screenful:
    """Pictures are written in rows as wide as the terminal, until its height is used; later ones are only counted.

    Attributes:
        hidden: How many pictures were not written.

    Args:
        write: Prints some lines.
        besides: How many lines are left for more than the answer.
    """

    def __init__(self, write: Callable[[str], None], *, besides: int = 0) -> None:
        self._write, self._width = write, shutil.get_terminal_size((100, 40)).columns
        self._left = _room() - besides
        self._row: list[list[Line]] = []
        self._used, self._begun = 0, False
        self.hidden = 0

    @property
    def is_new(self) -> bool:
        """Whether it has no picture yet."""
        return not self._row and not self._begun

    def add(self, lines: Sequence[str]) -> None:
        """Take the next picture."""
        if self.hidden:
            self.hidden += 1
            return
        block = [(line, _width(line)) for line in lines]
        from latcover.show.drawing.text.beside import width_of  # most commands show no blocks

        width = width_of(block)
        if self._row and self._used + GAP + width > self._width:
            self._write_row()
        self._used += width + (GAP if self._row else 0)
        self._row.append(block)
        if self.hidden:
            self.hidden += len(self._row)
            self._row = []

    def end(self, *, more: str = MORE) -> None:
        """Write what waits, and how many there are besides; *more* says how all are shown."""
        self._write_row()
        if self.hidden:
            self._write(f"… {self.hidden:,} more ({more})\n")

    def _write_row(self) -> None:
        row, self._row, self._used = self._row, [], 0
        if not row:
            return
        height = max(map(len, row)) + 1
        if self._begun and height > self._left:
            self.hidden += len(row)
            return
        self._begun, self._left = True, self._left - height
        from latcover.show.drawing.text.beside import joined

        self._write("\n".join([*(text.rstrip() for text, _ in joined(row, " " * GAP)), ""]))


def echo_view(view: PuzzleView, *, color: bool | None, every: bool) -> None:
    """Print a view in letters. Of several pictures a terminal shows those that fit, unless *every* one is wanted."""
    how: dict[str, Any] = {"colour": wants_colour(color), "width": screen_width()}
    if view.pictures is None or every or not is_terminal(sys.stdout):
        echo_picture("\n".join(view.lines(**how)))
        return
    screen = Screenful(echo_picture)
    for lines in view.pictures(**how):
        screen.add(lines)
    screen.end()


class ScreenOfLines:
    """Results in lines are written until the height of a terminal is used; later ones are only counted.

    If standard output is no terminal, or *every* one is wanted, all are written. *besides* lines are left for more than
    the answer.
    """

    def __init__(self, write: Callable[[str], None], *, every: bool, besides: int = 0) -> None:
        is_whole = every or not is_terminal(sys.stdout)
        self._write, self._left = write, None if is_whole else max(FEWEST // 2, _room() - besides)
        self.hidden = 0

    def __call__(self, text: str) -> None:
        """Take the next result: a line, or several."""
        if self._left is None:
            self._write(text)
            return
        self._left -= _height(text)
        if self._left < 0:
            self.hidden += 1
        else:
            self._write(text)

    def end(self, more: str = MORE) -> None:
        """Write how many there are besides."""
        if self.hidden:
            self._write(f"… {self.hidden:,} more ({more})")


def table_for_screen(text: str, *, head: int = 1, foot: int = 0, every: bool = False, more: str = MORE) -> str:
    """A table as a terminal shows it: its first rows, and how many more there are; elsewhere all of it.

    Args:
        text: Its lines.
        head, foot: How many of these are no rows, above and below.
        every: Whether a terminal shows all rows, too.
        more: How all are shown.
    """
    lines = text.split("\n")
    rows, below = lines[head : len(lines) - foot], lines[len(lines) - foot :]
    left = _room() - head - foot
    if every or not is_terminal(sys.stdout) or sum(map(_height, rows)) <= left:
        return text
    shown: list[str] = []
    while rows and (left := left - _height(rows[0])) >= 0:
        shown.append(rows.pop(0))
    return "\n".join([*lines[:head], *shown, f"… {len(rows):,} more ({more})", *below])


def _room() -> int:
    """The lines of a terminal that results may take."""
    return max(FEWEST, shutil.get_terminal_size((100, 40)).lines - BELOW)


def _height(text: str) -> int:
    """The lines of a terminal that a text takes."""
    columns = shutil.get_terminal_size((100, 40)).columns
    return sum(max(1, -(-_width(line) // columns)) for line in text.split("\n"))


def _width(text: str) -> int:
    """The columns that a line takes."""
    plain = _CODES.sub("", text)
    if plain.isascii():
        return len(plain)
    from rich.cells import cell_len

    return cell_len(plain)
