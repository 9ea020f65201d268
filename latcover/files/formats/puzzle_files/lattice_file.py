"""Reading lattice files, and checking the laws of lattices on which the rest of latcover relies."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.lattice import (
    Drawing,
    HalfEdge,
    Lattice,
    Node,
    Transformation,
    close,
    identity,
)
from latcover.errors import LatticeError, suggest
from latcover.files.formats.puzzle_files.file_keys import Coordinate, LatticeTable, Number
from latcover.files.formats.puzzle_files.file_table import Table, root_table
from latcover.files.formats.puzzle_files.lattice_derived import derived_generators, told_half_edges
from latcover.files.formats.puzzle_files.lattice_drawings import (
    FILL,
    SYMBOLS,
    TOUCH,
    Pattern,
    drawing_faults,
)
from latcover.files.formats.puzzle_files.lattice_motions import (
    Geometry,
    check_slides,
    geometry_of,
    read_slides,
    read_transformations,
)
from latcover.files.formats.puzzle_files.lattice_writer import prism, prism_faces
from latcover.files.formats.puzzle_files.toml_file import TomlFile
from latcover.files.formats.source import Source

MAX_LABELS = 1000
SHORTEST = 0.001
MOST_KNOWN = 32
_known: dict[str, Lattice] = {}  # within puzzles, by what the tables say: a client sends its puzzle again and again


@lru_cache(maxsize=64)
def read_lattice(source: Source) -> Lattice:
    """Read a lattice file.

    Raises:
        LatticeError: with every complaint about the file, each with its line.
    """
    return _finished(TomlFile(source, LatticeError))


def lattice_of_data(source: Source, data: dict[str, Any]) -> Lattice:
    """The lattice that plain data describe, as a file would; *source* gives the name for complaints.

    Raises:
        LatticeError: with every complaint about the data.
    """
    return _finished(TomlFile(source, LatticeError, data))


def _finished(file: TomlFile) -> Lattice:
    found = _lattice_of(root_table(file, LatticeTable))
    file.finish()
    assert found is not None
    return found


def lattice_within(table: Table) -> Lattice | None:
    """The lattice that a table of a puzzle describes; None, and complaints, if it is faulty."""
    key = repr(table.data)
    if key not in _known:
        found = _lattice_of(table)
        if found is None:
            return None
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[key] = found
    return _known[key]


class _Structure(Struct, frozen=True, eq=False):
    """The cells and their neighbours, as a file describes them.

    Attributes:
        basis: None if it is faulty.
        pattern: Of the drawings, if these tell the half-edges.
        geometry: None if transformations and drawings cannot be checked against it.
        way: How the drawings lie beside each other.
        sound: Whether nothing is wrong with all this.
    """

    basis: npt.NDArray[np.float64] | None
    dimension: int
    nodes: tuple[Node, ...]
    half_edges: tuple[HalfEdge, ...]
    pattern: Pattern | None
    geometry: Geometry | None
    way: str
    sound: bool


def _lattice_of(root: Table) -> Lattice | None:
    file = root.file
    first = file.n_complaints
    name = root.get("name")
    title, origin = root.line("title", name), root.line("source")
    default = root.get("part_transformations")
    found = _read_structure(root)
    if found is None:
        return None
    slides = read_slides(root, found.dimension)
    generators = _read_generators(root, found)
    if file.n_complaints > first or found.basis is None:
        return None
    try:
        group = close(list(generators.values()), identity(len(found.half_edges), len(found.nodes), found.dimension))
    except LatticeError as problem:
        root.complain("transformations", str(problem))
        return None
    check_slides(root, slides, generators)
    if file.n_complaints > first:
        return None
    return Lattice(
        name,
        title,
        origin,
        found.basis,
        found.nodes,
        found.half_edges,
        generators,
        group,
        default,
        tuple(slides),
        symbolic=found.way == SYMBOLS,
        has_gaps=found.way == TOUCH,
    )


def _read_structure(root: Table) -> _Structure | None:
    """Basis, nodes and half-edges; None if not even the dimension is known."""
    file = root.file
    before = file.n_complaints
    basis = _read_basis(root)
    dimension = _guessed_dimension(root) if basis is None else len(basis)
    if dimension is None:  # nothing else can be understood
        return None
    nodes = _read_nodes(root, dimension)
    way = _read_way(root, nodes)
    half_edges: tuple[HalfEdge, ...] = ()
    pattern = geometry = None
    if "half_edges" in root:
        half_edges, sound = _read_half_edges(root, [node.name for node in nodes], dimension)
        _check_pairing(root, half_edges, sound)
    elif basis is not None and file.n_complaints == before:
        half_edges, pattern = _derive_half_edges(root, basis, nodes, way)
    if basis is not None and file.n_complaints == before:
        _check_span(root, half_edges, nodes)
        geometry = geometry_of(basis, nodes, half_edges)
        if pattern is None and file.n_complaints == before:
            for fault in drawing_faults(basis, nodes, half_edges, way):
                if fault.node is not None:
                    root.complain(("nodes", nodes[fault.node].name), fault.message)
                elif fault.half_edge is not None:
                    root.complain(("half_edges", half_edges[fault.half_edge].label), fault.message)
    return _Structure(basis, dimension, nodes, half_edges, pattern, geometry, way, file.n_complaints == before)


def _read_generators(root: Table, found: _Structure) -> dict[str, Transformation]:
    """The transformations that the file names, or those that its drawings tell."""
    if found.sound and found.pattern and found.basis is not None and "transformations" not in root:
        return derived_generators(found.basis, found.nodes, found.half_edges, found.pattern)
    if "half_edges" in root or found.pattern is not None:
        return read_transformations(root, found.half_edges, found.geometry)
    return {}  # they may name half-edges, which are unknown


def _guessed_dimension(root: Table) -> int | None:
    """How many numbers most steps of half-edges have, for a file without a sound basis; None if there are no steps."""
    outer = root.data.get("half_edges")
    steps = [edge.get("step") for edge in outer.values() if isinstance(edge, dict)] if isinstance(outer, dict) else []
    lengths = Counter(len(step) for step in steps if isinstance(step, list) and 1 <= len(step) <= 3)
    return lengths.most_common(1)[0][0] if lengths else None


def _read_basis(root: Table) -> npt.NDArray[np.float64] | None:
    """The basis. If it is faulty, the identity of its dimension; None if even the dimension is unknown."""
    rows = root.entries("basis", required=True)
    dimension = len(rows)
    if not 1 <= dimension <= 3:
        if isinstance(root.data.get("basis"), list):
            root.complain("basis", "must be 1 to 3 rows, each a vector with as many numbers as there are rows")
        return None
    numbers = root.rows("basis", dimension)
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
        position = table.row("position", Number, dimension) or (0.0,) * dimension
        nodes.append(Node(name, position, drawing, table.get("secondary")))
    if not nodes and root.data.get("nodes") == {}:
        root.complain("nodes", "a lattice has at least one node: [nodes.NAME]")
    return tuple(nodes) or (Node("", (0.0,) * dimension, Drawing(np.zeros((0, dimension)), ())),)


def _read_drawing(table: Table, dimension: int) -> Drawing:
    """A node's drawing: ``polygon``, with ``height`` a prism; ``vertices`` and ``faces``; or ``radius``."""
    radius, height = table.get("radius"), table.get("height")
    polygon = table.rows("polygon", 2)
    vertices = table.rows("vertices", max(dimension, 2))
    faces = table.entries("faces")
    given = sum(key in table for key in ("polygon", "vertices", "radius"))
    if given != 1:
        table.complain((), "needs one drawing: a polygon (with a height: a prism), vertices and faces, or a radius")
    if polygon is not None:
        return _prism(table, polygon, height, dimension)
    if vertices is not None:
        return _faced(table, vertices, faces, dimension)
    return Drawing(np.zeros((0, max(dimension, 2))), (), radius)


