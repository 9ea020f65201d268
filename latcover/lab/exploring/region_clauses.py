"""The clauses of an unknown region in a SAT solver, which stops after some conflicts and goes on where it stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from latcover.lab.exploring.layers import Layers
from latcover.lab.exploring.region_formula import Cut, RegionFormula, Tile, Tiles, Wanted
from latcover.system import extras

SOLVER = "glucose42"
CONFLICTS = 1_000  # before the time is looked at


class RegionClauses:
    """The clauses of a wanted region, in a solver. To be closed."""

    def __init__(self, layers: Layers, wanted: Wanted) -> None:
        solvers = extras.require("the search for a common region", ("pysat.solvers",), extra="python-sat")
        self._solver: Any = solvers.Solver(name=SOLVER)
        self.wanted = wanted
        self.formula = RegionFormula(layers, wanted, self._solver.append_formula)

    def add(self, cut: Cut) -> None:
        """Forbid what *cut* is."""
        self._solver.add_clause(self.formula.without(cut))

    def solve(self, until: float, go_on: Callable[[], bool]) -> bool | None:
        """Whether there is such a region; None if that was not found out until this time of the processor."""
        answer = None
        while answer is None and time.thread_time() < until and go_on():
            self._solver.conf_budget(CONFLICTS)
            answer = self._solver.solve_limited()
        return answer

    def tilings(self) -> list[list[Tile]]:
        """The tiles of each layer of the region that was found."""
        true = {literal for literal in self._solver.get_model() if literal > 0}
        return [[tile for tiles in placed for tile in self._true_tiles(tiles, true)] for placed in self.formula.tiles]

    def _true_tiles(self, tiles: Tiles, true: set[int]) -> Iterator[Tile]:
        cells = self.wanted.window.cells
        for tile, variable in zip(tiles.cells.tolist(), tiles.variables.tolist(), strict=True):
            if variable in true:
                yield tuple(sorted(cells[place] for place in tile))

    def close(self) -> None:
        self._solver.delete()
