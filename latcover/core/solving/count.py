"""Counts the solutions of a puzzle: by a method that lists none, where one can, or by listing them."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.counter import MOST_BYTES, Budget, Counter, CountTask
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.honouring import refuse_colours
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Limits, OnProgress
from latcover.core.cover.searchable import Searchable
from latcover.core.cover.solver_registry import DEFAULT, ENUMERATION, counter, create
from latcover.core.model.puzzle import Bounds
from latcover.core.model.request_values import DiskMegabytes, Megabytes
from latcover.core.solving import guard
from latcover.core.solving.forestall import forestalled, without_volume
from latcover.core.solving.long_count import count_by_turns
from latcover.core.solving.run import run
from latcover.core.solving.search_request import SearchRequest, Subject
from latcover.core.solving.unlisted_count import count_without_list
from latcover.errors import TooLargeError, UnsupportedError

LISTING = "count by enumeration (--method enumeration)"
FEW_BRANCHES = 1000


class CountRequest(SearchRequest, frozen=True, kw_only=True):
    """A count of solutions.

    Attributes:
        method: See `count_prepared`.
        memory: The most memory for a frontier or a memo, in megabytes.
        disk: The most space for a frontier in a temporary file, in megabytes.
    """

    BESIDE_THE_QUESTION = SearchRequest.BESIDE_THE_QUESTION | {"method", "memory", "disk"}  # one number

    method: str = "auto"
    memory: Megabytes = MOST_BYTES // 1_000_000
    disk: DiskMegabytes = 0

    @property
    def budget(self) -> Budget:
        """The memory and the disk, in bytes."""
        return Budget(self.memory * 1_000_000, self.disk * 1_000_000)


def count(
    subject: Subject,
    request: CountRequest = CountRequest(),
    events: Events = SILENT,
    *,
    solver: Backend | None = None,
    bounds: Bounds | None = None,
) -> SearchResult:
    """Count the solutions of *subject*, essentially different and in all; the arguments are those of `solve`.

    Where the volume of the parts cannot fit, there are none.
    """
    solver = solver or request.solver()
    ready = request.ready(subject, events, bounds, fits=False)
    if (none := without_volume(ready, solver.name)) is not None:
        return none

    def search(on_progress: OnProgress) -> SearchResult:
        return count_prepared(ready, solver, request.limits, on_progress, method=request.method, budget=request.budget)

    return forestalled(ready, search, events.on_progress, anyway=request.anyway)


def count_prepared(
    prepared: Searchable[Any],
    backend: Backend | None = None,
    limits: Limits = Limits(),
    on_progress: OnProgress | None = None,
    *,
    method: str = "auto",
    budget: Budget = Budget(),
    counted: MutableMapping[str, SearchResult] | None = None,
) -> SearchResult:
    """Count the solutions of a prepared puzzle, or the covers of a bare problem.

    Args:
        prepared: The puzzle or the bare problem.
        backend: Enumerates solutions; with None, or `auto` without options, other methods may count.
        limits: Limits of solutions or branches need an enumeration.
        on_progress: May stop the count by returning False.
        method: "enumeration" lists the solutions; any other is the name of a counter, which lists none. Where "auto"
            cannot count, it enumerates, and gives the frontier a turn if that takes long.
        budget: The memory for a frontier or a memo, and the disk; the threads are those of *backend*.
        counted: The problems that a count without a list has counted before, by `key_of`; it adds those that it counts.

    Raises:
        UnsupportedError: the method cannot count this puzzle, or there is no such method.
    """
    budget = replace(budget, threads=getattr(backend, "threads", None))
    solver = backend or create(DEFAULT)
    if method == ENUMERATION:
        return run(prepared, solver, limits, on_progress=on_progress)
    chosen = guard.guarded(counter(method))
    why_not = _why_not(chosen, prepared, backend, limits)
    if why_not and method != DEFAULT:
        raise UnsupportedError(f"a count by {method} {why_not}")
    if why_not:
        if _lists(prepared, limits) or not _leaves_method_open(backend):
            return run(prepared, solver, limits, on_progress=on_progress)
        task = CountTask(prepared.problem, limits, on_progress, replace(budget, threads=1))
        return count_by_turns(prepared, solver, task)
    task = CountTask(prepared.problem, limits, on_progress, budget)
    if method == DEFAULT and (answer := _tiny(prepared, task)) is not None:
        return answer
    try:
        return count_without_list(prepared, chosen, task, counted)
    except TooLargeError as fault:
        raise UnsupportedError(f"{fault}; allow more with --memory or --disk, or {LISTING}") from None
    except UnsupportedError as fault:
        raise UnsupportedError(f"{fault}; {LISTING}") from None


def _tiny(prepared: Searchable[Any], task: CountTask) -> SearchResult | None:
    """The count by a list that takes less time than one of the counts for Burnside's lemma; None if it takes more."""
    if not prepared.tests_pending:
        return None
    few = replace(task.limits, branches=FEW_BRANCHES)
    answer = run(prepared, create("bitset", threads=1), few, on_progress=task.on_progress)
    return replace(answer, asked=DEFAULT) if answer.complete else None


def _why_not(chosen: Counter, prepared: Searchable[Any], backend: Backend | None, limits: Limits) -> str:
    """Why a counter cannot count these solutions, and what can; "" if it can, or finds out by counting.

    Raises:
        UnsupportedError: a counter that was named does not know colours.
    """
    if prepared.must_list:
        return f"cannot honour the puzzle's rules on parts; {LISTING}"
    if _lists(prepared, limits):
        return f"lists no solutions or branches, so it cannot limit them; {LISTING}"
    if not _leaves_method_open(backend):
        return f"uses no backend; leave --backend and its options out, or {LISTING}"
    if not chosen.honours_colours:
        refuse_colours(f"a count by {chosen.name}", prepared.problem)
    why_not = chosen.why_not(prepared.problem)
    return f"{why_not}; {LISTING}" if why_not else ""


def _lists(prepared: Searchable[Any], limits: Limits) -> bool:
    """Whether only a list of the solutions will do."""
    return limits.covers is not None or limits.branches is not None or prepared.must_list


def _leaves_method_open(backend: Backend | None) -> bool:
    """Whether no backend or option was chosen, so that any method may count."""
    return backend is None or backend.leaves_method_open


def lists_nothing(problem: CoverProblem, backend: Backend | None) -> bool:
    """Whether a count without limits ignores *backend*, and may list no solutions."""
    return _leaves_method_open(backend) and not counter(DEFAULT).why_not(problem)


def keeps_states(prepared: Searchable[Any], request: CountRequest) -> bool:
    """Whether this count lists nothing, and a file can keep the states that a frontier has reached."""
    if request.method == ENUMERATION or not counter(request.method).keeps_states:
        return False
    by_choice = not _lists(prepared, request.limits) and lists_nothing(prepared.problem, request.solver())
    return by_choice or request.method != DEFAULT
