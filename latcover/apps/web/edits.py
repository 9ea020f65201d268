"""Edits of a puzzle by a client: everything in a puzzle file, except its lattice.

Fields that are left out stay unchanged, with two exceptions. Known and published figures stay only if the puzzle means
the same. Title and source say that the puzzle was edited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import UNSET, Meta, UnsetType, field
from msgspec.structs import replace

from latcover.core.model.lattice import Cells, Lattice, Transformation
from latcover.core.model.puzzle import Bounds, Part, Puzzle, Region, Rules
from latcover.core.model.puzzle_costs import NamedCosts
from latcover.errors import LatticeError, PuzzleError, PuzzleFileError, UnsupportedError, suggest, written_lines
from latcover.files.formats.puzzle_files.file_keys import MOST_COPIES, MOST_WEIGHT, PuzzleFile
from latcover.files.formats.puzzle_files.file_table import root_table
from latcover.files.formats.puzzle_files.puzzle_file import read_figures, read_published
from latcover.files.formats.puzzle_files.puzzle_writer import motions_as_data
from latcover.files.formats.puzzle_files.rules_file import read_colour_rules, read_sides_table
from latcover.files.formats.puzzle_files.rules_writer import rules_as_data
from latcover.files.formats.puzzle_files.toml_file import TomlFile
from latcover.files.formats.source import Source, shipped

FARTHEST = 100_000  # a coordinate of a cell
EDITED, AFTER = ", edited", "after "  # what a title ends with, and a source begins with
MOTIONS = ("fixed", "rotations", "reflections")
SPECIAL = "special"  # transformations without a name in the lattice

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Line = Annotated[str, Meta(max_length=4000)]
Cell = list[Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)]]  # [node, x, y, ...]
Copies = Annotated[int, Meta(ge=1, le=MOST_COPIES)]
Number = Annotated[int, Meta(ge=0)]  # of a cell, a half-edge, a colour, a part
Length = Annotated[int, Meta(ge=0, le=FARTHEST)]
Shift = Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)]
SideRow = tuple[Number, Number, str]  # the number of a cell, a half-edge, the name of a value
Side = tuple[tuple[int, ...], int, str]  # a cell, a half-edge, and what is there


class RegionEdits(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A region. ``colours`` and ``optional`` have an entry for each cell; ``alike`` lists groups of cells by number."""

    cells: list[Cell]
    colours: list[Number] | None = None
    optional: list[Annotated[int, Meta(ge=0, le=1)]] | None = None
    period: list[Length | list[Shift]] | UnsetType = UNSET
    max_empty: Number | UnsetType | None = UNSET
    sides: list[SideRow] | None = None
    alike: list[list[Number]] | None = None


