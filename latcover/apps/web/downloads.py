"""Downloads: cover problems in every form of `latcover export`, pictures, and models to print."""

from __future__ import annotations

from collections.abc import Sequence

from latcover.apps.web.answers import WrittenFile
from latcover.apps.web.chances import every_solution
from latcover.apps.web.job import Talk, prepared_subject
from latcover.apps.web.kept_solutions import rebuilt_solutions
from latcover.apps.web.messages import Piece
from latcover.apps.web.paper import SHEETS, sheets_as_pdf
from latcover.apps.web.searching import Sender
from latcover.apps.web.site_export import PAGE, SITE, page_alone, zipped_site
from latcover.apps.web.subject import puzzle_of_subject, puzzles_of_subject
from latcover.apps.web.tasks import ExportTask, Measures, Sheet
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.errors import PuzzleError, UnsupportedError, counted
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.forms import READ, TOML, WRITTEN, WriteOptions
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.asking.all_solutions import DiagramRequest
from latcover.show.drawing.views import puzzle_views as views
from latcover.show.printing import model_files, models
from latcover.show.printing.layout import Dimensions
from latcover.system.files import plain_name

MODELS = {
    "3mf": "3MF, for slicers",
    "stl": "STL, for slicers old and new",
    "glb": "GLB, for Blender, viewers and the web",
    "step": "STEP, for CAD programs and mills",
}
PICTURES = {"html": "HTML, a page to turn it in space", "txt": "text, in letters"}
PIECE = 1 << 20  # bytes of a file in a message


class _Download:
    """Sends a file to the server in pieces, so that no file remains if the process is killed."""

    def __init__(self, talk: Talk) -> None:
        self.talk, self.size, self._held = talk, 0, bytearray()

    def write(self, piece: bytes) -> None:
        """Take another piece.

        Raises:
            PuzzleError: the file would be too large.
        """
        self.size += len(piece)
        if self.size > self.talk.settings.output:
            raise PuzzleError(f"the file would have more than {counted(self.talk.settings.output, 'byte')}")
        self._held += piece
        while len(self._held) >= PIECE:
            self._send(self._held[:PIECE])
            del self._held[:PIECE]

    def finish(self) -> None:
        """Send the rest."""
        self._send(self._held)

    def _send(self, piece: bytearray) -> None:
        self.talk.send(Piece(content=bytes(piece)))


def exported_file(task: ExportTask, talk: Talk) -> WrittenFile:
    """Send a file in the requested form."""
    form = task.form
    if task.sheet is not None and form not in SHEETS:
        raise UnsupportedError(f"a sheet is of {' and '.join(SHEETS)}; {form[:40]} is neither")
    if form in MODELS or form in PICTURES or form in SHEETS:
        return _pictured_file(task, talk)
    if form != TOML.name and form not in (*WRITTEN, SITE, PAGE):
        known = ", ".join((TOML.name, *WRITTEN, *MODELS, *PICTURES, *SHEETS, SITE, PAGE))
        raise UnsupportedError(f"there is no form {form[:40]!r}; the forms are: {known}")
    if task.solutions is not None or task.measures is not None:
        raise UnsupportedError(f"{form} holds the whole problem: no solution, and no measures")
    if form == SITE:
        return _site(task, talk)
    if form == PAGE:
        return _page(task, talk)
    file, written = _Download(talk), READ[form] if form == TOML.name else WRITTEN[form]
    if form == TOML.name or written.of_puzzles:
        puzzles = puzzles_of_subject(task.subject, talk.settings.bounds())
        name = puzzles[0].name if len(puzzles) == 1 else task.name or puzzles[0].title or puzzles[0].name
        pieces = [puzzle_as_toml(puzzles, name=name).encode()] if form == TOML.name else written.write(puzzles)
    else:
        subject, diagram = prepared_subject(task.subject, task.symmetry, talk), None
        if written.of_diagram:
            if task.symmetry != "none":
                raise UnsupportedError("a diagram holds all solutions, so symmetry has no meaning for it; leave it out")
            diagram = every_solution(subject, DiagramRequest(), Sender(talk)).diagram
        name, pieces = subject.name, written.write(exported(subject), WriteOptions(diagram=diagram))
    for piece in pieces:
        if talk.stopped:
            raise PuzzleError("stopped before the file was whole")
        file.write(piece)
    file.finish()
    return WrittenFile(f"{plain(name)}{written.suffixes[0]}", file.size)


