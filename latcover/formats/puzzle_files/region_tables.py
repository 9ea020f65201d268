"""Reading the region of a puzzle: its shape, scaled and with holes, and which of its cells may stay empty."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from latcover.formats.puzzle_files.kinds import BESIDE, kind_of
from latcover.formats.puzzle_files.rules_file import read_asked
from latcover.formats.puzzle_files.shapes import Context, Shape, has_room, read_cell, read_shape
from latcover.formats.puzzle_files.toml_file import Table
from latcover.model.puzzle import Region

Asked = tuple[tuple[tuple[int, ...], int, int], ...]


def read_region(root: Table, context: Context) -> tuple[Region | None, Asked]:
    """The region, and what it asks of the sides of parts, as `Rules.asked` has it."""
    if is_part_set(root):
        return None, ()
    table = root.table("region", required=True)
    if table is None:
        return None, ()
    shape = read_shape(table, context, may_be_optional=True)
    dimension = context.lattice.dimension
    period = table.integers("period", dimension) or (0,) * dimension
    if min(period) < 0:
        table.complain("period", "must not be negative; 0 means that the region does not close along this axis")
        shape = None
    max_empty = table.integer("max_empty", 0) if "max_empty" in table else None
    shape = _scaled(table, shape, context)
    holes = table.data.get("minus", [])
    single = isinstance(holes, dict)
    hole_table = table.table("minus") if single else None
    for hole in ([hole_table] if hole_table else []) if single else table.tables("minus"):
        shape = _cut(hole, shape, context)
    shape = _with_optional(table, shape, context)
    asked = read_asked(table, set() if shape is None else set(map(tuple, shape.cells.tolist())), context)
    table.finish()
    if shape is None:
        return None, ()
    if not len(shape.cells):
        table.complain((), "holds no cell")
        return None, ()
    secondary = np.array([node.secondary for node in context.lattice.nodes])
    optional = shape.optional | secondary[shape.cells[:, 0]]
    if max_empty is not None and not shape.optional.any():
        table.complain("max_empty", "the region has no optional cell: + in art, or optional = [cells]")
    region = Region(shape.cells, shape.colours, optional, tuple(period), max_empty)
    cells = region.wrapped(shape.cells)
    if len(np.unique(cells, axis=0)) < len(cells):
        table.complain("period", "two cells become the same cell; give a longer period, or fewer cells")
        return None, ()
    places = dict(zip(map(tuple, shape.cells.tolist()), map(tuple, cells.tolist()), strict=True))
    asked = tuple((places[cell], label, value) for cell, label, value in asked)
    return Region(cells, shape.colours, optional, tuple(period), max_empty), asked


def is_part_set(table: Table) -> bool:
    """Whether this is the top of a part set, not of a puzzle. If so, complain."""
    if table.key or kind_of(table.data) != "part set":
        return False
    what = f'a set of parts, not a puzzle; add a [region], or, {BESIDE}: set = "./{table.file.source.file_name}"'
    table.complain((), f"'region' is missing: this is {what}")
    return True


def _scaled(table: Table, shape: Shape | None, context: Context) -> Shape | None:
    """``scale = [2, 2, 3]``: each cell becomes a block of cells."""
    dimension = context.lattice.dimension
    scale = table.integers("scale", dimension)
    if scale is None or shape is None:
        return shape
    if min(scale) < 1 or len(context.lattice.nodes) > 1:
        table.complain("scale", "must be sizes of 1 or more, on a lattice with one node")
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
    """``optional = [cells]``: cells of the region that may stay empty, in addition to those that art marks."""
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
