"""What a simulated cluster comes to, as a page and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from latcover.benchmarks.cluster_measures import FileCosts
from latcover.benchmarks.cluster_simulation import BETWEEN_DEATHS, DASK, TO_COME_BACK, Foreseen, Plan
from latcover.lab.comparing.comparison_tables import markdown_table
from latcover.system.machine import machine

NANOSECONDS = (40.0, 1060.0)  # a branch of `bitset` and of `dlx`, as the suite measures them


def page(plans: Sequence[tuple[Plan, Foreseen]], costs: FileCosts) -> str:
    """The figures of some plans in Markdown."""
    plan = plans[0][0]
    lines = [
        f"{machine()}. Writing to the run's file, measured there: {costs.rows_a_second:,.0f} jobs a second at most "
        f"({1e6 * costs.piece:.0f} µs for a new job, {1e6 * costs.result:.0f} for one that is done, "
        f"{1e6 * costs.transaction:.0f} for a transaction), {costs.bytes_of_job:.0f} bytes a job, "
        f"{1e6 * costs.reading:.0f} µs to read one again.",
        "",
        f"Assumed: {1e3 * DASK:.0f} ms of Dask's scheduler a batch; each core dies once in "
        f"{BETWEEN_DEATHS / 86_400:.0f} days, and is back after {TO_COME_BACK:.0f} s. Seed {plan.seed}.",
        "",
        *markdown_table(["", *(_heading(plan) for plan, _ in plans)], _cells(plans)),
    ]
    return "\n".join(lines)


def _heading(plan: Plan) -> str:
    return f"{plan.branches:.0e} branches of {plan.nanoseconds:,.0f} ns, {plan.cores:,} cores".replace("e+", "e")


def _cells(plans: Sequence[tuple[Plan, Foreseen]]) -> list[list[str]]:
    rows: dict[str, list[str]] = {}
    for plan, foreseen in plans:
        least = plan.core_seconds / plan.cores
        told = {
            "cores' work": duration(plan.core_seconds),
            "takes": f"{duration(foreseen.seconds)} (at best {duration(least)})",
            "of the cores' time used": f"{100 * least / foreseen.seconds:.1f} %",
            "lost to jobs that were cut": f"{100 * foreseen.lost_to_cuts:.2f} %",
            "lost to deaths of workers": f"{100 * foreseen.lost_to_deaths:.3f} % ({foreseen.deaths:,})",
            "idle": f"{100 * foreseen.idle:.2f} %",
            "idle at the end: from the first core without work to the last job": duration(foreseen.last),
            "jobs in the file": f"{foreseen.rows:,}",
            "the file": f"{foreseen.gigabytes:.3g} GB",
            "a job, by work": duration(foreseen.median_job),
            "transactions a second": f"{foreseen.writes:.1f} (at most {foreseen.most_writes:.0f} in a minute)",
            "the writer is at work": f"{100 * foreseen.writer:.2f} %",
            "Dask's scheduler is at work": f"{100 * foreseen.scheduler:.1f} %",
            "loss of all processes, on average": f"{duration(foreseen.restart)} of all cores",
        }
        for name, value in told.items():
            rows.setdefault(name, []).append(value)
    return [[name, *values] for name, values in rows.items()]


def duration(seconds: float) -> str:
    """Seconds as people say them."""
    for unit, size in (("years", 365.25 * 86_400), ("days", 86_400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:.1f} s"


def as_json(plans: Sequence[tuple[Plan, Foreseen]], costs: FileCosts) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "machine": machine(),
        "rows_a_second": costs.rows_a_second,
        "bytes_of_job": costs.bytes_of_job,
        "plans": [
            {
                "branches": plan.branches,
                "nanoseconds": plan.nanoseconds,
                "cores": plan.cores,
                "seed": plan.seed,
                **foreseen.as_json(),
            }
            for plan, foreseen in plans
        ],
    }
