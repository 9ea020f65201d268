"""Functions that the commands share: to load and prepare a puzzle, to make a backend, to print, to write files."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO

import typer

from latcover.cli.options import (
    BackendOptions,
    EncodingOptions,
    InputOptions,
    TalkOptions,
)
from latcover.errors import Complaint, PuzzleError, UnsupportedError, escaped
from latcover.system import signals
from latcover.system.files import write_whole
from latcover.system.words import quoted

if TYPE_CHECKING:
    from latcover.assembly.survey import Tally
    from latcover.cover.named_problem import NamedProblem
    from latcover.cover.search import Backend
    from latcover.cover.searchable import Searchable
    from latcover.encoding.prepared import Choices, Prepared
    from latcover.impossible.reasons import Reason
    from latcover.model.puzzle import Puzzle
    from latcover.solving.answer import Answer

EXIT_LIMIT = 3
SYMMETRY_NEEDED = "--pivot and --reduction need symmetries: they need --symmetry rotations or all"
EXIT_SATISFIABLE, EXIT_UNSATISFIABLE = 10, 20  # with --sat-exit-codes


def is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def echo(text: str) -> None:
    """Print text on standard output at once. What a terminal would obey is escaped, for the text may quote a file."""
    print(escaped(text, keep="\n"), flush=True)


def echo_picture(text: str) -> None:
    """Print text that may have the colours of a picture, and no other codes, on standard output at once."""
    if _COLOURS.sub("", text).replace("\n", "").isprintable():
        print(text, flush=True)
        return
    pieces = _COLOURS.split(text)  # text and codes alternate
    print("".join(piece if k % 2 else escaped(piece, keep="\n") for k, piece in enumerate(pieces)), flush=True)


_COLOURS = re.compile(r"(\x1b\[(?:48;5;\d{1,3};38;5;\d{1,3}|0)m)")  # as drawing/terminal.py writes them


def echo_error(text: str) -> None:
    """Print text on standard error, escaped like that of `echo`."""
    if sys.stderr is not None:  # `print` would take standard output instead
        print(escaped(text, keep="\n"), file=sys.stderr, flush=True)


def say_error(message: str) -> None:
    width = max(40, shutil.get_terminal_size().columns) if is_terminal(sys.stderr) else 1_000_000
    echo_error(textwrap.fill(f"error: {message}", width, break_long_words=False, break_on_hyphens=False))


def say(message: str, talk: TalkOptions) -> None:
    if not talk.quiet:
        echo_error(message)


class _OneLineFormatter(logging.Formatter):
    """Formats a message of the log on one line, escaped like that of `echo`."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name of the base class
        return escaped(super().formatMessage(record))


def warn(complaints: tuple[Complaint, ...], talk: TalkOptions) -> None:
    for complaint in complaints:
        say(str(complaint), talk)


def write_file(path: Path, text: str, talk: TalkOptions | None) -> None:
    """Write *text* and a line end to a file, and say so if *talk* is given.

    Raises:
        PuzzleError: the file cannot be written.
    """
    write_whole(path, [f"{text}\n".encode()])
    if talk is not None:
        say(f"wrote {path}", talk)


def folder_for(folder: Path | None) -> None:
    """Make the folder for puzzle files.

    Raises:
        PuzzleError: it cannot be made.
    """
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise PuzzleError(f"{folder} cannot be a folder for puzzle files: {fault.strerror}") from None


def write_new_file(path: Path, text: str, talk: TalkOptions | None) -> Path:
    """The same, but never over another file: if one of this name says something else, it becomes x-2.toml.

    Returns:
        Where it was written.

    Raises:
        PuzzleError: the file cannot be written.
    """
    wanted, number = path, 1
    while path.exists() and not (path.is_file() and path.read_bytes() == f"{text}\n".encode()):
        number += 1
        path = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
    write_file(path, text, talk)
    return path


def write_pieces(path: Path | None, pieces: Iterable[bytes], talk: TalkOptions) -> None:
    """Write a file, or standard output, piece by piece. The file appears only when it is complete.

    Raises:
        PuzzleError: the file cannot be written.
    """
    if path is None:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    write_whole(path, pieces)
    say(f"wrote {path}", talk)


def require_writable(*paths: Path | None, reads: str | Path | None = None) -> None:
    """Refuse to write into a folder that does not exist, or over the file that is read. Call it before a search.

    Raises:
        PuzzleError: the folder of one of *paths* does not exist, or one is the file that the command *reads*.
    """
    for path in filter(None, paths):
        if not path.parent.is_dir():
            raise PuzzleError(f"there is no folder {path.parent} to write {path.name} into; make it first")
        if reads is not None and path.is_file() and os.path.isfile(reads) and path.samefile(reads):
            raise PuzzleError(f"{path} is the file that is read, and would be lost; name another file to write")


