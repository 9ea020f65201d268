"""Estimates of a search: how many branches it will take, how long, and how many solutions it will find.

Groups of random probes sample the search tree (`latcover.backends.probing`). Each group estimates the whole tree. The
mean of the groups is the estimate, and their scatter gives its accuracy. The interval applies Student's t to the
relative error of the mean. It extends by the same factor up and down, because the groups' values are positive and
skewed to the right. docs/explanation/long-searches.md shows how often it contains the true number. The time is the
number of branches times the time of one branch, measured at the beginning of a search of the same problem.

Source: Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975). Our probes
descend side by side; see native/cover/probe.hpp.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from time import perf_counter
from typing import Any

import numpy as np
from msgspec import Struct

from latcover.backends.probing import Floats, Probes, Sampling, probe
from latcover.core.cover.backend import Backend, Tree
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits, Progress
from latcover.core.cover.searchable import Searchable
from latcover.core.model.puzzle import Bounds
from latcover.core.model.request_values import ProbeCount, ProbeSeconds, Seed
from latcover.core.solving.count import lists_nothing
from latcover.core.solving.forestall import ruled_out
from latcover.core.solving.run import run
from latcover.core.solving.search_request import ProblemRequest, Subject
from latcover.errors import UnsupportedError, counted, escaped

CONFIDENCE = 0.95
CALIBRATION_SECONDS = 0.5
FEW_HITS = 100  # covers; with fewer their number is unreliable
FEW_GROUPS = 8  # with fewer groups their scatter is unknown
GOOD_ERROR = 0.05  # relative standard error of the branches
# Relative standard error, in a shallow tree. Beyond it 32 groups scatter by more than their mean: a few dominate it.
SKEWED_ERROR = 0.18
# Levels. Errors multiply from level to level, so the groups of a deep tree have a long tail, most of it unseen.
DEEP = 100


class Range(Struct, frozen=True):
    """A number that is not negative, with its confidence interval.

    All are decimal logarithms, because the numbers may be very large: -inf for zero; ``high`` is inf if it is unknown.
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


class Calibration(Struct, frozen=True):
    """The beginning of the real search, which measures the time of a branch.

    Attributes:
        backend: The backend that searched.
        complete: Whether the search ended; its figures are then those of the whole search.
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


class ProbingFigures(Struct, frozen=True):
    """Figures of the probing; it is complete if all groups of probes ended."""

    probes: int
    groups: int
    nodes: int
    covers_met: int
    deepest: int
    seconds: float
    seed: int
    complete: bool


class Estimate(Struct, frozen=True):
    """The expected cost and results of a search.

    Attributes:
        backend: The backend that would search.
        branches, covers: Of the reduced problem.
        different, total: Solutions; None if covers must be judged, because probes cannot judge them.
        seconds: Time of the search; None if the backend tried no branch while it was measured.
        exact: Whether the whole tree was walked, because it is small.
        verdict: "exact"; "good" or "rough" by the width of the interval of the branches; "skewed" if the probes differ
            so much that number and interval are unreliable; "too few" if there are too few probes for an interval.
        reasons: Notes for the user about the figures.
        probing: The figures of the probing.
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
    probing: ProbingFigures
    confidence: float = CONFIDENCE

    def __repr__(self) -> str:
        return f"<Estimate {escaped(self.puzzle)}: about 10^{self.branches.log10:.1f} branches ({self.verdict})>"


class EstimateRequest(ProblemRequest, frozen=True, kw_only=True):
    """An estimate of a search without limits.

    Attributes:
        probes: How many probes to take; None takes as many as the time allows.
        seconds: How long to probe, if no number is given.
        seed: Of the random numbers.
    """

    probes: ProbeCount | None = None
    seconds: ProbeSeconds = 1.0
    seed: Seed = 0


