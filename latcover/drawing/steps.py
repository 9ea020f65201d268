"""A sheet of pictures for people who build: one for each move, in the order of putting together or of taking apart.

Every picture shows the group of pieces that a move is about, before the move: what is to be moved has its full colours
and an arrow, the rest is pale. Pieces that would hide it are glass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from latcover.drawing import explosion, scene
from latcover.drawing.dismantling import Dismantling, Moment, result_in_words
from latcover.drawing.outlines import Points
from latcover.drawing.painter import VIEWS, Picture, isometric, picture_bounds
from latcover.drawing.palette import RGB, hexadecimal, shaded
from latcover.drawing.poster import wrapped
from latcover.drawing.scene import Item, Scene
from latcover.drawing.svg import GAP, LOOK, PAGE_WIDTH, PRINT, document, put
from latcover.drawing.svg_flat import flat_panel
from latcover.drawing.svg_isometric import isometric_panel
from latcover.drawing.svg_shapes import LINE, Definitions, Frame, Look, Panel, Style, frame_of, number, path_data
from latcover.errors import UnsupportedError, counted
from latcover.model.disassembly import Disassembly, Pieces, Step
from latcover.model.move_words import move_as_text
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution

COLUMNS = 3
MARGIN = 14.0  # around everything, and within a field
TITLE, FONT, NUMBER = 20.0, 13.0, 17.0  # sizes of fonts
LINE_HEIGHT = 1.35
SANS = 1.08  # how much wider a letter is than one of a poster
BOLD = 1.15  # how much wider a bold letter is
PALE = 1.62  # the brightness of what does not move
QUIET, GLASS, MOVING = Style("#85857c"), Style("#85857c", 1.0, 0.22), Style(width=1.5)
ARROW: RGB = (200, 16, 46)
ARROW_LENGTH = (1.1, 2.4)  # of the size of a cell: at least, at most
ARROW_WIDTH = 0.13  # of the size of a cell
END_ON = 0.3  # an arrow that is seen shorter than this share of itself points at the viewer, or away


def steps_page(
    puzzle: Puzzle, solution: Solution, disassembly: Disassembly, look: Look = LOOK, *, apart: bool = False
) -> str:
    """The sheet as the text of an SVG file.

    Args:
        puzzle: The puzzle.
        solution: One of its solutions.
        disassembly: How it comes apart.
        look: Letters, patterns and the largest scale.
        apart: Whether the moves take the solution apart; otherwise they put it together.

    Raises:
        UnsupportedError: the solution does not come apart, or there is nothing to take apart.
    """
    definitions = Definitions()
    steps = drawn_steps(puzzle, solution, disassembly, (look, definitions), apart=apart)
    texts = [
        _wrapped(steps.title, PAGE_WIDTH - 2 * MARGIN, BOLD * TITLE),
        _wrapped(steps.legend, PAGE_WIDTH - 2 * MARGIN, FONT),
    ]
    content = _laid_out(texts, steps.panels, steps.captions, steps.numbers)
    return document(steps.title, "; ".join(steps.captions), definitions, content, PRINT)


@dataclass(frozen=True, slots=True)
class Steps:
    """The pictures of a sheet, all on one scale.

    Attributes:
        title: Of the solution, the order and the number of moves.
        legend: Which part has which letter, where that is not its name; may be empty.
        panels, captions, numbers: Of each picture; the number is that of the move, 0 for the picture of the whole.
    """

    title: str
    legend: str
    panels: list[Panel]
    captions: list[str]
    numbers: list[int]


def drawn_steps(
    puzzle: Puzzle,
    solution: Solution,
    disassembly: Disassembly,
    how: tuple[Look, Definitions],
    *,
    apart: bool = False,
) -> Steps:
    """The pictures of the moves; see `steps_page`.

    Raises:
        UnsupportedError: the solution does not come apart, or there is nothing to take apart.
    """
    look, definitions = how
    shown = scene.of_solution(puzzle, solution)
    items = shown.items[: disassembly.n_pieces]
    dismantling = Dismantling(
        puzzle,
        solution,
        disassembly,
        [explosion.reach_of(item) for item in items],
        np.zeros((len(items), 3)),
        shown.size,
    )
    words = result_in_words(disassembly)
    if not dismantling.separations:
        raise UnsupportedError(
            f"{shown.title} has no steps to draw: {words}; choose one that comes apart with --solution N"
        )
    sheet = _Sheet(dismantling, shown, items, backwards=not apart)
    fields = sheet.fields()
    order = "taking apart" if apart else "putting together"
    title = f"{shown.title}: {order} in {counted(sheet.n_moves, 'move')}"
    drawn = sheet.drawn(fields, look, definitions)
    return Steps(title, sheet.legend(), drawn, [field.caption for field in fields], [field.number for field in fields])


@dataclass(frozen=True, slots=True, eq=False)
class _Field:
    """One picture of the sheet.

    Attributes:
        number: Of the move, from 1; 0 for the picture of the whole.
        caption: Its words, a sentence without its stop.
        scene: What is drawn, each item where it is.
        styles: Of its items.
        picture: The same from the sheet's corner; None for a flat scene.
        arrow: Where it begins and ends, shape (2, 3); None for none.
    """

    number: int
    caption: str
    scene: Scene
    styles: dict[int, Style]
    picture: Picture | None
    arrow: Points | None


class _Sheet:
    """Makes the pictures of a sheet."""

    def __init__(self, apart: Dismantling, shown: Scene, items: Sequence[Item], *, backwards: bool) -> None:
        self._apart, self._shown, self._items, self._backwards = apart, shown, items, backwards
        letters = [item.letter for item in items]
        unique = len(set(letters)) == len(letters)
        self._names = letters if unique else [placed.part for placed in apart.solution.placements]
        self._corner = list(VIEWS)[apart.best_way(np.array([view[2] for view in VIEWS.values()]))]
        self.n_moves = sum(len(separation.steps) for separation in apart.separations)

    def legend(self) -> str:
        """Which part has which letter, where that is not its name."""
        told = dict.fromkeys((name, item.name) for name, item in zip(self._names, self._items, strict=True))
        return ", ".join(f"{letter} = {name}" for letter, name in told if letter != name)

    def fields(self) -> list[_Field]:
        """The pictures in their order."""
        found: list[_Field] = []
        before = np.zeros(0)
        for moment in self._apart.moments():
            if moment.step is not None:
                found.append(self._field(len(found), moment, moment.step, before))
            before = moment.shifts
        if self._backwards:
            everything = tuple(range(len(self._items)))
            whole = self._scene(everything, np.zeros((len(everything), 3)), everything, ())
            picture = self._picture(whole[0])
            words = f"All {counted(len(everything), 'part')} together"
            return [*reversed(found), _Field(0, words, *whole, picture, None)]
        return found

    def _field(self, made: int, moment: Moment, step: Step, before: Points) -> _Field:
        flat = not step.direction
        group = self._apart.separations[moment.separation].pieces
        shifts = before if flat or not self._backwards else moment.shifts
        hidden: Pieces = ()
        if self._shown.dimension == 3:
            hidden = self._apart.hiding(moment.separation, step, (shifts,), VIEWS[self._corner])
        drawn, styles = self._scene(group, shifts, step.pieces, hidden)
        number = self.n_moves - made if self._backwards else made + 1
        if flat:
            name = self._names[step.pieces[0]]
            words = f"put in part {name}" if self._backwards else f"lift part {name} off"
        else:
            words = move_as_text(self._apart.puzzle.lattice, step, self._names, backwards=self._backwards)
        arrow = None if flat else self._arrow(step.pieces, shifts, -moment.by if self._backwards else moment.by)
        return _Field(number, words[0].upper() + words[1:], drawn, styles, self._picture(drawn), arrow)

    def _picture(self, drawn: Scene) -> Picture | None:
        return isometric(drawn, self._corner) if drawn.dimension == 3 else None

    def _scene(self, group: Pieces, shifts: Points, movers: Pieces, hidden: Pieces) -> tuple[Scene, dict[int, Style]]:
        """The pieces of a group, and the styles of them."""
        items: list[Item] = []
        styles: dict[int, Style] = {}
        for k in group:
            moves = k in movers
            item = self._items[k].moved(shifts[k][: self._shown.dimension])
            styles[len(items)] = MOVING if moves else GLASS if k in hidden else QUIET
            items.append(item if moves else item.tinted(lambda rgb: shaded(rgb, PALE)))
        flat = self._shown.dimension == 2
        boxes = self._apart.boxes(np.eye(3))[list(group)] + shifts[list(group), None]
        low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
        if flat:
            low, high = (np.array(corner[:2]) for corner in (low, high))
            if self._apart.disassembly.flat:
                low, high = self._shown.low, self._shown.high
                items += [item for item in self._shown.items if item.faint]
        return replace(self._shown, items=tuple(items), low=low, high=high), styles

    def _arrow(self, movers: Pieces, shifts: Points, by: Points) -> Points:
        """From the foremost point of what moves, along its middle, as far as it goes."""
        boxes = self._apart.boxes(np.eye(3))[list(movers)] + shifts[list(movers), None]
        low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
        length = float(np.linalg.norm(by))
        way, half = by / length, (high - low) / 2
        with np.errstate(divide="ignore"):
            front = float(np.min(np.where(np.abs(way) > 1e-9, half / np.abs(way), np.inf)))
        least, most = (share * self._shown.size for share in ARROW_LENGTH)
        start = (low + high) / 2 + max(0.0, front - 0.3 * self._shown.size) * way
        return np.stack([start, start + min(max(length, least), most) * way])

    def drawn(self, fields: Sequence[_Field], look: Look, definitions: Definitions) -> list[Panel]:
        """The pictures, all on one scale, so that a row has room for them."""
        frames = [self._frame(field, look) for field in fields]
        room = (PAGE_WIDTH - (COLUMNS - 1) * GAP) / COLUMNS - 2 * MARGIN
        widest = max(frame.size[0] for frame in frames)
        look = replace(look, scale=look.scale * min(1.0, room / widest))
        return [self._drawn(field, self._frame(field, look), look, definitions) for field in fields]

    def _seen(self, points: Points) -> Points:
        """Points as the picture has them."""
        return points[:, :2] if self._shown.dimension == 2 else points @ VIEWS[self._corner].T

    def _frame(self, field: _Field, look: Look) -> Frame:
        """The frame around a picture and its arrow."""
        bounds = (
            np.array([field.scene.low, field.scene.high])
            if field.picture is None
            else picture_bounds(field.picture.shapes)
        )
        if field.arrow is not None:
            ends = self._seen(field.arrow)[:, :2]
            margin = 2 * ARROW_WIDTH * self._shown.size
            bounds = np.array([bounds[0], bounds[1], *(ends - margin), *(ends + margin)])
        return frame_of(bounds.min(axis=0), bounds.max(axis=0), self._shown, look)

    def _drawn(self, field: _Field, frame: Frame, look: Look, definitions: Definitions) -> Panel:
        if field.picture is None:
            shown = replace(field.scene, low=frame.low, high=frame.high)
            panel = flat_panel(shown, look, definitions)
        else:
            panel = isometric_panel(field.scene, field.picture, look, definitions, field.styles, frame)
        if field.arrow is not None:
            panel.element.append(self._drawn_arrow(field.arrow, frame))
        return panel

    def _drawn_arrow(self, arrow: Points, frame: Frame) -> Element:
        seen = self._seen(arrow)
        start, end = frame(seen[:, :2])
        width = ARROW_WIDTH * self._shown.size * frame.factor
        way = end - start
        length = float(np.linalg.norm(way))
        element = Element("g", {"class": "arrow", "stroke-linejoin": "round", "stroke": "#ffffff"})
        paint = {"fill": hexadecimal(ARROW), "stroke-width": number(width * 0.5), "paint-order": "stroke"}
        if length < END_ON * float(np.linalg.norm(arrow[1] - arrow[0])) * frame.factor:
            towards = bool(seen[1, 2] > seen[0, 2])
            SubElement(element, "circle", {**_at(start), "r": number(2.2 * width), **paint})
            inner = {**_at(start), "r": number((0.8 if towards else 1.5) * width), "fill": "#ffffff"}
            SubElement(element, "circle", {**inner, "stroke": "none"})
            return element
        along = way / length
        across = np.array([-along[1], along[0]]) * width
        neck = end - along * min(2.6 * width, 0.6 * length)
        half = 0.42 * across
        ring = np.array(
            [start - half, neck - half, neck - 1.5 * across, end, neck + 1.5 * across, neck + half, start + half]
        )
        SubElement(element, "path", {"d": path_data([ring]), **paint})
        return element


def _at(point: Points) -> dict[str, str]:
    return {"cx": number(float(point[0])), "cy": number(float(point[1]))}


def _wrapped(text: str, width: float, font: float) -> list[str]:
    return wrapped(text, width, SANS * font)


def _text(parent: Element, lines: Sequence[str], x: float, y: float, font: float, **more: str) -> float:
    """Write lines, the first one below *y*. Returns where they end."""
    for line in lines:
        y += LINE_HEIGHT * font
        place = {"x": number(x), "y": number(y - 0.3 * font), "font-size": number(font), "text-anchor": "start"}
        element = SubElement(parent, "text", {**place, "fill": LINE, **more})
        element.text = line
    return y


def _laid_out(
    texts: Sequence[Sequence[str]], panels: Sequence[Panel], captions: Sequence[str], numbers: Sequence[int]
) -> Panel:
    """Title, legend, and the fields in rows; a field has its number, its picture and its caption."""
    element = Element("g")
    y = _text(element, texts[0], MARGIN, MARGIN, TITLE, **{"font-weight": "bold"})
    y = _text(element, texts[1], MARGIN, y, FONT) + MARGIN
    width = (PAGE_WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    for first in range(0, len(panels), COLUMNS):
        row = range(first, min(first + COLUMNS, len(panels)))
        lines = {k: _wrapped(captions[k], width - 2 * MARGIN - 2.2 * NUMBER, FONT) for k in row}
        words = max(LINE_HEIGHT * FONT * len(lines[k]) for k in row)
        tallest = max(panels[k].height for k in row)
        height = tallest + words + 3 * MARGIN
        for k in row:
            x = MARGIN + (k - first) * (width + GAP)
            field = SubElement(element, "g", {"class": "step", "transform": f"translate({number(x)} {number(y)})"})
            box = {"width": number(width), "height": number(height), "rx": "6", "fill": "none", "stroke": "#c9c9c0"}
            SubElement(field, "rect", box)
            put(field, panels[k], (width - panels[k].width) / 2, MARGIN + (tallest - panels[k].height) / 2)
            top = tallest + 2 * MARGIN
            if numbers[k]:
                above = top - 0.32 * (NUMBER - FONT)
                _text(field, [f"{numbers[k]}"], MARGIN, above, NUMBER, **{"font-weight": "bold"})
            _text(field, lines[k], MARGIN + 2.2 * NUMBER, top, FONT)
        y += height + GAP
    return Panel(element, PAGE_WIDTH, y - GAP + MARGIN)
