"""Runs with a memory: a search in jobs of about a second, whose results go into a file as they come.

A crew searches jobs, threads here or workers of a cluster; the calling thread alone writes. A job that is seen to take
long is cut in pieces, which take its place in the file.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from latcover.crew import Crew, Result, Threads, Wanted
from latcover.errors import RunFileError, UnsupportedError
from latcover.job_search import Found, JobSearcher, first_of
from latcover.job_work import Division, Pace
from latcover.machine import peak_memory
from latcover.named_problem import NamedProblem
from latcover.run_file import PendingJob, RunFile, create, holds_nothing
from latcover.run_recipe import Recipe, require_same_problem
from latcover.run_session import NewSolution, Session
from latcover.running import BETWEEN_REPORTS, Answer, Searchable, verified
from latcover.search import Limits, OnProgress, Progress, Stop
from latcover.solve import Prepared

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Orders:
    """How to go on with a run.

    Attributes:
        threads: How many jobs are searched at once; None is one for each processor available. Those of a cluster that
            is there already are its own.
        limits: Of seconds, those of this session; of solutions, all that the run has found, before it too. Without
            one of solutions that of the file holds.
        images: Whether `on_solution` is given all images of each solution.
        pace: How large jobs are made.
        cluster: Who searches: threads of this process (""), processes of a cluster that is made here ("local"), or
            those of the Dask cluster at this address.
    """

    threads: int | None = None
    limits: Limits = field(default_factory=Limits)
    images: bool = False
    pace: Pace = field(default_factory=Pace)
    cluster: str = ""


def begin(path: Path, recipe: Recipe, prepared: Prepared | NamedProblem, limits: Limits) -> None:
    """Make the file of a run; where it holds one already, make sure that it is the same.

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
    pairs = {
        "puzzle": (other.puzzle, recipe.puzzle),
        "task": (other.task, recipe.task),
        "backend": (other.backend, recipe.backend),
        "options of the backend": (dict(other.options), dict(recipe.options)),
        "symmetry, reduction, pivot and order": (other.choices, recipe.choices),
    }
    for what, (old, new) in pairs.items():
        if old != new:
            raise RunFileError(
                f"{file.path}: holds a run of another {what}: {_shown(old)}, not {_shown(new)}; choose another file, "
                "or go on with `latcover resume`"
            )


def _shown(value: Any) -> str:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return ", ".join(str(v) for v in dataclasses.astuple(value))
    return str(value)


def go_on(
    path: Path,
    orders: Orders = Orders(),
    on_solution: Callable[[Any], None] | None = None,
    *,
    on_progress: OnProgress | None = None,
    prepared: Searchable[Any] | None = None,
) -> Answer:
    """Go on with the run of a file until it is done or a limit is met, and tell all that it has found.

    Args:
        path: The file.
        orders: How.
        on_solution: Is given every solution that this session adds to the file, verified, once it is stored.
        on_progress: May stop the run by returning False.
        prepared: What the run is of, where that is at hand.

    Raises:
        RunFileError: the file is damaged or of another problem, another process is at work on it, or it cannot be
            written; what was recorded before can be gone on with.
    """
    with RunFile(path) as file:
        if file.row["answer"]:
            return _stored_answer(file)
        recipe = file.recipe
    prepared = recipe.prepared() if prepared is None else prepared
    with RunFile(path) as file:
        require_same_problem(path, file.digest, prepared)
        most = file.most_solutions if orders.limits.covers is None else orders.limits.covers
        if _is_over(file, most):
            return _answer(file, prepared, Stop.SOLUTION_LIMIT, 0)
    orders = dataclasses.replace(orders, limits=Limits(most, None, orders.limits.seconds))
    keeps = recipe.task == "solve" or most is not None
    with RunFile(path, write=True) as file, Session(file, orders.threads or _processors()) as session:
        if most != file.most_solutions:
            session.limit(most)
        with _hired(orders, session, prepared, keeps) as crew:
            session.employ(crew.size)
            stop = _Loop(session, prepared, crew, orders, on_solution).run(on_progress)
            notes, size = crew.notes, crew.size
        session.keep_alive(at_once=True)
        answer = _answer(file, prepared, stop, size)
        answer = dataclasses.replace(answer, notes=(*answer.notes, *notes))
        session.end(stop.value, json.dumps(dataclasses.asdict(answer)) if stop is Stop.EXHAUSTED else None)
        return answer