def _site(task: ExportTask, talk: Talk) -> WrittenFile:
    """Send the site of the puzzles of a file."""
    puzzles = puzzles_of_subject(task.subject, talk.settings.bounds())
    title = puzzles[0].name if len(puzzles) == 1 else task.name or puzzles[0].title or puzzles[0].name
    file, folder = _Download(talk), plain(title)
    file.write(zipped_site(puzzles, folder, title, talk))
    file.finish()
    return WrittenFile(f"{folder}-site.zip", file.size)


def _page(task: ExportTask, talk: Talk) -> WrittenFile:
    """Send the page of a puzzle, which holds all it needs."""
    puzzle, file = puzzle_of_subject(task.subject, talk.settings.bounds()), _Download(talk)
    file.write(page_alone(puzzle, talk))
    file.finish()
    return WrittenFile(f"{plain(puzzle.name)}.html", file.size)


def plain(name: str) -> str:
    """A file name that is valid in headers: its letters are ASCII."""
    return plain_name(name.encode("ascii", "replace").decode(), "puzzle")


def _pictured_file(task: ExportTask, talk: Talk) -> WrittenFile:
    """Send a picture or a model of the solutions in the task; if it has none, a model of every copy of every part."""
    form, puzzle = task.form, puzzle_of_subject(task.subject, talk.settings.bounds())
    measures, solutions = task.measures or Measures(), rebuilt_solutions(puzzle, task.placements, task.solutions or ())
    talk.stage("drawing")
    remarks: list[str] = []
    if form in MODELS:
        if len(solutions) > 1:
            raise UnsupportedError("a model shows one solution; ask for one alone")
        data, remarks = _model(puzzle, solutions[0] if solutions else None, form, measures)
    elif measures.given():
        raise UnsupportedError(f"{', '.join(measures.given())}: only for models, and {form} is not one")
    elif form in SHEETS:
        data = sheets_as_pdf(puzzle, solutions, form, task.sheet or Sheet(), talk)
    else:
        data = _picture(puzzle, solutions, form)
    file = _Download(talk)
    file.write(data)
    file.finish()
    labels = f"-solution-{solutions[0].number}" if len(solutions) == 1 else "-solutions" if solutions else "-parts"
    sheet, suffix = (f"-{form}", "pdf") if form in SHEETS else ("", form)
    return WrittenFile(f"{plain(puzzle.name + sheet + labels)}.{suffix}", len(data), remarks)


def _model(puzzle: Puzzle, solution: Solution | None, form: str, measures: Measures) -> tuple[bytes, list[str]]:
    """The bytes of a model, and remarks for its printing."""
    explode = measures.explode or 0.0
    if solution is None and explode:
        raise UnsupportedError("explode moves the parts of a solution apart; all parts lie side by side anyway")
    lengths = {name: value for name, value in measures.given().items() if name != "explode"}
    size = Dimensions.of(puzzle, **lengths)
    made = models.of_parts(puzzle, size) if solution is None else models.of_solution(puzzle, solution, size, explode)
    return model_files.written(made, f".{form}", puzzle.title or puzzle.name), models.remarks(puzzle, made, size)


def _picture(puzzle: Puzzle, found: Sequence[Solution], form: str) -> bytes:
    from latcover.show.drawing.space.viewer_page import page

    if not found:
        raise UnsupportedError(f"{form} shows solutions; find one first")
    if form == "html":
        return page(puzzle, found).encode()
    view = views.of_solution(puzzle, found[0]) if len(found) == 1 else views.of_solutions(puzzle, found)
    return ("\n".join(view.lines(colour=False, width=200)) + "\n").encode()
