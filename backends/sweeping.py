"""All covers by the frontier, as a diagram: in the order of their costs, and the cheapest counted without listing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta

from latcover.backends.frontier import MadeDiagram, make_diagram, orders_of
from latcover.backends.optimizing import search_by_optimizer
from latcover.backends.relay import Outbox, relay
from latcover.core.cover.backend import Backend
from latcover.core.cover.cheapest import PricedDiagram
from latcover.core.cover.cover_costs import Costs, Optima
from latcover.core.cover.diagram import Diagram
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import CostBar, Limits, OnProgress, SearchTask
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
    honours_colours = True
    takes_any_bounds = False
    costs_by = "dynamic programming"

    memory: Annotated[int, Meta(ge=1, le=1 << 24)] = 1000

    def search(self, task: SearchTask) -> SearchResult:
        """Find covers; see `latcover.Backend`."""
        bar = task.bar
        if bar is not None and bar.costs.is_linear:
            return search_by_optimizer(_CheapestSweep(task.problem, self.memory, bar), task, bar)
        return relay(_Sweep(task.problem, self.memory), task)

    def optima(self, task: SearchTask) -> Optima | None:
        """The cheapest covers; see `latcover.Backend`."""
        if task.bar is None or not task.bar.costs.is_linear:
            return None
        diagram = made_diagram(task.problem, self.memory, task.limits, task.on_progress).diagram
        return None if diagram is None else _priced(diagram, task.bar.costs).optima


def made_diagram(problem: CoverProblem, memory: int, limits: Limits, on_progress: OnProgress | None) -> MadeDiagram:
    """The diagram of all covers of *problem*, in at most so many megabytes of *memory*."""
    simple = without_implied_item(problem)
    order = part_by_part(simple, orders_of(simple).items[0])
    return make_diagram(simple, order, limits, on_progress, most_bytes=memory * 1_000_000)


def _priced(diagram: Diagram, costs: Costs) -> PricedDiagram:
    return PricedDiagram(diagram, costs.own, costs.constant)


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

    def __init__(self, problem: CoverProblem, memory: int, bar: CostBar) -> None:
        super().__init__(problem, memory)
        self._bar = bar
        self.bound: int | None = None

    @property
    def useless(self) -> bool:
        return self.bound is not None and self.bound > self._bar.most

    def _covers(self, diagram: Diagram) -> Iterator[Ints]:
        for cost, cover in _priced(diagram, self._bar.costs).ascending():
            self.bound = cost
            if self.useless:
                return
            yield cover