def _faced(table: Table, vertices: list[list[float]], faces: list[Any], dimension: int) -> Drawing:
    """A solid, or a flat outline, by its vertices and faces."""
    n, corners = len(vertices), np.array(vertices).reshape(-1, max(dimension, 2))
    rings: dict[frozenset[int], tuple[int, ...]] = {}
    for k, face in enumerate(faces):
        if not isinstance(face, list) or len(face) < 3 or any(type(v) is not int or not 0 <= v < n for v in face):
            table.complain(("faces", k), f"must be at least three indices of vertices, from 0 to {n - 1}")
        elif frozenset(face) in rings:  # a face and its back would vanish together
            table.complain(("faces", k), "has the corners of a face before it")
        else:
            rings[frozenset(face)] = tuple(face)
    if not faces:
        table.complain("vertices", "need faces: a list of the numbers of its vertices for each, counted from 0")
    if dimension == 3 or not rings:
        return Drawing(corners, tuple(rings.values()))
    if len(faces) > 1:
        table.complain("faces", "a flat cell has one face, its outline; write it as a polygon")
    outline = next(iter(rings.values()))
    return Drawing(corners[list(outline)], (tuple(range(len(outline))),))


def _prism(table: Table, polygon: list[list[float]], height: float, dimension: int) -> Drawing:
    n = len(polygon)
    if n < 3:
        table.complain("polygon", "must have at least three corners")
    if (dimension == 3) != (height > 0):
        table.complain((), "a polygon needs a height in three dimensions, and has none in two")
    flat = np.array(polygon).reshape(-1, 2)
    if dimension != 3:
        return Drawing(flat, (tuple(range(n)),))
    return Drawing(prism(flat, height), prism_faces(n))


