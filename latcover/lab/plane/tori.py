"""Tori of a lattice, skewed ones too, in order of area, and exact covers of them by copies of shapes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Literal

import numpy as np
from msgspec import Struct

from latcover.backends import create
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Batch, Limits, Progress, SearchTask
from latcover.core.cover.time_limit import look_at_clock
from latcover.core.model.lattice import Lattice
from latcover.core.model.period import Period
from latcover.lab.plane.copies import Copies
from latcover.lab.plane.prototiles import PeriodicTiling, Prototiles, Tile
from latcover.lab.plane.tiling_group import shortest_basis

TorusKind = Literal["any", "square", "odd"]
"""Any torus; one that a quarter turn keeps (on lattices without one: a turn by a sixth or a third); one of an odd
number of tiles."""
Hermite = tuple[int, int, int]  # a, b, d: the vectors (a, b) and (0, d), with 0 <= b < d


class TorusResult(Struct, frozen=True):
    """The result of a search for the smallest torus.

    Attributes:
        tiling: Of the first torus that can be covered; None if none can, or time was up.
        searched: No torus of at most so many cells can be covered, but for that of the tiling.
        stop: EXHAUSTED, or why the search was cut short.
    """

    tiling: PeriodicTiling | None
    searched: int
    stop: Stop


def sublattices(lattice: Lattice, units: int) -> list[Period]:
    """All tori of so many units, one of each class under the lattice's transformations."""
    matrices = [turn.matrix for turn in lattice.transformations]
    found = []
    for a in (a for a in range(1, units + 1) if units % a == 0):
        for b in range(units // a):
            own = (a, b, units // a)
            if own == min(_image(own, matrix) for matrix in matrices):
                found.append(Period(2, shortest_basis([(a, b), (0, units // a)], lattice)))
    return found


def _image(own: Hermite, matrix: np.ndarray) -> Hermite:
    a, b, d = own
    (x, y), (u, v) = (np.array([(a, b), (0, d)]) @ matrix.T).tolist()
    while u:
        times = x // u
        x, y, u, v = u, v, x - times * u, y - times * v
    if x < 0:
        x, y = -x, -y
    v = abs(v)
    return x, y % v, v


def is_turned_to_itself(lattice: Lattice, period: Period) -> bool:
    """Whether the lattice's rotation by the smallest angle keeps the torus: on squares, whether it is a square."""
    smallest = max((turn for turn in lattice.transformations if turn.proper), key=lambda turn: _order(turn.matrix))
    return not period.home(np.array(period.vectors) @ smallest.matrix.T).any()


def _order(matrix: np.ndarray) -> int:
    return {2: 1, -2: 2, -1: 3, 0: 4, 1: 6}[int(np.trace(matrix))]


def smallest_torus(
    prototiles: Prototiles,
    most: int,
    *,
    kind: TorusKind = "any",
    seconds: float | None = None,
    events: Events = SILENT,
) -> TorusResult:
    """The smallest torus of at most *most* cells that copies of the shapes cover, each shape once at least."""
    begun = time.perf_counter()
    search = _Search(prototiles, None if seconds is None else begun + seconds, events)
    for units in _units(prototiles, most, kind):
        for period in sublattices(prototiles.lattice, units):
            if kind == "square" and not is_turned_to_itself(prototiles.lattice, period):
                continue
            tiling = search.tiling(period)
            if tiling is not None:
                return TorusResult(tiling, tiling.area, Stop.EXHAUSTED)
            if search.stop is not Stop.EXHAUSTED:
                return TorusResult(None, units * len(prototiles.lattice.nodes) - 1, search.stop)
    return TorusResult(None, most, Stop.EXHAUSTED)


def _units(prototiles: Prototiles, most: int, kind: TorusKind) -> Iterator[int]:
    """The numbers of units of tori that the shapes may cover, by their areas alone."""
    nodes, sizes = len(prototiles.lattice.nodes), [shape.size for shape in prototiles.shapes]
    for units in range(1, most // nodes + 1):
        if _parities(units * nodes, sizes) & ({1} if kind == "odd" else {0, 1}):
            yield units


def _parities(area: int, sizes: list[int]) -> set[int]:
    """Whether an even, an odd number of tiles, or either, has this area when each size occurs."""
    ways: list[set[int]] = [{0}] + [set() for _ in range(area)]
    for total in range(1, area + 1):
        for size in sizes:
            if size <= total:
                ways[total] |= {1 - parity for parity in ways[total - size]}
    rest = area - sum(sizes)
    return set() if rest < 0 else {(parity + len(sizes)) % 2 for parity in ways[rest]}


class _Search:
    """Covers tori one after another, in the time that there is."""

    def __init__(self, prototiles: Prototiles, end: float | None, events: Events) -> None:
        self.copies, self.end, self.events = Copies(prototiles), end, events
        self.begun = time.perf_counter()
        self.stop = Stop.EXHAUSTED

    def tiling(self, period: Period) -> PeriodicTiling | None:
        """A tiling of this torus; None if there is none, or the search was cut short."""
        found: list[PeriodicTiling] = []
        problem, tiles = torus_problem(self.copies, period)

        def take(batch: Batch) -> bool:
            own = tuple(sorted(tiles[option] for option in next(iter(batch)).tolist()))
            found.append(PeriodicTiling(self.copies.prototiles, period, own))
            return False

        def report(_: Progress) -> bool:
            return self.events.on_progress(Progress(None, None, 0, time.perf_counter() - self.begun))

        left = None if self.end is None else max(0.0, self.end - time.perf_counter())
        if not report(Progress(None, None, 0, 0.0)):
            self.stop = Stop.CANCELLED
            return None
        result = create("dlx").search(SearchTask(problem, take, Limits(covers=1, seconds=left), report))
        if found:
            return found[0]
        self.stop = result.stop
        return None


def torus_problem(copies: Copies, period: Period) -> tuple[CoverProblem, list[Tile]]:
    """The exact cover of a torus: an option for each copy that does not meet itself; and the tile of each option."""
    prototiles = copies.prototiles
    nodes, homes = len(prototiles.lattice.nodes), period.homes()
    number = {tuple(home): k for k, home in enumerate(homes.tolist())}
    several = len(prototiles.shapes) > 1
    rows: list[list[int]] = []
    tiles: list[Tile] = []
    for oriented in copies.orientations:
        cells = np.array(oriented.cells)
        places = (cells[None, :, 1:] + homes[:, None]).reshape(-1, 2)
        units = np.array([number[tuple(home)] for home in period.home(places).tolist()])
        items = np.sort(units.reshape(len(homes), -1) * nodes + cells[:, 0], axis=1)
        look_at_clock()
        for home, row in zip(homes.tolist(), items.tolist(), strict=True):
            if len(set(row)) == len(row):
                rows.append([*row, len(homes) * nodes + oriented.tile.shape] if several else row)
                tiles.append(oriented.tile.moved(home))
    starts = np.cumsum([0, *map(len, rows)])
    n_cells = len(homes) * nodes
    extra = len(prototiles.shapes) if several else 0
    high = np.append(np.ones(n_cells, np.int32), np.full(extra, n_cells, np.int32))
    sizes = np.array([shape.size for shape in prototiles.shapes[:extra]], np.int32)
    flat = np.array([item for row in rows for item in row], np.int32)
    low = np.ones(n_cells + extra, np.int32)
    return CoverProblem(starts.astype(np.int64), flat, low, high.astype(np.int32), n_cells, sizes), tiles
