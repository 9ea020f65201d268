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
    """How much to probe: ``probes`` in all, or else as many as go into ``seconds``; the same again for a *seed*."""

    probes: int | None = None
    seconds: float = 1.0
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Probes:
    """What groups of probes met. Each group tells of the whole tree, independently of the others.

    Attributes:
        log_branches, log_covers: What each group tells, shape (n_groups,), float64, as natural logarithms; -inf
            for none.
        stop: EXHAUSTED: all groups came to their end.
        probes: In all groups.
        whole: Nothing was passed over, so that the only group is the tree itself.
        nodes: Nodes entered, by all groups.
        least_branches, least_covers: So many were met by a single group, hence exist.
        covers_met: By all groups; one met by several counts as often.
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
        tree: Which tree.
        sampling: How much.
        on_groups: Called some twenty times a second with the share of the groups that is done, nodes entered, covers
            met, and seconds; False ends the probing with the groups that are done.

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
