"""Searching with any backend: its covers are judged, counted and handed on, and what it did becomes an answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from latcover.cover.fingerprint import Fingerprint
from latcover.cover.problem import CoverProblem, Ints, Longs
from latcover.cover.search import Backend, Batch, Limits, OnProgress, Outcome, Progress, Statistics, Stop
from latcover.errors import InternalError
from latcover.solving import guard
from latcover.system.machine import peak_memory

BETWEEN_REPORTS = 0.05  # seconds

S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)
Inspect = Callable[
    [Ints, int, int, int], tuple[S, list[str]]
]  # what was chosen, which number, which image, of how many


class Searchable(Protocol[S_co]):
    """What `run` can search: a puzzle made ready (`Prepared`), or a bare problem (`NamedProblem`).

    What covers are made of, as users see it, are its *choices*: the placements of a puzzle, or options.
    """

    @property
    def name(self) -> str: ...
    @property
    def problem(self) -> CoverProblem: ...
    @property
    def seconds(self) -> float:
        """What making it ready took."""

    @property
    def n_choices(self) -> int: ...
    @property
    def symmetry(self) -> str:
        """Which symmetries count as the same: none, rotations or all."""

    @property
    def symmetries(self) -> int:
        """How many symmetries there are."""

    @property
    def acting(self) -> int:
        """How many of them act differently: the covers of a class that no symmetry maps to itself."""

    @property
    def pivot(self) -> str: ...
    @property
    def tests_pending(self) -> bool:
        """Whether covers have to be judged; else each is a class of its own, of `acting` covers."""

    def chosen(self, batch: Batch) -> tuple[Longs, Ints]:
        """A batch of covers as sets of choices, in compressed rows."""

    def judge(self, starts: Longs, chosen: Ints) -> tuple[npt.NDArray[np.bool_], Longs]:
        """Which of these covers to keep, and how many covers each stands for."""

    def images(self, chosen: Ints) -> list[Ints]:
        """The distinct images of a cover under the symmetries, itself first; each sorted."""

    def inspector(self) -> Inspect[S_co]:
        """A function that makes a cover what users see, and says everything that the verifier finds wrong with it."""


def verified(subject: Searchable[S]) -> Callable[[Ints, int, int, int], S]:
    """A function that makes covers that were found what users see; one that fails its check is a defect of ours."""
    inspect = subject.inspector()

    def show(chosen: Ints, number: int, image: int, orbit: int) -> S:
        solution, faults = inspect(chosen, number, image, orbit)
        if faults:
            raise InternalError(f"a solution of {subject.name!r} fails its check: {'; '.join(faults[:3])}")
        return solution

    return show


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search of a puzzle found; its JSON form is a promise to scripts.

    Attributes:
        asked, backend: The backend that was asked, and the one that searched.
        different: Classes of covers under the symmetries chosen, those found.
        total: Covers of the full problem that these stand for.
        covers: Covers that the backend met; more than ``different`` where some were images of others.
        complete: Whether the search was exhausted: else the figures are lower bounds.
        digest: A fingerprint of the set of those covers that ``different`` counts, whatever the order they were found
            in: equal for equal sets of the same placements, hence between runs with the same choices.
        memory: The most that the process held at once, in bytes; None where the platform does not tell.
    """

    puzzle: str
    backend: str
    complete: bool
    stop: str
    symmetry: str
    different: int
    total: int
    covers: int
    branches: int | None
    method: str
    seconds: Mapping[str, float | None]
    native: Mapping[str, Any]
    symmetries: int
    pivot: str
    dead_ends: int | None
    branches_by_level: tuple[int, ...]
    asked: str
    digest: str
    memory: int | None
    notes: tuple[str, ...] = field(default=())


