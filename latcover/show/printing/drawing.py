"""What is drawn, in the form of any file. `latcover show` and, in Python, `latcover.draw` both write these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from latcover.core.model.disassembly import Disassembly
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.errors import PuzzleError, UnsupportedError, counted
from latcover.show.drawing.paper.instructions import instructions
from latcover.show.drawing.paper.paper_sheet import Heading
from latcover.show.drawing.paper.poster import fitting_paper, poster, sheets
from latcover.show.drawing.paper.steps import drawn_steps, steps_page
from latcover.show.drawing.paper.styles import Projection
from latcover.show.drawing.paper.svg import page
from latcover.show.drawing.paper.svg_shapes import Definitions
from latcover.show.drawing.scenes.explosion import RemovalOrder, exploded
from latcover.show.drawing.scenes.scene_model import CaptionedScene
from latcover.show.drawing.space.viewer_page import page as page_in_space
from latcover.show.drawing.views.puzzle_views import PuzzleView
from latcover.show.printing import model_files, models
from latcover.show.printing.draw_request import DrawRequest
from latcover.show.printing.picture_forms import MODELS
from latcover.show.printing.sheets import DPI, pdf, pixels, png

LARGEST = 200_000_000  # pixels of a PNG
TEXT_WIDTH = 100  # letters of a line
Tell = Callable[[str], object]


class DrawnFiles(Struct, frozen=True):
    """The content of each file, and remarks for the user. Of a picture as SVG or PNG each sheet is a file."""

    contents: tuple[bytes, ...]
    remarks: tuple[str, ...] = ()


class Drawing(Struct, frozen=True, eq=False):
    """What is drawn of a puzzle, and how.

    Attributes:
        puzzle: The puzzle.
        shown: What pictures show of it.
        request: How it is drawn.
        solutions: Those that are drawn, if any are.
        disassemblies: How they come apart, as far as that is known, by their numbers.
        part: The part that is drawn, if it is one.
        region: Whether a model is that of the region. If it is not, and no solution or part is drawn, it has all parts.
    """

    puzzle: Puzzle
    shown: PuzzleView
    request: DrawRequest = DrawRequest()
    solutions: Sequence[Solution] = ()
    disassemblies: Mapping[int, Disassembly] = field(default_factory=dict)
    part: str | None = None
    region: bool = False

    def files(self, form: str, tell: Tell = lambda _: None) -> DrawnFiles:
        """The drawing as files of this form, a suffix such as ".svg". *tell* is told what goes on.

        Raises:
            UnsupportedError: the form cannot show this.
            PuzzleError: a picture would be too large, or a model is impossible.
            BackendUnavailableError: a library is not installed.
            BackendFailedError: a library fails.
        """
        self.request.check(form)
        if form in MODELS:
            return self._model(form)
        if form == ".html":
            return DrawnFiles((self._page().encode(),))
        if form == ".txt":
            lines = self.shown.lines(colour=False, width=TEXT_WIDTH)
            return DrawnFiles(("\n".join(lines).rstrip("\n").encode() + b"\n",))
        pages = self.pages(tell)
        tell("making the file")
        return DrawnFiles(encoded(pages, form, self.request.title or self.shown.title, self.request.dpi))

    def pages(self, tell: Tell = lambda _: None) -> list[str]:
        """The pictures as texts of SVG files: one page, the sheets of a poster, or those of instructions."""
        if self.request.instructions:
            return self._instructions()
        return self._steps() if self.request.steps else self._views(tell)

    def _views(self, tell: Tell) -> list[str]:
        request, view = self.request, self.request.projection
        style = request.style(self.puzzle.lattice)
        many = counted(len(self.solutions), "solution")
        entries = self.shown.entries(tell=lambda number: tell(f"drawing {number:,} of {many}"))
        if request.explode:
            entries = self._exploded(entries)
        if view is None and self.solutions and self.puzzle.lattice.dimension == 3:
            view = Projection.isometric if request.explode else Projection.both  # layers show what lies inside
        tell(f"laying out {many}")
        if not request.is_poster:
            return [page(self.shown.title, entries, style, view)]
        return poster(
            self.puzzle,
            self.shown.title,
            entries,
            request.papers(),
            style=style,
            view=view,
            title=request.title,
            columns=request.columns,
        )

    def _exploded(self, entries: Sequence[CaptionedScene]) -> list[CaptionedScene]:
        """The scenes with their parts moved apart, in the order in which they come off if that is known."""
        if not self.solutions:
            raise UnsupportedError("explode: only for solutions, whose parts it moves apart")
        known = [self.disassemblies.get(solution.number) for solution in self.solutions]
        orders = [None if each is None else RemovalOrder(self.puzzle.lattice, each) for each in known]
        return [
            replace(entry, scene=exploded(entry.scene, self.request.explode, order))
            for entry, order in zip(entries, orders, strict=True)
        ]

    def _taken_apart(self, what: str) -> tuple[Solution, Disassembly]:
        if len(self.solutions) != 1:
            raise UnsupportedError(f"{what}: they show one solution; give one alone")
        (solution,) = self.solutions
        if solution.number not in self.disassemblies:
            raise UnsupportedError(f"{what}: they show how a solution comes apart; give its disassembly")
        return solution, self.disassemblies[solution.number]

    def _steps(self) -> list[str]:
        """A sheet of the moves; with a poster's options, as many sheets of paper as are needed."""
        request, (solution, disassembly) = self.request, self._taken_apart("steps")
        style = request.style(self.puzzle.lattice)
        if not request.is_poster:
            return [steps_page(self.puzzle, solution, disassembly, style, apart=request.reverse)]
        definitions = Definitions()
        drawn = drawn_steps(self.puzzle, solution, disassembly, style, definitions, apart=request.reverse)
        heading = Heading(drawn.title if request.title is None else request.title, drawn.legend)
        sheet = fitting_paper(heading, drawn.tiles, request.papers(), request.columns)
        return sheets(heading, drawn.tiles, definitions, sheet, request.columns)

    def _instructions(self) -> list[str]:
        request, (solution, disassembly) = self.request, self._taken_apart("instructions")
        upright, *_ = request.papers()
        style = request.style(self.puzzle.lattice)
        own = (self.puzzle, solution, disassembly, upright)
        return instructions(*own, style=style, title=request.title, columns=request.columns)

    def _page(self) -> str:
        if not self.solutions:
            raise UnsupportedError(".html shows solutions; draw one of them")
        return page_in_space(self.puzzle, self.solutions, self.disassemblies)

    def _model(self, form: str) -> DrawnFiles:
        """A solution, one part, the region, or (if none of them is drawn) every copy of every part."""
        if len(self.solutions) > 1:
            raise UnsupportedError(f"{form}: a model shows one solution; give one alone")
        if self.request.thickness is not None and self.puzzle.lattice.dimension == 3:
            raise UnsupportedError(f"the lattice {self.puzzle.lattice.name!r} is not flat: leave the thickness out")
        solution = next(iter(self.solutions), None)
        if solution is None and self.request.explode:
            raise UnsupportedError("explode: only for a solution, whose parts it moves apart")
        known = None if solution is None else self.disassemblies.get(solution.number)
        order = None if known is None else RemovalOrder(self.puzzle.lattice, known)
        size, share = self.request.dimensions(self.puzzle), self.request.explode
        made: Sequence[models.Model]
        if solution is not None:
            made = models.of_solution(self.puzzle, solution, size, share, order)
        elif self.part is not None:
            made = [models.of_part(self.puzzle, self.part, size)]
        else:
            made = models.of_parts(self.puzzle, size)
        remarks = models.remarks(self.puzzle, made, size)
        if solution is not None and size.clearance == 0 and not share:
            remarks.append("without a clearance or explode the parts touch: a printer would make one block of them")
        title = self.puzzle.title or self.puzzle.name
        return DrawnFiles((model_files.written(made, form, title),), tuple(remarks))


def encoded(pages: Sequence[str], form: str, title: str, dpi: float | None = None) -> tuple[bytes, ...]:
    """Pictures, texts of SVG files, as files: a PDF holds all of them; as SVG or PNG each is a file.

    Raises:
        PuzzleError: a picture would be too large.
        BackendUnavailableError: Typst is not installed.
        BackendFailedError: it fails.
    """
    if form == ".svg":
        return tuple(picture.encode() for picture in pages)
    if form == ".pdf":
        return (pdf(pages, title),)
    dpi = DPI if dpi is None else dpi
    if pixels(pages[0], dpi) > LARGEST:
        size = counted(pixels(pages[0], dpi), "pixel")
        raise PuzzleError(f"the picture would have {size}; give a smaller dpi or paper")
    return tuple(image for picture in pages for image in png([picture], dpi))
