"""Random probes of the search tree of a backend, natively: see native/cover/probe.hpp."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.backends import _native
from latcover.backends.compiled import OnNativeProgress, native_problem
from latcover.core.cover.backend import Tree
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Limits

Floats = npt.NDArray[np.float64]
OnGroups = OnNativeProgress
Probes = _native.Probes


class Sampling(Struct, frozen=True):
    """How much to probe: ``probes`` in all, or, if that is None, for ``seconds``. A seed repeats the same probes."""

    probes: int | None = None
    seconds: float = 1.0
    seed: int = 0


def expected_branches(problem: CoverProblem, limits: Limits = Limits(), probes: int = 16) -> float:
    """The branches of an enumeration, as the mean of a few probes, the same in every run; infinite if time runs out."""
    most = math.inf if limits.seconds is None else limits.seconds
    found = probe(problem, Tree("dlx", size=True), Sampling(probes=probes), lambda *figures: figures[-1] < most)
    with np.errstate(over="ignore"):
        return float(np.exp(found.log_branches).mean()) if found.stop is Stop.EXHAUSTED else math.inf


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
    return _native.probe(
        native_problem(problem),
        tree=tree.kind,
        size=tree.size,
        strand=tree.strand,
        probes=sampling.probes or 0,
        seconds=sampling.seconds,
        seed=sampling.seed,
        on_progress=on_groups,
    )
