"""How a transformation that maps the region to itself moves the placements, if it maps them to placements.

In a region that is not periodic (`ShapeImages`), orientations are compared: a puzzle has hundreds of them, but may have
millions of placements. In a periodic region (`RowImages`) two orientations may have the same placements, so the
placements themselves are compared.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.problem import Ints, Longs
from latcover.core.encoding.placement import AlikePlacements, PlacementTable, places_in
from latcover.core.model.lattice import Transformation
from latcover.core.model.orientation import images, in_batches
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules.rule import rules_of
from latcover.errors import PuzzleError
from latcover.system.sorted_sets import distinct

_DENSE = 1 << 25  # entries of a dense table from (orientation, anchor) to placement


class Moved(Struct, frozen=True, eq=False):
    """The image of each part, shape (n_parts,), int32; what the images of placements need; and a key of the action."""

    parts: Ints
    arrays: tuple[Ints, ...]
    action: bytes


class KnownRows:
    """Rows of numbers by which things are recognised: equal things have equal rows, and so equal numbers.

    Rows of different *kinds* are never equal.
    """

    def __init__(self, rows: Iterator[tuple[Hashable, npt.NDArray[np.bytes_]]]) -> None:
        by_kind: dict[Hashable, list[npt.NDArray[np.bytes_]]] = defaultdict(list)
        for kind, some in rows:
            by_kind[kind].append(some.reshape(-1))
        self._known = {kind: distinct(np.concatenate(some)) for kind, some in by_kind.items()}
        self._first = dict(zip(self._known, np.cumsum([0, *map(len, self._known.values())]).tolist(), strict=False))
        self.n = sum(map(len, self._known.values()))

    def numbers(self, kind: Hashable, rows: npt.NDArray[np.bytes_]) -> Longs:
        """The number of each row, -1 for an unknown one."""
        places = places_in(self._known[kind], rows)
        return np.where(places < 0, -1, places + self._first[kind])


class PartShapes:
    """The shape of each part after each transformation of the lattice, as a number: equal shapes have equal numbers.

    Attributes:
        numbers: The number of each shape, shape (n_parts, n_transformations), int64.
        n: How many different shapes there are.
        orders: Which cell of each part each cell of its images is, shape (n_transformations, k), int64.
        allowed: The indices of each part's transformations.
    """

    def __init__(self, puzzle: Puzzle, axes: Sequence[int]) -> None:
        """*axes*: the axes that order the cells, slowest first."""
        lattice = puzzle.lattice
        self.puzzle = puzzle
        self._batches = [
            (batch, images([puzzle.parts[p] for p in batch], lattice.transformations, axes))
            for batch in in_batches(puzzle.parts, len(lattice.transformations))
        ]
        self._known = KnownRows(self._rows(None, None))
        self.n = self._known.n
        self.numbers = self._numbers(None, None)
        self.orders = {p: moved.order[k] for batch, moved in self._batches for k, p in enumerate(batch)}
        number_of, self.allowed = lattice.number_of, []
        for part in puzzle.parts:
            if any(t.labels not in number_of for t in part.transformations):
                raise PuzzleError(f"part {part.name!r} has a transformation that lattice {lattice.name!r} lacks")
            self.allowed.append(np.array([number_of[t.labels] for t in part.transformations]))
        self._hands: dict[tuple[int, int], bool] = {}

    def repainted(self, colours: Ints) -> Longs:
        """The numbers of the shapes after an exchange of *colours* and values; -1 for a shape that no part has."""
        if (colours == np.arange(len(colours))).all():
            return self.numbers
        n = len(self.puzzle.colours)  # the numbers of the values of sides come after those of the colours
        return self._numbers(colours[:n], colours[n:] - n)

    def _rows(self, colours: Ints | None, values: Ints | None) -> Iterator[tuple[Hashable, npt.NDArray[np.bytes_]]]:
        for _, moved in self._batches:  # parts of different sizes may have equal rows
            rows = moved.rows(colours, values)
            yield (moved.cells.shape[2], rows.dtype), rows

    def _numbers(self, colours: Ints | None, values: Ints | None) -> Longs:
        numbers = np.empty((len(self.puzzle.parts), len(self.puzzle.lattice.transformations)), np.int64)
        for (batch, _), (kind, rows) in zip(self._batches, self._rows(colours, values), strict=True):
            numbers[batch] = self._known.numbers(kind, rows)
        return numbers

    def made_by(self, part: int) -> Longs:
        """A transformation that makes each orientation of *part*: the first one of those allowed."""
        allowed = self.allowed[part]
        first: Longs = np.sort(np.unique(self.numbers[part, allowed], return_index=True)[1])
        return allowed[first]

    def are_hands(self, one: int, other: int) -> bool:
        """Whether two parts are a chiral pair: a reflection, but no rotation, maps one to the other.

        It maps all orientations, also those that do not fit into the region. Otherwise three parts could be mapped in
        a circle.
        """
        if (one, other) not in self._hands:
            lattice, target = self.puzzle.lattice, set(self.numbers[other, self.allowed[other]].tolist())
            proper: set[bool] = set()  # of the transformations that map one to the other
            for transformation in lattice.transformations:
                image = self.numbers[one, lattice.then(transformation)[self.allowed[one]]].tolist()
                if image[0] in target and set(image) == target:  # the first decides nearly always
                    proper.add(transformation.proper)
            self._hands[one, other] = proper == {False}
        return self._hands[one, other]


def _open_cells(puzzle: Puzzle, table: PlacementTable) -> list[npt.NDArray[np.bool_] | None]:
    """Whether each part may cover each cell of the region, shape (n_cells,); None where it may cover all."""
    found: list[npt.NDArray[np.bool_] | None] = [None] * len(puzzle.parts)
    for p, part in enumerate(puzzle.parts):
        if part.is_confined:
            from latcover.core.encoding.confines import open_to  # few puzzles need it

            cells = open_to(part, table.index.find, len(table.region.cells))
            found[p] = None if cells.all() else cells
    return found


class PartImages(ABC):
    """Finds how transformations move parts and placements.

    It compares *things* of the parts, orientations or placements, by their numbers: equal things have equal numbers.
    """

    def __init__(self, puzzle: Puzzle, table: PlacementTable, shapes: PartShapes) -> None:
        self.puzzle, self.table, self.shapes = puzzle, table, shapes
        classes = [rule.named_parts for rule in rules_of(puzzle)]
        self._bounds = [
            (part.low, puzzle.most_copies(part), *(part.name in names for names in classes)) for part in puzzle.parts
        ]
        self._open = _open_cells(puzzle, table)

    def _know(self, part_of: Ints | Longs, numbers: Longs, n_numbers: int) -> None:
        """Know the things of all parts, by their parts, ascending, and their numbers, each below *n_numbers*."""
        self._edges = np.searchsorted(part_of, np.arange(len(self.puzzle.parts) + 1)).tolist()
        self._width = n_numbers + 1  # a key has room for the number -1
        self._part_of = part_of.astype(np.int64)
        keys = self._part_of * self._width + numbers + 1
        self._by_key = np.argsort(keys)
        self._keys = keys[self._by_key]
        self._own = self._of_each_part(self._keys)
        self._parts_of: dict[Hashable, list[int]] = defaultdict(list)
        for p, (own, bounds) in enumerate(zip(self._own, self._bounds, strict=True)):
            self._parts_of[own, bounds].append(p)

    def _of_each_part(self, keys: Longs) -> list[bytes]:
        numbers = keys % self._width
        return [numbers[a:b].tobytes() for a, b in pairwise(self._edges)]

    @abstractmethod
    def _images(self, transformation: Transformation, repainted: Ints, cells: Ints) -> Longs:
        """The number of the image of each thing; -1 if no part has such a thing."""

    @abstractmethod
    def _moved(self, parts: Ints, goes_to: Longs, transformation: Transformation, cells: Ints) -> Moved:
        """What the images of placements need; *goes_to* is the image of each thing."""

    @abstractmethod
    def images(self, moved: Sequence[Moved], placements: Ints) -> Ints:
        """The images of *placements* under each of *moved*, shape (len(moved), n)."""

    def moved(self, transformation: Transformation, repainted: Ints, cells: Ints) -> Moved | None:
        """The images of parts and placements; None if this is not a symmetry.

        Args:
            transformation: Moves the cells, up to a translation.
            repainted: What each colour, and then each value of sides, becomes: see `Symmetry`.
            cells: The image of each cell of the region, shape (n_cells,), int32.
        """
        image = self._images(transformation, repainted, cells)
        if (image < 0).any():
            return None
        parts = self._matched(image, transformation, repainted, cells)
        if (parts < 0).any():
            return None
        keys = parts[self._part_of].astype(np.int64) * self._width + image + 1
        return self._moved(parts, self._by_key[np.searchsorted(self._keys, keys)], transformation, cells)

    def renamed(self, transformation: Transformation, repainted: Ints, cells: Ints) -> Ints:
        """The part that each part becomes, or -1, even if this is no symmetry; the arguments are those of `moved`."""
        return self._matched(self._images(transformation, repainted, cells), transformation, repainted, cells)

    def _matched(self, image: Longs, transformation: Transformation, repainted: Ints, cells: Ints) -> Ints:
        """The part that each part becomes; -1 for a part that may not become its image.

        A rotation maps each part to itself. A reflection may map a part to the other hand of a chiral pair. An exchange
        of colours may map it to the part with the exchanged colours. If several parts are equal, there must be equally
        many parts to map them to; the i-th of the former becomes the i-th of the latter. The cells that a part may
        cover must become those that its image may cover.
        """
        parts = np.arange(len(self._own), dtype=np.int32)
        keys = np.sort(self._part_of * self._width + image + 1)
        may_stay = [self._is_open_alike(p, p, cells) for p in range(len(parts))]
        if np.array_equal(keys, self._keys) and all(may_stay):
            return parts
        keeps_colours = bool((repainted == np.arange(len(repainted))).all())
        for p, (own, becomes) in enumerate(zip(self._own, self._of_each_part(keys), strict=True)):
            if becomes == own and may_stay[p]:
                continue
            if keeps_colours and transformation.proper:
                parts[p] = -1
                continue
            others = self._parts_of.get((becomes, self._bounds[p]), [])
            if keeps_colours:
                others = [q for q in others if self.shapes.are_hands(p, q)]
            others = [q for q in others if self._is_open_alike(p, q, cells)]
            equals = [q for q in self._parts_of[own, self._bounds[p]] if self._has_same_cells(p, q)]
            parts[p] = others[equals.index(p)] if len(others) == len(equals) else -1
        return parts

    def _is_open_alike(self, part: int, other: int, cells: Ints) -> bool:
        """Whether *cells*, the image of each cell, takes the cells that a part may cover to those of another part."""
        own, there = self._open[part], self._open[other]
        if own is None or there is None:
            return own is there
        return bool((there[cells] == own).all())

    def _has_same_cells(self, part: int, other: int) -> bool:
        own, there = self._open[part], self._open[other]
        return own is there or (own is not None and there is not None and np.array_equal(own, there))


class ShapeImages(PartImages):
    """Compares the fitting orientations of the parts. It serves regions that are not periodic."""

    def __init__(self, puzzle: Puzzle, table: PlacementTable) -> None:
        super().__init__(puzzle, table, PartShapes(puzzle, table.axes))
        n_parts, self.n_orientations = len(puzzle.parts), len(table.orientations)
        self.fits = distinct(table.orientation)
        part_of = np.repeat(np.arange(n_parts), np.diff(table.first_orientation))[self.fits]
        made_by = [self.shapes.made_by(p) for p in range(n_parts)]
        self.made_by = np.concatenate([np.empty(0, np.int64), *made_by])[self.fits]
        self._know(part_of, self.shapes.numbers[part_of, self.made_by], self.shapes.n)
        self._anchor_of_image = self._anchors_of_images()
        self._repainted: dict[bytes, Longs] = {}
        n_keys = self.n_orientations * len(table.region.cells)
        self.dense: Ints | None = None
        if n_keys <= _DENSE:
            self.dense = np.full(n_keys, -1, np.int32)
            self.dense[table.placed] = table.placed_as

    def _images(self, transformation: Transformation, repainted: Ints, cells: Ints) -> Longs:
        key = repainted.tobytes()
        if key not in self._repainted:
            self._repainted[key] = self.shapes.repainted(repainted)
        image: Longs = self._repainted[key][self._part_of, self._becomes(transformation)]
        return image

    def _becomes(self, transformation: Transformation) -> Longs:
        """The transformation that makes the image of each fitting orientation."""
        becomes: Longs = self.puzzle.lattice.then(transformation)[self.made_by]
        return becomes

    def _moved(self, parts: Ints, goes_to: Longs, transformation: Transformation, cells: Ints) -> Moved:
        orientations = np.full(self.n_orientations, -1, dtype=np.int32)
        orientations[self.fits] = self.fits[goes_to]
        anchors = np.zeros(self.n_orientations, dtype=np.int32)
        anchors[self.fits] = self._anchor_of_image[np.arange(len(self.fits)), self._becomes(transformation)]
        return Moved(parts, (orientations, anchors, cells), orientations.tobytes())

    def _anchors_of_images(self) -> Longs:
        """Which cell of each fitting orientation becomes the anchor of its image, shape (n, n_transformations).

        The image is that of the part under a transformation, not that of the orientation.
        """
        found = np.empty((len(self.fits), len(self.puzzle.lattice.transformations)), np.int64)
        for p, (a, b) in enumerate(pairwise(self._edges)):
            order = self.shapes.orders[p]
            position = np.argsort(order[self.made_by[a:b]], axis=1)
            found[a:b] = position[:, order[:, 0]]
        return found

    def images(self, moved: Sequence[Moved], placements: Ints) -> Ints:
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


class RowImages(PartImages):
    """Compares the placements, as rows of cells with their colours and sides. It serves periodic regions."""

    def __init__(self, puzzle: Puzzle, table: PlacementTable) -> None:
        super().__init__(puzzle, table, PartShapes(puzzle, table.axes))
        self._groups = list(table.in_groups())
        still = np.arange(len(table.region.cells), dtype=np.int32)
        colours = np.arange(len(puzzle.colours) + len(puzzle.rules.sides), dtype=np.int32)
        identity = puzzle.lattice.transformations[0]
        self._known = KnownRows(enumerate(self._rows(identity, colours, still)))
        self._know(table.part_of, self._images(identity, colours, still), self._known.n)

    def _rows(self, transformation: Transformation, repainted: Ints, cells: Ints) -> Iterator[npt.NDArray[np.bytes_]]:
        """For each group the images of its placements: rows of cells, colours and sides."""
        labels = np.array(transformation.labels, dtype=np.int32)
        n_colours = len(self.puzzle.colours)
        values = repainted[n_colours:] - n_colours
        for group in self._groups:
            sides = np.stack([group.sides[..., 0], labels[group.sides[..., 1]], values[group.sides[..., 2]]], axis=-1)
            yield AlikePlacements(group.members, cells[group.cells], repainted[group.colours], sides).rows()

    def _images(self, transformation: Transformation, repainted: Ints, cells: Ints) -> Longs:
        image = np.empty(len(self.table), np.int64)
        for group, rows in enumerate(self._rows(transformation, repainted, cells)):
            image[self._groups[group].members] = self._known.numbers(group, rows)
        return image

    def _moved(self, parts: Ints, goes_to: Longs, transformation: Transformation, cells: Ints) -> Moved:
        placements = goes_to.astype(np.int32)
        return Moved(parts, (placements,), placements.tobytes())

    def images(self, moved: Sequence[Moved], placements: Ints) -> Ints:
        return np.stack([of_each[placements] for m in moved for of_each in m.arrays])
