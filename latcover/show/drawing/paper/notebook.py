"""Pictures of puzzles, parts and solutions for notebooks."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring, tostring

from latcover.core.model.orientation import orientations
from latcover.core.model.puzzle import Part, PartSet, Puzzle
from latcover.core.model.solution import Solution
from latcover.errors import counted
from latcover.show.drawing.paper.styles import PictureStyle
from latcover.show.drawing.paper.svg import page, sheet
from latcover.show.drawing.paper.svg_shapes import add
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import CaptionedScene
from latcover.show.drawing.views import puzzle_views as views

SMALL = PictureStyle(letters=False, scale=18.0)
REGISTER = "http://www.w3.org/2000/svg"
MOST_CELLS = 5000  # of a region: a larger picture would be too much for a notebook
MOST_PARTS = 400  # of a set, likewise


def svg(thing: object) -> str | None:
    """A puzzle, a part, a set of parts or a solution as a picture; None if it cannot be drawn."""
    shown = None
    if isinstance(thing, PartSet) and len(thing.parts) <= MOST_PARTS:
        return sheet(thing.title or thing.name, views.of_part_set(thing).entries())
    if isinstance(thing, Puzzle) and len(thing.region.cells) <= MOST_CELLS:
        shown = scene.of_region(thing)
    elif isinstance(thing, Part) and thing.lattice is not None:
        shown = scene.of_lone_part(thing, thing.lattice, thing.number)
    elif isinstance(thing, Solution) and thing.puzzle is not None:
        shown = scene.of_solution(thing.puzzle, thing)
    return None if shown is None else page(shown.title, [CaptionedScene(shown)])


def html(thing: object) -> str | None:
    """A puzzle or a part as a picture with text; None if there is no text."""
    root = Element("div")
    if isinstance(thing, Puzzle):
        _describe_puzzle(root, thing)
    elif isinstance(thing, Part) and thing.lattice is not None:
        ways = len(orientations(thing, range(thing.lattice.dimension)))
        add(root, "p", f"{thing.name}: {counted(thing.size, 'cell')}, {counted(ways, 'orientation')}{copies(thing)}")
        _append(root, svg(thing))
    else:
        return None
    return tostring(root, encoding="unicode", method="html")


def _describe_puzzle(root: Element, puzzle: Puzzle) -> None:
    """Title, source, region and parts."""
    add(root, "h3", puzzle.title or puzzle.name)
    if puzzle.source:
        add(root, "p", puzzle.source.replace("`", ""))
    figures = f"{counted(len(puzzle.region.cells), 'cell')}; {counted(len(puzzle.parts), 'part')}"
    add(root, "p", f"{puzzle.lattice.title}; {figures}")
    _append(root, svg(puzzle))
    row = add(root, "div", style="display:flex;flex-wrap:wrap;gap:12px;align-items:flex-end")
    for number, part in enumerate(puzzle.parts):
        figure = add(row, "figure", style="margin:0;text-align:center")
        shown = scene.of_lone_part(part, puzzle.lattice, number, rules=puzzle.rules)
        _append(figure, page(shown.title, [CaptionedScene(shown)], SMALL))
        add(figure, "figcaption", f"{part.name}{copies(part)}")


def copies(part: Part) -> str:
    """How often a part may be used, in words; empty for exactly once."""
    if (part.low, part.high) == (1, 1):
        return ""
    if part.high is None:
        return f", {part.low} or more"
    return f", {part.low} of it" if part.low == part.high else f", {part.low} to {part.high} of it"


def _append(parent: Element, picture: str | None) -> None:
    if picture is None:
        return
    element = fromstring(picture)
    for inner in element.iter():  # HTML has SVG without a name space
        inner.tag = inner.tag.removeprefix(f"{{{REGISTER}}}")
    element.set("style", "max-width:100%;height:auto")
    parent.append(element)
