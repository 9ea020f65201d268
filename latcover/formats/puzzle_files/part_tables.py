"""Reading parts, and the part sets that puzzle files share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from latcover.errors import InputError, LatticeError, PuzzleFileError, nearest, suggest
from latcover.formats.puzzle_files.lattice_file import lattice_within, read_lattice
from latcover.formats.puzzle_files.letters_round import TILE, node_of, signs_of
from latcover.formats.puzzle_files.rules_file import read_sides, read_sides_table, with_keys_and_locks
from latcover.formats.puzzle_files.shapes import WAYS, Context, Shape, read_colours, read_shape
from latcover.formats.puzzle_files.toml_file import Table, TomlFile
from latcover.formats.source import Source, shipped
from latcover.formats.source import names as shipped_names
from latcover.model.burr import NUMBERS
from latcover.model.checks import repeated_names
from latcover.model.colour_names import named, unknown
from latcover.model.given import is_line
from latcover.model.lattice import Lattice, Transformation
from latcover.model.mirror import hands, mirror_image, reflection
from latcover.model.puzzle import Bounds, Part, PartSet

MOST_COPIES = 1_000_000
MOST_WEIGHT = 1_000_000
UNLIMITED = "unlimited"
TILES = "tiles"
LIKELY = 0.7  # how alike an unknown name and a known one must be for reading to go on with the known one


@dataclass(frozen=True, slots=True, eq=False)
class PartEntry:
    """A part of a file: the table that it comes from, its name, and the part; None if the table is faulty.

    *mirror* is what the file of a set calls its mirror image; "" if it does not say.
    """

    table: Table
    name: str
    part: Part | None
    mirror: str = ""


def read_parts(
    table: Table, context: Context, default: tuple[Transformation, ...], known: Sequence[PartEntry] = ()
) -> list[PartEntry]:
    """The parts under [[parts]], one by one and from sets. *known* are others of which they may be mirror images."""
    found: list[PartEntry] = []
    for entry in table.tables("parts"):
        if "set" in entry:
            found += _read_set(entry, context, default)
        elif "mirror_of" in entry:
            found.append(_read_mirror_image(entry, context, default, [*known, *found]))
        else:
            found += _read_entries(entry, context, default)
    return found


def _read_entries(table: Table, context: Context, default: tuple[Transformation, ...]) -> Iterator[PartEntry]:
    """The part of a table; or the several of one that lists sticks of burrs, or tiles."""
    if isinstance(table.data.get("burr"), list):
        yield from _read_burrs(table, context, default)
    elif TILES in table:
        yield from _read_tiles(table, context, default)
    else:
        yield _read_entry(table, context, default)


def _read_entry(table: Table, context: Context, default: tuple[Transformation, ...]) -> PartEntry:
    part, name = read_part(table, context, default), table.data.get("name", table.data.get("burr"))
    return PartEntry(table, str(name) if isinstance(name, str | int) else "", part)


def _read_mirror_image(
    table: Table, context: Context, default: tuple[Transformation, ...], known: Sequence[PartEntry]
) -> PartEntry:
    """The mirror image of an earlier part, with its colours and sides."""
    wanted = table.text("mirror_of", required=True)
    name = _read_name(table, mirrored(wanted))
    habits = _read_habits(table, context, default)
    entry = next((entry for entry in known if entry.name == wanted), None)
    if wanted and entry is None:
        names = {entry.name for entry in known}
        table.complain("mirror_of", f"no part {wanted[:80]!r} stands before this one{suggest(wanted, names)}")
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


def _read_burrs(table: Table, context: Context, default: tuple[Transformation, ...]) -> Iterator[PartEntry]:
    """``burr = [88, 512, 1008, 1008]``: a part for each number, as many copies as it stands there."""
    numbers = table.array("burr")
    if not numbers or any(type(number) is not int or not 1 <= number <= NUMBERS for number in numbers):
        table.complain("burr", f"must be a number from 1 to {NUMBERS:,}, or a list of such numbers")
        return
    copies = Counter(numbers)
    if "name" in table:
        table.complain("name", "cannot stand beside several sticks; they are called by their numbers")
    if len(copies) < len(numbers) and (key := next((k for k in ("count", "min", "max") if k in table), None)):
        table.complain(key, "cannot stand beside a stick that is listed twice")
        return
    for number, n in copies.items():
        own = {"burr": number} | ({"count": n} if n > 1 else {})
        yield _read_entry(Table(table.file, table.data | own | {"name": str(number)}, table.key), context, default)


def _read_tiles(table: Table, context: Context, default: tuple[Transformation, ...]) -> Iterator[PartEntry]:
    """``tiles = ["AABB", "ABAB"]``: a part for each, called by its letters, as many copies as it stands there."""
    value = table.any(TILES)
    texts = value.split() if isinstance(value, str) else value if isinstance(value, list) else []
    texts = ["\n".join(text) if isinstance(text, list) and all(isinstance(row, str) for row in text) else text
             for text in texts]  # fmt: skip
    if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
        table.complain(TILES, "must be the letters of tiles: a list of texts, or one text with blanks between")
        return
    copies = Counter(texts)
    if "name" in table:
        table.complain("name", "cannot stand beside several tiles; they are called by their letters")
    if len(copies) < len(texts) and (key := next((k for k in ("count", "min", "max") if k in table), None)):
        table.complain(key, "cannot stand beside a tile that is listed twice")
        return
    data = {key: entry for key, entry in table.data.items() if key != TILES}
    for text, n in copies.items():
        own = {TILE: text, "name": "".join(text.split())} | ({"count": n} if n > 1 else {})
        yield _read_entry(Table(table.file, data | own, table.key), context, default)


def read_transformations(
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
        table.complain("transformations", str(problem))
        return default


def read_part(table: Table, context: Context, default: tuple[Transformation, ...]) -> Part | None:
    """Read one part. Of a faulty one complain, and return None."""
    name = _read_name(table, f"{table.data.get('burr', '')!s:.20}")
    shape = _read_tile(table, context) if TILE in table else read_shape(table, context)
    sides = read_sides(table, shape, context)
    shape = _painted(
        table, with_keys_and_locks(table, shape, sides, context), context
    )  # the colour also holds for keys
    habits = _read_habits(table, context, default)
    if shape is None or not is_line(name):
        return None
    return Part(name, shape.cells, shape.colours, sides=sides, **habits)


def _read_tile(table: Table, context: Context) -> Shape | None:
    """``tile``: one cell, with letters for its sides, which `read_sides` reads."""
    signs = signs_of(table.any(TILE))
    way = next((way for way in WAYS if way in table), None)
    if way is not None:
        table.any(way)
        table.complain(way, "cannot stand beside tile, which is one cell; write the letters of several under edges")
    node = node_of(table, len(signs[0]) if signs else 0, context)
    cells = np.array([(node, *[0] * context.lattice.dimension)], np.int32)
    return None if way is not None else Shape(cells, np.zeros(1, np.int32), np.zeros(1, np.bool_))


def _read_name(table: Table, default: str) -> str:
    """The name of a part; without a default it must have one."""
    name = table.text("name", default, required=not default)
    if not name.isprintable():
        table.complain("name", "must not hold control characters")
    return name


def _read_habits(table: Table, context: Context, default: tuple[Transformation, ...]) -> dict[str, Any]:
    """What a table says of a part besides its shape: copies, transformations, groups, weight, colour; nothing else."""
    low, high = _read_copies(table) or (1, 1)
    transformations = read_transformations(table, context.lattice, default)
    groups, weight = read_groups(table), table.integer("weight", 1, -MOST_WEIGHT)
    display_colour = _read_display_colour(table)
    table.finish()
    return {
        "low": low,
        "high": high,
        "transformations": transformations,
        "groups": groups,
        "weight": weight,
        "display_colour": display_colour,
    }


def read_groups(table: Table) -> tuple[tuple[str, int | None], ...]:
    """``group``: a name; or ``groups``: names, each with how many copies of the part may stay in such a group."""
    name = table.text("group")
    inner = table.table("groups")
    if "group" in table and not name.strip():
        table.complain("group", "must be the name of the group")
    if "group" in table and "groups" in table:
        table.complain("groups", "cannot stand beside group, which takes all copies of the part")
    found: list[tuple[str, int | None]] = [(name, None)] if name.strip() else []
    for group in inner.data if inner is not None else ():
        assert inner is not None
        if not group.strip():
            table.complain("groups", "every group must have a name")
        found.append((group, inner.integer(group, 1, 1)))
    return tuple(found)


def _painted(table: Table, shape: Shape | None, context: Context) -> Shape | None:
    """``colour``: one colour for all cells that have none of their own."""
    name = table.text("colour")
    if not name or shape is None:
        return shape
    if name not in context.colours:
        table.complain("colour", f"no colour {name!r}{suggest(name, context.colours) or '; name it under [colours]'}")
        return None
    return replace(shape, colours=np.where(shape.colours == 0, context.colours[name], shape.colours).astype(np.int32))


def _read_display_colour(table: Table) -> str:
    """``display_colour``: how pictures show the part; "" if the table does not say it, or names no colour."""
    name = table.text("display_colour")
    if name and named(name) is None:
        table.complain("display_colour", unknown(name))
        return ""
    return name


def _read_copies(table: Table) -> tuple[int, int | None] | None:
    """``count``, a number or "unlimited"; or ``min``, ``max`` or both. None if the table has none of these."""
    count = table.any("count")
    if count is not None and ("min" in table or "max" in table):
        table.complain("count", "cannot stand beside min or max; count = n means min = n and max = n")
    if "min" in table or "max" in table:
        low = _bounded(table, "min", 0, 0)
        high = _bounded(table, "max", low, 1) if table.any("max") not in (None, UNLIMITED) else None
        if high is not None and low > high:
            table.complain("min", f"is {low}, above max = {high}")
        return low, high
    for key in ("min", "max"):
        table.any(key)
    if count is None:
        return None
    if count == UNLIMITED:
        return 0, None
    number = _bounded(table, "count", 1, 1)
    return number, number


def _bounded(table: Table, name: str, default: int, least: int) -> int:
    if name != "min" and isinstance(table.any(name), str):
        hint = suggest(table.any(name), [UNLIMITED], listing=False)
        table.complain(name, f'must be a whole number or "{UNLIMITED}"{hint}')
        return default
    value = table.integer(name, default, least)
    if value > MOST_COPIES:
        table.complain(name, f"at most {MOST_COPIES:,} copies")
        return default
    return value


def _read_set(table: Table, context: Context, default: tuple[Transformation, ...]) -> Iterator[PartEntry]:
    """The parts of a shared set: all, ``only`` some, or all ``without`` some."""
    name = table.text("set", required=True)
    only, without, one_sided = table.strings("only"), table.strings("without"), table.boolean("one_sided")
    default = read_transformations(table, context.lattice, default)
    if one_sided and "transformations" in table and not all(motion.proper for motion in default):
        table.complain("transformations", "would turn over parts that are one_sided; leave one of the two out")
    copies = _read_copies(table)
    table.finish()
    file = _opened(table, name)
    if file is None:
        return
    file.cells_made = table.file.cells_made
    entries = _entries_of_set(file, _context_of_set(table, name, file, context), default)
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
        table.complain("only", "names no part; leave it out to take all parts of the set")
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


def _context_of_set(table: Table, name: str, file: TomlFile, context: Context) -> Context:
    """The context of a set that a puzzle takes parts from: its characters stand for the puzzle's colours."""
    context = _with_letters_of_set(table, name, file, context)
    if "colours" not in file.root:
        return context
    of_art, names = read_colours(file.root)
    missing = [colour for colour in names if colour not in context.colours]
    if missing:
        what = f"the set {name[:80]!r} has the colour {missing[0]!r}, which the puzzle must name under [colours]"
        table.complain("set", what)
    colour_of = {number: context.colours.get(colour, 0) for colour, number in names.items()}
    return replace(context, colours_of_art={sign: colour_of[number] for sign, number in of_art.items()})


