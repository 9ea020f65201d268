"""The data of scenes. `latcover.drawing.scene` makes them, and every form of picture draws them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from latcover.drawing import palette
from latcover.drawing.outlines import Ints, Points, Polygon
from latcover.drawing.palette import RGB
from latcover.drawing.side_marks import SideMark
from latcover.drawing.solids import Solid, cut

PLAIN = -1  # the colour number of what has no colour
NECK = 0.5  # the radius of the neck between two balls, as a share of the smaller ball's radius


@dataclass(frozen=True, slots=True, eq=False)
class Balls:
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


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """The cells of an item that have one colour of their own.

    Attributes:
        name: The colour's name; empty for cells without a colour, which look like the rest of their part.
        rgb: The colour; None for cells without a colour.
        polygons, solid: Their outlines or their body, as of an item.
        balls: Which of the item's balls they are.
    """

    name: str
    rgb: RGB | None
    polygons: tuple[Polygon, ...]
    solid: Solid | None
    balls: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """What is drawn as one thing: a copy of a part, or a cell of a region.

    Attributes:
        name: The part's name, or the cell's colour; may be empty.
        copy: Which copy of the part, from 1.
        colour: The part's number among the puzzle's parts, for the palette; `PLAIN` for none.
        letter: The letter that pictures may write on it.
        faint: Whether it is an empty cell, or one that may stay empty.
        cells: Rows ``(node, x, y, ...)``.
        levels: The layer on which each cell lies, shape (n,), int32: an index into the scene's heights.
        polygons: Its outlines, in a flat scene.
        solid: Its body, in three dimensions; None if it consists of balls.
        balls: Its balls; None if its cells are no balls.
        cuts: Only in a flat scene of a region that closes on itself: the sides beyond which the same copy continues
            at the other side of the picture, shape (n, 2, 2).
        paint: Its colour, if its cells have one; None takes the colour of the palette.
        patches: If its cells have several colours, the cells of each.
        sides: The marks of the sides that are not flat.
        signs: In a flat scene, where all cells have colours that are called by one character: the character, where it
            stands, shape (1, 2), and the colour below it.
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
    signs: tuple[tuple[str, Points, RGB], ...] = ()

    def moved(self, by: Points) -> Item:
        """The same item elsewhere; *by* has the dimension of the scene. Its cells and levels stay what they were."""
        return replace(
            self,
            polygons=_moved_polygons(self.polygons, by),
            solid=_moved_solid(self.solid, by),
            balls=None if self.balls is None else replace(self.balls, centres=self.balls.centres + by),
            cuts=self.cuts + by if len(self.cuts) else self.cuts,
            patches=tuple(
                replace(patch, polygons=_moved_polygons(patch.polygons, by), solid=_moved_solid(patch.solid, by))
                for patch in self.patches
            ),
            sides=tuple(mark.moved(by) for mark in self.sides),
            signs=tuple((sign, place + by, rgb) for sign, place, rgb in self.signs),
        )

    def tinted(self, change: Callable[[RGB], RGB]) -> Item:
        """The same item with every colour changed."""
        patches = tuple(replace(patch, rgb=change(patch.rgb or self.rgb)) for patch in self.patches)
        sides = tuple(replace(mark, rgb=change(mark.rgb)) for mark in self.sides)
        signs = tuple((sign, place, change(rgb)) for sign, place, rgb in self.signs)
        return replace(self, paint=change(self.rgb), patches=patches, sides=sides, signs=signs)

    @property
    def rgb(self) -> RGB:
        """Its colour; patches may have others."""
        return palette.colour(self.colour, self.copy) if self.paint is None else self.paint

    @property
    def ball_colours(self) -> list[RGB]:
        """The colour of each of its balls."""
        found = [self.rgb] * (0 if self.balls is None else len(self.balls.radii))
        for patch in self.patches:
            for k in patch.balls.tolist():
                found[k] = patch.rgb or self.rgb
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What a picture shows.

    Attributes:
        title: In words.
        dimension: 2 or 3.
        low, high: Opposite corners of the box around everything, shape (dimension,).
        heights: The heights of the layers, bottom first; a flat scene has one layer at 0.
        size: The longest side of the box around a single cell.
        unrolled: Whether the region closes on itself, so that parts may be cut in the picture.
    """

    title: str
    dimension: int
    items: tuple[Item, ...]
    low: Points
    high: Points
    heights: tuple[float, ...]
    size: float
    unrolled: bool = False

    def layer(self, number: int) -> Scene:
        """One layer, counted from 0, as a flat scene. Solids are cut at its height; balls are in the nearest layer."""
        if self.dimension == 2:
            return self
        items = [_flattened(item, self, number) for item in self.items]
        return Scene(
            f"layer {number + 1}{' (bottom)' if number == 0 else ''}",
            2,
            tuple(item for item in items if item.polygons or item.balls is not None),
            self.low[:2],
            self.high[:2],
            (self.heights[number],),
            self.size,
            self.unrolled,
        )

    def layers(self) -> tuple[Scene, ...]:
        """Each layer as a flat scene, bottom first."""
        return tuple(self.layer(number) for number in range(len(self.heights)))


def _moved_polygons(polygons: Sequence[Polygon], by: Points) -> tuple[Polygon, ...]:
    return tuple(Polygon(polygon.outer + by, tuple(hole + by for hole in polygon.holes)) for polygon in polygons)


def _moved_solid(body: Solid | None, by: Points) -> Solid | None:
    return None if body is None else replace(body, vertices=body.vertices + by)


def _flattened(item: Item, scene: Scene, number: int) -> Item:
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
