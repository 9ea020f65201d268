"""Count the solutions of one candidate, as `latcover count` counts those of its puzzle file."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct, field
from msgspec.structs import replace

from latcover.backends import create
from latcover.core.cover.backend import Backend
from latcover.core.cover.events import Events
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Progress
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.solving.count import CountRequest, count
from latcover.errors import InternalError
from latcover.lab.asking.assemble import AssembleRequest, assemble
from latcover.lab.assembly.survey import Examined
from latcover.lab.designing.design_results import DesignResults
from latcover.lab.designing.designs import Candidate, Design


class Count(Struct, frozen=True):
    """The solutions of a candidate, up to a limit.

    Attributes:
        solutions, total: Different solutions found, and all of their images.
        exact: Whether there are no more.
        stop: Why the search ended, if not at its end or at the limit of solutions.
    """

    solutions: int
    total: int = 0
    exact: bool = True
    branches: int = 0
    stop: str = ""


class Counter(Struct):
    """Counts candidates, each once.

    Attributes:
        choices: Which solutions count as the same.
        backend: Finds the solutions.
        ledger: Keeps the counts.
        until: When to stop, on the clock of `time.perf_counter`; None is never.
        may_go_on: Asked now and then; a count ends early once it returns False.
        branches: The most for one candidate; None is no limit.
    """

    choices: Choices
    backend: Backend
    ledger: DesignResults
    until: float | None = None
    may_go_on: Callable[[], bool] = lambda: True
    branches: int | None = None
    _known: dict[str, Count] = field(default_factory=dict)

    def known(self, candidate: Candidate, limit: int | None) -> Count | None:
        """The known count, if it is what a count up to *limit* would find: so designs go on as if never interrupted."""
        ended = self._kept(candidate.name)
        if ended is not None and (limit is None or ended.solutions < limit):
            return ended
        return self._kept(_limited(candidate, limit))

    def _kept(self, name: str) -> Count | None:
        if name not in self._known and (kept := self.ledger.get(name, Count)) is not None:
            self._known[name] = kept
        return self._known.get(name)

    def count(self, candidate: Candidate, limit: int | None) -> Count:
        """Count the solutions of a candidate, at most *limit*, and keep the count."""
        if (count := self.known(candidate, limit)) is None:
            self.keep(candidate, limit, count := self.counted(candidate, limit))
        return count

    def keep(self, candidate: Candidate, limit: int | None, count: Count) -> None:
        """Keep a count up to *limit*, unless it was ended from outside. One that met no limit holds for others too."""
        if count.stop in (Stop.TIME_LIMIT.value, Stop.CANCELLED.value):
            return
        name = candidate.name if limit is None or count.solutions < limit else _limited(candidate, limit)
        if count != self._known.get(name):
            self._known[name] = count
            self.ledger.put(name, count)

    def counted(self, candidate: Candidate, limit: int | None) -> Count:
        """Count the solutions of a candidate again. Several threads may do so at once."""
        puzzle = candidate.make()
        if any(not complaint.warning for complaint in complaints_about(puzzle)):
            return Count(0)  # as when a part is larger than what the others leave
        answer = self._counted(puzzle, self.backend, limit, self.branches)
        if answer.complete or (limit is not None and answer.different >= limit):
            # A search that met its limit does not know whether there are more.
            return Count(answer.different, answer.total, answer.complete, answer.branches or 0)
        return Count(answer.different, answer.total, False, answer.branches or 0, answer.stop)

    def _seconds_left(self) -> float | None:
        return None if self.until is None else max(0.0, self.until - time.perf_counter())

    def _counted(
        self, puzzle: Puzzle, backend: Backend, limit: int | None, branches: int | None = None
    ) -> SearchResult:
        request = CountRequest(method="enumeration", limit=limit, branches=branches, seconds=self._seconds_left())
        return count(prepare(puzzle, self.choices), request, _Watch(self.may_go_on), solver=backend)

    def verified(self, design: Design) -> Design | None:
        """The design, counted again by another backend; None if that was cut short.

        Raises:
            InternalError: the two numbers differ.
        """
        other = create("dlx" if self.backend.name in ("auto", "bitset", "cpsat", "sat") else "bitset")
        puzzle = design.puzzle
        answer = self._counted(puzzle, other, design.solutions + 1)
        if answer.stop is Stop.IMPOSSIBLE or (answer.complete and answer.different != design.solutions):
            raise InternalError(
                f"{other.name} counts {answer.different} solutions of {puzzle.name!r}, not {design.solutions}"
            )
        if answer.different > design.solutions:
            raise InternalError(f"{other.name} counts more than {design.solutions} solutions of {puzzle.name!r}")
        if not answer.complete:
            return None
        return replace(design, total=answer.total, branches=answer.branches, verified=other.name)

    def with_level(
        self, design: Design, states: int, in_plane: bool, least: tuple[int, ...] | None = None
    ) -> Design | None:
        """The design with the least level of its solutions, which are all taken apart.

        The level stays unknown if a solution takes more than *states* positions, if no way is found for one that may
        come apart by turning, or if the time or the branches run out. Returns None, without looking at more solutions,
        once a solution has a level below *least*.
        """
        request = AssembleRequest(
            anyway=True,
            branches=self.branches,
            seconds=self._seconds_left(),
            states=states,
            in_plane=in_plane,
            threads=1,
        )
        watch = _LevelWatch(self.may_go_on, least)
        found = assemble(prepare(design.puzzle, self.choices), request, watch, solver=self.backend)
        if watch.easy:
            return None
        level = min(found.tally.levels, default=None) if found.complete else None
        return replace(design, level=level, assemblable=found.tally.results["apart"] if found.complete else None)


def _limited(candidate: Candidate, limit: int | None) -> str:
    """The name under which a count that met its limit is kept."""
    return f"{candidate.name} up to {limit}"


class _Watch(Events):
    """Stops a search when the whole work stops."""

    def __init__(self, may_go_on: Callable[[], bool]) -> None:
        self.may_go_on = may_go_on

    def on_progress(self, progress: Progress) -> bool:
        """False once the work must stop."""
        return self.may_go_on()


class _LevelWatch(_Watch):
    """Also stops once a solution is too easy, or its level stays unknown."""

    def __init__(self, may_go_on: Callable[[], bool], least: tuple[int, ...] | None) -> None:
        super().__init__(may_go_on)
        self.least = least
        self.easy = self.unknown = False

    def on_solution(self, solution: Examined) -> None:
        """Look at the level of a solution."""
        disassembly = solution.disassembly
        self.unknown |= not disassembly.is_known
        if disassembly.result == "apart" and self.least is not None:
            self.easy |= disassembly.level < self.least

    def on_progress(self, progress: Progress) -> bool:
        """False once the result is known."""
        return not self.easy and not self.unknown and self.may_go_on()
