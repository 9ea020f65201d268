"""Pictures of puzzles that were made: each shows one solution, which is found when somebody looks at it."""

from __future__ import annotations

from dataclasses import replace

from latcover.backends import create
from latcover.cover.search import Limits
from latcover.drawing import scene
from latcover.drawing.svg import Entry, View, page
from latcover.encoding.prepared import prepare
from latcover.errors import UnsupportedError
from latcover.model.solution import Solution
from latcover.solving.run import run
from latcover.web.job import Job, Talk
from latcover.web.subject import puzzle_of, text_of


def design_picture(job: Job, talk: Talk) -> str:
    """A solution of the puzzle in ``toml``, as SVG; its parts have the colours that they have in ``family``.

    Raises:
        UnsupportedError: no solution was found in the time of a quick job.
    """
    bounds = talk.settings.bounds()
    puzzle = puzzle_of({"form": "toml", "text": text_of(job, "toml")}, bounds)
    found: list[Solution] = []
    run(prepare(puzzle, bounds=bounds), create("auto"), Limits(1, seconds=talk.settings.quick / 2), found.append)
    if not found:
        raise UnsupportedError("no solution was found in time to draw it; open the puzzle, and solve it there")
    if job.get("family") is not None:
        puzzle = replace(puzzle, parts=puzzle_of(job["family"], bounds).parts)
    return page(puzzle.title or puzzle.name, [Entry(scene.of_solution(puzzle, found[0]))], view=View.ISOMETRIC)
