"""Helpers of the adapters of native searches; see native/module/module.cpp."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal, TypedDict
from weakref import WeakKeyDictionary

from latcover.backends import _native
from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.core.cover.result import SearchFigures, SearchResult
from latcover.core.cover.search import Batch, Limits, OnCovers, OnProgress, Progress, SearchTask
from latcover.errors import UnsupportedError

Stranding = Literal["no", "rows", "anchor", "sums"]
OnNativeProgress = Callable[[float, int, int, float], bool]  # share, branches, covers, seconds

KERNEL_VARIABLE = "LATCOVER_KERNEL"
_MOST = (1 << 64) - 1  # no search counts further

_bound: WeakKeyDictionary[CoverProblem, _native.Problem] = WeakKeyDictionary()


def native_problem(problem: CoverProblem) -> _native.Problem:
    """*problem* as native functions take it, made once and kept as long as *problem*."""
    bound = _bound.get(problem)
    if bound is None:
        bound = _bound[problem] = _native.Problem(
            problem.option_starts,
            problem.option_items,
            problem.low,
            problem.high,
            option_colours=problem.option_colours,
            n_cells=problem.n_cells,
            n_parts=len(problem.part_sizes),
            neighbour_starts=problem.neighbour_starts,
            neighbours=problem.neighbours,
        )
    return bound


class SearchArguments(TypedDict):
    """What every native search takes besides the problem and its own options."""

    max_covers: int | None
    max_branches: int | None
    max_seconds: float | None
    on_covers: Callable[[Longs, Ints], bool]
    on_progress: OnNativeProgress | None


def search_arguments(task: SearchTask) -> SearchArguments:
    """What a native search is told of a task, besides the problem."""
    return {
        "max_covers": clamped(task.limits.covers),
        "max_branches": clamped(task.limits.branches),
        "max_seconds": task.limits.seconds,
        "on_covers": batches_for(task.on_covers),
        "on_progress": reports_for(task.on_progress),
    }


def batches_for(on_covers: OnCovers) -> Callable[[Longs, Ints], bool]:
    """The callback of a native search for its covers."""
    return lambda starts, options: on_covers(Batch(starts, options))


def reports_for(on_progress: OnProgress | None, *, share_known: bool = True) -> OnNativeProgress | None:
    """The callback of a native search for its progress. If its share is not known, only the end reports one."""
    if on_progress is None:
        return None
    return lambda share, *figures: on_progress(Progress(share if share_known or share == 1 else None, *figures))


def count_reports_for(on_progress: OnProgress | None) -> OnNativeProgress | None:
    """The callback of a native count, which knows its branches and covers only at its end."""
    if on_progress is None:
        return None
    return lambda share, branches, covers, seconds: on_progress(Progress(share, None, 0, seconds))


def result_of(outcome: _native.Outcome, *notes: str, **native: Any) -> SearchResult:
    """The result of a native search, with figures that only this backend has; empty notes are dropped."""
    figures = outcome.statistics
    return SearchResult(
        outcome.stop,
        SearchFigures(
            covers=figures.covers,
            branches=figures.branches,
            dead_ends=figures.dead_ends,
            deepest=figures.deepest,
            branches_by_level=figures.branches_by_level,
            setup_seconds=figures.setup_seconds,
            search_seconds=figures.search_seconds,
            first_seconds=figures.first_seconds,
            native=native,
        ),
        notes=tuple(filter(None, notes)),
    )


def stranding_result(outcome: _native.Outcome, strand: Stranding) -> SearchResult:
    """The result of a search that may prune islands; if it does, the figures tell how many options it refused."""
    return result_of(outcome, **({} if strand == "no" else {"stranded": outcome.statistics.stranded}))


def clamped(limit: int | None) -> int | None:
    """A limit that fits 64 bits, for native searches."""
    return None if limit is None else min(limit, _MOST)


def nodes_in(limits: Limits, branches_of_a_node: int) -> int | None:
    """The nodes that take as long as the branches of a limit."""
    return None if limits.branches is None else clamped(-(-limits.branches // branches_of_a_node))


def kernels() -> dict[str, bool]:
    """The compiled kernels, the fastest last, and whether this processor can run each of them."""
    return _native.kernels()


def chosen_kernel(wanted: str | None = None) -> str:
    """The kernel named *wanted*, or named by the environment, or the fastest kernel that runs here.

    Raises:
        UnsupportedError: the kernel does not exist, or this processor cannot run it.
    """
    there = kernels()
    running = [name for name, runs_here in there.items() if runs_here]
    name = wanted or os.environ.get(KERNEL_VARIABLE) or running[-1]
    source = "the option kernel" if wanted else KERNEL_VARIABLE
    if name not in there:
        raise UnsupportedError(f"{source} asks for a kernel {name!r}; the kernels are {', '.join(there)}")
    if name not in running:
        raise UnsupportedError(
            f"{source} asks for the kernel {name!r}, which this processor cannot run; it runs {', '.join(running)}"
        )
    return name
