"""Kept files of results that come one by one: a question, and records of what is known of it, under a chain of seals.

The first line names the kind of the file. Each further line is a seal and a record in JSON: first the head, with the
question; then the results; at the end a mark with their number, when nothing is left to do. A seal is a digest of the
line's record and of the seal before. So a line that was changed, lost, doubled, swapped with another, or taken from
another file breaks the chain there, and the file is refused. A last line without its end was being written when the
process was killed: it never was a record, and is written anew.

Lines that are lost at the end leave a file as it once was: less is known, and nothing false. The end mark is lost too.

Seals show accidents, and changes by hand or by other programs. They do not stop somebody who computes all seals anew
from the changed line on. So whoever reads a ledger checks all that needs no search: solutions, tilings, values.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from os import SEEK_END
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeVar

import msgspec
from msgspec import Struct

from latcover.core.cover.question import Question
from latcover.errors import DamagedRunError, RunFileError
from latcover.system.file_lock import lock
from latcover.system.reading import content_of, opened

T = TypeVar("T")
FORM = b"latcover ledger 1 "  # and the kind
SEAL = 32  # hexadecimal digits
MOST_BYTES = 1 << 30  # of a ledger: millions of records


class _Head(Struct, frozen=True, forbid_unknown_fields=True):
    """What a ledger is of.

    Attributes:
        about: Whatever else its kind needs to go on, as plain data.
        key: By chance, so that no line of another ledger fits into the chain.
    """

    question: Question
    about: dict[str, Any]
    key: str


class _End(Struct, frozen=True, forbid_unknown_fields=True, tag_field="end", tag="all"):
    """Says that all was done, with so many records."""

    records: int


def ledger_kind(path: Path) -> str | None:
    """The kind of the ledger in a file; None if there is none."""
    try:
        with opened(path) as file:
            line = file.readline(len(FORM) + 100)
    except OSError:
        return None
    return line.removeprefix(FORM).decode(errors="replace").strip() if line.startswith(FORM) else None


class Ledger:
    """A kept file of results, which is read at once; in a `with` statement, records can be added.

    Attributes:
        path: The file.
        question: What it is of.
        about: What else its head says.
        records: Those that it held when it was read, as JSON.
        is_ended: Whether its last line says that nothing is left to do.

    Args:
        path: The file; an existing one of the same question is gone on with.
        kind: What command or task keeps it, in a word or two.
        question: Its question; None takes that of the file, which must exist.
        about: For the head of a new file.

    Raises:
        RunFileError: the file cannot be read, is no such ledger, or belongs to another question.
        DamagedRunError: it holds something else than what was written into it.
    """

    def __init__(
        self, path: Path, kind: str, question: Question | None = None, about: Mapping[str, Any] | None = None
    ) -> None:
        self.path, self.kind = path, kind
        self.records: list[bytes] = []
        self.is_ended = False
        self._first = FORM + kind.encode() + b"\n"
        self._size, self._whole, self._seal = 0, 0, b""  # the bytes of the file, and those of its whole lines
        head = self._read()
        if head is None:
            if question is None:
                raise RunFileError(f"{path}: holds nothing yet; give the first command again")
            head = _Head(question, dict(about or {}), secrets.token_hex(16))
        elif question is not None:
            question.require(head.question, path)
        self._head, self.question, self.about = head, head.question, head.about

    def _read(self) -> _Head | None:
        """Read the file, and follow its chain; the head, None if it has none yet."""
        try:
            content = content_of(self.path, MOST_BYTES)
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise RunFileError(f"{self.path}: cannot be read: {fault.strerror}; choose another file") from None
        self._size = len(content)
        if not content.startswith(self._first):
            if self._first.startswith(content):  # the process was killed while it made the file
                return None
            other = ledger_kind(self.path)
            what = (
                f"holds what {other} keeps, not {self.kind}" if other else f"is not a file that {self.kind} keeps now"
            )
            raise RunFileError(f"{self.path}: {what}; choose another file")
        self._whole = content.rfind(b"\n") + 1
        lines = content[: self._whole].splitlines()
        self._seal = lines[0]
        if len(lines) == 1:
            self._whole, self._seal = 0, b""
            return None
        for number, line in enumerate(lines[1:], 2):
            record = line[SEAL + 1 :]
            self._seal = _seal(self._seal, record)
            if line[: SEAL + 1] != self._seal + b" ":
                raise self._broken(number)
        head = self.decoded(-1, lines[1][SEAL + 1 :], _Head)
        self.records = [line[SEAL + 1 :] for line in lines[2:]]
        self._take_ends()
        return head

    def _take_ends(self) -> None:
        """Leave the end marks out of the records."""
        kept: list[bytes] = []
        self.is_ended = False
        for record in self.records:
            self.is_ended = record.startswith(b'{"end":')
            if not self.is_ended:
                kept.append(record)
            elif self.decoded(len(kept), record, _End).records != len(kept):
                raise self.fault(len(kept), f"it counts other records than the {len(kept):,} before it")
        self.records = kept

    def _broken(self, number: int) -> DamagedRunError:
        return DamagedRunError(
            f"{self.path}: is damaged: line {number} is not what was written after the line before it (one was changed,"
            " lost, doubled or moved); start again in another file, or resume from an intact copy or the lines above"
        )

    def fault(self, number: int, why: object) -> DamagedRunError:
        """The error of the record of this number, whose seal is right, but which is wrong."""
        return DamagedRunError(
            f"{self.path}: is damaged: line {number + 3} does not hold what belongs there: {why}; start again "
            "in another file, or resume from an intact copy"
        )

    def decoded(self, number: int, record: bytes, kind: type[T]) -> T:
        """A record as a value of this type.

        Raises:
            DamagedRunError: it is none.
        """
        try:
            return msgspec.json.decode(record, type=kind)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as fault:
            raise self.fault(number, fault) from None

    def __enter__(self) -> Self:
        """Open the file to add records.

        Raises:
            RunFileError: it cannot be written, or another process writes into it.
        """
        with _writing(self.path):
            self._file: IO[bytes] = self.path.open("r+b" if self.path.exists() else "x+b", buffering=0)
        try:
            if not lock(self._file):
                raise RunFileError(f"{self.path}: another process is at work with it; wait for its end, or end it")
            with _writing(self.path):
                if self._file.seek(0, SEEK_END) != self._size:
                    raise RunFileError(
                        f"{self.path}: another process wrote to it in the meantime; run the command again"
                    )
                self._file.seek(self._whole)
                self._file.truncate()
                if not self._whole:
                    self._write(self._first)
                    self._seal = self._first.rstrip(b"\n")
                    self._append(msgspec.json.encode(self._head))
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, record: object) -> None:
        """Add a record: a struct, or plain data.

        Raises:
            RunFileError: the file cannot be written.
        """
        with _writing(self.path):
            text = msgspec.json.encode(record)
            self._append(text)
        self.records.append(text)
        self.is_ended = False

    def end(self) -> None:
        """Add the mark that nothing is left to do, unless it is there."""
        if not self.is_ended:
            with _writing(self.path):
                self._append(msgspec.json.encode(_End(len(self.records))))
            self.is_ended = True

    def _append(self, record: bytes) -> None:
        assert b"\n" not in record
        seal = _seal(self._seal, record)
        self._write(b"%b %b\n" % (seal, record))
        self._seal, self._whole = seal, self._file.tell()
        self._size = self._whole

    def _write(self, line: bytes) -> None:
        """Write a line; its end comes last, so that a line that could not be written whole is none."""
        left = memoryview(line)
        while left:
            left = left[self._file.write(left) :]


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Errors of the system are those of writing a file."""
    try:
        yield
    except OSError as fault:
        raise RunFileError(f"{path}: cannot be written: {fault.strerror or fault}") from None


def _seal(before: bytes, record: bytes) -> bytes:
    return blake2b(before + b" " + record, digest_size=SEAL // 2).hexdigest().encode()
