"""What a child process of the server does: quick tasks, which answer once, and long ones, which report progress.

No task opens a file for a client.
"""

from __future__ import annotations

import tomllib
import traceback
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from latcover.apps.web.answers import Answer, ApartAnswer, Picture
from latcover.apps.web.apart_job import taken_apart
from latcover.apps.web.app_words import in_app_words
from latcover.apps.web.best_solutions import best_solutions
from latcover.apps.web.chances import draw_at_random, map_probabilities
from latcover.apps.web.comparing import compared
from latcover.apps.web.design_jobs import designed
from latcover.apps.web.downloads import exported_file
from latcover.apps.web.drawn_lattices import UploadedFile, first_puzzle, judged, lattice_of, one_of_files
from latcover.apps.web.editor_answers import LeftOut, ListedProblem, Opened
from latcover.apps.web.editor_data import as_fault, problem_for_editor, puzzle_for_editor
from latcover.apps.web.job import Talk
from latcover.apps.web.kept_solutions import rebuilt_solutions
from latcover.apps.web.messages import Done, Failed, Fault
from latcover.apps.web.packing_jobs import keep_parts_out, pack_region
from latcover.apps.web.part_sources import parts_of
from latcover.apps.web.playing import playable
from latcover.apps.web.searching import count_solutions, search
from latcover.apps.web.small_pictures import card, design_picture
from latcover.apps.web.subject import (
    CoverSubject,
    Subject,
    TextSubject,
    chosen,
    form_of_name,
    problems_of,
    puzzle_of_subject,
    read_subject,
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
    PlayTask,
    ProbabilitiesTask,
    ReadTask,
    SampleTask,
    SolveTask,
    WatchTask,
)
from latcover.apps.web.tiling_plane import tiled_plane
from latcover.apps.web.watching import watched
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.errors import LatcoverError, PuzzleError, PuzzleFileError
from latcover.files.formats.forms import DLX, TOML
from latcover.files.formats.library import Problems, choose, load_lattice, read
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.show.drawing.paper.svg import page
from latcover.show.drawing.space.scene_data import drawn_puzzle, scene_data
from latcover.show.drawing.space.scene_structs import PuzzleScene
from latcover.show.drawing.views import puzzle_views as views
from latcover.show.drawing.views.patch_views import small_svg_of_lattice
from latcover.system.decoding import decoded


def run_job(job: bytes, talk: Talk) -> None:
    """Do a job, a task in JSON. The last message is `Done`, or `Failed` with a paragraph that a user can read."""
    try:
        answer = perform(job, talk)
    except LatcoverError as fault:
        talk.send(Failed(fault=as_fault(fault)))
    except MemoryError:
        words = "it needs more memory than a run may have; take a smaller puzzle, or another backend"
        talk.send(Failed(fault=Fault(words)))
    except Exception:  # a defect of ours: the server's log gets it, and the process continues
        traceback.print_exc()
        words = "latcover ran into a bug here; the server's log has details. Please report it"
        talk.send(Failed(fault=Fault(words)))
    else:
        talk.send(Done(answer=answer))


def perform(job: bytes, talk: Talk) -> Answer | PuzzleScene:
    """Do the task of a job."""
    task: Any = decoded(AnyTask, msgspec.json.decode(job))
    return PERFORMERS[type(task)](task, talk)


def open_subject(subject: Subject, talk: Talk) -> Opened:
    """A subject as data for the editor."""
    bounds = talk.settings.bounds()
    read = read_subject(subject, bounds)
    data = puzzle_for_editor(read) if isinstance(read, Puzzle) else problem_for_editor(read)
    return _of_file(data, subject, problems_of(subject, bounds))


def _of_file(data: Opened, subject: Subject, problems: Problems) -> Opened:
    """The same with its subject, and with the name and the puzzles of the file if it holds several."""
    if len(problems) < 2:
        return replace(data, subject=subject, problems=[])
    name = getattr(subject, "name", None)
    if name is None and isinstance(subject, TextSubject):
        name = tomllib.loads(subject.text).get("name")
    listed = [
        ListedProblem(own, in_app_words(str(puzzle)) if isinstance(puzzle, PuzzleFileError) else None)
        for own, puzzle in problems.items()
    ]
    return replace(data, subject=subject, problems=listed, file=name)


def read_files(task: ReadTask, talk: Talk) -> Opened:
    """The files of a client: a puzzle with the lattices and part sets that it names, or a lattice alone."""
    file = one_of_files(task.files, talk.settings.bounds())
    if isinstance(file, UploadedFile):
        return read_upload(file, task.problem, talk)
    return replace(begin_on(file, talk), left_out=[])