def _hired(orders: Orders, session: Session, prepared: Searchable[Any], keeps_solutions: bool) -> Crew:
    """Those who are to search."""
    file, wanted, size = session.file, Wanted(orders.pace), orders.threads or _processors()
    if orders.cluster:
        from latcover.cluster import hire
        from latcover.cluster_messages import Subject

        subject = Subject.of(file.path, file.recipe, file.digest, keeps_solutions=keeps_solutions)
        return hire(orders.cluster, subject, session.id, wanted, size)
    return Threads(JobSearcher(prepared, file.recipe.solver(), keeps_solutions=keeps_solutions), wanted, size)


def _processors() -> int:
    from latcover.backends.bitset import available_processors

    return available_processors()


def _is_over(file: RunFile, most: int | None) -> bool:
    return most is not None and file.figures().different >= most


@dataclass(slots=True)
class _Tally:
    """What the calling thread knows of the run without asking the file."""

    different: int
    covers: int
    share: float
    shown: list[NewSolution] = field(default_factory=list)


class _Loop:
    """The calling thread's part: it hands out jobs, writes results, keeps the limits and tells of progress."""

    def __init__(
        self,
        session: Session,
        prepared: Searchable[Any],
        crew: Crew,
        orders: Orders,
        on_solution: Callable[[Any], None] | None,
    ) -> None:
        self.session, self.prepared, self.crew = session, prepared, crew
        self.orders, self.on_solution = orders, on_solution
        self.keeps = session.file.recipe.task == "solve"
        self.verify = verified(prepared)
        self.begun = time.perf_counter()
        if orders.limits.seconds is not None:
            crew.wanted.until = self.begun + orders.limits.seconds
        figures = session.file.figures()
        self.tally = _Tally(figures.different, figures.covers, figures.share)
        self.knows_searcher = figures.jobs > 0
        self.stop: Stop | None = None
        self.failure: BaseException | None = None

    def run(self, on_progress: OnProgress | None) -> Stop:
        pending = self.session.file.pending()
        left = len(pending)
        self._keep_limits()
        for job in pending if self.stop is None else ():
            self.crew.put(job)
        left = left if self.stop is None else 0
        reported = written = time.perf_counter()
        while left:
            results = self._gather(written)
            if results:
                left += self._take(results) - len(results)
                written = time.perf_counter()
            self.session.keep_alive()
            self._keep_limits()
            now = time.perf_counter()
            if on_progress and self.stop is None and now - reported >= BETWEEN_REPORTS:
                reported = now
                if not on_progress(Progress(self.tally.share, None, self.tally.covers, now - self.begun)):
                    self._end(Stop.CANCELLED)
        if self.failure is not None:
            raise self.failure
        return self.stop or Stop.EXHAUSTED

    def _end(self, why: Stop) -> None:
        if self.stop is None:
            self.stop = why
            self.crew.stop()

    def _keep_limits(self) -> None:
        limits = self.orders.limits
        if limits.covers is not None:
            self.crew.wanted.most = max(0, limits.covers - self.tally.different) + len(self.session.unsettled)
            if self.tally.different >= limits.covers:
                self._end(Stop.SOLUTION_LIMIT)
        if limits.seconds is not None and time.perf_counter() - self.begun >= limits.seconds:
            self._end(Stop.TIME_LIMIT)

    def _gather(self, written: float) -> list[Result]:
        """The results that have come; while the threads have enough to do, some together in one transaction."""
        results = self.crew.take(BETWEEN_REPORTS)
        wait = written + BETWEEN_REPORTS - time.perf_counter()
        if results and wait > 0 and self.crew.has_plenty():
            time.sleep(wait)
            results += self.crew.take(0)
        return results

    def _take(self, results: list[Result]) -> int:
        """Write results, and hand out the jobs that come of them: how many of these there are."""
        pieces: list[PendingJob] = []
        with self.session.writing():
            for job, result in results:
                if isinstance(result, Division):
                    pieces = [*self._divide(job, result), *pieces]
                elif isinstance(result, Found):
                    self._record(job, result)
                elif result is not None:
                    self.failure = self.failure or result
                    self.crew.stop()
        shown, self.tally.shown = self.tally.shown, []
        for solution in shown:
            self._show(solution)
        for piece in reversed(pieces):
            self.crew.put(piece)
        return len(pieces)

    def _divide(self, job: PendingJob, division: Division) -> list[PendingJob]:
        self.tally.share += job.share * division.cut.closed
        self.tally.different -= job.different
        return self.session.divide(job, division.cut, division.expected)

    def _record(self, job: PendingJob, found: Found) -> None:
        if not self.knows_searcher:
            self.session.record_searcher(found)
            self.knows_searcher = True
        found = self._within_limit(job, found)
        if self.keeps:
            self._store(job, found)
            if not found.complete:  # its solutions are counted as they stand in the file
                found = dataclasses.replace(found, different=0, total=0, digest="0" * 16)
        elif not found.complete and found.different < job.different:
            return
        else:
            self.tally.different += found.different - job.different
        self.session.record(job, found)
        self.tally.covers += found.covers
        if found.complete:
            self.tally.share += job.share

    def _within_limit(self, job: PendingJob, found: Found) -> Found:
        """What was found, cut so that the run keeps no more solutions than are wanted."""
        limit = self.orders.limits.covers
        if limit is None:
            return found
        room = max(0, limit - self.tally.different)
        if not self.keeps:
            room += job.different
            return found if found.different <= room else first_of(found, room, self.prepared.n_choices)
        new = [k for k, (choices, _) in enumerate(found.solutions) if choices.tobytes() not in self.session.unsettled]
        return found if len(new) <= room else first_of(found, new[room], self.prepared.n_choices)

    def _store(self, job: PendingJob, found: Found) -> None:
        """Store the solutions that are new, and settle those that were stored before."""
        unsettled = self.session.unsettled
        new, old = [], []
        for choices, orbit in found.solutions:
            if choices.tobytes() in unsettled:
                old.append(choices.tobytes())
            else:
                new.append(NewSolution(self.session.stored + len(new) + 1, orbit, choices))
        for solution in new:
            self.verify(solution.choices, solution.number, 1, solution.orbit)
        fresh = self.session.undescribed(np.unique(np.concatenate([s.choices for s in new])).tolist() if new else ())
        self.session.store(job, new, {choice: described(self.prepared, choice) for choice in sorted(fresh)})
        if found.complete:
            self.session.settle(job, old)
        self.tally.different += len(new)
        if self.on_solution:
            self.tally.shown += new

    def _show(self, solution: NewSolution) -> None:
        assert self.on_solution is not None
        images = self.prepared.images(solution.choices) if self.orders.images else [solution.choices]
        for image, moved in enumerate(images, 1):
            self.on_solution(self.verify(moved, solution.number, image, solution.orbit))


