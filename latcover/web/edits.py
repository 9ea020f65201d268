"""Edits of a puzzle as a client sends them: all that a puzzle file can say, except its lattice.

Plain data: ``{"name", "title", "source", "comment", "colours", "rules", "sides", "region": {"cells", "colours",
"optional", "period", "max_empty", "sides", "alike"}, "parts": [{"name", "from", "cells", "colours", "low", "high",
"motions", "sides", "display_colour", "groups", "weight"}], "expect", "published"}``.

Cells are rows ``[node, x, y, ...]``. ``colours`` names the colours from number 1 on. ``rules``, ``sides``, ``expect``
and ``published`` are as in a puzzle file. Sides are rows ``[index of a cell, half-edge, name of a value]``. ``alike``
lists groups of indices of cells. A part's groups are pairs of a name and a number, or null for all copies. ``from`` is
the number of the part of the puzzle as it was that this one comes from, or null.

What is not named stays as it was. Three things then depend on the edits: known figures, and figures in print, stay as
long as the puzzle means the same; title and source say that there were edits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.errors import LatticeError, PuzzleError, PuzzleFileError, UnsupportedError, suggest, written_lines
from latcover.formats.puzzle_files.part_tables import MOST_COPIES, MOST_WEIGHT
from latcover.formats.puzzle_files.puzzle_file import read_known, read_published
from latcover.formats.puzzle_files.puzzle_writer import motions_as_data
from latcover.formats.puzzle_files.rules_file import read_rules, with_sides_of
from latcover.formats.puzzle_files.rules_writer import rules_as_data
from latcover.formats.puzzle_files.toml_file import TomlFile
from latcover.formats.source import Source, shipped
from latcover.model.lattice import Cells, Lattice, Transformation
from latcover.model.puzzle import Bounds, Part, Puzzle, Region, Rules

MOST_PARTS = 1000
MOST_COLOURS = 200
MOST_GROUPS = 100
FARTHEST = 100_000  # a coordinate of a cell
LONGEST_NAME, LONGEST_TEXT = 200, 4000
EDITED, AFTER = ", edited", "after "  # what a title ends with, and a source begins with
MOTIONS = ("fixed", "rotations", "reflections")
Side = tuple[tuple[int, ...], int, str]  # a cell, a half-edge, and what is there
SPECIAL = "special"  # transformations for which the lattice has no words


def edited(puzzle: Puzzle | None, lattice: Lattice, edits: object, bounds: Bounds) -> Puzzle:
    """*puzzle* after *edits*, or a new puzzle on *lattice*. It may be one that cannot be solved.

    Raises:
        PuzzleError: the data is invalid, or asks for too much.
        PuzzleFileError: the tables of rules, sides or figures are at fault.
    """
    data = _table(edits, "the edits")
    reader = _Reader(lattice, bounds, puzzle, data)
    name = _name(data.get("name", puzzle.name if puzzle else "new puzzle"), "the puzzle's name")
    region = reader.region(_table(data.get("region"), "the region"))
    entries = _list(data.get("parts"), "the parts", MOST_PARTS)
    parts = tuple(reader.part(_table(entry, f"part {k + 1}"), k) for k, entry in enumerate(entries))
    comment = comment_in(data, puzzle.comment if puzzle else "")
    of_region = data["region"]
    asked, alike = reader.asked(of_region.get("sides"), region), reader.alike(of_region.get("alike"), region)
    rules = replace(reader.rules, asked=asked, alike=alike)
    made = Puzzle(name, lattice, region, parts, colours=reader.colours, rules=rules, comment=comment)
    return _with_figures(_with_titles(made, puzzle, data), puzzle, data)


def _with_titles(made: Puzzle, puzzle: Puzzle | None, data: Mapping[str, Any]) -> Puzzle:
    """Title and source as they are given. If they are not, they say that the puzzle was edited, if it was."""
    title, source = (puzzle.title, puzzle.source) if puzzle else ("", "")
    if puzzle and _content(made) != _content(puzzle):
        title = title and title.removesuffix(EDITED) + EDITED
        source = source and AFTER + source.removeprefix(AFTER)
    if "title" in data:
        title = _text(data["title"], "the title")
    if "source" in data:
        source = _text(data["source"], "the source")
    return replace(made, title=title, source=source)


def _with_figures(made: Puzzle, puzzle: Puzzle | None, data: Mapping[str, Any]) -> Puzzle:
    """Known figures as they are given, or those of the puzzle as it was if it means the same."""
    if puzzle and _meaning(made) == _meaning(puzzle):
        made = replace(
            made,
            expect=puzzle.expect,
            level=puzzle.level,
            long=puzzle.long,
            note=puzzle.note,
            published=puzzle.published,
        )
    if "expect" not in data and "published" not in data:
        return made
    file = _as_file({key: data[key] for key in ("expect", "published") if key in data})
    known, published = read_known(file.root), read_published(file.root)
    file.finish()
    if "expect" in data:
        made = replace(made, expect=known.expect, level=known.level, long=known.long, note=known.note)
    return replace(made, published=published) if "published" in data else made


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
    """All on which figures depend. The order of cells, and names, do not matter."""
    region, rules = puzzle.region, puzzle.rules
    cells = sorted(zip(region.cells.tolist(), region.colours.tolist(), region.optional.tolist(), strict=True))
    of_rules = rules.stands_on, rules.apart, rules.across_corners, rules.exchangeable
    of_sides = rules.fits.tolist(), rules.open_sides.tolist(), rules.rim, sorted(rules.asked)
    of_cells = cells, region.period, region.max_empty, sorted(rules.alike)
    return *of_cells, of_rules, of_sides, [_meaning_of_part(part) for part in puzzle.parts]


def _meaning_of_part(part: Part) -> tuple[object, ...]:
    cells = part.cells.tolist()
    sides = sorted((cells[k], edge, value) for k, edge, value in part.sides.tolist())
    motions = {motion.labels for motion in part.transformations}
    shape = sorted(zip(cells, part.colours.tolist(), strict=True))
    return shape, sides, part.low, part.high, motions, part.groups, part.weight


def _content(puzzle: Puzzle) -> tuple[object, ...]:
    """All that edits can change, except what is said of the puzzle as a whole."""
    names = [(part.name, part.display_colour) for part in puzzle.parts]
    return _meaning(puzzle), puzzle.name, puzzle.colours, puzzle.rules.sides, names


class _Reader:
    """Turns plain data into regions and parts of one lattice."""

    def __init__(self, lattice: Lattice, bounds: Bounds, puzzle: Puzzle | None, data: Mapping[str, Any]) -> None:
        self.lattice, self.bounds, self.puzzle = lattice, bounds, puzzle
        self.colours = self._colours(data)
        self.rules = self._rules(data)

    def _colours(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        if "colours" not in data:
            return self.puzzle.colours if self.puzzle else ("",)
        listed = _list(data["colours"], "the colours", MOST_COLOURS)
        named = [_name(name, f"the name of colour {k}") for k, name in enumerate(listed, 1)]
        again = next((name for k, name in enumerate(named) if name in named[:k]), None)
        if again is not None:
            raise PuzzleError(f"two colours are named {again!r}; give each a name of its own")
        return ("", *named)

    def _rules(self, data: Mapping[str, Any]) -> Rules:
        old = self.puzzle
        tables = {key: data[key] for key in ("rules", "sides") if data.get(key) is not None}
        if not tables and "colours" not in data:
            return old.rules if old else Rules()
        if old and "rules" not in tables:
            tables["rules"] = rules_as_data(old)
        said = set(tables)
        tables = {key: table for key, table in tables.items() if table != {}}
        file = _as_file(tables)
        rules, _ = read_rules(file.root, {name: k for k, name in enumerate(self.colours) if k})
        file.finish()
        return with_sides_of(rules, old.rules) if old and "sides" not in said else rules

    def region(self, data: Mapping[str, Any]) -> Region:
        old = self.puzzle.region if self.puzzle else None
        cells = self.cells(data.get("cells"), "the region")
        period = self.period(data["period"]) if "period" in data else old.period if old else None
        most = data.get("max_empty", old.max_empty if old else None)
        if most is not None:
            most = _whole(most, 0, self.bounds.cells, "how many cells may stay empty")
        optional = self.row(data.get("optional"), len(cells), 2, "optional cells").astype(np.bool_)
        secondary = np.array([node.secondary for node in self.lattice.nodes])
        optional |= secondary[cells[:, 0]]
        colours = self.row(data.get("colours"), len(cells), len(self.colours), "colours of the region")
        region = Region(cells, colours, optional, period, most)
        return replace(region, cells=_distinct(region.wrapped(cells), "the region"))

    def period(self, values: object) -> list[int]:
        listed = _list(values, "the lengths along which the region closes on itself", self.lattice.dimension)
        if len(listed) < self.lattice.dimension:
            raise PuzzleError(f"the region closes along {self.lattice.dimension} axes; give a length for each, or 0")
        return [_whole(length, 0, FARTHEST, "a length along which the region closes on itself") for length in listed]

    def part(self, data: Mapping[str, Any], number: int) -> Part:
        name = _name(data.get("name"), f"the name of part {number + 1}")
        what = f"part {name!r}"
        old = self.part_before(data.get("from"), what)
        cells = _distinct(self.cells(data.get("cells"), what), what)
        low = _whole(data.get("low", 1), 0, MOST_COPIES, f"the fewest copies of {what}")
        high = data.get("high")
        high = None if high is None else _whole(high, max(low, 1), MOST_COPIES, f"the most copies of {what}")
        return Part(
            name,
            cells,
            self.row(data.get("colours"), len(cells), len(self.colours), f"colours of {what}"),
            low,
            high,
            self.motions(data.get("motions"), old, what),
            self.sides(data.get("sides"), old, cells, what),
            self.lattice,
            number,
            self.groups(data["groups"], what) if "groups" in data else old.groups if old else (),
            _whole(data.get("weight", old.weight if old else 1), -MOST_WEIGHT, MOST_WEIGHT, f"the weight of {what}"),
            _text(data.get("display_colour", old.display_colour if old else ""), f"the colour of {what}"),
        )

    def part_before(self, number: object, what: str) -> Part | None:
        if number is None or self.puzzle is None:
            return None
        return self.puzzle.parts[_whole(number, 0, len(self.puzzle.parts) - 1, f"where {what} comes from")]

    def motions(self, words: object, old: Part | None, what: str) -> tuple[Transformation, ...]:
        if old is not None and words == motions_of(self.lattice, old.transformations):
            return old.transformations
        if words is None:
            return self.lattice.allowed(self.lattice.default_transformations)
        if isinstance(words, list) and words and all(isinstance(word, str) for word in words):
            try:
                return self.lattice.allowed(words)
            except LatticeError as fault:
                raise PuzzleError(f"{what}: {fault}") from None
        if words not in MOTIONS:
            raise PuzzleError(f"{what} cannot have the motions {str(words)[:40]!r}; known: {', '.join(MOTIONS)}")
        return self.lattice.allowed(str(words))

    def groups(self, pairs: object, what: str) -> tuple[tuple[str, int | None], ...]:
        found: dict[str, int | None] = {}
        for pair in _list(pairs, f"the groups of {what}", MOST_GROUPS):
            if not isinstance(pair, list) or len(pair) != 2:
                raise PuzzleError(f"each group of {what} must be a pair of a name and a number of copies, or null")
            name, most = _name(pair[0], f"the name of a group of {what}"), pair[1]
            if name in found:
                raise PuzzleError(f"{what} has the group {name!r} twice")
            found[name] = most if most is None else _whole(most, 1, MOST_COPIES, f"how many of {what} may stay")
        return tuple(found.items())

    def sides(self, rows: object, old: Part | None, cells: Cells, what: str) -> npt.NDArray[np.int32]:
        """Sides as given; or those of the part as it was, on the cells that it still has.

        Sides between two cells of the part count as flat.
        """
        there = {tuple(cell) for cell in cells.tolist()}
        if rows is None and old is not None and self.puzzle is not None:
            before, names = old.cells.tolist(), self.puzzle.rules.sides
            kept = [(tuple(before[k]), edge, names[value]) for k, edge, value in old.sides.tolist()]
            found = self.numbered([row for row in kept if row[0] in there], what)
        else:
            found = self.numbered(self.given_sides(rows, cells, what), what)
        number = {tuple(cell): k for k, cell in enumerate(cells.tolist())}
        edges = self.lattice.half_edges
        listed = [(number[cell], e, value) for (cell, e), value in found.items() if edges[e].across(cell) not in there]
        return np.array(sorted(listed), dtype=np.int32).reshape(-1, 3)

    def asked(self, rows: object, region: Region) -> tuple[tuple[tuple[int, ...], int, int], ...]:
        """What sides of the region must bear; without *rows*, what they had to, on the cells that are still there."""
        if rows is None and self.puzzle is not None:
            there, rules = {tuple(cell) for cell in region.cells.tolist()}, self.puzzle.rules
            given = [(cell, edge, rules.sides[value]) for cell, edge, value in rules.asked if cell in there]
        else:
            given = self.given_sides(rows, region.cells, "the region")
        return tuple((cell, edge, value) for (cell, edge), value in sorted(self.numbered(given, "the region").items()))

    def alike(self, groups: object, region: Region) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The groups of cells that must be alike, by numbers of cells; without them as they were, if still there."""
        if groups is None:
            there = set(map(tuple, region.cells.tolist()))
            old = self.puzzle.rules.alike if self.puzzle else ()
            given = [[cell for cell in group if cell in there] for group in old]
        else:
            listed, cells = _list(groups, "the groups of cells that must be alike", len(region.cells)), region.cells
            last, what = len(cells) - 1, "a cell of a group of cells that must be alike"
            rows = (_list(group, "a group of cells that must be alike", len(cells)) for group in listed)
            given = [[tuple(cells[_whole(k, 0, last, what)].tolist()) for k in group] for group in rows]
        return tuple(tuple(sorted(set(group))) for group in given if len(set(group)) > 1)

    def numbered(self, sides: Sequence[Side], what: str) -> dict[tuple[tuple[int, ...], int], int]:
        """The numbers of side values, by cell and half-edge."""
        number = {name: value for value, name in enumerate(self.rules.sides)}
        found: dict[tuple[tuple[int, ...], int], int] = {}
        for cell, edge, name in sides:
            label = self.lattice.half_edges[edge].label
            if name not in number:
                hint = suggest(name, number) or "; name it among the keys, locks and values"
                raise PuzzleError(f"{what}: a side bears {name[:40]!r}, which is no key, lock or value{hint}")
            if (cell, edge) in found:
                raise PuzzleError(f"{what} has two values for the side {label!r} of {self.lattice.written(cell)}")
            if number[name]:
                found[cell, edge] = number[name]
        return found

    def given_sides(self, rows: object, cells: Cells, what: str) -> list[Side]:
        if rows is None:
            return []
        edges, n_cells = self.lattice.half_edges, len(cells)
        listed = _list(rows, f"the sides of {what}", n_cells * len(edges))
        for row in listed:
            if not isinstance(row, list) or [type(x) for x in row] != [int, int, str]:
                raise PuzzleError(f"each side of {what} must be the number of a cell, a half-edge, and what is there")
            _whole(row[0], 0, n_cells - 1, f"the cell of a side of {what}")
            _whole(row[1], 0, len(edges) - 1, f"the half-edge of a side of {what}")
            if edges[row[1]].node != cells[row[0], 0]:
                node = self.lattice.nodes[cells[row[0], 0]].name
                raise PuzzleError(f"{what}: a cell {node!r} has no half-edge {edges[row[1]].label!r}")
        return [(tuple(cells[k].tolist()), edge, name) for k, edge, name in listed]

    def cells(self, rows: object, what: str) -> Cells:
        listed = _list(rows, f"the cells of {what}", self.bounds.cells)
        if not listed:
            raise PuzzleError(f"{what} has no cells; fill some, or take it away")
        width = self.lattice.dimension + 1
        if not all(isinstance(row, list) and len(row) == width and all(type(x) is int for x in row) for row in listed):
            raise PuzzleError(f"each cell of {what} must be a node and {width - 1} coordinates, whole numbers")
        nodes = range(len(self.lattice.nodes))
        if not all(row[0] in nodes and max(map(abs, row)) <= FARTHEST for row in listed):
            most = f"nodes are below {len(nodes)}, coordinates up to {FARTHEST:,}"
            raise PuzzleError(f"a cell of {what} lies nowhere: {most}")
        return np.array(listed, dtype=np.int32)

    def row(self, values: object, length: int, below: int, what: str) -> npt.NDArray[np.int32]:
        if values is None:
            return np.zeros(length, np.int32)
        listed = _list(values, f"the {what}", self.bounds.cells)
        if len(listed) != length or not all(type(x) in (int, bool) and 0 <= x < below for x in listed):
            raise PuzzleError(f"the {what} must be one number below {below} for each cell")
        return np.array(listed, dtype=np.int32)


