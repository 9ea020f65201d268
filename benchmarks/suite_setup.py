"""The section of the suite that times what comes before a search: reading, placing, symmetries, encoding."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from latcover.benchmarks.suite_registry import Case
from latcover.benchmarks.suite_subjects import puzzle_of
from latcover.benchmarks.suite_table import PUZZLE, WHY, Column, Table, milliseconds
from latcover.benchmarks.suite_timing import Plan
from latcover.encoding.encode import encode
from latcover.encoding.placement import placements
from latcover.encoding.reduction import reduce_by
from latcover.encoding.symmetry import SymmetryGroup
from latcover.formats.library import names

STEPS = ("read", "place", "symmetry", "encode")


def setup(cases: Sequence[Case], plan: Plan, say: Callable[[str], None]) -> Table:
    """Each step of setting a puzzle up."""
    wanted: dict[str, str] = {}
    for case in cases:
        named = names("instances") if case.subject == "*" else [case.subject]
        wanted = dict.fromkeys(named, case.why) | wanted
    rows = []
    for name, why in wanted.items():
        say(name)
        rows.append(_best(name, plan) | {"why": why})
    columns = (
        *(PUZZLE, Column("placements", "placements"), Column("symmetries", "symmetries")),
        *(Column(step, f"{step}, ms", milliseconds) for step in (*STEPS, "all")),
        WHY,
    )
    text = (
        "Milliseconds of reading the file (parts' shapes and checks included), placing the parts, finding the "
        "symmetries and what they leave out, and writing the matrix. Boxes hold each pentomino once, and single cells."
    )
    return Table("setup", text, columns, tuple(sorted(rows, key=lambda row: row["placements"])))


def _best(name: str, plan: Plan) -> dict[str, Any]:
    """The quickest of several times."""
    runs = [_steps(name)]
    while len(runs) < plan.times and sum(run["all"] for run in runs) < plan.enough_seconds:
        runs.append(_steps(name))
    return min(runs, key=lambda run: float(run["all"]))


def _steps(name: str) -> dict[str, Any]:
    marks = [time.perf_counter()]
    puzzle = puzzle_of(name)
    marks.append(time.perf_counter())
    table = placements(puzzle)
    marks.append(time.perf_counter())
    group = SymmetryGroup(puzzle, table, "all")
    reduction = reduce_by(puzzle, table, group, None, "auto")
    marks.append(time.perf_counter())
    encode(puzzle, table, reduction)
    marks.append(time.perf_counter())
    taken = {step: after - before for step, before, after in zip(STEPS, marks[:-1], marks[1:], strict=True)}
    figures = {"puzzle": name, "placements": len(table), "symmetries": len(group)}
    return figures | taken | {"all": marks[-1] - marks[0]}
