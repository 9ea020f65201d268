"""The values of the sides of tiles in text: letters around the letter of each tile, or a list of words.

Each line begins with #, so that readers of solutions (formats/letters) skip it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.side_letters import side_letters
from latcover.core.model.solution import Cell, Solution
from latcover.errors import escaped
from latcover.show.drawing.palette import RGB, painted
from latcover.show.drawing.scenes.side_marks import side_looks
from latcover.show.drawing.text.text_grid import layers_of, places_of

MARGIN = "# "
NONE = "."  # at a side without a value
STEEP = 0.6  # the least sine of a side that is above or below its cell, not beside it
ASKEW = 0.3  # the least cosine of such a side that is not straight above or below
STEP = 7  # characters from one cell to the next in a row
WIDE_STEP = 8  # the same where rows are shifted by half a cell
GAP = 3  # characters between two entries of a list
HEIGHT = 3  # lines for each cell

Signs = dict[str, tuple[str, RGB]]  # of each value: its letter and its colour
Place = tuple[int, int]  # line, column
Entry = tuple[str, int]  # text, and its width on the screen


def sides_as_lines(puzzle: Puzzle, solution: Solution, signs: Sequence[str], *, colour: bool, width: int) -> list[str]:
    """The values of the sides in a solution; no line unless a part is a tile, with values all around.

    In the plane the letters are placed like the sides, with three lines for each row of cells. If there is no room, or
    in three dimensions, each tile is a word: its letters clockwise from the top, then up and down. *signs* holds the
    letter of each placement.
    """
    values = _signs(puzzle)
    if not values:
        return []
    texts = {name: painted(sign, rgb) if colour else sign for name, (sign, rgb) in values.items()}
    drawn = _picture(puzzle, solution, signs, texts)
    named = {name: escaped(name) for name in texts if values[name][0] != name}
    legend = [(f"{texts[name]}: {shown}", 3 + len(shown)) for name, shown in named.items()]
    how = ""
    if drawn is None or drawn[1] + len(MARGIN) > width:
        deep = ", then up and down" if puzzle.lattice.dimension > 2 else ""
        how = f": clockwise from the top{deep}"
        lines = _folded([(text, len(text)) for text in _words(puzzle.lattice, solution, signs, values)], width)
    else:
        lines = drawn[0]
    return [f"{MARGIN}{line}".rstrip() for line in (f"sides{how}", *lines, *_folded(legend, width))]


@lru_cache(maxsize=4)
def _signs(puzzle: Puzzle) -> Signs:
    """A letter and a colour for each value; empty if no part is a tile, or if there are too many values."""
    if not any(_all_round(puzzle.lattice, part.cells.tolist(), part.sides[:, :2].tolist()) for part in puzzle.parts):
        return {}
    looks = side_looks(puzzle.rules)
    letters = side_letters(list(looks))
    return dict(zip(looks, zip(letters, looks.values(), strict=True), strict=True)) if letters else {}


def _all_round(lattice: Lattice, cells: Sequence[Sequence[int]], sides: Sequence[Sequence[int]]) -> bool:
    """Whether every outer side of the part has a value."""
    own, borne = set(map(tuple, cells)), set(map(tuple, sides))
    return bool(borne) and all(
        (k, h) in borne or lattice.half_edges[h].across(cell) in own
        for k, cell in enumerate(map(tuple, cells))
        for h in lattice.clockwise[cell[0]]
    )


def _picture(
    puzzle: Puzzle, solution: Solution, signs: Sequence[str], texts: Mapping[str, str]
) -> tuple[list[str], int] | None:
    """The lines, and their greatest width on the screen; None if letters would overlap."""
    lattice = puzzle.lattice
    if lattice.dimension != 2:
        return None
    middle = _middles(puzzle, solution)
    away = _where_sides_stand(lattice)
    shown: dict[Place, str] = {}
    looks = dict.fromkeys(middle, NONE)
    for placed, sign in zip(solution.placements, signs, strict=True):
        looks |= dict.fromkeys(placed.cells, sign)
    letters = [(middle[cell], sign) for cell, sign in looks.items()]
    for placed in solution.placements:
        for cell, label, name in placed.sides:
            line, column = middle[cell]
            down, right = away[cell[0], label]
            letters.append(((line + down, column + right), texts[name]))
    for place, text in letters:
        if place in shown:
            return None
        shown[place] = text
    return _rows(shown), max(column for _, column in shown) + 1


def _middles(puzzle: Puzzle, solution: Solution) -> dict[Cell, Place]:
    """The place of the letter of each cell."""
    foreign = dict.fromkeys(cell for placed in solution.placements for cell in placed.cells)
    listed = list(dict.fromkeys([*map(tuple, puzzle.region.cells.tolist()), *foreign]))
    (lines,) = places_of(puzzle.lattice, layers_of(puzzle.lattice, np.array(listed, np.int32)))
    shifted = any(abs(right - round(right)) > 0.1 for line in lines for right, _ in line)
    step = WIDE_STEP if shifted else STEP
    return {listed[k]: (HEIGHT * n + 1, round(step * right) + 2) for n, line in enumerate(lines) for right, k in line}


@lru_cache(maxsize=8)
def _where_sides_stand(lattice: Lattice) -> dict[tuple[int, str], Place]:
    """The offset of a half-edge's letter from its cell's letter, down and right, by node and label."""
    found = {}
    for edge in lattice.half_edges:
        here = (edge.node, *[0] * lattice.dimension)
        own, other = lattice.centres(np.array([here, edge.across(here)], np.int32))
        x, y = (other - own) / np.linalg.norm(other - own)
        beside = -1 if x < 0 else 1
        if abs(y) < STEEP:
            found[edge.node, edge.label] = (0, 2 * beside)
        else:
            found[edge.node, edge.label] = (-1 if y > 0 else 1, beside if abs(x) > ASKEW else 0)
    return found


def _rows(shown: dict[Place, str]) -> list[str]:
    """Lines of text from texts of one character on the screen, by their places."""
    rows = [""] * (max(line for line, _ in shown) + 1)
    used = [0] * len(rows)
    for (line, column), text in sorted(shown.items()):
        rows[line] += " " * (column - used[line]) + text
        used[line] = column + 1
    return rows


def _words(lattice: Lattice, solution: Solution, signs: Sequence[str], values: Signs) -> Iterator[str]:
    """The letter of each placement, and a word for each of its cells."""
    for placed, sign in zip(solution.placements, signs, strict=True):
        borne = {(cell, label): values[name][0] for cell, label, name in placed.sides}
        words = [
            "".join(borne.get((cell, lattice.half_edges[h].label), NONE) for h in lattice.clockwise[cell[0]])
            for cell in placed.cells
        ]
        yield " ".join([sign, *words])


def _folded(entries: Sequence[Entry], width: int) -> list[str]:
    """The entries on as few lines as they need."""
    lines: list[list[str]] = []
    used = 0
    for text, own in entries:
        used += GAP + own
        if not lines or used > width:
            lines.append([])
            used = len(MARGIN) + own
        lines[-1].append(text)
    return [(GAP * " ").join(line) for line in lines]
