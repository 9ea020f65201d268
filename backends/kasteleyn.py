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
from importlib.util import find_spec
from typing import Any

import numpy as np

from latcover.backends import _native
from latcover.backends.determinant import CountEndedError, Row, Watch, determinant
from latcover.backends.matching_graph import Edges, Graph, graph_of
from latcover.core.cover.counter import Counter, CountTask
from latcover.core.cover.result import SearchResult, Stop
from latcover.errors import InternalError, UnsupportedError
from latcover.system.extras import require

MODULES = ("networkx", "flint")
OTHERWISE = "or count by another --method"
NOT_PLANAR = "the cells and the options between them form no planar graph"
NOT_AROUND_ONE_FACE = "some cells can be covered alone, or be left, and these cells do not lie around one face"


def is_installed() -> bool:
    """Whether the packages that this method needs are there."""
    return all(find_spec(name) is not None for name in MODULES)


class MatchingCounter(Counter, frozen=True):
    """Computes a determinant, for dominoes on a planar board.

    Its figures are the size of the graph, and the rows of the largest determinant that was left after elimination.
    """

    name = "kasteleyn"

    def count(self, task: CountTask) -> SearchResult:
        """Count; see `latcover.Counter`. The covers must be the matchings of a planar graph."""
        watch = Watch(task.limits, task.on_progress, task.budget.most_bytes)
        graph = graph_of(task.problem)
        networkx = require("a count by determinant", MODULES[:1], extra="kasteleyn", hint=OTHERWISE)
        require("a count by determinant", MODULES, extra="kasteleyn", hint=OTHERWISE)
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
        return self.result(covers, stop, vertices=graph.n_vertices, edges=len(graph.edges), rows=rows)


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
        raise InternalError("a determinant that should be a square is not one")
    return root
