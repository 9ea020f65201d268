"""Counting perfect matchings of a planar graph by a determinant, for options that cover two cells each.

The cells are the vertices of a graph, and the options are its edges. The edges get directions, so that around each face
but one an odd number of them goes clockwise. The determinant of the signed adjacency matrix is then the square of the
number of matchings; for a bipartite graph, the determinant of a quarter of it is the number itself. The cells that an
option covers alone must lie around one face. A chain of triangles along this face joins them: whichever of them are
covered alone, the chain has exactly one matching.

Source: Kasteleyn (1961, 1967).
"""

from __future__ import annotations

import math
from collections import Counter
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.backends import _native, refuse_colours
from latcover.backends.determinant import CountEndedError, Row, Watch, determinant
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import Stop
from latcover.core.cover.rows import forbidden_options
from latcover.core.cover.search import Limits, OnProgress
from latcover.errors import InternalError, UnsupportedError
from latcover.system.extras import require

MODULES = ("networkx", "flint")
NOT_PLANAR = "the cells and the options between them form no planar graph"
NOT_AROUND_ONE_FACE = "some cells can be covered alone, or be left, and these cells do not lie around one face"

Edges = dict[tuple[int, int], int]  # how many options cover these two vertices, the lesser one first


class Matchings(Struct, frozen=True):
    """The result of a count.

    Attributes:
        covers: The number of covers; None if the count was cut short.
        stop: Why the count ended.
        vertices, edges: The size of the graph.
        rows: The rows of the largest determinant that was left after elimination.
        seconds: The time of the count.
    """

    covers: int | None
    stop: Stop
    vertices: int
    edges: int
    rows: int
    seconds: float


class Graph(Struct, frozen=True):
    """A graph whose matchings are the covers of a problem.

    Attributes:
        edges: How many options cover each pair of vertices.
        alone: In how many ways each vertex may be covered alone, or left.
        factor: What the number of matchings is to be multiplied by.
    """

    n_vertices: int
    edges: Edges
    alone: dict[int, int]
    factor: int


def is_installed() -> bool:
    """Whether the packages that this method needs are there."""
    return all(find_spec(name) is not None for name in MODULES)


def graph_of(problem: CoverProblem) -> Graph:
    """The graph of a problem whose options cover two cells each, or one.

    Items that are held by the same options count as one: so do the cells that a symmetry exchanges.

    Raises:
        UnsupportedError: the covers of the problem are not the matchings of a graph.
    """
    refuse_colours("a count by determinant", problem)
    if (problem.high > 1).any():
        raise UnsupportedError("a determinant counts only parts that may be used once, or any number of times")
    owners = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
    shut = np.zeros(problem.n_options, np.bool_)
    shut[forbidden_options(problem)] = True
    kept = ~shut[owners]
    owners, items = owners[kept], problem.option_items[kept]
    vertex, n_vertices = _vertices(problem, owners, items)
    ends: list[list[int]] = [[] for _ in range(problem.n_options)]
    for option, at in zip(owners.tolist(), vertex[items].tolist(), strict=True):
        if at >= 0:
            ends[option].append(at)
    edges: Counter[tuple[int, int]] = Counter()
    alone: Counter[int] = Counter()
    factor = 1
    for option in np.flatnonzero(~shut).tolist():
        match sorted(set(ends[option])):
            case []:
                factor *= 2
            case [a]:
                alone[a] += 1
            case [a, b]:
                edges[a, b] += 1
            case more:
                raise UnsupportedError(f"a determinant counts only parts of two cells, and one covers {len(more)}")
    optional = {int(vertex[item]) for item in np.flatnonzero(problem.low == 0).tolist() if vertex[item] >= 0}
    for each in optional:
        alone[each] += 1
    return Graph(n_vertices, dict(edges), dict(alone), factor)


