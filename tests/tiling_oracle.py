"""Count tilings again, by a program that shares nothing with latcover: not the regions, the parts or the search.

`python tests/tiling_oracle.py aztec-squares 14` prints a count modulo 2^64 and modulo a prime near 2^60, with
which `docs/results/found.md` compares the counts of the frontier. It goes over the cells in a fixed order. For each
set of later cells that are covered, it keeps in how many ways tiles reach it, in sorted arrays of NumPy.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Place = tuple[int, int]
Words = npt.NDArray[np.uint64]

PRIME = 2**60 - 93
ONE = np.uint64(1)
BITS = 64


@dataclass(frozen=True, slots=True)
class Tiling:
    """A region for each size, the tiles as they may lie, and the order of the cells."""

    cells: Callable[[int], list[Place]]
    tiles: tuple[tuple[Place, ...], ...]
    order: Callable[[Place], Place]


@dataclass(frozen=True, slots=True)
class Residues:
    """A count modulo 2^64, and modulo `PRIME`."""

    binary: int
    prime: int

    def agree_with(self, count: int) -> bool:
        return (self.binary, self.prime) == (count % 2**BITS, count % PRIME)


def aztec_diamond(n: int) -> list[Place]:
    """The squares whose middles have |x| + |y| <= n."""
    return [(r, c) for r in range(-n, n) for c in range(-n, n) if abs(2 * r + 1) + abs(2 * c + 1) <= 2 * n]


def triangle(n: int) -> list[Place]:
    return [(i, j) for i in range(n) for j in range(n - i)]


def diagonal(place: Place) -> Place:
    return sum(place), place[0]


def row(place: Place) -> Place:
    return place


SQUARE = ((0, 0), (0, 1), (1, 0), (1, 1))
DOMINOES = (((0, 0), (0, 1)), ((0, 0), (1, 0)))
SKEWS = (((0, 1), (0, 2), (1, 0), (1, 1)), ((0, 0), (0, 1), (1, 1), (1, 2)))
BAR = ((0, 0), (0, 1), (0, 2), (0, 3))
STONES = (((0, 0), (0, 1), (1, 0)), ((1, 0), (0, 1), (1, 1)))
BONES = (((0, 0), (0, 1), (0, 2)), ((0, 0), (1, 0), (2, 0)), ((0, 2), (1, 1), (2, 0)))
TILINGS = {
    "aztec-squares": Tiling(aztec_diamond, (*DOMINOES, SQUARE), diagonal),
    "aztec-skew-squares": Tiling(aztec_diamond, (*SKEWS, SQUARE), diagonal),
    "aztec-skew-bars": Tiling(aztec_diamond, (*SKEWS, BAR, SQUARE), diagonal),
    "stones-and-bones": Tiling(triangle, (*STONES, *BONES), row),
}


def count(tiling: Tiling, n: int) -> Residues:
    """In how many ways the tiles cover the region of size *n*.

    Raises:
        OverflowError: two cells of a tile are 64 or more places apart in the order.
    """
    cells = sorted(tiling.cells(n), key=tiling.order)
    masks = _masks(tiling, cells)
    sets = np.zeros(1, np.uint64)  # bit k: the cell k places on is covered
    ways = np.ones((2, 1), np.uint64)
    for here in masks:
        covered = (sets & ONE).astype(bool)
        reached, by = [sets[covered] >> ONE], [ways[:, covered]]
        for mask in here:
            fits = (sets & mask) == 0
            reached.append((sets[fits] | mask) >> ONE)
            by.append(ways[:, fits])
        sets, ways = _merged(np.concatenate(reached), np.concatenate(by, axis=1))
        if not len(sets):
            return Residues(0, 0)
    return Residues(int(ways[0, 0]), int(ways[1, 0]))


def corners(n: int) -> Residues:
    """In how many ways V-shaped polyominoes that all lie alike, with equal arms of any length, cover a square.

    A set is described by how many cells of each column are covered from the current row on: a column has no gaps, since
    the corner of a tile is its lowest cell. Four bits hold a height, so *n* is at most 15.
    """
    sets, ways = np.zeros(1, np.uint64), np.ones((2, 1), np.uint64)
    for row_number in range(n):
        for column in range(n):
            place = 4 * column
            covered = (sets >> np.uint64(place) & np.uint64(15)) > 0
            reached, by = [sets[covered] - np.uint64(1 << place)], [ways[:, covered]]
            for arm in range(min(n - column, n - row_number)):
                free = np.uint64((16 ** (arm + 1) - 1) << place)
                across = sum(16**step for step in range(1, arm + 1))
                fits = (sets & free) == 0
                reached.append(sets[fits] + np.uint64((arm + across) << place))
                by.append(ways[:, fits])
            sets, ways = _merged(np.concatenate(reached), np.concatenate(by, axis=1))
    return Residues(int(ways[0, 0]), int(ways[1, 0]))


def cubes(n: int) -> Residues:
    """In how many ways cubes of any size fill a tower of 6 by 6 by *n*.

    As for corners, a set is described by the heights of columns, of which 21 share a word.
    """
    shifts = {(x, y): divmod(x * 6 + y, 21) for x in range(6) for y in range(6)}
    sets, ways = np.zeros((2, 1), np.uint64), np.ones((2, 1), np.uint64)

    def words(height: int, columns: list[Place]) -> Words:
        made = [0] * len(sets)
        for column in columns:
            made[shifts[column][0]] += height << 3 * shifts[column][1]
        return np.array(made, np.uint64)[:, None]

    for z in range(n):
        for x, y in shifts:
            covered = ((sets & words(7, [(x, y)])) != 0).any(axis=0)
            reached, by = [sets[:, covered] - words(1, [(x, y)])], [ways[:, covered]]
            for side in range(1, min(6 - x, 6 - y, n - z) + 1):
                base = [(x + a, y + b) for a in range(side) for b in range(side)]
                fits = ((sets & words(7, base)) == 0).all(axis=0)
                reached.append(sets[:, fits] + words(side, base) - words(1, [(x, y)]))
                by.append(ways[:, fits])
            sets, ways = _merged(np.concatenate(reached, axis=1), np.concatenate(by, axis=1))
    return Residues(int(ways[0, 0]), int(ways[1, 0]))


def _masks(tiling: Tiling, cells: list[Place]) -> list[list[np.uint64]]:
    """For each cell the tiles of which it is the first, as sets of places from it on."""
    number = {cell: k for k, cell in enumerate(cells)}
    masks: list[list[np.uint64]] = [[] for _ in cells]
    for r, c in cells:
        for tile in tiling.tiles:
            places = sorted(number.get((r + i - tile[0][0], c + j - tile[0][1]), -1) for i, j in tile)
            if places[0] >= 0:
                if places[-1] - places[0] >= BITS:
                    raise OverflowError(f"a tile reaches {places[-1] - places[0]} places on; at most {BITS - 1} fit")
                masks[places[0]].append(np.uint64(sum(1 << (place - places[0]) for place in places)))
    return masks


def _merged(sets: Words, ways: Words) -> tuple[Words, Words]:
    """Equal sets as one, with the sum of their ways: modulo 2^64 by overflow, and modulo `PRIME`.

    The last axis of *sets* is that of the sets; of several words, the first axis is that of the words.
    """
    words = np.atleast_2d(sets)
    order = np.lexsort(words)
    words, ways = words[:, order], ways[:, order]
    new = (words[:, 1:] != words[:, :-1]).any(axis=0)
    first = np.flatnonzero(np.concatenate([[True], new])) if len(order) else np.zeros(0, np.int64)
    if not len(first):
        return sets, ways
    ways = np.add.reduceat(ways, first, axis=1)  # of at most 15 ways each, so that those below 2^60 do not overflow
    ways[1] %= np.uint64(PRIME)
    return words[:, first].reshape(*sets.shape[:-1], -1), ways


OTHERS = {"square-corners": corners, "cubes-in-tower-6": cubes}


def main(name: str, size: str) -> None:
    found = OTHERS[name](int(size)) if name in OTHERS else count(TILINGS[name], int(size))
    print(f"{name} {size}: {found.binary} modulo 2^64, {found.prime} modulo 2^60 - 93")


if __name__ == "__main__":
    main(*sys.argv[1:])
