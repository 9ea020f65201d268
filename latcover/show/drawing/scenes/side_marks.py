"""The marks on the sides of parts: a coloured area at each side with a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.colour_names import named
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Rules
from latcover.core.model.side_letters import side_letters
from latcover.core.model.solution import Cell
from latcover.show.drawing.palette import RGB, cell_colours, shaded
from latcover.show.drawing.shapes.cell_corners import Corners, flat_dimension, in_picture
from latcover.show.drawing.shapes.outlines import Points, Ring, carried, edges_of
from latcover.show.drawing.shapes.solids import normal

DEPTH = 0.32  # the share of the way to the middle of its cell that an area takes, unless all sides have values
SHARE = 0.62  # the size of an area in space, as a share of its face
HEIGHT = 0.04  # the thickness of an area in space, as a share of its radius
MATE = 0.62  # the brightness of a value, as a share of that of its only match
WEDGE = 0.5  # of the way to the middle of its cell: areas that reach further are wedges
NEAR_BORDER = 0.34  # of this way: the place of the letter in a wedge
SIGN = 1.25  # the size of a letter's font, as a multiple of its height
NO_SIGNS: Mapping[str, str] = MappingProxyType({})
Side = tuple[Cell, str, str]  # a cell, a half-edge, and the value there


class SideMark(Struct, frozen=True, eq=False):
    """The mark of a side that is not flat.

    Attributes:
        name, rgb: The name and colour of its value.
        letter: A letter for the value; empty if there are too many values.
        ring: Its area: shape (n, 2), or in space (n, 3), anticlockwise as seen from outside.
        middle: The middle of the cell, shape (2 or 3,).
    """

    name: str
    rgb: RGB
    ring: Points
    middle: Points
    letter: str = ""

    @property
    def sign(self) -> str:
        """Its letter; empty if its name is that of a colour."""
        return "" if named(self.name) is not None else self.letter

    def moved(self, by: Points, turn: Points | None = None) -> SideMark:
        """The same mark, turned and moved."""
        return replace(self, ring=carried(self.ring, by, turn), middle=carried(self.middle, by, turn))

    def sign_place(self, ring: Points | None = None) -> tuple[Points, float]:
        """In a flat picture: the middle and the size of the letter in the area *ring*, or its own.

        The letter is in the middle of a strip, and near the border of a wedge.
        """
        area = self.ring if ring is None else ring
        outer, inner = area[:2].mean(axis=0), area[2:].mean(axis=0)
        inwards = self.middle - outer
        reach = float(np.hypot(*(inner - outer)) / np.hypot(*inwards))
        place, height = (reach / 2, reach) if reach < WEDGE else (NEAR_BORDER, NEAR_BORDER)
        return outer + place * inwards, SIGN * height * float(np.hypot(*inwards))

    def plate(self) -> tuple[Points, tuple[Ring, ...]]:
        """In space: the corners, shape (2 n, 3), and the faces of the thin plate that shows it."""
        n = len(self.ring)
        reach = np.linalg.norm(self.ring - self.ring.mean(axis=0), axis=1).max()
        rise = HEIGHT * reach * normal(self.ring, tuple(range(n)))
        walls = [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
        return np.concatenate([self.ring, self.ring + rise]), (tuple(range(n))[::-1], tuple(range(n, 2 * n)), *walls)

    def at_height(self, height: float) -> SideMark | None:
        """The area that a horizontal cut shows of a mark in space; None if it is not cut."""
        before, above = np.roll(self.ring, 1, axis=0), self.ring[:, 2] > height
        crossing = np.roll(above, 1) != above
        if crossing.sum() != 2:
            return None
        a, b = before[crossing], self.ring[crossing]
        outer = (a + (b - a) * (height - a[:, 2:]) / (b[:, 2:] - a[:, 2:]))[:, :2]
        inner = outer + (self.middle[:2] - outer) * DEPTH
        return replace(self, ring=np.concatenate([outer, inner[::-1]]), middle=self.middle[:2])


def side_looks(rules: Rules) -> dict[str, RGB]:
    """A colour for each value of a side, by its name. If only one other value fits it, it is a darker shade of that."""
    names = list(rules.sides[1:])
    looks = dict(zip(names, cell_colours(["", *names])[1:], strict=True))
    for value, name in enumerate(names, 1):
        mates = [other for other in np.flatnonzero(rules.fits[value]).tolist() if other]
        if len(mates) == 1 and mates[0] < value and named(name) is None:
            looks[name] = shaded(looks[rules.sides[mates[0]]], MATE)
    return looks


def side_signs(rules: Rules) -> dict[str, str]:
    """A letter for each value of a side, by its name; none if there are too many values."""
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
            depth = 1.0 if shown[cell] == len(lattice.neighbours(cell)) else DEPTH
            areas = _strips_between(corners, rings[:n], rings[n:], middle, depth)
        found += [SideMark(name, looks[name], area, middle, signs.get(name, "")) for area in areas]
    return tuple(found)


def _strips_between(
    corners: Corners, own: Sequence[Ring], others: Sequence[Ring], middle: Points, depth: float
) -> list[Points]:
    """Strips along the sides that two flat cells share, with this *depth* towards the *middle*."""
    across = {(b, a) for ring in others for a, b in edges_of(ring)}
    found = []
    for a, b in [edge for ring in own for edge in edges_of(ring) if edge in across]:
        ends = corners.points[[a, b]]
        inner = ends + (middle - ends) * depth
        found.append(np.array([ends[0], ends[1], inner[1], inner[0]]))
    return found


def _faces_between(corners: Corners, own: Sequence[Ring], others: Sequence[Ring]) -> list[Points]:
    """Smaller copies of the faces that two solid cells share."""
    across = {frozenset(ring) for ring in others}
    faces = [corners.points[list(ring)] for ring in own if frozenset(ring) in across]
    return [face.mean(axis=0) + SHARE * (face - face.mean(axis=0)) for face in faces]
