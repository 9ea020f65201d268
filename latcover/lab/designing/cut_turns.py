"""How cuts come apart by sliding and turning: for the native search for cuts, and for the designs that leave it.

The native search asks thousands of times, so it asks only for turns while all other parts stay. If the play that a plan
may need is bounded, it asks at a little more than the bound, since a longer look makes do with less. A design is judged
by all that latcover knows of taking apart, at the play that its parts have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec.structs import replace

from latcover.core.model.disassembly import Disassembly
from latcover.core.model.lattice import Cells, Lattice
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.request_values import MOST_PLAY
from latcover.core.model.solution import Solution
from latcover.core.model.turn_data import PLAYS, Turning
from latcover.lab.assembly.prisms import axes
from latcover.lab.assembly.sliding_sweeps import slide_arrays, sweeps
from latcover.lab.assembly.taking_apart import ApartLimits, Assembler
from latcover.lab.assembly.turning_search import TurningSearch
from latcover.lab.designing.design_requests import WalkRequest
from latcover.lab.designing.play_range import PlayRange

MOST_STATES = 1000  # positions of a cut
MOST_STATES_OF_DESIGN = 10_000_000
GIVEN = 0.01  # so much less play does for many turns, once others give way or turns shift farther
MOST_SHAPES = 20_000  # that are remembered, in all their orientations
UNMOVED = (0, 0, 0)
BROKEN_OFF = (-1, 0, 0)


def walked_play(play: float, needed: PlayRange) -> float:
    """The play at which walks ask for turns while all other parts stay.

    Args:
        play: That of the parts.
        needed: Which play the plan of a design may need.
    """
    return play if needed.high is None else min(MOST_PLAY, needed.high + GIVEN)


def play_below(needed: PlayRange) -> float | None:
    """The greatest play at which no way apart may be found; None if there is none."""
    return None if not needed.low else max(0.0, needed.low - 1 / PLAYS)


class _RenewedSearch:
    """A search that forgets its shapes when there are too many of them."""

    def __init__(self, lattice: Lattice, room: Turning) -> None:
        self._lattice, self._room = lattice, room
        self.renew()

    def renew(self) -> None:
        """Begin a new one."""
        lattice = self._lattice
        ways = sweeps(lattice).directions
        self.search = TurningSearch(lattice, slide_arrays(lattice), ways, axes(lattice), self._room)


class CutTurner:
    """Takes cuts of a region apart; several threads may ask.

    Attributes:
        stopped: Set where the search ends: what is asked is broken off.
    """

    def __init__(self, lattice: Lattice, cells: Cells, room: Turning, needed: PlayRange, request: WalkRequest) -> None:
        self.cells, self.always, self.stopped = cells, request.turns == "always", False
        self._search = _RenewedSearch(lattice, replace(room, play=walked_play(room.play, needed)))
        less = play_below(needed)
        self._tighter = None if less is None else _RenewedSearch(lattice, replace(room, play=less))

    def __call__(self, parts: Sequence[Sequence[int]]) -> tuple[int, int, int]:
        """The moves to the first separation, those of all separations, and how many of them are turns.

        What comes apart with less play than a design may need is taken for stuck.
        """
        found = self._taken(self._search, parts)
        if self._tighter is None or found in (UNMOVED, BROKEN_OFF):
            return found
        less = self._taken(self._tighter, parts)
        return found if less == UNMOVED else BROKEN_OFF if less == BROKEN_OFF else UNMOVED

    def _taken(self, renewed: _RenewedSearch, parts: Sequence[Sequence[int]]) -> tuple[int, int, int]:
        search = renewed.search
        rows = [search.row(self.cells[list(part)], kind, 1) for kind, part in enumerate(parts)]
        if max(row[0] for row in rows) > MOST_SHAPES:
            renewed.renew()
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


class PlanJudge:
    """Takes designs apart by sliding and turning, and says which of them are wanted.

    Args:
        request: Says when turns are tried.
        room: The room that parts have.
        needed: Which play a plan may need.
    """

    def __init__(self, request: WalkRequest, room: Turning | None, needed: PlayRange) -> None:
        self._turns, self._room, self._needed = request.turns, room, needed

    def plan(self, puzzle: Puzzle, solution: Solution, goes_on: Callable[[], bool]) -> Disassembly | None:
        """How a solution comes apart; None if no way was found, or it needs another play than is wanted.

        Args:
            puzzle, solution: What is taken apart.
            goes_on: Whether to go on; it is asked now and then.
        """
        found = self._taken(puzzle, solution, self._room, goes_on)
        if found.result != "apart" or not self._needed.holds(found.needed_play):
            return None
        less = play_below(self._needed)
        if less is None or self._room is None:
            return found
        tighter = self._taken(puzzle, solution, replace(self._room, play=less), goes_on)
        return found if tighter.result == "unproved" else None

    def _taken(
        self, puzzle: Puzzle, solution: Solution, room: Turning | None, goes_on: Callable[[], bool]
    ) -> Disassembly:
        assembler = Assembler(puzzle, turns=self._turns, turning=room, advises=False)
        limits = ApartLimits(MOST_STATES_OF_DESIGN)
        (found,) = assembler.take_apart([solution], limits, on_progress=lambda _: goes_on())
        return found
