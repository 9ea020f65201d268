"""Regions by name: that of a puzzle, or a box of a lattice such as ``cubic:4x4x4``."""

from __future__ import annotations

import re

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.errors import PuzzleError
from latcover.files.formats.library import load, load_lattice

FORMS = "name a puzzle, whose region is taken, or a box of a lattice such as cubic:4x4x4 or square:6x10"


class NamedRegion(Struct, frozen=True, eq=False):
    """A region of a lattice: its cells, shape (n, dimension + 1), int32, its name, and its period if it has one."""

    BESIDE_THE_QUESTION = frozenset(("name",))

    lattice: Lattice
    cells: Cells
    name: str
    period: Period | None = None


def region_named(
    name: str, bounds: Bounds | None = None, problem: str | None = None, *, may_close: bool = False
) -> NamedRegion:
    """The region of this name.

    Args:
        name: A shipped puzzle, a file, or ``LATTICE:AxBxC``: so many units of the lattice along each axis.
        bounds: How much it may ask for.
        problem: Which puzzle of a file that holds several.
        may_close: Whether it may close on itself.

    Raises:
        PuzzleError, PuzzleFileError, LatticeError: there is no such region.
    """
    box = box_named(name)
    if box is None:
        return region_of(load(name, bounds, problem), name, may_close=may_close)
    lattice = load_lattice(box[0])
    words = box[1].split("x")
    if not all(re.fullmatch(r"[1-9][0-9]{0,5}", word) for word in words):
        raise PuzzleError(f"{name} is not a region; {FORMS}")
    sizes = tuple(map(int, words))
    if len(sizes) != lattice.dimension:
        example = "x".join(["4"] * lattice.dimension)
        raise PuzzleError(f"{name}: a box of {lattice.name} has {lattice.dimension} sides, as in {box[0]}:{example}")
    most = (bounds or Bounds()).cells
    if float(np.prod([float(size) for size in sizes])) * len(lattice.nodes) > most:
        raise PuzzleError(f"{name} has more than {most:,} cells")
    units = np.indices(sizes).reshape(len(sizes), -1).T
    nodes = np.repeat(np.arange(len(lattice.nodes)), len(units))
    cells = np.column_stack([nodes, np.tile(units, (len(lattice.nodes), 1))]).astype(np.int32)
    return _without_secondary(lattice, cells, name)


def box_named(name: str) -> tuple[str, str] | None:
    """The lattice and the sides of a box, as its name has them; None if *name* is that of a puzzle or of a file."""
    box = re.fullmatch(r"(.+):([0-9x]*)", name)
    return None if box is None else (box[1], box[2])


def region_of(puzzle: Puzzle, name: str | None = None, *, may_close: bool = False) -> NamedRegion:
    """The region of a puzzle, cells that may stay empty included; *name* defaults to that of the puzzle.

    Raises:
        PuzzleError: the region closes on itself, and may not.
    """
    if puzzle.region.period and not may_close:
        raise PuzzleError(f"the region of {puzzle.name} closes on itself; take one that does not")
    found = _without_secondary(puzzle.lattice, puzzle.region.cells, name or puzzle.name)
    return replace(found, period=puzzle.region.period or None)


def _without_secondary(lattice: Lattice, cells: Cells, name: str) -> NamedRegion:
    """The region without cells that are covered at most once, of which no parts are cut."""
    secondary = np.array([node.secondary for node in lattice.nodes])
    return NamedRegion(lattice, cells[~secondary[cells[:, 0]]], name)
