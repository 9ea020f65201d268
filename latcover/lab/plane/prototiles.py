"""Tiles in the plane: the shapes that they are copies of, periodic tilings, and patches with coronas."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct

from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part
from latcover.errors import PuzzleError

Cell = tuple[int, ...]


class Tile(Struct, frozen=True, order=True):
    """A copy of a shape in the plane.

    Attributes:
        shape: The index of the shape among its prototiles.
        turn: The index of a transformation of the lattice, which comes first.
        shift: How many units the image is then moved along each axis.
    """

    shape: int
    turn: int
    shift: tuple[int, ...]

    def moved(self, by: Sequence[int]) -> Tile:
        """The same tile, so many units further."""
        return Tile(self.shape, self.turn, tuple(a + b for a, b in zip(self.shift, by, strict=True)))


class Prototiles:
    """The shapes whose copies may cover the plane, on a lattice of the plane. No struct: no line of a file holds them.

    Attributes:
        shapes: Their cells and the transformations that each may undergo. Copies, colours and sides play no part.

    Raises:
        PuzzleError: the lattice or a shape is of a kind that covers no plane.
    """

    def __init__(self, lattice: Lattice, shapes: tuple[Part, ...]) -> None:
        self.lattice, self.shapes = lattice, shapes
        if self.lattice.dimension != 2 or any(node.secondary for node in self.lattice.nodes):
            raise PuzzleError(
                f"the cells of the lattice {self.lattice.name!r} do not fill the plane; take a flat lattice without "
                "junctions, such as square, hexagonal, triangular or kite"
            )
        if not self.shapes:
            raise PuzzleError("there is no shape; give one at least")
        for shape in self.shapes:
            if len(shape.sides) or shape.colours.any():
                raise PuzzleError(
                    f"the shape {shape.name!r} has colours or side values, which tilings of the plane do not support"
                )
            if not self.lattice.connects(shape.cells.tolist()):
                raise PuzzleError(f"the shape {shape.name!r} is not connected; draw it in one piece")

    def cells_of(self, tile: Tile) -> Cells:
        """The cells of a tile, shape (k, 3), in the order of its shape's cells."""
        cells = self.lattice.transformations[tile.turn].apply(self.shapes[tile.shape].cells)
        cells[:, 1:] += np.array(tile.shift, np.int32)
        return cells

    def covered(self, tile: Tile) -> frozenset[Cell]:
        """The cells of a tile."""
        return frozenset(map(tuple, self.cells_of(tile).tolist()))

    @cached_property
    def around(self) -> tuple[tuple[Cell, ...], ...]:
        """For each node the cells that touch its cell at the origin, along a side or at a corner, sorted."""
        return self.lattice.touching

    def touching(self, cell: Cell) -> list[Cell]:
        """The cells that touch *cell*, along a side or at a corner."""
        return [(v, x + cell[1], y + cell[2]) for v, x, y in self.around[cell[0]]]


class PeriodicTiling(Struct, frozen=True):
    """A tiling that repeats along two vectors.

    Attributes:
        period: Two vectors.
        tiles: One of each class of tiles under these translations.
    """

    prototiles: Prototiles
    period: Period
    tiles: tuple[Tile, ...]

    @property
    def area(self) -> int:
        """The number of cells of the torus."""
        return self.period.volume * len(self.prototiles.lattice.nodes)

    def as_data(self) -> dict[str, Any]:
        """Its period, its area in cells, and the cells of each tile."""
        lattice = self.prototiles.lattice
        tiles = [
            {
                "shape": self.prototiles.shapes[tile.shape].name,
                "cells": [lattice.written(cell) for cell in self.prototiles.cells_of(tile).tolist()],
            }
            for tile in self.tiles
        ]
        return {"period": [list(vector) for vector in self.period.vectors], "area": self.area, "tiles": tiles}


class Patch(Struct, frozen=True):
    """A tile with the coronas around it.

    Attributes:
        tiles: All tiles, the one in the middle first.
        coronas: In which corona each is; 0 for the one in the middle.
    """

    prototiles: Prototiles
    tiles: tuple[Tile, ...]
    coronas: tuple[int, ...]
