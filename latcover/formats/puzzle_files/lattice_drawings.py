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
from math import sqrt

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
    """What is wrong with the drawing of a node, or with the drawings that a half-edge joins."""

    message: str
    node: int | None = None
    half_edge: int | None = None


class _Shape:
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
        way: `FILL`: the cells fill space, and neighbours share a side. `TOUCH`: the cells leave gaps, and neighbours
            touch. `SYMBOLS`: nothing is checked; nor is it of a lattice with more than `MOST_NODES` or `MOST_SIDES`.
    """
    if way == SYMBOLS or len(nodes) > MOST_NODES or sum(map(_n_sides, nodes)) > MOST_SIDES:
        return
    shapes: list[_Shape] = []
    for number, node in enumerate(nodes):
        made = _shape(node, len(basis))
        if isinstance(made, str):
            yield Fault(made, number)
        else:
            shapes.append(made)
    if len(shapes) < len(nodes):
        return
    if len(basis) == 1:  # intervals are drawn as rectangles, which also repeat upwards
        basis = np.diag([float(basis[0, 0]), 1.0])
    far = [u for u, shape in enumerate(shapes) if shape.reach * np.abs(np.linalg.inv(basis)).max() > FARTHEST]
    if far:
        yield from (Fault(f"its drawing reaches over more than {FARTHEST} units; look at its corners", u) for u in far)
        return
    pattern = _Pattern(basis, [node.name for node in nodes], shapes, way)
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
            what = "share no side" if way == FILL else "do not touch"
            message = f"the cells {one} and {other} that it joins {what} as they are drawn"
            faults.append(Fault(f"{message}; look at its step, and at the position and corners of both", None, number))
    for k, fault in enumerate(faults):
        yield Fault(fault.message + HINTS[way] * (k == 0), fault.node, fault.half_edge)


def _n_sides(node: Node) -> int:
    drawing = node.drawing
    return len(drawing.faces) if drawing.vertices.shape[1] == 3 else len(drawing.vertices)


def _shape(node: Node, dimension: int) -> _Shape | str:
    """The shape of a node's drawing, or what is wrong with it."""
    vertices, position = node.drawing.vertices, np.array(node.position)
    if dimension == 1:
        position = np.array([node.position[0], 0.0])
    if not len(vertices) and not node.drawing.radius:
        return "its radius is 0"
    if node.drawing.radius:
        return _Shape(position, [], node.drawing.radius)
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
    shape = _Shape(position, [side for side in sides if _size(side) > 0], 0.0)
    if abs(shape.volume) <= CLOSE * float(shape.sizes.sum() if shape.sides else 0.0):
        return f"its drawing has no {'area' if dimension < 3 else 'volume'}: its corners lie in one line or plane"
    return _Shape(position, [side[::-1] for side in shape.sides], 0.0) if shape.volume < 0 else shape


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


