"""The puzzles and problems that commands are given."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from latcover.apps.cli.shared.options import EncodingOptions, InputOptions, MessageOptions
from latcover.apps.cli.shared.output import say, start_log, warn
from latcover.errors import UnsupportedError

if TYPE_CHECKING:
    from latcover.core.cover.named_problem import NamedProblem
    from latcover.core.cover.searchable import Searchable
    from latcover.core.model.goals import Goals
    from latcover.core.model.puzzle import Puzzle


LARGE = 1_000_000  # cells of the region, times those of all images of the parts


def load_subject(
    name: str | None, inputs: InputOptions, messages: MessageOptions, *, fits: bool = True
) -> Puzzle | NamedProblem:
    """The puzzle or the cover problem that the user named. Say its warnings, and set up logging.

    Without *fits*, the volume of the parts need not be one that the region needs.
    """
    from latcover.files.formats.library import load_subject

    subject = load_subject(_name_of(name, messages), inputs.bounds(), inputs.problem, fits=fits)
    warn(subject.warnings, messages)
    return subject


def load_with_goals(
    name: str | None, inputs: InputOptions, messages: MessageOptions, *, fits: bool = True
) -> Puzzle | NamedProblem | Goals:
    """The same; of a puzzle with goals all of them, unless --goal chooses one."""
    from latcover.files.formats.library import load_with_goals

    subject = load_with_goals(_name_of(name, messages), inputs.bounds(), inputs.problem, fits=fits)
    warn(subject.warnings, messages)
    return subject


def load_puzzle(name: str | None, inputs: InputOptions, messages: MessageOptions) -> Puzzle:
    """The puzzle that the user named, for commands that need more than a cover problem."""
    return require_drawable(load_subject(name, inputs, messages))


def require_drawable(subject: Puzzle | NamedProblem) -> Puzzle:
    """Refuse a bare cover problem."""
    from latcover.core.model.puzzle import Puzzle

    if not isinstance(subject, Puzzle):
        raise UnsupportedError(f"{subject.name} is a cover problem without a puzzle: there is nothing to draw")
    return subject


def load_parts(name: str, inputs: InputOptions, messages: MessageOptions) -> Puzzle:
    """The puzzle that the user named, for its parts alone: what is wrong with its own region is not said."""
    from latcover.core.model.puzzle_checks import complaints_about
    from latcover.files.formats.library import parts_called

    puzzle = parts_called(_name_of(name, messages), inputs.bounds(), inputs.problem)
    ignored = [fault.message for fault in complaints_about(puzzle) if not fault.warning]
    warn(tuple(each for each in puzzle.warnings if not any(fault in each.message for fault in ignored)), messages)
    return puzzle


def load_puzzles(name: str | None, inputs: InputOptions, messages: MessageOptions) -> tuple[Puzzle, ...]:
    """All puzzles of what the user named, or the one that --problem chooses."""
    from latcover.core.model.puzzle import Puzzle
    from latcover.files.formats.library import load_subjects

    subjects = load_subjects(_name_of(name, messages), inputs.bounds(), inputs.problem)
    # Each usable problem of a file has the warnings about the unusable ones; say each warning once.
    warn(tuple(dict.fromkeys(complaint for subject in subjects for complaint in subject.warnings)), messages)
    puzzles = tuple(subject for subject in subjects if isinstance(subject, Puzzle))
    if len(puzzles) < len(subjects):
        raise UnsupportedError(f"{name} is a cover problem without a puzzle: there are no shapes to write")
    return puzzles


def _name_of(name: str | None, messages: MessageOptions) -> str:
    """What the user named, or the usual puzzle. Set up logging."""
    from latcover.files.formats.library import DEFAULT_PUZZLE

    start_log(messages)
    if name is None:
        say(f"no puzzle named: taking {DEFAULT_PUZZLE}", messages)
    return DEFAULT_PUZZLE if name is None else name


def prepare(
    subject: Puzzle | NamedProblem,
    encoding: EncodingOptions,
    inputs: InputOptions,
    seconds: float | None = None,
    *,
    fits: bool = True,
) -> Searchable[Any]:
    """The problem to search, made of a puzzle or of a cover problem; *fits* as in `load_subject`.

    Raises:
        OutOfTimeError: a large puzzle takes more than so many *seconds*. Others always come to their search, so that
            the answer says what a short time has found.
    """
    from latcover.core.cover.time_limit import time_limit
    from latcover.core.encoding.prepared import made_ready
    from latcover.core.model.puzzle import Puzzle

    is_large = isinstance(subject, Puzzle) and (
        len(subject.region.cells) * sum(part.size * len(part.transformations) for part in subject.parts) > LARGE
    )
    with time_limit(seconds if is_large else None):
        return made_ready(subject, encoding.choices(), inputs.bounds(), fits=fits)


def from_anywhere(name: str) -> str:
    """What stands for the same as *name* in every folder: a shipped name as it is, and a file by its absolute path."""
    from latcover.files.formats.source import KINDS, names

    if any(name in names(kind) for kind in KINDS) or not os.path.isfile(name):
        return name
    return str(Path(name).resolve())
