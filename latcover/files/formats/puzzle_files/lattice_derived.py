"""What the drawings of a lattice tell about it, for files that leave it out: half-edges and transformations.

Two cells are neighbours if they share a whole side; balls, if they touch. A transformation is a map of space that takes
the basis to integer combinations of it with the same lengths and angles, and every drawing to a drawing. There are
finitely many such maps of a basis, so all are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count, product

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.lattice import CLOSE, HalfEdge, Node, Transformation, close, derive_transformation, identity
from latcover.files.formats.puzzle_files.drawn_shapes import PARALLEL, common_part, point_text, same_corners
from latcover.files.formats.puzzle_files.lattice_drawings import (
    MOST_NODES,
    MOST_SIDES,
    SYMBOLS,
    DrawingFault,
    Pattern,
    drawing_faults,
    is_large,
    pattern_of,
)

Numbers = npt.NDArray[np.float64]
FAR = 20  # units that a drawing may reach over in a file that leaves out half-edges
TURNS = {2: "half", 3: "third", 4: "quarter", 6: "sixth"}
ROUNDING = 1e-4  # relative, of squared lengths
REACH = 2  # the most steps along a vector of a short basis in the image of another one; 1 if lengths were exact
Image = tuple[int, Numbers]  # a node and steps


class _Side(Struct, frozen=True, order=True):
    """A side of a node's cell that leads to the cell of a node, some steps away. Balls have no *side*: 0."""

    node: int
    side: int
    target: int
    step: tuple[int, ...]


def told_half_edges(
    basis: Numbers, nodes: Sequence[Node], way: str
) -> tuple[tuple[HalfEdge, ...], Pattern] | list[DrawingFault]:
    """The half-edges of a file that leaves them out, and the pattern of its drawings; or why these do not tell them.

    Whoever writes a file asks here too, so that only what a reader finds is left out.
    """
    if way == SYMBOLS:
        return [
            DrawingFault(
                "'half_edges' is missing: drawings that are only symbols do not tell which cells are neighbours"
            )
        ]
    if is_large(nodes):
        most = f"{MOST_NODES} nodes and {MOST_SIDES} sides"
        return [DrawingFault(f"'half_edges' is missing: neighbours are found from drawings of at most {most}")]
    for number, node in enumerate(nodes):
        if set(node.name) & set(" ,") or not node.name.isprintable():
            return [DrawingFault("half-edges are named after it: it must be a word, without commas", number)]
    pattern = pattern_of(basis, nodes, way)
    if not isinstance(pattern, Pattern):
        return pattern
    far = pattern.reaches_over(FAR)
    if far:
        words = f"its drawing reaches over more than {FAR} units; look at its corners, or write the half-edges"
        return [DrawingFault(words, u) for u in far]
    half_edges = derived_half_edges(pattern, len(basis))
    faults = list(drawing_faults(basis, nodes, half_edges, way)) or list(partly_shared(pattern, len(basis)))
    if not half_edges and not faults:
        faults = [DrawingFault("no two cells share a side: look at the corners of the nodes, and at the basis", 0)]
    return faults or (half_edges, pattern)


def derived_half_edges(pattern: Pattern, dimension: int) -> tuple[HalfEdge, ...]:
    """A half-edge for each two cells that share a whole side, or are balls that touch.

    It is called NODE-k after the first side k of the node's drawing, from 0, that leads there.
    """
    leads: dict[tuple[int, int, tuple[int, ...]], int] = {}
    for found in sorted(_whole_sides(pattern, dimension)):
        leads.setdefault((found.node, found.target, found.step), found.side)
    known = sorted(leads, key=lambda lead: (lead[0], leads[lead], lead[1:]))
    number = {lead: h for h, lead in enumerate(known)}
    balls = [count() for _ in pattern.names]  # which have no sides: their half-edges are counted
    half_edges = []
    for (node, target, step), side in ((lead, leads[lead]) for lead in known):
        label = f"{pattern.names[node]}-{side if pattern.shapes[node].sides else next(balls[node])}"
        twin = number[target, node, tuple(-x for x in step)]
        half_edges.append(HalfEdge(label, node, target, step, twin))
    return tuple(half_edges)


