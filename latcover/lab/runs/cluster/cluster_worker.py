"""The worker's side of a cluster: it prepares the puzzle of a run once in each process, and searches batches of jobs.

Dask calls `search_batch` in one of the worker's threads, and `stop` beside it.
"""

from __future__ import annotations

import hashlib
import signal
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from typing import Any, TypedDict

from latcover.core.cover.subproblem import Job
from latcover.lab.runs.cluster.cluster_messages import PackedRun, RefusedError, packed_result, unpacked
from latcover.lab.runs.job_search import JobSearcher
from latcover.lab.runs.job_work import Terms, work_on
from latcover.lab.runs.thread_crew import solutions_in

_KEPT = 4  # searchers in memory
_lock, _preparing = threading.Lock(), threading.Lock()
_ready: OrderedDict[str, JobSearcher] = OrderedDict()
_sessions: dict[str, tuple[int, threading.Event]] = {}  # the latest session of each run, and the event that ends it


class BatchResult(TypedDict, total=False):
    """The packed result of each job, None if it was not begun; or why this worker cannot search for the run."""

    results: list[bytes | None]
    refused: str
    worker: str


def search_batch(packed: bytes, run: str, session: int, message: bytes) -> BatchResult:
    """Search jobs in turn, until all are done, the time of a batch is over, or there are many solutions.

    Args:
        packed: The content of a `PackedRun`.
        run, session: The run and the session of the jobs. Jobs of earlier sessions of the run are dropped.
        message: The jobs with their terms, packed.
    """
    jobs = unpacked(message, list[tuple[Job, Terms]])
    stopping = _session(run, session)
    if stopping.is_set():
        return {"results": [None] * len(jobs)}
    try:
        searcher = _searcher(packed)
    except RefusedError as reason:
        from distributed import get_worker

        return {"refused": str(reason), "worker": get_worker().address}
    begun, results, kept = time.perf_counter(), list[bytes | None](), 0
    for job, terms in jobs:
        spent = time.perf_counter() - begun
        is_over = spent > 2 * terms.pace.seconds or kept > terms.pace.most_solutions
        if stopping.is_set() or (results and is_over):
            results.append(None)
            continue
        found = work_on(searcher, job, terms.after(spent), stopping)
        kept += solutions_in(found)
        results.append(packed_result(found))
    return {"results": results}


def stop(run: str, session: int) -> None:
    """End the searches of a session soon. They return what they have."""
    _session(run, session).set()


def _session(run: str, session: int) -> threading.Event:
    """The event that ends a session. A new session ends the earlier ones, because their process has died."""
    with _lock:
        latest, stopping = _sessions.get(run, (-1, threading.Event()))
        if session > latest:
            stopping.set()
            stopping = threading.Event()
            _sessions[run] = session, stopping
        elif session < latest:
            stopping = threading.Event()
            stopping.set()
        return stopping


def _searcher(packed: bytes) -> JobSearcher:
    """The searcher of a run, made once."""
    key = hashlib.sha256(packed).hexdigest()
    with _preparing:
        if key not in _ready:
            _ready[key] = PackedRun.searcher(packed)
            while len(_ready) > _KEPT:
                _ready.popitem(last=False)
        _ready.move_to_end(key)
        return _ready[key]


def dask_setup(_worker: Any) -> None:
    """Ignore Ctrl-C in a worker process of a local cluster: the process that made the cluster handles it."""
    with suppress(ValueError):  # outside the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)
