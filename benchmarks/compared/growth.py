"""Charts of cost against size: a panel for each family that grows, a line for each program, all axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.compared.cases import BY_NAME, TASKS, Task
from benchmarks.compared.figures import geometric_mean
from benchmarks.compared.programs import PROGRAMS, REFERENCE, Program
from benchmarks.compared.results import Comparison
from benchmarks.compared.standing import Standing, limit_of, standings
from latcover.lab.comparing.plot import figure_in_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 3
GREY = "#8a8f98"  # of the limit
INCHES = (3.7, 2.9)  # of a panel


def growing(problems: Sequence[Standing]) -> dict[str, list[Standing]]:
    """The problems of each family whose sizes are numbers, if there are at least two."""
    found: dict[str, list[Standing]] = {}
    for problem in problems:
        if isinstance(problem.first.size, int):
            found.setdefault(problem.first.family, []).append(problem)
    return {name: of_family for name, of_family in found.items() if len(of_family) > 1}


def draw_growth(comparison: Comparison, task: Task, path: Path) -> bool:
    """Write the chart of a task to *path*; False if no family of it grows.

    Raises:
        UnsupportedError, BackendUnavailableError: as `latcover.lab.comparing.plot.require_plotting`.
        PuzzleError: the file cannot be written.
    """
    limit = limit_of(comparison, task)
    families = growing(standings(comparison.of(task), limit))
    if not families:
        return False
    columns = min(COLUMNS, len(families))
    rows = math.ceil(len(families) / columns)
    with figure_in_file(path, (INCHES[0] * columns, INCHES[1] * rows + 1.3), font_size=9) as figure:
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes, (name, problems) in zip(panels, families.items(), strict=False):
            _draw(axes, name, problems, limit)
        for axes in panels[len(families) :]:
            axes.set_axis_off()
        handles = {
            str(line.get_label()): line
            for axes in panels
            for line in axes.get_lines()
            if not str(line.get_label()).startswith("_")
        }
        names = [program.name for program in PROGRAMS if program.name in handles]
        figure.legend([handles[name] for name in names], names, loc="outside lower center", ncols=6, frameon=False)
        figure.suptitle(f"{TASKS[task]}: processor seconds against size (a cross: not within {limit:g} s)", fontsize=10)
    return True


def _draw(axes: Axes, name: str, problems: Sequence[Standing], limit: float) -> None:
    """One family: the line of each program up to its last answer, and a cross where it gave up."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.axhline(limit, color=GREY, linewidth=0.6)
    for program in PROGRAMS:
        _draw_line(axes, program, problems, limit)
    sizes = [int(problem.first.size) for problem in problems]
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    axes.set_xlabel(BY_NAME[name].size)
    axes.set_title(name, fontsize=9)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", linewidth=0.4, alpha=0.5)


def _draw_line(axes: Axes, program: Program, problems: Sequence[Standing], limit: float) -> None:
    colour, line, marker = program.look
    results = [each for problem in problems if (each := problem.of(program.name)) is not None]
    points = [(int(each.size), geometric_mean(each.seconds).mean) for each in results if each.seconds]
    given_up = next((int(each.size) for each in results if each.status == "time"), None)
    weight, front = (2.2, 3) if program.name == REFERENCE else (1.1, 2)
    if points:
        style: dict[str, Any] = {"color": colour, "linewidth": weight, "marker": marker, "markersize": 3.5}
        axes.plot(*zip(*points, strict=True), line, zorder=front, label=program.name, **style)
    if given_up is not None:
        way = [*points[-1:], (given_up, limit)]
        axes.plot(*zip(*way, strict=True), line, color=colour, linewidth=weight * 0.6, alpha=0.6)
        axes.plot([given_up], [limit], "x", color=colour, markersize=6, zorder=front, clip_on=False)
