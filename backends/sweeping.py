"""All covers by the frontier, as a diagram: in the order of their costs, and the cheapest counted without listing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from latcover.backends import refuse_colours, refuse_repeated_items, require_range
from latcover.backends.frontier import MadeDiagram, make_diagram, orders_of
from latcover.backends.optimizing import improve
from latcover.backends.relay import Outbox, refuse_branch_limit, relay
from latcover.core.cover.cheapest import PricedDiagram
from latcover.core.cover.cover_costs import Costs, Optima
from latcover.core.cover.diagram import Diagram
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import (
    Backend,
    Limits,
    OnBound,
    OnCovers,
    OnPriced,
    OnProgress,
)
from latcover.core.cover.simpler import part_by_part, without_implied_item

AT_ONCE = 256  # covers that are read off a diagram together


class Frontier(Backend, frozen=True):
    """Sweeps over the puzzle, keeps all covers as a diagram, and reads the cheapest off it.

    It takes parts that may be used once, or any number of times. Where costs add up, it counts the optima. Where they
    depend on several placements together, it lists all covers.

    Attributes:
        memory: The most memory for the diagram, in megabytes.
    """

    name = "frontier"
    takes_any_bounds = False
    costs_by = "dynamic programming"

    memory: int = 1000

    def __post_init__(self) -> None:
        require_range(self.name, "memory", self.memory, 1, 1 << 24)

    def search(
        self,
        problem: CoverProblem,
        on_covers: OnCovers,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
    ) -> SearchResult:
        """Find every cover of *problem*; see `latcover.core.cover.search.Backend`."""
        self._refuse(problem, limits)
        return relay(_Sweep(problem, self.memory), on_covers, limits, on_progress)

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
        """Find covers that cost at most a falling bar; see `latcover.core.cover.search.Backend`."""
        self._refuse(problem, limits)
        if not costs.is_linear:
            return Backend.improve(self, problem, costs, bar, on_priced, limits, on_progress, on_bound)
        sweep = _CheapestSweep(problem, self.memory, costs, bar)
        return improve(sweep, costs, on_priced, limits, on_progress, on_bound)

    def optima(
        self,
        problem: CoverProblem,
        costs: Costs,
        limits: Limits = Limits(),
        on_progress: OnProgress | None = None,
    ) -> Optima | None:
        """The cheapest covers; see `latcover.core.cover.search.Backend`."""
        if not costs.is_linear:
            return None
        diagram = made_diagram(problem, self.memory, limits, on_progress).diagram
        return None if diagram is None else PricedDiagram(diagram, costs.own, costs.constant).optima

    def _refuse(self, problem: CoverProblem, limits: Limits) -> None:
        refuse_branch_limit(self.name, limits)
        refuse_colours(f"backend {self.name!r}", problem)
        refuse_repeated_items(f"backend {self.name!r}", without_implied_item(problem))


def made_diagram(problem: CoverProblem, memory: int, limits: Limits, on_progress: OnProgress | None) -> MadeDiagram:
    """The diagram of all covers of *problem*, in at most so many megabytes of *memory*."""
    simple = without_implied_item(problem)
    order = part_by_part(simple, orders_of(simple).items[0])
    return make_diagram(simple, order, limits, on_progress, most_bytes=memory * 1_000_000)


class _Sweep:
    """A sweep at work: it makes the diagram, then hands on its covers. See `relay.Finder`."""

    def __init__(self, problem: CoverProblem, memory: int) -> None:
        self.figures: dict[str, Any] = {}
        self._problem, self._memory = problem, memory

    def find(self, outbox: Outbox) -> bool:
        """See `relay.Finder`."""
        made = made_diagram(self._problem, self._memory, Limits(), lambda _: not outbox.closed)
        self.figures = {"states": made.states, "bytes": made.bytes}
        outbox.ready()
        if made.diagram is None:
            return False
        return all(outbox.put(cover) for cover in self._covers(made.diagram)) and not outbox.closed

    def stop(self) -> None:
        """See `relay.Finder`. The outbox that is closed stops it."""

    def _covers(self, diagram: Diagram) -> Iterator[Ints]:
        for first in range(0, diagram.total, AT_ONCE):
            yield from diagram.covers(range(first, min(first + AT_ONCE, diagram.total)))


class _CheapestSweep(_Sweep):
    """A sweep that hands on the cheapest covers first. See `optimizing.Optimizer`."""

    def __init__(self, problem: CoverProblem, memory: int, costs: Costs, bar: int) -> None:
        super().__init__(problem, memory)
        self._costs, self.bar = costs, bar
        self.bound: int | None = None

    @property
    def useless(self) -> bool:
        return self.bound is not None and self.bound > self.bar

    def _covers(self, diagram: Diagram) -> Iterator[Ints]:
        for cost, cover in PricedDiagram(diagram, self._costs.own, self._costs.constant).ascending():
            self.bound = cost
            if self.useless:
                return
            yield cover