class PartEdits(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A part. ``origin`` is the number of the part that it was; a group is a name and a number of copies, or all."""

    name: Name
    origin: Number | None = field(name="from", default=None)
    cells: list[Cell]
    colours: list[Number] | None = None
    low: Annotated[int, Meta(ge=0, le=MOST_COPIES)] = 1
    high: Copies | None = None
    motions: str | list[str] | None = None
    sides: list[SideRow] | None = None
    display_colour: Line | UnsetType = UNSET
    groups: Annotated[list[tuple[Name, Copies | None]], Meta(max_length=100)] | UnsetType = UNSET
    weight: Annotated[int, Meta(ge=-MOST_WEIGHT, le=MOST_WEIGHT)] | UnsetType = UNSET


class PuzzleEdits(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A puzzle. ``colours`` names those from number 1 on; rules, sides and figures are tables of a puzzle file."""

    name: Name | UnsetType = UNSET
    title: Line | UnsetType = UNSET
    source: Line | UnsetType = UNSET
    comment: str | UnsetType = UNSET
    colours: Annotated[list[Name], Meta(max_length=200)] | UnsetType = UNSET
    rules: dict[str, Any] | None = None
    sides: dict[str, Any] | None = None
    region: RegionEdits
    parts: Annotated[list[PartEdits], Meta(max_length=1000)]
    expect: dict[str, Any] | UnsetType = UNSET
    published: list[dict[str, Any]] | UnsetType = UNSET


def edited(puzzle: Puzzle | None, lattice: Lattice, edits: PuzzleEdits, bounds: Bounds) -> Puzzle:
    """*puzzle* after *edits*, or a new puzzle on *lattice*. It may be unfinished.

    Raises:
        PuzzleError: the edits do not fit the lattice or the puzzle, or ask for too much.
        PuzzleFileError: the tables of rules, sides or figures are at fault.
    """
    editor = _Editor(lattice, bounds, puzzle, edits)
    name = puzzle.name if puzzle else "new puzzle"
    region = editor.region(edits.region)
    made = Puzzle(
        name if edits.name is UNSET else _printable(edits.name, "the puzzle's name"),
        lattice,
        region,
        tuple(editor.part(part, number) for number, part in enumerate(edits.parts)),
        colours=editor.colours,
        rules=replace(
            editor.rules,
            asked=editor.asked(edits.region.sides, region),
            alike=editor.alike(edits.region.alike, region),
        ),
        comment=written_lines(edits.comment) if edits.comment is not UNSET else puzzle.comment if puzzle else "",
        turning=puzzle.turning if puzzle else None,
    )
    if puzzle and puzzle.costs:
        made = replace(made, costs=_costs_that_fit(puzzle, made))
    return _with_figures(_with_titles(made, puzzle, edits), puzzle, edits)


def _costs_that_fit(puzzle: Puzzle, made: Puzzle) -> tuple[NamedCosts, ...]:
    """The costs of *puzzle* that name nothing which the edits took away."""
    parts, cells = [part.name for part in made.parts], set(map(tuple, made.region.cells.tolist()))
    return tuple(costs for costs in puzzle.costs if not any(costs.faults(parts, cells)))


def _with_titles(made: Puzzle, puzzle: Puzzle | None, edits: PuzzleEdits) -> Puzzle:
    """The given title and source; otherwise the old ones, marked if the puzzle was edited."""
    title, source = (puzzle.title, puzzle.source) if puzzle else ("", "")
    if puzzle and _content(made) != _content(puzzle):
        title = title and title.removesuffix(EDITED) + EDITED
        source = source and AFTER + source.removeprefix(AFTER)
    return replace(
        made,
        title=title if edits.title is UNSET else _printable(edits.title, "the title"),
        source=source if edits.source is UNSET else _printable(edits.source, "the source"),
    )


def _with_figures(made: Puzzle, puzzle: Puzzle | None, edits: PuzzleEdits) -> Puzzle:
    """The given figures; otherwise the old ones, if the puzzle means the same."""
    if puzzle and _meaning(made) == _meaning(puzzle):
        made = replace(
            made,
            expect=puzzle.expect,
            level=puzzle.level,
            long=puzzle.long,
            note=puzzle.note,
            published=puzzle.published,
        )
    given = {"expect": edits.expect, "published": edits.published}
    file = _as_file({key: value for key, value in given.items() if value is not UNSET})
    root = root_table(file, PuzzleFile)
    known, published = read_figures(root), read_published(root)
    file.finish()
    if edits.expect is not UNSET:
        made = replace(made, expect=known.expect, level=known.level, long=known.long, note=known.note)
    return made if edits.published is UNSET else replace(made, published=published)


def _as_file(data: dict[str, Any]) -> TomlFile:
    """Tables of edits, to be read as those of a puzzle file."""
    return TomlFile(Source(b"", "", shipped), PuzzleFileError, data)


def motions_of(lattice: Lattice, allowed: tuple[Transformation, ...]) -> str | list[str]:
    """The motions that a part may make: a word, the lattice's names of some of them, or `SPECIAL`."""
    wanted = {motion.labels for motion in allowed}
    words = (w for w in MOTIONS if {motion.labels for motion in lattice.allowed(w)} == wanted)
    try:
        return next(words, None) or motions_as_data(lattice, allowed)
    except UnsupportedError:
        return SPECIAL


def _meaning(puzzle: Puzzle) -> tuple[object, ...]:
    """Everything on which figures depend; names and the order of cells are left out."""
    region, rules = puzzle.region, puzzle.rules
    cells = sorted(zip(region.cells.tolist(), region.colours.tolist(), region.optional.tolist(), strict=True))
    of_rules = rules.stands_on, rules.apart, rules.across_corners, rules.exchangeable, rules.of_parts
    of_sides = rules.fits.tolist(), rules.open_sides.tolist(), rules.rim, sorted(rules.asked)
    of_cells = cells, region.period, region.max_empty, sorted(rules.alike), region.exchangeable
    return *of_cells, of_rules, of_sides, [_meaning_of_part(part) for part in puzzle.parts]


def _meaning_of_part(part: Part) -> tuple[object, ...]:
    cells = part.cells.tolist()
    sides = sorted((cells[k], edge, value) for k, edge, value in part.sides.tolist())
    motions = {motion.labels for motion in part.transformations}
    shape = sorted(zip(cells, part.colours.tolist(), strict=True))
    confines = [None if each is None else sorted(each.tolist()) for each in (part.within, part.keep_off)]
    return shape, sides, part.low, part.high, motions, part.groups, part.weight, confines


def _content(puzzle: Puzzle) -> tuple[object, ...]:
    """Everything that edits can change, except title, source, comment and figures."""
    names = [(part.name, part.display_colour) for part in puzzle.parts]
    return _meaning(puzzle), puzzle.name, puzzle.colours, puzzle.rules.sides, names


class _Editor:
    """Makes the region and the parts from edits, and checks them against the lattice and the puzzle."""

    def __init__(self, lattice: Lattice, bounds: Bounds, puzzle: Puzzle | None, edits: PuzzleEdits) -> None:
        self.lattice, self.bounds, self.puzzle = lattice, bounds, puzzle
        self.colours = self._colours(edits)
        self.rules = self._rules(edits)

    def _colours(self, edits: PuzzleEdits) -> tuple[str, ...]:
        if edits.colours is UNSET:
            return self.puzzle.colours if self.puzzle else ("",)
        named = [_printable(name, f"the name of colour {k}") for k, name in enumerate(edits.colours, 1)]
        if again := _repeated(named):
            raise PuzzleError(f"two colours are named {again!r}; give each its own name")
        return ("", *named)

    def _rules(self, edits: PuzzleEdits) -> Rules:
        old = self.puzzle
        tables = {"rules": edits.rules, "sides": edits.sides}
        if edits.rules is edits.sides is None and edits.colours is UNSET:
            return old.rules if old else Rules()
        if old and edits.rules is None:
            tables["rules"] = rules_as_data(old)
        file = _as_file({key: table for key, table in tables.items() if table})
        root = root_table(file, PuzzleFile)
        sides = old.rules if old and edits.sides is None else read_sides_table(root)[0]
        rules = read_colour_rules(root, {name: k for k, name in enumerate(self.colours) if k}, sides)
        file.finish()
        return rules

    def region(self, edits: RegionEdits) -> Region:
        old = self.puzzle.region if self.puzzle else None
        cells = self.cells(edits.cells, "the region")
        period = edits.period if edits.period is not UNSET else old.period if old else None
        most = edits.max_empty if edits.max_empty is not UNSET else old.max_empty if old else None
        if most is not None and most > self.bounds.cells:
            raise PuzzleError(f"the number of cells that may stay empty must be at most {self.bounds.cells:,}")
        optional = self.one_each(edits.optional, cells, 2, "optional cells").astype(np.bool_)
        optional |= np.array([node.secondary for node in self.lattice.nodes])[cells[:, 0]]
        colours = self.one_each(edits.colours, cells, len(self.colours), "colours of the region")
        exchangeable = old is not None and old.exchangeable
        return Region(cells, colours, optional, period, most, exchangeable=exchangeable)

    def part(self, edits: PartEdits, number: int) -> Part:
        name = _printable(edits.name, f"the name of part {number + 1}")
        what = f"part {name!r}"
        old = self.part_before(edits.origin, what)
        cells = _distinct(self.cells(edits.cells, what), what)
        if edits.high is not None and edits.high < edits.low:
            raise PuzzleError(f"the most copies of {what} must be at least the fewest, {edits.low}")
        colour = edits.display_colour
        return Part(
            name,
            cells,
            self.one_each(edits.colours, cells, len(self.colours), f"colours of {what}"),
            edits.low,
            edits.high,
            self.motions(edits.motions, old, what),
            self.sides(edits.sides, old, cells, what),
            self.lattice,
            number,
            self.groups(edits.groups, what) if edits.groups is not UNSET else old.groups if old else (),
            edits.weight if edits.weight is not UNSET else old.weight if old else 1,
            _printable(colour, f"the colour of {what}") if colour is not UNSET else old.display_colour if old else "",
            old.within if old else None,
            old.keep_off if old else None,
        )

    def part_before(self, number: int | None, what: str) -> Part | None:
        if number is None or self.puzzle is None:
            return None
        if number >= len(self.puzzle.parts):
            raise PuzzleError(f"{what} comes from part {number}, which the puzzle does not have")
        return self.puzzle.parts[number]

    def motions(self, words: str | list[str] | None, old: Part | None, what: str) -> tuple[Transformation, ...]:
        if old is not None and words == motions_of(self.lattice, old.transformations):
            return old.transformations
        if words is None:
            words = self.lattice.default_transformations
        elif isinstance(words, str) and words not in MOTIONS:
            raise PuzzleError(f"{what} cannot have the motions {words[:40]!r}; known: {', '.join(MOTIONS)}")
        try:
            return self.lattice.allowed(words)
        except LatticeError as fault:
            raise PuzzleError(f"{what}: {fault}") from None

    def groups(self, pairs: Sequence[tuple[str, int | None]], what: str) -> tuple[tuple[str, int | None], ...]:
        named = [(_printable(name, f"the name of a group of {what}"), most) for name, most in pairs]
        if again := _repeated(name for name, _ in named):
            raise PuzzleError(f"{what} has the group {again!r} twice")
        return tuple(named)

    def sides(self, rows: list[SideRow] | None, old: Part | None, cells: Cells, what: str) -> npt.NDArray[np.int32]:
        """The given sides; otherwise those of the old part on cells that it still has.

        Sides between two cells of the part count as flat.
        """
        there = {tuple(cell) for cell in cells.tolist()}
        if rows is None and old is not None and self.puzzle is not None:
            before, names = old.cells.tolist(), self.puzzle.rules.sides
            kept = [(tuple(before[k]), edge, names[value]) for k, edge, value in old.sides.tolist()]
            values = self.numbered([row for row in kept if row[0] in there], what)
        else:
            values = self.numbered(self.given_sides(rows or (), cells, what), what)
        number = {tuple(cell): k for k, cell in enumerate(cells.tolist())}
        edges = self.lattice.half_edges
        listed = [(number[cell], e, value) for (cell, e), value in values.items() if edges[e].across(cell) not in there]
        return np.array(sorted(listed), dtype=np.int32).reshape(-1, 3)

    def asked(self, rows: list[SideRow] | None, region: Region) -> tuple[tuple[tuple[int, ...], int, int], ...]:
        """The required sides of the region; without *rows* the old ones, on cells that are still there."""
        if rows is None and self.puzzle is not None:
            there, rules = {tuple(cell) for cell in region.cells.tolist()}, self.puzzle.rules
            given = [(cell, edge, rules.sides[value]) for cell, edge, value in rules.asked if cell in there]
        else:
            given = self.given_sides(rows or (), region.cells, "the region")
        return tuple((cell, edge, value) for (cell, edge), value in sorted(self.numbered(given, "the region").items()))

    def alike(self, groups: list[list[int]] | None, region: Region) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The groups of cells that must be alike; without *groups* the old ones, with cells that are still there."""
        cells = list(map(tuple, region.cells.tolist()))
        if groups is None:
            there, old = set(cells), self.puzzle.rules.alike if self.puzzle else ()
            given = [[cell for cell in group if cell in there] for group in old]
        else:
            if any(k >= len(cells) for group in groups for k in group):
                raise PuzzleError(f"a group of cells that must be alike names a cell beyond the last, {len(cells) - 1}")
            given = [[cells[k] for k in group] for group in groups]
        return tuple(tuple(sorted(set(group))) for group in given if len(set(group)) > 1)

    def numbered(self, sides: Sequence[Side], what: str) -> dict[tuple[tuple[int, ...], int], int]:
        """The numbers of side values, by cell and half-edge."""
        number = {name: value for value, name in enumerate(self.rules.sides)}
        values: dict[tuple[tuple[int, ...], int], int] = {}
        for cell, edge, name in sides:
            if name not in number:
                hint = suggest(name, number) or "; name it among the keys, locks and values"
                raise PuzzleError(f"{what}: a side bears {name[:40]!r}, which is not a key, a lock or a value{hint}")
            if (cell, edge) in values:
                label = self.lattice.half_edges[edge].label
                raise PuzzleError(f"{what} has two values for the side {label!r} of {self.lattice.written(cell)}")
            if number[name]:
                values[cell, edge] = number[name]
        return values

    def given_sides(self, rows: Sequence[SideRow], cells: Cells, what: str) -> list[Side]:
        edges = self.lattice.half_edges
        for k, edge, _ in rows:
            if k >= len(cells) or edge >= len(edges):
                raise PuzzleError(
                    f"a side of {what} must name one of {len(cells)} cells and of {len(edges)} half-edges, from 0 on"
                )
            if edges[edge].node != cells[k, 0]:
                node = self.lattice.nodes[cells[k, 0]].name
                raise PuzzleError(f"{what}: a cell {node!r} has no half-edge {edges[edge].label!r}")
        return [(tuple(cells[k].tolist()), edge, name) for k, edge, name in rows]

    def cells(self, rows: list[Cell], what: str) -> Cells:
        if not rows:
            raise PuzzleError(f"{what} has no cells; fill some, or take it away")
        if len(rows) > self.bounds.cells:
            raise PuzzleError(f"the cells of {what} are {len(rows):,}; at most {self.bounds.cells:,} can be taken")
        if any(len(row) != self.lattice.dimension + 1 for row in rows):
            raise PuzzleError(f"each cell of {what} must be a node and {self.lattice.dimension} coordinates")
        cells = np.array(rows, dtype=np.int32)
        if cells[:, 0].min() < 0 or cells[:, 0].max() >= len(self.lattice.nodes):
            raise PuzzleError(f"a cell of {what} lies nowhere: nodes are below {len(self.lattice.nodes)}")
        return cells

    def one_each(self, values: list[int] | None, cells: Cells, below: int, what: str) -> npt.NDArray[np.int32]:
        """A number for each cell; 0 without *values*."""
        if values is None:
            return np.zeros(len(cells), np.int32)
        if len(values) != len(cells) or max(values) >= below:
            raise PuzzleError(f"the {what} must be one number below {below} for each cell")
        return np.array(values, dtype=np.int32)


def _distinct(cells: Cells, what: str) -> Cells:
    if len(np.unique(cells, axis=0)) < len(cells):
        raise PuzzleError(f"{what} holds a cell twice")
    return cells


def _repeated(names: Iterable[str]) -> str | None:
    """The first name that occurs twice."""
    return next((name for name, count in Counter(names).items() if count > 1), None)


def _printable(text: str, what: str) -> str:
    """A line of text, stripped."""
    if not text.isprintable():
        raise PuzzleError(f"{what} must be a line of printable characters")
    return text.strip()
