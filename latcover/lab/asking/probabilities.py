"""How many of all solutions have each part on each cell."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import Struct

from latcover.core.cover.diagram import Numbers
from latcover.core.cover.events import SILENT, Events
from latcover.core.encoding.prepared import Prepared
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.model.solution import Cell
from latcover.core.solving.search_request import Subject
from latcover.errors import UnsupportedError, counted, escaped
from latcover.lab.asking.all_solutions import AllSolutions, DiagramRequest, all_solutions


class PlacementCount(Struct, frozen=True):
    """How many of all solutions have a copy of a part on exactly these cells, which are sorted."""

    part: str
    cells: tuple[Cell, ...]
    solutions: int


class Probabilities(Struct, frozen=True, eq=False):
    """How many of all solutions, not one of each class under symmetry, have what. All numbers are exact.

    Attributes:
        puzzle: The puzzle.
        total: How many solutions there are.
        with_part: How many have at least one copy of each part, in the order of the puzzle's parts.
        on_cell: How many have a copy of a part on each cell of the puzzle's region, shape (n_parts, n_cells).
        orientation_on_cell: The same for each orientation of each part, shape (n_orientations, n_cells) for each part.
        empty: How many leave each cell empty, shape (n_cells,).
        placements: The number of each placement of each part, those of no solution too.
    """

    puzzle: Puzzle
    total: int
    with_part: tuple[int, ...]
    on_cell: Numbers
    orientation_on_cell: tuple[Numbers, ...]
    empty: Numbers
    placements: tuple[PlacementCount, ...]

    def __repr__(self) -> str:
        return f"<Probabilities of {escaped(self.puzzle.name)}: in {counted(self.total, 'solution')}>"


def probabilities(
    subject: Subject,
    request: DiagramRequest = DiagramRequest(),
    events: Events = SILENT,
    *,
    bounds: Bounds | None = None,
) -> Probabilities:
    """Count the solutions with each part, placement and cell; arguments and errors are those of `all_solutions`.

    Raises:
        UnsupportedError: also if the work was cut short.
    """
    return probabilities_of(all_solutions(subject, request, events, bounds=bounds))


def probabilities_of(every: AllSolutions[Any]) -> Probabilities:
    """The probabilities among solutions that are known already.

    Raises:
        UnsupportedError: they are covers of a problem without a puzzle, or were cut short.
    """
    prepared = every.subject
    if not isinstance(prepared, Prepared):
        raise UnsupportedError(f"{prepared.name} is a cover problem without a puzzle, so it has no parts on cells")
    puzzle, table = prepared.puzzle, prepared.table
    counts = np.array(every.with_each_member(), object)
    sizes = np.diff(table.starts)
    on_cell = np.zeros((len(table.orientations), len(table.region.cells)), object)
    np.add.at(on_cell, (np.repeat(table.orientation, sizes), table.cells), np.repeat(counts, sizes))
    on_cell = on_cell[:, table.index.find(puzzle.region.cells)]
    parts = tuple(on_cell[a:b] for a, b in pairwise(table.first_orientation.tolist()))
    by_part = np.stack([part.sum(axis=0) for part in parts])
    of_option = np.where(prepared.option_placement >= 0, table.part_of[prepared.option_placement], -1)
    options_of = [np.flatnonzero(of_option == part) for part in range(len(parts))]
    return Probabilities(
        puzzle,
        every.total,
        tuple(every.total - every.diagram.total_without(frozenset(options.tolist())) for options in options_of),
        by_part,
        parts,
        every.total - by_part.sum(axis=0),
        tuple(_by_placement(prepared, counts)),
    )


def _by_placement(prepared: Prepared, counts: Numbers) -> Iterator[PlacementCount]:
    """Placements that differ only in their colours or sides are counted together."""
    found: dict[tuple[str, tuple[Cell, ...]], int] = {}
    for placement, solutions in enumerate(counts.tolist()):
        placed = prepared.entry(placement)
        key = placed.part, placed.cells
        found[key] = found.get(key, 0) + solutions
    for (part, cells), solutions in found.items():
        yield PlacementCount(part, cells, solutions)
