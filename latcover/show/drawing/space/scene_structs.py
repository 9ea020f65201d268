"""What the viewer and published pages read: shapes, puzzles, solutions and how they come apart. Numbers are rounded."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from latcover.show.drawing.space.packed_numbers import Packed

Outline = list[list[float]]  # a flat area: its rings, each x, y, x, y, …: the outer one, then the holes
Point = list[float]  # x, y, z


class SolidShape(msgspec.Struct, frozen=True):
    """``vertices``: x, y, z, …; ``faces``: of each the rings of vertex numbers, anticlockwise as seen from outside."""

    vertices: list[float]
    faces: list[list[list[int]]]


class PatchData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Cells of a colour (null: that of the part): the whole shape; or only these areas, solid, or numbers of balls."""

    colour: str | None
    outlines: list[Outline] | UnsetType = UNSET
    solid: SolidShape | UnsetType = UNSET
    balls: list[int] | UnsetType = UNSET


class MarkData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is drawn at a side of a cell. ``sign``: letter, x, y, size, colour."""

    colour: str
    outlines: list[Outline] | UnsetType = UNSET
    solid: SolidShape | UnsetType = UNSET
    sign: tuple[str, float, float, float, str] | UnsetType = UNSET


class GeometryData(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The geometry of an item, with only the keys that apply.

    Attributes:
        outlines: Flat areas.
        solid: A solid.
        balls: Centre and radius of each: x, y, z, r, …; z is 0 in flat items.
        necks: The numbers of two balls and the radius of the neck, ….
        cuts: Lines x, y, x, y, …, where a part goes around the region.
        patches: The colours of its cells.
        marks: What is drawn at the sides of its cells.
    """

    outlines: list[Outline] | UnsetType = UNSET
    solid: SolidShape | UnsetType = UNSET
    balls: list[float] | UnsetType = UNSET
    necks: list[float] | UnsetType = UNSET
    cuts: list[float] | UnsetType = UNSET
    patches: list[PatchData] | UnsetType = UNSET
    marks: list[MarkData] | UnsetType = UNSET


class SlabData(GeometryData, kw_only=True, omit_defaults=True):
    """The cut of a shape by a layer."""

    height: float


class ShapeData(GeometryData, kw_only=True, omit_defaults=True):
    """A shape, with a name by which the viewer knows it again."""

    id: str
    slabs: list[SlabData] | UnsetType = UNSET


class PatternData(msgspec.Struct, frozen=True):
    """A pattern: its path in a square of side 8, and its angle."""

    path: str
    angle: float


class ScenePart(msgspec.Struct, frozen=True, kw_only=True):
    """A part: the colours and letters of its copies, which repeat, and its pattern."""

    name: str
    colours: list[str]
    letters: list[str]
    pattern: PatternData | None


class RegionOutline(msgspec.Struct, frozen=True):
    """The shape of a region, and its place."""

    shape: GeometryData
    at: Point


class ScenePuzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle.

    Attributes:
        name, title, lattice: Names.
        dimension: 2 or 3, of the picture.
        size: The longest side of a cell.
        low, high: Corners of the box around the region.
        heights: Of its layers, bottom first.
        thickness: Of the slab that shows a layer or a flat puzzle.
        unrolled: Whether the region is periodic.
        outline: The region.
    """

    name: str
    title: str
    lattice: str
    dimension: int
    size: float
    low: list[float]
    high: list[float]
    heights: list[float]
    thickness: float
    unrolled: bool
    outline: RegionOutline


class GivingPath(msgspec.Struct, frozen=True):
    """The path of a piece that gives way, or that turns in its own way: rows beside those of the turn's path."""

    piece: int
    path: list[list[float]]


class TurnPath(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How pieces turn.

    Attributes:
        axis, middle: Where the axis is after the steps before.
        path: Rows of an angle in degrees and a displacement x, y, z; if pieces tilt, then a rotation vector in degrees,
            by which they are turned after the angle.
        giving: The pieces with paths of their own. All move at once, row by row.
    """

    axis: Point
    middle: Point
    path: list[list[float]]
    giving: list[GivingPath] | UnsetType = UNSET


class StepData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step that takes pieces apart: these pieces go ``by`` x, y, z, or turn."""

    pieces: list[int]
    by: Point
    separates: bool
    words: str
    turn: TurnPath | UnsetType = UNSET


class SeparationData(msgspec.Struct, frozen=True):
    """The steps that separate pieces, given by their numbers, into those that stay and those that are removed."""

    pieces: list[int]
    stays: list[int]
    removed: list[int]
    steps: list[StepData]


class DisassemblyData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a solution comes apart.

    Attributes:
        result, words: Whether, and the same with figures.
        cells: For each piece the centres of its cells, x, y, z, ….
        separations: The moves.
        play: That its turns need, a share of the edge of a cell.
    """

    result: str
    words: str
    cells: list[list[float]]
    separations: list[SeparationData]
    play: float | UnsetType = UNSET


class PuzzleScene(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle without solutions, for a viewer that gets these later."""

    format: int
    puzzle: ScenePuzzle
    parts: list[ScenePart]


class SceneData(PuzzleScene, frozen=True, kw_only=True, omit_defaults=True):
    """A puzzle and its solutions; each placement is stored once.

    Attributes:
        count: Of solutions.
        shapes: The shapes of the placements.
        placements: Rows (part, shape), part -1 for an empty cell.
        places: x, y, z of each placement.
        starts, solutions: Of ``solutions`` those from ``starts[k]`` to ``starts[k + 1]`` are the placements of solution
            k, copies of a part in order.
        numbers: Rows (number, image, orbit) of the solutions.
        moves: x, y, z, how far each placement moves when the parts are fully apart.
        elsewhere, ways: Where other parts obstruct a placement, it moves differently: its indices in ``solutions``,
            ascending, and these moves.
        disassemblies: Those that are known, by the index of the solution, from 0.
    """

    count: int
    shapes: list[ShapeData]
    placements: Packed
    places: Packed
    moves: Packed
    elsewhere: Packed
    ways: Packed
    starts: Packed
    solutions: Packed
    numbers: Packed
    disassemblies: dict[int, DisassemblyData] | UnsetType = UNSET
