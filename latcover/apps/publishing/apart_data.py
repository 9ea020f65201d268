"""The data with which a page takes solutions apart, checks the engine's answer, and animates it.

``static/replay.js`` and ``static/disassembly.js`` read it.
"""

from __future__ import annotations

from itertools import product
from typing import Annotated, Any

import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from latcover.core.encoding.prepared import Prepared
from latcover.core.model.lattice import Lattice
from latcover.core.model.meetings import Meetings, meetings
from latcover.core.model.move_words import direction_as_text
from latcover.errors import UnsupportedError
from latcover.lab.assembly.directions import directions
from latcover.lab.assembly.geometry import sliding_data
from latcover.show.drawing.space.packed_numbers import Packed, pack_numbers
from latcover.show.drawing.space.shape_data import numbers

SlidingParts = Annotated[dict[str, Any], Meta(extra={"typescript": "SlidingParts"})]  # backends/wasm/engine_types.d.ts


class LatticeSlides(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the parts of a lattice slide.

    Attributes:
        basis: Cartesian rows, one for each axis.
        words: The name of each direction, by its steps joined by commas.
        deep: Cells that overlap less only touch.
        radii: Those of the cells of each node, 0 if they are not balls.
        corners: Relative to a cell's centre.
        planes: Only if some cells are not balls: for each pair of nodes u and w rows (x, y, z, height). Their cells
            meet if ``x, y, z`` times the vector from centre to centre is less than ``height`` in all rows.
    """

    basis: list[list[float]]
    words: dict[str, str]
    deep: float
    radii: list[float]
    corners: list[list[float]]
    planes: list[list[list[list[float]]]] | UnsetType = UNSET


class ApartData(LatticeSlides, frozen=True, kw_only=True, omit_defaults=True):
    """The data for taking solutions apart.

    Attributes:
        geometry: That of all placements, for the engine (`latcover.lab.assembly.geometry.sliding_data`), without
            their pieces.
        pieces: What the geometry says of the piece of each placement, six numbers.
        nodes: The node of each of the region's cells.
        groups: For each part the groups in which copies may stay together, rows (name, most copies or null).
    """

    geometry: SlidingParts
    pieces: Packed
    nodes: Packed
    groups: list[list[tuple[str, int | None]]]


def apart_data(prepared: Prepared) -> ApartData | None:
    """The data for taking solutions of *prepared* apart; None if its parts do not slide."""
    puzzle = prepared.puzzle
    sliding = None if puzzle.region.period else lattice_slides(puzzle.lattice)
    if sliding is None:
        return None
    geometry = sliding_data(puzzle, [prepared.entry(k) for k in range(len(prepared.table))])
    return ApartData(
        pieces=pack_numbers(geometry.pop("pieces")),
        geometry=geometry,
        nodes=pack_numbers(prepared.table.region.cells[:, 0]),
        groups=[list(part.groups) for part in puzzle.parts],
        **asdict(sliding),
    )


def lattice_slides(lattice: Lattice) -> LatticeSlides | None:
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
    return LatticeSlides(
        basis=lattice.basis.tolist(),
        words=words,
        deep=when.deep,
        radii=when.radii.tolist(),
        corners=[numbers(vertices) for vertices in when.vertices],
        planes=UNSET if when.radii.all() else _planes(when),
    )


def _planes(when: Meetings) -> list[list[list[list[float]]]]:
    return [
        [
            np.round(np.column_stack([normals, heights])[np.isfinite(heights)], 9).tolist()
            for normals, heights in zip(row, heights_of, strict=True)
        ]
        for row, heights_of in zip(when.normals, when.heights, strict=True)
    ]
