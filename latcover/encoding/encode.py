"""From a puzzle and its placements to a cover problem, in full or reduced by symmetry."""

from __future__ import annotations

import numpy as np

from latcover.cover.problem import CoverProblem, Ints, Longs
from latcover.encoding.placement import CellIndex, PlacementTable
from latcover.encoding.reduction import Reduction
from latcover.encoding.rule_items import rule_items
from latcover.model.lattice import Lattice
from latcover.model.puzzle import Puzzle


def encode(puzzle: Puzzle, table: PlacementTable, reduction: Reduction | None = None) -> tuple[CoverProblem, Ints]:
    """The cover problem of *puzzle*, and the placement of each of its options (-1: the option leaves a cell empty).

    A part has no item if it may be absent and the region cannot hold more copies than its bound. *reduction* leaves out
    placements that it does not keep. Each of its exclusions, and each exclusion of the puzzle's rules, becomes a
    secondary item. If the number of empty cells is bounded, each empty cell is a copy of one more part of one cell.
    """
    region, n_cells, n_placements = table.region, len(table.region.cells), len(table)
    part_item = part_items(puzzle, n_cells)
    rules = rule_items(puzzle, table)
    bounded = np.flatnonzero(region.bounded_empty(puzzle.lattice)).astype(np.int32)
    n_parts = int((part_item >= 0).sum()) + bool(len(bounded))
    left_empty = np.concatenate([rules.empty, np.setdiff1d(bounded, rules.empty)])
    exclusions: list[Ints | Longs] = [*(reduction.exclusions if reduction else ()), *rules.exclusions]

    of_placement = part_item[table.part_of]
    with_part = np.flatnonzero(of_placement >= 0)
    empty = n_placements + np.arange(len(left_empty))
    counted = np.flatnonzero(np.isin(left_empty, bounded))
    secondary = np.repeat(np.arange(len(exclusions)), [len(members) for members in exclusions])
    owners = [np.repeat(np.arange(n_placements), np.diff(table.starts)), with_part, empty, empty[counted], *exclusions]
    as_part = np.full(len(counted), n_cells + n_parts - 1)
    item = np.concatenate([table.cells, of_placement[with_part], left_empty, as_part, n_cells + n_parts + secondary])
    option = np.concatenate(owners)

    kept = np.ones(n_placements + len(empty), np.bool_)
    if reduction is not None:
        kept[:n_placements] = reduction.kept
    options = np.flatnonzero(kept)
    number = np.cumsum(kept) - 1
    n_items = n_cells + n_parts + len(exclusions)
    keys = np.sort((number[option] * n_items + item)[kept[option]])
    starts: Longs = np.searchsorted(keys, np.arange(len(options) + 1) * n_items).astype(np.int64)

    low, high, sizes = _bounds(puzzle, part_item, n_items)
    low[:n_cells] = ~region.optional
    low[left_empty] = 1
    if len(bounded):
        high[n_cells + n_parts - 1] = region.max_empty or 0
        sizes.append(1)
    graph = neighbour_graph(table.index, puzzle.lattice)
    items = (keys % n_items).astype(np.int32)
    problem = CoverProblem(starts, items, low, high, n_cells, np.array(sizes, dtype=np.int32), *graph)
    return problem, np.where(options < n_placements, options, -1).astype(np.int32)


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


def neighbour_graph(index: CellIndex, lattice: Lattice) -> tuple[Longs, Ints]:
    """The cells that share a side with each cell of the region, in compressed rows: starts, (n + 1,), and cells."""
    pairs = []
    for edge in lattice.half_edges:
        found = index.beside(edge.node, edge.leads_to)
        here = np.flatnonzero(found >= 0)
        pairs.append(np.column_stack([here, found[here]]))
    joined = np.unique(np.concatenate(pairs), axis=0)
    starts: Longs = np.searchsorted(joined[:, 0], np.arange(len(index.region.cells) + 1)).astype(np.int64)
    return starts, joined[:, 1].astype(np.int32)
