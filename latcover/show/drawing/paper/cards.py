"""Small pictures of puzzles for galleries: a solution, or the region."""

from __future__ import annotations

from msgspec.structs import replace

from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.show.drawing.paper.styles import PictureStyle, Projection
from latcover.show.drawing.paper.svg import page
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import CaptionedScene, Scene

LOOK = PictureStyle(letters=False, scale=32.0)


def card(puzzle: Puzzle, solution: Solution | None) -> str:
    """The text of an SVG file that shows the solution, or else the region."""
    shown = _region(puzzle) if solution is None else scene.of_solution(puzzle, solution)
    return page(puzzle.title or puzzle.name, [CaptionedScene(shown)], LOOK, Projection.isometric)


def _region(puzzle: Puzzle) -> Scene:
    """The region in one colour, unless its cells have colours; optional cells are faint."""
    shown = scene.of_region(puzzle)
    items = tuple(item if item.patches or item.paint else replace(item, colour=0) for item in shown.items)
    return replace(shown, items=items)
