"""What the sides of parts bear: an area of its own colour at each side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from latcover.drawing.corners import Corners, flat_dimension, in_picture
from latcover.drawing.outlines import Points, Ring, edges_of
from latcover.drawing.palette import RGB, cell_colours, shaded
from latcover.drawing.solids import normal
from latcover.model.colour_names import named
from latcover.model.lattice import Lattice
from latcover.model.puzzle import Rules
from latcover.model.side_letters import side_letters
from latcover.model.solution import Cell

DEPTH = 0.32  # how far an area reaches towards the middle of its cell; all the way if no side of the cell is flat
SHARE = 0.62  # of a face in space: the lengths of its area
HEIGHT = 0.04  # by which an area in space stands out, as a share of its own reach
MATE = 0.62  # the brightness of a value beside that of the one which it matches
WEDGE = 0.5  # of the way to the middle of its cell: an area that reaches further gets ever narrower
NEAR_BORDER = 0.34  # of this way: where the letter stands in such an area
SIGN = 1.25  # of the height that a letter at a side has: its font
NO_SIGNS: Mapping[str, str] = MappingProxyType({})
Side = tuple[Cell, str, str]  # a cell, a half-edge, and what is there


@dataclass(frozen=True, slots=True, eq=False)
class SideMark:
    """What stands at a side that is not flat.

    Attributes:
        name, rgb: Its name and its colour.
        letter: A letter for it; empty if there are too many values.
        ring: The area that shows it: shape (n, 2), or in space (n, 3), anticlockwise as seen from outside.
        middle: The middle of the cell, shape (2 or 3,).
    """

    name: str
    rgb: RGB
    ring: Points
    middle: Points
    letter: str = ""

    @property
    def sign(self) -> str:
        """Its letter where its name is not that of a colour; else empty."""
        return "" if named(self.name) is not None else self.letter

    def moved(self, by: Points) -> SideMark:
        """The same elsewhere."""
        return replace(self, ring=self.ring + by, middle=self.middle + by)

    def sign_place(self, ring: Points | None = None) -> tuple[Points, float]:
        """In a flat picture: the middle of the letter in an area, its own if none is given, and the size of its font.

        It stands between the ends of a strip, and near the border where the area is a wedge.
        """
        area = self.ring if ring is None else ring
        outer, inner = area[:2].mean(axis=0), area[2:].mean(axis=0)
        inwards = self.middle - outer
        reach = float(np.hypot(*(inner - outer)) / np.hypot(*inwards))
        place, height = (reach / 2, reach) if reach < WEDGE else (NEAR_BORDER, NEAR_BORDER)
        return outer + place * inwards, SIGN * height * float(np.hypot(*inwards))

    def plate(self) -> tuple[Points, tuple[Ring, ...]]:
        """In space: the thin plate that shows it, as its corners, shape (2 n, 3), and its faces."""
        n = len(self.ring)
        reach = np.linalg.norm(self.ring - self.ring.mean(axis=0), axis=1).max()
        rise = HEIGHT * reach * normal(self.ring, tuple(range(n)))
        walls = [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
        return np.concatenate([self.ring, self.ring + rise]), (tuple(range(n))[::-1], tuple(range(n, 2 * n)), *walls)

    def at_height(self, height: float) -> SideMark | None:
        """What a horizontal cut shows of a mark in space: an area at the edge of the cell; None if it is not cut."""
        above = self.ring[:, 2] > height
        ends = []
        for k in range(len(self.ring)):
            a, b = self.ring[k - 1], self.ring[k]
            if above[k - 1] != above[k]:
                ends.append(a + (b - a) * (height - a[2]) / (b[2] - a[2]))
        if len(ends) != 2:
            return None
        outer = np.array(ends)[:, :2]
        inner = outer + (self.middle[:2] - outer) * DEPTH
        return SideMark(
            self.name, self.rgb, np.array([outer[0], outer[1], inner[1], inner[0]]), self.middle[:2], self.letter
        )


def side_looks(rules: Rules) -> dict[str, RGB]:
    """A colour for each value of a side, by its name. One that another alone fits has a darker shade of its colour."""
    names = list(rules.sides[1:])
    looks = dict(zip(names, cell_colours(["", *names])[1:], strict=True))
    for value, name in enumerate(names, 1):
        mates = [other for other in np.flatnonzero(rules.fits[value]).tolist() if other]
        if len(mates) == 1 and mates[0] < value and named(name) is None:
            looks[name] = shaded(looks[rules.sides[mates[0]]], MATE)
    return looks


def side_signs(rules: Rules) -> dict[str, str]:
    """A letter for each value of a side; none if there are too many values."""
    names = rules.sides[1:]
    return dict(zip(names, side_letters(names), strict=False))


def side_marks(
    lattice: Lattice, sides: Sequence[Side], looks: Mapping[str, RGB], signs: Mapping[str, str] = NO_SIGNS
) -> tuple[SideMark, ...]:
    """The marks of a part's *sides*; none at cells that are balls."""
    edge_of = {(edge.node, edge.label): edge for edge in lattice.half_edges}
    shown = Counter(cell for cell, *_ in sides)
    found = []
    for cell, label, name in sides:
        other = edge_of[cell[0], label].across(cell)
        corners = Corners(lattice, sorted({cell, other}))
        rings, n = corners.joined([cell, other]), len(corners.rings(cell))
        middle = in_picture(lattice, lattice.centres(np.array([cell], np.int32)))[0]
        if flat_dimension(lattice) == 3:
            areas = _faces_between(corners, rings[:n], rings[n:])
        else:
            whole = shown[cell] == len(lattice.neighbours(cell))
            areas = _strips_between(corners, rings[:n], rings[n:], (middle, 1.0 if whole else DEPTH))
        found += [SideMark(name, looks[name], area, middle, signs.get(name, "")) for area in areas]
    return tuple(found)


def _strips_between(
    corners: Corners, own: Sequence[Ring], others: Sequence[Ring], inwards: tuple[Points, float]
) -> list[Points]:
    """Strips along the sides that two flat cells share; *inwards* is where to and how far they reach."""
    middle, depth = inwards
    across = {(b, a) for ring in others for a, b in edges_of(ring)}
    found = []
    for a, b in [edge for ring in own for edge in edges_of(ring) if edge in across]:
        ends = corners.points[[a, b]]
        inner = ends + (middle - ends) * depth
        found.append(np.array([ends[0], ends[1], inner[1], inner[0]]))
    return found


def _faces_between(corners: Corners, own: Sequence[Ring], others: Sequence[Ring]) -> list[Points]:
    """The middles of the faces that two solid cells share."""
    across = {frozenset(ring) for ring in others}
    faces = [corners.points[list(ring)] for ring in own if frozenset(ring) in across]
    return [face.mean(axis=0) + SHARE * (face - face.mean(axis=0)) for face in faces]
