"""Counting covers without listing them, by the frontier: see native/frontier/frontier.cpp."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import Struct

from latcover.backends import _native, refuse_colours, refuse_repeated_items
from latcover.backends.compiled import native_problem
from latcover.core.cover.diagram import Diagram
from latcover.core.cover.keeping import Keeper, key_of
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Limits, OnProgress, Progress
from latcover.errors import TooLargeError, UnsupportedError
from latcover.system.machine import threads_to_start

MOST_BYTES = 1 << 30
MOST_WIDTH = 256  # the native counter takes no wider frontier
MOST_WORK = 2.0**63  # more than any count does

FrontierCount = _native.FrontierCount


class Budget(Struct, frozen=True):
    """What a count may use.

    Attributes:
        most_bytes: The memory that states may take.
        most_on_disk: The bytes that further states may take in a temporary file.
        threads: How many threads count together; None takes the available processors.
        keeper: Keeps the count of a frontier while it goes on; None keeps nothing.
    """

    most_bytes: int = MOST_BYTES
    most_on_disk: int = 0
    threads: int | None = 1
    keeper: Keeper | None = None


class Orders(Struct, frozen=True, eq=False):
    """Orders of the items for a frontier.

    Attributes:
        items: The items of each order, shape (n_orders, n_items), int32.
        width: How wide the frontier is in the first of them.
    """

    items: Ints
    width: int


class WorkReports(Struct, frozen=True):
    """Reports of the frontier's work, which depends on nothing but the problem and the order.

    Attributes:
        after: The work until the first report; there is another whenever it has doubled, and there may be more.
        call: Takes the work so far, and the share of the items taken. It may end the count by returning False.
    """

    after: float
    call: Callable[[int, float], bool]


def can_count(problem: CoverProblem) -> bool:
    """Whether no item may be held more than once, and no options may share an item by a colour."""
    return not (problem.high > 1).any() and not problem.has_colours


def _require_items_held_once(problem: CoverProblem) -> None:
    refuse_colours("the frontier", problem)
    refuse_repeated_items("the frontier", problem)


def orders_of(problem: CoverProblem) -> Orders:
    """An order that keeps the frontier narrow, and sweeps of the problem that may have fewer states, to race with it.

    Source: native/frontier/frontier_order.hpp.
    """
    bound = native_problem(problem)
    joined = _native.frontier_orders(bound, problem.sweeps.reshape(-1))
    items = joined.reshape(max(1, len(joined) // max(1, problem.n_items)), problem.n_items)
    return Orders(items, _native.frontier_width(bound, items[0]))


def count_covers(
    problem: CoverProblem,
    limits: Limits = Limits(),
    on_progress: OnProgress | None = None,
    *,
    budget: Budget = Budget(),
    orders: Orders | None = None,
    work_reports: WorkReports | None = None,
) -> FrontierCount:
    """Count the covers of *problem*.

    Args:
        problem: A problem in which no item may be held more than once.
        limits: Only the limit of seconds applies.
        on_progress: May stop the count by returning False.
        budget: Memory, disk and threads, and who keeps the count.
        orders: The orders that race, as `orders_of` gives them, which is called for None.
        work_reports: Reports beside those of *on_progress*.

    Raises:
        UnsupportedError: an item may be held more than once, or has colours; or the frontier is too wide.
        TooLargeError: the frontier needs more memory or disk than *budget* allows.
        LatcoverError: the keeper's, if the states that it kept are damaged.
    """
    _require_items_held_once(problem)
    orders = orders or orders_of(problem)
    if orders.width > MOST_WIDTH:
        raise UnsupportedError(f"the frontier is wider than {MOST_WIDTH} cells and parts")

    def report(share: float, work: int, _: int, seconds: float) -> bool:
        if on_progress is not None and not on_progress(Progress(share, None, 0, seconds)):
            return False
        return work_reports is None or work_reports.call(work, share)

    folder = tempfile.gettempdir()
    after = None if work_reports is None else int(min(work_reports.after, MOST_WORK))
    try:
        return _native.frontier_count(
            native_problem(problem),
            orders.items.reshape(-1),
            most_bytes=budget.most_bytes,
            most_on_disk=budget.most_on_disk and min(budget.most_on_disk, shutil.disk_usage(folder).free),
            folder=folder,
            threads=threads_to_start(budget.threads)[0],
            max_seconds=limits.seconds,
            report_after=after,
            on_progress=report,
            **_keeping(budget.keeper, problem, orders),
        )
    except UnsupportedError as fault:  # the width was checked above, so the fault is the memory or the disk
        raise TooLargeError(str(fault)) from None
    except ValueError as fault:
        if budget.keeper is None:
            raise
        raise budget.keeper.damaged(str(fault)) from None


def _keeping(keeper: Keeper | None, problem: CoverProblem, orders: Orders) -> dict[str, Any]:
    """What the native count is told of a keeper."""
    if keeper is None:
        return {}
    key = key_of(problem, orders.items)
    more = {"on_keep": partial(keeper.keep, key), "keep_seconds": keeper.seconds}
    if (kept := keeper.kept(key)) is not None:
        more |= {"kept_path": str(kept.path), "kept_from": kept.start, "kept_seed": kept.seed}
    return more


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
        most_work: Stop at this work of the frontier, as `WorkReports` measures it.

    Raises:
        UnsupportedError: an item may be held more than once, or has colours; or the frontier is too wide.
        TooLargeError: more memory is needed than *most_bytes*.
    """
    _require_items_held_once(problem)
    bound = native_problem(problem)
    if _native.frontier_width(bound, order) > MOST_WIDTH:
        raise UnsupportedError(f"the frontier is wider than {MOST_WIDTH} cells and parts")

    def report(share: float, _: int, __: int, seconds: float) -> bool:
        return on_progress is None or on_progress(Progress(share, None, 0, seconds))

    try:
        made = _native.diagram(
            bound,
            order,
            most_bytes=most_bytes,
            most_work=int(min(most_work, MOST_WORK)),
            max_seconds=limits.seconds,
            on_progress=report,
        )
    except UnsupportedError as fault:
        raise TooLargeError(str(fault)) from None
    arrays = made.options, made.starts, made.low, made.high, made.root, problem.n_options
    return MadeDiagram(made.stop, Diagram(*arrays) if made.stop is Stop.EXHAUSTED else None, made.states, made.bytes)
