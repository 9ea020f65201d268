"""The keys of our own files and their types: a struct for each table of a puzzle, part-set or lattice file.

`Table` reads a table with its struct: any other key is unknown, and a key without a default is required. The
description of a type completes the complaint "must be …". What depends on the lattice, such as how many coordinates a
cell has, is checked where it is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from latcover.core.model.burr import NUMBERS
from latcover.core.model.given import FARTHEST, LONGEST_NAME, LONGEST_TEXT
from latcover.core.model.puzzle_costs import MOST_COST
from latcover.core.model.request_values import MOST_BEVEL, MOST_PLAY

LARGEST = 1e6  # number in a drawing
MOST = (1 << 31) - 1
MOST_COPIES = 1_000_000
MOST_WEIGHT = 1_000_000
UNLIMITED = "unlimited"
ANY = "any"


def whole(least: int, most: int = MOST) -> Meta:
    """Bounds of a whole number, and how complaints say them."""
    return Meta(ge=least, le=most, description=f"a whole number from {least:,} to {most:,}")


def row_of(kind: Any, length: int) -> Any:
    """The type of a list of *length* whole numbers (`Coordinate`) or numbers (`Number`)."""
    what, most = ("whole numbers", f"{FARTHEST:,}") if kind is Coordinate else ("numbers", f"{LARGEST:g}")
    text = f"a list of {length} {what}, each at most {most}"
    return Annotated[list[kind], Meta(min_length=length, max_length=length, description=text)]


Name = Annotated[
    str, Meta(pattern=r"\S", max_length=LONGEST_NAME, description=f"a name of at most {LONGEST_NAME} characters")
]
Line = Annotated[
    str, Meta(max_length=LONGEST_NAME, description=f"a text in quotes, of at most {LONGEST_NAME} characters")
]
Remark = Annotated[
    str, Meta(max_length=LONGEST_TEXT, description=f"a text in quotes, of at most {LONGEST_TEXT:,} characters")
]
Count = Annotated[int, whole(0)]
Solutions = Annotated[int, Meta(ge=0, description="a whole number from 0")]
Positive = Annotated[int, whole(1)]
Copies = Annotated[int, whole(0, MOST_COPIES)]
CopiesOrUnlimited = Annotated[
    Annotated[int, Meta(ge=1, le=MOST_COPIES)] | Literal["unlimited"],
    Meta(description=f'a whole number from 1 to {MOST_COPIES:,}, or "{UNLIMITED}"'),
]
Coordinate = Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)]
Number = Annotated[float, Meta(ge=-LARGEST, le=LARGEST, description=f"a number, at most {LARGEST:g}")]
Size = Annotated[float, Meta(ge=0, le=LARGEST, description=f"a number from 0 to {LARGEST:g}")]
Cell = Annotated[list[int | str], Meta(description="coordinates, and the name of a node if there are several")]
OptionalCells = Annotated[list[Cell] | Literal["all"], Meta(description='a list of cells, or "all"')]
Art = Annotated[str | list[str], Meta(description="rows of text")]
Burr = Annotated[int, Meta(ge=1, le=NUMBERS)]
Burrs = Annotated[
    Burr | Annotated[list[Burr], Meta(min_length=1)],
    Meta(description=f"a number from 1 to {NUMBERS:,}, or a list of such numbers"),
]
Tiles = Annotated[
    str | list[str | list[str]],
    Meta(description="the letters of tiles: a list of texts, or one text with blanks between"),
]
Motions = Annotated[
    str | list[str], Meta(description="fixed, rotations, reflections, or a list of the lattice's own transformations")
]
Names = Annotated[list[Name], Meta(min_length=2, description="a list of two or more names")]
NameOrPair = Annotated[
    str | Annotated[list[str], Meta(min_length=2, max_length=2)], Meta(description="a colour or a pair of colours")
]


class CellsTable(Struct):
    """Cells, in exactly one of the ways of `shapes.WAYS`."""

    box: list[int] = []
    triangle: Count = 0
    hexagon: Count = 0
    aztec_diamond: Count = 0
    art: Art = ""
    layers: list[Art] = []
    cells: list[Cell] = []
    walk: str = ""
    burr: Burrs = 0
    colours: list[str] = []  # of cells
    length: Count = 6  # of burr


class GroupTable(CellsTable):
    """Some cells of a region: a hole, or cells that are alike."""

    at: list[int] = []


OneOrSeveral = Annotated[GroupTable | list[GroupTable], Meta(description="a table, or a list of tables")]


class SideTable(Struct):
    """The value on a side of a cell."""

    cell: Cell
    edge: str
    value: str = field(name="is")


class KeyTable(Struct):
    """A key with a length: the cells that a straight walk reaches."""

    cell: Cell
    edge: str
    length: Positive = 1


class RegionTable(CellsTable):
    """The region of a puzzle."""

    period: list[int | list[int]] = []
    max_empty: Count = 0
    exchangeable: bool = False
    scale: list[int] = []
    minus: OneOrSeveral = []
    optional: OptionalCells = []
    sides: list[SideTable] = []
    alike: list[GroupTable] = []


class OpenTable(GroupTable, kw_only=True):
    """Cells of the board, of which each goal leaves some open."""

    name: Name
    labels: Annotated[str | list[str], Meta(description="a name for each cell: a list, or one text with blanks")] = []
    count: Positive = 1


class GoalRegionTable(GroupTable, kw_only=True):
    """Cells of the board that a goal fills."""

    name: Name


class ChooseTable(Struct):
    """How many parts a goal has, and from which they are chosen."""

    numbers: Annotated[
        Annotated[int, whole(1)] | Annotated[list[Annotated[int, whole(1)]], Meta(min_length=1)],
        Meta(description="a whole number from 1, or a list of them"),
    ] = field(name="parts", default=0)
    among: list[Name] = field(name="from", default=[])


class GoalsExpectTable(Struct):
    """Known figures of all goals."""

    goals: Count = 0
    solved: Count = 0
    different: Solutions = 0
    total: Solutions = 0
    fewest: Solutions = 0
    most: Solutions = 0
    long: bool = False


class GoalsTable(Struct):
    """The goals of a board: parts of it to fill, and parts to fill them with."""

    open: list[OpenTable] = []
    exceptions: list[list[Name]] = field(name="except", default=[])
    regions: list[GoalRegionTable] = []
    choose: ChooseTable | None = None
    expect: GoalsExpectTable | None = None


class CopiesTable(Struct):
    """How often parts are used, what may be done to them, and where they may lie."""

    count: CopiesOrUnlimited = 1
    low: Copies = field(name="min", default=0)
    high: CopiesOrUnlimited = field(name="max", default=1)
    transformations: Motions = ""
    within: OneOrSeveral = []
    keep_off: OneOrSeveral = []


class MirrorTable(CopiesTable):
    """A part that is the mirror image of an earlier one; and what it has in common with all other parts."""

    mirror_of: str = ""
    name: Line = ""
    group: str = ""
    groups: dict[str, Positive] = {}
    weight: Annotated[int, whole(-MOST_WEIGHT, MOST_WEIGHT)] = 1
    display_colour: str = ""


class PartTable(MirrorTable):
    """A part, or several sticks or tiles. The first keys are those of `CellsTable`."""

    box: list[int] = []
    triangle: Count = 0
    hexagon: Count = 0
    aztec_diamond: Count = 0
    art: Art = ""
    layers: list[Art] = []
    cells: list[Cell] = []
    walk: str = ""
    burr: Burrs = 0
    colours: list[str] = []
    length: Count = 6

    tile: Art = ""
    tiles: Tiles = ""
    node: str = ""  # of tiles
    edges: Annotated[str | list[Art], Meta(description="letters for each cell")] = ""
    sides: list[SideTable] = []
    keys: list[KeyTable] = []
    locks: list[Cell] = []
    colour: str = ""


class PartOfSetTable(PartTable):
    """A part of a set, and the name of its mirror image."""

    mirror: str = ""


class ChoiceTable(Struct, forbid_unknown_fields=True):
    """How many copies of some parts together are used."""

    low: Copies = field(name="min", default=0)
    high: CopiesOrUnlimited = field(name="max", default="unlimited")


Choice = Annotated[
    Annotated[int, Meta(ge=1, le=MOST_COPIES)] | Literal["any"] | ChoiceTable,
    Meta(description=f'a whole number from 1 to {MOST_COPIES:,}, "{ANY}", or {{ min = 3, max = 5 }}'),
]


class SetTable(CopiesTable):
    """The parts of a set."""

    name_of_set: str = field(name="set", default="")
    only: list[Name] = []
    without: list[Name] = []
    one_sided: bool = False
    prefix: Line = ""
    choose: Choice = "any"


class RulesTable(Struct):
    """Rules between colours. Those on parts are beside them: see `rules_file`."""

    stands_on: dict[str, list[str]] = {}
    apart: list[NameOrPair] = []
    across: Literal["sides", "corners"] = "sides"
    exchangeable: list[Names] = []


class SidesTable(Struct):
    """The values on sides: which fit each other, and which may face outwards."""

    keys: list[Name] = []
    locks: list[Name] = []
    values: list[Name] | dict[str, str] = []
    fits: dict[str, list[Name]] = {}
    mates: dict[str, Annotated[str | list[Name], Meta(description="a name or a list of names")]] = {}
    flat_meets: list[Name] = []
    locks_meet_locks: bool = False
    may_look_out: list[Name] = []
    rim: str = ""
    exchangeable: list[Names] = []


class ExpectTable(Struct):
    """Known figures of a puzzle."""

    different: Solutions = 0
    different_under_rotations: Solutions = 0
    total: Solutions = 0
    orientations: Count = 0
    orientations_that_fit: Count = 0
    placements: Count = 0
    symmetry: Count = 0
    assemblable: Count = 0
    level: Annotated[
        list[Annotated[int, Meta(ge=1)]],
        Meta(min_length=1, max_length=1000, description="the moves of each separation, as in level = [5, 2]"),
    ] = []
    long: bool = False
    note: Remark = ""


class TurningTable(Struct):
    """The room that parts have to turn, as shares of a cell's edge."""

    play: Annotated[float, Meta(ge=0, le=MOST_PLAY, description=f"a number from 0 to {MOST_PLAY}")] = 0.04
    bevel: Annotated[float, Meta(ge=0, le=MOST_BEVEL, description=f"a number from 0 to {MOST_BEVEL}")] = 0.0


