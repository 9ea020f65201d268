"""Whether the drawings of a lattice's cells fit together: their areas or volumes, their sides, and what overlaps.

Drawings that fill space are checked by their sides alone. All sides of all cells must cancel: where a side looks one
way, another must look the other way. Then every point lies in the same number of cells, and this number is one if the
cells of a unit have the area (or volume) of the unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from latcover.model.lattice import NEAR, HalfEdge, Node

Points = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.float64]
CLOSE = 4 * NEAR  # distance within which two sides lie in one line or plane
PARALLEL = 0.9999  # cosine
FILL, TOUCH, SYMBOLS = "fill", "touch", "symbols"
WAYS = (FILL, TOUCH, SYMBOLS)
MOST_NAMED = 6
MOST_NODES, MOST_SIDES = 100, 500  # of a lattice that is checked: the time grows with the square of both
FARTHEST = 100  # cells along an axis that a drawing may reach
HINTS = {
    FILL: f'; if the cells leave gaps, set drawings = "{TOUCH}"; if the drawings are mere symbols, "{SYMBOLS}"',
    TOUCH: f'; if the drawings are mere symbols, set drawings = "{SYMBOLS}"',
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the drawing of a node, or with the drawings that a half-edge joins; whether cells overlap."""

    message: str
    node: int | None = None
    half_edge: int | None = None
    overlap: bool = False


class Shape:
    """The drawing of a node as sides that look outwards.

    Attributes:
        centre: Cartesian, where its node lies in the unit, shape (d,).
        sides: The corners of each side relative to the centre: two in the plane, three or more in space.
        radius: Of a sphere, which has no sides.
    """

    def __init__(self, centre: Points, sides: Sequence[Points], radius: float) -> None:
        self.centre, self.sides, self.radius = centre, sides, radius

    @cached_property
    def normals(self) -> Points:
        """The direction that each side looks, shape (n, d)."""
        return np.array([_normal(side) for side in self.sides])

    @cached_property
    def sizes(self) -> Numbers:
        """The length or area of each side, shape (n,)."""
        return np.array([_size(side) for side in self.sides])

    @cached_property
    def middles(self) -> Points:
        return np.array([side.mean(axis=0) for side in self.sides])

    @cached_property
    def reaches(self) -> Numbers:
        """The greatest distance of a corner from the middle of its side, shape (n,)."""
        return np.array([np.linalg.norm(s - m, axis=1).max() for s, m in zip(self.sides, self.middles, strict=True)])

    @cached_property
    def corners(self) -> Points:
        return np.concatenate(self.sides)

    @cached_property
    def volume(self) -> float:
        """The area or volume within the sides; negative if they look inwards."""
        heights = (self.normals * self.middles).sum(axis=1)
        return float(heights @ self.sizes) / self.centre.size

    @cached_property
    def reach(self) -> float:
        """The greatest distance of a corner from the centre."""
        return self.radius or float(np.linalg.norm(self.corners, axis=1).max())


def _normal(side: Points) -> Points:
    """The unit vector across a side, outwards; zero if the side has no size."""
    vector = _across(side)
    length = float(np.linalg.norm(vector))
    return vector / length if length > NEAR**2 else np.zeros_like(vector)


def _size(side: Points) -> float:
    return float(np.linalg.norm(_across(side)))


def _across(side: Points) -> Points:
    """The vector across a side, as long as the side is large."""
    if len(side[0]) == 2:
        (x, y), (u, v) = side
        return np.array([v - y, x - u])
    x, y, z = (side - side[0]).T
    u, v, w = np.roll([x, y, z], -1, axis=1)
    return np.array([(y * w - z * v).sum(), (z * u - x * w).sum(), (x * v - y * u).sum()]) / 2


