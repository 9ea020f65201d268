"""Guards against faults of foreign backends and counters: errors name them, and all that they hand over is checked."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.counter import Counter, CountTask
from latcover.core.cover.cover_costs import Optima
from latcover.core.cover.honouring import honoured
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Batch, CostBar, OnProgress, SearchTask
from latcover.core.cover.solver_registry import backends, counters
from latcover.core.cover.veto import Nogood, OptionVeto, Veto
from latcover.core.solving.cover_checks import CoverChecks
from latcover.core.solving.crosscheck import crosschecked
from latcover.errors import BackendFailedError, LatcoverError

A = TypeVar("A")
T = TypeVar("T")


def search(backend: Backend, task: SearchTask) -> SearchResult:
    """Let *backend* search. Exceptions of callbacks are passed on.

    Arrays of the wrong shape or type are refused, sets of options that are not covers, covers that came before, and
    all that comes after the backend has returned. That there is no cover is checked where that is cheap.

    Raises:
        BackendFailedError: the backend raised an exception that is not latcover's, or broke its contract.
        UnsupportedError: the backend does not declare that it honours what the task asks for.
    """
    task, callbacks, who = honoured(backend, task), _Callbacks(), f"backend {backend.name!r}"
    checks = None if backends().has(backend) else CoverChecks(who, task.problem)

    came = 0

    def receive(batch: Batch) -> bool:
        nonlocal came
        came += 1
        return task.on_covers(batch if checks is None else checks.admitted(batch))

    watched = replace(
        task,
        on_covers=callbacks.watched(receive),
        on_progress=task.on_progress and callbacks.watched(task.on_progress),
        veto=task.veto and replace(task.veto, veto=callbacks.watched_veto(task.veto.veto)),
        bar=task.bar if checks is None or task.bar is None else _WatchedBar(task.bar, callbacks.watched(receive), who),
    )
    threads = {*threading.enumerate()}
    outcome = _answer_of(who, lambda: backend.search(watched), callbacks)
    if checks is None and not backend.rests_on:
        return cast(SearchResult, outcome)
    if checks is not None:
        checks.end({*threading.enumerate()} - threads)
    result = _require_result(who, outcome)
    if came or result.stop is not Stop.EXHAUSTED:
        return result
    return crosschecked(backend.rests_on or who, task, result)


def optima(backend: Backend, task: SearchTask) -> Optima | None:
    """Let *backend* count the cheapest covers; see `Backend.optima`.

    Raises:
        BackendFailedError: as `search`.
    """
    who = f"backend {backend.name!r}"
    found = _answer_of(who, lambda: backend.optima(task), _Callbacks())
    if found is None or (isinstance(found, Optima) and _are_whole(found.covers, found.cost or 0)):
        return found
    raise BackendFailedError(f"{who} returned {found!r:.80} instead of the number of cheapest covers")


class GuardedCounter(Counter, frozen=True):
    """A counter, whose faults name it."""

    counter: Counter

    @property
    def name(self) -> str:
        return self.counter.name

    @property
    def engine(self) -> str:
        return self.counter.engine

    @property
    def honours_colours(self) -> bool:
        return self.counter.honours_colours

    @property
    def keeps_states(self) -> bool:  # type: ignore[override]
        return self.counter.keeps_states

    def why_not(self, problem: CoverProblem) -> str:
        return str(_answer_of(f"counter {self.name!r}", lambda: self.counter.why_not(problem), _Callbacks()))

    def count(self, task: CountTask) -> SearchResult:
        """See `latcover.core.cover.counter.Counter`.

        Raises:
            BackendFailedError: it raised an exception that is not latcover's, or broke its contract.
        """
        callbacks, who = _Callbacks(), f"counter {self.name!r}"
        watched = replace(task, on_progress=task.on_progress and callbacks.watched(task.on_progress))
        return _require_result(who, _answer_of(who, lambda: self.counter.count(watched), callbacks))


def guarded(counter: Counter) -> Counter:
    """The counter, guarded if it is not one of latcover's own."""
    return counter if counters().has(counter) else GuardedCounter(counter)


