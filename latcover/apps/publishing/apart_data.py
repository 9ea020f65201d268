"""The data with which a page takes solutions apart, checks the engine's answer, and animates it.

``static/replay.js`` and ``static/disassembly.js`` read it.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from latcover.apps.publishing.short_numbers import packed
from latcover.core.encoding.prepared import Prepared
from latcover.core.model.lattice import Lattice
from latcover.core.model.move_words import direction_as_text
from latcover.core.model.replay import meetings
from latcover.errors import UnsupportedError
from latcover.lab.assembly.directions import directions
from latcover.lab.assembly.geometry import sliding_data
from latcover.show.drawing.space.shape_data import numbers


def apart_data(prepared: Prepared) -> dict[str, Any] | None:
    """The data for taking solutions of *prepared* apart; None if its parts do not slide.

    Keys:
        ``geometry``: that of all placements, for the engine (`latcover.lab.assembly.geometry.sliding_data`).
        ``basis``: Cartesian rows, one for each axis; ``nodes``, packed: the node of each of the region's cells.
        ``groups``: for each part the groups in which copies may stay together, rows (name, most copies or null).
        ``words``: the name of each direction, by its steps joined by commas.
        ``deep``: cells that overlap less only touch.
        ``radii``: those of the cells of each node, 0 if they are not balls; ``corners``: relative to its centre.
        ``planes``, only if some cells are not balls: for each pair of nodes u and w rows (x, y, z, height). Their cells
            meet if ``x, y, z`` times the vector from centre to centre is less than ``height`` in all rows.
    """
    puzzle = prepared.puzzle
    sliding = None if puzzle.region.period else lattice_slides(puzzle.lattice)
    return sliding and {
        "geometry": sliding_data(puzzle, [prepared.entry(k)[1] for k in range(len(prepared.table))]),
        "nodes": packed(prepared.table.region.cells[:, 0]),
        "groups": [[list(group) for group in part.groups] for part in puzzle.parts],
        **sliding,
    }


def lattice_slides(lattice: Lattice) -> dict[str, Any] | None:
    """What `apart_data` says of the lattice alone; None if its parts do not slide in space."""
    if lattice.dimension < 3:
        return None
    try:
        ways = directions(lattice)
    except UnsupportedError:
        return None
    words = {}
    for way, sign in product(ways, (1, -1)):
        vector = tuple(sign * int(x) for x in way)
        words[",".join(map(str, vector))] = direction_as_text(lattice, vector)
    when = meetings(lattice)
    data: dict[str, Any] = {
        "basis": lattice.basis.tolist(),
        "words": words,
        "deep": when.deep,
        "radii": when.radii.tolist(),
        "corners": [numbers(vertices) for vertices in when.vertices],
    }
    if not when.radii.all():
        data["planes"] = [
            [
                np.round(np.column_stack([normals, heights])[np.isfinite(heights)], 9).tolist()
                for normals, heights in zip(row, heights_of, strict=True)
            ]
            for row, heights_of in zip(when.normals, when.heights, strict=True)
        ]
    return data
