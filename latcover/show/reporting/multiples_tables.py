"""Tables of the regions that copies of several shapes form: as text, CSV, and a page with pictures."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path

from msgspec.structs import replace

from latcover.core.cover.events import SILENT, Events
from latcover.core.model.puzzle import Part
from latcover.lab.exploring.exploring_requests import MultiplesRequest
from latcover.lab.exploring.multiples import Multiples, multiples
from latcover.show.drawing.paper.svg import sheet
from latcover.show.drawing.scenes.scene import of_lone_part
from latcover.show.drawing.scenes.scene_model import CaptionedScene, Scene
from latcover.show.reporting.html_page import html_page
from latcover.system.files import plain_name

UNKNOWN = "?"  # a number that the time did not suffice for


def multiples_of_each(
    shapes: Sequence[Part],
    request: MultiplesRequest,
    events: Events = SILENT,
    *,
    folder: Path | None = None,
    workers: int = 1,
) -> Iterator[Multiples]:
    """The regions of each shape, in order, so many shapes at a time; in a folder each shape has one of its own.

    The time of *request* is for all of them.

    Raises:
        RunFileError: the folder holds the regions of other shapes.
    """

    begun = time.perf_counter()

    def of(shape: Part) -> Multiples:
        left = None if request.seconds is None else max(0.0, request.seconds - (time.perf_counter() - begun))
        own = None if folder is None else folder / plain_name(shape.name, str(shape.number + 1))
        return multiples(shape, replace(request, seconds=left), events, folder=own)

    with ThreadPoolExecutor(workers) as pool:
        try:
            yield from pool.map(of, shapes)
        finally:
            pool.shutdown(cancel_futures=True)


def table_rows(found: Sequence[Multiples], copies: int, written: Callable[[int], str] = str) -> list[tuple[str, ...]]:
    """The head of the table, and a row for each shape: its name, and how many regions 1, 2, ... copies form."""
    rows = [("shape", *map(str, range(1, copies + 1)))]
    for each in found:
        numbers = [*map(written, each.counts)]
        rows.append((each.shape.name, *numbers, *[UNKNOWN] * (copies - len(numbers))))
    return rows


def table_as_text(found: Sequence[Multiples], copies: int) -> str:
    """The table in columns."""
    rows = table_rows(found, copies, "{:,}".format)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join((row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:]))).rstrip() for row in rows
    )


def table_as_csv(found: Sequence[Multiples], copies: int) -> str:
    """The table for other programs."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table_rows(found, copies))
    return text.getvalue()


def table_as_html(title: str, found: Sequence[Multiples], copies: int) -> str:
    """A page: the table, and the shapes."""
    head, *rows = table_rows(found, copies, "{:,}".format)
    lines = [("th", head), *(("td", row) for row in rows)]
    body = "".join("<tr>" + "".join(f"<{tag}>{escape(c)}</{tag}>" for c in row) + "</tr>" for tag, row in lines)
    entries = [CaptionedScene(_drawn(each.shape), each.shape.name) for each in found]
    table = f'<div class="wide" tabindex="0"><table>{body}</table></div>'
    return html_page(
        title,
        f"<p>The number of regions that a number of copies forms, up to symmetry.</p>{table}{sheet(title, entries)}",
    )


def _drawn(shape: Part) -> Scene:
    assert shape.lattice
    return of_lone_part(shape, shape.lattice)
