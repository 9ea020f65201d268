"""What a child process of the server does: quick jobs, which answer once, and long ones, which report progress.

A job is plain data with the name of its ``task``. It sends events through `Talk`. No job opens a file for a client.
"""

from __future__ import annotations

import base64
import tomllib
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from latcover.errors import LatcoverError, PuzzleError, PuzzleFileError
from latcover.formats.forms import DLX, TOML
from latcover.formats.library import choose
from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.formats.reading import Problems, read
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution
from latcover.web.editor_data import editor_data, fault_data
from latcover.web.job import Job, Talk, asked_subject, prepared_puzzle
from latcover.web.lattices import first_puzzle, judged, lattice_asked, together
from latcover.web.part_sources import parts_of
from latcover.web.searching import search
from latcover.web.subject import (
    chosen,
    form_of_name,
    placed_in,
    problems_of,
    puzzle_of,
    subject_of,
    text_of,
    upload,
)


def run_job(job: Job, talk: Talk) -> None:
    """Do a job. The last event is "done", or "fault" with a paragraph that a user can read."""
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


def open_subject(job: Job, talk: Talk) -> dict[str, Any]:
    """A subject as the editor wants it."""
    asked, bounds = asked_subject(job), talk.settings.bounds()
    data = editor_data(subject_of(asked, bounds))
    read = problems_of(asked, bounds) if asked.get("form") in ("toml", "shipped") else {}
    return {"subject": dict(asked), **_about_file(asked, read), **data}


def _about_file(asked: Mapping[str, Any], read: Problems) -> dict[str, Any]:
    """The puzzles of a file that holds several, and its name; none of a file that holds one."""
    if len(read) < 2:
        return {"problems": []}
    name = asked.get("name") or tomllib.loads(text_of(asked, "text")).get("name")
    return {"problems": _listed(read), "file": name}


def _listed(read: Problems) -> list[dict[str, Any]]:
    """The puzzles of a file, and why one cannot be used."""
    return [{"name": own, "fault": str(p) if isinstance(p, PuzzleFileError) else None} for own, p in read.items()]


def offer_parts(job: Job, talk: Talk) -> dict[str, Any]:
    """Parts for the editor to take into a puzzle."""
    return parts_of(asked_subject(job), talk.settings.bounds())


def read_upload(job: Job, talk: Talk) -> dict[str, Any]:
    """A file that a client sent: the puzzles in it, and the first that can be used, as a subject and for the editor.

    Foreign forms become files of our own, so that what is sent back and forth is text. Such a file holds all puzzles
    that can be used; ``left_out`` says why another cannot.
    """
    name, content = text_of(job, "name"), base64.b64decode(text_of(job, "content"))
    form = form_of_name(name)
    found = read(upload(content, name, form), talk.settings.bounds(), unfinished=True)
    if form is DLX:
        text = content.decode("utf-8", "replace")
        subject = {"form": DLX.name, "text": text, "name": name}
        return {"subject": subject, "problems": [], "left_out": [], **editor_data(choose(found, name))}
    puzzle = chosen(found, job.get("problem"))
    data = editor_data(puzzle)
    if form is TOML:
        subject = {"form": TOML.name, "text": content.decode("utf-8-sig", "replace")}
        if len(found) > 1:
            subject["problem"] = puzzle.name
        return {"subject": subject, **_about_file(subject, found), "left_out": [], **data}
    if not data["toml"]:
        raise PuzzleError(f"{puzzle.name!r} cannot be written in our own form: {data['warnings'][-1]}")
    usable, left_out = _writable(found)
    subject = {"form": TOML.name, "text": puzzle_as_toml(usable, name=name.rpartition(".")[0])}
    if len(usable) > 1:
        subject["problem"] = puzzle.name
    opened = open_subject({"subject": subject}, talk)  # cells may have moved
    warnings = list(dict.fromkeys([*data["warnings"], *opened["warnings"]]))
    return {**opened, "warnings": warnings, "left_out": left_out}