def drawing_faults(basis: Points, nodes: Sequence[Node], half_edges: Sequence[HalfEdge], way: str) -> Iterator[Fault]:
    """What does not fit together in the drawings.

    Args:
        basis: The vector of a unit step along each axis, shape (d, d).
        nodes: The nodes, each with its drawing.
        half_edges: The half-edges, which join cells that should touch.
        way: `FILL`: the cells fill space. `TOUCH`: the cells leave gaps. Either way they do not overlap, and neighbours
            share a side; balls touch. `SYMBOLS`: nothing is checked; nor is it of a lattice that `is_large`.
    """
    if way == SYMBOLS or is_large(nodes):
        return
    pattern = pattern_of(basis, nodes, way)
    if not isinstance(pattern, Pattern):
        yield from pattern
        return
    shared = [pattern.shared(edge) for edge in half_edges]
    if way == FILL:
        met = Counter((edge.node, side) for edge, (whole, _) in zip(half_edges, shared, strict=True) for side in whole)
        faults = list(pattern.filled(met))
    else:
        faults = list(pattern.overlaps())
    blamed = {fault.node for fault in faults}
    for number, edge in enumerate(half_edges):
        if {edge.node, edge.target} & blamed or number > edge.twin:
            continue
        if not shared[number][1]:
            one, other = (repr(nodes[node].name) for node in (edge.node, edge.target))
            sided = not (nodes[edge.node].drawing.radius or nodes[edge.target].drawing.radius)
            what = "share no side" if sided else "do not touch"
            message = f"the cells {one} and {other} that it joins {what} as they are drawn"
            faults.append(Fault(f"{message}; look at its step, and at the position and corners of both", None, number))
    for k, fault in enumerate(faults):
        hint = HINTS[TOUCH if fault.overlap else way] if k == 0 else ""
        yield Fault(fault.message + hint, fault.node, fault.half_edge)


def is_large(nodes: Sequence[Node]) -> bool:
    """Whether a lattice has more nodes or sides than are checked."""
    return len(nodes) > MOST_NODES or sum(map(_n_sides, nodes)) > MOST_SIDES


def pattern_of(basis: Points, nodes: Sequence[Node], way: str) -> Pattern | list[Fault]:
    """The shapes of a unit, repeated; or what is wrong with single drawings. Intervals become rectangles."""
    faults, shapes = [], []
    for number, node in enumerate(nodes):
        made = _shape(node, len(basis))
        if isinstance(made, str):
            faults.append(Fault(made, number))
        else:
            shapes.append(made)
    if faults:
        return faults
    if len(basis) == 1:  # intervals are drawn as rectangles, which also repeat upwards
        basis = np.diag([float(basis[0, 0]), 1.0])
    pattern = Pattern(basis, [node.name for node in nodes], shapes, way)
    far = pattern.reaches_over(FARTHEST)
    if far:
        return [Fault(f"its drawing reaches over more than {FARTHEST} units; look at its corners", u) for u in far]
    crossed = [(u, found) for u, shape in enumerate(shapes) if (found := _crossing(shape)) is not None]
    if crossed:
        return [Fault(found, u) for u, found in crossed]
    return pattern


def _n_sides(node: Node) -> int:
    drawing = node.drawing
    return len(drawing.faces) if drawing.vertices.shape[1] == 3 else len(drawing.vertices)


def _shape(node: Node, dimension: int) -> Shape | str:
    """The shape of a node's drawing, or what is wrong with it."""
    vertices, position = node.drawing.vertices, np.array(node.position)
    if dimension == 1:
        position = np.array([node.position[0], 0.0])
    if not len(vertices) and not node.drawing.radius:
        return "its radius is 0"
    if node.drawing.radius:
        return Shape(position, [], node.drawing.radius)
    if dimension == 1:
        low, high = vertices[:, 0].min(), vertices[:, 0].max()
        vertices = np.array([[low, -0.5], [high, -0.5], [high, 0.5], [low, 0.5]])
    if dimension < 3:
        sides = [np.array([a, b]) for a, b in zip(vertices, np.roll(vertices, -1, axis=0), strict=True)]
    else:
        found = _outward(node)
        if isinstance(found, str):
            return found
        sides = found
    shape = Shape(position, [side for side in sides if _size(side) > 0], 0.0)
    if not shape.sides or abs(shape.volume) <= CLOSE * float(shape.sizes.sum()):
        what, which = ("area", "line") if dimension < 3 else ("volume", "plane")
        return f"its drawing has no {what}: its corners lie in one {which}, or its sides cross each other"
    return Shape(position, [side[::-1] for side in shape.sides], 0.0) if shape.volume < 0 else shape


