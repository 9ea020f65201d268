"""A base class of objects that can be drawn, and that Jupyter shows as pictures.

The model draws nothing. The package registers a painter, which is loaded when the first picture is wanted.
"""

from __future__ import annotations

TYPE_CHECKING = False  # every command loads this module before it can be interrupted, and typing loads slowly
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any, ClassVar, Protocol

    class Picture(Protocol):
        """What `latcover.draw` makes: a notebook shows it."""

        def save(self, path: str | Path, **options: Any) -> tuple[Path, ...]:
            """Write it in the form that the suffix says."""

        def _repr_svg_(self) -> str: ...

    class Painter(Protocol):
        """Draws objects for a notebook; None if there is nothing to draw."""

        def svg(self, thing: object) -> str | None:
            """The picture of *thing*."""

        def html(self, thing: object) -> str | None:
            """The picture of *thing* with text beside it."""

        def draw(self, thing: Any, **options: Any) -> Picture:
            """The picture of *thing*, to look at and to save."""


class Pictured:
    """Can be drawn. Jupyter shows such an object as a picture, or as text if there is no painter or nothing to draw."""

    __slots__ = ()
    if TYPE_CHECKING:
        _painter: ClassVar[Callable[[], Painter] | None] = None
    else:
        _painter = None  # no annotation: who asks for the types of a struct would need `ClassVar`

    def draw(self, **options: Any) -> Picture:
        """A picture, which a notebook shows and whose ``save`` writes it; `latcover.draw` says more."""
        if Pictured._painter is None:
            raise NotImplementedError("nothing draws: import latcover itself, not only its modules")
        return Pictured._painter().draw(self, **options)

    def save(self, path: str | Path, **options: Any) -> tuple[Path, ...]:
        """Draw it into a file, whose suffix says in which form; see `latcover.draw` and its `Picture.save`."""
        return self.draw(**options).save(path)

    def _repr_svg_(self) -> str | None:
        return Pictured._painter().svg(self) if Pictured._painter is not None else None

    def _repr_html_(self) -> str | None:
        return Pictured._painter().html(self) if Pictured._painter is not None else None


def show_with(painter: Callable[[], Painter] | None) -> None:
    """Let the object that *painter* returns draw all pictures; None registers no painter.

    *painter* is called for each picture, so it can import the drawing code at that time.
    """
    Pictured._painter = painter
