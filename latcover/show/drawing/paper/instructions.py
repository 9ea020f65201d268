"""Building instructions on paper: a cover, the parts with their numbers, and a picture for each step.

The steps are those of a disassembly in reverse. If no disassembly is known, they show the parts from the bottom up, and
the cover says so.
"""

from __future__ import annotations

from collections import Counter
from math import ceil, sqrt
from xml.etree.ElementTree import Element

import numpy as np
from msgspec.structs import replace

from latcover.core.model.disassembly import Disassembly
from latcover.core.model.move_words import play_in_words
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Placed, Solution
from latcover.errors import counted
from latcover.show.drawing.paper.paper_sheet import LEADING, QUIET, TITLE, Heading, heading, on_paper, wrapped, write
from latcover.show.drawing.paper.papers import Paper
from latcover.show.drawing.paper.poster import Tile, placed_in_middle, sheets, tiles_of
from latcover.show.drawing.paper.steps import drawn_steps
from latcover.show.drawing.paper.styles import USUAL, PictureStyle, Projection
from latcover.show.drawing.paper.svg import fitted, in_columns, layer_panels
from latcover.show.drawing.paper.svg_shapes import Definitions, Panel
from latcover.show.drawing.part_letters import letters
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.dismantling import result_in_words
from latcover.show.drawing.scenes.scene_model import CaptionedScene

COLUMNS = 2  # of steps
COVER = 0.25  # of the height of the cover: the most that its title takes
LARGE = 1.6  # the size of the cover's title, as a multiple of other titles
TIMES = "\u00d7"
BEFORE = "Before you build: "


def instructions(
    puzzle: Puzzle,
    solution: Solution,
    disassembly: Disassembly,
    sheet: Paper,
    *,
    style: PictureStyle = USUAL,
    title: str | None = None,
    columns: int | None = None,
) -> list[str]:
    """The sheets of the instructions, as texts of SVG files.

    Args:
        puzzle: The puzzle.
        solution: One of its solutions.
        disassembly: How it comes apart, or that it does not.
        sheet: The paper.
        style: Letters and patterns.
        title: None takes the puzzle's.
        columns: Steps side by side; None for two.
    """
    play = disassembly.needed_play
    title, remark = title or heading(puzzle), "" if play is None else f"{BEFORE}it {play_in_words(play)}."
    if not disassembly.separations:  # nothing has to slide, or nothing can
        if len(solution.placements) > 1 and not disassembly.flat:
            remark = f"{BEFORE}{result_in_words(disassembly)}. The steps show the parts from the bottom up."
        solution = from_the_bottom(puzzle, solution)
        disassembly = Disassembly("apart", len(solution.placements), flat=True)
    pages = [_cover(puzzle, solution, sheet, style, title, remark)]
    definitions = Definitions()
    tiles = _part_tiles(puzzle, solution, style, definitions)
    kinds = counted(len(tiles), "kind") if len(tiles) < len(solution.placements) else ""
    words = ", ".join(filter(None, (counted(len(solution.placements), "part"), kinds)))
    pages += sheets(Heading("Parts", words), tiles, definitions, sheet)
    if len(solution.placements) > 1:
        definitions = Definitions()
        steps = drawn_steps(puzzle, solution, disassembly, style, definitions)
        tiles = [*steps.tiles, *_layers_tile(puzzle, solution, steps.tiles[-1].panel, style, definitions)]
        pages += sheets(Heading("Steps", steps.legend), tiles, definitions, sheet, columns or COLUMNS)
    return pages


def _layers_tile(
    puzzle: Puzzle, solution: Solution, whole: Panel, style: PictureStyle, definitions: Definitions
) -> list[Tile]:
    """The layers of a solution, as large as the picture of the *whole*; nothing if it has only one."""
    shown = scene.of_solution(puzzle, solution)
    if len(shown.heights) < 2:
        return []
    layers = layer_panels(shown, style, definitions, named=False)
    block = in_columns(layers, ceil(sqrt(len(layers))))
    return [Tile(fitted(block, whole.width, whole.height), "Its layers, the lowest first", framed=True)]


def from_the_bottom(puzzle: Puzzle, solution: Solution) -> Solution:
    """The solution with its placements sorted by their lowest cells, then by their middles, from back to front."""
    lattice = puzzle.lattice

    def height(placed: Placed) -> tuple[float, ...]:
        centres = lattice.centres(np.array(placed.cells, np.int32))
        if centres.shape[1] < 3:
            return (-float(centres[:, -1].max()), float(centres[:, 0].min()))
        low, middle = float(centres[:, 2].min()), centres.mean(axis=0)
        return (round(low, 6), round(float(middle[2]), 6), -round(float(middle[1]), 6), round(float(middle[0]), 6))

    placements = tuple(sorted(solution.placements, key=height))
    return Solution(placements, solution.number, solution.image, solution.orbit, solution.puzzle)


def _cover(puzzle: Puzzle, solution: Solution, sheet: Paper, style: PictureStyle, title: str, remark: str) -> str:
    shown, definitions = scene.of_solution(puzzle, solution), Definitions()
    plain = replace(style, letters=False)
    (tile,) = tiles_of([CaptionedScene(shown)], definitions, plain, Projection.isometric)
    root, font, middle = Element("g"), sheet.font, sheet.wide / 2
    large = LARGE * TITLE * font
    y = sheet.margin + 0.06 * sheet.high
    for text in wrapped(title, sheet.room, large, COVER * sheet.high):
        y += LEADING * large
        write(root, text, middle, y, large, text_anchor="middle", font_weight="bold")
    write(root, "Building instructions", middle, y + 2.6 * font, 1.5 * font, text_anchor="middle", fill=QUIET)
    cells = sum(len(placed.cells) for placed in solution.placements)
    facts = [f"{counted(len(solution.placements), 'part')} · {counted(cells, 'cell')} · solution {solution.number}"]
    facts += wrapped(puzzle.source.replace("`", ""), 0.8 * sheet.room, font, COVER / 2 * sheet.high)
    facts += wrapped(remark[:1].upper() + remark[1:], 0.8 * sheet.room, font)
    bottom = sheet.high - sheet.margin - len(facts) * 1.4 * font
    for k, text in enumerate(facts, 1):
        write(root, text, middle, bottom + k * 1.4 * font, font, text_anchor="middle", fill=QUIET)
    top, left, width = y + 5 * font, sheet.margin + 0.06 * sheet.wide, sheet.room - 0.12 * sheet.wide
    placed_in_middle(root, tile.panel, left, top, width, bottom - top - 2 * font)
    return on_paper(f"{title}: building instructions", shown.title, definitions, root, sheet)


def _part_tiles(puzzle: Puzzle, solution: Solution, style: PictureStyle, definitions: Definitions) -> list[Tile]:
    """A picture of each part of the solution in its orientation of the file, with its number, name and copies."""
    used, signs = Counter(placed.part for placed in solution.placements), letters(puzzle)
    names = [part.name for part in puzzle.parts if used[part.name]]
    entries = [CaptionedScene(scene.of_whole_part(puzzle, name)) for name in names]
    tiles = tiles_of(entries, definitions, style, Projection.isometric)
    found = []
    for number, (name, tile) in enumerate(zip(names, tiles, strict=True), 1):
        own = list(dict.fromkeys(signs[name][: used[name]]))
        letter = f" (in the pictures {', '.join(own)})" if own != [name] and style.letters else ""
        found.append(Tile(tile.panel, f"{used[name]} {TIMES} {name}{letter}", number, True))
    return found