def _outward(node: Node) -> list[Points] | str:
    """The faces of a solid, all seen from outside or all seen from inside; or what is wrong with them."""
    vertices, rings = node.drawing.vertices, [list(face) for face in node.drawing.faces]
    for ring in rings:
        face = vertices[ring]
        if np.abs((face - face.mean(axis=0)) @ _normal(face)).max() > CLOSE:
            return f"the face {ring} is not flat: its corners lie in no plane"
    middle = vertices.mean(axis=0)
    for attempt in range(2):
        walked = [pair for ring in rings for pair in zip(ring, ring[1:] + ring[:1], strict=True)]
        if sorted(walked) == sorted((b, a) for a, b in walked):
            return [vertices[ring] for ring in rings]
        if attempt == 0:  # faces may be given either way round; those of a convex solid show which way is out
            rings = [
                ring if (vertices[ring].mean(axis=0) - middle) @ _normal(vertices[ring]) > 0 else ring[::-1]
                for ring in rings
            ]
    odd = next(pair for pair in walked if walked.count(pair) != walked.count(pair[::-1]))
    return f"its faces do not close: look at those with the edge between the vertices {odd[0]} and {odd[1]}"


class Pattern:
    """The shapes of a unit, repeated along the basis."""

    def __init__(self, basis: Points, names: Sequence[str], shapes: Sequence[Shape], way: str) -> None:
        self.basis, self.names, self.shapes, self.way = basis, names, shapes, way
        self.inverse = np.linalg.inv(basis)
        self._near: dict[int, list[tuple[int, Points]]] = {}

    def reaches_over(self, units: float) -> list[int]:
        """The nodes whose drawings reach over more units than that."""
        most = float(np.abs(self.inverse).max())
        return [u for u, shape in enumerate(self.shapes) if shape.reach * most > units]

    def near(self, u: int) -> list[tuple[int, Points]]:
        """The cells that may meet the cell of node *u* at the origin, itself included: nodes, and centres from its."""
        if u not in self._near:
            self._near[u] = self._found_near(u)
        return self._near[u]

    def _found_near(self, u: int) -> list[tuple[int, Points]]:
        found: list[tuple[int, Points]] = []
        for v, shape in enumerate(self.shapes):
            reach = self.shapes[u].reach + shape.reach + CLOSE
            apart = shape.centre - self.shapes[u].centre
            most = np.ceil(reach * np.linalg.norm(self.inverse, axis=0)).astype(int) + 1
            start = -np.rint(apart @ self.inverse)
            steps = np.stack(np.meshgrid(*(np.arange(-m, m + 1) for m in most), indexing="ij"), -1)
            centres = apart + (steps.reshape(-1, len(most)) + start) @ self.basis
            found += [(v, centre) for centre in centres[np.linalg.norm(centres, axis=1) <= reach]]
        return found

    def filled(self, met: Mapping[tuple[int, int], int]) -> Iterator[Fault]:
        """Where cells that should fill space do not: the sizes of a unit's cells, and sides that meet none.

        *met* counts, for (node, side), the half-edges that lead to a cell with the same side.
        """
        sided = [range(len(shape.sides)) for shape in self.shapes]
        doubtful = [u for u, sides in enumerate(sided) if any(met.get((u, side)) != 1 for side in sides)]
        odd = [fault for u in doubtful if (fault := self.unmet(u)) is not None]
        volumes = [shape.volume for shape in self.shapes]
        unit, whole = abs(float(np.linalg.det(self.basis))), sum(volumes)
        if odd or whole > unit:
            worse = {fault.node: fault for fault in self.overlaps()}
            odd = [*worse.values(), *(fault for fault in odd if fault.node not in worse)]
            odd.sort(key=lambda fault: fault.node or 0)
        if abs(whole - unit) > CLOSE * sum(float(shape.sizes.sum()) for shape in self.shapes):
            what = "areas" if len(self.basis) == 2 else "volumes"
            message = (
                f"the cells of a unit have the {what} {self._listed(volumes)}, together {whole:.6g}, but the basis "
                f"makes a unit of {unit:.6g}; look at the corners of the nodes, and at the basis"
            )
            yield Fault(message, odd[0].node if odd else 0, overlap=whole > unit)
        yield from odd

    def _listed(self, volumes: Sequence[float]) -> str:
        """The sizes with the names of their nodes; equal sizes stand together."""
        by_size: dict[str, list[str]] = {}
        for name, volume in zip(self.names, volumes, strict=True):
            by_size.setdefault(f"{volume:.6g}", []).append(repr(name))
        return ", ".join(
            f"{size} ({', '.join(names) if len(names) <= MOST_NAMED else f'each of {len(names)} nodes'})"
            for size, names in by_size.items()
        )

    def unmet(self, u: int) -> Fault | None:
        """The first side of a node that no cell meets, or not along all of it."""
        own, total = self.shapes[u], np.zeros(len(self.shapes[u].sides))
        near = self.near(u)
        normals = np.concatenate([self.shapes[v].normals for v, _ in near])
        middles = np.concatenate([self.shapes[v].middles + centre for v, centre in near])
        reaches = np.concatenate([self.shapes[v].reaches for v, _ in near])
        sides = [side + centre for v, centre in near for side in self.shapes[v].sides]
        level = np.abs(own.normals @ middles.T - (own.normals * own.middles).sum(axis=1)[:, None]) <= CLOSE
        apart = np.linalg.norm(own.middles[:, None] - middles, axis=2) < own.reaches[:, None] + reaches
        meets = level & apart & (np.abs(own.normals @ normals.T) > PARALLEL)
        for i, j in np.argwhere(meets).tolist():
            total[i] += common_part(own.sides[i], own.normals[i], sides[j])
        room = CLOSE * np.array([len(side) if len(self.basis) == 2 else _round(side) for side in own.sides])
        wrong = np.flatnonzero(np.abs(total) > room)
        if not len(wrong):
            return None
        side, left, size = own.sides[wrong[0]], float(total[wrong[0]]), float(own.sizes[wrong[0]])
        corners = " to ".join(map(_listed, side))
        what = f"side from {corners}" if len(self.basis) == 2 else f"face with the corners {corners}"
        what = what.replace(" to ", ", ") if len(self.basis) == 3 else what
        if left < 0:
            met = "meets more than one cell"
        elif left > size * (1 - NEAR) - CLOSE:
            met = "meets no cell"
        else:
            met = f"meets cells along {size - left:.6g} of its {size:.6g} only"
        look = "look at these corners, and at those of its neighbours, which must agree to five decimals"
        return Fault(f"the {what} of {self.names[u]!r} {met}; {look}", u)

    def overlaps(self) -> Iterator[Fault]:
        """Where cells that need not fill space overlap."""
        for u, own in enumerate(self.shapes):
            for v, centre in self.near(u):
                if (u == v and not centre.any()) or u > v:
                    continue
                if _depth(own, self.shapes[v], centre) > CLOSE:
                    around = own.centre + _middle_of_both(own, self.shapes[v], centre)
                    message = f"a cell {self.names[u]!r} and the cell {self.names[v]!r} at {_listed(centre)} from it"
                    mend = "move their corners apart there, or look at their positions and at the basis"
                    yield Fault(f"{message} overlap, around {_listed(around)}; {mend}", u, overlap=True)
                    break

    def shared(self, edge: HalfEdge) -> tuple[list[int], bool]:
        """The sides that the cell of a half-edge has in common with the next as a whole; and whether they touch.

        Balls touch others at a point. Other cells touch if they have a side in common, or a part of one.
        """
        own, other = self.shapes[edge.node], self.shapes[edge.target]
        step = np.zeros(len(self.basis))
        step[: len(edge.step)] = edge.step
        centre = other.centre + step @ self.basis - own.centre
        whole, part = [], False
        if own.sides and other.sides:
            facing = own.normals @ other.normals.T < -PARALLEL
            level = (own.normals * own.middles).sum(axis=1)[:, None]
            facing &= np.abs(own.normals @ (other.middles + centre).T - level) <= CLOSE
            for i, j in np.argwhere(facing).tolist():
                side, there = own.sides[i], other.sides[j] + centre
                if same_corners(side, there):
                    whole.append(i)
                else:
                    part = part or -common_part(side, own.normals[i], there) > CLOSE * _round(side)
        is_ball = bool(own.radius or other.radius)
        touches = bool(whole) or part or (is_ball and abs(_depth(own, other, centre)) <= CLOSE)
        return whole, touches


