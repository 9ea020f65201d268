"""Pictures in text: cells as coloured blocks with letters, or as letters alone; three dimensions layer by layer.

Everything is drawn from the Cartesian coordinates that the lattice file implies; nothing here knows a lattice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from latcover.drawing.letters import letters, letters_of_colours
from latcover.drawing.palette import BLACK, COLOURS, ink, terminal_number, terminal_rgb
from latcover.errors import escaped
from latcover.model.lattice import Cells, Lattice
from latcover.model.orientation import orientations
from latcover.model.puzzle import Part, Puzzle
from latcover.model.solution import Solution

CELL_WIDTH = 2
GAP = 4
PLAIN = -1  # a colour number that is left uncoloured


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands in one cell of a picture."""

    letter: str
    colour: int = PLAIN


def draw(lattice: Lattice, cells: Cells, marks: Sequence[Mark], *, colour: bool, width: int) -> list[str]:
    """Lines that show *cells*, at most *width* characters wide where a layer allows; layers are told apart by name."""
    layers = _layers(lattice, cells)
    blocks = []
    for number, lines in enumerate(_grids(layers, marks, colour), 1):
        title = f"layer {number}{' (bottom)' if number == 1 else ''}"
        blocks.append([(title, len(title)), *lines] if len(layers) > 1 else lines)
    return _side_by_side(blocks, width)


Line = tuple[str, int]  # text, and its width on the screen


def _layers(lattice: Lattice, cells: Cells) -> list[list[tuple[int, float, float]]]:
    """(index of a cell, x, y) by layer, bottom first; y grows upwards."""
    middles = np.zeros((len(cells), 3))
    middles[:, : lattice.dimension] = lattice.middles(cells)
    middles = np.round(middles / np.linalg.norm(lattice.basis, axis=1).min(), 6) + 0.0
    at_one_place: dict[tuple[float, ...], int] = {}  # cells of several nodes: the one of the first node is shown
    for k in np.argsort(cells[:, 0], kind="stable").tolist():
        at_one_place.setdefault(tuple(middles[k].tolist()), k)
    shown = sorted(at_one_place.values())
    return [
        [(k, float(middles[k, 0]), float(middles[k, 1])) for k in shown if middles[k, 2] == height]
        for height in np.unique(middles[:, 2])
    ]


def _grids(layers: list[list[tuple[int, float, float]]], marks: Sequence[Mark], colour: bool) -> list[list[Line]]:
    """Each layer as rows of text, all on one scale; layers that have a row in common have all their rows in common."""
    gap = min(_gaps(layers), default=1.0)
    left = min(x for layer in layers for _, x, _ in layer)
    heights = [{y for *_, y in layer} for layer in layers]
    grids = []
    for layer, own in zip(layers, heights, strict=True):
        shared = set[float]().union(*(other for other in heights if own & other))
        lines = []
        for height in sorted(shared, reverse=True):
            places = sorted((round((x - left) / gap * CELL_WIDTH), k) for k, x, y in layer if y == height)
            lines.append(_row(places, marks, colour))
        grids.append(lines)
    return grids


def _gaps(layers: list[list[tuple[int, float, float]]]) -> Iterator[float]:
    """Distances between neighbours in a row."""
    for layer in layers:
        by_row = sorted((y, x) for _, x, y in layer)
        yield from (b[1] - a[1] for a, b in pairwise(by_row) if a[0] == b[0])


def _row(places: list[tuple[int, int]], marks: Sequence[Mark], colour: bool) -> Line:
    text, at = "", 0
    for column, k in places:
        text += " " * (column - at)
        text += block(marks[k], colour)
        at = max(at, column) + CELL_WIDTH
    return text, at


def block(mark: Mark, colour: bool) -> str:
    """One cell, `CELL_WIDTH` characters on the screen."""
    text = f"{mark.letter} "
    if not colour or mark.colour == PLAIN:
        return text
    background = terminal_number(mark.colour % len(COLOURS))
    foreground = 16 if ink(terminal_rgb(background)) == BLACK else 231
    return f"\x1b[48;5;{background};38;5;{foreground}m{text}\x1b[0m"


