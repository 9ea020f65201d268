"""A search cut into jobs. A job is a node of the tree that our backends walk, with everything below it.

A job names the options that lead to its node. For items that may be held more than once it also names the options that
were skipped on the way, because they must not be chosen below. The rest of the problem at the node is itself a cover
problem, so any backend can search it. Every cover lies in exactly one job.

The branches of all jobs add up to those of the whole search if it branches on the item with the fewest ways left.
Otherwise there may be a few more: an item that may be held once more is searched like one that is held once, and
stranding, which refuses options during a search, refuses none above the jobs.

Source of the tree: docs/decisions/core/cover.md.
"""

from __future__ import annotations

import heapq
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.core.cover.search import Batch, Rule
from latcover.errors import PuzzleError

EXTENSION = -1  # in place of an item: a complete cover was extended by options that no item needs


class Job(Struct, frozen=True):
    """A part of a search.

    Attributes:
        chosen: The options that its covers hold, in the order they were taken.
        left_out: Pairs (item, option): options that hold the item and have a lower number than the option are left out.
            If the item is EXTENSION, all options with a lower number are left out.
    """

    chosen: tuple[int, ...] = ()
    left_out: tuple[tuple[int, int], ...] = ()


class Subproblem(Struct, frozen=True, eq=False):
    """The rest of a problem in a job.

    Attributes:
        chosen: The options that all covers of the job hold, int32.
        options, items: The numbers of the remaining options and items in the whole problem, ascending, int32.
    """

    problem: CoverProblem
    chosen: Ints
    options: Ints
    items: Ints

    def in_full(self, batch: Batch) -> Batch:
        """Covers of this problem as covers of the whole problem."""
        n, k = len(batch), len(self.chosen)
        own = self.options[batch.options]
        if k == 0:
            return Batch(batch.starts, own)
        options = np.insert(own, np.repeat(batch.starts[:-1], k), np.tile(self.chosen, n))
        return Batch(batch.starts + np.arange(n + 1, dtype=np.int64) * k, options.astype(np.int32))


class Piece(Struct, frozen=True):
    """A job cut out of another job, and its share of that job's tree."""

    job: Job
    share: float


class Cut(Struct, frozen=True):
    """A job cut in pieces.

    Attributes:
        pieces: Together they hold every cover of the job once, in the order of a search.
        branches_by_level: Options that a search tries above the pieces, as the first, second, ... option of a cover.
        dead_ends: How many nodes were dead ends. A dead end is not a piece.
        closed: The share of the job's tree that the dead ends have.
    """

    pieces: tuple[Piece, ...]
    branches_by_level: tuple[int, ...]
    dead_ends: int
    closed: float


class _Children(Struct, frozen=True):
    """The children of a node. If nothing is pending, *itself* is the job that holds only the node's own cover."""

    jobs: tuple[Job, ...]
    itself: Job | None = None
    dead: bool = False


