"""The jobs about all solutions: some of them drawn at random, and how likely each part is on each cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from latcover.apps.web.answers import ProbabilitiesAnswer, ProbabilityMap, RunAnswer
from latcover.apps.web.job import Talk
from latcover.apps.web.searching import Sender
from latcover.apps.web.settings import MEGABYTE
from latcover.apps.web.subject import puzzle_of_subject, read_subject
from latcover.apps.web.tasks import ProbabilitiesTask, SampleTask
from latcover.errors import counted
from latcover.lab.asking.all_solutions import AllSolutions, DiagramRequest, all_solutions
from latcover.lab.asking.probabilities import Probabilities, probabilities_of
from latcover.show.drawing.paper.styles import USUAL, Projection
from latcover.show.drawing.paper.svg import page
from latcover.show.reporting.probability_report import heat_maps, percentage, placement_lines
from latcover.show.reporting.search_report import all_solutions_in_words

ROOM = 8  # a part of what a run may send: each kind of results of `map_probabilities` may take so much
BYTES_OF_A_LINE = 120


def draw_at_random(task: SampleTask, talk: Talk) -> RunAnswer:
    """Draw solutions at random, and send them. Without any, the answer says why none was drawn."""
    subject, sender = read_subject(task.subject, talk.settings.bounds()), Sender(talk)
    every = every_solution(subject, task, sender)
    summary = {"complete": every.complete, "stop": every.stop.value}
    if every.complete:
        for solution in every.sample(task.number, task.seed):
            sender.on_solution(solution)
        summary["drawn"] = f"1 of {counted(every.total, 'solution')}, drawn at random"
    sender.messages.flush()
    return RunAnswer(summary=summary, text=all_solutions_in_words(every))


def map_probabilities(task: ProbabilitiesTask, talk: Talk) -> ProbabilitiesAnswer:
    """Count in how many solutions each part is on each cell, and draw maps of it."""
    puzzle, sender = puzzle_of_subject(task.subject, talk.settings.bounds()), Sender(talk)
    every = every_solution(puzzle, task, sender)
    summary, words = {"complete": every.complete, "stop": every.stop.value}, all_solutions_in_words(every)
    if not every.complete or not every.total:
        return ProbabilitiesAnswer(summary=summary, text=words)
    talk.stage("drawing the maps")
    chances, room = probabilities_of(every), talk.settings.output // ROOM
    few = len(chances.placements) * BYTES_OF_A_LINE < room
    lines = "".join(f"{line}\n" for line in placement_lines(chances)) if few else None
    return ProbabilitiesAnswer(summary=summary, text=words, maps=list(_maps(chances, room)), placements=lines)


def every_solution(subject: Any, task: DiagramRequest, sender: Sender) -> AllSolutions[Any]:
    """All solutions of a subject, within the memory of a child process."""
    settings = sender.talk.settings
    memory = min(task.memory, settings.memory // 2 // MEGABYTE)  # the rest is for numbers and pictures
    request = replace(task, seconds=None, memory=memory)  # the server itself keeps the time, which may be paused
    return all_solutions(subject, request, sender, bounds=settings.bounds())


def _maps(chances: Probabilities, room: int) -> Iterator[ProbabilityMap]:
    """Maps of all parts and of each, as many as there is room for."""
    puzzle = chances.puzzle
    names = [part.name for part in puzzle.parts]
    view = Projection.layers if puzzle.lattice.dimension > 2 else None
    for part in [None, *names] if len(names) > 1 else names:
        drawn = heat_maps(chances, part)
        svg = page(drawn.title, drawn.entries(), USUAL, view)
        rows = list(_rows(chances, part))
        room -= len(svg) + sum(len(text) for row in rows for text in row)
        if room < 0:
            return
        yield ProbabilityMap(part, drawn.title, svg, rows)


def _rows(chances: Probabilities, part: str | None) -> Iterator[tuple[str, str, str]]:
    """The exact numbers of a map: of the parts, or of the cells of a part."""
    puzzle = chances.puzzle
    names = [each.name for each in puzzle.parts]
    if part is None:
        whats, numbers = names, list(chances.with_part)
    else:
        cells = [puzzle.lattice.written(cell) for cell in puzzle.region.cells.tolist()]
        whats = [", ".join(map(str, cell)) for cell in cells]
        numbers = chances.on_cell[names.index(part)].tolist()
    for what, number in zip(whats, numbers, strict=True):
        yield what, percentage(number, chances.total), f"{number:,}"
