"""What a client prints: building instructions of a solution, and posters of solutions, as PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from latcover.assembly.taking_apart import ApartLimits, Assembler
from latcover.drawing import views
from latcover.drawing.instructions import instructions
from latcover.drawing.poster import LONGEST_TITLE, PAPERS, Paper, poster
from latcover.drawing.poster import paper as paper_called
from latcover.drawing.svg import LOOK
from latcover.errors import PuzzleError, UnsupportedError, escaped, unwritable
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution
from latcover.printing import sheets
from latcover.system.extras import require
from latcover.web.job import Talk

SHEETS = {"instructions": "building instructions", "poster": "poster"}
PAPER_NAMES = [name.upper() if len(name) == 2 else name for name in PAPERS]
MOST_COLUMNS = 500


@dataclass(frozen=True, slots=True)
class Wanted:
    """How the sheets are to look; None leaves the choice to latcover.

    Attributes:
        paper: The paper.
        columns: How many pictures stand side by side.
        title: Their title; None is the puzzle's.
    """

    paper: Paper
    columns: int | None = None
    title: str | None = None

    @classmethod
    def of_json(cls, data: Any) -> Wanted:
        """What a request says under ``sheet``: ``paper``, ``landscape``, ``columns`` and ``title``, none needed.

        Raises:
            PuzzleError: it says something else.
        """
        known = ("paper", "landscape", "columns", "title")
        if not isinstance(data, dict) or not set(data) <= set(known):
            raise PuzzleError(f"the keys of a sheet are: {', '.join(known)}")
        name, landscape = data.get("paper", "A4"), data.get("landscape", False)
        columns, title = data.get("columns"), data.get("title")
        if not isinstance(name, str) or not isinstance(landscape, bool):
            raise PuzzleError("the paper must be a name, and landscape true or false")
        if columns is not None and not (type(columns) is int and 1 <= columns <= MOST_COLUMNS):
            raise PuzzleError(f"the columns must be a whole number from 1 to {MOST_COLUMNS}")
        if title is not None and not (isinstance(title, str) and len(title) <= LONGEST_TITLE):
            raise PuzzleError(f"the title must be a text of at most {LONGEST_TITLE} characters")
        if unwritable(title or ""):
            raise PuzzleError(f"no picture can hold the character {escaped(unwritable(title or ''))} of the title")
        return cls(paper_called(name[:40], landscape=landscape), columns, title)


def sheets_as_pdf(puzzle: Puzzle, found: Sequence[Solution], form: str, wanted: Wanted, talk: Talk) -> bytes:
    """A PDF file of building instructions or of a poster.

    Raises:
        BackendUnavailableError: Typst is not installed.
        UnsupportedError: there is no solution, or instructions are wanted of several.
        PuzzleError: the client stopped it.
    """
    require("a PDF file", ("typst",), extra="paper")
    if not found:
        raise UnsupportedError(f"{SHEETS[form]}: of solutions; find one first")
    view = views.of_solution(puzzle, found[0]) if len(found) == 1 else views.of_solutions(puzzle, found)
    if form == "poster":
        talk.send({"event": "stage", "stage": "drawing"})
        given = (wanted.title, wanted.columns)
        pages = poster(puzzle, (view.title, view.entries()), (LOOK, None), wanted.paper, given)
    else:
        if len(found) > 1:
            raise UnsupportedError("building instructions show one solution; ask for one alone")
        pages = _instructions(puzzle, found[0], wanted, talk)
    if talk.stopped:
        raise PuzzleError("stopped before the file was whole")
    return sheets.pdf(pages, wanted.title or view.title)


def _instructions(puzzle: Puzzle, solution: Solution, wanted: Wanted, talk: Talk) -> list[str]:
    """The steps are those of a disassembly, which is looked for first."""
    talk.send({"event": "stage", "stage": "taking the solution apart"})
    limits = ApartLimits(seconds=talk.settings.seconds)
    (way,) = Assembler(puzzle).take_apart([solution], limits, on_progress=lambda _: not talk.stopped)
    if talk.stopped:
        raise PuzzleError("stopped before the file was whole")
    talk.send({"event": "stage", "stage": "drawing"})
    return instructions(puzzle, solution, way, wanted.paper, (LOOK, wanted.title or "", wanted.columns))
