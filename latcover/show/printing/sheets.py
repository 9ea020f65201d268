"""Convert SVG files to PDF and PNG with Typst.

Typst draws SVG files as vectors, in its own fonts. Equal pictures give equal bytes, unless a text needs a system font.
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
    """Typst, or a `BackendUnavailableError` that says how to install it."""
    return require(what, ("typst",), extra="paper", hint="an .svg file needs nothing")


def pdf(pages: Sequence[str], title: str) -> bytes:
    """A PDF file of *pages*, texts of SVG files, each in its own size. Raises the errors of `_compiled`."""
    return cast(bytes, _compiled(pages, title, format="pdf"))


def png(pages: Sequence[str], dpi: float = DPI) -> list[bytes]:
    """A PNG file for each page, with *dpi* dots per inch. Raises the errors of `_compiled`."""
    found = _compiled(pages, "", format="png", ppi=float(dpi))
    return list(found) if isinstance(found, list) else [found]


def pixels(page: str, dpi: float = DPI) -> int:
    """The number of pixels of a page as PNG."""
    width, height = _size(page)
    return round(width / INCH * dpi) * round(height / INCH * dpi)


def _size(page: str) -> tuple[float, float]:
    """The width and height of an SVG file, in millimetres."""
    found = SIZE.search(page)
    if found is None:
        raise InternalError("an SVG file of ours does not say its size")
    (width, unit, height) = found.groups()
    return float(width) * UNITS[unit], float(height) * UNITS[unit]


def _compiled(pages: Sequence[str], title: str, **options: Any) -> Any:
    """Compile SVG files with Typst.

    Raises:
        BackendUnavailableError: Typst is not installed.
        BackendFailedError: it fails.
    """
    typst = require_typst("a picture as PDF or PNG")
    lines = [f"#set document(title: {_quoted(title)}, date: none)"]
    for k, page in enumerate(pages):
        width, height = _size(page)
        lines.append(f"#page(width: {width:.4f}mm, height: {height:.4f}mm, margin: 0pt, fill: white)[")
        lines.append(f'#image("/{k}.svg", width: 100%, height: 100%)]')
    files = {f"{k}.svg": page.encode() for k, page in enumerate(pages)}
    try:
        return typst.compile({"main": "\n".join(lines).encode(), **files}, **options)
    except Exception as fault:  # Typst raises errors of its own
        raise BackendFailedError(f"Typst cannot make this file: {fault}") from fault


def _quoted(text: str) -> str:
    """A string literal of Typst's language."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'
