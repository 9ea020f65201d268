"""The question of a search: what its answer depends on."""

from __future__ import annotations

from typing import Any

from latcover.core.cover.question import Method, Question
from latcover.core.cover.searchable import Searchable
from latcover.core.encoding.prepared import Prepared
from latcover.core.solving.search_request import ProblemRequest


def question_of_search(
    ready: Searchable[Any], request: ProblemRequest, method: Method | None = None, **about: object
) -> Question:
    """The question of a search of *ready*.

    Args:
        ready: A prepared puzzle, whose rules and choices are its own, or a bare problem.
        request: All that is asked.
        method: What searches; None is the backend of the request.
        about: Further values that the answer depends on.

    Raises:
        UnsupportedError, BackendUnavailableError: there is no such backend.
    """
    if method is None:
        method = Method(request.backend, request.solver().version)
    subject: dict[str, object] = {"cover_problem": ready}
    if isinstance(ready, Prepared):
        subject = {"puzzle": ready.puzzle, "choices": ready.choices}
        subject |= {"cover_problem": ready.problem, "placements": ready.option_placement}
    return Question.of(method, request=request, **subject, **about)
