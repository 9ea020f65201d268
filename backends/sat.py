"""SAT solvers, from python-sat: one variable for each option, clauses for the bounds of each item."""

from __future__ import annotations

from typing import Any

from msgspec.structs import force_setattr

from latcover.backends import sat_solvers
from latcover.backends.optimizing import MaxSat, Optimizer, search_by_optimizer
from latcover.backends.relay import Outbox, relay
from latcover.backends.sat_enumeration import EncodedProblem, Enumeration, EnumerationHooks
from latcover.backends.sat_process import SatProcess
from latcover.core.cover import clauses
from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import Ints
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import CostBar, SearchTask
from latcover.core.cover.veto import OptionVeto
from latcover.errors import UnsupportedError


class Sat(Backend, frozen=True):
    """A SAT solver that finds one cover after the other.

    Attributes:
        solver: Any solver of python-sat, by its name or one of its short names. A solver that cannot be interrupted at
            once runs in its own process, which takes some 0.2 s to start; maplesat needs none.
        encoding: How the clauses say "at most k of these": any encoding of python-sat, or "auto". "auto" is pairwise,
            but seqcounter for the longest items if there would be too many pairs. Encodings of "at most one" only
            (bitwise, ladder, pairwise) leave other bounds to totalizer. "native" is for solvers that know such
            constraints themselves.

    Raises:
        UnsupportedError: the solver or the encoding does not exist, or they do not fit each other.
        BackendUnavailableError: the solver is not in this build of python-sat.
    """

    name = "sat"
    honours_colours = True
    whole_rules = "learns"
    costs_by = "MaxSAT"

    solver: str = "glucose42"
    encoding: str = clauses.AUTO

    def __post_init__(self) -> None:
        super().__post_init__()
        force_setattr(self, "solver", sat_solvers.own_name(self.solver))
        clauses.require_encoding(self.encoding)
        if self.encoding == clauses.NATIVE and self.solver not in sat_solvers.CARDINALITY:
            able = ", ".join(sorted(sat_solvers.CARDINALITY & set(sat_solvers.aliases())))
            raise UnsupportedError(
                f"backend 'sat': SAT solver {self.solver!r} takes clauses only, so it cannot take the encoding "
                f"'native'; choose another encoding, or one of these solvers: {able}"
            )
        sat_solvers.require(self.solver)

    @property
    def rests_on(self) -> str:  # type: ignore[override]
        return sat_solvers.in_words(self.solver)

    def search(self, task: SearchTask) -> SearchResult:
        """Find covers; see `latcover.Backend`. With a bar MaxSAT finds them.

        Each cover that a veto refuses makes clauses, which exclude others for the same reason.
        """
        if task.bar is not None:
            return search_by_optimizer(self.optimizer(task, task.bar), task, task.bar)
        if self.encoding == clauses.PAIRWISE:
            clauses.require_few_pairs(task.problem)
        encoded = EncodedProblem(task.problem, self.solver, self.encoding)
        if not sat_solvers.is_interruptible(self.solver, cardinality=self.encoding == clauses.NATIVE):
            return relay(SatProcess(encoded, task.veto), task)
        finder = _SatThread(encoded, task.veto)
        try:
            return relay(finder, task)
        finally:
            finder.delete()

    def optimizer(self, task: SearchTask, bar: CostBar) -> Optimizer:
        """What finds the covers of *task* that cost least, in the order of their costs."""
        return MaxSat(task.problem, bar, task.veto)


class _SatThread:
    """A solver that can be interrupted, in a thread of this process."""

    def __init__(self, task: EncodedProblem, veto: OptionVeto | None) -> None:
        self._enumeration, self._veto = Enumeration(task), veto

    @property
    def figures(self) -> dict[str, Any]:
        return self._enumeration.figures

    def find(self, outbox: Outbox) -> bool:
        """See `relay.Finder`."""
        return self._enumeration.run(
            EnumerationHooks(
                # only a call that expects to be interrupted lets other threads run
                solve=lambda solver: solver.solve_limited(expect_interrupt=True),
                reasons=self._reasons,
                put=outbox.put,
                ready=outbox.ready,
                closed=lambda: outbox.closed,
            )
        )

    def _reasons(self, cover: Ints) -> list[clauses.Clause]:
        return [] if self._veto is None else self._veto.clauses(cover)

    def stop(self) -> None:
        """See `relay.Finder`."""
        self._enumeration.interrupt()

    def delete(self) -> None:
        """Free the solver. Its thread must have ended, because `stop` may be using the solver until then."""
        self._enumeration.delete()
