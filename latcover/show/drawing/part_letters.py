"""Letters for the parts of a puzzle in all kinds of pictures."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from latcover.core.model.puzzle import Puzzle

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
CELL_SIGNS = "#+"  # a cell without a colour, and an optional cell


def letters(puzzle: Puzzle) -> dict[str, list[str]]:
    """Letters for the copies of each part: its name if that is one letter, otherwise free letters.

    If there are enough letters, each copy has its own; otherwise all copies of a part share one.
    """
    copies = {part.name: puzzle.most_copies(part) for part in puzzle.parts}
    apart = sum(copies.values()) <= len(LETTERS)
    found: dict[str, list[str]] = {}
    taken = {name for name in copies if _is_letter(name)}
    for name, number in copies.items():
        wanted = max(1, number) if apart else 1
        if _is_letter(name) and wanted == 1:
            found[name] = [name]
            continue
        own = [c for c in (name[0].upper(), name[0].lower()) if _is_letter(c)] if wanted == 1 else []
        free = [c for c in (*own, *LETTERS) if c not in taken or c == name]
        chosen = list(dict.fromkeys(free))[:wanted] or ["?"]
        taken.update(chosen)
        found[name] = chosen
    return found


def letters_of_colours(colours: Sequence[str]) -> tuple[str, ...]:
    """A letter for each colour, from its name if possible; none for the empty name."""
    found: list[str] = []
    for name in colours:
        free = [c for c in (*name, *LETTERS) if _is_letter(c) and c not in found and c not in CELL_SIGNS]
        found.append((free[0] if free else "?") if name else "")
    return tuple(found)


def _is_letter(text: str) -> bool:
    """Whether *text* takes one column of a terminal, and is not the sign of an empty cell."""
    plain = len(text) == 1 and text.isprintable() and text not in " ."
    return plain and not unicodedata.combining(text) and unicodedata.east_asian_width(text) not in "WF"
