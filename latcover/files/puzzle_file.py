"""Reading puzzle files and the part sets that they share; the format is described in docs/puzzle-files.md."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from latcover.errors import InputError, LatticeError, PuzzleFileError, suggest
from latcover.files.checks import complaints_about
from latcover.files.rules_file import read_colour_rules, read_rules, read_sides, with_keys_and_locks
from latcover.files.shapes import Context, Shape, has_room, read_cell, read_shape
from latcover.files.toml_source import Source, Table
from latcover.lattice import Lattice, Transformation
from latcover.puzzle import Bounds, Part, Published, Puzzle, Region, Rules

_ABOUT = ("expect", "published")
EXPECTATIONS = (
    "different",
    "different_under_rotations",
    "total",
    "orientations",
    "orientations_that_fit",
    "placements",
    "symmetry",
)
MOST_COPIES = 1_000_000
FindFile = Callable[[str, Path], Path]
FindLattice = Callable[[str, Path], Lattice]


def read_puzzles(path: Path, find_lattice: FindLattice, find_set: FindFile, bounds: Bounds) -> tuple[Puzzle, ...]:
    """Read a puzzle file: one puzzle, or the several under [[puzzles]] that share its parts.

    Args:
        path: The file.
        find_lattice: Gives the lattice of a name (or of a file, relative to the folder given).
        find_set: Gives the file of a part set, likewise.
        bounds: How much the file may ask for.

    Raises:
        PuzzleFileError: with every complaint about the file, and about those it names, each with its line.
    """
    return puzzles_of(Source(path, PuzzleFileError, bounds.file_bytes), find_lattice, find_set, bounds)


def puzzles_of(source: Source, find_lattice: FindLattice, find_set: FindFile, bounds: Bounds) -> tuple[Puzzle, ...]:
    """The puzzles that the data of a file describe; see `read_puzzles`."""
    root, path = source.root, source.path
    lattice = _read_lattice(root, find_lattice, path.parent)
    if lattice is None:  # nothing else can be understood without it
        for key in ("name", "title", "source", "colours", "rules", "sides", "region", "parts", "puzzles", *_ABOUT):
            root.any(key)
        root.any("transformations")
        root.finish()
        source.finish()
    assert lattice is not None
    colours_of_art, colours = _read_colours(root)
    rules, side_names = read_rules(root, colours)
    context = Context(lattice, bounds, colours_of_art, colours, side_names)
    default = _read_transformations(root, lattice, lattice.allowed(lattice.default_transformations))
    shared = _read_parts(root, context, default, find_set, path.parent)
    common = _Common(lattice, rules, ("", *colours), root.text("title"), root.text("source"))
    file_name = root.text("name", required=True)
    if "puzzles" not in root:
        drafts = [_read_draft(root, file_name, shared, context, common)]
    else:
        drafts = []
        for table in root.tables("puzzles"):
            parts = [*shared, *_read_parts(table, context, default, find_set, path.parent)]
            own = _with_own_rules(table, common, colours)
            drafts.append(_read_draft(table, table.text("name", required=True), parts, context, own))
            table.finish()
        _check_names(root, drafts)
    root.finish()
    if any(puzzle is None for puzzle, _ in drafts) or source.has_errors:
        source.finish()
    for puzzle, places in drafts:
        assert puzzle is not None
        for complaint in complaints_about(puzzle):
            places[-1 if complaint.part is None else complaint.part].complain(
                (), complaint.message, warning=complaint.warning
            )
    warnings = source.finish()
    return tuple(replace(puzzle, warnings=warnings) for puzzle, _ in drafts if puzzle is not None)


@dataclass(frozen=True, slots=True)
class _Common:
    """What all puzzles of a file share."""

    lattice: Lattice
    rules: Rules
    colours: tuple[str, ...]
    title: str
    source: str


def _with_own_rules(table: Table, common: _Common, colours: dict[str, int]) -> _Common:
    """The rules of one of several puzzles in place of the file's, where it gives some; sides fit as in the file."""
    if "rules" not in table:
        return common
    rules, of_file = read_colour_rules(table, colours), common.rules
    rules = replace(rules, sides=of_file.sides, fits=of_file.fits, open_sides=of_file.open_sides)
    return replace(common, rules=rules)


PlacedPart = tuple[Table, Part]  # a part and the table that it comes from
Draft = tuple[Puzzle | None, list[Table]]  # a puzzle, and the tables of its parts and of its region


