"""Small pictures of puzzles, to choose among them: of a solution, or of the region."""

from __future__ import annotations

from dataclasses import replace

from latcover.drawing import scene
from latcover.drawing.svg import Entry, View, page
from latcover.drawing.svg_shapes import Look
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution

LOOK = Look(letters=False, scale=32.0)


def card(puzzle: Puzzle, solution: Solution | None) -> str:
    """The picture as the text of an SVG file. Without a solution it shows the region."""
    shown = _region(puzzle) if solution is None else scene.of_solution(puzzle, solution)
    return page(puzzle.title or puzzle.name, [Entry(shown)], LOOK, View.ISOMETRIC)


def _region(puzzle: Puzzle) -> scene.Scene:
    """The region in one colour, unless its cells have colours; what may stay empty is faint."""
    shown = scene.of_region(puzzle)
    items = tuple(item if item.patches or item.paint else replace(item, colour=0) for item in shown.items)
    return replace(shown, items=items)