def estimate(
    subject: Subject,
    request: EstimateRequest = EstimateRequest(),
    events: Events = SILENT,
    *,
    bounds: Bounds | None = None,
) -> Estimate | SearchResult:
    """Estimate the cost and the results of a full search.

    Returns a `SearchResult` if a simple argument shows that there is no solution.

    Args:
        subject: A puzzle or a bare problem, perhaps prepared already.
        request: The search, by a backend that branches on options; how long to probe; the seed.
        events: ``on_progress`` may end the probing by returning False; the estimate then has fewer probes.
        bounds: How much a puzzle may ask for.

    Raises:
        UnsupportedError: the backend's tree cannot be probed, or no probe ended in the time given.
    """
    solver = request.solver()
    ready = request.ready(subject, events, bounds)
    settled = None if request.anyway else ruled_out(ready, solver.name)
    return settled or _estimated(ready, solver, Sampling(request.probes, request.seconds, request.seed), events)


def _estimated(subject: Searchable[Any], backend: Backend, sampling: Sampling, events: Events) -> Estimate:
    tree = backend.tree(subject.problem)

    def on_groups(share: float | None, _nodes: int, covers: int, seconds: float) -> bool:
        return events.on_progress(Progress(share, None, covers, seconds))

    found = probe(subject.problem, tree, sampling, on_groups)
    if not len(found.log_branches):
        raise UnsupportedError(_nothing_probed(found, sampling))
    calibration = _calibrate(subject, backend, events)
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
        probing=ProbingFigures(
            probes=found.probes,
            groups=len(found.log_branches),
            nodes=found.nodes,
            covers_met=found.covers_met,
            deepest=found.deepest,
            seconds=round(found.seconds, 6),
            seed=sampling.seed,
            complete=found.stop is Stop.EXHAUSTED,
        ),
    )


def _nothing_probed(found: Probes, sampling: Sampling) -> str:
    if found.stop is Stop.CANCELLED:
        return "interrupted before the first probe had ended, so there is no estimate"
    return (
        f"no probe ended within five times the {sampling.seconds:g} s given: the problem is very large; "
        "give more time (--seconds 60), or a number of probes (--probes 8), which then all run to their end"
    )


def _calibrate(subject: Searchable[Any], backend: Backend, events: Events) -> Calibration:
    """Search and judge for a short time, as a count would, and measure it."""

    def goes_on(_: Progress) -> bool:
        return events.on_progress(Progress(None, None, 0, 0.0))

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
    """The mean of the groups' estimates, and its interval; at least *least* exist."""
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
    """The standard error of the groups' mean, divided by the mean."""
    if len(logs) < 2 or logs.max() == -np.inf:
        return math.inf
    scaled = np.exp(logs - logs.max())
    return float(scaled.std(ddof=1) / scaled.mean() / math.sqrt(len(scaled)))


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
    """The least number of groups that together hold half of the sum over all groups."""
    scaled = np.sort(np.exp(logs - logs.max()))[::-1]
    return int(np.searchsorted(np.cumsum(scaled), scaled.sum() / 2)) + 1


def _reasons(
    subject: Searchable[Any], backend: Backend, tree: Tree, found: Probes, calibration: Calibration
) -> list[str]:
    verdict = _verdict(found, _relative_error(found.log_branches))
    groups = len(found.log_branches)
    reasons = []
    if verdict == "too few":
        reasons.append(f"only {counted(groups, 'group')} of probes: too few to tell how accurate they are")
    if verdict == "skewed":
        reasons.append(
            f"sampling is too skewed to trust: {_carriers(found.log_branches)} of {groups} groups of probes carry half "
            f"of the weight, in a tree {counted(found.deepest, 'level')} deep; the true number is probably larger; "
            "take more probes"
        )
    if not found.whole and found.covers_met < FEW_HITS:
        met = counted(found.covers_met, "cover")
        reasons.append(f"too few hits to trust the number of solutions: probes met {met}")
    elif verdict != "skewed" and not found.whole and _is_skewed(found, _relative_error(found.log_covers)):
        reasons.append("the number of solutions is too skewed to trust: a few groups of probes carry half of it")
    if subject.tests_pending:
        reasons.append("some covers may be images of others; only a full search can tell how many are different")
    if calibration.complete:
        reasons.append(
            f"the search ended while it was measured: {counted(calibration.branches, 'branch')}, "
            f"{counted(calibration.different, 'solution')}, {calibration.total:,} in all"
        )
    if lists_nothing(subject.problem, backend):
        reasons.append("`latcover count` need not walk this tree: it may count without listing the solutions")
    return reasons
