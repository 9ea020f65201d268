"""A picture of a comparison: the time and the branches of each method, as bars on logarithmic scales."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from latcover.errors import UnsupportedError
from latcover.lab.comparing.compare import Comparison, Status
from latcover.lab.comparing.comparison_tables import seconds, whole
from latcover.system.extras import require
from latcover.system.files import whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg")
# Two hues of Okabe and Ito (2008), which colour-blind people can distinguish. Hatching marks methods cut short.
BLUE, ORANGE = "#0072B2", "#E69F00"
INK, PAPER, FAINT = "#1b1d21", "#ffffff", "#dddddd"
# Pictures follow the page around them, or the system, where it is dark. matplotlib writes each colour as a style.
_DARK = {INK: "#e4e4de", PAPER: "#1b1d21", FAINT: "#3a3d42"}
INCHES_A_METHOD = 0.36


def require_plotting(path: Path) -> None:
    """Refuse an impossible plot before hours are spent on the search.

    Raises:
        UnsupportedError: the suffix names no form of plot.
        BackendUnavailableError: matplotlib is not installed, or cannot be loaded.
    """
    if path.suffix not in SUFFIXES:
        raise UnsupportedError(f"cannot plot a {path.suffix or 'file without suffix'}; the forms are: .png, .svg")
    require("a plot", ("matplotlib", "matplotlib.figure"), extra="plot")


def plot(comparison: Comparison, path: Path) -> None:
    """Write the picture to *path*, a .png or .svg file.

    Raises:
        UnsupportedError, BackendUnavailableError: as `require_plotting`.
        PuzzleError: the file cannot be written.
    """
    height = 1.6 + INCHES_A_METHOD * max(1, len(comparison.answered))
    with figure_in_file(path, (11, height), font_size=10) as figure:
        left, right = figure.subplots(1, 2, sharey=True)
        _bars(left, comparison, "search", BLUE)
        _bars(right, comparison, "branches", ORANGE)
        left.set_xlabel("seconds of search (logarithmic)")
        right.set_xlabel("branches (logarithmic)")
        left.invert_yaxis()
        cut = " (hatched: cut short)" if comparison.of_status(Status.CUT_SHORT) else ""
        figure.suptitle(f"{comparison.puzzle}{cut}")


@contextmanager
def figure_in_file(path: Path, inches: tuple[float, float], font_size: int) -> Iterator[Figure]:
    """An empty figure with a width and a height; when the block ends, it is written to *path*.

    Raises:
        UnsupportedError, BackendUnavailableError: as `require_plotting`.
        PuzzleError: the file cannot be written.
    """
    require_plotting(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    inks = dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK)
    papers = dict.fromkeys(("figure.facecolor", "axes.facecolor", "legend.facecolor"), PAPER)
    drawn: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "latcover", "grid.color": FAINT}
    drawn["font.size"] = font_size
    with rc_context(drawn | inks | papers):
        figure = Figure(figsize=inches, layout="constrained")
        yield figure
        form = path.suffix[1:].lower()
        made = BytesIO()
        figure.savefig(made, format=form, dpi=144, metadata={"Date": None} if form == "svg" else None)
        with whole_file(path) as file:
            file.write(for_dark_pages(made.getvalue()) if form == "svg" else made.getvalue())


def for_dark_pages(svg: bytes) -> bytes:
    """A picture of matplotlib's whose ink and paper change places where the page around it is dark."""
    rules = "".join(
        f'[style*="{kind}: {light}"]{{{kind}:{dark}!important}}'
        for light, dark in _DARK.items()
        for kind in ("fill", "stroke")
    )
    style = f"<style>@media (prefers-color-scheme:dark){{{rules}}}</style>"
    head, end, rest = svg.partition(b"<defs>")
    return head + end + style.encode("ascii") + rest


def style_bars(axes: Axes) -> None:
    """Prepare axes for bars from left to right: faint lines behind them, no frame above and to the right."""
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="x", color=FAINT)
    axes.set_axisbelow(True)


def _bars(axes: Axes, comparison: Comparison, name: str, colour: str) -> None:
    """One bar for each method, from the top, with its value beside it; a dash if a method has no such figure."""
    runs = comparison.answered
    values = [run.figure(name) for run in runs]
    positive = [value for value in values if value]
    least, most = min(positive, default=1), max(positive, default=10)
    low = least / 3
    axes.set_xscale("log")
    high = max(most, least * 10)
    room = 0.45 if comparison.of_status(Status.CUT_SHORT) else 0.3  # for the label of the longest bar
    axes.set_xlim(low, high * (high / low) ** room)
    axes.set_yticks(range(len(runs)), [run.name for run in runs])
    style_bars(axes)
    written: Any = seconds if name == "search" else whole
    for row, (run, value) in enumerate(zip(runs, values, strict=True)):
        cut = run.status is Status.CUT_SHORT
        if value:
            axes.barh(row, value - low, left=low, color=colour, height=0.7, edgecolor=INK, hatch="////" if cut else "")
        sign = "more than " if cut and value is not None else ""
        axes.text(value or low, row, f" {sign}{written(value)}", va="center")
