"""Scenes of the plane: patches with their coronas, and periodic tilings with one period and their classes of tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import numpy.typing as npt

from latcover.lab.plane.prototiles import Cell, Patch, PeriodicTiling, Prototiles, Tile
from latcover.show.drawing.palette import COLOURS, RGB, copies_of, shaded
from latcover.show.drawing.scenes.scene_building import CellGroup, build_scene
from latcover.show.drawing.scenes.scene_model import Scene
from latcover.show.drawing.shapes.outlines import Points

CORONAS: tuple[RGB, ...] = (  # from the middle outwards
    (196, 54, 62),
    (238, 139, 74),
    (246, 203, 102),
    (158, 201, 130),
    (72, 160, 150),
    (62, 113, 165),
    (98, 84, 155),
    (150, 104, 160),
)
MIRRORED = 0.86  # the brightness of tiles that are reflections
OUTSIDE = 1.55  # that of tiles beyond one period: mixed with white
TILES = 70  # of a picture of a tiling
ASPECT = 1.35  # its width by its height


def of_patch(patch: Patch, title: str) -> Scene:
    """A patch: an item for each tile, in a colour for its corona; reflected tiles are darker."""
    groups = []
    for k, (tile, corona) in enumerate(zip(patch.tiles, patch.coronas, strict=True), 1):
        name = f"corona {corona}" if corona else "middle"
        paint = _turned(CORONAS[corona % len(CORONAS)], patch.prototiles, tile)
        groups.append(CellGroup(name, k, corona, str(corona), _cells(patch.prototiles, tile), paint=paint))
    return build_scene(patch.prototiles.lattice, title, groups)


def of_tiling(tiling: PeriodicTiling, classes: Sequence[int], title: str, tiles: int = TILES) -> Scene:
    """A tiling: one period in strong colours in the middle of others, a colour for each class, a shade for each turn.

    Args:
        tiling: The tiling.
        classes: The number of the class of each of its tiles, from 0.
        title: The title of the scene.
        tiles: Roughly how many to draw.
    """
    groups: list[CellGroup] = []
    prototiles = tiling.prototiles
    turns = sorted({tile.turn for tile in tiling.tiles})
    for k, shift, inside in _in_view(tiling, max(tiles, 4 * len(tiling.tiles))):
        tile = tiling.tiles[k].moved(shift)
        rgb = copies_of(COLOURS[classes[k] % len(COLOURS)], turns.index(tile.turn) + 1)
        paint = rgb if inside else shaded(rgb, OUTSIDE)
        name = f"class {classes[k] + 1}"
        groups.append(CellGroup(name, len(groups) + 1, classes[k], "", _cells(prototiles, tile), paint=paint))
    return build_scene(prototiles.lattice, title, groups)


def _cells(prototiles: Prototiles, tile: Tile) -> tuple[Cell, ...]:
    return tuple(map(tuple, prototiles.cells_of(tile).tolist()))


def _turned(rgb: RGB, prototiles: Prototiles, tile: Tile) -> RGB:
    """*rgb*, darker for a reflected tile."""
    return rgb if prototiles.lattice.transformations[tile.turn].proper else shaded(rgb, MIRRORED)


def _in_view(tiling: PeriodicTiling, tiles: int) -> Iterator[tuple[int, tuple[int, ...], bool]]:
    """The tiles in a box: the number of each, its shift, and whether it is of the period in the middle."""
    basis = tiling.prototiles.lattice.basis
    vectors: npt.NDArray[np.int64] = np.array(tiling.period.vectors, np.int64)
    centres = np.array([_centre(tiling.prototiles, tile) for tile in tiling.tiles])
    one = abs(float(np.linalg.det(vectors @ basis))) / len(tiling.tiles)  # the area of a tile, on the average
    half = np.sqrt(tiles * one) / 2 * np.array([np.sqrt(ASPECT), 1 / np.sqrt(ASPECT)])
    reach = int(np.ceil(2 * float(np.linalg.norm(half)) * np.abs(np.linalg.inv(vectors @ basis)).max())) + 2
    moves = np.array(list(product(range(-reach, reach + 1), repeat=2))) @ vectors
    home = centres[0]
    for k, centre in enumerate(centres):
        away = centre + moves @ basis - home
        nearest = int(np.lexsort([moves[:, 1], moves[:, 0], (away**2).sum(axis=1).round(6)])[0])
        inside = (np.abs(away) <= half + 1e-6).all(axis=1)
        inside[nearest] = True
        for m in np.flatnonzero(inside).tolist():
            yield k, tuple(moves[m].tolist()), m == nearest


def _centre(prototiles: Prototiles, tile: Tile) -> Points:
    """The middle of the cells of a tile."""
    centre: Points = prototiles.lattice.centres(prototiles.cells_of(tile)).mean(axis=0)
    return centre
