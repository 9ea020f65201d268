"""Reading parts, and the part sets that puzzle files share."""

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
from latcover.core.model.orientation import hands, mirror_image, reflection
from latcover.core.model.puzzle import Bounds, Part, PartSet
from latcover.core.model.puzzle_checks import repeated_names
from latcover.errors import InputError, LatticeError, PuzzleFileError, nearest, suggest
from latcover.files.formats.puzzle_files.file_keys import (
    UNLIMITED,
    CopiesTable,
    MirrorTable,
    PartSetFile,
    PartTable,
    SetTable,
    Tiles,
)
from latcover.files.formats.puzzle_files.file_table import Table, expected, root_table
from latcover.files.formats.puzzle_files.lattice_file import lattice_within, read_lattice
from latcover.files.formats.puzzle_files.rules_file import read_context
from latcover.files.formats.puzzle_files.side_tables import TILE, node_of, read_sides, signs_of, with_keys_and_locks
from latcover.files.formats.puzzle_files.toml_file import TomlFile
from latcover.files.formats.puzzle_files.written_shapes import COLOUR, WAYS, ColouredCells, ShapeContext, read_shape
from latcover.files.formats.source import Source, shipped
from latcover.files.formats.source import names as shipped_names

T = TypeVar("T")

TILES = "tiles"
LIKELY = 0.7  # how alike an unknown name and a known one must be for reading to go on with the known one


class PartEntry(Struct, frozen=True, eq=False):
    """A part of a file: the table that it comes from, its name, and the part; None if the table is faulty.

    *mirror* is what the file of a set calls its mirror image; "" if it does not say.
    """

    table: Table
    name: str
    part: Part | None
    mirror: str = ""


def read_parts(
    table: Table, context: ShapeContext, default: tuple[Transformation, ...], known: Sequence[PartEntry] = ()
) -> list[PartEntry]:
    """The parts under [[parts]], one by one and from sets. *known* are others of which they may be mirror images."""
    found: list[PartEntry] = []
    for entry in table.tables("parts", keys=_keys_of_part):
        if "set" in entry:
            found += _read_set(entry, context, default)
        elif "mirror_of" in entry:
            found.append(_read_mirror_image(entry, context, default, [*known, *found]))
        else:
            found += _read_entries(entry, context, default)
    return found


def _keys_of_part(data: dict[str, Any]) -> type[CopiesTable]:
    return SetTable if "set" in data else MirrorTable if "mirror_of" in data else PartTable


def _read_entries(table: Table, context: ShapeContext, default: tuple[Transformation, ...]) -> Iterator[PartEntry]:
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


