"""A picture of the suite: nanoseconds a branch of dancing links and of each kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.harness.tables import Table, nanoseconds
from benchmarks.suite_registry import METHODS
from latcover.errors import UnsupportedError
from latcover.lab.comparing.plot import figure_in_file, require_plotting, style_bars

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DRAWN = ("kernels", "search")
# Okabe and Ito (2008): hues that colour-blind people tell apart. The same method has the same one everywhere.
COLOURS = {
    "dlx": "#D55E00",
    "portable": "#CCCCCC",
    "avx2": "#009E73",
    "avx512": "#0072B2",
    "neon": "#009E73",  # as avx2: no processor has both
    "bitset": "#0072B2",
}
INCHES_A_BAR = 0.17
Bars = Mapping[str, Mapping[str, float]]  # puzzle -> method -> figure


def require_chart(path: Path, sections: Sequence[str]) -> None:
    """Refuse a chart that could not be made, before the suite is run.

    Raises:
        UnsupportedError: the suffix is no picture's, or no section is run that is drawn.
        BackendUnavailableError: matplotlib is not installed.
    """
    require_plotting(path)
    if not set(DRAWN) & set(sections):
        raise UnsupportedError(f"the chart shows the sections {', '.join(DRAWN)}; run one, or leave --chart out")


def draw_chart(tables: Sequence[Table], machine: str, path: Path) -> None:
    """Write the picture to *path*.

    Raises:
        UnsupportedError, BackendUnavailableError: as `require_chart`.
        PuzzleError: the file cannot be written.
    """
    by_section = {table.section: table for table in tables}
    require_chart(path, list(by_section))
    bars = branch_bars(by_section.get("kernels") or by_section["search"])
    bars_drawn = sum(len(methods) + 1 for methods in bars.values())
    with figure_in_file(path, (7.5, 1.8 + INCHES_A_BAR * bars_drawn), font_size=9) as figure:
        axes = figure.subplots()
        _draw(axes, bars)
        axes.set_xlabel("nanoseconds a branch (logarithmic)")
        figure.suptitle(machine, fontsize=8)


def branch_bars(table: Table) -> Bars:
    """Nanoseconds a branch by puzzle and method."""
    return {row["puzzle"]: {name: row[f"{name}_ns"] for name in METHODS if row.get(f"{name}_ns")} for row in table.rows}


def _draw(axes: Axes, bars: Bars) -> None:
    """A group of bars a puzzle from the top, the figure beside each."""
    least = min(value for methods in bars.values() for value in methods.values()) / 3
    most = max(value for methods in bars.values() for value in methods.values())
    axes.set_xscale("log")
    axes.set_xlim(least, most * (most / least) ** 0.25)  # room for the label of the longest bar
    place, centres, seen = 0.0, [], set()
    for methods in bars.values():
        centres.append(place + (len(methods) - 1) / 2)
        for name, value in methods.items():
            label = "_" if name in seen else name
            seen.add(name)
            axes.barh(place, value - least, left=least, height=0.9, color=COLOURS[name], label=label)
            axes.text(value, place, f" {nanoseconds(value)}", va="center", fontsize=7)
            place += 1
        place += 1
    axes.set_yticks(centres, list(bars))
    axes.set_ylim(place - 0.5, -1.5)  # from the top
    style_bars(axes)
    axes.legend(loc="lower right", fontsize=7)