def load_subject(name: str | None, given: InputOptions, talk: TalkOptions) -> Puzzle | NamedProblem:
    """The puzzle or the cover problem that the user named. Say its warnings, and set up logging."""
    from latcover.formats.library import load_subject

    subject = load_subject(_asked(name, talk), given.bounds(), given.problem)
    warn(subject.warnings, talk)
    return subject


def load_puzzles(name: str | None, given: InputOptions, talk: TalkOptions) -> tuple[Puzzle, ...]:
    """All puzzles of what the user named, or the one that --problem chooses."""
    from latcover.formats.library import load_subjects
    from latcover.model.puzzle import Puzzle

    subjects = load_subjects(_asked(name, talk), given.bounds(), given.problem)
    # Each usable problem of a file has the warnings about the unusable ones; say each warning once.
    warn(tuple(dict.fromkeys(complaint for subject in subjects for complaint in subject.warnings)), talk)
    puzzles = tuple(subject for subject in subjects if isinstance(subject, Puzzle))
    if len(puzzles) < len(subjects):
        raise UnsupportedError(f"{name} is a cover problem without a puzzle: there are no shapes to write")
    return puzzles


def _asked(name: str | None, talk: TalkOptions) -> str:
    """What the user named, or the usual puzzle. Set up logging."""
    from latcover.formats.library import DEFAULT_PUZZLE

    if talk.verbose and not talk.quiet:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(_OneLineFormatter("%(relativeCreated)6.0f ms  %(message)s"))
        logging.basicConfig(level=logging.INFO, handlers=[handler])
    if name is None:
        say(f"no puzzle named: taking {DEFAULT_PUZZLE}", talk)
    return DEFAULT_PUZZLE if name is None else name


def load_puzzle(name: str | None, given: InputOptions, talk: TalkOptions) -> Puzzle:
    """The puzzle that the user named, for commands that need more than a cover problem."""
    from latcover.model.puzzle import Puzzle

    subject = load_subject(name, given, talk)
    if not isinstance(subject, Puzzle):
        raise UnsupportedError(f"{name} is a cover problem without a puzzle: there is nothing to draw")
    return subject


def prepare(subject: Puzzle | NamedProblem, encoding: EncodingOptions, given: InputOptions) -> Searchable[Any]:
    """The problem to search, made of a puzzle or of a cover problem."""
    from latcover.encoding.prepared import made_ready

    return made_ready(subject, choices_of(encoding), given.bounds())


def prepare_puzzle(puzzle: Puzzle, encoding: EncodingOptions, given: InputOptions) -> Prepared:
    """The problem to search, made of a puzzle."""
    from latcover.encoding.prepared import prepare

    return prepare(puzzle, choices_of(encoding), given.bounds())


def choices_of(encoding: EncodingOptions) -> Choices:
    """How a puzzle becomes a cover problem, by the options."""
    from latcover.encoding.prepared import Choices

    order = None
    if encoding.order is not None:
        words = encoding.order.replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() for word in words):
            raise typer.BadParameter(f"{encoding.order!r} is no list of axes such as 0,2,1", param_hint="--order")
        order = tuple(int(word[:9]) for word in words)
    choices = Choices(
        symmetry=encoding.symmetry.value,
        reduction=encoding.reduction.value,
        pivot=encoding.pivot,
        order=order,
    )
    if encoding.pivot is not None and choices.reduction == "none":
        raise typer.BadParameter("--pivot needs --reduction auto or paper")
    if choices.symmetry == "none" and (encoding.pivot is not None or choices.reduction == "paper"):
        raise typer.BadParameter(SYMMETRY_NEEDED)
    return choices


@contextmanager
def interruptible() -> Iterator[list[bool]]:
    """Give a flag that Ctrl-C sets, so that the search ends with its results. A second Ctrl-C ends it at once."""
    flag = [False]

    def on_signal(*_: object) -> None:
        if flag[0]:
            raise KeyboardInterrupt
        flag[0] = True

    before = signals.handle(signals.INTERRUPTS, on_signal)
    try:
        yield flag
    finally:
        signals.restore(before)


def make_backend(name: str, options: BackendOptions, talk: TalkOptions) -> Backend:
    """The backend that the user named. Make it before anything that takes long.

    A backend without an option for threads searches on one thread, so one is no error, and more are only a note.
    """
    from latcover.backends import create, describe

    chosen = options.for_backend()
    if "threads" in chosen and "threads" not in {option.name for option in describe(name)[1]}:
        wanted = str(chosen.pop("threads"))
        if wanted != "1":
            say(f"note: {name} searches on one thread, not on {wanted}", talk)
    return create(name, **chosen)


