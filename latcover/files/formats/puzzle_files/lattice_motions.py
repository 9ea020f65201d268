"""Reading how the cells of a lattice may move: its transformations, and the directions along which parts slide."""

from __future__ import annotations

from collections.abc import Collection
from math import gcd

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.lattice import ALLOWED, HalfEdge, Node, Transformation, derive_transformation
from latcover.errors import LatticeError, suggest
from latcover.files.formats.puzzle_files.file_keys import Coordinate, row_of
from latcover.files.formats.puzzle_files.file_table import Table

MAX_SLIDES, LONGEST_SLIDE = 60, 50


class Geometry(Struct, frozen=True, eq=False):
    """Basis, nodes, half-edges; ``directions[h]`` is the Cartesian vector from centre to centre along half-edge h."""

    basis: npt.NDArray[np.float64]
    nodes: tuple[Node, ...]
    half_edges: tuple[HalfEdge, ...]
    directions: npt.NDArray[np.float64]


def geometry_of(basis: npt.NDArray[np.float64], nodes: tuple[Node, ...], half_edges: tuple[HalfEdge, ...]) -> Geometry:
    centre = np.array([node.position for node in nodes])
    steps = np.array([edge.step for edge in half_edges]) @ basis
    ends = centre[[edge.target for edge in half_edges]] - centre[[edge.node for edge in half_edges]]
    return Geometry(basis, nodes, half_edges, ends + steps)


def read_slides(root: Table, dimension: int) -> list[tuple[int, ...]]:
    """``slides``: vectors along which parts may slide; those without faults."""
    rows = root.entries("slides")
    if "slides" in root and isinstance(root.data.get("slides"), list) and not rows:
        root.complain("slides", "is empty; leave it out to take those of the drawings' edges")
    if len(rows) > MAX_SLIDES:
        root.complain("slides", f"at most {MAX_SLIDES} directions")
        return []
    found: list[tuple[int, ...]] = []
    for k, row in enumerate(rows):
        vector = tuple(root.checked(("slides", k), row, row_of(Coordinate, dimension)) or ())
        steps, opposite = gcd(*vector), tuple(-x for x in vector)
        if not vector:
            continue
        if steps != 1:
            what = f"several steps; one is {[x // steps for x in vector]}" if steps else "the null vector"
            root.complain(("slides", k), f"must be a single step, not {what}")
        elif max(map(abs, vector)) > LONGEST_SLIDE:
            root.complain(("slides", k), f"no number may be greater than {LONGEST_SLIDE}")
        elif vector in found or opposite in found:
            root.complain(("slides", k), "the same direction, or its opposite, is listed before; leave it out")
        else:
            found.append(vector)
    return found


def check_slides(root: Table, slides: list[tuple[int, ...]], generators: dict[str, Transformation]) -> None:
    """Images of a solution come apart alike, so a transformation takes each direction to another one."""
    known = {*slides, *(tuple(-x for x in vector) for vector in slides)}
    for k, vector in enumerate(slides):
        for name, transformation in generators.items():
            image = tuple((transformation.matrix @ np.array(vector)).tolist())
            if image not in known:
                root.complain(("slides", k), f"{name!r} takes it to {list(image)}, which must be among the slides too")
                break


def read_transformations(
    root: Table, half_edges: tuple[HalfEdge, ...], geometry: Geometry | None
) -> dict[str, Transformation]:
    found: dict[str, Transformation] = {}
    seen: set[str] = set()
    for table in root.tables("transformations"):
        name = table.get("name")
        if name in seen or name in ALLOWED:
            table.complain("name", f"{name!r} is {'given twice' if name in seen else 'a reserved word'}")
        seen.add(name)
        key = "matrix" if "matrix" in table else "cycles"
        if key not in table:
            table.complain((), 'needs cycles, as in ["east north west south"], or a matrix')
        elif key == "matrix":
            labels = _labels_by_matrix(table, len(half_edges[0].step) if half_edges else 0, geometry)
        else:
            written = root.data.get("half_edges")
            named = written if isinstance(written, dict) else [edge.label for edge in half_edges]
            labels = _labels_by_cycles(table, half_edges, named)
        if key not in table or labels is None or geometry is None:
            continue
        try:
            found[name] = derive_transformation(half_edges, len(geometry.nodes), labels)
        except LatticeError as problem:
            table.complain(key, f"transformation {name!r} {problem}")
    return found


def _labels_by_cycles(table: Table, half_edges: tuple[HalfEdge, ...], named: Collection[str]) -> list[int] | None:
    """``cycles``: each label goes to the next of its string. None, and complaints, if the strings are faulty.

    *named* also holds the labels of half-edges that are faulty.
    """
    index = {edge.label: h for h, edge in enumerate(half_edges)}
    labels = list(range(len(half_edges)))
    moved: set[str] = set()
    before = table.file.n_complaints
    for k, cycle in enumerate(table.entries("cycles", required=True)):
        words = cycle.split() if isinstance(cycle, str) else []
        if not words:
            table.complain(("cycles", k), 'must be a text of labels, as in "east north west south"')
        for word, following in zip(words, words[1:] + words[:1], strict=True):
            if word not in named:
                table.complain(("cycles", k), f"no half-edge {word!r}{suggest(word, named)}")
            elif word in moved:
                table.complain(("cycles", k), f"{word!r} occurs twice")
            elif word in index and following in index:
                labels[index[word]] = index[following]
            moved.add(word)
    return labels if table.file.n_complaints == before else None


def _labels_by_matrix(table: Table, dimension: int, geometry: Geometry | None) -> list[int] | None:
    """``matrix``: a linear map of the drawing's coordinates, rows of x, y, ... It determines the permutation of labels.

    Each node is tried as the image of the first node. From there, directions tell the images of the half-edges.
    """
    if "cycles" in table:
        table.complain("cycles", "cannot be combined with matrix; one of them is enough")
    rows = table.rows("matrix", dimension)
    if rows is None or len(rows) != dimension:
        if rows is not None:
            table.complain("matrix", f"must be {dimension} rows of {dimension} numbers")
        return None
    if geometry is None:
        return None
    turned = geometry.directions @ np.array(rows).T
    for start in range(len(geometry.nodes)):
        labels = _follow(geometry, turned, start)
        if labels is not None:
            return labels
    table.complain("matrix", f"does not map the lattice to itself: {_without_image(geometry, turned)}")
    return None


def _without_image(geometry: Geometry, turned: npt.NDArray[np.float64]) -> str:
    """What is wrong with a matrix: a half-edge that it takes to a direction that no half-edge has, if there is one."""
    for edge, before, after in zip(geometry.half_edges, geometry.directions, turned, strict=True):
        if not any(_equal(direction, after) for direction in geometry.directions):
            start, end = (f"({', '.join(f'{x + 0:.6g}' for x in vector.round(6))})" for vector in (before, after))
            return f"it takes {edge.label!r} from {start} to {end}, where no half-edge leads (compared to six decimals)"
    return "some half-edge has no image"


def _equal(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> bool:
    return np.allclose(one, other, atol=1e-6)


def _follow(geometry: Geometry, turned: npt.NDArray[np.float64], start: int) -> list[int] | None:
    """The labels' images if the first node goes to *start*; None if a half-edge has no image."""
    image_of = {0: start}
    labels = [-1] * len(geometry.half_edges)
    queue = [0]
    for node in queue:
        for h, edge in enumerate(geometry.half_edges):
            if edge.node != node:
                continue
            there = [k for k, other in enumerate(geometry.half_edges) if other.node == image_of[node]]
            near = [k for k in there if _equal(geometry.directions[k], turned[h])]
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