Cost = Annotated[int, whole(-MOST_COST, MOST_COST)]


class CellCostTable(GroupTable, kw_only=True):
    """What is due for cells that some parts cover."""

    cost: Cost
    parts: list[Name] = []


class PlacementCostTable(GroupTable, kw_only=True):
    """What is due if a part covers just these cells."""

    part: Name
    cost: Cost


class TouchingCostTable(Struct):
    """What is due where two parts touch."""

    parts: Annotated[list[Name], Meta(min_length=2, max_length=2, description="a list of two names of parts")]
    cost: Cost
    each: Literal["side", "copy"] = "side"


class CostsTable(Struct):
    """What solutions cost."""

    name: Name
    words: Line = ""
    parts: dict[str, Cost] = {}
    placements: list[PlacementCostTable] = []
    cells: list[CellCostTable] = []
    touching: list[TouchingCostTable] = []


class PublishedTable(Struct):
    """A figure in print that is wrong."""

    figure: Line
    source: Remark
    reason: Remark
    value: Count = 0


class NodeTable(Struct):
    """A node of a lattice: where it lies, and one drawing."""

    position: list[Number] = []
    secondary: bool = False
    radius: Size = 0.0
    height: Size = 0.0
    polygon: list[list[Number]] = []
    vertices: list[list[Number]] = []
    faces: list[list[Count]] = []


