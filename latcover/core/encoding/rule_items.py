"""Rules between neighbours as secondary items, so that every backend prunes by them during the search.

Across a side (or a corner) between two cells each placement shows a value: what the side bears, or the colour of its
cell. If the values fall into classes that fit each other, as those that match like to like do, the side becomes one
item, which both placements hold in the colour of their class. If not, a forbidden pair of values becomes an item that
both placements hold, and that may be held once. The table of forbidden pairs is covered by bicliques, one for each
distinct row, so that there are few items. The paper checked such rules only on finished covers.

Cells that must be alike are one item, which every placement on them holds in the colour that it shows there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from latcover.core.cover.problem import Ints, Longs
from latcover.core.encoding.placement import PlacementTable, places_in
from latcover.core.encoding.side_counts import side_counts
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules.placement_arrays import Direction, directions
from latcover.core.model.rules.rule import RuleItem, rules_of
from latcover.system.sorted_sets import distinct

Bools = npt.NDArray[np.bool_]
MOST = np.iinfo(np.int64).max


class RuleItems(Struct, frozen=True, eq=False):
    """The items and options that rules add to a cover problem.

    Attributes:
        exclusions: Sets of options that exclude each other. The number of an option is that of its placement, or
            ``n_placements + k`` if it leaves the cell ``empty[k]`` empty.
        empty: The optional cells that need an option to be left empty, because a rule applies to them.
        never: Placements that are in no solution: a value that the rim takes up wholly stands on an inner side, or the
            placement does not lie at the rim.
        matches: For each side that two cells share, and each group of cells that must be alike, the options that hold
            its item, and their colours from 1. Options of one colour may be chosen together; others exclude each other.
        bounded: Options of which a cover has so many, as their ``members``.
    """

    exclusions: tuple[Longs, ...]
    empty: Ints
    matches: tuple[tuple[Longs, Ints], ...] = ()
    never: Longs = field(default_factory=lambda: np.empty(0, np.int64))
    bounded: tuple[RuleItem, ...] = ()


class _ShownValues(Struct, frozen=True, eq=False):
    """The values that options show across pairs of neighbouring cells, in parallel arrays."""

    pair: Longs  # number of the unordered pair of cells (or of the side between them)
    second: Bools  # whether the option holds the second cell of the pair
    value: Longs
    option: Longs

    def without(self, options: Longs) -> _ShownValues:
        stays = ~np.isin(self.option, options)
        return _ShownValues(self.pair[stays], self.second[stays], self.value[stays], self.option[stays])


def rule_items(puzzle: Puzzle, table: PlacementTable) -> RuleItems:
    """The secondary items of *puzzle*'s rules on sides and colours."""
    exclusions: list[Longs] = []
    matches: list[tuple[Longs, Ints]] = []
    rules = puzzle.rules
    placements = table.arrays(puzzle)
    of_parts = [item for rule in rules_of(puzzle) for item in rule.items(placements)]
    must_be_told = any(len(item.empty) for item in of_parts)
    empty = np.flatnonzero(table.region.optional & must_be_told).astype(np.int32)
    never: list[Longs] = [np.empty(0, np.int64)]
    never += [item.members.astype(np.int64) for item in of_parts if item.high == 0]
    used = distinct(np.concatenate([[0], *(part.sides[:, 2] for part in puzzle.parts)]))  # flat sides are everywhere
    if not (rules.fits[np.ix_(used, used)].all() and rules.open_sides[used].all()):
        if not rules.open_sides[used].all():
            empty = np.flatnonzero(table.region.optional).astype(np.int32)
        forbidden = _forbidden_sides(puzzle)
        shown = _sides(puzzle, table, empty)
        if (counts := side_counts(puzzle, table)) is not None:
            never.append(distinct(shown.option[np.isin(shown.value, counts.spent(rules.rim))]))
            shown = shown.without(never[-1])
        present = distinct(shown.value)
        classes = _classes(forbidden[np.ix_(present, present)])
        if classes is None:
            exclusions += _bicliques(shown, forbidden)
        else:
            of_value = np.zeros((2, len(forbidden)), np.int64)
            of_value[:, present] = classes
            matches += _matches(shown, of_value)
    if rules.apart:
        forbidden = np.zeros((len(puzzle.colours),) * 2, np.bool_)
        for a, b in rules.apart:
            forbidden[a, b] = forbidden[b, a] = True
        across = directions(puzzle.lattice, corners=rules.across_corners)
        exclusions += _bicliques(_touching(table, across, *_coloured(table)), forbidden)
    if rules.alike:
        matches += alike_items(puzzle, table)
    bounded = [_bounded(item, len(table), empty) for item in of_parts if _binds(item)]
    return RuleItems(tuple(exclusions), empty, tuple(matches), distinct(np.concatenate(never)), tuple(bounded))


