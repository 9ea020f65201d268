"""Reading the values on sides of parts, the values that a region requires, and keys with a length.

Letters around a cell may give the value on each of its sides. On one line they go clockwise from the top; in three
dimensions around the level sides, then up, then down. On several lines they are placed like the sides, and read like a
page. A point means a side without a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from latcover.core.model.period import Period
from latcover.core.model.side_letters import NO_VALUE
from latcover.errors import listed
from latcover.files.formats.puzzle_files.file_table import Table
from latcover.files.formats.puzzle_files.toml_places import Key
from latcover.files.formats.puzzle_files.written_shapes import ColouredCells, ShapeContext, read_cell

VALUE = "side value, [sides]"
CellRow = tuple[int, ...]
TILE, EDGES = "tile", "edges"
Value = tuple[tuple[int, int], int]  # which cell, half-edge; side value


def read_sides(table: Table, shape: ColouredCells | None, context: ShapeContext) -> npt.NDArray[np.int32]:
    """A part's ``sides = [{ cell = [0, 1], edge = "east", is = "k1" }]``, as `Part.sides` has them.

    The letters of ``edges`` or ``tile`` are included.
    """
    cells = () if shape is None else list(map(tuple, shape.cells.tolist()))
    numbers = {cell: k for k, cell in enumerate(cells)}
    letters = dict(read_letters(table, shape, context))
    known = {(cells[k], h): value for (k, h), value in letters.items()}
    found = _values_of_sides(table, context, set(cells), known)
    rows = sorted((numbers[cell], h, value) for (cell, h), value in found.items() if value)
    return np.array(rows, dtype=np.int32).reshape(-1, 3)


def read_asked(
    table: Table, cells: set[CellRow], context: ShapeContext, period: Period
) -> tuple[tuple[CellRow, int, int], ...]:
    """The region's ``sides = [{ cell, edge, is }]``: values that parts must have there, as in `Rules.asked`."""
    found = _values_of_sides(table, context, cells, {}, period)
    return tuple((cell, h, value) for (cell, h), value in sorted(found.items()))


def _values_of_sides(
    table: Table,
    context: ShapeContext,
    cells: set[CellRow],
    known: dict[tuple[CellRow, int], int],
    period: Period | None = None,
) -> dict[tuple[CellRow, int], int]:
    """The value of each side, by cell and half-edge: those *known* and those in the list ``sides``.

    *cells* are those of the part, or of the region with this *period*, empty if they are faulty. The inner sides of a
    part have no values.
    """
    found, lattice, of_part = dict(known), context.lattice, period is None
    for side in table.tables("sides"):
        cell, edge = _read_side(side, context)
        cell = cell and period.home_of(cell) if period else cell
        name = side.get("is")
        value = side.numbered("is", name, context.sides, VALUE) if name else None
        if cell is None or edge is None or value is None or not cells:
            continue
        half_edge = lattice.half_edges[edge]
        if cell not in cells:
            side.complain("cell", f"is not a cell of the {'part' if of_part else 'region'}")
        elif half_edge.node != cell[0]:
            side.complain("edge", f"a {lattice.nodes[cell[0]].name!r} has no half-edge {half_edge.label!r}")
        elif of_part and half_edge.across(cell) in cells:
            side.complain("edge", "leads to a cell of the part itself")
        elif (cell, edge) in found:
            side.complain((), "this side is given twice")
        else:
            found[cell, edge] = value
    return found


def _read_side(side: Table, context: ShapeContext) -> tuple[CellRow | None, int | None]:
    """The cell and the half-edge of a side; None for a faulty one."""
    cell = None
    if "cell" in side:
        cell = read_cell(side, ("cell",), side.data["cell"], context.lattice)
    else:
        side.complain((), "'cell' is missing")
    label = side.get("edge")
    labels = {edge.label: h for h, edge in enumerate(context.lattice.half_edges)}
    return cell, side.numbered("edge", label, labels, "half-edge") if label else None


