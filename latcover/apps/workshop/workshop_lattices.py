"""The lattices for a page that makes orientations, placements and shapes itself."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

from latcover.apps.publishing.apart_data import LatticeSlides, lattice_slides
from latcover.apps.publishing.part_turns import cartesian
from latcover.apps.web.editor_answers import LatticeData
from latcover.apps.web.editor_data import lattice_data
from latcover.core.encoding.symmetry import keeps_corners
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


class GroupMotion(Struct, frozen=True):
    """A transformation: it takes the cell ``(u, x)`` to ``(nodes[u], matrix @ x + shifts[u])``.

    ``turn``: its Cartesian matrix, nine numbers row by row; ``edges``: what each half-edge becomes; ``corners``:
    whether cells that touch at a corner still do so.
    """

    nodes: list[int]
    matrix: list[list[int]]
    shifts: list[list[int]]
    proper: bool
    turn: list[float]
    edges: list[int]
    corners: bool


class LatticeGroup(Struct, frozen=True):
    """The transformations of a lattice.

    Attributes:
        motions: The transformations.
        rotations: The numbers of the rotations in their order.
        generators: By their names: for each transformation the number of the one that does it and then the generator.
    """

    motions: list[GroupMotion]
    rotations: list[int]
    generators: dict[str, list[int]]


class DrawnNode(Struct, frozen=True):
    """A cell about its centre; ``rings`` of corners, anticlockwise, faces as seen from outside."""

    radius: float
    corners: list[list[float]]
    rings: list[list[int]]


class LatticeDrawing(Struct, frozen=True):
    """How the cells of a lattice look, in the coordinates of pictures (two, or three in space).

    Attributes:
        dimension: Of pictures.
        size: The longest side of a cell.
        basis, positions: Rows; positions are of the nodes.
        nodes: Their cells.
        partly: Whether cells meet along parts of their sides only.
        straight: Pairs of half-edges of a secondary node that lead opposite ways.
    """

    dimension: int
    size: float
    basis: list[list[float]]
    positions: list[list[float]]
    nodes: list[DrawnNode]
    partly: bool
    straight: list[tuple[int, int]]


class SlideArrays(Struct, frozen=True):
    """What the lattice alone says in `latcover.lab.assembly.geometry.sliding_data`."""

    slides: list[int]
    scales: list[list[int]]
    n_nodes: int
    hit_starts: list[int]
    hits: list[int]


class Reach(Struct, frozen=True):
    """How far the cell of each node at the origin reaches along each direction, in steps of the direction.

    ``pieces``: how many the engine can handle.
    """

    low: list[list[int]]
    high: list[list[int]]
    pieces: int


class WorkshopSlides(LatticeSlides, frozen=True, kw_only=True, omit_defaults=True):
    """How the parts of a lattice slide."""

    engine: SlideArrays
    reach: Reach


class WorkshopLattice(LatticeData, frozen=True, kw_only=True):
    """A lattice of which a page makes orientations and shapes. ``slides`` is None if parts do not slide in space.

    ``twins``: of the half-edges. For each node ``touching``: the cells that touch its cell at the origin; and its
    half-edges ``clockwise`` and ``as_read``, in the orders in which letters of tiles stand for them.
    """

    twins: list[int]
    touching: list[list[list[int]]]
    clockwise: list[list[int]]
    as_read: list[list[int]]
    group: LatticeGroup
    drawing: LatticeDrawing
    slides: WorkshopSlides | None


@lru_cache(maxsize=32)
def workshop_lattice(lattice: Lattice) -> WorkshopLattice:
    """A lattice as plain data."""
    return WorkshopLattice(
        **asdict(lattice_data(lattice)),
        twins=[edge.twin for edge in lattice.half_edges],
        touching=[[list(cell) for cell in around] for around in lattice.touching],
        clockwise=[list(own) for own in lattice.clockwise],
        as_read=[list(own) for own in lattice.as_read],
        group=_group(lattice),
        drawing=_drawing(lattice),
        slides=_slides(lattice),
    )


def _group(lattice: Lattice) -> LatticeGroup:
    number_of = lattice.number_of
    return LatticeGroup(
        motions=[
            GroupMotion(
                motion.nodes.tolist(),
                motion.matrix.tolist(),
                motion.shifts.tolist(),
                motion.proper,
                numbers(cartesian(lattice, motion)),
                list(motion.labels),
                keeps_corners(lattice, motion),
            )
            for motion in lattice.transformations
        ],
        rotations=[number_of[motion.labels] for motion in lattice.allowed("rotations")],
        generators={name: lattice.then(motion).tolist() for name, motion in lattice.generators.items()},
    )


def _drawing(lattice: Lattice) -> LatticeDrawing:
    nodes = [rings_of_node(lattice, node) for node in range(len(lattice.nodes))]
    return LatticeDrawing(
        dimension=flat_dimension(lattice),
        size=cell_size(lattice),
        basis=_rounded(in_picture(lattice, lattice.basis)),
        positions=_rounded(in_picture(lattice, lattice.positions)),
        nodes=[
            DrawnNode(node.drawing.radius, _rounded(corners), [list(ring) for ring in rings])
            for node, (corners, rings) in zip(lattice.nodes, nodes, strict=True)
        ],
        partly=meets_in_part(lattice),
        straight=list(lattice.straight_on.items()),
    )


def _slides(lattice: Lattice) -> WorkshopSlides | None:
    known = lattice_slides(lattice)
    if known is None:
        return None
    ways, arrays = directions(lattice), slide_arrays(lattice)
    origins = np.insert(np.zeros((len(lattice.nodes), lattice.dimension), np.int32), 0, range(len(lattice.nodes)), 1)
    low, high = reaches(lattice, ways, origins)
    engine = SlideArrays(
        arrays.slides.tolist(),
        rises(lattice, ways).tolist(),
        arrays.n_nodes,
        arrays.hit_starts.tolist(),
        arrays.hits.tolist(),
    )
    return WorkshopSlides(**asdict(known), engine=engine, reach=Reach(low.tolist(), high.tolist(), MOST_PIECES))


def _rounded(values: Any) -> Any:
    return (np.round(values, DIGITS) + 0.0).tolist()