def _whole_sides(pattern: Pattern, dimension: int) -> Iterator[_Side]:
    for u, own in enumerate(pattern.shapes):
        for v, step, centre in _others(pattern, u, dimension):
            other = pattern.shapes[v]
            if own.radius and other.radius:
                if abs(own.radius + other.radius - float(np.linalg.norm(centre))) <= CLOSE:
                    yield _Side(u, 0, v, step)
            elif own.sides and other.sides:
                gaps = np.abs(own.middles[:, None] - (other.middles + centre)).max(axis=2)
                facing = (gaps <= CLOSE) & (own.normals @ other.normals.T < -PARALLEL)
                for i, j in np.argwhere(facing).tolist():
                    if same_corners(own.sides[i], other.sides[j] + centre):
                        yield _Side(u, i, v, step)


def _others(pattern: Pattern, u: int, dimension: int) -> Iterator[tuple[int, tuple[int, ...], Numbers]]:
    """The cells near the cell of node *u* at the origin: nodes, steps, and centres from its."""
    for v, centre in pattern.near(u):
        apart = pattern.shapes[v].centre - pattern.shapes[u].centre
        step = np.rint((centre - apart) @ pattern.inverse).astype(int).tolist()
        if not any(step[dimension:]) and (u != v or any(step)):
            yield v, tuple(step[:dimension]), centre


def partly_shared(pattern: Pattern, dimension: int) -> Iterator[DrawingFault]:
    """Where cells share a part of a side, which leaves open whether they are neighbours."""
    found = list(_whole_sides(pattern, dimension))
    whole = {(each.node, each.side) for each in found}
    neighbours = {(each.node, each.target, each.step) for each in found}
    for u, own in enumerate(pattern.shapes):
        left = {i for i in range(len(own.sides)) if (u, i) not in whole}
        for v, step, centre in _others(pattern, u, dimension) if left else ():
            if not pattern.shapes[v].sides or (u, v, step) in neighbours:
                continue
            for i, there in own.facing(pattern.shapes[v], centre):
                side = own.sides[i]
                if i not in left:
                    continue
                common = -common_part(side, own.normals[i], there)
                if common <= 2 * CLOSE * max(1.0, float(own.sizes[i])):
                    continue
                inner = _inner(side, there) if len(side) == 2 else there[:0]
                if len(side) == 2 and not len(inner):
                    continue  # the other side is the longer one; it is told where to have a corner
                what = f"the side {i}, around {point_text(side.mean(axis=0))}," if len(side) == 2 else f"the face {i}"
                mend = (
                    f"give it a corner at {' and '.join(map(point_text, inner))}"
                    if len(inner)
                    else "cut the larger face"
                )
                yield DrawingFault(
                    f"{what} of {pattern.names[u]!r} meets the cell {pattern.names[v]!r} along {common:.6g} of its "
                    f"{float(own.sizes[i]):.6g} only, so that it is not clear whether they are neighbours; {mend}, or "
                    "write the half-edges",
                    u,
                )


def _inner(side: Numbers, there: Numbers) -> Numbers:
    """The corners of *there* that lie within *side*, not at its ends."""
    along = side[1] - side[0]
    share = (there - side[0]) @ along / float(along @ along)
    inside: Numbers = there[(np.minimum(share, 1 - share) * float(np.linalg.norm(along)) > CLOSE)]
    return inside


# ---- transformations


class _Motion(Struct, frozen=True, eq=False):
    """A linear map of rows of coordinates, and the permutation of half-edges that it comes with."""

    linear: Numbers
    labels: tuple[int, ...]


def derived_generators(
    basis: Numbers, nodes: Sequence[Node], half_edges: Sequence[HalfEdge], pattern: Pattern
) -> dict[str, Transformation]:
    """Transformations with names that generate all those which the drawings allow, with translations left out.

    Turns come before mirrors, and those about the vertical before others.
    """
    motions = sorted(_motions(basis, nodes, half_edges, pattern), key=_preference)
    start = identity(len(half_edges), len(nodes), len(basis))
    found: dict[str, Transformation] = {}
    group = {start.labels}
    for motion in motions:
        if motion.labels in group:
            continue
        name, number = _name(motion.linear), 2
        while name in found:
            name, number = f"{_name(motion.linear)} {number}", number + 1
        found[name] = derive_transformation(half_edges, len(nodes), motion.labels)
        group = {t.labels for t in close(list(found.values()), start)}
    return found


