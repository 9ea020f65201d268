"""A comparison on a terminal: coloured, and in two tables where one would be too wide."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from latcover.comparing.compare import Comparison, Status
from latcover.comparing.report import HEADINGS, table_rows, tail, text_table, title

# Of `HEADINGS`: what was found, by how many branches and how it ended; and what it took.
FOUND_COLUMNS, TOOK_COLUMNS = (0, 1, 2, 3, 4, 10), (0, 5, 6, 7, 8, 9)
MARGIN = 4


def show_table(comparison: Comparison, *, colour: bool, blocks: str) -> None:
    """Print it for people: all columns beside each other where the terminal is wide enough, else in two tables."""
    console = Console(no_color=not colour, highlight=False)
    console.print(Text(title(comparison)), soft_wrap=True)
    rows = [HEADINGS, *table_rows(comparison)]
    fits = max(map(len, text_table(rows[0], rows[1:]))) + MARGIN <= console.width
    for columns in (range(len(HEADINGS)),) if fits else (FOUND_COLUMNS, TOOK_COLUMNS):
        chosen = [[row[column] for column in columns] for row in rows]
        needed = max(map(len, text_table(chosen[0], chosen[1:]))) + MARGIN
        wide = Console(no_color=console.no_color, highlight=False, width=max(console.width, needed))
        wide.print(_rich_table(comparison, chosen))  # too wide even so: the terminal breaks lines, nothing is cut
    loud = "bold red" if comparison.exit_code == 1 else "bold"
    lines = tail(comparison, blocks)
    verdict = len(comparison.verdict())
    for number, line in enumerate(lines):
        console.print(Text(line, style=loud if number >= len(lines) - verdict else ""), soft_wrap=True)


def _rich_table(comparison: Comparison, rows: list[list[str]]) -> Table:
    """*rows*, the first of them headings, with a colour for how each run ended."""
    colours = {Status.COMPLETE: "", Status.CUT_SHORT: "yellow", Status.FAILED: "bold red"}
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), collapse_padding=True)
    for heading in rows[0]:
        table.add_column(heading, justify="left" if heading in ("method", "end") else "right", no_wrap=True)
    for run, row in zip(comparison.runs, rows[1:], strict=True):
        table.add_row(*map(Text, row), style=colours.get(run.status, "dim"))
    return table
