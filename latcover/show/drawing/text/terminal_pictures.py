"""Pictures in text: cells as coloured blocks with letters, or as letters alone; three dimensions layer by layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from msgspec import Struct

from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.orientation import orientations
from latcover.core.model.puzzle import Part, PartSet, Puzzle
from latcover.core.model.solution import Placed, Solution
from latcover.errors import escaped
from latcover.show.drawing.palette import RGB, cell_colours, heat, painted, part_colours
from latcover.show.drawing.part_letters import letters, letters_of_colours
from latcover.show.drawing.scenes.scene import looks_of_colours, looks_of_parts
from latcover.show.drawing.text.beside import Line, joined, width_of
from latcover.show.drawing.text.sides_in_text import MARGIN, sides_as_lines
from latcover.show.drawing.text.text_grid import Layer, layers_of, places_of

CELL_WIDTH = 2
GAP = 4
CLOSE = 2  # between layers without titles
MOST_SHAPES = 50_000  # cached placements


class CellText(Struct, frozen=True):
    """The content of a cell: the letter of its part or colour, and the background, None for none."""

    letter: str
    rgb: RGB | None = None


def draw(lattice: Lattice, cells: Cells, marks: Sequence[CellText], *, colour: bool, width: int) -> list[str]:
    """The lines of text that show *cells*, at most *width* characters wide if each layer fits."""
    return _drawn(lattice, cells, [block(mark, colour) for mark in marks], width)


def _drawn(lattice: Lattice, cells: Cells, texts: Sequence[str], width: int, titles: bool = True) -> list[str]:
    """`draw` with the text of each cell, `CELL_WIDTH` characters on the screen; layers have titles, or stand closer."""
    layers = layers_of(lattice, cells)
    if not titles:
        return _side_by_side(_grids(lattice, layers, texts), width, CLOSE)
    blocks = []
    for number, lines in enumerate(_grids(lattice, layers, texts), 1):
        title = f"layer {number}{' (bottom)' if number == 1 else ''}"
        blocks.append([(title, len(title)), *lines] if len(layers) > 1 else lines)
    return _side_by_side(blocks, width)


def _grids(lattice: Lattice, layers: list[Layer], texts: Sequence[str]) -> list[list[Line]]:
    """Each layer as rows of text, on one scale and in one frame."""
    return [
        [_row([(round(right * CELL_WIDTH), k) for right, k in line], texts) for line in lines]
        for lines in places_of(lattice, layers)
    ]


def _row(places: list[tuple[int, int]], texts: Sequence[str]) -> Line:
    text, at = "", 0
    for column, k in places:
        text += " " * (column - at)
        text += texts[k]
        at = max(at, column) + CELL_WIDTH
    return text, at


def block(mark: CellText, colour: bool) -> str:
    """The text of a cell, `CELL_WIDTH` characters on the screen."""
    text = f"{mark.letter} "
    return painted(text, mark.rgb) if colour and mark.rgb is not None else text


def _side_by_side(blocks: Sequence[list[Line]], width: int, gap: int = GAP) -> list[str]:
    """Blocks side by side, in as many rows as *width* requires, with empty lines between rows."""
    shelves: list[list[list[Line]]] = [[]]
    used = 0
    for each in blocks:
        needs = width_of(each) + gap
        if shelves[-1] and used + needs - gap > width:
            shelves.append([])
            used = 0
        shelves[-1].append(each)
        used += needs
    return [line for shelf in shelves for line in ("", *(text.rstrip() for text, _ in joined(shelf, " " * gap)))][1:]


def draw_solution(puzzle: Puzzle, solution: Solution, *, colour: bool, width: int, titles: bool = True) -> list[str]:
    """A solution: a letter for each part, on the colour of the part or of the cell.

    The layers of a solid stand side by side, the bottom first, with *titles* or without.

    A legend explains the letters that are not names of parts. It does not mention colours, so that formats/letters can
    read the text. The values of the sides of tiles follow, in lines that readers skip.
    """
    return _solution_text(puzzle, colour, width, titles).lines(solution)


class _Shape(Struct, frozen=True):
    """A placement, the numbers of its cells and their backgrounds."""

    placed: Placed
    cells: list[int]
    backgrounds: list[RGB]
    texts: dict[str, list[str]]  # the texts of its cells, by the letter of the copy


class _SolutionText:
    """Draws solutions of one puzzle. Their pictures of *cells* differ only in the texts of the cells."""

    def __init__(self, puzzle: Puzzle, colour: bool, width: int, cells: Cells, titles: bool) -> None:
        self.puzzle, self.colour, self.width, self._titles = puzzle, colour, width, titles
        self._signs, self._looks = letters(puzzle), looks_of_colours(puzzle)
        names = [part.name for part in puzzle.parts]
        self._paints = dict(zip(names, looks_of_parts(puzzle), strict=True))
        self._cell = {cell: k for k, cell in enumerate(map(tuple, cells.tolist()))}
        places = [f"\0{k}\0" for k in range(len(cells))]
        split = [line.split("\0") for line in _drawn(puzzle.lattice, cells, places, width, titles)]
        self._lines = [(pieces, [int(number) for number in pieces[1::2]]) for pieces in split]
        self._empty = [block(CellText("."), colour)] * len(cells)
        self._shapes: dict[int, _Shape] = {}  # by the id of the placement, which the shape keeps alive
        self._legends: dict[object, list[str]] = {}
        shown = {puzzle.colours[colour] for part in puzzle.parts for colour in part.colours.tolist()}
        self._numbered = bool(shown) and all(len(name) == 1 for name in shown)

    def lines(self, solution: Solution) -> list[str]:
        """The picture of a solution, and the legend."""
        foreign = [cell for placed in solution.placements for cell in placed.cells if cell not in self._cell]
        if foreign:  # the solution is not verified
            more = np.array(list(dict.fromkeys(foreign)), dtype=np.int32)
            everything = np.concatenate([self.puzzle.region.cells, more])
            return _SolutionText(self.puzzle, self.colour, self.width, everything, self._titles).lines(solution)
        shown = self._empty.copy()
        used: dict[str, int] = {}
        signs = []
        for placed in solution.placements:
            shape = self._shapes.get(id(placed)) or self._learn(placed)
            copy = used.get(placed.part, 0)
            used[placed.part] = copy + 1
            choice = self._signs[placed.part]
            letter = choice[copy % len(choice)]
            signs.append(letter)
            texts = shape.texts.get(letter) or self._texts(shape, letter)
            for cell, text in zip(shape.cells, texts, strict=True):
                shown[cell] = text
        lines = self._filled(shown)
        below = ["", "colours", *self._filled(self._colours(solution))] if self._numbered else []
        borne = sides_as_lines(self.puzzle, solution, signs, colour=self.colour, width=self.width)
        lines += self._legend(solution, used) + [f"{MARGIN}{line}".rstrip() if line else "" for line in below]
        return lines + ([""] if borne else []) + borne

    def _filled(self, shown: Sequence[str]) -> list[str]:
        """The picture with these texts in its cells."""
        lines = []
        for pieces, cells in self._lines:
            pieces[1::2] = [shown[cell] for cell in cells]
            lines.append("".join(pieces).rstrip())
        return lines

    def _colours(self, solution: Solution) -> list[str]:
        """The texts of cells whose colours have names of one character, such as numbers."""
        found = self._empty.copy()
        for placed in solution.placements:
            shape = self._shapes[id(placed)]
            for cell, name, rgb in zip(shape.cells, placed.colours, shape.backgrounds, strict=True):
                found[cell] = block(CellText(name, rgb), self.colour)
        return found

    def _learn(self, placed: Placed) -> _Shape:
        own = self._paints[placed.part]
        names = placed.colours or [""] * len(placed.cells)
        backgrounds = [self._looks.get(name, own) for name in names]
        if len(self._shapes) >= MOST_SHAPES:
            self._shapes.clear()
        shape = _Shape(placed, [self._cell[cell] for cell in placed.cells], backgrounds, {})
        self._shapes[id(placed)] = shape
        return shape

    def _texts(self, shape: _Shape, letter: str) -> list[str]:
        shape.texts[letter] = [block(CellText(letter, rgb), self.colour) for rgb in shape.backgrounds]
        return shape.texts[letter]

    def _legend(self, solution: Solution, used: Mapping[str, int]) -> list[str]:
        """The legend of the letters that are not names of parts; no line if there are none."""
        chosen = {name: [*dict.fromkeys(self._signs[name][:copies])] for name, copies in used.items()}
        if all(signs == [name] for name, signs in chosen.items()):
            return []
        seen = {placed.part for placed in solution.placements if not placed.colours or "" in placed.colours}
        key = (tuple(used.items()), frozenset(seen))
        if key not in self._legends:
            entries = []
            for name, signs in chosen.items():
                background = self._paints[name] if name in seen else None
                blocks = "".join(block(CellText(letter, background), self.colour) for letter in signs)
                entries.append(f"{blocks.rstrip()}: {escaped(name)}")
            self._legends[key] = ["", "   ".join(entries)]
        return self._legends[key]


@lru_cache(maxsize=4)
def _solution_text(puzzle: Puzzle, colour: bool, width: int, titles: bool) -> _SolutionText:
    return _SolutionText(puzzle, colour, width, puzzle.region.cells, titles)


def draw_shares(puzzle: Puzzle, shares: Sequence[Fraction], *, colour: bool, width: int) -> list[str]:
    """The region with a share of each cell in tenths; `LEGEND_OF_SHARES` explains them."""
    marks = [
        CellText("." if not share else "#" if share == 1 else str(int(10 * share)), heat(float(share)))
        for share in shares
    ]
    return draw(puzzle.lattice, puzzle.region.cells, marks, colour=colour, width=width)


LEGEND_OF_SHARES = ".: in no solution   0: in less than a tenth   1: in one to two tenths ...   #: in every solution"


def draw_region(puzzle: Puzzle, *, colour: bool, width: int) -> list[str]:
    """The region: # for a cell, + for an optional one, and letters for colours, with a legend."""
    region = puzzle.region
    signs, looks = letters_of_colours(puzzle.colours), looks_of_colours(puzzle)
    marks = [
        CellText("+" if optional else signs[tint] or "#", looks.get(puzzle.colours[tint]))
        for tint, optional in zip(region.colours.tolist(), region.optional.tolist(), strict=True)
    ]
    lines = draw(puzzle.lattice, region.cells, marks, colour=colour, width=width)
    return lines + _legend_of_colours(puzzle, region.colours[~region.optional].tolist(), colour)


