"""A tiling of a region by shapes, found by a search and verified; or that there is none."""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import Stop
from latcover.core.cover.time_limit import stop_of, time_limit
from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.orientation import orientations
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.solution import Cell, Placed, Solution
from latcover.core.model.verifier import verify
from latcover.core.solving.solve import SolveRequest, solve
from latcover.errors import InternalError, OutOfTimeError
from latcover.lab.exploring.layers import Layer

FIRST_SEARCH = 1.0  # seconds of exact cover, before a SAT solver takes over
SAT_SOLVER = "cadical195"


class Tiling(Struct, frozen=True, eq=False):
    """A region and a verified tiling of it."""

    puzzle: Puzzle
    solution: Solution

    @property
    def cells(self) -> int:
        return len(self.puzzle.region.cells)

    def as_json(self) -> list[dict[str, object]]:
        """The tiles: the name of the shape, and the cells."""
        lattice = self.puzzle.lattice
        return [
            {"shape": placed.part, "cells": [lattice.written(cell) for cell in placed.cells]}
            for placed in self.solution.placements
        ]


class Tried(Struct, frozen=True, eq=False):
    """The end of a search for a tiling: *tiling* is None if there is none, or if the search was cut short."""

    tiling: Tiling | None
    stop: Stop
    by_sat: bool = False  # a SAT solver took over

    @property
    def refuted(self) -> bool:
        return self.tiling is None and self.stop.is_complete


class _Keeper(Events):
    def __init__(self, events: Events) -> None:
        self.found: list[Solution] = []
        self._events = events

    def on_solution(self, solution: Solution) -> None:
        self.found.append(solution)

    def on_progress(self, progress: object) -> bool:
        return self._events.on_progress(progress)  # type: ignore[arg-type]


def tiling_puzzle(
    name: str,
    lattice: Lattice,
    cells: Cells,
    shapes: Sequence[Part],
    *,
    all_used: bool = False,
    period: Period | None = None,
) -> Puzzle:
    """The puzzle to tile *cells* by copies of *shapes*; with *all_used*, by one of each at least."""
    spare = len(cells) - sum(shape.size for shape in shapes)  # when each is used once
    parts = tuple(
        replace(
            shape,
            low=int(all_used),
            high=1 + max(0, spare) // shape.size if all_used else None,
            number=number,
            lattice=lattice,
        )
        for number, shape in enumerate(shapes)
    )
    return Puzzle(name, lattice, Region(cells, period=period), parts)


def tilings_of(
    layers: Sequence[Layer], tiles: Sequence[Sequence[Sequence[Cell]]], *, apart: bool = False
) -> tuple[Tiling, ...]:
    """The tilings of one region by each of *layers*, from the cells of the tiles, verified.

    Raises:
        InternalError: one is wrong, or they have a tile in common though they should lie *apart*.
    """
    region = sorted({cell for tile in tiles[0] for cell in tile})
    found = []
    for layer, own in zip(layers, tiles, strict=True):
        lattice = layer.shapes[0].lattice
        assert lattice
        several = len(layer.shapes) > 1
        puzzle = tiling_puzzle(layer.name, lattice, np.array(region, np.int32), layer.shapes, all_used=several)
        named = sorted(_named_tiles(layer, own))
        solution = Solution(tuple(Placed(layer.shapes[k].name, tile) for k, tile in named), puzzle=puzzle)
        if faults := verify(puzzle, solution):
            raise InternalError(f"a common region of {layer.name} is wrong: {faults[0]}")
        found.append(Tiling(puzzle, solution))
    if apart and {p.cells for p in found[0].solution.placements} & {p.cells for p in found[1].solution.placements}:
        raise InternalError("the two tilings of a Galvagni figure have a tile in common")
    return tuple(found)


def _named_tiles(layer: Layer, tiles: Sequence[Sequence[Cell]]) -> Iterator[tuple[int, tuple[Cell, ...]]]:
    """The number of the shape of each tile, and its cells. Shapes that are images of each other take turns."""
    shown = [tuple(sorted(tile)) for tile in tiles]
    if len(layer.shapes) == 1:
        yield from ((0, tile) for tile in shown)
        return
    axes = tuple(range(layer.shapes[0].cells.shape[1] - 1))
    waiting = defaultdict[tuple[Cell, ...], deque[int]](deque)
    for number, shape in enumerate(layer.shapes):
        own = {_at_origin([tuple(cell) for cell in each.cells.tolist()]) for each in orientations(shape, axes)}
        alike = waiting[min(own)]
        alike.append(number)
        waiting |= dict.fromkeys(own, alike)
    for tile in shown:
        numbers = waiting[_at_origin(tile)] or deque([0])  # the verifier finds a tile that is no copy
        yield numbers[0], tile
        numbers.rotate(-1)


def _at_origin(tile: Sequence[Cell]) -> tuple[Cell, ...]:
    ordered = sorted(tile)
    _, *at = ordered[0]
    return tuple((node, *(x - low for x, low in zip(place, at, strict=True))) for node, *place in ordered)


def tile(
    puzzle: Puzzle, *, backend: str = "auto", seconds: float | None = None, events: Events = SILENT, **options: str
) -> Tried:
    """Search for one tiling."""
    keeper = _Keeper(events)
    request = SolveRequest(backend=backend, options=dict(options), symmetry="none", limit=1, seconds=seconds)
    try:
        with time_limit(seconds, events):
            found = solve(puzzle, request, keeper)
    except OutOfTimeError as fault:
        return Tried(None, stop_of(fault))
    return Tried(Tiling(puzzle, keeper.found[0]) if keeper.found else None, found.stop)


def tile_in_stages(puzzle: Puzzle, seconds: float, events: Events = SILENT) -> Tried:
    """Search for one tiling by exact cover, and then by a SAT solver, which fills large regions sooner."""
    begun = time.perf_counter()
    found = tile(puzzle, seconds=min(seconds, FIRST_SEARCH), events=events)
    left = seconds - (time.perf_counter() - begun)
    if found.tiling is not None or found.refuted or found.stop is Stop.CANCELLED or left <= 0:
        return found
    return replace(tile(puzzle, backend="sat", seconds=left, events=events, solver=SAT_SOLVER), by_sat=True)
