"""From a puzzle and its placements to a cover problem, in full or reduced by symmetry."""

from __future__ import annotations

import numpy as np

from latcover.lattice import Lattice
from latcover.placement import CellIndex, PlacementTable
from latcover.problem import CoverProblem, Ints, Longs
from latcover.puzzle import Puzzle, Region
from latcover.reduction import Reduction


def encode(puzzle: Puzzle, table: PlacementTable, reduction: Reduction | None = None) -> tuple[CoverProblem, Ints]:
    """The cover problem of *puzzle*, and which placement each of its options is.

    A part whose number of copies nothing can exceed, and which may be absent, has no item. *reduction* leaves out the
    placements that it does not keep, and adds one secondary item for each of its exclusions.
    """
    region, n_cells = table.region, len(table.region.cells)
    bounds = [(part.low, puzzle.most_copies(part)) for part in puzzle.parts]
    bounded = [part.low > 0 or puzzle.most_copies(part) < n_cells // part.size for part in puzzle.parts]
    part_item = np.where(bounded, n_cells + np.cumsum(bounded) - 1, -1)
    n_parts = int(np.sum(bounded))
    exclusions = reduction.exclusions if reduction else ()

    items = [table.cells.astype(np.int64)]
    options = [np.repeat(np.arange(len(table)), np.diff(table.starts))]
    of_placement = part_item[table.part_of]
    with_part = np.flatnonzero(of_placement >= 0)
    items.append(of_placement[with_part])
    options.append(with_part)
    for number, members in enumerate(exclusions):
        items.append(np.full(len(members), n_cells + n_parts + number))
        options.append(np.asarray(members, dtype=np.int64))

    option, item = np.concatenate(options), np.concatenate(items)
    kept = np.arange(len(table)) if reduction is None else np.flatnonzero(reduction.kept)
    number_of = np.full(len(table), -1)
    number_of[kept] = np.arange(len(kept))
    chosen = number_of[option] >= 0
    option, item = number_of[option[chosen]], item[chosen]
    n_items = n_cells + n_parts + len(exclusions)
    keys = np.sort(option * n_items + item)
    starts: Longs = np.searchsorted(keys, np.arange(len(kept) + 1) * n_items).astype(np.int64)

    low = np.zeros(n_items, np.int32)
    high = np.ones(n_items, np.int32)
    low[:n_cells] = ~region.optional
    for (least, most), number in zip(bounds, part_item, strict=True):
        if number >= 0:
            low[number], high[number] = least, max(least, most)
    sizes = np.array([p.size for p, b in zip(puzzle.parts, bounded, strict=True) if b], dtype=np.int32)
    problem = CoverProblem(
        starts,
        (keys % n_items).astype(np.int32),
        low,
        high,
        n_cells,
        sizes,
        *neighbour_graph(region, puzzle.lattice),
    )
    return problem, kept.astype(np.int32)


def neighbour_graph(region: Region, lattice: Lattice) -> tuple[Longs, Ints]:
    """The cells that share a side with each cell of *region*: starts, shape (n + 1,), and their numbers."""
    index = CellIndex(region, [0] * lattice.dimension)
    numbers = np.arange(len(region.cells), dtype=np.int32)
    pairs = []
    for edge in lattice.half_edges:
        there = np.flatnonzero(region.cells[:, 0] == edge.node)
        cells = region.cells[there].copy()
        cells[:, 0] = edge.target
        cells[:, 1:] += np.array(edge.step, dtype=np.int32)
        found = index.find(cells)
        pairs.append(np.column_stack([there[found >= 0], found[found >= 0]]))
    joined = np.unique(np.concatenate(pairs), axis=0)
    starts: Longs = np.searchsorted(joined[:, 0], np.arange(len(numbers) + 1)).astype(np.int64)
    return starts, joined[:, 1].astype(np.int32)
