"""Guards against faults of foreign backends: errors name the backend, and covers are checked."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.fingerprint import Words, words_of_solutions
from latcover.core.cover.honouring import honoured
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Batch, OnProgress, SearchTask
from latcover.core.cover.solver_registry import backends
from latcover.core.cover.veto import Nogood, OptionVeto, Veto
from latcover.errors import BackendFailedError, LatcoverError

A = TypeVar("A")
T = TypeVar("T")


def search(backend: Backend, task: SearchTask) -> SearchResult:
    """Let *backend* search. Exceptions of callbacks are passed on.

    Sets of options that are not covers are refused, and so are covers that came before.

    Raises:
        BackendFailedError: the backend raised an exception that is not latcover's, or broke its contract.
        UnsupportedError: the backend does not declare that it honours what the task asks for.
    """
    task, callbacks = honoured(backend, task), _Callbacks()
    checks = None if backends().has(backend) else _Checks(backend.name, task.problem)

    def receive(batch: Batch) -> bool:
        if checks is not None:
            checks.require(batch)
        return task.on_covers(batch)

    watched = replace(
        task,
        on_covers=callbacks.watched(receive),
        on_progress=task.on_progress and callbacks.watched(task.on_progress),
        veto=task.veto and replace(task.veto, veto=callbacks.watched_veto(task.veto.veto)),
    )
    try:
        outcome: object = backend.search(watched)
    except (LatcoverError, MemoryError):
        raise
    except (Exception, SystemExit) as fault:
        if fault in callbacks.raised:
            raise
        raise BackendFailedError(f"backend {backend.name!r} failed: {type(fault).__name__}: {fault}") from fault
    if not isinstance(outcome, SearchResult):
        what = type(outcome).__name__
        raise BackendFailedError(f"backend {backend.name!r} returned {what} instead of a SearchResult")
    return outcome


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


class _Checks:
    """Checks the batches of a foreign backend: each set of options is a cover, and comes once.

    A hash of 64 bits stands for each cover, so a million different covers are taken for repeated with a probability of
    3e-8. The hashes lie in sorted runs, each more than twice as long as the next: 8 bytes a cover.
    """

    def __init__(self, name: str, problem: CoverProblem) -> None:
        self._name, self._problem = name, problem
        self._runs: list[Words] = []

    def require(self, batch: Batch) -> None:
        """Check a batch.

        Raises:
            BackendFailedError: it is not as it must be.
        """
        starts, options = np.asarray(batch.starts), np.asarray(batch.options)
        lengths = np.diff(starts)
        if len(starts) == 0 or starts[0] != 0 or starts[-1] != len(options) or (lengths < 0).any():
            raise BackendFailedError(f"backend {self._name!r} handed over a batch whose starts do not fit its options")
        if len(options) and (options.min() < 0 or options.max() >= self._problem.n_options):
            raise BackendFailedError(f"backend {self._name!r} handed over options that do not exist")
        for k, cover in enumerate(batch):
            (held,) = self._problem.held(np.array([0, len(cover)]), cover)
            distinct = len(set(cover.tolist())) == len(cover)
            if not distinct or (held < self._problem.low).any() or (held > self._problem.high).any():
                raise self._fault("a set of options that is not a cover", k, cover)
        if (again := self._first_known(words_of_solutions(self._problem.n_options, starts, options))) is not None:
            raise self._fault("a cover for the second time", again, options[starts[again] : starts[again + 1]])

    def _fault(self, what: str, k: int, cover: Ints) -> BackendFailedError:
        place = f"as number {k + 1} of a batch: {cover.tolist()}"
        return BackendFailedError(f"backend {self._name!r} handed over {what}, {place}")

    def _first_known(self, words: Words) -> int | None:
        """The first of these hashes that came before, in this batch or another; None if all are new. Keep them."""
        order = np.argsort(words, kind="stable")
        known = np.zeros(len(words), np.bool_)
        known[order[1:]] = words[order[1:]] == words[order[:-1]]
        for run in self._runs:
            known |= run[np.minimum(np.searchsorted(run, words), len(run) - 1)] == words
        if known.any():
            return int(np.argmax(known))
        self._runs += [words[order]] if len(words) else []
        while len(self._runs) > 1 and len(self._runs[-2]) <= 2 * len(self._runs[-1]):
            self._runs[-2:] = [np.sort(np.concatenate(self._runs[-2:]), kind="stable")]  # merges the two
        return None
