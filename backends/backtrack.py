"""The direct method, natively: see native/backtrack.cpp."""

from __future__ import annotations

from dataclasses import dataclass

from latcover.backends import _native
from latcover.backends.compiled import Stranding, chosen_kernel, search_natively
from latcover.cover.problem import CoverProblem
from latcover.cover.search import Backend, Limits, OnCovers, OnProgress, Outcome, Rule, Tree, refuse_colours


@dataclass(frozen=True, slots=True)
class Backtrack(Backend):
    """The direct method of Barequet and Tal (2010) on bit masks: the first empty cell, and every part that fits there.

    Attributes:
        size: Branch on the pending cell with the fewest options that fit; if False, on the first pending cell.
        strand: How islands of empty cells prune (the paper's ST; native/islands.hpp). "rows" leaves out the options
            that cut off an island by themselves; "anchor" checks the island around the first empty cell; "sums" checks
            all islands.
    """

    size: bool = False
    strand: Stranding = "no"

    @property
    def name(self) -> str:
        return "backtrack"

    @property
    def rule(self) -> Rule:
        return "fewest cell" if self.size else "first"

    def tree(self, problem: CoverProblem) -> Tree:
        """Its own tree; see `Backend.tree`."""
        refuse_colours(f"backend {self.name!r}", problem)
        return Tree("backtrack", self.size, self.strand)

    def search(
        self,
        problem: CoverProblem,
        on_covers: OnCovers,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        on_progress: OnProgress | None = None,
    ) -> Outcome:
        """Find every cover of *problem*; see `latcover.cover.search.Backend`."""
        refuse_colours(f"backend {self.name!r}", problem)
        call = on_covers, limits, on_progress
        return search_natively(
            _native.backtrack, problem, call, size=self.size, strand=self.strand, kernel=chosen_kernel()
        )
