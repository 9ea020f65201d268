"""Reading a set of cells from a file: as a box, as art, as layers of art, as a list of cells, as a walk, or a burr."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from latcover.core.model.burr import LEAST_LENGTH, stick
from latcover.core.model.given import EMPTY, FARTHEST, FILLED, OPTIONAL
from latcover.core.model.lattice import Cells, HalfEdge, Lattice
from latcover.core.model.puzzle import MAX_GRID, Bounds
from latcover.errors import suggest
from latcover.files.formats.puzzle_files.file_keys import Art, Coordinate, row_of
from latcover.files.formats.puzzle_files.file_table import Table
from latcover.files.formats.puzzle_files.region_figures import FIGURES, fault_of, figure, most_cells
from latcover.files.formats.puzzle_files.toml_places import Key

BOXES = 4  # all boxes and scales of a file may make this many times the bound of cells
COLOUR = "colour, [colours]"
WAYS = ("box", *FIGURES, "art", "layers", "cells", "walk", "burr")


class ShapeContext(Struct, frozen=True):
    """What is needed to read a shape: lattice, bounds, colours and side values by character and by name."""

    lattice: Lattice
    bounds: Bounds
    colours_of_art: Mapping[str, int]
    colours: Mapping[str, int]
    sides: Mapping[str, int]
    letters: Mapping[str, int] = field(default_factory=dict)


def read_colours(root: Table) -> tuple[dict[str, int], dict[str, int]]:
    """The table [colours]: a character of art for each colour's name. Colours are numbered from 1 as they come."""
    table = root.dictionary("colours")
    of_art: dict[str, int] = {}
    names: dict[str, int] = {}
    for character in table.data:
        name = table.get(character, required=True)
        if not name:
            continue
        if len(character) != 1 or character in "X#._ +":
            table.complain(character, "must be a single character other than X # . _ + and blank")
        of_art[character] = names.setdefault(name, len(names) + 1)
    return of_art, names


class ColouredCells(Struct, frozen=True, eq=False):
    """Cells as written, with their colours, and which of them are optional."""

    cells: Cells
    colours: npt.NDArray[np.int32]
    optional: npt.NDArray[np.bool_]

    @classmethod
    def plain(cls, cells: Cells) -> ColouredCells:
        """Cells without colours, none of them optional."""
        return cls(cells, np.zeros(len(cells), np.int32), np.zeros(len(cells), np.bool_))


class _TooManyCellsError(Exception):
    pass


class _Builder:
    def __init__(self, context: ShapeContext, may_be_optional: bool) -> None:
        self.context = context
        self.may_be_optional = may_be_optional
        self.found: dict[tuple[int, ...], tuple[int, bool]] = {}

    def add(self, table: Table, key: Key, cell: tuple[int, ...], colour: int = 0, optional: bool = False) -> None:
        if cell in self.found:
            table.complain(key, f"the cell {self.context.lattice.written(cell)} is given twice")
        self.found[cell] = (colour, optional)
        if len(self.found) > self.context.bounds.cells:
            raise _TooManyCellsError


def read_shape(table: Table, context: ShapeContext, *, may_be_optional: bool = False) -> ColouredCells | None:
    """Read cells in the one of `WAYS` that *table* uses. If they are faulty, complain and return None."""
    given = [way for way in WAYS if way in table]
    if len(given) != 1:
        found = "none" if not given else " and ".join(given)
        table.complain((), f"needs its cells in exactly one way ({', '.join(WAYS)}); here: {found}")
        return None
    if "colours" in table and given != ["cells"]:
        table.complain(
            "colours", "can only be used with cells, one colour for each cell; in art, characters stand for colours"
        )
    if "length" in table and given != ["burr"]:
        table.complain("length", "can only be used with burr")
    before = table.file.n_complaints
    if given[0] == "box" or given[0] in FIGURES:
        cells = _read_box(table, context) if given == ["box"] else _read_figure(table, given[0], context)
        shape = None if cells is None else ColouredCells.plain(cells)
    else:
        builder = _Builder(context, may_be_optional)
        try:
            read = {"art": _read_art, "layers": _read_layers, "cells": _read_cells, "walk": _read_walk}
            read.get(given[0], _read_burr)(table, builder)
        except _TooManyCellsError:
            table.complain(given[0], f"more than {context.bounds.cells:,} cells; raise the bound with --max-cells")
            return None
        values = list(builder.found.values())
        shape = ColouredCells(
            np.array(list(builder.found), dtype=np.int32).reshape(-1, context.lattice.dimension + 1),
            np.array([colour for colour, _ in values], dtype=np.int32),
            np.array([optional for _, optional in values], dtype=np.bool_),
        )
        if not len(shape.cells) and table.file.n_complaints == before:
            table.complain(given[0], "has no cells")
        elif len(shape.cells) and math.prod((np.ptp(shape.cells[:, 1:].astype(int), axis=0) + 1).tolist()) > MAX_GRID:
            table.complain(given[0], "the cells are too far apart: their bounding box is too large")
        elif len(shape.cells) and np.abs(shape.cells[:, 1:]).max() > FARTHEST:
            table.complain(given[0], f"reaches farther than {FARTHEST:,} from 0")
    return shape if shape is not None and table.file.n_complaints == before else None


