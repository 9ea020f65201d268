"""The section of the suite that times setting a puzzle up: reading, placing, symmetries, encoding."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.harness.tables import PUZZLE, WHY, Column, Table, milliseconds
from benchmarks.harness.turns import in_turns
from benchmarks.suite_puzzles import puzzle_of
from benchmarks.suite_registry import SECTIONS, Case
from benchmarks.suite_timing import Plan
from latcover.core.encoding.encode import encode
from latcover.core.encoding.placement import placements
from latcover.core.encoding.reduction import reduce_by
from latcover.core.encoding.symmetry import SymmetryGroup
from latcover.files.formats.source import names

STEPS = ("read", "place", "symmetry", "encode")


def setup(cases: Sequence[Case], plan: Plan, say: Callable[[str], None]) -> Table:
    """Each step of setting a puzzle up, the quickest of several times."""
    wanted: dict[str, str] = {}
    for case in cases:
        named = names("instances") if case.puzzle == "*" else [case.puzzle]
        wanted = dict.fromkeys(named, case.why) | wanted
    rows = []
    for name, why in wanted.items():
        say(name)
        (runs,) = in_turns(
            {name: lambda name=name: _steps(name)},  # type: ignore[misc]
            plan.times,
            lambda earlier: sum(run["all"] for run in earlier) < plan.enough_seconds,
        ).values()
        rows.append(min(runs, key=lambda run: float(run["all"])) | {"why": why})
    columns = (
        *(PUZZLE, Column("placements", "placements"), Column("symmetries", "symmetries")),
        *(Column(step, f"{step}, ms", milliseconds) for step in (*STEPS, "all")),
        WHY,
    )
    text = (
        "Milliseconds of reading the file (parts' shapes and checks included), placing the parts, finding the "
        "symmetries and what they leave out, and writing the matrix. Boxes hold each pentomino once, and single cells."
    )
    return Table("setup", SECTIONS["setup"], text, columns, tuple(sorted(rows, key=lambda row: row["placements"])))


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
