"""Writes puzzles as files of other programs, with solutions if that is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from latcover.core.cover.diagram import Diagram
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.search import Progress
from latcover.core.cover.searchable import Searchable
from latcover.core.encoding.prepared import Choices, Prepared, made_ready
from latcover.core.model.disassembly import Disassembly
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.model.request_values import ReductionMethod, Request, SymmetryChoice
from latcover.core.model.solution import Solution
from latcover.core.solving.search_request import Subject
from latcover.errors import PuzzleError, UnsupportedError
from latcover.files.exchange.written_solutions import searched_solutions
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.forms import Form, SolutionStream, WriteOptions, form_to_write
from latcover.files.formats.library import load_subjects, subject_called
from latcover.lab.asking.all_solutions import DiagramRequest, all_solutions
from latcover.lab.assembly.taking_apart import disassemble
from latcover.system.files import write_whole


class ExportRequest(Request, frozen=True, kw_only=True):
    """How a puzzle is written.

    Attributes:
        form: The name of the form, such as "dimacs" or "json".
        symmetry: Leave out solutions that these symmetries make of others; None leaves out none.
        reduction, pivot, order: See `latcover.Choices`.
        encoding: How clauses say "at most one" (dimacs).
        projected: Whether to name the variables that are to be counted (dimacs).
        solutions: Whether to search the solutions and add them (json, xmpuzzle).
        take_apart: Whether to add how they come apart by slides (xmpuzzle).
    """

    form: str | None = None
    symmetry: SymmetryChoice | None = None
    reduction: ReductionMethod = "auto"
    pivot: str | None = None
    order: tuple[int, ...] | None = None
    encoding: str | None = None
    projected: bool = False
    solutions: bool = False
    take_apart: bool = False

    def form_of(self, output: Path | None = None) -> Form:
        """The form, or that of the suffix of the *output*.

        Raises:
            UnsupportedError: there is no such form, or it cannot honour the rest.
        """
        form = form_to_write(self.form, output)
        if self.order is not None and form.numbered:
            raise UnsupportedError(
                f"--order has no meaning for the form {form.name!r}; leave it out, or take dlx or npz"
            )
        if form.of_puzzles and self.symmetry is not None and not self.solutions:
            raise UnsupportedError(
                f"--symmetry has no meaning for the form {form.name!r} without --solutions; leave it out"
            )
        if form.of_diagram and self.symmetry is not None:
            raise UnsupportedError("a diagram holds all solutions, so --symmetry has no meaning for it; leave it out")
        if self.take_apart and not self.solutions:
            raise UnsupportedError("--take-apart takes the solutions apart; add --solutions")
        return form

    def choices(self, form: Form) -> Choices:
        """How a puzzle becomes a cover problem for this form."""
        usual: SymmetryChoice = "all" if form.of_puzzles else "none"
        return Choices(self.symmetry or usual, self.reduction, self.pivot, self.order)


class ExportedFile:
    """A file that is written while it is read: its pieces are bytes, once.

    Attributes:
        form: Its form.
        unknown: Of how many solutions it was not found out whether they come apart; known at the end.
        turning: How many that slides do not take apart belong to puzzles whose parts may turn; known at the end.
    """

    def __init__(self, form: Form, pieces: Iterator[bytes], apart: _TakenApart) -> None:
        self.form, self._pieces, self._apart = form, pieces, apart

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def __repr__(self) -> str:
        return f"<ExportedFile: {self.form.name}>"

    @property
    def unknown(self) -> int:
        return self._apart.unknown

    @property
    def turning(self) -> int:
        return self._apart.turning

    def save(self, path: str | Path) -> Path:
        """Write it; the file appears when it is complete."""
        write_whole(Path(path), self)
        return Path(path)


class _TakenApart:
    """Takes solutions apart by slides, and counts those of which this is not known in the end."""

    unknown = turning = 0

    def __call__(self, solution: Solution) -> Disassembly:
        found = disassemble(solution, turns="never")
        self.unknown += found.result == "unknown"
        self.turning += found.result == "stuck" and solution.puzzle is not None and solution.puzzle.turning is not None
        return found


def export(
    subject: Subject | Sequence[Puzzle],
    request: ExportRequest = ExportRequest(),
    events: Events = SILENT,
    *,
    bounds: Bounds | None = None,
) -> ExportedFile:
    """Write a puzzle as a file of another program, such as the clauses of a SAT solver.

    Args:
        subject: A puzzle, or its name or path; a bare problem; several puzzles, for a form that holds several; or a
            prepared puzzle, which keeps its choices.
        request: The form, and what the file holds.
        events: May stop the search for solutions; the file has those found before.
        bounds: How much the puzzle may ask for.

    Raises:
        UnsupportedError: there is no such form, or it cannot hold the puzzle or honour the request.
        PuzzleError: no puzzle.
    """
    form = request.form_of()
    choices, apart = request.choices(form), _TakenApart()
    search = partial(
        searched_solutions,
        cancelled=lambda: not events.on_progress(Progress(None, None, 0, 0.0)),
        disassemble=apart if request.take_apart else None,
    )
    if form.of_puzzles:
        many = _subjects(subject, bounds)
        puzzles = [_puzzle(each) for each in many]
        streams = [search(partial(_ready, each, choices, bounds)) for each in many]
        return ExportedFile(form, form.write(puzzles, _options(request, streams)), apart)
    if isinstance(subject, Sequence) and not isinstance(subject, str):
        raise PuzzleError(f"the form {form.name!r} holds one puzzle; give one, not {subject!r:.80}")
    one = _ready(subject, choices, bounds)
    diagram = all_solutions(one, DiagramRequest(), events).diagram if form.of_diagram else None
    options = _options(request, [search(lambda: one)], diagram)
    return ExportedFile(form, form.write(exported(one), options), apart)


def _subjects(given: Subject | Sequence[Puzzle], bounds: Bounds | None) -> tuple[Subject, ...]:
    """All puzzles of a file, or those that are given."""
    if isinstance(given, str | Path):
        return load_subjects(str(given), bounds)
    return tuple(given) if isinstance(given, Sequence) else (given,)


def _ready(subject: Subject, choices: Choices, bounds: Bounds | None) -> Searchable[Any]:
    return subject if isinstance(subject, Prepared) else made_ready(subject_called(subject, bounds), choices, bounds)


def _puzzle(subject: Subject) -> Puzzle:
    """The puzzle, for a form that holds shapes."""
    puzzle = subject.puzzle if isinstance(subject, Prepared) else subject_called(subject)
    if not isinstance(puzzle, Puzzle):
        raise UnsupportedError(f"{puzzle.name} is a cover problem without a puzzle: there are no shapes to write")
    return puzzle


def _options(request: ExportRequest, streams: Sequence[SolutionStream], diagram: Diagram | None = None) -> WriteOptions:
    written = tuple(streams) if request.solutions else ()
    return WriteOptions(request.encoding, request.projected, written, request.take_apart, diagram)
