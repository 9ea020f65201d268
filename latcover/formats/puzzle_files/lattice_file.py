"""Reading and checking lattice files; the laws checked here are those that the rest of latcover relies on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from latcover.errors import LatticeError, suggest
from latcover.formats.puzzle_files.toml_file import Table, TomlFile
from latcover.formats.source import Source
from latcover.model.lattice import (
    Drawing,
    HalfEdge,
    Lattice,
    Node,
    Transformation,
    close,
    derive_transformation,
    identity,
)

MAX_LABELS = 1000
SHORTEST = 0.001
DEFAULTS = ("fixed", "rotations", "reflections")


@lru_cache(maxsize=64)
def read_lattice(source: Source) -> Lattice:
    """Read a lattice file.

    Raises:
        LatticeError: with every complaint about the file, each with its line.
    """
    file = TomlFile(source, LatticeError)
    root = file.root
    name = root.text("name", required=True)
    title, origin = root.text("title", name), root.text("source")
    default = root.text("part_transformations", "reflections")
    if default not in DEFAULTS:
        root.complain("part_transformations", f"must be one of {', '.join(DEFAULTS)}")
    basis = _read_basis(root)
    if basis is None:  # without a dimension nothing else can be understood
        file.finish()
    assert basis is not None
    nodes = _read_nodes(root, len(basis))
    half_edges = _read_half_edges(root, [node.name for node in nodes], len(basis))
    source_tables = root.tables("transformations")
    root.finish()
    file.finish()  # what follows needs sound parts
    _check_pairing(root, half_edges)
    file.finish()
    _check_span(root, half_edges, nodes)
    generators = _read_transformations(source_tables, _geometry(basis, nodes, half_edges))
    file.finish()
    start = identity(len(half_edges), len(nodes), len(basis))
    try:
        group = close(list(generators.values()), start)
    except LatticeError as problem:
        raise source.fault(str(problem), *file.locate(("transformations",)), LatticeError) from None
    return Lattice(name, title, origin, basis, nodes, half_edges, generators, group, default)


def _read_basis(root: Table) -> npt.NDArray[np.float64] | None:
    """The basis; where it is faulty some other of its dimension, and None where even that is unknown."""
    rows = root.array("basis", required=True)
    dimension = len(rows)
    if not 1 <= dimension <= 3:
        if not root.file.has_errors:
            root.complain("basis", "must be 1 to 3 rows, each a vector with as many numbers as there are rows")
        return None
    numbers = root.numbers("basis", dimension)
    if numbers is None:
        return np.eye(dimension)
    basis = np.array(numbers)
    lengths = np.linalg.norm(basis, axis=1)
    if lengths.min() < SHORTEST or abs(np.linalg.det(basis)) < 1e-6 * lengths.prod():
        root.complain("basis", f"the vectors must be linearly independent, and {SHORTEST} long at least")
        return np.eye(dimension)
    return basis


def _read_nodes(root: Table, dimension: int) -> tuple[Node, ...]:
    nodes = []
    for name, table in root.named_tables("nodes", required=True).items():
        drawing = _read_drawing(table, dimension)
        nodes.append(Node(name, table.vector("position", dimension), drawing, table.boolean("secondary")))
        table.finish()
    if not nodes and not root.file.has_errors:
        root.complain("nodes", "a lattice has at least one node: [nodes.NAME]")
    return tuple(nodes) or (Node("", (0.0,) * dimension, Drawing(np.zeros((0, dimension)), ())),)


def _read_drawing(table: Table, dimension: int) -> Drawing:
    """A node's drawing: ``polygon``, with ``height`` a prism; ``vertices`` and ``faces``; or ``radius``."""
    radius, height = table.number("radius", 0.0), table.number("height", 0.0)
    polygon = table.numbers("polygon", 2)
    vertices = table.numbers("vertices", dimension)
    faces = table.array("faces")
    given = sum(key in table for key in ("polygon", "vertices", "radius"))
    if given != 1:
        table.complain((), "needs one drawing: a polygon (with a height: a prism), vertices and faces, or a radius")
    for key, value in (("radius", radius), ("height", height)):
        if value < 0:
            table.complain(key, "must not be negative")
    if polygon is not None:
        return _prism(table, polygon, height, dimension)
    if vertices is not None:
        n = len(vertices)
        rings = []
        for k, face in enumerate(faces):
            if not isinstance(face, list) or len(face) < 3 or any(type(v) is not int or not 0 <= v < n for v in face):
                table.complain(("faces", k), f"must be at least three indices of vertices, from 0 to {n - 1}")
            else:
                rings.append(tuple(face))
        if not faces:
            table.complain("vertices", "need faces: arrays of indices of vertices")
        return Drawing(np.array(vertices).reshape(-1, dimension), tuple(rings))
    return Drawing(np.zeros((0, dimension)), (), radius)