def _legend_of_colours(puzzle: Puzzle, tints: Sequence[int], colour: bool) -> list[str]:
    """The legend of the letters of *tints*; no line if there are none."""
    signs, looks = letters_of_colours(puzzle.colours), looks_of_colours(puzzle)
    entries = [
        f"{block(CellText(signs[tint], looks[puzzle.colours[tint]]), colour).rstrip()}: {escaped(puzzle.colours[tint])}"
        for tint in sorted(set(tints))
        if tint
    ]
    return ["", "   ".join(entries)] if entries else []


def draw_part(puzzle: Puzzle, part: Part, *, colour: bool, width: int) -> list[str]:
    """A part in each of its orientations, with their numbers."""
    own = looks_of_parts(puzzle)[puzzle.parts.index(part)]
    letter, signs, looks = letters(puzzle)[part.name][0], letters_of_colours(puzzle.colours), looks_of_colours(puzzle)
    blocks = []
    for k, orientation in enumerate(orientations(part, puzzle.region.default_order()), 1):
        marks = [CellText(signs[t] or letter, looks.get(puzzle.colours[t], own)) for t in orientation.colours.tolist()]
        blocks.append(_shape(puzzle.lattice, orientation.cells, marks, str(k), colour))
    return _side_by_side(blocks, width) + _legend_of_colours(puzzle, part.colours.tolist(), colour)


