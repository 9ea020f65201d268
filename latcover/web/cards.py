"""Small pictures of puzzles, as the page Start shows them: of a shipped puzzle a solution, of a design its region."""

from __future__ import annotations

from latcover.backends import create
from latcover.cover.search import Limits
from latcover.drawing.cards import card as picture
from latcover.encoding.prepared import Choices, prepare
from latcover.model.solution import Solution
from latcover.solving.run import run
from latcover.web.job import Job, Talk, asked_subject
from latcover.web.subject import puzzle_of

SECONDS = 4.0  # for a solution; shipped puzzles need hundredths of one


def card(job: Job, talk: Talk) -> str:
    """The picture of a subject as SVG: a solution where the job says ``solved`` and one is found soon, else its region.

    Raises:
        InputError: the subject is at fault.
    """
    puzzle = puzzle_of(asked_subject(job), talk.settings.bounds())
    found: list[Solution] = []
    if job.get("solved"):
        limits = Limits(covers=1, seconds=min(SECONDS, talk.settings.quick))
        prepared = prepare(puzzle, Choices(symmetry="none"), talk.settings.bounds())  # to find one, none is left out
        run(prepared, create("bitset", threads=1), limits, found.append)
    return picture(puzzle, found[0] if found else None)
