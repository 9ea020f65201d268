"""The lattices for a page that makes orientations, placements and shapes itself."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from latcover.apps.publishing.apart_data import lattice_slides
from latcover.apps.publishing.part_turns import cartesian
from latcover.apps.web.editor_data import lattice_data
from latcover.core.model.lattice import Lattice
from latcover.lab.assembly.directions import directions, reaches, rises
from latcover.lab.assembly.sliding_sweeps import slide_arrays
from latcover.lab.assembly.taking_apart import MOST_PIECES
from latcover.show.drawing.shapes.cell_corners import (
    cell_size,
    flat_dimension,
    in_picture,
    meets_in_part,
    rings_of_node,
)
from latcover.show.drawing.space.shape_data import numbers

DIGITS = 9  # of coordinates: shapes are rounded to fewer


@lru_cache(maxsize=32)
def workshop_lattice(lattice: Lattice) -> dict[str, Any]:
    """A lattice as plain data, for ``static/orientations.js`` and its neighbours.

    Keys: those of `latcover.apps.web.editor_data.lattice_data`; and ``group``, ``drawing`` and ``slides``, of
    `group_data`, `drawing_data` and `slides_data`.
    """
    return lattice_data(lattice) | {
        "group": group_data(lattice),
        "drawing": drawing_data(lattice),
        "slides": slides_data(lattice),
    }


def group_data(lattice: Lattice) -> dict[str, Any]:
    """The transformations of a lattice.

    Keys:
        ``motions``: of each transformation ``nodes``, ``matrix``, ``shifts`` (it takes the cell ``(u, x)`` to
            ``(nodes[u], matrix @ x + shifts[u])``), ``proper``, and ``turn``, its Cartesian matrix, nine numbers.
        ``rotations``: the numbers of the rotations in their order.
        ``generators``, by their names: for each transformation the number of the one that does it and then the
            generator.
    """
    number_of = lattice.number_of
    return {
        "motions": [
            {
                "nodes": motion.nodes.tolist(),
                "matrix": motion.matrix.tolist(),
                "shifts": motion.shifts.tolist(),
                "proper": motion.proper,
                "turn": numbers(cartesian(lattice, motion)),
            }
            for motion in lattice.transformations
        ],
        "rotations": [number_of[motion.labels] for motion in lattice.allowed("rotations")],
        "generators": {name: lattice.then(motion).tolist() for name, motion in lattice.generators.items()},
    }


def drawing_data(lattice: Lattice) -> dict[str, Any]:
    """How the cells of a lattice look, in the coordinates of pictures (two, or three in space).

    Keys:
        ``dimension``; ``basis`` and ``positions`` (of the nodes), rows; ``size``, the longest side of a cell.
        ``nodes``: of each its ``radius``, and ``corners`` and ``rings`` (of corners; anticlockwise, faces as seen from
            outside) about its centre.
        ``partly``: whether cells meet along parts of their sides only.
        ``straight``: pairs of half-edges of a secondary node that lead opposite ways.
    """
    nodes = [rings_of_node(lattice, node) for node in range(len(lattice.nodes))]
    return {
        "dimension": flat_dimension(lattice),
        "size": cell_size(lattice),
        "basis": _rounded(in_picture(lattice, lattice.basis)),
        "positions": _rounded(in_picture(lattice, lattice.positions)),
        "nodes": [
            {"radius": node.drawing.radius, "corners": _rounded(corners), "rings": [list(ring) for ring in rings]}
            for node, (corners, rings) in zip(lattice.nodes, nodes, strict=True)
        ],
        "partly": meets_in_part(lattice),
        "straight": [list(pair) for pair in lattice.straight_on.items()],
    }


def slides_data(lattice: Lattice) -> dict[str, Any] | None:
    """How the parts of a lattice slide; None if they do not, or not in space.

    Keys: those of `latcover.apps.publishing.apart_data.lattice_slides`; ``engine``, what the lattice alone says in
    `latcover.lab.assembly.geometry.sliding_data`; ``reach``: how far the cell of each node at the origin reaches along
    each direction, ``low`` and ``high``, in steps of the direction, and ``pieces``, how many of them the engine can
    handle.
    """
    known = lattice_slides(lattice)
    if known is None:
        return None
    ways, arrays = directions(lattice), slide_arrays(lattice)
    origins = np.insert(np.zeros((len(lattice.nodes), lattice.dimension), np.int32), 0, range(len(lattice.nodes)), 1)
    low, high = reaches(lattice, ways, origins)
    return known | {
        "engine": {
            "slides": arrays.slides.tolist(),
            "scales": rises(lattice, ways).tolist(),
            "n_nodes": arrays.n_nodes,
            "hit_starts": arrays.hit_starts.tolist(),
            "hits": arrays.hits.tolist(),
        },
        "reach": {"low": low.tolist(), "high": high.tolist(), "pieces": MOST_PIECES},
    }


def _rounded(values: Any) -> Any:
    return (np.round(values, DIGITS) + 0.0).tolist()