def _side_by_side(blocks: list[list[Line]], width: int) -> list[str]:
    lines: list[str] = []
    shelf: list[list[Line]] = []

    def close() -> None:
        widths = [max((w for _, w in b), default=0) for b in shelf]
        for r in range(max(map(len, shelf), default=0)):
            cells = [b[r] if r < len(b) else ("", 0) for b in shelf]
            padded = [text + " " * (w - used) for (text, used), w in zip(cells, widths, strict=True)]
            lines.append((" " * GAP).join(padded).rstrip())
        shelf.clear()

    used = 0
    for b in blocks:
        needs = max((w for _, w in b), default=0) + GAP
        if shelf and used + needs - GAP > width:
            close()
            lines.append("")
            used = 0
        shelf.append(b)
        used += needs
    close()
    return lines


def draw_solution(puzzle: Puzzle, solution: Solution, *, colour: bool, width: int) -> list[str]:
    """A solution, a letter and a colour for each part; a legend where the letters are not the parts' names."""
    signs = letters(puzzle)
    number_of = {part.name: p for p, part in enumerate(puzzle.parts)}
    used: Counter[str] = Counter()
    cells: list[tuple[int, ...]] = []
    marks: list[Mark] = []
    legend: dict[str, list[str]] = {}
    for placed in solution.placements:
        choice = signs[placed.part]
        letter = choice[used[placed.part] % len(choice)]
        used[placed.part] += 1
        if letter not in legend.setdefault(placed.part, []):
            legend[placed.part].append(letter)
        cells += placed.cells
        marks += [Mark(letter, number_of[placed.part])] * len(placed.cells)
    covered = set(cells)
    for cell in map(tuple, puzzle.region.cells.tolist()):
        if cell not in covered:
            cells.append(cell)
            marks.append(Mark("."))
    lines = draw(puzzle.lattice, np.array(cells, dtype=np.int32), marks, colour=colour, width=width)
    if any(chosen != [name] for name, chosen in legend.items()):
        entries = [
            "".join(block(Mark(letter, number_of[name]), colour) for letter in chosen).rstrip() + f": {escaped(name)}"
            for name, chosen in legend.items()
        ]
        lines += ["", "   ".join(entries)]
    return lines


def draw_region(puzzle: Puzzle, *, colour: bool, width: int) -> list[str]:
    """The region: # for a cell, + for an optional one, and letters for colours, with a legend."""
    region = puzzle.region
    signs = letters_of_colours(puzzle.colours)
    marks = []
    for tint, optional in zip(region.colours.tolist(), region.optional.tolist(), strict=True):
        letter = "+" if optional else signs[tint] or "#"
        marks.append(Mark(letter, tint - 1 if tint else PLAIN))
    lines = draw(puzzle.lattice, region.cells, marks, colour=colour, width=width)
    return lines + _legend_of_colours(puzzle, region.colours[~region.optional].tolist(), colour)


def _legend_of_colours(puzzle: Puzzle, tints: Sequence[int], colour: bool) -> list[str]:
    """What the letters of the colours stand for that are shown; no line where there are none."""
    signs = letters_of_colours(puzzle.colours)
    entries = [
        f"{block(Mark(signs[tint], tint - 1), colour).rstrip()}: {escaped(puzzle.colours[tint])}"
        for tint in sorted(set(tints))
        if tint
    ]
    return ["", "   ".join(entries)] if entries else []


def draw_part(puzzle: Puzzle, part: Part, *, colour: bool, width: int) -> list[str]:
    """A part in each of its orientations, numbered in the order in which they are generated."""
    number = puzzle.parts.index(part)
    letter = letters(puzzle)[part.name][0]
    signs = letters_of_colours(puzzle.colours)
    blocks: list[list[Line]] = []
    for k, orientation in enumerate(orientations(part, puzzle.region.default_order()), 1):
        marks = [Mark(signs[tint] or letter, tint - 1 if tint else number) for tint in orientation.colours.tolist()]
        layers = _layers(puzzle.lattice, orientation.cells)
        grids = _grids(layers, marks, colour)
        heads: Line = (str(k), len(str(k)))
        blocks.append([heads, *_joined(grids)])
    return _side_by_side(blocks, width) + _legend_of_colours(puzzle, part.colours.tolist(), colour)


def _joined(grids: list[list[Line]]) -> list[Line]:
    """The layers of one small shape beside each other, bottom first, parted by a bar."""
    widths = [max((w for _, w in grid), default=0) for grid in grids]
    rows = []
    for r in range(max(map(len, grids))):
        cells = [grid[r] if r < len(grid) else ("", 0) for grid in grids]
        texts = [text + " " * (w - used) for (text, used), w in zip(cells, widths, strict=True)]
        rows.append(("| ".join(texts), sum(widths) + 2 * (len(widths) - 1)))
    return rows
