"""A comparison as a table, as plain data, as CSV and as Markdown, with the search profile of each method."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from latcover.errors import counted, escaped
from latcover.lab.comparing.compare import Comparison, Run, Status
from latcover.system.machine import machine

if TYPE_CHECKING:
    from rich.table import Table

BLOCKS = "▁▂▃▄▅▆▇█"
PLAIN_BLOCKS = ".:-=+*%#"  # for outputs without these characters
LINEAR_UP_TO = 50  # branches; if no level has more, the scale is linear
SECONDS = ("first", "search", "setup", "check")
CERTAINTIES = ("different_is", "total_is")
LAST_COLUMNS = ("memory_bytes", "time_ratio", "branches_ratio", "reason", *CERTAINTIES)


def as_json(comparison: Comparison) -> dict[str, Any]:
    """One object with everything; `answer` is the object that `latcover count --json` printed."""
    return {
        "puzzle": comparison.puzzle,
        "arguments": list(comparison.arguments),
        "machine": machine(),
        "figures": dict(comparison.figures),
        "methods": [
            {
                "method": run.name,
                "arguments": list(run.method.arguments),
                "status": run.status.value,
                "reason": run.reason,
                "time_ratio": comparison.ratio(run, "search"),
                "branches_ratio": comparison.ratio(run, "branches"),
                "answer": None if run.answer is None else dict(run.answer),
            }
            for run in comparison.runs
        ],
        "agree": not comparison.disagreements,
        "compared": [run.name for run in comparison.of_status(Status.COMPLETE)],
        "disagreements": list(comparison.disagreements),
        "verdict": comparison.verdict(),
        "interrupted": comparison.interrupted,
    }


def as_csv(comparison: Comparison) -> str:
    """A heading, and one line for each method; unknown figures are left empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    counts = ("different", "total", "covers", "digest", "branches", "dead_ends")
    ratios = ("search", "branches")
    writer.writerow(
        ("puzzle", "method", "status", "stop", *counts, *(f"{name}_seconds" for name in SECONDS), *LAST_COLUMNS)
    )
    for run in comparison.runs:
        stop = "" if run.answer is None else run.answer["stop"]
        figures = [run.figure(name) for name in (*counts, *SECONDS, "memory")]
        row = [*figures, *(comparison.ratio(run, name) for name in ratios), run.reason]
        row += [run.figure(name) for name in CERTAINTIES]
        writer.writerow([comparison.puzzle, run.name, run.status.value, stop, *row])
    return out.getvalue()


def as_markdown(comparison: Comparison) -> str:
    """A heading, the table, the profile, and the verdict."""
    lines = [f"## {title(comparison)}", "", machine(), "", *markdown_table(HEADINGS, table_rows(comparison)), ""]
    profile = profile_lines(comparison)
    if profile:
        lines += ["```text", *profile, "```", ""]
    for sentence in (*notes(comparison), *comparison.verdict()):
        lines += [sentence, ""]
    return "\n".join(lines)


def as_text(comparison: Comparison, *, blocks: str = BLOCKS) -> str:
    """The table in aligned columns, the profile, and the verdict."""
    lines = [title(comparison), "", *text_table(HEADINGS, table_rows(comparison)), *tail(comparison, blocks)]
    return "\n".join(lines)


def tail(comparison: Comparison, blocks: str = BLOCKS, *, profile: bool = True) -> list[str]:
    """The lines below the table: profile, notes, verdict."""
    lines = []
    above = profile_lines(comparison, blocks) if profile else []
    for part in (above, notes(comparison), comparison.verdict()):
        if part:
            lines += ["", *part]
    return lines


def title(comparison: Comparison) -> str:
    """The puzzle, the arguments of all methods, and the puzzle's size."""
    figures = comparison.figures
    known = ("cells", "parts", "placements", "options", "items")
    sizes = [counted(figures[name], name.removesuffix("s")) for name in known if name in figures]
    pivot = f"; pivot {figures['pivot']}" if figures.get("pivot") else ""
    given = f" ({' '.join(comparison.arguments)})" if comparison.arguments else ""
    about = f": {', '.join(sizes)}{pivot}" if sizes else ""
    return escaped(f"{comparison.puzzle}{given}{about}")


HEADINGS = (
    "method",
    "different",
    "total",
    "branches",
    "x best",
    "first s",
    "search s",
    "x best",
    "set-up s",
    "MiB",
    "end",
)

# Columns of `HEADINGS`: the results, the branches and the end; and the costs.
FOUND_COLUMNS, TOOK_COLUMNS = (0, 1, 2, 3, 4, 10), (0, 5, 6, 7, 8, 9)
SHORT_COLUMNS = (0, 1, 2, 3, 6, 7, 10)  # what one table of a narrow terminal has
MARGIN = 4


def table_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """The rows of the table below `HEADINGS`. The columns "x best" are relative to the best complete method."""
    rows: list[tuple[str, ...]] = []
    for run in comparison.runs:
        memory = run.figure("memory")
        rows.append(
            (
                run.name,
                found(run, "different"),
                found(run, "total"),
                whole(run.figure("branches")),
                ratio(comparison.ratio(run, "branches")),
                seconds(run.figure("first")),
                seconds(run.figure("search")),
                ratio(comparison.ratio(run, "search")),
                seconds(run.figure("setup")),
                whole(None if memory is None else round(memory / 2**20)),
                run.stop,
            )
        )
    return rows


