"""Whether a part still fits into cells that are empty, told by trying every place: no tables of a search are used."""

from __future__ import annotations

from collections.abc import Set

import numpy as np

from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.solution import Cell


def open_to(part: Part, region: Region) -> set[Cell]:
    """The cells of *region* that a part may cover by its ``within`` and ``keep_off``."""
    found: set[Cell] = set(map(tuple, region.cells.tolist()))
    if part.within is not None:
        found &= set(map(tuple, region.wrapped(part.within).tolist()))
    if part.keep_off is not None:
        found -= set(map(tuple, region.wrapped(part.keep_off).tolist()))
    return found


def room_for(puzzle: Puzzle, part: Part, empty: Set[Cell]) -> list[Cell] | None:
    """Cells of *empty* that a copy of *part* may cover; None if it fits nowhere.

    Colours count, as everywhere, and the cells that the part is confined to; values on sides and rules do not.
    """
    region = puzzle.region
    if part.is_confined:
        empty = empty & open_to(part, region)
    colour = dict(zip(map(tuple, region.cells.tolist()), region.colours.tolist(), strict=True))
    for transformation in part.transformations:
        image = transformation.apply(part.cells)
        for start in sorted(empty):
            if start[0] != image[0, 0]:
                continue
            moved = image.copy()
            moved[:, 1:] += np.array(start[1:], np.int32) - image[0, 1:]
            cells = [tuple(row) for row in region.wrapped(moved).tolist()]
            if len(set(cells)) == part.size and empty >= set(cells):
                pairs = zip(part.colours.tolist(), (colour[cell] for cell in cells), strict=True)
                if all(0 in pair or pair[0] == pair[1] or pair in puzzle.rules.stands_on for pair in pairs):
                    return cells
    return None
