"""Well-known flat tilings, with which a lattice of one's own can begin: each as a lattice file says it.

Regular and Archimedean tilings have sides of length 1; the others are duals, or cut them up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import cos, pi, sin, sqrt
from typing import Any

Point = tuple[float, float]
Data = dict[str, Any]
DIGITS = 12
ROOT = sqrt(3)


def tilings() -> list[Data]:
    """All of them, in the order of a list to choose from: ``name``, ``title`` and ``lattice``."""
    return [{"name": name, "title": title, "lattice": make()} for name, title, make in _ALL]


def _ring(n: int, radius: float, first: float = 0.0, centre: Point = (0.0, 0.0)) -> list[Point]:
    """The corners of a regular polygon; the direction of the first in degrees."""
    angles = [(first + 360 * k / n) * pi / 180 for k in range(n)]
    return [(centre[0] + radius * cos(a), centre[1] + radius * sin(a)) for a in angles]


def _at(radius: float, degrees: float) -> Point:
    """A point at a distance from the origin, in a direction."""
    return _ring(1, radius, degrees)[0]


def _lattice(name: str, basis: Sequence[Point], cells: Iterable[tuple[str, Sequence[Point]]]) -> Data:
    """A tiling from the corners of its cells, which become centres and corners measured from them."""
    nodes = {}
    for cell, corners in cells:
        x, y = (sum(corner[k] for corner in corners) / len(corners) for k in (0, 1))
        position = [_round(x), _round(y)]
        nodes[cell] = {"position": position, "polygon": [[_round(u - x), _round(v - y)] for u, v in corners]}
    return {"name": name, "basis": [[_round(x) for x in row] for row in basis], "nodes": nodes}


def _round(x: float) -> float:
    return round(x, DIGITS) + 0.0


def _hexagons(side: float = 1.0) -> list[Point]:
    """The basis of the hexagons with upright sides whose centres are *side* apart."""
    return [(side, 0.0), (side / 2, side * ROOT / 2)]


def _squares() -> Data:
    return _lattice("squares", [(1, 0), (0, 1)], [("square", _ring(4, sqrt(0.5), 45))])


def _hexagonal() -> Data:
    return _lattice("hexagons", _hexagons(ROOT), [("hexagon", _ring(6, 1, 30))])


def _triangles() -> Data:
    up, down = [(0, 0), (1, 0), (0.5, ROOT / 2)], [(1, 0), (1.5, ROOT / 2), (0.5, ROOT / 2)]
    return _lattice("triangles", _hexagons(), [("up", up), ("down", down)])


def _bricks() -> Data:
    brick = [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)]
    return _lattice("bricks", [(2, 0), (1, 1)], [("brick", brick)])


def _octagons() -> Data:
    width = 1 + sqrt(2)
    octagon = _ring(8, 0.5 / sin(pi / 8), 22.5)
    square = _ring(4, sqrt(0.5), 0, (width / 2, width / 2))
    return _lattice("4.8.8", [(width, 0), (0, width)], [("octagon", octagon), ("square", square)])


def _kagome() -> Data:
    down = [(1, 0), (1.5, ROOT / 2), (0.5, ROOT / 2)]
    up = [(1, 0), (0.5, -ROOT / 2), (1.5, -ROOT / 2)]
    return _lattice("3.6.3.6", _hexagons(2), [("hexagon", _ring(6, 1, 0)), ("down", down), ("up", up)])


def _dodecagons() -> Data:
    width = 2 + ROOT
    cells = [("dodecagon", _ring(12, 0.5 / sin(pi / 12), 15))]
    cells += [(f"triangle-{a}", _ring(3, 1 / ROOT, a, _at(width / ROOT, a))) for a in (30, 90)]
    return _lattice("3.12.12", _hexagons(width), cells)


def _rhombitrihexagonal() -> Data:
    width = 1 + ROOT
    cells = [("hexagon", _ring(6, 1, 30))]
    cells += [(f"square-{a}", _ring(4, sqrt(0.5), 45 + a, _at(width / 2, a))) for a in (0, 60, 120)]
    cells += [(f"triangle-{a}", _ring(3, 1 / ROOT, a + 180, _at(width / ROOT, a))) for a in (30, 90)]
    return _lattice("3.4.6.4", _hexagons(width), cells)


def _great_rhombitrihexagonal() -> Data:
    width = 3 + ROOT
    cells = [("dodecagon", _ring(12, 0.5 / sin(pi / 12), 15))]
    cells += [(f"square-{a}", _ring(4, sqrt(0.5), 45 + a, _at(width / 2, a))) for a in (0, 60, 120)]
    cells += [(f"hexagon-{a}", _ring(6, 1, 0, _at(width / ROOT, a))) for a in (30, 90)]
    return _lattice("4.6.12", _hexagons(width), cells)


def _snub_square() -> Data:
    """Squares tilted by 15 degrees, to either side in turns, that meet at corners; two triangles fill each gap."""
    far, e = (1 + ROOT) / 2, (ROOT - 1) / 4  # from square to square; how far corners lie off the lines between them
    half, radius = far / 2, sqrt(0.5)
    cells = [
        ("square-0", _ring(4, radius, 15)),
        ("square-1", _ring(4, radius, -15, (far, 0))),
        ("right", [(half, e), (far + e, half), (half, far - e)]),
        ("left", [(half, e), (half, far - e), (-e, half)]),
        ("up", [(e, -half), (far - e, -half), (half, e)]),
        ("down", [(e, -half), (half, -far - e), (far - e, -half)]),
    ]
    return _lattice("3.3.4.3.4", [(far, far), (far, -far)], cells)


def _cairo() -> Data:
    """The dual of 3.3.4.3.4: about its short sides, upright and level in turns, lie two pentagons each."""
    far = 2.0  # from the middle of a short side to the next
    half, h = far / 2, far / 2 * (1 - 1 / ROOT)
    north = [(-h, 0.0), (h, 0.0), (half, half), (0.0, far - h), (-half, half)]
    cells = [
        ("north", north),
        ("south", [(-x, -y) for x, y in north]),
        ("west", [(far - y, x) for x, y in north]),
        ("east", [(far + y, -x) for x, y in north]),
    ]
    return _lattice("cairo", [(far, far), (far, -far)], cells)


def _rhombille() -> Data:
    ring = _ring(6, 1, 30)
    cells = [
        (name, [(0.0, 0.0), ring[k], ring[k + 1], ring[(k + 2) % 6]])
        for name, k in (("top", 0), ("left", 2), ("right", 4))
    ]
    return _lattice("rhombille", _hexagons(ROOT), cells)


def _kisrhombille() -> Data:
    """Twelve triangles round the centre of a hexagon: the dual of 4.6.12."""
    far, near = _ring(6, 1, 30), _ring(6, ROOT / 2, 0)
    cells = []
    for k in range(6):
        cells.append((f"a{k}", [(0.0, 0.0), near[k], far[k]]))
        cells.append((f"b{k}", [(0.0, 0.0), far[k], near[(k + 1) % 6]]))
    return _lattice("kisrhombille", _hexagons(ROOT), cells)


def _tetrakis() -> Data:
    ring = _ring(4, sqrt(2), 45)
    cells = [
        (name, [(0.0, 0.0), ring[k], ring[(k + 1) % 4]]) for k, name in enumerate(("north", "west", "south", "east"))
    ]
    return _lattice("tetrakis", [(2, 0), (0, 2)], cells)


def _deltoids() -> Data:
    """Six kites round the centre of a hexagon: the dual of 3.4.6.4."""
    far, near = _ring(6, 1, 30), _ring(6, ROOT / 2, 0)
    cells = [(f"kite{k}", [(0.0, 0.0), near[k], far[k], near[(k + 1) % 6]]) for k in range(6)]
    return _lattice("kites", _hexagons(ROOT), cells)


_ALL: list[tuple[str, str, Callable[[], Data]]] = [
    ("squares", "squares", _squares),
    ("hexagons", "hexagons", _hexagonal),
    ("triangles", "triangles", _triangles),
    ("4.8.8", "4.8.8: octagons and squares", _octagons),
    ("3.6.3.6", "3.6.3.6: hexagons and triangles", _kagome),
    ("3.12.12", "3.12.12: dodecagons and triangles", _dodecagons),
    ("3.4.6.4", "3.4.6.4: hexagons, squares and triangles", _rhombitrihexagonal),
    ("4.6.12", "4.6.12: dodecagons, hexagons and squares", _great_rhombitrihexagonal),
    ("3.3.4.3.4", "3.3.4.3.4: snub squares and triangles", _snub_square),
    ("cairo", "Cairo pentagons", _cairo),
    ("rhombille", "rhombille: tumbling blocks", _rhombille),
    ("kites", "kites: six round each hexagon's centre", _deltoids),
    ("kisrhombille", "kisrhombille: twelve triangles in a hexagon", _kisrhombille),
    ("tetrakis", "squares cut into four triangles", _tetrakis),
    ("bricks", "bricks", _bricks),
]
