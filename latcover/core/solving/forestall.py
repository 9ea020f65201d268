"""Ends a search early if a simple argument shows that there is no solution.

An argument takes some tenths of a second, and most searches end sooner. So it is looked for only after a short time of
search, or if the search was cut short without a solution.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import OnProgress, Progress
from latcover.core.cover.searchable import Searchable
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.core.solving.run import for_users
from latcover.errors import InternalError

PATIENCE = 0.2  # seconds of a search before an argument is looked for


def forestalled(
    subject: Searchable[Any],
    search: Callable[[OnProgress], SearchResult],
    on_progress: OnProgress,
    *,
    anyway: bool = False,
) -> SearchResult:
    """The result of *search*, which ends early if a simple argument shows that there is no solution.

    Args:
        subject: What is searched.
        search: Searches, and reports its progress to its argument.
        on_progress: Receives the progress; may stop the search by returning False.
        anyway: Look for no argument.

    Raises:
        InternalError: there is a cover, although an argument rules it out.
    """
    if anyway:
        return search(on_progress)
    watch = _ArgumentSearch(subject, on_progress)
    answer = search(watch.on_progress)
    if watch.is_impossible and answer.covers:
        raise InternalError(f"{subject.name!r} has covers, but an argument says that it has none")
    if answer.complete or answer.covers or answer.total:
        return answer
    return _settled(answer) if watch.is_impossible or _is_impossible(subject) else answer


def ruled_out(subject: Searchable[Any], backend_name: str) -> SearchResult | None:
    """The result without a search by the backend *backend_name*; None if no argument is known."""
    return _settled(for_users(SearchResult(Stop.CANCELLED), subject, backend_name)) if _is_impossible(subject) else None


def without_volume(subject: Searchable[Any], backend_name: str) -> SearchResult | None:
    """The same if the parts of a puzzle cannot hold as many cells as its region needs; None if they can."""
    puzzle = getattr(subject, "puzzle", None)  # a bare problem has none
    if puzzle is None or not cannot_fill(puzzle):
        return None
    return _settled(for_users(SearchResult(Stop.CANCELLED), subject, backend_name))


def _is_impossible(subject: Searchable[Any]) -> bool:
    from latcover.core.impossible.reasons import reasons_of  # most searches end before this import

    return bool(reasons_of(subject))


def _settled(answer: SearchResult) -> SearchResult:
    return replace(answer, stop=Stop.IMPOSSIBLE, method="argument", notes=())


class _ArgumentSearch:
    """Looks for an argument once, after a search has found nothing for a moment."""

    def __init__(self, subject: Searchable[Any], on_progress: OnProgress) -> None:
        self._subject, self._on_progress = subject, on_progress
        self._at: float | None = time.perf_counter() + PATIENCE
        self.is_impossible = False

    def on_progress(self, progress: Progress) -> bool:
        if progress.covers:
            self._at = None  # no argument can rule out a solution that was found
        if self._at is not None and time.perf_counter() >= self._at:
            self._at = None
            self.is_impossible = _is_impossible(self._subject)
        return self._on_progress(progress) and not self.is_impossible
