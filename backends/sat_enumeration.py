"""Every model of a cover problem, by a SAT solver and clauses that forbid the covers found.

Such a clause demands that a chosen option is dropped or an unchosen option is taken. Only *loose* options need to be
named among the unchosen ones: options that hold no item with low = high. Suppose an unchosen option holds such an item.
The cover holds the item as often as allowed, so the option cannot be added to the whole cover.

Colours change nothing. An item with colours has low = 0 and high = 1, so an option is as loose with it as without it.
The clause need not name the variables of colours, because the options fix them.

A veto may refuse covers. Then it tells why, and clauses say the reasons: they are added only when they are needed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
from msgspec import Struct

from latcover.backends.checked_models import CheckedModels
from latcover.backends.sat_solvers import ONE_CALL, in_words, make
from latcover.core.cover.clauses import NATIVE, AtMost, Clause, Encoder
from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.errors import BackendFailedError

_CHUNK = 1000  # clauses between two checks whether to go on


class EncodedProblem(Struct, frozen=True, eq=False):
    """A problem, and the solver and the encoding for it."""

    problem: CoverProblem
    solver: str
    encoding: str


class EnumerationHooks(Struct, frozen=True):
    """Functions that the enumeration calls.

    Attributes:
        solve: Asks a solver for a model; None says that it was interrupted.
        put: Takes a cover; False says that no more are wanted.
        ready: Called once the problem has been set up.
        closed: Whether no more covers are wanted.
        reasons: Clauses that say why a cover is refused; none if it is wanted.
    """

    solve: Callable[[Any], bool | None]
    put: Callable[[Ints], bool]
    ready: Callable[[], None]
    closed: Callable[[], bool]
    reasons: Callable[[Ints], list[Clause]] = lambda _: []


class Enumeration:
    """A SAT solver at work on one problem. `delete` it once no other thread uses it."""

    def __init__(self, task: EncodedProblem) -> None:
        self._task = task
        self._solver = self._new()
        self._keep = task.solver in ONE_CALL
        self._clauses: list[Clause] = []  # only for a solver that must be set up anew for each cover
        self._at_most: list[AtMost] = []
        self._loose = loose_options(task.problem)
        self._models = CheckedModels(in_words(task.solver), task.problem)
        self._contradictory = False  # whether the clauses hold the empty clause
        self.figures: dict[str, Any] = {"solver": task.solver, "encoding": task.encoding, "refused": 0}

    def run(self, hooks: EnumerationHooks) -> bool:
        """Find every cover; False if it was stopped before."""
        if not self._load(hooks.closed):
            return False
        hooks.ready()
        exhausted = self._contradictory
        while not exhausted and not hooks.closed():
            found = hooks.solve(self._solver)
            self._note()
            if found is None:
                if not hooks.closed():
                    raise BackendFailedError(f"{in_words(self._task.solver)} gave up and did not say why")
            elif not found:
                exhausted = True
            else:
                cover = self._cover()
                self._models.require(cover)
                reasons = hooks.reasons(cover)
                self.figures["refused"] += bool(reasons)
                if not reasons and not hooks.put(cover):
                    break
                exhausted = not self._learn(reasons or [self._other_than(cover)])
        return exhausted

    def interrupt(self) -> None:
        """Make `run` end soon; only for an interruptible solver."""
        self._solver.interrupt()

    def delete(self) -> None:
        """Free the solver's memory."""
        self._solver.delete()

    def _new(self) -> Any:
        return make(self._task.solver, cardinality=self._task.encoding == NATIVE)

    def _load(self, closed: Callable[[], bool]) -> bool:
        """Give the solver the problem; False if it was stopped before."""
        # Some solvers crash without any variable. A true variable after those of the options prevents that, and makes
        # all solvers declare the variables of the options.
        true = self._task.problem.n_options + 1
        encoder = Encoder(self._task.problem, self._task.encoding, top=true)
        self._add([[true]], [])
        clauses, constraints = 1, 0
        for some_clauses, at_most in encoder.pieces():
            rest = iter(some_clauses)
            while chunk := list(islice(rest, _CHUNK)):
                time.sleep(0)  # lets other threads run
                if closed():
                    return False
                self._contradictory |= not all(chunk)
                self._add(chunk, [])
                clauses += len(chunk)
            self._add([], at_most)
            constraints += len(at_most)
        self.figures |= {"variables": encoder.top, "clauses": clauses, "cardinality_constraints": constraints}
        return True

    def _add(self, clauses: list[Clause], at_most: list[AtMost]) -> None:
        if self._keep:
            self._clauses += clauses
            self._at_most += at_most
        deque(map(self._solver.add_clause, filter(None, clauses)), maxlen=0)
        for literals, bound in at_most:
            self._solver.add_atmost(literals, bound)

    def _cover(self) -> Ints:
        model = self._solver.get_model() or []
        if len(model) < self._task.problem.n_options:
            raise BackendFailedError(f"{in_words(self._task.solver)} found a model, but does not give all of it")
        return np.flatnonzero(np.array(model[: self._task.problem.n_options]) > 0).astype(np.int32)

    def _other_than(self, cover: Ints) -> Clause:
        """The clause that excludes *cover*; an empty one if no other cover can exist."""
        unchosen = self._loose[~np.isin(self._loose, cover)]
        clause: Clause = np.concatenate([-1 - cover, unchosen + 1]).tolist()
        return clause

    def _learn(self, clauses: list[Clause]) -> bool:
        """Keep to these clauses from now on; False if no cover can."""
        if not all(clauses):
            return False
        if self._keep:
            self._solver.delete()
            self._solver = self._new()
            clauses, self._clauses = [*self._clauses, *clauses], []
            at_most, self._at_most = self._at_most, []
            self._add(clauses, at_most)
        else:
            self._add(clauses, [])
        return True

    def _note(self) -> None:
        """Keep the solver's own figures, if it has any."""
        try:
            figures = self._solver.accum_stats() or {}
        except NotImplementedError:
            return
        if not figures.get("propagations"):  # some solvers do not count them
            figures.pop("propagations", None)
        self.figures |= figures


def loose_options(problem: CoverProblem) -> Longs:
    """The options that hold no item with low = high, ascending."""
    tight = np.append(0, np.cumsum((problem.low == problem.high)[problem.option_items]))
    return np.flatnonzero(tight[problem.option_starts[1:]] == tight[problem.option_starts[:-1]])
