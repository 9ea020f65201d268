"""Check periodic tilings, and find their symmetry groups and their classes of tiles.

This imports nothing of the search: it looks at cells alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import islice, product

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Lattice
from latcover.core.model.period import Period
from latcover.errors import InternalError
from latcover.lab.plane.prototiles import Cell, PeriodicTiling, Tile

Matrix = npt.NDArray[np.int64]
NEAR = 1e-6


class TilingGroup(Struct, frozen=True):
    """The symmetry group of a tiling: all motions of the lattice that take tiles to tiles.

    Attributes:
        name: p1 to p6m.
        period: Two vectors that generate its translations.
        motions: A transformation of the lattice, by its number, and the shift after it, for each class of motions
            modulo the translations.
        classes: For each tile of the tiling the number of its class, from 0 as they come.
    """

    name: str
    period: Period
    motions: tuple[tuple[int, tuple[int, ...]], ...]
    classes: tuple[int, ...]

    @property
    def n_classes(self) -> int:
        return max(self.classes) + 1


def check_tiling(tiling: PeriodicTiling) -> None:
    """Check that the tiles are copies of the shapes, and cover each cell once.

    Raises:
        InternalError: they do not.
    """
    prototiles, period = tiling.prototiles, tiling.period
    if not period.volume:
        raise InternalError("a tiling has no two independent translations")
    for tile in tiling.tiles:
        allowed = {t.labels for t in prototiles.shapes[tile.shape].transformations}
        if prototiles.lattice.transformations[tile.turn].labels not in allowed:
            raise InternalError("a tile is rotated or reflected in a way that its shape does not allow")
    homes = period.homes_of([cell for tile in tiling.tiles for cell in prototiles.cells_of(tile).tolist()])
    held = set(homes)
    if len(held) < len(homes):
        raise InternalError("two tiles of a tiling overlap")
    if len(held) != tiling.area:
        raise InternalError(f"a tiling leaves {tiling.area - len(held)} cells of its torus uncovered")


def group_of(tiling: PeriodicTiling) -> TilingGroup:
    """The symmetry group of a tiling that has passed `check_tiling`."""
    return _Finder(tiling).group()


def with_shortest_period(tiling: PeriodicTiling) -> PeriodicTiling:
    """The same tiling with all its translations as its period, and the tiles that this leaves."""
    finder = _Finder(tiling)
    period = finder.shortest
    found: dict[tuple[Cell, ...], Tile] = {}
    for tile, cells in zip(tiling.tiles, finder.cells, strict=True):
        found.setdefault(tuple(sorted(period.homes_of(cells))), tile)
    return replace(tiling, period=period, tiles=tuple(found.values()))


class _Finder:
    """Looks for motions that take tiles to tiles."""

    def __init__(self, tiling: PeriodicTiling) -> None:
        self.lattice, self.period = tiling.prototiles.lattice, tiling.period
        self.shapes = [tile.shape for tile in tiling.tiles]
        self.cells: list[list[Cell]] = [
            sorted(map(tuple, tiling.prototiles.cells_of(t).tolist())) for t in tiling.tiles
        ]
        owners = [(k, cell) for k, cells in enumerate(self.cells) for cell in cells]
        self._every = np.array([cell for _, cell in owners], np.int32)
        # the tile that holds the home of a cell, and its own cell
        self.at: dict[Cell, tuple[int, Cell]] = dict(
            zip(self.period.homes_of([cell for _, cell in owners]), owners, strict=True)
        )

    @cached_property
    def _moves(self) -> list[tuple[tuple[int, ...], list[int]]]:
        """The translations, as `_shifts` gives them."""
        return self._shifts(0)

    @cached_property
    def shortest(self) -> Period:
        """Two short vectors that generate all translations."""
        moves = [shift for shift, _ in self._moves]
        vectors = shortest_basis([*self.period.vectors, *moves], self.lattice)
        return self.period if vectors == self.period.vectors else Period(2, vectors)

    def group(self) -> TilingGroup:
        motions: list[tuple[int, tuple[int, ...]]] = [(0, (0, 0))]
        leads: list[list[int]] = [taken for _, taken in self._moves]
        for turn in range(1, len(self.lattice.transformations)):
            if not self._keeps(turn):
                continue
            found = self._shifts(turn)
            if found:
                motions.append((turn, self.shortest.home_of((0, *found[0][0]))[1:]))
                leads.append(found[0][1])
        name = _name(self.lattice, self.shortest, motions)
        return TilingGroup(name, self.shortest, tuple(motions), self._classes(leads))

    def _keeps(self, turn: int) -> bool:
        """Whether a transformation takes translations of the tiling to such translations."""
        images = np.array(self.shortest.vectors) @ self.lattice.transformations[turn].matrix.T
        return all(self.shortest.home_of((0, *image)) == (0, 0, 0) for image in images.tolist())

    def _shifts(self, turn: int) -> list[tuple[tuple[int, ...], list[int]]]:
        """The shifts after *turn*, modulo the period of the tiling, that take tiles to tiles; and where each goes."""
        turned = map(tuple, self.lattice.transformations[turn].apply(self._every).tolist())
        images: list[list[Cell]] = [sorted(islice(turned, len(cells))) for cells in self.cells]
        found: list[tuple[tuple[int, ...], list[int]]] = []
        first = images[0][0]
        for cells in self.cells:
            here = cells[0]
            shift = (here[1] - first[1], here[2] - first[2])
            taken = self._taken(images, shift) if here[0] == first[0] else None
            if taken is not None:
                found.append((shift, taken))
        return found

    def _taken(self, images: list[list[Cell]], shift: tuple[int, int]) -> list[int] | None:
        """Which tile each tile becomes, up to the period; None if one becomes no tile."""
        taken = []
        for k, image in enumerate(images):
            moved = [(node, x + shift[0], y + shift[1]) for node, x, y in image]
            to, own = self.at[self.period.home_of(moved[0])]
            a, b = moved[0][1] - own[1], moved[0][2] - own[2]
            if self.shapes[to] != self.shapes[k] or moved != [(u, x + a, y + b) for u, x, y in self.cells[to]]:
                return None
            taken.append(to)
        return taken

    def _classes(self, leads: list[list[int]]) -> tuple[int, ...]:
        classes = [-1] * len(self.cells)
        number = 0
        for first in range(len(classes)):
            if classes[first] >= 0:
                continue
            queue = [first]
            classes[first] = number
            for k in queue:
                for to in (taken[k] for taken in leads):
                    if classes[to] < 0:
                        classes[to] = number
                        queue.append(to)
            number += 1
        return tuple(classes)


def shortest_basis(vectors: Sequence[Sequence[int]], lattice: Lattice) -> tuple[tuple[int, ...], ...]:
    """Two short vectors that generate the same translations (Euclid, then Gauss and Lagrange)."""
    a, b, d = 0, 0, 0
    for x, y in vectors:
        while x:
            times = a // x
            a, b, x, y = x, y, a - times * x, b - times * y
        d = int(np.gcd(d, y))
    one, other = np.array([a, b]), np.array([0, d])
    while True:
        u, v = one @ lattice.basis, other @ lattice.basis
        if u @ u > v @ v + NEAR:
            one, other, u, v = other, one, v, u
        times = round(float(u @ v / (u @ u)))
        nearer = other - times * one
        w = nearer @ lattice.basis
        if not times or w @ w > v @ v - NEAR:
            break
        other = nearer
    if one[0] * other[1] < one[1] * other[0]:
        other = -other
    return tuple(map(int, one)), tuple(map(int, other))


# ---- the name of a group


def _name(lattice: Lattice, period: Period, motions: list[tuple[int, tuple[int, ...]]]) -> str:
    """The name of a group, by its rotations and by which of its reflections are mirrors or glides."""
    orders = {2: 1, -2: 2, -1: 3, 0: 4, 1: 6}  # of a rotation, by its trace
    turns = lattice.transformations
    order = max(orders[int(np.trace(turns[turn].matrix))] for turn, _ in motions if turns[turn].proper)
    flips = [_Affine.of(lattice, period, turn, shift) for turn, shift in motions if not turns[turn].proper]
    if not flips:
        return f"p{order}"
    mirrors = sum(affine.is_mirror for affine in flips)
    glides = any(affine.has_glide for affine in flips)
    if order == 1:
        return ("cm" if glides else "pm") if mirrors else "pg"
    if order == 2:
        return ("cmm" if glides else "pmm") if mirrors == 2 else "pmg" if mirrors else "pgg"
    if order == 3:
        return "p31m" if any(affine.keeps_a_shortest for affine in flips) else "p3m1"
    if order == 4:
        return "p4m" if mirrors == 4 else "p4g"
    return "p6m"


class _Affine(Struct, frozen=True):
    """A reflection in units of the period's vectors: x goes to ``matrix @ x + shift``.

    Attributes:
        lengths: Products of the vectors with each other, shape (2, 2).
    """

    matrix: npt.NDArray[np.float64]
    shift: npt.NDArray[np.float64]
    lengths: npt.NDArray[np.float64]

    @classmethod
    def of(cls, lattice: Lattice, period: Period, turn: int, shift: tuple[int, ...]) -> _Affine:
        transformation = lattice.transformations[turn]
        cell = np.zeros((1, 3), np.int32)
        image = transformation.apply(cell)
        image[:, 1:] += np.array(shift, np.int32)
        vectors = np.array(period.vectors, float) @ lattice.basis
        into = np.linalg.inv(vectors.T)
        linear = lattice.basis.T @ transformation.matrix @ np.linalg.inv(lattice.basis.T)
        moved = lattice.centres(image)[0] - linear @ lattice.centres(cell)[0]
        return cls(np.rint(into @ linear @ vectors.T), into @ moved, vectors @ vectors.T)

    @property
    def _half(self) -> npt.NDArray[np.float64]:
        """Takes a shift to the part of it along the axis, by which the reflection slips."""
        along: npt.NDArray[np.float64] = (self.matrix + np.eye(2)) / 2
        return along

    @property
    def is_mirror(self) -> bool:
        """Whether some translation after it makes it a mirror."""
        shift = self.shift - np.floor(self.shift)  # the vectors are short, so that entries of the matrix are at most 1
        further = np.array([*product(range(-4, 5), repeat=2)])
        return bool((np.abs((further + shift) @ self._half.T).max(axis=1) <= NEAR).any())

    @property
    def has_glide(self) -> bool:
        """Whether some translation after it makes it a glide by what is no translation of the group."""
        slips = (np.array([*product((0, 1), repeat=2)]) + self.shift) @ self._half.T
        return bool((np.abs(slips - np.rint(slips)).max(axis=1) > NEAR).any())

    @property
    def keeps_a_shortest(self) -> bool:
        """Whether a shortest translation lies on its axis."""
        steps = np.array([step for step in product((-1, 0, 1), repeat=2) if any(step)], float)
        lengths = np.einsum("ni,ij,nj->n", steps, self.lengths, steps)
        shortest = steps[lengths <= lengths.min() + NEAR]
        return bool((np.abs(shortest @ self.matrix.T - shortest).max(axis=1) <= NEAR).any())
