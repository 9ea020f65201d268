"""A job of the web app: plain data, a connection to the server, and the puzzle or problem, ready to be searched."""

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
    """The connection to the server: ``send`` sends an event; ``stopped`` tells the job to end with what it has."""

    send: Callable[[dict[str, Any]], None]
    settings: Settings
    stopped: bool = False


def asked_subject(job: Job) -> Mapping[str, Any]:
    """The subject that the request names."""
    subject = job.get("subject")
    if not isinstance(subject, dict):
        raise PuzzleError("the request names no puzzle")
    return subject


def prepared(job: Job, talk: Talk) -> Searchable[Any]:
    """The subject of a job, ready to be searched."""
    subject = subject_of(asked_subject(job), talk.settings.bounds())
    talk.send({"event": "stage", "stage": "placing the parts"})
    choices = Choices(symmetry=job.get("symmetry", "all"))
    return made_ready(subject, choices, talk.settings.bounds())


def prepared_puzzle(job: Job, talk: Talk) -> Prepared:
    """The puzzle of a job, ready to be searched.

    Raises:
        PuzzleError: the subject is a bare problem.
    """
    bounds = talk.settings.bounds()
    puzzle = puzzle_of(asked_subject(job), bounds)
    talk.send({"event": "stage", "stage": "placing the parts"})
    return prepare(puzzle, Choices(symmetry=job.get("symmetry", "all")), bounds)


def figures(subject: Searchable[Any]) -> dict[str, Any]:
    """The figures of what is searched."""
    from latcover.reporting.figures import info_as_json

    return info_as_json(subject)
