"""Lattices made up at random: nodes, half-edges and a finite group that maps them to themselves, as lattice files.

A group of whole matrices is chosen, and the nodes are orbits of random points under it; so are the half-edges. The
file gives some transformations as cycles of labels and others as matrices. Any node may be secondary, and any may be
drawn as a square or as a disc, whether or not the group keeps that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from latcover.core.model.lattice import Lattice
from latcover.errors import LatticeError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.puzzle_files.lattice_file import read_lattice
from latcover.files.formats.source import Source, names, shipped
from tests.dice import Dice, Seeded

Matrix = tuple[tuple[int, ...], ...]
Point = tuple[Fraction, ...]
Edge = tuple[int, int, tuple[int, ...]]  # node, target, step

NUMBER = 300  # of lattices made up
MOST_NODES = 4
SHIPPED = (
    "square",
    "square",
    "square",
    "triangular",
    "hexagonal",
    "cubic",
    *names("lattices"),
)  # simple ones more often
GROUPS: dict[int, tuple[tuple[Matrix, ...], ...]] = {
    1: ((), (((-1,),),)),
    2: (
        (),
        (((-1, 0), (0, -1)),),
        (((1, 0), (0, -1)),),
        (((0, 1), (1, 0)),),
        (((0, -1), (1, 0)),),
        (((0, -1), (1, 0)), ((1, 0), (0, -1))),
        (((0, -1), (1, -1)),),
        (((1, -1), (1, 0)), ((0, 1), (1, 0))),
    ),
    3: (
        (),
        (((-1, 0, 0), (0, -1, 0), (0, 0, -1)),),
        (((0, -1, 0), (1, 0, 0), (0, 0, 1)),),
        (((0, 0, 1), (1, 0, 0), (0, 1, 0)),),
        (((0, -1, 0), (1, 0, 0), (0, 0, 1)), ((1, 0, 0), (0, -1, 0), (0, 0, -1))),
        (((1, 0, 0), (0, 1, 0), (0, 0, -1)), ((0, 1, 0), (1, 0, 0), (0, 0, 1))),
    ),
}


def any_lattice(dice: Dice) -> Lattice:
    """A shipped lattice, or one made up."""
    if dice.chance(40):
        return made_up(dice.below(NUMBER))
    return load_lattice(dice.pick(SHIPPED))


def to_five_decimals(dice: Dice, name: str) -> Lattice:
    """A shipped lattice as if its long numbers had five decimals: each is off by half of the fifth, or by less."""

    def moved(number: re.Match[str]) -> str:
        return repr(float(number[0]) + dice.between(-50, 50) * 1e-7)

    text = shipped("lattices", name).content.decode()
    return read_lattice(Source(re.sub(r"-?\d+\.\d{6,}", moved, text).encode(), f"{name}.toml", shipped))


def lattice_text(lattice: Lattice) -> str:
    """The file of a lattice made up; nothing for others."""
    return _text(int(lattice.name.split("-")[1])) if lattice.name.startswith("made-") else ""


@cache
def made_up(number: int) -> Lattice:
    """One of `NUMBER` lattices, each always the same."""
    return read_lattice(Source(_text(number).encode(), "lattice.toml", shipped))


@cache
def _text(number: int) -> str:
    """The text of a sound lattice file: tried until the half-edges span the lattice."""
    for attempt in range(1000):
        dice = Seeded(f"lattice {number} {attempt}")
        text = _drawn(dice, f"made-{number}")
        if text is not None and _is_sound(text):
            return text
    raise AssertionError(f"no lattice came of {number}")


def _is_sound(text: str) -> bool:
    """Whether all cells hang together; any other complaint is a fault of this file or of the reader."""
    try:
        read_lattice(Source(text.encode(), "lattice.toml", shipped))
    except LatticeError as fault:
        if "the half-edges reach" in str(fault) or "no half-edges connect" in str(fault):
            return False
        raise
    return True


def _drawn(dice: Dice, name: str) -> str | None:
    dimension = dice.pick((2, 2, 2, 2, 2, 3, 3, 3, 3, 1))
    group = dice.pick(GROUPS[dimension])
    points = _points(dice, group, dimension)
    if len(points) > MOST_NODES:
        return None
    edges = _edges(dice, group, points)
    return _written(dice, name, group, points, edges)


def _points(dice: Dice, group: Sequence[Matrix], dimension: int) -> list[Point]:
    """Places within the unit that the group takes into one another, but for whole steps."""
    found: list[Point] = []
    for _ in range(dice.between(1, 2)):
        parts = dice.pick((1, 2, 3, 4))
        start = tuple(Fraction(dice.below(parts), parts) for _ in range(dimension))
        orbit = [start]
        for point in orbit:
            for matrix in group:
                image = tuple(x % 1 for x in _image(matrix, point))
                if image not in orbit:
                    orbit.append(image)
        found += [point for point in orbit if point not in found]
    return found


def _image(matrix: Matrix, point: Sequence[Fraction]) -> Point:
    return tuple(sum((m * x for m, x in zip(row, point, strict=True)), Fraction(0)) for row in matrix)


def _moved(matrix: Matrix, points: Sequence[Point], edge: Edge) -> Edge:
    node, target, step = edge
    start = _image(matrix, points[node])
    end = _image(matrix, [a + s for a, s in zip(points[target], step, strict=True)])
    to = [points.index(tuple(x % 1 for x in place)) for place in (start, end)]
    by = ((e - points[to[1]][k]) - (s - points[to[0]][k]) for k, (s, e) in enumerate(zip(start, end, strict=True)))
    return to[0], to[1], tuple(int(x) for x in by)


def _edges(dice: Dice, group: Sequence[Matrix], points: Sequence[Point]) -> list[Edge]:
    """Half-edges with their twins: orbits under the group."""
    dimension = len(points[0])
    near = [
        (node, target, step)
        for node, target in product(range(len(points)), repeat=2)
        for step in product((0, 1, -1), repeat=dimension)
        if node != target or any(step)
    ]
    near.sort(key=lambda edge: sum((b + s - a) ** 2 for a, b, s in zip(points[edge[0]], points[edge[1]], edge[2])))  # noqa: B905
    found: list[Edge] = []
    for _ in range(dice.between(1, 4)):
        orbit = [near[min(dice.below(len(near)), dice.below(len(near)))]]
        for edge in orbit:
            twin = (edge[1], edge[0], tuple(-s for s in edge[2]))
            orbit += [e for e in dict.fromkeys((twin, *(_moved(m, points, edge) for m in group))) if e not in orbit]
        found += [edge for edge in orbit if edge not in found]
    return found


def _written(dice: Dice, name: str, group: Sequence[Matrix], points: Sequence[Point], edges: Sequence[Edge]) -> str:
    dimension = len(points[0])
    basis = np.eye(dimension, dtype=int)
    if dice.chance(30):
        basis[0, -1] += dimension > 1
    lines = [f'name = "{name}"', f"basis = {basis.tolist()}"]
    lines.append('drawings = "symbols"')  # half-edges may join any two cells
    lines.append(f'part_transformations = "{dice.pick(("reflections", "rotations", "fixed"))}"')
    drawing = "polygon = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]" if dice.chance(50) else "radius = 0.25"
    for node, point in enumerate(points):
        position = (np.array([float(x) for x in point]) @ basis).tolist()
        lines += [f"[nodes.n{node}]", f"position = {position}"]
        lines.append("radius = 0.25" if dimension == 3 else drawing)
        if len(points) > 1 and dice.chance(20):
            lines.append("secondary = true")
    lines.append("[half_edges]")
    for h, (node, target, step) in enumerate(edges):
        twin = edges.index((target, node, tuple(-s for s in step)))
        lines.append(f'h{h} = {{ from = "n{node}", to = "n{target}", step = {list(step)}, twin = "h{twin}" }}')
    for k, matrix in enumerate(group):
        lines += ["[[transformations]]", f'name = "g{k}"']
        goes_to = [edges.index(_moved(matrix, points, edge)) for edge in edges]
        if dice.chance(50):
            lines.append(f"cycles = [{', '.join(_cycles(goes_to))}]")
        else:
            turned = np.linalg.inv(basis) @ np.array(matrix).T @ basis  # rows of coordinates, not of steps
            lines.append(f"matrix = {turned.T.tolist()}")
    return "\n".join(lines) + "\n"


def _cycles(goes_to: Sequence[int]) -> Iterator[str]:
    seen: set[int] = set()
    for start in range(len(goes_to)):
        cycle = [start]
        while goes_to[cycle[-1]] != start:
            cycle.append(goes_to[cycle[-1]])
        if start not in seen and len(cycle) > 1:
            yield f'"{" ".join(f"h{h}" for h in cycle)}"'
        seen.update(cycle)
