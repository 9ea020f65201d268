"""Lay a TOML file out as people write it: rows of a drawing below each other, and cells side by side."""

from __future__ import annotations

import re

WIDTH = 100
_DRAWINGS = ("art", "layers")
_KEY = re.compile(r"\s*([A-Za-z0-9_-]+) = \[$")
_HALF_EDGE = re.compile(r"\[((?:lattice\.)?half_edges)\.(.+)\]$")


def laid_out(text: str) -> str:
    """Join the lines of arrays, except drawings.

    ``tomli_w``, which has written *text*, puts each element of an array on a line of its own. None of its strings spans
    lines, so a line that ends in a bracket opens an array.
    """
    lines = text.removesuffix("\n").split("\n")
    out: list[str] = []
    at = 0
    while at < len(lines):
        key = _KEY.match(lines[at])
        if key is None:
            out.append(lines[at])
            at += 1
            continue
        end = next(k for k in range(at + 1, len(lines)) if lines[k] == "]")
        inner = lines[at + 1 : end]
        elements = inner if key[1] == "art" else _joined(inner)
        if key[1] in _DRAWINGS and len(elements) > 1:
            out += [lines[at], *elements, "]"]
        else:
            out += _packed(lines[at], elements)
        at = end + 1
    return "\n".join(_with_rows_of_half_edges(out)) + "\n"


def _with_rows_of_half_edges(lines: list[str]) -> list[str]:
    """Each table of a half-edge in a row of its own, under one head."""
    out: list[str] = []
    head = ""
    at = 0
    while at < len(lines):
        found = _HALF_EDGE.match(lines[at])
        if found is None:
            out.append(lines[at])
            at += 1
            continue
        end = next((k for k in range(at, len(lines)) if not lines[k]), len(lines))
        if found[1] != head:
            head = found[1]
            out.append(f"[{head}]")
        else:
            out.pop()  # the blank line between two of them
        out += [f"{found[2]} = {{ {', '.join(lines[at + 1 : end])} }}", *lines[end : end + 1]]
        at = end + 1
    return out


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
