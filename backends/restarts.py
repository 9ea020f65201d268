"""One cover of a large problem by random restarts, natively: see native/restarts.hpp."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from latcover.backends import _native
from latcover.backends.bitset import Bitset
from latcover.backends.compiled import arrays, batches_for, chosen_kernel, statistics
from latcover.cover.problem import CoverProblem
from latcover.cover.search import Backend, Limits, OnCovers, OnProgress, Outcome, Progress, Stop
from latcover.errors import UnsupportedError
from latcover.system.machine import MOST_THREADS, threads_to_start

_MOST_SEED = (1 << 64) - 1
_LARGEST_TAIL = 40  # parts


@dataclass(frozen=True, slots=True)
class Restarts(Backend):
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
    """

    seed: int = 0
    threads: int | None = None
    tail: int = 13
    kernel: str | None = None

    def __post_init__(self) -> None:
        if self.threads is not None and not 1 <= self.threads <= MOST_THREADS:
            raise UnsupportedError(f"threads must lie between 1 and {MOST_THREADS}, not {self.threads}")
        if not 1 <= self.tail <= _LARGEST_TAIL:
            raise UnsupportedError(f"backend 'restarts': tail must be from 1 to {_LARGEST_TAIL}, not {self.tail}")
        if not 0 <= self.seed <= _MOST_SEED:
            raise UnsupportedError(f"backend 'restarts': seed must be from 0 to {_MOST_SEED}, not {self.seed}")

    @property
    def name(self) -> str:
        return "restarts"

    @property
    def honours_colours(self) -> bool:
        return True

    def on_one_thread(self) -> Restarts:
        """The same on one thread."""
        return replace(self, threads=1)

    def search(
        self,
        problem: CoverProblem,
        on_covers: OnCovers,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        on_progress: OnProgress | None = None,
    ) -> Outcome:
        """Find a cover of *problem*; see `latcover.cover.search.Backend`."""
        why_not = _why_not(problem, limits)
        if why_not:
            outcome = Bitset(self.kernel, self.threads).search(problem, on_covers, limits, on_progress)
            note = f"restarts {why_not}; bitset searched instead"
            return replace(outcome, backend=outcome.backend or "bitset", notes=(note, *outcome.notes))
        threads, fewer = threads_to_start(self.threads)
        stop, figures, native = _native.restarts(
            *arrays(problem),
            kernel=chosen_kernel(self.kernel),
            threads=threads,
            seed=self.seed,
            tail=self.tail,
            cells=(problem.n_cells, len(problem.part_sizes), problem.neighbour_starts, problem.neighbours),
            max_seconds=limits.seconds,
            on_covers=batches_for(on_covers),
            on_progress=_reports_for(on_progress),
        )
        figures["dead_ends"] = figures["deepest"] = None
        notes = (fewer,) if fewer and native["threads"] > 1 else ()
        return Outcome(Stop(stop), statistics(figures, native), notes=notes)


def _why_not(problem: CoverProblem, limits: Limits) -> str:
    """Why another method must search; empty if random restarts can."""
    if limits.covers != 1:
        return "finds a single solution (--limit 1)"
    if limits.branches is not None:
        return "keeps no limit of branches"
    if problem.has_colours:
        return "knows no colours of items"
    return ""


def _reports_for(on_progress: OnProgress | None) -> Callable[[float, int, int, float], bool] | None:
    """The callback for progress. The share is unknown until the end."""
    if on_progress is None:
        return None
    return lambda share, *figures: on_progress(Progress(share if share == 1 else None, *figures))