class SearchTree:
    """The tree of a problem under a rule of branching.

    See `latcover.core.cover.search.Rule`. The covers do not depend on the rule, but the branches do.
    """

    def __init__(self, problem: CoverProblem, rule: Rule = "fewest") -> None:
        self.problem, self.rule = problem, rule
        self._lengths: Longs = np.diff(problem.option_starts)
        self._owners = np.repeat(np.arange(problem.n_options, dtype=np.int32), self._lengths)

    def restrict(self, job: Job) -> Subproblem:
        """The rest of the problem. Cells, parts and neighbours are reduced too, so that stranding sees only the rest.

        Raises:
            PuzzleError: the job's options do not exist, or exclude each other.
        """
        whole = self.problem
        chosen = np.array(job.chosen, dtype=np.int32)
        if len(chosen) and (chosen.min() < 0 or chosen.max() >= whole.n_options or len(set(job.chosen)) < len(chosen)):
            raise PuzzleError(f"a job has an option twice, or one that the problem does not have: {job.chosen}")
        if any(not (item == EXTENSION or 0 <= item < whole.n_items) or option < 0 for item, option in job.left_out):
            raise PuzzleError(f"a job leaves out options of items that the problem does not have: {job.left_out}")
        held, colour_of = self._held(chosen)
        high = whole.high - held
        if (high < 0).any():
            raise PuzzleError(f"a job has options that exclude each other: {job.chosen}")
        alive = self._alive(job, high, colour_of)
        return self._rest(chosen, alive, np.maximum(whole.low - held, 0), high)

    def _held(self, chosen: Ints) -> tuple[Ints, Ints]:
        """How often each item is held without a colour, and the colour in which it is held (0: none)."""
        whole = self.problem
        held = np.zeros(whole.n_items, np.int32)
        colour_of = np.zeros(whole.n_items, np.int32)
        for option in chosen.tolist():
            items, colours = whole.items_of(option), whole.colours_of(option)
            held[items[colours == 0]] += 1
            colour_of[items[colours > 0]] = colours[colours > 0]
        return held, colour_of

    def _alive(self, job: Job, high: Ints, colour_of: Ints) -> npt.NDArray[np.bool_]:
        """Which options may still be taken."""
        whole, items = self.problem, self.problem.option_items
        below = np.zeros(whole.n_items, np.int64)
        alive = np.ones(whole.n_options, np.bool_)
        for item, option in job.left_out:
            if item == EXTENSION:
                alive[:option] = False
            else:
                below[item] = max(below[item], option)
        unfit = (high == 0)[items] | (self._owners < below[items])
        if whole.has_colours:
            wanted = colour_of[items]
            unfit |= (wanted > 0) & (whole.option_colours != wanted)
        alive[self._owners[unfit]] = False
        alive[list(job.chosen)] = False
        return alive

    def _rest(self, chosen: Ints, alive: npt.NDArray[np.bool_], low: Ints, high: Ints) -> Subproblem:
        whole = self.problem
        kept = high > 0
        number = np.cumsum(kept, dtype=np.int32) - np.int32(1)
        entries = alive[self._owners]
        n_cells = int(kept[: whole.n_cells].sum())
        neighbour_starts, neighbours = _neighbours_left(whole, kept[: whole.n_cells], number)
        problem = CoverProblem(
            np.concatenate([[0], np.cumsum(self._lengths[alive])]),
            number[whole.option_items[entries]],
            low[kept],
            high[kept],
            n_cells,
            whole.part_sizes[kept[whole.n_cells : whole.n_cells + len(whole.part_sizes)]],
            neighbour_starts,
            neighbours,
            whole.option_colours[entries] if whole.has_colours else whole.option_colours,
        )
        options, items = (np.flatnonzero(flags).astype(np.int32) for flags in (alive, kept))
        return Subproblem(problem, chosen, options, items)

    def cut(self, job: Job, pieces: int = 2) -> Cut:
        """Cut a job until there are *pieces* pieces or none can be cut any more; the widest piece is cut first."""
        cutting = _Cutting(job)
        while cutting.open and len(cutting.open) + len(cutting.closed) < pieces:
            cutting.divide(self._children)
        return cutting.result()

    def _children(self, job: Job) -> _Children:
        sub = self.restrict(job)
        problem = sub.problem
        live = np.bincount(problem.option_items, minlength=problem.n_items)
        item = self._item_to_branch_on(problem, live)
        if item is None:
            return _extended(job, sub, self.problem.n_options)
        if live[item] < problem.low[item]:
            return _Children((), dead=True)
        owners = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
        own = owners[problem.option_items == item].tolist()
        if self.problem.high[sub.items[item]] == 1:
            return _Children(tuple(Job((*job.chosen, int(sub.options[o])), job.left_out) for o in own))
        jobs = []
        for option in own:
            number = int(sub.options[option])
            jobs.append(Job((*job.chosen, number), _with_left_out(job, int(sub.items[item]), number)))
            held = problem.items_of(option)
            live[held] -= 1
            if (live[held] < problem.low[held]).any():
                break  # there is no cover without this option
        return _Children(tuple(jobs))

    def _item_to_branch_on(self, problem: CoverProblem, live: npt.NDArray[np.intp]) -> int | None:
        pending = np.flatnonzero(problem.low > 0)
        if not len(pending):
            return None
        if self.rule == "first":
            return int(pending[0])
        cells = pending[pending < problem.n_cells]
        if self.rule == "fewest cell" and len(cells):
            pending = cells
        return int(pending[np.argmin(live[pending] - problem.low[pending])])


