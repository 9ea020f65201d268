"""A job of the web app: the messages that it sends to the server, and its puzzle or problem, ready to be searched."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field

from latcover.apps.web.settings import Settings
from latcover.apps.web.subject import Subject, subject_of
from latcover.core.cover.searchable import Searchable
from latcover.core.encoding.prepared import Choices, made_ready
from latcover.core.model.request_values import SymmetryChoice

Job = Mapping[str, Any]
BETWEEN_MESSAGES = 0.1  # seconds


class Talk(Struct):
    """The connection to the server: ``send`` sends an event; ``stopped`` tells the job to end with what it has."""

    send: Callable[[dict[str, Any]], None]
    settings: Settings
    stopped: bool = False

    def stage(self, words: str, **more: Any) -> None:
        """Send what is being done now."""
        self.send({"event": "stage", "stage": words, **more})


class Messages(Struct):
    """Collects the results of a job, and sends them in batches, together with its progress.

    Attributes:
        found: How many results the job has found.
        kept: How many of them the server keeps.
    """

    talk: Talk
    found: int = 0
    kept: int = 0
    _progress: dict[str, Any] = field(default_factory=dict)
    _waiting: dict[str, list[Any]] = field(default_factory=dict)
    _sent: float = 0.0

    def add(self, kind: str, result: Any) -> None:
        """Send *result* with the next message, in its list *kind*."""
        self._waiting.setdefault(kind, []).append(result)

    def waiting(self, kind: str) -> int:
        """How many results of this kind have not been sent yet."""
        return len(self._waiting.get(kind, ()))

    def report(self, **progress: Any) -> bool:
        """Send the progress if the last message is old enough. Returns False if the job is to stop."""
        self._progress = progress
        self.send_soon()
        return not self.talk.stopped

    def send_soon(self) -> None:
        """Send what waits, if the last message is old enough."""
        if time.monotonic() - self._sent >= BETWEEN_MESSAGES:
            self.flush()

    def flush(self) -> None:
        """Send what waits."""
        message = {"event": "progress", "found": self.found, **self._waiting}
        if self._progress:
            message["progress"] = self._progress
        self.talk.send(message)
        self._waiting, self._sent = {}, time.monotonic()


def prepared_subject(subject: Subject, symmetry: SymmetryChoice, talk: Talk) -> Searchable[Any]:
    """A subject, ready to be searched."""
    bounds = talk.settings.bounds()
    puzzle = subject_of(subject, bounds)
    talk.stage("placing the parts")
    return made_ready(puzzle, Choices(symmetry=symmetry), bounds)
