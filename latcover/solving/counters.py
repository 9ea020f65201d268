"""The methods of counting covers; `trying` chooses among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from latcover.backends.bitset import MOST_MEMORY, Bitset
from latcover.backends.components import count_by_components
from latcover.backends.frontier import MOST_WIDTH, Narrow, count_covers
from latcover.backends.kasteleyn import count_matchings
from latcover.cover.problem import CoverProblem
from latcover.cover.search import Limits, OnProgress, Stop
from latcover.errors import UnsupportedError

Method = Literal["auto", "enumeration", "frontier", "components", "memo", "kasteleyn"]
COUNTED_BY: dict[Method, str] = {
    "enumeration": "bitset",
    "frontier": "frontier",
    "components": "components",
    "memo": "bitset",
    "kasteleyn": "kasteleyn",
}
LISTING = "count by enumeration (--method enumeration)"


@dataclass(frozen=True, slots=True)
class Counted:
    """What a method found out about one problem.

    Attributes:
        covers: The number of covers; None if the count was cut short.
        at_least: If it was cut short, how many covers were met.
        native: Figures of the method.
        branches: Options tried, if the method tells.
    """

    covers: int | None
    stop: Stop
    native: Mapping[str, Any]
    method: Method
    at_least: int = 0
    branches: int | None = None
    notes: tuple[str, ...] = ()


Counter = Callable[[CoverProblem, Limits, OnProgress | None], Counted]


class MakeCounter(Protocol):
    """Makes a counter that takes at most so much memory."""

    def __call__(self, most_bytes: int) -> Counter: ...


def by_frontier(most_bytes: int, narrow: Narrow | None = None) -> Counter:
    """The frontier; *narrow* is an order that is known already."""

    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> Counted:
        found = count_covers(problem, limits, on_progress, most_bytes=most_bytes, most_width=MOST_WIDTH, narrow=narrow)
        figures = {"width": found.width, "states": found.states, "bytes": found.bytes}
        return Counted(found.covers, found.stop, figures, "frontier")

    return counter


def by_components(most_bytes: int) -> Counter:
    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> Counted:
        found = count_by_components(problem, limits, on_progress, most_bytes=most_bytes)
        return Counted(found.covers, found.stop, found.figures, "components")

    return counter


def by_kasteleyn(most_bytes: int) -> Counter:
    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> Counted:
        found = count_matchings(problem, limits, on_progress, most_bytes=most_bytes)
        figures = {"vertices": found.vertices, "edges": found.edges, "rows": found.rows}
        return Counted(found.covers, found.stop, figures, "kasteleyn")

    return counter


def by_memo(most_bytes: int) -> Counter:
    kernel = Bitset(memory=min(max(1, most_bytes >> 20), MOST_MEMORY))

    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> Counted:
        try:
            outcome = kernel.count(problem, limits, on_progress)
        except OverflowError as fault:
            raise UnsupportedError(str(fault)) from None
        covers = outcome.statistics.covers if outcome.stop is Stop.EXHAUSTED else None
        return Counted(covers, outcome.stop, outcome.statistics.native, "memo")

    return counter


def by_enumeration(threads: int | None) -> Counter:
    kernel = Bitset(threads=threads, memory=0)

    def counter(problem: CoverProblem, limits: Limits, on_progress: OnProgress | None) -> Counted:
        outcome = kernel.count(problem, limits, on_progress)
        figures, met = outcome.statistics, outcome.statistics.covers
        complete = outcome.stop is Stop.EXHAUSTED
        return Counted(
            met if complete else None,
            outcome.stop,
            figures.native,
            "enumeration",
            0 if complete else met,
            figures.branches,
            outcome.notes,
        )

    return counter


NAMED: dict[Method, MakeCounter] = {
    "frontier": by_frontier,
    "components": by_components,
    "memo": by_memo,
    "kasteleyn": by_kasteleyn,
}
