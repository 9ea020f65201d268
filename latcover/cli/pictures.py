"""Pictures that `show` writes as SVG, PDF and PNG: single ones, posters, and building instructions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
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
    from latcover.drawing.views import View
    from latcover.model.disassembly import Disassembly
    from latcover.model.lattice import Lattice
    from latcover.model.puzzle import Puzzle
    from latcover.model.solution import Solution

SUFFIXES = (".svg", ".pdf", ".png")
LARGEST = 200_000_000  # pixels of a PNG


class ViewName(StrEnum):
    """How a puzzle in three dimensions is drawn."""

    layers = "layers"
    isometric = "isometric"


class SidesName(StrEnum):
    """How flat pictures show what the sides of tiles bear."""

    triangles = "triangles"
    bands = "bands"
    letters = "letters"
    paths = "paths"


@dataclass(frozen=True)
class PictureOptions:
    """The options for a picture in a file."""

    view: Annotated[
        ViewName | None,
        typer.Option(
            help="How to draw a puzzle in three dimensions (.svg .pdf .png).",
            show_default="both; of several scenes the isometric one",
        ),
    ] = None
    letters: Annotated[
        bool | None,
        typer.Option(
            "--letters/--no-letters", help="Whether parts have letters (.svg .pdf .png).", show_default="letters"
        ),
    ] = None
    patterns: Annotated[
        bool, typer.Option("--patterns", help="Give parts patterns besides their colours (.svg .pdf .png).")
    ] = False

    sides: Annotated[
        SidesName | None,
        typer.Option(help="How to draw what sides of flat tiles bear (.svg .pdf .png).", show_default="triangles"),
    ] = None

    def given(self) -> list[str]:
        """The names of the options that the user gave."""
        letters = "--no-letters" if self.letters is False else "--letters"
        flags = {"--view": self.view, letters: self.letters is not None, "--patterns": self.patterns}
        flags["--sides"] = self.sides is not None
        return [name for name, value in flags.items() if value]


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
    from latcover.drawing.poster import LONGEST_TITLE

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


def look(lattice: Lattice, picture: PictureOptions) -> tuple[Look, SvgView | None]:
    """How an SVG picture looks.

    Raises:
        UnsupportedError: a view in space of a flat lattice, or sides in space drawn as those of flat tiles.
    """
    from latcover.drawing.svg import View as SvgView
    from latcover.drawing.svg_shapes import Look, Sides

    if picture.view is not None and lattice.dimension < 3:
        raise UnsupportedError(f"the lattice {lattice.name!r} is flat: leave --view out")
    if picture.sides is not None and lattice.dimension > 2 and picture.view is not ViewName.layers:
        raise UnsupportedError("--sides: this says how flat pictures show sides; give --view layers too")
    chosen = SvgView(picture.view.value) if picture.view is not None else None
    sides = Sides(picture.sides.value) if picture.sides is not None else Sides.triangles
    return Look(letters=picture.letters is not False, patterns=picture.patterns, sides=sides), chosen


@dataclass(frozen=True)
class Drawing:
    """Draws what the user wants to see, as pages of SVG.

    Attributes:
        puzzle: The puzzle.
        view: What is drawn of it.
        found: The solutions that it shows, if it shows any.
        how: How it looks, as `look` says.
        paper: What it is drawn on.
    """

    puzzle: Puzzle
    view: View
    found: Sequence[Solution]
    how: tuple[Look, SvgView | None]
    paper: PaperOptions

    def pages(self, taken: Mapping[int, Disassembly], explode: float) -> list[str]:
        """The view on a page, or on the sheets of a poster.

        Args:
            taken: How solutions come apart, by their numbers: their parts move in this order.
            explode: By how many times their distance from the middle parts move away from it.
        """
        from latcover.drawing.poster import poster
        from latcover.drawing.svg import View as SvgView
        from latcover.drawing.svg import page

        (look, chosen), entries = self.how, self.view.entries()
        if explode:
            entries = self._exploded(entries, taken, explode)
            if chosen is None and self.puzzle.lattice.dimension == 3:
                chosen = SvgView.ISOMETRIC
        if not self.paper.poster:
            return [page(self.view.title, entries, look, chosen)]
        given = (self.paper.title, self.paper.columns)
        return poster(self.puzzle, (self.view.title, entries), (look, chosen), self.paper.sheet(), given)

    def steps(self, taken: Mapping[int, Disassembly], *, reverse: bool) -> list[str]:
        """A sheet of the moves; with a poster's options, as many sheets of paper as are needed."""
        from latcover.drawing.poster import Tile
        from latcover.drawing.steps import drawn_steps, steps_page
        from latcover.drawing.svg_shapes import Definitions

        look, (found,) = self.how[0], self.found
        if not self.paper.poster:
            return [steps_page(self.puzzle, found, taken[found.number], look, apart=reverse)]
        definitions = Definitions()
        drawn = drawn_steps(self.puzzle, found, taken[found.number], (look, definitions), apart=reverse)
        tiles = [Tile(*each, True) for each in zip(drawn.panels, drawn.captions, drawn.numbers, strict=True)]
        return self._sheets((drawn.title, drawn.legend), tiles, definitions)

    def instructions(self, taken: Mapping[int, Disassembly]) -> list[str]:
        """The sheets of the building instructions."""
        from latcover.drawing.instructions import instructions

        (found,) = self.found
        how = (self.how[0], self.paper.title or "", self.paper.columns)
        return instructions(self.puzzle, found, taken[found.number], self.paper.sheet(), how)

    def _exploded(self, entries: Sequence[Entry], taken: Mapping[int, Disassembly], share: float) -> list[Entry]:
        """The scenes with their parts moved apart."""
        from latcover.drawing.explosion import exploded

        known = [taken.get(solution.number) for solution in self.found]
        return [
            replace(entry, scene=exploded(entry.scene, share, None if way is None else (self.puzzle.lattice, way)))
            for entry, way in zip(entries, known, strict=True)
        ]

    def _sheets(self, words: tuple[str, str], tiles: Sequence[Tile], definitions: Definitions) -> list[str]:
        """The sheets of a poster of pictures. *words*: the title, unless the user gave one, and a line below it."""
        from latcover.drawing.poster import sheets

        title = words[0] if self.paper.title is None else self.paper.title
        return sheets((title, words[1]), tiles, definitions, self.paper.sheet(), self.paper.columns)


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