def same_corners(one: Points, other: Points) -> bool:
    """Whether two sides have the same corners, in whatever order."""
    gaps = np.abs(one[:, None] - other).max(axis=2) <= CLOSE
    return len(one) == len(other) and bool(gaps.any(axis=0).all() and gaps.any(axis=1).all())


def _round(side: Points) -> float:
    """The length of the way round a face; 1 for a side in the plane."""
    return 1.0 if len(side) == 2 else float(np.linalg.norm(side - np.roll(side, 1, axis=0), axis=1).sum())


def common_part(side: Points, normal: Points, other: Points) -> float:
    """The length or area that two sides in one line or plane have in common; negative if they face each other."""
    if len(normal) == 2:
        along = np.array([-normal[1], normal[0]])
        a, b = side @ along, other @ along
        common = min(a.max(), b.max()) - max(a.min(), b.min())
        return float(max(common, 0.0) * np.sign(a[1] - a[0]) * np.sign(b[1] - b[0]))
    edges = np.roll(side, -1, axis=0) - side
    across = np.cross(normal, edges[int(np.argmax((edges**2).sum(axis=1)))])
    across /= np.linalg.norm(across)
    frame = np.array([across, np.cross(normal, across)]).T
    return _common_area((side - side[0]) @ frame, (other - side[0]) @ frame)


