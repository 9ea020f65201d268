"""What a terminal shows of many results: those that fit on a screen, beside each other, and how many more there are."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from itertools import zip_longest

GAP = 4  # columns between two pictures
BELOW = 7  # lines of a screen for the command, the heading and the answer
FEWEST = 12  # lines of pictures, however small the terminal is
_CODES = re.compile(r"\x1b\[[\d;]*m")


class Screenful:
    """Pictures are written in rows as wide as the terminal, until its height is used; later ones are only counted.

    Attributes:
        hidden: How many pictures were not written.

    Args:
        write: Prints some lines.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        size = shutil.get_terminal_size((100, 40))
        self._write, self._width, self._left = write, size.columns, max(FEWEST, size.lines - BELOW)
        self._row: list[Sequence[str]] = []
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
        width = max(map(_width, lines), default=0)
        if self._row and self._used + GAP + width > self._width:
            self._write_row()
        self._used += width + (GAP if self._row else 0)
        self._row.append(lines)
        if self.hidden:
            self.hidden += len(self._row)
            self._row = []

    def end(self, *, more: str = "") -> None:
        """Write what waits, and how many there are besides; *more* says how all are shown."""
        self._write_row()
        if self.hidden:
            self._write(f"… {self.hidden:,} more{f' ({more})' if more else ''}\n")

    def _write_row(self) -> None:
        row, self._row, self._used = self._row, [], 0
        if not row:
            return
        height = max(map(len, row)) + 1
        if self._begun and height > self._left:
            self.hidden += len(row)
            return
        self._begun, self._left = True, self._left - height
        widths = [max(map(_width, lines), default=0) for lines in row]
        joined = [
            (" " * GAP).join(text + " " * (width - _width(text)) for text, width in zip(texts, widths, strict=True))
            for texts in zip_longest(*row, fillvalue="")
        ]
        self._write("\n".join([*(line.rstrip() for line in joined), ""]))


def _width(text: str) -> int:
    """The columns that a line takes."""
    plain = _CODES.sub("", text)
    if plain.isascii():
        return len(plain)
    from rich.cells import cell_len

    return cell_len(plain)
