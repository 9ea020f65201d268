"""How a transformation that maps the region to itself moves the placements, if it maps them to placements.

In a region that is not periodic (`ShapeImages`), orientations are compared: a puzzle has hundreds of them, but may have
millions of placements. In a periodic region (`RowImages`) two orientations may have the same placements, so the
placements themselves are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from latcover.cover.problem import Ints, Longs
from latcover.encoding.placement import PlacementTable
from latcover.errors import PuzzleError
from latcover.model.lattice import Transformation
from latcover.model.orientation import moved_sides, oriented
from latcover.model.puzzle import Part, Puzzle

_DENSE = 1 << 25  # entries of a dense table from (orientation, anchor) to placement


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """The image of each part, shape (n_parts,), int32; a function for the images of placements; a key of the action."""

    parts: Ints
    images: Callable[[Ints], Ints]
    action: bytes


def match_parts(
    puzzle: Puzzle,
    shape_sets: tuple[Sequence[frozenset[int]], Sequence[frozenset[int]]],
    transformation: Transformation,
    repainted: Ints,
) -> Ints | None:
    """The part that each part becomes; None if some part has an image that it may not become.

    A rotation maps each part to itself. A reflection may map a part to the other hand of a chiral pair. An exchange of
    colours may map it to the part with the exchanged colours. If several parts are equal, there must be equally many
    parts to map them to; the i-th of the former becomes the i-th of the latter.

    Args:
        shape_sets: The shapes (or rows) of each part, by number, and those of its image.
    """
    own, images = shape_sets
    n = len(own)
    keeps_colours = bool((repainted == np.arange(len(repainted))).all())
    kinds = [(own[p], part.low, puzzle.most_copies(part)) for p, part in enumerate(puzzle.parts)]
    parts = np.arange(n, dtype=np.int32)
    for p in range(n):
        if images[p] == own[p]:
            continue
        if keeps_colours and transformation.proper:
            return None
        others = [q for q in range(n) if kinds[q] == (images[p], *kinds[p][1:])]
        if keeps_colours:
            others = [q for q in others if _are_hands(puzzle, puzzle.parts[p], puzzle.parts[q])]
        equals = [q for q in range(n) if kinds[q] == kinds[p]]
        if len(others) != len(equals):
            return None
        parts[p] = others[equals.index(p)]
    return parts


@lru_cache(maxsize=256)
def _are_hands(puzzle: Puzzle, one: Part, other: Part) -> bool:
    """Whether two parts are a chiral pair: a reflection maps all orientations of one to the other; no rotation does.

    Orientations that do not fit into the region count too. Otherwise three parts could be mapped in a circle.
    """
    axes = range(puzzle.lattice.dimension)

    def shapes(part: Part, then: Transformation) -> set[bytes]:
        return {oriented(part, then.after(allowed), axes).key for allowed in part.transformations}

    target = shapes(other, puzzle.lattice.transformations[0])

    def maps(transformation: Transformation) -> bool:
        first = oriented(one, transformation.after(one.transformations[0]), axes).key
        return first in target and shapes(one, transformation) == target  # the first decides nearly always

    proper = [maps(t) for t in puzzle.lattice.transformations if t.proper]
    return not any(proper) and any(maps(t) for t in puzzle.lattice.transformations if not t.proper)


class ShapeImages:
    """The fitting orientations of a puzzle's parts, as shapes that can be recognised."""

    def __init__(self, puzzle: Puzzle, table: PlacementTable) -> None:
        self.puzzle, self.table = puzzle, table
        n_parts, self.n_orientations = len(puzzle.parts), len(table.orientations)
        fits = np.zeros(self.n_orientations, np.bool_)
        fits[table.orientation] = True
        self.part_of = np.repeat(np.arange(n_parts), np.diff(table.first_orientation))
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
        self.shapes_of_part = [frozenset(self.shape_of[(self.part_of == p) & fits].tolist()) for p in range(n_parts)]
        n_keys = self.n_orientations * len(table.region.cells)
        self.dense: Ints | None = None
        if n_keys <= _DENSE:
            self.dense = np.full(n_keys, -1, np.int32)
            self.dense[table.placed] = table.placed_as

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
        radix = 8 * dimension * (reach + 2)  # more than the distance of any two cells of an image
        self.n_nodes, self.n_colours = len(self.puzzle.lattice.nodes), len(self.puzzle.colours)
        if radix**dimension * self.n_nodes * self.n_colours >= 1 << 62:
            raise PuzzleError("a part reaches too far for its symmetries to be found; use --symmetry none")
        self.weights = np.zeros(dimension, dtype=np.int64)
        self.weights[list(table.axes)] = [radix**power for power in reversed(range(dimension))]

    def _codes(self, cells: Ints, colours: Ints) -> tuple[Longs, Longs]:
        """Codes of the cells of each row in anchor order, translation removed; and the order that sorts them so."""
        vectors = cells[:, :, 1:].astype(np.int64) @ self.weights
        codes = (vectors * self.n_nodes + cells[:, :, 0]) * self.n_colours + colours
        order = np.argsort(codes, axis=1)
        codes = np.take_along_axis(codes, order, axis=1)
        first = np.take_along_axis(vectors, order[:, :1], axis=1)
        return codes - first * (self.n_nodes * self.n_colours), order

    def _keys(
        self, members: npt.NDArray[np.intp], codes: Longs, order: Longs, transformation: Transformation | None
    ) -> Iterator[bytes]:
        """A key for each shape: its cells and colours, and its sides after *transformation*."""
        for o, row, by in zip(members, codes, order, strict=True):
            sides = self.sides[int(o)]
            if len(sides) and transformation is not None:
                position = np.empty(len(by), np.int32)
                position[by] = np.arange(len(by), dtype=np.int32)
                sides = moved_sides(sides, transformation, position)
            yield row.tobytes() + sides.tobytes()

    def moved(self, transformation: Transformation, repainted: Ints, cells: Ints) -> Moved | None:
        """The images of parts and placements; None if this is not a symmetry.

        Args:
            transformation: Moves the cells, up to a translation.
            repainted: The colour that each colour becomes, shape (n_colours,), int32.
            cells: The image of each cell of the region, shape (n_cells,), int32.
        """
        image_shape = np.full(self.n_orientations, -1)
        orientations = np.full(self.n_orientations, -1, dtype=np.int32)
        anchors = np.zeros(self.n_orientations, dtype=np.int32)
        for members, own, colours in self.groups:
            flat = transformation.apply(own.reshape(-1, own.shape[2])).reshape(own.shape)
            codes, order = self._codes(flat, repainted[colours])
            anchors[members] = order[:, 0]
            for o, key in zip(members, self._keys(members, codes, order, transformation), strict=True):
                shape = self.number.get(key)
                if shape is None:
                    return None
                image_shape[o] = shape
        goes_to = dict(zip(self.shape_of.tolist(), image_shape.tolist(), strict=True))
        images = [frozenset(goes_to[shape] for shape in shapes) for shapes in self.shapes_of_part]
        parts = match_parts(self.puzzle, (self.shapes_of_part, images), transformation, repainted)
        if parts is None:
            return None
        for members, _, _ in self.groups:
            orientations[members] = [self.found_at[int(parts[self.part_of[o]]), int(image_shape[o])] for o in members]
        return Moved(parts, partial(self._images, orientations, anchors, cells), orientations.tobytes())

    def _images(self, orientations: Ints, anchors: Ints, cells: Ints, placements: Ints) -> Ints:
        """The images of *placements*; cell ``anchors[o]`` of orientation o becomes the anchor of its image."""
        table = self.table
        orientation = table.orientation[placements]
        anchor = cells[table.cells[table.starts[placements] + anchors[orientation]]]
        keys = orientations[orientation].astype(np.int64) * len(table.region.cells) + anchor
        by_key, at = (table.placed_as, keys)
        if self.dense is not None:
            by_key = self.dense
        else:
            at = np.searchsorted(table.placed, keys)
        image: Ints = by_key[at]
        return image


