"""What a child process of the server does: quick tasks, which answer once, and long ones, which report progress.

No task opens a file for a client.
"""

from __future__ import annotations

import tomllib
import traceback
from collections.abc import Callable
from typing import Any

import msgspec

from latcover.apps.web.apart_job import taken_apart
from latcover.apps.web.app_words import in_app_words
from latcover.apps.web.best_solutions import best_solutions
from latcover.apps.web.chances import draw_at_random, map_probabilities
from latcover.apps.web.comparing import compared
from latcover.apps.web.design_jobs import designed
from latcover.apps.web.downloads import exported_file
from latcover.apps.web.drawn_lattices import UploadedFile, first_puzzle, judged, lattice_of, together
from latcover.apps.web.editor_data import editor_data, fault_data
from latcover.apps.web.job import Job, Talk
from latcover.apps.web.packing_jobs import excluded, packed
from latcover.apps.web.part_sources import parts_of
from latcover.apps.web.searching import count_solutions, search
from latcover.apps.web.small_pictures import card, design_picture
from latcover.apps.web.subject import (
    CoverSubject,
    Subject,
    TextSubject,
    chosen,
    form_of_name,
    placed_in,
    problems_of,
    puzzle_of,
    solutions_in,
    subject_of,
    upload,
)
from latcover.apps.web.tasks import (
    AnyTask,
    ApartTask,
    BeginTask,
    BestTask,
    CardTask,
    CompareTask,
    CountTask,
    DesignTask,
    DrawDesignTask,
    DrawTask,
    ExcludeTask,
    ExportTask,
    LatticeCardTask,
    LatticeTask,
    OpenTask,
    PackTask,
    PartsTask,
    PlaneTask,
    ProbabilitiesTask,
    ReadTask,
    SampleTask,
    SolveTask,
    WatchTask,
)
from latcover.apps.web.tiling_plane import tiled_plane
from latcover.apps.web.watching import watched
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.errors import LatcoverError, PuzzleError, PuzzleFileError
from latcover.files.formats.forms import DLX, TOML
from latcover.files.formats.library import Problems, choose, load_lattice, read
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.show.drawing.paper.svg import page
from latcover.show.drawing.space.scene_data import drawn_puzzle, scene_data
from latcover.show.drawing.views import puzzle_views as views
from latcover.show.drawing.views.patch_views import small_svg_of_lattice
from latcover.system.decoding import decoded

NONE_LEFT: dict[str, Any] = {"left_out": []}  # of the puzzles of a file


def run_job(job: Job, talk: Talk) -> None:
    """Do a job. The last event is "done", or "fault" with a paragraph that a user can read."""
    try:
        answer = perform(job, talk)
    except LatcoverError as fault:
        talk.send({"event": "fault", **fault_data(fault)})
    except MemoryError:
        words = "it needs more memory than a run may have; take a smaller puzzle, or another backend"
        talk.send({"event": "fault", "message": words, "complaints": []})
    except Exception:  # a defect of ours: the server's log gets it, and the process continues
        traceback.print_exc()
        words = "latcover met a defect of its own here; the server's log says more. Please report it"
        talk.send({"event": "fault", "message": words, "complaints": []})
    else:
        talk.send({"event": "done", "answer": answer})


def perform(job: Job, talk: Talk) -> dict[str, Any]:
    """Do the task of a job."""
    task: Any = decoded(AnyTask, job)
    return PERFORMERS[type(task)](task, talk)


def open_subject(subject: Subject, talk: Talk) -> dict[str, Any]:
    """A subject as data for the editor."""
    bounds = talk.settings.bounds()
    data = editor_data(subject_of(subject, bounds))
    return {"subject": msgspec.to_builtins(subject), **_about_file(subject, problems_of(subject, bounds)), **data}


def _about_file(subject: Subject, problems: Problems) -> dict[str, Any]:
    """The name and the puzzles of a file that holds several; no puzzles if it holds one."""
    if len(problems) < 2:
        return {"problems": []}
    name = getattr(subject, "name", None)
    if name is None and isinstance(subject, TextSubject):
        name = tomllib.loads(subject.text).get("name")
    return {"problems": _listed(problems), "file": name}


def _listed(read: Problems) -> list[dict[str, Any]]:
    """The puzzles of a file, each with its fault if it cannot be used."""
    return [
        {"name": own, "fault": in_app_words(str(p)) if isinstance(p, PuzzleFileError) else None}
        for own, p in read.items()
    ]


def read_files(task: ReadTask, talk: Talk) -> dict[str, Any]:
    """The files of a client: a puzzle with the lattices and part sets that it names, or a lattice alone."""
    file = together(task.files, talk.settings.bounds())
    return read_upload(file, task.problem, talk) if isinstance(file, UploadedFile) else begin_on(file, talk) | NONE_LEFT


