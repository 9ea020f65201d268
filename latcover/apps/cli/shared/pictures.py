"""The options of `show` about pictures and paper, and how pictures are written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct
from msgspec.structs import fields

from latcover.apps.cli.shared.options import MessageOptions
from latcover.apps.cli.shared.output import say, write_pieces
from latcover.core.model.request_values import Columns, Dpi
from latcover.show.drawing.paper.styles import Projection, Sides

if TYPE_CHECKING:
    from latcover.show.printing.draw_request import DrawRequest
    from latcover.show.printing.drawing import DrawnFiles


class PictureOptions(Struct, frozen=True):
    """The options for a picture in a file."""

    view: Annotated[Projection | None, typer.Option(show_default="both; of orientations the isometric one")] = None
    letters: Annotated[bool | None, typer.Option(show_default="letters")] = None
    patterns: bool = False
    sides: Annotated[Sides | None, typer.Option(show_default=Sides.triangles.value)] = None


class PaperOptions(Struct, frozen=True):
    """The options for pictures on paper."""

    paper: Annotated[
        str | None, typer.Option(metavar="NAME", show_default="A4 with --columns, --title and --instructions")
    ] = None
    landscape: Annotated[
        bool | None, typer.Option("--landscape/--portrait", show_default="what fits best; portrait for instructions")
    ] = None
    columns: Annotated[Columns | None, typer.Option(show_default="what fits")] = None
    title: Annotated[str | None, typer.Option(metavar="TEXT", show_default="the puzzle's")] = None
    dpi: Annotated[Dpi | None, typer.Option(show_default="150")] = None


def draw_request(*groups: Any) -> DrawRequest:
    """What the options of some groups say, where the user said something.

    Raises:
        PuzzleError: no paper has this name, the title holds what no picture can, or a length is out of bounds.
        UnsupportedError: the title is too long.
    """
    from latcover.show.printing.draw_request import DrawRequest

    known = {field.name for field in fields(DrawRequest)}
    given = {field.name: getattr(group, field.name) for group in groups for field in fields(group)}
    return DrawRequest(**{name: value for name, value in given.items() if name in known and value is not None})


def write_pictures(
    path: Path, pages: Sequence[str], title: str, messages: MessageOptions, dpi: float | None = None
) -> None:
    """Write pictures, texts of SVG files: a PDF holds all pages; of SVG and PNG each page is a file (x-1.png …).

    Raises:
        PuzzleError: a file cannot be written, or a picture would be too large.
        BackendFailedError: a library fails.
    """
    from latcover.show.printing.drawing import DrawnFiles, encoded

    write_drawn(path, DrawnFiles(encoded(pages, path.suffix.lower(), title, dpi)), messages)


def write_drawn(path: Path, made: DrawnFiles, messages: MessageOptions) -> None:
    """Write the files of a drawing. Remarks go to standard error.

    Raises:
        PuzzleError: a file cannot be written.
    """
    from latcover.show.printing.picture import paths_of

    for remark in made.remarks:
        say(remark, messages)
    for name, content in zip(paths_of(path, len(made.contents)), made.contents, strict=True):
        write_pieces(name, [content], messages)
