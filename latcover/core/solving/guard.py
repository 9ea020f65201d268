"""Guards against faults of foreign backends: errors name the backend, and covers are checked."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.backends import is_ours, refuse_colours
from latcover.core.cover.cover_costs import Costs
from latcover.core.cover.fingerprint import Words, words_of_solutions
from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Backend, Batch, Limits, OnBound, OnCovers, OnPriced, OnProgress
from latcover.core.cover.veto import Nogood, OptionVeto, Veto
from latcover.errors import BackendFailedError, LatcoverError

T = TypeVar("T")


def search(
    backend: Backend,
    problem: CoverProblem,
    on_covers: OnCovers,
    limits: Limits,
    on_progress: OnProgress | None,
    veto: OptionVeto | None = None,
) -> SearchResult:
    """Let *backend* search; it may leave out what *veto* refuses. Exceptions of callbacks are passed on.

    Sets of options that are not covers are refused, and so are covers that came before.

    Raises:
        BackendFailedError: the backend raised an exception that is not latcover's, or broke its contract.
        UnsupportedError: the problem has colours, and the backend does not declare that it honours them.
    """
    with _Guarded(backend, problem) as guarded:

        def receive(batch: Batch) -> bool:
            return guarded.receive(batch, on_covers)

        if veto is None:
            outcome = backend.search(problem, receive, limits, on_progress)
        else:
            asked = guarded.asking(veto)
            outcome = backend.search_vetoed(problem, asked, receive, limits, on_progress)
    return guarded.require_result(outcome)


def improve(
    backend: Backend,
    problem: CoverProblem,
    costs: Costs,
    bar: int,
    on_priced: OnPriced,
    limits: Limits,
    on_progress: OnProgress | None,
    on_bound: OnBound | None,
    veto: OptionVeto | None = None,
) -> SearchResult:
    """Let *backend* find covers whose costs stay below a falling bar; see `Backend.improve`. Costs are computed again.

    Raises:
        As `search`; also BackendFailedError: a cost is wrong.
    """

    def receive(batch: Batch, prices: Longs) -> int | None:
        if not np.array_equal(costs.of(batch.starts, batch.options), prices):
            raise BackendFailedError(f"backend {backend.name!r} told a wrong cost of a cover")
        return guarded.receive(batch, lambda batch: on_priced(batch, prices))

    with _Guarded(backend, problem) as guarded:
        if veto is None:
            outcome = backend.improve(problem, costs, bar, receive, limits, on_progress, on_bound)
        else:
            asked = guarded.asking(veto)
            outcome = backend.improve_vetoed(problem, costs, bar, asked, receive, limits, on_progress, on_bound)
    return guarded.require_result(outcome)


class _Overheard(Struct, frozen=True):
    """A veto that notes what it raises, so that the backend is not blamed. See `latcover.core.cover.veto.Veto`."""

    veto: Veto
    raised: list[BaseException]

    @property
    def names(self) -> tuple[str, ...]:
        return self.veto.names

    def refuses(self, members: Ints) -> bool:
        return self._asked(self.veto.refuses, members)

    def newly_refuses(self, members: Ints) -> bool:
        return self._asked(self.veto.newly_refuses, members)

    def nogoods(self, members: Ints) -> tuple[Nogood, ...]:
        return self._asked(self.veto.nogoods, members)

    def _asked(self, question: Callable[[Ints], T], members: Ints) -> T:
        try:
            return question(members)
        except BaseException as fault:
            self.raised.append(fault)
            raise


class _Guarded:
    """Watches one search of a backend: what it delivers, raises and returns."""

    def __init__(self, backend: Backend, problem: CoverProblem) -> None:
        self._name = backend.name
        self._checks = None if is_ours(backend) else _Checks(backend.name, problem)
        self._raised: list[BaseException] = []
        if not backend.honours_colours:
            # A backend that ignores colours only loses covers; a check of the covers found would not notice.
            refuse_colours(f"backend {backend.name!r}", problem)

    def receive(self, batch: Batch, receiver: Callable[[Batch], T]) -> T:
        """Check a batch, and hand it to *receiver*."""
        try:
            if self._checks is not None:
                self._checks.require(batch)
            return receiver(batch)
        except BaseException as fault:
            self._raised.append(fault)
            raise

    def asking(self, veto: OptionVeto) -> OptionVeto:
        """*veto*, whose exceptions are passed on."""
        return replace(veto, veto=_Overheard(veto.veto, self._raised))

    def __enter__(self) -> _Guarded:
        return self

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        if fault is None or fault in self._raised or isinstance(fault, LatcoverError | MemoryError):
            return
        if isinstance(fault, Exception | SystemExit):
            raise BackendFailedError(f"backend {self._name!r} failed: {type(fault).__name__}: {fault}") from fault

    def require_result(self, outcome: object) -> SearchResult:
        """*outcome*, which must be a result."""
        if not isinstance(outcome, SearchResult):
            raise BackendFailedError(
                f"backend {self._name!r} returned {type(outcome).__name__} instead of a SearchResult"
            )
        return outcome


def iterate(
    backend: Backend,
    problem: CoverProblem,
    limits: Limits = Limits(),
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
            search(backend, problem, put, limits, going_on, veto)
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
