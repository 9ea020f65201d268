"""The shipped lattices of tilings: their shapes, grown from the drawings alone, and the hat on kites."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from latcover.core.model.connected_shapes import shapes
from latcover.core.model.lattice import Lattice
from latcover.files.formats.library import load_lattice, load_set

TURNS = {"kite": 6, "drafter": 6, "trihex": 6, "octasquare": 4, "halfcairo": 4}
SCALE = 9871.37  # no coordinate lies half-way between two whole numbers
LONG, SHORT = 1.732051, 1.0
# The sides of the hat, by the paper's figure: a 2 is two short sides in line.
HAT = (LONG, SHORT, 2.0, SHORT, LONG, LONG, SHORT, SHORT, LONG, LONG, SHORT, SHORT, LONG)


def polygons(lattice: Lattice, cells: list[tuple[int, ...]]) -> list[list[complex]]:
    """The corners of cells."""
    centres = lattice.centres(np.array(cells, np.int32))
    return [
        [complex(*(x + centre)[:2]) for x in lattice.nodes[cell[0]].drawing.vertices]
        for cell, centre in zip(cells, centres, strict=True)
    ]


def rounded(z: complex) -> tuple[int, int]:
    return round(z.real * SCALE), round(z.imag * SCALE)


def sides(polygon: list[complex]) -> set[frozenset[tuple[int, int]]]:
    return {frozenset(map(rounded, ends)) for ends in zip(polygon, polygon[1:] + polygon[:1], strict=True)}


def free_shapes(lattice: Lattice, most: int, turns: int) -> list[int]:
    """How many shapes of 1 to *most* cells there are, by the middles of their cells."""
    units = product(range(-most, most + 1), repeat=2)
    cells = [(node, *unit) for unit in units for node in range(len(lattice.nodes))]
    drawn = polygons(lattice, cells)
    at: dict[frozenset[tuple[int, int]], list[int]] = {}
    for k, polygon in enumerate(drawn):
        for side in sides(polygon):
            at.setdefault(side, []).append(k)
    beside: dict[int, set[int]] = {k: set() for k in range(len(cells))}
    for pair in at.values():
        for k in pair:
            beside[k] |= {*pair} - {k}
    middles = [sum(polygon) / len(polygon) for polygon in drawn]
    turned = [np.exp(2j * np.pi * k / turns) for k in range(turns)]

    def key(shape: frozenset[int]) -> tuple[tuple[int, ...], ...]:
        middle = sum(middles[k] for k in shape) / len(shape)
        own = [(middles[k] - middle, len(drawn[k])) for k in shape]
        hands = (own, [(z.conjugate(), corners) for z, corners in own])
        return min(
            tuple(sorted((corners, *rounded(z * turn)) for z, corners in hand)) for hand in hands for turn in turned
        )

    found = {frozenset({k}) for k, cell in enumerate(cells) if not any(cell[1:])}
    numbers = []
    for _ in range(most):
        first = {}
        for shape in found:
            first.setdefault(key(shape), shape)
        numbers.append(len(first))
        found = {shape | {k} for shape in first.values() for j in shape for k in beside[j] - shape}
    return numbers


@pytest.mark.parametrize("name", TURNS)
def test_shapes_are_those_that_grow_from_the_drawings(name: str) -> None:
    lattice = load_lattice(name)
    found = [len(shapes(lattice, n, lattice.transformations)) for n in range(1, 5)]
    assert found == free_shapes(lattice, 4, TURNS[name])


def outline(lattice: Lattice, cells: list[tuple[int, ...]]) -> list[float]:
    """The lengths of the sides round some cells, corners in line merged."""
    inner = [sides(polygon) for polygon in polygons(lattice, cells)]
    rim = [side for own in inner for side in own if sum(side in other for other in inner) == 1]
    way = {}
    for side in rim:
        for end in side:
            way.setdefault(end, []).append(next(iter(side - {end})))
    at = [min(way)]
    while len(at) < len(way):
        at.append(next(there for there in way[at[-1]] if there not in at[-2:]))
    ends = [complex(*end) / SCALE for end in at]
    around = zip(ends[-1:] + ends[:-1], ends, ends[1:] + ends[:1], strict=True)
    bends = [here for before, here, after in around if abs(((here - before) * (after - here).conjugate()).imag) > 0.01]
    return [round(abs(b - a), 3) for a, b in zip(bends, bends[1:] + bends[:1], strict=True)]


def test_the_hat_and_the_turtle_have_their_sides() -> None:
    """The turtle has the hat's sides with long and short exchanged."""
    lattice, parts = load_lattice("kite"), load_set("hats").parts
    hat, turtle = (outline(lattice, [tuple(cell) for cell in part.cells.tolist()]) for part in parts)
    other = {LONG: SHORT, SHORT: LONG, 2.0: 2 * LONG}
    for found, wanted in ((hat, list(HAT)), (turtle, [other[x] for x in HAT])):
        turned = [wanted[k:] + wanted[:k] for k in range(len(wanted))]
        near = [row for row in (*turned, *(row[::-1] for row in turned)) if np.allclose(row, found, atol=0.002)]
        assert near
