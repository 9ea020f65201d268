"""The benchmark suite: runs its sections, and writes what came of them as a page and as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from benchmarks.harness import conditions as harness
from benchmarks.harness.tables import Table
from benchmarks.suite_counts import counting, delivery
from benchmarks.suite_finding import finding
from benchmarks.suite_registry import Case, cases_of
from benchmarks.suite_searches import colours, kernel_forms, search, sizes, threads
from benchmarks.suite_setup import setup
from benchmarks.suite_timing import QUICK_PLAN, Plan
from latcover.errors import counted

Measure = Callable[[Sequence[Case], Plan, Callable[[str], None]], Table]

MEASURES: dict[str, Measure] = {
    "search": search,
    "kernels": kernel_forms,
    "threads": threads,
    "size": sizes,
    "setup": setup,
    "counting": counting,
    "delivery": delivery,
    "finding": finding,
    "colours": colours,
}
MEASURED_WITH = ("latcover", "numpy", "ortools")


def run_suite(sections: Sequence[str], *, quick: bool, say: Callable[[str], None]) -> Iterator[Table]:
    """The tables of *sections*, each as it is finished.

    Args:
        quick: Few rows, each measured once.
        say: Is told what is at work.

    Raises:
        DisagreementError: two methods found different covers or branches, or others than there are.
    """
    plan = QUICK_PLAN if quick else Plan()
    for section in sections:
        yield MEASURES[section](cases_of(section, quick=quick), plan, partial(_say, say, section))


def _say(say: Callable[[str], None], section: str, text: str) -> None:
    say(f"{section}: {text}")


def conditions(*, quick: bool) -> dict[str, Any]:
    """What must stand beside the figures: machine, load, versions, day."""
    versions = {name: harness.version_of(name) or "not installed" for name in MEASURED_WITH}
    return {**harness.conditions(), "versions": versions, "quick": quick}


def page(tables: Sequence[Table], given: dict[str, Any]) -> str:
    """The whole page, in Markdown."""
    lines = ["# The benchmark suite", "", *_described(given), ""]
    return "\n".join([*lines, *(line for table in tables for line in (*table.lines(), ""))]).rstrip("\n")


def _described(given: dict[str, Any]) -> list[str]:
    processors, load = given["processors"], given["load"]
    told = "; the load is not known here"
    if load is not None:
        free = max(0.0, processors - load)
        told = f"; the load of the minute before was {load:g}, so about {free:.1f} cores were idle"
    versions = ", ".join(f"{name} {number}" for name, number in given["versions"].items())
    kind = "A quick run: few rows, each measured once, so good for a smoke test alone." if given["quick"] else ""
    each = "Methods take turns, and the least of several times counts." if not given["quick"] else ""
    return [
        f"{given['machine']}; {counted(processors, 'core')} to use{told}.",
        "",
        f"{given['day']}; {versions}. {kind}{each} Compare ratios rather than times, and quote the machine.",
    ]


def as_json(tables: Sequence[Table], given: dict[str, Any]) -> dict[str, Any]:
    """The same as plain data."""
    return {**given, "sections": [table.as_json() for table in tables]}
