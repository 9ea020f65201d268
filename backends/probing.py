"""Random probes of the search tree of a backend, natively: see native/probe.hpp."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latcover.backends import _native
from latcover.backends.compiled import arrays, colours
from latcover.cover.problem import CoverProblem
from latcover.cover.search import Stop, Tree

Floats = npt.NDArray[np.float64]
OnGroups = Callable[[float, int, int, float], bool]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How much to probe: ``probes`` in all, or, if that is None, for ``seconds``. A seed repeats the same probes."""

    probes: int | None = None
    seconds: float = 1.0
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Probes:
    """The results of groups of probes. Each group estimates the whole tree, independently of the others.

    Attributes:
        log_branches, log_covers: The estimate of each group, shape (n_groups,), float64, as natural logarithm; -inf
            for 0.
        stop: EXHAUSTED says that all groups ended.
        probes: The number of probes in all groups.
        whole: Whether the probes passed over nothing; the only group is then the whole tree.
        nodes: Nodes entered by all groups.
        least_branches, least_covers: The most that a single group met; at least so many exist.
        covers_met: Covers met by all groups; a cover that several groups met counts several times.
        deepest: The most options chosen at once.
    """

    log_branches: Floats
    log_covers: Floats
    stop: Stop
    probes: int
    whole: bool
    nodes: int
    least_branches: int
    least_covers: int
    covers_met: int
    deepest: int
    seconds: float


def probe(problem: CoverProblem, tree: Tree, sampling: Sampling, on_groups: OnGroups | None = None) -> Probes:
    """Probe the tree of *problem*.

    Args:
        problem: The problem.
        tree: The tree to probe.
        sampling: How much to probe.
        on_groups: Called some twenty times a second with the share of finished groups, the nodes entered, the covers
            met, and the seconds. It may end the probing by returning False; the finished groups then count.

    Raises:
        UnsupportedError: stranding would be unsound on this problem.
    """
    stop, log_branches, log_covers, figures = _native.probe(
        *arrays(problem),
        tree=tree.kind,
        size=tree.size,
        strand=tree.strand,
        colours=colours(problem),
        cells=(problem.n_cells, len(problem.part_sizes), problem.neighbour_starts, problem.neighbours),
        probes=sampling.probes or 0,
        seconds=sampling.seconds,
        seed=sampling.seed,
        on_progress=on_groups,
    )
    return Probes(log_branches, log_covers, Stop(stop), **figures)
