"""Lattices as files, which docs/reference/lattice-files.md describes. What the drawings tell is left out."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import tomli_w

from latcover.core.model.lattice import REFLECTIONS, Lattice, Node, Transformation
from latcover.files.formats.puzzle_files.lattice_derived import derived_generators, told_half_edges
from latcover.files.formats.puzzle_files.lattice_drawings import FILL, SYMBOLS, TOUCH
from latcover.files.formats.puzzle_files.toml_layout import laid_out, present

Data = dict[str, Any]


def lattice_as_toml(lattice: Lattice) -> str:
    """The text of a lattice file, which reads back as the same lattice."""
    return laid_out(tomli_w.dumps(lattice_as_data(lattice)))


@lru_cache(maxsize=32)
def lattice_as_data(lattice: Lattice) -> Data:
    """What a lattice file says, as plain data; also the table `lattice` of a puzzle file."""
    spheres = any(node.drawing.radius for node in lattice.nodes)
    way = SYMBOLS if lattice.symbolic else TOUCH if lattice.has_gaps else FILL
    titled, default = lattice.title != lattice.name, lattice.default_transformations
    data = {"name": lattice.name, **({"title": lattice.title} if titled else {}), **present(source=lattice.source)}
    data["basis"] = _plain(lattice.basis)
    data |= present(
        part_transformations="" if default == REFLECTIONS else default,
        drawings="" if way == (TOUCH if spheres else FILL) else way,
        slides=[list(vector) for vector in lattice.slides],
    )
    neighbours, motions = _told_by_drawings(lattice, way)
    if neighbours and not motions and not lattice.generators:
        data["transformations"] = []
    data["nodes"] = {node.name: _node(node, lattice.dimension) for node in lattice.nodes}
    if not neighbours:
        data["half_edges"] = _half_edges(lattice)
    if not motions and lattice.generators:
        data["transformations"] = [
            {"name": name, "cycles": _cycles(lattice, motion)} for name, motion in lattice.generators.items()
        ]
    return data


def _told_by_drawings(lattice: Lattice, way: str) -> tuple[bool, bool]:
    """Whether a reader finds the same half-edges, and the same transformations, from the drawings."""
    told = told_half_edges(lattice.basis, lattice.nodes, way)
    if isinstance(told, list) or told[0] != lattice.half_edges:
        return False, False
    found = derived_generators(lattice.basis, lattice.nodes, *told)
    given = lattice.generators
    return True, list(found) == list(given) and all(found[name].labels == given[name].labels for name in found)


def _node(node: Node, dimension: int) -> Data:
    data: Data = {"position": _plain(node.position)} if any(node.position) else {}
    if node.secondary:
        data["secondary"] = True
    drawing = node.drawing
    if drawing.radius:
        return data | {"radius": drawing.radius}
    vertices = drawing.vertices
    if dimension < 3:
        return data | {"polygon": _plain(vertices)}
    half = len(vertices) // 2
    height = 2 * float(vertices[-1, 2])
    if (
        height > 0
        and drawing.faces == prism_faces(half)
        and np.array_equal(vertices, prism(vertices[:half, :2], height))
    ):
        return data | {"polygon": _plain(vertices[:half, :2]), "height": _plain(height)}
    return data | {"vertices": _plain(vertices), "faces": [list(face) for face in drawing.faces]}


def prism(polygon: npt.NDArray[np.float64], height: float) -> npt.NDArray[np.float64]:
    """The corners of a prism around its centre: those below, then those above."""
    n = len(polygon)
    bottom, top = (np.column_stack([polygon, np.full(n, sign * height / 2)]) for sign in (-1, 1))
    return np.vstack([bottom, top])


def prism_faces(n: int) -> tuple[tuple[int, ...], ...]:
    """The faces of a prism on n corners: below, above, and the sides."""
    sides = tuple((k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n))
    return (tuple(reversed(range(n))), tuple(range(n, 2 * n)), *sides)


def _half_edges(lattice: Lattice) -> Data:
    found: Data = {}
    for edge in lattice.half_edges:
        ends = {"from": lattice.nodes[edge.node].name, "to": lattice.nodes[edge.target].name}
        twin = lattice.half_edges[edge.twin].label
        found[edge.label] = (ends if len(lattice.nodes) > 1 else {}) | {"step": list(edge.step), "twin": twin}
    return found


def _cycles(lattice: Lattice, motion: Transformation) -> list[str]:
    """The permutation of labels as cycles, each from its first label on."""
    seen: set[int] = set()
    cycles = []
    for first in range(len(motion.labels)):
        cycle, at = [], first
        while at not in seen:
            seen.add(at)
            cycle.append(lattice.half_edges[at].label)
            at = motion.labels[at]
        if len(cycle) > 1:
            cycles.append(" ".join(cycle))
    return cycles


def _plain(values: npt.ArrayLike) -> Any:
    """A number, or lists of numbers; whole ones without a point."""
    found = np.asarray(values, np.float64).tolist()
    if isinstance(found, list):
        return [_plain(each) for each in found]
    return int(found) if found.is_integer() else found
