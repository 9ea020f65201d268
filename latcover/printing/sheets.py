"""Pictures on paper and in pixels: SVG files as PDF and PNG, by Typst.

Typst draws SVG files as vectors, and brings its fonts with it. The same pictures give the same bytes, unless a text
needs a font of the system.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast

from latcover.errors import BackendFailedError, InternalError
from latcover.system.extras import require

DPI = 150
INCH = 25.4
UNITS = {"mm": 1.0, "": INCH / 96}  # millimetres; a pixel of the web is a 96th of an inch
SIZE = re.compile(r'width="([\d.]+)(mm|)" height="([\d.]+)')


def require_typst(what: str) -> Any:
    """Typst, or an error that says how to install it.

    Raises:
        BackendUnavailableError: it is not installed, or cannot be loaded.
    """
    return require(what, ("typst",), extra="paper", hint="an .svg file needs nothing")


def pdf(pages: Sequence[str], title: str) -> bytes:
    """One PDF file of some pages, each the text of an SVG file; its size is that of the SVG.

    Raises:
        BackendUnavailableError: Typst is not installed.
        BackendFailedError: it fails.
    """
    return cast(bytes, _compiled(pages, title, format="pdf"))


def png(pages: Sequence[str], dpi: float = DPI) -> list[bytes]:
    """A PNG file for each page, with so many dots to an inch.

    Raises:
        BackendUnavailableError: Typst is not installed.
        BackendFailedError: it fails.
    """
    found = _compiled(pages, "", format="png", ppi=float(dpi))
    return list(found) if isinstance(found, list) else [found]


def pixels(page: str, dpi: float = DPI) -> int:
    """How many dots a page has as PNG."""
    width, height = _size(page)
    return round(width / INCH * dpi) * round(height / INCH * dpi)


def _size(page: str) -> tuple[float, float]:
    """The width and the height that an SVG file says, in millimetres."""
    found = SIZE.search(page)
    if found is None:
        raise InternalError("an SVG file of ours does not say its size")
    (width, unit, height) = found.groups()
    return float(width) * UNITS[unit], float(height) * UNITS[unit]


def _compiled(pages: Sequence[str], title: str, **how: Any) -> Any:
    typst = require_typst("a picture as PDF or PNG")
    lines = [f"#set document(title: {_quoted(title)}, date: none)"]
    for k, page in enumerate(pages):
        width, height = _size(page)
        lines.append(f"#page(width: {width:.4f}mm, height: {height:.4f}mm, margin: 0pt, fill: white)[")
        lines.append(f'#image("/{k}.svg", width: 100%, height: 100%)]')
    files = {f"{k}.svg": page.encode() for k, page in enumerate(pages)}
    try:
        return typst.compile({"main": "\n".join(lines).encode(), **files}, **how)
    except Exception as fault:  # Typst raises errors of its own
        raise BackendFailedError(f"Typst cannot make this file: {fault}") from fault


def _quoted(text: str) -> str:
    """A text as Typst's language writes it."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'
