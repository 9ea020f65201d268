"""The data of scenes. `latcover.show.drawing.scenes.scene` makes scenes, and every kind of picture draws them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from msgspec.structs import replace

from latcover.show.drawing import palette
from latcover.show.drawing.palette import RGB
from latcover.show.drawing.scenes.side_marks import SideMark
from latcover.show.drawing.shapes.outlines import Ints, Points, Polygon, Ring, carried
from latcover.show.drawing.shapes.solids import Solid, cut

PLAIN = -1  # the colour number of items without a colour
Faces = set[frozenset[tuple[float, ...]]]
NECK = 0.5  # the radius of the neck between two balls, as a share of the smaller ball's radius


class Balls(Struct, frozen=True, eq=False):
    """Spheres, or discs in a flat scene.

    Attributes:
        centres: Shape (n, 2 or 3).
        radii: Shape (n,).
        necks: Pairs of balls that are joined, shape (m, 2), int32.
    """

    centres: Points
    radii: Points
    necks: Ints

    def neck_radius(self, neck: int) -> float:
        return NECK * float(self.radii[self.necks[neck]].min())


class Patch(Struct, frozen=True, eq=False):
    """The cells of an item that have one colour of their own.

    Attributes:
        name: The colour's name; empty for cells without a colour, which look like the rest of their part.
        rgb: The colour; None for cells without a colour.
        polygons, solid: Their outlines or their body, as in an item.
        balls: Which of the item's balls they are.
    """

    name: str
    rgb: RGB | None
    polygons: tuple[Polygon, ...]
    solid: Solid | None
    balls: Ints

    def moved(self, by: Points, turn: Points | None = None) -> Patch:
        polygons = tuple(polygon.moved(by, turn) for polygon in self.polygons)
        return replace(self, polygons=polygons, solid=None if self.solid is None else self.solid.moved(by, turn))


class CellSign(Struct, frozen=True, eq=False):
    """A cell's colour name of one character, its place, shape (2,), and the colour behind it."""

    text: str
    place: Points
    rgb: RGB


class SceneItem(Struct, frozen=True, eq=False):
    """A thing to draw: a copy of a part, or a cell of a region.

    Attributes:
        name: The part's name, or the cell's colour; may be empty.
        copy: The number of the copy, from 1.
        colour: The part's number in the puzzle, for the palette; `PLAIN` for none.
        letter: The letter that pictures may write on it.
        faint: Whether it is an empty or an optional cell.
        cells: Rows ``(node, x, y, ...)``.
        levels: The layer of each cell, shape (n,), int32: an index into the scene's heights.
        polygons: Its outlines, in a flat scene.
        solid: Its body, in three dimensions; None if it consists of balls.
        balls: Its balls; None if there are none.
        cuts: In a flat scene of a periodic region: the sides where the copy continues at the other side of the
            picture, shape (n, 2, 2).
        paint: Its colour; None takes the colour of the palette.
        patches: If its cells have several colours, the cells of each colour.
        sides: The marks of the sides that are not flat.
        signs: In a flat scene whose cells' colours all have names of one character: the sign of each cell.
    """

    name: str
    copy: int
    colour: int
    letter: str
    faint: bool
    cells: npt.NDArray[np.int32]
    levels: Ints
    polygons: tuple[Polygon, ...] = ()
    solid: Solid | None = None
    balls: Balls | None = None
    cuts: Points = field(default_factory=lambda: np.empty((0, 2, 2)))
    paint: RGB | None = None
    patches: tuple[Patch, ...] = ()
    sides: tuple[SideMark, ...] = ()
    signs: tuple[CellSign, ...] = ()

    @property
    def corners_and_radii(self) -> tuple[Points, Points]:
        """Its corners and the centres of its balls, shape (n, 2 or 3), and their radii, shape (n,); 0 for a corner."""
        points = [polygon.outer for polygon in self.polygons] + ([] if self.solid is None else [self.solid.vertices])
        radii = [np.zeros(sum(map(len, points)))]
        if self.balls is not None:
            points.append(self.balls.centres)
            radii.append(self.balls.radii)
        return np.concatenate(points) if points else np.zeros((0, 2)), np.concatenate(radii)

    @property
    def box(self) -> Points:
        """Opposite corners of the box around it, shape (2, 2 or 3)."""
        points, radii = self.corners_and_radii
        return np.stack([(points - radii[:, None]).min(axis=0), (points + radii[:, None]).max(axis=0)])

    def moved(self, by: Points, turn: Points | None = None) -> SceneItem:
        """The same shapes elsewhere. The item keeps its cells and levels.

        Args:
            by: How far, of the dimension d of the scene.
            turn: A rotation that comes before, shape (d, d).
        """
        balls = self.balls
        return replace(
            self,
            polygons=tuple(polygon.moved(by, turn) for polygon in self.polygons),
            solid=None if self.solid is None else self.solid.moved(by, turn),
            balls=None if balls is None else replace(balls, centres=carried(balls.centres, by, turn)),
            cuts=carried(self.cuts, by, turn) if len(self.cuts) else self.cuts,
            patches=tuple(patch.moved(by, turn) for patch in self.patches),
            sides=tuple(mark.moved(by, turn) for mark in self.sides),
            signs=tuple(replace(sign, place=carried(sign.place, by, turn)) for sign in self.signs),
        )

    def tinted(self, change: Callable[[RGB], RGB]) -> SceneItem:
        """The same item with every colour changed."""
        patches = tuple(replace(patch, rgb=change(patch.rgb or self.rgb)) for patch in self.patches)
        sides = tuple(replace(mark, rgb=change(mark.rgb)) for mark in self.sides)
        signs = tuple(replace(sign, rgb=change(sign.rgb)) for sign in self.signs)
        return replace(self, paint=change(self.rgb), patches=patches, sides=sides, signs=signs)

    @property
    def rgb(self) -> RGB:
        """Its colour; patches may have other colours."""
        return palette.colour(self.colour, self.copy) if self.paint is None else self.paint

    @property
    def ball_colours(self) -> list[RGB]:
        """The colour of each of its balls."""
        found = [self.rgb] * (0 if self.balls is None else len(self.balls.radii))
        for patch in self.patches:
            for k in patch.balls.tolist():
                found[k] = patch.rgb or self.rgb
        return found