def _read_draft(table: Table, name: str, parts: list[PlacedPart], context: Context, common: _Common) -> Draft:
    """One puzzle; None where its region will not do."""
    title, source = table.text("title", common.title), table.text("source", common.source)
    region = _read_region(table, context)
    (expect, long), published = _read_expectations(table), _read_published(table)
    if not parts and not table.source.has_errors:
        what = "a puzzle has at least one part: [[parts]]"
        table.complain("parts" if "parts" in table else (), what if "parts" in table else f"'parts' is missing: {what}")
    if region is None or not parts:
        return None, []
    puzzle = Puzzle(
        name,
        common.lattice,
        region,
        tuple(replace(part, lattice=common.lattice, number=k) for k, (_, part) in enumerate(parts)),
        title,
        source,
        common.colours,
        expect,
        rules=common.rules,
        published=published,
        long=long,
    )
    return puzzle, [*(place for place, _ in parts), table.table("region") or table]


def _check_names(root: Table, drafts: list[Draft]) -> None:
    names = [puzzle.name for puzzle, _ in drafts if puzzle is not None]
    for name in sorted({name for name in names if names.count(name) > 1}):
        root.complain("puzzles", f"two puzzles are named {name!r}")
    if not drafts:
        root.complain("puzzles", "holds no puzzle")
    for key in ("region", "expect"):
        if key in root:
            root.complain(key, "stands beside [[puzzles]]; give each of them its own")
            root.any(key)


def _read_parts(
    table: Table, context: Context, default: tuple[Transformation, ...], find_set: FindFile, folder: Path
) -> list[PlacedPart]:
    found: list[PlacedPart] = []
    for entry in table.tables("parts"):
        if "set" in entry:
            found += [(entry, part) for part in _read_set(entry, context, default, find_set, folder)]
        else:
            part = read_part(entry, context, default)
            found += [(entry, part)] if part is not None else []
    return found


def _read_lattice(root: Table, find: FindLattice, folder: Path) -> Lattice | None:
    name = root.text("lattice", required=True)
    return _found_lattice(root, name, find, folder) if name else None


def _found_lattice(root: Table, name: str, find: FindLattice, folder: Path) -> Lattice | None:
    try:
        return find(name, folder)
    except InputError as problem:
        if isinstance(problem, LatticeError) and any(complaint.line for complaint in problem.complaints):
            raise  # the lattice's file is at fault, not this one
        root.complain("lattice", "; ".join(str(complaint) for complaint in problem.complaints))
        return None


def _read_colours(root: Table) -> tuple[dict[str, int], dict[str, int]]:
    """The table [colours]: a character of art for each colour's name. Colours are numbered from 1 as they come."""
    table = root.table("colours")
    of_art: dict[str, int] = {}
    names: dict[str, int] = {}
    for character in table.data if table else ():
        assert table is not None
        name = table.text(character, required=True)
        if not name:
            continue
        if len(character) != 1 or character in "X#._ +":
            table.complain(character, "must be a single character other than X # . _ + and blank")
        of_art[character] = names.setdefault(name, len(names) + 1)
    return of_art, names


def _read_region(root: Table, context: Context) -> Region | None:
    table = root.table("region", required=True)
    if table is None:
        return None
    shape = read_shape(table, context, may_be_optional=True)
    dimension = context.lattice.dimension
    period = table.integers("period", dimension) or (0,) * dimension
    if min(period) < 0:
        table.complain("period", "a period is a length, or 0 along an axis that does not close on itself")
        shape = None
    max_empty = table.integer("max_empty", 0) if "max_empty" in table else None
    shape = _scaled(table, shape, context)
    holes = table.data.get("minus", [])
    single = isinstance(holes, dict)
    hole_table = table.table("minus") if single else None
    for hole in ([hole_table] if hole_table else []) if single else table.tables("minus"):
        shape = _cut(hole, shape, context)
    shape = _with_optional(table, shape, context)
    table.finish()
    if shape is None:
        return None
    secondary = np.array([node.secondary for node in context.lattice.nodes])
    optional = shape.optional | secondary[shape.cells[:, 0]]
    if max_empty is not None and not shape.optional.any():
        table.complain("max_empty", "the region has no optional cell: + in art, or optional = [cells]")
    region = Region(shape.cells, shape.colours, optional, tuple(period), max_empty)
    cells = region.wrapped(shape.cells)
    if len(np.unique(cells, axis=0)) < len(cells):
        table.complain("period", "two cells fall on each other")
        return None
    if not len(cells):
        table.complain((), "holds no cell")
        return None
    return Region(cells, shape.colours, optional, tuple(period), max_empty)


