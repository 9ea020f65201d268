"""Puzzles: a region of a lattice, and parts that cover it. Plain data; nothing here searches or draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np
import numpy.typing as npt

from latcover.errors import Complaint, PuzzleError
from latcover.model.lattice import Cells, Lattice, Transformation
from latcover.model.pictured import Pictured

MAX_GRID = 1 << 26  # entries of the dense table over a region's bounding box


def _repeated(rows: npt.NDArray[np.int32]) -> list[int] | None:
    """The first row that is equal to an earlier one."""
    if len(rows) < 2:
        return None
    low, spans = rows.min(axis=0).astype(np.int64), np.ptp(rows.astype(np.int64), axis=0) + 1
    if prod(spans.tolist()) < 1 << 62:  # a row as one number
        keys = np.ravel_multi_index(tuple((rows - low).T), tuple(spans.tolist()))
        if (keys[1:] > keys[:-1]).all():
            return None
        order = np.argsort(keys, kind="stable")
        again = order[1:][keys[order][1:] == keys[order][:-1]]
    else:
        again = np.setdiff1d(np.arange(len(rows)), np.unique(rows, axis=0, return_index=True)[1])
    return rows[again.min()].tolist() if len(again) else None


def _check_cells(what: str, cells: Cells, lattice: Lattice | None) -> None:
    if cells.ndim != 2 or cells.shape[1] < 2 or not np.issubdtype(cells.dtype, np.integer):
        raise PuzzleError(f"{what}: each cell is a row of whole numbers, a node and coordinates")
    again = _repeated(cells)
    if again is not None:
        shown = f"(node, x, y, ...) = {tuple(again)}" if lattice is None else lattice.written(again)
        raise PuzzleError(f"{what} holds the cell {shown} twice; leave one out")


def _check_lengths(what: str, cells: Cells, **arrays: npt.NDArray[np.generic]) -> None:
    for name, array in arrays.items():
        if array.shape != (len(cells),):
            raise PuzzleError(f"{what} has {len(cells)} cells, but its {name} have the shape {array.shape}")


@dataclass(frozen=True, slots=True)
class Bounds:
    """The size of a puzzle beyond which it is refused."""

    cells: int = 1_000_000
    placements: int = 10_000_000

    @property
    def file_bytes(self) -> int:
        return min((1 << 20) + 64 * self.cells, 1 << 28)


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """The cells to cover.

    Attributes:
        cells: Distinct rows, shape (n, dimension + 1), int32; their order numbers the cells.
        colours: Colour of each cell, shape (n,), int32; a cell of colour 0 takes any colour.
        optional: Whether a cell may stay empty, shape (n,), bool.
        period: Period along each axis; 0 if the region does not close on itself.
        max_empty: How many optional cells may stay empty; cells of secondary nodes are not counted. None is no bound.
    """

    cells: Cells
    colours: npt.NDArray[np.int32]
    optional: npt.NDArray[np.bool_]
    period: tuple[int, ...]
    max_empty: int | None = None

    def __post_init__(self) -> None:
        _check_cells("the region", self.cells, None)
        _check_lengths("the region", self.cells, colours=self.colours, optional=self.optional)
        if len(self.period) != self.cells.shape[1] - 1:
            raise PuzzleError(f"the region has {self.cells.shape[1] - 1} axes, but {len(self.period)} periods")

    @property
    def n_mandatory(self) -> int:
        return int((~self.optional).sum())

    def bounded_empty(self, lattice: Lattice) -> npt.NDArray[np.bool_]:
        """The optional cells to which `max_empty` applies, shape (n,), bool; none if all of them may stay empty."""
        secondary = np.array([node.secondary for node in lattice.nodes])
        cells: npt.NDArray[np.bool_] = self.optional & ~secondary[self.cells[:, 0]]
        binds = self.max_empty is not None and self.max_empty < int(cells.sum())
        return cells if binds else np.zeros_like(cells)

    def extents(self) -> tuple[int, ...]:
        """Size of the bounding box along each axis; along a periodic axis, the period."""
        spans = self.cells[:, 1:].max(axis=0).astype(int) - self.cells[:, 1:].min(axis=0) + 1
        return tuple(p or int(s) for p, s in zip(self.period, spans, strict=True))

    def default_order(self) -> tuple[int, ...]:
        """Axes, slowest first. The longest axis is slowest, so that cells are numbered across the short side."""
        extents = self.extents()
        return tuple(sorted(range(len(extents)), key=lambda axis: -extents[axis]))

    def ordered(self, axes: Sequence[int]) -> Region:
        """The same region, its cells numbered along *axes*, slowest first. The cells of a unit follow each other."""
        keys = [self.cells[:, 0], *(self.cells[:, 1 + axis] for axis in reversed(axes))]
        by = np.lexsort(keys)
        return replace(self, cells=self.cells[by], colours=self.colours[by], optional=self.optional[by])

    def wrapped(self, cells: Cells) -> Cells:
        """*cells* with periodic coordinates reduced."""
        if not any(self.period):
            return cells
        cells = cells.copy()
        for axis, period in enumerate(self.period):
            if period:
                cells[:, 1 + axis] %= period
        return cells


def _no_sides() -> npt.NDArray[np.int32]:
    return np.empty((0, 3), np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """Rules on neighbours, colours and sides.

    Colours and side values are numbers; colour 0 is none, side value 0 is flat.

    Attributes:
        stands_on: Pairs ``(part colour, cell colour)``: such a part may cover such a cell. Equal colours always may.
        apart: Pairs of colours, the lesser first, that may not touch across the sides of cells.
        across_corners: Whether they may not touch across corners either.
        exchangeable: Sets of colours, each ascending. A symmetry may permute the colours of a set.
        sides: Names of the side values; the first is flat.
        fits: Which side values may face each other, shape (n_values, n_values), symmetric, bool.
        open_sides: Which side values may face an empty cell or the outside of the region, shape (n_values,), bool.
    """

    stands_on: frozenset[tuple[int, int]] = frozenset()
    apart: tuple[tuple[int, int], ...] = ()
    across_corners: bool = False
    exchangeable: tuple[tuple[int, ...], ...] = ()
    sides: tuple[str, ...] = ("flat",)
    fits: npt.NDArray[np.bool_] = field(default_factory=lambda: np.ones((1, 1), np.bool_))
    open_sides: npt.NDArray[np.bool_] = field(default_factory=lambda: np.ones(1, np.bool_))


@dataclass(frozen=True, slots=True)
class Published:
    """A published figure that is wrong, and the reason."""

    figure: str
    value: int
    source: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Part(Pictured):
    """A shape and how often it may be used.

    Attributes:
        cells: Distinct rows, shape (k, dimension + 1), int32.
        colours: Colour of each cell, shape (k,), int32; colour 0 may cover any cell.
        low, high: The least and the greatest number of copies; ``high`` None is no bound.
        transformations: The transformations that the part may undergo, identity first.
        sides: Rows ``(index of a cell, half-edge, side value)`` of the sides that are not flat, shape (m, 3), int32.
        lattice, number: The part's lattice, and its index among its puzzle's parts; only pictures use them.
        groups: The groups of pieces that need not come apart, by name, each with how many copies of the part may stay
            in such a group; None is all.
        weight: Where two groups of pieces part, the one with the heaviest part counts as the one that stays.
    """

    name: str
    cells: Cells
    colours: npt.NDArray[np.int32]
    low: int
    high: int | None
    transformations: tuple[Transformation, ...]
    sides: npt.NDArray[np.int32] = field(default_factory=_no_sides)
    lattice: Lattice | None = field(default=None, repr=False)
    number: int = field(default=0, repr=False)
    groups: tuple[tuple[str, int | None], ...] = ()
    weight: int = 1

    def __post_init__(self) -> None:
        what = f"part {self.name!r}"
        _check_cells(what, self.cells, self.lattice)
        _check_lengths(what, self.cells, colours=self.colours)
        if len(self.sides):
            if self.sides.shape[1:] != (3,) or not 0 <= self.sides[:, 0].min() <= self.sides[:, 0].max() < self.size:
                raise PuzzleError(
                    f"{what}: each side is a row: index of one of its {self.size} cells, half-edge, value"
                )
            again = _repeated(self.sides[:, :2])
            if again is not None:
                raise PuzzleError(f"{what} has two values for the side (index of a cell, half-edge) {tuple(again)}")

    @property
    def size(self) -> int:
        return len(self.cells)


@dataclass(frozen=True, slots=True, eq=False)
class PartSet:
    """Parts that belong together, as a file holds them that many puzzles may use.

    Attributes:
        colours: Names of the cell colours; colour 0 is "".
    """

    name: str
    lattice: Lattice
    parts: tuple[Part, ...]
    title: str = ""
    source: str = ""
    colours: tuple[str, ...] = ("",)


@dataclass(frozen=True, slots=True, eq=False)
class Puzzle(Pictured):
    """A region, its parts, and facts about the puzzle.

    Attributes:
        colours: Names of the cell colours; colour 0 is "".
        expect: Figures that the puzzle's file gives, by the names of an `Answer` and of `latcover info`.
        warnings: Odd things that the reader found in the file.
        rules: Rules on neighbours, colours and sides.
        published: Published figures that are wrong.
        level: The least level of a solution that comes apart, as the puzzle's file gives it; empty if it does not.
        long: Whether a count takes long; `check --all` then leaves it out unless asked.
    """

    name: str
    lattice: Lattice
    region: Region
    parts: tuple[Part, ...]
    title: str = ""
    source: str = ""
    colours: tuple[str, ...] = ("",)
    expect: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[Complaint, ...] = ()
    rules: Rules = field(default_factory=Rules)
    published: tuple[Published, ...] = ()
    level: tuple[int, ...] = ()
    long: bool = False

    def most_copies(self, part: Part) -> int:
        """How many copies of *part* can be used at most, by the region's volume and by the part's own bound."""
        room = len(self.region.cells) // part.size
        return room if part.high is None else min(part.high, room)


def as_cells(rows: Sequence[Sequence[int]], dimension: int) -> Cells:
    """Rows ``(node, x, y, ...)`` as the array that regions and parts hold.

    Raises:
        PuzzleError: a row has another length.
    """
    cells = np.array(rows, dtype=np.int32)
    if cells.ndim != 2 or cells.shape[1] != dimension + 1:
        raise PuzzleError(f"each cell is a node and {dimension} coordinates")
    return cells


def plain_region(cells: Cells) -> Region:
    """A region without colours, optional cells or periods."""
    n = len(cells)
    return Region(cells, np.zeros(n, np.int32), np.zeros(n, np.bool_), (0,) * (cells.shape[1] - 1))
