"""Blocks of text side by side. A line has its width on the screen beside it: colours take letters, but no room."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

Line = tuple[str, int]  # text, and its width on the screen


def joined(blocks: Sequence[list[Line]], between: str) -> list[Line]:
    """The lines of blocks side by side."""
    widths = [width_of(each) for each in blocks]
    whole = sum(widths) + len(between) * (len(widths) - 1)
    return [
        (between.join(text + " " * (width - used) for (text, used), width in zip(row, widths, strict=True)), whole)
        for row in zip_longest(*blocks, fillvalue=("", 0))
    ]


def width_of(lines: Sequence[Line]) -> int:
    return max((width for _, width in lines), default=0)
