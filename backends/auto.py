"""Choosing a backend for the task."""

from __future__ import annotations

import math
import time

from msgspec.structs import replace

from latcover.backends.compiled import Stranding
from latcover.core.cover.backend import Backend, Tree
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits, Pieces, Rule, SearchTask
from latcover.core.cover.solver_registry import create
from latcover.system.machine import threads_to_start

LOOK = 2000  # branches of the kernel, in each of two orders of the options
LARGE = 100_000  # entries of options; in a larger puzzle `restarts` finds a cover as fast as the kernel is set up
# Branches that come next: 200,000 of a small problem, 2,000 of one with half a million entries. So they take some ten
# milliseconds, and nearly every puzzle shows a solution meanwhile; and a solution that they find is found in every run.
FIRST_WORK = 1 << 30  # branches times entries of options
LEAST_ENTRIES = 1 << 12  # as if there were so many at least
TRY = 0.01  # seconds for `restarts` after these branches, in a small problem
TRY_OF_ENTRY = 2e-7  # seconds more for each entry: it has more to set up
PATIENCE = 0.3  # seconds, before several search side by side
MOST_FOR_CPSAT = 3_000_000  # entries of options; its model would take gigabytes


class Auto(Backend, frozen=True):
    """Picks the backend that suits the task, and says which.

    It usually picks the bitmap kernel. It picks dancing links for stranding. It picks the direct method if the search
    takes items in their order, because that walks the same tree faster; if items have colours too, dancing links.

    A search for a single cover begins with short tries: a moment of the kernel, another with the options in another
    order, some ten milliseconds of the kernel, and about as long of `restarts`, which alone tries in a large puzzle. If
    there is no cover after a moment more, three backends go on side by side: `restarts` finds a cover of a large
    puzzle, CP-SAT learns from its failures, and the first one may still prove that there is none. Where items have
    colours, there are no tries, and `restarts` is left out.

    Attributes:
        size: As for `dlx` and `backtrack`.
        strand: As for `dlx` and `backtrack`.
        threads: As for `bitset`. Side by side, the backends share them, but each has at least one.
    """

    name = "auto"
    honours_colours = True
    limits_branches = True
    only_picks = True

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
        if task.bar is not None or limits.covers != 1 or limits.branches is not None or most <= PATIENCE:
            return _named(picked, picked.search(task))
        pieces, began = Pieces(task.on_progress), time.perf_counter()

        def left() -> float:
            return max(0.0, most - (time.perf_counter() - began))

        def attempt(backend: Backend, until: Limits) -> SearchResult:
            return backend.search(replace(task, limits=until, on_progress=pieces.next()))

        tries = self._tries(picked, problem) if self._may_restart(picked, problem) else ()
        before = ""
        for backend, until in tries:
            most_of_try = left() if until.seconds is None else min(until.seconds, left())
            result = attempt(backend, replace(until, seconds=None if most_of_try == math.inf else most_of_try))
            undecided = Stop.TIME_LIMIT if until.branches is None else Stop.BRANCH_LIMIT
            if result.stop is not undecided:
                notes = (f"{before}; then {backend.name} had a try",) if before and backend is not picked else ()
                return replace(_named(backend, result), notes=(*result.notes, *notes))
            if until.branches is not None:
                before = f"{picked.name} found nothing in {until.branches:,} branches"
        result = attempt(picked, replace(limits, seconds=min(PATIENCE, left())))
        if result.stop is not Stop.TIME_LIMIT:
            return _named(picked, result)
        from latcover.backends.side_by_side import search_side_by_side  # here, since few searches come to it

        others = self._side_by_side(picked, problem)
        rest = replace(limits, seconds=None if limits.seconds is None else left())
        result = search_side_by_side(others, replace(task, limits=rest, on_progress=pieces.next()))
        names = " and ".join(filter(None, [", ".join(each.name for each in others[:-1]), others[-1].name]))
        note = f"{picked.name} found nothing in {PATIENCE:g} s; then {names} searched side by side"
        return replace(result, notes=(*result.notes, note))

    def _tries(self, picked: Backend, problem: CoverProblem) -> tuple[tuple[Backend, Limits], ...]:
        """What tries first, and with which limits."""
        entries = len(problem.option_items)
        restarts = create("restarts", threads=1), Limits(1, seconds=TRY + TRY_OF_ENTRY * entries)
        if entries > LARGE and len(problem.part_sizes):
            return (restarts,)
        from latcover.backends.shuffled import Shuffled

        first = FIRST_WORK // max(entries, LEAST_ENTRIES)
        look = Limits(1, min(LOOK, first))
        return (picked, look), (Shuffled(picked), look), (picked, Limits(1, first)), restarts

    def _may_restart(self, picked: Backend, problem: CoverProblem) -> bool:
        return picked.name == "bitset" and not problem.has_colours

    def _side_by_side(self, picked: Backend, problem: CoverProblem) -> list[Backend]:
        """The backends that search for a cover together, with the threads that each may use."""
        threads, _ = threads_to_start(self.threads)
        found = [picked.on_one_thread()]
        if self._may_restart(picked, problem):
            found.append(create("restarts", threads=max(1, threads // 2)))
        if len(problem.option_items) <= MOST_FOR_CPSAT:
            found.append(create("cpsat", threads=max(1, threads - threads // 2 - 1)))
        return found


def _named(backend: Backend, result: SearchResult) -> SearchResult:
    return replace(result, backend=result.backend or backend.name)