def has_room(table: Table, key: str, n_cells: int, bounds: Bounds) -> bool:
    """Whether the value at *key* may make so many cells. If not, complain.

    A few words can make many cells. All such cells of a file count together, because it may hold thousands of boxes.
    """
    if n_cells > bounds.cells:
        table.complain(key, f"more than {bounds.cells:,} cells; raise the bound with --max-cells")
        return False
    table.file.cells_made += n_cells
    most = BOXES * bounds.cells
    if table.file.cells_made > most:
        table.complain(
            key, f"with it the file asks for more than {most:,} cells in all; raise the bound with --max-cells"
        )
        return False
    return True


def _read_box(table: Table, context: ShapeContext) -> Cells | None:
    dimension = context.lattice.dimension
    sizes = table.row("box", Coordinate, dimension)
    if sizes is None:
        return None
    if min(sizes) < 1:
        table.complain("box", "each side must be 1 or more")
        return None
    n_nodes = len(context.lattice.nodes)
    if not has_room(table, "box", math.prod(sizes) * n_nodes, context.bounds):
        return None
    grids = np.indices((*sizes, n_nodes), dtype=np.int32).reshape(dimension + 1, -1)
    return np.column_stack([grids[dimension], *grids[:dimension]])


def _read_figure(table: Table, name: str, context: ShapeContext) -> Cells | None:
    size, lattice = table.get(name), context.lattice
    fault = fault_of(name, lattice)
    if fault or not size:
        table.complain(name, fault or "must be 1 or more")
        return None
    return figure(name, size, lattice) if has_room(table, name, most_cells(size, lattice), context.bounds) else None


def _read_art(table: Table, builder: _Builder) -> None:
    _add_layer(table, ("art",), table.data["art"], 0, builder)


def _read_layers(table: Table, builder: _Builder) -> None:
    if builder.context.lattice.dimension < 3:
        table.complain("layers", f"the lattice {builder.context.lattice.name!r} has no layers: use art")
        return
    for z, layer in enumerate(table.entries("layers")):
        _add_layer(table, ("layers", z), layer, z, builder)


def _add_layer(table: Table, key: Key, art: Any, z: int, builder: _Builder) -> None:
    lattice, colours = builder.context.lattice, builder.context.colours_of_art
    if lattice.dimension < 2 or len(lattice.nodes) > 1:
        table.complain(key, f"the lattice {lattice.name!r} cannot be drawn as rows and columns: use cells or walk")
        return
    found = table.checked(key, art, Art)
    if found is None:
        return
    rows = found.split("\n") if isinstance(found, str) else found
    for r, row in enumerate(rows):
        for c, character in enumerate(row):
            if character in EMPTY:
                continue
            optional = character == OPTIONAL and builder.may_be_optional
            if character not in FILLED and character not in colours and not optional:
                known = f"X or # for a cell, . or _ for none{', + for an optional one' * builder.may_be_optional}"
                names = {colour: name for name, colour in builder.context.colours.items()}
                legend = ", ".join(f"{k} for {names.get(v, '')}" for k, v in colours.items())
                message = f"stray character {character!r} in row {r + 1}, column {c + 1}; it may hold {known}"
                table.complain((*key, r), f"{message}{', ' + legend if legend else ''}", offset=c)
                continue
            cell = (0, r, c, z)[: lattice.dimension + 1]
            builder.add(table, key, cell, colours.get(character, 0), optional)


def _read_cells(table: Table, builder: _Builder) -> None:
    lattice = builder.context.lattice
    values = table.entries("cells")
    colours = table.entries("colours")
    if colours and len(colours) != len(values):
        table.complain("colours", f"there are {len(values)} cells, but {len(colours)} colours")
        colours = []
    for k, value in enumerate(values):
        cell = read_cell(table, ("cells", k), value, lattice)
        if cell is not None:
            named = colours and colours[k] != ""
            colour = named and table.numbered(("colours", k), colours[k], builder.context.colours, COLOUR)
            builder.add(table, ("cells", k), cell, colour or 0)


