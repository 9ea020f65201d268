"""Lattices: a repeated pattern of nodes joined by labelled half-edges (Barequet and Tal 2010, section 2).

A cell is a node of the pattern and an integer vector, kept as a row ``(node, x, y, ...)`` of an int32 array. A
transformation is a permutation of the half-edge labels. We derive its action on cells and check it; the paper leaves
this to the author of a lattice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.period import Period
from latcover.errors import LatticeError, counted, escaped, listed, suggest
from latcover.system.sorted_sets import distinct

Cells = npt.NDArray[np.int32]
MAX_GROUP = 10_000
ALLOWED = FIXED, ROTATIONS, REFLECTIONS = ("fixed", "rotations", "reflections")  # words for groups of any lattice
NEAR = 1e-5  # distance within which two corners may be the same
CLOSE = 4 * NEAR  # distance within which two sides lie in one line or plane
TOUCH = 10 * NEAR  # cells that reach less into each other only touch: neighbours by `CLOSE`, and slides add to it


class HalfEdge(Struct, frozen=True):
    """A directed side of the cells at *node*. It leads to the cell at node *target* whose unit lies *step* away."""

    label: str
    node: int
    target: int
    step: tuple[int, ...]
    twin: int  # index of the half-edge that leads back

    @property
    def leads_to(self) -> tuple[int, ...]:
        """The cell ``(node, x, y, ...)`` across this side of the cell at the origin."""
        return (self.target, *self.step)

    def across(self, cell: Sequence[int]) -> tuple[int, ...]:
        """The cell across this side of *cell*, which must be of the node `node`."""
        return (self.target, *[x + s for x, s in zip(cell[1:], self.step, strict=True)])


def beside(cells: Cells, neighbour: Sequence[int]) -> Cells:
    """Neighbours of *cells*. *neighbour*, ``(node, x, y, ...)``, is the neighbour of a cell at the origin."""
    found = cells + np.array([0, *neighbour[1:]], dtype=np.int32)
    found[:, 0] = neighbour[0]
    return found


class Transformation(Struct, frozen=True, eq=False, dict=True):
    """A lattice automorphism, up to translation.

    It takes the cell ``(u, x)`` to ``(nodes[u], matrix @ x + shifts[u])``, and the half-edge ``h`` to ``labels[h]``.
    ``shifts`` is zero for node 0. A proper transformation is a rotation, not a reflection.
    """

    labels: tuple[int, ...]
    nodes: npt.NDArray[np.int32]
    matrix: npt.NDArray[np.int32]
    shifts: npt.NDArray[np.int32]

    @cached_property
    def proper(self) -> bool:
        return bool(np.linalg.det(self.matrix) > 0)

    def apply(self, cells: Cells) -> Cells:
        """Images of *cells*, shape (n, dimension + 1)."""
        image = np.empty_like(cells)
        image[:, 0] = self.nodes[cells[:, 0]]
        image[:, 1:] = cells[:, 1:] @ self.matrix.T + self.shifts[cells[:, 0]]
        return image

    def after(self, first: Transformation) -> Transformation:
        """The transformation that does *first* and then this one."""
        shifts = first.shifts @ self.matrix.T + self.shifts[first.nodes]
        return Transformation(
            tuple(self.labels[label] for label in first.labels),
            self.nodes[first.nodes],
            self.matrix @ first.matrix,
            shifts - shifts[0],
        )


def apply_each(
    transformations: Sequence[Transformation], cells: Cells
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The images of *cells*, shape (..., dimension + 1), under each of n transformations.

    Returns:
        Their nodes, shape (n, ...), and their coordinates, shape (n, ..., dimension).
    """
    nodes, vectors = cells[..., 0], cells[..., 1:]
    turned = np.einsum("tij,...j->t...i", np.stack([t.matrix for t in transformations]), vectors)
    turned += np.stack([t.shifts for t in transformations])[:, nodes]
    return np.stack([t.nodes for t in transformations])[:, nodes], turned


class Drawing(Struct, frozen=True, eq=False):
    """The look of a cell: a polygon, a solid or a sphere, in Cartesian coordinates around the cell's centre."""

    vertices: npt.NDArray[np.float64]  # (n, 2 or 3)
    faces: tuple[tuple[int, ...], ...]  # rings of vertices; a polygon has one
    radius: float = 0.0  # of a sphere, which has no vertices


class Node(Struct, frozen=True, eq=False):
    """One site of the pattern.

    Attributes:
        position: Its centre within the unit, in Cartesian coordinates.
        secondary: Whether its cells are covered at most once, not exactly once.
    """

    name: str
    position: tuple[float, ...]
    drawing: Drawing
    secondary: bool = False


