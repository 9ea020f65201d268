"""Compares methods for a client; each runs in its own process, a grandchild of the server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

import msgspec
from msgspec.structs import replace

from latcover.apps.web.answers import CompareAnswer
from latcover.apps.web.app_words import in_app_words
from latcover.apps.web.job import Talk, prepared_subject
from latcover.apps.web.subject import Subject, read_subject
from latcover.apps.web.tasks import CompareTask
from latcover.core.model.puzzle import Puzzle
from latcover.errors import PuzzleError
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.forms import JSON
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.comparing.compare import CompareRequest, Comparison, compare
from latcover.lab.comparing.comparison_tables import as_json
from latcover.lab.comparing.methods import Method
from latcover.show.reporting.puzzle_figures import info_as_json
from latcover.system.child_process import Finished, command_line
from latcover.system.streams import handed_over

MOST_METHODS = 24


def compared(task: CompareTask, talk: Talk) -> CompareAnswer:
    """A comparison as in `latcover compare --json`; an event announces each method."""
    settings = talk.settings
    request = CompareRequest(
        methods=task.methods,
        symmetry=task.symmetry,
        time=task.seconds_each,
        max_cells=settings.cells,
        max_placements=settings.placements,
    )
    methods = request.chosen_methods()
    if len(methods) > MOST_METHODS:
        raise PuzzleError(f"at most {MOST_METHODS} methods can be compared at once")
    if task.seconds_each > settings.seconds:
        raise PuzzleError(f"the seconds for each method must be a number up to {settings.seconds:g}")
    subject = prepared_subject(task.subject, task.symmetry, talk)
    about = info_as_json(subject)

    def on_start(method: Method, number: int) -> None:
        talk.stage(f"{method.name} ({number + 1} of {len(methods)})", about)

    with handed_over(_content(task.subject, talk)) as (name, stdin):
        runner = _Runner(talk, stdin)
        comparison: Comparison = compare(name, methods, request.arguments(), runner, figures=about, on_start=on_start)
    answer = msgspec.convert(as_json(replace(comparison, puzzle=subject.name)), CompareAnswer)
    return replace(answer, methods=[replace(each, reason=in_app_words(each.reason)) for each in answer.methods])


def _content(about: Subject, talk: Talk) -> Iterator[bytes]:
    """The subject as a file for the command line."""
    subject = read_subject(about, talk.settings.bounds())
    if isinstance(subject, Puzzle):
        yield puzzle_as_toml([subject]).encode()
    else:
        yield from JSON.write(exported(subject))


class _Runner:
    """Runs latcover as a child in the process group of this process, so that both end together.

    The puzzle is its standard input; or a named file, if *stdin* is None.
    """

    def __init__(self, talk: Talk, stdin: IO[bytes] | None) -> None:
        self.talk, self.stdin = talk, stdin

    def __call__(self, arguments: Sequence[str]) -> Finished:
        if self.talk.stopped:
            return Finished(0, "", "", interrupted=True)
        if self.stdin is not None:
            self.stdin.seek(0)
        with command_line(arguments, stdin=self.stdin) as process:
            output, messages = process.communicate()
        return Finished(process.returncode, output, messages, self.talk.stopped)
