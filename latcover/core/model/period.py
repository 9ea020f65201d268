"""Periods: the translations under which a region repeats, as those of a cylinder or a torus, skewed ones too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from operator import mul

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.errors import PuzzleError

Longs = npt.NDArray[np.int64]
EXACT = 1 << 40  # of a determinant and its minors: below it no product with a coordinate overflows


def _determinant(rows: Sequence[Sequence[int]]) -> int:
    """By expansion along the first row; the matrices have few rows."""
    if not rows:
        return 1
    minors = ([[*row[:k], *row[k + 1 :]] for row in rows[1:]] for k in range(len(rows)))
    return sum((-1) ** k * x * _determinant(minor) for k, (x, minor) in enumerate(zip(rows[0], minors, strict=True)))


class Period(Struct, frozen=True, dict=True):
    """All whole sums of some vectors; a region with it takes cells that differ by such a sum as one cell.

    Each class of cells has one *home*: the cell whose coordinates lie in the parallelepiped of the vectors, without its
    far sides. Along axes that no vector leads, a coordinate stays what it is.

    Attributes:
        dimension: The number of axes.
        vectors: Independent vectors; none if the region does not close on itself.
    """

    dimension: int
    vectors: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        if any(len(vector) != self.dimension for vector in self.vectors):
            raise PuzzleError(f"has {self.dimension} axes, so each vector of its period needs {self.dimension} numbers")
        if self.vectors and not any(self._minors()):
            shown = ", ".join(map(str, map(list, self.vectors)))
            raise PuzzleError(f"has a period whose vectors, {shown}, depend on each other; leave one out")
        if self.vectors and max(int(np.abs(self._inverse).max()), abs(self._determinant)) > EXACT:
            raise PuzzleError("has a period that is too long: over 10^12 units lie between its vectors")

    @classmethod
    def read(cls, dimension: int, given: Period | Sequence[int | Sequence[int]] | None) -> Period:
        """A period from vectors, or from a length for each axis, 0 where the region does not close.

        Raises:
            PuzzleError: the text goes on after "the region".
        """
        if isinstance(given, Period):
            return cls(dimension, given.vectors)
        rows = [
            tuple(map(int, row)) if isinstance(row, Iterable) else int(row) for row in (() if given is None else given)
        ]
        lengths = [row for row in rows if isinstance(row, int)]
        if not lengths:
            return cls(dimension, tuple(row for row in rows if not isinstance(row, int)))
        if len(lengths) < len(rows):
            raise PuzzleError("mixes lengths and vectors in its period; give a length for each axis, or vectors alone")
        if len(lengths) != dimension:
            raise PuzzleError(f"closes along {dimension} axes; give a length for each, or 0")
        if min(lengths) < 0:
            raise PuzzleError("has a negative period; 0 means that it does not close along this axis")
        unit = np.eye(dimension, dtype=int).tolist()
        return cls(dimension, tuple(tuple(n * x for x in row) for n, row in zip(lengths, unit, strict=True) if n))

    def __bool__(self) -> bool:
        return bool(self.vectors)

    def __str__(self) -> str:
        return str(self.written())

    def written(self) -> list[int] | list[list[int]]:
        """As in a puzzle file: a length for each axis, or else vectors."""
        return list(self.lengths()) if self.is_straight else [list(vector) for vector in self.vectors]

    @property
    def is_straight(self) -> bool:
        """Whether each vector leads along an axis, and lengths say all."""
        straight = all(sum(x != 0 for x in vector) == 1 and max(vector) > 0 for vector in self.vectors)
        return straight and list(self.vectors) == sorted(self.vectors, reverse=True)

    def lengths(self) -> tuple[int, ...]:
        """For each axis the length of the vector that leads along it alone; 0 if there is none."""
        along = {k: abs(v[k]) for v in self.vectors for k in range(self.dimension) if v[k] and sum(map(bool, v)) == 1}
        return tuple(along.get(axis, 0) for axis in range(self.dimension))

    @property
    def volume(self) -> int:
        """The number of units of the torus; 0 if there is a direction in which the region does not close."""
        return abs(self._determinant) if len(self.vectors) == self.dimension else 0

    @cached_property
    def moves(self) -> npt.NDArray[np.bool_]:
        """Whether some vector leads along each axis, shape (dimension,), bool."""
        return np.array([any(vector[axis] for vector in self.vectors) for axis in range(self.dimension)], np.bool_)

    @cached_property
    def across(self) -> Longs:
        """Whole rows, shape (dimension - n_vectors, dimension), whose products with a vector are 0."""
        free, rows = [k for k in range(self.dimension) if k not in self._axes], []
        own = np.array(self.vectors, np.int64).reshape(-1, self.dimension)
        for axis in free:
            row = np.zeros(self.dimension, np.int64)
            row[axis] = self._determinant
            row[list(self._axes)] = -(self._inverse @ own[:, axis])
            rows.append(row)
        return np.array(rows, np.int64).reshape(-1, self.dimension)

    def _minors(self) -> Iterator[tuple[int, ...]]:
        """The sets of axes on which the vectors are independent."""
        for axes in combinations(range(self.dimension), len(self.vectors)):
            if _determinant([[vector[k] for k in axes] for vector in self.vectors]):
                yield axes

    @cached_property
    def _axes(self) -> tuple[int, ...]:
        return next(self._minors()) if self.vectors else ()

    @cached_property
    def _determinant(self) -> int:
        return _determinant([[vector[k] for k in self._axes] for vector in self.vectors])

    @cached_property
    def _inverse(self) -> Longs:
        """The inverse of the vectors on `_axes`, times the determinant."""
        square = [[vector[k] for k in self._axes] for vector in self.vectors]
        n = len(square)
        return np.array(
            [
                [
                    (-1) ** (i + j)
                    * _determinant([[*row[:i], *row[i + 1 :]] for k, row in enumerate(square) if k != j])
                    for j in range(n)
                ]
                for i in range(n)
            ],
            np.int64,
        ).reshape(n, n)

    @cached_property
    def _columns(self) -> list[list[int]]:
        """The columns of `_inverse`, one for each vector."""
        columns: list[list[int]] = self._inverse.T.tolist()
        return columns

    def home(self, vectors: npt.NDArray[np.integer]) -> Longs:
        """The homes of coordinates, shape (n, dimension)."""
        homes: Longs = vectors.astype(np.int64)
        if self.vectors:
            times = (homes[:, list(self._axes)] @ self._inverse) // self._determinant
            homes = homes - times @ np.array(self.vectors, np.int64)
        return homes

    def home_of(self, cell: Sequence[int]) -> tuple[int, ...]:
        """The home of a cell ``(node, x, y, ...)``; for one cell, arrays would take ten times as long."""
        node, *home = cell
        own = [home[axis] for axis in self._axes]
        for vector, column in zip(self.vectors, self._columns, strict=True):
            times = sum(map(mul, own, column)) // self._determinant
            if times:
                home = [x - times * step for x, step in zip(home, vector, strict=True)]
        return (node, *home)

    def homes_of(self, cells: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
        """The homes of cells ``(node, x, y, ...)``."""
        if not self.vectors or not cells:
            return [*map(tuple, cells)]
        rows = np.array(cells, np.int64)
        return [*map(tuple, np.column_stack([rows[:, :1], self.home(rows[:, 1:])]).tolist())]

    def box(self) -> tuple[Longs, Longs]:
        """The least and the largest coordinates of homes along each axis that a vector leads; elsewhere 0."""
        own = np.array(self.vectors, np.int64).reshape(-1, self.dimension)
        return np.minimum(own, 0).sum(axis=0), np.maximum(own, 0).sum(axis=0)

    def homes(self) -> Longs:
        """The coordinates of all units of a torus, shape (volume, dimension), in the order of their coordinates."""
        low, high = self.box()
        block = np.indices(tuple((high - low + 1).tolist())).reshape(self.dimension, -1).T + low
        homes: Longs = block[(self.home(block) == block).all(axis=1)]
        return homes
