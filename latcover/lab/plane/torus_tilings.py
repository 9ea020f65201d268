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
from latcover.core.model.period import Period
from latcover.errors import PuzzleError, TooLargeError
from latcover.lab.plane.copies import Copies
from latcover.lab.plane.prototiles import PeriodicTiling, Prototiles, Tile
from latcover.lab.plane.tiling_group import check_tiling
from latcover.lab.plane.tori import torus_problem

Indices = npt.NDArray[np.intp]
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
    problem, tiles = torus_problem(Copies(prototiles), period)
    images = _motions_of_tiles(prototiles, period, tiles)
    known: set[bytes] = set()
    found: list[PeriodicTiling] = []
    total = 0

    def take(batch: Batch) -> bool:
        nonlocal total
        for cover in batch:
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

    begun = time.perf_counter()

    def report(progress: Progress) -> bool:
        return events.on_progress(Progress(progress.share, None, len(found), time.perf_counter() - begun))

    result = create("dlx").search(SearchTask(problem, take, Limits(seconds=seconds), report))
    stop = result.stop
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
    rows: list[list[int]] = []
    for turn in lattice.transformations:
        if period.home(np.array(period.vectors) @ turn.matrix.T).any():
            continue
        becomes: dict[tuple[int, int], Tile] = {}
        for shape, own in orientations:
            image = turn.apply(prototiles.cells_of(Tile(shape, own, (0, 0))))
            named = copies.named(shape, map(tuple, image.tolist()))
            if named is not None:
                becomes[shape, own] = named
        if len(becomes) < len(orientations):
            continue
        if (len(rows) + len(homes)) * len(tiles) > MOST_MOTIONS:
            raise TooLargeError("the torus has too many motions to compare its tilings; take a smaller one")
        rows += _shifted(period, turn.matrix, becomes, tiles, place)
    return np.array(rows, np.intp)


def _shifted(
    period: Period,
    matrix: npt.NDArray[np.int32],
    becomes: dict[tuple[int, int], Tile],
    tiles: list[Tile],
    place: dict[tuple[int, ...], int],
) -> list[list[int]]:
    """The rows of one transformation, with each translation after it."""
    targets = [becomes[tile.shape, tile.turn] for tile in tiles]
    moved = np.array([tile.shift for tile in tiles]) @ matrix.T + np.array([target.shift for target in targets])
    found = []
    for home in period.homes():
        shifts = period.home(moved + home).tolist()
        found.append([place[(t.shape, t.turn, *shift)] for t, shift in zip(targets, shifts, strict=True)])
    return found