def _scaled(table: Table, shape: Shape | None, context: Context) -> Shape | None:
    """``scale = [2, 2, 3]``: each cell becomes a block of cells."""
    dimension = context.lattice.dimension
    scale = table.integers("scale", dimension)
    if scale is None or shape is None:
        return shape
    if min(scale) < 1 or len(context.lattice.nodes) > 1:
        table.complain("scale", "must be sizes of 1 or more, on a lattice of one node")
        return None
    if not has_room(table, "scale", len(shape.cells) * math.prod(scale), context.bounds):
        return None
    block = np.indices(scale, dtype=np.int32).reshape(dimension, -1).T
    vectors = shape.cells[:, None, 1:] * np.array(scale, dtype=np.int32) + block
    cells = np.zeros((vectors.shape[0] * vectors.shape[1], dimension + 1), np.int32)
    cells[:, 1:] = vectors.reshape(-1, dimension)
    return Shape(cells, np.repeat(shape.colours, len(block)), np.repeat(shape.optional, len(block)))


def _cut(hole: Table, shape: Shape | None, context: Context) -> Shape | None:
    cut = read_shape(hole, context)
    at = hole.integers("at", context.lattice.dimension) or (0,) * context.lattice.dimension
    hole.finish()
    if shape is None or cut is None:
        return None
    gone = {(int(c[0]), *(int(x) + a for x, a in zip(c[1:], at, strict=True))) for c in cut.cells}
    present = {tuple(cell) for cell in shape.cells.tolist()}
    missing = sorted(gone - present)
    if missing:
        hole.complain((), f"a hole where there is no cell: {context.lattice.written(missing[0])}")
        return None
    keep = np.array([tuple(cell) not in gone for cell in shape.cells.tolist()])
    return Shape(shape.cells[keep], shape.colours[keep], shape.optional[keep])


def _with_optional(table: Table, shape: Shape | None, context: Context) -> Shape | None:
    """``optional = [cells]``: cells of the region that may stay empty, besides those that art marks."""
    given = [read_cell(table, ("optional", k), cell, context.lattice) for k, cell in enumerate(table.array("optional"))]
    if shape is None:
        return None
    number = {tuple(cell): k for k, cell in enumerate(shape.cells.tolist())}
    optional = shape.optional.copy()
    for k, cell in enumerate(given):
        if cell is not None and cell not in number:
            table.complain(("optional", k), "is no cell of the region")
        elif cell is not None:
            optional[number[cell]] = True
    return replace(shape, optional=optional)


def _read_transformations(
    table: Table, lattice: Lattice, default: tuple[Transformation, ...]
) -> tuple[Transformation, ...]:
    value = table.any("transformations")
    if value is None:
        return default
    if not isinstance(value, str) and not (isinstance(value, list) and all(isinstance(name, str) for name in value)):
        table.complain("transformations", "must be fixed, rotations, reflections, or a list of the lattice's own")
        return default
    try:
        return lattice.allowed(value)
    except LatticeError as problem:
        table.complain("transformations", f"{problem}, and fixed, rotations, reflections")
        return default


def read_part(table: Table, context: Context, default: tuple[Transformation, ...]) -> Part | None:
    """Read one part; None, with a complaint noted, where it will not do."""
    name = table.text("name", required=True)
    if not name.isprintable():
        table.complain("name", "must not hold control characters")
    shape = read_shape(table, context)
    shape = _painted(table, shape, context)
    sides = read_sides(table, shape, context)
    shape = with_keys_and_locks(table, shape, sides, context)
    low, high = _read_copies(table) or (1, 1)
    transformations = _read_transformations(table, context.lattice, default)
    table.finish()
    if shape is None or not name.strip():
        return None
    return Part(name, shape.cells, shape.colours, low, high, transformations, sides)


def _painted(table: Table, shape: Shape | None, context: Context) -> Shape | None:
    """``colour``: one colour for all cells that have none of their own."""
    name = table.text("colour")
    if not name or shape is None:
        return shape
    if name not in context.colours:
        table.complain("colour", f"no colour {name!r}{suggest(name, context.colours) or '; name it under [colours]'}")
        return None
    return replace(shape, colours=np.where(shape.colours == 0, context.colours[name], shape.colours).astype(np.int32))