def draw_part_set(found: PartSet, *, colour: bool, width: int) -> list[str]:
    """Each part of a set in the orientation of the file, below its name."""
    return _side_by_side(_blocks_of(found, colour), width)


def pictures_of_set(found: PartSet, *, colour: bool) -> list[list[str]]:
    """The lines of each of these pictures."""
    return [[text for text, _ in block] for block in _blocks_of(found, colour)]


def _blocks_of(found: PartSet, colour: bool) -> list[list[Line]]:
    looks = dict(zip(found.colours, cell_colours(found.colours), strict=True))
    signs = letters_of_colours(found.colours)
    lettered = all(len(part.name) == 1 for part in found.parts)
    blocks = []
    for part, own in zip(found.parts, part_colours([part.display_colour for part in found.parts]), strict=True):
        plain = CellText(part.name if lettered else "#", own)
        marks = [CellText(signs[t], looks[found.colours[t]]) if t else plain for t in part.colours.tolist()]
        blocks.append(_shape(found.lattice, part.cells, marks, escaped(part.name), colour))
    return blocks


def _shape(lattice: Lattice, cells: Cells, marks: Sequence[CellText], head: str, colour: bool) -> list[Line]:
    """A shape below its head: its layers side by side, bottom first, separated by bars."""
    grids = _grids(lattice, layers_of(lattice, cells), [block(mark, colour) for mark in marks])
    return [(head, len(head)), *joined(grids, "| ")]
