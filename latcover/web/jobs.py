"""What a child process of the server does: quick jobs, which answer once, and those that tell how they go on.

A job is plain data with the name of its ``task``; what it says goes through `Talk`. No job opens a file that the client
could have named.
"""

from __future__ import annotations

import base64
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from latcover.errors import LatcoverError, PuzzleError, PuzzleFileError
from latcover.formats.problems import Problems
from latcover.named_problem import ListedCover, NamedProblem
from latcover.puzzle import Puzzle
from latcover.running import Searchable
from latcover.search import Limits, Progress
from latcover.solution import Placed, Solution
from latcover.solve import Choices, Prepared, prepare
from latcover.web.editor_data import editor_data, fault_data
from latcover.web.settings import Settings
from latcover.web.subject import (
    chosen,
    form_of_name,
    problems_of,
    puzzle_of,
    read_file,
    read_problem,
    subject_of,
    text_of,
)

Job = Mapping[str, Any]
BETWEEN_MESSAGES = 0.1  # seconds
MOST_IN_A_MESSAGE = 200  # solutions


@dataclass(slots=True)
class Talk:
    """The line to the server: ``send`` takes an event; ``stopped`` says that the job is to end with what it has."""

    send: Callable[[dict[str, Any]], None]
    settings: Settings
    stopped: bool = False


def run_job(job: Job, talk: Talk) -> None:
    """Do a job, and say how it ended: "done", or "fault" with a paragraph that a user can read."""
    try:
        answer = TASKS[str(job.get("task"))](job, talk)
    except LatcoverError as fault:
        talk.send({"event": "fault", **fault_data(fault)})
    except MemoryError:
        words = "it needs more memory than a run may have; take a smaller puzzle, or another backend"
        talk.send({"event": "fault", "message": words, "complaints": []})
    except Exception:  # a defect of ours: the server's log is to have it, and the process can go on
        traceback.print_exc()
        words = "latcover met a defect of its own here; the server's log says more. Please report it"
        talk.send({"event": "fault", "message": words, "complaints": []})
    else:
        talk.send({"event": "done", "answer": answer})


def _subject(job: Job) -> Mapping[str, Any]:
    subject = job.get("subject")
    if not isinstance(subject, dict):
        raise PuzzleError("the request names no puzzle")
    return subject


def open_subject(job: Job, talk: Talk) -> dict[str, Any]:
    """A subject as the editor wants it."""
    asked, bounds = _subject(job), talk.settings.bounds()
    data = editor_data(subject_of(asked, bounds))
    read = problems_of(asked, bounds) if asked.get("form") in ("toml", "shipped") else {}
    return {"subject": dict(asked), "problems": _listed(read), **data}


def _listed(read: Problems) -> list[dict[str, Any]]:
    """The puzzles of a file that holds several, and why one cannot be used."""
    problems = [{"name": own, "fault": str(p) if isinstance(p, PuzzleFileError) else None} for own, p in read.items()]
    return problems if len(problems) > 1 else []


def read_upload(job: Job, talk: Talk) -> dict[str, Any]:
    """A file that a client sent: the puzzles in it, and the first that can be used, as a subject and for the editor.

    Foreign forms become files of our own, so that what is sent back and forth is text.
    """
    name, content = text_of(job, "name"), base64.b64decode(text_of(job, "content"))
    bounds, form = talk.settings.bounds(), form_of_name(name)
    if form == "dlx":
        named = read_problem(content, name, bounds)
        text = content.decode("utf-8", "replace")
        return {"subject": {"form": "dlx", "text": text, "name": name}, "problems": [], **editor_data(named)}
    read = read_file(content, name, bounds)
    wanted = job.get("problem")
    puzzle = chosen(read, wanted)
    data = editor_data(puzzle)
    if form == "toml":
        subject = {"form": "toml", "text": content.decode("utf-8-sig", "replace")}
        if len(read) > 1:
            subject["problem"] = puzzle.name
    elif data["toml"]:
        subject = {"form": "toml", "text": data["toml"]}
    else:
        raise PuzzleError(f"{puzzle.name!r} cannot be written in our own form: {data['warnings'][-1]}")
    return {"subject": subject, "problems": _listed(read), **data}


def draw(job: Job, talk: Talk) -> dict[str, Any]:
    """A solution, or the region, as SVG; or what the viewer wants of a solution or of the puzzle."""
    from latcover.drawing import views
    from latcover.drawing.svg import page
    from latcover.web.scene_data import puzzle_data, scene_data

    puzzle = puzzle_of(_subject(job), talk.settings.bounds())
    solution = _solution(puzzle, job)
    if job.get("what") == "scene":
        return puzzle_data(puzzle) if solution is None else scene_data(puzzle, [solution])
    view = views.of_region(puzzle) if solution is None else views.of_solution(puzzle, solution)
    return {"svg": page(view.title, view.entries())}


def _solution(puzzle: Puzzle, job: Job) -> Solution | None:
    placements = job.get("placements")
    if placements is None:
        return None
    placed = [Placed(puzzle.parts[part].name, tuple(tuple(cell) for cell in cells)) for part, cells in placements]
    number, image, orbit = job.get("labels", (1, 1, 1))
    return Solution(tuple(placed), number, image, orbit, puzzle)


