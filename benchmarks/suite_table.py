"""A section of the suite when it has been run: rows of plain figures, and their form in Markdown and JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from latcover.benchmarks.suite_registry import SECTIONS
from latcover.lab.comparing.comparison_tables import markdown_table, ratio, seconds, whole


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the figure of a row that it shows, its heading, and how it is written."""

    key: str
    heading: str
    form: Callable[[Any], str] = whole


def words(value: Any) -> str:
    """Text as it is; a dash for none."""
    return "-" if value in (None, "") else str(value)


def nanoseconds(value: float | None) -> str:
    """Nanoseconds a branch."""
    return "-" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def milliseconds(value: float | None) -> str:
    """Seconds, written in milliseconds."""
    return "-" if value is None else f"{value * 1e3:,.1f}"


PUZZLE, WHY = Column("puzzle", "puzzle", words), Column("why", "why", words)
SECONDS, RATIO = Column("seconds", "seconds", seconds), Column("ratio", "ratio", ratio)


@dataclass(frozen=True, slots=True)
class Table:
    """A section's figures.

    Attributes:
        text: What the columns mean, for who reads the page.
        rows: Plain figures; those of several methods have the method's name in their keys.
        remarks: What the rows come to, and what was left out and why.
    """

    section: str
    text: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]
    remarks: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The section in Markdown."""
        cells = [[column.form(row.get(column.key)) for column in self.columns] for row in self.rows]
        table = markdown_table([column.heading for column in self.columns], cells)
        lines = [f"## {SECTIONS[self.section]}", "", self.text, "", *table, ""]
        return [*lines, *(line for remark in self.remarks for line in (remark, ""))][:-1]

    def as_json(self) -> dict[str, Any]:
        """The section as plain data."""
        return {
            "section": self.section,
            "title": SECTIONS[self.section],
            "rows": [dict(row) for row in self.rows],
            "remarks": list(self.remarks),
        }
