"""Searching one job of a run: what any worker does, be it a thread here or a process elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from latcover.cover.fingerprint import Fingerprint
from latcover.cover.problem import Ints, Longs
from latcover.cover.search import Backend, Batch, Limits, OnProgress, Outcome, Stop
from latcover.cover.subproblem import Job, SearchTree, Subproblem, rule_of
from latcover.solving import guard
from latcover.solving.run import Searchable


@dataclass(frozen=True, slots=True, eq=False)
class Solutions:
    """Solutions of a job, judged: solution k holds the choices ``chosen[starts[k]:starts[k + 1]]``.

    Attributes:
        orbits: How many covers each stands for, int64.
    """

    starts: Longs
    chosen: Ints
    orbits: Longs

    def __len__(self) -> int:
        return len(self.orbits)

    def __iter__(self) -> Iterator[tuple[Ints, int]]:
        for k, orbit in enumerate(self.orbits.tolist()):
            yield self.chosen[self.starts[k] : self.starts[k + 1]], orbit


NO_SOLUTIONS = Solutions(np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a search of a job found.

    Attributes:
        stop: EXHAUSTED says that the job is done.
        different, total, covers: As in an `Answer`.
        branches_by_level: Options tried as the first, second, ... of a cover of the whole problem.
        digest: The fingerprint of its solutions.
        solutions: Where they are kept; else there are none in it, whatever `different` says.
        backend: Who searched, where that is not the one that was asked.
    """

    stop: Stop
    different: int = 0
    total: int = 0
    covers: int = 0
    branches: int | None = 0
    dead_ends: int | None = 0
    branches_by_level: tuple[int, ...] = ()
    digest: str = "0" * 16
    search_seconds: float = 0.0
    check_seconds: float = 0.0
    solutions: Solutions = NO_SOLUTIONS
    backend: str = ""
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return self.stop is Stop.EXHAUSTED


class JobSearcher:
    """Searches jobs of a prepared puzzle or of a bare problem; threads may share one."""

    def __init__(self, prepared: Searchable[Any], backend: Backend, *, keeps_solutions: bool) -> None:
        self.prepared, self.backend, self.keeps_solutions = prepared, backend, keeps_solutions
        self.tree = SearchTree(prepared.problem, rule_of(backend))

    def search(
        self,
        job: Job,
        most: int | None = None,
        seconds: float | None = None,
        on_progress: OnProgress | None = None,
    ) -> Found:
        """Search one job.

        Args:
            job: What to search.
            most: Stop after so many different solutions.
            seconds: Stop after so long.
            on_progress: May stop the search by returning False.
        """
        taker = _Taker(self.prepared, self.tree.restrict(job), most, self.keeps_solutions)
        limits = Limits(0 if most == 0 else None, None, seconds)
        outcome = guard.search(self.backend, taker.sub.problem, taker.take, limits, on_progress)
        return taker.found(outcome, len(job.chosen))


class _Taker:
    """Takes the covers of a job, and judges them as covers of the whole problem."""

    def __init__(self, prepared: Searchable[Any], sub: Subproblem, most: int | None, keeps: bool) -> None:
        self.prepared, self.sub, self.most, self.keeps = prepared, sub, most, keeps
        self.fingerprint = Fingerprint(prepared.n_choices)
        self.different = self.total = 0
        self.parts: list[Solutions] = []
        self.seconds = 0.0

    def take(self, batch: Batch) -> bool:
        start = time.perf_counter()
        starts, chosen = self.prepared.chosen(self.sub.in_full(batch))
        keep, orbits = self.prepared.judge(starts, chosen)
        rows = np.flatnonzero(keep)
        if self.most is not None:
            rows = rows[: self.most - self.different]
        self.fingerprint.add(starts, chosen, rows)
        self.different += len(rows)
        self.total += int(orbits[rows].sum())
        if self.keeps and len(rows):
            self.parts.append(_taken(Solutions(starts, chosen, orbits), rows))
        self.seconds += time.perf_counter() - start
        return self.most is None or self.different < self.most

    def found(self, outcome: Outcome, depth: int) -> Found:
        statistics, stop = outcome.statistics, outcome.stop
        if stop is Stop.CANCELLED and self.most is not None and self.different >= self.most:
            stop = Stop.SOLUTION_LIMIT
        levels = statistics.branches_by_level
        return Found(
            stop,
            self.different,
            self.total,
            statistics.covers,
            statistics.branches,
            statistics.dead_ends,
            (0,) * depth + levels if levels else (),
            self.fingerprint.hex(),
            max(0.0, statistics.setup_seconds + statistics.search_seconds - self.seconds),
            self.seconds,
            solutions=_joined(self.parts),
            backend=outcome.backend,
            notes=outcome.notes,
        )


def first_of(found: Found, most: int, n_choices: int) -> Found:
    """What was found, cut to its first solutions: a job that is not done. The solutions must be there."""
    cut = _taken(found.solutions, np.arange(most))
    fingerprint = Fingerprint(n_choices)
    fingerprint.add(cut.starts, cut.chosen, np.arange(len(cut)))
    return replace(
        found,
        stop=Stop.SOLUTION_LIMIT,
        different=len(cut),
        total=int(cut.orbits.sum()),
        digest=fingerprint.hex(),
        solutions=cut,
    )


def _taken(solutions: Solutions, rows: Any) -> Solutions:
    """Some of them, their choices ascending."""
    pieces = [np.sort(solutions.chosen[solutions.starts[k] : solutions.starts[k + 1]]) for k in rows.tolist()]
    starts = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])]).astype(np.int64)
    return Solutions(starts, np.concatenate(pieces or [NO_SOLUTIONS.chosen]), solutions.orbits[rows])


def _joined(parts: list[Solutions]) -> Solutions:
    if len(parts) < 2:
        return parts[0] if parts else NO_SOLUTIONS
    sizes = np.cumsum([0, *(len(part.chosen) for part in parts)])
    starts = [part.starts[1:] + before for part, before in zip(parts, sizes, strict=False)]
    return Solutions(
        np.concatenate([[0], *starts]).astype(np.int64),
        np.concatenate([part.chosen for part in parts]),
        np.concatenate([part.orbits for part in parts]),
    )
