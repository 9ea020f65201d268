"""Finds the images of placements under any map of cells, by the rows of their cells, colours and sides."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from latcover.core.cover.problem import Ints, Longs
from latcover.core.encoding.placement import AlikePlacements, PlacementTable, places_in
from latcover.system.sorted_sets import distinct


class CellMap(Struct, frozen=True, eq=False):
    """Where cells go, and what becomes of all else.

    Attributes:
        cells: The image of each cell, shape (n_cells,), int32; any number for cells that no placement in question has.
        labels: The image of each half-edge.
        colours, values: What each colour, and each value of sides, becomes.
        parts: The part that each part becomes.
    """

    cells: Ints
    labels: Ints
    colours: Ints
    values: Ints
    parts: Ints


class PlacementRows:
    """All placements of a table, by their rows and parts."""

    def __init__(self, table: PlacementTable) -> None:
        self._part_of = table.part_of.astype(np.int64)
        self._groups = list(table.in_groups())
        self._rows = [distinct(group.rows()) for group in self._groups]
        self._keys: list[Longs] = []
        self._by_key: list[Longs] = []
        self._group_of = np.zeros(len(table), np.int64)
        self._place = np.zeros(len(table), np.int64)  # of each placement within its group
        for number, (group, rows) in enumerate(zip(self._groups, self._rows, strict=True)):
            keys = self._part_of[group.members] * len(rows) + places_in(rows, group.rows())
            order = np.argsort(keys)
            self._keys.append(keys[order])
            self._by_key.append(group.members[order])
            self._group_of[group.members] = number
            self._place[group.members] = np.arange(len(group.members))

    def images(self, placements: Longs, goes: CellMap) -> Ints:
        """The image of each of *placements*; -1 if it is no placement of the right part."""
        found = np.full(len(placements), -1, np.int32)
        for number in distinct(self._group_of[placements]).tolist():
            of_group = np.flatnonzero(self._group_of[placements] == number)
            members = placements[of_group]
            here, group, rows = self._place[members], self._groups[number], self._rows[number]
            sides = group.sides[here]
            sides = np.stack([sides[..., 0], goes.labels[sides[..., 1]], goes.values[sides[..., 2]]], axis=-1)
            moved = AlikePlacements(members, goes.cells[group.cells[here]], goes.colours[group.colours[here]], sides)
            row = places_in(rows, moved.rows())
            place = places_in(self._keys[number], goes.parts[self._part_of[members]].astype(np.int64) * len(rows) + row)
            known = (row >= 0) & (place >= 0)
            found[of_group[known]] = self._by_key[number][place[known]]
        return found