class RowImages:
    """The placements of a puzzle in a periodic region: rows of cells, with their colours and sides."""

    def __init__(self, puzzle: Puzzle, table: PlacementTable) -> None:
        self.puzzle, self.table = puzzle, table
        self.number: dict[bytes, int] = {}  # of each distinct row
        still = np.arange(len(table.region.cells), dtype=np.int32)
        colours = np.arange(len(puzzle.colours), dtype=np.int32)
        rows = self._rows(puzzle.lattice.transformations[0], colours, still)
        self.row_of = np.array([self.number.setdefault(row, len(self.number)) for row in rows])
        edges = np.searchsorted(table.part_of, np.arange(len(puzzle.parts) + 1))
        self.parts = [slice(int(a), int(b)) for a, b in pairwise(edges)]
        self.rows_of_part = [frozenset(self.row_of[of].tolist()) for of in self.parts]
        keys = zip(table.part_of.tolist(), self.row_of.tolist(), strict=True)
        self.found_at = {key: placement for placement, key in enumerate(keys)}

    def _rows(self, transformation: Transformation, repainted: Ints, cells: Ints) -> Iterator[bytes]:
        table = self.table
        for placement, o in enumerate(table.orientation.tolist()):
            orientation = table.orientations[o]
            moved = cells[table.cells[table.starts[placement] : table.starts[placement + 1]]]
            by = np.argsort(moved)
            sides = moved_sides(orientation.sides, transformation, moved)
            yield moved[by].tobytes() + repainted[orientation.colours[by]].tobytes() + sides.tobytes()

    def moved(self, transformation: Transformation, repainted: Ints, cells: Ints) -> Moved | None:
        """The images of parts and placements; None if this is not a symmetry.

        Args:
            transformation: Moves the cells, up to a translation.
            repainted: The colour that each colour becomes, shape (n_colours,), int32.
            cells: The image of each cell of the region, shape (n_cells,), int32.
        """
        image = np.empty(len(self.table), np.int64)
        for placement, row in enumerate(self._rows(transformation, repainted, cells)):
            image[placement] = self.number.get(row, -1)
            if image[placement] < 0:
                return None
        images = [frozenset(image[of].tolist()) for of in self.parts]
        parts = match_parts(self.puzzle, (self.rows_of_part, images), transformation, repainted)
        if parts is None:
            return None
        keys = zip(parts[self.table.part_of].tolist(), image.tolist(), strict=True)
        placements = np.array([self.found_at[key] for key in keys], dtype=np.int32)
        return Moved(parts, placements.__getitem__, placements.tobytes())
