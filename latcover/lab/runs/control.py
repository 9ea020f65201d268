"""Begin and continue runs: searches in jobs of about a second, whose results are kept in a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits, OnProgress
from latcover.core.cover.searchable import Searchable
from latcover.core.model.puzzle import Bounds
from latcover.core.solving.count import CountRequest, keeps_states
from latcover.core.solving.forestall import ruled_out
from latcover.core.solving.run import for_users
from latcover.core.solving.solve import SolveRequest
from latcover.errors import RunFileError, UnsupportedError
from latcover.lab.runs.audit import audit
from latcover.lab.runs.count_file import CountFile, is_count
from latcover.lab.runs.job_search import JobSearcher
from latcover.lab.runs.loop import Loop
from latcover.lab.runs.recipe import Recipe, StoredFile
from latcover.lab.runs.run_file import RunFile, create, holds_nothing
from latcover.lab.runs.session import Session
from latcover.lab.runs.stored_values import answer, parsed, refusing_damage
from latcover.lab.runs.thread_crew import Crew, Orders, Threads
from latcover.system.machine import threads_to_start

ELSE = ", or resume with `latcover runs resume`"


def search_in_file(
    path: Path,
    source: StoredFile,
    prepared: Searchable[Any],
    request: SolveRequest | CountRequest,
    events: Events = SILENT,
    *,
    on_solution: Callable[[Any], None] | None = None,
    bounds: Bounds = Bounds(),
    threads: int | None = None,
    cluster: str = "",
) -> SearchResult:
    """Perform a request in a file: begin its run, or continue it if the file holds the same one.

    Args:
        path: The file of the run.
        source: The file of the puzzle.
        prepared: The puzzle or bare problem in it, as the request prepares it.
        request: The request; its backend's options do not give the number of threads.
        events: ``on_progress`` may stop the run.
        on_solution: Receives each new solution.
        bounds: How much the puzzle may ask for.
        threads, cluster: See `Orders`.

    Raises:
        As `begin` and `go_on`.
    """
    recipe = Recipe(request, prepared.name, source, bounds)
    counting = _count_file(path, recipe, prepared, cluster)
    if counting is None:
        begin(path, recipe, prepared, request.limits)
    settled = None if request.anyway else ruled_out(prepared, request.backend)
    if settled is not None:
        return settled
    if counting is not None:
        assert isinstance(request, CountRequest)
        return counting.count(prepared, request, threads, events.on_progress)
    orders = Orders(threads, request.limits, isinstance(request, SolveRequest) and request.images, cluster=cluster)
    return go_on(path, orders, on_solution, on_progress=events.on_progress, prepared=prepared)


def _count_file(path: Path, recipe: Recipe, prepared: Searchable[Any], cluster: str) -> CountFile | None:
    """The file of a count that lists nothing, begun now or before; None if the request is to be searched in jobs."""
    request = recipe.request
    if not isinstance(request, CountRequest) or cluster:
        return None
    keeps = keeps_states(prepared, request)
    if is_count(path):
        file = CountFile(path)
        recipe.question(prepared).require(file.question, path, ELSE)
        if not keeps:
            raise RunFileError(f"{path}: holds a count without a list; to list solutions, choose another file")
        return file
    if not keeps or (request.method == "auto" and not holds_nothing(path)):
        return None
    if not holds_nothing(path):
        raise RunFileError(f"{path}: holds a run that lists solutions; for --method frontier choose another file")
    return CountFile.begin(path, recipe, prepared)


def begin(path: Path, recipe: Recipe, prepared: Searchable[Any], limits: Limits) -> None:
    """Make the file of a run, or make sure that the file holds the same run already.

    Raises:
        RunFileError: the file holds another run, is damaged, or cannot be written.
        UnsupportedError: a limit of branches, which parallel searches cannot keep.
    """
    if limits.branches is not None:
        raise UnsupportedError("a saved search has no limit of branches; use --time or --limit")
    if holds_nothing(path):
        create(path, recipe, prepared, limits.covers)
        return
    with RunFile(path) as file:
        recipe.question(prepared).require(file.question, path, ELSE)


def go_on(
    path: Path,
    orders: Orders = Orders(),
    on_solution: Callable[[Any], None] | None = None,
    *,
    on_progress: OnProgress | None = None,
    prepared: Searchable[Any] | None = None,
) -> SearchResult:
    """Continue the run of a file until it is done or a limit is met. Returns what all sessions have found.

    Args:
        path: The file.
        orders: How.
        on_solution: Called with every solution that this session adds to the file, after it is verified and stored.
        on_progress: May stop the run by returning False.
        prepared: The puzzle or bare problem of the run, if it is prepared already.

    Raises:
        ClusterError: the cluster cannot be reached, or is lost.
        UnsupportedError, BackendUnavailableError: see `latcover.lab.runs.cluster.connection.require`.
        RunFileError: the file is damaged or of another problem, another process is at work on it, or it cannot be
            written; the results so far are kept.
    """
    if orders.cluster:
        from latcover.lab.runs.cluster.connection import require

        require(orders.cluster, orders.threads)
    if is_count(path):
        if orders.cluster or orders.images or orders.limits.covers is not None:
            raise UnsupportedError(
                f"{path} holds a count without a list, which has no solutions to limit or to share out"
            )
        counting = CountFile(path)
        prepared = counting.recipe.prepared() if prepared is None else prepared
        counting.recipe.question(prepared).require(counting.question, path)
        request = msgspec.structs.replace(counting.request, seconds=orders.limits.seconds)
        return counting.count(prepared, request, orders.threads, on_progress)
    with RunFile(path) as file:
        audit(file)
        audited = file.totals()
        recipe = file.recipe
        prepared = recipe.prepared() if prepared is None else prepared
        recipe.question(prepared).require(file.question, path)
        if file.row["answer"]:
            with refusing_damage(path):
                return answer(file.row["answer"])
        most = file.most_solutions if orders.limits.covers is None else orders.limits.covers
        if most is not None and file.figures().result.different >= most:
            return _answer(file, prepared, Stop.SOLUTION_LIMIT, 0)
    threads, fewer = threads_to_start(orders.threads)
    limits = Limits(most, None, orders.limits.seconds)
    orders = msgspec.structs.replace(orders, threads=threads, limits=limits)
    with RunFile(path, write=True) as file, Session(file, threads) as session:
        if file.totals() != audited:  # another process was at work meanwhile
            audit(file)
        if most != file.most_solutions:
            session.limit(most)
        crew = _hired(orders, session, prepared, keeps_solutions=recipe.task == "solve" or most is not None)
        stop = Loop(session, prepared, crew, orders, on_solution).run(on_progress)
        session.keep_alive(at_once=True)
        if stop is Stop.EXHAUSTED:
            audit(file)
        found = _answer(file, prepared, stop, crew.size)
        found = msgspec.structs.replace(found, notes=(*found.notes, *filter(None, [fewer]), *crew.notes))
        session.end(stop.value, json.dumps(found.as_json()) if stop is Stop.EXHAUSTED else None)
        return found


def _hired(orders: Orders, session: Session, prepared: Searchable[Any], *, keeps_solutions: bool) -> Crew:
    """The crew that searches."""
    file = session.file
    if orders.cluster:
        from latcover.lab.runs.cluster.cluster_crew import Cluster
        from latcover.lab.runs.cluster.cluster_messages import PackedRun

        packed_run = PackedRun.of(file.path, file.recipe, file.question, keeps_solutions=keeps_solutions)
        return Cluster(packed_run, session.id, orders)
    return Threads(JobSearcher(prepared, file.recipe.solver(), keeps_solutions=keeps_solutions), orders)


def _answer(file: RunFile, prepared: Searchable[Any], stop: Stop, threads: int) -> SearchResult:
    figures, sessions = file.figures(), file.sessions()
    (row,) = file.rows("SELECT searched_by, notes FROM run")
    with refusing_damage(file.path):
        notes = parsed(row["notes"], tuple[str, ...])
    recipe = file.recipe
    native = {
        "jobs": figures.jobs,
        "sessions": len(sessions),
        "threads": threads or (sessions[-1]["threads"] if sessions else 0),
        "seconds_of_jobs": round(figures.result.figures.search_seconds, 6),
    }
    result = msgspec.structs.replace(figures.result, stop=stop, backend=row["searched_by"] or "", notes=notes)
    seconds = sum(session["seconds"] for session in sessions)
    return for_users(result.with_figures(native=native, search_seconds=seconds), prepared, recipe.request.backend)
