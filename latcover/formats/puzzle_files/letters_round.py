"""Letters round a cell: what each of its sides bears, in a form that one reads at a glance.

On one line the letters go clockwise from the top; in three dimensions round the level sides, then up, then down. On
several lines they stand as the sides lie, and are taken as a page is read. A point stands for a side without a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from latcover.errors import listed, suggest
from latcover.formats.puzzle_files.shapes import Context, Shape
from latcover.formats.puzzle_files.toml_file import Table
from latcover.formats.puzzle_files.toml_places import Key
from latcover.model.side_letters import NO_VALUE

TILE, EDGES = "tile", "edges"
Value = tuple[tuple[int, int], int]  # which cell, half-edge; side value


def signs_of(value: Any) -> tuple[str, bool] | None:
    """The letters of a drawing, and whether it has several lines; None if it is neither text nor rows of text."""
    rows = value.strip().split("\n") if isinstance(value, str) else value
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        return None
    return "".join("".join(rows).split()), len(rows) > 1


def node_of(table: Table, n_sides: int, context: Context) -> int:
    """The node of a tile: the one that it names, or the first that has so many sides."""
    names = [node.name for node in context.lattice.nodes]
    wanted = table.text("node")
    if wanted and wanted not in names:
        table.complain("node", f"no node {wanted!r} in lattice {context.lattice.name!r}{suggest(wanted, names)}")
    if wanted in names:
        return names.index(wanted)
    return next((u for u, own in enumerate(context.lattice.clockwise) if len(own) == n_sides), 0)


def read_letters(table: Table, shape: Shape | None, context: Context) -> Iterator[Value]:
    """What ``tile``, or ``edges`` with a string for each cell, says of the sides of a part."""
    if TILE in table and EDGES in table:
        table.complain(EDGES, "cannot stand beside tile, which has letters of its own")
    if TILE in table:
        drawn: list[tuple[Key, Any]] = [((TILE,), table.any(TILE))]
    else:
        value = table.any(EDGES)
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


def _of_cell(table: Table, key: Key, value: Any, node: int, context: Context) -> Iterator[tuple[int, int]]:
    """The half-edges of a cell and what they bear, as far as they bear anything."""
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