def read_upload(file: UploadedFile, problem: str | None, talk: Talk) -> Opened:
    """The puzzles of a file; and one of them, *problem* or the first usable one, as a subject and for the editor.

    Files of other programs are converted to our own form, which is text. The converted file holds all usable puzzles;
    ``left_out`` gives the reason for each of the others.
    """
    form = form_of_name(file.name)
    problems = read(upload(file.content, file.name, form), talk.settings.bounds(), unfinished=True)
    if form is DLX:
        cover = CoverSubject(text=file.content.decode("utf-8", "replace"), name=file.name)
        bare = choose(problems, file.name)
        assert isinstance(bare, NamedProblem), "a file in Knuth's form holds a bare problem"
        return replace(problem_for_editor(bare), subject=cover, problems=[], left_out=[])
    puzzle = chosen(problems, problem)
    data = puzzle_for_editor(puzzle)
    if form is TOML:
        subject = TextSubject(text=file.content.decode("utf-8-sig", "replace"))
        if len(problems) > 1:
            subject.problem = next(own for own, each in problems.items() if each is puzzle)
        return replace(_of_file(data, subject, problems), left_out=[])
    if not data.toml:
        raise PuzzleError(f"{puzzle.name!r} cannot be written in our own form: {data.warnings[-1]}")
    usable, left_out = _writable(problems)
    subject = TextSubject(text=puzzle_as_toml(usable, name=file.name.rpartition(".")[0]))
    if len(usable) > 1:
        subject.problem = puzzle.name
    opened = open_subject(subject, talk)  # cells may have moved
    warnings = list(dict.fromkeys([*data.warnings, *opened.warnings]))
    return replace(opened, warnings=warnings, left_out=left_out)


def _writable(found: Problems) -> tuple[list[Puzzle], list[LeftOut]]:
    """The puzzles of a file that our own form can express, and the reason for each of the others."""
    usable, left_out = [], []
    for name, puzzle in found.items():
        try:
            if isinstance(puzzle, PuzzleFileError):
                raise puzzle
            assert isinstance(puzzle, Puzzle), "a file that holds bare problems holds one"
            puzzle_as_toml([puzzle])
        except LatcoverError as fault:
            left_out.append(LeftOut(name, in_app_words(str(fault))))
        else:
            usable.append(puzzle)
    return usable, left_out


def begin_on(task: LatticeTask, talk: Talk) -> Opened:
    """A first puzzle on the client's own lattice, as a subject and for the editor."""
    return open_subject(TextSubject(text=first_puzzle(lattice_of(task))), talk)


def draw(task: DrawTask, talk: Talk) -> Picture | PuzzleScene:
    """A solution or the region, as SVG or as data for the viewer."""
    puzzle = puzzle_of_subject(task.subject, talk.settings.bounds())
    solution = None
    if task.placements is not None:
        placed = (placement.in_puzzle(puzzle) for placement in task.placements)
        solution = Solution(tuple(placed), *task.labels, puzzle)
    if task.what == "scene":
        return drawn_puzzle(puzzle) if solution is None else scene_data(puzzle, [solution])
    view = views.of_region(puzzle) if solution is None else views.of_solution(puzzle, solution)
    return Picture(page(view.title, view.entries()))


def take_apart(task: ApartTask, talk: Talk) -> ApartAnswer:
    """The disassembly of the hardest of some solutions."""
    puzzle = puzzle_of_subject(task.subject, talk.settings.bounds())
    return taken_apart(puzzle, rebuilt_solutions(puzzle, task.placements, task.solutions), task.first, talk)


PERFORMERS: dict[type, Callable[[Any, Talk], Answer | PuzzleScene]] = {
    SolveTask: search,
    CountTask: count_solutions,
    BestTask: best_solutions,
    PackTask: pack_region,
    ExcludeTask: keep_parts_out,
    SampleTask: draw_at_random,
    ProbabilitiesTask: map_probabilities,
    WatchTask: watched,
    CompareTask: compared,
    DesignTask: designed,
    PlaneTask: tiled_plane,
    OpenTask: lambda task, talk: open_subject(task.subject, talk),
    PartsTask: lambda task, talk: parts_of(task.subject, talk.settings.bounds()),
    PlayTask: playable,
    ReadTask: read_files,
    BeginTask: begin_on,
    LatticeTask: lambda task, _: judged(task),
    DrawTask: draw,
    CardTask: lambda task, talk: Picture(card(task, talk)),
    LatticeCardTask: lambda task, _: Picture(small_svg_of_lattice(load_lattice(task.name))),
    DrawDesignTask: lambda task, talk: Picture(design_picture(task, talk)),
    ApartTask: take_apart,
    ExportTask: exported_file,
}
