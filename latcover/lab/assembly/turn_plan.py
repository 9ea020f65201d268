"""The turns of a plan that a search found, proved side by side, and with the least play that each needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import TypeVar

from msgspec.structs import replace

from latcover.backends import _native
from latcover.core.model.disassembly import Separation
from latcover.core.model.lattice import Lattice
from latcover.core.model.solution import Solution
from latcover.core.model.turn_data import Turn, Turning
from latcover.lab.assembly.giving import GivingTask, least_given_way
from latcover.lab.assembly.turning_search import AskedTurn, TurningSearch

LOOK = 0.05  # seconds between two looks whether to go on
Item = TypeVar("Item")
Found = TypeVar("Found")


class StoppedError(Exception):
    """Nobody waits for the answer any more."""


def in_threads(
    work: Callable[[Item, Event], Found], items: Iterable[Item], threads: int, goes_on: Callable[[], bool]
) -> list[Found]:
    """What *work* finds of each item, in their order. It takes an event that is set where it should end.

    Raises:
        StoppedError: *goes_on* said no before all was done.
    """
    stopped = Event()
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(work, item, stopped) for item in items]
        try:
            while wait(futures, LOOK).not_done:
                if not goes_on():
                    raise StoppedError
        except BaseException:  # Ctrl-C, too: the threads end soon
            stopped.set()
            pool.shutdown(cancel_futures=True)
            raise
        return [future.result() for future in futures]


class TurnPlan:
    """A plan of a search, and its turns.

    Attributes:
        asked: The turns that it wants to make.
        turns: Each as the search proves it, while all others stay.
        unproved: The first one that has no proof, if there is one; later ones are not looked at.
    """

    def __init__(self, search: TurningSearch, solution: Solution, taken: _native.TurnedApart) -> None:
        self.search, self._solution, self._taken = search, solution, taken
        self.asked: list[AskedTurn] = []
        self.turns: list[Turn] = []
        found = search.plan(solution, taken, self._noted)
        self.unproved = found if isinstance(found, AskedTurn) else None

    def _noted(self, asked: AskedTurn) -> Turn | None:
        turn = self.search.proved(asked)
        if turn is not None:
            self.asked.append(asked)
            self.turns.append(turn)
        return turn

    def told(self, turns: Sequence[Turn]) -> tuple[Separation, ...]:
        """The moves, with these turns."""
        left = iter(turns)
        found = self.search.plan(self._solution, self._taken, lambda _: next(left))
        assert not isinstance(found, AskedTurn)
        return found


def giving_task(asked: AskedTurn, lattice: Lattice, bevel: float, stopped: Event) -> GivingTask:
    """The question whether others give way so that a turn can be made."""
    return GivingTask(lattice, asked.axis, asked.cells, asked.moving, bevel, stopped=stopped)


def least_plays(
    plan: TurnPlan, turns: Sequence[Turn], room: Turning, threads: int, goes_on: Callable[[], bool]
) -> list[Turn]:
    """These turns of a plan, each with the least play at which it is proved, if the others may give way.

    Raises:
        StoppedError: see `in_threads`.
    """

    def measured(each: tuple[AskedTurn, Turn], stopped: Event) -> Turn:
        asked, turn = each
        task = giving_task(asked, plan.search.lattice, room.bevel, stopped)
        return replace(turn, least_play=least_given_way(task, turn, room.play))

    return in_threads(measured, zip(plan.asked, turns, strict=True), threads, goes_on)
