"""How a transformation that maps the region to itself moves the placements, if it maps them to placements.

In a region that is not periodic (`ShapeImages`), orientations are compared: a puzzle has hundreds of them, but may have
millions of placements. In a periodic region (`RowImages`) two orientations may have the same placements, so the
placements themselves are compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from latcover.cover.problem import Ints, Longs
from latcover.encoding.placement import PlacementTable
from latcover.errors import PuzzleError
from latcover.model.lattice import Transformation
from latcover.model.orientation import images, in_batches
from latcover.model.puzzle import Puzzle

_DENSE = 1 << 25  # entries of a dense table from (orientation, anchor) to placement


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """The image of each part, shape (n_parts,), int32; what the images of placements need; and a key of the action."""

    parts: Ints
    arrays: tuple[Ints, ...]
    action: bytes


class PartShapes:
    """The shape of each part after each transformation of the lattice, as a number: equal shapes have equal numbers.

    Attributes:
        numbers: The number of each shape, shape (n_parts, n_transformations), int64.
        of_key: The number of each shape, by the key of an `Orientation`.
        allowed: The indices of each part's transformations.
    """

    def __init__(self, puzzle: Puzzle, axes: Sequence[int]) -> None:
        """*axes*: the axes that order the cells, slowest first."""
        lattice = puzzle.lattice
        self.puzzle = puzzle
        n_images = len(lattice.transformations)
        self._batches = [
            (batch, images([puzzle.parts[p] for p in batch], lattice.transformations, axes))
            for batch in in_batches(puzzle.parts, n_images)
        ]
        self.of_key: dict[tuple[int, bytes], int] = {}
        self.numbers = self._number_all()
        number_of, self.allowed = lattice.number_of, []
        for part in puzzle.parts:
            foreign = [t for t in part.transformations if t.labels not in number_of]
            if foreign:
                raise PuzzleError(f"part {part.name!r} has a transformation that lattice {lattice.name!r} lacks")
            self.allowed.append(np.array([number_of[t.labels] for t in part.transformations]))
        self._hands: dict[tuple[int, int], bool] = {}

    def repainted(self, colours: Ints) -> Longs:
        """The numbers of the shapes after an exchange of *colours* and values; -1 for a shape that no part has."""
        if (colours == np.arange(len(colours))).all():
            return self.numbers
        n = len(self.puzzle.colours)  # the numbers of the values of sides come after those of the colours
        numbers = np.empty_like(self.numbers)
        for batch, moved in self._batches:
            keys = moved.rows(colours[:n], colours[n:] - n)
            known, number = self._known[moved.cells.shape[2], keys.dtype]
            at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
            numbers[batch] = np.where(known[at] == keys, number[at], -1)
        return numbers

    @cached_property
    def _known(self) -> dict[tuple[int, np.dtype[np.bytes_]], tuple[npt.NDArray[np.bytes_], Longs]]:
        """The keys of all shapes, sorted, with their numbers; by the number of cells and the kind of key."""
        found: dict[tuple[int, np.dtype[np.bytes_]], tuple[list[npt.NDArray[np.bytes_]], list[Longs]]] = {}
        for batch, moved in self._batches:  # parts of different sizes may have equal keys
            keys = moved.rows()
            rows, numbers = found.setdefault((moved.cells.shape[2], keys.dtype), ([], []))
            rows.append(keys.reshape(-1))
            numbers.append(self.numbers[batch].reshape(-1))
        sorted_keys = {}
        for kind, (rows, numbers) in found.items():
            known, first = np.unique(np.concatenate(rows), return_index=True)
            sorted_keys[kind] = known, np.concatenate(numbers)[first]
        return sorted_keys

    def order(self, part: int) -> Longs:
        """Which cell of *part* each cell of its images is, shape (n_transformations, k), int64."""
        return self._orders[part]

    @cached_property
    def _orders(self) -> dict[int, Longs]:
        return {p: moved.order[k] for batch, moved in self._batches for k, p in enumerate(batch)}

    def _number_all(self) -> Longs:
        numbers = np.empty((len(self.puzzle.parts), len(self.puzzle.lattice.transformations)), np.int64)
        for batch, moved in self._batches:
            size = moved.cells.shape[2]  # parts of different sizes may have equal keys
            for p, keys in zip(batch, moved.keys(), strict=True):
                numbers[p] = [self.of_key.setdefault((size, key), len(self.of_key)) for key in keys]
        return numbers

    def are_hands(self, one: int, other: int) -> bool:
        """Whether two parts are a chiral pair: a reflection, but no rotation, maps one to the other.

        It maps all orientations, also those that do not fit into the region. Otherwise three parts could be mapped in
        a circle.
        """
        if (one, other) not in self._hands:
            self._hands[one, other] = self._decide(one, other)
        return self._hands[one, other]

    def _decide(self, one: int, other: int) -> bool:
        lattice = self.puzzle.lattice
        target = set(self.numbers[other, self.allowed[other]].tolist())
        reflected = False
        for transformation in lattice.transformations:
            image = self.numbers[one, lattice.then(transformation)[self.allowed[one]]].tolist()
            if image[0] in target and set(image) == target:  # the first decides nearly always
                if transformation.proper:
                    return False
                reflected = True
        return reflected


class PartMatcher:
    """Finds the part that each part becomes under a transformation."""

    def __init__(self, puzzle: Puzzle, shapes: PartShapes, own: Sequence[Hashable]) -> None:
        """*own*: what stands for the orientations (or placements) of each part; equal parts have equal entries."""
        self.shapes, self.own = shapes, own
        self._bounds = [(part.low, puzzle.most_copies(part)) for part in puzzle.parts]
        self._parts_of: dict[Hashable, list[int]] = defaultdict(list)
        for p, bounds in enumerate(self._bounds):
            self._parts_of[own[p], bounds].append(p)

    def match(self, image: Sequence[Hashable], *, proper: bool, keeps_colours: bool) -> Ints | None:
        """The part that each part becomes; None if some part has an image that it may not become.

        A rotation maps each part to itself. A reflection may map a part to the other hand of a chiral pair. An exchange
        of colours may map it to the part with the exchanged colours. If several parts are equal, there must be equally
        many parts to map them to; the i-th of the former becomes the i-th of the latter.

        Args:
            image: What stands for the image of each part.
        """
        parts = self.match_each(image, proper=proper, keeps_colours=keeps_colours)
        return None if (parts < 0).any() else parts

    def match_each(self, image: Sequence[Hashable], *, proper: bool, keeps_colours: bool) -> Ints:
        """The same, with -1 for a part that has an image that it may not become."""
        parts = np.arange(len(self.own), dtype=np.int32)
        for p, (own, becomes) in enumerate(zip(self.own, image, strict=True)):
            if becomes == own:
                continue
            if keeps_colours and proper:
                parts[p] = -1
                continue
            others = self._parts_of.get((becomes, self._bounds[p]), [])
            if keeps_colours:
                others = [q for q in others if self.shapes.are_hands(p, q)]
            equals = self._parts_of[own, self._bounds[p]]
            parts[p] = others[equals.index(p)] if len(others) == len(equals) else -1
        return parts


class ShapeImages:
    """The fitting orientations of a puzzle's parts, as shapes that can be recognised."""

    def __init__(self, puzzle: Puzzle, table: PlacementTable) -> None:
        self.puzzle, self.table = puzzle, table
        self.shapes = shapes = PartShapes(puzzle, table.axes)
        n_parts, self.n_orientations = len(puzzle.parts), len(table.orientations)
        self.fits = np.unique(table.orientation)
        part_of = np.repeat(np.arange(n_parts), np.diff(table.first_orientation))
        self.part_of = part_of[self.fits]
        fitting = [table.orientations[o] for o in self.fits.tolist()]
        number = np.array([shapes.of_key[len(o.cells), o.key] for o in fitting], np.int64)
        self.made_by = (shapes.numbers[self.part_of] == number[:, None]).argmax(axis=1)  # a transformation of each
        self.n_shapes = len(shapes.of_key)
        keys = self.part_of * self.n_shapes + number
        self.by_key = np.argsort(keys)
        self.keys = keys[self.by_key]
        self.edges = np.searchsorted(self.part_of, np.arange(n_parts + 1)).tolist()
        self.matcher = PartMatcher(puzzle, shapes, self._of_each_part(self.keys % self.n_shapes))
        self._anchor_of_image = self._anchors_of_images()
        self._repainted: dict[bytes, Longs] = {}
        n_keys = self.n_orientations * len(table.region.cells)
        self.dense: Ints | None = None
        if n_keys <= _DENSE:
            self.dense = np.full(n_keys, -1, np.int32)
            self.dense[table.placed] = table.placed_as

    def _of_each_part(self, numbers: Longs) -> list[bytes]:
        return [numbers[a:b].tobytes() for a, b in pairwise(self.edges)]

    def moved(self, transformation: Transformation, repainted: Ints, cells: Ints) -> Moved | None:
        """The images of parts and placements; None if this is not a symmetry.

        Args:
            transformation: Moves the cells, up to a translation.
            repainted: What each colour, and then each value of sides, becomes: see `Symmetry`.
            cells: The image of each cell of the region, shape (n_cells,), int32.
        """
        key = repainted.tobytes()
        if key not in self._repainted:
            self._repainted[key] = self.shapes.repainted(repainted)
        numbers = self._repainted[key]
        becomes = self.puzzle.lattice.then(transformation)[self.made_by]
        image = numbers[self.part_of, becomes]
        if (image < 0).any():
            return None
        own = self.part_of * self.n_shapes
        if np.array_equal(np.sort(own + image), self.keys):
            parts: Ints | None = np.arange(len(self.puzzle.parts), dtype=np.int32)
        else:
            sets = self._of_each_part(np.sort(own + image) % self.n_shapes)
            keeps_colours = bool((repainted == np.arange(len(repainted))).all())
            parts = self.matcher.match(sets, proper=transformation.proper, keeps_colours=keeps_colours)
        if parts is None:
            return None
        found = self.by_key[np.searchsorted(self.keys, parts[self.part_of].astype(np.int64) * self.n_shapes + image)]
        orientations = np.full(self.n_orientations, -1, dtype=np.int32)
        orientations[self.fits] = self.fits[found]
        anchors = np.zeros(self.n_orientations, dtype=np.int32)
        anchors[self.fits] = self._anchor_of_image[np.arange(len(self.fits)), becomes]
        return Moved(parts, (orientations, anchors, cells), orientations.tobytes())

    def renamed(self, transformation: Transformation, repainted: Ints, cells: Ints) -> Ints:
        """The part that each part becomes, or -1, even if this is no symmetry; the arguments are those of `moved`."""
        numbers = self.shapes.repainted(repainted)
        image = numbers[self.part_of, self.puzzle.lattice.then(transformation)[self.made_by]]
        sets = [np.sort(image[a:b]).tobytes() for a, b in pairwise(self.edges)]
        keeps_colours = bool((repainted == np.arange(len(repainted))).all())
        return self.matcher.match_each(sets, proper=transformation.proper, keeps_colours=keeps_colours)

    def _anchors_of_images(self) -> Longs:
        """Which cell of each fitting orientation becomes the anchor of its image, shape (n, n_transformations).

        The image is that of the part under a transformation, not that of the orientation.
        """
        found = np.empty((len(self.fits), len(self.puzzle.lattice.transformations)), np.int64)
        for p, (a, b) in enumerate(pairwise(self.edges)):
            order = self.shapes.order(p)
            position = np.argsort(order[self.made_by[a:b]], axis=1)
            found[a:b] = position[:, order[:, 0]]
        return found

    def images(self, moved: Sequence[Moved], placements: Ints) -> Ints:
        """The images of *placements* under each of *moved*, shape (len(moved), n)."""
        table = self.table
        orientation = table.orientation[placements]
        orientations, anchors, cells = (np.stack(arrays) for arrays in zip(*(m.arrays for m in moved), strict=True))
        # Cell ``anchors[o]`` of orientation o becomes the anchor of its image.
        anchor = np.take_along_axis(cells, table.cells[table.starts[placements] + anchors[:, orientation]], axis=1)
        keys = orientations[:, orientation].astype(np.int64) * len(table.region.cells) + anchor
        if self.dense is not None:
            looked_up: Ints = self.dense[keys]
            return looked_up
        image: Ints = table.placed_as[np.searchsorted(table.placed, keys)]
        return image


