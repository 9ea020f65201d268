"""The bitmap kernel, natively: see native/kernel.cpp."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from latcover.backends import _native
from latcover.backends.compiled import arrays, batches_for, chosen_kernel, clamped, colours, reports_for, statistics
from latcover.cover.problem import CoverProblem
from latcover.cover.search import Backend, Limits, OnCovers, OnProgress, Outcome, Stop, Tree
from latcover.errors import UnsupportedError
from latcover.system.machine import MOST_THREADS, threads_to_start

MOST_MEMORY = 1 << 20  # megabytes


@dataclass(frozen=True, slots=True)
class Bitset(Backend):
    """Exact covers by bitmaps: the tree of dancing links with ``size``, at a small part of its cost.

    If a problem is too large for bitmaps, dancing links search it, and a note says so.

    Attributes:
        kernel: The compiled form to run; None takes the one that the environment names, or the fastest.
        threads: How many threads may search; None takes the available processors. Small problems use one thread.
        ordered: Whether covers come in the order of a single thread, the same in every run; if False, as found.
        memory: Megabytes in which a count may keep results, if that pays; with 0 it keeps none.
    """

    kernel: str | None = None
    threads: int | None = None
    ordered: bool = True
    memory: int = 256

    def __post_init__(self) -> None:
        if self.threads is not None and not 1 <= self.threads <= MOST_THREADS:
            raise UnsupportedError(f"threads must lie between 1 and {MOST_THREADS}, not {self.threads}")
        if not 0 <= self.memory <= MOST_MEMORY:
            raise UnsupportedError(f"memory must lie between 0 and {MOST_MEMORY} megabytes, not {self.memory}")

    @property
    def name(self) -> str:
        return "bitset"

    @property
    def honours_colours(self) -> bool:
        return True

    def on_one_thread(self) -> Bitset:
        """The same on one thread."""
        return replace(self, threads=1)

    def tree(self, problem: CoverProblem) -> Tree:
        """The tree of dancing links with ``size``."""
        return Tree("dlx", size=True)

    def search(
        self,
        problem: CoverProblem,
        on_covers: OnCovers,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        on_progress: OnProgress | None = None,
    ) -> Outcome:
        """Find every cover of *problem*; see `latcover.cover.search.Backend`."""
        threads, fewer = threads_to_start(self.threads)
        stop, figures, native, note = _native.bitset(
            *arrays(problem),
            kernel=chosen_kernel(self.kernel),
            threads=threads,
            ordered=self.ordered,
            colours=colours(problem),
            max_covers=clamped(limits.covers),
            max_branches=clamped(limits.branches),
            max_seconds=limits.seconds,
            on_covers=batches_for(on_covers),
            on_progress=reports_for(on_progress),
        )
        return _outcome(stop, figures, native, (fewer if native.get("threads", 1) > 1 else "", note))

    def count(
        self,
        problem: CoverProblem,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        on_progress: OnProgress | None = None,
    ) -> Outcome:
        """Count the covers of *problem* without handing them over. ``statistics.covers`` is exact, however large.

        If no part has an item and no item may be covered twice, the rest of the problem depends only on the covered
        items. The count then keeps results for sets of covered items (a memo), and ``statistics.branches`` is None.
        With a limit of covers or branches there is no memo.

        Raises:
            OverflowError: there are 2**256 covers or more.
        """
        if limits.covers is not None:
            return self.search(problem, lambda _: True, limits, on_progress)
        parts_have_items = len(problem.part_sizes) > 0
        threads, fewer = threads_to_start(self.threads)
        stop, figures, native, note = _native.bitset_count(
            *arrays(problem),
            kernel=chosen_kernel(self.kernel),
            threads=threads,
            memo_bytes=0 if parts_have_items else self.memory << 20,
            colours=colours(problem),
            max_branches=clamped(limits.branches),
            max_seconds=limits.seconds,
            on_progress=reports_for(on_progress),
        )
        figures["covers"] = sum(word << 64 * k for k, word in enumerate(figures["covers"]))
        if "memo_bytes" in native:
            figures["branches"] = figures["dead_ends"] = None
        return _outcome(stop, figures, native, (fewer if native.get("threads", 1) > 1 else "", note))


def _outcome(stop: str, figures: dict[str, Any], native: dict[str, Any], notes: tuple[str, ...]) -> Outcome:
    return Outcome(Stop(stop), statistics(figures, native), notes=tuple(filter(None, notes)))
