"""How `auto` packs: it looks for a best cover where cells may stay empty, and what each cover costs adds up.

Several ways follow each other under one bar, so each begins with the best packing and the bound of those before. Branch
and bound has a try. Where an option is worth what it covers, the fullest packings that volumes allow are looked for as
exact covers, and then the best packing is improved window by window. All these have limits of branches. At last CP-SAT
improves and proves to the end, beside the windows, and beside MaxSAT where all options cost alike. `python -m
benchmarks packings` measures them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from hashlib import blake2b
from itertools import islice

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.backends.cpsat import CpSat
from latcover.backends.fullest import FullPacking, cells_covered, fullest_packings, price_of_a_cell
from latcover.backends.optimizing import Optimizer, search_by_optimizer
from latcover.backends.optimizing_together import OptimizersTogether
from latcover.backends.sat import Sat
from latcover.backends.windows import Windows, WindowSearch
from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Batch, CostBar, Limits, OnCovers, OnProgress, Pieces, Progress, SearchTask

MOST_QUESTIONS = 16  # numbers of cells that are left empty
IN_VAIN = 300  # windows without a better packing, before others have their turn
A_FEW = 16  # windows between two looks at the clock
Tries = Callable[[CoverProblem], Iterable[tuple[Backend, Limits]]]


class PackingMeans(Struct, frozen=True):
    """What searches.

    Attributes:
        bounding: Branch and bound.
        branches: What it may take at first.
        tries: What looks for a fullest packing, with limits of branches or of work.
        most_for_cpsat: The most entries of options for a model of CP-SAT.
    """

    bounding: Backend
    branches: int
    tries: Tries
    most_for_cpsat: int


def is_packing(problem: CoverProblem, bar: CostBar) -> bool:
    """Whether cells may stay empty at no cost, and what covers cost adds up option by option."""
    if not bar.costs.is_linear or not problem.n_cells:
        return False
    if (problem.low[: problem.n_cells] == 0).any():
        return True
    return bool(((cells_covered(problem) == 1) & (bar.costs.own == 0)).any())


def search_packing(means: PackingMeans, task: SearchTask, bar: CostBar) -> SearchResult:
    """Find the best covers of a packing; see the module."""
    search = _PackingSearch(means, task, bar)
    result = search.result()
    result = result.with_figures(search_seconds=search.seconds() - result.figures.setup_seconds)
    return replace(result, notes=(*result.notes, *search.notes))


class _PackingSearch:
    """One search: its stages share the clock, the progress, the bar, and what was found."""

    def __init__(self, means: PackingMeans, task: SearchTask, bar: CostBar) -> None:
        self._means, self._task, self._bar = means, task, bar
        self._pieces, self._began = Pieces(task.on_progress), time.perf_counter()
        self._on_covers = _Once(task.on_covers).take
        self.notes: tuple[str, ...] = ()

    def seconds(self) -> float:
        """How long it has been going."""
        return time.perf_counter() - self._began

    def result(self) -> SearchResult:
        """Search, and stop after the first stage that ends by itself."""
        bounding = self._means.bounding
        first = bounding.search(self._part(Limits(branches=self._means.branches)))
        if first.stop is not Stop.BRANCH_LIMIT:
            return replace(first, backend=first.backend or bounding.name)
        self.notes = (f"{bounding.name} proved nothing in {self._means.branches:,} branches",)
        for question in islice(fullest_packings(self._task.problem, self._bar.costs), MOST_QUESTIONS):
            self._bar.note(question.price)  # fuller ones do not exist
            if question.price > self._bar.most:
                return SearchResult(Stop.EXHAUSTED, backend=bounding.name)
            answer = self._one_of(question)
            if answer is None:
                break
            if answer.stop is not Stop.EXHAUSTED:
                return answer
        return self._improved() or self._optimized()

    def _one_of(self, question: FullPacking) -> SearchResult | None:
        """The search for one fullest packing: exhausted if there is none; None if other ways must go on."""
        found: list[Ints] = []

        def keep(batch: Batch) -> bool:
            found.extend(cover.copy() for cover in batch)
            return True

        for backend, limits in self._means.tries(question.problem):
            part = SearchTask(question.problem, keep, self._within(limits), self._pieces.next())
            answer = backend.search(part)
            if found:
                cover = found[0][found[0] < self._task.problem.n_options]
                goes_on = self._on_covers(Batch(np.array([0, len(cover)]), cover))
                return None if goes_on else replace(answer, stop=Stop.CANCELLED, backend=answer.backend or backend.name)
            if answer.stop is not Stop.BRANCH_LIMIT:
                return replace(answer, backend=answer.backend or backend.name)
        return None

    @property
    def _has_windows(self) -> bool:
        """Whether what windows look for is what is wanted."""
        problem, bar = self._task.problem, self._bar
        return self._task.veto is None and bar.best is not None and price_of_a_cell(problem, bar.costs) < 0

    def _improved(self) -> SearchResult | None:
        """Improve the best packing by windows, until many of them were in vain; None if other ways must go on."""
        if not self._has_windows:
            return None
        assert self._bar.best is not None
        windows, report = Windows(self._task.problem, self._bar.best, seed=0), self._pieces.next()
        last = 0
        while windows.tried < last + IN_VAIN:
            stop = self._why_to_stop(report) if windows.tried % A_FEW == 0 else None
            if windows.step():
                last, cover = windows.tried, windows.cover()
                goes_on = self._on_covers(Batch(np.array([0, len(cover)]), cover))
                stop = stop if goes_on else Stop.CANCELLED
            if stop is not None:
                return SearchResult(stop, backend="windows")
        self.notes = (*self.notes, f"{windows.tried:,} windows were packed anew")
        return None

    def _why_to_stop(self, report: OnProgress) -> Stop | None:
        limit = self._task.limits.seconds
        if limit is not None and self.seconds() >= limit:
            return Stop.TIME_LIMIT
        return None if report(Progress(None, None, 0, self.seconds())) else Stop.CANCELLED

    def _optimized(self) -> SearchResult:
        """Search to the end."""
        problem, task = self._task.problem, self._part(Limits())
        if len(problem.option_items) > self._means.most_for_cpsat:
            answer = self._means.bounding.search(task)
            return replace(answer, backend=answer.backend or self._means.bounding.name)
        optimizers: dict[str, Optimizer] = {"cpsat": CpSat().optimizer(task, self._bar)}
        if len(np.unique(self._bar.costs.own)) == 1:
            optimizers["sat"] = Sat().optimizer(task, self._bar)
        names = " and ".join(optimizers)
        if self._has_windows:
            optimizers["windows"] = WindowSearch(problem, self._bar, seed=1)
        self.notes = (*self.notes, f"then {names} searched{' side by side' if len(optimizers) > 1 else ''}")
        answer = search_by_optimizer(OptimizersTogether(optimizers, self._bar), task, self._bar)
        return replace(answer, backend=names)

    def _part(self, limits: Limits) -> SearchTask:
        """The task of one stage."""
        limits = self._within(limits)
        return replace(self._task, on_covers=self._on_covers, limits=limits, on_progress=self._pieces.next())

    def _within(self, limits: Limits) -> Limits:
        """The same limits within the time that is left."""
        seconds = self._task.limits.seconds
        return replace(limits, seconds=None if seconds is None else max(0.0, seconds - self.seconds()))


class _Once:
    """Hands on each cover once, although several stages find it."""

    def __init__(self, on_covers: OnCovers) -> None:
        self._on_covers, self._met = on_covers, set[bytes]()

    def take(self, batch: Batch) -> bool:
        """Receive covers."""
        new = []
        for row, cover in enumerate(batch):
            key = blake2b(np.sort(cover).tobytes(), digest_size=16).digest()
            if key not in self._met:
                self._met.add(key)
                new.append(row)
        return not new or self._on_covers(batch.at(np.array(new)))
