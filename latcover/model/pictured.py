"""A base class of objects that Jupyter shows as pictures.

The model draws nothing. The package registers a painter, which is loaded when the first picture is wanted.
"""

from __future__ import annotations

TYPE_CHECKING = False  # every command loads this module before it can be interrupted, and typing loads slowly
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ClassVar, Protocol

    class Painter(Protocol):
        """Draws objects for a notebook; None if there is nothing to draw."""

        def svg(self, thing: object) -> str | None:
            """The picture of *thing*."""

        def html(self, thing: object) -> str | None:
            """The picture of *thing* with text beside it."""


class Pictured:
    """Jupyter shows such an object as a picture, or as text if there is no painter or nothing to draw."""

    __slots__ = ()
    _painter: ClassVar[Callable[[], Painter] | None] = None

    def _repr_svg_(self) -> str | None:
        return Pictured._painter().svg(self) if Pictured._painter is not None else None

    def _repr_html_(self) -> str | None:
        return Pictured._painter().html(self) if Pictured._painter is not None else None


def show_with(painter: Callable[[], Painter] | None) -> None:
    """Let the object that *painter* returns draw all pictures; None registers no painter.

    *painter* is called for each picture, so it can import the drawing code at that time.
    """
    Pictured._painter = painter
