"""What a design has found out, in a file: whatever ends the design, it goes on with what the file has.

A design is fixed by its question and its seed, so a result is all that has to be kept. A row that is missing is found
out again; a row that was changed has a wrong seal, and is refused. The file is another kind of database than that of a
search: it has no jobs and no sessions, and one process at a time has it open.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any

from latcover.designing.ledger import Entry
from latcover.encoding.prepared import Prepared
from latcover.errors import RunFileError
from latcover.runs.file import now
from latcover.runs.opening import PATIENCE, connect, damaged, explaining_errors
from latcover.runs.recipe import StoredFile, digest_of

APPLICATION = 0x6C617464  # "latd"
VERSION = 1
BETWEEN_WRITES = 0.5  # seconds
_AT = slice(68, 72)  # where SQLite has the application's number in a file
TABLES = (
    """CREATE TABLE design (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    latcover TEXT NOT NULL,     -- the version that made the file
    created TEXT NOT NULL,
    puzzle TEXT NOT NULL,
    source_name TEXT NOT NULL,
    source BLOB NOT NULL,       -- the puzzle's file
    source_folder TEXT NOT NULL,
    question TEXT NOT NULL,     -- the options of the command, as JSON
    digest TEXT NOT NULL,       -- of what the results depend on
    key TEXT NOT NULL           -- by chance; goes into all seals
)""",
    "CREATE TABLE entries (name TEXT PRIMARY KEY, entry TEXT NOT NULL, seal TEXT NOT NULL) WITHOUT ROWID",
)


def is_design(path: Path) -> bool:
    """Whether a file is one of a design."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and int.from_bytes(head[_AT], "big") == APPLICATION


def digest_of_design(prepared: Prepared, *more: object) -> str:
    """A digest of what the results of a design depend on."""
    names = [part.name for part in prepared.puzzle.parts]
    return hashlib.sha256(f"{digest_of(prepared)} {names} {more}".encode()).hexdigest()


class DesignFile:
    """The file of a design, opened; a `Ledger`. To be used in a `with` statement.

    Attributes:
        puzzle: The name of the puzzle in its file.
        file: The file that it comes from.
        question: The options of the command.
        created: When the file was made.
    """

    def __init__(self, path: Path) -> None:
        """Open a file that was made before.

        Raises:
            RunFileError: it is no file of a design, is damaged, or another process has it open.
        """
        self.path = path
        self._waiting: dict[str, tuple[str, str]] = {}
        self._written = time.perf_counter()
        self._connection = connect(path, write=True)
        try:
            self._take()
            with explaining_errors(path):
                (application,) = self._connection.execute("PRAGMA application_id").fetchone()
                (version,) = self._connection.execute("PRAGMA user_version").fetchone()
                if application != APPLICATION or version != VERSION:
                    raise RunFileError(f"{path}: is no file of a design that this latcover can read; name another file")
                row = self._connection.execute("SELECT * FROM design").fetchone()
            if row is None:
                raise damaged(path, "it does not tell what it is of")
            self.puzzle, self.created, self._key, self.digest = row["puzzle"], row["created"], row["key"], row["digest"]
            self.file = StoredFile(row["source_name"], bytes(row["source"]), row["source_folder"])
            self.question: dict[str, Any] = _read(path, row["question"])
        except BaseException:
            self._connection.close()
            raise

    def _take(self) -> None:
        """Make sure that no other process has the file, now or before it is closed."""
        with explaining_errors(self.path):
            self._connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("BEGIN EXCLUSIVE")
            self._connection.execute("COMMIT")

    def __enter__(self) -> DesignFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, traceback: TracebackType | None) -> None:
        try:
            self.write()
        finally:
            self._connection.close()

    def __len__(self) -> int:
        with explaining_errors(self.path):
            (count,) = self._connection.execute("SELECT count(*) FROM entries").fetchone()
        return int(count)

    def get(self, name: str) -> Entry | None:
        """What was found out under a name; None if nothing was.

        Raises:
            DamagedRunError: the row was changed.
        """
        if name in self._waiting:
            return _read(self.path, self._waiting[name][0])
        with explaining_errors(self.path):
            row = self._connection.execute("SELECT entry, seal FROM entries WHERE name = ?", (name,)).fetchone()
        if row is None:
            return None
        if row["seal"] != self._seal(name, str(row["entry"])):
            raise damaged(self.path, f"the row {name!r:.60} was changed")
        return _read(self.path, row["entry"])

    def put(self, name: str, entry: Entry) -> None:
        """Keep a result. It is in the file within a moment."""
        text = json.dumps(entry)
        self._waiting[name] = text, self._seal(name, text)
        if time.perf_counter() - self._written >= BETWEEN_WRITES:
            self.write()

    def write(self) -> None:
        """Write what waits."""
        if self._waiting:
            rows = [(name, *values) for name, values in self._waiting.items()]
            with explaining_errors(self.path), _transaction(self._connection) as connection:
                connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", rows)
            self._waiting = {}
        self._written = time.perf_counter()

    def ask(self, question: Mapping[str, object]) -> None:
        """Take another question to the same results: `resume` then asks that one."""
        with explaining_errors(self.path), _transaction(self._connection) as connection:
            connection.execute("UPDATE design SET question = ?", (json.dumps(question),))

    def _seal(self, name: str, text: str) -> str:
        return hashlib.blake2b(f"{name}\0{text}".encode(), digest_size=8, key=self._key.encode()[:64]).hexdigest()


class _transaction:  # noqa: N801 - used as a function
    """A transaction that is ended whatever happens."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> sqlite3.Connection:
        self._connection.execute("BEGIN IMMEDIATE")
        return self._connection

    def __exit__(self, kind: type[BaseException] | None, value: object, traceback: TracebackType | None) -> None:
        self._connection.execute("COMMIT" if kind is None else "ROLLBACK")


def open_design(path: Path, puzzle: str, file: StoredFile, question: Mapping[str, object], digest: str) -> DesignFile:
    """The file of a design: made, or opened if it holds results about the same puzzle.

    Raises:
        RunFileError: it holds something else, or cannot be written.
    """
    if not path.exists() or path.stat().st_size == 0:
        _make(path, puzzle, file, question, digest)
    elif not is_design(path):
        raise RunFileError(f"{path}: is no file of a design; name another file")
    design = DesignFile(path)
    if design.digest != digest:
        design.__exit__(None, None, None)
        raise RunFileError(
            f"{path}: holds results about another puzzle, or with another --symmetry or --max-branches; name another "
            "file, or go on with `latcover resume`"
        )
    if design.question != question:
        design.ask(question)
    return design


def _make(path: Path, puzzle: str, file: StoredFile, question: Mapping[str, object], digest: str) -> None:
    row = (1, version("latcover"), now(), puzzle, file.name, file.content, file.folder, json.dumps(question), digest)
    with explaining_errors(path):
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        try:
            with _transaction(connection):
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
                for table in TABLES:
                    connection.execute(table)
                connection.execute(f"INSERT INTO design VALUES ({', '.join('?' * 10)})", (*row, secrets.token_hex(16)))
        finally:
            connection.close()


def _read(path: Path, text: object) -> dict[str, Any]:
    try:
        data = json.loads(str(text))
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise damaged(path, "a row of it holds what does not belong there")
    return data