class _Pattern:
    """The shapes of a unit, repeated along the basis."""

    def __init__(self, basis: Points, names: Sequence[str], shapes: Sequence[_Shape], way: str) -> None:
        self.basis, self.names, self.shapes, self.way = basis, names, shapes, way
        self.inverse = np.linalg.inv(basis)

    def near(self, u: int) -> list[tuple[int, Points]]:
        """The cells that may meet the cell of node *u* at the origin, itself included: nodes, and centres from its."""
        found = []
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
        if abs(whole - unit) > CLOSE * sum(float(shape.sizes.sum()) for shape in self.shapes):
            what = "areas" if len(self.basis) == 2 else "volumes"
            message = (
                f"the cells of a unit have the {what} {self._listed(volumes)}, together {whole:.6g}, but the basis "
                f"makes a unit of {unit:.6g}; look at the corners of the nodes, and at the basis"
            )
            yield Fault(message, odd[0].node if odd else 0)
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
            total[i] += _together(own.sides[i], own.normals[i], sides[j])
        room = CLOSE * np.array([len(side) if len(self.basis) == 2 else _round(side) for side in own.sides])
        wrong = np.flatnonzero(np.abs(total) > room)
        if not len(wrong):
            return None
        side, left, size = own.sides[wrong[0]], float(total[wrong[0]]), float(own.sizes[wrong[0]])
        corners = " to ".join(f"({', '.join(f'{x:.6g}' for x in corner.round(6) + 0)})" for corner in side)
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
                depth = _depth(own, self.shapes[v], centre)
                if depth > CLOSE:
                    at = ", ".join(f"{x:.6g}" for x in (centre.round(6) + 0))
                    message = f"a cell {self.names[u]!r} and the cell {self.names[v]!r} at ({at}) from it overlap"
                    yield Fault(f"{message}; look at their positions and drawings, and at the basis", u)
                    break

    def shared(self, edge: HalfEdge) -> tuple[list[int], bool]:
        """The sides that the cell of a half-edge has in common with the next as a whole; and whether they touch.

        Where cells fill space, they touch if they have a part of a side in common.
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
                if _equal(side, there):
                    whole.append(i)
                else:
                    part = part or -_together(side, own.normals[i], there) > CLOSE * _round(side)
        touches = bool(whole) or part or (self.way == TOUCH and abs(_depth(own, other, centre)) <= CLOSE)
        return whole, touches


def _equal(one: Points, other: Points) -> bool:
    """Whether two sides have the same corners, in whatever order."""
    gaps = np.abs(one[:, None] - other).max(axis=2) <= CLOSE
    return len(one) == len(other) and bool(gaps.any(axis=0).all() and gaps.any(axis=1).all())


def _round(side: Points) -> float:
    """The length of the way round a face; 1 for a side in the plane."""
    return 1.0 if len(side) == 2 else float(np.linalg.norm(side - np.roll(side, 1, axis=0), axis=1).sum())


def _together(side: Points, normal: Points, other: Points) -> float:
    """The length or area that two sides in one line or plane have in common; negative if they face each other."""
    if len(normal) == 2:
        along = np.array([-normal[1], normal[0]])
        a, b = side @ along, other @ along
        common = min(a.max(), b.max()) - max(a.min(), b.min())
        return float(max(common, 0.0) * np.sign(a[1] - a[0]) * np.sign(b[1] - b[0]))
    across = np.cross(normal, side[1] - side[0])
    frame = np.array([across / np.linalg.norm(across), np.cross(normal, across / np.linalg.norm(across))]).T
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


def _depth(one: _Shape, other: _Shape, centre: Points) -> float:
    """How deep *other*, whose centre lies at *centre*, reaches into *one*; negative by how far it is away.

    It is exact for spheres. For other shapes it says whether they overlap, and how far apart they are at least. It is 0
    if this is not known: of solids that are not convex, and of a solid and a sphere that may overlap.
    """
    if one.radius and other.radius:
        return one.radius + other.radius - float(np.linalg.norm(centre))
    if one.radius or other.radius:
        round_one, sided, at = (other, one, centre) if other.radius else (one, other, -centre)
        depth = round_one.radius - _distance(sided, at)
        return depth if len(centre) == 2 or (depth < 0 and _is_convex(sided)) else 0.0
    if len(centre) == 2:
        area = _common_area(_outline(one), _outline(other) + centre)
        if area > CLOSE * float(min(one.sizes.sum(), other.sizes.sum())):
            return sqrt(area)
        gaps = [_distance(one, corner + centre) for corner in other.corners]
        return -min(gaps + [_distance(other, corner - centre) for corner in one.corners])
    edges = [np.concatenate([side - np.roll(side, 1, axis=0) for side in shape.sides]) for shape in (one, other)]
    axes = np.concatenate([one.normals, other.normals, np.cross(edges[0][:, None], edges[1]).reshape(-1, 3)])
    lengths = np.linalg.norm(axes, axis=1)
    axes = axes[lengths > CLOSE] / lengths[lengths > CLOSE, None]
    mine, theirs = one.corners @ axes.T, (other.corners + centre) @ axes.T
    depth = float(np.minimum(mine.max(axis=0) - theirs.min(axis=0), theirs.max(axis=0) - mine.min(axis=0)).min())
    return depth if depth <= CLOSE or (_is_convex(one) and _is_convex(other)) else 0.0


def _outline(shape: _Shape) -> Points:
    """The corners of a polygon in their order."""
    return np.array([side[0] for side in shape.sides])


def _distance(shape: _Shape, point: Points) -> float:
    """How far a point is from the sides of a shape; negative if it lies inside. Of a convex solid, a lower bound."""
    if len(point) == 3:
        beyond = ((point - shape.middles) * shape.normals).sum(axis=1)
        return float(beyond.max())
    start = _outline(shape)
    along = np.array([side[1] - side[0] for side in shape.sides])
    share = (((point - start) * along).sum(axis=1) / (along**2).sum(axis=1)).clip(0, 1)
    gap = float(np.linalg.norm(start + share[:, None] * along - point, axis=1).min())
    rises = (start[:, 1] > point[1]) != (start[:, 1] + along[:, 1] > point[1])
    slope = along[:, 0] / np.where(along[:, 1] == 0, 1.0, along[:, 1])
    inside = int((rises & (point[0] < start[:, 0] + (point[1] - start[:, 1]) * slope)).sum()) % 2
    return -gap if inside else gap


def _is_convex(shape: _Shape) -> bool:
    return bool((shape.corners @ shape.normals.T <= (shape.middles * shape.normals).sum(axis=1) + CLOSE).all())
