"""What shows itself in a notebook.

What can be pictured knows of no picture: who draws is imported when a picture is wanted, and not before.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Pictured:
    """Shown by Jupyter as a picture, by `latcover.drawing.notebook`, or as plain text where it has nothing to draw."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        notebook: Any = import_module("latcover.drawing.notebook")
        svg: str | None = notebook.svg(self)
        return svg

    def _repr_html_(self) -> str | None:
        notebook: Any = import_module("latcover.drawing.notebook")
        html: str | None = notebook.html(self)
        return html
