"""Brute force for taking apart: every set of pieces, every direction, every distance, breadth-first over their places.

What a cell meets comes from the lattice's drawings alone, as in the check of plans. It shares no table, no reduction
and no code with the native search.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from operator import mul

import numpy as np

from latcover.core.model.lattice import TOUCH, Lattice
from latcover.core.model.meetings import meetings

Cell = tuple[int, ...]
Ids, Places = tuple[int, ...], tuple[Cell, ...]
Groups = Mapping[str, Mapping[str, int | None]]  # by name: how many copies of each part may stay in such a group
PATIENCE = 2_000  # positions, times the directions that each is tried in


class TooManyPositionsError(Exception):
    """Brute force would take too long."""


@lru_cache(maxsize=256)
def met(lattice: Lattice, way: Cell) -> dict[tuple[int, int], list[Cell]]:
    """Which cells of node w the cell of node u in the unit at the origin meets on one step; both ends count."""
    centres = np.array([node.position for node in lattice.nodes])
    step, test = np.array(way) @ lattice.basis, meetings(lattice, TOUCH)
    far = np.linalg.norm(step) + float(test.near.max()) + float(np.linalg.norm(centres, axis=1).max()) * 2
    most = [int(far * x) + 1 for x in np.linalg.norm(np.linalg.inv(lattice.basis), axis=0)]
    units = np.array(list(product(*(range(-m, m + 1) for m in most))))
    found = {}
    for u, w in product(range(len(centres)), repeat=2):
        offsets = units @ lattice.basis + centres[w] - centres[u]
        meets = test.on_the_way(np.full(len(units), u), np.full(len(units), w), offsets, step)
        found[u, w] = [tuple(x) for x in units[meets].tolist()]
    return found


class Oracle:
    """How few moves take some pieces apart.

    Args:
        lattice: The lattice.
        pieces: The cells of each.
        ways: The directions, one of each pair of opposite ones.
        names: The part of each piece; each its own if it is left out.
        groups: The groups of pieces that may stay together.
        patience: How much may be tried; None: all there is.
    """

    def __init__(
        self,
        lattice: Lattice,
        pieces: Sequence[Sequence[Cell]],
        ways: Sequence[Cell],
        names: Sequence[str] | None = None,
        groups: Groups | None = None,
        patience: int | None = PATIENCE,
    ) -> None:
        self.lattice, self.pieces, self.groups = lattice, pieces, groups or {}
        self.names = names or [str(k) for k in range(len(pieces))]
        self.ways = [*map(tuple, ways), *(tuple(-x for x in way) for way in ways)]
        self.tried, self.patience = 0, patience
        self._blocked: dict[tuple[int, int, Cell], dict[Cell, list[int]]] = {}
        self._runs: dict[tuple[int, int, Cell, Cell], int | None] = {}
        self._extents: dict[tuple[int, Cell], tuple[float, float, list[float]]] = {}
        self._fewest: dict[tuple[Ids, Places], tuple[int, int] | None] = {}

    def answer(self) -> tuple[int, int] | None:
        """The moves to the first separation, and the least number of all moves if each group is parted early.

        Returns:
            None if they do not come apart; no moves if they may stay together.

        Raises:
            TooManyPositionsError: `patience` does not suffice.
        """
        n = len(self.pieces)
        return self.fewest(tuple(range(n)), ((0,) * self.lattice.dimension,) * n)

    def fewest(self, ids: Ids, places: Places) -> tuple[int, int] | None:
        if self.may_stay(ids):
            return 0, 0
        key = ids, relative(places, range(len(ids)))
        if key not in self._fewest:
            self._fewest[key] = self._parted(*key)
        return self._fewest[key]

    def in_one_order(self, ids: Ids) -> bool:
        """Whether the same two groups are always the first to part, and each of them comes apart in one order."""
        if len(ids) < 2:
            return True
        first = self.first_to_part(ids, most=1)
        if len(first) != 1:
            return False
        (group,) = first
        return all(self.in_one_order(tuple(k for k in ids if (k in group) == inside)) for inside in (True, False))

    def first_to_part(self, ids: Ids, most: int = 1 << 60) -> set[frozenset[int]]:
        """The groups that can be the first to part from the rest: those that have parted, and those that can leave.

        The pieces go by single steps, from their own places to all that they can reach before two groups have parted.
        Each pair of groups is named by that without the first piece. The search ends once there are more than *most*.
        """
        start: Places = ((0,) * self.lattice.dimension,) * len(ids)
        groups = [g for size in range(1, len(ids)) for g in combinations(range(1, len(ids)), size)]
        rests = [[b for b in range(len(ids)) if b not in group] for group in groups]
        gaps = self.gaps(ids, groups, start)
        found: set[frozenset[int]] = set()
        seen, todo = {start}, [start]
        for here in todo:
            wider = [
                now > max(then + TOUCH, -TOUCH) for now, then in zip(self.gaps(ids, groups, here), gaps, strict=True)
            ]
            found.update(
                frozenset(ids[k] for k in groups[row // len(self.ways)]) for row, parted in enumerate(wider) if parted
            )
            if len(found) > most:
                break
            if any(wider):
                continue
            for way in self.ways:
                pushes = [
                    [a == b or self.run(ids[a], ids[b], way, less(here[b], here[a])) for b in range(len(ids))]
                    for a in range(len(ids))
                ]
                for group, rest in zip(groups, rests, strict=True):
                    runs = [pushes[a][b] for a in group for b in rest]
                    if 0 in runs:
                        continue
                    if all(run is None for run in runs):
                        found.add(frozenset(ids[k] for k in group))
                    there = tuple(plus(at, way) if k in group else at for k, at in enumerate(here))
                    if there not in seen:
                        seen.add(there)
                        todo.append(there)
        return found

    def gaps(self, ids: Ids, groups: Sequence[Ids], places: Places) -> list[float]:
        """How far each group lies beyond the rest along each way; less than nothing if they overlap."""
        reaches = [
            [(low + up, high + up) for own, place in zip(ids, places, strict=True)
             for low, high, rise in [self.extent(own, way)] for up in [sum(map(mul, rise, place))]]
            for way in self.ways
        ]  # fmt: skip
        return [
            min(reach[k][0] for k in group) - max(end for k, (_, end) in enumerate(reach) if k not in group)
            for group in groups
            for reach in reaches
        ]

    def extent(self, piece: int, way: Cell) -> tuple[float, float, list[float]]:
        """How far a piece reaches along the way, and what a step along each axis adds to that."""
        key = piece, way
        if key not in self._extents:
            along, cells = np.array(way) @ self.lattice.basis, np.array(self.pieces[piece])
            unit = along / np.linalg.norm(along)
            drawings = [self.lattice.nodes[node].drawing for node in cells[:, 0]]
            around = [np.array([-d.radius, d.radius]) if d.radius else d.vertices @ unit for d in drawings]
            middles = self.lattice.centres(cells) @ unit
            ends = np.concatenate([middle + ends for middle, ends in zip(middles, around, strict=True)])
            self._extents[key] = float(ends.min()), float(ends.max()), (self.lattice.basis @ unit).tolist()
        return self._extents[key]

    def may_stay(self, ids: Ids) -> bool:
        if len(ids) == 1:
            return True
        copies = Counter(self.names[k] for k in ids)
        return any(
            all(name in most and (most[name] is None or n <= most[name]) for name, n in copies.items())  # type: ignore[operator]
            for most in self.groups.values()
        )

    def _parted(self, ids: Ids, start: Places) -> tuple[int, int] | None:
        seen, front, depth = {start}, [start], 0
        while front:
            depth += 1
            totals, following = [], []
            for here in front:
                for movers, there in self.moves(ids, here):
                    if there is None:
                        sides = [[k for k in range(len(ids)) if (k in movers) == inside] for inside in (True, False)]
                        below = [self.fewest(tuple(ids[k] for k in s), relative(here, s)) for s in sides]
                        if None in below:
                            return None  # moves can be undone: what is locked in itself stays so wherever it is
                        totals.append(depth + sum(b[1] for b in below if b is not None))
                    elif there not in seen:
                        seen.add(there)
                        following.append(there)
                        self.tried += len(self.ways)
                        if self.patience is not None and self.tried > self.patience:
                            raise TooManyPositionsError
            if totals:
                return depth, min(totals)
            front = following
        return None

    def moves(self, ids: Ids, places: Places) -> Iterator[tuple[tuple[int, ...], Places | None]]:
        """Each move: who goes, and the places afterwards; None for those who can go on for ever.

        The first piece stays: to move it with others is to move the rest the other way.
        """
        everyone = range(len(ids))
        for size in range(1, len(ids)):
            for movers in combinations(everyone[1:], size):
                rest = [b for b in everyone if b not in movers]
                for way in self.ways:
                    runs = (self.run(ids[a], ids[b], way, less(places[b], places[a])) for a in movers for b in rest)
                    most = min((run for run in runs if run is not None), default=None)
                    if most is None:
                        yield movers, None
                    for steps in range(1, (most or 0) + 1):
                        yield (
                            movers,
                            tuple(
                                tuple(x + steps * w for x, w in zip(place, way, strict=True)) if k in movers else place
                                for k, place in enumerate(places)
                            ),
                        )

    def run(self, a: int, b: int, way: Cell, offset: Cell) -> int | None:
        """How many steps piece a can go before it meets b, which stands *offset* from its own place; None: for ever."""
        key = a, b, way, offset
        if key not in self._runs:
            line, at = self._on_line(offset, way)
            before = [k for k in self.blocked(a, b, way).get(line, ()) if k <= at]
            self._runs[key] = at - max(before) if before else None
        return self._runs[key]

    def blocked(self, a: int, b: int, way: Cell) -> dict[Cell, list[int]]:
        """The offsets of piece b at which piece a cannot make a step: on each line along the way, the places there."""
        key = a, b, way
        if key not in self._blocked:
            cells, lines = met(self.lattice, way), defaultdict(list)
            for u, *x in self.pieces[a]:
                for w, *y in self.pieces[b]:
                    for z in cells[u, w]:
                        line, at = self._on_line(tuple(p + q - r for p, q, r in zip(z, x, y, strict=True)), way)
                        lines[line].append(at)
            self._blocked[key] = lines
        return self._blocked[key]

    @staticmethod
    def _on_line(offset: Cell, way: Cell) -> tuple[Cell, int]:
        """The line along the way through an offset, and how many steps along it the offset lies."""
        axis = next(k for k, w in enumerate(way) if w)
        at = offset[axis] // way[axis]
        return tuple(x - at * w for x, w in zip(offset, way, strict=True)), at


def less(one: Cell, other: Cell) -> Cell:
    return tuple(x - y for x, y in zip(one, other, strict=True))


def plus(one: Cell, other: Cell) -> Cell:
    return tuple(x + y for x, y in zip(one, other, strict=True))


def relative(places: Places, group: Sequence[int]) -> Places:
    return tuple(less(places[k], places[group[0]]) for k in group)