def _with_letters_of_set(table: Table, name: str, file: TomlFile, context: Context) -> Context:
    """The same for side values: the letters of the set stand for the puzzle's values of these names."""
    if "sides" not in file.root:
        return context
    rules, letters = read_sides_table(file.root)
    missing = [value for value in rules.sides if value not in context.sides]
    if missing:
        what = f"the set {name[:80]!r} has sides that bear {missing[0]!r}, which the puzzle must name under [sides]"
        table.complain("set", what)
    return replace(context, letters={sign: context.sides.get(rules.sides[v], 0) for sign, v in letters.items()})


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
        table.complain("set", f"the set {name[:80]!r} names no lattice; it does not suit {own!r}")
    elif isinstance(its, str) and its != own and not Path(its).suffix:
        table.complain("set", f"the set {name[:80]!r} is of the lattice {its[:80]!r}, and this puzzle of {own!r}")
    else:
        return False
    return True


def _entries_of_set(file: TomlFile, context: Context, default: tuple[Transformation, ...]) -> list[PartEntry]:
    for key in ("name", "title", "source"):
        file.root.text(key)
    for key in ("lattice", "colours", "sides"):
        file.root.any(key)
    entries: list[PartEntry] = []
    for table in file.root.tables("parts", required=True):
        mirror = table.text("mirror")
        entries += [replace(entry, mirror=mirror) for entry in _read_entries(table, context, default)]
    file.root.finish()
    complain_of_names(entries)
    return list({entry.name: entry for entry in reversed(entries)}.values())[::-1]


