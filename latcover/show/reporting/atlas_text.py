"""An atlas in sentences, and as a row of a table."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from latcover.files.formats.puzzle_files.region_figures import fault_of
from latcover.lab.asking.recurrences import Recurrence
from latcover.lab.exploring.atlas_answers import Atlas
from latcover.lab.exploring.decisions import Filled
from latcover.lab.plane.plane_answer import Verdict
from latcover.show.reporting.plane_report import answer_in_sentences
from latcover.show.reporting.sequence_report import recurrence_as_text

Row = Mapping[str, Any]  # the JSON of an atlas
COLUMNS = (
    *("shape", "plane", "order", "square", "odd", "triangle", "hexagon", "primes"),
    *("enlarged", "symmetric", "torus", "square torus", "odd torus"),
)
SIGNS = (
    "Copies are counted, and cells of the symmetric region. "
    "*: not proved to be the least; -: none within the bounds; ?: not decided in time"
)
ORDERS = {
    "rectangle": "order",
    "square": "square order",
    "odd": "odd order",
    "triangle": "smallest triangle",
    "hexagon": "smallest hexagon",
}
LONGEST_RECURRENCE = 800  # characters that are shown
REASONS = {  # why a region is not filled
    Filled.AREA: "by their areas",
    Filled.COLOURING: "by a colouring",
    Filled.STRIP: "by the states of a strip",
    Filled.CORNER: "by a corner that cannot be covered",
    Filled.SEARCH: "by an exhaustive search",
    Filled.SAT: "by a SAT solver",
    Filled.UNKNOWN: "not known",
}


def as_text(found: Atlas) -> str:
    """An atlas in lines."""
    return "\n".join(_lines(found))


def _lines(found: Atlas) -> Iterator[str]:
    dimension = 2 if found.shapes[0].lattice is None else found.shapes[0].lattice.dimension
    bound = " x ".join(map(str, [found.narrow, *[found.size] * (dimension - 1)]))
    yield f"{' and '.join(shape.name for shape in found.shapes)}: {boxes_of(found)} up to {bound}"
    data = found.as_json()
    yield from _filled("filled", data["rectangles"])
    if found.corner is not None:
        at_least = " x ".join([str(found.corner)] * dimension)
        yield f"a corner of {at_least} cannot be covered, so nothing larger is filled"
    for kind, least in data["orders"].items():
        yield f"{ORDERS[kind]}: {_said(least)}"
    yield f"primes: {', '.join(f'{name} ({kind})' for name, kind in data['primes'].items()) or 'none'}"
    for kind in dict.fromkeys(each.kind for each in found.regions):
        own = {str(each.side): str(each.filled) for each in found.regions if each.kind == kind}
        yield "; ".join(_filled(f"sides of {kind}s, up to {len(own)}", own))
    if found.plane is not None:
        yield f"the plane: {'; '.join(answer_in_sentences(found.plane, several=len(found.shapes) > 1))}"
    if data["enlarged"]:
        yield f"smallest enlargement: {_said(data['enlarged'])}"
    if found.plane is not None and found.plane.verdict is Verdict.NONE:
        yield "tori: none, since there is no tiling of the plane"
    else:
        yield from (f"smallest torus ({kind}): {_said(least)}" for kind, least in data["tori"].items())
    if found.symmetric is not None:
        yield f"smallest region of full symmetry: {_symmetric(data['symmetric'])}"
    several = len(found.shapes) > 1
    yield from _recurrences("any number of each" if several else "", found.strips)
    yield from _recurrences("each at least once", found.strips_of_all)


def boxes_of(found: Atlas) -> str:
    """What boxes of units are called on the lattice."""
    lattice = found.shapes[0].lattice
    assert lattice
    if lattice.dimension > 2:
        return "boxes"
    return "rectangles" if not fault_of("aztec_diamond", lattice) else "parallelograms"


def _filled(what: str, answers: Mapping[str, str]) -> Iterator[str]:
    """Which regions are filled, and how it is known that the others are not; *answers* are by their names."""
    yield f"{what}: {', '.join(name for name, answer in answers.items() if answer == Filled.YES) or 'none'}"
    names = [name for name, answer in answers.items() if answer == Filled.UNKNOWN]
    if names:
        yield f"not known: {', '.join(names)}"
    numbers = Counter(answers.values())
    reasons = [f"{numbers[r]} {words}" for r, words in REASONS.items() if numbers[r] and r is not Filled.UNKNOWN]
    if reasons:
        yield f"not filled: {', '.join(reasons)}"


def _recurrences(which: str, strips: Mapping[int, Recurrence]) -> Iterator[str]:
    for width, strip in strips.items():
        law, function, *_ = recurrence_as_text(strip).splitlines()
        if strip.coefficients and len(law) + len(function) <= LONGEST_RECURRENCE:
            sure = "" if strip.proved else "; not proved"
            yield f"width {width}{f', {which}' if which else ''}: {law}; {function}{sure}"


def _said(least: Row) -> str:
    if not least["is"]:
        return f"none {least['bound']}" + ("" if least["proved"] else ", as far as was decided")
    return f"{least['copies']} ({least['is']}{'' if least['proved'] else ', not proved the least'})"


def _symmetric(common: Row) -> str:
    if common["area"] is None:
        return f"none up to {common['none_up_to']} cells"
    return f"{common['area']} cells" + ("" if common["smallest"] else ", not proved the least")


def row_of(data: Row) -> dict[str, str]:
    """A row of the table, by `COLUMNS`; see `SIGNS`."""
    orders, tori = data["orders"], data["tori"]
    return {
        "shape": " and ".join(data["shapes"]),
        "plane": _short_plane(data["plane"]),
        "order": _short(orders.get("rectangle")),
        "square": _short(orders.get("square")),
        "odd": _short(orders.get("odd")),
        "triangle": _short(orders.get("triangle")),
        "hexagon": _short(orders.get("hexagon")),
        "primes": str(len(data["primes"])),
        "enlarged": _short(data["enlarged"]),
        "symmetric": _short_symmetric(data["symmetric"]),
        "torus": _short(tori.get("rectangle")),
        "square torus": _short(tori.get("square")),
        "odd torus": _short(tori.get("odd")),
    }


def _short(least: Row | None) -> str:
    if least is None:
        return ""
    if not least["is"]:
        return "-" if least["proved"] else "?"
    size = least["is"].removeprefix("triangle ").removeprefix("hexagon ")  # the side
    return f"{least['copies']}{'' if least['proved'] else '*'} ({size})"


def _short_symmetric(common: Row | None) -> str:
    if common is None:
        return ""
    return "?" if common["area"] is None else f"{common['area']}{'' if common['smallest'] else '*'}"


def _short_plane(answer: Row | None) -> str:
    """Such as "isohedral, p4", "2 classes, p2", "no, Heesch 1"."""
    if answer is None:
        return ""
    if "group" in answer:
        classes = f"{answer['classes']} classes{'' if answer['classes_exact'] else '*'}"
        return f"{'isohedral' if answer['answer'] == 'isohedral' else classes}, {answer['group']}"
    return f"no, Heesch {answer['heesch']}" if answer["answer"] == "none" else "?"


def columns_of(rows: Iterable[Mapping[str, str]]) -> tuple[str, ...]:
    """The columns that have something in one of the rows."""
    every = [*rows]
    return tuple(name for name in COLUMNS if any(row[name] for row in every))


def table_as_text(rows: Sequence[Row]) -> str:
    """A table in columns."""
    short = [row_of(row) for row in rows]
    names = columns_of(short)
    lines = [names, *(tuple(row[name] for name in names) for row in short)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join([*("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines), SIGNS])


def table_as_csv(rows: Sequence[Row]) -> str:
    """A table for other programs, with all columns."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *(row_of(row).values() for row in rows)])
    return text.getvalue()