def _common_area(one: Points, other: Points) -> float:
    """The area that two polygons have in common; negative if they run round it in opposite ways.

    Below each edge lies a trapezoid, down to one floor; a polygon is the signed sum of those of its edges. So the area
    is the signed sum of what two trapezoids have in common, over all pairs of edges.
    """
    floor = min(one[:, 1].min(), other[:, 1].min())
    (x0, y0, x1, y1), (u0, v0, u1, v1) = (
        (*(p - [0, floor]).T[:, :, None], *(np.roll(p, -1, axis=0) - [0, floor]).T[:, :, None]) for p in (one, other)
    )
    u0, v0, u1, v1 = u0.T, v0.T, u1.T, v1.T
    low = np.maximum(np.minimum(x0, x1), np.minimum(u0, u1))
    wide = np.maximum(np.minimum(np.maximum(x0, x1), np.maximum(u0, u1)) - low, 0.0)

    def heights(a0: Points, b0: Points, a1: Points, b1: Points) -> tuple[Points, Points]:
        slope = (b1 - b0) / np.where(a1 == a0, 1.0, a1 - a0)
        return b0 + (low - a0) * slope, b0 + (low + wide - a0) * slope

    (ya, yb), (va, vb) = heights(x0, y0, x1, y1), heights(u0, v0, u1, v1)
    da, db = ya - va, yb - vb
    most = np.maximum(np.maximum(da, db), 0.0)
    differ = (da < 0) != (db < 0)
    cross = most**2 / np.where(differ, np.abs(da - db), 1.0)  # the edges cross: a triangle
    above = np.where(differ, cross, np.maximum(da, 0.0) + np.maximum(db, 0.0))
    signs = np.sign(x1 - x0) * np.sign(u1 - u0)
    return float((signs * wide * (ya + yb - above) / 2).sum())


def _depth(one: Shape, other: Shape, centre: Points) -> float:
    """How deep *other*, whose centre lies at *centre*, reaches into *one*; negative by how far it is away.

    It is exact for balls, also beside other shapes. For two other shapes it says whether they overlap.
    """
    if one.radius and other.radius:
        return one.radius + other.radius - float(np.linalg.norm(centre))
    if one.radius or other.radius:
        ball, sided, at = (other, one, centre) if other.radius else (one, other, -centre)
        return ball.radius - _distance(sided, at)
    low = np.maximum(one.corners.min(axis=0), other.corners.min(axis=0) + centre)
    high = np.minimum(one.corners.max(axis=0), other.corners.max(axis=0) + centre)
    if (high - low).min() <= CLOSE or _separated(one, other, centre):
        return 0.0
    common = common_size(one, other, centre)
    size = min(float(one.sizes.sum()), float(other.sizes.sum()))
    return float(common ** (1 / len(centre))) if common > CLOSE * size else 0.0


