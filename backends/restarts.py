"""One cover of a large problem by random restarts, natively: see native/restarts/restarts.hpp."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from latcover.backends import _native
from latcover.backends.bitset import Bitset
from latcover.backends.compiled import batches_for, chosen_kernel, native_problem, reports_for, result_of
from latcover.core.cover.backend import Backend
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Limits, SearchTask
from latcover.system.machine import MOST_THREADS, threads_to_start

_MOST_SEED = (1 << 64) - 1
_LARGEST_TAIL = 40  # parts
_MOST_WORK = (1 << 63) - 1


class Restarts(Backend, frozen=True):
    """One cover of a large problem: random heads, a beam, exhaustive tails, restarts.

    It fills many cells at random, goes on with many fillings side by side, and searches the rest of the best ones
    exhaustively by the bitmap kernel; then it starts again.
    It finds a cover where an exhaustive search would need years, but it seldom proves that there is none: a search
    that ends by its limit of time says nothing. If more than one cover is asked for, or if there are colours or a limit
    of branches, `bitset` searches instead, and a note says so.

    Attributes:
        seed: The seed of its random choices. One thread with the same seed finds the same cover.
        threads: How many threads search, each by random choices of its own; None takes the available processors.
        tail: How many parts the exhaustive search places at first. The number adapts itself.
        kernel: As for `bitset`.
        work: How much each thread may search, in branches; so many options that a head looks at count as one. The
            search stops as by a limit of branches. None sets no limit.
    """

    name = "restarts"
    honours_colours = True
    limits_branches = True

    seed: Annotated[int, Meta(ge=0, le=_MOST_SEED)] = 0
    threads: Annotated[int, Meta(ge=1, le=MOST_THREADS)] | None = None
    tail: Annotated[int, Meta(ge=1, le=_LARGEST_TAIL)] = 13
    kernel: str | None = None
    work: Annotated[int, Meta(ge=0, le=_MOST_WORK)] | None = None

    def search(self, task: SearchTask) -> SearchResult:
        """Find a cover; see `latcover.Backend`."""
        why_not = _why_not(task.problem, task.limits)
        if why_not:
            result = Bitset(self.kernel, self.threads).search(replace(task, bar=None))
            note = f"restarts {why_not}; bitset searched instead"
            return replace(result, backend=result.backend or "bitset", notes=(note, *result.notes))
        threads, fewer = threads_to_start(self.threads)
        outcome = _native.restarts(
            native_problem(task.problem),
            kernel=chosen_kernel(self.kernel),
            threads=threads,
            seed=self.seed,
            tail=self.tail,
            max_work=self.work,
            max_seconds=task.limits.seconds,
            on_covers=batches_for(task.on_covers),
            on_progress=reports_for(task.on_progress, share_known=False),
        )
        result = result_of(
            outcome.outcome,
            fewer if outcome.threads > 1 else "",
            heads=outcome.heads,
            tails=outcome.tails,
            tails_cut=outcome.tails_cut,
            threads=outcome.threads,
        )
        return result.with_figures(dead_ends=None, deepest=None)


def _why_not(problem: CoverProblem, limits: Limits) -> str:
    """Why another method must search; empty if random restarts can."""
    if limits.covers != 1:
        return "finds a single solution (--limit 1)"
    if limits.branches is not None:
        return "keeps no limit of branches"
    if problem.has_colours:
        return "does not support item colours"
    return ""
