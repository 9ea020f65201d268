"""Building instructions and posters of solutions, as PDF."""

from __future__ import annotations

from collections.abc import Sequence

from latcover.apps.web.job import Talk
from latcover.apps.web.tasks import Sheet
from latcover.core.model.disassembly import Disassembly
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.errors import PuzzleError, UnsupportedError
from latcover.lab.assembly.taking_apart import ApartLimits, assembler_of, stays_in_plane
from latcover.show.drawing.paper.papers import PAPERS
from latcover.show.drawing.views import puzzle_views as views
from latcover.show.printing.draw_request import DrawRequest
from latcover.show.printing.drawing import Drawing
from latcover.system.extras import require

SHEETS = {"instructions": "building instructions", "poster": "poster"}
PAPER_NAMES = [name.upper() if len(name) == 2 else name for name in PAPERS]


def sheets_as_pdf(puzzle: Puzzle, found: Sequence[Solution], form: str, sheet: Sheet, talk: Talk) -> bytes:
    """A PDF file of building instructions or of a poster.

    Raises:
        BackendUnavailableError: Typst is not installed.
        UnsupportedError: there is no solution, instructions are wanted of several, or there is no such paper.
        PuzzleError: the title holds what no picture can, or the client stopped it.
    """
    given = {name: getattr(sheet, name) for name in ("paper", "landscape", "columns", "title")}
    request = DrawRequest(instructions=form == "instructions", **given)
    require("a PDF file", ("typst",), extra="paper")
    if not found:
        raise UnsupportedError(f"{SHEETS[form]}: of solutions; find one first")
    view = views.of_solution(puzzle, found[0]) if len(found) == 1 else views.of_solutions(puzzle, found)
    plans: dict[int, Disassembly] = {}
    if request.instructions:
        if len(found) > 1:
            raise UnsupportedError("building instructions show one solution; ask for one alone")
        plans[found[0].number] = _taken_apart(puzzle, found[0], talk)
    talk.stage("drawing")
    (data,) = Drawing(puzzle, view, request, found, plans).files(".pdf").contents
    if talk.stopped:
        raise PuzzleError("stopped before the file was whole")
    return data


def _taken_apart(puzzle: Puzzle, solution: Solution, talk: Talk) -> Disassembly:
    """How a solution comes apart; instructions show that in reverse."""
    talk.stage("taking the solution apart")
    limits = ApartLimits(seconds=talk.settings.seconds)
    assembler = assembler_of(puzzle, in_plane=stays_in_plane(puzzle))
    (way,) = assembler.take_apart([solution], limits, on_progress=lambda _: not talk.stopped)
    if talk.stopped:
        raise PuzzleError("stopped before the file was whole")
    return way
