"""Google's CP-SAT, from OR-Tools: one Boolean for each option, one constraint for each item.

If several options hold an item in the same colour, an additional Boolean stands for all of them.

CP-SAT takes no constraint while it searches. So when a veto has refused some covers, the search begins again with
clauses that say why: after one of them, then two, then four, so that beginning again costs little in all.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from hashlib import blake2b
from types import ModuleType
from typing import Any

import numpy as np
from msgspec import Struct

from latcover.backends import require_range
from latcover.backends.optimizing import improve, term_clauses
from latcover.backends.relay import Outbox, refuse_branch_limit, relay
from latcover.core.cover.cover_costs import Costs
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.result import SearchResult
from latcover.core.cover.rows import Row, bounded_rows, colour_groups, forbidden_options
from latcover.core.cover.search import Backend, Limits, OnBound, OnCovers, OnPriced, OnProgress
from latcover.core.cover.veto import OptionVeto
from latcover.errors import BackendFailedError
from latcover.system.extras import require
from latcover.system.machine import threads_to_start

_MOST_WORKERS = 10_000  # CP-SAT's own limit
_MOST = (1 << 31) - 1  # CP-SAT's parameters are 32 bits wide


class CpSat(Backend, frozen=True):
    """CP-SAT. One worker finds all covers: with more workers, its enumeration silently lost some.

    Attributes:
        threads: Workers that search for a single cover (``Limits(covers=1)``); None is one for each core. They may
            find different covers in different runs.
        log: Write CP-SAT's own account of the search to standard error.
        seed: The seed of its random choices.
        presolve: Let CP-SAT simplify the model first.
        linearization_level: How much of the model its linear relaxation holds, from 0 to 2.

    Raises:
        UnsupportedError: an option is out of range.
    """

    name = "cpsat"
    honours_colours = True
    whole_rules = "learns"
    costs_by = "an objective of CP-SAT"

    threads: int | None = None
    log: bool = False
    seed: int = 0
    presolve: bool = True
    linearization_level: int = 1

    def __post_init__(self) -> None:
        if self.threads is not None:
            require_range(self.name, "threads", self.threads, 1, _MOST_WORKERS)
        require_range(self.name, "seed", self.seed, 0, _MOST)
        require_range(self.name, "linearization_level", self.linearization_level, 0, 2)

    def improve(
        self,
        problem: CoverProblem,
        costs: Costs,
        bar: int,
        on_priced: OnPriced,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
        on_bound: OnBound | None = None,
    ) -> SearchResult:
        """Find covers that cost at most a falling bar; see `latcover.core.cover.search.Backend`."""
        return self.improve_vetoed(problem, costs, bar, None, on_priced, limits, on_progress, on_bound)

    def improve_vetoed(
        self,
        problem: CoverProblem,
        costs: Costs,
        bar: int,
        veto: OptionVeto | None,
        on_priced: OnPriced,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
        on_bound: OnBound | None = None,
    ) -> SearchResult:
        """The same without covers that *veto* refuses; as in `search_vetoed`."""
        refuse_branch_limit(self.name, limits)
        workers, _ = threads_to_start(self.threads)
        task = _CpSatTask(problem, veto, limits, workers)
        optimizer = _CpSatOptimizer(self, task, costs, bar)
        return improve(optimizer, costs, on_priced, limits, on_progress, on_bound)

    def search(
        self,
        problem: CoverProblem,
        on_covers: OnCovers,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
    ) -> SearchResult:
        """Find every cover of *problem*; see `latcover.core.cover.search.Backend`."""
        return self.search_vetoed(problem, None, on_covers, limits, on_progress)

    def search_vetoed(
        self,
        problem: CoverProblem,
        veto: OptionVeto | None,
        on_covers: OnCovers,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
    ) -> SearchResult:
        """The same, but covers that *veto* refuses make clauses, which exclude others for the same reason."""
        refuse_branch_limit(self.name, limits)
        workers, fewer = threads_to_start(self.threads if limits.covers == 1 else 1)
        notes = (fewer,) if fewer else ()
        if limits.covers != 1 and (self.threads or 1) > 1:
            notes = (
                f"cpsat searches with 1 thread instead of {self.threads}: with more, its enumeration may lose covers; "
                "use more threads only to search for a single cover",
            )
        return relay(
            _CpSatFinder(self, _CpSatTask(problem, veto, limits, workers)), on_covers, limits, on_progress, notes
        )


class _CpSatTask(Struct, frozen=True, eq=False):
    """A problem, what refuses its covers, when to stop, and with how many workers to search."""

    problem: CoverProblem
    veto: OptionVeto | None
    limits: Limits
    workers: int


class _CpSatFinder:
    """CP-SAT at work on one problem."""

    def __init__(self, options: CpSat, task: _CpSatTask) -> None:
        limits = task.limits
        self._deadline = None if limits.seconds is None else time.perf_counter() + limits.seconds
        self._cp_model = _import()  # takes up to half a second, which counts as time of the search
        self._problem, self._veto = task.problem, task.veto
        self._workers, self._single = task.workers, limits.covers == 1
        self._solver = self._cp_model.CpSolver()
        self._set_parameters(options)
        self.figures: dict[str, Any] = {"workers": self._solver.parameters.num_workers, "refused": 0}

    def _set_parameters(self, options: CpSat) -> None:
        parameters = self._solver.parameters
        parameters.num_workers = self._workers
        parameters.enumerate_all_solutions = not self._single
        parameters.random_seed = options.seed
        parameters.cp_model_presolve = options.presolve
        parameters.linearization_level = options.linearization_level
        parameters.catch_sigint_signal = False  # Ctrl-C is the calling thread's
        if options.log:
            parameters.log_search_progress = True
            parameters.log_to_stdout = False
            self._solver.log_callback = _write_log

    def find(self, outbox: Outbox) -> bool:
        """See `relay.Finder`."""
        model = self._model(outbox)
        if model is None:
            return False
        outbox.ready()
        receiver = _Receiver(outbox, self._problem.n_options, self._veto)
        while True:
            status = self._run(model, receiver)
            is_over = status in ("OPTIMAL", "INFEASIBLE")
            if not self._learn(model, receiver) or outbox.closed or (is_over and not self._single):
                return is_over

    def _run(self, model: Any, receiver: _Receiver) -> str:
        """Search once; *receiver* takes what is found. Returns CP-SAT's status."""
        if self._deadline is not None:
            self._solver.parameters.max_time_in_seconds = max(0.0, self._deadline - time.perf_counter())
        callback = _callback(self._cp_model, receiver)
        status: str = self._solver.status_name(self._solver.solve(model, callback))
        self._note(status, model)
        self.figures["refused"] = receiver.refused
        if callback.error is not None:
            raise callback.error
        if status == "MODEL_INVALID":
            raise BackendFailedError(f"CP-SAT refuses the model: {model.validate()}")
        return status

    def _learn(self, model: Any, receiver: _Receiver) -> bool:
        """Give the model the reasons of the last search; False if there are none."""
        reasons = receiver.reasons_since()
        for clause in reasons:
            model.proto.constraints.add().bool_or.literals.extend(map(_literal, clause))
        return bool(reasons)

    def stop(self) -> None:
        """See `relay.Finder`."""
        self._solver.stop_search()

    def _model(self, outbox: Outbox) -> Any | None:
        """The model; None if the outbox was closed meanwhile.

        It fills the model's protocol buffer in bulk: by the model's methods, a million options would take many seconds.
        """
        model = self._cp_model.CpModel()
        groups = colour_groups(self._problem)
        if self._problem.n_options:
            boolean = model.proto.variables.add()
            boolean.domain.extend([0, 1])
            model.proto.variables.extend([boolean] * (self._problem.n_options + len(groups) - 1))
        for variable, options in enumerate(groups, self._problem.n_options):
            _add_group(variable, options, model.proto)
        never = forbidden_options(self._problem)
        if len(never):
            model.proto.constraints.add().bool_and.literals.extend((-1 - never).tolist())
        for row in bounded_rows(self._problem):
            if outbox.closed:
                return None
            _add(row, model.proto.constraints.add())
        return model

    def _note(self, status: str, model: Any) -> None:
        response = self._solver.response_proto
        self.figures |= {
            "status": status,
            "variables": len(model.proto.variables),
            "constraints": len(model.proto.constraints),
            "conflicts": response.num_conflicts,
            "branches": response.num_branches,
            "propagations": response.num_binary_propagations,
            "restarts": response.num_restarts,
        }


