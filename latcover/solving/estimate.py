"""Foreseeing a search: how many branches it will take, how long, and how many solutions it will find.

The search tree is sampled by groups of random probes (`latcover.backends.probing`); each group tells of the whole tree,
so that the groups' mean is the estimate, and their scatter says how far it can be trusted. The interval is that of
Student's t on the relative error of the mean, laid off in proportion (up by a factor as down), since what groups tell
is never negative and skewed to the right. How often it holds the truth was counted: docs/long-runs.md. The time is the
branches times what the backend itself takes for one, measured at the beginning of its search of this very problem.

Source: Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975); differs in that
probes go down side by side, see native/probe.hpp.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from time import perf_counter
from typing import Any

import numpy as np

from latcover.backends.probing import Floats, OnGroups, Probes, Sampling, probe
from latcover.cover.search import Backend, Limits, OnProgress, Progress, Stop, Tree
from latcover.cover.searchable import Searchable
from latcover.errors import UnsupportedError, counted
from latcover.solving.count import lists_nothing
from latcover.solving.run import run

CONFIDENCE = 0.95
CALIBRATION_SECONDS = 0.5
FEW_HITS = 100  # of covers, below which their number is not to be trusted
FEW_GROUPS = 8  # below which their scatter is not known
GOOD_ERROR = 0.05  # standard error of the branches against their number
SKEWED_ERROR = 0.18  # of a shallow tree: beyond it 32 groups scatter by more than their mean, a few carry most of it
DEEP = 100  # levels; errors of levels multiply, so that groups of a deep tree scatter with a long tail, mostly unseen


@dataclass(frozen=True, slots=True)
class Range:
    """A number that is not negative, with its confidence interval.

    All are decimal logarithms, so that none is too large: -inf for zero; ``high`` is inf where it is unknown.
    """

    log10: float
    low: float
    high: float

    def times(self, factor: float) -> Range:
        """The range of a multiple; *factor* is positive."""
        shift = math.log10(factor)
        return Range(self.log10 + shift, self.low + shift, self.high + shift)

    @classmethod
    def exactly(cls, number: float) -> Range:
        """A number that is known."""
        log = math.log10(number) if number > 0 else -math.inf
        return cls(log, log, log)


@dataclass(frozen=True, slots=True)
class Calibration:
    """A beginning of the real search, by which time is told.

    Attributes:
        backend: Who searched.
        complete: Whether the search came to its end meanwhile: its figures then are those of all of it.
    """

    backend: str
    branches: int
    seconds: float
    complete: bool
    different: int
    total: int
    threads: int

    @property
    def seconds_per_branch(self) -> float | None:
        return self.seconds / self.branches if self.branches else None


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a search is expected to take and to find.

    Attributes:
        backend: Who would search.
        branches, covers: Of the reduced problem.
        different, total: Solutions; None where covers have to be tested for being images of others, as then probes
            cannot tell which of them count.
        seconds: Of the search; None where the backend tried no branch while it was measured.
        exact: The tree is so small that it was walked in full.
        verdict: "exact"; "good" or "rough" by the width of the interval of the branches; "skewed" where the probes
            differ so much that neither number nor interval are to be trusted; "too few" probes for an interval.
        reasons: What the user should know about the figures, in words.
        probing: Figures of the probing: probes, groups, nodes, covers_met, deepest, seconds, seed, complete.
    """

    puzzle: str
    asked: str
    backend: str
    symmetry: str
    branches: Range
    covers: Range
    different: Range | None
    total: Range | None
    seconds: Range | None
    exact: bool
    verdict: str
    reasons: tuple[str, ...]
    calibration: Calibration
    probing: Mapping[str, Any]
    confidence: float = CONFIDENCE


def estimate(
    subject: Searchable[Any],
    backend: Backend,
    sampling: Sampling = Sampling(),  # noqa: B008 - frozen
    on_progress: OnProgress | None = None,
) -> Estimate:
    """Estimate what *backend* will take to search *subject* in full, and what it will find.

    Args:
        subject: A prepared puzzle, or a bare problem.
        backend: One that branches on options.
        sampling: How much to probe, and with which seed.
        on_progress: False ends the probing early; an estimate from what was probed is given then, too.

    Raises:
        UnsupportedError: the backend's tree cannot be probed; or no probe came to its end in the time given.
    """
    tree = backend.tree(subject.problem)
    found = probe(subject.problem, tree, sampling, _as_groups(on_progress))
    if not len(found.log_branches):
        raise UnsupportedError(_nothing_probed(found, sampling))
    calibration = _calibrate(subject, backend, on_progress)
    branches = _range(found.log_branches, found.least_branches, found.whole)
    covers = _range(found.log_covers, found.least_covers, found.whole)
    pending = subject.tests_pending
    error = _relative_error(found.log_branches)
    return Estimate(
        puzzle=subject.name,
        asked=backend.name,
        backend=calibration.backend,
        symmetry=subject.symmetry,
        branches=branches,
        covers=covers,
        different=None if pending else covers,
        total=None if pending else covers.times(subject.acting),
        seconds=_time(branches, calibration),
        exact=found.whole,
        verdict=_verdict(found, error),
        reasons=tuple(_reasons(subject, backend, tree, found, calibration)),
        calibration=calibration,
        probing={
            "probes": found.probes,
            "groups": len(found.log_branches),
            "nodes": found.nodes,
            "covers_met": found.covers_met,
            "deepest": found.deepest,
            "seconds": round(found.seconds, 6),
            "seed": sampling.seed,
            "complete": found.stop is Stop.EXHAUSTED,
        },
    )


