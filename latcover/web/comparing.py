"""Comparing methods for a client: each runs in a process of its own, a grandchild of the server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import IO, Any

from latcover.backends import names, searchers
from latcover.comparing.compare import Comparison, compare
from latcover.comparing.methods import Method, chosen_methods, known_methods
from latcover.comparing.tables import as_json
from latcover.errors import PuzzleError
from latcover.formats.cover_problems.exported import exported
from latcover.formats.forms import JSON, How
from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.model.puzzle import Puzzle
from latcover.system.child_process import Finished, command_line
from latcover.system.streams import handed_over
from latcover.web.job import Job, Talk, figures, prepared
from latcover.web.subject import subject_of

MOST_METHODS = 24
LONGEST = 500  # characters of a list of methods


def compared(job: Job, talk: Talk) -> dict[str, Any]:
    """A comparison as `latcover compare --json` has it; an event reports each method before it runs."""
    wanted = job.get("methods")
    if wanted is None:
        methods = tuple(known_methods(searchers()).values())
    elif isinstance(wanted, str) and len(wanted) <= LONGEST:
        methods = chosen_methods(wanted, names())
    else:
        raise PuzzleError("the methods must be a text such as MC,dlx,sat:solver=minisat22")
    if len(methods) > MOST_METHODS:
        raise PuzzleError(f"at most {MOST_METHODS} methods can be compared at once")
    seconds = job.get("seconds_each", 10)
    if not isinstance(seconds, int | float) or not 0 < seconds <= talk.settings.seconds:
        raise PuzzleError(f"the seconds for each method must be a number up to {talk.settings.seconds:g}")
    subject = prepared(job, talk)
    about = figures(subject)
    arguments = ["--time", f"{seconds:g}", "--symmetry", str(job.get("symmetry", "all"))]
    arguments += ["--max-cells", str(talk.settings.cells), "--max-placements", str(talk.settings.placements)]

    def on_start(method: Method, number: int) -> None:
        talk.send({"event": "stage", "stage": f"{method.name} ({number + 1} of {len(methods)})", "figures": about})

    with handed_over(_content(job, talk)) as (name, stdin):
        runner = _Runner(talk, stdin)
        comparison: Comparison = compare(name, methods, arguments, runner, figures=about, on_start=on_start)
    return as_json(replace(comparison, puzzle=subject.name))


def _content(job: Job, talk: Talk) -> Iterator[bytes]:
    """The subject as a file for the command line, which recognises its form by its first bytes."""
    subject = subject_of(job["subject"], talk.settings.bounds())
    if isinstance(subject, Puzzle):
        yield puzzle_as_toml([subject]).encode()
    else:
        yield from JSON.write(exported(subject), How())


class _Runner:
    """Runs latcover as a child in the process group of this one, so that whoever ends this one ends it too.

    The puzzle is its standard input, which it reads as a file; or a file with a name, and *stdin* is None.
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