def _separated(one: Shape, other: Shape, centre: Points) -> bool:
    """Whether a side of one shape parts it from all of the other: the quick answer for nearly all neighbours."""
    for shape, corners in ((one, other.corners + centre), (other, one.corners - centre)):
        own = (shape.corners @ shape.normals.T).max(axis=0)
        if ((corners @ shape.normals.T).min(axis=0) >= own - CLOSE).any():
            return True
    return False


def common_size(one: Shape, other: Shape, centre: Points) -> float:
    """The area or volume that two shapes have in common, the second with its centre at *centre*."""
    if len(centre) == 2:
        return _common_area(_outline(one), _outline(other) + centre)
    floor = min(one.corners[:, 2].min(), other.corners[:, 2].min() + centre[2])
    return _common_volume(_triangles(one.sides, floor), _triangles([s + centre for s in other.sides], floor))


def _crossing(shape: Shape) -> str | None:
    """What is wrong with a shape that crosses itself.

    Around a point a side counts with its sign. Where a shape crosses itself, it counts some points twice or negatively,
    and so has more in common with itself than its size.
    """
    if shape.radius or common_size(shape, shape, shape.centre * 0) <= shape.volume + CLOSE * shape.sizes.sum():
        return None
    if len(shape.centre) == 3:
        return "its faces cross each other; look at its vertices, and at the faces"
    for i, one in enumerate(shape.sides):
        for other in shape.sides[i + 2 :]:
            a, b, c, d = (_turn(one, other[0]), _turn(one, other[1]), _turn(other, one[0]), _turn(other, one[1]))
            if a * b < 0 and c * d < 0:
                sides = " and ".join(f"from {_listed(side[0])} to {_listed(side[1])}" for side in (one, other))
                return f"its sides {sides} cross each other; look at its corners, and at their order"
    return "its outline crosses itself; look at its corners, and at their order"


def _turn(side: Points, point: Points) -> float:
    """Positive if *point* lies to the left of *side*."""
    (x, y), (u, v) = side[1] - side[0], point - side[0]
    return float(x * v - y * u)


def _middle_of_both(one: Shape, other: Shape, centre: Points) -> Points:
    """A point where two shapes that overlap do so, or near it: the middle of what their boxes have in common."""
    boxes = []
    for shape, at in ((one, centre * 0), (other, centre)):
        corners = shape.corners if shape.sides else np.array([-1, 1])[:, None] * np.full_like(centre, shape.radius)
        boxes.append((corners.min(axis=0) + at, corners.max(axis=0) + at))
    (a, b), (c, d) = boxes
    middle: Points = (np.maximum(a, c) + np.minimum(b, d)) / 2
    return middle


def _listed(point: Points) -> str:
    return f"({', '.join(f'{x:.6g}' for x in point.round(6) + 0)})"


Column = tuple[list[tuple[float, float]], float, tuple[float, float, float]]


def _triangles(sides: Sequence[Points], floor: float) -> list[Column]:
    """The columns of space between a solid's faces, cut into triangles, and a floor, from above.

    Of each column: its corners, counter-clockwise; a sign, 1 below faces that look up and -1 below those that look
    down; and the numbers (a, b, c) of its height a x + b y + c. The solid is the signed sum of its columns.
    """
    found: list[Column] = []
    for side in sides:
        for k in range(1, len(side) - 1):
            corners = side[[0, k, k + 1]]
            twice = _turn(corners[:2, :2], corners[2, :2])
            if abs(twice) > NEAR**2:
                flat, sign = (corners, 1.0) if twice > 0 else (corners[::-1], -1.0)
                height = np.linalg.solve(np.column_stack([flat[:, :2], np.ones(3)]), flat[:, 2] - floor)
                a, b, c = height.tolist()
                found.append(([(x, y) for x, y in flat[:, :2].tolist()], sign, (a, b, c)))
    return found


