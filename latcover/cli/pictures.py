"""Pictures that `show` writes as SVG, PDF and PNG: single ones, posters, and building instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.cli.options import TalkOptions
from latcover.cli.support import write_file, write_pieces
from latcover.errors import PuzzleError, UnsupportedError, counted, escaped, unwritable

if TYPE_CHECKING:
    from latcover.drawing.poster import Paper, Tile
    from latcover.drawing.svg import Entry
    from latcover.drawing.svg import View as SvgView
    from latcover.drawing.svg_shapes import Definitions, Look

SUFFIXES = (".svg", ".pdf", ".png")
LARGEST = 200_000_000  # pixels of a PNG
LONGEST_TITLE = 200  # characters


@dataclass(frozen=True)
class PaperOptions:
    """The options for pictures on paper."""

    paper: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Make a poster on this paper: A0 to A6, letter, legal, tabloid (.svg .pdf .png).",
            show_default="A4 with --columns, --title and --instructions",
        ),
    ] = None
    landscape: Annotated[bool, typer.Option("--landscape", help="Turn the paper.")] = False
    columns: Annotated[
        int | None,
        typer.Option(min=1, max=500, metavar="N", help="Poster: pictures side by side.", show_default="what fits"),
    ] = None
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Poster: its title.", show_default="the puzzle's")
    ] = None
    dpi: Annotated[
        int | None, typer.Option(min=10, max=2400, metavar="N", help="Dots to an inch (.png).", show_default="150")
    ] = None

    def given(self) -> list[str]:
        """The names of the options that the user gave."""
        values = {
            "--paper": self.paper is not None,
            "--landscape": self.landscape,
            "--columns": self.columns is not None,
            "--title": self.title is not None,
            "--dpi": self.dpi is not None,
        }
        return [name for name, is_given in values.items() if is_given]

    @property
    def poster(self) -> bool:
        """Whether the user wants a poster."""
        return self.paper is not None or self.landscape or self.columns is not None or self.title is not None

    def sheet(self) -> Paper:
        """The paper.

        Raises:
            PuzzleError: no paper has this name.
        """
        from latcover.drawing.poster import paper

        return paper(self.paper or "A4", landscape=self.landscape)


def check_paper(suffix: str, options: PaperOptions) -> None:
    """Refuse options that do not fit the form, and a form that needs what is not there; before any search.

    Raises:
        UnsupportedError: an option does not fit.
        PuzzleError: no paper has this name, or the title holds what no picture can.
        BackendUnavailableError: a library is not installed.
    """
    given = options.given()
    if given and suffix not in SUFFIXES:
        raise UnsupportedError(f"{', '.join(given)}: only for pictures; give --output x.pdf, x.png or x.svg")
    if options.dpi is not None and suffix != ".png":
        raise UnsupportedError(f"--dpi: only for .png; {suffix} has no dots, so leave that out")
    if unwritable(options.title or ""):
        raise PuzzleError(f"--title: no picture can hold the character {escaped(unwritable(options.title or ''))}")
    if options.title is not None and len(options.title) > LONGEST_TITLE:
        raise UnsupportedError(
            f"--title has {len(options.title):,} characters; give at most {LONGEST_TITLE}, which a sheet has room for"
        )
    options.sheet()
    if suffix in SUFFIXES[1:]:
        from latcover.printing.sheets import require_typst

        require_typst(f"a picture as {suffix}")


def poster(
    words: tuple[str, str], entries: Sequence[Entry], how: tuple[Look, SvgView | None], options: PaperOptions
) -> list[str]:
    """The sheets of a poster of some scenes. *words*: the title, unless the user gave one, and a line below it."""
    from latcover.drawing.poster import tiles_of
    from latcover.drawing.svg_shapes import Definitions

    definitions = Definitions()
    return poster_of(words, tiles_of(entries, definitions, *how), definitions, options)


def poster_of(
    words: tuple[str, str], tiles: Sequence[Tile], definitions: Definitions, options: PaperOptions
) -> list[str]:
    """The sheets of a poster of pictures that are drawn already."""
    from latcover.drawing.poster import sheets

    title = words[0] if options.title is None else options.title
    return sheets((title, words[1]), tiles, definitions, options.sheet(), options.columns)


def write_pictures(path: Path, pages: Sequence[str], title: str, options: PaperOptions, talk: TalkOptions) -> None:
    """Write pictures: a PDF holds all pages; of SVG and PNG each page is a file (x-1.png …).

    Raises:
        PuzzleError: a file cannot be written, or a picture would be too large.
        BackendFailedError: a library fails.
    """
    from latcover.printing import sheets

    suffix = path.suffix.lower()
    names = [path] if len(pages) == 1 else [path.with_stem(f"{path.stem}-{k}") for k in range(1, len(pages) + 1)]
    if suffix == ".svg":
        for name, page in zip(names, pages, strict=True):
            write_file(name, page.rstrip("\n"), talk)
    elif suffix == ".pdf":
        write_pieces(path, [sheets.pdf(pages, title)], talk)
    else:
        dpi = sheets.DPI if options.dpi is None else options.dpi
        pixels = sheets.pixels(pages[0], dpi)
        if pixels > LARGEST:
            raise PuzzleError(f"the picture would have {counted(pixels, 'pixel')}; give a smaller --dpi or --paper")
        for name, page in zip(names, pages, strict=True):
            write_pieces(name, sheets.png([page], dpi), talk)
