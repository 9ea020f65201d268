"""Reading puzzle files; the format is described in docs/reference/puzzle-files.md."""

from __future__ import annotations

from dataclasses import dataclass, replace

from latcover.errors import PuzzleFileError
from latcover.formats.puzzle_files.kinds import BESIDE, OF_LATTICES, kind_of
from latcover.formats.puzzle_files.part_tables import (
    PartEntry,
    complain_of_names,
    read_lattice_of,
    read_parts,
    read_transformations,
)
from latcover.formats.puzzle_files.region_tables import is_part_set, read_region
from latcover.formats.puzzle_files.rules_file import read_colour_rules, read_rules, with_sides_of
from latcover.formats.puzzle_files.shapes import Context, read_colours
from latcover.formats.puzzle_files.toml_file import Table, TomlFile
from latcover.formats.source import Source
from latcover.model.checks import complaints_about
from latcover.model.lattice import Lattice, Transformation
from latcover.model.puzzle import Bounds, Published, Puzzle, Rules

_ABOUT = ("expect", "published")
EXPECTATIONS = (
    "different",
    "different_under_rotations",
    "total",
    "orientations",
    "orientations_that_fit",
    "placements",
    "symmetry",
    "assemblable",
)
MOST_LEVELS = 1000


def read_puzzles(source: Source, bounds: Bounds, unfinished: bool = False) -> tuple[Puzzle, ...]:
    """Read a puzzle file: one puzzle, or the several under [[puzzles]] that share its parts.

    Args:
        source: The file.
        bounds: How much it may ask for.
        unfinished: Whether to take a puzzle that cannot be solved yet, for an editor: what is wrong with it as a whole
            is then a warning, and it may have no parts.

    Raises:
        PuzzleFileError: with every complaint about the file, and about those it names, each with its line.
    """
    return puzzles_of(TomlFile(source, PuzzleFileError), bounds, unfinished)


def puzzles_of(file: TomlFile, bounds: Bounds, unfinished: bool = False) -> tuple[Puzzle, ...]:
    """The puzzles that the data of a file describe; see `read_puzzles`."""
    root = file.root
    if kind_of(root.data) == "lattice":
        key, name = next(key for key in root.data if key in OF_LATTICES), file.source.file_name
        root.complain(key, f'this is a lattice, not a puzzle; {BESIDE}: lattice = "./{name}"')
        file.finish()
    is_part_set(root)
    lattice = read_lattice_of(root)
    if lattice is None:  # nothing else can be understood without it
        for key in (
            "name",
            "title",
            "source",
            "comment",
            "colours",
            "rules",
            "sides",
            "region",
            "parts",
            "puzzles",
            *_ABOUT,
        ):
            root.any(key)
        root.any("transformations")
        root.finish()
        file.finish()
    assert lattice is not None
    before = file.n_complaints
    colours_of_art, colours = read_colours(root)
    rules, sides = read_rules(root, colours)
    context = Context(lattice, bounds, colours_of_art, colours, sides.names, sides.letters)
    default = read_transformations(root, lattice, lattice.allowed(lattice.default_transformations))
    shared = read_parts(root, context, default)
    sound = file.n_complaints == before
    common = _Common(
        lattice,
        rules,
        ("", *colours),
        root.line("title"),
        root.line("source"),
        root.lines("comment"),
        shared,
        default,
        unfinished,
        sound,
    )
    file_name = root.text("name", required=True)
    if "puzzles" not in root:
        puzzles = [_read_puzzle(root, file_name, context, common)]
    else:
        puzzles = _read_several(root, context, common)
    root.finish()
    warnings = file.finish()
    return tuple(replace(puzzle, warnings=warnings) for puzzle in puzzles if puzzle is not None)


@dataclass(frozen=True, slots=True)
class _Common:
    """What all puzzles of a file share."""

    lattice: Lattice
    rules: Rules
    colours: tuple[str, ...]
    title: str
    source: str
    comment: str
    parts: list[PartEntry]
    default: tuple[Transformation, ...]
    unfinished: bool
    sound: bool  # whether the parts, colours and rules that all puzzles share have no fault


