"""The end of searches that are in vain: a simple argument ends them, and says why there is no solution.

The arguments take some tenths of a second, and most searches end sooner. So they are looked for when a search has
lasted for a moment, or was cut short before it found anything.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from latcover.cover.search import OnProgress, Progress, Stop
from latcover.cover.searchable import Searchable
from latcover.errors import InternalError
from latcover.solving.answer import Answer, Found, answer_of

PATIENCE = 0.2  # seconds of a search before an argument is looked for
BY_ARGUMENT = "shown impossible"  # why a search stopped


def forestalled(subject: Searchable[Any], search: Callable[[OnProgress], Answer], on_progress: OnProgress) -> Answer:
    """The answer of *search*, which ends soon if a simple argument shows that there is no solution.

    Args:
        subject: What is searched.
        search: Takes the function to which it reports its progress.
        on_progress: Receives the progress, and may stop the search by returning False.

    Raises:
        InternalError: there is a cover, although an argument rules it out.
    """
    watch = _Watch(subject, on_progress)
    answer = search(watch.on_progress)
    if watch.in_vain and answer.covers:
        raise InternalError(f"{subject.name!r} has covers, but an argument says that it has none")
    if answer.complete or answer.covers or answer.total:
        return answer
    return _settled(answer) if watch.in_vain or _is_in_vain(subject) else answer


def ruled_out(subject: Searchable[Any], asked: str) -> Answer | None:
    """The answer without a search by the backend *asked*; None if no argument is known."""
    return _settled(answer_of(subject, asked, Found(Stop.CANCELLED))) if _is_in_vain(subject) else None


def _is_in_vain(subject: Searchable[Any]) -> bool:
    from latcover.impossible.reasons import reasons_of  # most searches end before they need it

    return bool(reasons_of(subject))


def _settled(answer: Answer) -> Answer:
    return replace(answer, complete=True, stop=BY_ARGUMENT, method="argument", notes=())


class _Watch:
    """Looks for an argument once, when a search that has found nothing has lasted for a moment."""

    def __init__(self, subject: Searchable[Any], on_progress: OnProgress) -> None:
        self._subject, self._on_progress = subject, on_progress
        self._at: float | None = time.perf_counter() + PATIENCE
        self.in_vain = False

    def on_progress(self, progress: Progress) -> bool:
        if progress.covers:
            self._at = None  # there is no argument against what has been found
        if self._at is not None and time.perf_counter() >= self._at:
            self._at = None
            self.in_vain = _is_in_vain(self._subject)
        return self._on_progress(progress) and not self.in_vain