def _read_copies(table: Table) -> tuple[int, int | None] | None:
    """``count``, a number or "unlimited"; or ``min`` and ``max``, where a ``max`` left out is no bound; or nothing."""
    count = table.any("count")
    if count is not None and ("min" in table or "max" in table):
        table.complain("count", "stands beside min or max; count = n is short for both")
    if "min" in table or "max" in table:
        low = _bounded(table, "min", 0, 0)
        high = _bounded(table, "max", low, 1) if "max" in table else None
        if high is not None and low > high:
            table.complain("min", f"is {low}, above max = {high}")
        return low, high
    for key in ("min", "max"):
        table.any(key)
    if count is None:
        return None
    if count == "unlimited":
        return 0, None
    if isinstance(count, str):
        table.complain("count", 'must be a whole number or "unlimited"')
        return 1, 1
    number = _bounded(table, "count", 1, 1)
    return number, number


def _bounded(table: Table, name: str, default: int, least: int) -> int:
    value = table.integer(name, default, least)
    if value > MOST_COPIES:
        table.complain(name, f"at most {MOST_COPIES:,} copies")
        return default
    return value


def _read_set(
    table: Table, context: Context, default: tuple[Transformation, ...], find: FindFile, folder: Path
) -> Iterator[Part]:
    """The parts of a shared set: all, ``only`` some, or all ``without`` some."""
    name = table.text("set", required=True)
    only, without = table.strings("only"), table.strings("without")
    default = _read_transformations(table, context.lattice, default)
    copies = _read_copies(table)
    table.finish()
    try:
        source = Source(find(name, folder), PuzzleFileError)
    except InputError as problem:
        table.complain("set", "; ".join(str(complaint) for complaint in problem.complaints))
        return
    source.cells_made = table.source.cells_made
    parts = _parts_of_set(source, context, default)
    table.source.cells_made = source.cells_made
    if source.has_errors:
        _tell_of_lattices(table, name, source.data.get("lattice"), context.lattice.name)
    table.source.complaints.extend(source.complaints)
    table.source.n_complaints += source.n_complaints
    names = {part.name for part in parts}
    for key, chosen in (("only", only), ("without", without)):
        for k, wanted in enumerate(chosen):
            if wanted not in names and not source.complaints:
                table.complain((key, k), f"the set {name!r} has no part {wanted!r}; it has {', '.join(sorted(names))}")
    for part in parts:
        if (not only or part.name in only) and part.name not in without:
            yield part if copies is None else replace(part, low=copies[0], high=copies[1])


def _tell_of_lattices(table: Table, name: str, its: object, own: str) -> None:
    """Complain, before the faults of a set, where they may come of its being used on another lattice than its own."""
    if its is None and own != "square":
        table.complain("set", f"the set {name[:80]!r} names no lattice, and does not suit {own!r}")
    elif isinstance(its, str) and its != own and not Path(its).suffix:
        table.complain("set", f"the set {name[:80]!r} is of the lattice {its[:80]!r}, and this puzzle of {own!r}")


def _parts_of_set(source: Source, context: Context, default: tuple[Transformation, ...]) -> list[Part]:
    for key in ("name", "title", "source", "lattice"):
        source.root.text(key)
    entries = source.root.tables("parts", required=True)
    parts = [part for entry in entries if (part := read_part(entry, context, default)) is not None]
    source.root.finish()
    return parts


def read_set(path: Path, find_lattice: FindLattice, bounds: Bounds | None = None) -> tuple[Lattice, list[Part]]:
    """Read a part set by itself, on the lattice that it names (square where it names none), within *bounds*.

    Raises:
        PuzzleFileError: with every complaint about the file.
    """
    source = Source(path, PuzzleFileError)
    lattice = _found_lattice(source.root, source.root.text("lattice") or "square", find_lattice, path.parent)
    if lattice is None:
        source.finish()
    assert lattice is not None
    default = lattice.allowed(lattice.default_transformations)
    parts = _parts_of_set(source, Context(lattice, bounds or Bounds(), {}, {}, {}), default)
    source.finish()
    return lattice, parts


def _read_expectations(root: Table) -> tuple[dict[str, int], bool]:
    """The table [expect]: figures, and whether a count takes long."""
    table = root.table("expect")
    if table is None:
        return {}, False
    found = {key: table.integer(key, -1) for key in EXPECTATIONS if table.any(key) is not None}
    for key in EXPECTATIONS:
        table.any(key)
    long = table.boolean("long")
    table.text("note")
    table.finish()
    return found, long


def _read_published(root: Table) -> tuple[Published, ...]:
    """Figures in print that are wrong, each with the reason."""
    found = []
    for table in root.tables("published"):
        figure, source, reason = (table.text(key, required=True) for key in ("figure", "source", "reason"))
        found.append(Published(figure, table.integer("value", 0), source, reason))
        table.finish()
    return tuple(found)
