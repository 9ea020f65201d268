"""Edits of a puzzle as a client sends them: cells of region and parts, names, numbers of copies.

Plain data: ``{"name", "comment", "region": {"cells", "colours", "optional"}, "parts": [{"name", "from", "cells",
"colours", "low", "high", "motions"}]}``. Cells are rows
``[node, x, y, ...]``. ``from`` is the number of the part of the puzzle as it was
that this one comes from, or null; its sides stay on the cells that are still there, and with the motions "special" its
transformations. What is not named stays: periods, colours, rules; title and source say that there were edits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.errors import PuzzleError, written_lines
from latcover.formats.puzzle_files.part_tables import MOST_COPIES
from latcover.model.lattice import Cells, Lattice, Transformation
from latcover.model.puzzle import Bounds, Part, Puzzle, Region

MOST_PARTS = 1000
FARTHEST = 100_000  # a coordinate of a cell
LONGEST_NAME = 200
EDITED, AFTER = ", edited", "after "  # what a title ends with, and a source begins with
MOTIONS = ("fixed", "rotations", "reflections")
SPECIAL = "special"


def edited(puzzle: Puzzle | None, lattice: Lattice, edits: object, bounds: Bounds) -> Puzzle:
    """*puzzle* after *edits*, or a new puzzle on *lattice*. It may be one that cannot be solved.

    Raises:
        PuzzleError: the data is invalid, or asks for too much.
    """
    data = _table(edits, "the edits")
    reader = _Reader(lattice, bounds, puzzle)
    name = _name(data.get("name", puzzle.name if puzzle else "new puzzle"), "the puzzle's name")
    region = reader.region(_table(data.get("region"), "the region"))
    entries = _list(data.get("parts"), "the parts", MOST_PARTS)
    parts = tuple(reader.part(_table(entry, f"part {k + 1}"), k) for k, entry in enumerate(entries))
    comment = comment_in(data, puzzle.comment if puzzle else "")
    if puzzle is None:
        return Puzzle(name, lattice, region, parts, comment=comment)
    title = puzzle.title and puzzle.title.removesuffix(EDITED) + EDITED
    source = puzzle.source and AFTER + puzzle.source.removeprefix(AFTER)
    made = replace(puzzle, name=name, title=title, source=source, region=region, parts=parts, comment=comment)
    return replace(made, expect={}, published=(), warnings=())


def motions_of(lattice: Lattice, allowed: tuple[Transformation, ...]) -> str:
    """The word for the motions that a part may make, or `SPECIAL`."""
    wanted = {motion.labels for motion in allowed}
    words = (w for w in MOTIONS if {motion.labels for motion in lattice.allowed(w)} == wanted)
    return next(words, SPECIAL)


class _Reader:
    """Turns plain data into regions and parts of one lattice."""

    def __init__(self, lattice: Lattice, bounds: Bounds, puzzle: Puzzle | None) -> None:
        self.lattice, self.bounds, self.puzzle = lattice, bounds, puzzle
        self.n_colours = len(puzzle.colours) if puzzle else 1

    def region(self, data: Mapping[str, Any]) -> Region:
        cells = self.cells(data.get("cells"), "the region")
        period = self.puzzle.region.period if self.puzzle else (0,) * self.lattice.dimension
        most = self.puzzle.region.max_empty if self.puzzle else None
        optional = self.row(data.get("optional"), len(cells), 2, "optional cells").astype(np.bool_)
        secondary = np.array([node.secondary for node in self.lattice.nodes])
        optional |= secondary[cells[:, 0]]
        colours = self.row(data.get("colours"), len(cells), self.n_colours, "colours of the region")
        region = Region(cells, colours, optional, period, most)
        return replace(region, cells=_distinct(region.wrapped(cells), "the region"))

    def part(self, data: Mapping[str, Any], number: int) -> Part:
        name = _name(data.get("name"), f"the name of part {number + 1}")
        what = f"part {name!r}"
        old = self.part_before(data.get("from"), what)
        cells = _distinct(self.cells(data.get("cells"), what), what)
        low = _whole(data.get("low", 1), 0, MOST_COPIES, f"the fewest copies of {what}")
        high = data.get("high")
        high = None if high is None else _whole(high, max(low, 1), MOST_COPIES, f"the most copies of {what}")
        part = Part(
            name,
            cells,
            self.row(data.get("colours"), len(cells), self.n_colours, f"colours of {what}"),
            low,
            high,
            self.motions(data.get("motions"), old, what),
            lattice=self.lattice,
            number=number,
        )
        if old is None:
            return part
        return replace(part, sides=_kept_sides(old, cells), display_colour=old.display_colour)

    def part_before(self, number: object, what: str) -> Part | None:
        if number is None or self.puzzle is None:
            return None
        return self.puzzle.parts[_whole(number, 0, len(self.puzzle.parts) - 1, f"where {what} comes from")]

    def motions(self, word: object, old: Part | None, what: str) -> tuple[Transformation, ...]:
        if word == SPECIAL and old is not None:
            return old.transformations
        if word is None:
            return self.lattice.allowed(self.lattice.default_transformations)
        if word not in MOTIONS:
            raise PuzzleError(f"{what} cannot have the motions {str(word)[:40]!r}; known: {', '.join(MOTIONS)}")
        return self.lattice.allowed(str(word))

    def cells(self, rows: object, what: str) -> Cells:
        listed = _list(rows, f"the cells of {what}", self.bounds.cells)
        if not listed:
            raise PuzzleError(f"{what} has no cells; fill some, or take it away")
        width = self.lattice.dimension + 1
        if not all(isinstance(row, list) and len(row) == width and all(type(x) is int for x in row) for row in listed):
            raise PuzzleError(f"each cell of {what} must be a node and {width - 1} coordinates, whole numbers")
        cells = np.array(listed, dtype=np.int64)
        if cells[:, 0].min() < 0 or cells[:, 0].max() >= len(self.lattice.nodes) or np.abs(cells).max() > FARTHEST:
            most = f"nodes are below {len(self.lattice.nodes)}, coordinates up to {FARTHEST:,}"
            raise PuzzleError(f"a cell of {what} lies nowhere: {most}")
        return cells.astype(np.int32)

    def row(self, values: object, length: int, below: int, what: str) -> npt.NDArray[np.int32]:
        if values is None:
            return np.zeros(length, np.int32)
        listed = _list(values, f"the {what}", self.bounds.cells)
        if len(listed) != length or not all(type(x) in (int, bool) and 0 <= x < below for x in listed):
            raise PuzzleError(f"the {what} must be one number below {below} for each cell")
        return np.array(listed, dtype=np.int32)


def _kept_sides(old: Part, cells: Cells) -> npt.NDArray[np.int32]:
    """The sides of the old part, on the cells that it still has."""
    place = {tuple(cell): k for k, cell in enumerate(cells.tolist())}
    before = [tuple(cell) for cell in old.cells.tolist()]
    rows = [(place[before[k]], edge, value) for k, edge, value in old.sides.tolist() if before[k] in place]
    return np.array(rows, dtype=np.int32).reshape(-1, 3)


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
