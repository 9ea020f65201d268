"""What a child process sends to the server, a line of JSON each; and what clients see of a run."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw

from latcover.apps.web.kept_solutions import KeptPlacement, KeptSolution

# Data as the command line prints it with --json; docs/reference/json.md describes it.
CommandData = Annotated[dict[str, Any], Meta(extra={"typescript": "CommandData"})]


class Fault(msgspec.Struct, frozen=True):
    """An error for the client: one paragraph, and all complaints if there are several."""

    message: str
    complaints: list[str] = []


class RunProgress(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far a job is, as far as its kind tells; ``known`` says in words what is known of the best."""

    share: float | None = None
    seconds: float | None = None
    branches: int | None = None
    covers: int | None = None
    positions: int | None = None
    known: list[str] | None = None
    searched: str | None = None
    candidates: int | None = None
    looked: int | None = None
    sets: int | None = None
    walks: int | None = None
    turns: int | None = None


class SentPlacement(msgspec.Struct, frozen=True):
    """A placement, and the same as files of solutions write it."""

    kept: KeptPlacement
    written: Raw


class DesignFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the card of a design says. ``parts``: names and numbers; ``exact``: whether all solutions were counted."""

    name: str
    title: str
    words: str
    parts: list[tuple[str, int]]
    solutions: int
    exact: bool
    level: list[int] | None
    notes: list[str]
    badges: list[str] = []
    difficulty: float | None = None
    needed_play: float | None = None


class SentDesign(msgspec.Struct, frozen=True):
    """A puzzle that was made, and its file."""

    facts: DesignFacts
    toml: str


class Message(msgspec.Struct, kw_only=True, omit_defaults=True, tag_field="event"):
    """A message of a child process."""


class Ready(Message, tag="ready"):
    """The process has started."""


class Stage(Message, tag="stage"):
    """What is being done now, and figures of the subject once they are known."""

    stage: str
    figures: CommandData | None = None


class Found(Message, tag="progress"):
    """Progress, and the results since the last message. ``options``: of a bare problem, the names of their items."""

    found: int = 0
    progress: RunProgress | None = None
    placements: list[SentPlacement] = []
    options: list[tuple[str, ...]] = []
    solutions: list[KeptSolution] = []
    designs: list[SentDesign] = []
    pictures: list[str] = []


class Piece(Message, tag="piece"):
    """A piece of an exported file."""

    content: bytes


class Failed(Message, tag="fault"):
    """The last message of a job that failed."""

    fault: Fault


class Done(Message, tag="done"):
    """The last message of a job; `answers` has a structure for each task."""

    answer: msgspec.Struct | CommandData


class Answered(Message, tag="done"):
    """`Done` as the server reads it, which hands the answer on as it is."""

    answer: Raw


Event = Ready | Stage | Found | Piece | Failed | Answered
events = msgspec.json.Decoder(Event)


class AnswerOfRun(msgspec.Struct, frozen=True):
    """What the server itself reads of a run's answer."""

    summary: Raw = Raw(b"null")
    text: str | None = None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A run as clients see it; ``text`` is its result in sentences, ``answered`` whether it has an answer."""

    id: str
    task: str
    state: str
    stage: str
    reason: str
    figures: CommandData
    progress: RunProgress
    found: int
    kept: int
    summary: Annotated[Raw, Meta(extra={"typescript": "Summary | null"})]
    text: str | None
    answered: bool
    fault: Fault | None
    pausable: bool
