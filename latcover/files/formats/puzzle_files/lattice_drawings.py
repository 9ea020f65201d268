"""Whether the drawings of a lattice's cells fit together: their areas or volumes, their sides, and what overlaps.

Drawings that fill space are checked by their sides alone. All sides of all cells must cancel: where a side looks one
way, another must look the other way. Then every point lies in the same number of cells, and this number is one if the
cells of a unit have the area (or volume) of the unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec import Struct

from latcover.core.model.lattice import CLOSE, NEAR, Drawing, HalfEdge, Node
from latcover.files.formats.puzzle_files.drawn_shapes import (
    PARALLEL,
    DrawnShape,
    Points,
    common_part,
    common_size,
    depth,
    middle_of_both,
    normal_of,
    point_text,
    same_corners,
    size_of,
    turn,
    way_round,
)

FILL, TOUCH, SYMBOLS = "fill", "touch", "symbols"
WAYS = (FILL, TOUCH, SYMBOLS)
MOST_NAMED = 6
MOST_NODES, MOST_SIDES = 100, 500  # of a lattice that is checked: the time grows with the square of both
LEAST_SEEN = 1e-4  # of the largest drawing: pictures take corners within a tenth of that for one
FARTHEST = 100  # cells along an axis that a drawing may reach
HINTS = {
    FILL: f'; if the cells leave gaps, set drawings = "{TOUCH}"; if the drawings are only symbols, "{SYMBOLS}"',
    TOUCH: f'; if the drawings are only symbols, set drawings = "{SYMBOLS}"',
}


class DrawingFault(Struct, frozen=True):
    """What is wrong with the drawing of a node, or with the drawings that a half-edge joins; whether cells overlap."""

    message: str
    node: int | None = None
    half_edge: int | None = None
    overlap: bool = False


def drawing_faults(
    basis: Points, nodes: Sequence[Node], half_edges: Sequence[HalfEdge], way: str
) -> Iterator[DrawingFault]:
    """What does not fit together in the drawings.

    Args:
        basis: The vector of a unit step along each axis, shape (d, d).
        nodes: The nodes, each with its drawing.
        half_edges: The half-edges, which join cells that should touch.
        way: `FILL`: the cells fill space. `TOUCH`: the cells leave gaps. Either way they do not overlap, and neighbours
            share a side; balls touch. `SYMBOLS`: how they lie is not checked; nor is it of a lattice that `is_large`.
    """
    if way == SYMBOLS or is_large(nodes):
        yield from unseen(nodes)
        return
    pattern = pattern_of(basis, nodes, way)
    if not isinstance(pattern, Pattern):
        yield from pattern
        return
    yield from unseen(nodes)
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
            faults.append(
                DrawingFault(f"{message}; look at its step, and at the position and corners of both", None, number)
            )
    for k, fault in enumerate(faults):
        hint = HINTS[TOUCH if fault.overlap else way] if k == 0 else ""
        yield DrawingFault(fault.message + hint, fault.node, fault.half_edge)


def unseen(nodes: Sequence[Node]) -> Iterator[DrawingFault]:
    """The drawings that no picture shows, because they are too thin beside the largest one, or have no size at all."""
    least = LEAST_SEEN * max(_span(node.drawing) for node in nodes)
    for number, node in enumerate(nodes):
        if _thickness(node.drawing) <= least:
            what = "corners, and at their order" if len(node.drawing.vertices) else "radius"
            none = "which has no size, or almost none compared to the largest"
            yield DrawingFault(f"no picture can show its drawing, {none}; look at its {what}", number)


def _span(drawing: Drawing) -> float:
    """The longest side of a box around a drawing."""
    return float(np.ptp(drawing.vertices, axis=0).max()) if len(drawing.vertices) else 2 * drawing.radius


def _thickness(drawing: Drawing) -> float:
    """How thick a drawing is on average.

    For a polygon this is its area by its span, and for a solid, with all faces turned away from the middle, its volume
    by the square of the span.
    """
    vertices, span = drawing.vertices, _span(drawing)
    if not len(vertices) or span == 0:
        return span
    if vertices.shape[1] == 2:
        (x, y), (u, v) = vertices.T, np.roll(vertices, -1, axis=0).T
        return float(abs((x * v - y * u).sum())) / 2 / span
    faces = [vertices[list(face)] for face in drawing.faces]
    middle = np.mean([face.mean(axis=0) for face in faces], axis=0)
    heights = [abs(float((face.mean(axis=0) - middle) @ normal_of(face))) for face in faces]
    return sum(h * size_of(face) for h, face in zip(heights, faces, strict=True)) / 3 / span / span


def is_large(nodes: Sequence[Node]) -> bool:
    """Whether a lattice has more nodes or sides than are checked."""
    return len(nodes) > MOST_NODES or sum(map(_n_sides, nodes)) > MOST_SIDES


def pattern_of(basis: Points, nodes: Sequence[Node], way: str) -> Pattern | list[DrawingFault]:
    """The shapes of a unit, repeated; or what is wrong with single drawings. Intervals become rectangles."""
    faults, shapes = [], []
    for number, node in enumerate(nodes):
        made = _shape(node, len(basis))
        if isinstance(made, str):
            faults.append(DrawingFault(made, number))
        else:
            shapes.append(made)
    if faults:
        return faults
    if len(basis) == 1:  # intervals are drawn as rectangles, which also repeat upwards
        basis = np.diag([float(basis[0, 0]), 1.0])
    pattern = Pattern(basis, [node.name for node in nodes], shapes, way)
    far = pattern.reaches_over(FARTHEST)
    if far:
        return [
            DrawingFault(f"its drawing reaches over more than {FARTHEST} units; look at its corners", u) for u in far
        ]
    crossed = [(u, found) for u, shape in enumerate(shapes) if (found := _crossing(shape)) is not None]
    if crossed:
        return [DrawingFault(found, u) for u, found in crossed]
    return pattern


def _n_sides(node: Node) -> int:
    drawing = node.drawing
    return len(drawing.faces) if drawing.vertices.shape[1] == 3 else len(drawing.vertices)


def _shape(node: Node, dimension: int) -> DrawnShape | str:
    """The shape of a node's drawing, or what is wrong with it."""
    vertices, position = node.drawing.vertices, np.array(node.position)
    if dimension == 1:
        position = np.array([node.position[0], 0.0])
    if not len(vertices) and not node.drawing.radius:
        return "its radius is 0"
    if node.drawing.radius:
        return DrawnShape(position, [], node.drawing.radius)
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
    shape = DrawnShape(position, [side for side in sides if size_of(side) > 0], 0.0)
    if not shape.sides or abs(shape.volume) <= CLOSE * float(shape.sizes.sum()):
        what, which = ("area", "line") if dimension < 3 else ("volume", "plane")
        return f"its drawing has no {what}: its corners lie in one {which}, or its sides cross each other"
    return DrawnShape(position, [side[::-1] for side in shape.sides], 0.0) if shape.volume < 0 else shape


