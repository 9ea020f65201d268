"""Lay a TOML file out as people write it: rows of a drawing below each other, and cells side by side."""

from __future__ import annotations

import re
from typing import Any

WIDTH = 100
_ARRAY = re.compile(r"^([ \t]*([A-Za-z0-9_-]+) = \[)\n((?:.*\n)*?)\]$", re.MULTILINE)
_HALF_EDGES = re.compile(r"(?:^\[(?:lattice\.)?half_edges\..+\]\n(?:.+\n)*\n?)+", re.MULTILINE)


def present(**values: Any) -> dict[str, Any]:
    """The entries of a table whose values are not empty."""
    return {key: value for key, value in values.items() if value}


def laid_out(text: str) -> str:
    """Join the lines of arrays, except drawings, and the tables of half-edges.

    ``tomli_w``, which has written *text*, puts each element of an array on a line of its own. None of its strings spans
    lines, so a line that ends in a bracket opens an array.
    """
    return _HALF_EDGES.sub(_rows_of_half_edges, _ARRAY.sub(_array, text))


def _array(found: re.Match[str]) -> str:
    opening, key, inner = found.groups()
    elements = inner.splitlines() if key == "art" else _joined(inner.splitlines())
    if key in ("art", "layers") and len(elements) > 1:
        return "\n".join([opening, *elements, "]"])
    return "\n".join(_packed(opening, elements))


def _rows_of_half_edges(found: re.Match[str]) -> str:
    """Each table of a half-edge in a row of its own, under one head."""
    rows = []
    for table in found[0].rstrip("\n").split("\n\n"):
        head, *lines = table.split("\n")
        outer, _, label = head[1:-1].partition("half_edges.")
        rows.append(f"{label} = {{ {', '.join(lines)} }}")
    end = "\n\n" if found[0].endswith("\n\n") else "\n"
    return f"[{outer}half_edges]\n" + "\n".join(rows) + end


def _joined(lines: list[str]) -> list[str]:
    """Elements of an array, each on one line."""
    found: list[str] = []
    elements: list[str] = []
    for line in lines:
        if line.strip() == "[":
            elements = []
        elif line.strip() in ("],", "]"):
            found.append(f"    [{', '.join(elements)}],")
        elif line.startswith("        "):
            elements.append(line.strip().rstrip(","))
        else:
            found.append(line)
    return found


def _packed(opening: str, elements: list[str]) -> list[str]:
    """As many elements on a line as fit; all of them on the line of the key if they fit there."""
    items = [element.strip().removesuffix(",") for element in elements]
    whole = f"{opening}{', '.join(items)}]"
    if len(whole) <= WIDTH:
        return [whole]
    rows = [""]
    for item in items:
        if rows[-1] and len(rows[-1]) + len(item) + 6 > WIDTH:
            rows.append("")
        rows[-1] += f" {item},"
    return [opening, *(f"   {row}" for row in rows), "]"]
