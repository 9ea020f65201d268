"""Charts of cost against size: a panel for each family that grows, a line for each program, all axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from latcover.benchmarks.compared.cases import BY_NAME, TASKS, Task
from latcover.benchmarks.compared.figures import geometric_mean
from latcover.benchmarks.compared.programs import PROGRAMS, REFERENCE
from latcover.benchmarks.compared.results import Comparison
from latcover.benchmarks.compared.standing import Standing, limit_of, standings
from latcover.lab.comparing.plot import INK, figure_in_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 3
INCHES = (3.7, 2.9)  # of a panel


class Look(NamedTuple):
    """How the line of a program is drawn. Ours are whole, exact cover programs dashed, general solvers dotted."""

    colour: str
    line: str
    marker: str


# Middle tones, which can be read on white and on black alike; programs of the same colour differ in line and marker.
LOOKS = {
    REFERENCE: Look(INK, "-", "o"),
    "bitset": Look("#0a84d6", "-", "s"),
    "dlx": Look("#e0641e", "-", "^"),
    "backtrack": Look("#8a8f98", "-", "v"),
    "frontier": Look("#12a37a", "-", "D"),
    "restarts": Look("#12a37a", "-", "D"),
    "exact-cover": Look("#d99a00", "--", "s"),
    "xcover": Look("#c565a8", "--", "o"),
    "xcover memo": Look("#d64550", "--", "v"),
    "pyxcc": Look("#a8653c", "--", "^"),
    "miniexact": Look("#4da3e8", "--", "D"),
    "CP-SAT": Look("#9b6fd4", ":", "o"),
    "PySAT": Look("#d64550", ":", "s"),
    "clasp": Look("#7c9a1f", ":", "^"),
    "Gecode": Look("#8a8f98", ":", "D"),
    "Ganak": Look("#9b6fd4", ":", "v"),
    "PySDD": Look("#d64550", ":", "P"),
    "BurrTools": Look("#d99a00", ":", "P"),
    "heesch-sat": Look("#12a37a", ":", "s"),
}


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
    axes.axhline(limit, color=LOOKS["Gecode"].colour, linewidth=0.6)
    for program, look in LOOKS.items():
        points = [
            (int(each.size), geometric_mean(each.seconds).mean)
            for problem in problems
            if (each := problem.of(program)) is not None and each.seconds
        ]
        given_up = next(
            (int(each.size) for problem in problems if (each := problem.of(program)) and each.status == "time"), None
        )
        ours = program == REFERENCE
        weight, front = (2.2, 3) if ours else (1.1, 2)
        if points:
            axes.plot(
                *zip(*points, strict=True),
                look.line,
                color=look.colour,
                marker=look.marker,
                markersize=3.5,
                linewidth=weight,
                zorder=front,
                label=program,
            )
        if given_up is not None:
            start = [points[-1]] if points else []
            way = [*start, (given_up, limit)]
            axes.plot(*zip(*way, strict=True), look.line, color=look.colour, linewidth=weight * 0.6, alpha=0.6)
            axes.plot([given_up], [limit], "x", color=look.colour, markersize=6, zorder=front, clip_on=False)
    sizes = [int(problem.first.size) for problem in problems]
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    axes.set_xlabel(BY_NAME[name].size)
    axes.set_title(name, fontsize=9)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", linewidth=0.4, alpha=0.5)
