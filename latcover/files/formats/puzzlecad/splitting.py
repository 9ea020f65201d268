"""Cutting a part into components that can be printed, each with its joints.

A printer builds from the bed up, so a cube in a higher layer needs one below it. A part that has no such orientation is
cut by planes between its cubes. Where two components touch along a cut, one male connector stands on one of them, if
it can be, on its upper side.
"""

from __future__ import annotations

from itertools import combinations, product
from string import ascii_lowercase, ascii_uppercase

import numpy as np

from latcover.files.formats.puzzlecad.components import (
    DIRECTIONS,
    Component,
    Connector,
    Rotation,
    Vector,
    rotations,
)

Cubes = frozenset[Vector]
LABELS = ascii_uppercase + ascii_lowercase
UP: Vector = (0, 0, 1)
MOST_CHOICES = 4096  # of orientations of the components of a part


def upwards() -> dict[Vector, Rotation]:
    """For each direction, a rotation that turns it up."""
    found: dict[Vector, Rotation] = {}
    for rotation in rotations():
        up = [int(value) for value in rotation.T @ UP]
        found.setdefault((up[0], up[1], up[2]), rotation)
    return found


def can_be_printed(cells: Cubes, up: Vector) -> bool:
    """Whether each cube above the lowest layer stands on another, if *up* points up."""
    heights = {cell: int(np.dot(cell, up)) for cell in cells}
    least = min(heights.values())
    return all(height == least or _beside(cell, up, -1) in cells for cell, height in heights.items())


def printable_components(cells: Cubes, first_label: int = 0, *, flat: bool = False) -> list[Component]:
    """The components of a part, each turned as it is to be printed, with its lowest corner at the origin.

    Args:
        cells: The cubes of the part; all of them hang together.
        flat: Whether they are not as high as wide, so that they have to lie as they do.
        first_label: The number of the first label; two joints of a part have different ones.
    """
    pieces = _cut(cells)
    touching = [
        (first, second, cell, way)
        for first, second in combinations(range(len(pieces)), 2)
        if (contact := _contact(pieces[first], pieces[second])) is not None
        for cell, way in [contact]
    ]
    ways = [UP] if flat else [UP, *(way for way in DIRECTIONS.values() if way != UP)]
    ups = [[up for up in ways if can_be_printed(piece, up)] for piece in pieces]
    best: tuple[Vector, ...] = tuple(each[0] for each in ups)
    best_many = -1
    for choice, _ in zip(product(*ups), range(MOST_CHOICES), strict=False):
        many = sum(choice[a] == way or choice[b] == _beside((0, 0, 0), way, -1) for a, b, _, way in touching)
        if many > best_many:
            best, best_many = choice, many
    joints: list[list[Connector]] = [[] for _ in pieces]
    for number, (a, b, cell, way) in enumerate(touching):
        label, arrow = LABELS[(first_label + number) % len(LABELS)], _across(way)
        back = _beside((0, 0, 0), way, -1)
        male = best[a] == way or best[b] != back
        joints[a].append(Connector(cell, _beside(cell, way), arrow, male, label))
        joints[b].append(Connector(_beside(cell, way), cell, arrow, not male, label))
    return [_laid_down(Component(p, tuple(j)), up) for p, j, up in zip(pieces, joints, best, strict=True)]


def _laid_down(component: Component, up: Vector) -> Component:
    turned = component.moved(upwards()[up], np.zeros(3, np.int64))
    return turned.moved(np.eye(3, dtype=np.int64), -np.min(list(turned.cells), axis=0))


def _cut(cells: Cubes) -> list[Cubes]:
    """The fewest components that a greedy choice of planes gives; each can be printed."""
    if any(can_be_printed(cells, up) for up in DIRECTIONS.values()):
        return [cells]
    best: list[Cubes] = []
    for axis in range(3):
        for plane in sorted({cell[axis] for cell in cells})[1:]:
            halves = frozenset(c for c in cells if c[axis] < plane), frozenset(c for c in cells if c[axis] >= plane)
            pieces = [piece for half in halves for piece in connected(half)]
            if not best or _cost(pieces) < _cost(best):
                best = pieces
    return [component for piece in best for component in _cut(piece)]


def _cost(pieces: list[Cubes]) -> tuple[int, int]:
    """How bad a cut is: pieces that have to be cut again, then pieces."""
    again = sum(not any(can_be_printed(piece, up) for up in DIRECTIONS.values()) for piece in pieces)
    return again, len(pieces)


def connected(cells: Cubes) -> list[Cubes]:
    """The pieces of some cubes that hang together by sides."""
    left, found = set(cells), []
    while left:
        reached, front = set(), [min(left)]
        while front:
            cell = front.pop()
            if cell in left:
                left.remove(cell)
                reached.add(cell)
                front += [_beside(cell, way) for way in DIRECTIONS.values()]
        found.append(frozenset(reached))
    return found


def _contact(first: Cubes, second: Cubes) -> tuple[Vector, Vector] | None:
    """The middle one of the places where two components touch: a cube of the first, and the way to the second."""
    places = [(c, way) for way in DIRECTIONS.values() for c in sorted(first) if _beside(c, way) in second]
    return places[len(places) // 2] if places else None


def _beside(cell: Vector, way: Vector, steps: int = 1) -> Vector:
    return cell[0] + steps * way[0], cell[1] + steps * way[1], cell[2] + steps * way[2]


def _across(way: Vector) -> Vector:
    return next(d for d in DIRECTIONS.values() if np.dot(d, way) == 0 and max(d) > 0)