def _choices(job: Job) -> Choices:
    symmetry = job.get("symmetry", "all")
    if symmetry not in ("none", "rotations", "all"):
        raise PuzzleError(f"no symmetry {str(symmetry)[:40]!r}; known: none, rotations, all")
    return Choices(symmetry=symmetry)


def prepared(job: Job, talk: Talk) -> Searchable[Any]:
    """What a job is about, ready to be searched."""
    subject = subject_of(_subject(job), talk.settings.bounds())
    talk.send({"event": "stage", "stage": "placing the parts"})
    return prepare(subject, _choices(job), talk.settings.bounds()) if isinstance(subject, Puzzle) else subject


def figures(subject: Searchable[Any]) -> dict[str, Any]:
    """The figures of what is searched."""
    from latcover.report import info_as_json

    assert isinstance(subject, Prepared | NamedProblem)
    return info_as_json(subject)


@dataclass(slots=True)
class _Store:
    """Hands solutions on in messages: each placement once, solutions as numbers of placements."""

    talk: Talk
    subject: Searchable[Any]
    kept: int = 0
    found: int = 0
    _known: dict[Any, int] = field(default_factory=dict)
    _placements: list[Any] = field(default_factory=list)
    _solutions: list[Any] = field(default_factory=list)
    _sent: float = 0.0

    def take(self, solution: Solution | ListedCover) -> None:
        self.found += 1
        if self.kept >= self.talk.settings.solutions:
            return
        self.kept += 1
        labels = (solution.number, solution.image, solution.orbit)
        if isinstance(solution, Solution):
            chosen = [self._number(placed, self._placed) for placed in solution.placements]
        else:
            chosen = [self._number(option, list) for option in solution.options]
        self._solutions.append((labels, chosen))
        if self.kept == 1 or len(self._solutions) >= MOST_IN_A_MESSAGE:
            self.flush()

    def _number(self, placed: Any, shown: Callable[[Any], Any]) -> int:
        number = self._known.get(placed)
        if number is None:
            number = self._known[placed] = len(self._known)
            self._placements.append(shown(placed))
        return number

    def _placed(self, placed: Placed) -> list[Any]:
        """The number of the part, the cells, and the copy as files of solutions have it."""
        assert isinstance(self.subject, Prepared)
        puzzle = self.subject.puzzle
        number = next(k for k, part in enumerate(puzzle.parts) if part.name == placed.part)
        return [number, placed.cells, placed.as_json(puzzle.lattice)]

    def flush(self, progress: Mapping[str, Any] | None = None) -> None:
        """Send what has come together."""
        message: dict[str, Any] = {"event": "progress", "found": self.found}
        if progress is not None:
            message["progress"] = progress
        if self._placements:
            message["placements"] = self._placements
        if self._solutions:
            message["solutions"] = self._solutions
        self.talk.send(message)
        self._placements, self._solutions, self._sent = [], [], time.monotonic()

    def report(self, progress: Progress) -> bool:
        """What a search reports to; it goes on unless it was stopped."""
        if time.monotonic() - self._sent >= BETWEEN_MESSAGES:
            told = {"share": progress.share, "branches": progress.branches, "covers": progress.covers}
            self.flush({**told, "seconds": round(progress.seconds, 3)})
        return not self.talk.stopped


def search(job: Job, talk: Talk) -> dict[str, Any]:
    """Find the solutions of a subject, or count them."""
    from latcover.backends import create
    from latcover.counting import count_prepared
    from latcover.report import answer_as_json, answer_as_text
    from latcover.running import run

    solver = create(str(job.get("backend", "auto")), **_options(job))
    subject = prepared(job, talk)
    talk.send({"event": "stage", "stage": "searching", "figures": figures(subject)})
    limit = job.get("limit")
    if limit is not None and (type(limit) is not int or limit < 1):
        raise PuzzleError("the limit of solutions must be a whole number from 1 on, or left out")
    limits = Limits(covers=limit)
    store = _Store(talk, subject)
    if job.get("task") == "count":
        answer = count_prepared(subject, solver, limits, store.report)
    else:
        answer = run(subject, solver, limits, store.take, images=bool(job.get("images")), on_progress=store.report)
    store.flush()
    return {"summary": answer_as_json(answer), "text": answer_as_text(answer)}


def _options(job: Job) -> dict[str, object]:
    """The options for the backend; an empty text is none."""
    options = job.get("options") or {}
    if not isinstance(options, dict) or not all(isinstance(v, str | int | float | bool) for v in options.values()):
        raise PuzzleError("the options of the backend must be names and values")
    return {str(key): value for key, value in options.items() if value != ""}


def watch(job: Job, talk: Talk) -> dict[str, Any]:
    """The steps of a search by several rules, for a view to play; each placement once."""
    from latcover.web.watching import watched

    return watched(prepared(job, talk), job, talk)


def compare(job: Job, talk: Talk) -> dict[str, Any]:
    """Several methods on one subject."""
    from latcover.web.comparing import compared

    return compared(job, talk)


def export(job: Job, talk: Talk) -> dict[str, Any]:
    """The problem in another form, written to the file that the server names."""
    from latcover.web.exporting import exported_file

    return exported_file(job, talk)


TASKS: dict[str, Callable[[Job, Talk], dict[str, Any]]] = {
    "open": open_subject,
    "read": read_upload,
    "draw": draw,
    "solve": search,
    "count": search,
    "watch": watch,
    "compare": compare,
    "export": export,
}
