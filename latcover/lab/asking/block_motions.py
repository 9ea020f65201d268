"""Motions that map some cells of a region to themselves, as far as solutions can have blocks there.

A motion is a transformation of the lattice with a translation. Of a region it maps the *kept* cells to themselves: the
largest set that it does not lead out of. A block that a motion maps to itself consists of kept cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.problem import Ints, Longs
from latcover.core.cover.time_limit import look_at_clock
from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.placement_rows import CellMap, PlacementRows
from latcover.core.encoding.symmetry import keeps_corners, keeps_periods
from latcover.core.model.lattice import Transformation
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules.rule import rules_of
from latcover.errors import UnsupportedError
from latcover.system.sorted_sets import distinct

Bools = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]
MOST_TRIED = 400_000_000  # cells of the region, times transformations, times translations


class BlockMotion(Struct, frozen=True, eq=False):
    """A motion, as far as blocks are concerned.

    Attributes:
        inside: Whether it keeps all cells of each placement, shape (n_placements,), bool.
        becomes: The placement that each of these becomes; -1 if it becomes none, or is not inside.
        words: Bits of the cells that each of these becomes, shape (n_placements, n_words).
    """

    inside: Bools
    becomes: Ints
    words: Words


def cell_words(table: PlacementTable) -> Words:
    """Bits of the cells of each placement, shape (n_placements, n_words)."""
    return _words_of(table, table.cells, np.ones(len(table), np.bool_))


def _words_of(table: PlacementTable, cells: Ints, some: Bools) -> Words:
    """Bits of *cells*, which stand in place of those of each placement; none for placements not among *some*."""
    n_words = -(-len(table.region.cells) // 64)
    words = np.zeros((len(table), n_words), np.uint64)
    owner = np.repeat(np.arange(len(table)), np.diff(table.starts))
    there = some[owner]
    bits = np.uint64(1) << (cells[there] % 64).astype(np.uint64)
    np.bitwise_or.at(words, (owner[there], cells[there] // 64), bits)
    return words


def block_motions(puzzle: Puzzle, table: PlacementTable) -> Iterator[BlockMotion]:
    """All motions that may map a block to itself without leaving it as it is; of a motion and its inverse one.

    Raises:
        UnsupportedError: the region is too large to try all motions.
    """
    rows, n_parts = PlacementRows(table), len(puzzle.parts)
    colours = np.arange(len(puzzle.colours), dtype=np.int32)
    values = np.arange(len(puzzle.rules.sides), dtype=np.int32)
    sided = any(len(part.sides) for part in puzzle.parts)
    seen: set[bytes] = set()
    owner = np.repeat(np.arange(len(table)), np.diff(table.starts))
    for transformation, goes in _cell_maps(puzzle, table):
        kept = _kept(goes)
        look = bytes(str(transformation.labels), "ascii") if sided else b""
        inverse = np.full_like(goes, -1)
        inverse[goes[kept]] = np.flatnonzero(kept)
        forth = np.where(kept, goes, -1)
        if np.array_equal(forth[kept], np.flatnonzero(kept)) and not sided:
            continue
        if not kept.any() or {forth.tobytes() + look, inverse.tobytes() + look} & seen:
            continue
        seen.add(forth.tobytes() + look)
        outside = np.zeros(len(table), np.int64)
        np.add.at(outside, owner, ~kept[table.cells])
        inside = outside == 0
        members = np.flatnonzero(inside)
        if len(members) < 2:
            continue
        labels = np.array(transformation.labels, np.int32)
        found = rows.images(members, CellMap(goes, labels, colours, values, np.arange(n_parts, dtype=np.int32)))
        becomes = np.full(len(table), -1, np.int32)
        becomes[members] = found
        yield BlockMotion(inside, becomes, _words_of(table, np.where(kept, goes, 0)[table.cells], inside))


def _kept(goes: Ints) -> Bools:
    """The largest set of cells that a map does not lead out of; -1 is outside."""
    kept = goes >= 0
    while True:
        stays = kept & kept[np.maximum(goes, 0)]
        if np.array_equal(stays, kept):
            return kept
        kept = stays


def _cell_maps(puzzle: Puzzle, table: PlacementTable) -> Iterator[tuple[Transformation, Ints]]:
    """Every transformation with every translation under which cells stay in the region; -1 for those that do not."""
    region, lattice = table.region, puzzle.lattice
    transformations = list(lattice.transformations)
    if (puzzle.rules.apart and puzzle.rules.across_corners) or any(rule.about_corners for rule in rules_of(puzzle)):
        transformations = [t for t in transformations if keeps_corners(lattice, t)]
    if region.period:
        transformations = [t for t in transformations if keeps_periods(region, t)]
    extents = np.ptp(region.cells[:, 1:].astype(np.int64), axis=0)
    tried = int(np.prod(2 * extents + 1)) * len(transformations) * len(region.cells)
    if tried > MOST_TRIED:
        raise UnsupportedError(
            f"a region of {len(region.cells):,} cells has too many places for blocks; group solutions of a smaller one"
        )
    for transformation in transformations:
        image = transformation.apply(region.cells)
        for shift in _shifts(table, image):
            look_at_clock()
            moved = image.copy()
            moved[:, 1:] += shift.astype(np.int32)
            yield transformation, table.index.find(moved)


def _shifts(table: PlacementTable, image: Ints) -> Longs:
    """The translations after which some cells of *image* may lie in the region."""
    region = table.region
    if region.period:
        node = region.cells[0, 0]
        starts = image[image[:, 0] == node, 1:].astype(np.int64)
        ends = region.cells[region.cells[:, 0] == node, 1:].astype(np.int64)
        if not len(starts):
            return np.empty((0, image.shape[1] - 1), np.int64)
        return distinct(region.period.home((ends[:, None] - starts[None]).reshape(-1, ends.shape[1])), axis=0)
    low, high = region.cells[:, 1:].min(axis=0), region.cells[:, 1:].max(axis=0)
    first, last = image[:, 1:].min(axis=0), image[:, 1:].max(axis=0)
    ranges = [range(int(a - d), int(b - c) + 1) for a, b, c, d in zip(low, high, first, last, strict=True)]
    return np.array(list(product(*ranges)), np.int64).reshape(-1, len(ranges))
