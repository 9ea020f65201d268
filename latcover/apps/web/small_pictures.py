"""Pictures of one solution of a puzzle: small cards of shipped puzzles, and pictures of designs."""

from __future__ import annotations

from msgspec.structs import replace

from latcover.apps.web.job import Talk
from latcover.apps.web.subject import TextSubject, puzzle_of_subject
from latcover.apps.web.tasks import CardTask, DrawDesignTask
from latcover.core.cover.events import Events
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.model.solution import Solution
from latcover.core.solving.solve import SolveRequest, solve
from latcover.errors import UnsupportedError
from latcover.show.drawing.paper.cards import card as picture
from latcover.show.drawing.paper.styles import Projection
from latcover.show.drawing.paper.svg import page
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import CaptionedScene

SECONDS = 4.0  # for the solution of a card; shipped puzzles need hundredths of a second


def card(task: CardTask, talk: Talk) -> str:
    """A card as SVG: a solution if the task is to be ``solved`` and one is found soon, otherwise the region.

    Raises:
        InputError: the subject is at fault.
    """
    bounds = talk.settings.bounds()
    puzzle, solution = puzzle_of_subject(task.subject, bounds), None
    if task.solved:
        seconds = min(SECONDS, talk.settings.quick)
        # Without symmetry no solution is left out, so one is found sooner.
        request = SolveRequest(backend="bitset", options={"threads": 1}, symmetry="none", seconds=seconds, limit=1)
        solution = _first_solution(puzzle, request, bounds)
    return picture(puzzle, solution)


def design_picture(task: DrawDesignTask, talk: Talk) -> str:
    """A solution of a design as SVG; its parts have the colours that they have in ``family``.

    Raises:
        UnsupportedError: no solution was found in the time of a quick job.
    """
    bounds = talk.settings.bounds()
    puzzle = puzzle_of_subject(TextSubject(text=task.toml), bounds)
    solution = _first_solution(puzzle, SolveRequest(limit=1, seconds=talk.settings.quick / 2), bounds)
    if solution is None:
        raise UnsupportedError("no solution was found in time to draw it; open the puzzle, and solve it there")
    if task.family is not None:
        puzzle = replace(puzzle, parts=puzzle_of_subject(task.family, bounds).parts)
    drawn = CaptionedScene(scene.of_solution(puzzle, solution))
    return page(puzzle.title or puzzle.name, [drawn], view=Projection.isometric)


class _FirstSolution(Events):
    solution: Solution | None = None

    def on_solution(self, solution: Solution) -> None:
        self.solution = self.solution or solution


def _first_solution(puzzle: Puzzle, request: SolveRequest, bounds: Bounds) -> Solution | None:
    events = _FirstSolution()
    solve(puzzle, request, events, bounds=bounds)
    return events.solution
