"""Reading puzzle files and the part sets that they share; the format is described in docs/puzzle-files.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from latcover.checks import complaints_about
from latcover.errors import InputError, LatcoverError, LatticeError, PuzzleFileError
from latcover.lattice import Lattice, Transformation
from latcover.puzzle import Bounds, Part, Puzzle, Region
from latcover.shapes import Context, Shape, read_shape
from latcover.toml_source import Source, Table

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


def read_puzzle(path: Path, find_lattice: FindLattice, find_set: FindFile, bounds: Bounds) -> Puzzle:
    """Read a puzzle file.

    Args:
        path: The file.
        find_lattice: Gives the lattice of a name (or of a file, relative to the folder given).
        find_set: Gives the file of a part set, likewise.
        bounds: How much the file may ask for.

    Raises:
        PuzzleFileError: with every complaint about the file, each with its line.
        LatticeError: the lattice's own file is at fault.
    """
    source = Source(path, PuzzleFileError, bounds.file_bytes)
    root = source.root
    name, title, origin = root.text("name", required=True), root.text("title"), root.text("source")
    if not name.strip() and "name" in root:
        root.complain("name", "must not be empty")
    lattice = _read_lattice(root, find_lattice, path.parent)
    colours_of_art, colours = _read_colours(root)
    if lattice is None:  # nothing else can be understood without it
        for key in ("region", "parts", "expect", "transformations"):
            root.any(key)
        root.finish()
        source.finish()
    assert lattice is not None
    context = Context(lattice, bounds, colours_of_art, colours)
    region = _read_region(root, context)
    default = _read_transformations(root, lattice, lattice.allowed(lattice.default_transformations))
    places: list[tuple[Table, Part]] = []
    part_tables = root.tables("parts", required=True)
    for table in part_tables:
        if "set" in table:
            places += [(table, part) for part in _read_set(table, context, default, find_set, path.parent)]
        else:
            part = read_part(table, context, default)
            places += [(table, part)] if part is not None else []
    expect = _read_expectations(root)
    root.finish()
    if not part_tables and "parts" in root:
        root.complain("parts", "a puzzle has at least one part")
    if region is None or source.complaints:
        source.finish()
    assert region is not None
    puzzle = Puzzle(name, lattice, region, tuple(p for _, p in places), title, origin, ("", *colours), expect)
    for complaint in complaints_about(puzzle):
        table = places[complaint.part][0] if complaint.part is not None else root.table("region") or root
        table.complain((), complaint.message, warning=complaint.warning)
    return replace(puzzle, warnings=source.finish())


def _read_lattice(root: Table, find: FindLattice, folder: Path) -> Lattice | None:
    name = root.text("lattice", required=True)
    if not name:
        return None
    try:
        return find(name, folder)
    except LatticeError:
        raise
    except LatcoverError as problem:
        root.complain("lattice", str(problem))
        return None


def _read_colours(root: Table) -> tuple[dict[str, int], dict[str, int]]:
    """The table [colours]: a character of art for each colour's name. Colours are numbered from 1 as they come."""
    table = root.table("colours")
    of_art: dict[str, int] = {}
    names: dict[str, int] = {}
    for character in table.data if table else ():
        assert table is not None
        name = table.text(character)
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
    holes = table.data.get("minus", [])
    single = isinstance(holes, dict)
    hole_table = table.table("minus") if single else None
    for hole in ([hole_table] if hole_table else []) if single else table.tables("minus"):
        shape = _cut(hole, shape, context)
    table.finish()
    if shape is None:
        return None
    region = Region(shape.cells, shape.colours, shape.optional, tuple(period))
    cells = region.wrapped(shape.cells)
    if len(np.unique(cells, axis=0)) < len(cells):
        table.complain("period", "two cells fall on each other")
        return None
    if not len(cells):
        table.complain((), "holds no cell")
        return None
    return Region(cells, shape.colours, shape.optional, tuple(period))


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
    if "name" in table and not name.strip():
        table.complain("name", "must not be empty")
    shape = read_shape(table, context)
    table.any("colours")
    low, high = _read_copies(table)
    transformations = _read_transformations(table, context.lattice, default)
    table.finish()
    if shape is None or not name.strip():
        return None
    return Part(name, shape.cells, shape.colours, low, high, transformations)


def _read_copies(table: Table) -> tuple[int, int | None]:
    """``count``, a number or "unlimited"; or ``min`` and ``max``, where a ``max`` left out is no bound."""
    if "count" in table and ("min" in table or "max" in table):
        table.complain("count", "stands beside min or max; count = n is short for both")
    if table.data.get("count") == "unlimited":
        table.any("count")
        return 0, None
    if "min" in table or "max" in table:
        low = _bounded(table, "min", 0, 0)
        high = _bounded(table, "max", low, 1) if "max" in table else None
        if high is not None and low > high:
            table.complain("min", f"is {low}, above max = {high}")
        table.any("count")
        return low, high
    if isinstance(table.data.get("count"), str):
        table.any("count")
        table.complain("count", 'must be a whole number or "unlimited"')
        return 1, 1
    count = _bounded(table, "count", 1, 1)
    return count, count


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
    only, without = table.array("only"), table.array("without")
    default = _read_transformations(table, context.lattice, default)
    table.finish()
    try:
        source = Source(find(name, folder), PuzzleFileError)
    except InputError as problem:
        table.complain("set", "; ".join(str(complaint) for complaint in problem.complaints))
        return
    parts = _parts_of_set(source, context, default)
    table.source.complaints.extend(source.complaints)
    names = {part.name for part in parts}
    for key, chosen in (("only", only), ("without", without)):
        for k, wanted in enumerate(chosen):
            if wanted not in names and not source.complaints:
                table.complain((key, k), f"the set {name!r} has no part {wanted!r}; it has {', '.join(sorted(names))}")
    yield from (part for part in parts if (not only or part.name in only) and part.name not in without)


def _parts_of_set(source: Source, context: Context, default: tuple[Transformation, ...]) -> list[Part]:
    for key in ("name", "title", "source", "lattice"):
        source.root.text(key)
    entries = source.root.tables("parts", required=True)
    parts = [part for entry in entries if (part := read_part(entry, context, default)) is not None]
    source.root.finish()
    return parts


def read_set(path: Path, find_lattice: FindLattice) -> tuple[Lattice, list[Part]]:
    """Read a part set by itself, on the lattice that it names (square where it names none).

    Raises:
        PuzzleFileError: with every complaint about the file.
    """
    source = Source(path, PuzzleFileError)
    lattice = find_lattice(source.root.text("lattice", "square"), path.parent)
    default = lattice.allowed(lattice.default_transformations)
    parts = _parts_of_set(source, Context(lattice, Bounds(), {}, {}), default)
    source.finish()
    return lattice, parts


def _read_expectations(root: Table) -> dict[str, int]:
    table = root.table("expect")
    if table is None:
        return {}
    found = {key: table.integer(key, -1) for key in EXPECTATIONS if table.any(key) is not None}
    for key in EXPECTATIONS:
        table.any(key)
    table.text("note")
    table.finish()
    return found
