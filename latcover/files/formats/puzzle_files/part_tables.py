"""Reading parts, one by one; set_tables.py reads those of sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.colour_names import named, unknown
from latcover.core.model.given import is_line
from latcover.core.model.lattice import Lattice, Transformation
from latcover.core.model.orientation import hands, mirror_image
from latcover.core.model.puzzle import Part
from latcover.core.model.puzzle_checks import repeated_names
from latcover.errors import InputError, LatticeError, nearest, suggest
from latcover.files.formats.puzzle_files.file_keys import UNLIMITED, Tiles
from latcover.files.formats.puzzle_files.file_table import Table, expected
from latcover.files.formats.puzzle_files.lattice_file import lattice_within, read_lattice
from latcover.files.formats.puzzle_files.region_tables import read_cells_of
from latcover.files.formats.puzzle_files.side_tables import TILE, node_of, read_sides, signs_of, with_keys_and_locks
from latcover.files.formats.puzzle_files.written_shapes import COLOUR, WAYS, ColouredCells, ShapeContext, read_shape
from latcover.files.formats.source import names as shipped_names
from latcover.files.formats.source import shipped

T = TypeVar("T")

TILES = "tiles"
CONFINES = ("within", "keep_off")
LIKELY = 0.7  # how alike an unknown name and a known one must be for reading to go on with the known one


class FromSet(Struct, frozen=True):
    """Where a part of a puzzle comes from.

    Attributes:
        name: The set.
        own: What the set calls the part.
        prefixed: Whether the puzzle puts a prefix before it.
        together: The least and the greatest number of copies of all parts that the table takes; None is no bound.
    """

    name: str
    own: str
    prefixed: bool = False
    together: tuple[int, int | None] | None = None


class PartEntry(Struct, frozen=True, eq=False):
    """A part of a file: the table that it comes from, its name, and the part; None if the table is faulty.

    *mirror* is what the file of a set calls its mirror image; "" if it does not say. *from_set*: of a part that the
    puzzle takes from a set.
    """

    table: Table
    name: str
    part: Part | None
    mirror: str = ""
    from_set: FromSet | None = None


def read_entries(table: Table, context: ShapeContext, default: tuple[Transformation, ...]) -> Iterator[PartEntry]:
    """The part of a table; or the several of one that lists sticks of burrs, or tiles."""
    if isinstance(table.data.get("burr"), list):
        yield from _read_burrs(table, context, default)
    elif TILES in table:
        yield from _read_tiles(table, context, default)
    else:
        yield _read_entry(table, context, default)


def _read_entry(table: Table, context: ShapeContext, default: tuple[Transformation, ...]) -> PartEntry:
    part, name = read_part(table, context, default), table.data.get("name", table.data.get("burr"))
    return PartEntry(table, str(name) if isinstance(name, str | int) else "", part)


def read_mirror_image(
    table: Table, context: ShapeContext, default: tuple[Transformation, ...], known: Sequence[PartEntry]
) -> PartEntry:
    """The mirror image of an earlier part, with its colours and sides."""
    wanted = table.get("mirror_of", required=True)
    name = _read_name(table, mirrored(wanted))
    habits = _read_habits(table, context, default)
    entry = next((entry for entry in known if entry.name == wanted), None)
    if wanted and entry is None:
        names = {entry.name for entry in known}
        table.complain("mirror_of", f"no part {wanted[:80]!r} comes before this one{suggest(wanted, names)}")
    if entry is None or entry.part is None:
        return PartEntry(table, name, None)
    image = mirror_image(entry.part, context.lattice)
    if image is None:
        table.complain("mirror_of", f"the lattice {context.lattice.name!r} has no reflection")
    elif len(set(hands([entry.part, image], context.lattice))) == 1:
        table.complain("mirror_of", f"{wanted!r} is its own mirror image; give it a count in place of this part")
        image = None
    part = None if image is None else replace(image, name=name, number=0, lattice=None, **habits)
    return PartEntry(table, name, part)


def mirrored(name: str) -> str:
    """What the mirror image of a part is called unless somebody says otherwise."""
    return f"{name}'"


def _read_burrs(table: Table, context: ShapeContext, default: tuple[Transformation, ...]) -> Iterator[PartEntry]:
    """``burr = [88, 512, 1008, 1008]``: a part for each different number, with a copy for each time it is listed."""
    for number, copies in _different(table, "burr", table.get("burr") or []):
        yield _read_entry(
            table.with_data(table.data | copies | {"burr": number, "name": str(number)}), context, default
        )


def _read_tiles(table: Table, context: ShapeContext, default: tuple[Transformation, ...]) -> Iterator[PartEntry]:
    """``tiles = ["AABB", "ABAB"]``: a part for each different tile, named by its letters."""
    value = table.get(TILES)
    texts = value.split() if isinstance(value, str) else ["\n".join(t) if isinstance(t, list) else t for t in value]
    if not texts or not all(map(str.strip, texts)):
        table.complain(TILES, f"must be {expected(Tiles)}")
        return
    data = {key: entry for key, entry in table.data.items() if key != TILES}
    for text, copies in _different(table, TILES, texts):
        yield _read_entry(
            table.with_data(data | copies | {TILE: text, "name": "".join(text.split())}), context, default
        )


def _different(table: Table, key: str, listed: Sequence[T]) -> Iterator[tuple[T, dict[str, int]]]:
    """Each different entry of a list of parts, and its count if it is listed several times."""
    copies = Counter(listed)
    if "name" in table:
        table.complain("name", f"cannot be combined with several {key}, which have names of their own")
    if len(copies) < len(listed) and (own := next((k for k in ("count", "min", "max") if k in table), None)):
        table.complain(own, f"cannot be combined with an entry of {key} that is listed twice")
        return
    for entry, n in copies.items():
        yield entry, {"count": n} if n > 1 else {}


def read_transformations(
    table: Table, lattice: Lattice, default: tuple[Transformation, ...]
) -> tuple[Transformation, ...]:
    value = table.get("transformations")
    if not value and value != table.data.get("transformations"):
        return default
    try:
        return lattice.allowed(value)
    except LatticeError as problem:
        table.complain("transformations", str(problem))
        return default


def read_part(table: Table, context: ShapeContext, default: tuple[Transformation, ...]) -> Part | None:
    """Read one part. Of a faulty one complain, and return None."""
    name = _read_name(table, f"{table.data.get('burr', '')!s:.20}")
    shape = _read_tile(table, context) if TILE in table else read_shape(table, context)
    if "node" in table and TILE not in table:
        table.complain("node", "can only be used with tile or tiles")
    sides = read_sides(table, shape, context)
    shape = with_keys_and_locks(table, shape, sides, context)
    shape = _painted(table, shape, context)  # the colour also holds for keys
    habits = _read_habits(table, context, default)
    if shape is None or not is_line(name):
        return None
    return Part(name, shape.cells, shape.colours, sides=sides, **habits)


def _read_tile(table: Table, context: ShapeContext) -> ColouredCells | None:
    """``tile``: one cell, with letters for its sides, which `read_sides` reads."""
    signs = signs_of(table.get(TILE))
    way = next((key for key in (*WAYS, "length", "colours") if key in table), None)
    if way is not None:
        table.complain(way, "cannot be combined with tile, which is one cell; write the letters of several under edges")
    node = node_of(table, len(signs[0]) if signs else 0, context)
    cells = np.array([(node, *[0] * context.lattice.dimension)], np.int32)
    return None if way is not None else ColouredCells.plain(cells)


def _read_name(table: Table, default: str) -> str:
    """The name of a part; without a default it must have one."""
    name: str = table.get("name", default or None, required=not default)
    if not name.isprintable():
        table.complain("name", "must not hold control characters")
    return name


def _read_habits(table: Table, context: ShapeContext, default: tuple[Transformation, ...]) -> dict[str, Any]:
    """What a part has besides its shape: copies, transformations, groups, weight and colour."""
    low, high = read_copies(table) or (1, 1)
    return {
        "low": low,
        "high": high,
        "transformations": read_transformations(table, context.lattice, default),
        "groups": read_groups(table),
        "weight": table.get("weight"),
        "display_colour": _read_display_colour(table),
        **read_confines(table, context),
    }


def read_confines(table: Table, context: ShapeContext) -> dict[str, Any]:
    """``within`` and ``keep_off``: tables of cells of the region, as the fields of a `Part`."""
    return {key: read_cells_of(table, key, context) for key in CONFINES if key in table}


def read_groups(table: Table) -> tuple[tuple[str, int | None], ...]:
    """``group``: a name; or ``groups``: names, each with how many copies of the part may stay in such a group."""
    name = table.get("group")
    inner = table.dictionary("groups")
    if "group" in table and not name.strip():
        table.complain("group", "must be the name of the group")
    if "group" in table and "groups" in table:
        table.complain("groups", "cannot be combined with group, which takes all copies of the part")
    found: list[tuple[str, int | None]] = [(name, None)] if name.strip() else []
    for group in inner.data:
        if not group.strip():
            table.complain("groups", "every group must have a name")
        found.append((group, inner.get(group, 1)))
    return tuple(found)


def _painted(table: Table, shape: ColouredCells | None, context: ShapeContext) -> ColouredCells | None:
    """``colour``: one colour for all cells that have none of their own."""
    name = table.get("colour")
    if not name or shape is None:
        return shape
    colour = table.numbered("colour", name, context.colours, COLOUR)
    if colour is None:
        return None
    return replace(shape, colours=np.where(shape.colours == 0, colour, shape.colours).astype(np.int32))


def _read_display_colour(table: Table) -> str:
    """``display_colour``: how pictures show the part; "" if the table does not say it, or names no colour."""
    name: str = table.get("display_colour")
    if name and named(name) is None:
        table.complain("display_colour", unknown(name))
        return ""
    return name


def read_copies(table: Table) -> tuple[int, int | None] | None:
    """``count``, a number or "unlimited"; or ``min``, ``max`` or both. None if the table has none of these."""
    if "count" in table and ("min" in table or "max" in table):
        table.complain("count", "cannot be combined with min or max; count = n means min = n and max = n")
    if "min" in table or "max" in table:
        low = table.get("min")
        high = None if table.data.get("max") in (None, UNLIMITED) else table.get("max", max(low, 1))
        if high is not None and low > high:
            table.complain("min", f"is {low}, above max = {high}")
        return low, high
    if "count" not in table:
        return None
    count = table.get("count")
    return (0, None) if count == UNLIMITED else (count, count)


def complain_of_names(entries: Sequence[PartEntry]) -> None:
    """Complain of each part whose name an earlier part has."""
    named = [entry for entry in entries if entry.name]
    for complaint in repeated_names([entry.name for entry in named]):
        assert complaint.part is not None
        named[complaint.part].table.complain((), clash(named, complaint.part, complaint.message))


def clash(entries: Sequence[PartEntry], index: int, message: str) -> str:
    """What to say of an entry whose name an earlier one has; *message* where neither comes from a set."""
    entry = entries[index]
    first = next(each for each in entries if each.name == entry.name)
    if entry.from_set is None and first.from_set is None:
        return message
    given = entry.from_set or first.from_set
    assert given is not None
    other = first if given is entry.from_set else entry
    owner = "the puzzle itself" if other.from_set is None else f"the set {other.from_set.name!r}"
    if other.from_set is not None and other.from_set.name == given.name:
        owner = "another table that takes it"
    mend = f'put a prefix before the names of the set: prefix = "{given.name[:1]}-"'
    return f"the set {given.name!r} has a part {entry.name!r}, and {owner} has one too; {mend}"


def entries_of_set(root: Table, context: ShapeContext, default: tuple[Transformation, ...]) -> list[PartEntry]:
    """The parts of a set, in the context of whoever takes them."""
    entries: list[PartEntry] = []
    for table in root.tables("parts", required=True):
        for key in (key for key in CONFINES if key in table):
            table.complain(key, "names cells of a region, and a set has none; give it where a puzzle takes the set")
        entries += [replace(entry, mirror=table.get("mirror")) for entry in read_entries(table, context, default)]
    complain_of_names(entries)
    return list({entry.name: entry for entry in reversed(entries)}.values())[::-1]


def read_lattice_of(root: Table, default: str = "") -> Lattice | None:
    """The lattice of a puzzle or part set: the one that it names, or describes in a table. None if there is none."""
    if isinstance(root.data.get("lattice"), dict):
        table = root.table("lattice")
        return None if table is None else lattice_within(table)
    name = root.get("lattice", required=not default) or default
    return _found_lattice(root, name) if name else None


def _found_lattice(root: Table, name: str) -> Lattice | None:
    """The lattice of a name. If there is none, complain and take the lattice that *name* most likely means, if any."""
    try:
        return read_lattice(root.file.source.beside("lattices", name))
    except InputError as problem:
        if isinstance(problem, LatticeError) and any(complaint.line for complaint in problem.complaints):
            raise  # the lattice's file is at fault, not this one
        root.complain("lattice", "; ".join(str(complaint) for complaint in problem.complaints))
        likely = None if Path(name).suffix else nearest(name, shipped_names("lattices"), LIKELY)
        return None if likely is None else read_lattice(shipped("lattices", likely))
