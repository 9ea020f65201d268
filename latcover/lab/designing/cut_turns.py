"""How cuts come apart by sliding and turning, for the native search for cuts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.turn_data import Turning
from latcover.lab.assembly.prisms import axes
from latcover.lab.assembly.sliding_sweeps import slide_arrays, sweeps
from latcover.lab.assembly.turning_apart import TurningSearch
from latcover.lab.designing.design_requests import WalkRequest

MOST_STATES = 1000  # positions of a cut
MOST_SHAPES = 20_000  # that are remembered, in all their orientations
UNMOVED = (0, 0, 0)
BROKEN_OFF = (-1, 0, 0)


class CutTurner:
    """Takes cuts of a region apart; several threads may ask.

    Attributes:
        stopped: Set where the search ends: what is asked is broken off.
    """

    def __init__(self, lattice: Lattice, cells: Cells, room: Turning, request: WalkRequest) -> None:
        self.lattice, self.cells, self.room, self.always = lattice, cells, room, request.turns == "always"
        self.stopped = False
        self._search = self._new()

    def _new(self) -> TurningSearch:
        lattice = self.lattice
        return TurningSearch(lattice, slide_arrays(lattice), sweeps(lattice).directions, axes(lattice), self.room)

    def __call__(self, parts: Sequence[Sequence[int]]) -> tuple[int, int, int]:
        """The moves to the first separation, those of all separations, and how many of them are turns."""
        search = self._search
        rows = [search.row(self.cells[list(part)], kind, 1) for kind, part in enumerate(parts)]
        if max(row[0] for row in rows) > MOST_SHAPES:
            self._search = self._new()
        (found,) = search.native.take_apart(
            np.array([0, len(rows)], np.int64),
            np.array(rows, np.int32).reshape(-1),
            n_kinds=len(rows),
            limits=np.zeros(0, np.int32),
            always=self.always,
            max_states=MOST_STATES,
            max_seconds=None,
            threads=1,
            on_progress=lambda *_: not self.stopped,
        )
        if self.stopped:
            return BROKEN_OFF
        if found.result != "apart" or not found.partings:
            return UNMOVED
        moves = [move for parting in found.partings for move in parting.moves]
        return len(found.partings[0].moves), len(moves), sum(move.axis >= 0 for move in moves)
