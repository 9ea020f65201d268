"""A file of lines that grows: its first line says to what question the others belong."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from latcover.errors import InputError

Kept = TypeVar("Kept", bound="KeptLines")


class KeptLines:
    """The lines of a file, which are read at once; in a `with` statement, lines can be added.

    A line that a crash cut short is written anew.

    Args:
        path: An existing file is gone on with.
        heading: The first line, without its end.
        question: What the user is to give again, for the message if the heading differs.

    Raises:
        InputError: the file cannot be read, or belongs to another question.
    """

    def __init__(self, path: Path, heading: bytes, question: str) -> None:
        self.path, self._heading, self._whole = path, heading + b"\n", 0
        self.lines: list[bytes] = []
        if not path.exists():
            return
        try:
            content = path.read_bytes()
        except OSError as fault:
            raise InputError(f"{path} cannot be read: {fault.strerror}") from None
        if content and not content.startswith(self._heading):
            raise InputError(
                f"{path} holds no answers to this question; give the same {question} as before, or name another file"
            )
        self._whole = content.rfind(b"\n") + 1
        self.lines = content[: self._whole].splitlines()[1:]

    def fault(self, number: int, why: object) -> InputError:
        """That the line of this number is wrong."""
        return InputError(f"{self.path}, line {number + 2}: {why}; delete this line")

    def __enter__(self: Kept) -> Kept:
        try:
            self._file: Any = self.path.open("r+b" if self._whole else "wb")
            self._file.seek(self._whole)
            self._file.truncate()
            if not self._whole:
                self._write(self._heading)
        except OSError as fault:
            raise InputError(f"{self.path} cannot be written: {fault.strerror}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, line: bytes) -> None:
        """Add a line, given without its end.

        Raises:
            InputError: the file cannot be written.
        """
        try:
            self._write(line + b"\n")
        except OSError as fault:
            raise InputError(f"{self.path} cannot be written: {fault.strerror}") from None

    def _write(self, text: bytes) -> None:
        self._file.write(text)
        self._file.flush()