def only_one(given: Mapping[str, bool]) -> None:
    """Refuse options that exclude each other if more than one of them is *given*."""
    names = [name for name, is_given in given.items() if is_given]
    if len(names) > 1:
        kept = "leave one of them out" if len(names) == 2 else "keep only one of them"
        raise typer.BadParameter(f"{', '.join(names[:-1])} and {names[-1]} exclude each other; {kept}")


def print_answer(
    answer: Answer,
    prepared: Callable[[], Searchable[Any]],
    talk: TalkOptions,
    *,
    puzzle: str | None = None,
    run: Path | None = None,
    as_json: Literal["object", "summary"] | None,
    tally: Tally | None = None,
) -> None:
    """Print an answer, and what to try if the search was cut short. Standard error says why there is no solution.

    Args:
        answer: The answer.
        prepared: Gives the problem that was searched.
        talk: What is said on standard error.
        puzzle, run: The puzzle and the file of the run as the user named them; None if the user did not.
        as_json: As a JSON object, or as one whose key "summary" holds it; None is text.
        tally: How many solutions come apart; None if that was not examined.
    """
    from latcover.reporting.answer import answer_as_json, answer_as_text, reasons_for
    from latcover.reporting.assembly import assembly_as_json, tally_as_text

    data = say_reasons(answer_as_json(answer), reasons_for(answer, prepared), talk)
    data["assembly"] = assembly_as_json(tally)
    if as_json is not None:
        echo(json.dumps({"summary": data} if as_json == "summary" else data))
        return
    echo(answer_as_text(answer))
    if tally is not None:
        complete = answer.complete and not tally.results["unknown"]
        stop = "some results are not known" if answer.complete else answer.stop
        echo(tally_as_text(tally, complete=complete, stop=stop))
    if "reasons" not in data and not talk.quiet and (advice := advise(answer, prepared, puzzle, run)):
        echo(advice)


def advise(answer: Answer, prepared: Callable[[], Searchable[Any]], puzzle: str | None, run: Path | None) -> str:
    """What to try if a search was cut short before the number of solutions was known; "" if there is nothing to add.

    Args:
        answer: What the search found.
        prepared: Gives the problem that was searched.
        puzzle: The puzzle as it was named on the command line; None if a file of a run names it.
        run: The file of the run, if the search has one.
    """
    from latcover.solving.count import lists_nothing

    if answer.complete or answer.stop == "solution limit":
        return ""
    tries = {"time limit": ["give more --time"], "branch limit": ["give more --max-branches"]}.get(answer.stop, [])
    if answer.method != "enumeration":
        tries += ["give more --memory"] * (answer.method in ("memo", "components"))
        tries.append("find a lower bound with --method enumeration")
    elif answer.branches is not None and lists_nothing(prepared().problem, None):
        tries.append(f"count without listing the solutions: {_command('count', puzzle)}, without --backend")
    if run is not None:
        tries.append(f"continue with {_command('resume', str(run))}")
    elif answer.method == "enumeration":
        tries.append("keep the results with --run FILE, and continue later")
    if puzzle is not None:
        tries.append(f"estimate the number with {_command('estimate', puzzle)}")
    return f"to learn more: {'; or '.join(tries)}"


def _command(name: str, argument: str | None) -> str:
    return f"`latcover {name} {quoted(argument) if argument else 'PUZZLE'}`"


def say_reasons(data: dict[str, Any], reasons: Sequence[Reason], talk: TalkOptions) -> dict[str, object]:
    """Say why there is no solution, if that is known, and add it to the data."""
    from latcover.reporting.answer import reasons_as_lines, with_reasons

    told = with_reasons(data, reasons)
    for line in reasons_as_lines(told):
        say(line, talk)
    return told


def from_anywhere(name: str) -> str:
    """What stands for the same as *name* in every folder: a shipped name as it is, and a file by its absolute path."""
    from latcover.formats.source import KINDS, names

    if any(name in names(kind) for kind in KINDS) or not os.path.isfile(name):
        return name
    return str(Path(name).resolve())


def finish(answer: Answer, sat_exit_codes: bool = False, tally: Tally | None = None) -> None:
    """End with the exit code for the result of a search; with a *tally*, only solutions that come apart count."""
    if sat_exit_codes and (answer.different if tally is None else tally.results["apart"]):
        raise typer.Exit(EXIT_SATISFIABLE)
    if not answer.complete or (tally is not None and tally.results["unknown"]):
        raise typer.Exit(EXIT_LIMIT)
    if sat_exit_codes:
        raise typer.Exit(EXIT_UNSATISFIABLE)


def wants_colour(wanted: bool | None) -> bool:
    if wanted is not None:
        return wanted
    return is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and not is_dumb_terminal()


def is_dumb_terminal() -> bool:
    """Whether the terminal has neither colours nor a way to overwrite text."""
    return os.environ.get("TERM", "").lower() in ("dumb", "unknown")


def screen_width() -> int:
    return shutil.get_terminal_size((100, 40)).columns
