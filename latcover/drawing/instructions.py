"""Building instructions on paper: a cover, the parts with their numbers, and a picture for each step.

The steps are those of a disassembly, backwards. Where it is not known that a solution comes apart, they show the parts
from the bottom up, and the cover says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element

import numpy as np

from latcover.drawing import scene
from latcover.drawing.dismantling import result_in_words
from latcover.drawing.letters import letters
from latcover.drawing.poster import (
    LEADING,
    MM,
    QUIET,
    TITLE,
    Paper,
    Tile,
    heading,
    on_paper,
    placed_in_middle,
    sheets,
    tiles_of,
    wrapped,
    write,
)
from latcover.drawing.steps import drawn_steps
from latcover.drawing.svg import LOOK, Entry, View
from latcover.drawing.svg_shapes import Definitions, Look
from latcover.errors import counted
from latcover.model.disassembly import Disassembly
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Placed, Solution

COLUMNS = 2  # of steps
COVER = 0.25  # of the height of the cover: its title takes no more
LARGE = 1.6  # how much larger the cover's title is than others
TIMES = "\u00d7"
BEFORE = "Before you build: "


def instructions(
    puzzle: Puzzle,
    solution: Solution,
    disassembly: Disassembly,
    sheet: Paper,
    how: tuple[Look, str, int | None] = (LOOK, "", None),
) -> list[str]:
    """The sheets of the instructions, as texts of SVG files.

    Args:
        puzzle: The puzzle.
        solution: One of its solutions.
        disassembly: How it comes apart, or that it does not.
        sheet: The paper.
        how: Letters and patterns; the title, "" for the puzzle's; how many steps stand side by side, None for two.
    """
    look, title, columns = how
    title = title or heading(puzzle)
    remark = ""
    if not disassembly.separations:  # nothing has to slide, or nothing can
        if len(solution.placements) > 1 and not disassembly.flat:
            remark = f"{BEFORE}{result_in_words(disassembly)}. The steps show the parts from the bottom up."
        solution = from_the_bottom(puzzle, solution)
        disassembly = Disassembly("apart", len(solution.placements), flat=True)
    pages = [_cover(puzzle, solution, sheet, (look, title, remark))]
    definitions = Definitions()
    tiles = _part_tiles(puzzle, solution, look, definitions)
    kinds = counted(len(tiles), "kind") if len(tiles) < len(solution.placements) else ""
    words = ", ".join(filter(None, (counted(len(solution.placements), "part"), kinds)))
    pages += sheets(("Parts", words), tiles, definitions, sheet)
    if len(solution.placements) > 1:
        definitions = Definitions()
        steps = drawn_steps(puzzle, solution, disassembly, (look, definitions))
        drawn = [
            Tile(panel, caption, number, True)
            for panel, caption, number in zip(steps.panels, steps.captions, steps.numbers, strict=True)
        ]
        pages += sheets(("Steps", steps.legend), drawn, definitions, sheet, columns or COLUMNS)
    return pages


def from_the_bottom(puzzle: Puzzle, solution: Solution) -> Solution:
    """The same solution, the placements in the order of their lowest cells, then of their middles: back to front."""
    lattice = puzzle.lattice

    def height(placed: Placed) -> tuple[float, ...]:
        centres = lattice.centres(np.array(placed.cells, np.int32))
        if centres.shape[1] < 3:
            return (-float(centres[:, -1].max()), float(centres[:, 0].min()))
        low, middle = float(centres[:, 2].min()), centres.mean(axis=0)
        return (round(low, 6), round(float(middle[2]), 6), -round(float(middle[1]), 6), round(float(middle[0]), 6))

    return replace_placements(solution, sorted(solution.placements, key=height))


def replace_placements(solution: Solution, placements: Sequence[Placed]) -> Solution:
    """A solution with its placements in another order."""
    return Solution(tuple(placements), solution.number, solution.image, solution.orbit, solution.puzzle)


def _cover(puzzle: Puzzle, solution: Solution, sheet: Paper, how: tuple[Look, str, str]) -> str:
    look, title, remark = how
    shown, definitions = scene.of_solution(puzzle, solution), Definitions()
    (tile,) = tiles_of([Entry(shown)], definitions, replace(look, letters=False), View.ISOMETRIC)
    root, font = Element("g"), sheet.font
    width, height, margin = sheet.width * MM, sheet.height * MM, sheet.margin
    large = LARGE * TITLE * font
    y = margin + 0.06 * height
    for text in wrapped(title, width - 2 * margin, large, COVER * height):
        y += LEADING * large
        write(root, text, (width / 2, y), large, text_anchor="middle", font_weight="bold")
    write(root, "Building instructions", (width / 2, y + 2.6 * font), 1.5 * font, text_anchor="middle", fill=QUIET)
    cells = sum(len(placed.cells) for placed in solution.placements)
    facts = [f"{counted(len(solution.placements), 'part')} · {counted(cells, 'cell')} · solution {solution.number}"]
    facts += wrapped(puzzle.source, 0.8 * (width - 2 * margin), font, COVER / 2 * height)
    facts += wrapped(remark[:1].upper() + remark[1:], 0.8 * (width - 2 * margin), font)
    bottom = height - margin - len(facts) * 1.4 * font
    for k, text in enumerate(facts, 1):
        write(root, text, (width / 2, bottom + k * 1.4 * font), font, text_anchor="middle", fill=QUIET)
    top = y + 5 * font
    box = (margin + 0.06 * width, top, width - 2 * margin - 0.12 * width, bottom - top - 2 * font)
    placed_in_middle(root, tile.panel, box)
    return on_paper(f"{title}: building instructions", shown.title, definitions, root, sheet)


def _part_tiles(puzzle: Puzzle, solution: Solution, look: Look, definitions: Definitions) -> list[Tile]:
    """A picture of each part that the solution uses, as it was written: number, name, and how many there are."""
    used, signs = Counter(placed.part for placed in solution.placements), letters(puzzle)
    names = [part.name for part in puzzle.parts if used[part.name]]
    entries = [Entry(scene.of_whole_part(puzzle, name)) for name in names]
    tiles = tiles_of(entries, definitions, look, View.ISOMETRIC)
    found = []
    for number, (name, tile) in enumerate(zip(names, tiles, strict=True), 1):
        own = list(dict.fromkeys(signs[name][: used[name]]))
        letter = f" (in the pictures {', '.join(own)})" if own != [name] and look.letters else ""
        found.append(Tile(tile.panel, f"{used[name]} {TIMES} {name}{letter}", number, True))
    return found