def _prism(table: Table, polygon: list[list[float]], height: float, dimension: int) -> Drawing:
    n = len(polygon)
    if n < 3:
        table.complain("polygon", "must have at least three corners")
    if (dimension == 3) != (height > 0):
        table.complain((), "a polygon needs a height in three dimensions, and has none in two")
    flat = np.array(polygon).reshape(-1, 2)
    if dimension != 3:
        return Drawing(flat, (tuple(range(n)),))
    bottom = np.column_stack([flat, np.full(n, -height / 2)])
    top = np.column_stack([flat, np.full(n, height / 2)])
    sides = tuple((k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n))
    faces = (tuple(reversed(range(n))), tuple(range(n, 2 * n)), *sides)
    return Drawing(np.vstack([bottom, top]), faces)


def _read_half_edges(root: Table, node_names: list[str], dimension: int) -> tuple[HalfEdge, ...]:
    tables = root.named_tables("half_edges", required=True)
    outer = root.any("half_edges")
    labels = list(tables)
    named = list(outer) if isinstance(outer, dict) else []
    if isinstance(outer, dict) and not outer:
        root.complain("half_edges", "a lattice has at least one half-edge and its twin")
    if len(labels) > MAX_LABELS:
        root.complain("half_edges", f"at most {MAX_LABELS} half-edges")
        return ()
    edges = []
    for label, table in tables.items():
        if not label or not label.isprintable() or set(label) & set(" ,") or label.isdigit():
            table.complain((), "a label must be a word: no blanks, no commas, no bare number")
        start, end = (_node(table, key, node_names) for key in ("from", "to"))
        step = table.integers("step", dimension)
        if "step" not in table:
            table.complain((), "'step' is missing: the vector to the unit that the half-edge leads to")
        twin = table.text("twin", required=True)
        if twin and twin not in named:
            table.complain("twin", f"no half-edge {twin!r}{suggest(twin, labels)}")
        if step is not None and not any(step) and start == end and not _unknown_ends(table, node_names):
            table.complain((), "leads from a cell to itself")
        table.finish()
        edges.append(HalfEdge(label, start, end, step or (0,) * dimension, labels.index(twin) if twin in tables else 0))
    return tuple(edges)


def _node(table: Table, key: str, names: list[str]) -> int:
    name = table.text(key, names[0] if len(names) == 1 else "", required=len(names) > 1 or key in table)
    if name not in names:
        if name:
            table.complain(key, f"no node {name!r}{suggest(name, names)}")
        return 0
    return names.index(name)


def _unknown_ends(table: Table, names: list[str]) -> bool:
    """Whether a half-edge names no node of the lattice, which has been complained of, and so leads nowhere known."""
    return any(table.any(key) not in (*names, *([None] if len(names) == 1 else [])) for key in ("from", "to"))


