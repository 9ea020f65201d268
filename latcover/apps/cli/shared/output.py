"""What commands print and write: text on the terminal, messages on standard error, and files."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

from latcover.apps.cli.shared.options import MessageOptions
from latcover.errors import Complaint, PuzzleError, UnsupportedError, escaped
from latcover.system.files import write_whole
from latcover.system.reading import holds

STDOUT = Path("-")  # as an output that the user names


def is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def echo(text: str) -> None:
    """Print text on standard output at once. What a terminal would obey is escaped, for the text may quote a file."""
    print(escaped(text, keep="\n"), flush=True)


def echo_answer(text: str) -> None:
    """Print an answer: on a terminal its first line is bold, and the others, which say how it was found, are dim."""
    if not wants_colour(None):
        echo(text)
        return
    first, *others = escaped(text, keep="\n").split("\n")
    print("\n".join([f"\x1b[1m{first}\x1b[0m", *(f"\x1b[2m{line}\x1b[0m" for line in others)]), flush=True)


def echo_result(data: Any, text: str, *, as_json: bool, answer: bool = False) -> None:
    """Print a result as JSON or as text, whose first line is the *answer*."""
    if answer and not as_json:
        echo_answer(text)
    else:
        echo(json.dumps(data) if as_json else text)


def safe_picture(text: str) -> str:
    """Text that may have the colours of a picture; what else a terminal would obey is escaped."""
    plain = _COLOURS.sub("", text) if "\x1b" in text else text
    if plain.replace("\n", "").isprintable():
        return text
    pieces = _COLOURS.split(text)  # text and codes alternate
    return "".join(piece if k % 2 else escaped(piece, keep="\n") for k, piece in enumerate(pieces))


def echo_picture(text: str) -> None:
    """Print text that may have the colours of a picture, and no other codes, on standard output at once."""
    print(safe_picture(text), flush=True)


_COLOURS = re.compile(
    r"(\x1b\[(?:48;5;\d{1,3};38;5;\d{1,3}|0)m)"
)  # as show/drawing/text/terminal_pictures.py writes them


def echo_error(text: str) -> None:
    """Print text on standard error, escaped like that of `echo`."""
    if sys.stderr is not None:  # `print` would take standard output instead
        print(escaped(text, keep="\n"), file=sys.stderr, flush=True)


def say_error(message: str, what: str = "error") -> None:
    width = max(40, shutil.get_terminal_size().columns) if is_terminal(sys.stderr) else 1_000_000
    echo_error(textwrap.fill(f"{what}: {message}", width, break_long_words=False, break_on_hyphens=False))


def say(message: str, messages: MessageOptions) -> None:
    if not messages.quiet:
        echo_error(message)


def warn(complaints: tuple[Complaint, ...], messages: MessageOptions) -> None:
    for complaint in complaints:
        say(str(complaint), messages)


class _OneLineFormatter(logging.Formatter):
    """Formats a message of the log on one line, escaped like that of `echo`."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name of the base class
        return escaped(super().formatMessage(record))


def start_log(messages: MessageOptions) -> None:
    """Log on standard error if the user wants that."""
    if messages.verbose and not messages.quiet:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(_OneLineFormatter("%(relativeCreated)6.0f ms  %(message)s"))
        logging.basicConfig(level=logging.INFO, handlers=[handler])


def write_file(path: Path, text: str, messages: MessageOptions | None) -> None:
    """Write *text* to a file, with one line end after it, and say so if *messages* is given.

    Raises:
        PuzzleError: the file cannot be written.
    """
    text = text.rstrip("\n")
    write_whole(path, [f"{text}\n".encode()])
    if messages is not None:
        say(f"wrote {path}", messages)


def write_or_echo(output: Path | None, text: str, messages: MessageOptions) -> None:
    """Write *text* to a file, or to standard output if there is none."""
    if output is None:
        echo(text.rstrip("\n"))
    else:
        write_file(output, text, messages)


def write_new_file(path: Path, text: str, messages: MessageOptions | None) -> Path:
    """As `write_file`, but never over another file: if one of this name says something else, it becomes x-2.toml.

    Returns:
        Where it was written.

    Raises:
        PuzzleError: the file cannot be written.
    """
    wanted, number, content = path, 1, (text.rstrip("\n") + "\n").encode()
    while path.exists() and not holds(path, content):
        number += 1
        path = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
    write_file(path, text, messages)
    return path


def write_pieces(path: Path | None, pieces: Iterable[bytes], messages: MessageOptions) -> None:
    """Write a file, or standard output, piece by piece. The file appears only when it is complete.

    Without a *path* a terminal takes no more than a screen; `STDOUT` writes all to it.

    Raises:
        PuzzleError: the file cannot be written.
        UnsupportedError: more than a screen for a terminal.
    """
    if path is None and is_terminal(sys.stdout):
        pieces = _screenful(pieces)
    if path is None or path == STDOUT:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    write_whole(path, pieces)
    say(f"wrote {path}", messages)


def _screenful(pieces: Iterable[bytes]) -> list[bytes]:
    """*pieces*, if a screen holds them all.

    Raises:
        UnsupportedError: it does not.
    """
    columns, rows = shutil.get_terminal_size()
    kept: list[bytes] = []
    for piece in pieces:
        kept.append(piece)
        if sum(max(1, -(-len(line) // columns)) for line in b"".join(kept).splitlines()) >= rows:
            raise UnsupportedError(
                "this is more than a screen of data: write it to a file with --output FILE, or see all of it here with "
                "--output -"
            )
    return kept


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


def suffix_of(output: Path, what: str, known: Sequence[str]) -> str:
    """The form of a file: its suffix, in lower case, since some programs write x.STL.

    Raises:
        UnsupportedError: the suffix is none of those that are *known*; *what* is not written in that form.
    """
    suffix = output.suffix.lower()
    if suffix not in known:
        raise UnsupportedError(
            f"cannot write {what} as a {suffix or 'file without suffix'}; name a file with one of: {', '.join(known)}"
        )
    return suffix


def wants_colour(wanted: bool | None) -> bool:
    if wanted is not None:
        return wanted
    return is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and not is_dumb_terminal()


def is_dumb_terminal() -> bool:
    """Whether the terminal has neither colours nor a way to overwrite text."""
    return os.environ.get("TERM", "").lower() in ("dumb", "unknown")


def screen_width() -> int:
    return shutil.get_terminal_size((100, 40)).columns
