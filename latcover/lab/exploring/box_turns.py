"""Which box is searched next for a common region: boxes of all sizes and symmetries take turns.

Each order of symmetry has its share of the time: with many symmetries large boxes are decided in a moment, while those
with few would never end. Within an order, what is expected to cost the least comes first: a box with few unknown cells.
Each time that a box is left undecided it counts as twice as costly, and gets three times as long when its turn comes
again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from heapq import heapify, heappop, heappush
from itertools import combinations_with_replacement
from math import prod

import numpy as np
from msgspec import Struct

from latcover.core.model.puzzle import Part
from latcover.errors import UnsupportedError
from latcover.lab.exploring.symmetries import Symmetry, symmetries

MOST_IN_SPACE = 2  # symmetries of tilings there: it takes a minute to list the groups that have more
LARGEST_BOX = 40  # units
SHORTEST_TRY = 0.3  # seconds of the processor for a box
ROOM = 5  # times the area of the best region: the most cells of a box in which a smaller one is looked for


class BoxKind(Struct, frozen=True):
    """The symmetries of a region, and whether its tilings have them too."""

    symmetry: Symmetry
    tiled: bool

    @property
    def saving(self) -> int:
        """How many times fewer cells are unknown."""
        return len(self.symmetry.motions) if self.tiled else 1


class _Box(Struct, frozen=True, order=True):
    """A box of so many units along the axes, and the number of a kind of regions in it."""

    sides: tuple[int, ...]
    kind: int


class BoxTurn(Struct, frozen=True):
    """A box to search for so many seconds, for regions of a kind."""

    box: _Box
    kind: BoxKind
    seconds: float
    cost: float


class BoxTurns:
    """The boxes that wait.

    Args:
        shapes: Those that shall fill a region.
        groups: The symmetries that it must have, of which one will do.
        most_cells: Of a box.
    """

    def __init__(self, shapes: Sequence[Part], groups: Sequence[Symmetry], most_cells: int) -> None:
        assert shapes[0].lattice
        self._lattice = shapes[0].lattice
        self._kinds, self._most_cells = _kinds(shapes, groups), most_cells
        self._least_side = 1 + max(int(np.ptp(shape.cells[:, 1:], axis=0).min()) for shape in shapes)
        self._settled: dict[_Box, int | None] = {}  # without a region of so few cells; None: without any
        self._tries: dict[_Box, int] = {}  # how often a box was left undecided
        self._spent = defaultdict[int, float](float)  # seconds of the processor, by the order of symmetry
        self._waiting: dict[int, list[tuple[float, _Box]]] = {}  # heaps by the order of symmetry, with expected costs

    def fill(self, least: int, best: int | None) -> None:
        """Let those boxes wait that may hold a region of *least* cells or more, and fewer than the *best*.

        Boxes that are too small for any region, or much too large for one that is smaller than the best, are left out.
        Tilings with many symmetries fill large regions, and are looked for in boxes of equal sides alone.
        """
        sides, side = [], self._least_side
        while side <= LARGEST_BOX:
            sides.append(side)
            side += max(1, side // 8)
        nodes, saving = len(self._lattice.nodes), 1 if best is None else 2  # in boxes of different sides
        found = defaultdict[int, list[tuple[float, _Box]]](list)
        for shape in combinations_with_replacement(sides, self._lattice.dimension):
            cells, cube = nodes * prod(shape), shape[0] == shape[-1]
            most = cells if best is None else best * (ROOM if cube else ROOM / 2)
            if least <= cells <= min(most, self._most_cells):
                for number, kind in enumerate(self._kinds):
                    box = _Box(shape, number)
                    if cube or (kind.saving <= saving and kind.symmetry.keeps_axes):
                        found[kind.saving].append((cells / kind.saving * 2 ** self._tries.get(box, 0), box))
        for heap in found.values():
            heapify(heap)
        self._waiting = dict(found)

    def next(self, most: int | None) -> BoxTurn | None:
        """Take out the box whose turn it is, for regions of at most so many cells; None if none waits."""
        while self._waiting:
            saving = min(self._waiting, key=lambda each: self._spent[each])
            cost, box = heappop(self._waiting[saving])
            if not self._waiting[saving]:
                del self._waiting[saving]
            known = self._settled.get(box, 0)
            if known is not None and (most is None or most > known):
                return BoxTurn(box, self._kinds[box.kind], SHORTEST_TRY * 3 ** self._tries.get(box, 0), cost)
        return None

    def note(self, turn: BoxTurn, seconds: float) -> None:
        """A turn took so long."""
        self._spent[turn.kind.saving] += seconds

    def settle(self, turn: BoxTurn, most: int | None) -> None:
        """The box holds no region of at most so many cells; None: none at all."""
        self._settled[turn.box] = most

    def put_off(self, turn: BoxTurn) -> None:
        """The box was left undecided."""
        self._tries[turn.box] = self._tries.get(turn.box, 0) + 1
        heappush(self._waiting.setdefault(turn.kind.saving, []), (2 * turn.cost, turn.box))


def _kinds(shapes: Sequence[Part], groups: Sequence[Symmetry]) -> list[BoxKind]:
    """The symmetries of regions in boxes, those with the most first, and whether the tilings have them too."""
    found = [BoxKind(group, False) for group in groups]
    lattice, motions, least = shapes[0].lattice, shapes[0].transformations, len(groups[0].motions)
    assert lattice
    for order in range(2, 1 + (len(motions) if lattice.dimension < 3 else MOST_IN_SPACE)):
        if order % least == 0 and len(motions) % order == 0:
            with suppress(UnsupportedError):  # there may be no group of this order
                found += [BoxKind(group, True) for group in symmetries(lattice, motions, order)]
    return sorted(found, key=lambda kind: -kind.saving)
