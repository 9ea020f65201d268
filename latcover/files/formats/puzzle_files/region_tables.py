"""Reading the region of a puzzle: its shape, scaled and with holes, and which of its cells may stay empty."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.given import FARTHEST
from latcover.core.model.lattice import Cells
from latcover.core.model.period import Period
from latcover.core.model.puzzle import ALL_CELLS, MAX_GRID, Region
from latcover.errors import PuzzleError
from latcover.files.formats.puzzle_files.file_keys import BESIDE, Coordinate, kind_of, row_of
from latcover.files.formats.puzzle_files.file_table import Table
from latcover.files.formats.puzzle_files.side_tables import CellRow, read_asked
from latcover.files.formats.puzzle_files.written_shapes import (
    WAYS,
    ColouredCells,
    ShapeContext,
    has_room,
    read_cell,
    read_shape,
)


class Demands(Struct, frozen=True):
    """What the region asks of the parts on its cells, as `Rules.asked` and `Rules.alike` have it."""

    asked: tuple[tuple[CellRow, int, int], ...] = ()
    alike: tuple[tuple[CellRow, ...], ...] = ()


def read_region(root: Table, context: ShapeContext) -> tuple[Region | None, Demands]:
    """The region, and what it asks of the parts."""
    if is_part_set(root):
        return None, Demands()
    table = root.table("region", required=True)
    if table is None:
        return None, Demands()
    period = _period(table, context.lattice.dimension)
    whole = not any(way in table for way in WAYS) and (period is None or period.volume > 0)
    if whole:
        shape = _whole_torus(table, period, context) if period else None
    else:
        shape = read_shape(table, context, may_be_optional=True)
    if period is None:
        period, shape = Period(context.lattice.dimension), None
    max_empty = table.get("max_empty") if "max_empty" in table else None
    shape = _scaled(table, shape, context)
    single = table.table("minus") if isinstance(table.data.get("minus"), dict) else None
    for hole in [single] if single else table.tables("minus"):
        shape = _cut(hole, shape, period, context)
    shape = _at_home(table, shape, period)
    shape = _with_optional(table, shape, period, context)
    groups = table.tables("alike")
    asks = shape is not None and (groups or "sides" in table)
    present = set(map(tuple, shape.cells.tolist())) if shape is not None and asks else set()
    asked = read_asked(table, present, context, period)
    alike = [_group(group, present, period, context) for group in groups]
    if shape is None:
        return None, Demands()
    if not len(shape.cells):
        table.complain((), "has no cells")
        return None, Demands()
    secondary = np.array([node.secondary for node in context.lattice.nodes])
    optional = shape.optional | secondary[shape.cells[:, 0]]
    if max_empty and not shape.optional.any():  # it says how many cells are left over, whichever they are
        optional[:] = True
    exchangeable = table.get("exchangeable")
    region = Region(shape.cells, shape.colours, optional, period, max_empty, exchangeable=exchangeable)
    return region, Demands(asked, tuple(tuple(sorted(group)) for group in alike if group))


def _at_home(table: Table, shape: ColouredCells | None, period: Period) -> ColouredCells | None:
    """The same cells by the names that the region has for them."""
    if shape is None or not period:
        return shape
    cells = np.array(period.homes_of(shape.cells.tolist()), np.int32).reshape(shape.cells.shape)
    if len(np.unique(cells, axis=0)) < len(cells):
        table.complain("period", "two cells become the same cell; give a longer period, or fewer cells")
        return None
    return replace(shape, cells=cells)


def _period(table: Table, dimension: int) -> Period | None:
    """``period = [4, 0]``, or vectors, as in ``[[8, 5], [-5, 8]]``; None if it is faulty."""
    given = table.data.get("period", [])
    rows = given if isinstance(given, list) and given and all(isinstance(row, list) for row in given) else None
    if rows is None:
        found = table.row("period", Coordinate, dimension) if "period" in table else ()
    else:
        found = tuple(table.checked(("period", k), row, row_of(Coordinate, dimension)) for k, row in enumerate(rows))
    if found is None or None in found:
        return None
    try:
        return Period.read(dimension, found)
    except PuzzleError as fault:
        table.complain("period", str(fault))
        return None


def _whole_torus(table: Table, period: Period, context: ShapeContext) -> ColouredCells | None:
    """All cells of the torus."""
    n_nodes, (low, high) = len(context.lattice.nodes), period.box()
    if not has_room(table, "period", period.volume * n_nodes, context.bounds):
        return None
    if math.prod((high - low + 1).tolist()) > MAX_GRID // 16:
        table.complain("period", "the vectors enclose a long thin torus; take shorter vectors with the same sums")
        return None
    homes = period.homes()
    nodes = np.repeat(np.arange(n_nodes), len(homes))
    return ColouredCells.plain(np.column_stack([nodes, np.tile(homes, (n_nodes, 1))]).astype(np.int32))


def is_part_set(table: Table) -> bool:
    """Whether this is the top of a part set, not of a puzzle. If so, complain."""
    if table.key or kind_of(table.data) != "part set":
        return False
    what = f'a set of parts, not a puzzle; add a [region], or, {BESIDE}: set = "./{table.file.source.file_name}"'
    table.complain((), f"'region' is missing: this is {what}")
    return True


def _scaled(table: Table, shape: ColouredCells | None, context: ShapeContext) -> ColouredCells | None:
    """``scale = [2, 2, 3]``: each cell becomes a block of cells."""
    dimension = context.lattice.dimension
    scale = table.row("scale", Coordinate, dimension)
    if scale is None or shape is None:
        return shape
    if min(scale) < 1 or len(context.lattice.nodes) > 1:
        table.complain("scale", "must be sizes of 1 or more, on a lattice with one node")
        return None
    if not has_room(table, "scale", len(shape.cells) * math.prod(scale), context.bounds):
        return None
    block = np.indices(scale).reshape(dimension, -1).T
    vectors = shape.cells[:, None, 1:].astype(np.int64) * scale + block
    if np.abs(vectors).max() > FARTHEST:
        table.complain("scale", f"takes cells farther than {FARTHEST:,} from 0; move the cells nearer to 0")
        return None
    cells = np.zeros((vectors.shape[0] * vectors.shape[1], dimension + 1), np.int32)
    cells[:, 1:] = vectors.reshape(-1, dimension)
    return ColouredCells(cells, np.repeat(shape.colours, len(block)), np.repeat(shape.optional, len(block)))


def moved_cells(table: Table, context: ShapeContext) -> set[CellRow] | None:
    """The cells of a table that gives them in one of the usual ways, moved by ``at``."""
    shape = read_shape(table, context)
    at = table.row("at", Coordinate, context.lattice.dimension) or (0,) * context.lattice.dimension
    if shape is None:
        return None
    return {(int(c[0]), *(int(x) + a for x, a in zip(c[1:], at, strict=True))) for c in shape.cells}


def read_cells_of(table: Table, key: str, context: ShapeContext) -> Cells:
    """The cells under *key*: a table that gives some in one of the usual ways, moved by ``at``, or a list of such."""
    single = table.table(key) if isinstance(table.data.get(key), dict) else None
    found: set[CellRow] = set()
    for each in [single] if single else table.tables(key):
        found |= moved_cells(each, context) or set()
    return np.array(sorted(found), np.int32).reshape(-1, context.lattice.dimension + 1)


def _group(table: Table, present: set[CellRow], period: Period, context: ShapeContext) -> set[CellRow]:
    """An entry of ``alike = [{ box = [2, 2], at = [0, 2] }]``: cells of the region that must have one colour."""
    cells = set(period.homes_of(sorted(moved_cells(table, context) or ())))
    missing = sorted(cells - present)
    if present and missing:
        table.complain((), f"{context.lattice.written(missing[0])} is not a cell of the region")
    elif len(cells) == 1:
        table.complain((), "has only one cell; a group of cells that must be alike needs two or more")
    elif cells and not context.colours:
        table.complain((), "asks for cells of one colour, but the puzzle has no colours; name them under [colours]")
    return cells & present


def _cut(hole: Table, shape: ColouredCells | None, period: Period, context: ShapeContext) -> ColouredCells | None:
    """Without a hole. A cell that the file does not name as the hole does is meant if it has the same home."""
    gone = moved_cells(hole, context)
    if shape is None or gone is None:
        return None
    cells = [tuple(cell) for cell in shape.cells.tolist()]
    named, homes = {*cells}, period.homes_of(cells)
    unnamed = sorted(gone - named)
    others = dict(zip(unnamed, period.homes_of(unnamed), strict=True))
    missing = [cell for cell, home in others.items() if home not in {*homes}]
    if missing:
        hole.complain((), f"a hole where there is no cell: {context.lattice.written(missing[0])}")
        return None
    gone_homes = {*others.values()}
    keep = np.array([cell not in gone and home not in gone_homes for cell, home in zip(cells, homes, strict=True)])
    return ColouredCells(shape.cells[keep], shape.colours[keep], shape.optional[keep])


def _with_optional(
    table: Table, shape: ColouredCells | None, period: Period, context: ShapeContext
) -> ColouredCells | None:
    """``optional = [cells]``, or "all": cells that may stay empty, in addition to those that art marks."""
    if isinstance(table.data.get("optional"), str):
        is_all = table.get("optional") == ALL_CELLS
        return replace(shape, optional=np.ones_like(shape.optional)) if is_all and shape is not None else shape
    entries = enumerate(table.entries("optional"))
    given = [read_cell(table, ("optional", k), cell, context.lattice) for k, cell in entries]
    if shape is None or not given:
        return shape
    number = {tuple(cell): k for k, cell in enumerate(shape.cells.tolist())}
    optional = shape.optional.copy()
    for k, cell in enumerate(given):
        if cell is not None and (home := period.home_of(cell)) not in number:
            table.complain(("optional", k), "is not a cell of the region")
        elif cell is not None:
            optional[number[home]] = True
    return replace(shape, optional=optional)