def _read_half_edges(root: Table, node_names: list[str], dimension: int) -> tuple[tuple[HalfEdge, ...], set[str]]:
    """The half-edges, and the labels of those that are not faulty."""
    tables = root.named_tables("half_edges", required=True)
    outer = root.data.get("half_edges")
    labels = list(tables)
    named = list(outer) if isinstance(outer, dict) else []
    if isinstance(outer, dict) and not outer:
        root.complain("half_edges", "a lattice has at least one half-edge and its twin")
    if len(labels) > MAX_LABELS:
        root.complain("half_edges", f"at most {MAX_LABELS} half-edges")
        return (), set()
    edges, sound = [], set()
    for label, table in tables.items():
        before = root.file.n_complaints
        if not label or not label.isprintable() or set(label) & set(" ,") or label.isdigit():
            table.complain((), "a label must be a word: no blanks, no commas, no bare number")
        start, end = (_node(table, key, node_names) for key in ("from", "to"))
        step = table.row("step", Coordinate, dimension)
        if "step" not in table:
            table.complain((), "'step' is missing: the vector to the unit that the half-edge leads to")
        twin = table.get("twin")
        if twin and twin not in named:
            table.complain("twin", f"no half-edge {twin!r}{suggest(twin, labels)}")
        if step is not None and not any(step) and start == end and not _unknown_ends(table, node_names):
            table.complain((), "leads from a cell to itself")
        edges.append(HalfEdge(label, start, end, step or (0,) * dimension, labels.index(twin) if twin in tables else 0))
        if root.file.n_complaints == before and twin in tables:
            sound.add(label)
    return tuple(edges), sound


def _node(table: Table, key: str, names: list[str]) -> int:
    name = table.get(key, names[0] if len(names) == 1 else None, required=len(names) > 1 or key in table)
    if name not in names:
        if name and names != [""]:  # else all nodes are missing, of which there is a complaint
            table.complain(key, f"no node {name!r}{suggest(name, names)}")
        return 0
    return names.index(name)


def _unknown_ends(table: Table, names: list[str]) -> bool:
    """Whether a half-edge names an unknown node, of which `_node` has complained."""
    return any(table.data.get(key) not in (*names, *([None] if len(names) == 1 else [])) for key in ("from", "to"))


def _check_pairing(root: Table, half_edges: tuple[HalfEdge, ...], sound: set[str]) -> None:
    """Twins pair up, lead back where they came from, and no two half-edges join the same two cells.

    Half-edges that are not in *sound* are not checked, because some of their values are unknown.
    """
    seen: dict[tuple[int, int, tuple[int, ...]], str] = {}
    for h, edge in enumerate(half_edges):
        twin = half_edges[edge.twin]
        key = ("half_edges", edge.label)
        if edge.label not in sound:
            continue
        if twin.label not in sound:
            pass
        elif twin.twin != h:
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
        root.complain(("nodes", missing[0]), f"no half-edges connect {', '.join(missing)} with {nodes[0].name}")
        return
    cycles = [[int(x) for x in offsets[e.node] + e.step - offsets[e.target]] for e in half_edges]
    index = _lattice_index(cycles, dimension)
    if index != 1:
        reach = f"only one vector in {index}" if index else f"fewer than {dimension} dimensions"
        root.complain("half_edges", f"the half-edges reach {reach}: some cells are cut off from others")


def _lattice_index(vectors: list[list[int]], dimension: int) -> int:
    """Index in Z^dimension of what *vectors* generate; 0 if its rank is lower. (Gaussian elimination over Z.)"""
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


def _read_way(root: Table, nodes: tuple[Node, ...]) -> str:
    """``drawings``: how the drawn cells lie beside each other, which is checked."""
    spheres = any(node.drawing.radius for node in nodes)
    way: str = root.get("drawings", TOUCH if spheres else FILL)
    if way == FILL and spheres:
        root.complain("drawings", f'spheres leave gaps: it must be "{TOUCH}", or left out')
    return way


def _derive_half_edges(
    root: Table, basis: npt.NDArray[np.float64], nodes: tuple[Node, ...], way: str
) -> tuple[tuple[HalfEdge, ...], Pattern | None]:
    """The half-edges that a file leaves out, and the pattern of its drawings; None if these do not tell them."""
    told = told_half_edges(basis, nodes, way)
    if not isinstance(told, list):
        return told
    for fault in told:
        unplaced = fault.node is None and fault.half_edge is None
        root.complain(() if unplaced else ("nodes", nodes[fault.node or 0].name), fault.message)
    return (), None
