"""A small patch of a lattice: its cells with their coordinates as in files."""

from __future__ import annotations

from itertools import product
from math import prod

from msgspec.structs import replace

from latcover.core.model.lattice import Lattice
from latcover.core.model.solution import Cell
from latcover.errors import escaped
from latcover.show.drawing.palette import colour as part_colour
from latcover.show.drawing.paper.cards import LOOK
from latcover.show.drawing.paper.styles import USUAL, PictureStyle, Projection
from latcover.show.drawing.paper.svg import page
from latcover.show.drawing.part_letters import LETTERS
from latcover.show.drawing.scenes.scene_building import CellGroup, build_scene
from latcover.show.drawing.scenes.scene_model import PLAIN, CaptionedScene
from latcover.show.drawing.shapes.cell_corners import cells_array
from latcover.show.drawing.text.terminal_pictures import CellText, draw
from latcover.show.drawing.views.puzzle_views import PuzzleView

LARGER = 2.5  # the scale of cells, which have room for a line of text
MOST_CELLS = 36  # unless a single unit has more
FEW_CELLS = 16  # the same for a small picture
LONGEST = {1: 8, 2: 4, 3: 3}  # units along an axis, by dimension


def of_lattice(lattice: Lattice) -> PuzzleView:
    """The cells around the origin with their coordinates, in one colour for each node."""
    cells = patch(lattice)
    title = f"{lattice.title or lattice.name}: cells and their coordinates"
    return PuzzleView(
        title,
        {
            "lattice": lattice.name,
            "cells": [
                {"cell": lattice.written(cell), "neighbours": [*map(lattice.written, lattice.neighbours(cell))]}
                for cell in cells
            ],
        },
        lambda **how: _lines(lattice, cells, **how),
        lambda **_: [CaptionedScene(build_scene(lattice, title, [_group(lattice, cell) for cell in cells]))],
    )


def svg_of_lattice(lattice: Lattice, style: PictureStyle = USUAL, view: Projection | None = None) -> str:
    """The same picture as SVG."""
    shown = of_lattice(lattice)
    return page(shown.title, shown.entries(), replace(style, scale=LARGER * style.scale), view)


def small_svg_of_lattice(lattice: Lattice) -> str:
    """A small picture of fewer cells as SVG, without words: for a list in which one is chosen."""
    title = lattice.title or lattice.name
    shown = build_scene(lattice, title, [_group(lattice, cell) for cell in patch(lattice, most=FEW_CELLS)])
    return page(title, [CaptionedScene(shown)], LOOK, Projection.isometric)


def patch(lattice: Lattice, most: int = MOST_CELLS) -> list[Cell]:
    """The cells of a box of units at the origin, as many as a picture has room for: *most*, if a unit has not more."""
    sides = [1] * lattice.dimension
    for axis in list(range(lattice.dimension)) * LONGEST[lattice.dimension]:
        grown = [side + (k == axis) for k, side in enumerate(sides)]
        if max(grown) <= LONGEST[lattice.dimension] and prod(grown) * len(lattice.nodes) <= most:
            sides = grown
    return [(node, *at) for at in product(*map(range, sides)) for node in range(len(lattice.nodes))]


def _group(lattice: Lattice, cell: Cell) -> CellGroup:
    coordinates, node = _written(lattice, cell)
    colour = cell[0] if node else PLAIN
    return CellGroup(f"{coordinates} {node}".rstrip(), 1, colour, f"{coordinates}\n{node}".rstrip(), (cell,))


def _written(lattice: Lattice, cell: Cell) -> tuple[str, str]:
    """The coordinates of a cell, and the name of its node; "" if the lattice has only one."""
    return " ".join(map(str, cell[1:])), lattice.nodes[cell[0]].name if len(lattice.nodes) > 1 else ""


def _lines(lattice: Lattice, cells: list[Cell], *, colour: bool, width: int) -> list[str]:
    """A letter for each cell, and a legend in columns."""
    signs = [LETTERS[k % len(LETTERS)] for k in range(len(cells))]
    several = len(lattice.nodes) > 1
    marks = [CellText(sign, part_colour(cell[0]) if several else None) for sign, cell in zip(signs, cells, strict=True)]
    legend = [
        escaped(f"{sign}: {' '.join(_written(lattice, cell))}".rstrip())
        for sign, cell in zip(signs, cells, strict=True)
    ]
    column = max(map(len, legend)) + 3
    across = max(1, min(6, width // column))
    rows = ["".join(f"{text:<{column}}" for text in legend[k : k + across]) for k in range(0, len(legend), across)]
    drawn = draw(lattice, cells_array(lattice, cells), marks, colour=colour, width=width)
    return [*drawn, "", *(row.rstrip() for row in rows)]
