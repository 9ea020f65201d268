"""The section of the suite that looks for one solution of a large puzzle."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.harness.tables import PUZZLE, WHY, Column, Table, words
from benchmarks.harness.turns import Timer
from benchmarks.suite_puzzles import prepared_of
from benchmarks.suite_registry import METHODS, SECTIONS, Case
from benchmarks.suite_timing import Plan
from latcover.backends import create
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import Prepared
from latcover.core.solving.run import run

SECONDS_TO_FIND = 60.0
QUICK_SECONDS = 1.0
SEEDS = 20
LARGE = 3_000_000  # items of all options: general solvers take minutes to read more


def finding(cases: Sequence[Case], plan: Plan, say: Callable[[str], None]) -> Table:
    """How often a solution is found, and in what time. Every solution passes the verifier."""
    rows: list[dict[str, Any]] = []
    for case in cases:
        prepared = prepared_of(case.puzzle)
        problem = prepared.problem
        row: dict[str, Any] = {"puzzle": case.puzzle, "options": problem.n_options, "why": case.why}
        for method in case.methods:
            if method in ("cpsat", "sat") and len(problem.option_items) > LARGE:
                row[method] = "too large"
                continue
            seeds = (1 if plan.quick else SEEDS) if method == "restarts" else 1
            taken = []
            for seed in range(seeds):
                say(f"{case.puzzle}: {method}, seed {seed}")
                taken.append(_found_in(prepared, method, seed, QUICK_SECONDS if plan.quick else SECONDS_TO_FIND))
            row[method] = _told(taken)
            row[f"{method}_seconds"] = taken
        rows.append(row)
    columns = (
        *(PUZZLE, Column("options", "options")),
        *(Column(method, f"`{method}`", words) for method in cases[0].methods),
        WHY,
    )
    text = (
        "Seconds until one solution is found, on one thread, symmetry left aside; every solution is verified. Of "
        f"`restarts`: how many of {SEEDS} seeds found one within {SECONDS_TO_FIND:.0f} s, the median and the longest. "
        "The others search once; a dash says that they found none in that time."
    )
    return Table("finding", SECTIONS["finding"], text, columns, tuple(rows))


def _found_in(prepared: Prepared, method: str, seed: int, most: float) -> float | None:
    """Seconds until a solution is found; None if none is."""
    given = METHODS[method]
    assert given.backend is not None
    options = dict(given.options) | ({"seed": seed} if method == "restarts" else {})
    timer = Timer()
    answer = run(prepared, create(given.backend, **options), Limits(covers=1, seconds=most), lambda _: None)
    if not answer.different:
        return None
    # The solver of `sat` is a child process, whose time the timer does not know.
    return answer.seconds["search"] if method == "sat" else timer.least()


def _told(taken: Sequence[float | None]) -> str:
    found = sorted(seconds for seconds in taken if seconds is not None)
    if not found:
        return "-" if len(taken) == 1 else f"0 of {len(taken)}"
    if len(taken) == 1:
        return f"{found[0]:.2f}"
    return f"{len(found)} of {len(taken)}; {statistics.median(found):.2f}; {found[-1]:.2f}"
