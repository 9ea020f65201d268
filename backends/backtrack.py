"""The direct method, natively: see native/cover/backtrack.cpp."""

from __future__ import annotations

from latcover.backends import _native, refuse_colours
from latcover.backends.compiled import Stranding, chosen_kernel, native_problem, search_arguments, stranding_result
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Backend, Limits, OnCovers, OnProgress, Rule, Tree


class Backtrack(Backend, frozen=True):
    """The direct method of Barequet and Tal (2010) on bit masks: the first empty cell, and every part that fits there.

    Attributes:
        size: Branch on the pending cell with the fewest options that fit; if False, on the first pending cell.
        strand: How islands of empty cells prune (the paper's ST; native/cover/islands.hpp). "rows" leaves out the
            options that cut off an island by themselves; "anchor" checks the island around the first empty
            cell; "sums" checks all islands.
    """

    name = "backtrack"

    size: bool = False
    strand: Stranding = "no"

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
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
    ) -> SearchResult:
        """Find every cover of *problem*; see `latcover.core.cover.search.Backend`."""
        refuse_colours(f"backend {self.name!r}", problem)
        arguments = search_arguments(on_covers, limits, on_progress)
        outcome = _native.backtrack(
            native_problem(problem), size=self.size, strand=self.strand, kernel=chosen_kernel(), **arguments
        )
        return stranding_result(outcome, self.strand)
