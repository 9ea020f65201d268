"""A whole comparison: who asks whom, what stands beside the figures, and the page with its charts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import msgspec

from benchmarks.compared.cases import TASKS, cases_of
from benchmarks.compared.growth import draw_growth
from benchmarks.compared.measuring import QUICK, Plan, measure
from benchmarks.compared.page import page
from benchmarks.compared.programs import PROGRAMS, chosen_programs
from benchmarks.compared.results import Comparison, Conditions, Result, from_json, judged
from benchmarks.harness.conditions import conditions
from benchmarks.harness.options import chosen
from benchmarks.harness.turns import Timer
from latcover.errors import InputError, UnsupportedError
from latcover.files.formats.source import source_at
from latcover.system.extras import require


def require_what_it_needs(*, charts: bool) -> None:
    """Refuse to begin if the page could not be made in the end.

    Raises:
        UnsupportedError: this is no POSIX system.
        BackendUnavailableError: SciPy is missing, or matplotlib if there are charts.
    """
    if find_spec("resource") is None:
        raise UnsupportedError("this measures by what only POSIX systems have: run it on Linux or macOS")
    require("the interval of a comparison", ("scipy", "scipy.stats"), extra="peers")
    if charts:
        require("a chart", ("matplotlib", "matplotlib.figure"), extra="plot")


def plan_of(*, quick: bool, seconds: float | None, turns: int | None) -> Plan:
    """How to measure.

    Args:
        seconds, turns: The processor time of each question, and how often it is asked; None takes what is usual.
    """
    usual = QUICK if quick else Plan()
    turns = usual.turns if turns is None else turns
    return msgspec.structs.replace(
        usual, turns=turns, few=min(usual.few, turns), seconds=usual.seconds if seconds is None else seconds
    )


def run(only: str | None, programs: str | None, plan: Plan, say: Callable[[str], None]) -> Iterator[Comparison]:
    """Measure; what there is after each problem.

    Args:
        only, programs: Lists of tasks and of programs; None takes all.
        say: Is told what is at work.

    Raises:
        UnsupportedError: there is no such task or program.
    """
    wanted, asked = chosen("task", only, TASKS) or TASKS, chosen_programs(programs)
    versions = {program.name: program.version for program in asked}
    ours = [program.name for program in PROGRAMS if program.ours]
    given = {**conditions(), **msgspec.to_builtins(plan), "versions": versions, "ours": ours}
    timer, results = Timer(), list[Result]()
    for task in (task for task in TASKS if task in wanted):
        for found in measure([*cases_of(task, quick=plan.quick)], asked, plan, say):
            results += judged(found)
            minutes = round(timer.by_clock() / 60, 1)
            yield Comparison(msgspec.convert({**given, "minutes": minutes}, Conditions), tuple(results))


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
