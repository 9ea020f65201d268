"""Dancing links, natively: see native/cover/dlx.cpp."""

from __future__ import annotations

from latcover.backends import _native
from latcover.backends.compiled import Stranding, native_problem, search_arguments, stranding_result
from latcover.backends.pricing import search_below_bar
from latcover.core.cover.backend import Backend, Tree
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Rule, SearchTask


class Dlx(Backend, frozen=True):
    """Knuth's dancing links over arrays, with bounds on items.

    Attributes:
        size: Branch on the pending item with the fewest options left (the paper's SZ); if False, on the first one.
        strand: How islands of empty cells prune (the paper's ST; native/cover/islands.hpp). "rows" leaves out the
            options that cut off an island by themselves; "anchor" checks the island around the first empty
            cell; "sums" checks all islands.
    """

    name = "dlx"
    honours_colours = True
    limits_branches = True
    whole_rules = "prunes"
    costs_by = "branch and bound"

    size: bool = True
    strand: Stranding = "no"

    @property
    def rule(self) -> Rule:
        return "fewest" if self.size else "first"

    def tree(self, problem: CoverProblem) -> Tree:
        """Its own tree."""
        return Tree("dlx", self.size, self.strand)

    def search(self, task: SearchTask) -> SearchResult:
        """Find covers; see `latcover.Backend`. With a bar islands do not prune, and it looks at no veto."""
        if task.bar is not None:
            return search_below_bar(task, task.bar, bitmaps=False, size=self.size)
        prunes = None if task.veto is None else task.veto.prunes
        outcome = _native.dlx(
            native_problem(task.problem),
            size=self.size,
            strand=self.strand,
            prunes=prunes,
            **search_arguments(task),
        )
        return stranding_result(outcome, self.strand)