def _check_pairing(root: Table, half_edges: tuple[HalfEdge, ...]) -> None:
    """Twins pair up, lead back where they came from, and no two half-edges join the same two cells."""
    seen: dict[tuple[int, int, tuple[int, ...]], str] = {}
    for h, edge in enumerate(half_edges):
        twin = half_edges[edge.twin]
        key = ("half_edges", edge.label)
        if twin.twin != h:
            root.complain(
                (*key, "twin"),
                f"{edge.label!r} names {twin.label!r} as its twin, which names {half_edges[twin.twin].label!r}",
            )
        elif (twin.node, twin.target) != (edge.target, edge.node) or any(
            a + b for a, b in zip(edge.step, twin.step, strict=True)
        ):
            root.complain(key, f"its twin {twin.label!r} does not lead back to where it came from")
        leads = (edge.node, edge.target, edge.step)
        if leads in seen:
            root.complain(key, f"leads to the same cell as {seen[leads]!r}")
        seen[leads] = edge.label


def _check_span(root: Table, half_edges: tuple[HalfEdge, ...], nodes: tuple[Node, ...]) -> None:
    """Every cell can be reached from every other: the half-edges connect the nodes and span all directions.

    Closed walks from a node must generate every integer vector, not only some sublattice of them.
    """
    dimension = len(half_edges[0].step)
    offsets: dict[int, npt.NDArray[np.int64]] = {0: np.zeros(dimension, dtype=np.int64)}
    queue = [0]
    for node in queue:
        for edge in half_edges:
            if edge.node == node and edge.target not in offsets:
                offsets[edge.target] = offsets[node] + edge.step
                queue.append(edge.target)
    missing = [node.name for k, node in enumerate(nodes) if k not in offsets]
    if missing:
        root.complain(
            ("nodes", nodes[min(k for k in range(len(nodes)) if k not in offsets)].name),
            f"no half-edges connect {', '.join(missing)} with {nodes[0].name}",
        )
        return
    cycles = [[int(x) for x in offsets[e.node] + e.step - offsets[e.target]] for e in half_edges]
    index = _lattice_index(cycles, dimension)
    if index != 1:
        reach = f"only one vector in {index}" if index else f"fewer than {dimension} dimensions"
        root.complain("half_edges", f"the half-edges reach {reach}: some cells are cut off from others")


def _lattice_index(vectors: list[list[int]], dimension: int) -> int:
    """Index in Z^dimension of what *vectors* generate; 0 when it has a lower rank (Gaussian elimination over Z)."""
    rows = [v for v in vectors if any(v)]
    index = 1
    for axis in range(dimension):
        live = [row for row in rows if row[axis]]
        if not live:
            return 0
        while len(live) > 1:
            live.sort(key=lambda row: abs(row[axis]))
            pivot = live[0]
            for row in live[1:]:
                factor = row[axis] // pivot[axis]
                row[:] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
            live = [row for row in live if row[axis]]
        index *= abs(live[0][axis])
        rows = [row for row in rows if row is not live[0] and any(row)]
    return index


def _read_transformations(tables: list[Table], geometry: _Geometry) -> dict[str, Transformation]:
    half_edges = geometry.half_edges
    found: dict[str, Transformation] = {}
    for table in tables:
        name = table.text("name", required=True)
        if name in found or name in DEFAULTS:
            table.complain("name", f"{name!r} is {'given twice' if name in found else 'a reserved word'}")
        if "matrix" not in table and "cycles" not in table:
            table.complain((), 'needs cycles, as in ["east north west south"], or a matrix')
            table.finish()
            continue
        labels = _labels_by_matrix(table, geometry) if "matrix" in table else _labels_by_cycles(table, half_edges)
        table.finish()
        if labels is None:
            continue
        try:
            found[name] = derive_transformation(half_edges, len(geometry.nodes), labels)
        except LatticeError as problem:
            table.complain("matrix" if "matrix" in table else "cycles", f"transformation {name!r} {problem}")
    return found