class RowImages:
    """The placements of a puzzle in a periodic region: rows of cells, with their colours and sides."""

    def __init__(self, puzzle: Puzzle, table: PlacementTable) -> None:
        self.puzzle, self.table = puzzle, table
        self._groups = list(self._in_groups())
        self.number: dict[tuple[int, bytes], int] = {}  # of each distinct row
        still = np.arange(len(table.region.cells), dtype=np.int32)
        colours = np.arange(len(puzzle.colours) + len(puzzle.rules.sides), dtype=np.int32)
        row_of = np.empty(len(table), np.int64)
        for members, keys in self._keys(puzzle.lattice.transformations[0], colours, still):
            row_of[members] = [self.number.setdefault(key, len(self.number)) for key in keys]
        edges = np.searchsorted(table.part_of, np.arange(len(puzzle.parts) + 1)).tolist()
        self._parts = [slice(a, b) for a, b in pairwise(edges)]
        self.matcher = PartMatcher(puzzle, PartShapes(puzzle, table.axes), self._of_each_part(row_of))
        placed = table.part_of.astype(np.int64) * len(self.number) + row_of
        self.by_key = np.argsort(placed).astype(np.int32)
        self.keys = placed[self.by_key]

    def _in_groups(self) -> Iterator[tuple[Longs, Ints, Ints, Ints]]:
        """Placements with equally many cells and sides; and their cells, colours and sides."""
        table = self.table
        sizes = np.array([(len(o.cells), len(o.sides)) for o in table.orientations]).reshape(-1, 2)
        for size in np.unique(sizes[table.orientation], axis=0):
            here = np.flatnonzero((sizes == size).all(axis=1))
            number = np.full(len(sizes), -1)
            number[here] = np.arange(len(here))
            members = np.flatnonzero(number[table.orientation] >= 0)
            which = number[table.orientation[members]]
            cells = table.cells[table.starts[members][:, None] + np.arange(size[0])]
            colours = np.stack([table.orientations[o].colours for o in here.tolist()])[which]
            yield members, cells, colours, np.stack([table.orientations[o].sides for o in here.tolist()])[which]

    def _keys(
        self, transformation: Transformation, repainted: Ints, cells: Ints
    ) -> Iterator[tuple[Longs, list[tuple[int, bytes]]]]:
        """Placements, and a key of the image of each: its cells, colours and sides."""
        labels = np.array(transformation.labels, dtype=np.int32)
        n_colours = len(self.puzzle.colours)
        values = repainted[n_colours:] - n_colours
        for members, own, colours, sides in self._groups:
            moved = cells[own]
            by = np.argsort(moved, axis=1)
            there = np.take_along_axis(moved, sides[:, :, 0], axis=1)
            columns = [there, labels[sides[:, :, 1]], values[sides[:, :, 2]]]
            of_sides = np.lexsort(columns[::-1], axis=-1)
            arrays = [moved, repainted[colours]]
            sorted_arrays = [np.take_along_axis(array, by, axis=1) for array in arrays]
            sorted_arrays += [np.take_along_axis(column, of_sides, axis=1) for column in columns]
            rows = np.concatenate(sorted_arrays, axis=1, dtype=np.int32)
            data, width = rows.tobytes(), 4 * rows.shape[1]
            size = own.shape[1]
            yield members, [(size, data[at : at + width]) for at in range(0, len(data), width)]

    def _of_each_part(self, rows: Longs) -> list[bytes]:
        return [np.sort(rows[of]).tobytes() for of in self._parts]

    def moved(self, transformation: Transformation, repainted: Ints, cells: Ints) -> Moved | None:
        """The images of parts and placements; None if this is not a symmetry.

        Args:
            transformation: Moves the cells, up to a translation.
            repainted: What each colour, and then each value of sides, becomes: see `Symmetry`.
            cells: The image of each cell of the region, shape (n_cells,), int32.
        """
        image = np.empty(len(self.table), np.int64)
        for members, keys in self._keys(transformation, repainted, cells):
            found = [self.number.get(key, -1) for key in keys]
            if min(found, default=0) < 0:
                return None
            image[members] = found
        keeps_colours = bool((repainted == np.arange(len(repainted))).all())
        sets = self._of_each_part(image)
        parts = self.matcher.match(sets, proper=transformation.proper, keeps_colours=keeps_colours)
        if parts is None:
            return None
        goes_to = parts[self.table.part_of].astype(np.int64) * len(self.number) + image
        placements = self.by_key[np.searchsorted(self.keys, goes_to)]
        return Moved(parts, (placements,), placements.tobytes())

    def renamed(self, transformation: Transformation, repainted: Ints, cells: Ints) -> Ints:
        """The part that each part becomes, or -1, even if this is no symmetry; the arguments are those of `moved`."""
        image = np.empty(len(self.table), np.int64)
        for members, keys in self._keys(transformation, repainted, cells):
            image[members] = [self.number.get(key, -1) for key in keys]
        keeps_colours = bool((repainted == np.arange(len(repainted))).all())
        sets = self._of_each_part(image)
        return self.matcher.match_each(sets, proper=transformation.proper, keeps_colours=keeps_colours)

    def images(self, moved: Sequence[Moved], placements: Ints) -> Ints:
        """The images of *placements* under each of *moved*, shape (len(moved), n)."""
        return np.stack([of_each[placements] for m in moved for of_each in m.arrays])
