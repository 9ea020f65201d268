"""A puzzle as the page plays it: the data of a published page, made of what is drawn."""

from __future__ import annotations

from latcover.apps.publishing.exhibits import MOST_OPTIONS, PageData, page_data, too_large
from latcover.apps.web.answers import Answer
from latcover.apps.web.job import Talk
from latcover.apps.web.subject import puzzle_of_subject
from latcover.apps.web.tasks import PlayTask
from latcover.core.encoding.prepared import Choices, prepare
from latcover.errors import PuzzleError


class Playable(Answer, frozen=True):
    """A puzzle for the page to play, to solve and to take apart."""

    data: PageData


def playable(task: PlayTask, talk: Talk) -> Playable:
    """The data of a puzzle.

    Raises:
        PuzzleError: it contradicts itself, or is too large for a page.
        UnsupportedError: it has rules that pages do not know.
    """
    bounds = talk.settings.bounds()
    prepared = prepare(puzzle_of_subject(task.subject, bounds), Choices(symmetry=task.symmetry), bounds)
    if prepared.n_members > MOST_OPTIONS:
        raise PuzzleError(too_large(prepared))
    return Playable(page_data(prepared))
