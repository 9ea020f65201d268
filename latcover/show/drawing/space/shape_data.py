"""Shapes for the viewer: the geometry of placements as plain data, relative to their places.

The geometry comes from scenes, so the viewer needs no lattice and draws the same shapes as every other picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt
from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import asdict

from latcover.core.model.lattice import Lattice
from latcover.core.model.period import Period
from latcover.core.model.solution import Cell
from latcover.show.drawing.palette import RGB, hexadecimal, in_space, ink
from latcover.show.drawing.scenes.explosion import PartExtent, extent_of
from latcover.show.drawing.scenes.scene import of_cells
from latcover.show.drawing.scenes.scene_building import Tint
from latcover.show.drawing.scenes.scene_model import Balls, Faces, Patch, Scene, SceneItem, covered_faces, visible_faces
from latcover.show.drawing.scenes.side_marks import Side, SideMark, side_marks
from latcover.show.drawing.shapes.outlines import Points, Polygon, padded, signed_area
from latcover.show.drawing.shapes.solids import merged
from latcover.show.drawing.space.scene_structs import (
    GeometryData,
    MarkData,
    PatchData,
    ShapeData,
    SlabData,
    SolidShape,
)

DIGITS = 5  # of coordinates


class ShapeBook(Struct):
    """Makes each shape once.

    Attributes:
        period: The period of the region; a part that goes around the region is cut.
        heights: The heights of the region's layers, bottom first; one for a flat region.
        looks: The colours of the values of sides, by their names.
        signs: Letters for these values, which flat shapes show.
        shapes: The shapes so far.
        extents: The extent of each shape, relative to its place.
    """

    lattice: Lattice
    period: Period
    heights: tuple[float, ...]
    looks: dict[str, RGB] = field(default_factory=dict)
    signs: dict[str, str] = field(default_factory=dict)
    shapes: list[ShapeData] = field(default_factory=list)
    extents: list[PartExtent] = field(default_factory=list)
    _number: dict[tuple[tuple[Cell, ...], tuple[Tint, ...], tuple[Side, ...]], int] = field(default_factory=dict)
    _scenes: list[Scene] = field(default_factory=list)

    def place(
        self, cells: Sequence[Cell], tints: Sequence[Tint] = (), sides: Sequence[Side] = ()
    ) -> tuple[int, Points]:
        """The number of the shape of *cells* with these colours and *sides*, and its place: Cartesian, shape (2 or 3,).

        In three dimensions the shape also gets its cuts by the region's layers at this place.
        """
        start = min(cells)[1:]
        moved = [_from(start, cell) for cell in cells]
        order = sorted(range(len(cells)), key=moved.__getitem__)
        shape, tints = tuple(moved[k] for k in order), tuple(tints[k] for k in order if tints)
        key = (shape, tints, tuple((_from(start, cell), edge, value) for cell, edge, value in sides))
        at = _rounded(self._at(start))
        number = self._number.get(key)
        if number is None:
            number = self._number[key] = len(self.shapes)
            marks = side_marks(self.lattice, key[2], self.looks, self.signs)
            self._scenes.append(of_cells(self.lattice, shape, period=self.period, tints=tints, sides=marks))
            name = blake2b(repr((self.lattice.name, self.period, key)).encode(), digest_size=8).hexdigest()
            self.extents.append(extent_of(self._scenes[number].items[0]))
            self.shapes.append(ShapeData(id=name, **asdict(geometry_data(self._scenes[number].items[0]))))
        if len(at) == 3:
            self._add_slabs(number, float(at[2]))
        return number, at

    def _at(self, start: Sequence[int]) -> Points:
        return padded(np.array(start, float) @ self.lattice.basis, 2)

    def _add_slabs(self, number: int, bottom: float) -> None:
        """Add the cuts of a shape at this height that no earlier place has added."""
        shown, shape = self._scenes[number], self.shapes[number]
        slabs = [] if shape.slabs is UNSET else shape.slabs
        shape.slabs = slabs
        heights = tuple(height - bottom for height in self.heights)
        known = [slab.height for slab in slabs]
        tolerance = 1e-4 * shown.size
        here = Scene("", 3, shown.items, shown.low, shown.high, heights, shown.size)
        for layer, height in enumerate(heights):
            outside = height < shown.low[2] - tolerance or height > shown.high[2] + tolerance
            if outside or any(abs(height - other) < tolerance for other in known):
                continue
            for item in here.layer(layer).items:
                slabs.append(SlabData(height=round(height, DIGITS), **asdict(geometry_data(item))))


def _from(start: Sequence[int], cell: Cell) -> Cell:
    return (cell[0], *(x - s for x, s in zip(cell[1:], start, strict=True)))


def geometry_data(item: SceneItem) -> GeometryData:
    """The geometry of an item."""
    data = GeometryData()
    if item.polygons:
        data.outlines = [_rings(polygon) for polygon in item.polygons]
    if item.solid is not None:
        faces = [[list(ring) for ring in face.rings] for face in item.solid.faces]
        data.solid = SolidShape(numbers(item.solid.vertices), faces)
    if item.balls is not None:
        _add_balls(data, item.balls)
    if len(item.cuts):
        data.cuts = numbers(item.cuts)
    if item.paint is not None:
        data.patches = [PatchData(colour=hexadecimal(in_space(item.paint)))]
    elif item.patches:
        covered = covered_faces([item])
        data.patches = [_patch_data(patch, covered) for patch in item.patches]
    if item.sides:
        data.marks = [_mark_data(mark) for mark in item.sides]
    return data


def _mark_data(mark: SideMark) -> MarkData:
    colour = hexadecimal(in_space(mark.rgb))
    if mark.ring.shape[1] == 2:
        ring = mark.ring if signed_area(mark.ring) > 0 else mark.ring[::-1]
        return MarkData(colour=colour, outlines=[[numbers(ring)]], sign=_sign_data(mark) if mark.sign else UNSET)
    corners, faces = mark.plate()
    return MarkData(colour=colour, solid=SolidShape(numbers(corners), [[list(face)] for face in faces]))


def _sign_data(mark: SideMark) -> tuple[str, float, float, float, str]:
    place, size = mark.sign_place()
    x, y, drawn = numbers(np.array([*place, size]))
    return mark.sign, x, y, drawn, hexadecimal(ink(mark.rgb))


def _patch_data(patch: Patch, covered: Faces) -> PatchData:
    solid: SolidShape | UnsetType = UNSET
    if patch.solid is not None:
        vertices = patch.solid.vertices
        faces = [[list(ring) for ring in face.rings] for face in merged(vertices, visible_faces(patch.solid, covered))]
        solid = SolidShape(numbers(vertices), faces)
    return PatchData(
        colour=None if patch.rgb is None else hexadecimal(in_space(patch.rgb)),
        outlines=[_rings(polygon) for polygon in patch.polygons] if patch.polygons else UNSET,
        solid=solid,
        balls=patch.balls.tolist() if len(patch.balls) else UNSET,
    )


def _rings(polygon: Polygon) -> list[list[float]]:
    return [numbers(ring) for ring in polygon.rings]


def _add_balls(data: GeometryData, balls: Balls) -> None:
    necks = [(a, b, round(balls.neck_radius(k), DIGITS)) for k, (a, b) in enumerate(balls.necks.tolist())]
    data.balls = numbers(np.column_stack([padded(balls.centres, 3), balls.radii]))
    if necks:
        data.necks = [value for neck in necks for value in neck]


def numbers(values: npt.NDArray[np.float64]) -> list[float]:
    """All coordinates in one list, rounded; whole numbers as int."""
    return [int(value) if value == int(value) else value for value in _rounded(values).reshape(-1).tolist()]


def _rounded(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(np.round(np.asarray(values, np.float64), DIGITS) + 0.0, np.float64)