def read_cell(table: Table, key: Key, value: Any, lattice: Lattice) -> tuple[int, ...] | None:
    """Coordinates, and the node's name if the lattice has several. If they are faulty, complain and return None."""
    names, node = [n.name for n in lattice.nodes], 0
    if len(names) > 1:
        name = value[-1] if isinstance(value, list) and value else None
        if name not in names:
            hint = suggest(name, names, listing=False) if isinstance(name, str) else ""
            example = ", ".join([*"0" * lattice.dimension, f'"{names[0]}"'])
            known = ", ".join(map(repr, names))
            table.complain(key, f"must be coordinates and one of {known}, as in [{example}]{hint}")
            return None
        node, value = names.index(name), value[:-1]
    if isinstance(value, list) and len(value) != lattice.dimension:
        what = f"the lattice {lattice.name!r} has {lattice.dimension} axes, but {value} has {len(value)}"
        table.complain(key, what)
        return None
    vector = table.checked(key, value, row_of(Coordinate, lattice.dimension))
    return None if vector is None else (node, *vector)


def _read_walk(table: Table, builder: _Builder) -> None:
    """Steps "CELL HALF-EDGE CELL" between cells with any names, in any order that stays connected."""
    lattice = builder.context.lattice
    steps = _steps_of_walk(table, {edge.label: edge for edge in lattice.half_edges}, lattice.name)
    if steps is None:
        return
    places: dict[str, tuple[int, ...]] = {}
    for row, text, start, edge, end in steps:
        if not places:
            places[start] = (edge.node, *([0] * lattice.dimension))
        if start not in places and end in places:
            start, end, edge = end, start, lattice.half_edges[edge.twin]
        if start not in places:
            table.complain(("walk", row), f"{text!r} touches no cell that the walk has reached")
            return
        node = places[start][0]
        if node != edge.node:
            there = lattice.nodes[node].name
            what = f"cell {start} is a {there!r}, which has no half-edge {edge.label!r}"
            table.complain(("walk", row), f"{text!r}: {what}")
            return
        reached = edge.across(places[start])
        if places.setdefault(end, reached) != reached:
            table.complain(("walk", row), f"{text!r} does not close: cell {end} already has another place")
            return
    for name, cell in places.items():
        if cell in builder.found:
            table.complain("walk", f"cell {name} has the place of another cell")
            return
        builder.add(table, ("walk",), cell)


def _read_burr(table: Table, builder: _Builder) -> None:
    """A stick of a six-piece burr, by its number."""
    lattice = builder.context.lattice
    number, length = table.get("burr"), table.get("length")
    if lattice.dimension != 3 or len(lattice.half_edges) != 6:
        table.complain("burr", f"sticks of burrs are of cubes; the lattice {lattice.name!r} has none")
    elif length < LEAST_LENGTH or length % 2:
        table.complain("length", f"must be even, and {LEAST_LENGTH} or more, not {length}")
    elif number and not lattice.connects(stick(number).tolist()):
        table.complain("burr", f"the stick {number} would fall into pieces")
    elif number and has_room(table, "length", 4 * length, builder.context.bounds):
        for cell in stick(number, length).tolist():
            builder.add(table, ("burr",), tuple(cell))


def _steps_of_walk(
    table: Table, edges: Mapping[str, HalfEdge], lattice: str
) -> list[tuple[int, str, str, HalfEdge, str]] | None:
    """The steps of a walk: line, text, cell, half-edge, cell. None, with complaints, if any is faulty by itself."""
    found, before = [], table.file.n_complaints
    for row, line in enumerate(table.get("walk").split("\n")):
        for text in filter(str.strip, line.split(",")):
            words = text.split()
            if len(words) != 3:
                example = f'"CELL HALF-EDGE CELL", as in "1 {next(iter(edges))} 2"'
                table.complain(("walk", row), f"{text.strip()!r} must be {example}")
            elif words[1] not in edges:
                known = suggest(words[1], edges)
                table.complain(("walk", row), f"no half-edge {words[1]!r} in lattice {lattice!r}{known}")
            elif words[0] == words[2]:
                table.complain(("walk", row), f"{text.strip()!r} leads from a cell to itself")
            else:
                found.append((row, text.strip(), words[0], edges[words[1]], words[2]))
    return found if table.file.n_complaints == before else None
