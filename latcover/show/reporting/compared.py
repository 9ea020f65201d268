"""Compares methods on a puzzle, with its figures beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.encoding.prepared import made_ready
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.forms import JSON
from latcover.files.formats.library import load_subject, subject_called
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.comparing.compare import CompareRequest, Comparison, Run
from latcover.lab.comparing.compare import compare as run_methods
from latcover.lab.comparing.methods import Method
from latcover.show.reporting.puzzle_figures import info_as_json
from latcover.system.child_process import Children
from latcover.system.files import write_whole


def compare(
    subject: str | Path | Puzzle | NamedProblem,
    request: CompareRequest = CompareRequest(),
    *,
    on_start: Callable[[Method, int], None] | None = None,
    on_end: Callable[[Run], None] | None = None,
) -> Comparison:
    """Count the solutions of a puzzle by several methods, each in a process of its own, and compare what they find.

    Args:
        subject: The puzzle, or its name or path; or a bare problem.
        request: The methods, the limits of each, and how the puzzle is encoded.
        on_start: Called with each method, and its number from 0, before it runs.
        on_end: Called with each run when it has ended.

    Raises:
        UnsupportedError: there is no such method.
        PuzzleError: the puzzle contradicts itself, or is larger than the request allows.
    """
    methods, usual = request.chosen_methods(), Bounds()
    bounds = Bounds(request.max_cells or usual.cells, request.max_placements or usual.placements)
    is_named = isinstance(subject, str | Path)
    read = load_subject(str(subject), bounds, request.problem) if is_named else subject_called(subject)
    figures = info_as_json(made_ready(read, request.choices, bounds))  # reports an error of the puzzle once
    with _as_file(subject) as name, Children() as children:
        return run_methods(
            name, methods, request.arguments(), children, figures=figures, on_start=on_start, on_end=on_end
        )


@contextmanager
def _as_file(subject: str | Path | Puzzle | NamedProblem) -> Iterator[str]:
    """A name by which the command line finds the puzzle."""
    if isinstance(subject, str | Path):
        yield str(subject)
        return
    with TemporaryDirectory(prefix="latcover-") as folder:
        path = Path(folder) / ("puzzle.toml" if isinstance(subject, Puzzle) else "problem.json")
        if isinstance(subject, Puzzle):
            write_whole(path, [puzzle_as_toml([subject]).encode()])
        else:
            write_whole(path, JSON.write(exported(subject)))
        yield str(path)
