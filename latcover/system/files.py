"""Files that are written whole or not at all. Every file that a user asks for is written here."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from latcover.errors import PuzzleError

LONGEST_NAME = 60  # characters of a name that is made here: systems take 255 bytes
SPECIAL = ("/dev/", "/proc/")  # what is here stands for a stream, such as /dev/stdout
_NUMBERED = [f"{device}{number}" for device in ("COM", "LPT") for number in "123456789¹²³"]
RESERVED = frozenset(("CON", "PRN", "AUX", "NUL", *_NUMBERED))  # devices of Windows, in every folder, with any suffix


def plain_name(name: str, default: str) -> str:
    """A name for a file that every system takes, of letters of any script; *default* if nothing of *name* is left."""
    plain = "".join(c if c.isalnum() or c in "-_" else "-" for c in name)
    plain = plain[:LONGEST_NAME].strip("-")
    return f"{plain}-" if plain.upper() in RESERVED else plain or default


def file_beside(path: Path, suffix: str, of: str, what: str, example: str) -> Path:
    """The file of this suffix beside *path*, where a second file goes with the one that is asked for.

    Args:
        path: The file that is asked for.
        suffix: Of the other one.
        of, what: What the two hold, for messages: "certificate", "the problem".
        example: A good name for the first one.

    Raises:
        PuzzleError: one of the two cannot be written there.
    """
    if not path.name:  # "." or ""
        raise PuzzleError(f"{str(path)!r} names no file; give the {of} a name, such as {example}")
    other = path.with_suffix(suffix)
    if other == path:
        good = Path(example).suffix
        raise PuzzleError(f"{path} is the file for {what}; give the {of} another suffix, such as {good}")
    if not path.parent.is_dir():
        raise PuzzleError(f"there is no folder {path.parent} to write {path.name} into; make it first")
    for place in (path, other):
        if place.exists() and not place.is_file():
            raise PuzzleError(f"cannot write {place}: it is not an ordinary file; give the {of} a new name")
    return other


class Unfinished:
    """A file that is being written, and is not yet at its place.

    Where the system can, it has no name until it is kept, so nothing is left of it if the process is killed. What is
    not a plain file (a device, a pipe, /dev/stdout) is written at once, and never replaced.

    Attributes:
        path: Where it is to be.
        file: What to write into.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._target, plain = _target_of(path)
        self._part = self._target.with_name(f".{self._target.name}.{os.getpid()}.part") if plain else None
        self._named = False
        self.file = self._opened()

    def _opened(self) -> IO[bytes]:
        if self._part is None:
            return self._target.open("wb")
        with suppress(OSError, AttributeError):  # not every system and file system has files without names
            file = os.fdopen(os.open(self._target.parent, os.O_TMPFILE | os.O_RDWR, 0o666), "w+b")
            if self._link(file).exists():
                return file
            file.close()
        self._named = True
        return self._part.open("w+b")

    @property
    def readable(self) -> Path:
        """Where other processes can read what was written so far."""
        if self._part is None or self._named:
            return self._part or self._target
        return self._link(self.file)

    def _link(self, file: IO[bytes]) -> Path:
        return Path(f"/proc/{os.getpid()}/fd/{file.fileno()}")

    def keep(self) -> None:
        """Put it at its place, with the rights of the file that it replaces.

        Raises:
            PuzzleError: it cannot be written.
        """
        with _writing(self.path):
            self.file.flush()
            if self._part is not None and not self._named:
                self._part.unlink(missing_ok=True)
                number = self.file.fileno()  # as a folder it is not used, but without one Python follows no link
                os.link(self._link(self.file), self._part, src_dir_fd=number, follow_symlinks=True)
                self._named = True
            self.file.close()
            if self._part is not None:
                with suppress(OSError):
                    self._part.chmod(stat.S_IMODE(self._target.stat().st_mode))
                self._part.replace(self._target)

    def discard(self) -> None:
        """Leave nothing of it, unless it was kept."""
        with suppress(OSError):  # an error of writing was already raised
            self.file.close()
        if self._part is not None and self._named:
            self._part.unlink(missing_ok=True)


def _target_of(path: Path) -> tuple[Path, bool]:
    """What *path* stands for, its links followed, and whether that is a plain file, or none yet."""
    for _ in range(40):  # as many links as systems follow
        if str(path.absolute()).startswith(SPECIAL):
            return path, False
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return path, not path.exists() or path.is_file()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Errors of the system are those of writing *path*."""
    try:
        yield
    except OSError as problem:
        raise PuzzleError(f"cannot write {path}: {problem.strerror or problem}") from None


@contextmanager
def unfinished(path: Path) -> Iterator[Unfinished]:
    """A file for *path* that is deleted at the end unless it is kept.

    Raises:
        PuzzleError: it cannot be written.
    """
    with _writing(path):
        made = Unfinished(path)
    try:
        yield made
    finally:
        made.discard()


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write into. It appears at *path* when the block has ended without an error; until then nothing changes.

    Raises:
        PuzzleError: it cannot be written.
    """
    with unfinished(path) as made:
        with _writing(path):
            yield made.file
        made.keep()


def write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Write *pieces* to a file, which appears when it is whole.

    Raises:
        PuzzleError: it cannot be written.
    """
    with whole_file(path) as file:
        file.writelines(pieces)
