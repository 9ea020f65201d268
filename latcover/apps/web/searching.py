"""The jobs of searches: to count, or to find solutions and send them as they come."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from latcover.apps.web.answers import RunAnswer
from latcover.apps.web.app_words import in_app_words
from latcover.apps.web.job import Messages, Talk
from latcover.apps.web.kept_solutions import KeptPlacement, KeptSolution
from latcover.apps.web.messages import RunProgress, SentPlacement
from latcover.apps.web.subject import read_subject
from latcover.apps.web.tasks import CountTask, SolveTask
from latcover.core.cover.events import Events
from latcover.core.cover.named_problem import ListedCover
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Progress
from latcover.core.cover.searchable import Searchable
from latcover.core.encoding.prepared import Prepared
from latcover.core.model.solution import Placed, Solution
from latcover.core.solving.count import count
from latcover.core.solving.search_request import SearchRequest
from latcover.core.solving.solve import solve
from latcover.show.reporting.puzzle_figures import info_as_json
from latcover.show.reporting.search_report import (
    answer_as_json,
    answer_as_text,
    reasons_as_lines,
    reasons_for,
    with_reasons,
)

MOST_IN_A_MESSAGE = 200  # solutions


def search(task: SolveTask, talk: Talk) -> RunAnswer:
    """Find the solutions of a subject, and send them as they come."""
    bounds, sender = talk.settings.bounds(), Sender(talk)
    request = replace(task, seconds=None)  # the server itself keeps the time, which may be paused
    subject = read_subject(task.subject, bounds)
    if task.group:
        return _groups(task, sender, talk)
    return sender.answer(solve(subject, request, sender, bounds=bounds))


def _groups(task: SolveTask, sender: Sender, talk: Talk) -> RunAnswer:
    """Send one solution of each group of those that differ only by blocks."""
    from latcover.lab.asking.blocks import group_by_blocks  # which few searches need

    bounds = talk.settings.bounds()
    request = SearchRequest(**{name: getattr(task, name) for name in SearchRequest.__struct_fields__})
    request = replace(request, seconds=None)
    found = group_by_blocks(read_subject(task.subject, bounds), request, sender, bounds=bounds)
    answer = sender.answer(found.result)
    summary = {**answer.summary, **found.as_json()}
    return RunAnswer(summary=summary, text=in_app_words("\n".join([found.headline(), answer.text])))


def count_solutions(task: CountTask, talk: Talk) -> RunAnswer:
    """Count the solutions of a subject."""
    bounds, sender = talk.settings.bounds(), Sender(talk)
    request = replace(task, seconds=None)
    subject = read_subject(task.subject, bounds)
    return sender.answer(count(subject, request, sender, bounds=bounds))


class Sender(Events):
    """Sends the reports of a search. Each placement is sent once; a solution is a list of their numbers."""

    def __init__(self, talk: Talk) -> None:
        self.talk, self.messages = talk, Messages(talk)
        self.subject: Searchable[Any] | None = None
        self._known: dict[Any, int] = {}

    def on_stage(self, stage: str, subject: Searchable[Any] | None = None) -> None:
        """Send the stage, and the figures of the subject."""
        self.subject = subject
        self.talk.stage(stage, None if subject is None else info_as_json(subject))

    def on_solution(self, solution: Solution | ListedCover) -> None:
        """Send a solution, together with others that come soon."""
        messages = self.messages
        messages.found += 1
        if messages.kept >= self.talk.settings.solutions:
            return
        messages.kept += 1
        labels = (solution.number, solution.image, solution.orbit)
        pieces = solution.options if isinstance(solution, ListedCover) else solution.placements
        waiting = messages.waiting.solutions
        waiting.append(KeptSolution(labels, tuple(self._number(piece) for piece in pieces)))
        if messages.kept == 1 or len(waiting) >= MOST_IN_A_MESSAGE:
            messages.flush()

    def on_progress(self, progress: Progress) -> bool:
        """Send the progress now and then. Returns False if the job is to stop."""
        seconds = round(progress.seconds, 3)
        return self.messages.report(
            RunProgress(share=progress.share, branches=progress.branches, covers=progress.covers, seconds=seconds)
        )

    def answer(self, result: SearchResult) -> RunAnswer:
        """Send the rest. Returns the result for the client, with the reasons if there is no solution."""
        self.messages.flush()
        subject = self.subject
        assert subject is not None
        summary = with_reasons(answer_as_json(result), reasons_for(result, lambda: subject))
        lines = [answer_as_text(result), *reasons_as_lines(summary)]
        return RunAnswer(summary=summary, text=in_app_words("\n".join(lines)))

    def _number(self, piece: Placed | tuple[str, ...]) -> int:
        number = self._known.get(piece)
        if number is None:
            number = self._known[piece] = len(self._known)
            if isinstance(piece, Placed):
                self.messages.waiting.placements.append(self._sent_form(piece))
            else:
                self.messages.waiting.options.append(piece)
        return number

    def _sent_form(self, piece: Placed) -> SentPlacement:
        assert isinstance(self.subject, Prepared)
        puzzle = self.subject.puzzle
        number = next(k for k, part in enumerate(puzzle.parts) if part.name == piece.part)
        kept = KeptPlacement(number, piece.cells, piece.colours, piece.sides)
        return SentPlacement(kept, msgspec.Raw(msgspec.json.encode(piece.as_json(puzzle.lattice))))
