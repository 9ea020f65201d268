"""Rules on parts as items with bounds, as exclusions, and as placements that are in no solution.

A line that cuts a part, or a point at which no four parts meet, is an item that some placement must hold: one that lies
on both sides of the line, or on two of the cells around the point. So every backend prunes by it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.problem import Longs
from latcover.core.encoding.lines_and_points import CellsToMembers, corners_of_four, cut_by_lines
from latcover.core.encoding.placement import PlacementTable
from latcover.core.model.part_rules import RuleOnClass
from latcover.core.model.puzzle import Puzzle
from latcover.errors import UnsupportedError


class BoundedItem(Struct, frozen=True, eq=False):
    """Options of which a cover has between *low* and *high*, numbered as in `RuleItems`."""

    options: Longs
    low: int
    high: int


def bounded_items(puzzle: Puzzle, table: PlacementTable) -> Iterator[BoundedItem]:
    """The items of lines and points. If cells may stay empty, all of these have options that leave them empty."""
    rules, region = puzzle.rules.of_parts, table.region
    if rules.no_room:
        yield from _blocked(puzzle, table)
    if rules.no_crossroads:
        covering = CellsToMembers(table)
        empty = np.flatnonzero(region.optional)
        for around in corners_of_four(puzzle.lattice, region):
            left_empty = len(table) + np.searchsorted(empty, around[region.optional[around]])
            options = np.concatenate([covering.covering_two(around), left_empty]).astype(np.int64)
            yield BoundedItem(options, 1, max(2, len(options)))
    if rules.no_fault_lines or rules.cut_at_most is not None:
        low = int(rules.no_fault_lines)
        for cut in cut_by_lines(puzzle.lattice, table):
            high = max(2, len(cut)) if rules.cut_at_most is None else rules.cut_at_most
            if low > high:
                yield BoundedItem(np.empty(0, np.int64), 1, 2)  # which no cover holds
            elif low or high < len(cut):
                yield BoundedItem(cut.astype(np.int64), low, high)


def _blocked(puzzle: Puzzle, table: PlacementTable) -> Iterator[BoundedItem]:
    """For each placement those that share a cell with it; and those of its part, if that may be used once only.

    Raises:
        UnsupportedError: some part has another bound on its copies, or a value on a side.
    """
    highs = [part.high for part in puzzle.parts]
    if any(high not in (None, 0, 1) for high in highs) or any(len(part.sides) for part in puzzle.parts):
        raise UnsupportedError(
            "no_room is known for parts that may be used once, or any number of times, without sides"
        )
    covering = CellsToMembers(table)
    for member, part in enumerate(table.part_of.tolist()):
        if highs[part] == 0:
            continue
        cells = table.cells[table.starts[member] : table.starts[member + 1]].tolist()
        groups = [covering.covering(cell) for cell in cells]
        if highs[part] == 1:
            groups.append(np.flatnonzero(table.part_of == part).astype(np.int32))
        options = np.unique(np.concatenate(groups)).astype(np.int64)
        yield BoundedItem(options, 1, max(2, len(options)))


def off_the_rim(puzzle: Puzzle, table: PlacementTable) -> Longs:
    """The placements without a side at the rim, if every part must have one there."""
    if not puzzle.rules.of_parts.on_rim:
        return np.empty(0, np.int64)
    at_rim = np.zeros(len(table.region.cells), np.bool_)
    for edge in puzzle.lattice.half_edges:
        own = table.region.cells[:, 0] == edge.node
        at_rim |= own & (table.index.beside(edge.node, edge.leads_to) < 0)
    counts = np.concatenate([[0], np.cumsum(at_rim[table.cells])])
    return np.flatnonzero(counts[table.starts[1:]] == counts[table.starts[:-1]]).astype(np.int64)


def members_of(puzzle: Puzzle, table: PlacementTable, rule: RuleOnClass) -> npt.NDArray[np.bool_]:
    """Which placements a rule on some parts is about, shape (n_placements,)."""
    own = np.array([not rule.parts or part.name in rule.parts for part in puzzle.parts])
    members: npt.NDArray[np.bool_] = own[table.part_of]
    return members
