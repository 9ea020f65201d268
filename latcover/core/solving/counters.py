"""The methods of counting covers; `trying` chooses among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, Protocol

from latcover.backends.bitset import MOST_MEMORY, Bitset
from latcover.backends.components import count_by_components
from latcover.backends.frontier import Budget, Orders, WorkReports, count_covers
from latcover.backends.kasteleyn import count_matchings
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.search import Limits, OnProgress
from latcover.errors import UnsupportedError

Method = Literal["auto", "enumeration", "frontier", "components", "memo", "kasteleyn"]
COUNTED_BY: dict[str, str] = {
    "enumeration": "bitset",
    "frontier": "frontier",
    "components": "components",
    "memo": "bitset",
    "kasteleyn": "kasteleyn",
}
LISTING = "count by enumeration (--method enumeration)"

Counter = Callable[[CoverProblem, Limits, OnProgress | None], SearchResult]
"""Counts the covers of a problem. ``figures.covers`` is a lower bound if the result is not complete."""


class MakeCounter(Protocol):
    """Makes a counter with bounds on what it may use."""

    def __call__(self, budget: Budget) -> Counter: ...


def by_frontier(budget: Budget, orders: Orders | None = None, work_reports: WorkReports | None = None) -> Counter:
    """The frontier; *orders* and *work_reports* as in `count_covers`."""
    count = partial(count_covers, budget=budget, orders=orders, work_reports=work_reports)
    return _counter(count, "frontier", ("width", "states", "bytes", "bytes_on_disk"))


def by_components(budget: Budget) -> Counter:
    """A search that counts the components of what is left one by one, and remembers them."""
    figures = ("nodes", "splits", "memo_entries", "memo_bytes", "memo_hits")
    return _counter(partial(count_by_components, most_bytes=budget.most_bytes), "components", figures)


def by_kasteleyn(budget: Budget) -> Counter:
    """A determinant, for dominoes on a planar board."""
    return _counter(partial(count_matchings, most_bytes=budget.most_bytes), "kasteleyn", ("vertices", "edges", "rows"))


def _counter(count: Callable[..., Any], method: Method, figures: tuple[str, ...]) -> Counter:
    """A counter by a method whose results have these figures."""

    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> SearchResult:
        found = count(problem, limits, on_progress)
        return _result(found.covers, found.stop, {name: getattr(found, name) for name in figures}, method)

    return counter


def by_memo(budget: Budget) -> Counter:
    """A search that remembers what it has counted."""
    kernel = Bitset(memory=min(max(1, budget.most_bytes >> 20), MOST_MEMORY))

    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> SearchResult:
        try:
            outcome = kernel.count(problem, limits, on_progress)
        except OverflowError as fault:
            raise UnsupportedError(str(fault)) from None
        covers = outcome.figures.covers if outcome.complete else None
        return _result(covers, outcome.stop, outcome.figures.native, "memo")

    return counter


def by_enumeration(threads: int | None) -> Counter:
    """A search that meets every cover."""
    return Bitset(threads=threads, memory=0).count


def _result(covers: int | None, stop: Stop, native: Mapping[str, Any], method: Method) -> SearchResult:
    """The result of a method that does not branch."""
    return SearchResult(stop, SearchFigures(covers or 0, None, None, native=native), method=method)


NAMED: dict[Method, MakeCounter] = {
    "frontier": by_frontier,
    "components": by_components,
    "memo": by_memo,
    "kasteleyn": by_kasteleyn,
}