class _Collector:
    """Takes the backend's batches, judges the covers, and counts and hands on those that are kept.

    While it hands them on the backend waits; so it looks at the clock and reports progress itself.
    """

    def __init__(
        self, prepared: Searchable[S], limits: Limits, on_solution: Callable[[S], None] | None, images: bool
    ) -> None:
        self.prepared, self.limits, self.images = prepared, limits, images
        self.on_solution: Callable[[Any], None] | None = on_solution
        self.on_progress: OnProgress | None = None
        self.show = verified(prepared) if on_solution else None
        self.fingerprint = Fingerprint(prepared.n_choices)
        self.different = self.total = 0
        self.stop: Stop | None = None  # why it takes no more, besides a limit of solutions
        self.begun = time.perf_counter()
        self.seconds = 0.0  # in all, taken from the search's own
        self.seconds_of_receiver = 0.0
        self._progress = Progress(None, None, 0, 0.0)
        self._reported = 0.0

    def report(self, progress: Progress) -> bool:
        """Pass the backend's progress on."""
        self._progress, self._reported = progress, time.perf_counter()
        return self.on_progress is None or self.on_progress(progress)

    def take(self, batch: Batch) -> bool:
        start = time.perf_counter()
        starts, chosen = self.prepared.chosen(batch)
        keep, orbits = self.prepared.judge(starts, chosen)
        rows = np.flatnonzero(keep)
        if self.limits.covers is not None:
            rows = rows[: self.limits.covers - self.different]
        if self.on_solution:
            rows = rows[: self._hand_on(starts, chosen, rows, orbits)]
        self.fingerprint.add(starts, chosen, rows)
        self.different += len(rows)
        self.total += int(orbits[rows].sum())
        self.seconds += time.perf_counter() - start
        return self.stop is None and (self.limits.covers is None or self.different < self.limits.covers)

    def _hand_on(self, starts: Longs, chosen: Ints, rows: npt.NDArray[np.intp], orbits: Longs) -> int:
        """Hand these covers on, until it is to stop; how many of them."""
        for done, row in enumerate(rows):
            if done and not self._may_go_on(self.different + done):
                return done
            self._hand_on_one(chosen[starts[row] : starts[row + 1]], self.different + done + 1, int(orbits[row]))
        return len(rows)

    def _may_go_on(self, found: int) -> bool:
        now = time.perf_counter()
        if self.limits.seconds is not None and now - self.begun >= self.limits.seconds:
            self.stop = Stop.TIME_LIMIT
        elif now - self._reported >= BETWEEN_REPORTS:
            progress = replace(self._progress, covers=max(found, self._progress.covers), seconds=now - self.begun)
            if not self.report(progress):
                self.stop = Stop.CANCELLED
        return self.stop is None

    def _hand_on_one(self, chosen: Ints, number: int, orbit: int) -> None:
        assert self.show is not None
        assert self.on_solution is not None
        for image, moved in enumerate(self.prepared.images(chosen) if self.images else [chosen], 1):
            solution = self.show(moved, number, image, orbit)
            start = time.perf_counter()
            self.on_solution(solution)
            self.seconds_of_receiver += time.perf_counter() - start


def run(
    prepared: Searchable[S],
    backend: Backend,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    on_solution: Callable[[S], None] | None = None,
    *,
    images: bool = False,
    on_progress: OnProgress | None = None,
) -> Answer:
    """Search a prepared puzzle, or a bare problem.

    Args:
        prepared: What to search.
        backend: Who searches.
        limits: ``covers`` limits the essentially different solutions.
        on_solution: Is given every solution, verified, in the order found; without it they are only counted.
        images: Whether to hand on all images of each solution, not one of each class.
        on_progress: May stop the search by returning False.
    """
    collector = _Collector(prepared, limits, on_solution, images)
    collector.on_progress = on_progress
    inner = Limits(None if prepared.tests_pending else limits.covers, limits.branches, limits.seconds)
    if limits.covers == 0:
        inner = Limits(0, limits.branches, limits.seconds)
    outcome = guard.search(backend, prepared.problem, collector.take, inner, collector.report)
    return _answer(prepared, backend, collector, outcome, limits)


def _answer(prepared: Searchable[Any], backend: Backend, found: _Collector, outcome: Outcome, limits: Limits) -> Answer:
    stop, statistics = outcome.stop, outcome.statistics
    if found.stop is not None:
        stop = found.stop
    elif stop is Stop.CANCELLED and limits.covers is not None and found.different >= limits.covers:
        stop = Stop.SOLUTION_LIMIT
    return Answer(
        puzzle=prepared.name,
        backend=outcome.backend or backend.name,
        complete=stop is Stop.EXHAUSTED,
        stop=stop.value,
        symmetry=prepared.symmetry,
        different=found.different,
        total=found.total,
        covers=statistics.covers,
        branches=statistics.branches,
        method="enumeration",
        seconds={
            "setup": prepared.seconds + statistics.setup_seconds,
            "first": statistics.first_seconds,
            "search": statistics.search_seconds - (0.0 if _overlaps(statistics) else found.seconds),
            "check": found.seconds - found.seconds_of_receiver,
        },
        native=statistics.native,
        symmetries=prepared.symmetries,
        pivot=prepared.pivot,
        dead_ends=statistics.dead_ends,
        branches_by_level=statistics.branches_by_level,
        asked=backend.name,
        digest=found.fingerprint.hex(),
        memory=peak_memory(),
        notes=outcome.notes,
    )


def _overlaps(statistics: Statistics) -> bool:
    """Whether the search went on while covers were handed over, so that this is no part of its time."""
    return int(statistics.native.get("threads", 1)) > 1