class _CpSatOptimizer(_CpSatFinder):
    """CP-SAT looks for the cheapest cover, then for all others of its cost, then for the next cost. See `Optimizer`."""

    def __init__(self, options: CpSat, task: _CpSatTask, costs: Costs, bar: int) -> None:
        self._all_workers = task.workers
        super().__init__(options, task)
        self.bar: int = bar
        self.bound: int | None = None
        self._costs = costs
        # With bounds far beyond what covers cost, the search of some small problems does not end.
        weights = np.concatenate([costs.own, costs.weights])
        self._least = costs.constant + int(weights[weights < 0].sum())
        self._most = costs.constant + int(weights[weights > 0].sum())

    @property
    def useless(self) -> bool:
        return self.bound is not None and self.bound > self.bar

    def find(self, outbox: Outbox) -> bool:
        """See `relay.Finder`."""
        model = self._model(outbox)
        if model is None:
            return False
        total = self._total(model)
        outbox.ready()
        receiver = _Receiver(outbox, self._problem.n_options, self._veto)
        while not self.useless:
            status = self._solve(model, receiver, total, wanted=None)
            if status == "OPTIMAL":
                self.bound = round(self._solver.objective_value)
                if not self.useless:
                    status = self._solve(model, receiver, total, wanted=self.bound)
                    self.bound += status in ("OPTIMAL", "INFEASIBLE")
            elif status == "INFEASIBLE":
                return True
            if status not in ("OPTIMAL", "INFEASIBLE"):
                return self.useless and not outbox.closed
        return True

    def _total(self, model: Any) -> Any:
        """The cost of a cover, as an expression of the model."""
        costs, first = self._costs, len(model.proto.variables)
        boolean = model.proto.variables.add()
        boolean.domain.extend([0, 1])
        model.proto.variables.extend([boolean] * (costs.n_conditions + len(costs.weights)))
        for clause in term_clauses(costs, first + 1):
            model.proto.constraints.add().bool_or.literals.extend(map(_literal, clause))
        own = np.flatnonzero(costs.own)
        variables = [*own.tolist(), *range(first + costs.n_conditions, first + costs.n_conditions + len(costs.weights))]
        weights = [*costs.own[own].tolist(), *costs.weights.tolist()]
        total = [model.get_int_var_from_proto_index(variable) for variable in variables]
        return self._cp_model.LinearExpr.weighted_sum(total, weights) + costs.constant

    def _solve(self, model: Any, receiver: _Receiver, total: Any, *, wanted: int | None) -> str:
        """Find the cheapest cover from the bound on; or all whose cost is *wanted*. Returns CP-SAT's status.

        If the cheapest cover is refused, the next one is looked for.
        """
        while True:
            status = self._run(self._stage(model, total, wanted), receiver)
            is_over = wanted is not None and status in ("OPTIMAL", "INFEASIBLE")
            if not self._learn(model, receiver) or is_over or receiver.outbox.closed or self.useless:
                return status

    def _stage(self, model: Any, total: Any, wanted: int | None) -> Any:
        """The model of one search; see `_solve`."""
        stage = model.clone()
        if wanted is None:
            stage.minimize(total)
            low = self._least if self.bound is None else self.bound
            stage.add_linear_constraint(total, low, max(low, min(self.bar, self._most)))
        else:
            stage.add(total == wanted)
        parameters = self._solver.parameters
        parameters.enumerate_all_solutions = wanted is not None
        parameters.num_workers = 1 if wanted is not None else self._all_workers
        return stage


