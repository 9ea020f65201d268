"""Improves covers by other people's optimizers: MaxSAT and CP-SAT deliver covers, the calling thread lowers the bar.

A finder looks for covers of one cost after another, the cheapest first. It reads the bar between them, and whenever
the bar falls the search under way is interrupted if it has become useless.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from msgspec.structs import replace

from latcover.backends.checked_models import CheckedModels
from latcover.backends.relay import Finder, relay
from latcover.backends.sat_enumeration import loose_options
from latcover.core.cover.clauses import AUTO, Encoder
from latcover.core.cover.cover_costs import Costs
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Batch, CostBar, Progress, SearchTask
from latcover.core.cover.veto import OptionVeto
from latcover.errors import BackendFailedError

RC2_IN_WORDS = "the MaxSAT solver RC2"


class Optimizer(Finder, Protocol):
    """A finder that knows the bar.

    Attributes:
        bound: What covers that are still to come cost at least; None while nothing is known.
        useless: Whether what it does now can only find covers above the bar.
    """

    @property
    def bound(self) -> int | None: ...

    @property
    def useless(self) -> bool: ...


def search_by_optimizer(optimizer: Optimizer, task: SearchTask, bar: CostBar) -> SearchResult:
    """Let *optimizer* find covers that cost at most the bar of *task*."""

    def receive(batch: Batch) -> bool:
        goes_on = task.on_covers(batch)
        if goes_on and optimizer.useless:
            optimizer.stop()
        return goes_on

    def report(progress: Progress) -> bool:
        if optimizer.bound is not None:
            bar.note(optimizer.bound)
        if optimizer.useless:
            optimizer.stop()
        return task.on_progress is None or task.on_progress(progress)

    return relay(optimizer, replace(task, on_covers=receive, on_progress=report))


def term_clauses(costs: Costs, first: int) -> Iterator[list[int]]:
    """Clauses that let variables say which conditions are met and which terms hold.

    Option o is the variable ``o + 1``. Condition c is the variable ``first + c``, term t ``first + n_conditions + t``.
    """
    for c in range(costs.n_conditions):
        options = costs.condition_members[costs.condition_starts[c] : costs.condition_starts[c + 1]] + 1
        yield [-(first + c), *options.tolist()]
        yield from ([-option, first + c] for option in options.tolist())
    for t in range(len(costs.weights)):
        term = first + costs.n_conditions + t
        conditions = [first + c for c in range(costs.term_starts[t], costs.term_starts[t + 1])]
        yield [term, *(-condition for condition in conditions)]
        yield from ([-term, condition] for condition in conditions)


class MaxSat:
    """RC2 of python-sat at work: covers come in the order of their costs. See `Optimizer`.

    Source: Ignatiev, Morgado, Marques-Silva, "RC2: an Efficient MaxSAT Solver" (2019).
    """

    def __init__(self, problem: CoverProblem, bar: CostBar, veto: OptionVeto | None) -> None:
        self._bar, self._veto = bar, veto
        self._constant: int | None = None
        self.figures: dict[str, Any] = {"solver": "rc2", "refused": 0}
        self._problem, self._costs = problem, bar.costs
        self._solver: Any = None

    @property
    def bound(self) -> int | None:
        """The cost of the cores so far: it grows while RC2 works, and is that of the next cover when it is done."""
        known = [] if self._constant is None else [self._constant + self._solver.cost]
        known += [] if self._bar.least is None else [self._bar.least]
        return max(known, default=None)

    @property
    def useless(self) -> bool:
        return self.bound is not None and self.bound > self._bar.most

    def find(self, outbox: Any) -> bool:
        """See `relay.Finder`."""
        from pysat.examples.rc2 import RC2  # type: ignore[import-untyped]

        n, loose = self._problem.n_options, loose_options(self._problem)
        models = CheckedModels(RC2_IN_WORDS, self._problem)
        formula, constant = self._formula(outbox)
        if outbox.closed:
            return False
        outbox.ready()
        with RC2(formula, solver="g3", adapt=True, exhaust=True) as self._solver:
            self._constant = constant
            while not outbox.closed and not self.useless:
                model = self._solver.compute(expect_interrupt=True)
                if model is None:
                    return not outbox.closed
                if self.useless:
                    return True
                cover = np.flatnonzero(np.array(model[:n]) > 0).astype(np.int32)
                models.require(cover)
                (price,) = self._costs.of(np.array([0, len(cover)]), cover).tolist()
                told = constant + self._solver.cost
                if price != told:
                    raise BackendFailedError(f"{RC2_IN_WORDS} says that a solution costs {told}, not {price}")
                if self._veto is not None and (reasons := self._veto.clauses(cover)):
                    self.figures["refused"] += 1
                    for reason in reasons:
                        self._solver.add_clause(reason)
                    continue
                others = loose[~np.isin(loose, cover)]
                if not outbox.put(cover):
                    return False
                clause = np.concatenate([-1 - cover, others + 1]).tolist()
                if not clause:
                    return True
                self._solver.add_clause(clause)
        return not outbox.closed

    def stop(self) -> None:
        """See `relay.Finder`."""
        if self._solver is not None:
            self._solver.interrupt()

    def _formula(self, outbox: Any) -> tuple[Any, int]:
        """The weighted clauses, and what is to be added to their cost."""
        from pysat.formula import WCNF  # type: ignore[import-untyped]

        formula, constant = WCNF(), self._costs.constant
        encoder = Encoder(self._problem, AUTO)
        for clauses, _ in encoder.pieces():
            if outbox.closed:
                return formula, constant
            formula.extend(list(clauses))
        first = max(encoder.top, self._problem.n_options) + 1
        formula.extend(list(term_clauses(self._costs, first)))
        variables = np.arange(
            first + self._costs.n_conditions, first + self._costs.n_conditions + len(self._costs.weights)
        )
        own = np.flatnonzero(self._costs.own)
        numbers = np.concatenate([own + 1, variables]).tolist()
        weights = np.concatenate([self._costs.own[own], self._costs.weights]).tolist()
        for variable, weight in zip(numbers, weights, strict=True):
            formula.append([-variable if weight > 0 else variable], weight=abs(weight))
            constant += min(weight, 0)
        return formula, constant
