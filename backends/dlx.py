"""Dancing links, natively: see native/cover/dlx.cpp."""

from __future__ import annotations

from latcover.backends import _native
from latcover.backends.compiled import Stranding, native_problem, search_arguments, stranding_result
from latcover.backends.pricing import improve_natively
from latcover.core.cover.cover_costs import Costs
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Backend, Limits, OnBound, OnCovers, OnPriced, OnProgress, Rule, Tree
from latcover.core.cover.veto import OptionVeto


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

    def search(
        self,
        problem: CoverProblem,
        on_covers: OnCovers,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
    ) -> SearchResult:
        """Find every cover of *problem*; see `latcover.core.cover.search.Backend`."""
        return self.search_vetoed(problem, None, on_covers, limits, on_progress)

    def search_vetoed(
        self,
        problem: CoverProblem,
        veto: OptionVeto | None,
        on_covers: OnCovers,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
    ) -> SearchResult:
        """The same, but it goes on from no part of a cover that *veto* refuses."""
        arguments = search_arguments(on_covers, limits, on_progress)
        prunes = None if veto is None else veto.prunes
        outcome = _native.dlx(native_problem(problem), size=self.size, strand=self.strand, prunes=prunes, **arguments)
        return stranding_result(outcome, self.strand)

    def improve(
        self,
        problem: CoverProblem,
        costs: Costs,
        bar: int,
        on_priced: OnPriced,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
        on_bound: OnBound | None = None,
    ) -> SearchResult:
        """Find covers that cost at most a falling bar; see `latcover.Backend`. Islands do not prune."""
        return improve_natively(
            problem, costs, bar, on_priced, limits, on_progress, on_bound, bitmaps=False, size=self.size
        )
