"""Reading puzzle files; the format is described in docs/reference/puzzle-files.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Lattice, Transformation
from latcover.core.model.puzzle import Bounds, Published, Puzzle, Rules
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.model.rules.rule_forms import in_order
from latcover.core.model.turn_data import Turning
from latcover.errors import PuzzleFileError
from latcover.files.formats.puzzle_files.costs_file import read_costs
from latcover.files.formats.puzzle_files.file_keys import BESIDE, OF_LATTICES, ExpectTable, PuzzleFile, kind_of
from latcover.files.formats.puzzle_files.file_table import Table, root_table
from latcover.files.formats.puzzle_files.part_tables import (
    PartEntry,
    clash,
    complain_of_names,
    read_lattice_of,
    read_transformations,
)
from latcover.files.formats.puzzle_files.puzzle_family import take_member
from latcover.files.formats.puzzle_files.region_tables import is_part_set, read_region
from latcover.files.formats.puzzle_files.rules_file import read_colour_rules, read_context, rules_table
from latcover.files.formats.puzzle_files.set_tables import read_parts, rules_of_sets, with_set
from latcover.files.formats.puzzle_files.toml_file import TomlFile
from latcover.files.formats.puzzle_files.written_shapes import ShapeContext
from latcover.files.formats.source import Source

if TYPE_CHECKING:
    from latcover.core.model.goals import GoalPuzzles

EXPECTATIONS = tuple(name for name, kind in ExpectTable.__annotations__.items() if kind in ("Count", "Solutions"))


def read_puzzles(source: Source, bounds: Bounds, unfinished: bool = False) -> tuple[Puzzle, ...] | GoalPuzzles:
    """Read a puzzle file: one puzzle, the several under [[puzzles]] that share its parts, or the goals of a board.

    Args:
        source: The file.
        bounds: How much it may ask for.
        unfinished: Whether to take a puzzle that cannot be solved yet, for an editor: what is wrong with it as a whole
            is then a warning, and it may have no parts.

    Raises:
        PuzzleFileError: with every complaint about the file, and about those it names, each with its line.
    """
    return puzzles_of(TomlFile(source, PuzzleFileError), bounds, unfinished)


def puzzles_of(file: TomlFile, bounds: Bounds, unfinished: bool = False) -> tuple[Puzzle, ...] | GoalPuzzles:
    """The puzzles that the data of a file describe; see `read_puzzles`."""
    if kind_of(file.data) == "lattice":
        key, name = next(key for key in file.data if key in OF_LATTICES), file.source.file_name
        file.complain((key,), f'this is a lattice, not a puzzle; {BESIDE}: lattice = "./{name}"')
        file.finish()
    _take_size(file)
    root = root_table(file, PuzzleFile)
    is_part_set(root)
    lattice = read_lattice_of(root)
    if lattice is None:  # nothing else can be understood without it
        file.finish()
    assert lattice is not None
    before = file.n_complaints
    context, of_sides = read_context(root, lattice, bounds)
    default = read_transformations(root, lattice, lattice.allowed(lattice.default_transformations))
    parts = read_parts(root, context, default)
    shared = _SharedByPuzzles(
        root=root,
        lattice=lattice,
        rules=read_colour_rules(root, context.colours, of_sides),
        colours=("", *context.colours),
        title=root.line("title"),
        source=root.line("source"),
        comment=root.lines("comment"),
        parts=parts,
        motions=default,
        unfinished=unfinished,
        sound=file.n_complaints == before,
    )
    file_name = root.get("name") or "?"
    goals = None
    if "puzzles" not in root:
        puzzles = [_read_puzzle(root, file_name, context, shared)]
        if "goals" in root:
            from latcover.files.formats.puzzle_files.goals_file import read_goals

            goals = read_goals(root, puzzles[0], context)
    else:
        puzzles = _read_several(root, context, shared)
    warnings = file.finish()
    if goals is not None:
        from latcover.core.model.goals import GoalPuzzles

        return GoalPuzzles(replace(goals, board=replace(goals.board, warnings=warnings)))
    return tuple(replace(puzzle, warnings=warnings) for puzzle in puzzles if puzzle is not None)


def _take_size(file: TomlFile) -> None:
    """Let the file of a family describe one of its puzzles."""
    size, name = file.source.size, file.source.name
    if kind_of(file.data) == "family":
        if size is None:
            file.complain(
                ("family",),
                f"this is a family of puzzles; name one of them, as {name}:5, or count them: `latcover sequence`",
            )
            file.finish()
        assert size is not None
        take_member(file, size)
    elif size is not None:
        file.complain((), f"is one puzzle, not a family: leave :{size} out")


class _SharedByPuzzles(Struct, frozen=True):
    """What all puzzles of a file share."""

    root: Table
    lattice: Lattice
    rules: Rules
    colours: tuple[str, ...]
    title: str
    source: str
    comment: str
    parts: list[PartEntry]
    motions: tuple[Transformation, ...]  # that parts have by default
    unfinished: bool
    sound: bool  # whether the parts, colours and rules that all puzzles share have no fault


def _read_puzzle(table: Table, name: str, context: ShapeContext, shared: _SharedByPuzzles) -> Puzzle | None:
    """One puzzle; None if it has no cells or no parts, or if something is wrong with them."""
    before = table.file.n_complaints
    own = read_parts(table, context, shared.motions, shared.parts) if table.key else []
    if table.key and "rules" in table:  # in place of the file's rules; sides fit as in the file
        shared = replace(shared, rules=read_colour_rules(table, context.colours, shared.rules))
    entries, (region, demands) = with_set(shared.parts, own, shared.lattice), read_region(table, context)
    sound = shared.sound and table.file.n_complaints == before
    title, source = table.line("title", shared.title), table.line("source", shared.source)
    comment = table.lines("comment", shared.comment)
    known, published = read_figures(table), read_published(table)
    parts = [replace(e.part, lattice=shared.lattice, number=k) for k, e in enumerate(entries) if e.part is not None]
    given = [data.get("parts") for data in (table.data, shared.root.data)]
    if all(parts is None or parts == [] for parts in given) and not (shared.unfinished or is_part_set(table)):
        what = "a puzzle has at least one part: [[parts]]"
        table.complain("parts" if "parts" in table else (), what if "parts" in table else f"'parts' is missing: {what}")
    if not sound or region is None or not (parts or shared.unfinished):
        if not shared.unfinished:
            complain_of_names(entries)
        return None
    puzzle = Puzzle(
        name,
        shared.lattice,
        region,
        tuple(parts),
        title,
        source,
        shared.colours,
        known.expect,
        rules=replace(
            shared.rules,
            asked=demands.asked,
            alike=demands.alike,
            of_parts=in_order([*shared.rules.of_parts, *rules_of_sets(entries)]),  # type: ignore[list-item]
        ),
        published=published,
        level=known.level,
        turning=read_turning(table),
        long=known.long,
        note=known.note,
        comment=comment,
        costs=read_costs(table, context, region, [part.name for part in parts]),
    )
    of_rules = rules_table(table if "rules" in table else shared.root) or table
    of_region = table.table("region") or table
    for complaint in complaints_about(puzzle, fits="goals" not in shared.root):
        place = of_rules if complaint.of_rules else of_region
        place = place if complaint.part is None else entries[complaint.part].table
        repeats = complaint.part if complaint.repeats else None
        message = complaint.message if repeats is None else clash(entries, repeats, complaint.message)
        place.complain((), message, warning=complaint.warning or shared.unfinished)
    return puzzle


def _read_several(root: Table, context: ShapeContext, shared: _SharedByPuzzles) -> list[Puzzle | None]:
    """The puzzles under [[puzzles]]."""
    found, names = [], set()
    tables = root.tables("puzzles")
    for table in tables:
        name = table.get("name")
        if name and name in names:
            table.complain("name", f"two puzzles are named {name!r}")
        names.add(name)
        found.append(_read_puzzle(table, name or "?", context, shared))
    if not tables:
        root.complain("puzzles", "has no puzzles")
    for key in ("region", "expect", "published", "turning", "costs", "goals"):
        if key in root:
            root.complain(key, "cannot be combined with [[puzzles]]; give each puzzle its own")
    return found


class KnownFigures(Struct, frozen=True):
    """The table [expect]: figures, the level, whether a count takes long, and a remark."""

    expect: dict[str, int]
    level: tuple[int, ...] = ()
    long: bool = False
    note: str = ""


def read_turning(root: Table) -> Turning | None:
    """The table [turning]."""
    table = root.table("turning")
    return None if table is None else Turning(table.get("play"), table.get("bevel"))


def read_figures(root: Table) -> KnownFigures:
    """The table [expect]."""
    table = root.table("expect")
    if table is None:
        return KnownFigures({})
    found = {key: table.get(key) for key in EXPECTATIONS if key in table}
    return KnownFigures(found, tuple(table.get("level")), table.get("long"), table.get("note"))


def read_published(root: Table) -> tuple[Published, ...]:
    """Figures in print that are wrong, each with the reason."""
    return tuple(
        Published(table.get("figure"), table.get("value"), table.get("source"), table.get("reason"))
        for table in root.tables("published")
    )
