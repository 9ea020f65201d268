"""A table of common regions as text, for other programs, and as pages with pictures."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from html import escape

from latcover.core.cover.result import Stop
from latcover.errors import counted
from latcover.lab.exploring.common import Common
from latcover.lab.exploring.common_table import CommonTable
from latcover.show.drawing.paper.styles import PictureStyle
from latcover.show.drawing.paper.svg import page
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import CaptionedScene
from latcover.show.reporting.html_page import html_page

LOOK = PictureStyle(letters=False, scale=9.0)
COLUMNS = ("area", "smallest", "connected", "holes", "none_up_to", "seconds")
NOTE = "The number of cells; *: not proved the smallest; ?: no region was found"


def in_words(found: Common) -> str:
    """What was found, in a sentence or two."""
    where = "" if found.within is None else f" within a box of {' by '.join(map(str, found.within))}"
    below = f"; there is none of {found.refuted} cells or fewer{where}" if found.refuted else ""
    if found.area is None:
        left = "; what is left is too large to be searched" if found.stop == Stop.NOT_PROVED else f" ({found.stop})"
        return f"no region was found{below}{'' if found.stop == Stop.EXHAUSTED else left}"
    how = "in one piece" if found.connected else "in several pieces"
    holes = ", with a hole" if found.holes else ""
    if found.smallest:
        return f"{found.area} cells, {how}{holes}: the smallest{where}, since all smaller areas are refuted"
    return f"{found.area} cells, {how}{holes}: not proved to be the smallest{below}"


def totals(found: CommonTable) -> str:
    """How many entries have a region, and of how many it is proved the smallest."""
    kind = {2: "pair", 3: "triple"}.get(len(found.sets))
    number = counted(len(found.entries), kind) if kind else f"{len(found.entries):,} choices of {len(found.sets)}"
    return f"{number}: {found.found} have a region, {found.proved} proved the smallest"


def matrix(found: CommonTable) -> list[list[str]]:
    """The areas, a row for each choice of all sets but the last, below a row with the names of the last."""
    columns = range(len(found.sets[-1]))
    return [
        ["", *(shape.name for shape in found.sets[-1])],
        *([name, *(_cell(found.entries.get((*row, c))) for c in columns)] for row, name in found.rows.items()),
    ]


def _cell(entry: Common | None) -> str:
    if entry is None:
        return ""
    return "?" if entry.area is None else f"{entry.area}{'' if entry.smallest else '*'}"


def as_text(found: CommonTable) -> str:
    """A table in columns."""
    lines = matrix(found)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = ["  ".join(map(str.rjust, line, widths)).rstrip() for line in lines]
    return "\n".join([*rows, "", f"{NOTE}.", totals(found)])


def as_csv(found: CommonTable) -> str:
    """A line for each entry."""
    text = io.StringIO()
    names = ("one", "other") if len(found.sets) == 2 else tuple(f"shape{n}" for n in range(1, len(found.sets) + 1))
    lines = [(*names, *COLUMNS)]
    for place, entry in found.entries.items():
        data = data_of(found, place)
        values = ["" if (value := data[name]) is None else str(value).lower() for name in COLUMNS]
        lines.append((*(layer.name for layer in entry.layers), *values))
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def data_of(found: CommonTable, place: tuple[int, ...]) -> dict[str, object]:
    """An entry as plain data, with its tilings; the keys are a promise to scripts."""
    entry = found.entries[place]
    return entry.as_json() | {"tilings": [tiling.as_json() for tiling in entry.tilings]}


def picture(entries: Sequence[Common]) -> str:
    """The tilings of each region, as SVG; empty if there is none. A single region needs no caption."""
    scenes = [
        CaptionedScene(
            scene.of_solution(tiling.puzzle, tiling.solution),
            f"{_named(entry)}: {entry.area}{'' if entry.smallest else '*'}" if len(entries) > 1 else "",
        )
        for entry in entries
        for tiling in entry.tilings
    ]
    return page("Common regions", scenes, LOOK, columns=True, together=len(entries[0].layers)) if scenes else ""


def _named(entry: Common) -> str:
    return " and ".join(layer.name for layer in entry.layers)


def pictures_of_rows(found: CommonTable) -> Iterator[tuple[str, str]]:
    """The name of each row that has a region, and the pictures of its entries."""
    for row, name in found.rows.items():
        if svg := picture([entry for place, entry in found.entries.items() if place[:-1] == row]):
            yield name, svg


def as_markdown(title: str, command: str, found: CommonTable, files: Sequence[tuple[str, str]]) -> str:
    """A page with a table, what is known where nothing is proved, and for each row the file of its pictures."""
    head, *rows = ([cell.replace("*", "\\*") for cell in line] for line in matrix(found))
    lines = [f"# {title}", "", f"This page was made by `{command}`.", "", f"{totals(found)}.", ""]
    lines += ["|".join(("", *line, "")) for line in (head, ["---"] * len(head), *rows)]
    lines += ["", NOTE.replace("*", "\\*") + ".", ""]
    if not found.stop.is_complete:
        lines += [
            f"The table was {found.stop.verdict}. Not every entry had all the time that the command gives it.",
            "",
        ]
    if unproved := [entry for entry in found.entries.values() if not entry.smallest]:
        lines += ["## Not proved", "", *(f"- {_named(entry)}: {in_words(entry)}" for entry in unproved), ""]
    for name, file in files:
        lines += [f"## {name}", "", f"![Regions that {name} and another shape fill]({file})", ""]
    return "\n".join(lines)


def as_html(title: str, found: CommonTable) -> str:
    """A page: the table, and the tilings of each entry."""
    lines = matrix(found)
    table = "".join(
        f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in line)}</tr>"
        for tag, line in zip(("th", *["td"] * (len(lines) - 1)), lines, strict=True)
    )
    figures = "".join(
        f"<figure>{picture([entry])}<figcaption>{escape(f'{_named(entry)}: {in_words(entry)}')}</figcaption></figure>"
        for entry in found.entries.values()
    )
    body = f"<p>{escape(totals(found))}. {escape(NOTE)}.</p>"
    body += f'<div class="wide" tabindex="0"><table>{table}</table></div><div class="many">{figures}</div>'
    return html_page(title, body)
