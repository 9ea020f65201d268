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
from typing import Any

from latcover.runs.cluster.messages import PackedRun, Plain, RefusedError, jobs_in, packed_result
from latcover.runs.job_search import JobSearcher
from latcover.runs.job_work import work_on
from latcover.solving.answer import Found

_KEPT = 4  # puzzles that a process keeps ready
_lock, _preparing = threading.Lock(), threading.Lock()
_ready: OrderedDict[str, JobSearcher] = OrderedDict()
_sessions: dict[str, tuple[int, threading.Event]] = {}  # of each run the latest, and whether that one is to end


def search_batch(packed: bytes, run: str, session: int, message: Plain) -> Plain:
    """Search some jobs, one after the other, until all are done, a batch's time is over, or it has many solutions.

    Args:
        packed: What the run is of; see `PackedRun`.
        run, session: The run and the session of the jobs. Jobs of earlier sessions of the run are dropped.
        message: The jobs.

    Returns:
        The results, or why this worker cannot search for this run.
    """
    stopping = _session(run, session)
    if stopping.is_set():
        return {"results": [None] * len(message["jobs"])}
    try:
        searcher = _searcher(packed)
    except RefusedError as reason:
        from distributed import get_worker

        return {"refused": str(reason), "worker": get_worker().address}
    begun, results, kept = time.perf_counter(), list[Plain | None](), 0
    for job, terms in jobs_in(message):
        spent = time.perf_counter() - begun
        is_over = spent > 2 * terms.pace.seconds or kept > terms.pace.most_solutions
        if stopping.is_set() or (results and is_over):
            results.append(None)
            continue
        found = work_on(searcher, job, terms.after(spent), stopping)
        kept += len(found.solutions) if isinstance(found, Found) else 0
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
    """What a run searches, made ready once."""
    key = hashlib.sha256(packed).hexdigest()
    with _preparing:
        if key not in _ready:
            _ready[key] = PackedRun.searcher(packed)
            while len(_ready) > _KEPT:
                _ready.popitem(last=False)
        _ready.move_to_end(key)
        return _ready[key]


def dask_setup(_worker: Any) -> None:
    """Leave Ctrl-C to the process that made the cluster: called in each worker process of a local one."""
    with suppress(ValueError):  # outside the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)
