"""An atlas as text, as a row of a table, and as a page with pictures."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from latcover.drawing.paper.svg import CaptionedScene, sheet
from latcover.drawing.scenes import scene
from latcover.exploring.atlas import Atlas
from latcover.exploring.tilings import Tiling
from latcover.reporting.html_page import html_page
from latcover.reporting.sequence import recurrence_as_text

Row = Mapping[str, Any]  # the JSON of an atlas
COLUMNS = ("shape", "order", "square", "odd", "primes", "enlarged", "torus", "square torus", "odd torus", "symmetric")
LONGEST_RECURRENCE = 200  # characters that a page shows


def as_text(found: Atlas) -> str:
    """An atlas in lines."""
    return "\n".join(_lines(found))


def _lines(found: Atlas) -> Iterator[str]:
    dimension = 2 if found.shapes[0].lattice is None else found.shapes[0].lattice.dimension
    kind, bound = "rectangles" if dimension == 2 else "boxes", " x ".join([str(found.size)] * dimension)
    yield f"{' and '.join(shape.name for shape in found.shapes)}: {kind} up to {bound}"
    data = found.as_json()
    filled = [name for name, answer in data["rectangles"].items() if answer == "yes"]
    unknown = [name for name, answer in data["rectangles"].items() if answer == "not known"]
    yield f"filled: {', '.join(filled) or 'none'}"
    if unknown:
        yield f"not known: {', '.join(unknown)}"
    if found.corner is not None:
        at_least = " x ".join([str(found.corner)] * dimension)
        yield f"a corner of {at_least} cannot be covered, so nothing larger is filled"
    for kind, least in found.orders.items():
        name = "order" if kind == "rectangle" else f"{kind} order"
        yield f"{name}: {_said(least.as_json())}"
    yield f"primes: {', '.join(f'{name} ({kind})' for name, kind in data['primes'].items()) or 'none'}"
    if data["enlarged"]:
        yield f"smallest enlargement: {_said(data['enlarged'])}"
    for kind, least in data["tori"].items():
        yield f"smallest torus ({kind}): {_said(least)}"
    if found.symmetric is not None:
        yield f"smallest region of full symmetry: {_symmetric(data['symmetric'])}"
    for width, strip in found.strips.items():
        text = recurrence_as_text(strip)
        if strip.coefficients and len(text) <= 4 * LONGEST_RECURRENCE:
            yield f"width {width}: {text.replace(chr(10), '; ')}"


def _said(least: Row) -> str:
    if not least["is"]:
        return "none within the bounds" + ("" if least["proved"] else ", as far as was decided")
    return f"{least['copies']} ({least['is']}{'' if least['proved'] else ', not proved the least'})"


def _symmetric(common: Row) -> str:
    if common["area"] is None:
        return f"none up to {common['none_up_to']} cells"
    return f"{common['area']} cells" + ("" if common["smallest"] else ", not proved the least")


def row_of(data: Row) -> tuple[str, ...]:
    """A row of `COLUMNS`. ``*``: not proved the least; ``-``: none within the bounds; ``?``: not decided."""

    def short(least: Row | None) -> str:
        if least is None or not least["is"]:
            return "-" if least is not None and least["proved"] else "?"
        return f"{least['copies']}{'' if least['proved'] else '*'} ({least['is']})"

    orders, tori, common = data["orders"], data["tori"], data["symmetric"]
    area = None if common is None else common["area"]
    return (
        " and ".join(data["shapes"]),
        *(short(orders.get(kind)) for kind in ("rectangle", "square", "odd")),
        str(len(data["primes"])),
        "" if data["enlarged"] is None else short(data["enlarged"]),
        *(short(tori.get(kind)) if tori else "" for kind in ("rectangle", "square", "odd")),
        "" if common is None else "?" if area is None else f"{area}{'' if common['smallest'] else '*'}",
    )


def table_as_text(rows: Sequence[Row]) -> str:
    """A table in columns."""
    lines = [COLUMNS, *map(row_of, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def table_as_csv(rows: Sequence[Row]) -> str:
    """A table for other programs."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *map(row_of, rows)])
    return text.getvalue()


def pictures(found: Atlas) -> str:
    """The least tilings, as SVG; empty if there is none."""
    named = [("order" if k == "rectangle" else f"{k} order", least.tiling) for k, least in found.orders.items()]
    named.append(("enlarged", found.enlarged.tiling if found.enlarged else None))
    named += [(f"torus ({kind})", least.tiling) for kind, least in found.tori.items()]
    if found.symmetric is not None and found.symmetric.tilings:
        named.append(("full symmetry", found.symmetric.tilings[0]))
    entries = [CaptionedScene(_scene(tiling), name) for name, tiling in named if tiling is not None]
    return sheet(" and ".join(shape.name for shape in found.shapes), entries) if entries else ""


def _scene(tiling: Tiling) -> Any:
    return scene.of_solution(tiling.puzzle, tiling.solution)


def as_markdown(title: str, command: str, rows: Sequence[Row], files: Sequence[str]) -> str:
    """A page with a table, and for each shape a link to the file of its pictures; "" for none."""
    lines = [f"# {title}", "", f"This page was made by `{command}`.", "", "|".join(("", *COLUMNS, ""))]
    lines.append("|" + " --- |" * len(COLUMNS))
    lines += ["|".join(("", *(cell.replace("*", "\\*") for cell in row_of(row)), "")) for row in rows]
    lines += [
        "",
        "An asterisk: not proved to be the least. A dash: none within the bounds. "
        "A question mark: not decided in time.",
        "",
    ]
    for row, file in zip(rows, files, strict=True):
        name = " and ".join(row["shapes"])
        lines += [f"## {name}", "", f"![Least tilings by {name}]({file})", ""] if file else []
    return "\n".join(lines)


def as_html(title: str, sections: Sequence[tuple[str, str]], rows: Sequence[Row] = ()) -> str:
    """A page: a table, and for each section its text and its pictures."""
    head = "".join(f"<th>{escape(name)}</th>" for name in COLUMNS)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row_of(row)) + "</tr>" for row in rows)
    table = f'<div class="wide" tabindex="0"><table><tr>{head}</tr>{body}</table></div>' if rows else ""
    note = "<p>* not proved to be the least; - none within the bounds; ? not decided in time</p>" if rows else ""
    parts = "".join(f"<section><pre>{escape(text)}</pre>{svg}</section>" for text, svg in sections)
    return html_page(title, table + note + parts)
