"""Counting the solutions of one set, by itself: what an own puzzle file of the set would be counted as."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from latcover.assembly.survey import Survey
from latcover.assembly.taking_apart import ApartLimits, Assembler
from latcover.backends import create
from latcover.cover.search import Backend, Limits, Stop
from latcover.designing.family import Copies, Family
from latcover.designing.ledger import Ledger
from latcover.designing.wanted import Design
from latcover.encoding.prepared import prepare
from latcover.errors import InternalError
from latcover.impossible.forestall import BY_ARGUMENT, forestalled
from latcover.model.checks import complaints_about
from latcover.model.puzzle import Puzzle
from latcover.solving.answer import Answer
from latcover.solving.run import run
from latcover.solving.solutions import solutions


@dataclass(frozen=True, slots=True)
class Count:
    """The solutions of a set, up to a limit.

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


@dataclass(slots=True)
class Counter:
    """Counts sets of a family, each once.

    Attributes:
        backend: Finds the solutions.
        ledger: Keeps the counts.
        until: When to stop, as `time.perf_counter` tells; None is never.
        may_go_on: Asked now and then; a count ends early once it returns False.
        branches: The most for one set; None is no limit.
    """

    family: Family
    backend: Backend
    ledger: Ledger
    until: float | None = None
    may_go_on: Callable[[], bool] = lambda: True
    branches: int | None = None
    _known: dict[Copies, Count] = field(default_factory=dict)

    def known(self, copies: Copies, limit: int | None) -> Count | None:
        """What was found out before, if that is enough for a count up to *limit*."""
        found = self._known.get(copies)
        if found is None and (entry := self.ledger.get(_name(copies))) is not None:
            found = self._known[copies] = Count(**entry)
        if found is None or not (found.exact or found.stop or (limit is not None and found.solutions >= limit)):
            return None
        return found if limit is None or found.solutions < limit else replace(found, solutions=limit, exact=False)

    def count(self, copies: Copies, limit: int | None) -> Count:
        """The solutions of a set, at most *limit*; threads may count several sets at once."""
        return self.known(copies, limit) or self._counted(copies, limit)

    def keep(self, copies: Copies, count: Count) -> None:
        """Keep a count, unless it was ended from outside."""
        if count.stop in (Stop.TIME_LIMIT.value, Stop.CANCELLED.value) or count == self._known.get(copies):
            return
        self._known[copies] = count
        entry = {name: getattr(count, name) for name in ("solutions", "total", "exact", "branches", "stop")}
        self.ledger.put(_name(copies), entry)

    def _counted(self, copies: Copies, limit: int | None) -> Count:
        puzzle = self.family.puzzle_of(copies)
        if any(not complaint.warning for complaint in complaints_about(puzzle)):
            return Count(0)  # as when a part is larger than what the others leave
        left = None if self.until is None else max(0.0, self.until - time.perf_counter())
        answer = self._answer(puzzle, self.backend, Limits(limit, self.branches, left))
        if answer.complete or (limit is not None and answer.different >= limit):
            # A search that met its limit does not know whether there are more.
            return Count(answer.different, answer.total, answer.complete, answer.branches or 0)
        return Count(answer.different, answer.total, False, answer.branches or 0, answer.stop)

    def _answer(self, puzzle: Puzzle, backend: Backend, limits: Limits) -> Answer:
        prepared = prepare(puzzle, self.family.choices)
        return forestalled(
            prepared,
            lambda on_progress: run(prepared, backend, limits, on_progress=on_progress),
            lambda _: self.may_go_on(),
        )

    def verified(self, design: Design) -> Design | None:
        """The design, counted again by a backend that shares no code with the first; None if that was cut short.

        Raises:
            InternalError: the two numbers differ.
        """
        other = create("dlx" if self.backend.name in ("auto", "bitset", "cpsat", "sat") else "bitset")
        puzzle = self.family.puzzle_of(design.copies)
        left = None if self.until is None else max(0.0, self.until - time.perf_counter())
        answer = self._answer(puzzle, other, Limits(design.solutions + 1, seconds=left))
        if answer.stop == BY_ARGUMENT or (answer.complete and answer.different != design.solutions):
            raise InternalError(
                f"{other.name} counts {answer.different} solutions of {puzzle.name!r}, not {design.solutions}"
            )
        if answer.different > design.solutions:
            raise InternalError(f"{other.name} counts more than {design.solutions} solutions of {puzzle.name!r}")
        if not answer.complete:
            return None
        return replace(design, total=answer.total, branches=answer.branches, verified=other.name)

    def with_level(self, design: Design, states: int, in_plane: bool) -> Design:
        """The design with the level of its easiest solution: all its solutions are taken apart."""
        puzzle = self.family.puzzle_of(design.copies)
        survey = Survey(Assembler(puzzle, in_plane), limits=ApartLimits(states), may_go_on=self.may_go_on)
        tally = survey.take_all(solutions(puzzle, self.backend, self.family.choices))
        unknown = tally.results["unknown"]
        level = min(tally.levels, default=None) if not unknown else None
        return replace(design, level=level, assemblable=tally.results["apart"] if not unknown else None)


def _name(copies: Copies) -> str:
    return f"count {' '.join(map(str, copies))}"