def _motions(
    basis: Numbers, nodes: Sequence[Node], half_edges: Sequence[HalfEdge], pattern: Pattern
) -> Iterator[_Motion]:
    """Motions that take the pattern to itself and generate all others: every shift, and one for each other map."""
    d = len(basis)
    inverse: Numbers = np.linalg.inv(basis).astype(np.float64)
    shapes = pattern.shapes
    outer = [_without_seams(shape.sides) for shape in shapes]
    middles = [
        np.mean([side.mean(axis=0) for side in sides], axis=0) if sides else np.zeros(pattern.basis.shape[0])
        for sides in outer
    ]
    centres = np.array([shape.centre + middle for shape, middle in zip(shapes, middles, strict=True)])
    sides = [[side - middle for side in each] for each, middle in zip(outer, middles, strict=True)]
    number = {(edge.node, edge.target, edge.step): h for h, edge in enumerate(half_edges)}
    kinds = [
        (len(each), shape.radius, shape.volume if each else 0.0, node.secondary)
        for each, shape, node in zip(outer, shapes, nodes, strict=True)
    ]
    seen = set()
    for number_of_map, linear in enumerate(isometries_of(basis)):
        whole = np.eye(centres.shape[1])
        whole[:d, :d] = linear

        @cache
        def is_image(u: int, v: int, whole: Numbers = whole) -> bool:
            return _kinds_agree(kinds[u], kinds[v]) and _same_sides([side @ whole for side in sides[u]], sides[v])

        turned = centres @ whole
        for first in range(len(nodes)):
            if not is_image(0, first):
                continue
            moved = turned + (centres[first] - turned[0])
            images: list[Image] = []
            for u in range(len(nodes)):
                image = _image(moved[u], u, centres, basis, inverse, is_image)
                if image is None:
                    break
                images.append(image)
            if len(images) < len(nodes):
                continue
            labels = _labels_of(half_edges, images, np.rint(basis @ linear @ inverse), number)
            if labels is None:
                continue
            if labels not in seen:
                seen.add(labels)
                yield _Motion(linear, labels)
            if number_of_map:  # others with this map differ from it by shifts, which come with the identity
                break


def _without_seams(sides: Sequence[Numbers]) -> list[Numbers]:
    """The sides but for those that a drawing with a hole goes along twice, to the hole and back."""
    return [
        side
        for k, side in enumerate(sides)
        if not any(same_corners(side, other) for j, other in enumerate(sides) if j != k)
    ]


def _kinds_agree(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) <= ROUNDING * max(1.0, abs(a)) + 1e-9 for a, b in zip(one, other, strict=True))


def _image(
    point: Numbers, u: int, centres: Numbers, basis: Numbers, inverse: Numbers, is_image: Callable[[int, int], bool]
) -> Image | None:
    """The cell whose drawing lies where that of node *u* goes, with its centre at *point*: its node and its steps."""
    d = len(basis)
    steps = np.rint((point - centres)[:, :d] @ inverse)
    gaps = point - centres
    gaps[:, :d] -= steps @ basis
    for v in np.flatnonzero(np.abs(gaps).max(axis=1) <= CLOSE).tolist():
        if is_image(u, v):
            return v, steps[v]
    return None


def _labels_of(
    half_edges: Sequence[HalfEdge],
    images: Sequence[Image],
    matrix: Numbers,
    number: Mapping[tuple[int, int, tuple[int, ...]], int],
) -> tuple[int, ...] | None:
    """Where each half-edge goes; None if one goes where there is none."""
    labels = []
    for edge in half_edges:
        (u, start), (v, end) = images[edge.node], images[edge.target]
        step = tuple(int(x) for x in np.array(edge.step) @ matrix + end - start)
        label = number.get((u, v, step))
        if label is None:
            return None
        labels.append(label)
    return tuple(labels)


def _same_sides(one: Sequence[Numbers], other: Sequence[Numbers]) -> bool:
    middles = np.array([side.mean(axis=0) for side in other])
    for side in one:
        near = np.flatnonzero(np.abs(middles - side.mean(axis=0)).max(axis=1) <= CLOSE)
        if not any(same_corners(side, other[k]) for k in near.tolist()):
            return False
    return True