class Lattice(Struct, frozen=True, eq=False, dict=True):
    """A lattice with its whole transformation group.

    Attributes:
        basis: Cartesian vector of a unit step along each axis, shape (dimension, dimension).
        generators: The named transformations of the lattice file, in its order.
        transformations: The group they generate, breadth-first from the identity, which comes first.
        default_transformations: The transformations of parts if a puzzle does not say: a name that `allowed` takes.
        slides: Along which vectors, one for each pair of opposite ones, parts may slide, as the lattice's file lists
            them; empty if it leaves them to the drawings.
        symbolic: Whether the drawings are mere symbols, which say nothing about the room that a cell takes.
        has_gaps: Whether the drawings leave gaps between the cells.
    """

    BESIDE_THE_QUESTION = frozenset(("title", "source"))

    name: str
    title: str
    source: str
    basis: npt.NDArray[np.float64]
    nodes: tuple[Node, ...]
    half_edges: tuple[HalfEdge, ...]
    generators: dict[str, Transformation]
    transformations: tuple[Transformation, ...]
    default_transformations: str
    slides: tuple[tuple[int, ...], ...] = ()
    symbolic: bool = False
    has_gaps: bool = False

    def __repr__(self) -> str:
        figures = (counted(len(self.basis), "dimension"), counted(len(self.nodes), "node"))
        return f"<Lattice {escaped(self.name)}: {', '.join(figures)}, {len(self.transformations)} transformations>"

    @property
    def dimension(self) -> int:
        return len(self.basis)

    def allowed(self, names: str | Sequence[str]) -> tuple[Transformation, ...]:
        """The transformations that *names* stands for, identity first, breadth-first over the generators.

        Args:
            names: ``"fixed"``, ``"rotations"``, ``"reflections"`` (rotations and reflections), or a list of
                generators, which stands for the subgroup that they generate.

        Raises:
            LatticeError: the lattice does not know a name.
        """
        if names == FIXED:
            return self.transformations[:1]
        if names == REFLECTIONS:
            return self.transformations
        if names == ROTATIONS:
            return self._rotations
        words = (names,) if isinstance(names, str) else names
        known = [*(ALLOWED if isinstance(names, str) else ()), *self.generators]
        for name in words:
            if name in ALLOWED:
                raise LatticeError(f"{name!r} stands by itself, without brackets, and not in a list")
            if name not in self.generators:
                hint = suggest(name, known, listing=False) or f"; known: {listed(known)}"
                raise LatticeError(f"lattice {self.name!r} has no transformation {name!r}{hint}")
        return close([self.generators[name] for name in words], self.transformations[0])

    @cached_property
    def _rotations(self) -> tuple[Transformation, ...]:
        rotations = close([g for g in self.generators.values() if g.proper], self.transformations[0])
        proper = tuple(t for t in self.transformations if t.proper)
        return rotations if len(rotations) == len(proper) else proper

    @cached_property
    def number_of(self) -> dict[tuple[int, ...], int]:
        """The index of each transformation, by its labels."""
        return {transformation.labels: k for k, transformation in enumerate(self.transformations)}

    def then(self, last: Transformation) -> npt.NDArray[np.intp]:
        """For each transformation the index of the one that does it first and *last* then, shape (n,)."""
        if last.labels not in self._then:
            labels_of_each = np.array([transformation.labels for transformation in self.transformations])
            image = np.array(last.labels)[labels_of_each].tolist()
            self._then[last.labels] = np.array([self.number_of[tuple(labels)] for labels in image])
        return self._then[last.labels]

    @cached_property
    def _then(self) -> dict[tuple[int, ...], npt.NDArray[np.intp]]:
        return {}

    @cached_property
    def positions(self) -> npt.NDArray[np.float64]:
        """The position of each node, shape (n_nodes, dimension)."""
        return np.array([node.position for node in self.nodes])

    @cached_property
    def ways(self) -> npt.NDArray[np.float64]:
        """Where each half-edge leads: Cartesian unit vectors, shape (n_half_edges, dimension)."""
        ends = np.array([(edge.node, edge.target) for edge in self.half_edges])
        away = np.array([edge.step for edge in self.half_edges]) @ self.basis
        away += self.positions[ends[:, 1]] - self.positions[ends[:, 0]]
        unit: npt.NDArray[np.float64] = away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), NEAR)
        return unit

    def neighbours(self, cell: Sequence[int]) -> list[tuple[int, ...]]:
        """The cells across the sides of *cell*, in the order of the half-edges."""
        return [edge.across(cell) for edge in self._sides_of[cell[0]]]

    @cached_property
    def _sides_of(self) -> tuple[tuple[HalfEdge, ...], ...]:
        """The half-edges of each node."""
        return tuple(tuple(e for e in self.half_edges if e.node == node) for node in range(len(self.nodes)))

    def connects(self, cells: Iterable[Sequence[int]]) -> bool:
        """Whether *cells*, of which there is one at least, hang together: through sides, or through secondary cells."""
        return not self.unreached(cells)

    def unreached(self, cells: Iterable[Sequence[int]], period: Period | None = None) -> set[tuple[int, ...]]:
        """Those of *cells* that do not hang together with the least of them; *period* is that of a region, if any."""

        def fold(cell: Sequence[int]) -> tuple[int, ...]:
            return period.home_of(cell) if period else tuple(cell)

        left = set(map(fold, cells))
        queue = [min(left)]
        known = {*queue}
        for cell in queue:
            for beside in map(fold, self.neighbours(cell)):
                through = cell in left and self.nodes[beside[0]].secondary
                if beside not in known and (beside in left or through):
                    known.add(beside)
                    queue.append(beside)
        return left - known

    @cached_property
    def clockwise(self) -> tuple[tuple[int, ...], ...]:
        """For each node its half-edges, clockwise from the top of the page.

        In three dimensions this is seen from above: first the half-edges that lead level, then those that lead upwards,
        then those that lead downwards.
        """
        return self._sorted_half_edges(lambda x, y, z: (z % 3, round(np.arctan2(x, y) % (2 * np.pi), 6)))

    @cached_property
    def as_read(self) -> tuple[tuple[int, ...], ...]:
        """For each node its half-edges as a page is read: from the top to the bottom, and from left to right.

        In three dimensions those that lead upwards come first, and those that lead downwards last.
        """
        return self._sorted_half_edges(lambda x, y, z: (-z, -round(y, 6), round(x, 6)))

    def _sorted_half_edges(self, key: Callable[[float, float, int], tuple[float, ...]]) -> tuple[tuple[int, ...], ...]:
        """For each node its half-edges by a *key* of where they lead: right, to the top, and up, level or down."""
        found: list[list[tuple[tuple[float, ...], int]]] = [[] for _ in self.nodes]
        for h, (edge, way) in enumerate(zip(self.half_edges, self.ways.tolist(), strict=True)):
            x, y, z = [*way, 0.0, 0.0][:3]
            level = 0 if abs(z) <= NEAR else 1 if z > 0 else -1
            x, y = (0.0 if abs(c) <= NEAR else c for c in (x, y))
            found[edge.node].append((key(x, y, level), h))
        return tuple(tuple(h for _, h in sorted(of_node)) for of_node in found)

    @cached_property
    def straight_on(self) -> dict[int, int]:
        """The half-edge of the same node that leads the opposite way, for each of a secondary node that has one."""
        own = [h for h, edge in enumerate(self.half_edges) if self.nodes[edge.node].secondary]
        node = np.array([self.half_edges[h].node for h in own])
        way = self.ways[own]
        opposite = (np.abs(way[:, None] + way) <= NEAR).all(axis=2) & (node[:, None] == node)
        return {own[i]: own[int(row.argmax())] for i, row in enumerate(opposite) if row.any()}

    def crossed_by(self, cells: Cells) -> list[tuple[int, ...]]:
        """The cells of secondary nodes that a part of *cells* runs straight through, but does not hold, sorted.

        A part runs straight through a cell if it holds the neighbours on two opposite sides of it.
        """
        held = set(map(tuple, cells.tolist()))
        found = set()
        for there, on in self.straight_on.items():
            side, other = self.half_edges[there], self.half_edges[on]
            back = self.half_edges[side.twin]
            for cell in held:
                if cell[0] == back.node and other.across(middle := back.across(cell)) in held:
                    found.add(middle)
        return sorted(found - held)

    @cached_property
    def touching(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each node, the cells ``(node, x, y, ...)`` whose drawings share a vertex with its cell at the origin.

        Half-edges lead to some of them; the others touch the cell at a corner only.
        """
        found = [set(self.neighbours((u, *[0] * self.dimension))) for u in range(len(self.nodes))]
        for u, v in product(range(len(self.nodes)), repeat=2):
            found[u].update((v, *step) for step in self._steps(u, v) if v != u or any(step))
        return tuple(tuple(sorted(around)) for around in found)

    def _steps(self, u: int, v: int) -> set[tuple[int, ...]]:
        """The steps that take a corner of node v's drawing to a corner of node u's, within `CLOSE`."""
        mine, theirs = (
            self.nodes[node].drawing.vertices[:, : self.dimension] + self.nodes[node].position for node in (u, v)
        )
        apart = (mine[:, None] - theirs).reshape(-1, self.dimension)
        steps = np.rint(apart @ np.linalg.inv(self.basis))
        near = (np.abs(apart - steps @ self.basis) <= CLOSE).all(axis=1)
        return set(map(tuple, steps[near].astype(int).tolist()))

    def written(self, cell: Sequence[int]) -> list[int | str]:
        """A cell as files write it: its coordinates, and its node's name if the lattice has several nodes."""
        coordinates = [int(x) for x in cell[1:]]
        return [*coordinates, self.nodes[cell[0]].name] if len(self.nodes) > 1 else [*coordinates]

    def middles(self, cells: Cells) -> npt.NDArray[np.float64]:
        """Cartesian middles of the bounding boxes of the drawings of *cells*, shape (n, dimension).

        Triangles that point up and triangles that point down have middles at one height, so text shows them in a row.
        """
        vertices = [node.drawing.vertices for node in self.nodes]
        offsets = np.array(
            [(v.min(axis=0) + v.max(axis=0)) / 2 if len(v) else np.zeros(self.dimension) for v in vertices]
        )[:, : self.dimension]  # in one dimension polygons also have a height
        within = (self.positions + offsets) @ np.linalg.inv(self.basis)
        if len(distinct(np.round(within % 1, 6) % 1, axis=0)) < len(self.nodes):
            return self.centres(cells)  # boxes of different cells coincide
        middles: npt.NDArray[np.float64] = self.centres(cells) + offsets[cells[:, 0]]
        return middles

    def centres(self, cells: Cells | npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Cartesian centres of *cells*, shape (n, dimension)."""
        centres: npt.NDArray[np.float64] = cells[:, 1:] @ self.basis + self.positions[cells[:, 0]]
        return centres


def identity(n_labels: int, n_nodes: int, dimension: int) -> Transformation:
    """The transformation that moves nothing."""
    return Transformation(
        tuple(range(n_labels)),
        np.arange(n_nodes, dtype=np.int32),
        np.eye(dimension, dtype=np.int32),
        np.zeros((n_nodes, dimension), dtype=np.int32),
    )


def close(generators: Sequence[Transformation], start: Transformation) -> tuple[Transformation, ...]:
    """The group that *generators* generate, breadth-first from the identity *start*.

    Raises:
        LatticeError: more than `MAX_GROUP` elements.
    """
    found = [start]
    seen = {start.labels}
    for element in found:
        for generator in generators:
            product = generator.after(element)
            if product.labels not in seen:
                if len(found) >= MAX_GROUP:
                    raise LatticeError(f"the transformations generate more than {MAX_GROUP} others")
                seen.add(product.labels)
                found.append(product)
    return tuple(found)


def derive_transformation(half_edges: Sequence[HalfEdge], n_nodes: int, labels: Sequence[int]) -> Transformation:
    """The action on cells of a permutation of half-edge labels.

    A half-edge from node u to node v has a step s. Its image must lead from the image of u to the image of v, by the
    step ``matrix @ s + shifts[v] - shifts[u]``. This gives one equation for each half-edge. The equations are solved,
    and the solution is checked in whole numbers.

    Raises:
        LatticeError: the permutation breaks a twin or a neighbourhood; the message names the label.
    """
    nodes = np.full(n_nodes, -1, dtype=np.int32)
    for h, edge in enumerate(half_edges):
        image = half_edges[labels[h]]
        if labels[edge.twin] != image.twin:
            raise LatticeError(
                f"takes {edge.label!r} to {image.label!r}, but the twin {half_edges[edge.twin].label!r} "
                f"to {half_edges[labels[edge.twin]].label!r}, which is not the twin of {image.label!r}"
            )
        for node, target in ((edge.node, image.node), (edge.target, image.target)):
            if nodes[node] not in (-1, target):
                raise LatticeError(f"takes {edge.label!r} to {image.label!r}, so that one node would go to two nodes")
            nodes[node] = target

    dimension = len(half_edges[0].step)
    steps = np.array([edge.step for edge in half_edges])
    images = np.array([half_edges[label].step for label in labels])
    unit, ends = np.eye(n_nodes), np.array([(edge.target, edge.node) for edge in half_edges])
    system = np.hstack([steps, unit[ends[:, 0]] - unit[ends[:, 1]]])
    solution = np.linalg.lstsq(np.delete(system, dimension, axis=1), images, rcond=None)[0]
    matrix = np.rint(solution[:dimension].T).astype(np.int32)
    shifts = np.zeros((n_nodes, dimension), dtype=np.int32)
    shifts[1:] = np.rint(solution[dimension:])
    for h, edge in enumerate(half_edges):
        reached = matrix @ steps[h] + shifts[edge.target] - shifts[edge.node]
        if not np.array_equal(reached, images[h]):
            raise LatticeError(
                f"breaks a neighbourhood: {edge.label!r} goes to {half_edges[labels[h]].label!r}, whose step "
                f"{images[h].tolist()} cannot be reached together with the other labels"
            )
    if round(abs(float(np.linalg.det(matrix)))) != 1:
        raise LatticeError("breaks a neighbourhood: it does not take the lattice onto itself")
    return Transformation(tuple(labels), nodes, matrix, shifts)
