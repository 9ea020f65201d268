"""The direct method, natively: see native/cover/backtrack.cpp."""

from __future__ import annotations

from latcover.backends import _native
from latcover.backends.compiled import Stranding, chosen_kernel, native_problem, search_arguments, stranding_result
from latcover.core.cover.backend import Backend, Tree
from latcover.core.cover.honouring import refuse_colours
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Rule, SearchTask


class Backtrack(Backend, frozen=True):
    """The direct method of Barequet and Tal (2010) on bit masks: the first empty cell, and every part that fits there.

    Attributes:
        size: Branch on the pending cell with the fewest options that fit; if False, on the first pending cell.
        strand: How islands of empty cells prune (the paper's ST; native/cover/islands.hpp). "rows" leaves out the
            options that cut off an island by themselves; "anchor" checks the island around the first empty
            cell; "sums" checks all islands.
    """

    name = "backtrack"
    limits_branches = True

    size: bool = False
    strand: Stranding = "no"

    @property
    def rule(self) -> Rule:
        return "fewest cell" if self.size else "first"

    def tree(self, problem: CoverProblem) -> Tree:
        """Its own tree; see `Backend.tree`."""
        refuse_colours(f"backend {self.name!r}", problem)
        return Tree("backtrack", self.size, self.strand)

    def search(self, task: SearchTask) -> SearchResult:
        """Find every cover; see `latcover.Backend`."""
        outcome = _native.backtrack(
            native_problem(task.problem),
            size=self.size,
            strand=self.strand,
            kernel=chosen_kernel(),
            **search_arguments(task),
        )
        return stranding_result(outcome, self.strand)
