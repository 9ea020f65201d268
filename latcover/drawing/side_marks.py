"""What the sides of flat parts bear: an area of its own colour at each side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from latcover.drawing.corners import Corners, flat_dimension
from latcover.drawing.outlines import Points, edges_of
from latcover.drawing.palette import RGB, cell_colours, shaded
from latcover.model.colour_names import named
from latcover.model.lattice import Lattice
from latcover.model.puzzle import Rules
from latcover.model.solution import Cell

DEPTH = 0.32  # how far an area reaches towards the middle of its cell; all the way if no side of the cell is flat
MATE = 0.62  # the brightness of a value beside that of the one which it matches
Side = tuple[Cell, str, str]  # a cell, a half-edge, and what is there


@dataclass(frozen=True, slots=True, eq=False)
class SideMark:
    """What stands at a side that is not flat: its name, its colour, and the area that shows it, shape (n, 2)."""

    name: str
    rgb: RGB
    ring: Points


def side_looks(rules: Rules) -> dict[str, RGB]:
    """A colour for each value of a side, by its name. One that another alone fits has a darker shade of its colour."""
    names = list(rules.sides[1:])
    looks = dict(zip(names, cell_colours(["", *names])[1:], strict=True))
    for value, name in enumerate(names, 1):
        mates = [other for other in np.flatnonzero(rules.fits[value]).tolist() if other]
        if len(mates) == 1 and mates[0] < value and named(name) is None:
            looks[name] = shaded(looks[rules.sides[mates[0]]], MATE)
    return looks


def side_marks(lattice: Lattice, sides: Sequence[Side], looks: dict[str, RGB]) -> tuple[SideMark, ...]:
    """The marks of a part's *sides*; none in three dimensions, and none at cells that are balls."""
    if flat_dimension(lattice) == 3:
        return ()
    edge_of = {(edge.node, edge.label): edge for edge in lattice.half_edges}
    shown = Counter(cell for cell, *_ in sides)
    found = []
    for cell, label, name in sides:
        other = edge_of[cell[0], label].across(cell)
        corners = Corners(lattice, sorted({cell, other}))
        whole = shown[cell] == len(lattice.neighbours(cell))
        rings, n = corners.joined([cell, other]), len(corners.rings(cell))
        across = {(b, a) for ring in rings[n:] for a, b in edges_of(ring)}
        middle = lattice.centres(np.array([cell], np.int32))[0][:2]
        for a, b in [edge for ring in rings[:n] for edge in edges_of(ring)]:
            if (a, b) in across:
                ends = corners.points[[a, b]]
                inner = ends + (middle - ends) * (1.0 if whole else DEPTH)
                ring = np.array([ends[0], ends[1], inner[1], inner[0]])
                found.append(SideMark(name, looks[name], ring))
    return tuple(found)
