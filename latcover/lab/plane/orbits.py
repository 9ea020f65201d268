"""Tilings with few classes of tiles: each class is the orbit of a tile under a group of motions of the lattice."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from latcover.backends import _native
from latcover.core.model.lattice import Lattice
from latcover.core.model.period import Period
from latcover.errors import UnsupportedError
from latcover.lab.plane.copies import Copies
from latcover.lab.plane.prototiles import Cell, PeriodicTiling, Prototiles, Tile

MOST_CLASSES = 16
MOST_NODES = 64  # of a lattice
MOST_TURNS = 64


class OrbitResult(Struct, frozen=True):
    """The result of a search for a tiling with few classes.

    Attributes:
        tiling: One that was found; None if there is none, or none was found in time.
        complete: Whether the search was not cut short: then None is a proof.
        nodes: Groups that were tried.
    """

    tiling: PeriodicTiling | None
    complete: bool
    nodes: int


def with_classes(
    prototiles: Prototiles, classes: int, *, nodes: int | None = None, goes_on: Callable[[], bool] | None = None
) -> OrbitResult:
    """Look for a tiling with at most so many *classes* of tiles under motions of the lattice.

    The search is exact, and needs no bound of the torus: see docs/decisions/lab/plane.md. Each shape occurs in the
    tiling.

    Args:
        prototiles: The shapes.
        classes: 1 for an isohedral tiling.
        nodes: Stop after so many groups.
        goes_on: Asked about twenty times a second; False ends the search.

    Raises:
        UnsupportedError: more classes, or a larger lattice, than the search knows.
    """
    lattice = prototiles.lattice
    if not 1 <= classes <= MOST_CLASSES:
        raise UnsupportedError(f"classes must lie between 1 and {MOST_CLASSES}, not {classes}")
    if len(lattice.nodes) > MOST_NODES or len(lattice.transformations) > MOST_TURNS:
        raise UnsupportedError(f"the lattice {lattice.name!r} has too many nodes or transformations for classes")
    answer = _tiler(lattice).tile(
        [np.ascontiguousarray(shape.cells, np.int32).ravel() for shape in prototiles.shapes],
        [[lattice.number_of[t.labels] for t in shape.transformations] for shape in prototiles.shapes],
        classes=classes,
        nodes=nodes,
        goes_on=goes_on,
    )
    return OrbitResult(_tiling(prototiles, answer) if answer.found else None, answer.complete, answer.nodes)


def _tiler(lattice: Lattice) -> _native.OrbitTiler:
    turns = lattice.transformations
    sides = [(edge.node, edge.target, *edge.step) for edge in lattice.half_edges]
    return _native.OrbitTiler(
        len(lattice.nodes),
        np.array([turn.nodes for turn in turns], np.int32).ravel(),
        np.array([turn.matrix for turn in turns], np.int32).ravel(),
        np.array([turn.shifts for turn in turns], np.int32).ravel(),
        np.array(sides, np.int32).ravel(),
    )


def _tiling(prototiles: Prototiles, answer: _native.OrbitAnswer) -> PeriodicTiling:
    """The tiles of the found orbits, one of each class of translates."""
    period = Period.read(2, answer.period)
    copies, found = Copies(prototiles), dict[tuple[Cell, ...], Tile]()
    for shape, *motion in answer.tiles:
        own = _image(prototiles.lattice, motion, prototiles.shapes[shape].cells.tolist())
        for each in answer.motions:
            cells = _image(prototiles.lattice, each, own)
            tile = copies.named(shape, map(tuple, cells))
            assert tile is not None
            home = tuple(sorted(period.homes_of(cells)))
            found.setdefault(home, tile)
    return PeriodicTiling(prototiles, period, tuple(sorted(found.values())))


def _image(lattice: Lattice, motion: list[int], cells: list[list[int]]) -> list[list[int]]:
    turn, x, y = motion
    image = lattice.transformations[turn].apply(np.array(cells, np.int32))
    rows: list[list[int]] = (image + np.array([0, x, y], np.int32)).tolist()
    return rows
