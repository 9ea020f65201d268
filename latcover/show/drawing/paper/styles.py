"""What users choose of the look of pictures. Imports nothing slow."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

LINE = "#222222"


class Projection(StrEnum):
    """How scenes in space are drawn. `both` draws the isometric view first, then the layers."""

    layers = "layers"
    isometric = "isometric"
    both = "both"


class Sides(StrEnum):
    """How flat pictures show the values of the sides of tiles."""

    triangles = "triangles"  # areas that reach to the middle of a tile, or part of the way
    bands = "bands"  # strips along the sides
    letters = "letters"
    paths = "paths"  # lines between sides of the same value


class PictureStyle(Struct, frozen=True):
    """How a picture looks.

    Attributes:
        letters: Whether parts have letters.
        patterns: Whether parts have patterns besides colours, as they always do from the 25th on.
        scale: Pixels for the longest side of the box around a cell.
        sides: How flat pictures show the values of the sides of tiles.
    """

    letters: bool = True
    patterns: bool = False
    scale: float = 40.0
    sides: Sides = Sides.triangles


class ItemStyle(Struct, frozen=True):
    """How one item differs from the others.

    Attributes:
        line: The colour of its lines.
        width: How much wider they are than usual.
        opacity: An item below 1 has no letter, and hides no other item's letter.
    """

    line: str = LINE
    width: float = 1.0
    opacity: float = 1.0


USUAL = PictureStyle()
