"""The bitmap kernel, natively: see native/kernel/kernel.cpp."""

from __future__ import annotations

from latcover.backends import _native, require_range
from latcover.backends.compiled import (
    chosen_kernel,
    clamped,
    native_problem,
    reports_for,
    result_of,
    search_arguments,
)
from latcover.backends.pricing import improve_natively
from latcover.core.cover.cover_costs import Costs
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Backend, Limits, OnBound, OnCovers, OnPriced, OnProgress, Tree
from latcover.system.machine import MOST_THREADS, threads_to_start

MOST_MEMORY = 1 << 20  # megabytes
MOST_CONDITIONS = 500  # of terms with which branch and bound is quicker than a list


class Bitset(Backend, frozen=True):
    """Exact covers by bitmaps: the tree of dancing links with ``size``, at a small part of its cost.

    If a problem is too large for bitmaps, dancing links search it, and a note says so.

    Attributes:
        kernel: The compiled form to run; None takes the one that the environment names, or the fastest.
        threads: How many threads may search; None takes the available processors. Small problems use one thread.
        ordered: Whether covers come in the order of a single thread, the same in every run; if False, as found.
        memory: Megabytes in which a count may keep results, if that pays; with 0 it keeps none.
    """

    name = "bitset"
    honours_colours = True
    costs_by = "branch and bound"

    kernel: str | None = None
    threads: int | None = None
    ordered: bool = True
    memory: int = 256

    def __post_init__(self) -> None:
        if self.threads is not None:
            require_range(self.name, "threads", self.threads, 1, MOST_THREADS)
        require_range(self.name, "memory", self.memory, 0, MOST_MEMORY)

    def tree(self, problem: CoverProblem) -> Tree:
        """The tree of dancing links with ``size``."""
        return Tree("dlx", size=True)

    def search(
        self,
        problem: CoverProblem,
        on_covers: OnCovers,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
    ) -> SearchResult:
        """Find every cover of *problem*; see `latcover.core.cover.search.Backend`."""
        threads, fewer = threads_to_start(self.threads)
        outcome = _native.bitset(
            native_problem(problem),
            kernel=chosen_kernel(self.kernel),
            threads=threads,
            ordered=self.ordered,
            **search_arguments(on_covers, limits, on_progress),
        )
        return _result(outcome, fewer)

    def improve(
        self,
        problem: CoverProblem,
        costs: Costs,
        bar: int,
        on_priced: OnPriced,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
        on_bound: OnBound | None = None,
    ) -> SearchResult:
        """Find covers that cost at most a falling bar, by branch and bound on one thread.

        See native/bitset/priced_kernel.cpp. Where nothing but many terms costs, their bound cuts little and takes long:
        then all covers are listed.
        """
        if costs.n_conditions > MOST_CONDITIONS and not costs.own.any():
            return Backend.improve(self, problem, costs, bar, on_priced, limits, on_progress, on_bound)
        return improve_natively(problem, costs, bar, on_priced, limits, on_progress, on_bound, bitmaps=True)

    def count(
        self,
        problem: CoverProblem,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
    ) -> SearchResult:
        """Count the covers of *problem* without handing them over. ``statistics.covers`` is exact, however large.

        If no part has an item and no item may be covered twice, the rest of the problem depends only on the covered
        items. The count then keeps results for sets of covered items (a memo), and ``statistics.branches`` is None.
        With a limit of covers or branches there is no memo.

        Raises:
            OverflowError: there are 2**256 covers or more.
        """
        if limits.covers is not None:
            return self.search(problem, lambda _: True, limits, on_progress)
        parts_have_items = len(problem.part_sizes) > 0
        threads, fewer = threads_to_start(self.threads)
        count = _native.bitset_count(
            native_problem(problem),
            kernel=chosen_kernel(self.kernel),
            threads=threads,
            memo_bytes=0 if parts_have_items else self.memory << 20,
            max_branches=clamped(limits.branches),
            max_seconds=limits.seconds,
            on_progress=reports_for(on_progress),
        )
        memo = {"memo_entries": count.memo_entries, "memo_bytes": count.memo_bytes, "memo_hits": count.memo_hits}
        if not count.with_memo:
            return _result(count.result, fewer).with_figures(covers=count.covers)
        result = _result(count.result, fewer, **memo)
        return result.with_figures(covers=count.covers, branches=None, dead_ends=None)


def _result(outcome: _native.BitsetOutcome, fewer: str, **memo: int) -> SearchResult:
    """The result of a search or a count; *fewer* says why there are fewer threads than wanted."""
    return result_of(
        outcome.outcome,
        fewer if outcome.threads > 1 else "",
        outcome.note,
        kernel=outcome.kernel,
        threads=outcome.threads,
        subproblems=outcome.subproblems,
        **memo,
    )
