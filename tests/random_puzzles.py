"""Random small puzzles with a solution at least: regions that grow, often with a symmetry, and are cut into parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

import numpy as np
from hypothesis import strategies as st

from latcover.lattice import Lattice, Transformation
from latcover.library import load_lattice
from latcover.puzzle import Part, Puzzle, Region, as_cells
from tests.oracle import Cell, images, moved

MOST_CELLS = 10
COLOURS = ("", "black", "white")
BOXES = {
    2: ((2, 2), (2, 3), (2, 4), (2, 5), (3, 3)),
    3: ((2, 2, 1), (2, 2, 2), (3, 2, 1), (4, 2, 1), (3, 3, 1)),
}
RINGS = {2: ((2, 2), (3, 2), (3, 3), (4, 2), (5, 2)), 3: ((2, 2, 2), (3, 2, 1), (4, 2, 1), (3, 3, 1))}


@dataclass(frozen=True)
class Ground:
    """A region in the making; *orbits* are cells that a symmetry exchanges."""

    lattice: Lattice
    orbits: tuple[tuple[Cell, ...], ...]
    period: tuple[int, ...]

    @property
    def cells(self) -> list[Cell]:
        return [cell for orbit in self.orbits for cell in orbit]


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
    return Puzzle("test", ground.lattice, region, tuple(parts), colours=COLOURS)


def make_part(
    name: str, cells: Sequence[Cell], transformations: tuple[Transformation, ...], low: int, high: int | None
) -> Part:
    """A part without colours."""
    return Part(
        name, as_cells(cells, len(cells[0]) - 1), np.zeros(len(cells), np.int32), low, high, transformations
    )


def box(lattice: Lattice, sizes: Sequence[int], period: Sequence[int] = ()) -> Ground:
    """A box, which closes on itself along the axes that have a period."""
    cells = [(0, *vector) for vector in product(*map(range, sizes))]
    return Ground(lattice, tuple((cell,) for cell in cells), tuple(period) or (0,) * len(sizes))


def neighbours(lattice: Lattice, cell: Cell) -> list[Cell]:
    return [
        (edge.target, *(x + s for x, s in zip(cell[1:], edge.step, strict=True)))
        for edge in lattice.half_edges
        if edge.node == cell[0]
    ]


def _orbit(
    cell: Cell, lattice: Lattice, generators: Sequence[tuple[Transformation, Cell]]
) -> tuple[Cell, ...]:
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
    sizes = random.choice(RINGS[lattice.dimension])
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
        shapes.append(
            sorted(zip((moved(cell, back, [0] * len(back)) for cell in image), colours, strict=True))
        )
    return min(shapes)


@st.composite
def puzzles(draw: st.DrawFn, lattice_name: str, *, coloured: bool = False, periodic: bool = False) -> Puzzle:
    """Puzzles of at most `MOST_CELLS` cells with parts of at most 4; equal pieces become one part with a count."""
    random = draw(st.randoms(use_true_random=False))
    lattice = load_lattice(lattice_name)
    if periodic:
        ground = _ring(random, lattice)
    elif random.random() < 0.3:
        ground = box(lattice, random.choice(BOXES[lattice.dimension]))
    else:
        ground = _grown(random, lattice)
    colours = [random.randint(1, 2) * coloured for _ in ground.orbits]
    colour = {cell: k for orbit, k in zip(ground.orbits, colours, strict=True) for cell in orbit}
    allowed = lattice.allowed(random.choice(["fixed", "rotations", "reflections"]))
    none = (0,) * lattice.dimension
    counted: dict[str, int] = {}
    found: dict[str, tuple[list[Cell], list[int]]] = {}
    for cells in _cut(random, ground):
        of_cells = [colour[moved(cell, none, ground.period)] for cell in cells]
        key = repr(_shape(cells, of_cells, allowed))
        found.setdefault(key, (cells, of_cells))
        counted[key] = counted.get(key, 0) + 1
    parts = []
    for key, (cells, of_cells) in found.items():
        low = high = counted[key]
        freedom = random.choice(["", "", "", "", "less", "more", "any"])
        low -= freedom == "less"
        upper = None if freedom == "any" else high + (freedom == "more")
        parts.append(
            Part(
                f"part {len(parts)}",
                as_cells(cells, lattice.dimension),
                np.array(of_cells, dtype=np.int32),
                0 if freedom == "any" else low,
                upper,
                allowed,
            )
        )
    optional = random.choice(ground.orbits) if random.random() < 0.2 else ()
    return make_puzzle(ground, parts, colours, optional)