def _as_groups(on_progress: OnProgress | None) -> OnGroups | None:
    if on_progress is None:
        return None
    return lambda share, _nodes, covers, seconds: on_progress(Progress(share, None, covers, seconds))


def _nothing_probed(found: Probes, sampling: Sampling) -> str:
    if found.stop is Stop.CANCELLED:
        return "interrupted before the first probe had come to its end; there is nothing to tell"
    return (
        f"no probe came to its end within five times the {sampling.seconds:g} s given: the problem is very large; "
        "give it more (--seconds 60), or a number of probes (--probes 8), which are then awaited"
    )


def _calibrate(subject: Searchable[Any], backend: Backend, on_progress: OnProgress | None) -> Calibration:
    """Search for a moment as a count would, covers judged; and look at the clock."""

    def goes_on(_: Progress) -> bool:
        return on_progress is None or on_progress(Progress(None, None, 0, 0.0))

    start = perf_counter()
    answer = run(subject, backend, Limits(seconds=CALIBRATION_SECONDS), on_progress=goes_on)
    setup = (answer.seconds["setup"] or 0.0) - subject.seconds
    seconds = perf_counter() - start - setup
    return Calibration(
        backend=answer.backend,
        branches=answer.branches or 0,
        seconds=max(seconds, 1e-9),
        complete=answer.complete,
        different=answer.different,
        total=answer.total,
        threads=int(answer.native.get("threads", 1)),
    )


def _time(branches: Range, calibration: Calibration) -> Range | None:
    if calibration.complete:
        return Range.exactly(calibration.seconds)
    each = calibration.seconds_per_branch
    return None if each is None else branches.times(each)


def _range(logs: Floats, least: int, exact: bool) -> Range:
    """The mean of what the groups tell, and its interval; *least* are known to exist."""
    if exact:
        return Range.exactly(least)
    known = math.log10(least) if least else -math.inf
    top = logs.max()
    if top == -np.inf:
        return Range(-math.inf, -math.inf, math.inf)
    mean = (top + math.log(np.exp(logs - top).mean())) / math.log(10)
    if len(logs) < 2:
        return Range(mean, known, math.inf)
    margin = _student(len(logs) - 1) * _relative_error(logs) / math.log(10)
    return Range(max(mean, known), max(mean - margin, known), max(mean + margin, known))


def _relative_error(logs: Floats) -> float:
    """The standard error of the groups' mean against the mean."""
    if len(logs) < 2 or logs.max() == -np.inf:
        return math.inf
    told = np.exp(logs - logs.max())
    return float(told.std(ddof=1) / told.mean() / math.sqrt(len(told)))


def _student(freedom: int) -> float:
    """The quantile of Student's t, expanded around the normal one (Abramowitz and Stegun 26.7.5)."""
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def _verdict(found: Probes, error: float) -> str:
    if found.whole:
        return "exact"
    if len(found.log_branches) < FEW_GROUPS:
        return "too few"
    if _is_skewed(found, error):
        return "skewed"
    return "good" if error <= GOOD_ERROR else "rough"


def _is_skewed(found: Probes, error: float) -> bool:
    return error > SKEWED_ERROR / (1 + found.deepest / DEEP)


def _carriers(logs: Floats) -> int:
    """The least number of groups that tell of half of all branches."""
    told = np.sort(np.exp(logs - logs.max()))[::-1]
    return int(np.searchsorted(np.cumsum(told), told.sum() / 2)) + 1


def _reasons(
    subject: Searchable[Any], backend: Backend, tree: Tree, found: Probes, calibration: Calibration
) -> list[str]:
    verdict = _verdict(found, _relative_error(found.log_branches))
    groups = len(found.log_branches)
    told = []
    if verdict == "too few":
        told.append(f"only {counted(groups, 'group')} of probes: too few to say how far they are off")
    if verdict == "skewed":
        told.append(
            f"sampling is too skewed to trust: {_carriers(found.log_branches)} of {groups} groups of probes carry half "
            f"of the weight, in a tree {counted(found.deepest, 'level')} deep; the truth is likely to be more"
            "; take more probes"
        )
    if not found.whole and found.covers_met < FEW_HITS:
        told.append(f"too few hits to trust the number of solutions: probes met {counted(found.covers_met, 'cover')}")
    elif verdict != "skewed" and not found.whole and _is_skewed(found, _relative_error(found.log_covers)):
        told.append("the number of solutions is too skewed to trust: a few groups of probes carry half of it")
    if subject.tests_pending:
        told.append("covers may be images of others; how many are different is only known when each has been tested")
    if calibration.complete:
        told.append(
            f"the search came to its end while it was measured: {counted(calibration.branches, 'branch')}, "
            f"{counted(calibration.different, 'solution')}, {calibration.total:,} in all"
        )
    if lists_nothing(subject.problem, backend):
        told.append("`latcover count` will not walk this tree: it counts this problem without listing its solutions")
    return told
