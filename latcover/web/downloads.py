"""Files that a client downloads: cover problems in every form of `latcover export`, pictures, and models to print."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from latcover.drawing import views
from latcover.errors import PuzzleError, UnsupportedError, counted
from latcover.formats.cover_problems.exported import exported
from latcover.formats.forms import READ, TOML, WRITTEN, How
from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution
from latcover.printing import model_files, models, x3d
from latcover.printing.layout import Dimensions
from latcover.system.files import plain_name
from latcover.web.job import Job, Talk, asked_subject, prepared
from latcover.web.paper import SHEETS, Wanted, sheets_as_pdf
from latcover.web.subject import placed_in, puzzle_of, puzzles_of, text_of

MODELS = {
    "3mf": "3MF, for slicers",
    "stl": "STL, for slicers old and new",
    "glb": "GLB, for Blender, viewers and the web",
    "x3d": "X3D, for its viewers",
}
PICTURES = {"html": "HTML, a page to turn it in space", "txt": "text, in letters"}
MEASURES = ("edge", "clearance", "chamfer", "explode")
PIECE = 1 << 20  # bytes of a file that are handed on at once


class _Download:
    """Sends a file to the server in pieces. The file has no name, so nothing is left of it if a process is killed."""

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
        self.talk.send({"event": "piece", "content": base64.b64encode(piece).decode()})


def exported_file(job: Job, talk: Talk) -> dict[str, Any]:
    """Send a file in the form that the client asks for."""
    form = text_of(job, "form")
    if form in MODELS or form in PICTURES or form in SHEETS:
        made = _pictured_file(job, talk)
        return {**made, "name": f"{plain(made['stem'])}{made['suffix']}"}
    if form != TOML.name and form not in WRITTEN:
        known = ", ".join((TOML.name, *WRITTEN, *MODELS, *PICTURES, *SHEETS))
        raise UnsupportedError(f"there is no form {form[:40]!r}; the forms are: {known}")
    if "solutions" in job or "measures" in job or "sheet" in job:
        raise UnsupportedError(f"{form} holds the whole problem: no solution, no measures, and no sheet")
    file, written = _Download(talk), READ[form] if form == TOML.name else WRITTEN[form]
    if form == TOML.name or written.of_puzzles:
        puzzles = puzzles_of(asked_subject(job), talk.settings.bounds())
        name = puzzles[0].name if len(puzzles) == 1 else job.get("name") or puzzles[0].title or puzzles[0].name
        if not isinstance(name, str):
            raise PuzzleError("the name of the file must be a text")
        pieces = [puzzle_as_toml(puzzles, name=name).encode()] if form == TOML.name else written.write(puzzles, How())
    else:
        subject = prepared({**job, "symmetry": job.get("symmetry", "none")}, talk)
        name, pieces = subject.name, written.write(exported(subject), How())
    for piece in pieces:
        if talk.stopped:
            raise PuzzleError("stopped before the file was whole")
        file.write(piece)
    file.finish()
    return {"name": f"{plain(name)}{written.suffixes[0]}", "size": file.size, "remarks": []}


def plain(name: str) -> str:
    """A name for a file that a header can hold, too: its letters are those of ASCII."""
    return plain_name(name.encode("ascii", "replace").decode(), "puzzle")


def _pictured_file(job: Job, talk: Talk) -> dict[str, Any]:
    """Send a picture or a model.

    Of the solutions in the job; where it has none, a model of every copy of every part.
    """
    form, subject = text_of(job, "form"), job.get("subject")
    if not isinstance(subject, dict):
        raise PuzzleError("the request names no puzzle")
    puzzle, measures = puzzle_of(subject, talk.settings.bounds()), _measures(job)
    if "sheet" in job and form not in SHEETS:
        raise UnsupportedError(f"a sheet is of {' and '.join(SHEETS)}; {form} is neither")
    found = _solutions(puzzle, job)
    talk.send({"event": "stage", "stage": "drawing"})
    if form in MODELS:
        if len(found) > 1:
            raise UnsupportedError("a model shows one solution; ask for one alone")
        data, remarks = _model(puzzle, found[0] if found else None, form, measures)
    elif measures:
        raise UnsupportedError(f"{', '.join(measures)}: for models alone, and {form} is none")
    elif form in SHEETS:
        data, remarks = sheets_as_pdf(puzzle, found, form, Wanted.of_json(job.get("sheet", {})), talk), []
    else:
        data, remarks = _picture(puzzle, found, form), []
    file = _Download(talk)
    file.write(data)
    file.finish()
    labels = f"-solution-{found[0].number}" if len(found) == 1 else "-solutions" if found else "-parts"
    stem, suffix = (
        (f"{puzzle.name}-{form}{labels}", ".pdf") if form in SHEETS else (f"{puzzle.name}{labels}", f".{form}")
    )
    return {"stem": stem, "suffix": suffix, "size": len(data), "remarks": remarks}


def _measures(job: Job) -> dict[str, float]:
    """The given lengths in millimetres, and how far parts are moved apart."""
    given = job.get("measures")
    if given is None:
        return {}
    if not isinstance(given, dict) or not set(given) <= set(MEASURES):
        raise PuzzleError(f"the measures of a model are: {', '.join(MEASURES)}")
    if not all(type(value) in (int, float) and abs(value) < 1e9 for value in given.values()):
        raise PuzzleError("the measures of a model must be numbers")
    return {name: float(value) for name, value in given.items()}


def _solutions(puzzle: Puzzle, job: Job) -> list[Solution]:
    """The solutions in a job, as the server keeps them: labels, and numbers of placements."""
    placed = [placed_in(puzzle, placement) for placement in job.get("placements", ())]
    return [
        Solution(tuple(placed[k] for k in chosen), number, image, orbit, puzzle)
        for (number, image, orbit), chosen in job.get("solutions", ())
    ]


def _model(
    puzzle: Puzzle, solution: Solution | None, form: str, measures: Mapping[str, float]
) -> tuple[bytes, list[str]]:
    """The bytes of a model, and remarks for whoever prints it."""
    explode = measures.get("explode", 0.0)
    if solution is None and explode:
        raise UnsupportedError("explode moves the parts of a solution apart; all parts lie side by side anyway")
    if form == "x3d":
        if "clearance" in measures or "chamfer" in measures:
            raise UnsupportedError("X3D shows the parts as they are; a clearance or a chamfer is for 3mf, stl and glb")
        edge = measures.get("edge")
        scale = x3d.Scale(edge=None if edge is None else Dimensions(edge=edge).edge)
        text = (
            x3d.of_parts(puzzle, scale=scale) if solution is None else x3d.of_solution(puzzle, solution, scale, explode)
        )
        return text.encode(), []
    size = Dimensions(**{name: measures[name] for name in ("edge", "clearance", "chamfer") if name in measures})
    made = models.of_parts(puzzle, size) if solution is None else models.of_solution(puzzle, solution, size, explode)
    return model_files.written(made, f".{form}", puzzle.title or puzzle.name), models.remarks(puzzle, made)


def _picture(puzzle: Puzzle, found: Sequence[Solution], form: str) -> bytes:
    from latcover.drawing.space.page import page

    if not found:
        raise UnsupportedError(f"{form} shows solutions; find one first")
    if form == "html":
        return page(puzzle, found).encode()
    view = views.of_solution(puzzle, found[0]) if len(found) == 1 else views.of_solutions(puzzle, found)
    return ("\n".join(view.lines(colour=False, width=200)) + "\n").encode()
