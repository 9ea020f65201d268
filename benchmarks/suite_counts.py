"""The sections of the suite that count covers without listing them, and that hand covers over to Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from benchmarks.harness.tables import PUZZLE, SECONDS, WHY, Column, Table, words
from benchmarks.harness.turns import Timer
from benchmarks.suite_puzzles import prepared_of
from benchmarks.suite_registry import METHODS, SECTIONS, Case
from benchmarks.suite_timing import Measured, Plan, Run, require_covers, search_of, take_turns
from latcover.backends import create
from latcover.backends.bitset import Bitset
from latcover.backends.frontier import count_covers
from latcover.core.cover.counter import CountTask
from latcover.core.cover.problem import CoverProblem, Longs
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Batch, Limits, SearchTask
from latcover.core.encoding.prepared import Prepared
from latcover.core.solving.run import run

COUNT_SECONDS = 20.0  # at most, for one count
DELIVERED = 2_000_000
VERIFIED = 10_000
QUICK_SHARE = 20
Say = Callable[[str], None]


def counting(cases: Sequence[Case], plan: Plan, say: Say) -> Table:
    """Listing, remembering and the frontier on the same problems."""
    rows: list[dict[str, Any]] = []
    remarks = []
    for case in cases:
        say(case.puzzle)
        problem = prepared_of(case.puzzle).problem
        runs = {name: _count_of(problem, name) for name in case.methods}
        best = take_turns(case.puzzle, {name: each for name, each in runs.items() if not _gives_up(each)}, plan)
        for name in case.methods:
            if name not in best:
                remarks.append(f"{name} did not count {case.puzzle} within {COUNT_SECONDS:g} s.")
                continue
            covers = best[name].covers
            require_covers(case, covers)
            figures = {"puzzle": case.puzzle, "method": "enumeration" if name == "bitset" else name, "covers": covers}
            rows.append(figures | {"seconds": best[name].seconds, "why": case.why})
    text = (
        "One thread. `enumeration` lists every cover (`bitset`, by `latcover count --method enumeration`), `memo` "
        "stores counts for sets of covered items (`Bitset.count`), `frontier` goes item by item (`--method frontier`). "
        "All methods that finish must agree, or the suite stops."
    )
    columns = (PUZZLE, Column("method", "method", words), Column("covers", "covers"), SECONDS, WHY)
    return Table("counting", SECTIONS["counting"], text, columns, tuple(rows), tuple(remarks))


class _CutShortError(Exception):
    """A count that its time did not suffice for."""


def _gives_up(count: Run) -> bool:
    """Whether a first count is cut short, so that there is nothing to compare."""
    try:
        count()
    except _CutShortError:
        return True
    return False


def _count_of(problem: CoverProblem, method: str) -> Run:
    limits = Limits(seconds=COUNT_SECONDS)
    if method == "bitset":
        listed = search_of(problem, method)
        return lambda: msgspec.structs.replace(listed(), branches=None)

    def run_once() -> Measured:
        timer = Timer()
        if method == "frontier":
            count = count_covers(CountTask(problem, limits))
            covers, stop = count.covers, count.stop
        else:
            outcome = Bitset(**METHODS[method].options).count(problem, limits)
            covers, stop = outcome.figures.covers, outcome.stop
        if stop is not Stop.EXHAUSTED or covers is None:
            raise _CutShortError
        return Measured(covers, None, timer.least())

    return run_once


def delivery(cases: Sequence[Case], plan: Plan, say: Say) -> Table:
    """Covers a second that reach Python, by what is done with them there."""
    rows = []
    for case in cases:
        say(case.puzzle)
        prepared = prepared_of(case.puzzle)
        most = DELIVERED // (QUICK_SHARE if plan.quick else 1)
        for method in case.methods:
            for use, make in USES.items():
                best = min(_delivered(prepared.problem, method, make, most) for _ in range(min(plan.times, 3)))
                rows.append(_delivery_row(case, method, use, most, best))
        verified = VERIFIED // (QUICK_SHARE if plan.quick else 1)
        rows.append(_delivery_row(case, "bitset", "verified", verified, _verified(prepared, verified)))
    text = (
        "One thread. `counted`: batches arrive, and their lengths are added. `stored`: their arrays are kept. "
        "`filtered`: NumPy keeps covers with as many low-numbered options as high-numbered ones. `verified`: "
        "each cover becomes a Solution and passes the verifier, as in `latcover solve`."
    )
    columns = (
        *(PUZZLE, Column("method", "method", words), Column("use", "in Python", words)),
        *(Column("covers", "covers"), SECONDS, Column("rate", "covers a second"), WHY),
    )
    return Table("delivery", SECTIONS["delivery"], text, columns, tuple(rows))


def _delivery_row(case: Case, method: str, use: str, covers: int, seconds: float) -> Mapping[str, Any]:
    figures = {"puzzle": case.puzzle, "method": method, "use": use, "covers": covers, "seconds": seconds}
    return figures | {"rate": round(covers / seconds), "why": case.why}


def _counted(_: CoverProblem) -> Callable[[Batch], object]:
    return len


def _stored(_: CoverProblem) -> Callable[[Batch], object]:
    kept: list[Batch] = []
    return kept.append


def _filtered(problem: CoverProblem) -> Callable[[Batch], object]:
    kept: list[Longs] = []
    half = problem.n_options // 2

    return lambda batch: kept.append(halved(batch, half))


def halved(batch: Batch, half: int) -> Longs:
    """The covers of which half the options are below *half*, by their numbers in the batch; none of them is empty."""
    low = np.add.reduceat(batch.options < half, batch.starts[:-1], dtype=np.int64)
    return np.flatnonzero(2 * low == np.diff(batch.starts))


USES = {"counted": _counted, "stored": _stored, "filtered": _filtered}


def _delivered(
    problem: CoverProblem, method: str, make: Callable[[CoverProblem], Callable[[Batch], object]], most: int
) -> float:
    """The seconds in which so many covers arrive and are used."""
    use, arrived = make(problem), 0

    def take(batch: Batch) -> bool:
        nonlocal arrived
        use(batch)
        arrived += len(batch)
        return True

    given = METHODS[method]
    assert given.backend is not None
    timer = Timer()
    create(given.backend, **given.options).search(SearchTask(problem, take, Limits(covers=most)))
    seconds = timer.least()
    assert arrived == most, f"{method} handed over {arrived} covers, not {most}"
    return seconds


def _verified(prepared: Prepared, most: int) -> float:
    kept: list[object] = []
    timer = Timer()
    run(prepared, create("bitset", threads=1), Limits(covers=most), kept.append)
    seconds = timer.by_clock()
    assert len(kept) == most
    return seconds
