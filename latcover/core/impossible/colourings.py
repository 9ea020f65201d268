"""Colourings of a region's cells that may refute a puzzle: its own colours, and colourings of its lattice.

A homomorphism of the lattice's translations onto a small cyclic group gives each cell a remainder; a chessboard has two
remainders. A translation of a part then only rotates the numbers of cells that it covers of each remainder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import gcd

import numpy as np
from msgspec import Struct

from latcover.core.cover.problem import Ints, Longs
from latcover.core.encoding.encode import neighbour_graph
from latcover.core.encoding.placement import CellIndex
from latcover.core.model.puzzle import Puzzle, Region
from latcover.system.sorted_sets import distinct

MODULI = (2, 3, 4, 5)
MOST_CELLS_FOR_NEIGHBOURS = 20_000  # a loop in Python visits them one by one


class Colouring(Struct, frozen=True, eq=False):
    """A partition of the cells into classes.

    Attributes:
        about: A description of the colouring, as the beginning of a sentence.
        names: The names of the classes, in the plural.
        of_cell: The class of each cell of the region, int32.
        least: How many cells of each class must be covered, if the optional cells do not tell.
    """

    about: str
    names: tuple[str, ...]
    of_cell: Ints
    least: Longs | None = None

    @property
    def n(self) -> int:
        return len(self.names)


def colourings(puzzle: Puzzle, region: Region) -> Iterator[Colouring]:
    """Colourings of *region* (the puzzle's region, with its cells in any order); the simplest arguments come first."""
    found = (_by_neighbours(puzzle, region), _by_duty(puzzle, region), _by_colour(puzzle, region))
    yield from (colouring for colouring in found if colouring is not None)
    nodes = puzzle.lattice.nodes
    if len(nodes) > 1:
        names = tuple(f"{node.name!r} cells" for node in nodes)
        yield Colouring("sorted by the lattice's nodes", names, region.cells[:, 0])
    for modulus in MODULI:
        for form in _forms(puzzle.lattice.dimension, modulus):
            yield _by_form(region, form, modulus)


def _by_neighbours(puzzle: Puzzle, region: Region) -> Colouring | None:
    """Black and white, so that neighbours differ; None if that is impossible."""
    n = len(region.cells)
    if n > MOST_CELLS_FOR_NEIGHBOURS:
        return None
    starts, neighbours = (array.tolist() for array in neighbour_graph(CellIndex(region), puzzle.lattice))
    colour = [-1] * n
    for start in range(n):
        if colour[start] >= 0:
            continue
        colour[start], waiting = 0, [start]
        while waiting:
            cell = waiting.pop()
            for other in neighbours[starts[cell] : starts[cell + 1]]:
                if colour[other] == colour[cell]:
                    return None
                if colour[other] < 0:
                    colour[other] = 1 - colour[cell]
                    waiting.append(other)
    classes = np.array(colour, np.int32)
    if classes.mean() > 0.5:  # black is the larger class
        classes = 1 - classes
    return Colouring("coloured so that neighbours differ", ("black cells", "white cells"), classes)


def _by_duty(puzzle: Puzzle, region: Region) -> Colouring | None:
    """Cells that must be covered, and cells that may stay empty."""
    if not region.optional.any():
        return None
    bounded = region.bounded_empty(puzzle.lattice)
    classes = region.optional.astype(np.int32) + bounded.astype(np.int32)
    least = np.array([region.n_mandatory, 0, max(0, int(bounded.sum()) - (region.max_empty or 0))])
    names = ("obligatory cells", "optional cells", "cells of which a bounded number may stay empty")
    return Colouring("sorted by whether they must be covered", names, classes, least)


def _by_colour(puzzle: Puzzle, region: Region) -> Colouring | None:
    """The cells' own colours, which restrict the parts that may cover them."""
    there = distinct(region.colours)
    if len(there) < 2:
        return None
    names = tuple(f"{puzzle.colours[colour]!r} cells" if colour else "colourless cells" for colour in there.tolist())
    return Colouring("sorted by the cells' own colours", names, np.searchsorted(there, region.colours).astype(np.int32))


def _by_form(region: Region, form: Sequence[int], modulus: int) -> Colouring:
    axes = "xyz"[: len(form)] if len(form) <= 3 else [f"x{k}" for k in range(1, len(form) + 1)]
    terms = [f"{factor if factor > 1 else ''}{axis}" for factor, axis in zip(form, axes, strict=True) if factor]
    about = f"coloured by {' + '.join(terms)} modulo {modulus}"
    names = tuple(f"cells of remainder {r}" for r in range(modulus))
    classes = region.cells[:, 1:].astype(np.int64) @ np.array(form, np.int64) % modulus
    return Colouring(about, names, classes.astype(np.int32))


def _forms(dimension: int, modulus: int) -> Iterator[tuple[int, ...]]:
    """Linear forms that take all remainders; one form of each set that differs only by a factor."""
    units = [u for u in range(1, modulus) if gcd(u, modulus) == 1]
    for form in product(range(modulus), repeat=dimension):
        multiples = [tuple(unit * factor % modulus for factor in form) for unit in units]
        if gcd(modulus, *form) == 1 and form == min(multiples):
            yield form
