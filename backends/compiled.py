"""Helpers of the adapters of native searches; see native/module.cpp."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Literal

from latcover.backends import _native
from latcover.cover.problem import CoverProblem, Ints, Longs
from latcover.cover.search import Batch, Limits, OnCovers, OnProgress, Outcome, Progress, Statistics, Stop
from latcover.errors import UnsupportedError

Stranding = Literal["no", "rows", "anchor", "sums"]

KERNEL_VARIABLE = "LATCOVER_KERNEL"
_MOST = (1 << 64) - 1  # no search counts further


def search_natively(
    native: Callable[..., tuple[str, dict[str, Any]]],
    problem: CoverProblem,
    call: tuple[OnCovers, Limits, OnProgress | None],
    *,
    size: bool,
    strand: Stranding,
    **options: str,
) -> Outcome:
    """Call a search of `_native`; *call* holds the arguments of `Backend.search` after the problem.

    Raises:
        UnsupportedError: stranding would be unsound on this problem.
    """
    on_covers, limits, on_progress = call
    stop, figures = native(
        *arrays(problem),
        size=size,
        strand=strand,
        **options,
        colours=colours(problem),
        cells=(problem.n_cells, len(problem.part_sizes), problem.neighbour_starts, problem.neighbours),
        max_covers=clamped(limits.covers),
        max_branches=clamped(limits.branches),
        max_seconds=limits.seconds,
        on_covers=batches_for(on_covers),
        on_progress=reports_for(on_progress),
    )
    stranded = figures.pop("stranded")
    return Outcome(Stop(stop), statistics(figures, {"stranded": stranded} if strand != "no" else {}))


def arrays(problem: CoverProblem) -> tuple[Longs, Ints, Ints, Ints]:
    """The first arguments of every native function."""
    return problem.option_starts, problem.option_items, problem.low, problem.high


def colours(problem: CoverProblem) -> Ints | None:
    """The colours of the entries of options, for native functions; None if there are no colours."""
    return problem.option_colours if problem.has_colours else None


def batches_for(on_covers: OnCovers) -> Callable[[Longs, Ints], bool]:
    """The callback of a native search for covers in compressed rows."""
    return lambda starts, options: on_covers(Batch(starts, options))


def reports_for(on_progress: OnProgress | None) -> Callable[[float, int, int, float], bool] | None:
    """The callback of a native search for share, branches, covers and seconds."""
    return None if on_progress is None else lambda *figures: on_progress(Progress(*figures))


def statistics(figures: Mapping[str, Any], native: Mapping[str, Any]) -> Statistics:
    """The figures of a native search."""
    return Statistics(**{**figures, "branches_by_level": tuple(figures["branches_by_level"])}, native=native)


def clamped(limit: int | None) -> int | None:
    """A limit that fits 64 bits, for native searches."""
    return None if limit is None else min(limit, _MOST)


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
    asked = "the option kernel" if wanted else KERNEL_VARIABLE
    if name not in there:
        raise UnsupportedError(f"{asked} asks for a kernel {name!r}; the kernels are {', '.join(there)}")
    if name not in running:
        raise UnsupportedError(
            f"{asked} asks for the kernel {name!r}, which this processor cannot run; it runs {', '.join(running)}"
        )
    return name
