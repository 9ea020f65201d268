"""Values of sides that do not add up: an argument against matching puzzles, by counting.

It looks at puzzles in which every part is used a fixed number of times, no cell may stay empty, and each value fits
exactly one value. Two counts must then be right.

*Balance.* Each side that bears a value meets one that bears its mate, or looks out of the region. So what the parts
bear of a value beyond what stands at the rim must be even, if the value matches itself, or as much as of its mate.

*Tiles at the rim.* Where the rim asks for one value, a tile of one cell can only stand where as many sides look out as
its pattern allows. If the tiles that can stand at corners are fewer than the corners, or those that can stand at the
rim at all are fewer than the cells there, there is no solution.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.side_counts import is_fixed, outer_sides, side_counts
from latcover.core.model.puzzle import Puzzle
from latcover.errors import counted


def side_values(puzzle: Puzzle, table: PlacementTable) -> Iterator[str]:
    """The first sentence that refutes the puzzle by the values of its sides; nothing if none does."""
    if is_fixed(puzzle, table):
        yield from list(_out_of_balance(puzzle, table))[:1] or list(_too_few_at_the_rim(puzzle, table))[:1]


def _out_of_balance(puzzle: Puzzle, table: PlacementTable) -> Iterator[str]:
    """A value that occurs too often or too rarely for its mate."""
    rules, counts = puzzle.rules, side_counts(puzzle, table)
    if counts is None:
        return
    mate, total, n_outer = counts.mate, counts.total, counts.n_outer
    inner = counts.inner(rules.rim)
    name = rules.sides[rules.rim]
    if inner[rules.rim] < 0:
        sides = counted(n_outer, "side")
        yield f"the rim has {sides}, which must bear {name!r}, but the parts bear it on {int(total[rules.rim]):,} only"
    for value in range(1, len(total)):
        other, own = int(mate[value]), rules.sides[value]
        left = " besides those at the rim" if rules.rim in (value, other) else ""
        if other == value and inner[value] % 2:
            sides = counted(int(inner[value]), "side")
            yield f"{sides} of the parts{left} bear {own!r}; two of them meet each time, so their number must be even"
        elif other > value and inner[value] != inner[other]:
            theirs = f"{int(inner[other]):,} bear {rules.sides[other]!r}"
            sides = counted(int(inner[value]), "side")
            yield f"{sides} of the parts{left} bear {own!r}, but {theirs}, which each of them must meet"


def _too_few_at_the_rim(puzzle: Puzzle, table: PlacementTable) -> Iterator[str]:
    """Cells with so many outer sides, on which too few tiles fit."""
    if puzzle.rules.rim < 0 or any(part.size > 1 for part in puzzle.parts):
        return
    outer = outer_sides(puzzle, table)
    copies = np.array([part.low for part in puzzle.parts])
    most = np.zeros(len(puzzle.parts), np.int64)  # the most outer sides of a cell on which the part has a placement
    np.maximum.at(most, table.part_of, outer[table.cells])
    for n in range(int(outer.max(initial=0)), 0, -1):
        places, tiles = int((outer >= n).sum()), int(copies[most >= n].sum())
        if tiles < places:
            sides = "side" if n == 1 else "sides"
            where = f"{counted(places, 'cell')} of the region {'has' if places == 1 else 'have'}"
            have = "no tile" if not tiles else f"only {counted(tiles, 'tile')}"
            yield f"{where} {n} or more {sides} at the rim, but {have} {'fits' if tiles <= 1 else 'fit'} there"
            return
