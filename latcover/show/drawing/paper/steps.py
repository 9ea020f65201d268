"""A sheet with a picture of each move, in the order of putting a solution together or of taking it apart.

Every picture shows the group of pieces before the move. The pieces to move have full colours and an arrow, the others
are pale, and transparent where they would hide them.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.disassembly import Disassembly, Pieces, Step
from latcover.core.model.giving_way import farthest, giving_way, pushed
from latcover.core.model.move_words import move_as_text
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.core.model.turn_data import Turn
from latcover.errors import UnsupportedError, counted
from latcover.show.drawing.palette import shaded
from latcover.show.drawing.paper.arrows import move_arrow, move_sign
from latcover.show.drawing.paper.depth_order import picture_bounds
from latcover.show.drawing.paper.painter import VIEWS, Picture, isometric
from latcover.show.drawing.paper.paper_sheet import wrapped, write
from latcover.show.drawing.paper.poster import Tile
from latcover.show.drawing.paper.styles import USUAL, ItemStyle, PictureStyle
from latcover.show.drawing.paper.svg import GAP, PAGE_WIDTH, PRINT, document, put
from latcover.show.drawing.paper.svg_flat import flat_panel
from latcover.show.drawing.paper.svg_isometric import isometric_panel
from latcover.show.drawing.paper.svg_shapes import Definitions, Frame, Panel, add, frame_of, number
from latcover.show.drawing.scenes import explosion, scene
from latcover.show.drawing.scenes.dismantling import Dismantling, Moment, result_in_words
from latcover.show.drawing.scenes.poses import Poses, arc, moved_by_pose
from latcover.show.drawing.scenes.scene_model import Scene, SceneItem
from latcover.show.drawing.shapes.outlines import Points

COLUMNS = 3
MARGIN = 14.0  # around the page, and within a field
TITLE, FONT, NUMBER = 20.0, 13.0, 17.0  # sizes of fonts
LINE_HEIGHT = 1.35
SANS = 1.08  # the width of a letter, as a multiple of one on a poster
BOLD = 1.15  # the width of a bold letter, as a multiple of a plain one
PALE = 1.62  # the brightness of pieces that do not move
QUIET, GLASS, MOVING = ItemStyle("#85857c"), ItemStyle("#85857c", 1.0, 0.22), ItemStyle(width=1.5)
ARROW_LENGTH = (1.1, 2.4)  # least and greatest, in sizes of a cell
ARROW_WIDTH = 0.13  # of the size of a cell
PUSH_LENGTH, PUSH_WIDTH = 0.7, 0.08  # of the small arrow of a piece that is pushed aside, in sizes of a cell


def steps_page(
    puzzle: Puzzle,
    solution: Solution,
    disassembly: Disassembly,
    style: PictureStyle = USUAL,
    *,
    apart: bool = False,
) -> str:
    """The sheet as the text of an SVG file.

    Args:
        puzzle: The puzzle.
        solution: One of its solutions.
        disassembly: How it comes apart.
        style: Letters, patterns and the largest scale.
        apart: Whether the moves take the solution apart or put it together.

    Raises:
        UnsupportedError: the solution does not come apart, or there is nothing to take apart.
    """
    definitions = Definitions()
    steps = drawn_steps(puzzle, solution, disassembly, style, definitions, apart=apart)
    words = "; ".join(tile.spoken for tile in steps.tiles)
    return document(steps.title, words, definitions, _laid_out(steps), PRINT)


class Steps(Struct, frozen=True):
    """The pictures of a sheet, on one scale: a tile numbered as its move, 0 for the whole.

    *legend* explains letters that are not names of parts.
    """

    title: str
    legend: str
    tiles: list[Tile]


def drawn_steps(
    puzzle: Puzzle,
    solution: Solution,
    disassembly: Disassembly,
    style: PictureStyle,
    definitions: Definitions,
    *,
    apart: bool = False,
) -> Steps:
    """The pictures of the moves. Arguments and errors are those of `steps_page`."""
    shown = scene.of_solution(puzzle, solution)
    items = shown.items[: disassembly.n_pieces]
    extents, places = [explosion.extent_of(item) for item in items], np.zeros((len(items), 3))
    dismantling = Dismantling(puzzle, solution, disassembly, extents, places, shown.size)
    if not dismantling.separations:
        words = result_in_words(disassembly)
        raise UnsupportedError(
            f"{shown.title} has no steps to draw: {words}; choose one that comes apart with --solution N"
        )
    sheet = _StepSheet(dismantling, shown, items, backwards=not apart)
    order = "taking apart" if apart else "putting together"
    title = f"{shown.title}: {order} in {counted(sheet.n_moves, 'move')}"
    return Steps(title, sheet.legend(), sheet.tiles(style, definitions))


class _Field(Struct, frozen=True, eq=False):
    """One picture of the sheet.

    Attributes:
        number: The number of the move, from 1; 0 for the whole.
        caption: A sentence without a full stop, beside the sign of the arrow.
        spoken: The same with words for the direction.
        scene: The pieces in their places.
        styles: The styles of the items.
        picture: The scene from the sheet's corner; None for a flat scene.
        arrow: Its ends, or points of a bent one, shape (n, 3); None for no arrow.
        pushes: The ends of a small arrow for each piece that is pushed aside, shape (2, 3).
    """

    number: int
    caption: str
    spoken: str
    scene: Scene
    styles: dict[int, ItemStyle]
    picture: Picture | None
    arrow: Points | None
    pushes: tuple[Points, ...] = ()


class _StepSheet:
    """Makes the pictures of a sheet."""

    def __init__(self, apart: Dismantling, shown: Scene, items: Sequence[SceneItem], *, backwards: bool) -> None:
        self._apart, self._shown, self._items, self._backwards = apart, shown, items, backwards
        self._names = [item.letter for item in items]
        if len(set(self._names)) < len(items):
            self._names = [placed.part for placed in apart.solution.placements]
        self._corner = list(VIEWS)[apart.best_way(np.array([view[2] for view in VIEWS.values()]))]
        self.n_moves = sum(len(separation.steps) for separation in apart.separations)

    def legend(self) -> str:
        """The parts whose letters are not their names."""
        pairs = dict.fromkeys((name, item.name) for name, item in zip(self._names, self._items, strict=True))
        return ", ".join(f"{letter} = {name}" for letter, name in pairs if letter != name)

    def fields(self) -> list[_Field]:
        """The pictures in their order."""
        found: list[_Field] = []
        before = Poses.at_rest(0)
        for moment in self._apart.moments():
            if moment.step is not None:
                found.append(self._field(len(found), moment, moment.step, before))
            before = moment.poses
        if self._backwards:
            everything = tuple(range(len(self._items)))
            whole = self._scene(everything, Poses.at_rest(len(everything)), everything, ())
            picture = self._picture(whole[0])
            words = f"All {counted(len(everything), 'part')} together"
            return [*reversed(found), _Field(0, words, words, *whole, picture, None)]
        return found

    def _field(self, made: int, moment: Moment, step: Step, before: Poses) -> _Field:
        flat = not step.direction
        group = self._apart.separations[moment.separation].pieces
        poses = before if flat or not self._backwards else moment.poses
        hidden: Pieces = ()
        if self._shown.dimension == 3:
            hidden = self._apart.hiding(moment.separation, step, (poses,), VIEWS[self._corner])
        drawn, styles = self._scene(group, poses, step.pieces, hidden)
        number = self.n_moves - made if self._backwards else made + 1
        if flat:
            name = self._names[step.pieces[0]]
            words = spoken = f"put in part {name}" if self._backwards else f"lift part {name} off"
        else:
            told = (self._apart.puzzle.lattice, step, self._names)
            spoken = move_as_text(*told, backwards=self._backwards)
            words = move_as_text(*told, backwards=self._backwards, directed=False)
        arrow: Points | None = None
        pushes: tuple[Points, ...] = ()
        if step.turn is not None:
            arrow = self._bent_arrow(step.pieces, poses, step.turn)
            pushes = self._pushes(step, step.turn, poses, moment.away)
        elif not flat:
            arrow = self._arrow(step.pieces, poses, -moment.by if self._backwards else moment.by)
        words, spoken = (text[0].upper() + text[1:] for text in (words, spoken))
        return _Field(number, words, spoken, drawn, styles, self._picture(drawn), arrow, pushes)

    def _picture(self, drawn: Scene) -> Picture | None:
        return isometric(drawn, self._corner) if drawn.dimension == 3 else None

    def _scene(self, group: Pieces, poses: Poses, movers: Pieces, hidden: Pieces) -> tuple[Scene, dict[int, ItemStyle]]:
        """The scene of a group of pieces, and their styles."""
        items: list[SceneItem] = []
        styles: dict[int, ItemStyle] = {}
        for k in group:
            moves = k in movers
            turn, d = poses.turns[k], self._shown.dimension
            item = self._items[k].moved(poses.shifts[k][:d], None if (turn == np.eye(3)).all() else turn[:d, :d])
            styles[len(items)] = MOVING if moves else GLASS if k in hidden else QUIET
            items.append(item if moves else item.tinted(lambda rgb: shaded(rgb, PALE)))
        low, high = self._box(group, poses)[:, : self._shown.dimension]
        if self._shown.dimension == 2 and self._apart.disassembly.flat:
            low, high = self._shown.low, self._shown.high
            items += [item for item in self._shown.items if item.faint]
        return replace(self._shown, items=tuple(items), low=low, high=high), styles

    def _box(self, pieces: Pieces, poses: Poses) -> Points:
        """Opposite corners of the box around some pieces, shape (2, 3)."""
        boxes = self._apart.boxes_at(poses, pieces, np.eye(3))
        return np.stack([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])

    def _bent_arrow(self, movers: Pieces, poses: Poses, turn: Turn) -> Points:
        """An arc around the middle of the pieces that turn, at the end of the axis that the viewer sees."""
        low, high = self._box(movers, poses)
        axis, half = np.array(turn.axis), (high - low) / 2
        if self._shown.dimension == 3 and axis @ VIEWS[self._corner][2] < 0:
            axis = -axis
        across = half[np.abs(axis) < 0.5]
        radius = max(0.8 * self._shown.size, 0.6 * float(across.max()))
        end = (low + high) / 2 + (half @ np.abs(axis)) * axis
        arrow: Points = end + arc(turn, radius, backwards=self._backwards)
        return arrow

    def _pushes(self, step: Step, turn: Turn, poses: Poses, away: Points) -> tuple[Points, ...]:
        """A small arrow on each piece that is pushed aside, the way that its middle goes."""
        found, hand = [], pushed(step)
        for giving in (one for one in giving_way(step) if one.piece in hand):
            low, high = self._box((giving.piece,), poses)
            middle = (low + high) / 2
            way = moved_by_pose(turn, farthest(giving), middle, away) - middle
            length = float(np.linalg.norm(way))
            if length > 0:
                found.append(np.stack([middle, middle + PUSH_LENGTH * self._shown.size / length * way]))
        return tuple(found)

    def _arrow(self, movers: Pieces, poses: Poses, by: Points) -> Points:
        """The ends of an arrow from the front of the moving pieces, along their middle; shape (2, 3)."""
        low, high = self._box(movers, poses)
        length = float(np.linalg.norm(by))
        way, half = by / length, (high - low) / 2
        with np.errstate(divide="ignore", invalid="ignore"):  # also 0 / 0, of what is flat
            front = float(np.min(np.where(np.abs(way) > 1e-9, half / np.abs(way), np.inf)))
        least, most = (share * self._shown.size for share in ARROW_LENGTH)
        start = (low + high) / 2 + max(0.0, front - 0.3 * self._shown.size) * way
        return np.stack([start, start + min(max(length, least), most) * way])

    def tiles(self, style: PictureStyle, definitions: Definitions) -> list[Tile]:
        """The pictures, on a scale at which a row of them fits."""
        fields = self.fields()
        room = (PAGE_WIDTH - (COLUMNS - 1) * GAP) / COLUMNS - 2 * MARGIN
        widest = max(self._frame(field, style).size[0] for field in fields)
        style = replace(style, scale=style.scale * min(1.0, room / widest))
        return [self._tile(field, style, definitions) for field in fields]

    def _tile(self, field: _Field, style: PictureStyle, definitions: Definitions) -> Tile:
        sign = None if field.arrow is None else move_sign(*self._on_page(field.arrow))
        panel = self._drawn(field, style, definitions)
        return Tile(panel, field.caption, field.number, True, sign, field.spoken)

    def _seen(self, points: Points) -> Points:
        """*points* in the axes of the picture."""
        return points[:, :2] if self._shown.dimension == 2 else points @ VIEWS[self._corner].T

    def _frame(self, field: _Field, style: PictureStyle) -> Frame:
        """The frame around a picture and its arrow."""
        bounds = np.array([field.scene.low, field.scene.high])
        if field.picture is not None:
            bounds = picture_bounds(field.picture.shapes)
        for arrow in field.pushes if field.arrow is None else (field.arrow, *field.pushes):
            ends = self._seen(arrow)[:, :2]
            margin = 2 * ARROW_WIDTH * self._shown.size
            bounds = np.array([*bounds, *(ends - margin), *(ends + margin)])
        return frame_of(bounds.min(axis=0), bounds.max(axis=0), self._shown, style)

    def _drawn(self, field: _Field, style: PictureStyle, definitions: Definitions) -> Panel:
        frame = self._frame(field, style)
        if field.picture is None:
            panel = flat_panel(replace(field.scene, low=frame.low, high=frame.high), style, definitions)
        else:
            panel = isometric_panel(field.scene, field.picture, style, definitions, field.styles, frame)
        size = self._shown.size * frame.factor
        if field.arrow is not None:
            panel.element.append(move_arrow(*self._on_page(field.arrow, frame), ARROW_WIDTH * size))
        for push in field.pushes:
            small = move_arrow(*self._on_page(push, frame), PUSH_WIDTH * size)
            small.set("class", "arrow push")
            panel.element.append(small)
        return panel

    def _on_page(self, arrow: Points, frame: Frame | None = None) -> tuple[Points, float]:
        """An arrow on the page, and how much nearer its end is to the viewer than its start; no frame: in units."""
        seen = self._seen(arrow)
        rise = float(seen[-1, 2] - seen[0, 2]) if seen.shape[1] > 2 else 0.0
        if frame is None:
            return seen[:, :2] * [1, -1], rise
        return frame(seen[:, :2]), rise * frame.factor


def _text(parent: Element, lines: Sequence[str], x: float, y: float, font: float, **more: str) -> float:
    """Write lines below *y*, and return the y at which they end."""
    for line in lines:
        y += LINE_HEIGHT * font
        write(parent, line, x, y - 0.3 * font, font, **more)
    return y


def _laid_out(steps: Steps) -> Panel:
    """Title, legend, and rows of framed pictures with numbers and captions."""
    element, room = Element("g"), PAGE_WIDTH - 2 * MARGIN
    title = wrapped(steps.title, room, SANS * BOLD * TITLE)
    y = _text(element, title, MARGIN, MARGIN, TITLE, font_weight="bold")
    y = _text(element, wrapped(steps.legend, room, SANS * FONT), MARGIN, y, FONT) + MARGIN
    width = (room - (COLUMNS - 1) * GAP) / COLUMNS
    for first in range(0, len(steps.tiles), COLUMNS):
        row = steps.tiles[first : first + COLUMNS]
        lines = [wrapped(tile.caption, width - 2 * MARGIN - tile.beside * NUMBER, SANS * FONT) for tile in row]
        words = max(LINE_HEIGHT * FONT * len(each) for each in lines)
        tallest = max(tile.panel.height for tile in row)
        height = tallest + words + 3 * MARGIN
        for k, (tile, caption) in enumerate(zip(row, lines, strict=True)):
            place = f"translate({number(MARGIN + k * (width + GAP))} {number(y)})"
            field = add(element, "g", class_="step", transform=place)
            add(field, "rect", width=width, height=height, rx=6, fill="none", stroke="#c9c9c0")
            panel = tile.panel
            add(field, "title", tile.spoken)
            put(field, panel, (width - panel.width) / 2, MARGIN + (tallest - panel.height) / 2)
            top = tallest + 2 * MARGIN
            if tile.number:
                above = top - 0.32 * (NUMBER - FONT)
                _text(field, [f"{tile.number}"], MARGIN, above, NUMBER, font_weight="bold")
            tile.put_sign(field, MARGIN, top + LINE_HEIGHT * FONT - 0.3 * FONT, NUMBER)
            _text(field, caption, MARGIN + tile.beside * NUMBER, top, FONT)
        y += height + GAP
    return Panel(element, PAGE_WIDTH, y - GAP + MARGIN)