def _read_mirror_image(
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
    low, high = _read_copies(table) or (1, 1)
    return {
        "low": low,
        "high": high,
        "transformations": read_transformations(table, context.lattice, default),
        "groups": read_groups(table),
        "weight": table.get("weight"),
        "display_colour": _read_display_colour(table),
    }


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


def _read_copies(table: Table) -> tuple[int, int | None] | None:
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


def _read_set(table: Table, context: ShapeContext, default: tuple[Transformation, ...]) -> Iterator[PartEntry]:
    """The parts of a shared set: all, ``only`` some, or all ``without`` some."""
    name = table.get("set", required=True)
    only, without, one_sided = table.get("only"), table.get("without"), table.get("one_sided")
    default = read_transformations(table, context.lattice, default)
    if one_sided and "transformations" in table and not all(motion.proper for motion in default):
        table.complain("transformations", "would turn over parts that are one_sided; leave one of the two out")
    copies = _read_copies(table)
    file = _opened(table, name)
    if file is None:
        return
    root = root_table(file, PartSetFile)
    file.cells_made = table.file.cells_made
    entries = _entries_of_set(root, _context_of_set(table, name, root, context), default)
    table.file.cells_made = file.cells_made
    if not (file.has_errors and _tells_of_lattices(table, name, file.data.get("lattice"), context.lattice.name)):
        table.file.take_complaints(file)
    if one_sided and reflection(context.lattice) is None:
        table.complain("one_sided", f"the lattice {context.lattice.name!r} has no reflection")
    elif one_sided:
        entries = both_hands(entries, context.lattice)
    names = {entry.name for entry in entries}
    for key, chosen in (("only", only), ("without", without)):
        for k, wanted in enumerate(chosen):
            if wanted not in names:
                table.complain((key, k), f"the set {file.source.stem!r} has no part {wanted!r}{suggest(wanted, names)}")
    if table.data.get("only") == []:
        table.complain("only", "is empty; leave it out to take all parts of the set")
    for entry in entries:
        if (not only or entry.name in only) and entry.name not in without:
            part = entry.part
            if part is not None and copies is not None:
                part = replace(part, low=copies[0], high=copies[1])
            yield PartEntry(table, entry.name, part)


def both_hands(entries: Sequence[PartEntry], lattice: Lattice) -> list[PartEntry]:
    """The parts of a set that are not turned over, each followed by its mirror image if that is none of them."""
    parts = [entry.part for entry in entries if entry.part is not None]
    present = set(hands(parts, lattice))
    images = [image for part in parts if (image := mirror_image(part, lattice)) is not None]
    both = zip(parts, images, hands(images, lattice), strict=True)
    lacking = {id(part): image for part, image, hand in both if hand not in present}
    found: list[PartEntry] = []
    for entry in entries:
        image, other = lacking.get(id(entry.part)), entry.mirror or mirrored(entry.name)
        found.append(_kept_from_turning_over(entry))
        if image is not None:
            found.append(_kept_from_turning_over(replace(entry, name=other, part=replace(image, name=other))))
    return found


def _kept_from_turning_over(entry: PartEntry) -> PartEntry:
    part = entry.part
    if part is None:
        return entry
    proper = tuple(motion for motion in part.transformations if motion.proper)
    return replace(entry, part=replace(part, transformations=proper))


def _context_of_set(table: Table, name: str, root: Table, context: ShapeContext) -> ShapeContext:
    """The context of a set that a puzzle takes parts from: its characters and letters stand for the puzzle's colours
    and side values of these names.
    """
    own, _ = read_context(root, context.lattice, context.bounds)
    for known, names, what, where in (
        (context.sides, own.sides, "sides with the value", "[sides]"),
        (context.colours, own.colours, "the colour", "[colours]"),
    ):
        if missing := [each for each in names if each not in known]:
            has = f"the set {name[:80]!r} has {what} {missing[0]!r}"
            table.complain("set", f"{has}, which the puzzle must name under {where}")
    if "colours" in root:
        colour_of = {number: context.colours.get(colour, 0) for colour, number in own.colours.items()}
        of_art = {sign: colour_of[number] for sign, number in own.colours_of_art.items()}
        context = replace(context, colours_of_art=of_art)
    if "sides" in root:
        value_of = {value: context.sides.get(side, 0) for side, value in own.sides.items()}
        context = replace(context, letters={sign: value_of[value] for sign, value in own.letters.items()})
    return context


def _opened(table: Table, name: str) -> TomlFile | None:
    """The file of a part set. If there is none, complain and take the set that *name* most likely means."""
    try:
        return TomlFile(table.file.source.beside("sets", name), PuzzleFileError)
    except InputError as problem:
        table.complain("set", "; ".join(str(complaint) for complaint in problem.complaints))
        likely = None if Path(name).suffix else nearest(name, shipped_names("sets"), LIKELY)
        return None if likely is None else TomlFile(shipped("sets", likely), PuzzleFileError)


def _tells_of_lattices(table: Table, name: str, its: object, own: str) -> bool:
    """Complain if the set is of another lattice, because the faults found in it come from that; say whether it is."""
    if its is None and own != "square":
        table.complain("set", f"the set {name[:80]!r} names no lattice, so it does not fit {own!r}")
    elif isinstance(its, str) and its != own and not Path(its).suffix:
        table.complain("set", f"the set {name[:80]!r} is of the lattice {its[:80]!r}, and this puzzle of {own!r}")
    else:
        return False
    return True


def _entries_of_set(root: Table, context: ShapeContext, default: tuple[Transformation, ...]) -> list[PartEntry]:
    entries: list[PartEntry] = []
    for table in root.tables("parts", required=True):
        entries += [replace(entry, mirror=table.get("mirror")) for entry in _read_entries(table, context, default)]
    complain_of_names(entries)
    return list({entry.name: entry for entry in reversed(entries)}.values())[::-1]


def complain_of_names(entries: Sequence[PartEntry]) -> None:
    """Complain of each part whose name an earlier part has."""
    named = [entry for entry in entries if entry.name]
    for complaint in repeated_names([entry.name for entry in named]):
        assert complaint.part is not None
        named[complaint.part].table.complain((), complaint.message)


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


def read_set(source: Source, bounds: Bounds | None = None, *, one_sided: bool = False) -> PartSet:
    """Read a part set by itself, on the lattice that it names (by default, square), within *bounds*.

    Args:
        source: The file.
        bounds: How much it may ask for.
        one_sided: Whether to keep parts from being turned over, and to add the mirror images that the set lacks.

    Raises:
        PuzzleFileError: with every complaint about the file.
    """
    file = TomlFile(source, PuzzleFileError)
    root = root_table(file, PartSetFile)
    lattice = read_lattice_of(root, "square")
    if lattice is None:
        file.finish()
    assert lattice is not None
    default = lattice.allowed(lattice.default_transformations)
    context, rules = read_context(root, lattice, bounds or Bounds())
    entries = _entries_of_set(root, context, default)
    if one_sided and reflection(lattice) is None:
        root.complain((), f"the lattice {lattice.name!r} has no reflection: no set on it is one-sided")
    name, title, about = (root.line(key) for key in ("name", "title", "source"))
    file.finish()
    entries = both_hands(entries, lattice) if one_sided else entries
    parts = [replace(entry.part, lattice=lattice) for entry in entries if entry.part is not None]
    numbered = tuple(replace(part, number=number) for number, part in enumerate(parts))
    return PartSet(name or source.stem, lattice, numbered, title, about, ("", *context.colours), rules)
