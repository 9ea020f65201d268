"""Sheets of paper: their sizes, margins and fonts."""

from __future__ import annotations

from msgspec import Struct

from latcover.errors import PuzzleError, suggest

MM = 96 / 25.4  # pixels
PAPERS = {  # millimetres, portrait
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
FONT = 0.0145  # of the shorter side: the size of small text
LEAST_FONT = 9.0  # pixels
LONGEST_TITLE = 200  # characters


class Paper(Struct, frozen=True):
    """A sheet of paper, in millimetres."""

    width: float
    height: float

    @property
    def short(self) -> float:
        """The shorter side in pixels."""
        return min(self.width, self.height) * MM

    @property
    def wide(self) -> float:
        """The width in pixels."""
        return self.width * MM

    @property
    def high(self) -> float:
        """The height in pixels."""
        return self.height * MM

    @property
    def room(self) -> float:
        """The width in pixels between the margins."""
        return self.wide - 2 * self.margin

    @property
    def margin(self) -> float:
        return MARGIN * self.short

    @property
    def font(self) -> float:
        return max(LEAST_FONT, FONT * self.short)


def paper(name: str, *, landscape: bool = False) -> Paper:
    """The paper called *name*, such as "A2" or "letter"; a `PuzzleError` if there is none."""
    if name.lower() not in PAPERS:
        known = [each.upper() if each.startswith("a") else each for each in PAPERS]
        raise PuzzleError(f"no paper is called {name!r}{suggest(name, known)}")
    short, long = PAPERS[name.lower()]
    return Paper(long, short) if landscape else Paper(short, long)
