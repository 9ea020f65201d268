"""Counting covers without listing them, by the frontier: see native/frontier/frontier.cpp."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import Struct

from latcover.backends import _native
from latcover.backends.compiled import native_problem
from latcover.core.cover.counter import MOST_BYTES, Counter, CountTask
from latcover.core.cover.diagram import Diagram
from latcover.core.cover.honouring import refuse_repeated_items
from latcover.core.cover.keeping import Keeper, key_of
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits, OnProgress, Progress
from latcover.core.cover.simpler import without_implied_item
from latcover.errors import TooLargeError, UnsupportedError
from latcover.system.machine import threads_to_start

MOST_WIDTH = 256  # bits: the native counter takes no wider frontier
WORK_OF_A_BRANCH = 24  # of a frontier of one word: takes as long as a branch of the enumeration
MOST_WORK = 2.0**63  # more than any count does
FIGURES = ("width", "states", "bytes", "bytes_on_disk")

FrontierCount = _native.FrontierCount


class Orders(Struct, frozen=True, eq=False):
    """Orders of the items for a frontier.

    Attributes:
        items: The items of each order, shape (n_orders, n_items), int32.
        width: How wide the frontier is in the first of them, in bits: one for each cell or part.
    """

    items: Ints
    width: int


def can_count(problem: CoverProblem) -> bool:
    """Whether no item may be held more than once, except by options that hold it in one colour."""
    return not (problem.high > 1).any()


def orders_of(problem: CoverProblem) -> Orders:
    """An order that keeps the frontier narrow, and sweeps of the problem that may have fewer states, to race with it.

    Source: native/frontier/frontier_order.hpp.
    """
    bound = native_problem(problem)
    joined = _native.frontier_orders(bound, problem.sweeps.reshape(-1))
    items = joined.reshape(max(1, len(joined) // max(1, problem.n_items)), problem.n_items)
    return Orders(items, _native.frontier_width(bound, items[0]))


class FrontierSearch:
    """A count that can pause, of a problem in which no item may be held more than once.

    Args:
        task: The count; `count` keeps its limit of seconds.
        orders: The orders that race, as `orders_of` gives them.

    Raises:
        UnsupportedError: an item may be held more than once, or the frontier is too wide.
    """

    def __init__(self, task: CountTask, orders: Orders) -> None:
        budget = task.budget
        refuse_repeated_items("the frontier", task.problem)
        _require_narrow(orders.width)
        folder = tempfile.gettempdir()
        self._keeper, self._on_progress = budget.keeper, task.on_progress
        self._search = _native.FrontierSearch(
            native_problem(task.problem),
            orders.items.reshape(-1),
            most_bytes=budget.most_bytes,
            most_on_disk=budget.most_on_disk and min(budget.most_on_disk, shutil.disk_usage(folder).free),
            folder=folder,
            threads=threads_to_start(budget.threads)[0],
            **_keeping(budget.keeper, task.problem, orders),
        )

    def count(self, limits: Limits, until_work: float = MOST_WORK) -> FrontierCount:
        """Begin or go on, until it has done this work in all. Its stop is then BRANCH_LIMIT.

        The work depends on nothing but the problem and the orders.

        Raises:
            TooLargeError: the frontier needs more memory or disk than the budget allows.
            LatcoverError: the keeper's, if the states that it kept are damaged.
        """
        try:
            return self._search.count(int(min(until_work, MOST_WORK)), limits.seconds, _reports(self._on_progress))
        except UnsupportedError as fault:  # the width was checked, so the fault is the memory or the disk
            raise TooLargeError(str(fault)) from None
        except ValueError as fault:
            if self._keeper is None:
                raise
            raise self._keeper.damaged(str(fault)) from None


def count_covers(task: CountTask, orders: Orders | None = None, most_work: float = MOST_WORK) -> FrontierCount:
    """Count the covers of a problem in one go; see `FrontierSearch`. Without orders it calls `orders_of`."""
    return FrontierSearch(task, orders or orders_of(task.problem)).count(task.limits, most_work)


def _require_narrow(width: int) -> None:
    if width > MOST_WIDTH:
        raise UnsupportedError(f"the frontier is wider than {MOST_WIDTH} cells, parts and bits of sides")


def _reports(on_progress: OnProgress | None) -> Callable[[float, int, int, float], bool] | None:
    """The callback of a native sweep."""
    if on_progress is None:
        return None
    return lambda share, _work, _covers, seconds: on_progress(Progress(share, None, 0, seconds))


def _keeping(keeper: Keeper | None, problem: CoverProblem, orders: Orders) -> dict[str, Any]:
    """What the native count is told of a keeper."""
    if keeper is None:
        return {}
    key = key_of(problem, orders.items)
    more = {"on_keep": partial(keeper.keep, key), "keep_seconds": keeper.seconds}
    if (kept := keeper.kept(key)) is not None:
        more |= {"kept_path": str(kept.path), "kept_from": kept.start, "kept_seed": kept.seed}
    return more


class FrontierCounter(Counter, frozen=True):
    """Sweeps over the puzzle, and keeps what can still be reached, without how."""

    name = "frontier"
    honours_colours = True
    keeps_states = True

    def why_not(self, problem: CoverProblem) -> str:
        """Items that are held several times have more states than it keeps."""
        if (without_implied_item(problem).high > 1).any():
            return "takes only parts that may be used once, or any number of times, and no rules that count parts"
        return ""

    def count(self, task: CountTask) -> SearchResult:
        """Count; see `latcover.Counter`."""
        branches = task.limits.branches
        return self.result_of(
            count_covers(task, most_work=MOST_WORK if branches is None else WORK_OF_A_BRANCH * branches)
        )

    def result_of(self, found: FrontierCount) -> SearchResult:
        """The result of a native count."""
        return self.result(found.covers, found.stop, **{name: getattr(found, name) for name in FIGURES})


class MadeDiagram(Struct, frozen=True, eq=False):
    """A diagram of all covers, None if the work was stopped; and how many states, and how much memory, it took."""

    stop: Stop
    diagram: Diagram | None
    states: int
    bytes: int


def make_diagram(
    problem: CoverProblem,
    order: Ints,
    limits: Limits = Limits(),
    on_progress: OnProgress | None = None,
    *,
    most_bytes: int = MOST_BYTES,
    most_work: float = MOST_WORK,
) -> MadeDiagram:
    """The diagram of all covers of *problem*, whose levels follow *order* (`latcover.core.cover.diagram.level_order`).

    Args:
        problem: A problem in which no item may be held more than once.
        order: The order in which to take the items.
        limits: Only the limit of seconds applies.
        on_progress: May stop the work by returning False.
        most_bytes: The memory that the states and the diagram may take.
        most_work: Stop at this work of the frontier, as `FrontierSearch` measures it.

    Raises:
        UnsupportedError: an item may be held more than once, or the frontier is too wide.
        TooLargeError: more memory is needed than *most_bytes*.
    """
    refuse_repeated_items("the frontier", problem)
    bound = native_problem(problem)
    _require_narrow(_native.frontier_width(bound, order))
    try:
        made = _native.diagram(
            bound,
            order,
            most_bytes=most_bytes,
            most_work=int(min(most_work, MOST_WORK)),
            max_seconds=limits.seconds,
            on_progress=_reports(on_progress),
        )
    except UnsupportedError as fault:
        raise TooLargeError(str(fault)) from None
    arrays = made.options, made.starts, made.low, made.high, made.root, problem.n_options
    return MadeDiagram(made.stop, Diagram(*arrays) if made.stop is Stop.EXHAUSTED else None, made.states, made.bytes)