def restrict(problem: CoverProblem, job: Job) -> Subproblem:
    """The rest of *problem* in *job*; see `SearchTree.restrict`, which is faster for many jobs."""
    return SearchTree(problem).restrict(job)


def split(problem: CoverProblem, job: Job, rule: Rule = "fewest") -> Cut:
    """The jobs of the children of a node."""
    return SearchTree(problem, rule).cut(job)


class _Node(Struct, order=True):
    """A piece that may be cut further; the widest sorts first."""

    width: float  # negative
    place: tuple[int, ...]
    job: Job


class _Cutting:
    """A job while it is being cut in pieces."""

    def __init__(self, job: Job) -> None:
        self.open = [_Node(-1.0, (), job)]
        self.closed: list[_Node] = []  # cannot be cut any more
        self.tried: Counter[int] = Counter()
        self.dead_ends, self.dead_share = 0, 0.0

    def divide(self, children_of: Any) -> None:
        """Replace the widest piece by its children."""
        node = heapq.heappop(self.open)
        children: _Children = children_of(node.job)
        if children.dead:
            self.dead_ends += 1
            self.dead_share -= node.width
            return
        if not children.jobs:
            self.closed.append(node)
            return
        self.tried[len(node.job.chosen)] += len(children.jobs)
        width = node.width / (len(children.jobs) + (children.itself is not None))
        if children.itself is not None:
            self.closed.append(_Node(width, (*node.place, -1), children.itself))
        for place, job in enumerate(children.jobs):
            heapq.heappush(self.open, _Node(width, (*node.place, place), job))

    def result(self) -> Cut:
        nodes = sorted([*self.open, *self.closed], key=lambda node: node.place)
        levels = tuple(self.tried[level] for level in range(max(self.tried, default=-1) + 1))
        return Cut(tuple(Piece(node.job, -node.width) for node in nodes), levels, self.dead_ends, self.dead_share)


def _extended(job: Job, sub: Subproblem, n_options: int) -> _Children:
    """A cover by itself, and the cover extended by each remaining option, the options before that one left out."""
    numbers = sub.options.tolist()
    if not numbers:
        return _Children(())
    jobs = tuple(Job((*job.chosen, number), _with_left_out(job, EXTENSION, number)) for number in numbers)
    return _Children(jobs, Job(job.chosen, _with_left_out(job, EXTENSION, n_options)))


def _with_left_out(job: Job, item: int, option: int) -> tuple[tuple[int, int], ...]:
    """The job's left-out pairs, and the pair that leaves out the options of *item* below *option*."""
    return (*(pair for pair in job.left_out if pair[0] != item), (item, option))


def _neighbours_left(whole: CoverProblem, kept: npt.NDArray[np.bool_], number: Ints) -> tuple[Longs, Ints]:
    """The neighbours of the remaining cells among these cells."""
    lengths = np.diff(whole.neighbour_starts)
    both = np.repeat(kept, lengths) & kept[whole.neighbours]
    sums = np.concatenate([[0], np.cumsum(both)])[whole.neighbour_starts]
    starts = np.concatenate([[0], np.cumsum(np.diff(sums)[kept])]).astype(np.int64)
    return starts, number[whole.neighbours[both]]
