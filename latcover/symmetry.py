"""The symmetries of a puzzle: lattice transformations that map region, colours, placements and bounds to themselves.

A reflection may also exchange the two hands of a chiral pair of parts, and an exchange of exchangeable colours the
parts that have them, where their numbers agree; nothing else renames parts. The test is made on orientations: a
transformation that maps the region to itself, and the fitting orientations of one part to those of another, maps the
placements too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations, product
from typing import Literal

import numpy as np
import numpy.typing as npt

from latcover.errors import PuzzleError
from latcover.lattice import Transformation
from latcover.orientation import moved_sides
from latcover.placement import CellIndex, Ints, Longs, PlacementTable
from latcover.puzzle import Puzzle, Region

Which = Literal["none", "rotations", "all"]
WHICH: tuple[Which, ...] = ("none", "rotations", "all")
MOST_REPAINTINGS = 5040
_DENSE = 1 << 25  # entries of a dense table from (orientation, anchor) to placement


@dataclass(frozen=True, slots=True, eq=False)
class Symmetry:
    """A transformation with translation that maps a puzzle to itself.

    Attributes:
        proper: Whether it is a rotation.
        cells: Where each cell goes, shape (n_cells,), int32.
        parts: Where each part goes, shape (n_parts,), int32.
        orientations: Where each orientation goes, -1 for those that fit nowhere, shape (n_orientations,), int32.
        anchors: Which cell of each orientation becomes the anchor of its image, same shape.
    """

    proper: bool
    cells: Ints
    parts: Ints
    orientations: Ints
    anchors: Ints


class SymmetryGroup:
    """The symmetries of a puzzle, the identity first, and how they move its placements."""

    def __init__(self, puzzle: Puzzle, table: PlacementTable, which: Which) -> None:
        self.table = table
        self.elements = _acting(_find(puzzle, table, which))
        self._permutations: dict[int, Ints] = {}
        n_keys = len(table.orientations) * len(table.region.cells)
        self._dense: Ints | None = None
        if n_keys <= _DENSE:
            self._dense = np.full(n_keys, -1, np.int32)
            self._dense[table.placed] = table.placed_as

    def __len__(self) -> int:
        return len(self.elements)

    def images(self, element: int, placements: Ints) -> Ints:
        """Where an element of the group takes *placements*."""
        symmetry, table = self.elements[element], self.table
        orientation = table.orientation[placements]
        anchor = symmetry.cells[table.cells[table.starts[placements] + symmetry.anchors[orientation]]]
        keys = symmetry.orientations[orientation].astype(np.int64) * len(table.region.cells) + anchor
        by_key, at = (table.placed_as, keys)
        if self._dense is not None:
            by_key = self._dense
        else:
            at = np.searchsorted(table.placed, keys)
        found: Ints = by_key[at]
        return found

    def permutation(self, element: int) -> Ints:
        """Where an element of the group takes every placement, shape (n_placements,)."""
        if element not in self._permutations:
            self._permutations[element] = self.images(element, np.arange(len(self.table), dtype=np.int32))
        return self._permutations[element]


def _acting(found: Iterable[Symmetry]) -> tuple[Symmetry, ...]:
    """Those that act differently: a flat puzzle in three dimensions is mirrored in its own plane without a trace."""
    distinct: dict[bytes, Symmetry] = {}
    for symmetry in found:
        key = b"".join(a.tobytes() for a in (symmetry.cells, symmetry.parts, symmetry.orientations))
        distinct.setdefault(key, symmetry)
    return tuple(distinct.values())


def _find(puzzle: Puzzle, table: PlacementTable, which: Which) -> Iterator[Symmetry]:
    if which == "none":
        candidates = puzzle.lattice.transformations[:1]
    elif which == "rotations":
        candidates = tuple(t for t in puzzle.lattice.transformations if t.proper)
    else:
        candidates = puzzle.lattice.transformations
    index = CellIndex(table.region, [0] * puzzle.lattice.dimension)
    shapes = _Shapes(puzzle, table)
    for transformation in candidates:
        for repainted in _repaintings(puzzle) if which != "none" else [_repaintings(puzzle)[0]]:
            moved = list(_region_maps(table.region, index, transformation, repainted))
            if which == "none":
                moved = moved[:1]
            found = shapes.moved(transformation, repainted) if moved else None
            if found is not None:
                for cells in moved:
                    yield Symmetry(transformation.proper, cells, *found)


def _repaintings(puzzle: Puzzle) -> list[Ints]:
    """Every exchange of exchangeable colours: what each colour becomes; the identity comes first."""
    sets = puzzle.rules.exchangeable
    if math.prod(math.factorial(len(colours)) for colours in sets) > MOST_REPAINTINGS:
        raise PuzzleError(
            f"the colours can be exchanged in more than {MOST_REPAINTINGS} ways; declare fewer exchangeable"
        )
    found = []
    for orders in product(*(permutations(colours) for colours in sets)):
        repainted = np.arange(len(puzzle.colours), dtype=np.int32)
        for colours, order in zip(sets, orders, strict=True):
            repainted[list(colours)] = order
        found.append(repainted)
    return found


def _region_maps(region: Region, index: CellIndex, transformation: Transformation, repainted: Ints) -> Iterator[Ints]:
    """Every way in which *transformation*, with a translation, maps the region to itself; no translation comes first.

    There is one translation at most, but for those along periodic axes. Colours become what *repainted* says.
    """
    for a, period in enumerate(region.period):
        for b, other in enumerate(region.period):
            moved = int(transformation.matrix[b, a]) * period
            if moved % other if other else moved:
                return
    image = transformation.apply(region.cells)
    offset = np.where(
        np.array(region.period) > 0, 0, region.cells[:, 1:].min(axis=0) - image[:, 1:].min(axis=0)
    ).astype(np.int32)
    for turn in product(*(range(p or 1) for p in region.period)):
        shifted = image.copy()
        shifted[:, 1:] += offset + np.array(turn, dtype=np.int32)
        cells = index.find(shifted)
        if (
            (cells >= 0).all()
            and len(np.unique(cells)) == len(cells)
            and np.array_equal(region.colours[cells], repainted[region.colours])
            and np.array_equal(region.optional[cells], region.optional)
        ):
            yield cells


class _Shapes:
    """How transformations permute the fitting orientations of all parts, and with them the parts."""

    def __init__(self, puzzle: Puzzle, table: PlacementTable) -> None:
        self.puzzle = puzzle
        self.n_parts = len(puzzle.parts)
        self.n_orientations = len(table.orientations)
        fits = np.zeros(self.n_orientations, np.bool_)
        fits[table.orientation] = True
        self.part_of = np.repeat(np.arange(self.n_parts), np.diff(table.first_orientation))
        self._prepare_codes(table, fits)
        self.number: dict[bytes, int] = {}  # of each distinct shape
        self.shape_of = np.full(self.n_orientations, -1)
        self.found_at: dict[tuple[int, int], int] = {}  # (part, shape) -> orientation
        for members, cells, colours in self.groups:
            codes, order = self._codes(cells, colours)
            for o, key in zip(members, self._keys(members, codes, order, None), strict=True):
                shape = self.number.setdefault(key, len(self.number))
                self.shape_of[o] = shape
                self.found_at[int(self.part_of[o]), shape] = int(o)
        self.shapes_of_part = [
            frozenset(self.shape_of[(self.part_of == part) & fits].tolist()) for part in range(self.n_parts)
        ]

    def _prepare_codes(self, table: PlacementTable, fits: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> None:
        """Group the fitting orientations by size; a cell becomes one integer, so that rows of them can be sorted."""
        by_size: dict[int, list[int]] = {}
        reach = 1
        for o in np.flatnonzero(fits):
            by_size.setdefault(len(table.orientations[o].cells), []).append(int(o))
            reach = max(reach, int(np.abs(table.orientations[o].cells[:, 1:]).max(initial=0)))
        self.sides = {int(o): table.orientations[o].sides for o in np.flatnonzero(fits)}
        self.groups = [
            (
                np.array(members),
                np.stack([table.orientations[o].cells for o in members]),
                np.stack([table.orientations[o].colours for o in members]),
            )
            for members in by_size.values()
        ]
        dimension = self.puzzle.lattice.dimension
        radix = 8 * dimension * (reach + 2)  # wider than any two cells of an image can lie apart
        self.n_nodes, self.n_colours = len(self.puzzle.lattice.nodes), len(self.puzzle.colours)
        if radix**dimension * self.n_nodes * self.n_colours >= 1 << 62:
            raise PuzzleError("a part reaches too far for its symmetries to be found; use --symmetry none")
        self.weights = np.zeros(dimension, dtype=np.int64)
        self.weights[list(table.axes)] = [radix**power for power in reversed(range(dimension))]

    def _codes(self, cells: Ints, colours: Ints) -> tuple[Longs, Longs]:
        """Codes of each row of cells in anchor order, translation removed, and the order that sorts them so."""
        vectors = cells[:, :, 1:].astype(np.int64) @ self.weights
        codes = (vectors * self.n_nodes + cells[:, :, 0]) * self.n_colours + colours
        order = np.argsort(codes, axis=1)
        codes = np.take_along_axis(codes, order, axis=1)
        first = np.take_along_axis(vectors, order[:, :1], axis=1)
        return codes - first * (self.n_nodes * self.n_colours), order

    def _keys(
        self, members: npt.NDArray[np.intp], codes: Longs, order: Longs, transformation: Transformation | None
    ) -> Iterator[bytes]:
        """What tells shapes apart: cells and colours, and sides after *transformation*."""
        for o, row, by in zip(members, codes, order, strict=True):
            sides = self.sides[int(o)]
            if len(sides) and transformation is not None:
                position = np.empty(len(by), np.int32)
                position[by] = np.arange(len(by), dtype=np.int32)
                sides = moved_sides(sides, transformation, position)
            yield row.tobytes() + sides.tobytes()

    def moved(self, transformation: Transformation, repainted: Ints) -> tuple[Ints, Ints, Ints] | None:
        """`Symmetry`'s parts, orientations and anchors; None where it is no symmetry of the parts.

        *repainted*: what each colour becomes.
        """
        image_shape = np.full(self.n_orientations, -1)
        images = []
        for members, cells, colours in self.groups:
            flat = transformation.apply(cells.reshape(-1, cells.shape[2])).reshape(cells.shape)
            codes, order = self._codes(flat, repainted[colours])
            images.append((members, order[:, 0]))
            for o, key in zip(members, self._keys(members, codes, order, transformation), strict=True):
                shape = self.number.get(key)
                if shape is None:
                    return None
                image_shape[o] = shape
        goes_to = dict(zip(self.shape_of.tolist(), image_shape.tolist(), strict=True))
        keeps_parts = transformation.proper and bool((repainted == np.arange(len(repainted))).all())
        parts = self._moved_parts(goes_to, keeps_parts)
        if parts is None:
            return None
        orientations = np.full(self.n_orientations, -1, dtype=np.int32)
        anchors = np.zeros(self.n_orientations, dtype=np.int32)
        for members, anchor in images:
            targets = [self.found_at[int(parts[self.part_of[o]]), int(image_shape[o])] for o in members]
            orientations[members] = targets
            anchors[members] = anchor
        return parts, orientations, anchors

    def _moved_parts(self, goes_to: dict[int, int], keeps_parts: bool) -> Ints | None:
        images = [frozenset(goes_to[shape] for shape in shapes) for shapes in self.shapes_of_part]
        parts = np.arange(self.n_parts, dtype=np.int32)
        kinds = [
            (self.shapes_of_part[p], part.low, self.puzzle.most_copies(part))
            for p, part in enumerate(self.puzzle.parts)
        ]
        for p in range(self.n_parts):
            if images[p] == self.shapes_of_part[p]:
                continue
            others = [q for q in range(self.n_parts) if kinds[q] == (images[p], *kinds[p][1:])]
            equals = [q for q in range(self.n_parts) if kinds[q] == kinds[p]]
            if keeps_parts or len(others) != len(equals):
                return None
            parts[p] = others[equals.index(p)]
        return parts
