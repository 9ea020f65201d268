"""Pictures that `show` writes as SVG, PDF and PNG: single ones, posters, and building instructions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.cli.shared.options import MessageOptions
from latcover.cli.shared.output import write_file, write_pieces
from latcover.drawing.paper.styles import PictureStyle, Projection, Sides
from latcover.errors import PuzzleError, UnsupportedError, counted, escaped, unwritable

if TYPE_CHECKING:
    from latcover.drawing.paper.paper_sheet import Paper
    from latcover.drawing.paper.svg import CaptionedScene
    from latcover.drawing.views.puzzle_views import PuzzleView
    from latcover.model.disassembly import Disassembly
    from latcover.model.lattice import Lattice
    from latcover.model.puzzle import Puzzle
    from latcover.model.solution import Solution

SUFFIXES = (".svg", ".pdf", ".png")
LARGEST = 200_000_000  # pixels of a PNG


@dataclass(frozen=True)
class PictureOptions:
    """The options for a picture in a file."""

    view: Annotated[Projection | None, typer.Option(show_default="both; of several scenes the isometric one")] = None
    letters: Annotated[bool | None, typer.Option(show_default="letters")] = None
    patterns: bool = False
    sides: Annotated[Sides | None, typer.Option(show_default=Sides.triangles.value)] = None

    def style(self, lattice: Lattice) -> PictureStyle:
        """How pictures on a lattice look.

        Raises:
            UnsupportedError: a view in space of a flat lattice, or sides in space drawn as those of flat tiles.
        """
        if self.view is not None and lattice.dimension < 3:
            raise UnsupportedError(f"the lattice {lattice.name!r} is flat: leave --view out")
        if self.sides is not None and lattice.dimension > 2 and self.view is not Projection.layers:
            raise UnsupportedError("--sides: this says how flat pictures show sides; give --view layers too")
        return PictureStyle(self.letters is not False, self.patterns, sides=self.sides or Sides.triangles)


@dataclass(frozen=True)
class PaperOptions:
    """The options for pictures on paper."""

    paper: Annotated[
        str | None, typer.Option(metavar="NAME", show_default="A4 with --columns, --title and --instructions")
    ] = None
    landscape: bool = False
    columns: Annotated[int | None, typer.Option(min=1, max=500, metavar="N", show_default="what fits")] = None
    title: Annotated[str | None, typer.Option(metavar="TEXT", show_default="the puzzle's")] = None
    dpi: Annotated[int | None, typer.Option(min=10, max=2400, metavar="N", show_default="150")] = None

    @property
    def poster(self) -> bool:
        """Whether the user wants a poster."""
        return self.paper is not None or self.landscape or self.columns is not None or self.title is not None

    def sheet(self) -> Paper:
        """The paper.

        Raises:
            PuzzleError: no paper has this name.
        """
        from latcover.drawing.paper.paper_sheet import paper

        return paper(self.paper or "A4", landscape=self.landscape)


def check_paper(suffix: str, options: PaperOptions) -> None:
    """Check the paper and the title, and that the form can be written; before any search.

    Raises:
        PuzzleError: no paper has this name, or the title holds what no picture can.
        UnsupportedError: the title is too long.
        BackendUnavailableError: a library is not installed.
    """
    from latcover.drawing.paper.paper_sheet import LONGEST_TITLE

    title = options.title or ""
    if unwritable(title):
        raise PuzzleError(f"--title: no picture can hold the character {escaped(unwritable(title))}")
    if len(title) > LONGEST_TITLE:
        raise UnsupportedError(
            f"--title has {len(title):,} characters; give at most {LONGEST_TITLE}, which a sheet has room for"
        )
    options.sheet()
    if suffix in SUFFIXES[1:]:
        from latcover.printing.sheets import require_typst

        require_typst(f"a picture as {suffix}")


@dataclass(frozen=True)
class Pictures:
    """Draws what the user wants to see of a puzzle, as pages of SVG.

    Attributes:
        puzzle: The puzzle.
        shown: What is drawn of it.
        solutions: Those that it shows, if it shows any.
        disassemblies: How they come apart, as far as that is known, by their numbers.
        style, view: How it looks.
        paper: What it is drawn on.
    """

    puzzle: Puzzle
    shown: PuzzleView
    solutions: Sequence[Solution]
    disassemblies: Mapping[int, Disassembly]
    style: PictureStyle
    view: Projection | None
    paper: PaperOptions

    def pages(self, explode: float, tell: Callable[[str], object] = lambda _: None) -> list[str]:
        """The view on a page, or on the sheets of a poster. *tell* is told what goes on.

        *explode* is by how many times their distance from the middle parts move away from it, in the order in which
        they come apart if that is known.
        """
        from latcover.drawing.paper.poster import poster
        from latcover.drawing.paper.svg import page

        many = counted(len(self.solutions), "solution")
        entries, view = self.shown.entries(tell=lambda number: tell(f"drawing {number:,} of {many}")), self.view
        if explode:
            entries = self._exploded(entries, explode)
            if view is None and self.puzzle.lattice.dimension == 3:
                view = Projection.isometric
        tell(f"laying out {many}")
        if not self.paper.poster:
            return [page(self.shown.title, entries, self.style, view)]
        return poster(
            self.puzzle,
            self.shown.title,
            entries,
            self.paper.sheet(),
            style=self.style,
            view=view,
            title=self.paper.title,
            columns=self.paper.columns,
        )

    def _exploded(self, entries: Sequence[CaptionedScene], share: float) -> list[CaptionedScene]:
        """The scenes with their parts moved apart."""
        from latcover.drawing.scenes.explosion import RemovalOrder, exploded

        known = [self.disassemblies.get(solution.number) for solution in self.solutions]
        orders = [None if each is None else RemovalOrder(self.puzzle.lattice, each) for each in known]
        return [
            replace(entry, scene=exploded(entry.scene, share, order))
            for entry, order in zip(entries, orders, strict=True)
        ]

    def steps(self, *, reverse: bool) -> list[str]:
        """A sheet of the moves; with a poster's options, as many sheets of paper as are needed."""
        from latcover.drawing.paper.paper_sheet import Heading
        from latcover.drawing.paper.poster import sheets
        from latcover.drawing.paper.steps import drawn_steps, steps_page
        from latcover.drawing.paper.svg_shapes import Definitions

        (solution,) = self.solutions
        disassembly, paper = self.disassemblies[solution.number], self.paper
        if not paper.poster:
            return [steps_page(self.puzzle, solution, disassembly, self.style, apart=reverse)]
        definitions = Definitions()
        drawn = drawn_steps(self.puzzle, solution, disassembly, self.style, definitions, apart=reverse)
        heading = Heading(drawn.title if paper.title is None else paper.title, drawn.legend)
        return sheets(heading, drawn.tiles, definitions, paper.sheet(), paper.columns)

    def instructions(self) -> list[str]:
        """The sheets of the building instructions."""
        from latcover.drawing.paper.instructions import instructions

        (solution,) = self.solutions
        disassembly, paper = self.disassemblies[solution.number], self.paper
        own = (self.puzzle, solution, disassembly, paper.sheet())
        return instructions(*own, style=self.style, title=paper.title, columns=paper.columns)


def write_pictures(
    path: Path, pages: Sequence[str], title: str, options: PaperOptions, messages: MessageOptions
) -> None:
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
            write_file(name, page, messages)
    elif suffix == ".pdf":
        write_pieces(path, [sheets.pdf(pages, title)], messages)
    else:
        dpi = sheets.DPI if options.dpi is None else options.dpi
        pixels = sheets.pixels(pages[0], dpi)
        if pixels > LARGEST:
            raise PuzzleError(f"the picture would have {counted(pixels, 'pixel')}; give a smaller --dpi or --paper")
        for name, page in zip(names, pages, strict=True):
            write_pieces(name, sheets.png([page], dpi), messages)
