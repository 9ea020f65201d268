"""The puzzle, its lattice and its parts as the editor has them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

from latcover.apps.web.answers import Answer, FileTable
from latcover.apps.web.subject import Subject
from latcover.core.model.puzzle import Published

Ring = list[list[float]]  # x, y of each corner
# A length for each axis, or else vectors.
Lengths = Annotated[list[Any], Meta(extra={"typescript": "number[] | number[][]"})]
NamedSide = tuple[list[int], int, str]  # a cell, a half-edge, and what is there


class NodeInSpace(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A node's cell at the origin, for views in space.

    ``beside``: the cells ``[node, x, y, ...]`` across its half-edges. Of a solid ``vertices`` about its centre,
    ``faces`` (rings of vertices, anticlockwise as seen from outside) and ``across``: for each face the cell that has it
    too, or null where no neighbour has the whole face.
    """

    beside: list[list[int]]
    vertices: list[list[float]] | UnsetType = UNSET
    faces: list[list[int]] | UnsetType = UNSET
    across: list[list[int] | None] | UnsetType = UNSET


class NodeData(NodeInSpace, frozen=True, kw_only=True, omit_defaults=True):
    """A node: ``radius`` of a ball; else ``rings`` of a flat cell, or of a solid cut at the height of its centre."""

    name: str
    position: list[float]
    secondary: bool
    radius: float | UnsetType = UNSET
    rings: list[Ring] | UnsetType = UNSET


class EdgeData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A half-edge; ``ring``: where what is at this side is drawn about its cell's centre, if a drawing can show it."""

    label: str
    node: int
    target: int
    step: list[int]
    ring: Ring | UnsetType = UNSET


class MotionData(msgspec.Struct, frozen=True, kw_only=True):
    """A motion: it takes the cell ``(u, x)`` to ``(nodes[u], matrix @ x + shifts[u])``.

    ``axis``: the unit vector of a turn's axis, or across a mirror, in the picture. ``main``: whether it is among the
    few that are offered first, which generate all motions of the lattice's file, up to shifts within its unit.
    """

    name: str
    kind: Literal["turn", "mirror", "other"]
    axis: list[float]
    main: bool
    nodes: list[int]
    matrix: list[list[int]]
    shifts: list[list[int]]


class LatticeData(msgspec.Struct, frozen=True, kw_only=True):
    """How the cells of a lattice look from above, and how they move. Cells of one height are a layer in space.

    ``size``: of a cell; ``basis``: the picture's step along each axis; ``generators``: names of transformations.
    """

    name: str
    title: str
    dimension: int
    space: bool
    size: float
    basis: list[list[float]]
    nodes: list[NodeData]
    moves: list[MotionData]
    motions: str | list[str]
    generators: list[str]
    edges: list[EdgeData]


class RegionData(msgspec.Struct, frozen=True, kw_only=True):
    """A region. ``colours`` and ``optional`` have an entry for each cell."""

    cells: list[list[int]]
    colours: list[int]
    optional: list[int]
    period: Lengths
    max_empty: int | None
    sides: list[NamedSide]
    alike: list[list[list[int]]]


class PartData(msgspec.Struct, frozen=True, kw_only=True):
    """A part; see `edits`."""

    name: str
    origin: int = field(name="from")
    letter: str
    rgb: str
    cells: list[list[int]]
    colours: list[int]
    low: int
    high: int | None
    motions: str | list[str]
    sides: list[NamedSide]
    display_colour: str
    groups: list[tuple[str, int | None]]
    weight: int


class Tint(msgspec.Struct, frozen=True):
    """The name of a colour, and how it is shown."""

    name: str
    rgb: str


class Objective(msgspec.Struct, frozen=True):
    """What may be minimized or maximized over the solutions of a puzzle."""

    name: str
    words: str


class SidesTable(msgspec.Struct, frozen=True, kw_only=True):
    """The table [sides] of a puzzle file, and the colours of its values."""

    table: FileTable
    looks: dict[str, str]


class PartsAnswer(Answer, frozen=True, kw_only=True):
    """The parts of a set or a puzzle. ``sides`` is None if no file can express them."""

    title: str
    lattice: LatticeData
    colours: list[Tint]
    sides: SidesTable | None
    parts: list[PartData]


class ListedProblem(msgspec.Struct, frozen=True):
    """A puzzle of a file, and its fault if it cannot be used."""

    name: str
    fault: str | None


class LeftOut(msgspec.Struct, frozen=True):
    """A puzzle of a file that our own form cannot express, and the reason."""

    name: str
    fault: str


class Opened(Answer, frozen=True, kw_only=True, omit_defaults=True):
    """What was opened: ``problems`` and the name of the ``file`` if it holds several puzzles."""

    name: str
    title: str
    faults: list[str]
    warnings: list[str]
    toml: str
    subject: Subject | UnsetType = UNSET
    problems: list[ListedProblem] | UnsetType = UNSET
    file: str | UnsetType | None = UNSET
    left_out: list[LeftOut] | UnsetType = UNSET


class PuzzleData(Opened, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="puzzle"):
    """A puzzle for the editor. ``title`` is its name if it has no ``own_title``."""

    own_title: str
    source: str
    comment: str
    lattice: LatticeData
    region: RegionData
    parts: list[PartData]
    colours: list[Tint]
    palette: list[str]
    motions: list[str]
    rules: FileTable
    sides: SidesTable | None
    expect: FileTable
    published: list[Published]
    turning: FileTable | UnsetType = UNSET
    objectives: list[Objective]


class ProblemData(Opened, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="problem"):
    """A bare problem: only its figures."""

    options: int
    items: int
