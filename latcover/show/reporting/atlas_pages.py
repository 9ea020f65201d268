"""An atlas as a page: a table, and for each shape its answers and its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from latcover.show.reporting.atlas_text import SIGNS, Row, columns_of, row_of
from latcover.show.reporting.html_page import html_page

HOW = (
    "Each region that is filled has a tiling, which was verified. That others are not is a matter of area, of a "
    "colouring, of the states of a strip, of a corner that cannot be covered, of a search, or of a SAT solver."
)


def as_markdown(title: str, command: str, entries: Sequence[tuple[Row, str, str]]) -> str:
    """A page with a table; *entries* are the data, the text, and the file of the pictures of each shape, or ""."""
    short = [row_of(row) for row, _, _ in entries]
    names = columns_of(short)
    lines = [f"# {title}", "", f"This page was made by `{command}`.", "", HOW, "", "|".join(("", *names, ""))]
    lines.append("|" + " --- |" * len(names))
    lines += ["|".join(("", *(_plain(row[name]) for name in names), "")) for row in short]
    lines += ["", f"{_plain(SIGNS)}.", ""]
    for row, text, file in entries:
        name = " and ".join(row["shapes"])
        first, *more = map(_plain, text.splitlines())
        lines += [f"## {name}", "", f"{first}", "", *(f"- {line}" for line in more), ""]
        lines += [f"![Tilings by {name}]({file})", ""] if file else []
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return text.replace("*", "\\*")


def as_html(title: str, sections: Sequence[tuple[str, str]], rows: Sequence[Row] = ()) -> str:
    """A page: a table, and for each section its text and its pictures."""
    short = [row_of(row) for row in rows]
    names = columns_of(short)
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(row[name])}</td>" for name in names) + "</tr>" for row in short)
    table = f'<div class="wide" tabindex="0"><table><tr>{head}</tr>{body}</table></div>' if rows else ""
    note = f"<p>{escape(SIGNS)}</p>" if rows else ""
    parts = "".join(f"<section>{_as_list(text)}{svg}</section>" for text, svg in sections)
    return html_page(title, f"<p>{escape(HOW)}</p>{table}{note}{parts}")


def _as_list(text: str) -> str:
    first, *lines = text.splitlines()
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<h2>{escape(first)}</h2><ul>{items}</ul>"
