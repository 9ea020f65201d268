"""Takes the solutions of a puzzle apart while they are found."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from msgspec import Struct

from latcover.core.cover.backend import Backend
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import OnProgress, Progress
from latcover.core.encoding.prepared import Prepared
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.model.request_values import Bevel, Natural, Play, Positive, When
from latcover.core.model.solution import Solution
from latcover.core.model.turn_data import Turning
from latcover.core.solving.forestall import forestalled
from latcover.core.solving.run import run
from latcover.core.solving.search_request import Subject
from latcover.core.solving.solve import SolveRequest
from latcover.errors import UnsupportedError
from latcover.files.formats.library import subject_called
from latcover.lab.assembly.survey import Survey, Tally
from latcover.lab.assembly.taking_apart import MOST_STATES, ApartLimits, Assembler
from latcover.system.machine import threads_to_start


class AssembleRequest(SolveRequest, frozen=True, kw_only=True):
    """A search whose solutions are taken apart. The time limit holds for both together.

    Attributes:
        states: The most positions of pieces to examine for a solution.
        in_plane: Whether pieces that lie in a plane must stay in it.
        turns: When turns are tried beside slides: "needed" is where slides alone do not take a solution apart. None is
            "needed" if the request or the puzzle's file says how much room parts have to turn, and "never" otherwise.
        play, bevel: The room that parts have to turn; None takes what the puzzle says.
        number: Take only this solution apart; None takes all.
        threads: How many threads take solutions apart; None is the number of available processors.
    """

    BESIDE_THE_QUESTION = SolveRequest.BESIDE_THE_QUESTION | {"states", "number", "threads"}

    states: Natural = MOST_STATES
    in_plane: bool = False
    turns: When | None = None
    play: Play | None = None
    bevel: Bevel | None = None
    number: Positive | None = None
    threads: Positive | None = None

    def assembler(self, subject: Subject) -> Assembler:
        """The assembler of a puzzle.

        Raises:
            UnsupportedError: its parts cannot slide, or it is a bare problem.
        """
        puzzle = subject.puzzle if isinstance(subject, Prepared) else subject_called(subject)
        if not isinstance(puzzle, Puzzle):
            raise UnsupportedError("this is a cover problem without a puzzle: nothing in it can come apart")
        turns = self.turns or ("needed" if self.may_turn(puzzle) else "never")
        return Assembler(puzzle, self.in_plane, turns, self.room(puzzle))

    def may_turn(self, puzzle: Puzzle) -> bool:
        """Whether turns of the parts of a puzzle are tried."""
        has_room = puzzle.turning is not None or self.play is not None or self.bevel is not None
        return has_room if self.turns is None else self.turns != "never"

    def room(self, puzzle: Puzzle) -> Turning:
        """The room that parts of a puzzle have to turn."""
        return (puzzle.turning or Turning()).with_room(self.play, self.bevel)

    def survey(self, assembler: Assembler, events: Events) -> Survey:
        """A survey that gives each solution with its disassembly to ``events.on_solution``."""
        return Survey(
            assembler,
            events.on_solution,
            ApartLimits(self.states, self.seconds),
            threads=threads_to_start(self.threads)[0],
            may_go_on=partial(events.on_progress, Progress(None, None, 0, 0.0)),
        )


class AssemblyResult(Struct, frozen=True):
    """The result of a search whose solutions were taken apart.

    Attributes:
        search: The result of the search.
        tally: How many solutions come apart.
        lifted: Whether the pieces lie in one layer, and are lifted off.
        only_slides: Why only slides were examined although turns were asked for; "" if turns were, too.
        only_one: Whether only one solution was to be taken apart.
    """

    search: SearchResult
    tally: Tally
    lifted: bool
    only_one: bool = False
    only_slides: str = ""

    def __repr__(self) -> str:
        results = ", ".join(f"{number:,} {result}" for result, number in self.tally.results.items())
        return f"<AssemblyResult: {results or 'none taken apart'}; {self.search.headline()}>"

    @property
    def complete(self) -> bool:
        """Whether every requested solution was found, and its result is known."""
        return self.tally.is_known and (self.search.complete or self.only_one)

    @property
    def stop(self) -> str:
        """Why it stopped."""
        if self.complete:
            return Stop.EXHAUSTED
        return ", ".join(sorted(self.tally.stops)) if self.search.complete or self.only_one else self.search.stop


def assemble(
    subject: Subject,
    request: AssembleRequest = AssembleRequest(),
    events: Events = SILENT,
    *,
    solver: Backend | None = None,
    bounds: Bounds | None = None,
) -> AssemblyResult:
    """Take each solution of *subject* apart; ``events.on_solution`` receives each as `Examined`.

    Raises:
        UnsupportedError: its parts cannot slide, or it is a bare problem.
        As `latcover.core.solving.solve.solve`, which has the same arguments.
    """
    subject = subject_called(subject, bounds) if isinstance(subject, str | Path) else subject
    solver, assembler = solver or request.solver(), request.assembler(subject)
    ready = request.ready(subject, events, bounds)
    survey = request.survey(assembler, events)

    def on_solution(solution: Solution) -> None:
        if request.number in (None, solution.number):
            survey.take(solution)

    def search(on_progress: OnProgress) -> SearchResult:
        return run(ready, solver, request.limits, on_solution, images=request.images, on_progress=on_progress)

    result = forestalled(ready, search, events.on_progress, anyway=request.anyway)
    survey.finish()
    return AssemblyResult(result, survey.tally, assembler.lifted, request.number is not None, assembler.only_slides)


apart = assemble  # as the command is called
