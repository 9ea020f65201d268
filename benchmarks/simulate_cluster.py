"""A very long search on a cluster, simulated: jobs, the file, deaths of workers, restarts, the end.

The policy is that of `--cluster`, jobs are like those of real puzzles, and what the file costs is measured here.
docs/explanation/long-plan.md is about the figures of this script.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from benchmarks.cluster_measures import FileCosts, measured_costs, measured_shapes, stored_shapes
from benchmarks.cluster_simulation import BETWEEN_DEATHS, DASK, TO_COME_BACK, Foreseen, Plan, simulate
from latcover.lab.comparing.comparison_tables import markdown_table
from latcover.system.machine import machine

NANOSECONDS = (40.0, 1060.0)  # a branch of `bitset` and of `dlx`, as the suite measures them


def simulate_cluster(
    *,
    branches: Annotated[float, typer.Option(min=1, max=1e18, help="How many branches there are.")] = 1e15,
    cores: Annotated[int, typer.Option(min=1, max=100_000, help="How many cores search.")] = 1000,
    nanoseconds: Annotated[float | None, typer.Option(min=0.1, max=1e6, help="Of a branch (default: two).")] = None,
    seed: Annotated[int, typer.Option(help="Which of all random courses is taken.")] = 1,
    measure: Annotated[bool, typer.Option("--measure", help="Measure how unlike jobs are: some minutes.")] = False,
) -> Iterator[str]:
    """Simulate a very long search on a cluster: jobs, the file, deaths of workers, restarts, the end."""
    if measure:
        yield json.dumps(measured_shapes(lambda text: print(text, file=sys.stderr)), separators=(",", ":"))
        return
    costs, plans = measured_costs(), []
    for each in NANOSECONDS if nanoseconds is None else (nanoseconds,):
        plan = Plan(branches, each, cores, seed)
        plans.append((plan, simulate(plan, stored_shapes(), costs)))
    yield page(plans, costs)


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