def _vertices(problem: CoverProblem, owners: npt.NDArray[Any], items: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], int]:
    """The vertex of each item, -1 for an item that does not matter; and how many vertices there are."""
    by_item = np.argsort(items, kind="stable")
    starts = np.searchsorted(items[by_item], np.arange(problem.n_items + 1))
    vertex = np.full(problem.n_items, -1, np.int64)
    known: dict[bytes, int] = {}
    for item in np.argsort(problem.low == 0, kind="stable").tolist():  # the items that must be covered come first
        holders = owners[by_item[starts[item] : starts[item + 1]]]
        if problem.low[item] == 0 and (len(holders) <= 1 or holders.tobytes() in known):
            continue
        vertex[item] = known.setdefault(holders.tobytes() or b"%d" % item, len(known))
    return vertex, len(known)


def count_matchings(
    problem: CoverProblem,
    limits: Limits = Limits(),
    on_progress: OnProgress | None = None,
    *,
    most_bytes: int = 1 << 30,
) -> Matchings:
    """Count the covers of *problem* by determinants.

    Args:
        problem: A problem whose options cover two cells each, or one.
        limits: Only the limit of seconds applies.
        on_progress: May stop the count by returning False.
        most_bytes: The memory that the elimination may take.

    Raises:
        UnsupportedError: the covers are not the matchings of a graph, or the graph is not planar.
        TooLargeError: the elimination needs more memory than *most_bytes*.
        BackendUnavailableError: a package is not installed.
    """
    watch = Watch(limits, on_progress, most_bytes)
    graph = graph_of(problem)
    networkx = require("a count by determinant", MODULES[:1], extra="kasteleyn", hint="or count by another --method")
    require("a count by determinant", MODULES, extra="kasteleyn", hint="or count by another --method")
    covers: int | None = graph.factor
    stop, rows = Stop.EXHAUSTED, 0
    try:
        watch.look(None)
        pieces = _pieces(graph, networkx)
        for done, piece in enumerate(pieces):
            matrix, is_square = _signed_matrix(piece, networkx, watch)
            number, size = determinant(matrix, watch, done / len(pieces), 1 / len(pieces))
            rows = max(rows, size)
            assert covers is not None
            covers *= _root(number) if is_square else number
            if covers == 0:
                break
    except CountEndedError as ended:
        covers, stop = None, ended.stop
    return Matchings(covers, stop, graph.n_vertices, len(graph.edges), rows, watch.seconds())


def _pieces(graph: Graph, networkx: Any) -> list[Graph]:
    """The components of a graph, the small ones first; each numbers its vertices from 0."""
    whole = networkx.Graph(graph.edges.keys())
    whole.add_nodes_from(range(graph.n_vertices))
    number: dict[int, tuple[int, int]] = {}
    sizes = []
    for k, members in enumerate(sorted(map(sorted, networkx.connected_components(whole)), key=lambda m: (len(m), m))):
        sizes.append(len(members))
        number.update({vertex: (k, place) for place, vertex in enumerate(members)})
    edges: list[Edges] = [{} for _ in sizes]
    alone: list[dict[int, int]] = [{} for _ in sizes]
    for (a, b), many in graph.edges.items():
        edges[number[a][0]][number[a][1], number[b][1]] = many
    for vertex, many in graph.alone.items():
        alone[number[vertex][0]][number[vertex][1]] = many
    return [Graph(*each, 1) for each in zip(sizes, edges, alone, strict=True)]


def _signed_matrix(piece: Graph, networkx: Any, watch: Watch) -> tuple[list[Row], bool]:
    """A matrix whose determinant is, but for its sign, the number of matchings of a connected graph, or its square.

    Returns:
        The rows; and whether the determinant is the square.
    """
    n, edges = _with_chain(piece, networkx, watch)
    if n == 1:
        return [{}], False
    planar, embedding = networkx.check_planarity(networkx.Graph(edges.keys()))
    if not planar:
        raise UnsupportedError(NOT_PLANAR)
    watch.look(None)
    forward = _directions(embedding, networkx)
    signed = {(a, b): many if (a, b) in forward else -many for (a, b), many in edges.items()}
    watch.look(None)
    whole = networkx.Graph(edges.keys())
    order = _order(n, edges)
    if networkx.is_bipartite(whole):
        black = {vertex for vertex, colour in networkx.bipartite.color(whole).items() if colour}
        rows: dict[int, Row] = {vertex: {} for vertex in order if vertex in black}
        place = {vertex: k for k, vertex in enumerate(each for each in order if each not in black)}
        if len(rows) != len(place):
            return [{}], False
        for (a, b), value in signed.items():
            row, column, value = (a, b, value) if a in black else (b, a, -value)
            rows[row][place[column]] = value
        return list(rows.values()), False
    place = {vertex: k for k, vertex in enumerate(order)}
    square: list[Row] = [{} for _ in range(n)]
    for (a, b), value in signed.items():
        square[place[a]][place[b]] = value
        square[place[b]][place[a]] = -value
    return square, True


