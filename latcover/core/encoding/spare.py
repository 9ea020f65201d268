"""What a packing has to spare: placements that would waste too much, and cells that no solution leaves empty.

Give each cell a weight of 0 or more. A copy of a part covers at least as much weight as its lightest placement, so
copies that must be used cover at least a known sum, and the rest of the weight is *to spare*. A placement that is
heavier than the lightest by more than that is in no solution, and a cell that weighs more is never empty. This holds
for any weights, so only good ones need to be looked for: here products of weights along the axes, which are 1 at each
place (lines, layers and the whole region) or at places so close that no part slips between them. With the latter, 27
bricks of 4 x 5 x 6 in a box of 15 x 15 x 15 have nothing to spare at 351 cells (D. G. Hoffman, Packing problems and
inequalities, in The Mathematical Gardner, 1981).

In a box that is filled with boxes, each line is a sum of edges and of what it wastes. So a box lies where the lines
before and behind it waste no more than there is to spare; where nothing is, only at sums of edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations

import numpy as np
import numpy.typing as npt

from latcover.core.cover.problem import Longs
from latcover.core.cover.time_limit import look_at_clock
from latcover.core.encoding.conditions import Conditions
from latcover.core.encoding.placement import PlacementTable
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Puzzle
from latcover.system.sorted_sets import distinct

FEW = 500  # placements, which are searched sooner than weighed
MOST_WORK = 1 << 25  # weights of cells of placements that are looked up in a round
MOST_EDGES = 4  # whose lengths part the places that are weighed along an axis
MOST_COPIES = 200  # of boxes whose sums of edges are formed with their numbers; of more, any number is allowed

Flags = npt.NDArray[np.bool_]


def what_is_to_spare(puzzle: Puzzle, table: PlacementTable, given: Conditions) -> Conditions:
    """The conditions that are left of *given*: no solution is lost."""
    if len(table) < FEW or not any(part.low for part in puzzle.parts):
        return given
    empty = _most_empty(puzzle)
    possible, covered = given.possible.copy(), np.zeros(len(table.region.cells), np.bool_)
    covered[given.covered] = True
    _keep_to_sums(puzzle, table, possible, empty)
    if empty:
        weights = [*_weights(puzzle, table)]
        while weights:
            before = int(possible.sum()), int(covered.sum())
            for weight in weights:
                look_at_clock()
                _keep_to_weight(puzzle, table, weight, possible, covered)
            if (int(possible.sum()), int(covered.sum())) == before:
                break
    covered &= ~_is_secondary(puzzle, table)
    return Conditions(possible, distinct(np.append(given.covered, np.flatnonzero(covered)).astype(np.int32)))


def _is_secondary(puzzle: Puzzle, table: PlacementTable) -> Flags:
    """The cells of secondary nodes, which are no part of the volume."""
    return _secondary(puzzle.lattice)[table.region.cells[:, 0]]


def _secondary(lattice: Lattice) -> Flags:
    return np.array([node.secondary for node in lattice.nodes], np.bool_)


def _most_empty(puzzle: Puzzle) -> int:
    """How many cells of primary nodes may stay empty, by the region and by the volume of parts that must be used."""
    region, primary = puzzle.region, ~_secondary(puzzle.lattice)[puzzle.region.cells[:, 0]]
    optional = int((region.optional & primary).sum())
    most = optional if region.max_empty is None else min(optional, region.max_empty)
    volume = sum(part.low * _volume(puzzle, part.cells) for part in puzzle.parts)
    return max(0, min(most, int(primary.sum()) - volume))


def _volume(puzzle: Puzzle, cells: npt.NDArray[np.int32]) -> int:
    return int((~_secondary(puzzle.lattice)[cells[:, 0]]).sum())


# ---- weights


def _weights(puzzle: Puzzle, table: PlacementTable) -> Iterator[Longs]:
    """Weights of the cells, each of shape (n_cells,): products of weights along the axes, and sums of these.

    A part that may turn is as heavy in each way only if all axes are weighed alike. So there are sums over all orders
    of what is weighed along the axes, too.
    """
    vectors = table.region.cells[:, 1:] - table.region.cells[:, 1:].min(axis=0)
    widths = (np.ptp(vectors, axis=0) + 1).tolist()
    kinds = [0, *(sign * edge for edge in _shortest_edges(table) for sign in (1, -1))]
    along = [[_places(kind, width)[vectors[:, axis]] for kind in kinds] for axis, width in enumerate(widths)]
    most, seen = max(1, MOST_WORK // max(1, len(table.cells))), set[bytes]()
    for chosen in combinations_with_replacement(range(len(kinds)), len(widths)):
        orders = [
            np.prod([along[axis][k] for axis, k in enumerate(order)], axis=0) for order in set(permutations(chosen))
        ]
        for weight in (np.sum(orders, axis=0), *orders):
            if len(seen) < most and weight.tobytes() not in seen and weight.any():
                seen.add(weight.tobytes())
                yield weight


def _places(kind: int, width: int) -> Longs:
    """Weights along an axis: 1 at each *kind*-th place from the near end, or the far end if it is below 0; 0 is all."""
    found = np.zeros(width, np.int64)
    if kind >= 0:
        found[max(0, kind - 1) :: max(1, kind)] = 1
    else:
        found[width + kind :: kind] = 1
    return found if kind >= -width else np.zeros(width, np.int64)


def _shortest_edges(table: PlacementTable) -> list[int]:
    """The lengths of the shortest edges of parts beyond 1, ascending and distinct; of many, the least."""
    shortest = np.minimum.reduceat(_lengths(table).min(axis=1), table.first_orientation[:-1])
    return [edge for edge in distinct(shortest).tolist() if edge > 1][:MOST_EDGES]


def _lengths(table: PlacementTable) -> Longs:
    """How long each orientation is along each axis, shape (n_orientations, dimension)."""
    return np.array([np.ptp(o.cells[:, 1:], axis=0) + 1 for o in table.orientations], np.int64)


def _keep_to_weight(puzzle: Puzzle, table: PlacementTable, weight: Longs, possible: Flags, covered: Flags) -> None:
    """Take out what a weighing of the cells shows to be impossible, and note cells that must be covered."""
    heavy = np.add.reduceat(weight[table.cells], table.starts[:-1])
    reached = np.zeros(len(weight), np.bool_)
    reached[table.cells[np.repeat(possible, np.diff(table.starts))]] = True
    lightest = np.full(len(puzzle.parts), np.iinfo(np.int64).max)
    np.minimum.at(lightest, table.part_of[possible], heavy[possible])
    low = np.array([part.low for part in puzzle.parts], np.int64)
    if (low[lightest == np.iinfo(np.int64).max] > 0).any():
        return  # a part that must be used has no place: there is no solution, and the search says so
    lightest[lightest == np.iinfo(np.int64).max] = 0
    to_spare = int(weight[reached].sum() - low @ lightest)
    if to_spare < 0:
        possible[:] = False
        return
    # A part that may be absent covers all its weight of what is to spare.
    allowance = np.where(low > 0, lightest, 0)[table.part_of] + to_spare
    possible &= heavy <= allowance
    covered |= reached & (weight > to_spare)


# ---- boxes in a box


def _keep_to_sums(puzzle: Puzzle, table: PlacementTable, possible: Flags, empty: int) -> None:
    """Take out boxes that lie where the lines before and behind them waste more than *empty* cells."""
    low = table.region.cells[:, 1:].min(axis=0)
    widths = np.ptp(table.region.cells[:, 1:], axis=0) + 1
    if len(puzzle.lattice.nodes) > 1 or table.region.period or len(table.region.cells) < widths.prod():
        return
    if not all(orientation.is_box for orientation in table.orientations):
        return
    lengths = _lengths(table)[table.orientation]
    begin = np.minimum.reduceat(table.region.cells[:, 1:][table.cells], table.starts[:-1], axis=0) - low
    volume = lengths.prod(axis=1)
    for axis, width in enumerate(widths.tolist()):
        wasted = _wasted(puzzle, table, axis, width)[table.part_of]
        behind = width - begin[:, axis] - lengths[:, axis]
        rows = np.arange(len(table))
        gaps = wasted[rows, begin[:, axis]] + wasted[rows, behind]
        possible &= gaps * (volume // lengths[:, axis]) <= empty


def _wasted(puzzle: Puzzle, table: PlacementTable, axis: int, width: int) -> Longs:
    """How much of a gap of each length edges cannot fill, beside a copy of each part; shape (n_parts, width + 1)."""
    lengths = _lengths(table)[:, axis].tolist()
    of_part = [
        sorted({lengths[k] for k in range(table.first_orientation[p], table.first_orientation[p + 1])})
        for p in range(len(puzzle.parts))
    ]
    copies = [puzzle.most_copies(part) for part in puzzle.parts]
    found = np.empty((len(puzzle.parts), width + 1), np.int64)
    for p in range(len(puzzle.parts)):
        others = [many - (q == p) for q, many in enumerate(copies)]
        sums = _sums(of_part, others, width)
        reached = np.array([sums >> k & 1 for k in range(width + 1)], np.bool_)
        found[p] = np.arange(width + 1) - np.maximum.accumulate(np.where(reached, np.arange(width + 1), 0))
    return found


def _sums(lengths: list[list[int]], copies: list[int], width: int) -> int:
    """The sums of edges up to *width*, as the bits of a number."""
    known, mask = 1, (1 << (width + 1)) - 1
    many = sum(copies) > MOST_COPIES
    for own, number in zip(lengths, copies, strict=True):
        for _ in range(width if many else min(number, width)):
            before = known
            for length in own:
                known |= before << length
            known &= mask
            if known == before:
                break
    return known
