"""What letters in a grid leave open: pieces that cover the same cells may differ in colours and in sides.

A search among the placements that cover just the cells of some letter finds a way to read them that breaks no rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from latcover.backends import create
from latcover.cover.problem import CoverProblem, Ints, Longs
from latcover.cover.search import Batch, Limits
from latcover.encoding.prepared import Prepared
from latcover.solving import guard


def reading(names: Sequence[str], fitting: Sequence[Ints], cells: Sequence[Ints], prepared: Prepared) -> Ints | None:
    """One placement for each letter, ascending, so that all rules are kept; None where there is no such choice.

    Args:
        names: What each letter is called; it is the part of that name where that can be.
        fitting: The placements that each letter can be.
        cells: The numbers of the region's cells that each covers.
        prepared: The puzzle.
    """
    full = prepared.in_full()
    number = {part.name: k for k, part in enumerate(full.puzzle.parts)}
    of_part = [
        found[full.table.part_of[found] == number.get(name, -1)] for name, found in zip(names, fitting, strict=True)
    ]
    named = [own if len(own) else found for own, found in zip(of_part, fitting, strict=True)]
    covered = np.concatenate(cells)
    for wanted in (named, fitting):
        kept = _kept(full, np.concatenate(wanted), covered)
        batches: list[Batch] = []

        def keep(batch: Batch, batches: list[Batch] = batches) -> bool:
            batches.append(batch)
            return False

        guard.search(create("auto"), _with_these(full.problem, kept, covered), keep, Limits(covers=1), None)
        if batches:
            placements = full.option_placement[kept][next(iter(batches[0]))]
            return np.sort(placements[placements >= 0])
    return None


def _kept(full: Prepared, wanted: Ints, covered: Ints) -> npt.NDArray[np.intp]:
    """The options that are wanted placements, and those that leave a cell empty where no letter stands."""
    problem = full.problem
    holds = np.isin(problem.option_items, covered)
    touches = np.bincount(np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))[holds]) > 0
    touches = np.pad(touches, (0, problem.n_options - len(touches)))
    return np.flatnonzero(np.where(full.option_placement < 0, ~touches, np.isin(full.option_placement, wanted)))


def _with_these(problem: CoverProblem, kept: npt.NDArray[np.intp], covered: Ints) -> CoverProblem:
    """The problem with these options alone, in which a piece lies on each cell that is covered."""
    sizes = np.diff(problem.option_starts)
    entries = np.isin(np.repeat(np.arange(problem.n_options), sizes), kept)
    starts: Longs = np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64)
    low = problem.low.copy()
    low[covered] = 1
    return replace(problem, option_starts=starts, option_items=problem.option_items[entries], low=low)