def isometries_of(basis: Numbers) -> list[Numbers]:
    """All maps of rows of coordinates that take a lattice to itself and keep lengths, the identity first."""
    short = _shortened(basis)
    lengths = (short**2).sum(axis=1)
    steps = np.array(list(product(range(-REACH, REACH + 1), repeat=len(short))))
    vectors = steps @ short
    squares = (vectors**2).sum(axis=1)
    found: list[list[Numbers]] = [[]]
    for k, length in enumerate(lengths):
        like = vectors[np.abs(squares - length) <= ROUNDING * length]
        angles = short[:k] @ short[k]
        room = ROUNDING * np.sqrt(lengths[:k] * length)
        found = [
            [*chosen, vector]
            for chosen in found
            for vector in like
            if not k or (np.abs(np.array(chosen) @ vector - angles) <= room).all()
        ]
    inverse: Numbers = np.linalg.inv(short).astype(np.float64)
    maps: list[Numbers] = [inverse @ np.array(images) for images in found]
    return sorted(maps, key=lambda m: (-round(float(np.trace(m)), 6), m.round(6).tolist()))


def _shortened(basis: Numbers) -> Numbers:
    """A basis of the same lattice whose vectors are short, in the sense of Minkowski: no sum of them is shorter."""
    short = basis.copy()
    others = [np.array(signs) for signs in product((-1, 0, 1), repeat=len(short) - 1)]
    shorter = True
    while shorter:
        shorter = False
        for i in range(len(short)):
            rest = np.delete(short, i, axis=0)
            found = [short[i] + signs @ rest for signs in others]
            found += [short[i] - np.rint(short[i] @ other / (other @ other)) * other for other in rest]
            best = min(found, key=lambda vector: float(vector @ vector))
            if best @ best < (1 - ROUNDING) * (short[i] @ short[i]):
                short[i], shorter = best, True
    return short


def _preference(motion: _Motion) -> tuple[float, ...]:
    """Less for motions that are better generators."""
    linear = motion.linear
    proper, order, axis, left = _about(linear)
    vertical = float(np.abs(axis[:-1]).max()) < ROUNDING if len(axis) else True
    if not proper:
        mirror = np.abs(linear @ linear - np.eye(len(linear))).max() < ROUNDING and np.trace(linear) > len(linear) - 3
        return (1, not mirror, *np.abs(linear).round(4).ravel().tolist()[::-1], *linear.round(4).ravel().tolist())
    along = [*(-np.abs(axis)).round(4).tolist(), *(-axis).round(4).tolist()]
    return (0, order > 1, not vertical, -order, not left, *along)


def _about(linear: Numbers) -> tuple[bool, int, Numbers, bool]:
    """Whether a map is proper; of a turn its order, its axis (in space), and whether it goes to the left."""
    d, turn = len(linear), linear.T  # of columns
    proper = bool(np.linalg.det(linear) > 0)
    if not proper or d == 1:
        return proper, 1, np.zeros(0), True
    cosine = (np.trace(turn) - (d - 2)) / 2
    order = round(2 * np.pi / float(np.arccos(np.clip(cosine, -1, 1)))) if cosine < 1 - ROUNDING else 1
    if d == 2:
        return proper, order, np.zeros(0), bool(turn[1, 0] >= -ROUNDING)
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    if order == 2:
        axis = (turn + np.eye(3))[int(np.argmax(np.diag(turn)))]
    axis = axis / max(float(np.linalg.norm(axis)), ROUNDING)
    first = next((x for x in axis[::-1] if abs(x) > ROUNDING), 1.0)
    return proper, order, axis * np.sign(first), bool(order == 2 or first > 0)


def _name(linear: Numbers) -> str:
    proper, order, axis, _ = _about(linear)
    d = len(linear)
    if proper:
        if order == 1:
            return "shift"
        return f"{TURNS.get(order, f'1/{order}')} {'turn' if not len(axis) or abs(axis[2]) > 1 - ROUNDING else 'tilt'}"
    if d == 3 and abs(np.trace(linear) - 1) > ROUNDING:
        return "inversion" if np.trace(linear) < -3 + ROUNDING else "turned mirror"
    return "mirror"