def _writable(found: Problems) -> tuple[list[Puzzle], list[dict[str, str]]]:
    """The puzzles of a file that our own form can say, and why each of the others cannot be taken."""
    usable, left_out = [], []
    for name, puzzle in found.items():
        try:
            if isinstance(puzzle, PuzzleFileError):
                raise puzzle
            assert isinstance(puzzle, Puzzle), "a file that holds bare problems holds one"
            puzzle_as_toml([puzzle])
        except LatcoverError as fault:
            left_out.append({"name": name, "fault": str(fault)})
        else:
            usable.append(puzzle)
    return usable, left_out


def read_files(job: Job, talk: Talk) -> dict[str, Any]:
    """Files that a client sent: a puzzle with the lattices and part sets that it names, or a lattice alone."""
    asked = together(job, talk.settings.bounds())
    return begin_on(asked, talk) | {"left_out": []} if "text" in asked else read_upload(asked, talk)


def judge_lattice(job: Job, talk: Talk) -> dict[str, Any]:
    """What is wrong with a lattice that a client draws; its file, where nothing is."""
    return judged(job)


def begin_on(job: Job, talk: Talk) -> dict[str, Any]:
    """A first puzzle on a lattice of the client's own, as a subject and for the editor."""
    return open_subject({"subject": {"form": TOML.name, "text": first_puzzle(lattice_asked(job))}}, talk)


def draw(job: Job, talk: Talk) -> dict[str, Any]:
    """A solution, or the region, as SVG; or what the viewer wants of a solution or of the puzzle."""
    from latcover.drawing import views
    from latcover.drawing.space.scene_data import puzzle_data, scene_data
    from latcover.drawing.svg import page

    puzzle = puzzle_of(asked_subject(job), talk.settings.bounds())
    solution = _solution(puzzle, job)
    if job.get("what") == "scene":
        return puzzle_data(puzzle) if solution is None else scene_data(puzzle, [solution])
    view = views.of_region(puzzle) if solution is None else views.of_solution(puzzle, solution)
    return {"svg": page(view.title, view.entries())}


def _solution(puzzle: Puzzle, job: Job) -> Solution | None:
    placements = job.get("placements")
    if placements is None:
        return None
    placed = [placed_in(puzzle, placement) for placement in placements]
    number, image, orbit = job.get("labels", (1, 1, 1))
    return Solution(tuple(placed), number, image, orbit, puzzle)


def take_apart(job: Job, talk: Talk) -> dict[str, Any]:
    """How a solution comes apart: it alone as the viewer wants it, with its film, and the result in words."""
    from latcover.web.taking_apart import taken_apart

    puzzle = puzzle_of(asked_subject(job), talk.settings.bounds())
    solution = _solution(puzzle, job)
    if solution is None:
        raise PuzzleError("the request names no solution to take apart")
    return taken_apart(puzzle, solution, talk)


def watch(job: Job, talk: Talk) -> dict[str, Any]:
    """The steps of a search by several rules, for a view to play; each placement once."""
    from latcover.web.watching import watched

    return watched(prepared_puzzle(job, talk), job, talk)


def compare(job: Job, talk: Talk) -> dict[str, Any]:
    """Several methods on one subject."""
    from latcover.web.comparing import compared

    return compared(job, talk)


def design(job: Job, talk: Talk) -> dict[str, Any]:
    """Puzzles made of the subject."""
    from latcover.web.designing import designed

    return designed(job, talk)


def draw_design(job: Job, talk: Talk) -> dict[str, Any]:
    """A solution of a puzzle that was made, as SVG."""
    from latcover.web.design_picture import design_picture

    return {"svg": design_picture(job, talk)}


def draw_card(job: Job, talk: Talk) -> dict[str, Any]:
    """A small picture of a puzzle, as SVG."""
    from latcover.web.cards import card

    return {"svg": card(job, talk)}


def export(job: Job, talk: Talk) -> dict[str, Any]:
    """The problem in another form, or a picture or a model, as a file that is handed on in pieces."""
    from latcover.web.downloads import exported_file

    return exported_file(job, talk)


TASKS: dict[str, Callable[[Job, Talk], dict[str, Any]]] = {
    "open": open_subject,
    "parts": offer_parts,
    "read": read_files,
    "judge lattice": judge_lattice,
    "begin on lattice": begin_on,
    "draw": draw,
    "solve": search,
    "count": search,
    "watch": watch,
    "apart": take_apart,
    "compare": compare,
    "design": design,
    "draw design": draw_design,
    "draw card": draw_card,
    "export": export,
}
