"""Ways apart in which other parts give way while some turn.

The search for ways with all others fixed is quick. At a greater play it finds nearly all turns that may be possible
once the others give way. So a plan is looked for at a greater play, and its turns are proved at the play that the parts
have. A turn that cannot be proved is struck out, and another plan is looked for; then at a still greater play.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Event

from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.disassembly import Separation
from latcover.core.model.lattice import Lattice
from latcover.core.model.request_values import MOST_PLAY
from latcover.core.model.turn_data import Turn, Turning, play_as_told
from latcover.lab.assembly.giving import HOPELESS, TILTABLE, Given, given_way
from latcover.lab.assembly.turn_plan import StoppedError, TurnPlan, giving_task, in_threads, least_plays
from latcover.lab.assembly.turning_search import AskedTurn, TurningSearch, TurningTask

LOOSER = (0.01, 0.02, 0.03, 0.04, 0.055)  # by how much the play of a first plan is greater
MOST_REFUSED = 60  # turns of a solution that are struck out
MOST_TILTED = 6  # turns of a solution that are refused with tilts; later ones keep to the plane
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

    def take_apart(self, task: TurningTask, goes_on: Callable[[], bool], *, measures: bool = True) -> GivenApart:
        """Take the one solution of a task apart.

        Args:
            task: The solution.
            goes_on: Whether to go on; it is asked often.
            measures: Whether each turn says the least play that it needs.
        """
        states, refused, tilted = 0, 0, 0
        likely, loose = MOST_PLAY, None
        (solution,) = task.solutions
        for more in LOOSER:
            search = self._search(min(MOST_PLAY, play_as_told(self.turning.play + more)))
            try:
                while goes_on() and refused < MOST_REFUSED:
                    (taken,) = search.take_apart(task)
                    states += taken.states
                    if taken.result != "apart":
                        break
                    plan = TurnPlan(search, solution, taken)
                    given = self._all_given(plan, task.threads, goes_on, tilts=tilted < MOST_TILTED)
                    turns = [one.turn for one in given if one.turn is not None]
                    if plan.unproved is None:
                        loose = loose or search.turning.play
                        likely = min(likely, max([one.reached for one in given], default=likely))
                        if len(turns) == len(given):
                            if measures:
                                turns = least_plays(plan, turns, self.turning, task.threads, goes_on)
                            return GivenApart(plan.told(turns), states)
                    for asked, one in zip(plan.asked, given, strict=True):
                        if one.turn is None:
                            search.strike(asked)
                            tilted += one.reached <= self.turning.play + TILTABLE
                    if plan.unproved is not None:
                        search.strike(plan.unproved)
                    refused += len(given) - len(turns) + (plan.unproved is not None)
            except StoppedError:
                return GivenApart(None, states, ended=True)
            finally:
                search.native.restore()
        return GivenApart(None, states, None if loose is None else min(likely, loose), loose, not goes_on())

    def _search(self, play: float) -> TurningSearch:
        if play not in self._searches:
            self._searches[play] = self._search_at(Turning(play, self.turning.bevel))
        return self._searches[play]

    def _all_given(self, plan: TurnPlan, threads: int, goes_on: Callable[[], bool], *, tilts: bool) -> list[Given]:
        """Each turn of a plan at the play of the parts. What is known is asked again only if it was nearly proved."""
        play = self.turning.play

        def is_open(asked: AskedTurn) -> bool:
            known = self._known.get(asked.key)
            return known is None or (known.turn is None and known.reached <= play + HOPELESS)

        left = [(asked, guide) for asked, guide in zip(plan.asked, plan.turns, strict=True) if is_open(asked)]

        def given(each: tuple[AskedTurn, Turn], stopped: Event) -> Given:
            return self._given(*each, plan.search, stopped, tilts=tilts)

        found = in_threads(given, left, threads, goes_on)
        self._known.update((asked.key, one) for (asked, _), one in zip(left, found, strict=True))
        return [self._known[asked.key] for asked in plan.asked]

    def _given(self, asked: AskedTurn, guide: Turn, search: TurningSearch, stopped: Event, *, tilts: bool) -> Given:
        play, at = self.turning.play, search.turning.play
        if play > 0 and (turn := search.soon_proved(asked, self.turning)) is not None:
            return Given(turn, play)
        task = giving_task(asked, self.lattice, self.turning.bevel, stopped)
        given = given_way(task, guide, at, play, tilts=tilts) if play > 0 else Given(None, at)
        if given.turn is None and play < HARDLY_ANY:
            given = given_way(replace(task, held=True), guide, at, play, tilts=False)
        return given