def _common_volume(one: Sequence[Column], other: Sequence[Column]) -> float:
    """The volume that two solids have in common: over all pairs of columns, the room below both heights."""
    if not one or not other:
        return 0.0
    corners = [np.array([column[0] for column in columns]) for columns in (one, other)]
    boxes = [np.concatenate([c.min(axis=1), c.max(axis=1)], axis=1) for c in corners]
    meet = (boxes[0][:, None, :2] < boxes[1][:, 2:]).all(axis=2) & (boxes[1][:, :2] < boxes[0][:, None, 2:]).all(axis=2)
    total = 0.0
    for i, j in np.argwhere(meet).tolist():
        (common, s, (a, b, c)), (others, t, (d, e, f)) = one[i], other[j]
        for k in range(3):
            (x, y), (u, v) = others[k], others[(k + 1) % 3]
            common = _kept(common, (y - v, u - x, x * v - u * y))
        first = _kept(common, (d - a, e - b, f - c))  # where the first is the lower one
        total += s * t * (_below(common, (d, e, f)) + _below(first, (a - d, b - e, c - f)))
    return total


def _kept(polygon: list[tuple[float, float]], plane: tuple[float, float, float]) -> list[tuple[float, float]]:
    """The part of a convex polygon where a x + b y + c is not negative."""
    a, b, c = plane
    kept = []
    for k, (x, y) in enumerate(polygon):
        u, v = polygon[k - 1]
        here, before = a * x + b * y + c, a * u + b * v + c
        if (here < 0) != (before < 0):
            share = before / (before - here)
            kept.append((u + share * (x - u), v + share * (y - v)))
        if here >= 0:
            kept.append((x, y))
    return kept


def _below(polygon: list[tuple[float, float]], height: tuple[float, float, float]) -> float:
    """The volume below a plane over a convex polygon, counter-clockwise."""
    a, b, c = height
    total = 0.0
    for (x, y), (u, v) in pairwise(polygon[1:]):
        p, q = polygon[0]
        area = ((x - p) * (v - q) - (u - p) * (y - q)) / 2
        total += area * (a * (p + x + u) / 3 + b * (q + y + v) / 3 + c)
    return total


def _outline(shape: Shape) -> Points:
    """The corners of a polygon in their order."""
    return np.array([side[0] for side in shape.sides])


def _distance(shape: Shape, point: Points) -> float:
    """How far a point is from the sides of a shape; negative if it lies inside."""
    if len(point) == 3:
        return _distance_in_space(shape, point)
    start = _outline(shape)
    along = np.array([side[1] - side[0] for side in shape.sides])
    gap = _from_edges(start, along, point)
    rises = (start[:, 1] > point[1]) != (start[:, 1] + along[:, 1] > point[1])
    slope = along[:, 0] / np.where(along[:, 1] == 0, 1.0, along[:, 1])
    inside = int((rises & (point[0] < start[:, 0] + (point[1] - start[:, 1]) * slope)).sum()) % 2
    return -gap if inside else gap


def _from_edges(start: Points, along: Points, point: Points) -> float:
    """How far a point is from the nearest of some edges."""
    share = (((point - start) * along).sum(axis=1) / (along**2).sum(axis=1)).clip(0, 1)
    return float(np.linalg.norm(start + share[:, None] * along - point, axis=1).min())


def _distance_in_space(shape: Shape, point: Points) -> float:
    """The same of a solid. The faces fill its whole view if it lies inside (van Oosterom and Strackee 1983)."""
    gap, view = np.inf, 0.0
    for side, normal in zip(shape.sides, shape.normals, strict=True):
        start, along = side, np.roll(side, -1, axis=0) - side
        gap = min(gap, _from_edges(start, along, point))
        height = float((side[0] - point) @ normal)
        foot = point + height * normal
        here, there = side - foot, np.roll(side, -1, axis=0) - foot
        turns = np.arctan2(np.cross(here, there) @ normal, (here * there).sum(axis=1))
        if abs(turns.sum()) > np.pi:  # the foot of the perpendicular lies in the face
            gap = min(gap, abs(height))
        for k in range(1, len(side) - 1):
            a, b, c = side[[0, k, k + 1]] - point
            (p, q, r) = (np.linalg.norm(each) for each in (a, b, c))
            view += 2 * np.arctan2(a @ np.cross(b, c), p * q * r + (a @ b) * r + (b @ c) * p + (c @ a) * q)
    return -float(gap) if view > 2 * np.pi else float(gap)
