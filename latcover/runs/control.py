"""Runs with a memory: a search in jobs of about a second, whose results go into a file as they come."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from latcover.cover.search import Limits, OnProgress, Stop
from latcover.cover.searchable import Searchable
from latcover.errors import RunFileError, UnsupportedError
from latcover.runs.audit import audit
from latcover.runs.crew import Crew, Orders, Threads
from latcover.runs.file import RunFile, create, holds_nothing
from latcover.runs.job_search import JobSearcher
from latcover.runs.loop import Loop
from latcover.runs.recipe import Recipe, require_same_problem
from latcover.runs.session import Session
from latcover.runs.values import answer, notes, refusing_damage
from latcover.solving.answer import Answer, Found, answer_of
from latcover.system.machine import threads_to_start


def begin(path: Path, recipe: Recipe, prepared: Searchable[Any], limits: Limits) -> None:
    """Make the file of a run. If the file holds a run already, make sure that it is the same one.

    Raises:
        RunFileError: the file holds another run, is damaged, or cannot be written.
        UnsupportedError: a limit of branches, which searches side by side cannot keep.
    """
    if limits.branches is not None:
        raise UnsupportedError("a run in a file knows no limit of branches; use --time or --limit")
    if holds_nothing(path):
        create(path, recipe, prepared, limits.covers)
        return
    with RunFile(path) as file:
        _require_same(file, recipe)
        require_same_problem(path, file.digest, prepared)


def _require_same(file: RunFile, recipe: Recipe) -> None:
    """Refuse the file of another run."""
    other = file.recipe
    pairs: dict[str, tuple[Any, Any]] = {
        "another puzzle": (other.puzzle, recipe.puzzle),
        "another task": (other.task, recipe.task),
        "another backend": (other.backend, recipe.backend),
        "other options of the backend": (dict(other.options), dict(recipe.options)),
    }
    for name in ("symmetry", "reduction", "pivot", "order"):
        pairs[f"another {name}"] = (getattr(other.choices, name), getattr(recipe.choices, name))
    for what, (old, new) in pairs.items():
        if old != new:
            raise RunFileError(
                f"{file.path}: holds a run of {what}: {_shown(old)}, not {_shown(new)}; choose another file, "
                "or go on with `latcover resume`"
            )


def _shown(value: Any) -> str:
    """A choice as it is given on the command line."""
    if isinstance(value, dict):
        return ", ".join(f"{key}={each}" for key, each in value.items()) or "none"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return "none" if value is None else str(value)


def go_on(
    path: Path,
    orders: Orders = Orders(),  # noqa: B008 - frozen
    on_solution: Callable[[Any], None] | None = None,
    *,
    on_progress: OnProgress | None = None,
    prepared: Searchable[Any] | None = None,
) -> Answer:
    """Continue the run of a file until it is done or a limit is met. Returns what all sessions have found.

    Args:
        path: The file.
        orders: How.
        on_solution: Called with every solution that this session adds to the file, after it is verified and stored.
        on_progress: May stop the run by returning False.
        prepared: The puzzle or bare problem of the run, if it is prepared already.

    Raises:
        ClusterError: the cluster cannot be reached, or is lost.
        UnsupportedError, BackendUnavailableError: see `latcover.runs.cluster.connection.require`.
        RunFileError: the file is damaged or of another problem, another process is at work on it, or it cannot be
            written; what was recorded before can be gone on with.
    """
    if orders.cluster:
        from latcover.runs.cluster.connection import require

        require(orders.cluster, orders.threads)
    with RunFile(path) as file:
        audit(file)
        audited = file.totals()
        if file.row["answer"]:
            return _stored_answer(file)
        recipe = file.recipe
        prepared = recipe.prepared() if prepared is None else prepared
        require_same_problem(path, file.digest, prepared)
        most = file.most_solutions if orders.limits.covers is None else orders.limits.covers
        if _is_over(file, most):
            return _answer(file, prepared, Stop.SOLUTION_LIMIT, 0)
    threads, fewer = threads_to_start(orders.threads)
    limits = Limits(most, None, orders.limits.seconds)
    orders = dataclasses.replace(orders, threads=threads, limits=limits)
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
        found = dataclasses.replace(found, notes=(*found.notes, *filter(None, [fewer]), *crew.notes))
        session.end(stop.value, json.dumps(dataclasses.asdict(found)) if stop is Stop.EXHAUSTED else None)
        return found


def _hired(orders: Orders, session: Session, prepared: Searchable[Any], *, keeps_solutions: bool) -> Crew:
    """The crew that searches."""
    file = session.file
    if orders.cluster:
        from latcover.runs.cluster.crew import Cluster
        from latcover.runs.cluster.messages import PackedRun

        packed_run = PackedRun.of(file.path, file.recipe, file.digest, keeps_solutions=keeps_solutions)
        return Cluster(packed_run, session.id, orders)
    return Threads(JobSearcher(prepared, file.recipe.solver(), keeps_solutions=keeps_solutions), orders)


def _is_over(file: RunFile, most: int | None) -> bool:
    return most is not None and file.figures().different >= most


def _stored_answer(file: RunFile) -> Answer:
    """The answer of a run that is done."""
    with refusing_damage(file.path):
        return answer(file.row["answer"])


def _answer(file: RunFile, prepared: Searchable[Any], stop: Stop, threads: int) -> Answer:
    figures, sessions = file.figures(), file.sessions()
    (row,) = file.rows("SELECT searched_by, notes FROM run")
    with refusing_damage(file.path):
        told = notes(row["notes"])
    recipe = file.recipe
    native = {
        "jobs": figures.jobs,
        "sessions": len(sessions),
        "threads": threads or (sessions[-1]["threads"] if sessions else 0),
        "seconds_of_jobs": round(figures.search_seconds, 6),
    }
    found = Found(
        stop,
        figures.different,
        figures.total,
        figures.covers,
        figures.branches,
        figures.dead_ends,
        figures.branches_by_level,
        figures.digest,
        search_seconds=sum(session["seconds"] for session in sessions),
        check_seconds=figures.check_seconds,
        native=native,
        backend=row["searched_by"] or "",
        notes=told,
    )
    return answer_of(prepared, recipe.backend, found)