def _binds(item: RuleItem) -> bool:
    """Whether an item is more than placements that are left out, and may be broken."""
    many = len(item.members) + len(item.empty)
    return item.low > 0 or (item.high is not None and 0 < item.high < many)


def _bounded(item: RuleItem, n_placements: int, empty: Ints) -> RuleItem:
    """An item of placements, and of the optional cells that count if they are left empty, as one of options."""
    if item.high is not None and item.low > item.high:
        return RuleItem(item.members[:0], 1)  # which no cover holds
    left_empty = n_placements + np.searchsorted(empty, item.empty).astype(np.int32)
    return RuleItem(np.concatenate([item.members, left_empty]), item.low, item.high)


def _forbidden_sides(puzzle: Puzzle) -> Bools:
    """Which side values may not face each other; the last value stands for an empty cell."""
    n = len(puzzle.rules.sides)
    forbidden = np.zeros((n + 1, n + 1), np.bool_)
    forbidden[:n, :n] = ~puzzle.rules.fits
    forbidden[:n, n] = forbidden[n, :n] = ~puzzle.rules.open_sides
    return forbidden


def _incidences(table: PlacementTable) -> tuple[Longs, Longs, Longs]:
    """For each cell of each placement: the placement, the cell's number, and its index in the orientation."""
    sizes = np.diff(table.starts)
    placement = np.repeat(np.arange(len(table)), sizes)
    which = np.arange(len(table.cells)) - np.repeat(table.starts[:-1], sizes)
    return placement, table.cells.astype(np.int64), which


def _holds(table: PlacementTable, placement: Longs, cell: Longs) -> Bools:
    """Whether ``placement[k]`` covers ``cell[k]``, for each k."""
    n_cells = len(table.region.cells)
    owner, cells, _ = _incidences(table)
    held: Bools = places_in(np.sort(owner * n_cells + cells), placement * n_cells + cell) >= 0
    return held


