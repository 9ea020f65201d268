"""Improves a packing window by window: what lies in a few dozen cells is packed anew, as an exact cover.

In a window some cells are empty. The kernel of covers looks for a way to leave fewer of them empty, or else as many, by
options in an order of chance: so what is empty moves about until a window has room for more. It proves nothing of the
whole, and a window has a limit of branches.

Source: Shaw, "Using constraint programming and local search methods to solve vehicle routing problems" (1998), where
such a search is called one of large neighbourhoods.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.backends.bitset import Bitset
from latcover.backends.fullest import cells_covered
from latcover.backends.relay import Outbox
from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.core.cover.search import Batch, CostBar, Limits, SearchTask

SIZES = (40, 60, 90, 120)  # cells of a window, before the copies at its rim are taken out whole
BRANCHES = 1000  # in a window


class _Window(Struct, frozen=True, eq=False):
    """A problem that is to be packed anew.

    Attributes:
        problem: The exact cover; options beyond those of `options` leave a cell empty.
        options: The options of the whole that lie in the window, in an order of chance.
        cells: Its cells, ascending.
        gone: The options that are taken out.
        empty: How many of its cells are empty.
    """

    problem: CoverProblem
    options: Longs
    cells: Longs
    gone: Longs
    empty: int


class Windows:
    """A packing that is improved. See the module.

    Attributes:
        covered: How many cells it covers.
        tried: How many windows were packed anew.

    Args:
        problem: The packing problem: each option is worth the cells that it covers, and no item has colours.
        cover: Some cover of it.
        seed: Of all choices.
    """

    def __init__(self, problem: CoverProblem, cover: Ints, seed: int) -> None:
        self._problem, self._dice, self._kernel = problem, np.random.default_rng(seed), Bitset(threads=1)
        self._sizes = cells_covered(problem)
        self._owners = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
        self.tried = 0
        self.take(cover)

    def take(self, cover: Ints) -> None:
        """Go on with another cover."""
        self._chosen = np.zeros(self._problem.n_options, np.bool_)
        self._chosen[cover] = True
        self._holder = np.full(self._problem.n_items, -1)
        entries = self._chosen[self._owners]
        self._holder[self._problem.option_items[entries]] = self._owners[entries]
        self.covered = int(self._sizes[cover].sum())

    def cover(self) -> Ints:
        """The options of the packing."""
        return np.flatnonzero(self._chosen).astype(np.int32)

    def step(self) -> bool:
        """Pack one window anew; whether more cells are covered then."""
        self.tried += 1
        window = self._window()
        if not window.empty:
            return False
        found = self._packed(window, window.empty - 1)
        if found is None:
            found = self._packed(window, window.empty)
        if found is None:
            return False
        before, new = self.covered, window.options[found[found < len(window.options)]]
        self._chosen[window.gone] = False
        self._chosen[new] = True
        self._holder[window.cells] = -1
        for option in new.tolist():
            items = self._problem.items_of(option)
            self._holder[items[items < self._problem.n_cells]] = option
        self.covered += int(self._sizes[new].sum() - self._sizes[window.gone].sum())
        return self.covered > before

    def _packed(self, window: _Window, empty: int) -> Ints | None:
        """A packing of the window that leaves at most so many cells empty; None if none is found soon."""
        found: list[Ints] = []

        def keep(batch: Batch) -> bool:
            found.extend(cover.copy() for cover in batch)
            return True

        problem = window.problem
        high = problem.high.copy()
        high[problem.n_cells + len(problem.part_sizes) - 1] = empty
        asked = CoverProblem(
            problem.option_starts, problem.option_items, problem.low, high, problem.n_cells, problem.part_sizes
        )
        self._kernel.search(SearchTask(asked, keep, Limits(1, BRANCHES)))
        return found[0] if found else None

    def _cells_around(self, size: int) -> list[int]:
        """So many cells around one that chance picks, the nearest first."""
        starts, neighbours = self._problem.neighbour_starts, self._problem.neighbours
        found = [int(self._dice.integers(self._problem.n_cells))]
        seen = {*found}
        for cell in found:
            if len(found) >= size:
                break
            beside = [c for c in neighbours[starts[cell] : starts[cell + 1]].tolist() if c not in seen]
            seen.update(beside)
            found += beside
        return found[:size]

    def _window(self) -> _Window:
        """A window that chance picks, and the question about it."""
        problem, n = self._problem, self._problem.n_cells
        around = np.array(self._cells_around(int(self._dice.choice(SIZES))))
        gone = np.unique(self._holder[around])
        gone = gone[gone >= 0]
        inside = np.zeros(n, np.bool_)
        inside[around] = True
        for option in gone.tolist():
            items = problem.items_of(option)
            inside[items[items < n]] = True
        cells = np.flatnonzero(inside)
        stay = self._chosen.copy()
        stay[gone] = False
        held = np.bincount(problem.option_items[stay[self._owners]], minlength=problem.n_items)
        free = held < problem.high
        free[:n] = inside
        fits = np.bincount(self._owners[~free[problem.option_items]], minlength=problem.n_options) == 0
        options = self._dice.permutation(np.flatnonzero(fits))
        empty = len(cells) - int(self._sizes[gone].sum())
        return _Window(self._question(cells, options, held), options, cells, gone, empty)

    def _question(self, cells: Longs, options: Longs, held: Longs) -> CoverProblem:
        """The exact cover of *cells* by *options*; *held* is how often others hold each item.

        Its items are the cells, the parts, one more part of one cell that says which cells stay empty, and the others.
        """
        problem, n, m = self._problem, self._problem.n_cells, len(cells)
        n_parts = len(problem.part_sizes)
        number = np.arange(problem.n_items) - n + m
        number[n + n_parts :] += 1
        number[cells] = np.arange(m)
        chosen = problem.with_options(options)
        may = np.flatnonzero(problem.low[cells] == 0)  # stay empty
        alone = np.column_stack([may, np.full(len(may), m + n_parts)]).reshape(-1)
        end = chosen.option_starts[-1]
        starts = np.concatenate([chosen.option_starts, end + 2 * np.arange(1, len(may) + 1)])
        items: npt.NDArray[Any] = np.concatenate([number[chosen.option_items], alone])
        once, beyond = np.ones(m, np.int32), held[n:].astype(np.int32)
        low = np.concatenate([once, np.insert(np.maximum(0, problem.low[n:] - beyond), n_parts, 0)])
        high = np.concatenate([once, np.insert(np.maximum(0, problem.high[n:] - beyond), n_parts, m)])
        return CoverProblem(starts, items, low, high, m, np.append(problem.part_sizes, 1))


class WindowSearch:
    """Improves the best packing known, in a thread of its own. See `latcover.backends.optimizing.Optimizer`."""

    def __init__(self, problem: CoverProblem, bar: CostBar, seed: int) -> None:
        self._problem, self._bar, self._seed = problem, bar, seed
        self.figures: dict[str, Any] = {"windows": 0}
        self.bound: int | None = None
        self.useless = False  # it has no end of its own
        self._stopped = False

    def find(self, outbox: Outbox) -> bool:
        """See `relay.Finder`."""
        begun = self._bar.best
        if begun is None:
            return False
        windows, seen = Windows(self._problem, begun, self._seed), begun
        while not (self._stopped or outbox.closed):
            known = self._bar.best
            if known is not None and known is not seen:  # others may have found a better one
                seen = known
                if cells_covered(self._problem)[known].sum() > windows.covered:
                    windows.take(known)
            if windows.step() and not outbox.put(windows.cover()):
                break
            self.figures["windows"] = windows.tried
        return False

    def stop(self) -> None:
        """See `relay.Finder`."""
        self._stopped = True
