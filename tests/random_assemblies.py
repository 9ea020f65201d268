"""Assemblies made up at random, on lattices that are shipped or made up: pieces, groups, weights, slides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import gcd

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.solution import Placed, Solution
from latcover.files.formats.library import load_lattice
from latcover.files.formats.puzzle_files.lattice_file import read_lattice
from latcover.files.formats.source import Source, shipped
from latcover.lab.assembly.directions import directions
from tests.dice import Dice

Cell = tuple[int, ...]
SOLID = ("cubic", "fcc", "hexprism", "triprism", "tetraocta", "rhombic")
SLIDING = ("cubic", "square", *SOLID, "triangular", "hexagonal")  # simple ones more often
MOST_DIRECTIONS = 8
MOST_CELLS = 16  # of a block; half of them where a cell meets many
FEW_DIRECTIONS = 4


class Ground(Struct, frozen=True):
    """A lattice, and one of each pair of opposite directions in which its parts slide; if it is made up, its *text*."""

    lattice: Lattice
    ways: tuple[Cell, ...]
    text: str = ""


class Assembly(Struct, frozen=True):
    """Pieces at their places.

    Attributes:
        pieces: The cells of each.
        names: The part of each; equal pieces may be copies of one.
        groups: Of each part: the groups in which it may stay with others, and how many copies of it at most.
        weights: Of each part.
    """

    ground: Ground
    pieces: tuple[tuple[Cell, ...], ...]
    names: tuple[str, ...]
    groups: dict[str, tuple[tuple[str, int | None], ...]] = field(default_factory=dict)
    weights: dict[str, int] = field(default_factory=dict)

    def puzzle(self) -> tuple[Puzzle, Solution]:
        """A puzzle whose only solution of interest is this."""
        puzzle, solution = assembled(self.ground.lattice, self.pieces, self.names)
        parts = tuple(
            replace(part, groups=self.groups.get(part.name, ()), weight=self.weights.get(part.name, 1))
            for part in puzzle.parts
        )
        puzzle = replace(puzzle, parts=parts)
        return puzzle, solution.of_puzzle(puzzle)

    def by_group(self) -> dict[str, dict[str, int | None]]:
        """How many copies of each part may stay in each group."""
        found: dict[str, dict[str, int | None]] = {}
        for part, groups in self.groups.items():
            for name, most in groups:
                found.setdefault(name, {})[part] = most
        return found


def assembled(
    lattice: Lattice, pieces: Sequence[Sequence[Cell]], names: Sequence[str] | None = None
) -> tuple[Puzzle, Solution]:
    """A puzzle whose only solution of interest is these pieces at these places."""
    names = names or [f"P{k}" for k in range(len(pieces))]
    placed = tuple(Placed(name, tuple(sorted(cells))) for name, cells in zip(names, pieces, strict=True))
    parts = {
        p.part: Part(
            p.part, np.array(p.cells, np.int32), np.zeros(len(p.cells), np.int32), 1, None, lattice.allowed("fixed")
        )
        for p in placed
    }
    region = Region(np.array(sorted(c for cells in pieces for c in cells), np.int32))
    puzzle = Puzzle("assembly", lattice, region, tuple(parts.values()))
    return puzzle, Solution(placed, puzzle=puzzle)


def random_pieces(dice: Dice, lattice: Lattice, most_cells: int, most_pieces: int) -> list[list[Cell]]:
    """Connected pieces that grew into each other, from random cells near the origin."""
    n = dice.between(2, most_pieces)
    taken: dict[Cell, int] = {}
    pieces: list[list[Cell]] = []
    for k in range(n):
        border = [c for cell in taken for c in lattice.neighbours(cell) if c not in taken] or [
            (0, *[0] * lattice.dimension)
        ]
        cell = dice.pick(sorted(set(border)))
        taken[cell] = k
        pieces.append([cell])
    for _ in range(most_cells - n):
        k = dice.below(n)
        free = sorted({c for cell in pieces[k] for c in lattice.neighbours(cell) if c not in taken})
        if free:
            cell = dice.pick(free)
            taken[cell] = k
            pieces[k].append(cell)
    return pieces


def cut_block(dice: Dice, ground: Ground, most_pieces: int) -> list[list[Cell]]:
    """A block of cells, some of them left out, cut into pieces that lock more often than those that grow freely."""
    lattice = ground.lattice
    nodes = range(len(lattice.nodes))
    sizes = [dice.between(2, 4 if lattice.dimension == 2 or k == 0 else 3) for k in range(lattice.dimension)]
    cells = [(u, *x) for x in product(*map(range, sizes)) for u in nodes if not dice.chance(10)]
    left = set(cells[: MOST_CELLS if len(ground.ways) <= FEW_DIRECTIONS else MOST_CELLS // 2])
    pieces = [[cell] for cell in dice.shuffled(sorted(left))[: dice.between(2, most_pieces)]]
    left -= {cell for piece in pieces for cell in piece}
    while left:
        growing = [(k, c) for k, p in enumerate(pieces) for cell in p for c in lattice.neighbours(cell) if c in left]
        if not growing:
            break
        k, cell = dice.pick(growing)
        pieces[k].append(cell)
        left.remove(cell)
    return pieces


def maze(dice: Dice, ground: Ground, most_pieces: int) -> list[list[Cell]]:
    """Walls, which are one piece, and small pieces within, which find out after several moves or never."""
    lattice, few = ground.lattice, len(ground.ways) <= FEW_DIRECTIONS
    size = {2: 6, 3: 4}[lattice.dimension] - (not few)
    sizes = [dice.between(3, size) for _ in range(lattice.dimension)]
    percent = dice.between(30, 75)
    walls, free = [], []
    for cell in product(range(len(lattice.nodes)), *map(range, sizes)):
        inner = all(0 < x < n - 1 for x, n in zip(cell[1:], sizes, strict=True))
        (free if inner or not dice.chance(percent) else walls).append(cell)
    left = set(free)
    pieces = [walls]
    for start in sorted(free, key=lambda c: sum(abs(2 * x - n + 1) for x, n in zip(c[1:], sizes, strict=True))):
        if start in left and len(pieces) < most_pieces:
            piece = [start]
            for _ in range(dice.between(0, 2)):
                piece += [c for c in lattice.neighbours(dice.pick(piece)) if c in left and c not in piece][:1]
            pieces.append(piece)
            left -= {*piece, *(c for cell in piece for c in lattice.neighbours(cell))}
    return [piece for piece in pieces if piece]


def random_assembly(dice: Dice, ground: Ground) -> Assembly:
    """Any pieces on this ground, with groups and weights or without."""
    lattice = ground.lattice
    most = dice.pick((3, 2, 4))
    kind = dice.below(3)
    if kind == 0:
        pieces = random_pieces(dice, lattice, dice.between(6, 14), most)
    else:
        pieces = (cut_block if kind == 1 else maze)(dice, ground, most)
    cells = tuple(tuple(sorted(piece)) for piece in pieces)
    names = _names(dice, cells)
    parts = sorted(set(names))
    groups, weights = {}, {}
    if dice.chance(60):
        for part in parts:
            groups[part] = tuple((name, dice.pick((None, 1, 2))) for name in ("a", "b") if dice.chance(50))
    if dice.chance(60):
        weights = {part: dice.between(1, 3) for part in parts}
    return Assembly(ground, cells, names, groups, weights)


def _names(dice: Dice, pieces: Sequence[Sequence[Cell]]) -> tuple[str, ...]:
    """The names of parts: pieces that are moved copies of each other may bear the same."""
    shapes: dict[tuple[Cell, ...], str] = {}
    names = []
    for k, cells in enumerate(pieces):
        low = [min(x) for x in zip(*(c[1:] for c in cells), strict=True)]
        shape = tuple((u, *(x - y for x, y in zip(at, low, strict=True))) for u, *at in cells)
        name = shapes.setdefault(shape, f"P{k}")
        names.append(name if dice.chance(70) else f"P{k}")
    return tuple(names)


# ---- grounds


def any_ground(dice: Dice) -> Ground:
    """A lattice that is shipped or made up, with the directions of its own or with others."""
    ground = _made_up(dice) if dice.chance(50) else _known(dice.pick(SLIDING))
    return _slid(dice, ground) if ground.ways == () or dice.chance(40) else ground


@cache
def _known(name: str) -> Ground:
    lattice = load_lattice(name)
    return Ground(lattice, tuple(map(tuple, directions(lattice).tolist())))


def _slid(dice: Dice, ground: Ground) -> Ground:
    """The same with other directions, as its file might list them: with each, those that symmetry takes it to."""
    lattice = ground.lattice
    while True:
        known: set[Cell] = set()
        for _ in range(dice.between(1, 3)):
            way = tuple(dice.pick((0, 1, -1, 2, -2)) for _ in range(lattice.dimension))
            if gcd(*way) == 1:
                for transformation in lattice.transformations:
                    image = tuple((transformation.matrix @ way).tolist())
                    known.add(max(image, tuple(-x for x in image)))
        if 0 < len(known) <= MOST_DIRECTIONS:
            slides = tuple(sorted(known, reverse=True))
            text = ground.text.replace("basis", f"slides = {[list(s) for s in slides]}\nbasis", 1)
            return Ground(replace(lattice, slides=slides), slides, text)


def _made_up(dice: Dice) -> Ground:
    text = _lattice_text(dice)
    lattice = read_lattice(Source(text.encode(), "lattice.toml", shipped))
    lattice = replace(lattice, symbolic=False, has_gaps=True)  # neighbours need not touch, but no two cells overlap
    if "radius" in text:
        return Ground(lattice, (), text)
    return Ground(lattice, tuple(map(tuple, directions(lattice).tolist())), text)


def _lattice_text(dice: Dice) -> str:
    """A lattice of balls, or of one or two convex bodies in each unit, which need not fill it."""
    dimension = dice.pick((3, 3, 2))
    basis = np.diag([dice.pick((1.0, 1.5, 2.0)) for _ in range(dimension)])
    for row, column in product(range(dimension), repeat=2):
        if row > column:
            basis[row, column] = dice.pick((0.0, 0.0, 0.5, -0.5, 0.25)) * basis[column, column]
    lines = ['name = "made up"', f"basis = {basis.tolist()}", "transformations = []", 'drawings = "symbols"']
    if dice.chance(25):
        units = [u for u in product((-1, 0, 1), repeat=dimension) if any(u)]
        radius = min(np.linalg.norm(np.array(u) @ basis) for u in units) / 2
        bodies = [([0.0] * dimension, f"radius = {radius * dice.pick((1.0, 0.9, 0.7))}")]
    elif dice.chance(50):
        bodies = [([0.0] * dimension, _body(dice, basis))]
    else:
        half = np.diag([0.5] + [1.0] * (dimension - 1)) @ basis
        bodies = [([0.0] * dimension, _body(dice, half)), ((basis[0] / 2).tolist(), _body(dice, half))]
    for k, (position, drawing) in enumerate(bodies):
        lines += [f"[nodes.n{k}]", f"position = {position}", drawing]
    lines.append("[half_edges]")
    steps = np.eye(dimension, dtype=int).tolist()
    joins = [(k, k, step) for k in range(len(bodies)) for step in steps[len(bodies) - 1 :]]
    if len(bodies) == 2:
        joins += [(0, 1, [0] * dimension), (1, 0, steps[0])]
    for h, (u, w, step) in enumerate(joins):
        back = [-x for x in step]
        lines.append(f'h{h} = {{ from = "n{u}", to = "n{w}", step = {step}, twin = "t{h}" }}')
        lines.append(f't{h} = {{ from = "n{w}", to = "n{u}", step = {back}, twin = "h{h}" }}')
    return "\n".join(lines) + "\n"


def _body(dice: Dice, spans: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> str:
    """A parallelepiped or an octahedron between these vectors, or what is like it in the plane."""
    spans = spans / 2 * dice.pick((1.0, 0.8, 0.5))
    if len(spans) == 2:
        a, b = spans
        ring = [-a - b, a - b, a + b, b - a] if dice.chance(50) else [a, b, -a, -b]
        return f"polygon = {[corner.tolist() for corner in ring]}"
    if dice.chance(50):
        corners = [np.array(signs) @ spans for signs in product((-1, 1), repeat=3)]
        faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    else:
        corners = [sign * vector for vector in spans for sign in (-1, 1)]
        faces = [[a, b, c] if (a + b + c) % 2 else [a, c, b] for a, b, c in product((0, 1), (2, 3), (4, 5))]
    return f"vertices = {[corner.tolist() for corner in corners]}\nfaces = {faces}"
