"""From a puzzle and its placements to a cover problem, in full or reduced by symmetry."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.core.cover.time_limit import look_at_clock
from latcover.core.encoding.conditions import Conditions
from latcover.core.encoding.placement import CellIndex, PlacementTable
from latcover.core.encoding.reduction import Reduction
from latcover.core.encoding.rule_items import rule_items
from latcover.core.model.connected_shapes import neighbour_steps
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Puzzle
from latcover.system.sorted_sets import distinct, without

AT_ONCE = 1 << 14  # placements whose cells are written together


def encode(
    puzzle: Puzzle, table: PlacementTable, reduction: Reduction | None = None, given: Conditions | None = None
) -> tuple[CoverProblem, Ints]:
    """The cover problem of *puzzle*, and the placement of each of its options (-1: the option leaves a cell empty).

    A part has no item if it may be absent and the region cannot hold more copies than its bound. *reduction* leaves out
    placements that it does not keep; *given* and the puzzle's rules, those that are in no solution. Each exclusion
    becomes a secondary item; each side where values must match becomes one with colours. If the number of empty cells
    is bounded, each empty cell is a copy of one more part of one cell.
    """
    region, n_cells, n_placements = table.region, len(table.region.cells), len(table)
    part_item = part_items(puzzle, n_cells)
    rules = rule_items(puzzle, table)
    bounded = np.flatnonzero(region.bounded_empty(puzzle.lattice)).astype(np.int32)
    n_parts = int((part_item >= 0).sum()) + bool(len(bounded))
    left_empty = np.concatenate([rules.empty, without(bounded, rules.empty)])
    exclusions: list[Ints | Longs] = [*(reduction.exclusions if reduction else ()), *rules.exclusions]
    first_bounded = n_cells + n_parts + len(exclusions)
    exclusions += [item.members for item in rules.bounded]
    exclusions += [options for options, _ in rules.matches]

    counted = np.flatnonzero(np.isin(left_empty, bounded))
    kept = np.ones(n_placements + len(left_empty), np.bool_)
    if reduction is not None:
        kept[:n_placements] = reduction.kept
    kept[rules.never] = False
    if given is not None:
        kept[:n_placements] &= given.possible
        kept[n_placements:] &= ~np.isin(left_empty, given.covered)
    options = np.flatnonzero(kept)

    # All entries but the cells and parts of placements: there are few of them.
    secondary = np.repeat(np.arange(len(exclusions)), [len(members) for members in exclusions])
    as_part = np.full(len(counted), n_cells + n_parts - 1)
    item = np.concatenate([left_empty, as_part, n_cells + n_parts + secondary])
    owners = [n_placements + np.arange(len(left_empty)), n_placements + counted, *exclusions]
    option = np.concatenate(owners).astype(np.int64)
    n_items = n_cells + n_parts + len(exclusions)
    keys = (option * n_items + item)[kept[option]]
    order = np.argsort(keys, kind="stable")
    starts, items, added = _entries(table, options, part_item, keys[order], n_items)
    colours = np.empty(0, np.int32)
    if rules.matches:
        colour = np.zeros(len(option), np.int32)
        n_coloured = sum(len(shown) for _, shown in rules.matches)
        colour[len(option) - n_coloured :] = np.concatenate([shown for _, shown in rules.matches])
        colours = np.zeros(len(items), np.int32)
        colours[added] = colour[kept[option]][order]

    low, high, sizes = _bounds(puzzle, part_item, n_items)
    low[:n_cells] = ~region.optional
    low[left_empty] = 1
    if given is not None:
        low[given.covered] = 1
    if len(bounded):
        high[n_cells + n_parts - 1] = region.max_empty or 0
        sizes.append(1)
    for at, needed in enumerate(rules.bounded, first_bounded):
        low[at] = needed.low
        high[at] = max(2, needed.low, len(needed.members)) if needed.high is None else needed.high
    graph = neighbour_graph(table.index, puzzle.lattice)
    problem = CoverProblem(starts, items, low, high, n_cells, np.array(sizes, dtype=np.int32), *graph, colours)
    return problem, np.where(options < n_placements, options, -1).astype(np.int32)


def _entries(
    table: PlacementTable, options: Longs, part_item: Longs, keys: Longs, n_items: int
) -> tuple[Longs, Ints, Longs]:
    """The items of each of *options* in compressed rows: the cells of a placement, its part, and what *keys* add.

    Args:
        options: The placements that stay, ascending; then numbers beyond them, of options that leave a cell empty.
        keys: More entries of these options, ``option * n_items + item``, ascending.

    Returns:
        Starts, items, and the place of each of *keys* among the items.
    """
    n_placements = int(np.searchsorted(options, len(table)))
    of_part = np.full(len(options), -1, np.int32)
    of_part[:n_placements] = part_item[table.part_of[options[:n_placements]]]
    size = np.zeros(len(options), np.int32)
    size[:n_placements] = np.diff(table.starts)[options[:n_placements]]
    after = size + (of_part >= 0)
    starts = np.zeros(len(options) + 1, np.int64)
    owner = np.searchsorted(options, keys // n_items)
    np.cumsum(after + np.bincount(owner, minlength=len(options)) if len(keys) else after, out=starts[1:])

    items = np.empty(int(starts[-1]), np.int32)
    edges = [0, *(np.flatnonzero(np.diff(size[:n_placements])) + 1).tolist(), n_placements]  # between different sizes
    for begin, end in pairwise(edges):
        for a in range(begin, end, AT_ONCE):
            b = min(a + AT_ONCE, end)
            along = np.arange(size[a])
            rows = table.cells[table.starts[options[a:b]][:, None] + along]
            rows.sort(axis=1)
            items[starts[a:b, None] + along] = rows
    with_part = np.flatnonzero(of_part >= 0)
    items[starts[with_part] + size[with_part]] = of_part[with_part]
    # The keys ascend, so those of an option stand together.
    nth = np.arange(len(keys)) - np.searchsorted(owner, owner)
    added = starts[owner] + after[owner] + nth
    items[added] = keys % n_items
    return starts, items, added


def _bounds(puzzle: Puzzle, part_item: Longs, n_items: int) -> tuple[Ints, Ints, list[int]]:
    """Bounds of the items, which are [0, 1] except for the parts; and the sizes of the parts with an item."""
    low, high = np.zeros(n_items, np.int32), np.ones(n_items, np.int32)
    sizes = []
    for part, at in zip(puzzle.parts, part_item, strict=True):
        if at >= 0:
            low[at], high[at] = part.low, max(part.low, puzzle.most_copies(part))
            sizes.append(part.size)
    return low, high, sizes


def part_items(puzzle: Puzzle, n_cells: int) -> Longs:
    """The item of each part, shape (n_parts,), int64; -1 for a part that needs none."""
    bounded = np.array([p.low > 0 or puzzle.most_copies(p) < n_cells // p.size for p in puzzle.parts])
    return np.where(bounded, n_cells + np.cumsum(bounded) - 1, -1)


def neighbour_graph(index: CellIndex, lattice: Lattice, *, through: bool = False) -> tuple[Longs, Ints]:
    """The cells that share a side with each cell of the region, in compressed rows: starts, (n + 1,), and cells.

    *through*: those on the other side of a secondary cell instead of that cell.
    """
    across = [(edge.node, edge.leads_to) for edge in lattice.half_edges]
    steps = [(node, (target, *step)) for node, target, step in neighbour_steps(lattice)] if through else across
    n, pairs = len(index.region.cells), []
    for node, neighbour in steps:
        look_at_clock()
        found = index.beside(node, neighbour)
        here = np.flatnonzero(found >= 0)
        pairs.append(here * n + found[here])  # one number sorts faster than two
    here, there = np.divmod(distinct(np.concatenate(pairs)), n)
    starts: Longs = np.searchsorted(here, np.arange(n + 1)).astype(np.int64)
    return starts, there.astype(np.int32)
