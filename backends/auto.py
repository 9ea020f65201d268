"""Choosing a backend for the task."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from msgspec.structs import replace

from latcover.backends.compiled import Stranding
from latcover.core.cover.backend import Backend, Tree
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits, Pieces, Rule, SearchTask
from latcover.core.cover.solver_registry import create
from latcover.system.machine import threads_to_start

LOOK = 4000  # branches of the kernel, in each of two orders of the options
LARGE = 100_000  # entries of options; in a larger puzzle `restarts` finds a cover as fast as the kernel is set up
# Branches that come next: 200,000 of a small problem, 2,000 of one with half a million entries. So they take some ten
# milliseconds, and nearly every puzzle shows a solution meanwhile.
FIRST_WORK = 1 << 30  # branches times entries of options
LEAST_ENTRIES = 1 << 12  # as if there were so many at least
TRY = 20_000  # branches' worth of `restarts` in a small puzzle
LONG_TRY = 1_000_000  # in a large one
MOST_TO_REORDER = 30_000  # entries; to put more into a crowded order takes longer than a try
RESTARTS = 8  # orders that begin with the least crowded options, each but the first with a share of chance
PATIENCE = 20  # times as many branches as came first, before several search side by side
MIXED = 8  # times as large as the least part is the largest one of parts that differ much in size
FILLING = 100_000  # branches of the direct method for these
MOST_FOR_CPSAT = 3_000_000  # entries of options; its model would take gigabytes


class Auto(Backend, frozen=True):
    """Picks the backend that suits the task, and says which.

    It usually picks the bitmap kernel. It picks dancing links for stranding. It picks the direct method if the search
    takes items in their order, because that walks the same tree faster; if items have colours too, dancing links.

    A search for a single cover begins with tries, each with a limit of branches, so that the same one finds a cover in
    every run. The kernel looks at the problem in two orders; then it takes some ten milliseconds for each of several,
    most of which begin with the least crowded options; then it goes on for long in one of these. Where there are cells,
    `restarts` has a try too, and in a large puzzle it comes first; before it, if parts differ much in size, the direct
    method fills the first empty cell with the largest that fits. If there is no cover yet, three backends go on side
    by side: `restarts` finds a cover of a large puzzle, CP-SAT learns from its failures, and the first one may still
    prove that there is none. Where items have colours, the kernel has a single try, and `restarts` is left out.

    Attributes:
        size: As for `dlx` and `backtrack`.
        strand: As for `dlx` and `backtrack`.
        threads: As for `bitset`. Side by side, the backends share them, but each has at least one.
    """

    name = "auto"
    honours_colours = True
    limits_branches = True
    only_picks = True
    whole_rules = "learns"  # where it packs; other covers are checked when they are whole

    size: bool = True
    strand: Stranding = "no"
    threads: int | None = None

    def pick(self, problem: CoverProblem) -> Backend:
        """The backend that searches *problem* first."""
        if self.size and self.strand == "no":
            return create("bitset", threads=self.threads)
        return create("dlx" if self.size or problem.has_colours else "backtrack", size=self.size, strand=self.strand)

    @property
    def rule(self) -> Rule:
        return create("dlx", size=self.size).rule  # the others that it picks walk the same tree

    @property
    def leaves_method_open(self) -> bool:
        return self.size and self.strand == "no"  # a number of threads does not ask for a method

    def tree(self, problem: CoverProblem) -> Tree:
        """The tree of the backend that it picks."""
        return self.pick(problem).tree(problem)

    def search(self, task: SearchTask) -> SearchResult:
        """Find covers; see `latcover.Backend`."""
        problem, limits, picked = task.problem, task.limits, self.pick(task.problem)
        most = math.inf if limits.seconds is None else limits.seconds
        if task.bar is not None and limits.branches is None:
            from latcover.backends.packing import PackingMeans, is_packing, search_packing  # only packings need these

            if is_packing(problem, task.bar):
                means = PackingMeans(picked, min(TRY, _first(problem)), self._tries_for_full, MOST_FOR_CPSAT)
                return search_packing(means, task, task.bar)
        if task.bar is not None or limits.covers != 1 or limits.branches is not None:
            return _named(picked, picked.search(replace(task, veto=None)))
        task = replace(task, veto=None)
        pieces, began = Pieces(task.on_progress), time.perf_counter()

        def left() -> float | None:
            return None if most == math.inf else max(0.0, most - (time.perf_counter() - began))

        spent = 0
        for backend, until in self._tries(picked, problem):
            result = backend.search(replace(task, limits=replace(until, seconds=left()), on_progress=pieces.next()))
            if result.stop is not Stop.BRANCH_LIMIT:
                notes = (f"{_in_vain(picked, spent)}; then {backend.name} had a try",) if spent else ()
                return replace(_named(backend, result), notes=(*result.notes, *(notes if backend != picked else ())))
            spent += until.branches or 0
        from latcover.backends.side_by_side import search_side_by_side  # here, since few searches come to it

        others = self._side_by_side(picked, problem)
        rest = replace(limits, seconds=left())
        result = search_side_by_side(others, replace(task, limits=rest, on_progress=pieces.next()))
        names = " and ".join(filter(None, [", ".join(each.name for each in others[:-1]), others[-1].name]))
        return replace(result, notes=(*result.notes, f"{_in_vain(picked, spent)}; then {names} searched side by side"))

    def _tries(self, picked: Backend, problem: CoverProblem) -> Iterator[tuple[Backend, Limits]]:
        """What tries before several search side by side, and with which limits; `restarts` knows its own."""
        from latcover.backends.reordered import Reordered, crowded, largest_first, spread

        entries, first = len(problem.option_items), _first(problem)
        some, many = Limits(1, first), Limits(1, PATIENCE * first)
        if not self._may_restart(picked, problem):
            yield picked, many if picked.name == "bitset" else some  # a branch of another takes ten times as long
            return
        if entries > LARGE and len(problem.part_sizes):
            if problem.part_sizes.max() >= MIXED * problem.part_sizes.min():
                yield Reordered(create("backtrack"), largest_first), Limits(1, FILLING)
            yield create("restarts", threads=1, work=LONG_TRY), Limits(1)
            yield picked, many
            return
        look = Limits(1, min(LOOK, first))
        yield picked, look
        yield Reordered(picked, spread), look
        yield picked, some
        if problem.n_cells:
            yield create("restarts", threads=1, work=TRY), Limits(1)
        if entries > MOST_TO_REORDER:
            yield picked, many
            return
        for seed in range(RESTARTS):
            yield Reordered(picked, crowded(seed)), some
        yield Reordered(picked, crowded(0)), many

    def _tries_for_full(self, problem: CoverProblem) -> Iterator[tuple[Backend, Limits]]:
        """What looks for a fullest packing: tries that find one soon if there are many, or show soon that none is."""
        picked = self.pick(problem)
        if not self._may_restart(picked, problem):
            yield picked, Limits(1, _first(problem))
            return
        from latcover.backends.reordered import Reordered, crowded

        if len(problem.option_items) > LARGE:
            yield create("restarts", threads=1, work=LONG_TRY), Limits(1)
        yield picked, Limits(1, _first(problem))
        if len(problem.option_items) <= LARGE:
            yield create("restarts", threads=1, work=TRY), Limits(1)
            yield Reordered(picked, crowded(0)), Limits(1, _first(problem))

    def _may_restart(self, picked: Backend, problem: CoverProblem) -> bool:
        return picked.name == "bitset" and not problem.has_colours

    def _side_by_side(self, picked: Backend, problem: CoverProblem) -> list[Backend]:
        """The backends that search for a cover together, with the threads that each may use."""
        threads, _ = threads_to_start(self.threads)
        found: list[Backend] = [picked.on_one_thread()]
        if self._may_restart(picked, problem):
            found.append(create("restarts", threads=max(1, threads // 2), seed=1))  # seed 0 had a try
        if len(problem.option_items) <= MOST_FOR_CPSAT:
            found.append(create("cpsat", threads=max(1, threads - threads // 2 - 1)))
        return found


def _first(problem: CoverProblem) -> int:
    """The branches of a try that takes some ten milliseconds."""
    return FIRST_WORK // max(len(problem.option_items), LEAST_ENTRIES)


def _in_vain(backend: Backend, branches: int) -> str:
    return f"{backend.name} found nothing in {branches:,} branches"


def _named(backend: Backend, result: SearchResult) -> SearchResult:
    return replace(result, backend=result.backend or backend.name)
