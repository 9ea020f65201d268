"""Dancing links, natively: see native/dlx.cpp."""

from __future__ import annotations

from dataclasses import dataclass

from latcover.backends import _native
from latcover.problem import CoverProblem
from latcover.search import Batch, Limits, OnCovers, OnProgress, Outcome, Progress, Statistics, Stop

_MOST = (1 << 64) - 1  # no search counts further


def clamped(limit: int | None) -> int | None:
    """A limit as the native searches take it."""
    return None if limit is None else min(limit, _MOST)


@dataclass(frozen=True, slots=True)
class Dlx:
    """Knuth's dancing links over arrays, with bounds on items.

    Attributes:
        size: Branch on the pending item with the fewest options left (the paper's SZ); else on the first one.
    """

    size: bool = True

    @property
    def name(self) -> str:
        return "dlx"

    def search(
        self,
        problem: CoverProblem,
        on_covers: OnCovers,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        on_progress: OnProgress | None = None,
    ) -> Outcome:
        """Find every cover of *problem*; see `latcover.search.Backend`."""
        stop, figures = _native.dlx(
            problem.option_starts,
            problem.option_items,
            problem.low,
            problem.high,
            size=self.size,
            max_covers=clamped(limits.covers),
            max_branches=clamped(limits.branches),
            max_seconds=limits.seconds,
            on_covers=lambda starts, options: on_covers(Batch(starts, options)),
            on_progress=None if on_progress is None else lambda *figures: on_progress(Progress(*figures)),
        )
        return Outcome(Stop(stop), Statistics(**{**figures, "branches_by_level": tuple(figures["branches_by_level"])}))