def _labels_by_cycles(table: Table, half_edges: tuple[HalfEdge, ...]) -> list[int] | None:
    """``cycles``: each label goes to the next of its string; None, with a complaint noted, where they will not do."""
    index = {edge.label: h for h, edge in enumerate(half_edges)}
    labels = list(range(len(half_edges)))
    moved: set[str] = set()
    for k, cycle in enumerate(table.array("cycles", required=True)):
        words = cycle.split() if isinstance(cycle, str) else []
        if not words:
            table.complain(("cycles", k), 'must be a string of labels, as in "east north west south"')
        for word, following in zip(words, words[1:] + words[:1], strict=True):
            unknown = next((w for w in (word, following) if w not in index), None)
            if unknown is not None or word in moved:
                why = f"no half-edge {unknown!r}{suggest(unknown, index)}" if unknown else f"{word!r} occurs twice"
                table.complain(("cycles", k), why)
                return None
            moved.add(word)
            labels[index[word]] = index[following]
    return labels


@dataclass(frozen=True, slots=True, eq=False)
class _Geometry:
    """Nodes and half-edges; ``directions[h]`` leads from centre to centre along half-edge h, in Cartesian terms."""

    nodes: tuple[Node, ...]
    half_edges: tuple[HalfEdge, ...]
    directions: npt.NDArray[np.float64]


def _geometry(basis: npt.NDArray[np.float64], nodes: tuple[Node, ...], half_edges: tuple[HalfEdge, ...]) -> _Geometry:
    centre = np.array([node.position for node in nodes])
    steps = np.array([edge.step for edge in half_edges]) @ basis
    ends = centre[[edge.target for edge in half_edges]] - centre[[edge.node for edge in half_edges]]
    return _Geometry(nodes, half_edges, ends + steps)


def _labels_by_matrix(table: Table, geometry: _Geometry) -> list[int] | None:
    """``matrix``: a linear map of the drawing's coordinates, rows of x, y, ...; the permutation of labels follows.

    The image of the first node is tried among all nodes; from there half-edges are followed by their directions.
    """
    if table.any("cycles") is not None:
        table.complain("cycles", "stands beside matrix; one of them is enough")
    dimension = geometry.directions.shape[1]
    rows = table.numbers("matrix", dimension)
    if rows is None or len(rows) != dimension:
        table.complain("matrix", f"must be {dimension} rows of {dimension} numbers")
        return None
    turned = geometry.directions @ np.array(rows).T
    for start in range(len(geometry.nodes)):
        labels = _follow(geometry, turned, start)
        if labels is not None:
            return labels
    table.complain("matrix", f"does not map the lattice to itself: {_without_image(geometry, turned)}")
    return None


def _without_image(geometry: _Geometry, turned: npt.NDArray[np.float64]) -> str:
    """Which half-edge of any node the matrix takes to a direction that no half-edge has, if that is what is wrong."""
    for edge, before, after in zip(geometry.half_edges, geometry.directions, turned, strict=True):
        if not any(_equal(direction, after) for direction in geometry.directions):
            start, end = (f"({', '.join(f'{x + 0:.6g}' for x in vector.round(6))})" for vector in (before, after))
            return f"it takes {edge.label!r} from {start} to {end}, where no half-edge leads (compared to six decimals)"
    return "some half-edge has no image"


def _equal(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> bool:
    return np.allclose(one, other, atol=1e-6)


def _follow(geometry: _Geometry, turned: npt.NDArray[np.float64], start: int) -> list[int] | None:
    """The labels' images where the first node goes to *start*; None where a half-edge has none."""
    image_of = {0: start}
    labels = [-1] * len(geometry.half_edges)
    queue = [0]
    for node in queue:
        for h, edge in enumerate(geometry.half_edges):
            if edge.node != node:
                continue
            near = [
                k
                for k, other in enumerate(geometry.half_edges)
                if other.node == image_of[node] and _equal(geometry.directions[k], turned[h])
            ]
            if len(near) != 1:
                return None
            labels[h] = near[0]
            target = geometry.half_edges[near[0]].target
            if edge.target not in image_of:
                image_of[edge.target] = target
                queue.append(edge.target)
            elif image_of[edge.target] != target:
                return None
    return labels
