"""Ways apart in which other parts give way while some turn.

The search for ways with all others fixed is quick. At a greater play it finds nearly all turns that may be possible
once the others give way. So a plan is looked for at a greater play, and its turns are proved at the play that the parts
have. A turn that cannot be proved is struck out, and another plan is looked for; then at a still greater play.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from latcover.backends import _native
from latcover.core.model.disassembly import Separation
from latcover.core.model.lattice import Lattice
from latcover.core.model.request_values import MOST_PLAY
from latcover.core.model.turn_data import Turn, Turning
from latcover.lab.assembly.giving import HOPELESS, TILTABLE, Given, GivingTask, given_way, least_given_way
from latcover.lab.assembly.turning_search import AskedTurn, TurningSearch, TurningTask

LOOSER = (0.01, 0.02, 0.03, 0.04, 0.055)  # by how much the play of a first plan is greater
GRID = 1000  # plays are told in thousandths
MOST_REFUSED = 60  # turns of a solution that are struck out
MOST_TILTED = 6  # turns of a solution that are refused with tilts; later ones keep to the plane
CLOSE = 1e-6
HARDLY_ANY = 0.003  # with less play, others are also tried where they stay


class GivenApart(Struct, frozen=True, eq=False):
    """What was found of a solution.

    Attributes:
        separations: The moves to take it apart, if some were found.
        states: How many positions were examined.
        likely: The least play to which all turns of one plan were followed, if it is not the play of the parts.
        loose: The least play of those tried at which turns take it apart while all others stay.
        ended: Whether it was broken off.
    """

    separations: tuple[Separation, ...] | None
    states: int
    likely: float | None = None
    loose: float | None = None
    ended: bool = False


class GivingApart:
    """Takes solutions of one puzzle apart, and remembers which turns it has proved.

    Args:
        lattice: The lattice.
        turning: The room that parts have.
        search_at: Makes the search for ways with all others fixed, at a play.
    """

    def __init__(self, lattice: Lattice, turning: Turning, search_at: Callable[[Turning], TurningSearch]) -> None:
        self.lattice, self.turning, self._search_at = lattice, turning, search_at
        self._searches: dict[float, TurningSearch] = {}
        self._known: dict[Hashable, Given] = {}

    def take_apart(self, task: TurningTask, goes_on: Callable[[], bool]) -> GivenApart:
        """Take the one solution of a task apart.

        Args:
            task: The solution.
            goes_on: Whether to go on; it is asked often.
        """
        states, refused, tilted = 0, 0, 0
        likely, loose = MOST_PLAY, None
        for more in LOOSER:
            search = self._search(min(MOST_PLAY, ceil(GRID * (self.turning.play + more) - CLOSE) / GRID))
            while goes_on() and refused < MOST_REFUSED:
                (taken,) = search.take_apart(task)
                states += taken.states
                if taken.result != "apart":
                    break
                plan = _Plan(self, search, task)
                if plan.follow(taken):
                    loose = loose or search.turning.play
                if (found := plan.proved(taken, tilts=tilted < MOST_TILTED)) is not None:
                    search.native.restore()
                    return GivenApart(found, states)
                likely = min(likely, plan.reached)
                for asked in plan.refused:
                    search.strike(asked)
                refused += len(plan.refused)
                tilted += sum(self._known[asked.key].reached <= self.turning.play + TILTABLE for asked in plan.tried)
            search.native.restore()
        return GivenApart(None, states, None if loose is None else min(likely, loose), loose, not goes_on())

    def _search(self, play: float) -> TurningSearch:
        if play not in self._searches:
            self._searches[play] = self._search_at(Turning(play, self.turning.bevel))
        return self._searches[play]

    def proved(self, asked: AskedTurn, guide: Turn, search: TurningSearch, *, tilts: bool) -> Given:
        """The turn at the play of the parts, if it is proved; *guide* is proved at that of a search."""
        known, play = self._known.get(asked.key), self.turning.play
        if known is None or (known.turn is None and known.reached <= play + HOPELESS):
            known = self._known[asked.key] = self._pushed(asked, guide, search, tilts)
        return known

    def _pushed(self, asked: AskedTurn, guide: Turn, search: TurningSearch, tilts: bool) -> Given:
        play, at = self.turning.play, search.turning.play
        if play > 0 and (turn := search.soon_proved(asked, self.turning)) is not None:
            return Given(turn, play)
        task = GivingTask(self.lattice, asked.axis, asked.cells, asked.moving, self.turning.bevel)
        given = given_way(task, guide, at, play, tilts=tilts) if play > 0 else Given(None, at)
        if given.turn is None and play < HARDLY_ANY:
            given = given_way(replace(task, held=True), guide, at, play, tilts=False)
        return given


class _Plan:
    """The turns of a plan that a search found at a greater play.

    Attributes:
        refused: Those that have no proof.
        tried: Those of them for which one was looked for at the play of the parts.
        reached: The least play to which all were followed.
    """

    def __init__(self, giving: GivingApart, search: TurningSearch, task: TurningTask) -> None:
        self._giving, self._search, self._task = giving, search, task
        self._turns: list[tuple[AskedTurn, Turn]] = []
        self.refused: list[AskedTurn] = []
        self.tried: list[AskedTurn] = []
        self.reached = search.turning.play

    def follow(self, taken: _native.TurnedApart) -> bool:
        """Collect its turns, each as it is proved at the greater play; False if one is not."""
        found = self._search.plan(self._task.solutions[0], taken, self._noted)
        if isinstance(found, AskedTurn):
            self.refused.append(found)
        return not self.refused

    def _noted(self, asked: AskedTurn) -> Turn | None:
        turn = self._search.proved(asked)
        if turn is not None:
            self._turns.append((asked, turn))
        return turn

    def proved(self, taken: _native.TurnedApart, *, tilts: bool) -> tuple[Separation, ...] | None:
        """The moves at the play of the parts, each turn with the least play that it needs; None if one is refused."""
        with ThreadPoolExecutor(self._task.threads) as pool:
            found = [
                *pool.map(lambda each: self._giving.proved(each[0], each[1], self._search, tilts=tilts), self._turns)
            ]
        self.tried = [asked for (asked, _), given in zip(self._turns, found, strict=True) if given.turn is None]
        self.refused += self.tried
        self.reached = max([given.reached for given in found], default=self.reached)
        if self.refused:
            return None
        turns = (given.turn for given in found)
        lattice, turning = self._giving.lattice, self._giving.turning

        def told(asked: AskedTurn) -> Turn | None:
            turn = next(turns)
            return turn and with_least_play(asked, lattice, turn, turning)

        plan = self._search.plan(self._task.solutions[0], taken, told)
        assert not isinstance(plan, AskedTurn)
        return plan


def with_least_play(asked: AskedTurn, lattice: Lattice, turn: Turn, turning: Turning) -> Turn:
    """The turn with the least play at which it is proved, if the others may give way."""
    task = GivingTask(lattice, asked.axis, asked.cells, asked.moving, turning.bevel)
    return replace(turn, least_play=least_given_way(task, turn, turning.play))