class Scene(Struct, frozen=True, eq=False):
    """What a picture shows.

    Attributes:
        title: What it shows, in words.
        dimension: 2 or 3.
        low, high: Opposite corners of the box around everything, shape (dimension,).
        heights: The heights of the layers, bottom first; a flat scene has one layer at 0.
        size: The longest side of the box around a single cell.
        unrolled: Whether the region is periodic, so that the picture may cut parts.
    """

    title: str
    dimension: int
    items: tuple[SceneItem, ...]
    low: Points
    high: Points
    heights: tuple[float, ...]
    size: float
    unrolled: bool = False

    def layer(self, number: int) -> Scene:
        """Layer *number*, from 0, as a flat scene. It cuts solids at its height; balls belong to the nearest layer."""
        if self.dimension == 2:
            return self
        items = [_flattened(item, self, number) for item in self.items]
        shown, heights = tuple(item for item in items if item.polygons or item.balls is not None), self.heights[number]
        title = f"layer {number + 1}{' (bottom)' if number == 0 else ''}"
        return Scene(title, 2, shown, self.low[:2], self.high[:2], (heights,), self.size, self.unrolled)

    def layers(self) -> tuple[Scene, ...]:
        """Each layer as a flat scene, bottom first."""
        return tuple(self.layer(number) for number in range(len(self.heights)))


class CaptionedScene(Struct, frozen=True):
    """A scene of a page, and its caption."""

    scene: Scene
    caption: str = ""


def _flattened(item: SceneItem, scene: Scene, number: int) -> SceneItem:
    """What a layer shows of an item."""
    height, tolerance = scene.heights[number], 1e-6 * scene.size
    balls, position = item.balls, np.zeros(0, np.int32)
    if balls is not None:
        here = np.abs(np.subtract.outer(balls.centres[:, 2], scene.heights)).argmin(axis=1) == number
        position = np.where(here, np.cumsum(here) - 1, -1).astype(np.int32)
        necks = position[balls.necks[here[balls.necks].all(axis=1)]]
        balls = Balls(balls.centres[here, :2], balls.radii[here], necks) if here.any() else None
    shown = item.levels == number
    return replace(
        item,
        cells=item.cells[shown],
        levels=item.levels[shown],
        polygons=_cut(item.solid, height, tolerance),
        solid=None,
        balls=balls,
        sides=tuple(cut for mark in item.sides if (cut := mark.at_height(height)) is not None),
        patches=tuple(
            replace(patch, polygons=_cut(patch.solid, height, tolerance), solid=None, balls=places[places >= 0])
            for patch in item.patches
            for places in (position[patch.balls],)
        ),
    )


def _cut(body: Solid | None, height: float, tolerance: float) -> tuple[Polygon, ...]:
    return () if body is None else tuple(cut(body, height, tolerance))


def face_key(corners: Points) -> frozenset[tuple[float, ...]]:
    """The corners of a face or an edge, in any order."""
    return frozenset(map(tuple, corners.tolist()))


def covered_faces(items: Sequence[SceneItem]) -> Faces:
    """The faces that two items or patches share, by their corners. Neither side of such a face is visible."""
    seen: Faces = set()
    twice: Faces = set()
    for body, _ in (surface for item in items for surface in surfaces(item)):
        for ring in body.cell_faces:
            key = face_key(body.vertices[list(ring)])
            (twice if key in seen else seen).add(key)
    return twice


def visible_faces(body: Solid, covered: Faces) -> list[Ring]:
    """The faces of the cells of *body* that are not *covered*."""
    return [ring for ring in body.cell_faces if face_key(body.vertices[list(ring)]) not in covered]


def surfaces(item: SceneItem) -> list[tuple[Solid, RGB | None]]:
    """The bodies of an item with their colours: those of its patches, or the whole."""
    if item.patches:
        return [(patch.solid, patch.rgb) for patch in item.patches if patch.solid is not None]
    return [(item.solid, item.paint)] if item.solid is not None else []
