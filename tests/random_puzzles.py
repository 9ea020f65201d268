"""Random small puzzles with a solution at least: regions that grow, often with a symmetry, and are cut into parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from random import Random

import numpy as np
from hypothesis import strategies as st

from latcover.lattice import Lattice, Transformation
from latcover.library import load_lattice
from latcover.puzzle import Part, Puzzle, Region, as_cells
from tests.oracle import Cell, images, moved

MOST_CELLS = 10
COLOURS = ("", "black", "white")
Allowed = tuple[Transformation, ...]
Boxes = Mapping[int, tuple[tuple[int, ...], ...]]  # sizes, by dimension
BOXES = {
    2: ((1, 2), (2, 2), (2, 3), (2, 4), (2, 5), (3, 3)),
    3: ((1, 1, 1), (2, 2, 1), (2, 2, 2), (3, 2, 1), (4, 2, 1), (3, 3, 1)),
}
LARGER_BOXES = {2: ((2, 2), (2, 3), (2, 4), (2, 5), (3, 3), (3, 4)), 3: ((2, 2, 1), (2, 2, 2), (3, 2, 2))}
RINGS = {
    2: ((2, 1), (2, 2), (3, 2), (3, 3), (4, 2), (5, 2)),
    3: ((2, 2, 1), (2, 2, 2), (3, 2, 1), (4, 2, 1), (3, 3, 1)),
}


@dataclass(frozen=True)
class Ground:
    """A region in the making; *orbits* are cells that a symmetry exchanges."""

    lattice: Lattice
    orbits: tuple[tuple[Cell, ...], ...]
    period: tuple[int, ...]

    @property
    def cells(self) -> list[Cell]:
        return [cell for orbit in self.orbits for cell in orbit]


class ShownPuzzle(Puzzle):
    """A puzzle that is shown in few lines when a test fails."""

    def __repr__(self) -> str:
        region = self.region
        cells = {tuple(c[1:]): k for c, k in zip(region.cells.tolist(), region.colours.tolist(), strict=True)}
        lines = [f"{self.lattice.name}, period {region.period}, colours of cells {cells}"]
        lines.append(f"optional: {region.cells[region.optional][:, 1:].tolist()}")
        for part in self.parts:
            many = f"{part.low} to {part.high}, {len(part.transformations)} transformations"
            lines.append(f"{part.name}: {part.cells[:, 1:].tolist()}, colours {part.colours.tolist()}, {many}")
        return "\n".join(lines)


def make_puzzle(
    ground: Ground, parts: Sequence[Part], colours: Sequence[int] = (), optional: Sequence[Cell] = ()
) -> Puzzle:
    """The puzzle of these parts; *colours* are those of each orbit of cells."""
    colour = {cell: k for orbit, k in zip(ground.orbits, colours, strict=False) for cell in orbit}
    region = Region(
        as_cells(ground.cells, ground.lattice.dimension),
        np.array([colour.get(cell, 0) for cell in ground.cells], dtype=np.int32),
        np.array([cell in optional for cell in ground.cells], dtype=np.bool_),
        ground.period,
    )
    return ShownPuzzle("test", ground.lattice, region, tuple(parts), colours=COLOURS)


def make_part(
    name: str, cells: Sequence[Cell], transformations: tuple[Transformation, ...], low: int, high: int | None
) -> Part:
    """A part without colours."""
    return Part(name, as_cells(cells, len(cells[0]) - 1), np.zeros(len(cells), np.int32), low, high, transformations)


def box(lattice: Lattice, sizes: Sequence[int], period: Sequence[int] = ()) -> Ground:
    """A box, which closes on itself along the axes that have a period."""
    cells = [(node, *at) for at in product(*map(range, sizes)) for node in range(len(lattice.nodes))]
    return Ground(lattice, tuple((cell,) for cell in cells), tuple(period) or (0,) * len(sizes))


def _fitting(lattice: Lattice, boxes: Boxes, least: int, most: int) -> list[tuple[int, ...]]:
    """The boxes that hold from *least* to *most* cells."""
    return [sizes for sizes in boxes[lattice.dimension] if least <= prod(sizes) * len(lattice.nodes) <= most]


def neighbours(lattice: Lattice, cell: Cell) -> list[Cell]:
    return [
        (edge.target, *(x + s for x, s in zip(cell[1:], edge.step, strict=True)))
        for edge in lattice.half_edges
        if edge.node == cell[0]
    ]


def _orbit(cell: Cell, lattice: Lattice, generators: Sequence[tuple[Transformation, Cell]]) -> tuple[Cell, ...]:
    """Where *generators*, each with a translation, take *cell*; the cell alone where these are many."""
    none = (0,) * lattice.dimension
    found = [cell]
    for reached in found:
        for transformation, to in generators:
            (image,) = images([reached], transformation)
            image = moved(image, to[1:], none)
            if image not in found:
                found.append(image)
        if len(found) > MOST_CELLS:
            return (cell,)
    return tuple(found)


def _grown(random: Random, lattice: Lattice) -> Ground:
    origin = (0,) * (lattice.dimension + 1)
    generators = [
        (random.choice(lattice.transformations), random.choice([origin, *neighbours(lattice, origin)]))
        for _ in range(random.randint(0, 2))
    ]
    size = random.randint(4, MOST_CELLS)
    orbits = [_orbit(origin, lattice, generators)]
    cells = list(orbits[0])
    for _ in range(3 * MOST_CELLS):
        orbit = _orbit(random.choice(neighbours(lattice, random.choice(cells))), lattice, generators)
        if len(cells) < size and len(cells) + len(orbit) <= MOST_CELLS and not set(orbit) & set(cells):
            orbits.append(orbit)
            cells += orbit
    return Ground(lattice, tuple(orbits), (0,) * lattice.dimension)


def _ring(random: Random, lattice: Lattice) -> Ground:
    sizes = random.choice(_fitting(lattice, RINGS, 4, MOST_CELLS))
    closed = [random.random() < 0.5 for _ in sizes]
    closed[random.randrange(2)] = True
    return box(lattice, sizes, [size * c for size, c in zip(sizes, closed, strict=True)])


def _cut(random: Random, ground: Ground) -> list[list[Cell]]:
    """Cut the region into connected pieces of at most 4 cells; round a ring their coordinates go on."""
    left = set(ground.cells)
    none = (0,) * ground.lattice.dimension
    pieces = []
    while left:
        piece = [min(left)]
        left.remove(piece[0])
        for _ in range(random.randint(1, 6)):
            cell = random.choice(neighbours(ground.lattice, random.choice(piece)))
            if len(piece) < 4 and moved(cell, none, ground.period) in left:
                left.remove(moved(cell, none, ground.period))
                piece.append(cell)
        pieces.append(piece)
    return pieces


def _shape(
    cells: Sequence[Cell], colours: Sequence[int], transformations: Sequence[Transformation]
) -> list[tuple[Cell, int]]:
    """The least image of a piece, its least cell at the origin: equal for equal pieces."""
    shapes = []
    for transformation in transformations:
        image = images(cells, transformation)
        back = [-x for x in min(image)[1:]]
        shapes.append(sorted(zip((moved(cell, back, [0] * len(back)) for cell in image), colours, strict=True)))
    return min(shapes)


def _parts(random: Random, pieces: Sequence[tuple[Sequence[Cell], Sequence[int]]], allowed: Allowed) -> list[Part]:
    """Parts of which *pieces*, with their colours, are made up: equal ones become one part with a count."""
    alike: dict[str, list[tuple[Sequence[Cell], Sequence[int]]]] = {}
    for cells, colours in pieces:
        alike.setdefault(repr(_shape(cells, colours, allowed)), []).append((cells, colours))
    parts: list[Part] = []
    for (cells, colours), *others in alike.values():
        count = 1 + len(others)
        low, high = random.choice([(count, count)] * 5 + [(count - 1, count), (count, count + 1), (0, None)])
        part = make_part(f"part {len(parts)}", cells, allowed, low, high)
        parts.append(replace(part, colours=np.array(colours, dtype=np.int32)))
    return parts


@st.composite
def puzzles(draw: st.DrawFn, lattice_name: str, *, coloured: bool = False, periodic: bool = False) -> Puzzle:
    """Puzzles of at most `MOST_CELLS` cells with parts of at most 4."""
    random = draw(st.randoms(use_true_random=False))
    lattice = load_lattice(lattice_name)
    if periodic:
        ground = _ring(random, lattice)
    elif random.random() < 0.3:
        ground = box(lattice, random.choice(_fitting(lattice, BOXES, 4, MOST_CELLS)))
    else:
        ground = _grown(random, lattice)
    colours = [random.choice([0, 1, 1, 2, 2]) * coloured for _ in ground.orbits]
    colour = {cell: k for orbit, k in zip(ground.orbits, colours, strict=True) for cell in orbit}
    none = (0,) * lattice.dimension
    pieces = [
        (cells, [random.choice([0, 1, 1, 1]) * colour[moved(cell, none, ground.period)] for cell in cells])
        for cells in _cut(random, ground)
    ]
    parts = _parts(random, pieces, lattice.allowed(random.choice(["fixed", "rotations", "reflections"])))
    optional = random.choice(ground.orbits) if random.random() < 0.2 else ()
    return make_puzzle(ground, parts, colours, optional)


@st.composite
def chiral_puzzles(draw: st.DrawFn, lattice_name: str) -> Puzzle:
    """Boxes for a piece, its mirror image and single cells; parts may be rotated, but not reflected."""
    random = draw(st.randoms(use_true_random=False))
    lattice = load_lattice(lattice_name)
    allowed = lattice.allowed("rotations")
    mirror = next(t for t in lattice.transformations if not t.proper)
    for _ in range(9):
        left = [(0,) * (lattice.dimension + 1)]
        while len(left) < 4:
            left.append(random.choice([c for cell in left for c in neighbours(lattice, cell) if c not in left]))
        right = images(left, mirror)
        plain = [0] * 4
        if _shape(left, plain, allowed) != _shape(right, plain, allowed):
            break
    low, high = random.choice([(1, 1), (1, 1), (0, 1)])
    single = make_part("single", left[:1], allowed, 0, None)
    hands = [make_part(name, hand, allowed, low, high) for name, hand in (("left", left), ("right", right))]
    return make_puzzle(box(lattice, random.choice(_fitting(lattice, LARGER_BOXES, 8, 12))), [*hands, single])
