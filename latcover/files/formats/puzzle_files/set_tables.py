"""Reading the parts under [[parts]], one by one and from sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from latcover.core.model.lattice import Lattice, Transformation
from latcover.core.model.orientation import reflection
from latcover.core.model.rules.rule import Rule
from latcover.errors import InputError, PuzzleError, PuzzleFileError, TooLargeError, nearest, suggest
from latcover.files.formats.puzzle_files.file_keys import (
    ANY,
    UNLIMITED,
    CopiesTable,
    MirrorTable,
    PartSetFile,
    PartTable,
    SetTable,
)
from latcover.files.formats.puzzle_files.file_table import Table, root_table
from latcover.files.formats.puzzle_files.part_tables import (
    LIKELY,
    FromSet,
    PartEntry,
    entries_of_set,
    read_confines,
    read_copies,
    read_entries,
    read_mirror_image,
    read_transformations,
)
from latcover.files.formats.puzzle_files.rules_file import read_context
from latcover.files.formats.puzzle_files.toml_file import TomlFile
from latcover.files.formats.puzzle_files.toml_places import Key
from latcover.files.formats.puzzle_files.written_shapes import ShapeContext, has_room
from latcover.files.formats.source import names as shipped_names
from latcover.files.formats.source import shipped


def read_parts(
    table: Table, context: ShapeContext, default: tuple[Transformation, ...], known: Sequence[PartEntry] = ()
) -> list[PartEntry]:
    """The parts under [[parts]], one by one and from sets. *known* are others of which they may be mirror images."""
    found: list[PartEntry] = []
    for entry in table.tables("parts", keys=_keys_of_part):
        if "set" in entry:
            found = with_set(found, _read_set(entry, context, default), context.lattice)
        elif "mirror_of" in entry:
            found.append(read_mirror_image(entry, context, default, [*known, *found]))
        else:
            found += read_entries(entry, context, default)
    return found


def with_set(known: Sequence[PartEntry], taken: Iterable[PartEntry], lattice: Lattice) -> list[PartEntry]:
    """Parts, and those of a set. If there is another set, the names that they have in common get sizes."""
    every = [*known, *taken]
    own = [e.from_set.own for e in every if e.from_set is not None and not e.from_set.prefixed]
    if len({*own}) == len(own):
        return every
    from latcover.files.formats.puzzle_files.part_names import with_unique_names  # few puzzles need it

    return with_unique_names(every, lattice)


def _keys_of_part(data: dict[str, Any]) -> type[CopiesTable]:
    return SetTable if "set" in data else MirrorTable if "mirror_of" in data else PartTable


def _read_set(table: Table, context: ShapeContext, default: tuple[Transformation, ...]) -> Iterator[PartEntry]:
    """The parts of a set: all, ``only`` some, or all ``without`` some."""
    name = table.get("set", required=True)
    only, without, one_sided = table.get("only"), table.get("without"), table.get("one_sided")
    default = read_transformations(table, context.lattice, default)
    if one_sided and "transformations" in table and not all(motion.proper for motion in default):
        table.complain("transformations", "would turn over parts that are one_sided; leave one of the two out")
    if one_sided and reflection(context.lattice) is None:
        table.complain("one_sided", f"the lattice {context.lattice.name!r} has no reflection")
        one_sided = False
    copies, together = _read_copies_of_set(table)
    prefix = table.get("prefix")
    if not prefix.isprintable():
        table.complain("prefix", "must not hold control characters")
        prefix = ""
    is_ready = ":" in name and _is_ready(name)
    read = _of_ready_set if is_ready else _of_file
    entries = read(table, context, default, one_sided)
    if entries is None:
        return
    names = {entry.name for entry in entries}
    called = name if is_ready else Path(name).stem
    for key, chosen in (("only", only), ("without", without)):
        for k, wanted in enumerate(chosen):
            if wanted not in names:
                table.complain((key, k), f"the set {called!r} has no part {wanted!r}{suggest(wanted, names)}")
    if table.data.get("only") == []:
        table.complain("only", "is empty; leave it out to take all parts of the set")
    confines = read_confines(table, context)
    for entry in entries:
        if (not only or entry.name in only) and entry.name not in without:
            part, own = entry.part, prefix + entry.name
            if part is not None:
                low, high = (part.low, part.high) if copies is None else copies
                part = replace(part, name=own, low=low, high=high, **confines)
            yield PartEntry(table, own, part, from_set=FromSet(called, entry.name, bool(prefix), together))


def _read_copies_of_set(table: Table) -> tuple[tuple[int, int | None] | None, tuple[int, int | None] | None]:
    """How many copies of each part, and by ``choose`` of all parts together; None for what the table does not say."""
    copies = read_copies(table)
    if "choose" not in table:
        return copies, None
    if copies is not None and copies[0] == copies[1]:
        table.complain(
            "count", 'cannot be combined with choose; max = n lets each part be used n times, count = "unlimited" any'
        )
    copies = copies or (0, 1)
    choice = table.get("choose")
    if choice == ANY:
        return copies, None
    if isinstance(choice, int):
        return copies, (choice, choice)
    low, high = choice.low, None if choice.high == UNLIMITED else choice.high
    if high is not None and low > high:
        table.complain("choose", f"has min = {low}, above max = {high}")
    return copies, (low, high)


def rules_of_sets(entries: Sequence[PartEntry]) -> Iterator[Rule]:
    """The rules that ``choose`` makes: how many copies of all parts of a set are used together."""
    tables: dict[Key, list[PartEntry]] = {}
    for entry in entries:
        if entry.from_set is not None and entry.from_set.together is not None:
            tables.setdefault(entry.table.key, []).append(entry)
    for taken in tables.values():
        from latcover.core.model.rules.copies import NO_BOUND, CopiesTogether  # few puzzles need it

        assert taken[0].from_set is not None
        assert taken[0].from_set.together is not None
        low, high = taken[0].from_set.together
        if high is None or low <= high:
            yield CopiesTogether(low, NO_BOUND if high is None else high, tuple(entry.name for entry in taken))


def _is_ready(name: str) -> bool:
    from latcover.files.formats.ready_sets import ready_called  # few puzzles need it

    return ready_called(name) is not None


def _of_ready_set(
    table: Table, context: ShapeContext, default: tuple[Transformation, ...], one_sided: bool
) -> list[PartEntry] | None:
    """The parts of a set that needs no file, such as "polyominoes:1-5"."""
    from latcover.files.formats.ready_sets import by_rotations_alone, ready_called, ready_set

    name, lattice = table.get("set"), context.lattice
    ready = ready_called(name)
    assert ready is not None
    lifted = ready.lattice == "square" and lattice.name == "cubic"  # flat shapes in space, as with the shipped sets
    if ready.lattice != lattice.name and not lifted:
        table.complain(
            "set", f"the set {name!r} is of the lattice {ready.lattice!r}, and this puzzle of {lattice.name!r}"
        )
        return None
    turned = all(motion.proper for motion in default)
    try:
        found = ready_set(name, both_hands=not lifted and (one_sided or (turned and by_rotations_alone(lattice))))
    except (PuzzleError, TooLargeError) as fault:
        table.complain("set", str(fault))
        return None
    if not has_room(table, "set", sum(part.size for part in found.parts), context.bounds):
        return None
    motions = tuple(motion for motion in default if motion.proper or not one_sided)
    own = {"transformations": motions, "lattice": None, "number": 0}
    parts = [replace(p, cells=np.pad(p.cells, ((0, 0), (0, lifted))), **own) for p in found.parts]
    return [PartEntry(table, part.name, part) for part in parts]


def _of_file(
    table: Table, context: ShapeContext, default: tuple[Transformation, ...], one_sided: bool
) -> list[PartEntry] | None:
    """The parts of a set that is shipped, or lies beside the puzzle."""
    name = table.get("set")
    file = _opened(table, name)
    if file is None:
        return None
    root = root_table(file, PartSetFile)
    file.cells_made = table.file.cells_made
    entries = entries_of_set(root, _context_of_set(table, name, root, context), default)
    table.file.cells_made = file.cells_made
    if not (file.has_errors and _tells_of_lattices(table, name, file.data.get("lattice"), context.lattice.name)):
        table.file.take_complaints(file)
    if not one_sided:
        return entries
    from latcover.files.formats.puzzle_files.part_set_file import both_hands  # few puzzles need it

    return both_hands(entries, context.lattice)


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