def _distinct(cells: Cells, what: str) -> Cells:
    if len(np.unique(cells, axis=0)) < len(cells):
        raise PuzzleError(f"{what} holds a cell twice")
    return cells


def _table(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise PuzzleError(f"{what} must be an object of names and values")
    return value


def _list(value: object, what: str, most: int) -> Sequence[Any]:
    if not isinstance(value, list):
        raise PuzzleError(f"{what} must be a list")
    if len(value) > most:
        raise PuzzleError(f"{what} are {len(value):,}; at most {most:,} can be taken")
    return value


def _name(value: object, what: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_NAME or not value.isprintable():
        raise PuzzleError(f"{what} must be a text of 1 to {LONGEST_NAME} printable characters")
    return value.strip()


def _text(value: object, what: str) -> str:
    """A line that may be empty."""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or not value.isprintable():
        raise PuzzleError(f"{what} must be a line of at most {LONGEST_TEXT:,} printable characters")
    return value.strip()


def comment_in(data: Mapping[str, Any], before: str) -> str:
    """The comment among plain data; *before* where it holds none.

    Raises:
        PuzzleError: it is no text.
    """
    comment = data.get("comment", before)
    if not isinstance(comment, str):
        raise PuzzleError("the comment must be a text")
    return written_lines(comment)


def _whole(value: object, least: int, most: int, what: str) -> int:
    if type(value) is not int or not least <= value <= most:
        raise PuzzleError(f"{what} must be a whole number from {least:,} to {most:,}")
    return value