def with_keys_and_locks(
    table: Table, shape: ColouredCells | None, sides: npt.NDArray[np.int32], context: ShapeContext
) -> ColouredCells | None:
    """Keys with a length, and the locks that they pass through, as cells.

    ``keys = [{ cell, edge, length }]``: the part also covers the `length` cells that a straight walk from the cell
    reaches. ``locks = [cells]``: cells of the part that it leaves to such a key, which must fill them.
    """
    locks = table.entries("locks")
    cells = [] if shape is None else [tuple(cell) for cell in shape.cells.tolist()]
    colour = dict(zip(cells, shape.colours.tolist() if shape is not None else (), strict=True))
    gone = [read_cell(table, ("locks", k), value, context.lattice) for k, value in enumerate(locks)]
    for k, cell in enumerate(gone):
        if shape is not None and cell is not None and cell not in colour:
            table.complain(("locks", k), "is not a cell of the part")
    reached = [cell for key in table.tables("keys") for cell in _reach(key, context, set(cells))]
    if shape is None or not (locks or reached):
        return shape
    if len(sides):
        table.complain("sides", "cannot be combined with keys with a length or the locks for them")
        return None
    kept = [cell for cell in cells if cell not in gone]
    if len(set(kept + reached)) < len(kept + reached):
        table.complain("keys", "a key runs into its own part, or into another key of this part")
        return None
    if not kept + reached:
        table.complain("locks", "take all cells of the part")
        return None
    colours = [colour[cell] for cell in kept] + [0] * len(reached)
    return replace(ColouredCells.plain(np.array(kept + reached, np.int32)), colours=np.array(colours, np.int32))


def _reach(key: Table, context: ShapeContext, own: set[CellRow]) -> list[CellRow]:
    cell, number = _read_side(key, context)
    length = key.get("length")
    if cell is None or number is None:
        return []
    if cell not in own:
        key.complain("cell", "is not a cell of the part")
        return []
    edge, walk = context.lattice.half_edges[number], [cell]
    if edge.node != cell[0] or (edge.target != edge.node and length > 1) or length > context.bounds.cells:
        key.complain("edge", f"no straight walk of {length} along {edge.label!r} starts there")
        return []
    for _ in range(length):
        walk.append(edge.across(walk[-1]))
    return walk[1:]


# ---- letters around a cell


def signs_of(value: Any) -> tuple[str, bool] | None:
    """The letters of a drawing, and whether it has several lines; None if it is neither text nor rows of text."""
    rows = value.strip().split("\n") if isinstance(value, str) else value
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        return None
    return "".join("".join(rows).split()), len(rows) > 1


def node_of(table: Table, n_sides: int, context: ShapeContext) -> int:
    """The node of a tile: the one that it names, or the first with *n_sides* sides."""
    names = [node.name for node in context.lattice.nodes]
    wanted = table.get("node")
    if wanted:
        number = table.numbered("node", wanted, {name: k for k, name in enumerate(names)}, "node")
        if number is not None:
            return number
    return next((u for u, own in enumerate(context.lattice.clockwise) if len(own) == n_sides), 0)


def read_letters(table: Table, shape: ColouredCells | None, context: ShapeContext) -> Iterator[Value]:
    """The side values of a part as ``tile``, or ``edges`` with a string for each cell, gives them."""
    if TILE in table and EDGES in table:
        table.complain(EDGES, "cannot be combined with tile, which has letters of its own")
    if TILE in table:
        drawn: list[tuple[Key, Any]] = [((TILE,), table.data[TILE])]
    else:
        value = table.data.get(EDGES)
        if value is None:
            return
        several = isinstance(value, list) and (shape is None or len(shape.cells) != 1 or len(value) == 1)
        drawn = [((EDGES, k), each) for k, each in enumerate(value)] if several else [((EDGES,), value)]
    if shape is None:
        return
    if len(drawn) != len(shape.cells):
        table.complain(EDGES, f"must hold letters for each of the {len(shape.cells)} cells, in their order")
        return
    numbers = {tuple(cell): k for k, cell in enumerate(shape.cells.tolist())}
    for k, (key, value) in enumerate(drawn):
        cell = tuple(shape.cells[k].tolist())
        for h, side_value in _of_cell(table, key, value, cell[0], context):
            if context.lattice.half_edges[h].across(cell) in numbers:
                label = context.lattice.half_edges[h].label
                table.complain(key, f"the side {label!r} leads to a cell of the part itself; write a point there")
            else:
                yield (k, h), side_value


def _of_cell(table: Table, key: Key, value: Any, node: int, context: ShapeContext) -> Iterator[tuple[int, int]]:
    """The half-edges of a cell that have a value, and their values."""
    found = signs_of(value)
    if found is None:
        table.complain(key, "must be letters, on one line or on several")
        return
    signs, drawn = found
    lattice = context.lattice
    order = (lattice.as_read if drawn else lattice.clockwise)[node]
    if len(signs) != len(order):
        sides = listed(lattice.half_edges[h].label for h in order)
        what = f"has {len(signs)} letters, but a cell {lattice.nodes[node].name!r} has {len(order)} sides: {sides}"
        table.complain(key, what)
        return
    for h, sign in zip(order, signs, strict=True):
        if sign in NO_VALUE:
            continue
        if sign in context.letters:
            yield h, context.letters[sign]
        else:
            known = f"; known: {', '.join(context.letters)}, and a point for none" if context.letters else ""
            table.complain(key, f"no side value has the letter {sign!r}{known or '; name the values under [sides]'}")
