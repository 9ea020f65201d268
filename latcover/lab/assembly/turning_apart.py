"""Taking solutions apart by sliding and turning, first while all others stay, then while they give way."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from latcover.backends import _native
from latcover.core.cover.result import Stop
from latcover.core.model.disassembly import Disassembly
from latcover.core.model.lattice import Lattice
from latcover.core.model.solution import Solution
from latcover.core.model.turn_bounds import MOST_TURNING, Bound
from latcover.core.model.turn_data import PLAYS, Turning, play_as_told
from latcover.errors import InternalError
from latcover.lab.assembly.giving import MARGIN
from latcover.lab.assembly.giving_apart import GivenApart, GivingApart
from latcover.lab.assembly.prisms import Axis
from latcover.lab.assembly.turn_plan import StoppedError, TurnPlan, least_plays
from latcover.lab.assembly.turning import REACH
from latcover.lab.assembly.turning_search import TurningSearch, TurningTask

Ints = npt.NDArray[np.int32]
FAR = 0.6  # of the length of the longest part: how far what turns may shift while others give way


class TurningApart:
    """Takes solutions of one puzzle apart, and remembers which turns are possible.

    Args:
        lattice: The lattice.
        slides: What `slide_arrays` gives of the directions.
        directions: These directions, shape (n, dimension).
        axes: About which parts may turn.
        turning: The room that they have.
        longest: The length of the longest part along an axis of the lattice, in lattice steps.
        advises: Whether it says at which play it would take apart what it does not.
        measures: Whether turns say the least play that they need.
    """

    def __init__(
        self,
        lattice: Lattice,
        slides: tuple[Ints, int, npt.NDArray[np.int64], Ints],
        directions: Ints,
        axes: Sequence[Axis],
        turning: Turning,
        longest: int,
        *,
        advises: bool = True,
        measures: bool = True,
    ) -> None:
        self.lattice, self.turning, self._advises, self._measures = lattice, turning, advises, measures
        self._made_with = lattice, slides, directions, axes
        self._longest = longest
        self.search = TurningSearch(*self._made_with, turning)
        reach = max(REACH, FAR * longest)
        self._giving = GivingApart(lattice, turning, lambda room: TurningSearch(*self._made_with, room, reach))

    def take_apart(self, task: TurningTask) -> list[Disassembly]:
        """Take each of the solutions apart."""
        begun, states = time.perf_counter(), 0
        found: list[Disassembly] = []

        def goes_on() -> bool:
            told = task.on_progress is None or task.on_progress(len(found), states, time.perf_counter() - begun)
            return told and task.seconds != 0.0

        for number, taken in enumerate(self.search.take_apart(task)):
            solution = task.solutions[number]
            if taken.result == "apart" or taken.stop or len(solution.placements) > MOST_TURNING:
                found.append(self._told(solution, taken, task.threads, goes_on))
            else:
                alone = task.only(number)
                given = self._giving.take_apart(alone, goes_on, measures=self._measures)
                advice = self._certain_at(given, alone) if self._advises and goes_on() else None
                stop = "" if not given.ended else Stop.TIME_LIMIT if task.seconds == 0.0 else Stop.CANCELLED
                found.append(self._given(solution, taken, given, advice, stop))
            states += found[-1].states
        return found

    def _told(
        self, solution: Solution, taken: _native.TurnedApart, threads: int, goes_on: Callable[[], bool]
    ) -> Disassembly:
        """What the search found while all others stay. It counts as found although nobody waits for its plays."""
        apart = taken.result == "apart"
        unproved = not apart and not taken.stop
        plan = TurnPlan(self.search, solution, taken)
        if plan.unproved is not None:
            raise InternalError(f"a turn on the lattice {self.lattice.name!r} has no proof")
        turns = [replace(turn, least_play=self.turning.play) for turn in plan.turns]
        if self._measures:
            with suppress(StoppedError):
                turns = least_plays(plan, turns, self.turning, threads, goes_on)
        separations = plan.told(turns)
        return Disassembly(
            "apart" if apart else "unproved" if unproved else "unknown",
            len(solution.placements),
            separations if apart else (),
            least=taken.least,
            states=taken.states,
            reached=taken.reached,
            stop="" if apart else taken.stop,
            turning=self.turning,
            bounds=self._bounds(len(solution.placements), taken) if unproved else (),
            tight=taken.tight,
        )

    def _given(
        self, solution: Solution, taken: _native.TurnedApart, given: GivenApart, advice: float | None, stop: str
    ) -> Disassembly:
        """What was found while others give way."""
        n, states = len(solution.placements), taken.states + given.states
        if given.separations is not None:
            return Disassembly(
                "apart", n, given.separations, least=False, states=states, reached=taken.reached, turning=self.turning
            )
        return Disassembly(
            "unknown" if given.ended else "unproved",
            n,
            least=taken.least,
            states=states,
            reached=taken.reached,
            stop=str(stop),
            turning=self.turning,
            bounds=() if given.ended else self._bounds(n, taken),
            tight=taken.tight,
            certain_at=advice,
        )

    def _bounds(self, n_pieces: int, taken: _native.TurnedApart) -> tuple[Bound, ...]:
        """By which bounds of the search a way may have been missed, where it found none."""
        if n_pieces > MOST_TURNING:
            return ("no turns",)
        may_miss: dict[Bound, bool] = {
            "others are pushed": True,
            "lattice places": True,
            "few steps": True,
            "no tilting": self.lattice.dimension > 2,
            "single parts": taken.many,
            "too tight": taken.tight > 0,
        }
        return tuple(bound for bound, may in may_miss.items() if may)

    def _certain_at(self, given: GivenApart, task: TurningTask) -> float | None:
        """A greater play at which the same search takes the solution apart: it is tried before it is said."""
        if given.separations is not None or given.loose is None or given.likely is None:
            return None
        likely = play_as_told(max(given.likely + MARGIN, self.turning.play + 1 / PLAYS))
        tried = [play for play in (likely, play_as_told(likely + 1 / PLAYS)) if play < given.loose]
        for play in [*tried, given.loose]:
            room = Turning(play, self.turning.bevel)
            apart = TurningApart(*self._made_with, room, self._longest, advises=False, measures=False)
            (found,) = apart.take_apart(task)
            if found.result == "apart":
                return play
        return None
