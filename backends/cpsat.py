"""Google's CP-SAT, from OR-Tools: one Boolean for each option, one constraint for each item.

If several options hold an item in the same colour, an additional Boolean stands for all of them.

CP-SAT takes no constraint while it searches. So when a veto has refused some covers, the search begins again with
clauses that say why: after one of them, then two, then four, so that beginning again costs little in all.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b
from math import ceil
from types import ModuleType
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from latcover.backends.checked_models import CheckedModels
from latcover.backends.cpsat_model import cost_of_a_cover, literal, model_of
from latcover.backends.optimizing import Optimizer, search_by_optimizer
from latcover.backends.relay import Outbox, relay
from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import CostBar, SearchTask
from latcover.core.cover.veto import OptionVeto
from latcover.errors import BackendFailedError
from latcover.system.extras import require
from latcover.system.machine import threads_to_start

_MOST_WORKERS = 10_000  # CP-SAT's own limit
_MOST = (1 << 31) - 1  # CP-SAT's parameters are 32 bits wide
_ROUNDING = 1e-6  # of a bound, which CP-SAT tells as a floating-point number


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
    rests_on = "CP-SAT"

    threads: Annotated[int, Meta(ge=1, le=_MOST_WORKERS)] | None = None
    log: bool = False
    seed: Annotated[int, Meta(ge=0, le=_MOST)] = 0
    presolve: bool = True
    linearization_level: Annotated[int, Meta(ge=0, le=2)] = 1

    def search(self, task: SearchTask) -> SearchResult:
        """Find covers; see `latcover.Backend`. With a bar CP-SAT minimizes what they cost.

        Covers that a veto refuses make clauses, which exclude others for the same reason.
        """
        if task.bar is not None:
            return search_by_optimizer(self.optimizer(task, task.bar), task, task.bar)
        single = task.limits.covers == 1
        workers, fewer = threads_to_start(self.threads if single else 1)
        notes = (fewer,) if fewer else ()
        if not single and (self.threads or 1) > 1:
            notes = (
                f"cpsat searches with 1 thread instead of {self.threads}: with more, its enumeration may lose covers; "
                "use more threads only to search for a single cover",
            )
        return relay(_CpSatFinder(self, task, workers), task, notes)

    def optimizer(self, task: SearchTask, bar: CostBar) -> Optimizer:
        """What finds the covers of *task* that cost least."""
        return _CpSatOptimizer(self, task, threads_to_start(self.threads)[0], bar)


class _CpSatFinder:
    """CP-SAT at work on one problem."""

    def __init__(self, options: CpSat, task: SearchTask, workers: int) -> None:
        limits = task.limits
        self._deadline = None if limits.seconds is None else time.perf_counter() + limits.seconds
        self._cp_model = _import()  # takes up to half a second, which counts as time of the search
        self._problem, self._veto = task.problem, task.veto
        self._workers, self._single = workers, limits.covers == 1
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
        model = model_of(self._problem, self._cp_model, outbox)
        if model is None:
            return False
        outbox.ready()
        receiver = _Receiver(outbox, self._problem, self._veto)
        while True:
            status = self._run(model, receiver)
            is_over = status in ("OPTIMAL", "INFEASIBLE")
            if not self._learn(model, receiver) or outbox.closed or (is_over and not self._single):
                return is_over

    def _run(self, model: Any, receiver: _Receiver, on_bound: Callable[[float], None] | None = None) -> str:
        """Search once; *receiver* takes what is found. Returns CP-SAT's status."""
        self._solver.best_bound_callback = on_bound
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
            model.proto.constraints.add().bool_or.literals.extend(map(literal, clause))
        return bool(reasons)

    def stop(self) -> None:
        """See `relay.Finder`."""
        self._solver.stop_search()

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

    def __init__(self, options: CpSat, task: SearchTask, workers: int, bar: CostBar) -> None:
        super().__init__(options, task, workers)
        self.bound: int | None = bar.least
        self._bar, self._costs = bar, bar.costs
        costs = bar.costs
        # With bounds far beyond what covers cost, the search of some small problems does not end.
        weights = np.concatenate([costs.own, costs.weights])
        self._least = costs.constant + int(weights[weights < 0].sum())
        self._most = costs.constant + int(weights[weights > 0].sum())

    @property
    def useless(self) -> bool:
        return self.bound is not None and self.bound > self._bar.most

    def find(self, outbox: Outbox) -> bool:
        """See `relay.Finder`."""
        model = model_of(self._problem, self._cp_model, outbox)
        if model is None:
            return False
        total = cost_of_a_cover(self._costs, model, self._cp_model)
        outbox.ready()
        receiver = _Receiver(outbox, self._problem, self._veto)
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

    def _solve(self, model: Any, receiver: _Receiver, total: Any, *, wanted: int | None) -> str:
        """Find the cheapest cover from the bound on; or all whose cost is *wanted*. Returns CP-SAT's status.

        If the cheapest cover is refused, the next one is looked for.
        """
        while True:
            stage, most = self._stage(model, total, wanted)
            on_bound = None if wanted is not None else partial(self._note_bound, most + 1)
            status = self._run(stage, receiver, on_bound)
            is_over = wanted is not None and status in ("OPTIMAL", "INFEASIBLE")
            if not self._learn(model, receiver) or is_over or receiver.outbox.closed or self.useless:
                return status

    def _note_bound(self, most: int, value: float) -> None:
        """CP-SAT shows that every cover costs at least *value*, or *most*: dearer ones are not in its model."""
        bound = min(most, ceil(value - _ROUNDING))
        if self.bound is None or bound > self.bound:
            self.bound = bound

    def _stage(self, model: Any, total: Any, wanted: int | None) -> tuple[Any, int]:
        """The model of one search, and what a cover of it costs at most; see `_solve`."""
        stage = model.clone()
        most = wanted
        if most is None:
            stage.minimize(total)
            low = self._least if self.bound is None else max(self._least, self.bound)
            # The best cover is a beginning that CP-SAT improves, so it belongs to the model, though it is known.
            most = max(low, min(self._bar.most + (self._bar.best is not None), self._most))
            stage.add_linear_constraint(total, low, most)
            if self._bar.best is not None:
                hint = np.zeros(self._problem.n_options, np.int64)
                hint[self._bar.best] = 1
                stage.proto.solution_hint.vars.extend(range(self._problem.n_options))
                stage.proto.solution_hint.values.extend(hint.tolist())
        else:
            stage.add(total == wanted)
        parameters = self._solver.parameters
        parameters.enumerate_all_solutions = wanted is not None
        parameters.num_workers = 1 if wanted is not None else self._workers
        return stage, most


class _Receiver:
    """Takes what CP-SAT finds: hands on new covers that are wanted, and collects why others are refused.

    Attributes:
        refused: How many covers were refused.
    """

    def __init__(self, outbox: Outbox, problem: CoverProblem, veto: OptionVeto | None) -> None:
        self.outbox, self._n_options, self._veto = outbox, problem.n_options, veto
        self._models = CheckedModels(CpSat.rests_on, problem)
        self.refused = 0
        self._met: set[bytes] = set()  # digests of the covers that were handed on
        self._reasons: list[list[int]] = []
        self._begin_again_at = 1  # so many refused covers

    def take(self, values: Sequence[int]) -> bool:
        """Take a solution of the model; False to stop the search."""
        cover = np.flatnonzero(list(values)[: self._n_options]).astype(np.int32)
        self._models.require(cover, is_new=False)  # a search that begins again finds some again
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
