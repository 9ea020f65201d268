"""The search of a small cover problem, step by step.

It walks the trees of the native backends `dlx` and `backtrack` option by option, for views. It is slow, and keeps a
dense table of options and items. The contract of branching is in docs/decisions/core/cover.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Rule
from latcover.errors import UnsupportedError

Kind = Literal["try", "back", "cover", "dead"]
RULES: dict[Rule, str] = {
    "first": "the first empty cell (backtrack; dlx without size)",
    "fewest": "the cell or part with the fewest ways left (dlx)",
    "fewest cell": "the cell with the fewest ways left (backtrack with size)",
}
MOST_ENTRIES = 20_000_000  # of the table of options and items
NONE = -1


class Step(Struct, frozen=True):
    """One step of a search.

    Attributes:
        kind: An option is tried (a *branch*) or taken back; or the chosen options are a cover or a dead end.
        level: How many options are chosen; an option that is tried or taken back is included.
        option: The option that is tried or taken back; `NONE` for covers and dead ends.
        item: The item that is branched on, or that cannot be covered; `NONE` for covers and their extensions.
        ways: How many live options that item had at the node.
    """

    kind: Kind
    level: int
    option: int
    item: int
    ways: int


class _Level(Struct):
    """A node of the tree: the options to try on an item, in order, and the option chosen now."""

    item: int
    options: list[int]
    once: bool
    next: int = 0
    chosen: int = NONE
    passed: list[int] = field(default_factory=list)


def trace(problem: CoverProblem, rule: Rule = "fewest") -> Iterator[Step]:
    """Every step of the search of *problem*.

    Raises:
        UnsupportedError: the problem is too large to be watched.
    """
    state = _State(problem)
    levels: list[_Level] = []
    descend = True
    while True:
        if descend:
            level, steps = _opened(state, rule, len(levels))
            yield from steps
            if level is not None:
                levels.append(level)
        if not levels:
            return
        top = levels[-1]
        descend, steps = _next(state, top, len(levels))
        yield from steps
        if not descend:
            state.hidden[top.passed] = False
            levels.pop()


def _opened(state: _State, rule: Rule, depth: int) -> tuple[_Level | None, list[Step]]:
    """The node that the chosen options make, None if it has no children; and the steps to report."""
    item = state.choose(rule)
    steps = []
    if item == NONE:
        steps.append(Step("cover", depth, NONE, NONE, 0))
        options = np.flatnonzero(state.live() & state.extending).tolist()
        if not options:
            return None, steps
    else:
        options = np.flatnonzero(state.live() & state.holds[:, item]).tolist()
        if len(options) < state.need(item):
            return None, [Step("dead", depth, NONE, item, len(options))]
    return _Level(item, options, item != NONE and int(state.high[item]) == 1), steps


def _next(state: _State, level: _Level, depth: int) -> tuple[bool, list[Step]]:
    """Take back the chosen option and take the next one; False if there is none. Also the steps to report."""
    steps = []
    if level.chosen != NONE:
        state.give_back(level.chosen)
        steps.append(Step("back", depth, level.chosen, level.item, len(level.options)))
        if not level.once and state.kills(level.chosen):
            level.chosen = NONE
            return False, steps
        level.chosen = NONE
    if level.next == len(level.options):
        return False, steps
    level.chosen = option = level.options[level.next]
    level.next += 1
    if not level.once:  # the option stays hidden, so that no set is met twice
        state.hidden[option] = True
        level.passed.append(option)
    state.take(option)
    steps.append(Step("try", depth, option, level.item, len(level.options)))
    return True, steps


class _State:
    """The state of the search: which options are chosen, and which are still live.

    Attributes:
        holds: Whether an option holds an item, shape (n_options, n_items), bool.
        extending: Options that may be added to a cover in which nothing is pending, shape (n_options,), bool.
        hidden: Options that were passed over, shape (n_options,), bool.
    """

    def __init__(self, problem: CoverProblem) -> None:
        n_options, n_items = problem.n_options, problem.n_items
        if n_options * n_items > MOST_ENTRIES:
            raise UnsupportedError(
                f"a search can be watched if options times items are at most {MOST_ENTRIES:,}; "
                f"this problem has {n_options:,} options and {n_items:,} items: take a smaller puzzle"
            )
        self.problem, self.low, self.high = problem, problem.low, problem.high
        self.holds: npt.NDArray[np.bool_] = np.zeros((n_options, n_items), np.bool_)
        rows = np.repeat(np.arange(n_options), np.diff(problem.option_starts))
        self.holds[rows, problem.option_items] = True
        self._table = self.holds.astype(np.float32)
        self._colours: npt.NDArray[np.int32] = np.zeros(
            (n_options, n_items) if problem.has_colours else (0, 0), np.int32
        )
        if problem.has_colours:
            self._colours[rows, problem.option_items] = problem.option_colours
        self.extending = ~(self.holds & (self.low == self.high)).any(axis=1)
        self.hidden = np.zeros(n_options, np.bool_)
        self.count = np.zeros(n_items, np.int64)
        self._claims = np.zeros(n_items, np.int64)
        self._conflicts = (self.holds & (self.high == 0)).sum(axis=1).astype(np.int64)

    def live(self) -> npt.NDArray[np.bool_]:
        """The options that could be chosen now."""
        alive: npt.NDArray[np.bool_] = (self._conflicts == 0) & ~self.hidden
        return alive

    def need(self, item: int) -> int:
        return int(self.low[item] - self.count[item])

    def choose(self, rule: Rule) -> int:
        """The item to branch on, or `NONE` when nothing is pending. Ties go to the lowest index."""
        pending = np.flatnonzero(self.count < self.low)
        if len(pending) == 0:
            return NONE
        if rule == "first":
            return int(pending[0])
        cells = pending[pending < self.problem.n_cells]
        if rule == "fewest cell" and len(cells):
            pending = cells
        scores = self._ways()[pending] - (self.low - self.count)[pending]
        return int(pending[int(scores.argmin())])

    def kills(self, option: int) -> bool:
        """Whether hiding this option leaves one of its pending items with too few options."""
        short = self._ways() < self.low - self.count
        return bool((short & (self.count < self.low) & self.holds[option]).any())

    def _ways(self) -> npt.NDArray[np.int64]:
        """How many options each item has left."""
        ways: npt.NDArray[np.int64] = (self.live().astype(np.float32) @ self._table).astype(np.int64)
        return ways

    def take(self, option: int) -> None:
        self._change(option, 1)

    def give_back(self, option: int) -> None:
        self._change(option, -1)

    def _change(self, option: int, sign: int) -> None:
        """Count the items of an option (sign 1) or stop counting them (-1), and update the conflicts of options."""
        items = self.problem.items_of(option)
        for item, colour in zip(items.tolist(), self.problem.colours_of(option).tolist(), strict=True):
            if colour:
                self._claims[item] += sign
                if self._claims[item] == (1 if sign > 0 else 0):
                    self._conflicts[self.holds[:, item] & (self._colours[:, item] != colour)] += sign
                continue
            before = int(self.count[item])
            self.count[item] = before + sign
            if max(before, before + sign) == self.high[item]:
                self._conflicts[self.holds[:, item]] += sign
