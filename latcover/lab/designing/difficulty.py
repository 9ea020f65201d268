"""How hard a puzzle is: figures of the plain search, the same on every machine.

docs/explanation/difficulty.md explains them.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import asdict, replace

from latcover.backends.bitset import Bitset
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Batch, Limits, SearchTask
from latcover.core.encoding.prepared import Choices, made_ready
from latcover.core.model.puzzle import Puzzle
from latcover.core.solving import guard
from latcover.files.formats.library import subject_called
from latcover.lab.designing.design_requests import DifficultyRequest
from latcover.system.decoding import decoded
from latcover.system.sorted_sets import distinct

FEW_PIECES = 9  # up to so many, near-solutions are found faster without options for cells left over


class Difficulty(Struct, frozen=True):
    """The figures of one puzzle. Images of a solution count as solutions of their own.

    Attributes:
        puzzle: Its name.
        pieces: How many pieces a solution has; None if that is not fixed, or no solution was found.
        complete: Whether the plain search ended by itself. If not, the figures are those so far.
        solutions: Solutions.
        branches: Pieces that the search laid.
        dead_ends: Branches after which some cell or part had no place left.
        false_hopes: Branches after which every cell and part had one, and still no solution followed.
        near: Ways to lay all pieces but one; None if that is undefined for this puzzle.
        near_complete: Whether all of them were counted; if not, there are at least so many.
        most_branches: The limit.
    """

    puzzle: str
    pieces: int | None
    complete: bool
    solutions: int
    branches: int
    dead_ends: int
    false_hopes: int
    near: int | None
    near_complete: bool
    most_branches: int

    @property
    def score(self) -> float | None:
        """The difficulty: the common logarithm of branches for each solution; None if the search was cut short.

        Without a solution it is that of all branches.
        """
        return math.log10(max(1, self.branches) / max(1, self.solutions)) if self.complete else None

    @property
    def false_share(self) -> float:
        """The share of the positions without a solution that look alive."""
        return self.false_hopes / max(1, self.false_hopes + self.dead_ends)

    @property
    def near_per_solution(self) -> float | None:
        """Near-solutions for each solution; None if either is not known."""
        return self.near / self.solutions if self.near is not None and self.solutions and self.complete else None

    def as_json(self) -> dict[str, Any]:
        """Plain data; the keys are a promise to scripts."""
        score, near = self.score, self.near_per_solution
        return {
            **asdict(self),
            "difficulty": None if score is None else round(score, 4),
            "false_share": round(self.false_share, 4),
            "near_per_solution": None if near is None else round(near, 4),
        }


def difficulty(puzzle: str | Path | Puzzle | NamedProblem, **choices: Any) -> Difficulty:
    """How hard a puzzle is.

    Args:
        puzzle: A puzzle, the name of a shipped one, or its file; or a bare cover problem.
        choices: Fields of a `DifficultyRequest`: most_branches, near.

    Raises:
        PuzzleError: the puzzle contradicts itself, or there is none.
    """
    return judge_difficulty(subject_called(puzzle), decoded(DifficultyRequest, choices, "the judgement"))


def judge_difficulty(subject: Puzzle | NamedProblem, request: DifficultyRequest, events: Events = SILENT) -> Difficulty:
    """Search a puzzle plainly, and judge how hard it is.

    Raises:
        PuzzleError: the puzzle contradicts itself.
    """
    prepared = made_ready(subject, Choices(symmetry="none"))
    problem, most_branches = prepared.problem, request.most_branches
    tree, on_progress = _Tree(), events.on_progress
    backend = Bitset(threads=1)
    outcome = guard.search(backend, SearchTask(problem, tree.take, Limits(branches=most_branches), on_progress))
    figures = outcome.figures
    branches, dead_ends = figures.branches or 0, figures.dead_ends or 0
    ways, all_ways = None, True
    if request.near and (without := _all_but_one(subject, problem)):
        ways, left = 0, most_branches
        for k, one in enumerate(without):
            share = left // (len(without) - k)
            counted = backend.count(one, Limits(branches=share), on_progress)
            ways += counted.figures.covers
            all_ways &= counted.stop is Stop.EXHAUSTED
            left -= counted.figures.branches or 0
    return Difficulty(
        prepared.name,
        tree.pieces,
        outcome.stop is Stop.EXHAUSTED,
        figures.covers,
        branches,
        dead_ends,
        max(0, branches - dead_ends - figures.covers - tree.hopes),
        ways,
        all_ways,
        most_branches,
    )


class _Tree:
    """Counts the positions of the search tree, without root and solutions, that lead to a solution.

    Covers come in the order of the search, and name their options in the order of their choice. So a cover brings as
    many new positions as it has options beyond those that it shares with the cover before.
    """

    def __init__(self) -> None:
        self.hopes = 0
        self.pieces: int | None = None
        self._sizes: set[int] = set()
        self._last: npt.NDArray[np.int32] = np.empty(0, np.int32)

    def take(self, batch: Batch) -> bool:
        starts = batch.starts
        sizes = np.diff(starts)
        if not len(sizes):
            return True
        rows = np.full((len(sizes) + 1, max(int(sizes.max()), len(self._last))), -1, np.int32)
        rows[0, : len(self._last)] = self._last
        rows[1:][np.arange(rows.shape[1]) < sizes[:, None]] = batch.options[starts[0] : starts[-1]]
        same = rows[1:] == rows[:-1]
        shared = np.where(same.all(axis=1), rows.shape[1], same.argmin(axis=1))
        self.hopes += int(np.maximum(0, sizes - 1 - shared).sum())
        self._last = rows[-1, : sizes[-1]].copy()
        self._sizes.update(distinct(sizes).tolist())
        self.pieces = next(iter(self._sizes)) if len(self._sizes) == 1 else None
        return True


def _all_but_one(subject: Puzzle | NamedProblem, problem: CoverProblem) -> list[CoverProblem]:
    """For each part the problem of laying all pieces but one copy of it.

    If there are many pieces, each cell left over is a piece of its own, so that the search can see early that too many
    are left. The count is the same.

    Empty if the number of copies of some part is not fixed, or if rules say what may lie beside an empty cell.
    """
    if not isinstance(subject, Puzzle) or any(part.low != part.high for part in subject.parts):
        return []
    n_parts, n_cells = len(subject.parts), problem.n_cells
    if not subject.rules.open_sides.all() or len(problem.part_sizes) != n_parts:
        return []
    covered = sum(part.size * part.low for part in subject.parts)
    found = []
    for p, part in enumerate(subject.parts):
        low, high = problem.low.copy(), problem.high.copy()
        low[n_cells + p] -= 1
        high[n_cells + p] -= 1
        if sum(each.low for each in subject.parts) <= FEW_PIECES:
            low[:n_cells] = 0
            found.append(replace(problem, low=low, high=high))
            continue
        low[:n_cells] = 1
        left = n_cells - covered + part.size
        without = None if high[n_cells + p] else n_cells + p
        more = np.array([left], np.int32)
        found.append(_with_holes(problem, np.concatenate([low, more]), np.concatenate([high, more]), without))
    return found


def _with_holes(
    problem: CoverProblem, low: npt.NDArray[np.int32], high: npt.NDArray[np.int32], without: int | None
) -> CoverProblem:
    """The problem with an option more for each cell, which holds it and the last item, and without those of an item."""
    n_cells, items = problem.n_cells, problem.option_items
    keep = np.ones(problem.n_options, np.bool_)
    option = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
    if without is not None:
        keep[option[items == without]] = False
    kept = keep[option]
    holes = np.column_stack([np.arange(n_cells), np.full(n_cells, len(low) - 1)]).astype(np.int32)
    sizes = np.concatenate([np.diff(problem.option_starts)[keep], np.full(n_cells, 2)])
    colours = problem.option_colours
    return replace(
        problem,
        option_starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        option_items=np.concatenate([items[kept], holes.reshape(-1)]),
        low=low,
        high=high,
        option_colours=np.concatenate([colours[kept], np.zeros(2 * n_cells, np.int32)]) if len(colours) else colours,
    )