def _answer_of(who: str, ask: Callable[[], object], callbacks: _Callbacks) -> object:
    """What *who* answers; exceptions of its own name it."""
    try:
        return ask()
    except (LatcoverError, MemoryError):
        raise
    except (Exception, SystemExit) as fault:
        if fault in callbacks.raised:
            raise
        raise BackendFailedError(f"{who} failed: {type(fault).__name__}: {fault}") from fault


def _require_result(who: str, outcome: object) -> SearchResult:
    """The outcome of a foreign search or count, if it is one: of the right types, with a reason that it may give."""
    if not isinstance(outcome, SearchResult):
        raise BackendFailedError(f"{who} returned {type(outcome).__name__} instead of a SearchResult")
    try:
        SearchResult.from_json(json.loads(json.dumps(outcome.as_json())))
    except Exception as fault:
        raise BackendFailedError(f"{who} returned a SearchResult with a wrong value: {fault}") from None
    if outcome.stop in (Stop.IMPOSSIBLE, Stop.NOT_PROVED) or outcome.figures.covers < 0:
        raise BackendFailedError(f"{who} returned what no search finds: {outcome.stop}, {outcome.covers} covers")
    return outcome


def _are_whole(*values: object) -> bool:
    return all(isinstance(value, int | np.integer) for value in values)


class _WatchedBar(CostBar):
    """The bar of a foreign backend: covers pass the checks, and bounds are numbers."""

    def __init__(self, bar: CostBar, take: Callable[[Batch], bool], who: str) -> None:
        self.costs, self._bar, self._take, self._who = bar.costs, bar, take, who

    @property
    def most(self) -> int:  # type: ignore[override]
        return self._bar.most

    @property
    def least(self) -> int | None:  # type: ignore[override]
        return self._bar.least

    @property
    def best(self) -> Ints | None:  # type: ignore[override]
        return self._bar.best

    def take(self, batch: Batch) -> bool:
        return self._take(batch)

    def note(self, bound: int) -> None:
        if not _are_whole(bound):
            raise BackendFailedError(f"{self._who} reported the bound {bound!r:.40}, which is not a whole number")
        self._bar.note(int(bound))


class _WatchedVeto(Struct, frozen=True):
    """See `latcover.core.cover.veto.Veto`."""

    names: tuple[str, ...]
    refuses: Callable[[Ints], bool]
    newly_refuses: Callable[[Ints], bool]
    nogoods: Callable[[Ints], tuple[Nogood, ...]]


class _Callbacks:
    """Notes what callbacks raise, so that the backend is not blamed for it."""

    def __init__(self) -> None:
        self.raised: list[BaseException] = []

    def watched(self, callback: Callable[[A], T]) -> Callable[[A], T]:
        """The same callback."""

        def call(argument: A) -> T:
            try:
                return callback(argument)
            except BaseException as fault:
                self.raised.append(fault)
                raise

        return call

    def watched_veto(self, veto: Veto) -> Veto:
        """The same veto."""
        watched = self.watched
        return _WatchedVeto(veto.names, watched(veto.refuses), watched(veto.newly_refuses), watched(veto.nogoods))


def iterate(
    backend: Backend,
    problem: CoverProblem,
    on_progress: OnProgress = lambda _: True,
    veto: OptionVeto | None = None,
) -> Iterator[Batch]:
    """The covers of *problem*, batch by batch. The backend runs in its own thread, a few batches ahead.

    Closing the iterator stops the search, and so does *on_progress*, called in that thread, if it returns False.

    Raises:
        As `search`.
    """
    batches: queue.Queue[Batch | BaseException | None] = queue.Queue(maxsize=4)
    closed = threading.Event()

    def put(item: Batch | BaseException | None) -> bool:
        while not closed.is_set():
            try:
                batches.put(item, timeout=0.05)
            except queue.Full:
                continue
            return True
        return False

    def run() -> None:
        try:
            going_on: OnProgress = lambda progress: not closed.is_set() and on_progress(progress)  # noqa: E731
            search(backend, SearchTask(problem, put, on_progress=going_on, veto=veto))
            put(None)
        except BaseException as fault:
            put(fault)

    thread = threading.Thread(target=run, name="latcover-search", daemon=True)
    thread.start()
    try:
        while (item := batches.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        closed.set()
        thread.join()
