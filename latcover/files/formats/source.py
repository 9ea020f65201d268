"""Sources: the bytes of a file, its name for complaints, and a way to find the files that it names.

Readers take a source and open no file. A source comes from a file on disk, from a client of the web app, or from the
file of a run. The text of a puzzle may name lattices and part sets; the source has a finder that looks these up. There
is a finder for a folder, one that knows only what is shipped, and one for contents that came with the text.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Literal

from msgspec import Struct

from latcover.errors import Complaint, InputError, LatticeError, PuzzleError, PuzzleFileError, suggest
from latcover.files.formats.forms import SUFFIXES
from latcover.system.reading import NotRegularError, TooLongError, content_of

Kind = Literal["lattices", "instances", "sets", "families", "goals"]
EXAMPLE, HALVES = "polyominoes:1-5", "polyaboloes"
WORDS = {  # what people call the shapes of some lattices
    "polyominoes": "square",
    "polyiamonds": "triangular",
    "polyhexes": "hexagonal",
    "polycubes": "cubic",
    "polysticks": "polystick",
    "polyaboloes": "tetrakis",  # whose cells are quarters of squares
}
KINDS: tuple[Kind, ...] = ("instances", "lattices", "sets", "families", "goals")
WORD_OF: dict[Kind, str] = {"lattices": "lattice", "instances": "puzzle", "sets": "part set", "families": "family"}
WORD_OF["goals"] = "puzzle with goals"
PLURALS = {"families": "families", "goals": "puzzles with goals"}  # the others end in s
Finder = Callable[[Kind, str], "Source"]
FILE_BYTES = 16 << 20  # of a lattice file, or of a part set
TO_MEND = "; raise the bound with --max-cells"


class Source(Struct, frozen=True, eq=False):
    """What a reader is given. Two sources of equal content and name are equal.

    Attributes:
        content: The bytes of the file.
        name: What complaints call the file: its path as the user typed it, or its name as a client gave it.
        beside: Gives the source of a lattice or part set that the text names. It raises InputError if there is none.
        size: The size n, if the file is a family and one of its puzzles is meant.
    """

    content: bytes
    name: str
    beside: Finder
    size: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Source) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[bytes, str, int | None]:
        return self.content, self.name, self.size

    @property
    def file_name(self) -> str:
        """The name without folders."""
        return Path(self.name).name

    @property
    def stem(self) -> str:
        """The name without folders and suffix: what a puzzle is called that has no name of its own."""
        return Path(self.name).stem

    @property
    def suffix(self) -> str:
        """The suffix of the name, in small letters."""
        return Path(self.name).suffix.lower()

    def fault(
        self, message: str, line: int = 0, column: int = 0, error: type[InputError] = PuzzleFileError
    ) -> InputError:
        """An error that blames this source."""
        return error([Complaint(message, self.name, line, column)])

    def require_at_most(self, most: int, error: type[InputError] = PuzzleFileError, mend: str = "") -> None:
        """Refuse a content of more than *most* bytes; *mend* says how to raise the bound.

        Raises:
            error: it has more.
        """
        if len(self.content) > most:
            raise self.fault(f"is larger than {most:,} bytes{mend}", error=error)

    def text(self, error: type[InputError] = PuzzleFileError, mend: str = "") -> str:
        """The content as text, without a byte order mark, each line ended by a line feed.

        Raises:
            error: it is not UTF-8. *mend* ends the message.
        """
        try:
            return self.content.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as problem:
            line = self.content[: problem.start].count(b"\n") + 1
            raise self.fault(f"is not UTF-8 text{mend}", line, error=error) from None


def source_at(
    path: Path,
    most: int = FILE_BYTES,
    needed: str = "a TOML file",
    *,
    error: type[InputError] = PuzzleFileError,
    mend: str = "",
) -> Source:
    """The source of a file on disk, which may name what is shipped and what lies in its folder.

    Args:
        path: The file.
        most: How many bytes it may have.
        needed: What kind of file it should be, for the message.
        error: What to raise.
        mend: How to raise the bound, for the message.

    Raises:
        error: it is not a regular file, cannot be read, or is too large.
    """
    try:
        content = content_of(path, most)
    except TooLongError:
        raise error([Complaint(f"is larger than {most:,} bytes{mend}", str(path))]) from None
    except IsADirectoryError:
        raise error([Complaint(f"is a folder; {needed} is needed", str(path))]) from None
    except NotRegularError:
        raise error([Complaint(f"is not a regular file; {needed} is needed", str(path))]) from None
    except FileNotFoundError:
        raise error([Complaint("there is no such file; look at its name and its folder", str(path))]) from None
    except (OSError, ValueError) as problem:  # ValueError: a name that no file can have
        reason = getattr(problem, "strerror", None) or problem
        raise error([Complaint(f"cannot be read: {reason}", str(path))]) from None
    return Source(content, str(path), in_folder(path.parent))


# ---- where files are found


@cache
def folder(kind: Kind) -> Path:
    """The folder of what is shipped."""
    package = "lattices" if kind == "lattices" else "instances"
    known = "square.toml" if kind == "lattices" else "sets"  # a checkout that is installed in place has two folders
    path = next(path for path in map(Path, import_module(f"latcover.{package}").__path__) if (path / known).exists())
    return path if kind in ("lattices", "instances") else path / kind


def names(kind: Kind) -> list[str]:
    """The names of what is shipped, sorted."""
    return sorted(name.removesuffix(".toml") for name in os.listdir(folder(kind)) if name.endswith(".toml"))


def titles(kind: Kind) -> dict[str, str]:
    """The title of everything shipped, by name."""
    return {name: _title(find(kind, name).read_text("utf-8")) for name in names(kind)}


def ready_titles() -> dict[str, str]:
    """The names of ready sets, with M-N in place of numbers, and what they hold."""
    of = {word: "half squares" if word == HALVES else "cells" for word in WORDS}
    return {f"{word}:M-N": f"all shapes of M to N {of[word]}; also {word}:N" for word in WORDS}


def _title(text: str) -> str:
    """The title in a file, which stands before its tables: the rest takes long to read."""
    head, *_ = re.split(r"^\[", text, maxsplit=1, flags=re.MULTILINE)
    try:
        title: str = tomllib.loads(head).get("title", "")
    except tomllib.TOMLDecodeError:  # this was no table, but a line of a text
        title = tomllib.loads(text).get("title", "")
    return title


def find(kind: Kind, name: str | Path, beside: Path | None = None) -> Path:
    """The file that *name* stands for: a shipped name, or a path (relative to *beside* where it is given).

    Raises:
        PuzzleError: there is neither; the message suggests the nearest name.
    """
    if not isinstance(name, str):
        if not isinstance(name, Path):
            raise PuzzleError(f"a {WORD_OF[kind]} is loaded by its name or by its file's path, not by {name!r:.80}")
        name = str(name)
    if name in names(kind):
        return folder(kind) / f"{name}.toml"
    path = (beside or Path()) / name
    if os.path.exists(path) or path.suffix.lower() in SUFFIXES or "/" in name or "\\" in name:
        return path
    plural = PLURALS.get(kind, f"{WORD_OF[kind]}s")
    for other in KINDS:
        if name in names(other):
            usual = f"`latcover list` names the {plural}"
            there = {"families": f"name one of its puzzles, as {name}:5"}.get(other, usual)
            raise PuzzleError(f"{name!r} is a {WORD_OF[other]}, not a {WORD_OF[kind]}; {there}")
    meant = _ready(name) or suggest(name, names(kind), listing=False) or f"; `latcover list` names the {plural}"
    raise PuzzleError(f"no {WORD_OF[kind]} {name!r} is shipped, and there is no such file{meant}")


def _ready(name: str) -> str:
    """What to say of an unknown set whose name looks like that of a ready one; "" if it does not."""
    if name in WORDS:
        return f"; say how many cells the shapes have, as in {name}:1-4 or {name}:4"
    word, _, numbers = name.partition(":")
    meant = suggest(word, WORDS, listing=False) if numbers[:1].isdigit() else ""
    return f"{meant}; all shapes of 1 to 5 squares are {EXAMPLE}" if meant else ""


def in_folder(place: Path) -> Finder:
    """A finder of what is shipped, and of the files in a folder."""

    def found(kind: Kind, name: str) -> Source:
        error = LatticeError if kind == "lattices" else PuzzleFileError
        return source_at(find(kind, name, place), error=error)

    return found


def shipped(kind: Kind, name: str) -> Source:
    """The finder that knows only what is shipped. A stranger's text can then name no file of this machine.

    Raises:
        PuzzleError: nothing of that name is shipped.
    """
    if name not in names(kind):
        hint = _ready(name) or suggest(name, names(kind))
        raise PuzzleError(f"no {WORD_OF[kind]} {name[:80]!r} is shipped, and here no other can be used{hint}")
    path = folder(kind) / f"{name}.toml"
    return Source(path.read_bytes(), str(path), shipped)


def among(contents: Mapping[str, bytes]) -> Finder:
    """A finder of what is shipped, and of *contents* by the names that a text uses for them."""

    def found(kind: Kind, name: str) -> Source:
        if name in contents and name not in names(kind):
            return Source(contents[name], name, found)
        return shipped(kind, name)

    return found


def recording(finder: Finder, contents: dict[str, bytes]) -> Finder:
    """The same finder, which also puts all that it finds into *contents*, but for what is shipped."""

    def found(kind: Kind, name: str) -> Source:
        source = finder(kind, name)
        if name not in names(kind):
            contents[name] = source.content
        return source

    return found
