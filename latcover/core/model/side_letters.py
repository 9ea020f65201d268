"""Letters that stand for what sides bear, in puzzle files and in pictures."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters, digits

NO_VALUE = "._"  # for a side that bears nothing


def side_letters(names: Sequence[str]) -> list[str]:
    """A letter for each value of a side, by its name: its first if that is free; none if there are too many names."""
    found: list[str] = []
    for name in names:
        wanted = (name if len(name) == 1 else name[0].upper(), name[0].lower(), *ascii_letters, *digits)
        free = (sign for sign in wanted if sign not in found and sign.isprintable() and sign not in NO_VALUE + " ")
        if (sign := next(free, "")) == "":
            return []
        found.append(sign)
    return found
