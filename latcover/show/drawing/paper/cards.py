"""Small pictures of puzzles for galleries: a solution, the region, or the parts."""

from __future__ import annotations

from math import ceil, sqrt

from msgspec.structs import replace

from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.errors import counted
from latcover.show.drawing.paper.styles import PictureStyle, Projection
from latcover.show.drawing.paper.svg import document, in_columns, page, panels_of
from latcover.show.drawing.paper.svg_shapes import Definitions
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import CaptionedScene, Scene

LOOK = PictureStyle(letters=False, scale=32.0)
MOST_PARTS = 30  # of a card


def card(puzzle: Puzzle, solution: Solution | None) -> str:
    """The text of an SVG file that shows the solution, or else the region."""
    shown = _region(puzzle) if solution is None else scene.of_solution(puzzle, solution)
    return page(puzzle.title or puzzle.name, [CaptionedScene(shown)], LOOK, Projection.isometric)


def card_of_parts(puzzle: Puzzle) -> str:
    """The text of an SVG file that shows the parts in their colours, and no solution.

    Of a part with several copies each stands there, of one with any number of copies one, and of many parts the first.
    """
    names = [(part.name, copy) for part in puzzle.parts for copy in range(1, (part.high or 1) + 1)][:MOST_PARTS]
    shown = [CaptionedScene(scene.of_whole_part(puzzle, name, copy)) for name, copy in names]
    definitions = Definitions()
    panels = panels_of(shown, definitions, LOOK, Projection.isometric)
    title = puzzle.title or puzzle.name
    block = in_columns(panels, ceil(sqrt(len(panels))))
    return document(title, f"{title}: {counted(len(names), 'part')}", definitions, block)


def _region(puzzle: Puzzle) -> Scene:
    """The region in one colour, unless its cells have colours; optional cells are faint."""
    shown = scene.of_region(puzzle)
    items = tuple(item if item.patches or item.paint else replace(item, colour=0) for item in shown.items)
    return replace(shown, items=items)
