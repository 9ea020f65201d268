"""Small pictures of puzzles, as the page Start shows them: of a shipped puzzle a solution, of a design its region."""

from __future__ import annotations

from dataclasses import replace

from latcover.backends import create
from latcover.cover.search import Limits
from latcover.drawing import scene
from latcover.drawing.svg import Entry, View, page
from latcover.drawing.svg_shapes import Look
from latcover.encoding.prepared import prepare
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution
from latcover.solving.run import run
from latcover.web.job import Job, Talk, asked_subject
from latcover.web.subject import puzzle_of

SECONDS = 4.0  # for a solution; shipped puzzles need hundredths of one
LOOK = Look(letters=False, scale=32.0)


def card(job: Job, talk: Talk) -> str:
    """The picture of a subject as SVG: a solution where the job says ``solved`` and one is found soon, else its region.

    Raises:
        InputError: the subject is at fault.
    """
    puzzle = puzzle_of(asked_subject(job), talk.settings.bounds())
    found: list[Solution] = []
    if job.get("solved"):
        limits = Limits(covers=1, seconds=min(SECONDS, talk.settings.quick))
        run(prepare(puzzle, bounds=talk.settings.bounds()), create("bitset", threads=1), limits, found.append)
    shown = scene.of_solution(puzzle, found[0]) if found else _region(puzzle)
    return page(puzzle.title or puzzle.name, [Entry(shown)], LOOK, View.ISOMETRIC)


def _region(puzzle: Puzzle) -> scene.Scene:
    """The region in one colour, unless its cells have colours; what may stay empty is faint."""
    shown = scene.of_region(puzzle)
    items = tuple(item if item.patches or item.paint else replace(item, colour=0) for item in shown.items)
    return replace(shown, items=items)
