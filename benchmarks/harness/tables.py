"""Tables: rows of plain figures with the columns that show them, and lines of Markdown that appear as rows are done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.harness.turns import first_known, require_agreement, shown
from latcover.lab.comparing.comparison_tables import markdown_table, ratio, seconds, whole


class Column(msgspec.Struct, frozen=True):
    """A column: the figure of a row that it shows, its heading, and how it is written."""

    key: str
    heading: str
    form: Callable[[Any], str] = whole


class Table(msgspec.Struct, frozen=True):
    """A section of a page.

    Attributes:
        text: What the columns mean, for who reads the page.
        rows: Plain figures; those of several methods have the method's name in their keys.
        remarks: What the rows come to, and what was left out and why.
    """

    section: str
    title: str
    text: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]
    remarks: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The section in Markdown."""
        cells = [[column.form(row.get(column.key)) for column in self.columns] for row in self.rows]
        table = markdown_table([column.heading for column in self.columns], cells)
        lines = [f"## {self.title}", "", self.text, "", *table, ""]
        return [*lines, *(line for remark in self.remarks for line in (remark, ""))][:-1]

    def as_json(self) -> dict[str, Any]:
        """The section as plain data."""
        rows, remarks = [dict(row) for row in self.rows], list(self.remarks)
        return {"section": self.section, "title": self.title, "rows": rows, "remarks": remarks}


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


def lines_of(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table, each as soon as its row is there."""
    yield from markdown_table(headings, [])
    for row in rows:
        yield markdown_table(headings, [row])[-1]


def filled(template: Path, blocks: Mapping[str, Sequence[str]]) -> str:
    """A page of Markdown in which lines stand in place of each comment that names them."""
    text = template.read_text(encoding="utf-8").rstrip("\n")
    for name, lines in blocks.items():
        text = text.replace(f"<!-- {name} -->", "\n".join(lines).rstrip("\n"))
    return text


class Reply(msgspec.Struct, frozen=True):
    """What a backend made of a question: the words for the table, and its answer if that is sure."""

    words: str
    answer: object = None


class Question(msgspec.Struct, frozen=True):
    """A question to several backends: its words for the table, and how one of them is asked."""

    words: tuple[str, ...]
    ask: Callable[[str], Reply]


def answers_of(questions: Iterable[Question], backends: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Rows of a table: the words of each question, its answer, and what each backend made of it.

    Raises:
        DisagreementError: two backends are sure of different answers.
    """
    for question in questions:
        replies = {backend: question.ask(backend) for backend in backends}
        answers = {backend: reply.answer for backend, reply in replies.items()}
        require_agreement(" ".join(question.words), "answer", answers)
        known = first_known(answers.values())
        yield (*question.words, "?" if known is None else shown(known), *(reply.words for reply in replies.values()))
