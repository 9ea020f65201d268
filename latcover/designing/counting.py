"""Counting the solutions of one candidate by itself, as a puzzle file of its own would be counted."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from latcover.assembly.survey import Survey
from latcover.assembly.taking_apart import ApartLimits, Assembler
from latcover.backends import create
from latcover.cover.search import Backend, Limits, Progress, Stop
from latcover.designing.ledger import Ledger
from latcover.designing.wanted import Candidate, Design
from latcover.encoding.prepared import Choices, prepare
from latcover.errors import InternalError
from latcover.impossible.forestall import BY_ARGUMENT, forestalled
from latcover.model.checks import complaints_about
from latcover.model.puzzle import Puzzle
from latcover.solving.answer import Answer
from latcover.solving.run import run


@dataclass(frozen=True, slots=True)
class Count:
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


@dataclass(slots=True)
class Counter:
    """Counts candidates, each once.

    Attributes:
        choices: Which solutions count as the same.
        backend: Finds the solutions.
        ledger: Keeps the counts.
        until: When to stop, as `time.perf_counter` tells; None is never.
        may_go_on: Asked now and then; a count ends early once it returns False.
        branches: The most for one candidate; None is no limit.
    """

    choices: Choices
    backend: Backend
    ledger: Ledger
    until: float | None = None
    may_go_on: Callable[[], bool] = lambda: True
    branches: int | None = None
    _known: dict[str, Count] = field(default_factory=dict)

    def known(self, candidate: Candidate, limit: int | None) -> Count | None:
        """What was found out before, if that is enough for a count up to *limit*."""
        found = self._known.get(candidate.name)
        if found is None and (entry := self.ledger.get(candidate.name)) is not None:
            found = self._known[candidate.name] = Count(**entry)
        if found is None or not (found.exact or found.stop or (limit is not None and found.solutions >= limit)):
            return None
        return found if limit is None or found.solutions < limit else replace(found, solutions=limit, exact=False)

    def count(self, candidate: Candidate, limit: int | None) -> Count:
        """The solutions of a candidate, at most *limit*."""
        return self.known(candidate, limit) or self.counted(candidate, limit)

    def keep(self, candidate: Candidate, count: Count) -> None:
        """Keep a count, unless it was ended from outside."""
        if count.stop in (Stop.TIME_LIMIT.value, Stop.CANCELLED.value) or count == self._known.get(candidate.name):
            return
        self._known[candidate.name] = count
        entry = {name: getattr(count, name) for name in ("solutions", "total", "exact", "branches", "stop")}
        self.ledger.put(candidate.name, entry)

    def counted(self, candidate: Candidate, limit: int | None) -> Count:
        """The same, whatever is known; threads may count several candidates at once."""
        puzzle = candidate.make()
        if any(not complaint.warning for complaint in complaints_about(puzzle)):
            return Count(0)  # as when a part is larger than what the others leave
        left = None if self.until is None else max(0.0, self.until - time.perf_counter())
        answer = self._answer(puzzle, self.backend, Limits(limit, self.branches, left))
        if answer.complete or (limit is not None and answer.different >= limit):
            # A search that met its limit does not know whether there are more.
            return Count(answer.different, answer.total, answer.complete, answer.branches or 0)
        return Count(answer.different, answer.total, False, answer.branches or 0, answer.stop)

    def _answer(self, puzzle: Puzzle, backend: Backend, limits: Limits) -> Answer:
        prepared = prepare(puzzle, self.choices)
        return forestalled(
            prepared,
            lambda on_progress: run(prepared, backend, limits, on_progress=on_progress),
            lambda _: self.may_go_on(),
        )

    def verified(self, design: Design) -> Design | None:
        """The design, counted again by another backend; None if that was cut short.

        Raises:
            InternalError: the two numbers differ.
        """
        other = create("dlx" if self.backend.name in ("auto", "bitset", "cpsat", "sat") else "bitset")
        puzzle = design.puzzle
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

    def with_level(
        self, design: Design, states: int, in_plane: bool, least: tuple[int, ...] | None = None
    ) -> Design | None:
        """The design with the level of its easiest solution: all its solutions are taken apart.

        The level stays unknown if one solution takes more than *states* positions, or the time or the branches do not
        suffice for all solutions. None if a solution has a level below *least*: no other solution is looked at then.
        """
        puzzle = design.puzzle
        left = None if self.until is None else max(0.0, self.until - time.perf_counter())
        survey = Survey(Assembler(puzzle, in_plane), limits=ApartLimits(states, left), may_go_on=self.may_go_on)
        tally, easy = survey.tally, False

        def go_on(_: Progress) -> bool:
            nonlocal easy
            easy = least is not None and any(level < least for level in tally.levels)
            return not easy and not tally.results["unknown"] and self.may_go_on()

        limits = Limits(None, self.branches, left)
        answer = run(prepare(puzzle, self.choices), self.backend, limits, survey.take, on_progress=go_on)
        survey.finish()
        if easy:
            return None
        known = answer.complete and not tally.results["unknown"]
        level = min(tally.levels, default=None) if known else None
        return replace(design, level=level, assemblable=tally.results["apart"] if known else None)
