"""Guards against faults of foreign backends: errors name the backend, and covers are checked."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

import numpy as np

from latcover.backends import is_ours
from latcover.cover.problem import CoverProblem
from latcover.cover.result import SearchResult
from latcover.cover.search import Backend, Batch, Limits, OnCovers, OnProgress, refuse_colours
from latcover.errors import BackendFailedError, LatcoverError


def search(
    backend: Backend,
    problem: CoverProblem,
    on_covers: OnCovers,
    limits: Limits,
    on_progress: OnProgress | None,
) -> SearchResult:
    """Let *backend* search. Exceptions of callbacks are passed on; sets of options that are not covers are refused.

    Raises:
        BackendFailedError: the backend raised an exception that is not latcover's, or broke its contract.
        UnsupportedError: the problem has colours, and the backend does not declare that it honours them.
    """
    trusted = is_ours(backend)
    if not backend.honours_colours:
        # A backend that ignores colours only loses covers; a check of the covers found would not notice.
        refuse_colours(f"backend {backend.name!r}", problem)
    raised: list[BaseException] = []

    def receive(batch: Batch) -> bool:
        try:
            if not trusted:
                _require_covers(backend.name, problem, batch)
            return on_covers(batch)
        except BaseException as fault:
            raised.append(fault)
            raise

    try:
        outcome = backend.search(problem, receive, limits, on_progress)
    except (LatcoverError, MemoryError):
        raise
    except Exception as fault:
        if fault in raised:
            raise
        raise BackendFailedError(f"backend {backend.name!r} failed: {type(fault).__name__}: {fault}") from fault
    if not isinstance(outcome, SearchResult):
        raise BackendFailedError(
            f"backend {backend.name!r} returned {type(outcome).__name__} instead of a SearchResult"
        )
    return outcome


def iterate(
    backend: Backend,
    problem: CoverProblem,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    on_progress: OnProgress = lambda _: True,
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
            search(backend, problem, put, limits, lambda progress: not closed.is_set() and on_progress(progress))
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


def _require_covers(name: str, problem: CoverProblem, batch: Batch) -> None:
    starts, options = np.asarray(batch.starts), np.asarray(batch.options)
    lengths = np.diff(starts)
    if len(starts) == 0 or starts[0] != 0 or starts[-1] != len(options) or (lengths < 0).any():
        raise BackendFailedError(f"backend {name!r} handed over a batch whose starts do not fit its options")
    if len(options) and (options.min() < 0 or options.max() >= problem.n_options):
        raise BackendFailedError(f"backend {name!r} handed over options that do not exist")
    for k, cover in enumerate(batch):
        (held,) = problem.held(np.array([0, len(cover)]), cover)
        if len(set(cover.tolist())) < len(cover) or (held < problem.low).any() or (held > problem.high).any():
            raise BackendFailedError(
                f"backend {name!r} handed over a set of options that is not a cover, as number {k + 1} of a batch: "
                f"{cover.tolist()}"
            )
