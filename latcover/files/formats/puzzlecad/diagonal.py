"""Parts of cubes: puzzlecad's pyramids and tetrahedra, for the lattice of rhombic tetrahedra.

A cube of side 8 is cut into 48 wedges: each spans the centre of the cube, that of a face f, that of an edge e of this
face, and an end v of that edge. The middle of such a wedge lies at 3f + 2e + v from the centre, so motions map middles
to middles; so do shifts by half a cube along all axes, which puzzlecad's twisted joints need. Two wedges make the
tetrahedron ``fe`` of puzzlecad, and eight its pyramid ``f``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from latcover.files.formats.puzzlecad.components import (
    DIRECTIONS,
    WORDS,
    Component,
    Connector,
    SpecError,
    Vector,
    added,
    vector,
)

SIDE = 8  # of a cube, whose centre lies at the multiples
HALF: Vector = (4, 4, 4)
_NODES = {"x+": "south", "x-": "north", "y+": "east", "y-": "west", "z+": "up", "z-": "down"}  # as axes of the lattice


def wedges_of(words: Sequence[str]) -> frozenset[Vector]:
    """The middles of the wedges that words such as ``z-``, ``z-x+`` and ``sz-x+`` name, about the origin.

    Raises:
        SpecError: a word names none.
    """
    found: set[Vector] = set()
    for word in words:
        ways = [word[k : k + 2] for k in range(word.startswith("s"), len(word), 2)]
        known = all(way in DIRECTIONS for way in ways) and len({way[0] for way in ways}) == len(ways)
        if not known or not (len(ways) == 2 if word.startswith("s") else 1 <= len(ways) <= 3):
            raise SpecError(f"{word[:20]!r} names no part of a cube; these are such as z-, z-x+ and sz-x+")
        begins = [[way] for way in ways] if word.startswith("s") else [ways]
        if word.startswith("s"):
            begins += [[face, way] for face in DIRECTIONS for way in ways if face[0] not in (ways[0][0], ways[1][0])]
        for begin in begins:
            found.update(added((0, 0, 0), *_scaled(order)) for order in _orders(begin))
    return frozenset(found)


def _orders(begin: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """All wedges, as face, edge and end, whose names begin so."""
    ways = {way for way in DIRECTIONS if way[0] not in {known[0] for known in begin}}
    if len(begin) < 3:
        for way in sorted(ways):
            yield from _orders([*begin, way])
    else:
        yield begin[0], begin[1], begin[2]


def _scaled(order: tuple[str, str, str]) -> Iterator[Vector]:
    for length, way in zip((3, 2, 1), order, strict=True):
        x, y, z = DIRECTIONS[way]
        yield length * x, length * y, length * z


def diagonal_connector(cell: Vector, word: str, *, male: bool, twisted: bool, label: str) -> Connector:
    """A joint between the pyramids of two faces: ``y+z+`` lies on the tetrahedron of this name.

    A twisted joint lies as if half a cube lower along all axes: between the middles of two cubes and a corner.
    """
    face, edge = DIRECTIONS[word[:2]], DIRECTIONS[word[2:]]
    centre = vector(SIDE * np.array(cell) - (np.array(HALF) if twisted else 0))
    one, two = ((3, 2), (2, 3))
    inside, outside = (added(centre, vector(a * np.array(face) + b * np.array(edge))) for a, b in (one, two))
    return Connector(inside, outside, added(face, edge), male, label)


def divided(component: Component) -> Component:
    """The same component in wedges."""
    if component.in_wedges:
        return component
    whole = wedges_of(list(DIRECTIONS))
    cells = frozenset(added(at_centre(cell), wedge) for cell in component.cells for wedge in whole)
    connectors = tuple(
        Connector(
            added(at_centre(c.inside), vector(3 * np.array(c.face))),
            added(at_centre(c.outside), vector(-3 * np.array(c.face))),
            c.arrow,
            c.male,
            c.label,
        )
        for c in component.connectors
    )
    return Component(cells, connectors, in_wedges=True)


def at_centre(cell: Vector) -> Vector:
    """Where the centre of a cube lies."""
    return SIDE * cell[0], SIDE * cell[1], SIDE * cell[2]


def cube_of(wedge: Vector) -> Vector:
    """The cube in which a wedge lies."""
    x, y, z = ((c + SIDE // 2) // SIDE for c in wedge)
    return x, y, z


def tetrahedra(part: frozenset[Vector]) -> list[tuple[str, Vector]]:
    """The cells of a part on the lattice of rhombic tetrahedra: the name of each node, and its cube.

    Raises:
        SpecError: it holds half a tetrahedron, also if it is shifted by half a cube.
    """
    for shift in ((0, 0, 0), HALF):
        moved = frozenset(added(wedge, shift) for wedge in part)
        found: dict[tuple[str, Vector], int] = {}
        for wedge in moved:
            cube = cube_of(wedge)
            offset = np.array(wedge) - np.array(at_centre(cube))
            ways = [WORDS[vector(np.sign(offset) * (np.abs(offset) == length))] for length in (3, 2)]
            key = f"{_NODES[ways[0]]}-{_NODES[ways[1]]}", cube
            found[key] = found.get(key, 0) + 1
        if all(many == 2 for many in found.values()):
            low = np.min([cube for _, cube in found], axis=0)
            return sorted((name, vector(np.array(cube) - low)) for name, cube in found)
    raise SpecError("a part holds half a tetrahedron, which no lattice of latcover has")
