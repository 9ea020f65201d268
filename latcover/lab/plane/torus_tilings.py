"""All tilings of a torus, up to its symmetries."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.backends import create
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Batch, Limits, Progress, SearchTask
from latcover.core.cover.time_limit import look_at_clock, stop_of, time_limit
from latcover.core.model.period import Period
from latcover.errors import OutOfTimeError, PuzzleError, TooLargeError
from latcover.lab.plane.copies import Copies
from latcover.lab.plane.prototiles import PeriodicTiling, Prototiles, Tile
from latcover.lab.plane.tiling_group import check_tiling
from latcover.lab.plane.tori import torus_problem

Indices = npt.NDArray[np.intp]
Matrix = npt.NDArray[np.int32]
MOST_UNITS = 10_000
MOST_MOTIONS = 20_000_000  # entries of a table: motions of the torus times copies on it


class TorusTilings(Struct, frozen=True):
    """The tilings of a torus.

    Attributes:
        tilings: One of each class under the motions of the lattice that keep the torus, in the order found.
        total: How many there are in all, as far as was searched.
        stop: EXHAUSTED, or why the search was cut short.
    """

    tilings: tuple[PeriodicTiling, ...]
    total: int
    stop: Stop


def torus_tilings(
    prototiles: Prototiles,
    period: Period,
    *,
    limit: int | None = None,
    seconds: float | None = None,
    events: Events = SILENT,
) -> TorusTilings:
    """All tilings of the torus by copies of the shapes, each shape once at least, up to the torus's symmetries.

    Args:
        prototiles: The shapes.
        period: Two vectors.
        limit: Stop after so many different tilings.
        seconds: Stop after so long.
        events: Receives each tiling as a solution, checked, and the progress.

    Raises:
        PuzzleError: the period is no torus.
        TooLargeError: the torus is too large.
    """
    _require_torus(period)
    begun = time.perf_counter()
    try:
        with time_limit(seconds, events):
            problem, tiles = torus_problem(Copies(prototiles), period)
            images = _motions_of_tiles(prototiles, period, tiles)
    except OutOfTimeError as fault:
        return TorusTilings((), 0, stop_of(fault))
    known: set[bytes] = set()
    found: list[PeriodicTiling] = []
    total, gave_up = 0, None

    def why_to_stop() -> Stop | None:
        """A batch holds so many tilings that the motions of each take long."""
        if seconds is not None and time.perf_counter() - begun >= seconds:
            return Stop.TIME_LIMIT
        return None if report(Progress(None, None, 0, 0.0)) else Stop.CANCELLED

    def take(batch: Batch) -> bool:
        nonlocal total, gave_up
        for cover in batch:
            gave_up = why_to_stop()
            if gave_up is not None:
                return False
            total += 1
            key = _least_image(images, cover)
            if key not in known:
                known.add(key)
                tiling = PeriodicTiling(prototiles, period, tuple(sorted(tiles[option] for option in cover.tolist())))
                check_tiling(tiling)
                found.append(tiling)
                events.on_solution(tiling)
                if limit is not None and len(found) >= limit:
                    return False
        return True

    def report(progress: Progress) -> bool:
        return events.on_progress(Progress(progress.share, None, len(found), time.perf_counter() - begun))

    left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - begun))
    result = create("dlx").search(SearchTask(problem, take, Limits(seconds=left), report))
    stop = gave_up or result.stop
    if limit is not None and len(found) >= limit:
        stop = Stop.SOLUTION_LIMIT
    return TorusTilings(tuple(found), total, stop)


def _require_torus(period: Period) -> None:
    if not period.volume:
        raise PuzzleError("a torus needs two vectors that do not lie in one line, such as [[8, 5], [-5, 8]]")
    if period.volume > MOST_UNITS:
        raise TooLargeError(
            f"the torus has {period.volume:,} units; at most {MOST_UNITS:,} are searched for all tilings"
        )


def _least_image(images: Indices, cover: npt.NDArray[np.int32]) -> bytes:
    """A key that is the same for all images of a cover under the motions of the torus."""
    rows = np.sort(images[:, cover], axis=1).astype(np.int32)
    order = np.lexsort(rows.T[::-1])
    return bytes(rows[order[0]].tobytes())


def _motions_of_tiles(prototiles: Prototiles, period: Period, tiles: list[Tile]) -> Indices:
    """For each motion that keeps the torus, and each tile, the tile that it becomes; shape (motions, tiles).

    A motion that takes a tile to what its shape may not be is left out.
    """
    copies, lattice = Copies(prototiles), prototiles.lattice
    homes = period.homes()
    place = {
        (tile.shape, tile.turn, *period.home(np.array([tile.shift])).tolist()[0]): k for k, tile in enumerate(tiles)
    }
    orientations = {(o.tile.shape, o.tile.turn) for o in copies.orientations}
    kept: list[tuple[Matrix, dict[tuple[int, int], Tile]]] = []
    for turn in lattice.transformations:
        if period.home(np.array(period.vectors) @ turn.matrix.T).any():
            continue
        becomes: dict[tuple[int, int], Tile] = {}
        for shape, own in orientations:
            image = turn.apply(prototiles.cells_of(Tile(shape, own, (0, 0))))
            named = copies.named(shape, map(tuple, image.tolist()))
            if named is not None:
                becomes[shape, own] = named
        if len(becomes) == len(orientations):
            kept.append((turn.matrix, becomes))
    if len(kept) * len(homes) * len(tiles) > MOST_MOTIONS:
        raise TooLargeError("the torus has too many motions to compare its tilings; take a smaller one")
    rows = [row for matrix, becomes in kept for row in _shifted(period, matrix, becomes, tiles, place)]
    return np.array(rows, np.intp)


def _shifted(
    period: Period,
    matrix: Matrix,
    becomes: dict[tuple[int, int], Tile],
    tiles: list[Tile],
    place: dict[tuple[int, ...], int],
) -> list[list[int]]:
    """The rows of one transformation, with each translation after it."""
    targets = [becomes[tile.shape, tile.turn] for tile in tiles]
    moved = np.array([tile.shift for tile in tiles]) @ matrix.T + np.array([target.shift for target in targets])
    found = []
    for home in period.homes():
        look_at_clock()
        shifts = period.home(moved + home).tolist()
        found.append([place[(t.shape, t.turn, *shift)] for t, shift in zip(targets, shifts, strict=True)])
    return found
