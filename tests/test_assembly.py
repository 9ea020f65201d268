"""Taking apart: against brute force on every lattice, and against puzzles of known level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

import latcover
from latcover.assembly.directions import directions
from latcover.assembly.taking_apart import ApartLimits, Assembler
from latcover.model.disassembly import Disassembly
from latcover.model.lattice import Lattice
from latcover.model.puzzle import Part, Puzzle, plain_region
from latcover.model.replay import _meetings, disassembly_faults
from latcover.model.solution import Placed, Solution
from tests.dice import Dice, cases

Cell = tuple[int, ...]
SOLID = ("cubic", "fcc", "hexprism", "triprism", "tetraocta", "rhombic")


def assembled(lattice: Lattice, pieces: list[list[Cell]], names: list[str] | None = None) -> tuple[Puzzle, Solution]:
    """A puzzle whose only solution of interest is these pieces at these places."""
    names = names or [f"P{k}" for k in range(len(pieces))]
    placed = tuple(Placed(name, tuple(sorted(cells))) for name, cells in zip(names, pieces, strict=True))
    parts = {
        p.part: Part(
            p.part, np.array(p.cells, np.int32), np.zeros(len(p.cells), np.int32), 1, None, lattice.allowed("fixed")
        )
        for p in placed
    }
    region = plain_region(np.array(sorted(c for cells in pieces for c in cells), np.int32))
    puzzle = Puzzle("assembly", lattice, region, tuple(parts.values()))
    return puzzle, Solution(placed, puzzle=puzzle)


def random_pieces(dice: Dice, lattice: Lattice, most_cells: int, most_pieces: int) -> list[list[Cell]]:
    """Connected pieces that grew into each other, from random cells near the origin."""
    n = dice.between(2, most_pieces)
    taken: dict[Cell, int] = {}
    pieces: list[list[Cell]] = []
    for k in range(n):
        border = [c for cell in taken for c in lattice.neighbours(cell) if c not in taken] or [
            (0, *[0] * lattice.dimension)
        ]
        cell = dice.pick(sorted(set(border)))
        taken[cell] = k
        pieces.append([cell])
    for _ in range(most_cells - n):
        k = dice.below(n)
        free = sorted({c for cell in pieces[k] for c in lattice.neighbours(cell) if c not in taken})
        if free:
            cell = dice.pick(free)
            taken[cell] = k
            pieces[k].append(cell)
    return pieces


class Oracle:
    """Brute force: every subset, every direction, every distance, by the drawings of all cells at all moments."""

    def __init__(self, lattice: Lattice, pieces: list[list[Cell]]) -> None:
        self.lattice, self.pieces = lattice, [np.array(p, np.int32) for p in pieces]
        ways = directions(lattice)
        self.ways = [tuple(map(int, w)) for w in (*ways, *-ways)]
        cells = np.concatenate(self.pieces)[:, 1:]
        self.far = 2 * int(np.ptp(cells, axis=0).max()) + 4
        self.blocked = cache(self._blocked)
        self.fewest = cache(self._fewest)

    def _blocked(self, i: int, j: int, offset: Cell, way: Cell) -> bool:
        """Whether piece i, one step along, meets piece j, which stands *offset* from its own place."""
        own, theirs = self.pieces[i], self.pieces[j]
        centres = (self.lattice.centres(theirs) + np.array(offset) @ self.lattice.basis)[None]
        offsets = (centres - self.lattice.centres(own)[:, None]).reshape(-1, self.lattice.dimension)
        u, w = np.repeat(own[:, 0], len(theirs)), np.tile(theirs[:, 0], len(own))
        return bool(_meetings(self.lattice).on_the_way(u, w, offsets, np.array(way) @ self.lattice.basis).any())

    def moves(self, ids: tuple[int, ...], places: tuple[Cell, ...]) -> Iterator[tuple[tuple[int, ...], tuple[Cell, ...] | None]]:
        """Each move: who goes, and the places afterwards; None for those who can go on for ever."""
        for size in range(1, len(ids)):
            for movers in combinations(range(len(ids)), size):
                for way in self.ways:
                    now = list(places)
                    for steps in range(self.far):
                        if any(
                            self.blocked(ids[a], ids[b], tuple(q - p for p, q in zip(now[a], now[b])), way)
                            for a in movers
                            for b in range(len(ids))
                            if b not in movers
                        ):
                            break
                        for a in movers:
                            now[a] = tuple(p + w for p, w in zip(now[a], way))
                        if steps < self.far - 1:
                            yield movers, tuple(tuple(x - y for x, y in zip(p, now[0])) for p in now)
                    else:
                        yield movers, None

    def _fewest(self, ids: tuple[int, ...], places: tuple[Cell, ...]) -> tuple[int, int] | None:
        """The moves to the first separation, and the least number in all if each group is parted as early as it can be."""
        if len(ids) == 1:
            return 0, 0
        start = tuple(tuple(x - y for x, y in zip(p, places[0])) for p in places)
        seen, front, depth = {start}, [start], 0
        while front:
            depth += 1
            totals, following = [], []
            for here in front:
                reached = list(self.moves(ids, here))
                for movers, there in reached:
                    if there is None:
                        groups = [[k for k in range(len(ids)) if (k in movers) == inside] for inside in (True, False)]
                        below = [self.fewest(tuple(ids[k] for k in g), self.relative(here, g)) for g in groups]
                        if None in below:
                            return None
                        totals.append(depth + sum(b[1] for b in below if b is not None))
                    elif there not in seen:
                        seen.add(there)
                        following.append(there)
            if totals:
                return depth, min(totals)
            front = following
        return None

    @staticmethod
    def relative(places: tuple[Cell, ...], group: list[int]) -> tuple[Cell, ...]:
        return tuple(tuple(x - y for x, y in zip(places[k], places[group[0]])) for k in group)

    def answer(self) -> tuple[int, int] | None:
        n = len(self.pieces)
        return self.fewest(tuple(range(n)), ((0,) * self.lattice.dimension,) * n)


def compare_with_oracle(lattice: Lattice, pieces: list[list[Cell]]) -> Disassembly:
    puzzle, solution = assembled(lattice, pieces)
    (found,) = Assembler(puzzle, in_plane=lattice.dimension < 3).take_apart([solution])
    expected = Oracle(lattice, pieces).answer()
    if expected is None:
        assert found.result == "stuck"
    else:
        assert found.result == "apart"
        assert found.least
        assert (found.level[0], len(found.steps)) == expected
    return found


@pytest.mark.parametrize("name", [*SOLID, "square", "triangular", "hexagonal"])
def test_random_assemblies(name: str) -> None:
    lattice = latcover.load_lattice(name)

    @cases(5, pieces=lambda dice: random_pieces(dice, lattice, dice.between(6, 16), 3))
    def compare(pieces: list[list[Cell]]) -> None:
        compare_with_oracle(lattice, pieces)

    compare()
