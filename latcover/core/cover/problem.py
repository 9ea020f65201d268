"""The cover problem: options and items in arrays. Backends see nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from msgspec.structs import force_setattr, replace

from latcover.errors import PuzzleError, counted
from latcover.system.sorted_sets import distinct

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


class CoverProblem(Struct, frozen=True, eq=False, weakref=True):
    """Find every set of options that holds each item between ``low`` and ``high`` times.

    The order of items is: cells in anchor order, then parts, then secondary items. It breaks ties, and defines the
    "first uncovered item".

    Attributes:
        option_starts: Shape (n_options + 1,), int64, ascending from 0.
        option_items: Items of option o at ``option_starts[o]:option_starts[o + 1]``, ascending, int32.
        low, high: Bounds of each item, shape (n_items,), int32. A cell has [1, 1], an optional cell or a rule
            [0, 1], a part [min, max].
        n_cells: How many of the items are cells.
        part_sizes: How many cells a copy of each part with an item has, shape (n_parts,), int32.
        neighbour_starts, neighbours: The cells that share a side with each cell, in compressed rows.
        option_colours: The colour in which an option holds an item, one for each entry of ``option_items``, int32; 0
            is none. Any number of options that hold an item in the same colour may be chosen together. Options that
            hold it in different colours, or without a colour, exclude each other. Only items with the bounds [0, 1]
            have colours. The array is empty if there are no colours.

        sweeps: Places of the items along some directions, shape (n_sweeps, n_items), int32; -1 for an item without
            one. They only suggest orders to a count that goes from item to item. Bare problems have none.

    Raises:
        PuzzleError: the arrays contradict each other.

    Source of colours: Knuth, TAOCP 4B, section 7.2.2.1 (exact covering with colours, XCC).
    """

    option_starts: Longs
    option_items: Ints
    low: Ints
    high: Ints
    n_cells: int = 0
    part_sizes: Ints = field(default_factory=lambda: np.empty(0, np.int32))
    neighbour_starts: Longs = field(default_factory=lambda: np.zeros(1, np.int64))
    neighbours: Ints = field(default_factory=lambda: np.empty(0, np.int32))
    option_colours: Ints = field(default_factory=lambda: np.empty(0, np.int32))
    sweeps: Ints = field(default_factory=lambda: np.empty((0, 0), np.int32))

    def __repr__(self) -> str:
        return f"<CoverProblem: {counted(len(self.option_starts) - 1, 'option')}, {counted(len(self.low), 'item')}>"

    def __post_init__(self) -> None:
        for name, dtype in (
            ("option_starts", np.int64),
            ("option_items", np.int32),
            ("low", np.int32),
            ("high", np.int32),
            ("part_sizes", np.int32),
            ("neighbour_starts", np.int64),
            ("neighbours", np.int32),
            ("option_colours", np.int32),
        ):
            force_setattr(self, name, whole_numbers(name, getattr(self, name), dtype))
        starts, items = self.option_starts, self.option_items
        if not _ascend_to(starts, len(items)):
            raise PuzzleError("option_starts must ascend from 0 to the length of option_items")
        if len(self.low) != len(self.high) or (self.low < 0).any() or (self.low > self.high).any():
            raise PuzzleError("low and high must have the same length, with 0 <= low <= high")
        if len(items) and (items.min() < 0 or items.max() >= len(self.low)):
            raise PuzzleError("an option holds an item that does not exist")
        ascends = items[1:] > items[:-1]
        ascends[starts[1:-1][(starts[1:-1] > 0) & (starts[1:-1] < len(items))] - 1] = True
        if not ascends.all():
            raise PuzzleError("the items of an option must ascend")
        self._check_cells()
        self._check_colours()
        if len(self.sweeps) and self.sweeps.shape != (len(self.sweeps), self.n_items):
            raise PuzzleError("sweeps must give each item a place")

    def _check_cells(self) -> None:
        if not isinstance(self.n_cells, int | np.integer):
            raise PuzzleError("n_cells must be a whole number")
        if not 0 <= self.n_cells <= self.n_cells + len(self.part_sizes) <= self.n_items:
            raise PuzzleError("cells and parts must be items: n_cells and part_sizes count more than there are")
        if not len(self.neighbours):
            force_setattr(self, "neighbour_starts", np.zeros(self.n_cells + 1, np.int64))
        starts, cells = self.neighbour_starts, self.neighbours
        if len(starts) != self.n_cells + 1 or not _ascend_to(starts, len(cells)):
            raise PuzzleError(
                "neighbour_starts must ascend from 0 to the length of neighbours, and have n_cells + 1 entries"
            )
        if len(cells) and (cells.min() < 0 or cells.max() >= self.n_cells):
            raise PuzzleError("a neighbour is not a cell")

    def _check_colours(self) -> None:
        colours = self.option_colours
        if len(colours) and (len(colours) != len(self.option_items) or colours.min() < 0):
            raise PuzzleError(
                "option_colours must be empty, or give each entry of option_items a colour (1 or more) or 0 for none"
            )
        if not colours.any():
            force_setattr(self, "option_colours", np.empty(0, np.int32))
            return
        coloured = distinct(self.option_items[colours > 0])
        bad = coloured[(self.low[coloured] != 0) | (self.high[coloured] != 1)]
        if len(bad):
            low, high = self.low[bad[0]], self.high[bad[0]]
            raise PuzzleError(
                f"item {bad[0]} has a colour and the bounds [{low}, {high}]; only items with [0, 1] may have colours"
            )

    @property
    def has_colours(self) -> bool:
        """Whether any option holds an item in a colour."""
        return len(self.option_colours) > 0

    @property
    def n_options(self) -> int:
        return len(self.option_starts) - 1

    @property
    def n_items(self) -> int:
        return len(self.low)

    def with_options(self, chosen: npt.NDArray[np.integer[Any]]) -> CoverProblem:
        """The problem of these options alone, in this order."""
        sizes = np.diff(self.option_starts)[chosen]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        entries = np.arange(starts[-1]) + np.repeat(self.option_starts[:-1][chosen] - starts[:-1], sizes)
        colours = self.option_colours[entries] if self.has_colours else self.option_colours
        return replace(self, option_starts=starts, option_items=self.option_items[entries], option_colours=colours)

    def held(self, starts: Longs, options: Ints) -> Longs:
        """How often each of several sets of options holds each item, shape (n_sets, n_items).

        Options of a set that hold an item in the same colour count once. The sets are in compressed rows.
        """
        n_sets = len(starts) - 1
        of_set = np.repeat(np.arange(n_sets), np.diff(starts))
        first = self.option_starts[options]
        sizes = self.option_starts[options + 1] - first
        which = np.repeat(np.arange(len(options)), sizes)
        entries = np.arange(len(which)) - (np.cumsum(sizes) - sizes)[which] + first[which]
        keys = of_set[which] * self.n_items + self.option_items[entries]
        if self.has_colours:
            colours = self.option_colours[entries]
            coloured = distinct(np.column_stack([keys, colours])[colours > 0], axis=0)
            keys = np.concatenate([keys[colours == 0], coloured[:, 0]])
        return np.bincount(keys, minlength=n_sets * self.n_items).reshape(n_sets, self.n_items)

    def is_cover(self, options: Ints) -> bool:
        """Whether a set of options, each once, holds each item between ``low`` and ``high`` times."""
        if len(options) and (options.min() < 0 or options.max() >= self.n_options):
            return False
        (held,) = self.held(np.array([0, len(options)]), options)
        within = bool((held >= self.low).all() and (held <= self.high).all())
        return within and len({*options.tolist()}) == len(options)

    def items_of(self, option: int) -> Ints:
        """The items of an option."""
        return self.option_items[self.option_starts[option] : self.option_starts[option + 1]]

    def colours_of(self, option: int) -> Ints:
        """The colour in which an option holds each of its items, 0 for none."""
        if not self.has_colours:
            return np.zeros(len(self.items_of(option)), np.int32)
        return self.option_colours[self.option_starts[option] : self.option_starts[option + 1]]


def whole_numbers(name: str, given: npt.ArrayLike, dtype: type[np.integer[Any]]) -> npt.NDArray[Any]:
    """*given* as a contiguous array of *dtype*; refused if a value would change."""
    try:
        array = np.asarray(given)
        with np.errstate(invalid="ignore"):  # a NaN becomes a number, and fails the comparison below
            taken = np.ascontiguousarray(array, dtype=dtype) if array.dtype.kind in "biuf" else None
    except (TypeError, ValueError):  # rows of differing lengths
        taken = None
    if taken is None or taken.ndim != 1 or not np.array_equal(taken, array):
        raise PuzzleError(f"{name} must be one-dimensional and hold whole numbers that fit {np.dtype(dtype)}")
    return taken


def _ascend_to(starts: Longs, end: int) -> bool:
    """Whether *starts* ascend from 0 to *end*. Differences of neighbours may overflow, so neighbours are compared."""
    return len(starts) > 0 and starts[0] == 0 and starts[-1] == end and bool((starts[:-1] <= starts[1:]).all())
