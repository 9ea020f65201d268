"""Building instructions and posters of solutions, as PDF."""

from __future__ import annotations

from collections.abc import Sequence

from latcover.assembly.taking_apart import ApartLimits, assembler_of, stays_in_plane
from latcover.drawing.paper.instructions import instructions
from latcover.drawing.paper.paper_sheet import PAPERS, Paper
from latcover.drawing.paper.paper_sheet import paper as paper_called
from latcover.drawing.paper.poster import poster
from latcover.drawing.views import puzzle_views as views
from latcover.errors import PuzzleError, UnsupportedError, escaped, unwritable
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution
from latcover.printing import sheets
from latcover.system.extras import require
from latcover.web.job import Talk
from latcover.web.tasks import Sheet

SHEETS = {"instructions": "building instructions", "poster": "poster"}
PAPER_NAMES = [name.upper() if len(name) == 2 else name for name in PAPERS]


def sheets_as_pdf(puzzle: Puzzle, found: Sequence[Solution], form: str, sheet: Sheet, talk: Talk) -> bytes:
    """A PDF file of building instructions or of a poster.

    Raises:
        BackendUnavailableError: Typst is not installed.
        UnsupportedError: there is no solution, instructions are wanted of several, or there is no such paper.
        PuzzleError: the client stopped it.
    """
    if wrong := unwritable(sheet.title or ""):
        raise PuzzleError(f"no picture can hold the character {escaped(wrong)} of the title")
    paper = paper_called(sheet.paper, landscape=sheet.landscape)
    require("a PDF file", ("typst",), extra="paper")
    if not found:
        raise UnsupportedError(f"{SHEETS[form]}: of solutions; find one first")
    view = views.of_solution(puzzle, found[0]) if len(found) == 1 else views.of_solutions(puzzle, found)
    if form == "poster":
        talk.stage("drawing")
        entries, columns = view.entries(), sheet.columns
        pages = poster(puzzle, view.title, entries, paper, title=sheet.title, columns=columns)
    else:
        if len(found) > 1:
            raise UnsupportedError("building instructions show one solution; ask for one alone")
        pages = _instructions(puzzle, found[0], paper, sheet, talk)
    if talk.stopped:
        raise PuzzleError("stopped before the file was whole")
    return sheets.pdf(pages, sheet.title or view.title)


def _instructions(puzzle: Puzzle, solution: Solution, paper: Paper, sheet: Sheet, talk: Talk) -> list[str]:
    """The steps are those of a disassembly, which is looked for first."""
    talk.stage("taking the solution apart")
    limits = ApartLimits(seconds=talk.settings.seconds)
    assembler = assembler_of(puzzle, in_plane=stays_in_plane(puzzle))
    (way,) = assembler.take_apart([solution], limits, on_progress=lambda _: not talk.stopped)
    if talk.stopped:
        raise PuzzleError("stopped before the file was whole")
    talk.stage("drawing")
    return instructions(puzzle, solution, way, paper, title=sheet.title, columns=sheet.columns)