def _order(n: int, edges: Edges) -> list[int]:
    """An order of the vertices that keeps the frontier narrow, and with it the determinant that is left."""
    flat = np.array(sorted(edges), dtype=np.int32).reshape(-1)
    ones = np.ones(n, np.int32)
    pairs = _native.Problem(np.arange(0, len(flat) + 1, 2, dtype=np.int64), flat, ones, ones)
    order: list[int] = _native.frontier_order(pairs).tolist()
    return order


def _with_chain(piece: Graph, networkx: Any, watch: Watch) -> tuple[int, Edges]:
    """The graph without vertices that may be covered alone: a chain of triangles stands for these choices.

    A triangle has a corner towards one such vertex and two corners towards its neighbours in the chain. An odd number
    of its corners is matched outwards, and the rest in one way. So one matching suits each choice of the vertices, if
    the number of all vertices is even; if not, one more vertex ends the chain.
    """
    if not piece.alone:
        return piece.n_vertices, piece.edges
    if piece.n_vertices == 1:  # covered alone, in so many ways
        return 2, {(0, 1): piece.alone[0]}
    hub = piece.n_vertices
    around = networkx.Graph(piece.edges.keys())
    around.add_edges_from((hub, vertex) for vertex in piece.alone)
    planar, embedding = networkx.check_planarity(around)
    if not planar:
        raise UnsupportedError(NOT_AROUND_ONE_FACE)
    watch.look(None)
    edges = dict(piece.edges)
    n, end = piece.n_vertices, None
    for vertex in embedding.neighbors_cw_order(hub):
        towards, left, right = n, n + 1, n + 2
        edges |= {(vertex, towards): piece.alone[vertex], (towards, left): 1, (towards, right): 1, (left, right): 1}
        if end is not None:
            edges[end, left] = 1
        end, n = right, n + 3
    if n % 2:
        assert end is not None
        edges[end, n] = 1
        n += 1
    return n, edges


def _directions(embedding: Any, networkx: Any) -> set[tuple[int, int]]:
    """The edges of a connected plane graph, directed so that each face but one has an odd number of them clockwise."""
    face_of: dict[tuple[int, int], int] = {}
    faces: list[list[tuple[int, int]]] = []
    for half in embedding.edges:
        if half not in face_of:
            corners = embedding.traverse_face(*half)
            sides = list(zip(corners, [*corners[1:], corners[0]], strict=True))
            face_of.update(dict.fromkeys(sides, len(faces)))
            faces.append(sides)
    # A tree of the graph gets any directions. The other edges form a tree of the faces: from its leaves to its root,
    # the edge to the face above is directed last.
    forward = set(networkx.bfs_edges(embedding, 0))
    tree = networkx.Graph()
    tree.add_node(0)
    for a, b in embedding.edges:
        if (a, b) not in forward and (b, a) not in forward:
            tree.add_edge(face_of[a, b], face_of[b, a], sides={face_of[a, b]: (a, b), face_of[b, a]: (b, a)})
    for above, face in reversed(list(networkx.bfs_edges(tree, 0))):
        a, b = tree.edges[above, face]["sides"][face]
        agree = sum(side in forward for side in faces[face])
        forward.add((b, a) if agree % 2 else (a, b))
    return forward


def _root(number: int) -> int:
    root = math.isqrt(number)
    if root * root != number:
        raise InternalError("a determinant that must be a square is none")
    return root
