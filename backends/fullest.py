"""Packings that leave as few cells empty as volumes allow: exact covers, which the kernels of covers find.

Where an option is worth what it covers, a packing that covers the most is the best. The numbers of cells that the parts
can cover are known beforehand. For the greatest of them a packing is an exact cover, in which so many cells as are left
over are covered by copies of one more part, of one cell.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.cover_costs import Costs
from latcover.core.cover.problem import CoverProblem, Longs

MOST_SHIFTED = 1 << 31  # bits, for what volumes the parts can have: some tenths of a second


class FullPacking(Struct, frozen=True, eq=False):
    """The question for packings that leave just so many cells empty.

    Attributes:
        problem: The exact cover. Its first options are those of the packing; others leave a cell empty.
        covered: How many cells such a packing covers.
        price: What it costs.
    """

    problem: CoverProblem
    covered: int
    price: int


def price_of_a_cell(problem: CoverProblem, costs: Costs) -> int:
    """What each option costs for each cell that it covers: less than 0; 0 if there is no such number."""
    if not costs.is_linear or not problem.n_options or problem.has_colours:
        return 0
    sizes = cells_covered(problem)
    price, rest = divmod(int(costs.own[0]), int(sizes[0]) or 1)
    return price if price < 0 and not rest and np.array_equal(costs.own, price * sizes) else 0


def cells_covered(problem: CoverProblem) -> Longs:
    """How many cells each option covers, shape (n_options,)."""
    owners = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
    return np.bincount(owners[problem.option_items < problem.n_cells], minlength=problem.n_options)


def fullest_packings(problem: CoverProblem, costs: Costs) -> Iterator[FullPacking]:
    """Questions for the fullest packings that volumes allow, the fullest first; none if costs are of another kind."""
    price = price_of_a_cell(problem, costs)
    volumes = _volumes(problem) if price else 0
    while volumes:
        covered = volumes.bit_length() - 1
        volumes ^= 1 << covered
        yield FullPacking(_leaving_empty(problem, problem.n_cells - covered), covered, costs.constant + price * covered)


def _volumes(problem: CoverProblem) -> int:
    """Bit v is set if the parts can hold v cells, by their sizes and numbers of copies alone; 0 if that takes long."""
    n, n_parts = problem.n_cells, len(problem.part_sizes)
    sizes = cells_covered(problem)
    part = np.full(problem.n_options, -1)
    owners = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
    of_part = (problem.option_items >= n) & (problem.option_items < n + n_parts)
    part[owners[of_part]] = problem.option_items[of_part]
    free = np.unique(sizes[part < 0])
    bounded = [(int(problem.part_sizes[k]), int(problem.low[n + k]), int(problem.high[n + k])) for k in range(n_parts)]
    kinds = [*((int(size), 0, n // int(size)) for size in free if size), *bounded]
    if (n + 1) * sum(2 + high.bit_length() for *_, high in kinds) > MOST_SHIFTED:
        return 0
    mask, found = (1 << (n + 1)) - 1, 1
    for size, low, high in kinds:
        found = (found << (size * low)) & mask
        left, bundle = min(high, n // size) - low, 1
        while left > 0:
            bundle = min(bundle, left)
            found |= (found << (size * bundle)) & mask
            left -= bundle
            bundle *= 2
    return found


def _leaving_empty(problem: CoverProblem, empty: int) -> CoverProblem:
    """The problem in which every cell is covered, *empty* of those that may stay empty by copies of one more part."""
    n, after = problem.n_cells, problem.n_cells + len(problem.part_sizes)
    low = problem.low.copy()
    low[:n] = 1
    if not empty:
        return replace(problem, low=low)
    items = problem.option_items + (problem.option_items >= after).astype(np.int32)
    free = np.flatnonzero(problem.low[:n] == 0)
    alone = np.column_stack([free, np.full(len(free), after)]).astype(np.int32).reshape(-1)
    starts = np.concatenate([problem.option_starts, problem.option_starts[-1] + 2 * np.arange(1, len(free) + 1)])
    return replace(
        problem,
        option_starts=starts,
        option_items=np.concatenate([items, alone]),
        low=np.insert(low, after, empty).astype(np.int32),
        high=np.insert(problem.high, after, empty).astype(np.int32),
        part_sizes=np.append(problem.part_sizes, 1).astype(np.int32),
        sweeps=np.empty((0, 0), np.int32),
    )
