"""BurrTools' puzzles by plain geometry and brute force: nothing of latcover is used.

A cell is where it lies in space: the corners of its polyhedron, or its centre where that says enough. What a piece may
do is to be turned rigidly; it lies well where every one of its cells comes onto a cell of the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from xml.sax.saxutils import quoteattr

import numpy as np
from msgspec import Struct, field

CUBES, PRISMS, SPHERES, RHOMBIC, TETRAOCTA = GRIDS = range(5)
Place = tuple[int, int, int]
Point = tuple[float, ...]
Cell = frozenset[Point]
HEIGHT = 0.75**0.5


class Voxel(Struct, frozen=True):
    """What stands at a place: whether it may stay empty, and a colour; 0 is none."""

    variable: bool = False
    colour: int = 0


Shape = Mapping[Place, Voxel]


class Use(Struct, frozen=True):
    """A shape in a problem."""

    shape: int
    low: int = 1
    high: int = 1


class Problem(Struct, frozen=True):
    """A problem; pairs of colours of piece and result that may meet, from 1."""

    uses: Sequence[Use]
    result: int
    pairs: Sequence[tuple[int, int]] = ()
    max_holes: int | None = None
    name: str = ""


class Puzzle(Struct, frozen=True):
    """What a file holds."""

    grid: int
    shapes: Sequence[Shape]
    problems: Sequence[Problem]
    n_colours: int = 0
    names: Mapping[int, str] = field(default_factory=dict)


def solid(places: Sequence[Place]) -> Shape:
    """A shape without colours or variable voxels."""
    return {place: Voxel() for place in places}


# ---- the file


def voxel_text(shape: Shape) -> tuple[Place, str]:
    """The size and the text of a shape."""
    sizes = tuple(max((place[axis] for place in shape), default=0) + 1 for axis in range(3))
    text = ""
    for z, y, x in product(range(sizes[2]), range(sizes[1]), range(sizes[0])):
        voxel = shape.get((x, y, z))
        text += "_" if voxel is None else "+" if voxel.variable else "#"
        text += str(voxel.colour) if voxel and voxel.colour else ""
    return (sizes[0], sizes[1], sizes[2]), text


def xml(puzzle: Puzzle) -> str:
    """The file as BurrTools writes it."""
    lines = ['<?xml version="1.0"?>', '<puzzle version="2">', f'<gridType type="{puzzle.grid}"/>', "<colors>"]
    lines += ['<color red="9" green="9" blue="9"/>'] * puzzle.n_colours
    lines.append("</colors><shapes>")
    for number, shape in enumerate(puzzle.shapes):
        (x, y, z), text = voxel_text(shape)
        name = f" name={quoteattr(puzzle.names[number])}" if number in puzzle.names else ""
        lines.append(f'<voxel x="{x}" y="{y}" z="{z}"{name} type="0">{text}</voxel>')
    lines.append("</shapes><problems>")
    for problem in puzzle.problems:
        name = f" name={quoteattr(problem.name)}" if problem.name else ""
        holes = "" if problem.max_holes is None else f' maxHoles="{problem.max_holes}"'
        lines.append(f'<problem{name} state="0"{holes}><shapes>')
        for use in problem.uses:
            many = f'count="{use.low}"' if use.low == use.high else f'min="{use.low}" max="{use.high}"'
            lines.append(f'<shape id="{use.shape}" {many}/>')
        lines.append(f'</shapes><result id="{problem.result}"/><bitmap>')
        lines += [f'<pair piece="{piece - 1}" result="{result - 1}"/>' for piece, result in problem.pairs]
        lines.append("</bitmap></problem>")
    return "\n".join([*lines, "</problems><comment/></puzzle>"])


# ---- geometry


def holds_a_cell(grid: int, place: Place) -> bool:
    if grid == SPHERES:
        return sum(place) % 2 == 0
    if grid == RHOMBIC:
        return {min(v % 5, 4 - v % 5) for v in place} == {0, 1, 2}
    if grid == TETRAOCTA:
        within = [v % 3 for v in place]
        even = sum(v // 3 for v in place) % 2 == 0
        corners = ((2, 0, 0), (0, 2, 0), (0, 0, 2), (2, 2, 2)) if even else ((0, 0, 0), (2, 2, 0), (2, 0, 2), (0, 2, 2))
        return within == [1, 1, 1] or tuple(within) in corners
    return True


def corners(grid: int, place: Place) -> np.ndarray:
    """Corners of the cell, shape (n, 3); one point, its centre, for cubes and spheres."""
    x, y, z = place
    if grid == PRISMS:
        flat, tip = (y, y + 1) if (x + y) % 2 == 0 else (y + 1, y)
        ends = [(x / 2, flat * HEIGHT, z), (x / 2 + 1, flat * HEIGHT, z), (x / 2 + 0.5, tip * HEIGHT, z)]
        return np.array(ends)
    if grid == RHOMBIC:  # middle of the cube, middle of a face, and an edge of that face
        within = np.array([v % 5 - 2 for v in place])
        face = np.where(np.abs(within) == 2, np.sign(within), 0)
        towards = np.where(np.abs(within) == 1, np.sign(within), 0)
        along = np.where(within == 0, 1, 0)
        middle = 2 * np.array([v // 5 for v in place])
        return middle + np.array([0 * face, face, face + towards + along, face + towards - along])
    if grid == TETRAOCTA:
        within = np.array([v % 3 - 1 for v in place])
        middle = 2 * np.array([v // 3 for v in place])
        sign = 1 if sum(v // 3 for v in place) % 2 == 0 else -1  # of the product of a cut corner's coordinates
        if not within.any():
            return middle + np.array([c for c in product((1, -1), repeat=3) if np.prod(c) == -sign])
        return middle + np.array([within, *(within * (1 - 2 * axis) for axis in np.eye(3))])
    return np.array([place], dtype=float)


def cell_of(points: np.ndarray) -> Cell:
    return frozenset(map(tuple, (np.round(points, 4) + 0.0).tolist()))


def touch(grid: int, one: Place, other: Place) -> bool:
    """Whether two cells share a side, or are spheres in contact."""
    apart = sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
    if grid == CUBES:
        return apart == 1
    if grid == SPHERES:
        return apart == 2
    shared = len(cell_of(corners(grid, one)) & cell_of(corners(grid, other)))
    if grid == PRISMS:
        return shared == 2 or (one[:2] == other[:2] and apart == 1)
    return shared == 3


def turn(axis: Sequence[float], angle: float) -> np.ndarray:
    """The rotation about an axis (Rodrigues)."""
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def of_the_cube(signs: Sequence[int]) -> list[np.ndarray]:
    """The signed permutations with these determinants."""
    found = [
        np.eye(3)[list(p)] * np.array(s)[:, None] for p in permutations(range(3)) for s in product((1, -1), repeat=3)
    ]
    return [matrix for matrix in found if round(float(np.linalg.det(matrix))) in signs]


def rotations(grid: int, *, of_pieces: bool = True, mirrors: bool = False) -> list[np.ndarray]:
    """The rotations that a grid knows; of packed spheres those that keep but a layer too, when pieces are turned."""
    if grid == PRISMS:
        about = [turn((0, 0, 1), k * np.pi / 3) for k in range(6)]
        found = [m @ f for m in about for f in (np.eye(3), np.diag([1.0, -1.0, -1.0]))]
        return found + [m @ np.diag([1.0, 1.0, -1.0]) for m in found] * mirrors
    found = of_the_cube((1, -1) if mirrors else (1,))
    if grid == SPHERES and of_pieces:
        sixths = [turn(d, np.pi / 3) for d in ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))]
        found += [lattice @ sixth for lattice in found for sixth in sixths]
    return found


# ---- brute force

Copy = tuple[int, frozenset[tuple[Cell, int]]]  # the number of the use, and the cells with their colours
Solution = frozenset[Copy]


def placements(puzzle: Puzzle, problem: Problem, number: int) -> set[Copy]:
    """Every way to put a piece into the result."""
    use = problem.uses[number]
    shape, result = puzzle.shapes[use.shape], puzzle.shapes[problem.result]
    there = {cell_of(corners(puzzle.grid, place)): voxel for place, voxel in result.items()}
    middles = [corners(puzzle.grid, place).mean(axis=0) for place in result]
    pieces = [(corners(puzzle.grid, place), voxel.colour) for place, voxel in shape.items()]
    found = set()
    for matrix in rotations(puzzle.grid):
        turned = [(points @ matrix.T, colour) for points, colour in pieces]
        for middle in middles:
            shift = middle - turned[0][0].mean(axis=0)
            copy = [(cell_of(points + shift), colour) for points, colour in turned]
            if all(cell in there and _may_meet(problem, colour, there[cell].colour) for cell, colour in copy):
                found.add((number, frozenset(copy)))
    return found


def _may_meet(problem: Problem, piece: int, result: int) -> bool:
    return not piece or not result or (piece, result) in problem.pairs


def solutions(puzzle: Puzzle, problem: Problem) -> set[Solution]:
    """Every assembly: cells are filled, or left empty where they may be, one after the other."""
    result = puzzle.shapes[problem.result]
    cells = {cell_of(corners(puzzle.grid, place)): voxel for place, voxel in result.items()}
    order = sorted(cells, key=sorted)
    rank = {cell: k for k, cell in enumerate(order)}
    choices: dict[Cell, list[tuple[Copy, frozenset[Cell]]]] = {cell: [] for cell in order}
    for number in range(len(problem.uses)):
        for copy in placements(puzzle, problem, number):
            covered = frozenset(cell for cell, _ in copy[1])
            choices[min(covered, key=rank.__getitem__)].append((copy, covered))
    ranged = any(use.low != use.high for use in problem.uses)
    most_empty = len(cells) if problem.max_holes is None or not ranged else problem.max_holes

    def fill(k: int, taken: frozenset[Cell], chosen: tuple[Copy, ...]) -> Iterator[Solution]:
        used = [number for number, _ in chosen]
        if k == len(order):
            enough = all(used.count(number) >= use.low for number, use in enumerate(problem.uses))
            if enough and len(order) - len(taken) <= most_empty:
                yield frozenset(chosen)
            return
        if order[k] in taken or cells[order[k]].variable:
            yield from fill(k + 1, taken, chosen)
        for copy, covered in choices[order[k]]:
            if not covered & taken and used.count(copy[0]) < problem.uses[copy[0]].high:
                yield from fill(k + 1, taken | covered, (*chosen, copy))

    return set(fill(0, frozenset(), ()))


def different(puzzle: Puzzle, problem: Problem, found: set[Solution], *, mirrors: bool) -> int:
    """How many of *found* differ by more than a motion of the whole; mirrors count where all images are solutions."""
    result = puzzle.shapes[problem.result]
    points = [(corners(puzzle.grid, place), voxel) for place, voxel in result.items()]
    there = {cell_of(where): voxel for where, voxel in points}
    maps = []
    for matrix in rotations(puzzle.grid, of_pieces=False, mirrors=mirrors):
        turned = [(where @ matrix.T, voxel) for where, voxel in points]
        shift = np.concatenate([where for where, _ in points]).min(axis=0) - np.concatenate(
            [where for where, _ in turned]
        ).min(axis=0)
        moved = [(cell_of(where + shift), voxel) for where, voxel in turned]
        if all(there.get(cell) == voxel for cell, voxel in moved):
            sources = [cell_of(where) for where, _ in points]
            maps.append(dict(zip(sources, (cell for cell, _ in moved), strict=True)))
    moves = [m for m in maps if all(_moved(solution, m) in found for solution in found)]
    return len({frozenset(_moved(solution, m) for m in moves) for solution in found})


def _moved(solution: Solution, where: Mapping[Cell, Cell]) -> Solution:
    return frozenset((number, frozenset((where[cell], colour) for cell, colour in copy)) for number, copy in solution)
