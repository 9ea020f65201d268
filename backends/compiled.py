"""What the adapters of native searches share; see native/module.cpp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from latcover.problem import CoverProblem
from latcover.search import Batch, Limits, OnCovers, OnProgress, Outcome, Progress, Statistics, Stop

Stranding = Literal["no", "rows", "anchor", "sums"]

_MOST = (1 << 64) - 1  # no search counts further


def search_natively(
    native: Callable[..., tuple[str, dict[str, Any]]],
    problem: CoverProblem,
    call: tuple[OnCovers, Limits, OnProgress | None],
    *,
    size: bool,
    strand: Stranding,
) -> Outcome:
    """Call a search of `_native`; *call* is what `latcover.search.Backend.search` was given besides the problem.

    Raises:
        UnsupportedError: stranding would be unsound on this problem.
    """
    on_covers, limits, on_progress = call
    stop, figures = native(
        problem.option_starts,
        problem.option_items,
        problem.low,
        problem.high,
        size=size,
        strand=strand,
        cells=(problem.n_cells, len(problem.part_sizes), problem.neighbour_starts, problem.neighbours),
        max_covers=clamped(limits.covers),
        max_branches=clamped(limits.branches),
        max_seconds=limits.seconds,
        on_covers=lambda starts, options: on_covers(Batch(starts, options)),
        on_progress=None if on_progress is None else lambda *figures: on_progress(Progress(*figures)),
    )
    stranded = figures.pop("stranded")
    figures["branches_by_level"] = tuple(figures["branches_by_level"])
    figures["native"] = {"stranded": stranded} if strand != "no" else {}
    return Outcome(Stop(stop), Statistics(**figures))


def clamped(limit: int | None) -> int | None:
    """A limit as the native searches take it."""
    return None if limit is None else min(limit, _MOST)