def complain_of_names(entries: Sequence[PartEntry]) -> None:
    """Complain of each part whose name an earlier part has."""
    named = [entry for entry in entries if entry.name]
    for complaint in repeated_names(entry.name for entry in named):
        assert complaint.part is not None
        named[complaint.part].table.complain((), complaint.message)


def read_lattice_of(root: Table, default: str = "") -> Lattice | None:
    """The lattice of a puzzle or part set: the one that it names, or describes in a table. None if there is none."""
    if isinstance(root.any("lattice"), dict):
        table = root.table("lattice")
        return None if table is None else lattice_within(table)
    name = root.text("lattice", required=not default) or default
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
    lattice = read_lattice_of(file.root, "square")
    if lattice is None:
        file.finish()
    assert lattice is not None
    default = lattice.allowed(lattice.default_transformations)
    of_art, colours = read_colours(file.root)
    rules, letters = read_sides_table(file.root)
    sides = {value: k for k, value in enumerate(rules.sides)}
    context = Context(lattice, bounds or Bounds(), of_art, colours, sides, letters)
    entries = _entries_of_set(file, context, default)
    if one_sided and reflection(lattice) is None:
        file.root.complain((), f"the lattice {lattice.name!r} has no reflection: no set on it is one-sided")
    file.finish()
    entries = both_hands(entries, lattice) if one_sided else entries
    parts = [replace(entry.part, lattice=lattice) for entry in entries if entry.part is not None]
    numbered = tuple(replace(part, number=number) for number, part in enumerate(parts))
    name, title, about = (file.root.line(key) for key in ("name", "title", "source"))
    return PartSet(name or source.stem, lattice, numbered, title, about, ("", *colours), rules)
