"""A SAT solver from python-sat that can be stopped, for clauses of which more may come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any

from latcover.backends import sat_solvers

SOLVER = "glucose42"
CONFLICTS, CLAUSES = 2000, 20_000  # between two checks whether to go on
GoOn = Callable[[], bool]


class StoppedError(Exception):
    """The work is not to go on."""


class ClauseSolver:
    """Clauses, and an assignment that satisfies them. Use it in a `with` block, which frees its memory."""

    def __init__(self, go_on: GoOn) -> None:
        self._solver: Any = sat_solvers.make(SOLVER, cardinality=False)
        self._go_on = go_on

    def __enter__(self) -> ClauseSolver:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._solver.delete()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Demand *clauses* from now on.

        Raises:
            StoppedError: it is not to go on.
        """
        for k, clause in enumerate(clauses):
            if k % CLAUSES == 0:
                self._look()
            self._solver.add_clause(clause)

    def satisfied(self, assumptions: Sequence[int] = ()) -> bool:
        """Whether all clauses can be satisfied, and *assumptions* with them.

        Raises:
            StoppedError: it is not to go on.
        """
        while True:
            self._look()
            self._solver.conf_budget(CONFLICTS)
            # a call that may be interrupted leaves Ctrl-C to Python
            answer = self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
            if answer is not None:
                return bool(answer)

    def _look(self) -> None:
        if not self._go_on():
            raise StoppedError

    def true(self, most: int) -> list[int]:
        """The variables up to *most* that are true in the assignment just found."""
        return [variable for variable in self._solver.get_model()[:most] if variable > 0]
