"""Which copies of shapes can lie beside each other: computed once, for each orientation, as numbers.

A cell ``(node, x, y)`` is the number ``node * UNITS + place(x, y)``, a copy the number ``orientation * UNITS +
place(shift)``; so a shift of a copy adds a number to its cells. What lies around a copy in the origin is kept as an
array of such numbers, the copy's *relatives*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from latcover.lab.plane.copies import Copies
from latcover.lab.plane.prototiles import Prototiles, Tile
from latcover.system.sorted_sets import distinct, without

Numbers = npt.NDArray[np.int64]
SIDE = 1 << 18  # shifts along an axis lie between - SIDE / 2 and SIDE / 2
UNITS = SIDE * SIDE
ORIGIN = (SIDE // 2) * SIDE + SIDE // 2  # the place (0, 0)


def numbers_of(cells: Iterable[tuple[int, ...]]) -> Numbers:
    """The numbers of cells, or of copies ``(orientation, shift)``."""
    rows = np.array(list(cells), np.int64).reshape(-1, 3)
    numbers: Numbers = rows[:, 0] * UNITS + rows[:, 1] * SIDE + rows[:, 2] + ORIGIN
    return numbers


def rows_of(numbers: Numbers) -> Numbers:
    """The reverse of `numbers_of`, shape (n, 3)."""
    place = numbers % UNITS
    return np.column_stack([numbers // UNITS, place // SIDE - SIDE // 2, place % SIDE - SIDE // 2])


class Neighbours:
    """The copies of prototiles that overlap or touch each other.

    Attributes:
        cells, around: For each orientation the numbers of its cells, and of those that touch it.
        overlapping, touching: For each orientation its relatives that overlap it, itself included, and that touch it,
            along a side or at a corner; sorted.
        leader: For each orientation the one that stands for it: a transformation of all shapes takes this one to it.
    """

    def __init__(self, prototiles: Prototiles) -> None:
        self.prototiles = prototiles
        self.copies = Copies(prototiles)
        oriented = self.copies.orientations
        self.cells = [numbers_of(each.cells) for each in oriented]
        self.around = [numbers_of(sorted(self.copies.surroundings(each.cells))) for each in oriented]
        self.overlapping = [self._relatives(own) for own in self.cells]
        self.touching = [
            without(self._relatives(near), over) for near, over in zip(self.around, self.overlapping, strict=True)
        ]
        self.leader, self._turns = self._orbits()

    @property
    def n_orientations(self) -> int:
        return len(self.cells)

    @property
    def leaders(self) -> list[int]:
        """The orientations that stand for themselves."""
        return sorted(set(self.leader))

    def tile(self, copy: int) -> Tile:
        """The tile with the number *copy*."""
        orientation, x, y = rows_of(np.array([copy]))[0].tolist()
        tile: Tile = self.copies.orientations[orientation].tile
        return tile.moved((x, y))

    def _relatives(self, cells: Numbers) -> Numbers:
        """The copies that hold one of *cells*, sorted."""
        found = [self._shifts(cells, own) + k * UNITS for k, own in enumerate(self.cells)]
        return distinct(np.concatenate(found))

    @staticmethod
    def _shifts(cells: Numbers, own: Numbers) -> Numbers:
        """The places to which a copy with the cells *own* may move to hold one of *cells*."""
        same = (cells // UNITS)[:, None] == own // UNITS
        shifts: Numbers = ((cells % UNITS)[:, None] - own % UNITS)[same] + ORIGIN
        return shifts

    def _orbits(self) -> tuple[list[int], list[int]]:
        """For each orientation its leader, and the transformation that takes the leader to it."""
        lattice, shapes = self.prototiles.lattice, self.prototiles.shapes
        common = set.intersection(*({turn.labels for turn in shape.transformations} for shape in shapes))
        leader, turns = list(range(self.n_orientations)), [0] * self.n_orientations
        for k in range(self.n_orientations):
            if leader[k] != k:
                continue
            for turn in sorted(lattice.number_of[labels] for labels in common):
                image, _ = self._image(k, turn)
                if leader[image] == image != k:
                    leader[image], turns[image] = k, turn
        return leader, turns

    def _image(self, orientation: int, turn: int) -> tuple[int, Numbers]:
        """The orientation to which a transformation takes one at the origin, and its shift then."""
        each = self.copies.orientations[orientation]
        cells = self.prototiles.lattice.transformations[turn].apply(np.array(each.cells, np.int32))
        tile = self.copies.named(each.tile.shape, map(tuple, cells.tolist()))
        assert tile is not None, "the common transformations take each copy to a copy"
        known = {(o.tile.shape, o.tile.turn): k for k, o in enumerate(self.copies.orientations)}
        return known[tile.shape, tile.turn], np.array(tile.shift, np.int64)

    @cached_property
    def _images(self) -> list[tuple[Numbers, Numbers, Numbers]]:
        """For each orientation how the transformation of its leader moves all copies."""
        found = []
        for k, turn in enumerate(self._turns):
            images = [self._image(j, turn) for j in range(self.n_orientations)]
            _, own = images[self.leader[k]]
            matrix = self.prototiles.lattice.transformations[turn].matrix.astype(np.int64)
            found.append((np.array([j for j, _ in images]), np.array([shift for _, shift in images]) - own, matrix))
        return found

    def for_each(self, of_leaders: Mapping[int, Numbers]) -> list[Numbers]:
        """Relatives of every orientation, sorted, from relatives of the leaders."""
        return [self._moved(of_leaders[self.leader[k]], k) for k in range(self.n_orientations)]

    def _moved(self, relatives: Numbers, orientation: int) -> Numbers:
        if self.leader[orientation] == orientation:
            return relatives
        images, shifts, matrix = self._images[orientation]
        rows = rows_of(relatives)
        places = rows[:, 1:] @ matrix.T + shifts[rows[:, 0]]
        return np.sort(images[rows[:, 0]] * UNITS + places[:, 0] * SIDE + places[:, 1] + ORIGIN)

    def beside(self, copies: Numbers, relatives: list[Numbers]) -> Numbers:
        """All relatives of *copies*, sorted."""
        found = [
            (relatives[k] + (copies[copies // UNITS == k] % UNITS - ORIGIN)[:, None]).ravel()
            for k in range(self.n_orientations)
        ]
        return distinct(np.concatenate(found))

    def held(self, copies: Numbers, cells: list[Numbers]) -> tuple[Numbers, Numbers]:
        """Pairs of an index into *copies* and a cell of *cells* (those of each orientation), by orientation."""
        index, numbers = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for k, own in enumerate(cells):
            which = np.flatnonzero(copies // UNITS == k)
            index.append(np.repeat(which, len(own)))
            numbers.append((own + (copies[which] % UNITS - ORIGIN)[:, None]).ravel())
        return np.concatenate(index), np.concatenate(numbers)

    def related(self, copies: Numbers, relatives: list[Numbers]) -> tuple[Numbers, Numbers]:
        """The pairs of indices into sorted *copies*, the lower first, of which one is a relative of the other."""
        first, second = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for k, own in enumerate(relatives):
            which = np.flatnonzero(copies // UNITS == k)
            there = own + (copies[which] % UNITS - ORIGIN)[:, None]
            at = np.minimum(np.searchsorted(copies, there), len(copies) - 1)
            here, column = np.nonzero(copies[at] == there)
            first.append(which[here])
            second.append(at[here, column])
        one, other = np.concatenate(first), np.concatenate(second)
        low, high = np.minimum(one, other), np.maximum(one, other)
        found = distinct((low * len(copies) + high)[low < high])
        return found // len(copies), found % len(copies)
