"""Jobs of the web app, done within this process as a child process of the server does them."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any

import msgspec

from latcover.apps.cli.commands.serve_command import PUBLISHER
from latcover.apps.web.child_jobs import perform, run_job
from latcover.apps.web.job import Talk
from latcover.apps.web.messages import Message
from latcover.apps.web.settings import Settings

SERVED = Settings(publisher=PUBLISHER)  # as the commands serve the app


def as_sent(data: object) -> Any:
    """Data as clients of the server get it."""
    return json.loads(msgspec.json.encode(data))


def messages_of(job: dict[str, Any], settings: Settings = SERVED, *, stopped: bool = False) -> list[Any]:
    """All that the child process sends, faults included."""
    sent: list[Message] = []
    run_job(json.dumps(job).encode(), Talk(sent.append, settings, stopped))
    return [as_sent(message) for message in sent]


def stopped_at(stage: str, job: dict[str, Any], settings: Settings = SERVED) -> list[Any]:
    """All that it sends of a job that is stopped when this stage begins."""
    sent: list[Message] = []

    def send(message: Message) -> None:
        sent.append(message)
        talk.stopped = talk.stopped or getattr(message, "stage", "") == stage

    talk = Talk(send, settings)
    run_job(json.dumps(job).encode(), talk)
    return [as_sent(message) for message in sent]


def answer_to(
    job: dict[str, Any], settings: Settings = SERVED, *, stopped: bool = False
) -> tuple[dict[str, Any], list[Any]]:
    """The answer, and the messages before it; a fault is raised."""
    sent: list[Message] = []
    answer = perform(json.dumps(job).encode(), Talk(sent.append, settings, stopped))
    return as_sent(answer), [as_sent(message) for message in sent]


def file_in(messages: list[Any]) -> bytes:
    """The content of an exported file."""
    return b"".join(b64decode(message["content"]) for message in messages if message["event"] == "piece")