def read_upload(file: UploadedFile, problem: str | None, talk: Talk) -> dict[str, Any]:
    """The puzzles of a file; and one of them, *problem* or the first usable one, as a subject and for the editor.

    Files of other programs are converted to our own form, which is text. The converted file holds all usable puzzles;
    ``left_out`` gives the reason for each of the others.
    """
    form = form_of_name(file.name)
    problems = read(upload(file.content, file.name, form), talk.settings.bounds(), unfinished=True)
    if form is DLX:
        cover = CoverSubject(text=file.content.decode("utf-8", "replace"), name=file.name)
        data = editor_data(choose(problems, file.name))
        return {"subject": msgspec.to_builtins(cover), "problems": [], **NONE_LEFT, **data}
    puzzle = chosen(problems, problem)
    data = editor_data(puzzle)
    if form is TOML:
        subject = TextSubject(text=file.content.decode("utf-8-sig", "replace"))
        if len(problems) > 1:
            subject.problem = puzzle.name
        return {"subject": msgspec.to_builtins(subject), **_about_file(subject, problems), **NONE_LEFT, **data}
    if not data["toml"]:
        raise PuzzleError(f"{puzzle.name!r} cannot be written in our own form: {data['warnings'][-1]}")
    usable, left_out = _writable(problems)
    subject = TextSubject(text=puzzle_as_toml(usable, name=file.name.rpartition(".")[0]))
    if len(usable) > 1:
        subject.problem = puzzle.name
    opened = open_subject(subject, talk)  # cells may have moved
    warnings = list(dict.fromkeys([*data["warnings"], *opened["warnings"]]))
    return {**opened, "warnings": warnings, "left_out": left_out}


def _writable(found: Problems) -> tuple[list[Puzzle], list[dict[str, str]]]:
    """The puzzles of a file that our own form can express, and the reason for each of the others."""
    usable, left_out = [], []
    for name, puzzle in found.items():
        try:
            if isinstance(puzzle, PuzzleFileError):
                raise puzzle
            assert isinstance(puzzle, Puzzle), "a file that holds bare problems holds one"
            puzzle_as_toml([puzzle])
        except LatcoverError as fault:
            left_out.append({"name": name, "fault": in_app_words(str(fault))})
        else:
            usable.append(puzzle)
    return usable, left_out


def begin_on(task: LatticeTask, talk: Talk) -> dict[str, Any]:
    """A first puzzle on the client's own lattice, as a subject and for the editor."""
    return open_subject(TextSubject(text=first_puzzle(lattice_of(task))), talk)


def draw(task: DrawTask, talk: Talk) -> dict[str, Any]:
    """A solution or the region, as SVG or as data for the viewer."""
    puzzle = puzzle_of(task.subject, talk.settings.bounds())
    solution = None
    if task.placements is not None:
        solution = Solution(tuple(placed_in(puzzle, placement) for placement in task.placements), *task.labels, puzzle)
    if task.what == "scene":
        return drawn_puzzle(puzzle) if solution is None else scene_data(puzzle, [solution])
    view = views.of_region(puzzle) if solution is None else views.of_solution(puzzle, solution)
    return {"svg": page(view.title, view.entries())}


def take_apart(task: ApartTask, talk: Talk) -> dict[str, Any]:
    """The disassembly of the hardest of some solutions."""
    puzzle = puzzle_of(task.subject, talk.settings.bounds())
    return taken_apart(puzzle, solutions_in(puzzle, task.placements, task.solutions), task.first, talk)


PERFORMERS: dict[type, Callable[[Any, Talk], dict[str, Any]]] = {
    SolveTask: search,
    CountTask: count_solutions,
    BestTask: best_solutions,
    PackTask: packed,
    ExcludeTask: excluded,
    SampleTask: draw_at_random,
    ProbabilitiesTask: map_probabilities,
    WatchTask: watched,
    CompareTask: compared,
    DesignTask: designed,
    PlaneTask: tiled_plane,
    OpenTask: lambda task, talk: open_subject(task.subject, talk),
    PartsTask: lambda task, talk: parts_of(task.subject, talk.settings.bounds()),
    ReadTask: read_files,
    BeginTask: begin_on,
    LatticeTask: lambda task, _: judged(task),
    DrawTask: draw,
    CardTask: lambda task, talk: {"svg": card(task, talk)},
    LatticeCardTask: lambda task, _: {"svg": small_svg_of_lattice(load_lattice(task.name))},
    DrawDesignTask: lambda task, talk: {"svg": design_picture(task, talk)},
    ApartTask: take_apart,
    ExportTask: exported_file,
}
