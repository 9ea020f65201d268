"""The bitmap kernel, natively: see native/kernel/kernel.cpp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from latcover.backends import _native
from latcover.backends.compiled import (
    chosen_kernel,
    clamped,
    native_problem,
    nodes_in,
    reports_for,
    result_of,
    search_arguments,
)
from latcover.backends.pricing import search_below_bar
from latcover.core.cover.backend import Backend, Tree
from latcover.core.cover.counter import Counter, CountTask
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Limits, OnProgress, SearchTask
from latcover.core.cover.simpler import depends_on_cells_alone
from latcover.errors import UnsupportedError
from latcover.system.machine import MOST_THREADS, threads_to_start

MOST_MEMORY = 1 << 20  # megabytes
NO_PAUSE = (1 << 64) - 1  # a search has no more branches
BRANCHES_OF_A_NODE = 8  # of an enumeration: they take about as long as a node with a memo
MOST_CONDITIONS = 500  # of terms with which branch and bound is quicker than a list


class Pauses(Struct, frozen=True):
    """Pauses of a search, in which something else may be done. The search goes on where it paused.

    Attributes:
        first: The branches at the first pause.
        call: Takes the branches, the covers and the share of the tree so far. It returns the branches at the next
            pause, `NO_PAUSE` for none, or 0 to stop the search. Other threads search only after the last pause.
    """

    first: int
    call: Callable[[int, int, float], int]


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
    limits_branches = True
    costs_by = "branch and bound"

    kernel: str | None = None
    threads: Annotated[int, Meta(ge=1, le=MOST_THREADS)] | None = None
    ordered: bool = True
    memory: Annotated[int, Meta(ge=0, le=MOST_MEMORY)] = 256

    def tree(self, problem: CoverProblem) -> Tree:
        """The tree of dancing links with ``size``."""
        return Tree("dlx", size=True)

    def search(self, task: SearchTask) -> SearchResult:
        """Find covers; see `latcover.Backend`.

        With a bar it searches by branch and bound on one thread: native/bitset/priced_kernel.cpp. Where nothing but
        many terms costs, their bound cuts little and takes long: then all covers are listed.
        """
        if task.bar is not None and (task.bar.costs.n_conditions <= MOST_CONDITIONS or task.bar.costs.own.any()):
            return search_below_bar(task, task.bar, bitmaps=True)
        threads, fewer = threads_to_start(self.threads)
        outcome = _native.bitset(
            native_problem(task.problem),
            kernel=chosen_kernel(self.kernel),
            threads=threads,
            ordered=self.ordered,
            **search_arguments(task),
        )
        return _result(outcome, fewer)

    def count(
        self,
        problem: CoverProblem,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
        pauses: Pauses | None = None,
        *,
        most_nodes: int | None = None,
    ) -> SearchResult:
        """Count the covers of *problem* without handing them over. ``figures.covers`` is exact, however large.

        If no part has an item and no item may be covered twice, the rest of the problem depends only on the covered
        items. The count then keeps results for sets of covered items (a memo), and ``figures.branches`` is None.
        With a limit of covers or branches there is no memo. A count with a memo stops after about *most_nodes*.

        Raises:
            OverflowError: there are 2**256 covers or more.
        """
        if limits.covers is not None:
            return self.search(SearchTask(problem, lambda _: True, limits, on_progress))
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
            memo_nodes=most_nodes,
            pause_at=None if pauses is None else pauses.first,
            on_pause=None if pauses is None else pauses.call,
        )
        memo = {"memo_entries": count.memo_entries, "memo_bytes": count.memo_bytes, "memo_hits": count.memo_hits}
        if not count.with_memo:
            return _result(count.result, fewer).with_figures(covers=count.covers)
        result = _result(count.result, fewer, **memo)
        return result.with_figures(covers=count.covers, branches=None, dead_ends=None)


class MemoCounter(Counter, frozen=True):
    """Searches by the bitmap kernel, and remembers what it has counted."""

    name = "memo"
    engine = Bitset.name
    honours_colours = True

    def why_not(self, problem: CoverProblem) -> str:
        """Of other parts the rest depends on more than the covered cells."""
        return "" if depends_on_cells_alone(problem) else "needs parts that may all be used without limit"

    def count(self, task: CountTask) -> SearchResult:
        """Count; see `latcover.Counter`."""
        kernel = Bitset(memory=min(max(1, task.budget.most_bytes >> 20), MOST_MEMORY))
        try:
            seconds, nodes = Limits(seconds=task.limits.seconds), nodes_in(task.limits, BRANCHES_OF_A_NODE)
            found = kernel.count(task.problem, seconds, task.on_progress, most_nodes=nodes)
        except OverflowError as fault:
            raise UnsupportedError(str(fault)) from None
        return self.result(found.covers if found.complete else None, found.stop, **found.native)


class EnumerationCounter(Counter, frozen=True):
    """Meets every cover by the bitmap kernel, but hands over none. It keeps a limit of branches too."""

    name = "enumeration"
    honours_colours = True

    def count(self, task: CountTask, pauses: Pauses | None = None) -> SearchResult:
        """Count; see `latcover.Counter`."""
        kernel = Bitset(threads=task.budget.threads, memory=0)
        return replace(kernel.count(task.problem, task.limits, task.on_progress, pauses), backend=kernel.name)


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