def _with_own_rules(table: Table, common: _Common, colours: dict[str, int]) -> _Common:
    """The same with the puzzle's own rules in place of the file's, if it has any. Sides fit as in the file."""
    if "rules" not in table:
        return common
    return replace(common, rules=with_sides_of(read_colour_rules(table, colours), common.rules))


def _read_puzzle(table: Table, name: str, context: Context, common: _Common) -> Puzzle | None:
    """One puzzle; None if it has no cells or no parts, or if something is wrong with them."""
    before = table.file.n_complaints
    own = read_parts(table, context, common.default, common.parts) if table.key else []
    if table.key:
        common = _with_own_rules(table, common, dict(context.colours))
    entries, (region, demands) = [*common.parts, *own], read_region(table, context)
    sound = common.sound and table.file.n_complaints == before
    title, source = table.line("title", common.title), table.line("source", common.source)
    comment = table.lines("comment", common.comment)
    known, published = read_known(table), read_published(table)
    parts = [replace(e.part, lattice=common.lattice, number=k) for k, e in enumerate(entries) if e.part is not None]
    given = [each.any("parts") for each in (table, table.file.root)]
    if all(parts is None or parts == [] for parts in given) and not (common.unfinished or is_part_set(table)):
        what = "a puzzle has at least one part: [[parts]]"
        table.complain("parts" if "parts" in table else (), what if "parts" in table else f"'parts' is missing: {what}")
    if not sound or region is None or not (parts or common.unfinished):
        if not common.unfinished:
            complain_of_names(entries)
        return None
    puzzle = Puzzle(
        name,
        common.lattice,
        region,
        tuple(parts),
        title,
        source,
        common.colours,
        known.expect,
        rules=replace(common.rules, asked=demands.asked, alike=demands.alike),
        published=published,
        level=known.level,
        long=known.long,
        note=known.note,
        comment=comment,
    )
    of_rules = (table if "rules" in table else table.file.root).table("rules") or table
    of_region = table.table("region") or table
    for complaint in complaints_about(puzzle):
        place = of_rules if complaint.of_rules else of_region
        place = place if complaint.part is None else entries[complaint.part].table
        place.complain((), complaint.message, warning=complaint.warning or common.unfinished)
    return puzzle


def _read_several(root: Table, context: Context, common: _Common) -> list[Puzzle | None]:
    """The puzzles under [[puzzles]]."""
    found, names = [], set()
    tables = root.tables("puzzles")
    for table in tables:
        name = table.text("name", required=True)
        if name and name in names:
            table.complain("name", f"two puzzles are named {name!r}")
        names.add(name)
        found.append(_read_puzzle(table, name, context, common))
        table.finish()
    if not tables:
        root.complain("puzzles", "holds no puzzle")
    for key in ("region", "expect"):
        if key in root:
            root.complain(key, "cannot stand beside [[puzzles]]; give each puzzle its own")
            root.any(key)
    return found


@dataclass(frozen=True, slots=True)
class Known:
    """The table [expect]: figures, the level, whether a count takes long, and a remark."""

    expect: dict[str, int]
    level: tuple[int, ...] = ()
    long: bool = False
    note: str = ""


def read_known(root: Table) -> Known:
    """The table [expect]."""
    table = root.table("expect")
    if table is None:
        return Known({})
    found = {key: table.integer(key, -1) for key in EXPECTATIONS if table.any(key) is not None}
    for key in EXPECTATIONS:
        table.any(key)
    long = table.boolean("long")
    level = table.array("level")
    if "level" in table and (not 0 < len(level) <= MOST_LEVELS or any(type(n) is not int or n < 1 for n in level)):
        table.complain("level", "must be the moves of each separation, as in level = [5, 2]")
        level = []
    note = table.text("note")
    table.finish()
    return Known(found, tuple(level), long, note)


def read_published(root: Table) -> tuple[Published, ...]:
    """Figures in print that are wrong, each with the reason."""
    found = []
    for table in root.tables("published"):
        figure, source, reason = (table.text(key, required=True) for key in ("figure", "source", "reason"))
        found.append(Published(figure, table.integer("value", 0), source, reason))
        table.finish()
    return tuple(found)
