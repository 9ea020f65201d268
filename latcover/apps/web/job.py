"""A job of the web app: the messages that it sends to the server, and its puzzle or problem, ready to be searched."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from latcover.apps.web.messages import CommandData, Found, Message, RunProgress, Stage
from latcover.apps.web.settings import Settings
from latcover.apps.web.subject import Subject, read_subject
from latcover.core.cover.searchable import Searchable
from latcover.core.encoding.prepared import Choices, made_ready
from latcover.core.model.request_values import SymmetryChoice

BETWEEN_MESSAGES = 0.1  # seconds


class Talk(Struct):
    """The connection to the server: ``send`` sends a message; ``stopped`` tells the job to end with what it has."""

    send: Callable[[Message], None]
    settings: Settings
    stopped: bool = False

    def stage(self, words: str, figures: CommandData | None = None) -> None:
        """Send what is being done now."""
        self.send(Stage(stage=words, figures=figures))


class Messages(Struct):
    """Collects the results of a job, and sends them in batches, together with its progress.

    Attributes:
        found: How many results the job has found.
        kept: How many of them the server keeps.
        waiting: The results that have not been sent yet.
    """

    talk: Talk
    found: int = 0
    kept: int = 0
    waiting: Found = field(default_factory=Found)
    _progress: RunProgress | None = None
    _sent: float = 0.0

    def report(self, progress: RunProgress) -> bool:
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
        self.waiting.found, self.waiting.progress = self.found, self._progress
        self.talk.send(self.waiting)
        self.waiting, self._sent = Found(), time.monotonic()


def prepared_subject(subject: Subject, symmetry: SymmetryChoice, talk: Talk) -> Searchable[Any]:
    """A subject, ready to be searched."""
    bounds = talk.settings.bounds()
    puzzle = read_subject(subject, bounds)
    talk.stage("placing the parts")
    return made_ready(puzzle, Choices(symmetry=symmetry), bounds)
