"""Random small puzzles, most with a solution: regions that grow, often with a symmetry, and are cut into parts.

What is cut may get rules that the cut keeps, for the most part: random_rules.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from math import prod

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Lattice, Transformation
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part, Puzzle, Region, Rules, as_cells
from latcover.files.formats.library import load_lattice
from tests.dice import Dice
from tests.puzzle_oracle import Cell, images, moved, neighbours
from tests.random_lattices import any_lattice
from tests.random_rules import (
    COLOURS,
    Piece,
    alike_cells,
    colour_rules,
    matching_rules,
    side_rules,
    with_sides,
    with_values,
)

MOST_CELLS = 10
PERCENT = {  # how often a puzzle has a feature
    "coloured": 20,
    "periodic": 25,
    "painted": 25,
    "sided": 20,
    "loose": 20,
    "spare": 40,
    "holes": 30,
    "boundless": 12,
    "matched": 15,
}
Allowed = tuple[Transformation, ...]
Boxes = Mapping[int, tuple[tuple[int, ...], ...]]  # sizes, by dimension
BOXES = {
    1: ((4,), (5,), (7,), (2,), (3,)),
    2: ((1, 2), (2, 2), (2, 3), (2, 4), (2, 5), (3, 3)),
    3: ((1, 1, 1), (2, 2, 1), (2, 2, 2), (3, 2, 1), (4, 2, 1), (3, 3, 1)),
}
LARGER_BOXES = {2: ((2, 2), (2, 3), (2, 4), (2, 5), (3, 3), (3, 4)), 3: ((2, 2, 1), (2, 2, 2), (3, 2, 2))}
RINGS = {
    1: ((2,), (3,), (4,), (6,)),
    2: ((2, 1), (2, 2), (3, 2), (3, 3), (4, 2), (5, 2)),
    3: ((2, 2, 1), (2, 2, 2), (3, 2, 1), (4, 2, 1), (3, 3, 1)),
}


class Features(Struct, frozen=True):
    """What a random puzzle may have besides a region and parts.

    Attributes:
        coloured: Cells of the region have colours, and parts some of them.
        periodic: The region is a ring or a torus.
        painted: Each piece has one colour, and rules say which colours may not touch.
        sided: Pieces have keys and locks.
        loose: Any cell may be optional, with a bound on those left empty.
        spare: There are parts that are not needed, and parts may do different things.
        holes: Cells are taken out of the region.
        matched: Sides bear values, which match like to like; the rim may be asked to bear one.
        boundless: All parts may be used as often as one likes, so that counts need no list.
    """

    coloured: bool = False
    periodic: bool = False
    painted: bool = False
    sided: bool = False
    loose: bool = False
    spare: bool = False
    holes: bool = False
    boundless: bool = False
    matched: bool = False


class Ground(Struct, frozen=True):
    """A region in the making; *orbits* are cells that a symmetry exchanges."""

    lattice: Lattice
    orbits: tuple[tuple[Cell, ...], ...]
    period: Period

    @property
    def cells(self) -> list[Cell]:
        return [cell for orbit in self.orbits for cell in orbit]


class ShownPuzzle(Puzzle):
    """A puzzle that is shown in few lines when a test fails."""

    def __repr__(self) -> str:
        region, rules = self.region, self.rules
        cells = {tuple(c): k for c, k in zip(region.cells.tolist(), region.colours.tolist(), strict=True)}
        lines = [f"{self.lattice.name}, period {region.period}, colours of cells {cells}"]
        lines.append(f"optional: {region.cells[region.optional].tolist()}, empty at most: {region.max_empty}")
        for part in self.parts:
            many = f"{part.low} to {part.high}, {len(part.transformations)} transformations"
            lines.append(f"{part.name}: {part.cells.tolist()}, colours {part.colours.tolist()}, {many}")
            lines.append(f"sides {part.sides.tolist()}")
        lines.append(f"{rules}")
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


def box(lattice: Lattice, sizes: Sequence[int], period: Sequence[int] | Sequence[Sequence[int]] = ()) -> Ground:
    """A box, which closes on itself if it has a period."""
    cells = [(node, *at) for at in product(*map(range, sizes)) for node in range(len(lattice.nodes))]
    closed = Period.read(len(sizes), period)
    return Ground(lattice, tuple((moved(cell, [0] * len(sizes), closed),) for cell in cells), closed)


def _fitting(lattice: Lattice, boxes: Boxes, least: int, most: int) -> list[tuple[int, ...]]:
    """The boxes that hold from *least* to *most* cells."""
    return [sizes for sizes in boxes[lattice.dimension] if least <= prod(sizes) * len(lattice.nodes) <= most]


def _orbit(cell: Cell, lattice: Lattice, generators: Sequence[tuple[Transformation, Cell]]) -> tuple[Cell, ...]:
    """Where *generators*, each with a translation, take *cell*; the cell alone where these are many."""
    found = [cell]
    for reached in found:
        for transformation, to in generators:
            (image,) = images([reached], transformation)
            image = moved(image, to[1:], Period(lattice.dimension))
            if image not in found:
                found.append(image)
        if len(found) > MOST_CELLS:
            return (cell,)
    return tuple(found)


def _grown(dice: Dice, lattice: Lattice) -> Ground:
    origin = (0,) * (lattice.dimension + 1)
    generators = [
        (dice.pick(lattice.transformations), dice.pick([origin, *neighbours(lattice, origin)]))
        for _ in range(dice.between(0, 2))
    ]
    size = dice.between(4, MOST_CELLS)
    orbits = [_orbit(origin, lattice, generators)]
    cells = list(orbits[0])
    for _ in range(3 * MOST_CELLS):
        if len(cells) >= size:
            break
        orbit = _orbit(dice.pick(neighbours(lattice, dice.pick(cells))), lattice, generators)
        if len(cells) + len(orbit) <= MOST_CELLS and not set(orbit) & set(cells):
            orbits.append(orbit)
            cells += orbit
    return Ground(lattice, tuple(orbits), Period(lattice.dimension))


def _ring(dice: Dice, lattice: Lattice) -> Ground:
    sizes = dice.pick(_fitting(lattice, RINGS, 4, MOST_CELLS))
    closed = [dice.chance(50) for _ in sizes]
    closed[dice.below(min(2, len(sizes)))] = True
    skewed = dice.chance(50)  # each vector then leads along later axes too
    vectors = [
        [0] * axis + [size] + [dice.between(-3, 3) * skewed for _ in sizes[axis + 1 :]]
        for axis, size in enumerate(sizes)
    ]
    return box(lattice, sizes, [vector for vector, round_it in zip(vectors, closed, strict=True) if round_it])


def _with_holes(dice: Dice, ground: Ground) -> Ground:
    orbits = list(ground.orbits)
    for _ in range(dice.between(0, 2)):
        if len(orbits) > 2:
            orbits.pop(dice.below(len(orbits)))
    return replace(ground, orbits=tuple(orbits))


def _ground(dice: Dice, lattice: Lattice, features: Features) -> Ground:
    boxes = _fitting(lattice, BOXES, 4, MOST_CELLS)
    if features.periodic and _fitting(lattice, RINGS, 4, MOST_CELLS):
        ground = _ring(dice, lattice)
    elif boxes and dice.chance(30):
        ground = box(lattice, dice.pick(boxes))
    else:
        ground = _grown(dice, lattice)
    return _with_holes(dice, ground) if features.holes else ground


def _cut(dice: Dice, ground: Ground) -> list[list[Cell]]:
    """Cut the region into connected pieces of at most 4 cells; round a ring their coordinates go on."""
    left = set(ground.cells)
    none = (0,) * ground.lattice.dimension
    pieces = []
    while left:
        piece = [min(left)]
        left.remove(piece[0])
        for _ in range(dice.between(1, 6)):
            cell = dice.pick(neighbours(ground.lattice, dice.pick(piece)))
            if len(piece) < 4 and moved(cell, none, ground.period) in left:
                left.remove(moved(cell, none, ground.period))
                piece.append(cell)
        pieces.append(piece)
    return pieces


def _shape(piece: Piece, transformations: Sequence[Transformation]) -> str:
    """The least image of a piece, its least cell at the origin: equal for equal pieces."""
    shapes = []
    for transformation in transformations:
        image = images(piece.cells, transformation)
        back = [-x for x in min(image)[1:]]
        sides = [sorted((transformation.labels[h], v) for c, h, v in piece.sides if c == k) for k in range(len(image))]
        at = [moved(cell, back, Period(len(back))) for cell in image]
        shapes.append(sorted(zip(at, piece.colours, sides, strict=True)))
    return repr(min(shapes))


def _part(dice: Dice, name: str, pieces: Sequence[Piece], allowed: Allowed) -> Part:
    """The part of which *pieces*, which are equal, are copies."""
    count, piece = len(pieces), pieces[0]
    low, high = dice.pick([(count, count)] * 5 + [(count - 1, count), (count, count + 1), (0, None)])
    part = make_part(name, piece.cells, allowed, low, high)
    sides = np.array(sorted(piece.sides), dtype=np.int32).reshape(-1, 3)
    return replace(part, colours=np.array(piece.colours, dtype=np.int32), sides=sides)


def _parts(dice: Dice, pieces: Sequence[Piece], allowed: Allowed) -> list[Part]:
    """Parts of which *pieces* are made up: equal ones become one part with a count."""
    alike: dict[str, list[Piece]] = {}
    for piece in pieces:
        alike.setdefault(_shape(piece, allowed), []).append(piece)
    return [_part(dice, f"part {k}", equal, allowed) for k, equal in enumerate(alike.values())]


def _allowed(dice: Dice, lattice: Lattice) -> Allowed:
    if lattice.generators and dice.chance(20):
        return _group(lattice, tuple(name for name in lattice.generators if dice.chance(50)))
    return _group(lattice, dice.pick(["fixed", "rotations", "reflections"]))


@cache
def _group(lattice: Lattice, words: str | tuple[str, ...]) -> Allowed:
    return lattice.allowed(words)


@cache
def _has_mirrors(lattice: Lattice) -> bool:
    return any(not t.proper for t in lattice.transformations)


def _with_spare_parts(dice: Dice, parts: Sequence[Part], lattice: Lattice) -> list[Part]:
    """More parts than are needed, and some that may do other things than the rest."""
    found = [replace(part, transformations=_allowed(dice, lattice)) if dice.chance(15) else part for part in parts]
    for k in range(dice.between(0, 2)):
        cells = [(dice.below(len(lattice.nodes)), *(0,) * lattice.dimension)]
        for _ in range(dice.between(0, 3)):
            cells.append(dice.pick(neighbours(lattice, dice.pick(cells))))
        low, high = dice.pick([(0, 1), (0, 2), (0, None), (1, 1)])
        spare = make_part(f"spare {k}", list(dict.fromkeys(cells)), _allowed(dice, lattice), low, high)
        colour = dice.pick([0, 0, *(int(c) for part in parts for c in part.colours)])
        found.append(replace(spare, colours=np.full(spare.size, colour, np.int32)))
    return dice.shuffled(found)


def _loosened(dice: Dice, puzzle: Puzzle) -> Puzzle:
    """Some cells become optional, with a bound on those left empty, and parts may be absent."""
    percent = dice.pick([10, 50, 90])
    optional = np.array([dice.chance(percent) for _ in puzzle.region.cells]) | puzzle.region.optional
    secondary = np.array([node.secondary for node in puzzle.lattice.nodes])[puzzle.region.cells[:, 0]]
    bound = dice.pick([0, 1, 2, 3, None]) if (optional & ~secondary).any() else None
    parts = [replace(part, low=dice.between(0, part.low)) if dice.chance(40) else part for part in puzzle.parts]
    return replace(puzzle, region=replace(puzzle.region, optional=optional, max_empty=bound), parts=tuple(parts))


def _colours_of_piece(dice: Dice, below: Sequence[int], features: Features) -> tuple[int, ...]:
    """The colours of the cells *below* it, some of them left out; or one colour for all of it."""
    if features.coloured:
        return tuple(dice.pick([1, 1, 1, 0]) * colour for colour in below)
    return (dice.below(len(COLOURS)) if features.painted else 0,) * len(below)


def random_puzzle(dice: Dice, lattice: Lattice, features: Features) -> Puzzle:
    """A puzzle of at most `MOST_CELLS` cells with parts of at most 4."""
    ground = _ground(dice, lattice, features)
    colours = [dice.pick([0, 1, 1, 2, 2]) if features.coloured else 0 for _ in ground.orbits]
    colour = {cell: k for orbit, k in zip(ground.orbits, colours, strict=True) for cell in orbit}
    none = (0,) * lattice.dimension
    pieces = []
    for cells in _cut(dice, ground):
        below = [colour[moved(cell, none, ground.period)] for cell in cells]
        pieces.append(Piece(tuple(cells), _colours_of_piece(dice, below, features)))
    rules = Rules()
    if features.sided:
        rules = side_rules(dice)
        pieces = with_sides(dice, pieces, lattice, ground.period, rules)
    elif features.matched:
        pieces, rules = with_values(dice, pieces, lattice, ground.period, matching_rules(dice))
    parts = _parts(dice, pieces, _allowed(dice, lattice))
    if features.spare:
        parts = _with_spare_parts(dice, parts, lattice)
    if features.boundless:
        parts = [replace(part, low=0, high=None) for part in parts]
    secondary = [cell for cell in ground.cells if lattice.nodes[cell[0]].secondary]
    optional = [*(dice.pick(ground.orbits) if dice.chance(20) else ()), *secondary]
    if features.painted:
        rules = colour_rules(dice, rules, pieces, parts, (lattice, ground.period))
        rules = alike_cells(dice, rules, pieces, (lattice, ground.period)) if dice.chance(40) else rules
    puzzle = replace(make_puzzle(ground, parts, colours, optional), rules=rules)
    return _loosened(dice, puzzle) if features.loose else puzzle


def any_puzzle(dice: Dice) -> Puzzle:
    """A puzzle with any features, on a lattice that is shipped or made up."""
    lattice = any_lattice(dice)
    if lattice.dimension > 1 and _has_mirrors(lattice) and dice.chance(5):
        return _chiral_puzzle(dice, lattice)
    return random_puzzle(dice, lattice, Features(**{name: dice.chance(often) for name, often in PERCENT.items()}))


def puzzles(lattice_name: str, *, coloured: bool = False, periodic: bool = False) -> Callable[[Dice], Puzzle]:
    """What makes puzzles without rules on a shipped lattice."""
    features = Features(coloured=coloured, periodic=periodic)
    return lambda dice: random_puzzle(dice, _shipped(lattice_name), features)


def chiral_puzzles(lattice_name: str) -> Callable[[Dice], Puzzle]:
    """What makes boxes for a piece, its mirror image and single cells; parts may be rotated, but not reflected."""
    return lambda dice: _chiral_puzzle(dice, _shipped(lattice_name))


@cache
def _shipped(lattice_name: str) -> Lattice:
    return load_lattice(lattice_name)


def _chiral_puzzle(dice: Dice, lattice: Lattice) -> Puzzle:
    allowed = lattice.allowed("rotations")
    mirror = next(t for t in lattice.transformations if not t.proper)
    for _ in range(9):
        left = [(0,) * (lattice.dimension + 1)]
        while len(left) < 4:
            left.append(dice.pick([c for cell in left for c in neighbours(lattice, cell) if c not in left]))
        right = images(left, mirror)
        plain = (0,) * 4
        if _shape(Piece(tuple(left), plain), allowed) != _shape(Piece(tuple(right), plain), allowed):
            break
    low, high = dice.pick([(1, 1), (1, 1), (0, 1)])
    single = make_part("single", left[:1], allowed, 0, None)
    hands = [make_part(name, hand, allowed, low, high) for name, hand in (("left", left), ("right", right))]
    sizes = _fitting(lattice, LARGER_BOXES, 8, 12) or [LARGER_BOXES[lattice.dimension][0]]
    ground = box(lattice, dice.pick(sizes))
    return make_puzzle(ground, [*hands, single], optional=[c for c in ground.cells if lattice.nodes[c[0]].secondary])