class HalfEdgeTable(Struct):
    """A half-edge of a lattice."""

    step: list[int]
    twin: str
    start: str = field(name="from", default="")
    end: str = field(name="to", default="")


class TransformationTable(Struct):
    """A transformation of a lattice, by cycles of labels or by a matrix."""

    name: Line
    cycles: list[str] = []
    matrix: list[list[Number]] = []


class LatticeTable(Struct):
    """A lattice file, or the table of a lattice in a puzzle file."""

    name: Line
    basis: list[list[Number]]
    nodes: dict[str, NodeTable]
    title: Line = ""
    source: Remark = ""
    part_transformations: Literal["fixed", "rotations", "reflections"] = "reflections"
    drawings: Literal["fill", "touch", "symbols"] = "fill"
    half_edges: dict[str, HalfEdgeTable] = {}
    transformations: list[TransformationTable] = []
    slides: list[list[int]] = []


class PartSetFile(Struct):
    """The file of a part set."""

    parts: list[PartOfSetTable]
    name: Line = ""
    title: Line = ""
    source: Remark = ""
    lattice: str | LatticeTable = ""
    colours: dict[str, Line] = {}
    sides: SidesTable | None = None


class FamilyTable(Struct):
    """What makes a puzzle file a family: a puzzle for each size n."""

    start: Count = field(name="from", default=1)
    let: dict[str, str | int] = {}
    oeis: Line = ""
    terms: str = ""
    terms_from: Count | None = None


class PuzzleTable(Struct):
    """A puzzle under [[puzzles]]. Its parts may also be of the form `SetTable` or `MirrorTable`."""

    name: Line
    region: RegionTable
    parts: list[PartTable] = []
    title: Line = ""
    source: Remark = ""
    comment: Remark = ""
    rules: RulesTable | None = None
    costs: list[CostsTable] = []
    expect: ExpectTable | None = None
    turning: TurningTable | None = None
    published: list[PublishedTable] = []


class PuzzleFile(PuzzleTable):
    """A puzzle file: one puzzle, or several that share its parts."""

    lattice: str | LatticeTable = ""
    colours: dict[str, Line] = {}
    sides: SidesTable | None = None
    transformations: Motions = ""
    goals: GoalsTable | None = None
    puzzles: list[PuzzleTable] = []


FileKind = Literal["puzzle", "lattice", "part set", "family", "goals"]
OF_LATTICES = {"half_edges", "basis", "nodes"}
BESIDE = "on the command line, a puzzle in the same folder can use it"
OF_PUZZLES = {"region", "puzzles"}


def kind_of(keys: Iterable[str]) -> FileKind:
    """The kind of a file with these *keys* at its top; "puzzle" if they do not tell."""
    found = set(keys)
    for kind in ("family", "goals"):
        if kind in found:
            return kind
    if found & OF_LATTICES and not found & OF_PUZZLES:
        return "lattice"
    return "puzzle" if found & OF_PUZZLES or "parts" not in found else "part set"