def _outward(node: Node) -> list[Points] | str:
    """The faces of a solid, all seen from outside or all seen from inside; or what is wrong with them."""
    vertices, rings = node.drawing.vertices, [list(face) for face in node.drawing.faces]
    for ring in rings:
        face = vertices[ring]
        if np.abs((face - face.mean(axis=0)) @ normal_of(face)).max() > CLOSE:
            return f"the face {ring} is not flat: its corners do not lie in a plane"
    middle = vertices.mean(axis=0)
    for attempt in range(2):
        walked = [pair for ring in rings for pair in zip(ring, ring[1:] + ring[:1], strict=True)]
        if sorted(walked) == sorted((b, a) for a, b in walked):
            return [vertices[ring] for ring in rings]
        if attempt == 0:  # faces may be given either way round; those of a convex solid show which way is out
            rings = [
                ring if (vertices[ring].mean(axis=0) - middle) @ normal_of(vertices[ring]) > 0 else ring[::-1]
                for ring in rings
            ]
    odd = next(pair for pair in walked if walked.count(pair) != walked.count(pair[::-1]))
    return f"its faces do not close: look at those with the edge between the vertices {odd[0]} and {odd[1]}"


class Pattern:
    """The shapes of a unit, repeated along the basis."""

    def __init__(self, basis: Points, names: Sequence[str], shapes: Sequence[DrawnShape], way: str) -> None:
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

    def filled(self, met: Mapping[tuple[int, int], int]) -> Iterator[DrawingFault]:
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
                f"the cells of a unit have the {what} {self._sizes(volumes)}, together {whole:.6g}, but the basis "
                f"makes a unit of {unit:.6g}; look at the corners of the nodes, and at the basis"
            )
            yield DrawingFault(message, odd[0].node if odd else 0, overlap=whole > unit)
        yield from odd

    def _sizes(self, volumes: Sequence[float]) -> str:
        """The sizes with the names of their nodes; equal sizes stand together."""
        by_size: dict[str, list[str]] = {}
        for name, volume in zip(self.names, volumes, strict=True):
            by_size.setdefault(f"{volume:.6g}", []).append(repr(name))
        return ", ".join(
            f"{size} ({', '.join(names) if len(names) <= MOST_NAMED else f'each of {len(names)} nodes'})"
            for size, names in by_size.items()
        )

    def unmet(self, u: int) -> DrawingFault | None:
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
        room = CLOSE * np.array([len(side) if len(self.basis) == 2 else way_round(side) for side in own.sides])
        wrong = np.flatnonzero(np.abs(total) > room)
        if not len(wrong):
            return None
        side, left, size = own.sides[wrong[0]], float(total[wrong[0]]), float(own.sizes[wrong[0]])
        corners = " to ".join(map(point_text, side))
        what = f"side from {corners}" if len(self.basis) == 2 else f"face with the corners {corners}"
        what = what.replace(" to ", ", ") if len(self.basis) == 3 else what
        if left < 0:
            met = "meets more than one cell"
        elif left > size * (1 - NEAR) - CLOSE:
            met = "meets no cell"
        else:
            met = f"meets cells along {size - left:.6g} of its {size:.6g} only"
        look = "look at these corners, and at those of its neighbours, which must agree to five decimals"
        return DrawingFault(f"the {what} of {self.names[u]!r} {met}; {look}", u)

    def overlaps(self) -> Iterator[DrawingFault]:
        """Where cells that need not fill space overlap."""
        for u, own in enumerate(self.shapes):
            for v, centre in self.near(u):
                if (u == v and not centre.any()) or u > v:
                    continue
                if depth(own, self.shapes[v], centre) > CLOSE:
                    around = own.centre + middle_of_both(own, self.shapes[v], centre)
                    message = f"a cell {self.names[u]!r} and the cell {self.names[v]!r} at {point_text(centre)} from it"
                    mend = "move their corners apart there, or look at their positions and at the basis"
                    yield DrawingFault(f"{message} overlap, around {point_text(around)}; {mend}", u, overlap=True)
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
            for i, there in own.facing(other, centre):
                side = own.sides[i]
                if same_corners(side, there):
                    whole.append(i)
                else:
                    part = part or -common_part(side, own.normals[i], there) > CLOSE * way_round(side)
        is_ball = bool(own.radius or other.radius)
        touches = bool(whole) or part or (is_ball and abs(depth(own, other, centre)) <= CLOSE)
        return whole, touches


def _crossing(shape: DrawnShape) -> str | None:
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
            a, b, c, d = (turn(one, other[0]), turn(one, other[1]), turn(other, one[0]), turn(other, one[1]))
            if a * b < 0 and c * d < 0:
                sides = " and ".join(f"from {point_text(side[0])} to {point_text(side[1])}" for side in (one, other))
                return f"its sides {sides} cross each other; look at its corners, and at their order"
    return "its outline crosses itself; look at its corners, and at their order"
