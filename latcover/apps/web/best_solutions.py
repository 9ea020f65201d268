"""The job that finds the best solutions, and the objectives that a page offers for a puzzle."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from latcover.apps.web.answers import BestAnswer, RankedSolution
from latcover.apps.web.editor_answers import Objective
from latcover.apps.web.job import Talk
from latcover.apps.web.messages import RunProgress
from latcover.apps.web.searching import Sender
from latcover.apps.web.subject import read_subject
from latcover.apps.web.tasks import MOST_BEST, BestTask
from latcover.core.cover.search import Progress
from latcover.core.encoding.objectives import MOST_CELLS, OBJECTIVES
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules.crossroads import corners_of_four
from latcover.core.model.rules.lines import are_lines_known
from latcover.errors import UnsupportedError
from latcover.lab.asking.best import ValuedSolution, best
from latcover.lab.asking.gaps import Sense, bound_in_words
from latcover.lab.assembly.taking_apart import assembler_of
from latcover.show.reporting.best_report import best_as_json, best_as_text


def best_solutions(task: BestTask, talk: Talk) -> BestAnswer:
    """Find the best solutions of a subject, and send each that is better than those before."""
    bounds, sender = talk.settings.bounds(), BestSender(talk, sense=task.sense)
    request = replace(task, seconds=None)  # the server itself keeps the time, which may be paused
    found = best(read_subject(task.subject, bounds), request, sender, bounds=bounds)
    rows = []
    for one in found.solutions:
        rows.append(RankedSolution(one.value, one.text, sender.messages.kept))
        sender.on_solution(one.solution)
    sender.messages.flush()
    return BestAnswer(summary=best_as_json(request, found), text=best_as_text(request, found), best=rows)


class BestSender(Sender):
    """Sends solutions that are better than those before, and in words what is known of the best."""

    def __init__(self, talk: Talk, sense: Sense = "minimize", noun: str = "solution") -> None:
        super().__init__(talk)
        self.sense: Sense = sense
        self.noun = noun
        self.value: int | None = None
        self.bound: int | None = None
        self.words = ""

    def on_better(self, solution: ValuedSolution) -> None:
        """Send the solution; the last places are left for the best at the end."""
        self.value, self.words = solution.value, f"so far: {solution.text}"
        if self.messages.kept + MOST_BEST < self.talk.settings.solutions:
            self.on_solution(solution.solution)

    def on_bound(self, value: int) -> None:
        """Send the bound with the next progress."""
        self.bound = value

    def on_progress(self, progress: Progress) -> bool:
        """Send how far it is. Returns False if the job is to stop."""
        seconds = round(progress.seconds, 3)
        return self.messages.report(RunProgress(known=[*self._so_far()], branches=progress.branches, seconds=seconds))

    def _so_far(self) -> Iterator[str]:
        if self.words:
            yield self.words
        if self.bound is not None:
            yield bound_in_words(self.noun, self.sense, self.value, self.bound)


def objectives_of(puzzle: Puzzle) -> list[Objective]:
    """What may be minimized or maximized over the solutions of a puzzle, the costs of its own first.

    Left out is what the puzzle does not have, such as colours, or what all of its solutions have alike.
    """
    own = [Objective(costs.name, costs.words or costs.name) for costs in puzzle.costs]
    taken = {each.name for each in own}
    named = (name for name in OBJECTIVES if name not in taken and SUITS.get(name, _always)(puzzle))
    return [*own, *(Objective(name, OBJECTIVES[name].words) for name in named)]


def _always(_: Puzzle) -> bool:
    return True


def _has_points_of_four(puzzle: Puzzle) -> bool:
    try:
        return _is_filled(puzzle) and any(True for _ in corners_of_four(puzzle.lattice, puzzle.region))
    except UnsupportedError:
        return False


def _is_filled(puzzle: Puzzle) -> bool:
    return not puzzle.region.optional.any()


def _has_colours(puzzle: Puzzle) -> bool:
    return any(part.display_colour for part in puzzle.parts)


def _comes_apart_by_moves(puzzle: Puzzle) -> bool:
    try:
        return not assembler_of(puzzle).lifted
    except UnsupportedError:
        return False


SUITS: dict[str, Callable[[Puzzle], bool]] = {
    "crossroads": _has_points_of_four,
    "fault-lines": lambda puzzle: are_lines_known(puzzle.lattice),
    "touching-alike": _has_colours,
    "border": lambda puzzle: _is_filled(puzzle) and _has_colours(puzzle),
    "parts": lambda puzzle: any(part.low != part.high for part in puzzle.parts),
    "cells": lambda puzzle: not _is_filled(puzzle),
    "spread": lambda puzzle: _has_colours(puzzle) and len(puzzle.region.cells) <= MOST_CELLS,
    "symmetry": lambda puzzle: not puzzle.region.period,
    "moves": _comes_apart_by_moves,
}
