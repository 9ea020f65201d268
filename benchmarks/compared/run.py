"""A whole comparison: who asks whom, what stands beside the figures, and the page with its charts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

from latcover.benchmarks.compared.cases import TASKS, Task, cases_of
from latcover.benchmarks.compared.growth import draw_growth
from latcover.benchmarks.compared.measuring import QUICK, Plan, measure
from latcover.benchmarks.compared.page import page
from latcover.benchmarks.compared.programs import PROGRAMS, chosen_programs
from latcover.benchmarks.compared.results import Comparison, Result, from_json, judged
from latcover.benchmarks.suite import load
from latcover.errors import InputError, UnsupportedError, suggest
from latcover.files.formats.source import source_at
from latcover.system.extras import require
from latcover.system.machine import available_processors, machine


def require_what_it_needs(*, charts: bool) -> None:
    """Refuse to begin if the page could not be made in the end.

    Raises:
        BackendUnavailableError: SciPy is missing, or matplotlib if there are charts.
    """
    require("the interval of a comparison", ("scipy", "scipy.stats"), extra="peers")
    if charts:
        require("a chart", ("matplotlib", "matplotlib.figure"), extra="plot")


def chosen_tasks(only: str | None) -> tuple[Task, ...]:
    """The tasks that a list such as ``all,count`` names, in their order; None takes all.

    Raises:
        UnsupportedError: there is no such task, or none is named.
    """
    if only is None:
        return tuple(TASKS)
    wanted = {name.strip() for name in only.split(",") if name.strip()}
    for name in sorted(wanted - set(TASKS)):
        raise UnsupportedError(f"no task {name!r} is compared{suggest(name, TASKS)}")
    if not wanted:
        raise UnsupportedError(f"no task is named; there are {', '.join(TASKS)}")
    return tuple(task for task in TASKS if task in wanted)


def plan_of(*, quick: bool, seconds: float | None, turns: int | None) -> Plan:
    """How to measure.

    Args:
        seconds, turns: The processor time of each question, and how often it is asked; None takes what is usual.
    """
    usual = QUICK if quick else Plan()
    turns = usual.turns if turns is None else turns
    return replace(usual, turns=turns, few=min(usual.few, turns), seconds=usual.seconds if seconds is None else seconds)


def run(only: str | None, programs: str | None, plan: Plan, say: Callable[[str], None]) -> Iterator[Comparison]:
    """Measure; what there is after each problem.

    Args:
        only, programs: Lists of tasks and of programs; None takes all.
        say: Is told what is at work.

    Raises:
        UnsupportedError: there is no such task or program.
    """
    tasks, chosen = chosen_tasks(only), chosen_programs(programs)
    start, before = time.perf_counter(), load()
    conditions = {
        "machine": machine(),
        "processors": available_processors(),
        "load": before,
        "day": datetime.now(UTC).date().isoformat(),
        **asdict(plan),
        "versions": {program.name: program.version for program in chosen},
        "ours": [program.name for program in PROGRAMS if program.ours],
    }
    results: list[Result] = []
    for task in tasks:
        for found in measure([*cases_of(task, quick=plan.quick)], chosen, plan, say):
            results += judged(found)
            minutes = round((time.perf_counter() - start) / 60, 1)
            yield Comparison({**conditions, "minutes": minutes}, tuple(results))


def read(path: Path) -> Comparison:
    """The results of an earlier run.

    Raises:
        InputError: the file cannot be read, or holds no results.
    """
    return from_json(source_at(path, needed="a file of results", error=InputError).text(InputError), str(path))


def page_of(comparison: Comparison, output: Path | None) -> str:
    """The page; if it is to stand in a file, its charts are drawn beside that."""
    if output is None:
        return page(comparison)
    tasks = [task for task in TASKS if comparison.of(task)]
    drawn = [task for task in tasks if draw_growth(comparison, task, output.with_name(f"{output.stem}-{task}.svg"))]
    return page(comparison, [f"{output.stem}-{task}.svg" for task in drawn])
