"""What a job of the web app is: plain data, with a line to the server; and what it is about, ready to be searched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from latcover.cover.searchable import Searchable
from latcover.encoding.prepared import Choices, Prepared, made_ready, prepare
from latcover.errors import PuzzleError
from latcover.web.settings import Settings
from latcover.web.subject import puzzle_of, subject_of

Job = Mapping[str, Any]


@dataclass(slots=True)
class Talk:
    """The line to the server: ``send`` takes an event; ``stopped`` says that the job is to end with what it has."""

    send: Callable[[dict[str, Any]], None]
    settings: Settings
    stopped: bool = False


def asked_subject(job: Job) -> Mapping[str, Any]:
    """What the request names, to be read."""
    subject = job.get("subject")
    if not isinstance(subject, dict):
        raise PuzzleError("the request names no puzzle")
    return subject


def prepared(job: Job, talk: Talk) -> Searchable[Any]:
    """What a job is about, ready to be searched."""
    subject = subject_of(asked_subject(job), talk.settings.bounds())
    talk.send({"event": "stage", "stage": "placing the parts"})
    choices = Choices(symmetry=job.get("symmetry", "all"))
    return made_ready(subject, choices, talk.settings.bounds())


def prepared_puzzle(job: Job, talk: Talk) -> Prepared:
    """The puzzle that a job is about, ready to be searched.

    Raises:
        PuzzleError: it is about a bare problem.
    """
    bounds = talk.settings.bounds()
    puzzle = puzzle_of(asked_subject(job), bounds)
    talk.send({"event": "stage", "stage": "placing the parts"})
    return prepare(puzzle, Choices(symmetry=job.get("symmetry", "all")), bounds)


def figures(subject: Searchable[Any]) -> dict[str, Any]:
    """The figures of what is searched."""
    from latcover.reporting.figures import info_as_json

    return info_as_json(subject)
