"""Pictures of puzzles, parts and solutions for notebooks."""

from __future__ import annotations

from functools import singledispatch
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from latcover.drawing import scene
from latcover.drawing.svg import Entry, page
from latcover.drawing.svg_shapes import Look
from latcover.errors import counted
from latcover.model.orientation import orientations
from latcover.model.puzzle import Part, Puzzle
from latcover.model.solution import Solution

SMALL = Look(letters=False, scale=18.0)
REGISTER = "http://www.w3.org/2000/svg"
MOST_CELLS = 5000  # of a region: a picture of more would be too large for a notebook


@singledispatch
def svg(thing: object) -> str | None:
    """*thing* as a picture; None if it cannot be drawn."""
    return None


@svg.register
def _(puzzle: Puzzle) -> str | None:
    if len(puzzle.region.cells) > MOST_CELLS:
        return None
    shown = scene.of_region(puzzle)
    return page(shown.title, [Entry(shown)])


@svg.register
def _(part: Part) -> str | None:
    if part.lattice is None:
        return None
    shown = scene.of_lone_part(part, part.lattice, part.number)
    return page(shown.title, [Entry(shown)])


@svg.register
def _(solution: Solution) -> str | None:
    if solution.puzzle is None:
        return None
    shown = scene.of_solution(solution.puzzle, solution)
    return page(shown.title, [Entry(shown)])


@singledispatch
def html(thing: object) -> str | None:
    """*thing* as a picture with text; None if there is no text."""
    return None


@html.register
def _(puzzle: Puzzle) -> str | None:
    """Title, source, region and parts."""
    root = Element("div")
    SubElement(root, "h3").text = puzzle.title or puzzle.name
    if puzzle.source:
        SubElement(root, "p").text = puzzle.source
    words = f"{puzzle.lattice.title}; {counted(len(puzzle.region.cells), 'cell')}; {counted(len(puzzle.parts), 'part')}"
    SubElement(root, "p").text = words
    _append(root, svg(puzzle))
    row = SubElement(root, "div", style="display:flex;flex-wrap:wrap;gap:12px;align-items:flex-end")
    for part in puzzle.parts:
        figure = SubElement(row, "figure", style="margin:0;text-align:center")
        shown = scene.of_lone_part(part, puzzle.lattice, puzzle.parts.index(part), rules=puzzle.rules)
        _append(figure, page(shown.title, [Entry(shown)], SMALL))
        SubElement(figure, "figcaption").text = f"{part.name}{copies(part)}"
    return tostring(root, encoding="unicode", method="html")


@html.register
def _(part: Part) -> str | None:
    """Name, size, copies and orientations."""
    picture = svg(part)
    if picture is None or part.lattice is None:
        return None
    root = Element("div")
    ways = len(orientations(part, range(part.lattice.dimension)))
    words = f"{part.name}: {counted(part.size, 'cell')}, {counted(ways, 'orientation')}{copies(part)}"
    SubElement(root, "p").text = words
    _append(root, picture)
    return tostring(root, encoding="unicode", method="html")


def copies(part: Part) -> str:
    """How often a part may be used; empty if it is exactly once."""
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