def _add(row: Row, constraint: Any) -> None:
    """Turn an empty constraint into the constraint of *row*."""
    variables = row.variables.tolist()
    if row.high == 1 and row.low == 1:
        constraint.exactly_one.literals.extend(variables)
    elif row.high == 1 and row.low == 0:
        constraint.at_most_one.literals.extend(variables)
    elif row.low == 1 and row.high == len(variables):
        constraint.bool_or.literals.extend(variables)
    else:
        constraint.linear.vars.extend(variables)
        constraint.linear.coeffs.extend([1] * len(variables))
        constraint.linear.domain.extend([row.low, max(row.low, row.high)])


def _add_group(variable: int, options: Ints, proto: Any) -> None:
    """Let *variable* be true if and only if one of *options* is."""
    some = proto.constraints.add()
    some.enforcement_literal.append(variable)
    some.bool_or.literals.extend(options.tolist())
    no = proto.constraints.add()
    no.enforcement_literal.append(-1 - variable)
    no.bool_and.literals.extend((-1 - options).tolist())


def _literal(literal: int) -> int:
    """A literal of a clause, in which variables are numbered from 1, as CP-SAT writes it."""
    return literal - 1 if literal > 0 else literal


class _Receiver:
    """Takes what CP-SAT finds: hands on new covers that are wanted, and collects why others are refused.

    Attributes:
        refused: How many covers were refused.
    """

    def __init__(self, outbox: Outbox, n_options: int, veto: OptionVeto | None) -> None:
        self.outbox, self._n_options, self._veto = outbox, n_options, veto
        self.refused = 0
        self._met: set[bytes] = set()  # digests of the covers that were handed on
        self._reasons: list[list[int]] = []
        self._begin_again_at = 1  # so many refused covers

    def take(self, values: Sequence[int]) -> bool:
        """Take a solution of the model; False to stop the search."""
        cover = np.flatnonzero(list(values)[: self._n_options]).astype(np.int32)
        if self._veto is not None and (reasons := self._veto.clauses(cover)):
            self.refused += 1
            self._reasons += reasons
            return self.refused < self._begin_again_at and not self.outbox.closed
        key = blake2b(cover.tobytes(), digest_size=16).digest()
        if key in self._met:
            return True
        self._met.add(key)
        return self.outbox.put(cover)

    def reasons_since(self) -> list[list[int]]:
        """Clauses that say why covers were refused since this was asked last."""
        reasons, self._reasons = self._reasons, []
        self._begin_again_at = 2 * self.refused + 1
        return reasons


def _callback(cp_model: ModuleType, receiver: _Receiver) -> Any:
    """The object that CP-SAT calls with each solution; its class derives from a class of OR-Tools."""

    class Callback(cp_model.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
        """Hands solutions on, and keeps exceptions, because CP-SAT cannot pass them on."""

        error: BaseException | None = None

        def on_solution_callback(self) -> None:
            try:
                go_on = receiver.take(self.response_proto.solution)
            except BaseException as error:
                self.error = error
                go_on = False
            if not go_on:
                self.stop_search()

    return Callback()


def _write_log(line: str) -> None:
    print(line, file=sys.stderr)


def _import() -> ModuleType:
    return require("backend 'cpsat'", ("ortools.sat.python.cp_model",), extra="ortools")