def described(prepared: Searchable[Any], choice: int) -> str:
    """A placement, or an option of a bare problem, as JSON."""
    if isinstance(prepared, Prepared):
        (placed,) = prepared.placed(np.array([choice], dtype=np.int32))
        return json.dumps(placed.as_json(prepared.puzzle.lattice), separators=(",", ":"))
    assert isinstance(prepared, NamedProblem)
    return json.dumps(prepared.written(choice), separators=(",", ":"))


def _stored_answer(file: RunFile) -> Answer:
    """The answer of a run that is done."""
    answer = json.loads(file.row["answer"])
    answer["branches_by_level"] = tuple(answer["branches_by_level"])
    answer["notes"] = tuple(answer["notes"])
    return Answer(**answer)


def _answer(file: RunFile, prepared: Searchable[Any], stop: Stop, threads: int) -> Answer:
    figures, sessions = file.figures(), file.sessions()
    (row,) = file.rows("SELECT searched_by, notes FROM run")
    recipe = file.recipe
    native = {
        "jobs": figures.jobs,
        "sessions": len(sessions),
        "threads": threads or (sessions[-1]["threads"] if sessions else 0),
        "seconds_of_jobs": round(figures.search_seconds, 6),
    }
    return Answer(
        puzzle=prepared.name,
        backend=row["searched_by"] or recipe.backend,
        complete=stop is Stop.EXHAUSTED,
        stop=stop.value,
        symmetry=prepared.symmetry,
        different=figures.different,
        total=figures.total,
        covers=figures.covers,
        branches=figures.branches,
        method="enumeration",
        seconds={
            "setup": prepared.seconds,
            "first": None,
            "search": sum(session["seconds"] for session in sessions),
            "check": figures.check_seconds,
        },
        native=native,
        symmetries=prepared.symmetries,
        pivot=prepared.pivot,
        dead_ends=figures.dead_ends,
        branches_by_level=figures.branches_by_level,
        asked=recipe.backend,
        digest=figures.digest,
        memory=peak_memory(),
        notes=tuple(json.loads(row["notes"])),
    )