def show_table(comparison: Comparison, *, colour: bool, blocks: str, every: bool) -> None:
    """Print the comparison: its main columns and the verdict, or *every* column and the branches by level.

    These are one table if the terminal is wide enough, otherwise two.
    """
    from rich.console import Console
    from rich.text import Text

    console = Console(no_color=not colour, highlight=False)
    console.print(Text(title(comparison)), soft_wrap=True)
    rows = [HEADINGS, *table_rows(comparison)]
    fits = max(map(len, text_table(rows[0], rows[1:]))) + MARGIN <= console.width
    tables = (FOUND_COLUMNS, TOOK_COLUMNS) if every else (SHORT_COLUMNS,)
    for columns in (range(len(HEADINGS)),) if fits else tables:
        chosen = [[row[column] for column in columns] for row in rows]
        needed = max(map(len, text_table(chosen[0], chosen[1:]))) + MARGIN
        wide = Console(no_color=console.no_color, highlight=False, width=max(console.width, needed))
        wide.print(_rich_table(comparison, chosen))  # the terminal breaks lines that are still too wide
    loud = "bold red" if comparison.exit_code == 1 else "bold"
    lines = tail(comparison, blocks, profile=every)
    verdict = len(comparison.verdict())
    for number, line in enumerate(lines):
        console.print(Text(line, style=loud if number >= len(lines) - verdict else ""), soft_wrap=True)
    if not every:
        console.print(Text("--all shows every cost, and the branches by level", style="dim"), soft_wrap=True)


def _rich_table(comparison: Comparison, rows: list[list[str]]) -> Table:
    """A table of *rows*, the first of which are the headings. The colour of a row shows how its run ended."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    colours = {Status.COMPLETE: "", Status.CUT_SHORT: "yellow", Status.FAILED: "bold red"}
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), collapse_padding=True)
    for heading in rows[0]:
        table.add_column(heading, justify="left" if heading in ("method", "end") else "right", no_wrap=True)
    for run, row in zip(comparison.runs, rows[1:], strict=True):
        table.add_row(*map(Text, row), style=colours.get(run.status, "dim"))
    return table


def run_as_line(run: Run) -> str:
    """What a method found, as soon as it has ended."""
    if run.answer is None:
        return escaped(f"{run.name}: {run.stop}: {run.reason}")
    figures = f"{found(run, 'different')} different, {found(run, 'total')} in all, {seconds(run.figure('search'))} s"
    return f"{run.name}: {run.stop}: {figures}"


def whole(number: int | None) -> str:
    """A whole number for a table."""
    return "-" if number is None else f"{number:,}"


def found(run: Run, name: Literal["different", "total"]) -> str:
    """A number of solutions for a table; a run that was cut short may have a lower bound or none."""
    if run.answer is None:
        return "-"
    certainty = run.figure(f"{name}_is")
    return "not known" if certainty == "not known" else f"{'>= ' * (certainty == 'at least')}{run.figure(name):,}"


def seconds(duration: float | None) -> str:
    """A time for a table."""
    if duration is None:
        return "-"
    return f"{duration:,.1f}" if duration >= 100 else f"{duration:.3f}" if duration >= 0.001 else f"{duration:.6f}"


def ratio(value: float | None) -> str:
    """A ratio for a table."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def notes(comparison: Comparison) -> list[str]:
    """One line for each method without an answer, with the reason."""
    return [escaped(f"{run.name}: {run.status.value}: {run.reason}") for run in comparison.runs if run.answer is None]


def text_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines with aligned columns. The first and the last column are aligned to the left, the others to the right."""
    table = [tuple(headings), *map(tuple, rows)]
    widths = [max(len(row[c]) for row in table) for c in range(len(headings))]
    aligns = ["<" if _left(c, len(headings)) else ">" for c in range(len(headings))]
    return [
        "  ".join(f"{text:{align}{width}}" for text, align, width in zip(row, aligns, widths, strict=True)).rstrip()
        for row in table
    ]


def markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The same table as Markdown."""
    under = ["---" if _left(c, len(headings)) else "--:" for c in range(len(headings))]
    return [f"| {' | '.join(text.replace('|', chr(92) + '|') for text in row)} |" for row in (headings, under, *rows)]


def _left(column: int, n_columns: int) -> bool:
    return column in (0, n_columns - 1)


def profile_lines(comparison: Comparison, blocks: str = BLOCKS) -> list[str]:
    """The branches of each method, one bar for each level, all on one scale; empty if no method has branches."""
    runs = [run for run in comparison.answered if any(run.figure("branches_by_level"))]
    if not runs:
        return []
    tallest = max(max(run.figure("branches_by_level")) for run in runs)
    height, scale = _scale(tallest, len(blocks))
    width = max(len(run.name) for run in runs)
    lines = [f"branches by level, from the first option chosen on ({scale} scale, the same for all; top: {tallest:,})"]
    for run in runs:
        levels = run.figure("branches_by_level")
        bars = "".join(blocks[height(n)] if n else " " for n in levels)
        most = max(levels)
        lines.append(f"{run.name:<{width}}  {bars}  most at level {levels.index(most) + 1}: {most:,}")
    return lines


def _scale(tallest: int, steps: int) -> tuple[Callable[[int], int], str]:
    """A function from a number of branches, 1 or more, to a step of the scale; and the name of the scale."""
    if tallest <= LINEAR_UP_TO:
        return lambda n: min(steps - 1, n * steps // (tallest + 1)), "linear"
    return lambda n: min(steps - 1, int(math.log(n) / math.log(tallest) * steps)), "logarithmic"