def _sides(puzzle: Puzzle, table: PlacementTable, empty: Ints) -> _ShownValues:
    """The sides that every placement and every empty cell shows to neighbouring cells of the region."""
    edges = puzzle.lattice.half_edges
    n_edges, n_values = len(edges), len(puzzle.rules.sides)
    placement, cell, which = _incidences(table)
    widest = max(len(orientation.cells) for orientation in table.orientations)  # also those without a placement
    sides = [
        ((o * widest + k) * n_edges + label, value)
        for o, orientation in enumerate(table.orientations)
        for k, label, value in orientation.sides.tolist()
    ]
    sides.sort()
    side_keys = np.array([*(key for key, _ in sides), MOST], dtype=np.int64)  # the last key matches nothing
    side_values = np.array([*(value for _, value in sides), 0], dtype=np.int64)
    option = np.concatenate([placement, len(table) + np.arange(len(empty))])
    cell = np.concatenate([cell, empty])
    shape = np.concatenate([table.orientation[placement].astype(np.int64) * widest + which, np.full(len(empty), -1)])
    parts = []
    for label, edge in enumerate(edges):
        there = table.index.beside(edge.node, edge.leads_to).astype(np.int64)[cell]
        seen = np.flatnonzero(there >= 0)
        placed = option[seen] < len(table)
        inner = np.zeros(len(seen), np.bool_)
        inner[placed] = _holds(table, option[seen][placed], there[seen][placed])
        seen = seen[~inner]
        here, beyond = cell[seen] * n_edges + label, there[seen] * n_edges + edge.twin
        value = side_values[places_in(side_keys, shape[seen] * n_edges + label)]
        value[shape[seen] < 0] = n_values
        parts.append((np.minimum(here, beyond), here > beyond, value, option[seen]))
    return _ShownValues(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _touching(
    table: PlacementTable, across: Iterable[Direction], placement: Longs, cell: Longs, colour: Longs
) -> _ShownValues:
    """The colours that placements show to touching cells of the region, at each of these cells of theirs."""
    n_cells = len(table.region.cells)
    parts = [_ShownValues(np.empty(0, np.int64), np.empty(0, np.bool_), np.empty(0, np.int64), np.empty(0, np.int64))]
    for node, neighbour in across:
        there = table.index.beside(node, neighbour).astype(np.int64)[cell]
        at = np.flatnonzero((there >= 0) & (there != cell))
        at = at[~_holds(table, placement[at], there[at])]
        here, beyond = cell[at], there[at]
        pair = np.minimum(here, beyond) * n_cells + np.maximum(here, beyond)
        parts.append(_ShownValues(pair, here > beyond, colour[at], placement[at]))
    return _ShownValues(
        np.concatenate([part.pair for part in parts]),
        np.concatenate([part.second for part in parts]),
        np.concatenate([part.value for part in parts]),
        np.concatenate([part.option for part in parts]),
    )


def _coloured(table: PlacementTable) -> tuple[Longs, Longs, Longs]:
    """For each cell of each placement that has a colour: the placement, the cell's number, and the colour."""
    placement, cell, which = _incidences(table)
    sizes = [len(o.cells) for o in table.orientations]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    colours = np.concatenate([np.empty(0, np.int32), *(o.colours for o in table.orientations)])
    colour = colours[starts[table.orientation[placement]] + which].astype(np.int64)
    seen = colour != 0
    return placement[seen], cell[seen], colour[seen]


def alike_items(puzzle: Puzzle, table: PlacementTable) -> Iterator[tuple[Longs, Ints]]:
    """The items of groups of cells that must be alike, which come last; none for a group that shows one colour at most.

    A placement shows one colour on a group, or none at all.
    """
    placement, cell, colour = _coloured(table)
    for group in puzzle.rules.alike:
        members = table.index.find(np.array(group, np.int32))
        on_it = np.isin(cell, members[members >= 0])
        options, first = np.unique(placement[on_it], return_index=True)
        shown = colour[on_it][first]
        if len(shown) and (shown != shown[0]).any():
            yield options, shown.astype(np.int32)


def _classes(forbidden: Bools) -> Longs | None:
    """The class of each value from either cell, shape (2, n_values): two values fit if their classes are equal.

    Class 0 fits everything. There are such classes exactly if any two values fit the same values, or none in common;
    values that fit everything do not count. None if there are not.
    """
    classes = np.zeros((2, len(forbidden)), np.int64)
    limited = np.flatnonzero(forbidden.any(axis=1))
    if not len(limited):
        return classes
    fits = ~forbidden[np.ix_(limited, limited)]
    rows, which = np.unique(fits, axis=0, return_inverse=True)
    if (rows.sum(axis=0) > 1).any():
        return None
    classes[0, limited] = 1 + which.reshape(-1)
    # From the other cell a value belongs to the row that it fits; one that fits nothing has a class of its own.
    lonely = len(rows) + 1 + np.arange(len(limited))
    classes[1, limited] = np.where(rows.any(axis=0), 1 + rows.argmax(axis=0), lonely)
    return classes


def _matches(shown: _ShownValues, of_value: Longs) -> Iterator[tuple[Longs, Ints]]:
    """The item of each side that two cells share, if both show a value that does not fit everything."""
    colour = of_value[shown.second.astype(np.int64), shown.value]
    limited = colour > 0
    pair, second, option, colour = shown.pair[limited], shown.second[limited], shown.option[limited], colour[limited]
    both = np.isin(pair, np.intersect1d(pair[~second], pair[second]))
    pair, option, colour = pair[both], option[both], colour[both]
    order = np.lexsort([option, pair])
    edges = np.flatnonzero(np.diff(pair[order])) + 1
    starts = [0, *edges.tolist(), len(pair)] if len(pair) else []
    for a, b in pairwise(starts):
        of_side = colour[order[a:b]]
        if (of_side != of_side[0]).any():
            yield option[order[a:b]], of_side.astype(np.int32)


def _bicliques(shown: _ShownValues, forbidden: Bools) -> Iterator[Longs]:
    """The options of each item. An item is a pair of cells with a biclique of values, if both cells show some."""
    for row in distinct(forbidden, axis=0):
        if not row.any():
            continue
        first = (forbidden == row).all(axis=1)
        holds = np.where(shown.second, row[shown.value], first[shown.value])
        pair, second, option = shown.pair[holds], shown.second[holds], shown.option[holds]
        width = int(option.max(initial=0)) + 1
        keys = distinct(pair * width + option)
        both = np.intersect1d(pair[~second], pair[second])
        keys = keys[np.isin(keys // width, both)]
        if len(keys):
            yield from (members % width for members in np.split(keys, np.flatnonzero(np.diff(keys // width)) + 1))
